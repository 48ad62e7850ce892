"""An instruction of PTX that is being translated: its operands, and what translates which."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.kernels.cuda.ptx.parse import Statement

FLOATS = ("f32", "f64")
_SPECIAL = {
    "%tid.x": "threadIdx.x",
    "%ctaid.x": "blockIdx.x",
    "%ntid.x": "blockDim.x",
    "%nctaid.x": "gridDim.x",
    "%laneid": "(threadIdx.x % 32)",
    "%tid.y": "0u",
    "%tid.z": "0u",
}


class UnknownInstruction(ValueError):
    """An instruction that is not translated."""


@dataclass
class Scope:
    """What operands mean.

    Attributes:
        registers: the C++ type of each, by its name.
        shared: where variables of shared memory are, from its start.
        memory: variables that are arrays of C++, which have addresses.
        bytes_of: parameters: expressions of where they are.
    """

    registers: dict[str, str]
    shared: dict[str, int]
    memory: set[str]
    bytes_of: dict[str, str]


class Instruction:
    """An instruction that is being translated.

    Attributes:
        name: the first part of the opcode.
        modifiers: the other parts, but for the types.
        types: in C++: that of the result first.
    """

    def __init__(self, statement: Statement, scope: Scope, line: int):
        self.statement = statement
        self.scope = scope
        self.line = line
        self.name, *parts = statement.opcode.split(".")
        is_type = re.compile(r"[bsuf](8|16|32|64)$|pred$").match
        self.types = [c_type(x) for x in parts if is_type(x)]
        self.modifiers = [x for x in parts if not is_type(x)]
        self.operands = statement.operands

    def refuse(self, why: str = "is not known") -> UnknownInstruction:
        return UnknownInstruction(f"PTX: '{self.statement.text}' {why}")

    def take(self, *known: str) -> str:
        """The one of some modifiers that there is, which is taken off; empty if there is none."""
        for each in known:
            if each in self.modifiers:
                self.modifiers.remove(each)
                return each
        return ""

    @property
    def type(self) -> str:
        """The type of the result."""
        if not self.types:
            raise self.refuse("has no type")
        return self.types[0]

    # -- operands ----------------------------------------------------------------------------------

    def read(self, place: int, type_: str | None = None) -> str:
        """An operand as an expression of a type."""
        return self.value(self.operands[place], type_ or self.type)

    def value(self, text: str, type_: str) -> str:
        """A register, a number or a symbol as an expression of a type."""
        if text in _SPECIAL:
            return f"({type_}){_SPECIAL[text]}"
        if text.startswith("%"):
            name, held = register(text), self.scope.registers.get(register(text))
            if held is None:
                raise self.refuse(f"has the register {text}, which is not declared")
            return _as(name, held, type_)
        if re.match(r"0[fF][0-9a-fA-F]{8}$", text):
            return f"same_bits<f32>((u32)0x{text[2:]})"
        if re.match(r"0[dD][0-9a-fA-F]{16}$", text):
            return f"same_bits<f64>((u64)0x{text[2:]}ull)"
        if re.match(r"-?(0x[0-9a-fA-F]+|\d+)U?$", text):
            number = int(text.rstrip("U"), 0)
            if type_ in FLOATS:
                raise self.refuse("has a whole number where a float is")
            if type_ == "bool":
                return str(bool(number)).lower()
            return f"({type_}){number % 2**64}ull"
        return f"({type_}){self.address_of(text)}"

    def address_of(self, symbol: str) -> str:
        """Where a variable is."""
        if symbol in self.scope.shared:
            return f"{self.scope.shared[symbol]}u"
        if symbol in self.scope.memory:
            return f"(u64)({name_of(symbol)})"
        raise self.refuse(f"has the symbol {symbol}")

    def place(self, text: str) -> str:
        """An operand in brackets as an address: a number."""
        base, offset = re.match(r"\[\s*([%\w$]+)\s*(?:\+\s*(-?\d+))?\s*\]$", text).groups()  # type: ignore[union-attr]
        offset = int(offset or 0)
        if base.startswith("%"):
            held = self.scope.registers[register(base)]
            # An offset is added in the width of the register.
            return f"(u64)({held})({register(base)} + ({held}){offset % 2**64}ull)"
        if base in self.scope.bytes_of:
            return f"({self.scope.bytes_of[base]} + {offset})"
        return f"({self.address_of(base)} + {offset})"

    def parts(self, place: int) -> list[str]:
        """The registers of an operand in braces."""
        text = self.operands[place]
        return [x.strip() for x in text[1:-1].split(",")] if text.startswith("{") else [text]

    def write(self, expression: str, type_: str | None = None, to: str | None = None) -> str:
        """An assignment to a register, the first operand unless another is named."""
        to, type_ = to or self.operands[0], type_ or self.type
        if to == "_":
            return f"{expression};"
        held = self.scope.registers.get(register(to))
        if held is None:
            raise self.refuse(f"has the register {to}, which is not declared")
        if held == type_:
            return f"{register(to)} = {expression};"
        if held == "bool" or type_ == "bool":
            raise self.refuse("mixes a predicate with a number")
        if (held in FLOATS) != (type_ in FLOATS):
            return f"{register(to)} = same_bits<{held}>(({type_})({expression}));"
        return f"{register(to)} = ({held})({type_})({expression});"


def name_of(text: str) -> str:
    return text.replace("$", "_")


def register(text: str) -> str:
    """What a register is called, which may have the name of a type."""
    return name_of(text.lstrip("%")) + "_"


def c_type(type_: str) -> str:
    if type_ == "pred":
        return "bool"
    return "u" + type_[1:] if type_[0] == "b" else type_


def unsigned_of(type_: str) -> str:
    return "u" + type_[1:]


def width_of(type_: str) -> int:
    return int(type_[1:])


def _as(expression: str, held: str, type_: str) -> str:
    """What is held as one type, as another."""
    if held == type_:
        return expression
    if (held in FLOATS) != (type_ in FLOATS):
        if held in FLOATS:
            return f"same_bits<{type_}>({expression})"
        return f"same_bits<{type_}>(({unsigned_of(type_)}){expression})"
    return f"({type_}){expression}"


OPCODES: dict[str, Callable[[Instruction], str]] = {}


def opcode(*names: str) -> Callable:
    def add(function: Callable[[Instruction], str]) -> Callable[[Instruction], str]:
        OPCODES.update(dict.fromkeys(names, function))
        return function

    return add
