"""Functions that are called with arrays of different lengths: which axes become symbols.

A function is recorded for the lengths of its first call. Once an axis has had a second length, the
function is recorded with a symbol for it (see `ops.core.symbolic_lengths`), and what is compiled
then serves all lengths. Axes that were as long as each other in both calls have one symbol, and an
axis that is as long as another one of these has to stay so. Lengths of 0 and 1, which broadcast,
are never symbols. Where recording needs a number, the function is recorded for each length.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from autograph.backends import cupy
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
_MOST = 8  # of what is compiled with symbols for arguments alike but for their lengths

Shape = tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class OpenShapes:
    """Shapes of arguments in which some lengths are symbols.

    Attributes:
        symbols: of the recording.
        shapes: of all leaves that are arrays, by position: those of which no length was another one
            so far have the lengths that they had.
    """

    symbols: Symbols
    shapes: Mapping[int, Shape]

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
        return found if self.symbols.hold(found) else None

    def lengths(self) -> Iterator[SymbolicLength]:
        """The symbolic lengths in them."""
        for shape in self.shapes.values():
            yield from (length for length in shape if is_length(length))

    def type(self, position: int, of_leaf: ArrayType | None) -> ArrayType | None:
        """With which type a leaf is traced."""
        shape = self.shapes.get(position)
        return of_leaf if shape is None or of_leaf is None else of_leaf._replace(shape=shape)

    def pattern(self, leaves: Sequence[Any]) -> OpenLengths:
        """The lengths as machine code compares them, with the bounds of each symbol. Between these
        all assumptions hold; where they hold elsewhere as well, the bounds are those around a call
        with ``leaves``."""
        numbers = self.numbers(leaves)
        assert numbers is not None  # what was recorded is for them
        bounds = dict.fromkeys(numbers, (LEAST, MOST))
        for assumption in self.symbols.assumptions:
            bounds = narrowed(bounds, assumption, numbers)
        number = {name: -1 - i for i, name in enumerate(bounds)}
        shapes = {
            position: tuple(number[min(n.names)] if is_length(n) else n for n in shape)
            for position, shape in self.shapes.items()
        }
        return OpenLengths(shapes, bounds)

    def __str__(self) -> str:
        known = [f"{name} >= {LEAST}" for name in self.symbols.numbers]
        return ", ".join([*known, *map(str, self.symbols.assumptions)])


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
        closed: whether no more are made.
    """

    seen: list[tuple[Shape, ...]] = field(default_factory=list)
    forms: list[Hashable] = field(default_factory=list)
    fixed: tuple[int, ...] = ()
    refusal: str = ""
    closed: bool = False

    def keep_apart(self, name: str) -> None:
        """Make no more recordings with symbols, if the last one failed and the one without has
        not: then it was not the user's mistake."""
        if self.refusal and not self.closed:
            self.closed = True
            log.info("%s: compiled for each length by itself, because %s", name, self.refusal)

    def opened(self, leaves: Sequence[Any]) -> OpenShapes | None:
        """With which symbols the function is to be recorded for these leaves, if it is; the call is
        remembered."""
        places = [i for i, leaf in enumerate(leaves) if has_shape(leaf)]
        now = tuple(leaves[i].shape for i in places)
        if self.closed or len(self.forms) >= _MOST:
            return None
        others = [seen for seen in self.seen if seen != now]
        self.seen = [*others[1 - _REMEMBERED :], now]
        if not others:
            return None
        symbols = Symbols()
        made: dict[tuple[int, ...], SymbolicLength] = {}
        opened: dict[int, Shape] = {}
        for number, (position, shape) in enumerate(zip(places, now)):
            lengths: list[Any] = list(shape)
            for axis, length in enumerate(shape):
                history = (length, *(seen[number][axis] for seen in others))
                if len(set(history)) == 1:
                    continue
                if history not in made:
                    if len(made) == len(_NAMES):
                        return None
                    made[history] = symbols.new(_NAMES[len(made)], length)
                lengths[axis] = made[history]
            opened[position] = tuple(lengths)
        return OpenShapes(symbols, opened) if any(map(is_symbolic, opened.values())) else None


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
