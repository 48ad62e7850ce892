"""Loops over elements that combine integers, as vectors.

``for i: if x[i] > t: count += 1``, ``total += x[i]``, ``best = max(best, x[i])``: integers may be
added up, or compared, in any order. Run from a number that changes nothing, such as 0, a trip gives
what it adds: so the body is that of independent trips whose values are reduced.

``if x[i] > best: best, where = x[i], i`` takes what is noted of the first of the greatest. That one
is looked for once it is known, by a loop that compares numbers with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import BOOL, LONG, Block, Number, Operand, Statement, Var
from autograph.kernels.ir.work import in_lanes
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.copying import substituted
from autograph.kernels.passes.forms import Form

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_NEUTRAL = {"+": 0, "|": 0, "^": 0, "&": -1}
_DEAR = ("quotient", "rest", "/")
_FEW = 32  # trips, which take as long one after the other
_MANY = 1 << 28  # after which somebody asks whether to stop
_MOST = 60  # statements


class Reducing:
    """Makes vectors of such loops.

    Args:
        facts: about a kernel's statements.
        symbols: of its lengths.
    """

    def __init__(self, facts: Facts, symbols: Iterable[Var]):
        self.facts = facts
        self.symbols = frozenset(symbols)
        self.around: list[Var] = []  # indices of loops

    def block(self, block: Block) -> bool:
        """Change the loops of a block, in place. Returns whether there were any to change."""
        if ir.is_straight(block):
            return False
        changed = False
        made: list[Statement] = []
        for s in block:
            found = self.vector(s) if isinstance(s, ir.For) else None
            if found is None:
                changed |= self.inside(s)
                made.append(s)
            else:
                changed = True
                made += found
        block.statements[:] = made
        return changed

    def inside(self, s: Statement) -> bool:
        if isinstance(s, ir.Each) and s.mode == "vector":
            return False
        indices = [s.index] if isinstance(s, ir.For | ir.Each) else []
        self.around += indices
        changed = [self.block(inner) for inner in ir.blocks(s)]
        del self.around[len(self.around) - len(indices) :]
        return any(changed)

    def vector(self, loop: ir.For) -> list[Statement] | None:
        """What takes the place of a loop; None if it stays what it is."""
        if not loop.state or loop.freed is not None or not self.has_many_trips(loop.count):
            return None
        if not all(v.dtype.kind in "iu" for v in loop.state) or not self.is_cheap(loop):
            return None
        flow = _Flow(loop)
        return flow.vector() if flow.is_understood() else None

    def has_many_trips(self, count: Operand) -> bool:
        form = self.facts.form(count)
        if form is None or not form.variables <= self.symbols.union(self.around):
            return False
        if form.variables & self.symbols:
            return True
        return _FEW <= self.facts.greatest(form) <= _MANY

    def is_cheap(self, loop: ir.For) -> bool:
        """Whether vectors do what a trip does as quickly."""
        statements = [*ir.walk(loop.body)]
        if len(statements) > _MOST:
            return False
        for s in statements:
            if isinstance(s, ir.Load):
                if not self.is_near(s.index, loop.index):
                    return False
            elif isinstance(s, ir.Compute):
                if s.function.endswith("_checked") or s.function in _DEAR:
                    return False
            elif not isinstance(s, ir.If):
                return False
        return any(isinstance(s, ir.Load) for s in statements)

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
    """

    def __init__(self, loop: ir.For):
        self.loop = loop
        self.functions: list[str | None] = [None] * len(loop.state)
        self.made: dict[Operand, Statement] = {}
        self._states: dict[Operand, int] = {v: k for k, v in enumerate(loop.state)}
        self._tests: dict[Operand, ir.Compute] = {}  # that compare a state
        self._best: dict[Operand, int] = {}  # the state that they replace
        self._notes: dict[int, ir.Compute] = {}

    def is_understood(self) -> bool:
        """Whether all of the state is combined with numbers, or noted of the best of them."""
        if not self._block(self.loop.body):
            return False
        for k, following in enumerate(self.loop.following):
            if k in self._notes:
                if self._notes[k].out is not following:
                    return False
                if not self._is_noted_of_the_first(self._notes[k].operands[0]):
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
        if place is None or place in self._notes or self._tests[test].function not in "<>":
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
                self._states[result] = places[0]
        return True

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
        if s.function == "-" and len(places) == 2 and places[0] is not None:
            return self._combined(s, place, "+")
        if s.function in (*_NEUTRAL, "min", "max") and len(places) == 2:
            return self._combined(s, place, s.function)
        return False

    def _selected(self, s: ir.Compute, places: Sequence[int | None]) -> bool:
        test, (_, yes, no) = s.operands[0], places
        if places[0] is not None or any(x in self._tests for x in s.operands[1:]):
            return False
        if test not in self._tests:
            if yes is None or yes != no:
                return False
            self._states[s.out] = yes
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
        elif yes is None and state is self.loop.state[place] and place not in self._notes:
            self._notes[place] = s
            return True
        else:
            return False
        self._best[test] = place
        is_greatest = (function[0] == ">") == (yes is None)
        return self._combined(s, place, "max" if is_greatest else "min")

    def _combined(self, s: ir.Compute, place: int, function: str) -> bool:
        before, self.functions[place] = self.functions[place], function
        self._states[s.out] = place
        return before in (None, function)

    # -- as a vector -------------------------------------------------------------------------------

    def vector(self) -> list[Statement] | None:
        """The loop as one of independent trips, and what comes after it."""
        loop = self.loop
        neutral: dict[Operand, Operand] = {}
        reductions: list[ir.Reduction] = []
        after: list[Statement] = []
        for k, (state, function) in enumerate(zip(loop.state, self.functions)):
            if k in self._notes:
                neutral[state] = Number(0, state.dtype)
                continue
            assert function is not None
            start = Number(_neutral(function, state.dtype), state.dtype)
            neutral[state] = start
            total = Var(state.dtype, state.name)
            reductions.append(ir.Reduction(total, function, start, loop.following[k]))
            after.append(ir.Compute(loop.results[k], function, (loop.init[k], total)))
        for test in dict.fromkeys(note.operands[0] for note in self._notes.values()):
            found = self._looked_for(test)
            if found is None:
                return None
            after += found
        notes = set(self._notes.values())
        body = Block([substituted(s, neutral) for s in loop.body if s not in notes])
        each = ir.Each(loop.index, loop.count, body, "vector", tuple(reductions), in_lanes(body))
        return [each, *after]

    def _looked_for(self, test: Operand) -> list[Statement] | None:
        """What finds the first of the best numbers, and what is noted of it."""
        loop, place = self.loop, self._best[test]
        state, best = loop.state[place], loop.results[place]
        compared = self._tests[test]
        x = compared.operands[1 if compared.operands[0] is state else 0]
        places = [k for k, note in self._notes.items() if note.operands[0] is test]
        better, index, last = Var(BOOL), Var(LONG), Var(LONG)
        ends: tuple[Operand, ...] = (loop.init[place], best)
        ends = ends if compared.operands[0] is state else ends[::-1]
        test_of = self._copied([x], index)
        noted = self._copied([self._notes[k].operands[1] for k in places], last)
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


def _neutral(function: str, dtype: np.dtype) -> int:
    if function in _NEUTRAL:
        return _NEUTRAL[function] if dtype.kind == "i" or function != "&" else np.iinfo(dtype).max
    info = np.iinfo(dtype)
    return int(info.min if function == "max" else info.max)


def as_vectors(block: Block, facts: Facts, symbols: Mapping[str, Var]) -> bool:
    """Make vectors of the loops of a kernel's block that combine integers, in place. Returns
    whether there were any."""
    return Reducing(facts, symbols.values()).block(block)
