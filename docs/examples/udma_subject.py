#!/usr/bin/env python3
"""A complete subject in Python: the kernel line of driver 2.26.5.0 and its neighbours.

Speaks the protocol of docs/protocol.md on standard input and output:

    udma check --subject "cmd:python3 docs/examples/udma_subject.py"

It answers the operations of descriptors, pairs, rings, queue initialisation, doorbells, and, in udma_transfers.py, copies
and fills of driver 2.26.5.0; everything else is "not offered". Rule ids stand beside what they ask for.
"""

import json
import struct
import sys

import udma_transfers

MASK32 = 0xFFFFFFFF
BUG = -1000002
EINVAL, ENOMEM = -22, -12

CONCAT, DMB, SOW, INT_EN, LAST, FIRST = (1 << bit for bit in (31, 30, 29, 28, 27, 26))
META = 1 << 23
PLAIN_COPY = 0x01080003  # META-1
WRITE_BARRIER, NOTIFICATION = 1 << 26, 1 << 28
MAX_LENGTH = 65536
FLAGS = {"concat": CONCAT, "dmb": DMB, "sow": SOW, "int_en": INT_EN, "last": LAST, "first": FIRST, "meta": META}

# Driver versions by their numbers in the C ABI.
V2_26_5, V2_15_9, V2_18_20, V2_25_4, V2_27_4 = range(5)
STOPS = (V2_15_9, V2_18_20, V2_25_4)  # bad counts and sizes end in BUG (RING-6, TRIG-4)
KNOWS_SOW = (V2_25_4, V2_26_5, V2_27_4)  # BARR-5
VERSION_NAMES = {
    "2.26.5.0": V2_26_5,
    "2.15.9.0": V2_15_9,
    "2.18.20.0": V2_18_20,
    "2.25.4.0": V2_25_4,
    "2.27.4.0": V2_27_4,
}


class NotOffered(Exception):
    pass


# ---- descriptors -----------------------------------------------------------


def words(text):
    return list(struct.unpack("<4I", bytes.fromhex(text)))


def digits(desc):
    return struct.pack("<4I", *desc).hex()


def make(word0, word1, pointer):
    return [word0 & MASK32, word1 & MASK32, pointer & MASK32, pointer >> 32 & MASK32]


def decode(call):
    out = []
    for text, asked in zip(call["descs"], call["fields"]):
        desc, view = words(text), asked["view"]
        fields = {name: int(desc[0] & bit != 0) for name, bit in FLAGS.items()}
        fields.update(
            view=view,
            length=desc[0] & 0xFFFF or MAX_LENGTH,  # DESC-3
            ring_id=desc[0] >> 24 & 3,
            reserved=desc[0] >> 16 & 0x7F,
            word1=desc[1],
            meta1=desc[2] if view == 2 else 0,
            meta2=desc[3] if view == 2 else 0,
            pointer=0 if view == 2 else desc[2] | desc[3] << 32,
        )
        out.append(fields)
    return out


def encode(call):
    out = []
    for fields in call["fields"]:
        word0 = fields["length"] & 0xFFFF | (fields["reserved"] & 0x7F) << 16 | (fields["ring_id"] & 3) << 24
        for name, bit in FLAGS.items():
            word0 |= bit if fields[name] else 0
        if fields["view"] == 2:
            desc = [word0, fields["word1"], fields["meta1"], fields["meta2"]]
        else:
            desc = make(word0, fields["word1"], fields["pointer"])
        out.append(digits(desc))
    return out


META_FIELDS = [
    ("is_last_block", 1), ("is_first_block", 1), ("block_attribute", 1), ("cached_crc_iv_index", 3),
    ("result_byte_swap", 1), ("result_bit_swap", 1), ("interim_byte_swap", 1), ("interim_bit_swap", 1),
    ("source_byte_swap", 1), ("source_bit_swap", 1), ("init_byte_swap", 1), ("init_bit_swap", 1),
    ("validate_crc", 1), ("use_stored_crc_iv", 1), ("send_crc_result", 1), ("store_crc_result", 1),
    ("store_source_crc", 1), ("copy_source_data", 1), ("op_type", 3), ("ssmae_op", 3),
    ("write_barrier", 1), ("reserved27", 1), ("notification", 1), ("reserved31_29", 3),
]  # fmt: skip


def meta_decode(call):
    fields, at = {}, 0
    for name, width in META_FIELDS:
        fields[name] = call["word"] >> at & (1 << width) - 1
        at += width
    return fields


def meta_encode(call):
    word, at = 0, 0
    for name, width in META_FIELDS:
        word |= (call["fields"][name] & (1 << width) - 1) << at
        at += width
    return word


