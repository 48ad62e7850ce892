"""Functions that are called with arrays of different lengths: which axes become symbols.

A function is recorded for the lengths of its first call. Once an axis has had a second length, the
function is recorded with a symbol for it (see `ops.core.symbolic_lengths`), and what is compiled
then serves all lengths. Axes that were as long as each other in both calls have one symbol, and an
axis that is as long as another one of these has to stay so. Lengths of 0 and 1, which broadcast,
are never symbols. Where recording needs a number, the function is recorded for each length.

So it is with ints among the arguments whose values recording needs, which mostly are lengths of
what the function makes: once one has had a third value, a symbol stands for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from autograph.api.calls.counts import counted, type_of_count
from autograph.backends import cupy
from autograph.errors import UnrollLimitError
from autograph.kernels.native.matching import OpenLengths
from autograph.log import log
from autograph.staging.border.signature import is_bound, leaf_key, traced_type
from ops.core.records import dataclass
from ops.core.symbolic_lengths import (
    LEAST,
    LengthAssumption,
    Quotient,
    SymbolicLength,
    Symbols,
    is_length,
    is_symbolic,
)
from ops.core.types import ArrayType

_NAMES = "nmklpqrstuvw"
MOST = 2**62  # that a length may be
_REMEMBERED = 20  # of the calls for which a function was recorded
_VALUES = 3  # that an int has had for which a symbol stands
_MOST = 8  # of what is compiled with symbols for arguments alike but for their lengths

# Elements of short rows of large arrays take several times as long where the rows have any length,
# so such lengths are numbers until there were many.
_SHORT = 16  # elements, which rows have at least for which it makes no difference
_LARGE = 256  # elements, from which on it does
_FEW = 4  # lengths that are numbers; and what is compiled with symbols besides

Shape = tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class OpenShapes:
    """Shapes of arguments in which some lengths are symbols.

    Attributes:
        symbols: of the recording.
        shapes: of all leaves that are arrays, by position: those of which no length was another one
            so far have the lengths that they had.
        counts: of leaves that are ints, by position, the symbols that stand for these.
        short: whether no symbol stands for the lengths of short rows of large arrays.
    """

    symbols: Symbols
    shapes: Mapping[int, Shape]
    counts: Mapping[int, SymbolicLength] = field(default_factory=dict)
    short: bool = False

    def numbers(self, leaves: Sequence[Any]) -> dict[str, int] | None:
        """What the symbols are for arguments with these leaves, which are alike but for lengths;
        None if what was recorded is not for them."""
        found: dict[str, int] = {}
        for position, shape in self.shapes.items():
            for length, number in zip(shape, leaves[position].shape):
                if is_length(length):
                    (name,) = length.names
                    if number < LEAST or found.setdefault(name, number) != number:
                        return None
                elif length != number:
                    return None
            rows = short_rows(leaves[position].shape) if self.short else ()
            if any(is_length(shape[axis]) for axis in rows):
                return None
        for position, length in self.counts.items():
            (name,), number = length.names, leaves[position]
            if not LEAST <= number <= MOST or found.setdefault(name, number) != number:
                return None
        return found if self.symbols.hold(found) else None

    def lengths(self) -> Iterator[SymbolicLength]:
        """The symbolic lengths in them."""
        for shape in self.shapes.values():
            yield from (length for length in shape if is_length(length))
        yield from self.counts.values()

    def types(self, traced: Sequence[Any]) -> dict[int, Any]:
        """The types of the leaves that have such lengths, of all with which leaves are traced."""
        symbolic = (i for i, shape in self.shapes.items() if any(map(is_length, shape)))
        return {i: traced[i] for i in symbolic}

    def type(self, position: int, of_leaf: ArrayType | None) -> ArrayType | None:
        """With which type a leaf is traced."""
        if position in self.counts:
            return type_of_count(self.counts[position])
        shape = self.shapes.get(position)
        return of_leaf if shape is None or of_leaf is None else of_leaf._replace(shape=shape)

    def pattern(self, leaves: Sequence[Any], apart: Collection[int] = ()) -> OpenLengths:
        """The lengths as machine code compares them, with the bounds of each symbol. Between these
        all assumptions hold; where they hold elsewhere as well, the bounds are those around a call
        with ``leaves``.

        Args:
            apart: the positions of leaves whose lengths it does not compare.
        """
        bounds = self.bounds(leaves)
        compared = {i: shape for i, shape in self.shapes.items() if i not in apart}
        in_shapes = {name for shape in compared.values() for name in _names_in(shape)}
        bounds = {name: ends for name, ends in bounds.items() if name in in_shapes}
        number = {name: -1 - i for i, name in enumerate(bounds)}
        shapes = {
            position: tuple(number[min(n.names)] if is_length(n) else n for n in shape)
            for position, shape in compared.items()
        }
        return OpenLengths(shapes, bounds)

    def tells(
        self, leaves: Sequence[Any], positions: Sequence[int], apart: Collection[int]
    ) -> Callable[[Sequence[Any]], bool]:
        """Whether what is compiled is for some traced leaves, of a call for which the pattern holds
        that does not compare the lengths of some of them.

        Args:
            leaves: of a call that it is for.
            positions: of the traced leaves.
            apart: those of the leaves that are not compared.
        """
        bounds = self.bounds(leaves)
        place_of, first = self._first_places(positions, apart)
        checks = []
        for position in apart:
            (length,) = self.shapes[position]
            place = place_of[position]
            if is_length(length):
                (name,) = length.names
                checks.append((place, *bounds[name], *first[name]))
            else:
                checks.append((place, length, length, place, 0))

        def fits(given: Sequence[Any]) -> bool:
            return all(
                least <= len(given[place]) <= most and len(given[place]) == given[other].shape[axis]
                for place, least, most, other, axis in checks
            )

        return fits

    def counted(
        self, function: Callable[..., Any], leaves: Sequence[Any], positions: Sequence[int]
    ) -> Callable[..., Any]:
        """A function of the traced leaves of quick calls, in which numbers are what they are; see
        `autograph.api.calls.counts`.

        Args:
            function: of what the program takes.
            leaves: of a call that it is for.
            positions: of the traced leaves.
        """
        if not self.counts:
            return function
        found = self.bounds(leaves)
        place_of, first = self._first_places(positions)
        bounds, same = {}, []
        for position, length in self.counts.items():
            (name,), place = length.names, place_of[position]
            bounds[place] = found[name]
            if name in first:
                same.append((place, *first[name]))
            first.setdefault(name, (place, -1))
        return counted(function, bounds, same)

    def _first_places(
        self, positions: Sequence[int], last: Collection[int] = ()
    ) -> tuple[dict[int, int], dict[str, tuple[int, int]]]:
        """The places of the traced leaves by their positions, and for each symbol the place and
        axis of the first array that is as long.

        Args:
            last: the positions of those that come after the others.
        """
        place_of = {position: place for place, position in enumerate(positions)}
        first: dict[str, tuple[int, int]] = {}
        for position in sorted(self.shapes, key=lambda position: position in last):
            for axis, length in enumerate(self.shapes[position]):
                for name in _names_in((length,)):
                    first.setdefault(name, (place_of[position], axis))
        return place_of, first

    def bounds(self, leaves: Sequence[Any]) -> Bounds:
        """Between which numbers each symbol may be, around those of a call that it is for."""
        numbers = self.numbers(leaves)
        assert numbers is not None  # what was recorded is for them
        bounds: Bounds = dict.fromkeys(numbers, (LEAST, MOST))
        for assumption in (*self.symbols.assumptions, *self._of_rows(numbers)):
            bounds = narrowed(bounds, assumption, numbers)
        return bounds

    def _of_rows(self, numbers: Mapping[str, int]) -> Iterator[LengthAssumption]:
        """What holds in a call with these numbers, by which arrays are small, or have no short
        rows with symbols."""
        for shape in self.shapes.values() if self.short else ():
            if len(shape) == 1 or not is_symbolic(shape[1:]):
                continue
            size: Any = math.prod(shape)
            if size.at(numbers) < _LARGE:
                yield LengthAssumption(_LARGE - size, ">")
                continue
            lengths, row = list(shape), 1
            while not is_length(row):
                row *= lengths.pop()
            yield LengthAssumption(row - (_SHORT - 1), ">")

    def __str__(self) -> str:
        known = [f"{name} >= {LEAST}" for name in self.symbols.numbers]
        return ", ".join([*known, *map(str, self.symbols.assumptions)])


def short_rows(shape: Sequence[int]) -> range:
    """The last axes of a large array along which there are few elements, even all together."""
    first = len(shape)
    row = shape[-1]
    while first > 1 and row < _SHORT and math.prod(shape) >= _LARGE:
        first -= 1
        row *= shape[first - 1]
    return range(first, len(shape))


Bounds = dict[str, tuple[int, int]]  # between which symbols are


def narrowed(bounds: Bounds, assumption: LengthAssumption, numbers: Mapping[str, int]) -> Bounds:
    """Bounds inside of others between which an assumption is known to hold.

    Args:
        numbers: what the symbols are in a call; it holds for these, and they are between both.
    """
    if _holds_between(bounds, assumption):
        return bounds
    for below, above in ((False, True), (True, False), (True, True)):

        def near(far: int, below: bool = below, above: bool = above) -> Bounds:
            found = {}
            for name, (least, most) in bounds.items():
                at = numbers[name]
                least = max(least, at - far) if below else least
                most = min(most, at + far) if above else most
                found[name] = least, most
            return found

        if _holds_between(near(0), assumption):
            within, beyond = 0, MOST
            while beyond - within > 1:
                middle = (within + beyond) // 2
                if _holds_between(near(middle), assumption):
                    within = middle
                else:
                    beyond = middle
            return near(within)
    raise AssertionError(f"{assumption} does not hold for {numbers}")


def _holds_between(bounds: Bounds, assumption: LengthAssumption) -> bool:
    """Whether an assumption is known to hold for all symbols between bounds."""
    least, most = _range(assumption.length, bounds)
    if assumption.relation == ">":
        return least > 0
    if assumption.relation == "==":
        return least == most == 0
    terms = assumption.length.terms
    step = math.gcd(*(count for factors, count in terms.items() if factors))
    return least > 0 or most < 0 or bool(terms.get((), 0) % step)


def _range(length: SymbolicLength, bounds: Bounds) -> tuple[int, int]:
    """Between which numbers a length is, term by term, for symbols between bounds."""
    least = most = 0
    for factors, count in length.terms.items():
        low = high = 1
        for factor in factors:
            if isinstance(factor, Quotient):
                ends = [end // factor.by for end in _range(factor.of, bounds)]
            else:
                ends = list(bounds[factor])
            products = [x * y for x in (low, high) for y in ends]
            low, high = min(products), max(products)
        least += min(count * low, count * high)
        most += max(count * low, count * high)
    return least, most


@dataclass
class SeenLengths:
    """What is known of calls that are alike but for the lengths of arrays.

    Attributes:
        seen: the shapes of the arrays of each call for which the function was recorded.
        forms: the keys of what was compiled with symbols.
        fixed: the positions of leaves whose values count as well.
        refusal: why the last recording with symbols failed, if it did.
        counts: whether symbols may stand for ints.
        opens_counts: whether one did in what was asked for last.
        closed: whether no more are made.
    """

    seen: list[tuple[Shape, ...]] = field(default_factory=list)
    forms: list[Hashable] = field(default_factory=list)
    fixed: tuple[int, ...] = ()
    refusal: str = ""
    counts: bool = True
    opens_counts: bool = False
    closed: bool = False

    def keep_apart(self, name: str) -> None:
        """Make no more recordings with symbols, if the last one failed and the one without has
        not: then it was not the user's mistake."""
        if self.refusal and not self.closed:
            self.closed = True
            log.info("%s: compiled for each length by itself, because %s", name, self.refusal)

    def stand_for_less(self, why: Exception, has_rows: bool) -> bool:
        """Let symbols stand for no ints from now on, or for nothing but rows in heaps: a recording
        with them was refused, which may go well where more is known.

        Args:
            has_rows: whether there are rows in heaps, whose lengths are symbols in any case.

        Returns:
            Whether another recording with symbols is to be tried.

        Raises:
            Exception: why, if there have to be symbols, and these are the fewest, or if it came to
                more operations than are allowed, which more would not make fewer.
        """
        self.refusal = str(why).partition("\n")[0]
        if self.opens_counts:
            self.counts = False
            return True
        if has_rows and (self.closed or isinstance(why, UnrollLimitError)):
            raise why
        self.closed |= has_rows
        return has_rows

    def opened(
        self,
        leaves: Sequence[Any],
        chosen: Collection[int] = (),
        given: Collection[int] = (),
        varying: Collection[int] = (),
    ) -> OpenShapes | None:
        """With which symbols the function is to be recorded for these leaves, if it is; the call is
        remembered.

        Args:
            chosen: the positions of leaves for which no symbols shall stand.
            given: the positions of arrays each length of which has a symbol of its own, whatever it
                has been; see `autograph.staging.lists.given_rows`.
            varying: the positions of arrays for whose lengths some shall, although these may have
                been the same so far.
        """
        places = [i for i, leaf in enumerate(leaves) if has_shape(leaf)]
        ints = [i for i, leaf in enumerate(leaves) if type(leaf) is int]
        now = (*(leaves[i].shape for i in places), *((leaves[i],) for i in ints))
        if (self.closed and not given) or len(self.forms) >= _MOST:
            return None
        others = [seen for seen in self.seen if seen != now]
        self.seen = [*others[1 - _REMEMBERED :], now]
        if not (others or given or varying):
            return None
        others = [] if self.closed else others
        made = _SymbolsOfHistories()
        opened: dict[int, Shape] = {}
        short = {
            tuple(seen[number][axis] for seen in (now, *others))
            for number, position in enumerate(places)
            if position not in given
            for axis in short_rows(now[number])
        }
        many = len(self.forms) >= _FEW or any(len(set(history)) > _FEW for history in short)
        short = set() if many else short
        for number, (position, shape) in enumerate(zip(places, now)):
            if position in given:
                opened[position] = (made.symbols.new(f"m{position}", shape[0]), *shape[1:])
                continue
            lengths: list[Any] = list(shape)
            for axis, length in enumerate(shape):
                history = (length, *(seen[number][axis] for seen in others))
                is_fixed = len(set(history)) == 1 and (position not in varying or length < LEAST)
                if not is_fixed and history not in short:
                    lengths[axis] = made.symbol(history)
            opened[position] = tuple(lengths)
        counts: dict[int, SymbolicLength] = {}
        for number, position in enumerate(ints, len(places)):
            history = (leaves[position], *(seen[number][0] for seen in others))
            may_be = self.counts and position in self.fixed and position not in chosen
            fits = min(history) >= LEAST and max(history) <= MOST
            if may_be and fits and len(set(history)) >= _VALUES:
                counts[position] = made.symbol(history)
        if made.are_too_many:
            return None
        self.opens_counts = bool(counts)
        if not counts and not any(map(is_symbolic, opened.values())):
            return None
        return OpenShapes(made.symbols, opened, counts, short=not many)


