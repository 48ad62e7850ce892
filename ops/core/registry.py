"""How an operator is declared: once, as an instance of one of three classes, which differ in what
they say about the derivative.

=============  =============================  ====================================================
class          says                           follows from it
=============  =============================  ====================================================
`Elementwise`  the partial derivative by      both modes of differentiation, the result's shape,
               each argument                  broadcasting
`Linear`       the transpose for each         forward mode is the operator itself, reverse mode
               argument it is linear in       the transpose
`Custom`       its two rules                  nothing
=============  =============================  ====================================================

What all of them say besides is in `op`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy

from ops.core.op import ALL_OPERANDS, REGISTRY, BatchRule, Op, Same
from ops.core.operands import (
    Symbolic,
    broadcast_shapes,
    concrete,
    dims_of,
    dtype_of,
    is_array,
    literal,
    may_not_broadcast,
    ndim_of,
    operand_type,
    shape_of,
)
from ops.core.python_numbers import PythonOperator
from ops.core.recording import raises_as_python
from ops.core.types import ArrayType, Type, python_type

# For those who declare operators: what these are, and what rules ask of operands.
__all__ = [
    "ALL_OPERANDS",
    "REGISTRY",
    "BatchRule",
    "Custom",
    "Elementwise",
    "Linear",
    "Op",
    "Same",
    "Symbolic",
    "broadcast_shapes",
    "concrete",
    "dims_of",
    "dtype_of",
    "is_array",
    "literal",
    "may_not_broadcast",
    "ndim_of",
    "operand_type",
    "shape_of",
]


# What happens to the elements of a cotangent that are zero, see `Linear`.
Zeros = Literal["kept", "moved", "lost", "chosen"]


class ResultTypes(Protocol):
    """What an elementwise operator asks of NumPy's ufunc, or of what stands for one."""

    @property
    def __name__(self) -> str: ...

    @property
    def nout(self) -> int:
        """How many results there are."""
        ...

    def resolve_dtypes(self, dtypes: Any) -> tuple[Any, ...]:
        """The dtypes of a loop, from the dtypes, or Python types, of the operands and None for each
        result."""
        ...


