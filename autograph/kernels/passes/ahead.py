"""Dear functions of a loop in order, computed ahead of its trips, in lanes: loop distribution
(Kennedy & McKinley, "Loop distribution with arbitrary control flow", 1990), in strips.

``for j: total += np.exp(-x[j]) * total`` has to go through its trips one after the other, but
exponentials need not wait for that. Those of some trips are computed at once, as lanes of a vector,
and lie in a small array from which the trips take them. What is stored or added up is so in the
same order, of the same numbers.

What a trip leaves for the next one is known ahead where it is read, or cheap to compute of what is
read: with ``last = t[j]`` at its end, ``np.exp(last - t[j])`` is that of ``t[j - 1] - t[j]``, but
for the first of the trips that are computed at once.

An operation on floats has no effect, and nothing is read where nothing is known to be, so that what
is computed so need not be used. But where a condition that is known ahead decides whether it is, as
``if distance < cutoff``, lanes ask it first: few may need it. Loops of a few trips in the loop, as
those over the coordinates of a point, are written out before.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.dead import needed
from autograph.kernels.ir.ir import BOOL, LONG, Block, Buffer, Number, Operand, Statement, Var
from autograph.kernels.ir.work import divisions, in_lanes
from autograph.kernels.mathematics.power import as_product
from autograph.kernels.passes.copying import substituted
from autograph.kernels.passes.dependence import Dependences, defined_in
from autograph.kernels.passes.replacing import is_no_vector, replace_statements

_CALLS = ir.Multiply | ir.RoutineCall | ir.InnerLoopCall | ir.SortCall | ir.PythonCall | ir.Draw
_STRIP = 64  # trips
_LEAST = 8  # trips of a loop that is known to be worth it
_MOST_KEPT = 8  # numbers of each trip that lie in arrays
_MOST_STATEMENTS = 200  # of a trip
_FEW = 4  # trips that are written out
_SHORT = 16  # trips of a loop inside that lanes make themselves
_LONG_INSIDE = 64  # trips of a loop inside, beside which the rest does not count

_TRAPPING = frozenset(["quotient", "rest"])  # by zero
_MOST_RECALLED = 8  # statements that give what the trip before has left
_SHORT_POWERS = (1.0, 2.0, 3.0)  # one product or two
_PRODUCT = 2  # divisions that a power takes as long as which is a longer product
_WORTH = 3  # divisions that dear functions take as long as
_FUNCTION = divisions("exp")


def written_out(block: Block) -> bool:
    """Write out the loops of few trips in loops that have dear functions, in place. Returns whether
    there were any."""
    changed = False
    if ir.is_straight(block):
        return changed
    for s in block:
        if isinstance(s, ir.Each) and s.mode == "vector":
            continue
        for inner in ir.blocks(s):
            changed |= written_out(inner)
        if isinstance(s, ir.For) and s.freed is None and _may_be_straight(s):
            s.body.statements[:], given = _straight(s.body)
            s.following = _given(s.following, given)
            changed = True
    return changed


def _may_be_straight(s: ir.For) -> bool:
    """Whether there are loops in a loop that has dear functions, and all of few trips."""
    statements = list(ir.walk(s.body))
    loops = [x for x in statements if isinstance(x, ir.For | ir.Each)]
    if not loops or not _may_be_copied(statements):
        return False
    if not all(_is_few(x) for x in loops) or _is_few(s):
        return False
    return _cost(s.body) >= _WORTH and len(statements) * _FEW <= _MOST_STATEMENTS


def _is_few(s: ir.For | ir.Each) -> bool:
    if isinstance(s, ir.Each) and (s.reductions or s.mode != "vector"):
        return False
    return isinstance(s.count, Number) and s.count.value <= _FEW


def _given(operands: Iterable[Operand], given: dict[Operand, Operand]) -> tuple[Operand, ...]:
    return tuple(given.get(x, x) for x in operands)


def _straight(block: Block) -> tuple[list[Statement], dict[Operand, Operand]]:
    """The statements of a block, with those of each trip of a loop one after the other, and what
    the results of the loops are then."""
    made: list[Statement] = []
    replaced: dict[Operand, Operand] = {}
    for s in block:
        s = substituted(s, replaced)
        if isinstance(s, ir.If):
            (then, given), (orelse, given_else) = _straight(s.then), _straight(s.orelse)
            s = dataclasses.replace(
                s,
                then=Block(then),
                orelse=Block(orelse),
                then_results=_given(s.then_results, given),
                else_results=_given(s.else_results, given_else),
            )
        if not isinstance(s, ir.For | ir.Each):
            made.append(s)
            continue
        statements, given = _straight(s.body)
        body = Block(statements)
        following = _given(s.following, given) if isinstance(s, ir.For) else ()
        state: Sequence[Operand] = s.init if isinstance(s, ir.For) else ()
        count = s.count
        assert isinstance(count, Number)
        for k in range(int(count.value)):
            own: dict[Operand, Operand] = {v: Var(v.dtype, v.name) for v in defined_in(body)}
            own[s.index] = Number(k, LONG)
            if isinstance(s, ir.For):
                own.update(zip(s.state, state))
            made += [substituted(x, own) for x in body]
            if isinstance(s, ir.For):
                state = _given(following, own)
        if isinstance(s, ir.For):
            replaced.update(zip(s.results, state))
    return made, replaced


def ahead(block: Block, dependences: Dependences) -> bool:
    """Compute dear functions ahead of the trips of the loops of a block, in place. Returns whether
    there were any."""

    def change(s: ir.For) -> list[Statement] | None:
        return None if s.freed is not None else _Distributed(s, dependences).statements()

    return replace_statements(block, ir.For, change, is_no_vector)


def has_dear(block: Block) -> bool:
    """Whether there are dear functions in a kernel at all."""
    return any(map(_price, ir.walk(block)))


class _Distributed:
    """Two loops for one, the first of which is in lanes.

    Attributes:
        early: the statements that may be computed ahead, in order.
        plan: what lanes do: the same, in branches where `guarded` says so.
        dear: the scalars that are, or are computed of, results of dear functions.
        recalled: what a trip leaves for the next one, with the statements that give it.
        gain: how many divisions are computed ahead.
        chances: the conditions that ask for floats, so that one trip in many may meet them, where
            one as ``i != j`` is met by most.
    """

    def __init__(self, loop: ir.For, dependences: Dependences):
        self.loop = loop
        self.dependences = dependences
        self.early: list[Statement] = []
        self.plan: list[Statement] = []
        self.dear: set[Operand] = set()
        self.gain = 0
        self.chances: set[Operand] = set()
        self.late: set[Operand] = {*loop.state}

    def statements(self) -> list[Statement] | None:
        """What comes in the place of the loop; None if it stays."""
        loop = self.loop
        facts = self.dependences.facts
        count = facts.form(loop.count)
        if count is None or facts.greatest(count) < _LEAST:
            return None
        if _cost(loop.body) < _WORTH:
            return None
        everything = list(ir.walk(loop.body))
        if len(everything) > _MOST_STATEMENTS:
            return None
        for s in everything:
            if isinstance(s, _CALLS | ir.While | ir.Local):
                return None
            if isinstance(s, ir.For | ir.Each) and (
                isinstance(s.count, Number) and s.count.value >= _LONG_INSIDE
            ):
                return None
        group = self.dependences.memory.group
        self.written = {group(b) for s in everything for b in uses.written(s)}
        self.recalled = self.left_behind()
        self.late.difference_update(self.recalled)
        self.chances = _of_floats(everything)
        self.find(loop.body, self.plan)
        if self.gain < _WORTH:
            return None
        rest = self.without(loop.body)
        used = needed(rest, loop.following)
        made = [v for s in self.early if self.is_dear(s) for v in uses.results(s)]
        kept = [v for v in made if v in used]
        if not kept or len(kept) > _MOST_KEPT:
            return None
        if facts.least(count) >= _LEAST or not _may_be_copied(everything):
            return self.distributed(rest, kept)
        return self.if_long(rest, kept)

    def if_long(self, rest: Block, kept: Sequence[Var]) -> list[Statement]:
        """The two loops where there are enough trips for them, and the loop as it is where not, as
        in the last rows of a triangle."""
        loop, is_long = self.loop, Var(BOOL)
        own: dict[Operand, Operand] = {v: Var(v.dtype, v.name) for v in defined_in([loop])}
        few = substituted(loop, own)
        assert isinstance(few, ir.For)
        found = tuple(Var(v.dtype, v.name) for v in loop.results)
        results, loop.results = loop.results, found
        long = Block(self.distributed(rest, kept))
        return [
            ir.Compute(is_long, ">=", (loop.count, Number(_LEAST, LONG))),
            ir.If(is_long, long, Block([few]), results, found, few.results),
        ]

    def find(self, block: Block, plan: list[Statement], least: int = 1) -> None:
        """Find what may be computed ahead, and add it to what lanes do.

        Args:
            least: what is as dear is worth it. Products and divisions in branches that few trips
                may take are computed sooner where one comes to them than for all.
        """
        for s in block:
            if self.is_early(s):
                self.early.append(s)
                plan.append(s)
                self.gain += sum(p for x in ir.walk([s]) if (p := _price(x)) >= least)
                if any(_price(x) or self.dear & {*uses.operands(x)} for x in ir.walk([s])):
                    self.dear.update(uses.results(s))
            elif isinstance(s, ir.If):
                self.late.update(s.results)
                sides: tuple[list[Statement], list[Statement]] = [], []
                for inner, found in zip(ir.blocks(s), sides):
                    self.find(inner, found, _FUNCTION if s.condition in self.chances else least)
                plan += self.guarded(s.condition, *sides)
            else:
                self.late.update(defined_in([s]))

    def guarded(
        self, condition: Operand, then: list[Statement], orelse: list[Statement]
    ) -> list[Statement]:
        """What is found in the sides of a branch, with what is dear in a branch for lanes, if they
        know its condition. What is read is read by all lanes, as neighbouring elements are."""
        if condition in self.late or _cost([*then, *orelse]) < _WORTH:
            return [*then, *orelse]
        read = {x for s in (*then, *orelse) if type(s) is ir.Load for x in uses.operands(s)}
        for s in reversed([*then, *orelse]):
            if not read.isdisjoint(uses.results(s)):
                read.update(uses.used([s]))
        first = [s for s in (*then, *orelse) if _is_read(s, read)]
        yes, no = (Block([s for s in side if not _is_read(s, read)]) for side in (then, orelse))
        return [*first, ir.If(condition, yes, no, (), (), ())]

    def left_behind(self) -> dict[Var, list[Statement]]:
        """The state of which the statements that give what follows need nothing of other trips."""
        loop = self.loop
        given: dict[Operand, Statement] = {v: s for s in loop.body for v in uses.results(s)}
        inside = defined_in(loop.body)
        found: dict[Var, list[Statement]] = {}
        for v, following in zip(loop.state, loop.following):
            chosen: set[Statement] = set()
            pending = [following]
            while pending:
                x = pending.pop()
                if x in self.late or (x in inside and not self.is_recalled(given.get(x))):
                    break
                if x in inside and given[x] not in chosen:
                    chosen.add(given[x])
                    pending += uses.operands(given[x])
            else:
                if 0 < len(chosen) <= _MOST_RECALLED:
                    found[v] = [s for s in loop.body if s in chosen]
        return found

    def is_recalled(self, s: Statement | None) -> bool:
        """Whether a statement may be done a second time, for the trip after its own."""
        return isinstance(s, ir.Compute | ir.Load) and self.is_early(s) and not _price(s)

    def is_dear(self, s: Statement) -> bool:
        """Whether a statement gives floats that are kept. Of these, comparisons are made again."""
        results = uses.results(s)
        return all(v in self.dear and v.dtype.kind == "f" for v in results)

    def is_early(self, s: Statement) -> bool:
        """Whether a statement needs nothing of the trips before, and does nothing but to define
        scalars."""
        if any(x in self.late for x in uses.used([s])):
            return False
        match s:
            case ir.Compute():
                return not s.function.endswith("_checked") and s.function not in _TRAPPING
            case ir.Load():
                if self.dependences.memory.group(s.buffer) in self.written:
                    return False
                form = self.dependences.facts.form(s.index)
                return form is not None and self.dependences.is_inside(s.buffer, form)
            case ir.If():
                return all(map(self.is_early, (*s.then, *s.orelse)))
            case ir.For(count=Number() as count):
                is_short = s.freed is None and count.value <= _SHORT
                return is_short and all(map(self.is_early, s.body))
        return False

    def without(self, block: Block) -> Block:
        """A block without the dear scalars that are computed ahead. What is cheap is computed
        again."""
        early = set(self.early)
        made: list[Statement] = []
        for s in block:
            if s in early and self.is_dear(s):
                continue
            if isinstance(s, ir.If) and s not in early:
                then, orelse = self.without(s.then), self.without(s.orelse)
                s = dataclasses.replace(s, then=then, orelse=orelse)
            made.append(s)
        return Block(made)

    def distributed(self, rest: Block, kept: Sequence[Var]) -> list[Statement]:
        loop, count = self.loop, self.loop.count
        known = int(count.value) if isinstance(count, Number) else None
        is_short = known is not None and known <= _STRIP
        size = known if known is not None and is_short else _STRIP
        arrays = {v: Buffer(v.dtype, size, "local", v.name) for v in kept}
        local: list[Statement] = [ir.Local(b) for b in arrays.values()]
        if is_short:
            zero = Number(0, LONG)
            first = self.lanes(count, zero, arrays, loop.init)
            return [*local, *first, self.trips(rest, count, zero, arrays, loop.state, loop.init)]
        strips, strip = Var(LONG), Var(LONG, "strip")
        up, begin, left, here = (Var(LONG) for _ in range(4))
        state = tuple(Var(v.dtype, v.name) for v in loop.state)
        before: list[Statement] = [
            ir.Compute(up, "+", (count, Number(_STRIP - 1, LONG))),
            ir.Compute(strips, "quotient", (up, Number(_STRIP, LONG))),
        ]
        body: list[Statement] = [
            ir.Compute(begin, "*", (strip, Number(_STRIP, LONG))),
            ir.Compute(left, "-", (count, begin)),
            ir.Compute(here, "min", (left, Number(_STRIP, LONG))),
            *self.lanes(here, begin, arrays, state),
        ]
        inner = self.trips(rest, here, begin, arrays, loop.state, state)
        results = inner.results
        inner.results = tuple(Var(v.dtype, v.name) for v in results)
        outer = ir.For(
            strip, strips, Block([*body, inner]), state, loop.init, inner.results, results
        )
        return [*local, *before, outer]

    def lanes(
        self,
        count: Operand,
        begin: Operand,
        arrays: dict[Var, Buffer],
        state: Sequence[Operand],
    ) -> list[Statement]:
        """What is computed ahead of some trips, at least one.

        Args:
            state: of the loop, before the first of these trips.
        """
        index = Var(LONG, self.loop.index.name)
        used = {x for s in self.early for x in uses.used([s])}
        recalled = [v for v in self.recalled if v in used]
        if not recalled:
            return [self.lane(index, index, count, begin, arrays)]
        one, rest, after = Number(1, LONG), Var(LONG), Var(LONG)
        own: dict[Operand, Operand] = {v: Var(v.dtype, v.name) for v in defined_in(self.early)}
        own.update(zip(self.loop.state, state))
        own[self.loop.index] = begin
        first = [substituted(s, own) for s in self.stored(self.plan, Number(0, LONG), arrays)]
        others = self.lane(index, after, rest, begin, arrays)
        before = {v for s in self.loop.body for v in uses.results(s)}
        again: dict[Operand, Operand] = {v: Var(v.dtype, v.name) for v in before}
        place = again[self.loop.index] = Var(LONG)
        begins: list[Statement] = [
            ir.Compute(after, "+", (index, one)),
            ir.Compute(place, "+", (begin, index)),
        ]
        found: set[Statement] = set()
        for v in recalled:
            begins += [substituted(s, again) for s in self.recalled[v] if s not in found]
            found.update(self.recalled[v])
        following = dict(zip(self.loop.state, self.loop.following))
        known: dict[Operand, Operand] = {v: again[following[v]] for v in recalled}
        body = [substituted(s, known) for s in others.body]
        others = dataclasses.replace(others, body=Block([*begins, *body]))
        return [*first, ir.Compute(rest, "-", (count, one)), others]

    def lane(
        self,
        index: Var,
        place: Var,
        count: Operand,
        begin: Operand,
        arrays: dict[Var, Buffer],
    ) -> ir.Each:
        """What is computed ahead of the trips at some places after that at which they begin."""
        own: dict[Operand, Operand] = {v: Var(v.dtype, v.name) for v in defined_in(self.early)}
        trip = own[self.loop.index] = Var(LONG)
        body = Block([ir.Compute(trip, "+", (begin, place))])
        body.statements += [substituted(s, own) for s in self.stored(self.plan, place, arrays)]
        return ir.Each(index, count, body, "vector", (), max(in_lanes(body), 0.2))

    def stored(
        self, plan: Iterable[Statement], place: Operand, arrays: dict[Var, Buffer]
    ) -> list[Statement]:
        """What lanes do, and that each stores what is kept where it has computed it."""
        made: list[Statement] = []
        for s in plan:
            if isinstance(s, ir.If) and s not in self.early:
                then, orelse = (Block(self.stored(b, place, arrays)) for b in ir.blocks(s))
                s = dataclasses.replace(s, then=then, orelse=orelse)
            made.append(s)
        found = {v for s in plan for v in uses.results(s)}
        return made + [ir.Store(b, place, v) for v, b in arrays.items() if v in found]

    def trips(
        self,
        rest: Block,
        count: Operand,
        begin: Operand,
        arrays: dict[Var, Buffer],
        state: tuple[Var, ...],
        init: tuple[Operand, ...],
    ) -> ir.For:
        """The trips themselves."""
        index = Var(LONG, self.loop.index.name)
        taken: list[Statement] = [ir.Compute(self.loop.index, "+", (begin, index))]
        taken += [ir.Load(v, b, index) for v, b in arrays.items()]
        body = Block([*taken, *rest])
        loop = self.loop
        return ir.For(index, count, body, state, init, loop.following, loop.results)


def _is_read(s: Statement, read: set[Operand]) -> bool:
    """Whether a statement reads memory, or gives something of which it depends where."""
    return type(s) is ir.Load or not read.isdisjoint(uses.results(s))


def _may_be_copied(statements: Collection[Statement]) -> bool:
    plain = (ir.Compute, ir.Load, ir.Store, ir.If, ir.Check, ir.For, ir.Each)
    # Records name the scalar that says where they start.
    names = any(b.kind == "record" for s in statements for b in uses.buffers(s))
    return not names and all(isinstance(s, plain) for s in statements)


def _price(s: Statement) -> int:
    if not isinstance(s, ir.Compute) or s.out.dtype.kind != "f":
        return 0
    if s.function == "pow" and isinstance(s.operands[1], Number):
        exponent = float(s.operands[1].value)
        if exponent in _SHORT_POWERS:
            return 0
        if product := as_product(exponent):
            _, roots = product
            return _PRODUCT + roots * (divisions("sqrt") + divisions("/"))
    return divisions(s.function)


def _of_floats(statements: Iterable[Statement]) -> set[Operand]:
    """The results of comparisons of floats, and of what is asked together with such."""
    found: set[Operand] = set()
    for s in statements:
        if isinstance(s, ir.Compute) and s.out.dtype == BOOL:
            if any(x in found or x.dtype.kind == "f" for x in s.operands):
                found.add(s.out)
        elif isinstance(s, ir.If):
            sides = zip(s.results, s.then_results, s.else_results)
            found.update(out for out, *either in sides if not found.isdisjoint(either))
    return found


def _cost(statements: Iterable[Statement]) -> int:
    """What dear functions cost, in divisions, with those in the blocks of statements."""
    return sum(_price(s) for s in ir.walk(statements))
