"""A compiled library, and its functions carried out on bit-vectors in place of numbers."""

import logging
from dataclasses import dataclass

import angr
import claripy
import z3
from angr import options
from angr.concretization_strategies import SimConcretizationStrategySolutions

from memory import PAGE

logging.getLogger("angr").setLevel(logging.CRITICAL)
logging.getLogger("cle").setLevel(logging.CRITICAL)
logging.getLogger("pyvex").setLevel(logging.CRITICAL)
logging.getLogger("claripy").setLevel(logging.CRITICAL)

# Megabytes that the solver may hold.
SOLVER_MEMORY = 2_048


def bit_vectors(timeout=None, max_memory=None):
    """A solver of bit-vectors alone, which answers what Z3's general one thinks about for minutes."""
    made = z3.SolverFor("QF_BV", ctx=claripy.backends.z3._context)
    made.set(max_memory=max_memory or SOLVER_MEMORY)
    if timeout is not None:
        made.set(timeout=timeout)
    return made


claripy.backends.z3.solver = bit_vectors

BASE = 0x40_0000
HEAP = 0x4000_0000
HEAP_SIZE = 0x2_0000
# 8 beyond a multiple of 16, as a call leaves it (System V ABI).
STACK = 0x7000_0008
STACK_FIRST, STACK_SIZE = 0x6fff_1000, 0x1_0000
# Where a call comes back to; no code lies there.
RETURN = 0x6000_0000

# Most blocks that one path may run through, and most paths of one call.
MOST_BLOCKS = 2_000
MOST_PATHS = 4_096
# Most places that one access with a computed address may go to: tables of the library.
MOST_PLACES = 512


class Unproved(Exception):
    """Why nothing was shown."""


@dataclass
class Path:
    """One way through a function."""

    constraints: list
    code: object  # what it returns, 32 bits
    after: list  # what each field of each buffer holds afterwards, in order


