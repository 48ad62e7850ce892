"""What loops and branches keep for their backward pass, as arrays.

A *pack* is its values side by side. Branches may leave packs of different values: then it is those
of either, of which one holds zeros; what opens it says which values it wants. A *stack* is a
number of packs, and a column for each value of a pack, of which only so many rows count: taking the
top off changes no more than the number. Where rows have different lengths (a list that grows, or a
stack that an inner loop has left) they lie one after the other in their column, and another one has
their lengths.

A *layout* says which arrays there are: ``("leaf", dtype, shape, weak)``, ``("pack", parts)``,
``("either", packs)``, ``("stack", layout of its packs)``, where None stands for one on which there
never was any, or ``("nothing",)`` for what is not known yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.export import layouts
from autograph.export.layouts import NOTHING, Layout
from autograph.export.onnx_model.nodes import LONG, Nodes, zeros
from autograph.export.onnx_model.refusals import refuse
from autograph.export.onnx_model.terms import Tensor, known
from ops.core.types import ArrayType, PackType, Type

Array = tuple[np.dtype, tuple[int | None, ...]]  # dtype and shape

EMPTY: Layout = ("stack", None)


@dataclass(frozen=True, eq=False)
class KeptArrays:
    """A pack or a stack.

    Attributes:
        layout: which arrays it is.
        terms: these.
        pushed: of a stack, what it was before its top was pushed, and that.
    """

    layout: Layout
    terms: tuple[Tensor, ...]
    pushed: tuple[KeptArrays, KeptArrays] | None = None


def leaf(type: ArrayType) -> Layout:
    return ("leaf", type.dtype.str, type.shape, type.weak)


def arrays(layout: Layout) -> Iterator[Array]:
    """The arrays of a layout."""
    match layout:
        case ("leaf", dtype, shape, _):
            yield np.dtype(dtype), shape
        case ("pack" | "either", parts):
            for part in parts:
                yield from arrays(part)
        case ("stack", element):
            yield LONG, ()
            if element is not None:
                for array in arrays(element):
                    yield from columns(array)


def columns(array: Array) -> list[Array]:
    """Those in which the rows of a stack hold an array."""
    dtype, shape = array
    if None not in shape:
        return [(dtype, (None, *shape))]
    return [(dtype, (None, *shape[1:])), (LONG, (None,))]


def count(layout: Layout) -> int:
    return sum(1 for _ in arrays(layout))


def width(layout: Layout) -> int:
    """How many columns packs of a layout have on a stack."""
    return sum(len(columns(array)) for array in arrays(layout))


# -- layouts that may come to one place ------------------------------------------------------------


def united(nodes: Nodes, a: Layout, b: Layout) -> Layout:
    """The layout of what may be of either."""

    def of_stacks(a: Layout, b: Layout) -> Layout:
        inner = a[1] if b[1] is None else b[1] if a[1] is None else united(nodes, a[1], b[1])
        return ("stack", inner)

    return layouts.united(a, b, of_stacks, lambda message: refuse(message, nodes.place))


def converted(nodes: Nodes, kept: KeptArrays, layout: Layout) -> tuple[Tensor, ...]:
    """The arrays of what is of one layout, in a wider one."""
    return tuple(_Widening(nodes).widened(list(kept.terms), kept.layout, layout))


class _Widening(layouts.Widening[Tensor]):
    """Of arrays by themselves."""

    def __init__(self, nodes: Nodes):
        self.nodes = nodes

    def count(self, layout: Layout) -> int:
        return count(layout)

    def fill(self, array: Array) -> list[Tensor]:
        """What stands for an array that is not there."""
        dtype, shape = array
        return [known(self.nodes, zeros(dtype, shape))]

    def nothing(self, layout: Layout) -> list[Tensor]:
        return [term for array in arrays(layout) for term in self.fill(array)]

    def stack(self, terms: list[Tensor], a: Layout, b: Layout) -> list[Tensor]:
        if a[1] is None:  # a stack on which nothing was
            first = self.count(EMPTY)
            rest = list(arrays(b))[1:]
            return [*terms[:first], *(term for array in rest for term in self.fill(array))]
        number = terms[0]
        return [number, *self.columns(number).widened(terms[1:], a[1], b[1])]

    def columns(self, number: Tensor) -> _Widening:
        """The same of the columns of a stack of so many packs."""
        return _OfColumns(self.nodes, number)


class _OfColumns(_Widening):
    def __init__(self, nodes: Nodes, number: Tensor):
        super().__init__(nodes)
        self.number = number

    def count(self, layout: Layout) -> int:
        return width(layout)

    def fill(self, array: Array) -> list[Tensor]:
        return _empty_rows(self.nodes, self.number, array)

    def columns(self, number: Tensor) -> _Widening:
        raise refuse("what nested loops keep for a gradient differs", self.nodes.place)


def _empty_rows(nodes: Nodes, number: Tensor, array: Array) -> list[Tensor]:
    """Columns of so many rows of zeros, or of nothing."""
    dtype, shape = array
    many = number.reshaped([1])
    if None in shape:
        rest = known(nodes, zeros(dtype, (None, *shape[1:])))
        return [rest, known(nodes, np.zeros(1, LONG)).expanded(many.name)]
    if not shape:
        return [known(nodes, np.zeros(1, dtype)).expanded(many.name)]
    whole = many.made("Concat", many.longs(list(shape)), axis=0)
    return [known(nodes, zeros(dtype, (1, *shape))).expanded(whole.name)]


# -- packs -----------------------------------------------------------------------------------------


def packed(parts: Sequence[tuple[Any, Type]]) -> KeptArrays:
    """A pack of values."""
    layouts: list[Layout] = []
    terms: list[Tensor] = []
    for part, type in parts:
        if isinstance(part, KeptArrays):
            layouts.append(part.layout)
            terms += part.terms
        else:
            assert isinstance(type, ArrayType)
            layouts.append(leaf(type))
            terms.append(part)
    return KeptArrays(("pack", tuple(layouts)), tuple(terms))


def opened(nodes: Nodes, pack: KeptArrays, types: Sequence[Type]) -> list[Any]:
    """The values in a pack, of which these are the types; zeros where there is nothing."""
    if pack.layout == NOTHING:
        return [_nothing_of(nodes, type) for type in types]
    start = 0
    for option in layouts.options(pack.layout):
        if _fits(option, types):
            parts = zip(_parts(pack, option, start), option[1], types)
            return [_nothing_of(nodes, t) if p == NOTHING else found for found, p, t in parts]
        start += count(option)
    raise refuse("what a branch keeps for its gradient is not known where it is used", nodes.place)


def _nothing_of(nodes: Nodes, type: Type) -> Any:
    if isinstance(type, ArrayType):
        return known(nodes, zeros(type.dtype, type.shape))
    return KeptArrays(NOTHING, ())


def _fits(option: Layout, types: Sequence[Type]) -> bool:
    if len(option[1]) != len(types):
        return False
    for part, type in zip(option[1], types):
        if isinstance(type, ArrayType):
            if part not in (leaf(type), NOTHING):
                return False
        elif part[0] not in ("nothing", *(("pack", "either") if _is_pack(type) else ("stack",))):
            return False
    return True


def _is_pack(type: Type) -> bool:
    return isinstance(type, PackType)


def _parts(pack: KeptArrays, option: Layout, start: int) -> Iterator[Any]:
    for part in option[1]:
        end = start + count(part)
        terms = pack.terms[start:end]
        yield terms[0] if part[0] == "leaf" else KeptArrays(part, terms)
        start = end


# -- stacks ----------------------------------------------------------------------------------------


def pushed(nodes: Nodes, stack: KeptArrays, pack: KeptArrays) -> KeptArrays:
    """A stack with one pack more."""
    if stack.layout == NOTHING:
        stack = KeptArrays(EMPTY, (known(nodes, 0, LONG),), stack.pushed)
    element = united(
        nodes, pack.layout if stack.layout[1] is None else stack.layout[1], pack.layout
    )
    layout: Layout = ("stack", element)
    number, *found = converted(nodes, stack, layout)
    terms = converted(nodes, pack, element)
    below = number.reshaped([1])
    result: list[Tensor] = [number.made("Add", number.longs(1))]
    place = 0
    for array, term in zip(arrays(element), terms):
        rows = found[place : place + len(columns(array))]
        if len(rows) == 1:
            result.append(_joined(_first(rows[0], below), term.unsqueezed([0])))
        else:
            lengths = _first(rows[1], below)
            total = lengths.made("ReduceSum", lengths.longs([0]), keepdims=1)
            result.append(_joined(_first(rows[0], total), term))
            own = term.made("Shape", dtype=LONG, start=0, end=1)
            result.append(_joined(lengths, own))
        place += len(rows)
    return KeptArrays(layout, tuple(result), (stack, pack))


def _first(rows: Tensor, number: Tensor) -> Tensor:
    return rows.made("Slice", rows.longs([0]), number, rows.longs([0]))


def _joined(rows: Tensor, more: Tensor) -> Tensor:
    return rows.made("Concat", more, axis=0)


def popped(nodes: Nodes, stack: KeptArrays) -> tuple[KeptArrays, KeptArrays]:
    """What is below the top of a stack, and that."""
    if stack.layout in (NOTHING, EMPTY):
        return stack, KeptArrays(NOTHING, ())
    number, *found = stack.terms
    number = number.made("Sub", number.longs(1))
    element = stack.layout[1]
    terms: list[Tensor] = []
    place = 0
    for array in arrays(element):
        rows = found[place : place + len(columns(array))]
        if len(rows) == 1:
            terms.append(rows[0].gathered(number))
        else:
            at = number.reshaped([1])
            lengths = _first(rows[1], at)
            start = lengths.made("ReduceSum", lengths.longs([0]), keepdims=1)
            end = start.made("Add", rows[1].gathered(at))
            terms.append(rows[0].made("Slice", start, end, rows[0].longs([0])))
        place += len(rows)
    return KeptArrays(stack.layout, (number, *found)), KeptArrays(element, tuple(terms))


# -- cotangents ------------------------------------------------------------------------------------


def added(nodes: Nodes, a: KeptArrays, b: KeptArrays) -> KeptArrays:
    """The sum of two cotangents of a pack or a stack; nothing is zero."""
    if a.layout == NOTHING or b.layout == NOTHING:
        return b if a.layout == NOTHING else a
    if _has_stack(a.layout) or _has_stack(b.layout):
        raise refuse("a gradient of a gradient adds up what two loops keep", nodes.place)
    layout = united(nodes, a.layout, b.layout)
    pairs = zip(converted(nodes, a, layout), converted(nodes, b, layout), arrays(layout))
    terms = [x.made("Add", y) if dtype.kind == "f" else x for x, y, (dtype, _) in pairs]
    return KeptArrays(layout, tuple(terms))


def _has_stack(layout: Layout) -> bool:
    if layout[0] in ("pack", "either"):
        return any(_has_stack(part) for part in layout[1])
    return layout[0] == "stack"
