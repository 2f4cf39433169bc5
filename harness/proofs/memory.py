"""The arguments of one call: registers and buffers, one bit-vector for every field of the input."""

import re
from dataclasses import dataclass

import claripy

from header import Scalar, leaves

# Buffers lie far apart, each in the middle of its own pages: a write that goes astray meets either
# bytes that are compared too or a page that is not there.
FIRST_BUFFER = 0x1000_0000
SPACING = 0x10_0000
PAGE = 0x1000
MARGIN = 0x800


@dataclass(frozen=True)
class Field:
    """A scalar of the input, or of what a call leaves in a buffer."""

    name: str
    address: int
    scalar: Scalar
    value: object  # what it holds before the call


@dataclass
class Buffer:
    """Memory that is handed over."""

    name: str
    address: int
    size: int
    fields: list

    def pages(self):
        """First address and length of what is mapped for it."""
        return self.address - MARGIN, -(-(MARGIN + self.size + MARGIN) // PAGE) * PAGE


class Arguments:
    """The arguments of `function` in one shape, which says how much each pointer covers."""

    def __init__(self, function, shape):
        self.registers = []
        self.kinds = []  # in the order of the registers: the buffer, or none for a scalar
        self.scalars = []
        self.buffers = []
        self._fields = {}
        fixed = shape.counts
        for name, kind in function.parameters:
            if kind.pointer:
                buffer = self._buffer(name, kind.target, shape.elements.get(name, 1))
                self.registers.append(claripy.BVV(buffer.address, 64))
                self.kinds.append(buffer)
                continue
            self.kinds.append(None)
            if name in fixed:
                value = claripy.BVV(fixed[name], kind.size * 8)
            else:
                value = claripy.BVS(name, kind.size * 8, explicit_name=True)
            field = Field(name, 0, kind, value)
            self.scalars.append(field)
            self._fields[name] = field
            # The upper half of a register that carries 32 bits is anything at all (System V ABI).
            if kind.size < 8:
                above = claripy.BVS(f"{name}.above", 64 - kind.size * 8, explicit_name=True)
                value = claripy.Concat(above, value)
            self.registers.append(value)
        self._fill(shape)

    def _buffer(self, name, target, elements):
        address = FIRST_BUFFER + len(self.buffers) * SPACING + MARGIN
        fields = []
        for index in range(elements):
            base = f"{name}[{index}]"
            for path, offset, scalar in leaves(target, base, index * target.size):
                fields.append(Field(path, address + offset, scalar, None))
        buffer = Buffer(name, address, elements * target.size, fields)
        self.buffers.append(buffer)
        return buffer

    def _fill(self, shape):
        """Gives every field its value; pointers in structures get buffers of their own."""
        index = 0
        while index < len(self.buffers):  # grows while pointers are met
            buffer = self.buffers[index]
            for position, field in enumerate(buffer.fields):
                size = field.scalar.size * 8
                if field.scalar.pointer:
                    elements = shape.elements.get(field.name, 1)
                    inner = self._buffer(field.name, field.scalar.target, elements)
                    value = claripy.BVV(inner.address, 64)
                elif field.name in shape.counts:
                    value = claripy.BVV(shape.counts[field.name], size)
                else:
                    value = claripy.BVS(field.name, size, explicit_name=True)
                filled = Field(field.name, field.address, field.scalar, value)
                buffer.fields[position] = filled
                self._fields[field.name] = filled
            index += 1

    def holds(self, condition):
        """That a condition holds of every element of what it is on."""
        if condition.on == "":
            return [condition.test(Element(self._fields, ""))]
        buffer = next(buffer for buffer in self.buffers if buffer.name == condition.on)
        bases = {re.match(re.escape(buffer.name) + r"\[\d+\]", f.name)[0]: None for f in buffer.fields}
        if any(base == field.name for base in bases for field in buffer.fields):
            return [condition.test(Element(self._fields, buffer.name))]
        return [condition.test(Element(self._fields, base)) for base in list(bases)[condition.first:]]

    def fields(self):
        """Every field of the input, in the order of the arguments."""
        return list(self._fields.values())


class Element:
    """`element.size` is the bit-vector of the field `size`; of numbers, `at` gives the i-th."""

    def __init__(self, fields, base):
        self._fields, self._base = fields, base

    def __getattr__(self, member):
        return self.number(member)

    def number(self, member):
        return self._fields[f"{self._base}.{member}" if self._base else member].value

    def at(self, index):
        return self._fields[f"{self._base}[{index}]"].value
