"""Lengths of arrays as polynomials of symbols: ``n``, ``n - 1``, ``2*n*m + 3``.

A function that is recorded for arrays of any length has a *symbol* for each length that is free,
and what is computed of lengths while it is recorded are polynomials of those. They stand in shapes
in the place of ints, and are used as these: they are added, multiplied and compared.

Symbols are at least 2, so what arrays of length 0 or 1 do, which broadcast, is no question here.
Where a comparison is not decided by that, the lengths of the call for which the function is
recorded decide it, and that it has to come out so becomes an *assumption*: what is recorded then
holds for the lengths for which all assumptions do. Where a number itself is needed, `NeedsNumber`
is raised: then the function is recorded for these lengths alone.

The idea is that of ShapeEnv in torch.fx.experimental.symbolic_shapes (backed symbols, with guards);
JAX's shape polymorphism has the polynomials, without assumptions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn, TypeGuard, Union

from ops.core.records import NamedTuple
from ops.core.types import UnknownLengthError

LEAST = 2  # what a symbol is at least
RELATIONS = (">", "==", "!=")  # of a length and 0, that may be assumed


class NeedsNumber(UnknownLengthError):
    """Something has to know the number that a symbolic length is."""

    def __init__(self, length: SymbolicLength):
        super().__init__(
            f"the number of elements along an axis is needed, not just that they are {length!r}"
        )
        self.length = length
        length.symbols.needed += 1


class Quotient(NamedTuple):
    """The factor ``of // by`` of a term, which is no polynomial."""

    of: SymbolicLength
    by: int

    def __str__(self) -> str:
        of = repr(self.of)
        return f"({of if of.isidentifier() else f'({of})'} // {self.by})"


Factor = Union[str, Quotient]
Terms = Mapping[tuple[Factor, ...], int]  # the factors of each term, sorted, and its coefficient


