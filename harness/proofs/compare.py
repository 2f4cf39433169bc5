"""Whether two sets of paths give equal results, for every input of a domain."""

import re
from dataclasses import dataclass

import claripy

from machine import Unproved

# Milliseconds that the solver may think about one question.
PATIENCE = 60_000


@dataclass
class Difference:
    """An input on which two libraries differ."""

    numbers: dict  # of each field of the input, by name


def solver(constraints):
    made = claripy.Solver(timeout=PATIENCE)
    made.add(constraints)
    return made


def asked(made, extra=()):
    """Whether there is a solution; no answer is not an answer."""
    try:
        return made.satisfiable(extra_constraints=extra)
    except claripy.errors.ClaripyError as error:
        raise Unproved(f"the solver gives up: {error}") from error


def within(path, domain):
    """What a path adds to the domain."""
    known = set(domain)
    added = [constraint for constraint in path.constraints if constraint not in known]
    return claripy.And(claripy.true(), *added)


def cover(paths, domain, side):
    """Every input of the domain is on a path."""
    left = solver(list(domain))
    left.add([claripy.Not(within(path, domain)) for path in paths])
    if asked(left):
        raise Unproved(f"{side}: inputs without a path")


class Judge:
    """What counts as equal."""

    def __init__(self, operation, arguments, any_refusal):
        self.fields = [field for buffer in arguments.buffers for field in buffer.fields]
        self.codes = operation.codes if any_refusal else ()
        self.negative = operation.negative

    def differ(self, one, other):
        """That two paths leave different results; none where they are the same by their form."""
        parts = [] if one.code is other.code else [one.code != other.code]
        for field, left, right in zip(self.fields, one.after, other.after):
            if left is right:
                continue
            part = left != right
            name = re.sub(r"\[\d+\]", "[]", field.name)
            if field.name in self.codes or name in self.codes:
                part = claripy.And(part, claripy.Or(left == 0, right == 0))
            if name in self.negative:
                part = claripy.And(part, claripy.Or(claripy.SGE(left, 0), claripy.SGE(right, 0)))
            parts.append(part)
        return claripy.Or(*parts) if parts else None


def difference(judge, arguments, domain, one, other):
    """An input on which the paths of two libraries differ, or none if there is none at all."""
    marks = [claripy.BoolS(f"path {index}") for index in range(len(other))]
    known = solver([*domain, *[mark == within(path, domain) for mark, path in zip(marks, other)]])
    for left in one:
        question = known.branch()
        question.add(within(left, domain))
        # The paths of the other side that meet this one, by one solution after the other.
        while asked(question):
            (chosen,) = question.batch_eval(marks, 1)
            index = chosen.index(True)
            question.add(claripy.Not(marks[index]))
            right = other[index]
            differ = judge.differ(left, right)
            if differ is None or differ.is_false():
                continue
            found = solver([*domain, within(left, domain), within(right, domain), differ])
            if asked(found):
                return Difference(plain(found, arguments))
    return None


def plain(question, arguments):
    """A solution with as many fields 0 as can be, so that what matters stands out."""
    numbers = {}
    for field in arguments.fields():
        zero = field.value == 0
        if field.value.symbolic and asked(question, [zero]):
            question.add(zero)
            numbers[field.name] = 0
            continue
        numbers[field.name] = question.eval(field.value, 1)[0]
        question.add(field.value == numbers[field.name])
    return numbers