class Elementwise(Op):
    """An operator that acts on each element by itself, after broadcasting.

    Args:
        ufunc: the NumPy ufunc whose promotion rules the operator has.
        code: as for `Op`.
        partials: for each argument ``partial(*args, out)``, the derivative of the result by that
            argument, written with operators; a number if it is constant; None if there is none.
        linear: the arguments in which it is linear, each while the others are held; in several
            together if their partials are numbers.
        python: Python's operator, which defines the result when all operands are Python scalars:
            a function, or a `PythonOperator` that says where 64 bits are not enough for it. Without
            one such operands are taken as arrays first, as ``np.sin(2.0)`` does.
        kernel: how one element is computed natively, by a function of the scalar language of
            `ops.core.kernels`: one function for booleans, integers and floats, or a dict from the
            kinds of dtypes in which the ufunc computes, ``"f"``, ``"iu"`` ..., to functions.
            Operators without one are computed by the array library.
        mixed: whether the kernel takes operands of different dtypes, as the ufunc does.
        safe: for operators whose partials are infinite or undefined at some finite arguments, an
            argument at which they are not (0.5 unless that is outside the operator's domain). Where
            the result is known not to be used, the partials are taken there, so that no NaN leaks
            through ``where``.
    """

    def __init__(
        self,
        name: str,
        ufunc: ResultTypes,
        code: str | Callable,
        *,
        partials: Sequence[Callable | float | None],
        linear: Sequence[int] = (),
        python: Callable | PythonOperator | None = None,
        kernel: Callable | dict[str, Callable] | None = None,
        mixed: bool = False,
        safe: float | None = None,
        **options: Any,
    ):
        defaults = {"cost": 1, "aligned": True, "contiguous": True, "unknown_lengths": True}
        options = defaults | options
        super().__init__(name, self._infer, code, **options)
        by_kind = {"buif": kernel} if callable(kernel) else kernel or {}
        self.kernels = {kind: function for kinds, function in by_kind.items() for kind in kinds}
        self.ufunc = ufunc
        self.partials = tuple(partials)
        self.linear = tuple(linear)
        self.python = PythonOperator(python) if callable(python) else python
        self.mixed = mixed
        self.divides = self.python is not None and self.python.of_zero is not None
        self.safe = safe

    def is_linear(self, positions: Sequence[int]) -> bool:
        if len(positions) > 1 and any(callable(self.partials[i]) for i in positions):
            return False
        return all(i in self.linear for i in positions)

    def may_raise(self, types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
        """Also if the lengths of the operands may not fit each other."""
        return super().may_raise(types, attrs) or may_not_broadcast(types, attrs)

    @property
    def __signature__(self) -> inspect.Signature:
        names = "x" if len(self.partials) == 1 else [f"x{i + 1}" for i in range(len(self.partials))]
        kind = inspect.Parameter.POSITIONAL_ONLY
        return inspect.Signature([inspect.Parameter(name, kind) for name in names])

    if TYPE_CHECKING:

        def infer(self, *types: Type, **attrs: Any) -> tuple[ArrayType]: ...

    @raises_as_python
    def _infer(self, *types: ArrayType) -> tuple[ArrayType]:
        all_weak = False not in [t.weak for t in types]
        if self.python is not None and all_weak:
            sample = self.python.compute(*(python_type(t.dtype)(1) for t in types))
            return (operand_type(sample),)
        # An all-weak call of an operator that Python lacks is NumPy's, on the default dtypes.
        scalars = [t.dtype if all_weak or t.scalar is bool else t.scalar for t in types]
        try:
            *_, dtype = self.ufunc.resolve_dtypes((*scalars, *[None] * self.ufunc.nout))
        except numpy.exceptions.DTypePromotionError as error:
            raise TypeError(str(error)) from None
        return (ArrayType(dtype, broadcast_shapes(*[t.shape for t in types])),)


class Linear(Op):
    """An operator that is linear in some of its arguments.

    Args:
        transposes: for each argument, ``transpose(ct, *args, **attrs)``: the cotangent of that
            argument given the cotangent of the result; None where the operator is not linear.
            ``args`` may be used for their types, and for their values where the operator is linear
            in each argument by itself. One function instead of a sequence stands for all arguments
            of a variadic operator: it returns the sequence of their cotangents.
        zeros: what the transpose does to elements of a cotangent that are zero. "kept": they are
            zero in the operand's cotangent, too, in the same places. "moved": it moves, copies and
            adds elements, perhaps times numbers that are not negative, so that an element is zero
            if all that get there are. "lost": neither. "chosen": the first operand tells of
            which of the other two each element is, and it is zero in the cotangent of the other.
            There is no default, since a wrong one
            lets NaN through ``where``, or sets to zero what is not.
        moves: where zeros are "moved" otherwise than the transposes do it, as for `Custom`.
        joint: True if the operator is linear in all those arguments together (``concatenate``),
            False if it is linear in each while the others are held (``matmul``).
    """

    def __init__(
        self,
        name: str,
        infer: Callable,
        code: str | Callable,
        *,
        transposes: Sequence[Callable | None] | Callable,
        zeros: Zeros,
        moves: Callable | None = None,
        joint: bool = True,
        **options: Any,
    ):
        super().__init__(name, infer, code, **options)
        self.transposes = transposes
        self.zeros = zeros
        self.moves = moves
        self.joint = joint

    def is_linear(self, positions: Sequence[int]) -> bool:
        if callable(self.transposes):
            return True
        transposes = [self.transposes[i] if i < len(self.transposes) else None for i in positions]
        return None not in transposes and (self.joint or len(positions) <= 1)


class Custom(Op):
    """An operator that is neither elementwise nor linear, or that has no derivative at all.

    Args:
        vjp: ``vjp(cotangents, args, outs, **attrs)`` gives a cotangent (or None) for each argument.
            ``cotangents`` holds None for results without one. Without a rule, no argument has a
            derivative.
        jvp: ``jvp(tangents, args, outs, **attrs)`` gives a tangent (or None) for each result.
        linear: the operands in which it is linear, taken together, while the others are held. An
            operator that says nothing is taken for one that is linear in none.
        zeros: what ``vjp`` does to elements of a cotangent that are zero, as for `Linear`. All
            operators of this package that have a ``vjp`` say it.
        moves: where zeros are "moved", and ``vjp`` also multiplies by what is not positive:
            ``moves(numbers, *args, **attrs)`` gives for each argument numbers that are 0 where
            its cotangent is known to be zero, of numbers that are 0 where that of the result is.
        differentiable: False for operators whose results are constant almost everywhere or
            integers.
    """

    def __init__(
        self,
        name: str,
        infer: Callable,
        code: str | Callable,
        *,
        vjp: Callable | None = None,
        jvp: Callable | None = None,
        linear: Sequence[int] | None = None,
        zeros: Zeros | None = None,
        moves: Callable | None = None,
        differentiable: bool = True,
        **options: Any,
    ):
        super().__init__(name, infer, code, **options)
        self.vjp = vjp
        self.jvp = jvp
        self.linear = linear
        self.zeros = zeros
        self.moves = moves
        self.differentiable = differentiable

    def is_linear(self, positions: Sequence[int]) -> bool:
        return self.linear is not None and all(i in self.linear for i in positions)
