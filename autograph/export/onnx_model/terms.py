"""Values of a model that compute by the scalar language of `ops.core.kernels`, all elements at
once.

So what an operator declares for kernels is also what it is in ONNX, with NumPy's meaning to the
last case: which of two zeros, what of NaN, which way integers round. What is known when the model
is written is computed then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.export.format import KernelTerm
from autograph.export.onnx_model.nodes import BOOL, LONG, Nodes
from autograph.export.onnx_model.refusals import refuse
from ops.core import kernels

_COMPARISONS = {
    "==": "Equal",
    "<": "Less",
    "<=": "LessOrEqual",
    ">": "Greater",
    ">=": "GreaterOrEqual",
}
_ARITHMETIC = {"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "quotient": "Div"}
_BITWISE = {"&": "And", "|": "Or", "^": "Xor"}

# The functions of the language that are no operators, by name, as `functions` enters them.
FUNCTIONS: dict[str, Callable[..., Any]] = {}

# Of these dtypes ONNX Runtime chooses between two elements.
_CHOSEN = frozenset(np.dtype(d) for d in ["f2", "f4", "f8", "i1", "i4", "i8", "u1", "u4"])


@kernels.with_operators
class Tensor(KernelTerm):
    """An array of the model.

    Attributes:
        nodes: what writes it.
        name: of the value; that of a constant is asked for when it is used.
        value: what it is, if that is known.
    """

    __hash__ = object.__hash__

    def __init__(self, nodes: Nodes, name: str | None, dtype: Any, value: Any = None):
        self.nodes = nodes
        self.dtype = np.dtype(dtype)
        self.value = value
        self._name = name

    @property
    def name(self) -> str:
        if self._name is None:
            self._name = self.nodes.constant(self.value, self.dtype)
        return self._name

    if TYPE_CHECKING:  # what `with_operators` gives

        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __xor__(self, other: Any) -> Tensor: ...
        def __lshift__(self, other: Any) -> Tensor: ...
        def __rshift__(self, other: Any) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __eq__(self, other: object) -> Any: ...
        def __neg__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...

    # -- the protocol of `ops.core.kernels` --------------------------------------------------------

    def __kernel__(self, function: str, operands: Sequence[Any]) -> Any:
        return compute(self.nodes, function, operands)

    def __iterate__(self, test: Callable, body: Callable, state: Sequence[Any]) -> Any:
        return repeated(self.nodes, test, body, state)

    def __require__(self) -> None:
        if self.value is not None and np.all(self.value):
            return
        self.nodes.require(all_true(self).name, "a value that Python refuses")

    # -- making others -----------------------------------------------------------------------------

    def made(self, op: str, *others: Any, dtype: Any = None, **attrs: Any) -> Tensor:
        """A node of this value first, then others, which are terms or names."""
        names = [other.name if isinstance(other, Tensor) else other for other in others]
        found = self.nodes.one(op, self.name, *names, **attrs)
        return Tensor(self.nodes, found, self.dtype if dtype is None else dtype)

    def cast(self, dtype: Any) -> Tensor:
        return cast(self, np.dtype(dtype))

    def shape(self) -> Tensor:
        """Its shape, as the run finds it."""
        return self.made("Shape", dtype=LONG)

    def longs(self, numbers: Any) -> str:
        """The name of integers."""
        return self.nodes.constant(np.asarray(numbers, LONG))

    def reshaped(self, shape: Any) -> Tensor:
        """With another shape: known numbers, or the name of some."""
        shape = shape if isinstance(shape, str) else self.longs(shape)
        zeros = -1 not in self.nodes.constants.get(shape, ())  # else a 0 would mean: as it was
        return self.made("Reshape", shape, allowzero=int(zeros))

    def flattened(self) -> Tensor:
        return self.made("Reshape", self.longs([-1]))

    def expanded(self, shape: Any) -> Tensor:
        """Broadcast."""
        return self.made("Expand", shape if isinstance(shape, str) else self.longs(shape))

    def unsqueezed(self, axes: Sequence[int]) -> Tensor:
        return self.made("Unsqueeze", self.longs(axes)) if axes else self

    def squeezed(self, axes: Sequence[int]) -> Tensor:
        return self.made("Squeeze", self.longs(axes)) if axes else self

    def transposed(self, axes: Sequence[int]) -> Tensor:
        return self if list(axes) == sorted(axes) else self.made("Transpose", perm=list(axes))

    def gathered(self, places: Any, axis: int = 0) -> Tensor:
        places = places.name if isinstance(places, Tensor) else self.longs(places)
        return self.made("Gather", places, axis=axis)


def known(nodes: Nodes, value: Any, dtype: Any = None) -> Tensor:
    """What is known, as a term."""
    array = np.asarray(value, dtype)
    return Tensor(nodes, None, array.dtype, array)


def compute(nodes: Nodes, function: str, operands: Sequence[Any]) -> Any:
    """A function of the language, applied."""
    if function == "cast":
        return cast(operands[0], np.dtype(operands[1]))
    if function == "width":
        return operands[0].dtype.itemsize * 8
    given = _same(nodes, function, operands)
    if all(x.value is not None for x in given):
        found = _folded(nodes, function, given)
        if found is not None:
            return found
    rule = _RULES.get(function)
    if rule is not None:
        return rule(*given)
    if function not in FUNCTIONS:
        raise refuse(f"there is no operator of ONNX for '{function}'", nodes.place)
    return FUNCTIONS[function](*given)


def _same(nodes: Nodes, function: str, operands: Sequence[Any]) -> list[Tensor]:
    """The operands as terms; numbers take the dtype of the others."""
    if function == "select":
        test, *branches = operands
        test = test if isinstance(test, Tensor) else known(nodes, test, BOOL)
        return [test, *_same(nodes, "", branches)]
    if function == "ldexp":
        x, count = operands
        count = count if isinstance(count, Tensor) else known(nodes, count, np.int32)
        return [x, count]
    dtypes = [x.dtype for x in operands if isinstance(x, Tensor)]
    dtypes += [x.dtype for x in operands if isinstance(x, (np.generic, np.ndarray))]
    dtype = dtypes[0] if dtypes else np.result_type(*operands)
    return [x if isinstance(x, Tensor) else known(nodes, x, dtype) for x in operands]


def _folded(nodes: Nodes, function: str, given: Sequence[Tensor]) -> Tensor | None:
    """The result, of operands that are known; None if it has no value."""
    values = [x.value for x in given]
    compute = kernels.meaning(function, len(values))
    if compute is None:
        return None
    with np.errstate(all="ignore"):
        try:
            return known(nodes, compute(*values))
        except ZeroDivisionError:
            return None


class OnnxFormat:
    """What the rules that formats share know of ONNX; see `autograph.export.format`."""

    name = "ONNX"

    def __init__(self, nodes: Nodes):
        self._nodes = nodes

    def known(self, value: Any, dtype: Any = None) -> Tensor:
        return known(self._nodes, value, dtype)

    def require(self, flag: Tensor, message: str) -> None:
        if flag.value is None:
            self._nodes.require(flag.name, message)
        elif not np.all(flag.value):
            self._nodes.require(self._nodes.constant(False), message)

    def refuse(self, message: str, fix: str | None = None) -> Exception:
        if fix is None:
            return refuse(message, self._nodes.place)
        return refuse(message, self._nodes.place, fix)

    def remainder(self, x: Tensor, y: Any) -> Tensor:
        return x.made("Mod", y)


# -- conversions -----------------------------------------------------------------------------------


def cast(x: Any, dtype: np.dtype) -> Tensor:
    """As NumPy converts: floats to small integers by way of large ones, which wrap around."""
    if x.dtype == dtype:
        return x
    if x.value is not None:
        with np.errstate(all="ignore"):
            return known(x.nodes, np.asarray(x.value).astype(dtype))
    if dtype == BOOL:
        return compute(x.nodes, "!=", (x, 0))
    if x.dtype.kind == "f" and dtype.kind in "iu" and dtype.itemsize < 8:
        x = x.made("Cast", dtype=LONG, to=x.nodes.element_type(LONG))
    if x.dtype == dtype:
        return x
    return x.made("Cast", dtype=dtype, to=x.nodes.element_type(dtype))


def all_true(flags: Tensor) -> Tensor:
    """Whether all are; there may be none."""
    wrong = compute(flags.nodes, "~", (flags,)).cast(np.int32)
    return compute(flags.nodes, "==", (wrong.made("ReduceSum", keepdims=0), 0))


# -- the language ----------------------------------------------------------------------------------


def select(test: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """``x`` where it is true, ``y`` elsewhere."""
    dtype = x.dtype
    if test.value is not None and test.value.ndim == 0:
        chosen = x if test.value else y
        other = y if test.value else x
        if other.value is not None and other.value.ndim == 0:
            return chosen
    if dtype == BOOL:
        yes = compute(test.nodes, "&", (test, x))
        no = compute(test.nodes, "&", (compute(test.nodes, "~", (test,)), y))
        return compute(test.nodes, "|", (yes, no))
    if dtype not in _CHOSEN:
        return select(test, x.cast(LONG), y.cast(LONG)).cast(dtype)
    return test.made("Where", x, y, dtype=dtype)


def _subtract_or_negate(x: Tensor, *others: Tensor) -> Tensor:
    if others:
        return x.made("Sub", *others)
    return x.made("Neg") if x.dtype.kind in "if" else compute(x.nodes, "-", (0, x))


def _compared(symbol: str) -> Callable[[Tensor, Tensor], Tensor]:
    def rule(x: Tensor, y: Tensor) -> Tensor:
        if x.dtype == BOOL and symbol != "==":
            x, y = x.cast(np.int32), y.cast(np.int32)
        return x.made(_COMPARISONS[symbol], y, dtype=BOOL)

    return rule


def _differs(x: Tensor, y: Tensor) -> Tensor:
    return x.made("Equal", y, dtype=BOOL).made("Not")


def _arithmetic(symbol: str) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda x, y: x.made(_ARITHMETIC[symbol], y)


def _bitwise(symbol: str) -> Callable[[Tensor, Tensor], Tensor]:
    op = _BITWISE[symbol]
    return lambda x, y: x.made(op if x.dtype == BOOL else f"Bitwise{op}", y)


def _inverted(x: Tensor) -> Tensor:
    return x.made("Not" if x.dtype == BOOL else "BitwiseNot")


def _rest(x: Tensor, y: Tensor) -> Tensor:
    """With the sign of ``x``; that of Mod has the sign of ``y``.

    Not ``x - x / y * y``: ONNX Runtime 1.32 makes ``y / y`` of ``1 / y * y``, also of integers.
    """
    rest = x.made("Mod", y)
    if x.dtype.kind == "u":
        return rest
    other = compute(x.nodes, "!=", (rest, 0)) & ((rest < 0) ^ (x < 0))
    return select(other, rest.made("Sub", y), rest)


def _unsigned(x: Tensor) -> Tensor:
    """The same bits, and as many."""
    return x.cast(np.dtype(f"u{x.dtype.itemsize}"))


def _shift_left(x: Tensor, count: Tensor) -> Tensor:
    wide = np.dtype(np.uint32) if x.dtype.itemsize < 4 else np.dtype(f"u{x.dtype.itemsize}")
    found = _unsigned(x).cast(wide).made("BitShift", count.cast(wide), direction="LEFT")
    return found.cast(np.dtype(f"u{x.dtype.itemsize}")).cast(x.dtype)


def _shift_right(x: Tensor, count: Tensor) -> Tensor:
    wide = np.dtype(np.uint32) if x.dtype.itemsize < 4 else np.dtype(f"u{x.dtype.itemsize}")
    if x.dtype.kind == "u":
        return x.cast(wide).made("BitShift", count.cast(wide), direction="RIGHT").cast(x.dtype)
    negative = compute(x.nodes, "<", (x, 0))  # whose ones come in from the left
    size = select(negative, _inverted(x), x)
    moved = _unsigned(size).cast(wide).made("BitShift", count.cast(wide), direction="RIGHT")
    moved = moved.cast(x.dtype)
    return select(negative, _inverted(moved), moved)


def repeated(
    nodes: Nodes, test: Callable, body: Callable, state: Sequence[Any]
) -> tuple[Tensor, ...]:
    """The state after ``while test(*state): state = body(*state)`` of each element."""
    dtype = next(x.dtype for x in state if isinstance(x, Tensor))
    start = [x if isinstance(x, Tensor) else known(nodes, x, dtype) for x in state]
    total = None
    for x in start:  # all get the shape that they have together
        zero = x.cast(bool).cast(LONG).made("Mul", nodes.constant(0))
        total = zero if total is None else total.made("Add", zero)
    assert total is not None
    shape = total.shape().name
    start = [x.expanded(shape) for x in start]

    def going(state: Sequence[Tensor]) -> str:
        small = test(*state).cast("int32")
        # Of nothing the largest would be no zero.
        return nodes.one("Cast", nodes.one("ReduceSum", small.name, keepdims=0), to=to_bool)

    to_bool = nodes.element_type(BOOL)
    first = going(start)
    inner = [Tensor(nodes, nodes.new(), x.dtype) for x in start]
    with nodes.subgraph() as scope:
        own = test(*inner)
        new = [y if isinstance(y, Tensor) else known(nodes, y, dtype) for y in body(*inner)]
        kept = [select(own, y, x).expanded(x.shape().name) for x, y in zip(inner, new)]
        again = going(kept)
        outputs = [nodes.described(again, BOOL, ())]
        outputs += [nodes.described(x.name, x.dtype, None) for x in kept]
        inputs = [nodes.described(nodes.new("trip"), LONG, ())]
        inputs += [nodes.described(nodes.new("again"), BOOL, ())]
        inputs += [nodes.described(x.name, x.dtype, None) for x in inner]
        graph = nodes.graph("each", scope, inputs, outputs)
    given = ["", first, *(x.name for x in start)]
    found = nodes.many("Loop", given, len(start), body=graph)
    return tuple(Tensor(nodes, name, x.dtype) for name, x in zip(found, start))


_RULES: dict[str, Callable[..., Tensor]] = {
    "select": select,
    "-": _subtract_or_negate,
    "!=": _differs,
    "~": _inverted,
    "rest": _rest,
    "shift_left": _shift_left,
    "shift_right": _shift_right,
    **{symbol: _compared(symbol) for symbol in _COMPARISONS},
    **{symbol: _arithmetic(symbol) for symbol in _ARITHMETIC if symbol != "-"},
    **{symbol: _bitwise(symbol) for symbol in _BITWISE},
}
