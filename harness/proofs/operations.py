"""What is proved, for which inputs: one table of the operations, and what each leaves out and why.

An operation is proved for every value of every field of its input, but for what its `domain` takes
away. `CONTRACT` is what the header asks of a caller; `COMMON` is where the kernel line and the HAL
line part, and counts where one of each is compared. Every condition names its rules.
"""

import itertools
from dataclasses import dataclass

import claripy

KERNEL, HAL = 1, 2  # UDMA_LINE_*

SUNDA, CAYMAN, MARIANA = 2, 3, 4  # UDMA_ARCH_*
DRIVER_2_25_4, DRIVER_2_27_4 = 3, 4  # UDMA_DRIVER_*
SOW = 3  # UDMA_MODE_SOW
FP32 = 10
ADD, FMA = 0, 1


@dataclass(frozen=True)
class Condition:
    """What holds of every element of an argument, or of the scalars for ""."""

    on: str
    text: str
    rules: str
    test: object  # of an Element
    first: int = 0  # the first element it is asked of


@dataclass(frozen=True)
class Shape:
    """How many elements there are; with a condition of its own where that is part of it."""

    label: str
    counts: dict  # fields that hold them: a number in place of a bit-vector
    elements: dict  # of each pointer; 1 where it is not named
    limit: Condition | None = None


@dataclass(frozen=True)
class Operation:
    name: str
    shapes: tuple
    contract: tuple = ()
    common: tuple = ()  # for two lines
    # Fields that hold the operation's own code. With the HAL line any code that refuses is as good
    # as another: BLDR-12 and the header say so.
    codes: tuple = ()
    # Fields where any negative number is as good as another.
    negative: tuple = ()

    def conditions(self, lines, shape):
        """Those that count between two lines."""
        both = self.common if len(set(lines)) == 2 else ()
        return (*self.contract, *both, *([shape.limit] if shape.limit else ()))


def either(value, *numbers):
    return claripy.Or(*[value == number for number in numbers])


def flag(on, *names, rules="header"):
    """Flags that the header gives as 0 or 1."""
    text = f"{', '.join(names)} 0 or 1"
    return Condition(on, text, rules, lambda e: claripy.And(*[either(getattr(e, n), 0, 1) for n in names]))


def arch(on):
    return Condition(on, "arch known", "header", lambda e: either(e.arch, SUNDA, CAYMAN, MARIANA))


def batch(*pointers, most, later=None):
    """n elements of each pointer, n from 0 to `most`.

    `later` holds the elements after the first to one path through the operation, where their
    paths would multiply with its own; they then show that elements are taken one after the other.
    """
    return tuple(
        Shape(f"n {n}", {"n": n}, dict.fromkeys(pointers, n), later if n > 1 else None)
        for n in range(most + 1)
    )


def view(on):
    return Condition(on, "view known", "DESC-2", lambda e: claripy.ULE(e.view, 2))


def below(on, name, bound, rules):
    return Condition(on, f"{name} below {bound}", rules,
                     lambda e: claripy.ULT(getattr(e, name), bound))


def dtype(on, name):
    return Condition(on, f"{name} 1..15", "CCE-12", lambda e: claripy.And(
        getattr(e, name) != 0, claripy.ULE(getattr(e, name), 15)))


def later(on, text, test):
    return Condition(on, f"{text}, of elements after the first", "bound", test, first=1)


ONE = (Shape("one", {}, {}),)


def packets():
    """Packets of few blocks, and the shortest ones that are too long."""
    def shape(count, limit=None):
        slots = max(count, 1)
        elements = {"in[0].blocks": count, "tx": slots, "rx": slots}
        return Shape(f"count {count}", {"in[0].count": count}, elements, limit)

    plain = Condition("in", "mode NONE, sow, notify, dst_int 0 at count 3", "bound", lambda e:
                      claripy.And(e.mode == 0, e.sow == 0, e.notify == 0, e.dst_int == 0))
    cayman = Condition("in", "arch CAYMAN at count 66", "BLDR-9", lambda e: e.arch == CAYMAN)
    return (*map(shape, range(3)), shape(3, plain), shape(66, cayman), shape(129))


