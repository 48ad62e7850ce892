"""Comparisons of integers whose outcome is known, and what follows: places that may count from the
end become places, checks of places inside of arrays are dropped, and sums that cannot overflow are
not checked.

What is known are the forms of `affine`. It holds where a statement stands: in a branch also what
its condition says, after a check what was checked. What is left are nests of loops whose indices
can be read, see `nests`. `rounds` goes through a kernel as often as it changes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import BOOL, LONG, Block, Number, Operand, Var
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.forms import Form, number
from autograph.kernels.passes.known_values import COMPARED, KnownValues
from autograph.kernels.passes.states import CarriedBounds
from autograph.kernels.passes.trail import Table, Trail

_HARMLESS = {*COMPARED, "&", "|", "~", "+", "-", "*", "select", "cast"}  # none divides by 0
_TRUE = Number(True, BOOL)


class Outcomes(KnownValues):
    """Goes through a kernel, and takes out what is known.

    Attributes:
        again: whether another round would find more.
        trail: there if loops carry integers: what was noted of the facts is not needed any more.
    """

    def __init__(
        self,
        bases: Set[Operand],
        facts: Facts,
        is_settled: Callable[[ir.Statement], bool] | None = None,
    ):
        """Begin with what is known of the kernel's arguments.

        Args:
            bases: where buffers start, which name them: nothing else may stand for these.
            facts: what is known already.
            is_settled: tells of a statement of the kernel's own whether it stays as it is, and all
                is known of what it defines; None if of none.
        """
        super().__init__(bases, facts)
        self.is_settled = is_settled
        self.again = False
        self.checked: list[Operand] = []
        self.states: dict[int, CarriedBounds] = {}  # of loops
        self.trail: Trail | None = None  # of loops that carry integers

    def block(self, block: Block, assumed: Sequence[Form] = ()) -> Block:
        """A block in which some forms are not negative."""
        undo: list[Any] = []
        for form in assumed:
            undo += self.facts.assume(form)
        made: list[ir.Statement] = []
        checked, shorts, divided = len(self.checked), self.short.mark(), len(self.divided)
        self.nesting += 1
        settled = self.is_settled if self.nesting == 1 else None
        for statement in block:
            if settled is not None and settled(statement):
                made.append(statement)
            else:
                made += self.statement(statement, undo)
        self.nesting -= 1
        self.facts.forget(undo)
        self.short.forget(shorts)
        del self.divided[divided:]
        while len(self.checked) > checked:  # what was checked is not known after the block
            self.replaced.pop(self.checked.pop())
        return Block(made)

    def statement(self, s: ir.Statement, undo: list[Any]) -> Sequence[ir.Statement]:
        """What comes in the place of a statement. One of those that hold no others is the given
        one itself where nothing about it changes: nobody changes these in place."""
        match s:
            case ir.Compute():
                return self.compute(s)
            case ir.Load():
                index = self.of(s.index)
                return [s if index is s.index else ir.Load(s.out, s.buffer, index)]
            case ir.Store():
                index, value = self.of(s.index), self.of(s.value)
                same = index is s.index and value is s.value
                return [s if same else ir.Store(s.buffer, index, value)]
            case ir.Check():
                condition = self.of(s.condition)
                if isinstance(condition, Number) and condition.value:
                    return []
                for form in self.says.get(condition, ([], []))[0]:
                    undo += self.facts.assume(form)
                if isinstance(condition, Var):
                    self.replaced[condition] = _TRUE
                    self.checked.append(condition)
                same = condition is s.condition
                return [s if same else ir.Check(condition, s.location)]
            case ir.If():
                return self.conditional(s, undo)
            case ir.For():
                return [] if self.makes_no_trip(s) else self.loop(s)
            case ir.Each():
                return [] if self.makes_no_trip(s) else [self.each(s)]
            case ir.While():
                return [self.waiting(s)]
        return [self.rebuilt(s)]

    def rebuilt(self, s: ir.Statement) -> ir.Statement:
        """Another statement with its operands replaced."""

        def of(value: Any) -> Any:
            if type(value) is tuple:
                return tuple(map(of, value))
            return self.of(value) if isinstance(value, Operand) else value

        found = {f.name: of(getattr(s, f.name)) for f in dataclasses.fields(s)}
        changed = {k: v for k, v in found.items() if v is not getattr(s, k)}
        return dataclasses.replace(s, **changed) if changed else s

    def freed(self, freed: ir.Freed | None) -> ir.Freed | None:
        if freed is None:
            return freed
        newest = None if freed.newest is None else self.of(freed.newest)
        nbytes = freed.nbytes if isinstance(freed.nbytes, int) else self.of(freed.nbytes)
        return ir.Freed(newest, nbytes)

    # -- control flow ------------------------------------------------------------------------------

    def waiting(self, s: ir.While) -> ir.While:
        init = self.all(s.init)

        def trip() -> tuple[Block, Operand, Block, list[Any]]:
            test = self.block(s.test)
            condition = self.of(s.condition)
            undo = [
                x for form in self.says.get(condition, ([], []))[0] for x in self.facts.assume(form)
            ]
            return test, condition, self.block(s.body), undo

        state = self.state(s, init)
        while True:
            before = self.known()
            state.enter()
            test, condition, body, undo = trip()
            following = self.all(s.following)
            holds = state.holds(following)
            self.facts.forget(undo)
            if holds:
                break
            self.restore(before)
        state.leave()
        freed = self.freed(s.freed)
        return ir.While(test, condition, body, s.state, init, following, s.results, freed, s.brief)

    def state(self, s: ir.For | ir.While, init: Sequence[Operand]) -> CarriedBounds:
        found = self.states.get(id(s))
        if found is None:
            found = self.states[id(s)] = CarriedBounds(self.facts, s)
        found.begin(init)
        return found

    def known(self) -> tuple[int, list[Operand], bool]:
        """What is known now, for `restore`. From the first time on, changes are noted."""
        if self.trail is None:
            self.trail = trail = Trail()
            self.replaced = Table(self.replaced, trail)
            self.says, self.chosen = Table(self.says, trail), Table(self.chosen, trail)
            self.facts.note_changes(trail)
        return self.trail.mark(), list(self.checked), self.again

    def restore(self, known: tuple[int, list[Operand], bool]) -> None:
        """Know what was known then, and nothing else. What is assumed now was assumed then."""
        mark, self.checked, self.again = known
        assert self.trail is not None
        self.trail.take_back(mark)

    def conditional(self, s: ir.If, undo: list[Any]) -> Sequence[ir.Statement]:
        """
        Args:
            undo: takes what is known after a branch that is always taken.
        """
        condition = self.of(s.condition)
        if isinstance(condition, Number):
            side, results = (
                (s.then, s.then_results) if condition.value else (s.orelse, s.else_results)
            )
            made: list[ir.Statement] = []
            for statement in side:
                made += self.statement(statement, undo)
            for out, value in zip(s.results, self.all(results)):
                made += self.stands_for(out, value)
            return made
        holds, fails = self.says.get(condition, ([], []))
        then = self.branch(s.then, holds, condition, True)
        then_results = self.all(s.then_results)
        orelse = self.branch(s.orelse, fails, condition, False)
        else_results = self.all(s.else_results)
        for out, yes, no in zip(s.results, then_results, else_results):
            found = self.either(out, condition, yes, no)
            if found is None or out in self.bases or self.made_in(found, (then, orelse)):
                continue
            self.replaced[out] = found
        for out, yes, no in zip(s.results, then_results, else_results):
            self.both(out, condition, yes, no)
        if not then.statements and not orelse.statements:
            for out, yes, no in zip(s.results, then_results, else_results):
                self.chosen[out] = (condition, yes, no)
            return [
                ir.Compute(out, "select", (condition, yes, no))
                for out, yes, no in zip(s.results, then_results, else_results)
                if out not in self.replaced
            ]
        return [ir.If(condition, then, orelse, s.results, then_results, else_results)]

    def both(self, out: Var, condition: Operand, yes: Operand, no: Operand) -> None:
        """Say what holds if a bool does that needs a condition and another one, as ``and`` gives,
        and what if one does not that needs one of both, as ``or`` gives."""
        if out.dtype != BOOL:
            return
        holds, fails = self.says.get(condition, ([], []))
        if no is condition or (isinstance(no, Number) and not no.value):
            self.says[out] = (holds + self.says.get(yes, ([], []))[0], [])
        elif yes is condition or (isinstance(yes, Number) and yes.value):
            self.says[out] = ([], fails + self.says.get(no, ([], []))[1])

    @staticmethod
    def made_in(operand: Operand, blocks: Sequence[Block]) -> bool:
        """Whether a scalar is defined in one of some blocks."""
        return any(operand is x for b in blocks for s in ir.walk(b) for x in uses.defined(s))

    def branch(self, block: Block, said: list[Form], condition: Operand, holds: bool) -> Block:
        before = self.replaced.get(condition)
        self.replaced[condition] = Number(holds, BOOL)
        made = self.block(block, said)
        self.replaced.pop(condition)
        if before is not None:
            self.replaced[condition] = before
        return made

    def enter(self, index: Var, count: Operand) -> tuple[Form | None, list[Any]]:
        """Know what holds in the body of a loop. Returns how many trips it makes if it makes any,
        and what `Facts.forget` takes back after the body."""
        undo: list[Any] = []
        form = self.facts.form(count)
        if form is None:
            return None, undo
        one = number(-1)
        said = [form.plus(one)]
        if isinstance(count, Var) and count in self.facts.positive:
            form = self.facts.positive[count]
            said.append(form.plus(one))
        for known in said:
            undo += self.facts.assume(known)
        self.facts.index(index, form)
        return form, undo

    def makes_no_trip(self, s: ir.For | ir.Each) -> bool:
        """Whether nothing is left of a loop but its results, which are replaced by what they are
        then."""
        count = self.of(s.count)
        if not isinstance(count, Number) or count.value > 0:
            return False
        if isinstance(s, ir.For):
            if s.freed is not None or not self.bases.isdisjoint(s.results):
                return False
            results = dict(zip(s.results, self.all(s.init)))
        else:
            results = {r.out: r.start for r in s.reductions}
        for result, value in results.items():
            self.replaced[result] = value
        return True

    def loop(self, s: ir.For) -> list[ir.Statement]:
        count, init = self.of(s.count), self.all(s.init)
        form, undo = self.enter(s.index, count)
        for var, first, then, result in zip(s.state, init, s.following, s.results):
            if _same_number(first, self.of(then)) and self.bases.isdisjoint((var, result)):
                self.replaced[var] = self.replaced[result] = first
        state = self.state(s, init)
        state.count = count
        while True:
            before = self.known() if state.vars else None
            state.enter()
            body = self.block(s.body)
            following = self.all(s.following)
            if state.holds(following):
                break
            assert before is not None
            self.restore(before)
        self.facts.forget(undo)
        state.leave()
        after: list[ir.Statement] = []
        numbers = [
            k
            for k, value in enumerate(following)
            if isinstance(value, Number) and s.results[k] not in self.bases
        ]
        chosen = [x for x, state in zip(following, s.state) if self.keeps(x, state)]
        if (numbers or chosen) and form is not None:
            makes_trips = self.facts.least(self.facts.form(count) or form) > 0
            if makes_trips:
                for k in numbers:
                    self.replaced[s.results[k]] = following[k]
                self.found_at_an_end(s, count, following)
            if chosen or not makes_trips:
                after = self.after_trips(s, count, init, following, body)
        freed = self.freed(s.freed)
        if freed is not None:
            takes = any(isinstance(x, ir.Reserve | ir.RoutineCall) for x in ir.walk(body))
            freed = freed if takes else None
        loop = ir.For(s.index, count, body, s.state, init, following, s.results, freed)
        return [loop, *after]

    def found_at_an_end(self, s: ir.For, count: Operand, following: Sequence[Operand]) -> None:
        """Replace results by the number that the first or the last trip makes them, if any trip
        makes them that or nothing: whether a pair was met in ``for i < n: for j < i``."""
        inner = {s.index, *s.state, *(v for x in ir.walk(s.body) for v in uses.defined(x))}
        last = self.facts.form(count)
        ends = [number(0)] if last is None else [number(0), last.plus(number(-1))]
        for state, value, result in zip(s.state, following, s.results):
            if not self.keeps(value, state) or result in self.bases:
                continue
            condition, value, _ = self.chosen[value]
            fails = self.says.get(condition, ([], []))[1]
            for form in (x.replaced(s.index, end) for x in fails for end in ends):
                if inner.isdisjoint(form.variables) and self.facts.greatest(form) < 0:
                    self.replaced[result] = value

    def after_trips(
        self,
        s: ir.For,
        count: Operand,
        init: Sequence[Operand],
        following: Sequence[Operand],
        body: Block,
    ) -> list[ir.Statement]:
        """What chooses between a number that the state is after any trip and that of no trip."""
        inner = {s.index, *s.state, *(v for x in ir.walk(body) for v in uses.defined(x))}
        computed: dict[Operand, ir.Compute] = {
            x.out: x for x in ir.walk(body) if isinstance(x, ir.Compute)
        }
        made: list[ir.Statement] = []
        for state, first, value, result in zip(s.state, init, following, s.results):
            condition: Operand = _TRUE
            if self.keeps(value, state):
                condition, value, _ = self.chosen[value]
            before = _outside(condition, computed, inner)
            if before:
                made += before
                condition = before[-1].out
            if result in self.replaced or result in self.bases:
                continue
            if not isinstance(value, Number) or condition in inner:
                continue
            users = sum(x is state for s in ir.walk(body) for x in uses.operands(s))
            if users > (condition is not _TRUE):
                self.again = True
                continue
            some, out = Var(BOOL), Var(result.dtype, result.name)
            made += self.compute(ir.Compute(some, ">", (count, Number(0, LONG))))
            if condition is not _TRUE:
                both = Var(BOOL)
                made += self.compute(ir.Compute(both, "&", (some, condition)))
                some = both
            made += self.compute(ir.Compute(out, "select", (some, value, first)))
            self.replaced[result] = self.of(out)
        return made

    def keeps(self, following: Operand, state: Var) -> bool:
        """Whether a trip leaves a state as it is, or makes it a number."""
        _, value, other = self.chosen.get(following, (None, None, None))
        return isinstance(value, Number) and other is state

    def each(self, s: ir.Each) -> ir.Each:
        count = self.of(s.count)
        _, undo = self.enter(s.index, count)
        body = self.block(s.body)
        self.facts.forget(undo)
        reductions = tuple(dataclasses.replace(r, value=self.of(r.value)) for r in s.reductions)
        return ir.Each(s.index, count, body, s.mode, reductions, s.work)


def _outside(
    operand: Operand, computed: Mapping[Operand, ir.Compute], inner: Set[Operand]
) -> list[ir.Compute]:
    """Statements that compute a scalar of a loop's body before or after it, the last of them the
    scalar itself; none if it needs what differs between trips, or is not of the body."""
    if operand not in computed or computed[operand].function not in _HARMLESS:
        return []
    s, made, operands = computed[operand], list[ir.Compute](), list[Operand]()
    for x in s.operands:
        before = _outside(x, computed, inner) if x in inner else []
        if x in inner and not before:
            return []
        made += before
        operands.append(before[-1].out if before else x)
    return [*made, ir.Compute(Var(s.out.dtype), s.function, tuple(operands), s.location)]


def _same_number(x: Operand, y: Operand) -> bool:
    return (
        isinstance(x, Number)
        and isinstance(y, Number)
        and x.dtype == y.dtype
        and x.value.tobytes() == y.value.tobytes()
    )
