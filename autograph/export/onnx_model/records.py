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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.export.onnx_model.nodes import LONG, Nodes, zeros
from autograph.export.onnx_model.refusals import refuse
from autograph.export.onnx_model.terms import Tensor, known
from ops.core.types import ArrayType, PackType, Type

Layout = tuple[Any, ...]
Array = tuple[np.dtype, tuple[int | None, ...]]  # dtype and shape

NOTHING: Layout = ("nothing",)
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
    if a == b or b == NOTHING:
        return a
    if a == NOTHING:
        return b
    if a[0] == "stack" and b[0] == "stack":
        inner = a[1] if b[1] is None else b[1] if a[1] is None else united(nodes, a[1], b[1])
        return ("stack", inner)
    if "leaf" in (a[0], b[0]) or "stack" in (a[0], b[0]):
        raise refuse("what a loop keeps for its gradient differs from trip to trip", nodes.place)
    found = list(_options(a))
    for option in _options(b):
        for place, other in enumerate(found):
            if _alike(option, other):
                parts = tuple(united(nodes, x, y) for x, y in zip(other[1], option[1]))
                found[place] = ("pack", parts)
                break
        else:
            found.append(option)
    return found[0] if len(found) == 1 else ("either", tuple(found))


def _options(layout: Layout) -> Sequence[Layout]:
    return layout[1] if layout[0] == "either" else [layout]


def _alike(a: Layout, b: Layout) -> bool:
    """Whether packs hold values of the same types, so that nobody could tell them apart."""
    if len(a[1]) != len(b[1]):
        return False
    return all(x == y if "leaf" in (x[0], y[0]) else _same_kind(x, y) for x, y in zip(a[1], b[1]))


def _same_kind(x: Layout, y: Layout) -> bool:
    kinds = {"either": "pack", "nothing": None}
    a, b = (kinds.get(z[0], z[0]) for z in (x, y))
    return a == b or None in (a, b)


Fill = Callable[[Array], list[Tensor]]


def converted(nodes: Nodes, kept: KeptArrays, layout: Layout) -> tuple[Tensor, ...]:
    """The arrays of what is of one layout, in a wider one."""

    def fill(array: Array) -> list[Tensor]:
        dtype, shape = array
        return [known(nodes, zeros(dtype, shape))]

    return tuple(_moved(nodes, list(kept.terms), kept.layout, layout, fill, count))


def _moved(
    nodes: Nodes,
    terms: list[Tensor],
    a: Layout,
    b: Layout,
    fill: Fill,
    size: Callable[[Layout], int],
) -> list[Tensor]:
    """Args: fill: what stands for an array that is not there; size: how many terms a layout has."""
    if a == b:
        return terms
    if a == NOTHING:
        return [term for array in arrays(b) for term in fill(array)]
    found: list[Tensor] = []
    if b[0] == "pack":
        for x, y in zip(a[1], b[1]):
            part, terms = terms[: size(x)], terms[size(x) :]
            found += _moved(nodes, part, x, y, fill, size)
        return found
    if b[0] == "either":
        given = []
        for option in _options(a):
            given.append((option, terms[: size(option)]))
            terms = terms[size(option) :]
        for option in b[1]:
            own = next(((o, t) for o, t in given if _alike(o, option)), (NOTHING, []))
            found += _moved(nodes, own[1], own[0], option, fill, size)
        return found
    if a[1] is None:  # a stack on which nothing was
        first = size(("stack", None))
        rest = list(arrays(b))[1:]
        return [*terms[:first], *(term for array in rest for term in fill(array))]
    if size is not count:
        raise refuse("what nested loops keep for a gradient differs", nodes.place)
    number = terms[0]

    def fill_rows(array: Array) -> list[Tensor]:
        return _empty_rows(nodes, number, array)

    inner = _moved(nodes, terms[1:], a[1], b[1], fill_rows, width)
    return [number, *inner]


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
    for option in _options(pack.layout):
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
