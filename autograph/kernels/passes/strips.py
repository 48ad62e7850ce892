"""Loops that follow each other and go over the same rows, strip by strip: all of them over some
rows, then over the next. What only they tell each other is there for one strip at a time, and near
by (strip mining and loop fusion; arrays that shrink are contracted, Lewis, Lin & Snyder, "The
implementation and evaluation of fusion and contraction in array languages", 1998).

The rows are those of all arrays that the loops write: an array of ``rows * n`` elements has ``n``
in each. A loop of ``rows * r`` independent trips makes ``r`` in each row, and touches of these
arrays only elements of the row. So does a loop in order whose trips are made of such loops, which
is then inside of the strip. No strip depends on another one, and threads share them.

What no such loop is may stand between them if it can as well run before them all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import LONG, Block, Buffer, Number, Operand, Statement, Var
from autograph.kernels.ir.work import in_lanes
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.dependence import Access, BufferGroups, is_understood
from autograph.kernels.passes.forms import Form, number, variable
from autograph.kernels.passes.rounds import Rounds
from ops.core.records import NamedTuple, dataclass
from ops.core.symbolic_lengths import is_length

_LEAST_BYTES = 1 << 14  # of an array, for its place to be worth it
_STRIP_BYTES = 24 << 10  # of the arrays of a strip: they stay in the nearest cache ...
_ROW_BYTES = 48 << 10  # ... or of one row, if that has more
_LEAST_STRIPS = 8
_LEAST_TRIPS = 16  # of a loop in a strip, for vectors to be worth it
_LONG_ROW = 128  # elements, for a strip of one row to cost no more than one of several


# The `own_arrays` of a body, with the numbers of the statements that touch each.
Places = Mapping[Buffer, Sequence[int]]
Around = Callable[[Buffer, Places, Block, ir.Kernel, Facts], Block | None]


def with_smaller(kernel: ir.Kernel, ways: Iterable[Around]) -> ir.Kernel:
    """A kernel with smaller arrays in the place of its large ones, one after the other. The given
    one's blocks are left as they are.

    Args:
        ways: each gives the body with what touches an array changed so; None if that may not be.
    """
    if not own_arrays(kernel.body):
        return kernel
    rounds = Rounds(kernel)
    body, facts = rounds.simplified(kernel.body)
    for around in ways:
        tried = set[Buffer]()
        while (found := _changed(around, body, kernel, facts, tried)) is not None:
            body, facts = rounds.simplified(found)
    return replace(kernel, body=body)


def _changed(
    around: Around, body: Block, kernel: ir.Kernel, facts: Facts, tried: set[Buffer]
) -> Block | None:
    """The body with all arrays changed that can be by what is known of it: what is new may only be
    changed again once more is known. None if none can be.

    Args:
        tried: the arrays that need not be tried; those that were are added.
    """
    known = {id(s): s for s in body}
    inside: dict[int, _Touched] = {}
    changed = body
    while True:
        found = None
        places = own_arrays(changed, inside)
        for buffer, touching in places.items():
            around_it = changed.statements[touching[0] : touching[-1] + 1]
            if buffer not in tried and all(id(s) in known for s in around_it):
                tried.add(buffer)
                found = around(buffer, places, changed, kernel, facts)
            if found is not None:
                break
        if found is None:
            return None if changed is body else changed
        changed = found


def in_strips(
    buffer: Buffer, places: Places, body: Block, kernel: ir.Kernel, facts: Facts
) -> Block | None:
    """The body with strips of the loops that touch an array; None if that may not be."""
    own = list(body)
    first, *_, last = places[buffer]
    inside: list[Statement] = []
    before: list[Statement] = []
    loops: list[_Loop] = []
    for s in own[first : last + 1]:
        found = _loops_of(s)
        if found is None:
            if not may_run_before(s, inside, kernel):
                return None
            before.append(s)
        else:
            inside.append(s)
            loops += found
    if len(inside) < 2:
        return None
    outside = set(uses.touched([*own[:first], *before, *own[last + 1 :]]))
    touched = {b for b in uses.touched(inside) if b.kind == "temporary"} - outside
    if buffer not in touched:  # what runs before the strips touches it, too
        return None
    group = _Group(inside, loops, facts, touched, places)
    if not group.is_by_rows(BufferGroups(kernel)):
        return None
    made = group.made()
    if made is None:
        return None
    return Block([*own[:first], *before, made, *own[last + 1 :]])


class _Touched(NamedTuple):
    """The arrays that a statement and those in it touch.

    Attributes:
        statement: itself.
        accessed: what loads and stores touch.
        filled: what stores do.
        others: what other statements touch.
    """

    statement: Statement
    accessed: Sequence[Buffer]
    filled: Set[Buffer]
    others: Set[Buffer]

    @staticmethod
    def of(statement: Statement) -> _Touched:
        accessed: dict[Buffer, None] = {}
        filled: set[Buffer] = set()
        others: set[Buffer] = set()
        for s in ir.walk([statement]):
            if isinstance(s, ir.Load | ir.Store):
                accessed[s.buffer] = None
                if type(s) is ir.Store:
                    filled.add(s.buffer)
            elif type(s) is not ir.Compute:
                others.update(uses.buffers(s))
        return _Touched(statement, [*accessed], filled, others)


def own_arrays(body: Block, known: dict[int, _Touched] | None = None) -> dict[Buffer, list[int]]:
    """Large arrays that only loads and stores touch, of several of a kernel's own statements, with
    the numbers of these; the largest first.

    Args:
        known: what statements touch that have not changed since, by their identities; others are
            added.
    """
    known = {} if known is None else known
    places: dict[Buffer, list[int]] = {}
    filled: set[Buffer] = set()
    others: set[Buffer] = set()
    for place, s in enumerate(body):
        if type(s) is ir.Compute:
            continue
        found = known.get(id(s)) or known.setdefault(id(s), _Touched.of(s))
        for buffer in found.accessed:
            places.setdefault(buffer, []).append(place)
        filled |= found.filled
        others |= found.others
    large = [
        b
        for b, at in places.items()
        if len(at) > 1 and b in filled and b not in others and _is_large(b)
    ]
    return {b: places[b] for b in sorted(large, key=lambda b: -b.nbytes)}


def _is_large(buffer: Buffer) -> bool:
    """Whether an array of the kernel's own is large enough."""
    known = buffer.kind == "temporary" and not is_length(buffer.size)
    return known and buffer.nbytes >= _LEAST_BYTES


