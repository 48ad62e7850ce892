"""Arrays whose lengths only the run knows: parts such as ``x[:i]`` of arrays of known shape, and
what is computed of them, element by element.

Such an array is no memory but a way to compute an element of it, besides its lengths. It is put
into memory (of the size of the largest that it can be) before something is written that it may
have been computed from: so writing comes last. A loop goes over it where it is summed, or where it
is written into a part of an array. Where two lengths would have to be the same and are not, the
kernel gives up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from autograph.graph.graph import Constant, Node, Value
from autograph.kernels import ir
from autograph.kernels.ir import LONG, Operand
from autograph.kernels.lowering import scalars, writes
from autograph.kernels.lowering.nests import combined
from autograph.kernels.lowering.values import CannotLower, Measured, Memory, shape_of
from ops import kernels
from ops.index_maps import place
from ops.indexing import set_element
from ops.registry import Elementwise
from ops.types import ArrayType

if TYPE_CHECKING:
    from autograph.kernels.lowering.block import Lowering

_MOST_ELEMENTS = 1 << 24  # of the memory for one
_LARGE_STEP = 1 << 32
_NAMES = ("getitem", "copy", "cast", "length", "reshape", "transpose", "index_update")
_EXTREMA = {"argmax": "max", "argmin": "min"}


def has_unknown(node: Node) -> bool:
    """Whether a node has to do with lengths that only the run knows."""
    return any(
        isinstance(v.type, ArrayType) and not v.type.is_static
        for v in (*node.inputs, *node.outputs)
    ) or (node.op.name == "index_update" and _is_cut(node.attrs["index"]))


def is_native(node: Node) -> bool:
    """Whether a kernel can compute a node that has to do with such lengths."""
    op = node.op
    if any(isinstance(v, Constant) and v.is_array for v in node.inputs) or node.regions:
        return False
    if op.name in ("getitem", "index_update"):
        return all(_is_simple(entry) for entry in node.attrs["index"])
    if op.name in _EXTREMA:
        return len(node.inputs[0].type.shape) == 1 and node.outputs[0].type.shape == ()
    if op.fold is not None:
        given, axes = node.inputs[0].type, _reduced_axes(node)
        kept = len(given.shape) - len(axes)
        if len(axes) != 1 or kept > 1 or len(node.outputs[0].type.shape) != kept:
            return False
        return not kept or op.fold.combine not in ("min", "max")
    if op.name == "matmul":
        kinds = {v.type.dtype.kind for v in node.inputs}
        ndims = [len(v.type.shape) for v in node.inputs]
        return ndims in ([1, 1], [1, 2], [2, 1]) and kinds <= set("iuf")
    return (isinstance(op, Elementwise) and bool(op.kernels)) or op.name in _NAMES


def _is_simple(entry: tuple) -> bool:
    match entry:
        case ("int", int()) | ("arg", int(), *_):
            return True
        case ("slice", _, _, step):
            return not isinstance(step, int) or step > 0
    return False


def _is_cut(spec: Sequence[tuple]) -> bool:
    """Whether a subscript has bounds of slices that only the run knows."""
    return any(
        entry[0] == "slice" and any(isinstance(b, tuple) for b in entry[1:]) for entry in spec
    )


def settle(lowering: Lowering) -> None:
    """Put into memory what is used later, before something is written."""
    for value, held in list(lowering.env.maps[0].items()):
        if isinstance(held, Measured) and not held.settled:
            if lowering.plan.is_used_after(value, lowering.position):
                lowering.env[value] = in_memory(lowering, value, held)
            else:
                del lowering.env[value]


def in_memory(lowering: Lowering, value: Value, held: Measured) -> Measured:
    """The same array, all of which is in memory of its own."""
    return held if held.settled else _copied(lowering, value, held)[0]


def _copied(
    lowering: Lowering, value: Value, held: Measured
) -> tuple[Measured, Callable[[Sequence[Operand], Operand], None]]:
    """A copy of an array in new memory, and what changes an element of that."""
    size = math.prod(held.most)
    if size > _MOST_ELEMENTS:
        raise CannotLower("a large array of unknown length")
    memory = lowering.allocate(value.type.dtype, max(size, 1), value.name)

    def at(index: Sequence[Operand]) -> Operand:
        number = lowering.b.long(0)
        for i, n in zip(index, held.most):
            number = number * n + i
        return memory.start + number

    def store(index: Sequence[Operand], element: Operand) -> None:
        lowering.b.store(memory.buffer, at(index), element)

    def load(index: Sequence[Operand]) -> Operand:
        return lowering.b.load(memory.buffer, at(index))

    _over(lowering, held.lengths, lambda index: store(index, held.element(index)))
    return Measured(held.lengths, held.most, load, True), store


def _over(
    lowering: Lowering,
    lengths: Sequence[Operand],
    body: Callable[[tuple[Operand, ...]], None],
    index: tuple[Operand, ...] = (),
) -> None:
    """Loops over all indices."""
    b, count = lowering.b, lengths[len(index)]
    if len(index) + 1 < len(lengths) or lowering.serial:

        def trip(i: Operand) -> tuple:
            if len(index) + 1 < len(lengths):
                _over(lowering, lengths, body, (*index, i))
            else:
                body((*index, i))
            return ()

        b.for_(count, (), trip)
        return
    with b.each(count) as i:
        body((*index, i))


def lower(lowering: Lowering, node: Node) -> None:
    """Add what computes a node that has to do with unknown lengths."""
    if not is_native(node):
        raise CannotLower(f"'{node.op.name}' of an array of unknown length", node.location)
    result = node.outputs[0]
    name = node.op.name
    if name == "index_update":
        _write(lowering, node)
        return
    if name == "length":
        found: Any = _measured(lowering, node.inputs[0]).lengths[node.attrs["axis"]]
        found = lowering.b.cast(found, result.type.dtype)
    elif name in _EXTREMA:
        found = _extremum(lowering, node)
    elif node.op.fold is not None:
        found = _reduced(lowering, node)
    elif name == "matmul":
        found = _product(lowering, node)
    elif name == "transpose":
        found = _transposed(lowering, node)
    elif name == "getitem":
        found = _part(lowering, node)
    elif name == "reshape":
        found = _reshaped(lowering, node)
    else:
        found = _computed(lowering, node)
    if isinstance(found, Measured) and result.type.is_static:
        found = _of_known_shape(lowering, result, found)
    lowering.env[result] = found


def _of_known_shape(lowering: Lowering, value: Value, found: Measured) -> Memory:
    """An array in memory. Its shape was known before."""
    shape = shape_of(value)
    for n, length in zip(shape, found.lengths):
        kernels.require(length == lowering.b.long(n))
    settle(lowering)
    memory = lowering.give_memory(value)
    _over(
        lowering,
        tuple(map(lowering.b.long, shape)),
        lambda index: lowering.store(value, index, found.element(index)),
    )
    return memory


def _measured(lowering: Lowering, value: Value) -> Measured:
    """An operand, also if its lengths are known."""
    held = lowering.env.get(value)
    if isinstance(held, Measured):
        return held
    memory, shape = lowering.memory(value), shape_of(value)

    def element(index: Sequence[Operand]) -> Operand:
        number = lowering.b.long(0)
        for i, n in zip(index, shape):
            number = number * n + i
        return lowering.b.load(memory.buffer, memory.start + number)

    return Measured(tuple(map(lowering.b.long, shape)), shape, element)


# -- parts of arrays -------------------------------------------------------------------------------


class _Cut:
    """What subscripts select of an array."""

    def __init__(
        self, lowering: Lowering, node: Node, first: int, lengths: Sequence[Operand], most: tuple
    ):
        """Compute bounds.

        Args:
            first: the node's operand that subscripts count from.
            lengths: of the array.
            most: what these are at most.
        """
        self.axes: list[
            tuple[Operand, Operand] | Operand
        ] = []  # where slices start, and their steps
        self.lengths: list[Operand] = []
        self.most: list[int] = []
        b, spec = lowering.b, node.attrs["index"]

        def number(given: Any) -> Operand:
            if not isinstance(given, tuple):
                return b.long(given)
            value = node.inputs[first + given[0]]
            if value.type.shape or value.type.dtype.kind not in "iu":
                raise CannotLower("a bound of a slice that is no number", node.location)
            return b.cast(lowering.scalar(value), LONG)

        def bound(given: Any, length: Operand, default: Operand) -> Operand:
            if given is None:
                return default
            i = number(given)
            i = kernels.select(i < 0, i + length, i)
            i = kernels.select(i < 0, b.long(0), i)
            return kernels.select(i > length, length, i)

        for axis, (length, n) in enumerate(zip(lengths, most)):
            entry = spec[axis] if axis < len(spec) else ("slice", None, None, None)
            match entry:
                case ("int", k):
                    i = b.long(k)
                    self._require_inside(i, length)
                    self.axes.append(kernels.select(i < 0, i + length, i))
                case ("arg", j, *rest):
                    value = node.inputs[first + j]
                    if value.type.shape or value.type.dtype.kind not in "iu":
                        raise CannotLower("an index that is no number", node.location)
                    i = place(lowering.scalar(value), value.type, length, rest == ["distinct"])
                    self.axes.append(i)
                case ("slice", start, stop, step):
                    low = bound(start, length, b.long(0))
                    high = bound(stop, length, length)
                    count = kernels.select(high > low, high - low, b.long(0))
                    known = step or 1
                    step = number(known)
                    kernels.require((step > 0) & (step < _LARGE_STEP))
                    if not isinstance(step, ir.Number) or step.value > 1:
                        count = b.compute("quotient", count + (step - 1), step)
                    self.axes.append((low, step))
                    self.lengths.append(count)
                    self.most.append(-(-n // known) if isinstance(known, int) else n)

    @staticmethod
    def _require_inside(i: Operand, length: Operand) -> None:
        kernels.require((i >= -length) & (i < length))

    def place(self, index: Sequence[Operand]) -> tuple[Operand, ...]:
        """Where in the array an element of the part is."""
        inner = iter(index)
        return tuple(
            next(inner) * axis[1] + axis[0] if isinstance(axis, tuple) else axis
            for axis in self.axes
        )


def _part(lowering: Lowering, node: Node) -> Measured | Operand:
    source = _measured(lowering, node.inputs[0])
    cut = _Cut(lowering, node, 1, source.lengths, source.most)
    if not cut.lengths:
        return source.element(cut.place(()))
    return Measured(
        tuple(cut.lengths), tuple(cut.most), lambda index: source.element(cut.place(index))
    )


def _reshaped(lowering: Lowering, node: Node) -> Measured:
    """Axes of length 1 added, or taken away."""
    source = _measured(lowering, node.inputs[0])
    given, wanted = node.inputs[0].type.shape, node.outputs[0].type.shape
    axes = [axis for axis, n in enumerate(given) if n != 1]
    places = [axis for axis, n in enumerate(wanted) if n != 1]
    if len(axes) != len(places):
        raise CannotLower("a new shape of an array of unknown length", node.location)
    operands = iter(node.inputs[1:])
    for axis, target in zip(axes, places):
        length = wanted[target]
        if length is None and len(node.inputs) > 1:
            length = lowering.b.cast(lowering.scalar(next(operands)), LONG)
        if length is not None:
            kernels.require(source.lengths[axis] == lowering.b.long(length))
    b = lowering.b
    lengths, most = [b.long(1)] * len(wanted), [1] * len(wanted)
    for axis, target in zip(axes, places):
        lengths[target], most[target] = source.lengths[axis], source.most[axis]

    def element(index: Sequence[Operand]) -> Operand:
        at = [b.long(0)] * len(given)
        for axis, target in zip(axes, places):
            at[axis] = index[target]
        return source.element(at)

    return Measured(tuple(lengths), tuple(most), element, source.settled)


# -- element by element ----------------------------------------------------------------------------


def _computed(lowering: Lowering, node: Node) -> Measured:
    b, result = lowering.b, node.outputs[0]
    types = [v.type for v in node.inputs]
    if isinstance(node.op, Elementwise):
        scalars.computed_in(node.op, tuple(t._replace(shape=()) for t in types))
    ndim = len(result.type.shape)
    given = [_measured(lowering, v) if v.type.shape else None for v in node.inputs]
    numbers = [None if v.type.shape else lowering.scalar(v) for v in node.inputs]
    lengths: list[Operand] = [b.long(1)] * ndim
    most = [1] * ndim
    for value, array in zip(node.inputs, given):
        if array is None:
            continue
        behind = ndim - len(array.lengths)
        for axis, (n, length) in enumerate(zip(value.type.shape, array.lengths), behind):
            if n == 1:
                continue
            if isinstance(lengths[axis], ir.Number) and lengths[axis].value == 1:
                lengths[axis], most[axis] = length, array.most[axis - behind]
            else:
                kernels.require(lengths[axis] == length)
                most[axis] = min(most[axis], array.most[axis - behind])

    def element(index: Sequence[Operand]) -> Operand:
        operands = []
        for value, array, known in zip(node.inputs, given, numbers):
            if array is not None:
                own = index[ndim - len(array.lengths) :]
                at = [b.long(0) if n == 1 else i for n, i in zip(value.type.shape, own)]
                known = array.element(at)
            operands.append(known)
        if isinstance(node.op, Elementwise):
            return scalars.apply(node.op, types, result.type, operands, node.location)
        return b.cast(operands[0], result.type.dtype)

    return Measured(tuple(lengths), tuple(most), element)


# -- sums ------------------------------------------------------------------------------------------


def _total(
    lowering: Lowering, count: Operand, combine: str, start: Any, element: Callable
) -> Operand:
    """The elements of a loop combined."""
    b = lowering.b
    if lowering.serial:
        with b.block():  # to learn its dtype; what it adds is forgotten
            dtype = element((ir.Var(LONG),)).dtype
        init = ir.Number(start, dtype)
        return b.for_(
            count, (init,), lambda i, so_far: (combined(combine, so_far, element((i,))),)
        )[0]
    reductions: list[ir.Reduction] = []
    with b.each(count, "vector", reductions) as i:
        reductions.append(b.reduction(combine, element((i,)), start))
    return reductions[0].out


def _totals(
    lowering: Lowering,
    result: Value,
    matrix: Measured,
    axis: int,
    how: tuple[str, Any],
    element: Callable[[Operand, Operand], Operand],
) -> Measured:
    """Elements of a matrix combined along an axis, in memory.

    Args:
        how: what combines, and what they start from.
        element: for a row and a column.
    """
    b, (combine, start) = lowering.b, how
    most = matrix.most[1 - axis]
    if most > _MOST_ELEMENTS:
        raise CannotLower("a large array of unknown length")
    memory = lowering.allocate(result.type.dtype, max(most, 1), result.name)

    def store(i: Operand, total: Operand) -> None:
        b.store(memory.buffer, memory.start + i, total)

    def row(i: Operand) -> tuple:
        if axis == 1:
            count = matrix.lengths[1]
            store(i, _total(lowering, count, combine, start, lambda at: element(i, *at)))
            return ()

        def add(at: tuple[Operand, ...]) -> None:
            before = b.load(memory.buffer, memory.start + at[0])
            store(at[0], combined(combine, before, element(i, *at)))

        _over(lowering, (matrix.lengths[1],), add)
        return ()

    if axis == 0:
        nothing = ir.Number(start, result.type.dtype)
        _over(lowering, (matrix.lengths[1],), lambda at: store(at[0], nothing))
    b.for_(matrix.lengths[0], (), row)
    return Measured(
        (matrix.lengths[1 - axis],),
        (most,),
        lambda at: b.load(memory.buffer, memory.start + at[0]),
        True,
    )


def _extremum(lowering: Lowering, node: Node) -> Operand:
    """The place of the first of the greatest, or smallest, elements, or of the first NaN."""
    b, array = lowering.b, _measured(lowering, node.inputs[0])
    kernels.require(array.lengths[0] > 0)
    first = array.element((b.long(0),))
    greater = _EXTREMA[node.op.name] == "max"

    def trip(i: Operand, best: Operand, at: Operand) -> tuple[Operand, Operand]:
        x = array.element((i,))
        better = x > best if greater else x < best
        if x.dtype.kind == "f":
            better = (better | (x != x)) & (best == best)
        return kernels.select(better, x, best), kernels.select(better, i, at)

    if first.dtype.kind == "b":
        raise CannotLower("the place of an extremum of bools", node.location)
    _, at = b.for_(array.lengths[0], (first, b.long(0)), trip)
    return b.cast(at, node.outputs[0].type.dtype)


def _reduced_axes(node: Node) -> tuple[int, ...]:
    return tuple(node.op.fold.axes(node.inputs[0].type, node.attrs))


def _transposed(lowering: Lowering, node: Node) -> Measured:
    source, axes = _measured(lowering, node.inputs[0]), node.attrs["axes"]

    def element(index: Sequence[Operand]) -> Operand:
        return source.element([index[axes.index(axis)] for axis in range(len(axes))])

    return Measured(
        tuple(source.lengths[axis] for axis in axes),
        tuple(source.most[axis] for axis in axes),
        element,
        source.settled,
    )


def _reduced(lowering: Lowering, node: Node) -> Operand | Measured:
    fold, result = node.op.fold, node.outputs[0]
    array = _measured(lowering, node.inputs[0])
    dtype = result.type.dtype
    if result.type.shape:
        (axis,) = _reduced_axes(node)
        return _totals(
            lowering,
            result,
            array,
            axis,
            (fold.combine, fold.start(dtype)),
            lambda i, j: fold.before(array.element((i, j)), dtype),
        )
    if fold.combine in ("min", "max"):
        kernels.require(array.lengths[0] > 0)
    return _total(
        lowering,
        array.lengths[0],
        fold.combine,
        fold.start(dtype),
        lambda index: fold.before(array.element(index), dtype),
    )


def _product(lowering: Lowering, node: Node) -> Operand | Measured:
    x, y = (_measured(lowering, v) for v in node.inputs)
    dtype = node.outputs[0].type.dtype
    kernels.require(x.lengths[-1] == y.lengths[0])
    if len(x.lengths) + len(y.lengths) == 3:
        matrix = x if len(x.lengths) == 2 else y
        first = matrix is x

        def term(i: Operand, j: Operand) -> Operand:
            a = x.element((i, j) if first else (i,))
            b = y.element((j,) if first else (i, j))
            return lowering.b.cast(a, dtype) * lowering.b.cast(b, dtype)

        return _totals(lowering, node.outputs[0], matrix, int(first), ("+", 0), term)

    def element(index: Sequence[Operand]) -> Operand:
        a, b = x.element(index), y.element(index)
        return lowering.b.cast(a, dtype) * lowering.b.cast(b, dtype)

    return _total(lowering, x.lengths[0], "+", 0, element)


# -- changes ---------------------------------------------------------------------------------------


def _write(lowering: Lowering, node: Node) -> None:
    """``x[index] = value`` for a part of unknown length."""
    b = lowering.b
    array, value = node.inputs[:2]
    if isinstance(array, Constant):
        raise CannotLower("an array constant that is changed", node.location)
    shape = shape_of(array)
    source = None if array.type.is_static else _measured(lowering, array)
    lengths = tuple(map(b.long, shape)) if source is None else source.lengths
    cut = _Cut(lowering, node, 2, lengths, shape if source is None else source.most)
    given = number = None
    if value.type.shape:
        given = in_memory(lowering, value, _measured(lowering, value))
        lowering.env[value] = given
    else:
        number = lowering.scalar(value)
    settle(lowering)
    memory = None
    if source is None:
        memory = writes.changeable(lowering, node, array)
    else:
        result, store = _copied(lowering, array, source)
    own = value.type.shape
    if len(own) > len(cut.lengths):
        raise CannotLower("a value with more axes than the part", node.location)
    behind = len(cut.lengths) - len(own)
    if given is not None:
        for n, length, wanted in zip(own, given.lengths, cut.lengths[behind:]):
            if n != 1:
                kernels.require(length == wanted)

    def change(index: tuple[Operand, ...]) -> None:
        element = number
        if given is not None:
            element = given.element(
                [b.long(0) if n == 1 else i for n, i in zip(own, index[behind:])]
            )
        element = set_element(element, array.type, value.type)
        if memory is None:
            store(cut.place(index), element)
            return
        at = b.long(0)
        for i, n in zip(cut.place(index), shape):
            at = at * n + i
        b.store(memory.buffer, memory.start + at, element)

    if cut.lengths:
        _over(lowering, cut.lengths, change)
    else:
        change(())
    lowering.env[node.outputs[0]] = result if memory is None else memory