# ---- pairs -----------------------------------------------------------------


def build_pair(case, tx, rx):
    """Code, TX, RX; a slot that is not written comes back as it was."""
    mode, driver = case["mode"], case["driver"]
    if mode not in (0, 1, 2) and not (mode == 3 and driver in KNOWS_SOW):
        return EINVAL, tx, rx  # BARR-3
    size = case["size"]
    if size > MAX_LENGTH:
        return EINVAL if driver == V2_27_4 else -1, tx, rx  # BLDR-4
    length = size & 0xFFFF
    # The ids are not masked: one above 3 spills into the flags (BLDR-6).
    tx_word0 = FIRST | LAST | case["tx_ring_id"] << 24 | length | (DMB if mode == 1 else 0)
    rx_word0 = case["rx_ring_id"] << 24 | length | (SOW if mode == 3 else 0)
    rx_word0 |= INT_EN if case["dst_int"] else 0
    word1 = PLAIN_COPY | (WRITE_BARRIER if mode == 2 else 0)
    return 0, make(tx_word0, word1, case["src"]), make(rx_word0, 0, case["dst"])


def build_pairs(call):
    out = []
    for case, slots in zip(call["cases"], call["out"]):
        ret, tx, rx = build_pair(case, words(slots["tx"]), words(slots["rx"]))
        out.append({"tx": digits(tx), "rx": digits(rx), "ret": ret, "unused": slots.get("unused", 0)})
    return out


PAIR_IN = struct.Struct("<QQQIIiBBBB")
PAIR_OUT = struct.Struct("<4I4IiI")
PAIR_NAMES = ("src", "dst", "size", "rx_ring_id", "tx_ring_id", "mode", "dst_int", "sow", "arch", "driver")


def binary_pairs(message):
    """A batch as the C ABI lays it down: a pair and its slots, 80 bytes each."""
    answer = bytearray(b"\x01")
    for at in range(1, len(message), PAIR_IN.size + PAIR_OUT.size):
        case = dict(zip(PAIR_NAMES, PAIR_IN.unpack_from(message, at)))
        slots = PAIR_OUT.unpack_from(message, at + PAIR_IN.size)
        ret, tx, rx = build_pair(case, slots[0:4], slots[4:8])
        answer += PAIR_OUT.pack(*tx, *rx, ret, slots[9])
    return bytes(answer)


# ---- rings (RING) ----------------------------------------------------------


def ring_size(call):
    out = []
    for want in call["want"]:
        if want < 32:
            out.append(64)
            continue
        least = want + 16 & MASK32
        size = 1
        while size < least:
            size <<= 1
        out.append(0 if least == 0 else size & MASK32)  # RING-9
    return out


class Ring:
    def __init__(self, is_rx):
        # After engine initialisation (QINI-6).
        self.is_rx = is_rx
        self.size = self.mask = self.next = self.done = self.phase = self.base = 0
        self.status, self.cfg, self.flags, self.allocatable, self.comp_phase = 2, 0x03000000, 0, 0, 0
        self.engine = self.kind = self.qid = 0
        self.has_memory = False

    def start(self, cfg, side, qid, engine):
        self.size = cfg["size"][side]
        self.mask = self.size - 1
        self.base = cfg["base"][side]
        self.has_memory = cfg["has_memory"][side]
        self.allocatable = int(cfg["allocatable"])
        self.next, self.done, self.phase = 0, 0, 1  # RING-1
        self.cfg, self.flags, self.comp_phase = 0x03030000, 2, 1
        self.kind, self.qid = side, qid
        self.engine = 0 if side else engine  # QINI-8

    def odd(self):
        return self.size & self.mask != 0 or self.size == 0

    def available(self, driver):
        if self.odd():
            return BUG if driver in STOPS else 0  # RING-6
        return self.done - (self.next + 16) & self.mask  # RING-2

    def get(self, driver):
        if self.odd():
            return BUG if driver in STOPS else -1
        if not (self.has_memory and self.allocatable):
            return -1  # RING-7
        slot, self.next = self.next, self.next + 1 & self.mask  # RING-3
        return slot

    def take_phase(self):
        phase = self.phase
        if self.next == 0:
            self.phase = phase + 1 & 3  # RING-4
        return phase

    def ack(self, driver, count):
        if self.odd():
            return BUG if driver in STOPS else -1
        self.done = self.done + count & self.mask  # RING-5
        return 0