def reductions():
    def shape(sources, destinations, limit=None):
        elements = {
            "in[0].sources": sources, "in[0].destinations": destinations,
            "tx": sources + destinations + 2, "rx": max(destinations, 1),
        }
        counts = {"in[0].num_sources": sources, "in[0].num_destinations": destinations}
        return Shape(f"{sources} to {destinations}", counts, elements, limit)

    # The paths of the dtypes would multiply with those of what may stand in front, and with those
    # of more elements.
    bare = Condition("in", "use_scale, use_const, use_seed 0 at 1 to 1 with other dtypes than fp32",
                     "bound", lambda e: claripy.And(e.use_scale == 0, e.use_const == 0, e.use_seed == 0))
    fp32 = Condition("in", "arch CAYMAN, in_dtype, out_dtype fp32 at 1 to 1 with a scale, a constant or a seed",
                     "bound", lambda e: claripy.And(e.arch == CAYMAN, e.in_dtype == FP32, e.out_dtype == FP32))
    plain = Condition("in", "arch CAYMAN, add or FMA, dtypes fp32 at more than 1 to 1", "bound",
                      lambda e: claripy.And(e.arch == CAYMAN, either(e.op, ADD, FMA), e.in_dtype == FP32,
                                            e.out_dtype == FP32, e.accum_dtype == FP32))
    ones = [shape(0, 1), shape(1, 0), shape(1, 1, bare), shape(1, 1, fp32)]
    return (*ones, *[shape(*pair, plain) for pair in [(2, 1), (1, 2), (33, 1)]])


def names():
    """Texts of up to five ASCII bytes and their terminator."""
    def ends(length):
        def test(e):
            text = [e.at(index) for index in range(length + 1)]
            inside = [claripy.And(byte != 0, byte[7:7] == 0) for byte in text[:length]]
            return claripy.And(text[length] == 0, *inside)
        return Condition("name", "name is ASCII", "bound", test)
    return tuple(Shape(f"length {n}", {}, {"name": n + 1}, ends(n)) for n in range(6))


PAIR_COMMON = (
    Condition("in", "size not 0", "BLDR-5", lambda e: e.size != 0),
    Condition("in", "rx_ring_id, tx_ring_id 0..3", "BLDR-6",
              lambda e: claripy.And(claripy.ULE(e.rx_ring_id, 3), claripy.ULE(e.tx_ring_id, 3))),
    Condition("in", "mode not SOW on SUNDA", "BARR-4",
              lambda e: claripy.Or(e.mode != SOW, e.arch != SUNDA)),
    Condition("in", "mode not SOW before driver 2.25.4.0", "BARR-5",
              lambda e: claripy.Or(e.mode != SOW, either(e.driver, 0, DRIVER_2_25_4, DRIVER_2_27_4))),
    Condition("in", "sow 0", "header", lambda e: e.sow == 0),
)

# Bytes of an element, by SDMA dtype.
ELEMENT_BYTES = {1: 8, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2, 8: 4, 9: 4, 10: 4, 11: 4, 12: 8, 13: 1,
                 14: 1, 15: 1}


def transposes(e):
    """No transpose of elements that its dtype does not have: the builder never gives one."""
    word = e.number("word[1]")
    kinds = [claripy.And(word[19:16] == dtype, word[4:0] == size)
             for dtype, size in ELEMENT_BYTES.items()]
    return claripy.Or(word[31:20] != 0x009, *kinds)


PLAIN_LATER = later("in", "mode NONE, sow 0, size 1..65536", lambda e: claripy.And(
    e.mode == 0, e.sow == 0, e.size != 0, claripy.ULE(e.size, 65536)))

