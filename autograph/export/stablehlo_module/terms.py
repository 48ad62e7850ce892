"""Arrays of a module, and the scalar language applied to them.

Functions of `<math.h>` that StableHLO does not have are written out as
`autograph.kernels.mathematics` defines them for kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.export.format import KernelTerm
from autograph.export.stablehlo_module.text import HloBlock, Text, indented, refuse, tensor
from autograph.kernels.mathematics import DEFINITIONS
from ops.core import kernels

BOOL, LONG, _HALF = np.dtype(bool), np.dtype(np.int64), np.dtype(np.float16)

_FLOAT_FUNCTIONS = {
    "cbrt": "cbrt",
    "ceil": "ceil",
    "cos": "cosine",
    "exp": "exponential",
    "expm1": "exponential_minus_one",
    "fabs": "abs",
    "floor": "floor",
    "log": "log",
    "log1p": "log_plus_one",
    "rint": "round_nearest_even",
    "sin": "sine",
    "sqrt": "sqrt",
    "tan": "tan",
    "tanh": "tanh",
}
_BINARY = {
    "+": "add",
    "*": "multiply",
    "/": "divide",
    "&": "and",
    "|": "or",
    "^": "xor",
    "quotient": "divide",
    "rest": "remainder",
    "fmod": "remainder",
    "atan2": "atan2",
    "pow": "power",
    "shift_left": "shift_left",
}
_COMPARISONS = {"==": "EQ", "!=": "NE", "<": "LT", "<=": "LE", ">": "GT", ">=": "GE"}
_FOLDED = 1 << 16  # elements of what is computed while writing


@kernels.with_operators
class HloTerm(KernelTerm):
    """An array of the module.

    Attributes:
        text: what writes it.
        dtype, shape: of it.
        value: what it is, if that is known.
    """

    __hash__ = object.__hash__

    def __init__(self, text: Text, name: str | None, dtype: Any, shape: Any, value: Any = None):
        self.text = text
        self.dtype = np.dtype(dtype)
        self.shape: tuple[int, ...] = tuple(shape)
        self.value = value
        self._name = name

    @property
    def name(self) -> str:
        """Of the value; a constant is written in the block where it is used."""
        return self.text.constant(self.value) if self._name is None else self._name

    @property
    def type(self) -> str:
        return tensor(self.dtype, self.shape)

    if TYPE_CHECKING:  # what `with_operators` gives

        def __add__(self, other: Any) -> HloTerm: ...
        def __radd__(self, other: Any) -> HloTerm: ...
        def __sub__(self, other: Any) -> HloTerm: ...
        def __rsub__(self, other: Any) -> HloTerm: ...
        def __mul__(self, other: Any) -> HloTerm: ...
        def __rmul__(self, other: Any) -> HloTerm: ...
        def __and__(self, other: Any) -> HloTerm: ...
        def __or__(self, other: Any) -> HloTerm: ...
        def __xor__(self, other: Any) -> HloTerm: ...
        def __lt__(self, other: Any) -> HloTerm: ...
        def __le__(self, other: Any) -> HloTerm: ...
        def __gt__(self, other: Any) -> HloTerm: ...
        def __ge__(self, other: Any) -> HloTerm: ...
        def __eq__(self, other: object) -> Any: ...
        def __ne__(self, other: object) -> Any: ...
        def __neg__(self) -> HloTerm: ...
        def __invert__(self) -> HloTerm: ...

    # -- the protocol of `ops.core.kernels` --------------------------------------------------------

    def __kernel__(self, function: str, operands: Sequence[Any]) -> Any:
        return compute(self.text, function, operands)

    def __iterate__(self, test: Callable, body: Callable, state: Sequence[Any]) -> Any:
        return repeated(self.text, test, body, state)

    def __require__(self) -> None:
        if self.value is not None and np.all(self.value):
            return
        self.text.block.guards.append(all_true(self).name)

    # -- making others -----------------------------------------------------------------------------

    def made(self, operation: str, dtype: Any, shape: Sequence[int]) -> HloTerm:
        """The result of an operation, whose text is complete."""
        return HloTerm(self.text, self.text.let(operation), dtype, shape)

    def cast(self, dtype: Any) -> HloTerm:
        return cast(self, np.dtype(dtype))

    def reshaped(self, shape: Sequence[int]) -> HloTerm:
        if tuple(shape) == self.shape:
            return self
        if self.value is not None:
            return known(self.text, self.value.reshape(shape))
        to = tensor(self.dtype, shape)
        return self.made(
            f"stablehlo.reshape {self.name} : ({self.type}) -> {to}", self.dtype, shape
        )

    def flattened(self) -> HloTerm:
        return self.reshaped((int(np.prod(self.shape)),))

    def broadcast(self, shape: Sequence[int], dims: Sequence[int]) -> HloTerm:
        """With more axes: ``dims`` says which of them each axis is."""
        operation = f"stablehlo.broadcast_in_dim {self.name}, dims = [{_list(dims)}]"
        to = tensor(self.dtype, shape)
        return self.made(f"{operation} : ({self.type}) -> {to}", self.dtype, shape)

    def expanded(self, shape: Sequence[int]) -> HloTerm:
        """Broadcast, as NumPy does it."""
        shape = tuple(shape)
        if shape == self.shape:
            return self
        if self.value is not None and self.value.size == 1:
            return known(self.text, np.broadcast_to(self.value, shape))
        return self.broadcast(shape, range(len(shape) - len(self.shape), len(shape)))

    def transposed(self, axes: Sequence[int]) -> HloTerm:
        if list(axes) == sorted(axes):
            return self
        shape = [self.shape[a] for a in axes]
        to = tensor(self.dtype, shape)
        return self.made(
            f"stablehlo.transpose {self.name}, dims = [{_list(axes)}] : ({self.type}) -> {to}",
            self.dtype,
            shape,
        )

    def joined(self, other: HloTerm, axis: int = 0) -> HloTerm:
        """With another one behind it along an axis."""
        shape = list(self.shape)
        shape[axis] += other.shape[axis]
        operation = f"stablehlo.concatenate {self.name}, {other.name}, dim = {axis}"
        to = tensor(self.dtype, shape)
        return self.made(f"{operation} : ({self.type}, {other.type}) -> {to}", self.dtype, shape)

    def gathered(self, places: Any) -> HloTerm:
        """Of an array of one axis the elements at integers."""
        places = places if isinstance(places, HloTerm) else known(self.text, places, LONG)
        if 0 in places.shape:
            return known(self.text, np.zeros(places.shape, self.dtype))
        if self.value is not None and places.value is not None:
            return known(self.text, self.value[places.value])
        numbers = (
            "#stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], "
            f"index_vector_dim = {len(places.shape)}>"
        )
        to = tensor(self.dtype, places.shape)
        return self.made(
            f'"stablehlo.gather"({self.name}, {places.name}) <{{dimension_numbers = {numbers}, '
            f"indices_are_sorted = false, slice_sizes = array<i64: 1>}}> : "
            f"({self.type}, {places.type}) -> {to}",
            self.dtype,
            places.shape,
        )


def _list(numbers: Any) -> str:
    return ", ".join(map(str, numbers))


def known(text: Text, value: Any, dtype: Any = None) -> HloTerm:
    """What is known, as a term."""
    array = np.asarray(value, dtype)
    return HloTerm(text, None, array.dtype, array.shape, array)


class StableHloFormat:
    """What the rules that formats share know of StableHLO; see `autograph.export.format`."""

    name = "StableHLO"

    def __init__(self, text: Text):
        self._text = text

    def known(self, value: Any, dtype: Any = None) -> HloTerm:
        return known(self._text, value, dtype)

    def require(self, flag: HloTerm, message: str) -> None:
        flag.__require__()

    def refuse(self, message: str, fix: str | None = None) -> Exception:
        if fix is None:
            return refuse(message, self._text.place)
        return refuse(message, self._text.place, fix)

    def remainder(self, x: HloTerm, y: Any) -> Any:
        rest = kernels.rest(x, y)
        if x.dtype.kind == "u":
            return rest
        other = (rest != 0) & ((rest < 0) ^ (y < 0))
        return kernels.select(other, rest + y, rest)


def compute(text: Text, function: str, operands: Sequence[Any]) -> Any:
    """A function of the language, applied."""
    if function == "cast":
        return cast(operands[0], np.dtype(operands[1]))
    if function == "width":
        return operands[0].dtype.itemsize * 8
    given = _same(text, function, operands)
    if all(x.value is not None and x.value.size <= _FOLDED for x in given):
        found = _folded(text, function, given)
        if found is not None:
            return found
    rule = _RULES.get(function)
    if rule is not None:
        return rule(*given)
    kind = given[0].dtype.kind
    if given[0].dtype == _HALF and (function in _FLOAT_FUNCTIONS or function in DEFINITIONS):
        single = np.dtype(np.float32)  # for which functions are defined
        found = compute(text, function, [x.cast(single) if x.dtype == _HALF else x for x in given])
        return found.cast(_HALF) if found.dtype == single else found
    if function in _FLOAT_FUNCTIONS and kind in "fc":
        return _unary(_FLOAT_FUNCTIONS[function], given[0])
    if function in _BINARY:
        return _binary(_BINARY[function], *given)
    if function in _COMPARISONS:
        return _compared(_COMPARISONS[function], *given)
    if function in DEFINITIONS:
        return DEFINITIONS[function](*given)
    raise refuse(f"there is no operation of StableHLO for '{function}'", text.place)


def _same(text: Text, function: str, operands: Sequence[Any]) -> list[HloTerm]:
    """The operands as terms; numbers take the dtype of the others."""
    if function == "select":
        test, *branches = operands
        test = test if isinstance(test, HloTerm) else known(text, test, BOOL)
        return [test, *_same(text, "", branches)]
    if function == "ldexp":
        x, count = operands
        return [
            x if isinstance(x, HloTerm) else known(text, x),
            count if isinstance(count, HloTerm) else known(text, count, np.int32),
        ]
    dtypes = [x.dtype for x in operands if isinstance(x, HloTerm)]
    dtypes += [x.dtype for x in operands if isinstance(x, (np.generic, np.ndarray))]
    dtype = dtypes[0] if dtypes else np.result_type(*operands)
    return [x if isinstance(x, HloTerm) else known(text, x, dtype) for x in operands]


def _folded(text: Text, function: str, given: Sequence[HloTerm]) -> HloTerm | None:
    """The result, of operands that are known; None if it has no value."""
    computed = kernels.meaning(function, len(given))
    if computed is None:
        return None
    with np.errstate(all="ignore"):
        try:
            return known(text, computed(*(x.value for x in given)))
        except ZeroDivisionError:
            return None


def _unary(name: str, x: HloTerm) -> HloTerm:
    return x.made(f"stablehlo.{name} {x.name} : {x.type}", x.dtype, x.shape)


def _together(*terms: HloTerm) -> list[HloTerm]:
    shape = np.broadcast_shapes(*(x.shape for x in terms))
    return [x.expanded(shape) for x in terms]


def _binary(name: str, x: HloTerm, y: HloTerm) -> HloTerm:
    x, y = _together(x, y)
    return x.made(f"stablehlo.{name} {x.name}, {y.name} : {x.type}", x.dtype, x.shape)


def _compared(how: str, x: HloTerm, y: HloTerm) -> HloTerm:
    x, y = _together(x, y)
    kinds = {"f": "FLOAT", "c": "FLOAT", "i": "SIGNED"}
    kind = kinds.get(x.dtype.kind, "UNSIGNED")
    to = tensor(BOOL, x.shape)
    operation = f"stablehlo.compare {how}, {x.name}, {y.name}, {kind} : "
    return x.made(f"{operation}({x.type}, {y.type}) -> {to}", BOOL, x.shape)


def _minus(x: HloTerm, *others: HloTerm) -> HloTerm:
    return _binary("subtract", x, *others) if others else _unary("negate", x)


def _select(test: HloTerm, x: HloTerm, y: HloTerm) -> HloTerm:
    if test.value is not None and test.value.ndim == 0:
        shape = np.broadcast_shapes(x.shape, y.shape)
        return (x if test.value else y).expanded(shape)
    test, x, y = _together(test, x, y)
    operation = f"stablehlo.select {test.name}, {x.name}, {y.name} : {test.type}, {x.type}"
    return x.made(operation, x.dtype, x.shape)


def _shift_right(x: HloTerm, count: HloTerm) -> HloTerm:
    how = "logical" if x.dtype.kind == "u" else "arithmetic"
    return _binary(f"shift_right_{how}", x, count)


def _trunc(x: HloTerm) -> Any:
    return kernels.copysign(kernels.floor(kernels.fabs(x)), x)


def _signbit(x: HloTerm) -> Any:
    return kernels.bits(x) < 0


def _copysign(x: HloTerm, y: HloTerm) -> Any:
    least = x.dtype.type(0).view(f"i{x.dtype.itemsize}").dtype.type
    sign = np.iinfo(least).min
    both = (kernels.bits(x) & ~np.asarray(sign)) | (kernels.bits(y) & sign)
    return kernels.from_bits(both)


def _bitcast(kind: str) -> Callable[[HloTerm], HloTerm]:
    def rule(x: HloTerm) -> HloTerm:
        dtype = np.dtype(f"{kind}{x.dtype.itemsize}")
        to = tensor(dtype, x.shape)
        operation = f"stablehlo.bitcast_convert {x.name} : ({x.type}) -> {to}"
        return x.made(operation, dtype, x.shape)

    return rule


def _fma(x: HloTerm, y: HloTerm, z: HloTerm) -> Any:
    """``x * y + z``: float32 by way of float64, where the product is exact. A double has the error
    of its product added (T. J. Dekker, "A floating-point technique for extending the available
    precision", 1971), and that of the sum (Knuth), and is rounded twice."""
    wide = np.dtype(np.float64)
    if x.dtype.itemsize < 8:
        return (x.cast(wide) * y.cast(wide) + z.cast(wide)).cast(x.dtype)

    def halves(a: HloTerm) -> tuple[Any, Any]:
        scaled = a * 134217729.0
        high = scaled - (scaled - a)
        return high, a - high

    product = x * y
    (a, b), (c, d) = halves(x), halves(y)
    error = ((a * c - product) + a * d + b * c) + b * d
    total = product + z
    back = total - product
    lost = (product - (total - back)) + (z - back)
    found = total + (lost + error)
    return kernels.select(kernels.fabs(found) < np.inf, found, total)


_RULES: dict[str, Callable[..., Any]] = {
    "-": _minus,
    "~": lambda x: _unary("not", x),
    "select": _select,
    "shift_right": _shift_right,
    "trunc": _trunc,
    "signbit": _signbit,
    "copysign": _copysign,
    "bits": _bitcast("i"),
    "from_bits": _bitcast("f"),
    "popcount": lambda x: _unary("popcnt", x),
    "fma": _fma,
}


# -- conversions -----------------------------------------------------------------------------------


def cast(x: Any, dtype: np.dtype) -> HloTerm:
    """As NumPy converts: a float that no integer is near to becomes the least one."""
    if x.dtype == dtype:
        return x
    if x.value is not None:
        with np.errstate(all="ignore"):
            return known(x.text, np.asarray(x.value).astype(dtype))
    if dtype == BOOL:
        return compute(x.text, "!=", (x, 0))
    if x.dtype.kind == "c" and dtype.kind != "c":
        raise refuse("a complex number is converted to a real one", x.text.place)
    if x.dtype.kind == "f" and dtype.kind in "iu":
        return _rounded(x, dtype)
    return _convert(x, dtype)


def _convert(x: HloTerm, dtype: np.dtype) -> HloTerm:
    to = tensor(dtype, x.shape)
    return x.made(f"stablehlo.convert {x.name} : ({x.type}) -> {to}", dtype, x.shape)


def _rounded(x: HloTerm, dtype: np.dtype) -> HloTerm:
    """Small integers by way of int32, uint32 by way of int64, uint64 in two halves."""
    if dtype.itemsize < 4:
        return _convert(_least_if_far(x, np.dtype(np.int32)), dtype)
    if dtype.kind == "i":
        return _least_if_far(x, dtype)
    if dtype.itemsize == 4:
        return _convert(_least_if_far(x, LONG), dtype)
    half = x.dtype.type(2.0**63)
    above = x >= half
    whole = _least_if_far(kernels.select(above, x - half, x), LONG)
    return _convert(kernels.select(above, whole ^ np.int64(-(2**63)), whole), dtype)


def _least_if_far(x: HloTerm, dtype: np.dtype) -> Any:
    bound = 2.0 ** (dtype.itemsize * 8 - 1)
    near = kernels.fabs(x) < bound
    whole = _convert(kernels.select(near, x, 0.0), dtype)
    return kernels.select(near, whole, np.iinfo(dtype).min)


# -- of all elements -------------------------------------------------------------------------------


def reduced(
    x: HloTerm, combine: Callable[[HloTerm, HloTerm], Any], start: Any, axes: Sequence[int]
) -> HloTerm:
    """The elements along axes combined."""
    text = x.text
    shape = [n for i, n in enumerate(x.shape) if i not in axes]
    scalar = tensor(x.dtype, ())
    first, second = text.new(), text.new()
    with text.region() as block:
        both = (HloTerm(text, name, x.dtype, ()) for name in (first, second))
        found = combine(*both)
        block.lines.append(f"stablehlo.return {found.name} : {scalar}")
    initial = known(text, start, x.dtype)
    inside = "\n".join(indented(indented(block.lines)))
    operation = (
        f'"stablehlo.reduce"({x.name}, {initial.name}) <{{dimensions = array<i64{_array(axes)}>}}> '
        f"({{\n  ^bb0({first}: {scalar}, {second}: {scalar}):\n{inside}\n}}) : "
        f"({x.type}, {scalar}) -> {tensor(x.dtype, shape)}"
    )
    return x.made(operation, x.dtype, shape)


def _array(numbers: Sequence[int]) -> str:
    return f": {_list(numbers)}" if len(numbers) else ""


def row_of(rows: HloTerm, number: HloTerm) -> HloTerm:
    """``rows[number]``, which is there."""
    places = _places(rows, number)
    sizes = _list([1, *rows.shape[1:]])
    to = tensor(rows.dtype, (1, *rows.shape[1:]))
    operation = f"stablehlo.dynamic_slice {rows.name}, {places}, sizes = [{sizes}]"
    types = f"({', '.join([rows.type, *[tensor(LONG, ())] * len(rows.shape)])})"
    found = rows.made(f"{operation} : {types} -> {to}", rows.dtype, (1, *rows.shape[1:]))
    return found.reshaped(rows.shape[1:])


def with_row(rows: HloTerm, number: HloTerm, row: HloTerm) -> HloTerm:
    """The rows with another one in the place of ``rows[number]``."""
    row = row.reshaped((1, *rows.shape[1:]))
    places = _places(rows, number)
    operation = f"stablehlo.dynamic_update_slice {rows.name}, {row.name}, {places}"
    types = ", ".join([rows.type, row.type, *[tensor(LONG, ())] * len(rows.shape)])
    return rows.made(f"{operation} : ({types}) -> {rows.type}", rows.dtype, rows.shape)


def _places(rows: HloTerm, number: HloTerm) -> str:
    zero = known(rows.text, 0, LONG)
    return ", ".join([number.name, *[zero.name] * (len(rows.shape) - 1)])


def all_true(flags: HloTerm) -> HloTerm:
    """Whether all are; there may be none."""
    if not flags.shape:
        return flags
    return reduced(flags, lambda x, y: x & y, True, range(len(flags.shape)))


def repeated(text: Text, test: Callable, body: Callable, state: Sequence[Any]) -> tuple[Any, ...]:
    """The state after ``while test(*state): state = body(*state)`` of each element."""
    dtype = next(x.dtype for x in state if isinstance(x, HloTerm))
    start = [x if isinstance(x, HloTerm) else known(text, x, dtype) for x in state]
    start = _together(*start)

    inside = [HloTerm(text, text.new(), x.dtype, x.shape) for x in start]
    with text.region() as tested:
        flags = test(*inside)
        flags = flags if isinstance(flags, HloTerm) else known(text, flags, BOOL)
        tested.lines.append(returned([~all_true(~flags)]))
    with text.region() as trip:
        own = test(*inside)
        new = [_same_type(text, y, x) for x, y in zip(inside, body(*inside))]
        trip.lines.append(returned([kernels.select(own, y, x) for x, y in zip(inside, new)]))
    return tuple(while_loop(text, tested, trip, inside, start))


def _same_type(text: Text, found: Any, like: HloTerm) -> HloTerm:
    found = found if isinstance(found, HloTerm) else known(text, found, like.dtype)
    return found.cast(like.dtype).expanded(like.shape)


def while_loop(
    text: Text,
    tested: HloBlock,
    trip: HloBlock,
    inside: Sequence[HloTerm],
    start: Sequence[HloTerm],
) -> list[HloTerm]:
    """The state after the trips of a loop, whose blocks are written.

    Args:
        inside: the state in these.
        start: the state before.
    """
    given = ", ".join(f"{name.name} = {x.name}" for name, x in zip(inside, start))
    types = ", ".join(x.type for x in start)
    lines = [
        f"stablehlo.while({given}) : {types}",
        "cond {",
        *indented(tested.lines),
        "} do {",
        *indented(trip.lines),
        "}",
    ]
    results = text.let_many("\n".join(lines), len(start))
    return [HloTerm(text, name, x.dtype, x.shape) for name, x in zip(results, start)]


def returned(terms: Sequence[HloTerm]) -> str:
    if not terms:
        return "stablehlo.return"
    names = ", ".join(x.name for x in terms)
    return f"stablehlo.return {names} : {', '.join(x.type for x in terms)}"


def chosen(
    text: Text, test: HloTerm, blocks: Sequence[HloBlock], like: Sequence[HloTerm]
) -> list[HloTerm]:
    """What one of two blocks, which are written, gives: the first if the test is true.

    Args:
        like: results of the types of theirs.
    """
    types = ", ".join(x.type for x in like)
    then, orelse = ("\n".join(indented(block.lines)) for block in blocks)
    operation = (
        f'"stablehlo.if"({test.name}) ({{\n{then}\n}}, {{\n{orelse}\n}}) : '
        f"({test.type}) -> ({types})"
    )
    if not like:
        text.block.lines.append(operation)
        return []
    names = text.let_many(operation, len(like))
    return [HloTerm(text, name, x.dtype, x.shape) for name, x in zip(names, like)]