@dataclass(frozen=True)
class _Loop:
    """A loop of independent trips, the same number in each row."""

    each: ir.Each
    trips: int


class _Group:
    """Statements that may go over strips together.

    Args:
        statements: in order, without those that run before them all.
        loops: the loops of independent trips in them.
        arrays: the large ones of the kernel.
    """

    def __init__(
        self,
        statements: Sequence[Statement],
        loops: Sequence[_Loop],
        facts: Facts,
        own: set[Buffer],
        arrays: Collection[Buffer],
    ):
        self.statements = statements
        self.loops = {loop.each: loop.trips for loop in loops}
        self.facts = facts
        self.rows = min(self.loops.values())
        self.own = own  # that nothing else touches
        self.arrays = arrays
        self.strip = Var(LONG, "strip")
        self.starts: dict[Buffer, Operand] = {}
        self.smaller: dict[Buffer, Buffer] = {}

    # -- whether it may be -------------------------------------------------------------------------

    def is_by_rows(self, memory: BufferGroups) -> bool:
        """Whether no row touches what another one writes."""
        if self.rows < _LEAST_STRIPS or any(n % self.rows for n in self.loops.values()):
            return False
        if not is_understood(self.statements, own=True) or uses.may_fail(self.statements):
            return False
        written = {memory.group(b) for b in uses.all_written(self.statements)}
        for each in self.loops:
            for access, larger in _accesses(each.body, self.facts):
                if access.buffer.kind == "local" or memory.group(access.buffer) not in written:
                    continue
                if not self.is_in_row(access, each, larger):
                    return False
        return True

    def is_in_row(self, access: Access, each: ir.Each, larger: frozenset[Var]) -> bool:
        """Whether a trip touches an element of its own row only.

        Args:
            larger: see `_accesses`.
        """
        size, trips = access.buffer.size, self.loops[each]
        if access.form is None or is_length(size):
            return False
        if access.form.of(each.index) == 0:
            return self.is_in_row_of_several(access.form, each, size)
        if size % trips:
            return False
        step = size // trips  # elements for each trip
        if access.form.of(each.index) != step:
            return False
        rest = access.form.plus(variable(each.index), -step)
        least = self.facts.least(rest)
        for var in larger:
            steps = rest.of(var)
            if steps and steps > 0:
                others = self.facts.least(rest.plus(variable(var), -steps))
                least = max(least, others + steps * (self.facts.least(variable(var)) + 1))
        if least < 0:
            return False
        return self.facts.greatest(rest.plus(number(step), -1)) < 0

    def is_in_row_of_several(self, form: Form, each: ir.Each, size: int) -> bool:
        """Whether trips of which several are one row's touch a place in the row, whose number they
        compute: as ``i // 3`` of three columns."""
        if size % self.rows:
            return False
        row, together = size // self.rows, self.loops[each] // self.rows
        for var in form.variables:
            known = self.facts.quotient_of(var)
            if known is None or known[1] != together or not known[0].same(variable(each.index)):
                continue
            rest = form.plus(variable(var), -row)
            return self.facts.least(rest) >= 0 and self.facts.greatest(rest) < row
        return False

    def are_in_a_window(self) -> bool:
        """Whether rows read neighbouring rows of others' arrays, which the pass `windows` keeps
        if a strip is a row."""
        others = {*self.arrays} - self.own
        found: dict[Buffer, set[float]] = {}
        for each in self.loops if others else ():
            for access, _ in _accesses(each.body, self.facts):
                if access.buffer not in others:
                    continue
                step = 0 if access.form is None else access.form.of(each.index)
                if not step or step < _LONG_ROW or access.form is None:
                    return False
                rest = access.form.plus(variable(each.index), -step)
                found.setdefault(access.buffer, set()).add(self.facts.least(rest) // step)
        return any(len(rows) > 1 for rows in found.values())

    # -- what it becomes ---------------------------------------------------------------------------

    def made(self) -> ir.Each | None:
        """One loop over strips; None if they would have too much memory, or too few trips."""
        row = sum(b.nbytes for b in self.own) // self.rows
        if row > _ROW_BYTES:
            return None
        most = max(min(_STRIP_BYTES // row, self.rows // _LEAST_STRIPS), 1)
        if min(b.size for b in self.own) >= _LONG_ROW * self.rows and self.are_in_a_window():
            most = 1
        rows = max(n for n in range(1, most + 1) if self.rows % n == 0)
        count = self.rows // rows
        vectors = [n // count for each, n in self.loops.items() if not _has_loops(each.body)]
        if count < _LEAST_STRIPS or min(vectors, default=_LEAST_TRIPS) < _LEAST_TRIPS:
            return None
        begin: list[Statement] = []
        for buffer in dict.fromkeys(uses.touched(self.statements)):
            if buffer in self.own:
                size = buffer.size // count
                self.smaller[buffer] = Buffer(buffer.dtype, size, "local", buffer.name)
                self.starts[buffer] = self.start(size, begin)
        begin += [ir.Local(b) for b in self.smaller.values()]
        body = Block([*begin, *(self.moved(s, count) for s in self.statements)])
        return ir.Each(
            self.strip, Number(count, LONG), body, "parallel", (), max(in_lanes(body), 0.2)
        )

    def start(self, size: int, into: list[Statement]) -> Operand:
        """Where a strip starts, in parts of a size."""
        out = Var(LONG)
        into.append(ir.Compute(out, "*", (self.strip, Number(size, LONG))))
        return out

    def moved(self, s: Statement, count: int) -> Statement:
        if isinstance(s, ir.For):
            return replace(s, body=Block([self.moved(x, count) for x in s.body]))
        if not isinstance(s, ir.Each):
            return s
        trips = Number(self.loops[s] // count, LONG)
        place = Var(LONG, s.index.name)
        begin: list[Statement] = []
        first = self.start(int(trips.value), begin)
        begin.append(ir.Compute(s.index, "+", (first, place)))
        body = Block([*begin, *self.within(s.body)])
        if s.mode == "vector":
            return replace(s, index=place, count=trips, body=body)
        return ir.For(place, trips, body)

    def within(self, block: Iterable[Statement]) -> Iterator[Statement]:
        """Statements that touch the arrays of a strip in the place of those of all."""
        for s in block:
            if isinstance(s, ir.Load | ir.Store) and s.buffer in self.smaller:
                place = Var(LONG)
                yield ir.Compute(place, "-", (s.index, self.starts[s.buffer]))
                yield replace(s, buffer=self.smaller[s.buffer], index=place)
                continue
            yield self.inside(s)

    def inside(self, s: Statement) -> Statement:
        """A statement with such statements in it."""
        match s:
            case ir.For() | ir.Each():
                return replace(s, body=Block([*self.within(s.body)]))
            case ir.If():
                then, orelse = Block([*self.within(s.then)]), Block([*self.within(s.orelse)])
                return replace(s, then=then, orelse=orelse)
        return s


def _accesses(
    statements: Iterable[Statement], facts: Facts, larger: frozenset[Var] = frozenset()
) -> Iterator[tuple[Access, frozenset[Var]]]:
    """Loads and stores, those in statements included; each with the variables that are larger there
    than the least number that they ever are."""
    is_least: dict[Var, Var] = {}
    for s in statements:
        if isinstance(s, ir.Load | ir.Store):
            yield Access(s, 0, facts.form(s.index)), larger
        elif isinstance(s, ir.Compute) and s.function == "==":
            x, n = s.operands
            if isinstance(x, Var) and isinstance(n, Number) and x in facts.order:  # a place
                is_least |= {s.out: x} if facts.least(variable(x)) == n.value else {}
        elif isinstance(s, ir.If) and isinstance(s.condition, Var) and s.condition in is_least:
            yield from _accesses(s.then, facts, larger)
            yield from _accesses(s.orelse, facts, larger | {is_least[s.condition]})
        else:
            for block in ir.blocks(s):
                yield from _accesses(block, facts, larger)


def _has_loops(block: Block) -> bool:
    return any(isinstance(s, ir.For | ir.Each | ir.While) for s in ir.walk(block))


def _loops_of(s: Statement) -> list[_Loop] | None:
    """The loops of independent trips that a statement is, or in each trip is made of."""
    match s:
        case ir.Each() if isinstance(s.count, Number) and not s.reductions:
            return [_Loop(s, int(s.count.value))]
        case ir.For() if not s.state and s.freed is None:
            found: list[_Loop] = []
            for x in s.body:
                inner = _loops_of(x) if isinstance(x, ir.Each) else None
                if inner is None and not isinstance(x, ir.Compute):
                    return None
                found += inner or []
            return found or None
    return None


def may_run_before(s: Statement, loops: Sequence[Statement], kernel: ir.Kernel) -> bool:
    """Whether a statement may run before loops that it follows: it neither touches what they
    write, nor writes what they touch."""
    if not is_understood([s]) or uses.may_fail([s]):
        return False
    memory = BufferGroups(kernel)

    def groups(buffers: Iterable[Buffer]) -> set[object]:
        return {memory.group(b) for b in buffers}

    touched, written = groups(uses.touched([s])), groups(uses.all_written([s]))
    if not touched.isdisjoint(groups(uses.all_written(loops))):
        return False
    return written.isdisjoint(groups(uses.touched(loops)))
