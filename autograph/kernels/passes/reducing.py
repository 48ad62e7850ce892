"""Loops over elements that combine integers, as vectors.

``for i: if x[i] > t: count += 1``, ``total += x[i]``, ``best = max(best, x[i])``: integers may be
added up, or compared, in any order. Run from a number that changes nothing, such as 0, a trip gives
what it adds: so the body is that of independent trips whose values are reduced.

``if x[i] > best: best, where = x[i], i`` takes what is noted of the first of the greatest. That one
is looked for once it is known, by a loop that compares numbers with it.

Trips may also store what they compute, ``y[i] = x[i] > t; count += y[i]``, where none touches what
another one stores.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence, Set

import numpy as np

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import BOOL, LONG, Block, Number, Operand, Statement, Var
from autograph.kernels.ir.work import in_lanes
from autograph.kernels.passes import wide_sums
from autograph.kernels.passes.affine import Facts, materialised
from autograph.kernels.passes.copying import substituted
from autograph.kernels.passes.dependence import Dependences, defined_in, is_understood
from autograph.kernels.passes.forms import Form, number

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_NEUTRAL = {"+": 0, "|": 0, "^": 0, "&": -1}
_CHECKED = {"add_checked": "+", "subtract_checked": "+"}
_FEW = 32  # trips, which take as long one after the other
_MANY = wide_sums.MOST  # trips, after which somebody asks whether to stop
_MOST = 60  # statements
_ANY = 1 << 63
_MOST_ASKED = 4  # loops of a kernel that are there twice
# LLVM knows what a loop gives that computes nothing else of its index.
_OF_POLYNOMIALS = {"+", "-", "*", *_CHECKED, "multiply_checked"}


class Reducing:
    """Makes vectors of such loops.

    Args:
        dependences: of a kernel, with the facts about its statements.
        symbols: of its lengths.

    Attributes:
        asks: how many loops ask how many trips they make.
    """

    def __init__(self, dependences: Dependences, symbols: Iterable[Var]):
        self.asks = 0
        self.dependences = dependences
        self.facts = dependences.facts
        self.symbols = frozenset(symbols)
        self.around: list[Var] = []  # indices of loops

    def block(self, block: Block) -> None:
        """Change the loops of a block, in place."""
        if ir.is_straight(block):
            return
        made: list[Statement] = []
        for s in block:
            found = self.vector(s) if isinstance(s, ir.For) else None
            if found is None:
                self.inside(s)
                made.append(s)
            else:
                made += found
        block.statements[:] = made

    def inside(self, s: Statement) -> None:
        if isinstance(s, ir.Each) and s.mode == "vector":
            return
        indices = [s.index] if isinstance(s, ir.For | ir.Each) else []
        self.around += indices
        for inner in ir.blocks(s):
            self.block(inner)
        del self.around[len(self.around) - len(indices) :]

    def vector(self, loop: ir.For) -> list[Statement] | None:
        """What takes the place of a loop; None if it stays what it is."""
        if not loop.state or loop.freed is not None:
            return None
        if not all(v.dtype.kind in "iu" for v in loop.state) or not self.is_cheap(loop):
            return None
        flow = _Flow(loop, self.facts)
        if not flow.is_understood() or not self.may_store(loop, flow):
            return None
        fits = self.has_many_trips(loop.count, flow.is_wide())
        if fits is None:
            return self.asked(loop)
        return flow.vector() if fits else None

    def has_many_trips(self, count: Operand, is_wide: bool) -> bool | None:
        """Whether a loop makes so many trips that it is worth it, and not too many; None if only
        the run knows."""
        form = self.facts.form(count)
        if form is None:
            return False
        least, most = self.facts.least(form), self.facts.greatest(form)
        known = form.variables <= self.symbols.union(self.around)
        if known and form.variables & self.symbols and not (is_wide and most > _MANY):
            return True
        if most < _FEW or least > _MANY:
            return False
        if known and most <= _MANY:
            return True
        return None if self.asks < _MOST_ASKED else False

    def asked(self, loop: ir.For) -> list[Statement] | None:
        """A loop that is a vector if it makes enough trips, and not too many."""
        own = tuple(Var(v.dtype, v.name) for v in loop.results)
        flow = _Flow(dataclasses.replace(loop, results=own), self.facts)
        count = self.facts.form(loop.count)
        if isinstance(loop.count, Var):  # if it is the larger one of a number and 0, that number
            count = self.facts.positive.get(loop.count, count)
        assert count is not None
        undo = self.facts.assume(number(_MANY).plus(count, -1))
        made = flow.vector() if flow.is_understood() else None
        self.facts.forget(undo)
        if made is None:
            return None
        self.asks += 1
        in_order = substituted(loop, {v: Var(v.dtype, v.name) for v in defined_in([loop])})
        assert isinstance(in_order, ir.For)
        many, few, fits = Var(BOOL), Var(BOOL), Var(BOOL)
        before, trips = materialised(count, self.facts)
        return [
            *before,
            ir.Compute(many, ">=", (trips, Number(_FEW, LONG))),
            ir.Compute(few, "<=", (trips, Number(_MANY, LONG))),
            ir.Compute(fits, "&", (many, few)),
            ir.If(fits, Block(made), Block([in_order]), loop.results, own, in_order.results),
        ]

    def is_cheap(self, loop: ir.For) -> bool:
        """Whether vectors do what a trip does more quickly."""
        statements = [*ir.walk(loop.body)]
        if len(statements) > _MOST:
            return False
        for s in statements:
            if isinstance(s, ir.Load | ir.Store):
                if not self.is_near(s.index, loop.index):
                    return False
            elif isinstance(s, ir.Compute):
                if s.function in ("quotient", "rest") and not self.divides(s):
                    return False
                if s.function == "/":
                    return False
            elif not isinstance(s, ir.If | ir.Check):
                return False
        return not all(
            isinstance(s, ir.Compute) and s.function in _OF_POLYNOMIALS for s in statements
        )

    def may_store(self, loop: ir.For, flow: _Flow) -> bool:
        """Whether what trips store is not touched by other trips, nor computed once more when the
        first of the best is looked for."""
        statements = [*ir.walk(loop.body)]
        if not any(isinstance(s, ir.Store) for s in statements):
            return True
        if flow.notes or not is_understood(statements):
            return False
        return self.dependences.independent(loop.index, loop.body.statements)

    def divides(self, s: ir.Compute) -> bool:
        """Whether there are quotients of vectors: of 64 bits, for which floats stand."""
        by, dtype = s.operands[1], s.out.dtype
        return dtype.itemsize == 8 or (isinstance(by, Number) and _is_power_of_two(by))

    def is_near(self, place: Operand, index: Var) -> bool:
        """Whether neighbouring trips read the same or neighbouring elements."""
        form = self.facts.form(place)
        if form is None:
            return False
        of_index = Form(0, {t: c for t, c in form.terms.items() if t is index})
        others = form.plus(of_index, -1)
        return index not in others.variables and of_index.terms.get(index, 0) in (0, 1)


class _Flow:
    """How a loop's state goes through a trip.

    Attributes:
        functions: for each state what combines it with a number of each trip; None for what is
            noted.
        notes: by the places of states, what notes them.
    """

    def __init__(self, loop: ir.For, facts: Facts):
        self.loop = loop
        self.facts = facts
        self.functions: list[str | None] = [None] * len(loop.state)
        self.is_checked = [False] * len(loop.state)  # whether a state must not leave 64 bits
        self.made: dict[Operand, Statement] = {}
        self._states: dict[Operand, int] = {v: k for k, v in enumerate(loop.state)}
        self._tests: dict[Operand, ir.Compute] = {}  # that compare a state
        self._best: dict[Operand, int] = {}  # the state that they replace
        self.notes: dict[int, ir.Compute] = {}
        # Between which numbers is what has been added to a state so far in a trip.
        self._added: dict[Operand, tuple[int, int]] = dict.fromkeys(loop.state, (0, 0))

    def is_understood(self) -> bool:
        """Whether all of the state is combined with numbers, or noted of the best of them."""
        if not self._block(self.loop.body):
            return False
        for k, following in enumerate(self.loop.following):
            if k in self.notes:
                if self.notes[k].out is not following:
                    return False
                if not self._is_noted_of_the_first(self.notes[k].operands[0]):
                    return False
            elif (
                self.functions[k] is None
                or self._states.get(following) != k
                or following is self.loop.state[k]
            ):
                return False
        return True

    def _is_noted_of_the_first(self, test: Operand) -> bool:
        place = self._best.get(test)
        if place is None or place in self.notes or self._tests[test].function not in "<>":
            return False
        choice, state = self.made.get(self.loop.following[place]), self.loop.state[place]
        return (
            isinstance(choice, ir.Compute)
            and choice.function == "select"
            and choice.operands[0] is test
            and choice.operands[2] is state
            and any(x is state for x in self._tests[test].operands)
        )

    # -- what a trip does --------------------------------------------------------------------------

    def _block(self, block: Block) -> bool:
        return all(map(self._statement, block))

    def _statement(self, s: Statement) -> bool:
        if isinstance(s, ir.If):
            return self._choice(s)
        reads = [x for x in uses.operands(s) if x in self._states or x in self._tests]
        if isinstance(s, ir.Compute | ir.Load):
            self.made[s.out] = s
        if not reads:
            return True
        return isinstance(s, ir.Compute) and self._computed(s)

    def _choice(self, s: ir.If) -> bool:
        known = (self._states, self._tests)
        if any(s.condition in table for table in known):
            return False
        if not self._block(s.then) or not self._block(s.orelse):
            return False
        for result, *sides in zip(s.results, s.then_results, s.else_results):
            self.made[result] = s
            places = [self._states.get(x) for x in sides]
            if any(x in self._tests for x in sides) or len({*places}) > 1:
                return False
            if places[0] is not None:
                self._joined(result, places[0], sides)
        return True

    def _joined(self, result: Var, place: int, sides: Sequence[Operand]) -> None:
        """Know a state that one of two is."""
        self._states[result] = place
        lows, highs = zip(*(self._added[x] for x in sides))
        self._added[result] = min(lows), max(highs)

    def _computed(self, s: ir.Compute) -> bool:
        places = [self._states.get(x) for x in s.operands]
        known = [k for k in places if k is not None]
        if s.function in _MIRRORED:
            self._tests[s.out] = s
            return len(known) == 1 and not any(x in self._tests for x in s.operands)
        if s.function == "select":
            return self._selected(s, places)
        if len(known) != 1 or any(x in self._tests for x in s.operands):
            return False
        (place,) = known
        if s.function in ("-", "subtract_checked") and len(places) == 2:
            if places[0] is None:
                return False
            self._add(s, s.operands[1], -1)
            return self._combined(s, place, "+")
        if s.function in ("+", "add_checked") and len(places) == 2:
            self._add(s, s.operands[places[0] is not None], 1)
            return self._combined(s, place, "+")
        if s.function in (*_NEUTRAL, "min", "max") and len(places) == 2:
            return self._combined(s, place, s.function)
        return False

    def _add(self, s: ir.Compute, by: Operand, sign: int) -> None:
        """Know how much a statement adds to a state, or takes from it."""
        state = next(x for x in s.operands if x is not by)
        place, form = self._states[state], self.facts.form(by)
        self.is_checked[place] |= s.function in _CHECKED
        low, high = self._added[state]
        if form is None:
            self._added[s.out] = -_ANY, _ANY
            return
        ends = sorted((sign * self.facts.least(form), sign * self.facts.greatest(form)))
        self._added[s.out] = low + ends[0], high + ends[1]

    def is_wide(self) -> bool:
        """Whether sums in a vector may leave 64 bits where that of all trips does not."""
        return any(self.is_checked)

    def _in_halves(self, k: int) -> bool:
        """Whether the numbers that are added up are so large that many of them may not fit."""
        low, high = self._added[self.loop.following[k]]
        return self.is_checked[k] and max(-low, high) > wide_sums.SMALL

    def _selected(self, s: ir.Compute, places: Sequence[int | None]) -> bool:
        test, (_, yes, no) = s.operands[0], places
        if places[0] is not None or any(x in self._tests for x in s.operands[1:]):
            return False
        if test not in self._tests:
            if yes is None or yes != no:
                return False
            self._joined(s.out, yes, s.operands[1:])
            return True
        compared = self._tests[test]
        place = no if yes is None else yes
        if place is None or (yes is not None and no is not None):
            return False
        state, x = s.operands[2 if yes is None else 1], s.operands[1 if yes is None else 2]
        if compared.operands[0] is x and compared.operands[1] is state:
            function = compared.function
        elif compared.operands[1] is x and compared.operands[0] is state:
            function = _MIRRORED[compared.function]
        elif yes is None and state is self.loop.state[place] and place not in self.notes:
            self.notes[place] = s
            return True
        else:
            return False
        self._best[test] = place
        is_greatest = (function[0] == ">") == (yes is None)
        return self._combined(s, place, "max" if is_greatest else "min")

    def _combined(self, s: ir.Compute, place: int, function: str) -> bool:
        before, self.functions[place] = self.functions[place], function
        self._states[s.out] = place
        self._added.setdefault(s.out, (-_ANY, _ANY))
        return before in (None, function)

    # -- as a vector -------------------------------------------------------------------------------

    def vector(self) -> list[Statement] | None:
        """The loop as one of independent trips, and what comes after it."""
        loop = self.loop
        neutral: dict[Operand, Operand] = {}
        reductions: list[ir.Reduction] = []
        split: list[Statement] = []  # what computes the halves of numbers
        after: list[Statement] = []
        for k, (state, function) in enumerate(zip(loop.state, self.functions)):
            if k in self.notes:
                neutral[state] = Number(0, state.dtype)
                continue
            assert function is not None
            start = Number(_neutral(function, state.dtype), state.dtype)
            neutral[state] = start
            total, value = Var(state.dtype, state.name), loop.following[k]
            if self._in_halves(k):
                more, *parts = wide_sums.halves(value)
                split += more
                sums = [Var(LONG), Var(LONG)]
                reductions += (ir.Reduction(x, "+", start, part) for x, part in zip(sums, parts))
                more, total = wide_sums.joined(*sums)
                after += more
            else:
                reductions.append(ir.Reduction(total, function, start, value))
            how = "add_checked" if self.is_checked[k] else function
            after.append(ir.Compute(loop.results[k], how, (loop.init[k], total)))
        for test in dict.fromkeys(note.operands[0] for note in self.notes.values()):
            found = self._looked_for(test)
            if found is None:
                return None
            after += found
        left_out: set[Statement] = set(self.notes.values())
        states = set(loop.state)
        for s in ir.walk(loop.body):
            if isinstance(s, ir.Compute) and s.function in ("+", "add_checked"):
                added = [x for x in s.operands if x not in states]
                before = [neutral[x] for x in s.operands if x in states]
                if len(added) == len(before) == 1 and _is_zero(before[0]):
                    left_out.add(s)
                    neutral[s.out] = neutral.get(added[0], added[0])
        body = _without(Block([*loop.body, *split]), left_out, neutral)
        reductions = [
            dataclasses.replace(r, value=neutral.get(r.value, r.value)) for r in reductions
        ]
        each = ir.Each(loop.index, loop.count, body, "vector", tuple(reductions), in_lanes(body))
        return [each, *after]

    def _looked_for(self, test: Operand) -> list[Statement] | None:
        """What finds the first of the best numbers, and what is noted of it."""
        loop, place = self.loop, self._best[test]
        state, best = loop.state[place], loop.results[place]
        compared = self._tests[test]
        x = compared.operands[1 if compared.operands[0] is state else 0]
        places = [k for k, note in self.notes.items() if note.operands[0] is test]
        better, index, last = Var(BOOL), Var(LONG), Var(LONG)
        ends: tuple[Operand, ...] = (loop.init[place], best)
        ends = ends if compared.operands[0] is state else ends[::-1]
        test_of = self._copied([x], index)
        noted = self._copied([self.notes[k].operands[1] for k in places], last)
        if test_of is None or noted is None:
            return None
        differs, following = Var(BOOL), Var(LONG)
        looking = ir.While(
            Block([*test_of[0], ir.Compute(differs, "!=", (test_of[1][0], best))]),
            differs,
            Block([ir.Compute(following, "+", (index, Number(1, LONG)))]),
            (index,),
            (Number(0, LONG),),
            (following,),
            (last,),
        )
        choice = ir.If(
            better,
            Block([looking, *noted[0]]),
            Block(),
            tuple(loop.results[k] for k in places),
            tuple(noted[1]),
            tuple(loop.init[k] for k in places),
        )
        return [ir.Compute(better, compared.function, ends), choice]

    def _copied(
        self, wanted: Sequence[Operand], index: Var
    ) -> tuple[list[Statement], list[Operand]] | None:
        """Statements that compute scalars of a trip of another loop, and these there."""
        pending: list[Operand] = [*wanted]
        needed: set[Statement] = set()
        while pending:
            s = self.made.get(pending.pop())
            if isinstance(s, ir.If):
                return None
            if s is not None and s not in needed:
                needed.add(s)
                pending += uses.operands(s)
        copies: list[Statement] = []
        become: dict[Operand, Operand] = {self.loop.index: index}
        for s in self.loop.body:
            if s in needed:
                assert isinstance(s, ir.Compute | ir.Load)
                needed.discard(s)
                become[s.out] = Var(s.out.dtype, s.out.name)
                copies.append(substituted(s, become))
        return None if needed else (copies, [become.get(x, x) for x in wanted])


def _without(block: Block, left_out: Set[Statement], become: dict[Operand, Operand]) -> Block:
    """A block without some statements, and with other operands."""
    made: list[Statement] = []
    for s in block:
        if s in left_out:
            continue
        if isinstance(s, ir.If):
            then, orelse = (_without(x, left_out, become) for x in (s.then, s.orelse))
            s = dataclasses.replace(s, then=then, orelse=orelse)
        made.append(substituted(s, become))
    return Block(made)


def _is_zero(x: Operand) -> bool:
    return isinstance(x, Number) and not x.value


def _is_power_of_two(x: Number) -> bool:
    return x.dtype.kind in "iu" and x.value > 0 and not int(x.value) & (int(x.value) - 1)


def _neutral(function: str, dtype: np.dtype) -> int:
    if function in _NEUTRAL:
        return _NEUTRAL[function] if dtype.kind == "i" or function != "&" else np.iinfo(dtype).max
    info = np.iinfo(dtype)
    return int(info.min if function == "max" else info.max)


def as_vectors(block: Block, dependences: Dependences, symbols: Mapping[str, Var]) -> bool:
    """Make vectors of the loops of a kernel's block that combine integers, in place. Returns
    whether some ask how many trips they make: more is known where they do."""
    reducing = Reducing(dependences, symbols.values())
    reducing.block(block)
    return reducing.asks > 0