OPERATIONS = (
    Operation("build_pairs", batch("in", "inout", most=2, later=PLAIN_LATER), (arch("in"),),
              PAIR_COMMON, codes=("inout[].ret",)),
    Operation("decode", batch("in", "inout", most=2,
                              later=later("inout", "view TX", lambda e: e.view == 0)),
              (view("inout"),)),
    Operation("encode", batch("in", "out", most=2,
                              later=later("in", "view TX", lambda e: e.view == 0)),
              (view("in"),)),
    Operation("meta_decode", batch("in", "out", most=4)),
    Operation("meta_encode", batch("in", "out", most=4)),
    Operation("bits", batch("inout", most=2,
                            later=later("inout", "op SET_FIRST", lambda e: e.op == 0)),
              (below("inout", "op", 15, "header"),)),
    Operation("build_packet", packets(), (arch("in"),), codes=("ret[0]",)),
    Operation("build_cme_meta", ONE),
    Operation("build_crc_copy", (Shape("one", {}, {"tx": 2}),), (arch("in"),), codes=("ret[0]",)),
    Operation("ring_size", batch("want", "out", most=1)),
    Operation("op_split", batch("in", "out", most=2)),
    Operation("op_transpose", batch("in", "out", most=2)),
    Operation("op_replication", batch("in", "out", most=2)),
    Operation("op_add", batch("in", "out", most=2)),
    Operation("op_min_max", batch("in", "out", most=2)),
    Operation("op_fma", batch("in", "out", most=2)),
    Operation("op_cce_ext", batch("in", "out", most=2)),
    Operation("op_gradient", batch("in", "out", most=2)),
    Operation("op_decode", batch("in", "sets", most=1)),
    Operation("desc_fma", batch("in", "out", most=2), (flag("in", "use_default"),)),
    Operation("desc_min_max", batch("in", "out", most=2), (flag("in", "use_const"),)),
    Operation("desc_seed_init", batch("in", "out", most=2)),
    Operation("desc_replication", batch("in", "out", most=2)),
    Operation("desc_gradient", batch("in", "out", most=2)),
    Operation("desc_decode", batch("in", "sets", most=1), (
        Condition("in", "a transpose's element bytes are its dtype's", "OPC-3, TRN-2", transposes),
    )),
    Operation("combo_chain", batch("inout", most=2)),
    Operation("build_transpose", ONE, codes=("ret[0]",)),
    Operation("transpose_name", names(), codes=("ret[0]",)),
    Operation("transpose_window", batch("inout", most=1)),
    Operation("transpose_flush", ONE, (arch("in"),), codes=("inout[0].ret",)),
    Operation("dtypes", batch("inout", most=1), (arch("inout"),),
              negative=("inout[].packet_bytes",)),
    Operation("remap", batch("inout", most=1), (below("inout", "kind", 2, "header"),),
              negative=("inout[].result",)),
    Operation("build_reduction", reductions(),
              (arch("in"), flag("in", "use_scale", "use_const", "use_seed"),
               # What an accumulator or a constant of no dtype does is not judged.
               dtype("in", "accum_dtype"), dtype("in", "const_dtype"),
               Condition("in", "in_dtype, out_dtype invalid, uint8, bfloat16, fp32 or fp32r", "bound",
                         lambda e: claripy.And(either(e.in_dtype, 0, 3, 6, 10, 11),
                                               either(e.out_dtype, 0, 3, 6, 10, 11)))),
              codes=("out[0].ret",)),
)

HOST = "goes through the host's callbacks"
ENGINE = "moves an engine object that earlier calls made"
VRING = "moves a virtual ring that earlier calls made"
QUEUE = "moves a queue's cursors"
TABLE = "a table of names or numbers, not a builder"

NOT_PROVED = {
    HOST: ("engine_open", "engine_init", "engine_state", "set_state", "iofic", "iofic_causes",
           "bare_copy_start", "software_poll"),
    ENGINE: ("engine_close", "queue_init", "queue_sw", "ring_get", "ring_id", "ring_ack",
             "ring_available", "prepare", "copy_start", "queue_state", "transfer_open", "copy",
             "copy_async", "wait", "memset", "zerocopy", "contexts_open", "contexts_submit",
             "contexts_copy", "contexts_advance", "contexts_state", "contexts_at",
             "completion_pop"),
    VRING: ("vring_open", "vring_close", "vring_page_gate", "vring_transfer", "vring_transfer_ex",
            "vring_poke", "vring_packet", "vring_raw", "vring_deep_copy", "vring_free",
            "vring_image", "vring_read", "vring_pack", "vring_dmb_on_last_packet",
            "vring_addr_rewrite", "vring_semaphore_wanted", "vring_embed_semaphore",
            "vring_template", "vring_resolve", "vring_dump", "vring_dump_both", "cache_open",
            "cache_acquire", "cache_release", "cache_stats", "cache_close", "set_open", "set_add",
            "set_close"),
    QUEUE: ("shadow_init", "shadow_reserve", "shadow_ring_id_at", "shadow_commit"),
    TABLE: ("info", "layout", "vring_layout", "zerocopy_offered", "wait_estimate", "host_queue",
            "bar0", "pring_size"),
}


def unlisted(header):
    """Functions of the header that neither table has, and names that the header does not have."""
    listed = [operation.name for operation in OPERATIONS]
    listed += itertools.chain.from_iterable(NOT_PROVED.values())
    twice = {name for name in listed if listed.count(name) > 1}
    return sorted(set(listed) ^ set(header.functions) | twice)
