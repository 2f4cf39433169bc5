"""Copies and fills on a queue, for udma_subject.py: driver 2.26.5.0, synchronous.

What a call does outside goes to the suite (docs/protocol.md, "What is done outside").
"""

V2 = 2
MARKER = 0xABCDEF01
WINDOW = {2: 0x1000_0000_0000, 3: 0x4000_0000_0000, 4: 0x4000_0000_0000}  # HOST-1
STRETCH = [1, 10_000, 100_000]  # POLL-3: hardware, qemu, emulator
MASK64 = (1 << 64) - 1


class Host:
    """The outside: what gives nothing waits for what does."""

    def __init__(self, say):
        self.say, self.waiting = say, []
        self.address = self.value = None  # a word that was loaded last
        self.stays = 0  # delays during which it does not change

    def put(self, access):
        self.address = None
        self.waiting.append(access)

    def finish(self):
        gave = None
        if self.waiting:
            answer = self.say({"host": self.waiting})
            gave, self.stays, self.waiting = answer["gave"][-1], answer["stays"], []
        return gave

    def ask(self, access):
        self.waiting.append(access)
        return self.finish()

    def load(self, address):
        if address != self.address:
            self.value = self.ask({"load32": address})
            self.address = address
        else:
            self.waiting.append({"load32": address})
        return self.value

    def delay(self, us):
        self.waiting.append({"delay": us})
        self.stays -= 1
        if self.stays < 0:
            self.address = None
        if len(self.waiting) > 4000:
            # A word that stays so, stays so for what is left.
            address, value, stays = self.address, self.value, self.stays
            self.finish()
            self.address, self.value, self.stays = address, value, stays


class Queue:
    """An engine with one queue, open for transfers."""

    def __init__(self, setup, engine, host):
        self.setup, self.engine, self.host = setup, engine, host
        self.start()

    def start(self):
        """The queue from its first slot (QINI-5)."""
        setup = self.setup
        cfg = {
            "size": setup["size"],
            "base": setup["base"],
            "has_memory": [True, True],
            "allocatable": True,
            "completion_ring": False,
        }
        ret, events = self.engine.queue_init(setup["qid"], cfg)
        self.outside(events)
        return ret

    def outside(self, events):
        for event in events:
            self.host.put(event if event == "barrier" else {"write32": event["write"]})

    def pair(self, src, dst, size, mode):
        ret, written = self.engine.prepare(
            self.setup["qid"], {"src": src, "dst": dst, "size": size, "mode": mode, "dst_int": 0}
        )
        for store in written:
            self.host.put({"desc": store})
        return ret

    def stage(self, copy, offset):
        """One batch and its marker: code, pairs, bytes (BTCH, MARK-1)."""
        pairs = staged = 0
        last = False
        while not last:
            left = copy["size"] - offset - staged
            size = min(left, self.setup["chunk"])  # BTCH-1
            last = size == left or pairs >= self.setup["threshold"]  # BTCH-2
            at = offset + staged
            src = copy["src"] + (at if copy["src_moves"] else 0)  # BTCH-5
            dst = copy["dst"] + (at if copy["dst_moves"] else 0)
            ret = self.pair(src & MASK64, dst & MASK64, size, 2 if last else 0)  # BTCH-3
            if ret:
                return ret, 0, 0
            pairs, staged = pairs + 1, staged + size
        source = self.setup["completion"]
        self.host.put({"store32": [source, MARKER]})
        self.host.put({"store32": [source + 4, 0]})
        dma = source | WINDOW[self.setup["arch"]]
        return self.pair(dma, dma + 4, 4, 0), pairs + 1, staged

    def send(self, copy, offset):
        ret, count, size = self.stage(copy, offset)
        if ret == 0:
            ret, events = self.engine.copy_start(self.setup["qid"], count, count)  # BTCH-4
            self.outside(events)
        return ret, count, size

    def seen(self, count):
        """Whether the marker came in time (POLL)."""
        early, budget, us = (3, 100, 4) if self.setup["arch"] == V2 else (1, 400, 2)
        estimate = us * (count - 1) & 0xFFFFFFFF
        first = estimate - early & MASK64
        following = (estimate * budget - first) * 100 * STRETCH[self.setup["platform"]] & MASK64
        self.host.delay(first)
        for _ in range(following + 2):
            if self.host.load(self.setup["completion"] + 4) == MARKER:
                return True
            self.host.delay(1)
        return False

    def rearm(self, count):
        """MARK-3, then both rings are acknowledged, RX first (ACK-1)."""
        self.host.put({"store32": [self.setup["completion"] + 4, 0]})
        self.host.put({"store32": [self.setup["completion"], MARKER]})
        for name, ring in (("rx", self.rings()[1]), ("tx", self.rings()[0])):
            ring.ack(self.engine.driver, count)
            self.host.put({"acked": [name, [ring.next, ring.done, ring.phase]]})

    def rings(self):
        return self.engine.rings[self.setup["qid"]]

    def copy(self, copy):
        started, offset = self.host.ask("now"), 0
        while True:
            ret, count, size = self.send(copy, offset)
            if ret:
                return ret
            while not self.seen(count):
                # RTRY-1
                if self.setup["arch"] != V2 or not self.host.ask({"in_reset_window": started}):
                    return -1
                started = self.host.ask("now")
                ret = self.start() or self.send(copy, offset)[0]
                if ret:
                    return ret
            self.rearm(count)
            offset += size
            if offset == copy["size"]:
                return 0  # BTCH-6

    def memset(self, fill):
        """MSET-1"""
        head = min(fill["size"], 65536)
        if head:
            self.host.put({"fill": [fill["buffer"], fill["value"] & 0xFF, head]})
        window = WINDOW[self.setup["arch"]]
        first = {"src": fill["buffer"] | window, "dst": fill["dst"], "size": head}
        ret = self.copy(dict(first, src_moves=True, dst_moves=True))
        if ret or fill["size"] == head:
            return ret
        rest = {"src": fill["dst"], "dst": fill["dst"] + head, "size": fill["size"] - head}
        return self.copy(dict(rest, src_moves=False, dst_moves=True))

    def cursors(self):
        return [[ring.next, ring.done, ring.phase] for ring in self.rings()]


QUEUES = {}


def on_queue(call, new_engine, say):
    """A call of a queue; whatever it does outside is told before it answers."""
    op = call["op"]
    if op == "transfers_open":
        setup, host = call["setup"], Host(say)
        engine = new_engine({"driver": setup["driver"], "num_queues": setup["num_queues"], "engine_id": setup["engine"]})
        number = max(QUEUES, default=0) + 1
        QUEUES[number] = Queue(setup, engine, host)
        host.finish()
        return number
    queue = QUEUES[call["transfers"]]
    if op == "copy":
        out = queue.copy(call["transfer"])
    elif op == "memset":
        out = queue.memset(call["fill"])
    elif op == "transfer_cursors":
        out = queue.cursors()
    else:
        del QUEUES[call["transfers"]]
        return None
    queue.host.finish()
    return out
