"""Between which bounds the integers stay that loops carry from trip to trip.

A bound is tried: that a state never exceeds what it began with, or never falls below it. If the
next state keeps it whenever the state does, it holds in all trips, and so it does after the loop.
If not, a wider one is tried that the next state has shown, then none (Cousot & Cousot, "Abstract
interpretation: a unified lattice model for static analysis of programs", 1977).

``while j >= 0 and x[j] > v: j -= 1`` begins at ``i - 1``, so ``j`` is at most that. It is not at
least ``i - 1``; but at least ``-1``, which a second try tells. In a counted loop also what grows by
at most ``c`` in each trip has a bound: ``first + c * index``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Operand
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.forms import Form, number, variable

_FAR = 2**40  # bounds that are farther away tell nothing of places in arrays
_MOST = 250  # statements of a loop; more of them are not gone through again


class CarriedBounds:
    """The integers in the state of a loop.

    Attributes:
        vars: their places.
        count: of a counted loop, the trips: what has taken the place of the count by now.
    """

    def __init__(self, facts: Facts, loop: ir.For | ir.While):
        self.facts = facts
        self.loop = loop
        blocks = ir.blocks(loop)
        is_short = sum(1 for b in blocks for _ in ir.walk(b)) <= _MOST
        self.vars = [k for k, v in enumerate(loop.state) if v.dtype == LONG and is_short]
        self.count = loop.count if isinstance(loop, ir.For) else None
        self.first: dict[int, Form] = {}
        # The bounds that are tried, and how many others were before.
        self._lows: dict[int, Form] = {}
        self._highs: dict[int, Form] = {}
        self._tried: dict[tuple[int, int], int] = {}

    def begin(self, init: Sequence[Operand]) -> None:
        """Begin with the first state. A loop in another one begins again when that one tries other
        bounds, which are wider: what did not hold before is not tried then."""
        for k in self.vars:
            first = self.facts.form(init[k])
            assert first is not None
            self.first[k] = first
            for sign, bounds in ((1, self._lows), (-1, self._highs)):
                tried = self._tried.get((k, sign), 0)
                bound = bounds.get(k)
                if tried == 0 or (bound is not None and bound.terms):
                    bounds[k], self._tried[k, sign] = first, 0
                elif bound is not None:
                    least = self.facts.least(first.times(sign))
                    bounds[k] = number(sign * min(least, sign * bound.constant))
                    self._tried[k, sign] = 1

    def enter(self) -> None:
        """Take the bounds that are tried to hold in the body."""
        for k in self.vars:
            lows = [self._lows[k]] if k in self._lows else []
            highs = [self._highs[k]] if k in self._highs else []
            self.facts.add(self.loop.state[k], lows, highs)
            self.facts.carried.add(self.loop.state[k])

    def holds(self, following: Sequence[Operand]) -> bool:
        """Whether the next state keeps all bounds that were tried. If not, others are next."""
        kept = [
            self._keeps(k, following[k], is_low)
            for k in self.vars
            for is_low, bounds in ((True, self._lows), (False, self._highs))
            if k in bounds
        ]
        return all(kept)

    def leave(self) -> None:
        """Say what holds after the loop, which may make no trip: what is known only where it makes
        one, such as that their count is positive, is not known any more."""
        for k in self.vars:
            lows = [self._last(k, self._lows[k], 1)] if k in self._lows else []
            highs = [self._last(k, self._highs[k], -1)] if k in self._highs else []
            self.facts.add(self.loop.results[k], _known(lows), _known(highs))
            self.facts.carried.add(self.loop.results[k])

    def _last(self, k: int, bound: Form, sign: int) -> Form | None:
        """A bound after the last trip, or of the first state if there is none."""
        if not bound.terms:
            least = min(sign * bound.constant, self.facts.least(self.first[k].times(sign)))
            return number(sign * least) if least > -_FAR else None
        if not isinstance(self.loop, ir.For) or self.loop.index not in bound.variables:
            return bound
        count = None if self.count is None else self.facts.form(self.count)
        if count is None or self.facts.least(count) < 0:
            return None
        return bound.replaced(self.loop.index, count)

    def _keeps(self, k: int, following: Operand, is_low: bool) -> bool:
        sign = 1 if is_low else -1
        bounds = self._lows if is_low else self._highs
        then = self.facts.form(following)
        assert then is not None
        bound = bounds[k]
        if isinstance(self.loop, ir.For):  # what has to hold in the next trip
            index = self.loop.index
            bound = bound.replaced(index, variable(index).plus(number(1)))
        if self.facts.least(then.plus(bound, -1).times(sign)) >= 0:
            return True
        bounds.pop(k)
        for wider in self._tries(k, then, sign):
            if wider is not None:
                bounds[k] = wider
                break
        return False

    def _tries(self, k: int, then: Form, sign: int) -> Iterator[Form | None]:
        """The bounds that come after one that does not hold, each once."""
        for tried in range(self._tried.get((k, sign), 0), 3):
            self._tried[k, sign] = tried + 1
            match tried:
                case 0 | 1:
                    moves = self._moves(k, then, sign) == (tried == 0)
                    yield (self._slope if moves else self._constant)(k, then, sign)
                case 2 if sign > 0 and self.facts.least(self.first[k]) >= -1:
                    yield number(-1)  # where a loop ends that goes down to 0

    def _moves(self, k: int, then: Form, sign: int) -> bool:
        """Whether the next state is known by how far it is from the state. If not, as that of
        ``best = i`` in a branch, it may be anything within its bounds after any trip."""
        state, bounds = self.loop.state[k], [then]
        for var in then.variables:
            bounds += self.facts.highs(var) if sign < 0 else self.facts.lows(var)
        return any(state in form.variables for form in bounds)

    def _slope(self, k: int, then: Form, sign: int) -> Form | None:
        """A bound that moves with the trips of a counted loop."""
        if not isinstance(self.loop, ir.For):
            return None
        step = self.facts.least(then.plus(variable(self.loop.state[k]), -1).times(sign))
        if step < -_FAR:
            return None
        return self.first[k].plus(variable(self.loop.index), sign * step)

    def _constant(self, k: int, then: Form, sign: int) -> Form | None:
        """A number that is a bound of the first state, and of the next."""
        least = min(self.facts.least(x.times(sign)) for x in (self.first[k], then))
        return number(sign * least) if least > -_FAR else None


def _known(bounds: Sequence[Form | None]) -> list[Form]:
    return [x for x in bounds if x is not None]
