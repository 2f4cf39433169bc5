"""The C ABI as its header states it: functions, structures with their offsets, constants."""

import re
import subprocess
from dataclasses import dataclass

from pycparser import c_ast, c_parser

# The header needs nothing of <stdint.h> but these names.
INTEGERS = {
    "int8_t": (1, True), "int16_t": (2, True), "int32_t": (4, True), "int64_t": (8, True),
    "uint8_t": (1, False), "uint16_t": (2, False), "uint32_t": (4, False), "uint64_t": (8, False),
}
TYPEDEFS = """
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned uint32_t;
typedef unsigned long uint64_t;
"""


@dataclass(frozen=True)
class Scalar:
    """An integer, or a pointer to `target` (a type, or none for what is not looked into)."""

    size: int
    signed: bool = False
    pointer: bool = False
    target: object = None

    @property
    def align(self):
        return self.size


@dataclass(frozen=True)
class Array:
    element: object
    count: int

    @property
    def size(self):
        return self.element.size * self.count

    @property
    def align(self):
        return self.element.align


@dataclass(frozen=True)
class Struct:
    name: str
    members: tuple  # (name, offset, type)
    size: int
    align: int


@dataclass(frozen=True)
class Function:
    name: str  # without the prefix
    parameters: tuple  # (name, type)


def leaves(kind, path="", offset=0):
    """The scalars of a type in memory order, and the padding between them: path, offset, scalar."""
    if isinstance(kind, Struct):
        end = 0
        for name, at, member in (*kind.members, ("", kind.size, None)):
            if at > end:
                yield f"{path}.padding", offset + end, Scalar(at - end)
            if member is not None:
                yield from leaves(member, f"{path}.{name}", offset + at)
                end = at + member.size
    elif isinstance(kind, Array):
        for index in range(kind.count):
            yield from leaves(kind.element, f"{path}[{index}]", offset + index * kind.element.size)
    else:
        yield path, offset, kind


class Header:
    """What a header declares under a prefix."""

    def __init__(self, path, prefix="udma_"):
        # The guards of the compiler's own <stdint.h> keep it out; pycparser knows plain C alone.
        command = ["cc", "-E", "-P", "-D_GCC_WRAP_STDINT_H", "-D__CLANG_STDINT_H", path]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        self.structs = {}
        self.functions = {}
        for node in c_parser.CParser().parse(TYPEDEFS + text).ext:
            if not isinstance(node, c_ast.Decl):
                continue
            if isinstance(node.type, c_ast.Struct):
                self.structs[node.type.name] = self._struct(node.type)
            elif isinstance(node.type, c_ast.FuncDecl) and node.name.startswith(prefix):
                name = node.name[len(prefix):]
                parameters = node.type.args.params if node.type.args else []
                self.functions[name] = Function(
                    name, tuple((p.name, self._type(p.type)) for p in parameters)
                )
        with open(path, encoding="utf-8") as file:
            defines = re.findall(r"^#define (UDMA_\w+) \(?(-?(?:0x)?[0-9a-f]+)u?\)?", file.read(), re.M)
        self.constants = {name: int(value, 0) for name, value in defines}

    def _struct(self, node):
        members, end, align = [], 0, 1
        for decl in node.decls:
            kind = self._type(decl.type)
            end = -(-end // kind.align) * kind.align
            members.append((decl.name, end, kind))
            end += kind.size
            align = max(align, kind.align)
        return Struct(node.name, tuple(members), -(-end // align) * align, align)

    def _type(self, node):
        if isinstance(node, c_ast.PtrDecl):
            try:
                target = self._type(node.type)
            except KeyError:  # void, a function, or a structure that holds pointers to itself
                target = None
            return Scalar(8, pointer=True, target=target)
        if isinstance(node, c_ast.ArrayDecl):
            return Array(self._type(node.type), self._count(node.dim))
        if isinstance(node, c_ast.TypeDecl):
            return self._type(node.type)
        if isinstance(node, c_ast.Struct):
            return self.structs[node.name]
        if isinstance(node, c_ast.IdentifierType):
            name = " ".join(node.names)
            if name == "char":
                return Scalar(1)
            size, signed = INTEGERS[name]
            return Scalar(size, signed)
        raise KeyError(type(node).__name__)

    @staticmethod
    def _count(node):
        return int(node.value.rstrip("uUlL"), 0)