class Engine:
    def __init__(self, cfg):
        self.driver, self.queues, self.id = cfg["driver"], cfg["num_queues"], cfg["engine_id"]
        self.rings = [[Ring(False), Ring(True)] for _ in range(16)]

    def side(self, call):
        if call["qid"] >= 16:
            raise NotOffered
        return self.rings[call["qid"]][int(call["ring"] == "rx")]

    def queue_init(self, qid, cfg):
        """Code and accesses (QINI)."""
        events = []
        for side in (0, 1):
            if cfg["base"][side] % 256 or cfg["size"][side] % 16:
                return -1, events  # QINI-1
        if cfg["completion_ring"]:
            return -1, events  # QINI-2
        for side in (0, 1):
            size = cfg["size"][side]
            if qid >= self.queues or not 32 <= size <= (1 << 24) - 16:
                return EINVAL, events  # QINI-3, QINI-4; RX after TX was programmed (QINI-7)
            block = (0x21000 if side else 0x1000) + 0x1000 * qid
            base = cfg["base"][side]
            program = [] if side else [(0x74, 3)]
            program += [
                (0x20, 0x03000000),
                (0x64 if side else 0xB0, 0x100),
                (0x28, base & MASK32),
                (0x2C, base >> 32),
                (0x30, size),
                (0x54 if side else 0xA0, 0),
                (0x20, 0x03030000),
            ]
            events += [{"write": [0, block + offset, value]} for offset, value in program]
            self.rings[qid][side].start(cfg, side, qid, self.id)
        return 0, events

    def queue_sw(self, call):
        ring, is_rx = self.side(call), call["ring"] == "rx"
        return {
            "desc_phy_base": ring.base,
            "size_mask": ring.mask & MASK32,
            "next_desc_idx": ring.next,
            "desc_ring_id": ring.phase,
            "next_cdesc_idx": ring.done,
            "size": ring.size,
            "status": ring.status,
            "qid": ring.qid,
            "type_": ring.kind,
            "cfg": ring.cfg,
            "rlimit_mask": 0 if is_rx else 7,
            "is_allocatable": ring.allocatable,
            "flags": ring.flags,
            "cdesc_size": 0,
            "comp_ring_id": ring.comp_phase,
            "engine_id": ring.engine,
            "unused": 0,
        }

    def prepare(self, qid, pair):
        """Code and the slots written (RING-8, RING-11)."""
        if qid >= self.queues:
            return -1, []
        if pair["size"] > MAX_LENGTH:
            return EINVAL if self.driver == V2_27_4 else -1, []  # as BLDR-4
        tx, rx = self.rings[qid]
        for ring in (tx, rx):
            free = ring.available(self.driver)
            if free == BUG:
                return BUG, []
            if free < 1:
                return ENOMEM, []
        rx_slot, tx_slot = rx.get(self.driver), tx.get(self.driver)
        if rx_slot < 0 or tx_slot < 0:
            return EINVAL, []
        case = dict(pair, driver=self.driver, rx_ring_id=rx.take_phase(), tx_ring_id=tx.take_phase())
        ret, built_tx, built_rx = build_pair(case, None, None)
        if ret != 0:
            return ret, []
        return 0, [["tx", tx_slot, digits(built_tx)], ["rx", rx_slot, digits(built_rx)]]

    def copy_start(self, qid, m2s_count, s2m_count):
        """Code and accesses (TRIG)."""
        if qid >= self.queues:
            return -1, []
        tx, rx = self.rings[qid]
        old = self.driver == V2_15_9
        if s2m_count > rx.size or m2s_count > tx.size and not old:
            return (BUG if old else -1), []  # TRIG-1
        events = []
        for count, ring, block in ((s2m_count, rx, 0x21000), (m2s_count, tx, 0x1000)):  # TRIG-2
            if ring is tx and count == 0:
                break  # TRIG-3
            if count == 0 or count > ring.size:
                return (BUG if self.driver in STOPS else -1), events  # TRIG-4
            events += ["barrier", {"write": [0, block + 0x1000 * qid + 0x38, count]}]  # TRIG-5
        return 0, events


ENGINES = {}


def engine_open(call):
    number = max(ENGINES, default=0) + 1
    ENGINES[number] = Engine(call["cfg"])
    return number


def queue_state(call):
    """Both rings from the registers (REGS-2)."""
    registers = {(space, offset): value for space, offset, value in call["host"]["registers"]}
    if call["qid"] >= 16:
        raise NotOffered
    states, events = [], []
    for side in (0, 1):
        block = (0x21000 if side else 0x1000) + 0x1000 * call["qid"]

        def read(offset):
            value = registers.get((0, block + offset), 0)
            events.append({"read": [0, block + offset, value]})
            return value

        base = read(0x2C) << 32 | read(0x28)
        length = read(0x30)
        states.append({
            "base_addr": base & ~0x3F,
            "completion_base_addr": read(0x48) << 32 | read(0x44),
            "raw_base": base,
            "hw_status": read(0x24),
            "sw_status": call["sw_status"][side],
            "length": length & 0xFFFFFF,
            "head_pointer": read(0x34) & 0xFFFFFF,
            "tail_pointer": read(0x3C) & 0xFFFFFF,
            "completion_head": read(0x4C) & 0xFFFFFF,
            "raw_length": length,
            "unused": 0,
        })
    return [states, events]