class LengthAssumption(NamedTuple):
    """That a length is more than 0, or is 0, or is not.

    Attributes:
        length: which.
        relation: one of `RELATIONS`.
    """

    length: SymbolicLength
    relation: str

    def holds(self, lengths: Mapping[str, Any]) -> bool:
        """Whether it holds for these numbers, or lengths of another recording, in the place of the
        symbols."""
        value = self.length.evaluated(lambda symbol: lengths[symbol], lambda a, b: a // b)
        if self.relation == ">":
            return bool(value > 0)
        return bool(value == 0) == (self.relation == "==")

    def __str__(self) -> str:
        return f"{self.length!r} {self.relation} 0"


class Symbols:
    """The symbols of a recording, and what was assumed of them.

    Attributes:
        numbers: what they are in the call for which the function is recorded.
        assumptions: in the order in which they were made.
        needed: how often a number was needed, also where something else was done then.
        chooses: whether there may be assumptions for the sake of speed: what is compiled is another
            one for long arrays than for short ones.
    """

    def __init__(self, chooses: bool = True) -> None:
        self.chooses = chooses
        self.needed = 0
        self.numbers: dict[str, int] = {}
        self.assumptions: dict[LengthAssumption, None] = {}

    def new(self, name: str, number: int) -> SymbolicLength:
        """A symbol."""
        self.numbers[name] = number
        return SymbolicLength({(name,): 1}, self)

    def hold(self, lengths: Mapping[str, Any]) -> bool:
        """Whether what was recorded holds for these symbols."""
        return all(assumption.holds(lengths) for assumption in self.assumptions)


class SymbolicLength:
    """A length that is a polynomial of symbols, and no number.

    Attributes:
        terms: of the polynomial.
        symbols: of the recording that it belongs to.
    """

    __slots__ = ("_hash", "symbols", "terms")

    def __init__(self, terms: Terms, symbols: Symbols):
        self.terms = terms
        self.symbols = symbols
        self._hash = hash(frozenset(terms.items()))

    @property  # type: ignore[misc]  # nobody sets it
    def __class__(self) -> type:
        """For ``isinstance``: it stands for an int."""
        return int

    # -- arithmetic --------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        terms = _terms(other)
        if terms is None:
            return NotImplemented
        return self._made(_sum(self.terms, terms))

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        terms = _terms(other)
        if terms is None:
            return NotImplemented
        return self._made(_sum(self.terms, terms, -1))

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        terms = _terms(other)
        if terms is None:
            return NotImplemented
        found: dict[tuple[Factor, ...], int] = {}
        for left, a in self.terms.items():
            for right, b in terms.items():
                factors = tuple(sorted((*left, *right), key=str))
                found[factors] = found.get(factors, 0) + a * b
        return self._made(found)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        if type(other) is SymbolicLength:
            return self._divided(other)
        if _terms(other) is None:
            return NotImplemented
        if other == 1:
            return self
        if other <= 0:
            raise NeedsNumber(self)
        whole = {f: c // other for f, c in self.terms.items() if c % other == 0}
        rest = {f: c for f, c in self.terms.items() if c % other}
        if not rest or set(rest) == {()}:
            return self._made(whole) + rest.get((), 0) // other
        return self._made(_sum(whole, {(Quotient(self._made(rest), other),): 1}))

    def _divided(self, other: SymbolicLength) -> Any:
        """The quotient by a single term that divides all of this."""
        if len(other.terms) != 1:
            raise NeedsNumber(other)
        (((factors), coefficient),) = other.terms.items()
        found: dict[tuple[Factor, ...], int] = {}
        for own, count in self.terms.items():
            left = list(own)
            for factor in factors:
                if factor not in left:
                    raise NeedsNumber(self)
                left.remove(factor)
            if count % coefficient:
                raise NeedsNumber(self)
            found[tuple(left)] = count // coefficient
        return self._made(found)

    def __mod__(self, other: Any) -> Any:
        return self - self // other * other

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rfloordiv__(self, other: Any) -> NoReturn:
        raise NeedsNumber(self)

    __rmod__ = __pow__ = __truediv__ = __rtruediv__ = __rfloordiv__

    def __index__(self) -> NoReturn:
        raise NeedsNumber(self)

    __int__ = __float__ = __index__

    def __bool__(self) -> bool:
        return self != 0

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def _made(self, terms: Terms) -> Any:
        """The number or polynomial with these terms."""
        kept = {factors: count for factors, count in terms.items() if count}
        if not kept:
            return 0
        if kept.keys() == {()}:
            return kept[()]
        return SymbolicLength(kept, self.symbols)

    # -- comparisons -------------------------------------------------------------------------------

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: Any) -> bool:
        if _terms(other) is None:
            return NotImplemented
        difference = self - other
        if type(difference) is not SymbolicLength:
            return bool(difference == 0)
        if difference.least() > 0 or difference.most() < 0:
            return False
        return self._decided(difference, "==", "!=")

    def __ne__(self, other: Any) -> bool:
        found = self.__eq__(other)
        return found if found is NotImplemented else not found

    def __gt__(self, other: Any) -> bool:
        if _terms(other) is None:
            return NotImplemented
        difference = self - other
        if type(difference) is not SymbolicLength:
            return bool(difference > 0)
        if difference.least() > 0:
            return True
        if difference.most() <= 0:
            return False
        if difference.at(self.symbols.numbers) > 0:
            self.symbols.assumptions[LengthAssumption(difference, ">")] = None
            return True
        self.symbols.assumptions[LengthAssumption(1 - difference, ">")] = None
        return False

    def __ge__(self, other: Any) -> bool:
        return NotImplemented if _terms(other) is None else self + 1 > other

    def __lt__(self, other: Any) -> bool:
        return NotImplemented if _terms(other) is None else not self >= other

    def __le__(self, other: Any) -> bool:
        return NotImplemented if _terms(other) is None else not self > other

    def _decided(self, difference: SymbolicLength, yes: str, no: str) -> bool:
        found = difference.at(self.symbols.numbers) == 0
        if repr(difference).startswith("-"):  # which of both was on the left is no difference
            difference = -difference
        self.symbols.assumptions[LengthAssumption(difference, yes if found else no)] = None
        return found

    def least(self) -> float:
        """A bound from below."""
        return _bound(self.terms, -math.inf)

    def most(self) -> float:
        """A bound from above."""
        return -_bound({factors: -count for factors, count in self.terms.items()}, -math.inf)

    # -- what it is --------------------------------------------------------------------------------

    def at(self, numbers: Mapping[str, int]) -> int:
        """The number that it is for these symbols."""
        return int(self.evaluated(lambda symbol: numbers[symbol], lambda a, b: a // b))

    def evaluated(self, symbol: Callable[[str], Any], quotient: Callable[[Any, int], Any]) -> Any:
        """What it is where symbols are something else that can be added and multiplied."""
        total: Any = 0
        for factors, count in self.terms.items():
            product: Any = count
            for factor in factors:
                if isinstance(factor, Quotient):
                    of = factor.of.evaluated(symbol, quotient)
                    product = quotient(of, factor.by) * product
                else:
                    product = symbol(factor) * product
            total = product + total
        return total

    @property
    def example(self) -> int:
        """The number that it is in the call for which the function is recorded: for estimates."""
        return self.at(self.symbols.numbers)

    @property
    def names(self) -> set[str]:
        """The symbols in it."""
        found: set[str] = set()
        for factors in self.terms:
            for factor in factors:
                found |= factor.of.names if isinstance(factor, Quotient) else {factor}
        return found

    @property
    def line(self) -> tuple[str, int, int] | None:
        """The symbol, its coefficient and what is added, if it is no more than that."""
        terms = [(factors, count) for factors, count in self.terms.items() if factors]
        if len(terms) != 1:
            return None
        ((factors, count),) = terms
        if len(factors) != 1 or not isinstance(factors[0], str):
            return None
        return factors[0], count, self.terms.get((), 0)

    def __repr__(self) -> str:
        parts: list[str] = []
        for factors, count in sorted(self.terms.items(), key=lambda t: (-len(t[0]), str(t[0]))):
            names = "*".join(map(str, factors))
            number = str(abs(count)) if not names else f"{abs(count)}*" if abs(count) != 1 else ""
            sign = ("-" if count < 0 else "") if not parts else " - " if count < 0 else " + "
            parts.append(f"{sign}{number}{names}")
        return "".join(parts)

    def __format__(self, spec: str) -> str:
        """No number is known that could be formatted."""
        raise NeedsNumber(self)

    __str__ = __index__


def _terms(value: Any) -> Terms | None:
    if type(value) is SymbolicLength:
        return value.terms
    try:
        number = value.__index__()
    except (AttributeError, TypeError):
        return None
    return {(): number} if isinstance(number, int) else None


def _sum(left: Terms, right: Terms, sign: int = 1) -> Terms:
    found = dict(left)
    for factors, count in right.items():
        found[factors] = found.get(factors, 0) + sign * count
    return found


def _bound(terms: Terms, unknown: float) -> float:
    """A bound from below of a polynomial of symbols that are at least `LEAST`.

    Each symbol is `LEAST` and a number that is not negative; if these numbers have no negative
    coefficients, the polynomial is the least where they are 0.
    """
    moved: dict[tuple[Factor, ...], int] = {}
    for factors, count in _with_whole_quotients(terms).items():
        products: dict[tuple[Factor, ...], int] = {(): count}
        for factor in factors:
            least = 0 if isinstance(factor, Quotient) else LEAST
            if isinstance(factor, Quotient) and factor.of.least() < 0:
                return unknown
            longer: dict[tuple[Factor, ...], int] = {}
            for known, c in products.items():
                longer[(*known, factor)] = c
            for known, c in products.items():
                longer[known] = longer.get(known, 0) + least * c
            products = longer
        moved = dict(_sum(moved, products))
    if any(count < 0 for factors, count in moved.items() if factors):
        return unknown
    return moved.get((), 0)


def _with_whole_quotients(terms: Terms) -> Terms:
    """A polynomial that is at most the given one, with fewer quotients: ``-k * (a // b)`` is at
    least ``-(k / b) * a`` where b divides k."""
    found: Terms = {}
    for factors, count in terms.items():
        first = factors[0] if len(factors) == 1 else None
        if isinstance(first, Quotient) and count < 0 and count % first.by == 0:
            own = {other: c * (count // first.by) for other, c in first.of.terms.items()}
        else:
            own = {factors: count}
        found = _sum(found, own)
    return found


def is_length(n: Any) -> TypeGuard[Any]:
    """Whether something is a symbolic length, which stands in shapes, whose types have ints."""
    return type(n) is SymbolicLength


def bounds_of(length: Any) -> tuple[float, float]:
    """Bounds of an int or a symbolic length, whatever symbols are."""
    return (length.least(), length.most()) if is_length(length) else (length, length)


def is_same(shape: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether two shapes are known to be the same, whatever symbols are: nothing is assumed."""
    if len(shape) != len(other):
        return False
    return all(
        m.terms == n.terms
        if is_length(m) and is_length(n)
        else is_length(m) == is_length(n) and m == n
        for m, n in zip(shape, other)
    )


def are_equal(shape: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether two shapes are the same. What a comparison of lengths finds is assumed of the symbols
    from then on, so lengths are not compared where there are not as many, as ``==`` of tuples does:
    ``(n, 16)`` is not ``(16,)``, whatever ``n`` is."""
    return len(shape) == len(other) and shape == other


def is_symbolic(lengths: Iterable[Any]) -> bool:
    """Whether there is a symbolic length among some."""
    return any(type(n) is SymbolicLength for n in lengths)


def bits_of(length: Any) -> int:
    """How many bits a length has at most. That a symbolic one has no more is assumed; they are a
    multiple of four, so that the assumption holds for a while."""
    if type(length) is not SymbolicLength:
        return int(length).bit_length()
    bits = -(-length.example.bit_length() // 4) * 4
    if length >= 1 << bits:  # its example is not
        raise NeedsNumber(length)
    return bits


def mentions_length(value: Any) -> bool:
    """Whether there is a symbolic length somewhere in operands or attributes."""
    if type(value) is SymbolicLength:
        return True
    if isinstance(value, dict):
        return any(map(mentions_length, value.values()))
    return isinstance(value, (tuple, list)) and any(map(mentions_length, value))


def is_below(length: Any, bound: int) -> bool:
    """Whether a length is less than a bound, where that decides how fast something is, but not what
    it gives."""
    if type(length) is SymbolicLength and not length.symbols.chooses:
        return length.example < bound
    return bool(length < bound)


def shape_at(shape: Iterable[Any], numbers: Mapping[str, int]) -> tuple[int, ...]:
    """A shape for these symbols."""
    return tuple(n.at(numbers) if type(n) is SymbolicLength else n for n in shape)


def example_of(length: Any) -> int:
    """A number for estimates: the length, or what it is in the call that is recorded."""
    return length.example if type(length) is SymbolicLength else length
