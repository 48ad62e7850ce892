"""Integers of a kernel as polynomials: sums of multiples of variables and of their products.

``118 * i + j`` is the place of an element where rows have 118 elements, ``n * i + j`` where only
the run knows how many. The variables are indices of loops, symbols of lengths, and scalars of which
no form is known. Numbers are integers without end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import field
from typing import Union, cast

from autograph.kernels.ir.ir import Var
from ops.core.lazy import lazy
from ops.core.records import dataclass

_MOST_TERMS, _MOST_FACTORS = 12, 6  # of a product of forms; of larger ones nothing is known
_ROUNDS = 8  # of a division


class Monomial:
    """A product of two or more variables, which may be the same."""

    __slots__ = ("_key", "factors")

    def __init__(self, factors: Iterable[Var]):
        self.factors = tuple(sorted(factors, key=id))
        self._key = tuple(map(id, self.factors))

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Monomial) and self._key == other._key


Term = Union[Var, Monomial]

_are_vars = frozenset((Var,)).issuperset


def factors(term: Term) -> tuple[Var, ...]:
    """The variables of a term."""
    return term.factors if isinstance(term, Monomial) else (term,)


def identity(term: Term) -> tuple[int, ...]:
    """A key by which terms are sorted."""
    return tuple(map(id, factors(term)))


def _product(of: Iterable[Var]) -> Term:
    found = tuple(of)
    return found[0] if len(found) == 1 else Monomial(found)


def _without(of: tuple[Var, ...], taken: Iterable[Var]) -> list[Var] | None:
    """What is left of some factors without others; None if these are not among them."""
    left = list(of)
    for factor in taken:
        place = next((k for k, x in enumerate(left) if x is factor), None)
        if place is None:
            return None
        del left[place]
    return left


@dataclass(frozen=True)
class Form:
    """``constant + sum(coefficient * term)``; no coefficient is 0."""

    constant: int = 0
    terms: Mapping[Term, int] = field(default_factory=dict)

    @lazy
    def variables(self) -> Set[Var]:
        """All variables, those in products as well."""
        if self.is_linear:
            return cast("Set[Var]", self.terms.keys())
        return frozenset(v for term in self.terms for v in factors(term))

    @property
    def is_linear(self) -> bool:
        """Whether there are no products."""
        return _are_vars(map(type, self.terms))  # few: to keep the answer takes longer

    def plus(self, other: Form, factor: int = 1) -> Form:
        """``self + factor * other``."""
        if not factor:
            return self
        if not other.terms:  # nobody changes those of a form
            return Form(self.constant + factor * other.constant, self.terms)
        terms = dict(self.terms)
        for term, coefficient in other.terms.items():
            total = terms.get(term, 0) + factor * coefficient
            if total:
                terms[term] = total
            else:
                terms.pop(term, None)
        return Form(self.constant + factor * other.constant, terms)

    def times(self, factor: int) -> Form:
        """``factor * self``."""
        if not factor:
            return Form()
        return Form(factor * self.constant, {t: factor * c for t, c in self.terms.items()})

    def multiplied(self, other: Form) -> Form | None:
        """``self * other``; None if that has too many terms."""
        if not other.terms:
            return self.times(other.constant)
        if not self.terms:
            return other.times(self.constant)
        if (len(self.terms) + 1) * (len(other.terms) + 1) > _MOST_TERMS:
            return None
        found = other.times(self.constant)
        for term, coefficient in self.terms.items():
            moved = other.shifted(factors(term))
            if any(len(factors(t)) > _MOST_FACTORS for t in moved.terms):
                return None
            found = found.plus(moved, coefficient)
        return found

    def shifted(self, by: tuple[Var, ...]) -> Form:
        """The product with some variables."""
        if not by:
            return self
        terms = {_product((*factors(t), *by)): c for t, c in self.terms.items()}
        if self.constant:
            terms[_product(by)] = self.constant
        return Form(0, terms)

    def of(self, var: Var) -> int | None:
        """The coefficient of a variable; None if it is in a product."""
        if not self.is_linear and any(
            x is var for t in self.terms if isinstance(t, Monomial) for x in t.factors
        ):
            return None
        return self.terms.get(var, 0)

    def slope(self, var: Var) -> Form | None:
        """By how much the form grows with a variable; None if that is no form without it."""
        if self.is_linear:
            return number(self.terms.get(var, 0))
        found = Form()
        for term, coefficient in self.terms.items():
            left = _without(factors(term), (var,))
            if left is None:
                continue
            if any(x is var for x in left):
                return None
            found = found.plus(Form(1).shifted(tuple(left)), coefficient)
        return found

    def replaced(self, var: Var, other: Form) -> Form:
        """The form with another in the place of a variable."""
        if self.is_linear:
            coefficient = self.terms.get(var)
            if coefficient is None:
                return self
            rest = {v: c for v, c in self.terms.items() if v is not var}
            return Form(self.constant, rest).plus(other, coefficient)
        if var not in self.variables:
            return self
        kept: dict[Term, int] = {}
        changed: list[tuple[tuple[Var, ...], int]] = []
        for term, coefficient in self.terms.items():
            of = factors(term)
            if any(x is var for x in of):
                changed.append((of, coefficient))
            else:
                kept[term] = coefficient
        found = Form(self.constant, kept)
        for of, coefficient in changed:
            left = tuple(x for x in of if x is not var)
            part = other.shifted(left)
            for _ in range(len(of) - len(left) - 1):
                total = part.times(other.constant)
                for term, c in other.terms.items():
                    total = total.plus(part.shifted(factors(term)), c)
                part = total
            found = found.plus(part, coefficient)
        return found

    def renamed(self, other: Mapping[Var, Var]) -> Form:
        """The form with other variables in the place of some."""
        if not any(v in other for v in self.variables):
            return self
        terms: dict[Term, int] = {}
        for term, coefficient in self.terms.items():
            new = _product(other.get(v, v) for v in factors(term))
            terms[new] = terms.get(new, 0) + coefficient
        return Form(self.constant, {t: c for t, c in terms.items() if c})

    def same(self, other: Form) -> bool:
        """Whether both are the same number, whatever the variables are."""
        return self.constant == other.constant and self.terms == other.terms

    def at(self, value: int) -> int:
        """What it is where all variables are some number."""
        return self.constant + sum(c * value ** len(factors(t)) for t, c in self.terms.items())

    def divided(self, by: Form) -> tuple[Form, Form]:
        """Quotient and rest, of polynomials: what is in the quotient of the term of ``by`` that has
        the most factors is as near to 0 as it can be in the rest."""
        lead: tuple[Var, ...] = ()
        count = by.constant
        if not by.terms:  # 121 * i is 120 * i + i: a diagonal where rows have 120 elements
            found = {t: q for t, c in self.terms.items() if (q := (2 * c + count) // (2 * count))}
            whole = Form(0, found)
            return whole, self.plus(whole, -count)
        for term, coefficient in by.terms.items():
            if len(factors(term)) > len(lead):
                lead, count = factors(term), coefficient
        whole, rest = Form(), self
        for _ in range(_ROUNDS):
            part = Form()
            for term, coefficient in rest.terms.items():
                left = _without(factors(term), lead)
                near = (2 * coefficient + count) // (2 * count)
                if left is not None and near:
                    part = part.plus(Form(1).shifted(tuple(left)), near)
            if part.same(Form()):
                break
            product = Form().plus(by, part.constant)
            for term, coefficient in part.terms.items():
                product = product.plus(by.shifted(factors(term)), coefficient)
            whole, rest = whole.plus(part), rest.plus(product, -1)
        return whole, rest


def number(value: int) -> Form:
    """A form without variables."""
    return Form(int(value))


def variable(var: Var) -> Form:
    """The form that is a variable."""
    return Form(0, {var: 1})