def ring_script(call):
    """A whole script: the same operations without a message each."""
    script = call["script"]
    engine = Engine({"driver": VERSION_NAMES[script["driver"]], "num_queues": 16, "engine_id": 0})
    qid = script["qid"]
    cfg = {
        "size": script["size"],
        "base": [0x1_0000_0000, 0x2_0000_0000],
        "has_memory": script["has_memory"],
        "allocatable": script["allocatable"],
        "completion_ring": False,
    }
    rings = engine.rings[qid]
    steps = []

    def step(result, written=()):
        cursors = [[ring.next, ring.done, ring.phase] for ring in rings]
        built = [None, None]
        for name, slot, desc in written:
            built[int(name == "rx")] = [slot, desc]
        steps.append({"result": result, "cursors": cursors, "built": built})

    step(engine.queue_init(qid, cfg)[0])
    for name, *rest in script["ops"]:
        if name == "prepare":
            queue, src, dst, size, mode, dst_int = rest
            pair = {"src": int(src, 0), "dst": int(dst, 0), "size": size, "mode": mode, "dst_int": dst_int}
            step(*engine.prepare(queue, pair))
            continue
        ring = rings[int(rest[0] == "rx")]
        if name == "get":
            step(ring.get(engine.driver))
        elif name == "rid":
            step(ring.take_phase())
        elif name == "ack":
            step(ring.ack(engine.driver, rest[1]))
        else:
            step(ring.available(engine.driver))
    return steps


def on_engine(call):
    op, engine = call["op"], ENGINES[call["engine"]]
    if op == "queue_init":
        return engine.queue_init(call["qid"], call["cfg"])
    if op == "queue_sw":
        return engine.queue_sw(call)
    if op == "ring_get":
        return engine.side(call).get(engine.driver)
    if op == "ring_id":
        return engine.side(call).take_phase()
    if op == "ring_ack":
        return engine.side(call).ack(engine.driver, call["count"])
    if op == "ring_available":
        return engine.side(call).available(engine.driver)
    if op == "prepare":
        return engine.prepare(call["qid"], call["pair"])
    if op == "copy_start":
        return engine.copy_start(call["qid"], call["m2s_count"], call["s2m_count"])
    raise NotOffered


STATIC = {
    "decode": decode,
    "encode": encode,
    "meta_decode": meta_decode,
    "meta_encode": meta_encode,
    "build_pairs": build_pairs,
    "ring_size": ring_size,
    "engine_open": engine_open,
    "engine_close": lambda call: ENGINES.pop(call["engine"], None) and None,
    "queue_state": queue_state,
    "ring_script": ring_script,
}


TRANSFERS = ("copy", "memset", "transfer_cursors", "transfers_close")


def on_queue(call):
    """Copies and fills (BTCH); whatever they do outside, the suite does."""
    if call["op"] == "transfers_open" and call["setup"]["driver"] != V2_26_5:
        raise NotOffered

    def say(accesses):
        send(json.dumps(accesses).encode())
        return json.loads(receive())

    return udma_transfers.on_queue(call, Engine, say)


def answer(call):
    try:
        if call["op"] == "transfers_open" or call["op"] in TRANSFERS:
            return {"out": on_queue(call)}
        if call["op"] in STATIC:
            return {"out": STATIC[call["op"]](call)}
        if "engine" in call:
            return {"out": on_engine(call)}
    except NotOffered:
        pass
    return "not_offered"


def receive():
    head = sys.stdin.buffer.read(4)
    return sys.stdin.buffer.read(struct.unpack("<I", head)[0]) if len(head) == 4 else None


def send(message):
    sys.stdout.buffer.write(struct.pack("<I", len(message)) + message)
    sys.stdout.buffer.flush()


def main():
    hello = json.loads(receive() or b"{}")
    if hello != {"protocol": 1, "abi": 1}:
        send(json.dumps({"error": f"speaks protocol 1 with ABI 1, not {hello}"}).encode())
        sys.exit(2)
    send(json.dumps({"protocol": 1, "line": "kernel", "binary_pairs": True, "ring_scripts": True}).encode())
    while (message := receive()) is not None:
        if message[:1] == b"\x01":
            send(binary_pairs(message))
        else:
            send(json.dumps(answer(json.loads(message))).encode())


if __name__ == "__main__":
    main()