class _SymbolsOfHistories:
    """A symbol for each history: what a length has been in each call, the latest first.

    Attributes:
        symbols: all.
        are_too_many: whether there are more histories than names.
    """

    def __init__(self) -> None:
        self.symbols = Symbols()
        self.are_too_many = False
        self._made: dict[tuple[int, ...], SymbolicLength] = {}

    def symbol(self, history: tuple[int, ...]) -> SymbolicLength:
        if history not in self._made:
            number = len(self._made)
            self.are_too_many |= number >= len(_NAMES)
            self._made[history] = self.symbols.new(_NAMES[number % len(_NAMES)], history[0])
        return self._made[history]


def _names_in(shape: Shape) -> Iterator[str]:
    """The symbols in it, of which each length is one or none."""
    for length in shape:
        if is_length(length):
            yield min(length.names)


def may_be_open(leaf: Any) -> bool:
    """Whether a symbol may stand for a leaf, or a length of it."""
    return type(leaf) is int or has_shape(leaf)


def has_shape(leaf: Any) -> bool:
    """Whether a leaf of arguments is an array whose lengths may become symbols."""
    is_array = type(leaf) is np.ndarray or cupy.is_array(leaf)
    return is_array and bool(leaf.ndim) and traced_type(leaf) is not None


def loose_key(leaves: Sequence[Any], structure: Any) -> Hashable:
    """What `call_key` gives, without lengths of arrays from `LEAST` on. Which of the leaves are the
    same object counts as well."""
    objects = [id(leaf) for leaf in leaves if is_bound(leaf) or has_shape(leaf)]
    same = tuple(map(objects.index, objects))
    return same, likeness(leaves, structure)


def likeness(leaves: Sequence[Any], structure: Any) -> Hashable:
    """What two calls have in common that are alike but for lengths of arrays from `LEAST` on."""
    return structure, tuple(_parts(leaves))


def _parts(leaves: Sequence[Any]) -> Iterator[Hashable]:
    for leaf in leaves:
        if has_shape(leaf):
            yield type(leaf), leaf.dtype, tuple(min(length, LEAST) for length in leaf.shape)
        else:
            yield leaf_key(leaf)
