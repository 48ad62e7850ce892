"""How the values of a vector loop differ between its lanes.

A value is *uniform* if all active lanes have the same, *linear* if lane ``l`` has a common value
plus ``l`` times a known number (the indices of arrays), else *varying*. Uniform and linear values
stay scalars. The shape of a value is its step from lane to lane: 0, another number, or None.

"Active" makes more values uniform than it seems: in a loop that lanes leave one by one, a counter
of trips is the same in all that are still there. Only the loop's results vary. What holds of the
lanes that are active in a block holds of those in the blocks inside of it.

The shapes of the state of a loop are a fixed point: begin with those of the initial values, join
those that the body gives, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Number, Operand, Var

Shape = int | None

_FAR = 2**31  # steps are smaller

UNIFORM: Final = 0
VARYING: Final = None


def join(a: Shape, b: Shape) -> Shape:
    """The shape of a value that is one of two, the same one in all lanes."""
    return a if a == b else VARYING


class Shapes:
    """The shapes of the values in the body of a vector loop, or of a function of vectors. Those
    from outside are uniform.

    Attributes:
        locals: the buffers of which each lane has one.
        diverges: whether lanes may take different ways through a loop.
    """

    def __init__(self, varying: Sequence[Var], body: ir.Block, index: Var | None = None):
        """Find the shapes.

        Args:
            varying: the values from outside that vary.
            index: of the trips.
        """
        self._of: dict[Var, Shape] = dict.fromkeys(varying, VARYING)
        self.locals: set[ir.Buffer] = set()
        self.diverges = False
        if index is not None:
            self._set(index, 1)
        self._block(body)

    def __getitem__(self, operand: Operand) -> Shape:
        return self._of.get(operand, UNIFORM) if isinstance(operand, Var) else UNIFORM

    def __contains__(self, operand: object) -> bool:
        """Whether the body defines it."""
        return operand in self._of

    def _set(self, var: Var, shape: Shape) -> None:
        self._of[var] = shape

    def _block(self, block: ir.Block) -> None:
        for statement in block:
            match statement:
                case ir.Compute():
                    self._set(statement.out, self._computed(statement))
                case ir.Load():
                    self._set(statement.out, self._loaded(statement))
                case ir.Local():
                    self.locals.add(statement.buffer)
                case ir.Reserve():
                    self._set(statement.out, UNIFORM)
                case ir.If():
                    self._if(statement)
                case ir.For():
                    self._set(statement.index, UNIFORM)
                    self._loop(statement, [statement.body], self[statement.count] == UNIFORM)
                case ir.While():
                    self._loop(statement, [statement.test, statement.body], None)

    def _computed(self, s: ir.Compute) -> Shape:
        shapes = [self[x] for x in s.operands]
        if all(shape == UNIFORM for shape in shapes):
            return UNIFORM
        steps = [shape for shape in shapes if shape is not None]
        if len(steps) < len(shapes) or s.out.dtype.kind not in "iu":
            return VARYING
        shape = self._linear(s, steps)
        return shape if shape is not None and abs(shape) < _FAR else VARYING

    def _linear(self, s: ir.Compute, shapes: Sequence[int]) -> Shape:
        match s.function, shapes:
            case "+", [a, b]:
                return a + b
            case "-", [a, b]:
                return a - b
            case "-", [a]:
                return -a
            case "*", [a, 0] if isinstance(s.operands[1], Number):
                return a * int(s.operands[1].value)
            case "*", [0, b] if isinstance(s.operands[0], Number):
                return b * int(s.operands[0].value)
        return VARYING

    def _loaded(self, s: ir.Load) -> Shape:
        if self[s.index] != UNIFORM or self.is_private(s.buffer):
            return VARYING
        return UNIFORM

    def _if(self, s: ir.If) -> None:
        self._block(s.then)
        self._block(s.orelse)
        alike = self[s.condition] == UNIFORM
        for result, a, b in zip(s.results, s.then_results, s.else_results):
            self._set(result, join(self[a], self[b]) if alike else VARYING)

    def _loop(self, s: ir.For | ir.While, bodies: Sequence[ir.Block], alike: bool | None) -> None:
        # What the state was found to be before, in an earlier trip of a loop around this one, it is
        # still. (From the beginning each time, time would double with each loop around.)
        for state, init in zip(s.state, s.init):
            known = self._of.get(state)
            self._set(state, self[init] if known is None else join(known, self[init]))
        changed = True
        while changed:
            changed = False
            for body in bodies:
                self._block(body)
            for state, following in zip(s.state, s.following):
                joined = join(self[state], self[following])
                if joined != self[state]:
                    self._set(state, joined)
                    changed = True
        if isinstance(s, ir.While) and alike is None:
            alike = self[s.condition] == UNIFORM
        self.diverges |= not alike
        for result, state in zip(s.results, s.state):
            self._set(result, self[state] if alike else VARYING)

    def is_private(self, buffer: ir.Buffer) -> bool:
        """Whether each lane has its own elements: of locals, and of what the lanes reserved."""
        return buffer in self.locals or (buffer.kind == "record" and buffer.base in self)
