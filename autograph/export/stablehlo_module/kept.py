"""What loops and branches keep for their backward pass, as arrays of known shapes.

A *pack* is its values side by side. Branches may leave packs of different values: then it is those
of either, of which one holds zeros; what opens it says which values it wants. A *stack* is the
number of its packs, and rows for each array of a pack, as many as a counted loop has trips: taking
the top off changes no more than the number.

A *layout* says which arrays there are: ``("leaf", dtype, shape)``, ``("pack", parts)``,
``("either", packs)``, ``("stack", rows, layout of its packs)``, or ``("nothing",)``. While a loop
is written for a trial, to learn what its trips leave, a stack is ``("growing", ...)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.export import layouts
from autograph.export.layouts import NOTHING, Layout
from autograph.export.stablehlo_module.terms import LONG, HloTerm, known, row_of, with_row
from autograph.export.stablehlo_module.text import Text, refuse
from ops.core.types import ArrayType, PackType, Type

Array = tuple[np.dtype, tuple[int, ...]]  # dtype and shape


class StackGrowth:
    """What is pushed on a stack in a trial.

    Attributes:
        layouts: of the packs, one for each place that pushes.
    """

    def __init__(self) -> None:
        self.layouts: list[Layout] = []


@dataclass(frozen=True, eq=False)
class KeptTerms:
    """A pack or a stack.

    Attributes:
        layout: which arrays it is.
        terms: these.
    """

    layout: Layout
    terms: tuple[HloTerm, ...] = ()


def leaf(type: ArrayType) -> Layout:
    return ("leaf", type.dtype.str, type.known_shape)


def layout_of(found: Any) -> Layout:
    """That of a value, which may be an array."""
    return found.layout if isinstance(found, KeptTerms) else ("leaf", found.dtype.str, found.shape)


def arrays(layout: Layout) -> Iterator[Array]:
    """The arrays of a layout."""
    match layout:
        case ("leaf", dtype, shape):
            yield np.dtype(dtype), shape
        case ("pack" | "either", parts):
            for part in parts:
                yield from arrays(part)
        case ("stack", rows, element):
            yield LONG, ()
            for dtype, shape in arrays(element):
                yield dtype, (rows, *shape)


def count(layout: Layout) -> int:
    return sum(1 for _ in arrays(layout))


def held(layout: Layout, terms: Sequence[HloTerm]) -> Any:
    """A value of a layout, of its arrays."""
    return terms[0] if layout[0] == "leaf" else KeptTerms(layout, tuple(terms))


def terms_of(text: Text, found: Any, layout: Layout) -> list[HloTerm]:
    """The arrays of a value, in a layout that may be wider than its own."""
    if not isinstance(found, KeptTerms):
        return [found]
    return _Widening(text).widened(list(found.terms), found.layout, layout)


# -- layouts that may come to one place ------------------------------------------------------------


def united(text: Text, a: Layout, b: Layout) -> Layout:
    """The layout of what may be of either."""

    def of_stacks(a: Layout, b: Layout) -> Layout:
        growing = next((x for x in (a, b) if x[0] == "growing"), None)
        return growing or ("stack", max(a[1], b[1]), united(text, a[2], b[2]))

    return layouts.united(a, b, of_stacks, lambda message: refuse(message, text.place))


class _Widening(layouts.Widening[HloTerm]):
    def __init__(self, text: Text):
        self.text = text

    def count(self, layout: Layout) -> int:
        return count(layout)

    def nothing(self, layout: Layout) -> list[HloTerm]:
        return [known(self.text, np.zeros(shape, dtype)) for dtype, shape in arrays(layout)]

    def stack(self, terms: list[HloTerm], a: Layout, b: Layout) -> list[HloTerm]:
        """Of more rows, or of wider packs, whose rows are packs of arrays with an axis more."""
        number, *rows = terms
        longer = [_lengthened(row, b[1]) for row in rows]
        return [number, *self.widened(longer, _of_rows(a[2], b[1]), _of_rows(b[2], b[1]))]


def _lengthened(rows: HloTerm, count: int) -> HloTerm:
    missing = count - rows.shape[0]
    if not missing:
        return rows
    zeros = known(rows.text, np.zeros((missing, *rows.shape[1:]), rows.dtype))
    return rows.joined(zeros)


def _of_rows(layout: Layout, rows: int) -> Layout:
    """The layout of packs as that of their rows."""
    match layout:
        case ("leaf", dtype, shape):
            return ("leaf", dtype, (rows, *shape))
        case ("pack" | "either" as kind, parts):
            return (kind, tuple(_of_rows(part, rows) for part in parts))
        case ("stack", inner, element):
            numbers = ("leaf", LONG.str, (rows,))
            return ("pack", (numbers, _of_rows(_of_rows(element, inner), rows)))
    return layout


# -- packs -----------------------------------------------------------------------------------------


def packed(parts: Sequence[Any]) -> KeptTerms:
    """A pack of values."""
    layouts = tuple(map(layout_of, parts))
    terms = [t for p in parts for t in (p.terms if isinstance(p, KeptTerms) else (p,))]
    return KeptTerms(("pack", layouts), tuple(terms))


def opened(text: Text, pack: KeptTerms, types: Sequence[Type]) -> list[Any]:
    """The values in a pack, of which these are the types; zeros where there is nothing."""
    if pack.layout == NOTHING:
        return [_nothing_of(text, type) for type in types]
    start = 0
    for option in layouts.options(pack.layout):
        if _fits(option, types):
            found = []
            for part, type in zip(option[1], types):
                end = start + count(part)
                value = held(part, pack.terms[start:end]) if part != NOTHING else None
                found.append(_nothing_of(text, type) if value is None else value)
                start = end
            return found
        start += count(option)
    raise refuse("what a branch keeps for its gradient is not known where it is used", text.place)


def _nothing_of(text: Text, type: Type) -> Any:
    if isinstance(type, ArrayType):
        return known(text, np.zeros(type.known_shape, type.dtype))
    return KeptTerms(NOTHING)


def _fits(option: Layout, types: Sequence[Type]) -> bool:
    if len(option[1]) != len(types):
        return False
    for part, type in zip(option[1], types):
        if isinstance(type, ArrayType):
            if part not in (leaf(type), NOTHING):
                return False
        elif part[0] not in ("nothing", *_KINDS[isinstance(type, PackType)]):
            return False
    return True


_KINDS = {True: ("pack", "either"), False: ("stack", "growing")}


# -- stacks ----------------------------------------------------------------------------------------


def pushed(text: Text, stack: KeptTerms, pack: KeptTerms) -> KeptTerms:
    """A stack with one pack more. One that a loop carries has room for it."""
    if stack.layout[0] == "growing":
        stack.layout[1].layouts.append(pack.layout)
        return stack
    if stack.layout == NOTHING:  # outside of all loops
        rows = tuple(term.reshaped((1, *term.shape)) for term in pack.terms)
        return KeptTerms(("stack", 1, pack.layout), (known(text, 1, LONG), *rows))
    _, room, element = stack.layout
    number, *rows_ = stack.terms
    terms = terms_of(text, pack, element)
    if number.value is not None and int(number.value) >= room:
        layout = ("stack", room + 1, element)
        number, *rows_ = terms_of(text, stack, layout)
        stack = KeptTerms(layout)
    made = [with_row(rows, number, term) for rows, term in zip(rows_, terms)]
    return KeptTerms(stack.layout, (number + 1, *made))


def popped(stack: KeptTerms) -> tuple[KeptTerms, KeptTerms]:
    """What is below the top of a stack, and that."""
    if stack.layout == NOTHING or stack.layout[0] == "growing":
        return stack, KeptTerms(NOTHING)
    number, *rows = stack.terms
    number = number - 1
    terms = tuple(row_of(each, number) for each in rows)
    return KeptTerms(stack.layout, (number, *rows)), KeptTerms(stack.layout[2], terms)


def added(text: Text, x: KeptTerms, y: KeptTerms) -> KeptTerms:
    """The sum of two cotangents."""
    layout = united(text, x.layout, y.layout)
    pairs = zip(terms_of(text, x, layout), terms_of(text, y, layout))
    add: Callable[[HloTerm, HloTerm], Any] = lambda a, b: a + b if a.dtype.kind in "fc" else a
    return KeptTerms(layout, tuple(add(a, b) for a, b in pairs))
