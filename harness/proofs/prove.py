"""`udma prove`: whether two libraries behind the C ABI are equal for every input.

Exit: 0 all that was asked is proved; 1 a difference; 2 bad input; 3 something could not be proved,
or nothing was.
"""

import argparse
import multiprocessing
import os
import resource
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import claripy

import native
from compare import Judge, asked, cover, difference, solver
from header import Header
from machine import Library, Unproved
from memory import Arguments
from operations import HAL, NOT_PROVED, OPERATIONS, unlisted

PREFIX = "udma_"
# Most paths of a call that are held against the library itself.
REPLAYED = 12
# Bytes of address space that one process of the pool may take.
MEMORY = 6 << 30
PROVED, DIFFER, UNPROVED, ABSENT = "proved", "differ", "not proved", "not offered"


class Side:
    """One of the two libraries."""

    def __init__(self, name, path, header):
        self.name, self.path = name, path
        answer = native.info(path, PREFIX + "info", header.structs["udma_info"].size)
        if answer is None or answer[0] != 0:
            raise SystemExit(f"{name}: {path} does not answer {PREFIX}info")
        version, self.line = answer[1]
        if version != header.constants["UDMA_ABI_VERSION"]:
            raise SystemExit(f"{name}: ABI version {version}")
        self.library = Library(path)

    def paths(self, operation, arguments, domain):
        """Every path; some of them are held against the library itself, at one input each."""
        symbol = PREFIX + operation.name
        paths = self.library.run(symbol, arguments, domain)
        cover(paths, domain, self.name)
        inputs, worked_out = [], []
        for path in paths[:: -(-len(paths) // REPLAYED)]:
            *numbers, code = self.example(path, arguments)
            fields = arguments.fields()
            inputs.append({field.name: n for field, n in zip(fields, numbers)})
            worked_out.append((code, numbers[len(fields):]))
        real = native.calls(self.path, symbol, arguments, inputs)
        if real is None:
            raise Unproved(f"{self.name}: the library died or hung where a path returns")
        for given, worked, done in zip(inputs, worked_out, real):
            if worked != done:
                raise Unproved(f"{self.name}: worked out {worked}, but the library gives {done} "
                               f"for {given}")
        return paths

    @staticmethod
    def example(path, arguments):
        """The numbers of one input of a path, of what it leaves, and its code."""
        wanted = [field.value for field in arguments.fields()] + path.after + [path.code]
        made = solver(path.constraints)
        return made.batch_eval(wanted, 1)[0]


def absent(paths, header):
    """Whether every path says that the operation is not offered."""
    code = claripy.BVV(header.constants["UDMA_NOT_OFFERED"], 32)
    return all(not asked(solver([*path.constraints, path.code != code])) for path in paths)


def returns(paths):
    """Whether a path carries the operation out."""
    return any(asked(solver([*path.constraints, path.code == 0])) for path in paths)


def prove(operation, sides, header):
    """What came of an operation, in a few words, and the lines that tell more."""
    missing = [side.name for side in sides if not side.library.offers(PREFIX + operation.name)]
    if missing:
        return ABSENT, f"{', '.join(missing)} does not export it", []
    function = header.functions[operation.name]
    counts = [0, 0]
    lines = [side.line for side in sides]
    for shape in operation.shapes:
        arguments = Arguments(function, shape)
        domain = [part for condition in operation.conditions(lines, shape)
                  for part in arguments.holds(condition)]
        if not asked(solver(domain)):
            raise Unproved(f"{shape.label}: no input is in the domain")
        found = []
        for position, side in enumerate(sides):
            try:
                found.append(side.paths(operation, arguments, domain))
            except Unproved as error:
                raise Unproved(f"{side.name}, {shape.label}: {error}") from error
            counts[position] += len(found[-1])
        gone = [side.name for side, paths in zip(sides, found) if absent(paths, header)]
        if gone:
            return ABSENT, f"{', '.join(gone)} says so for every input", []
        for side, paths in zip(sides, found):
            if not returns(paths):
                raise Unproved(f"{side.name}, {shape.label}: no path carries it out")
        judge = Judge(operation, arguments, HAL in lines)
        differs = difference(judge, arguments, domain, *found)
        if differs is not None:
            return DIFFER, shape.label, show(operation, arguments, sides, differs.numbers)
    return PROVED, f"{counts[0]} x {counts[1]} paths", bounds(operation, lines)


def bounds(operation, lines):
    """For which inputs, where not for all."""
    labels = ", ".join(shape.label for shape in operation.shapes)
    said = [] if len(operation.shapes) == 1 else [f"for {labels}"]
    conditions = {f"where {c.text} ({c.rules})": None
                  for shape in operation.shapes for c in operation.conditions(lines, shape)}
    return said + list(conditions)


def show(operation, arguments, sides, numbers):
    """The input, and both answers as the libraries themselves give them."""
    lines = ["input"]
    for field in arguments.fields():
        lines.append(f"  {field.name:<28} {digits(numbers[field.name], field)}")
    answers = []
    for side in sides:
        real = native.calls(side.path, PREFIX + operation.name, arguments, [numbers])
        if real is None:
            return [*lines, f"{side.name} died or hung"]
        answers.append(real[0])
    if answers[0] == answers[1]:
        raise Unproved(f"worked out as a difference, but both give {answers[0]} for {numbers}")
    lines.append(f"answers{'':<23} {sides[0].name:<18} {sides[1].name}")
    rows = [("returns", [f"{code:#010x}" for code, _ in answers])]
    fields = [field for buffer in arguments.buffers for field in buffer.fields]
    for position, field in enumerate(fields):
        left, right = (after[position] for _, after in answers)
        if left != right or left != numbers[field.name]:
            rows.append((field.name, [digits(left, field), digits(right, field)]))
    for name, (left, right) in rows:
        lines.append(f"  {name:<28} {left:<18} {right:<18}{' <' if left != right else ''}".rstrip())
    return lines


def digits(number, field):
    return f"0x{number:0{field.scalar.size * 2}x}"


def begin(sides, header):
    """What every process of the pool works with; inherited, not sent."""
    attempt.sides, attempt.header = sides, header
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if most < 0 else min(MEMORY, most), most))