class Allocate(angr.SimProcedure):
    """Memory is always granted, from fresh pages, its size a number."""

    def take(self, size, align=16):
        size, align = number(self.state, size, "an allocation"), number(self.state, align, "alignment")
        at = -(-self.state.globals["heap"] // align) * align
        if at + size > HEAP + HEAP_SIZE:
            raise Unproved("the heap's bound cuts a path")
        self.state.globals["heap"] = at + size
        self.state.globals[f"size of {at}"] = size
        return at


class Malloc(Allocate):
    def run(self, size):
        return self.take(size)


class AlignedAlloc(Allocate):
    def run(self, align, size):
        return self.take(size, align)


class PosixMemalign(Allocate):
    def run(self, place, align, size):
        self.state.memory.store(place, claripy.BVV(self.take(size, align), 64), endness="Iend_LE")
        return 0


class Calloc(Allocate):
    def run(self, count, size):
        total = number(self.state, count, "a count") * number(self.state, size, "a size")
        at = self.take(total)
        if total:
            self.state.memory.store(at, claripy.BVV(0, total * 8))
        return at


class Realloc(Allocate):
    def run(self, old, size):
        new = self.take(size)
        before = number(self.state, old, "an allocation's address")
        if before:
            kept = min(self.state.globals[f"size of {at}"] for at in (before, new))
            copy(self.state, new, before, kept)
        return new


class Free(angr.SimProcedure):
    def run(self, _):
        return None


class Memcpy(angr.SimProcedure):
    def run(self, to, source, size):
        copy(self.state, to, source, number(self.state, size, "a copy"))
        return to


class Memset(angr.SimProcedure):
    def run(self, to, byte, size):
        size = number(self.state, size, "a fill")
        if size:
            self.state.memory.store(to, claripy.Concat(*[byte[7:0]] * size))
        return to


class Memcmp(angr.SimProcedure):
    """Also bcmp. The sign of the first difference is all that may be asked of it."""

    def run(self, left, right, size):
        result = claripy.BVV(0, 32)
        for at in reversed(range(number(self.state, size, "a comparison"))):
            one = self.state.memory.load(left + at, 1)
            other = self.state.memory.load(right + at, 1)
            result = claripy.If(one == other, result, (one.zero_extend(24) - other.zero_extend(24)))
        return result


class Strlen(angr.SimProcedure):
    """Looks as far as the terminator that must be there."""

    def run(self, text):
        return length(self.state, text)


class Strcmp(angr.SimProcedure):
    def run(self, left, right):
        result = claripy.BVV(0, 32)
        both = 1 + min(most(self.state, length(self.state, text)) for text in (left, right))
        for at in reversed(range(both)):
            one = self.state.memory.load(left + at, 1)
            other = self.state.memory.load(right + at, 1)
            differ = one.zero_extend(24) - other.zero_extend(24)
            result = claripy.If(one != other, differ, claripy.If(one == 0, 0, result))
        return result


class Strchr(angr.SimProcedure):
    def run(self, text, byte):
        found = claripy.BVV(0, 64)
        for at in reversed(range(1 + most(self.state, length(self.state, text)))):
            one = self.state.memory.load(text + at, 1)
            found = claripy.If(one == byte[7:0], text + at, claripy.If(one == 0, 0, found))
        return found


class Forbidden(angr.SimProcedure):
    """What a builder has no business with; also where panics and assertions end."""

    def run(self, name=None):
        raise Unproved(f"a path calls {name}")


HOOKS = {
    "malloc": Malloc, "calloc": Calloc, "realloc": Realloc, "aligned_alloc": AlignedAlloc, "free": Free,
    "posix_memalign": PosixMemalign, "memcpy": Memcpy, "memmove": Memcpy, "memset": Memset,
    "memcmp": Memcmp, "bcmp": Memcmp, "strlen": Strlen, "strcmp": Strcmp, "strchr": Strchr,
}


def copy(state, to, source, size):
    """In words, so that fields stay apart; all is read before anything is written."""
    words = [(at, state.memory.load(source + at, min(8, size - at))) for at in range(0, size, 8)]
    for at, word in words:
        state.memory.store(to + at, word)


def number(state, value, what):
    """The one number that `value` can be on this path."""
    found = state.solver.eval_upto(value, 2)
    if len(found) != 1:
        raise Unproved(f"the size of {what} depends on the input")
    return found[0]


def most(state, value):
    return state.solver.max(value)


def length(state, text):
    """Bytes before the terminator."""
    result, at = None, []
    for index in range(64):
        byte = state.memory.load(text + index, 1)
        at.append(byte)
        if state.solver.is_true(byte == 0) or not state.solver.satisfiable([byte != 0]):
            result = claripy.BVV(index, 64)
            break
    if result is None:
        raise Unproved("a text without an end")
    for index in reversed(range(len(at) - 1)):
        result = claripy.If(at[index] == 0, claripy.BVV(index, 64), result)
    return result


class Library:
    """A shared object that exports the C ABI."""

    def __init__(self, path):
        self.project = angr.Project(
            path, auto_load_libs=False, use_sim_procedures=False, main_opts={"base_addr": BASE}
        )
        loaded = self.project.loader.main_object
        for name in loaded.imports:
            symbol = self.project.loader.find_symbol(name)
            if symbol is None or symbol.owner is loaded:
                continue
            procedure = HOOKS[name]() if name in HOOKS else Forbidden(name=name)
            self.project.hook(symbol.rebased_addr, procedure, replace=True)
        self.writable = [part for part in loaded.segments if part.is_writable]
        self.blank = self._blank()

    def offers(self, symbol):
        """Whether it exports a function of that name."""
        return self._address(symbol) is not None

    def _address(self, name):
        symbol = self.project.loader.main_object.get_symbol(name)
        defined = symbol is not None and symbol.is_function and not symbol.is_import
        return symbol.rebased_addr if defined else None

    def run(self, symbol, arguments, domain):
        """Every path of a function from `arguments` inside `domain`.

        Raises Unproved where a path errs or a bound cuts it.
        """
        start = self._state(symbol, arguments, domain)
        pending, paths = [(start, 0)], []
        while pending:
            state, blocks = pending.pop()
            while state.addr != RETURN:
                if blocks == MOST_BLOCKS:
                    raise Unproved(f"the bound of {MOST_BLOCKS} blocks cuts a path")
                blocks += 1
                state, others = self._step(state)
                pending.extend((other, blocks) for other in others)
            paths.append(self._path(state, start, arguments))
            if len(paths) + len(pending) > MOST_PATHS:
                raise Unproved(f"the bound of {MOST_PATHS} paths is passed")
        return paths

    def _step(self, state):
        try:
            successors = self.project.factory.successors(state)
        except Unproved:
            raise
        except (angr.errors.AngrError, angr.errors.SimError, claripy.errors.ClaripyError) as error:
            place = self.project.loader.describe_addr(state.addr)
            raise Unproved(f"a path errs at {place}: {type(error).__name__}: {error}") from error
        if successors.unconstrained_successors:
            raise Unproved("a path jumps anywhere")
        onward = successors.flat_successors
        if not onward:
            place = self.project.loader.describe_addr(state.addr)
            raise Unproved(f"a path ends at {place}")
        return onward[0], onward[1:]

    def _blank(self):
        """The library as it was loaded, with a stack and a heap."""
        state = self.project.factory.blank_state(
            add_options={options.STRICT_PAGE_ACCESS, options.SYMBOL_FILL_UNCONSTRAINED_MEMORY,
                         options.SYMBOL_FILL_UNCONSTRAINED_REGISTERS},
            remove_options=options.unicorn | options.refs | {
                options.LAZY_SOLVES, options.COMPOSITE_SOLVER,
            },
        )
        everywhere = [SimConcretizationStrategySolutions(MOST_PLACES)]
        state.memory.read_strategies = list(everywhere)
        state.memory.write_strategies = list(everywhere)
        for at, size in [(HEAP, HEAP_SIZE), (STACK_FIRST, STACK_SIZE)]:
            state.memory.map_region(at, size, 3)
        # What a call leaves in the library's own data could change the next one: no builder does.
        for part in self.writable:
            for page in range(part.min_addr & -PAGE, part.max_addr + 1, PAGE):
                state.memory.permissions(page, permissions=1)
        state.globals["heap"] = HEAP
        return state

    def _state(self, symbol, arguments, domain):
        """Right after the call of a function."""
        state = self.blank.copy()
        state.regs.rip = self._address(symbol)
        state.regs.rsp = STACK
        state.regs.rbp = STACK
        state.memory.store(STACK, claripy.BVV(RETURN, 64), endness="Iend_LE")
        names = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"]
        if len(arguments.registers) > len(names):
            raise Unproved("arguments on the stack")
        for name, value in zip(names, arguments.registers):
            setattr(state.regs, name, value)
        for buffer in arguments.buffers:
            state.memory.map_region(*buffer.pages(), 3)
            for field in buffer.fields:
                state.memory.store(field.address, field.value, endness="Iend_LE")
        state.solver.add(*domain)
        return state

    def _path(self, state, start, arguments):
        if not state.solver.satisfiable():
            raise Unproved("the solver refutes a path that was taken")
        self._astray(state, start, arguments)
        after = [
            state.memory.load(field.address, field.scalar.size, endness="Iend_LE")
            for buffer in arguments.buffers
            for field in buffer.fields
        ]
        return Path(list(state.solver.constraints), state.regs.eax, after)

    def _astray(self, state, start, arguments):
        """A builder writes no byte beside those it was handed; other pages cannot be written."""
        for buffer in arguments.buffers:
            first, size = buffer.pages()
            for at in range(first, first + size, PAGE):
                after, before = (each.memory._pages[at // PAGE] for each in (state, start))
                if after is before:
                    continue
                for offset in after.changed_bytes(before, page_addr=at):
                    beyond = at + offset - buffer.address
                    if not 0 <= beyond < buffer.size:
                        raise Unproved(f"a path writes byte {beyond} of {buffer.name}")
