"""State of loops that no trip changes, taken out.

Where an array of a length known only at run time starts, how long it is and for how much there is
room are scalars, which loops and branches pass on with it: a trip might leave a longer array in
other memory. Most trips leave it where it is. What is passed on as it came is what it was before
the loop, and memory that starts there is the same before, in and after it.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Buffer, Number, Operand


def without_standing(body: Block) -> Block:
    """A block whose loops and branches give no scalars that they were given. The given one is left
    as it is."""
    found = _Standing()
    found.note(body)
    return found.without(body) if found.before else body


class _Standing:
    """Scalars of loops and branches that are what others were before.

    Attributes:
        before: these others.
    """

    def __init__(self) -> None:
        self.before: dict[Operand, Operand] = {}
        self._buffers: dict[Buffer, Buffer] = {}

    def of(self, operand: Operand) -> Operand:
        while (found := self.before.get(operand)) is not None:
            operand = found
        return operand

    def note(self, block: Block) -> None:
        """Find those of a block."""
        for s in ir.holding(block):
            for inner in ir.blocks(s):
                self.note(inner)
            match s:
                case ir.For() | ir.While():
                    for k, state in enumerate(s.state):
                        if self.of(s.following[k]) is state:
                            self.before[state] = self.before[s.results[k]] = s.init[k]
                case ir.If():
                    for result, yes, no in zip(s.results, s.then_results, s.else_results):
                        value = self.of(yes)
                        if value is self.of(no) and not isinstance(value, Number):
                            self.before[result] = value

    def without(self, block: Block) -> Block:
        """A block without them."""
        return Block([self._statement(s) for s in block])

    def _statement(self, s: ir.Statement) -> ir.Statement:
        changes = {f.name: self._value(getattr(s, f.name)) for f in dataclasses.fields(s)}
        match s:
            case ir.For() | ir.While():
                changes |= self._left(s.state, changes, "state", "init", "following", "results")
            case ir.If():
                changes |= self._left(s.results, changes, "results", "then_results", "else_results")
        return dataclasses.replace(s, **changes)

    def _left(
        self, given: tuple[Operand, ...], parts: dict[str, Any], *names: str
    ) -> dict[str, Any]:
        """What is passed on besides."""
        places = [k for k, var in enumerate(given) if var not in self.before]
        return {name: tuple(parts[name][k] for k in places) for name in names}

    def _value(self, value: Any) -> Any:
        """What stands for a part of a statement."""
        match value:
            case Operand():
                return self.of(value)
            case Block():
                return self.without(value)
            case Buffer() if value.kind == "record":
                return self._buffer(value)
            case tuple() if type(value) is tuple:  # a location is one with names
                return tuple(map(self._value, value))
            case ir.Reduction() | ir.Freed():
                parts = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
                return dataclasses.replace(value, **{k: self._value(x) for k, x in parts.items()})
        return value

    def _buffer(self, buffer: Buffer) -> Buffer:
        """The same memory."""
        if buffer.base is None or buffer.base not in self.before:
            return buffer
        if buffer not in self._buffers:
            base = self.of(buffer.base)
            self._buffers[buffer] = Buffer(
                buffer.dtype, buffer.size, "record", buffer.name, base, buffer.offset
            )
        return self._buffers[buffer]