def attempt(name):
    """What came of an operation, and the seconds it took."""
    start, busy = time.monotonic(), time.process_time()
    operation = next(operation for operation in OPERATIONS if operation.name == name)
    try:
        answer = prove(operation, attempt.sides, attempt.header)
    except Unproved as error:
        answer = UNPROVED, str(error), []
    except MemoryError:
        answer = UNPROVED, f"{MEMORY >> 30} GiB of memory are used up", []
    except Exception as error:  # of one operation: the others are proved all the same
        answer = UNPROVED, f"the proof itself fails: {type(error).__name__}: {error}", []
    return *answer, time.monotonic() - start, time.process_time() - busy


def main():
    parser = argparse.ArgumentParser(prog="udma prove")
    parser.add_argument("header")
    parser.add_argument("sides", nargs=4, metavar="NAME PATH")
    parser.add_argument("--op", action="append", default=[])
    args = parser.parse_args()
    header = Header(args.header)
    if stray := unlisted(header):
        raise SystemExit(f"in one of header and tables alone, or twice: {', '.join(stray)}")
    known = {operation.name: operation for operation in OPERATIONS}
    for name in args.op:
        if name not in known:
            why = next((why for why, names in NOT_PROVED.items() if name in names), "unknown")
            raise SystemExit(f"operation {name!r} is not provable: {why}")
    sides = [Side(*args.sides[at:at + 2], header) for at in (0, 2)]
    chosen = [operation for operation in OPERATIONS if not args.op or operation.name in args.op]
    tally, began, worked = Counter(), time.monotonic(), time.process_time()
    # Processes, for the solver's answers are bound to the one they were asked in; forked, for the
    # libraries are loaded once.
    workers = min(os.cpu_count() or 1, len(chosen))
    with ProcessPoolExecutor(workers, multiprocessing.get_context("fork"), begin,
                             (sides, header)) as pool:
        # Those of many shapes first, for they take longest.
        answers = {operation.name: pool.submit(attempt, operation.name)
                   for operation in sorted(chosen, key=lambda operation: -len(operation.shapes))}
        for operation in chosen:
            try:
                status, text, more, took, busy = answers[operation.name].result()
            except BrokenProcessPool:
                status, text, more, took, busy = UNPROVED, "a process of the proof died", [], 0, 0
            tally[status] += 1
            worked += busy
            print(f"{operation.name:<18} {status:<12} {took:6.1f} s {busy:6.1f} s  {text}")
            for line in more:
                print(f"    {line}")
            sys.stdout.flush()
    summary = ", ".join(f"{tally[status]} {status}" for status in (PROVED, DIFFER, UNPROVED, ABSENT))
    took = time.monotonic() - began
    print(f"{summary}; {took:.1f} s, {worked:.1f} s of processor time")
    if tally[DIFFER]:
        return 1
    return 0 if tally[PROVED] and not tally[UNPROVED] and not (args.op and tally[ABSENT]) else 3


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SystemExit as error:
        if isinstance(error.code, str):
            print(f"udma prove: {error.code}", file=sys.stderr)
            sys.exit(2)
        raise
    except Exception:  # not 1, which is a difference
        traceback.print_exc()
        sys.exit(3)
