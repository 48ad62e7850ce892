"""Values in the lanes of a vector, and masks of lanes.

A value is a scalar where it is uniform or linear (`shapes`): then its name stands for its value in
lane 0. Otherwise it is a vector.

The invariant: lanes that are not active may hold anything, even poison. So what decides about a
branch, an address or a division looks at active lanes only.
"""

from __future__ import annotations

import numpy as np

from autograph.kernels.ir.ir import LONG, Number, Operand
from autograph.kernels.llvm import text
from autograph.kernels.llvm.frame import FunctionFrame
from autograph.kernels.llvm.instructions import Instructions
from autograph.kernels.llvm.shapes import VARYING, Shape, Shapes
from autograph.kernels.llvm.statements import Statements
from ops.core.records import NamedTuple


class Lead(NamedTuple):
    """A lane that makes all trips of a loop.

    Attributes:
        lane: its number.
        mask: of the lanes in a trip.
        known: values of this lane, as scalars.
    """

    lane: str
    mask: str
    known: dict[Operand, str]


class LaneValues(Statements):
    """Prints what values are in the lanes of a vector.

    Attributes:
        lanes: of a vector.
        shapes: of the values.
        vectors: prints instructions on vectors.
        mask: the active lanes, a vector of i1; None if all are.
        agreed: for addresses of the present block, whether active lanes have the same, and which.
        lead: of the loop, if there is one.
        first: a mask of the first lanes, and how many these are, if all steps have the same.
    """

    def __init__(self, frame: FunctionFrame, shapes: Shapes, lanes: int):
        super().__init__(frame)
        self.lanes = lanes
        self.shapes = shapes
        self.vectors = Instructions(frame.module, frame.target, frame.function, lanes)
        self.mask: str | None = None
        self._spread: dict[Operand, str] = {}  # vectors of scalars, in the present block
        self.agreed: dict[Operand, tuple[str, str]] = {}
        self.lead: Lead | None = None
        self.first: tuple[str, int] | None = None

    def known_here(self) -> tuple[dict, dict]:
        """What is known in the present block, to be restored after blocks in it."""
        return dict(self._spread), dict(self.agreed)

    def restore(self, known: tuple[dict, dict]) -> None:
        """Forget what became known in inner blocks."""
        self._spread, self.agreed = map(dict, known)

    # -- values ------------------------------------------------------------------------------------

    def vector(self, operand: Operand) -> str:
        """A value as a vector."""
        element = text.scalar_type(operand.dtype)
        if isinstance(operand, Number):
            return text.splat(self.lanes, element, text.constant(operand))
        shape = self.shapes[operand]
        if shape is VARYING:
            return self.values[operand]
        if operand not in self._spread:
            self._spread[operand] = self.spread(operand.dtype, self.values[operand], shape)
        return self._spread[operand]

    def spread(self, dtype: np.dtype, value: str, step: int = 0) -> str:
        """The vector of a value and its multiples: ``value + lane * step``."""
        element = text.scalar_type(dtype)
        type_ = self.vectors.type(dtype)
        first = self.function.let(f"insertelement {type_} poison, {element} {value}, i64 0")
        every = self.function.let(
            f"shufflevector {type_} {first}, {type_} poison, <{self.lanes} x i32> zeroinitializer"
        )
        if not step:
            return every
        return self.function.let(f"add {type_} {every}, {self.iota(dtype, step)}")

    def iota(self, dtype: np.dtype = LONG, step: int = 1) -> str:
        """The constant vector 0, step, 2 * step ..."""
        element = text.scalar_type(dtype)
        bits = dtype.itemsize * 8
        numbers = (
            (lane * step + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)
            for lane in range(self.lanes)
        )
        return f"<{', '.join(f'{element} {x}' for x in numbers)}>"

    def shaped(self, operand: Operand, shape: Shape) -> str:
        """A value in the form that a value of some shape has."""
        return self.vector(operand) if shape is VARYING else self.scalar(operand)

    def type(self, dtype: np.dtype, shape: Shape) -> str:
        """The type of a value of some shape."""
        return self.vectors.type(dtype) if shape is VARYING else text.scalar_type(dtype)

    # -- masks -------------------------------------------------------------------------------------

    def both(self, mask: str | None, condition: str, hint: str = "mask") -> str:
        """The lanes of a mask in which a condition holds. Where the mask does not hold, the
        condition may be poison, so this is not an "and"."""
        if mask is None:
            return condition
        type_ = self.vectors.vector_of("i1")
        return self.function.let(
            f"select {type_} {mask}, {type_} {condition}, {type_} zeroinitializer", hint
        )

    def opposite(self, condition: str) -> str:
        """Where a condition does not hold."""
        type_ = self.vectors.vector_of("i1")
        return self.function.let(f"xor {type_} {condition}, splat (i1 true)")

    def blend(self, mask: str, type_: str, yes: str, no: str, hint: str | None = None) -> str:
        """``yes`` in the lanes of a mask, ``no`` in others."""
        if yes == no:
            return yes
        bools = self.vectors.vector_of("i1")
        return self.function.let(f"select {bools} {mask}, {type_} {yes}, {type_} {no}", hint)
