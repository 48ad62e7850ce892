"""Elements that one trip of a loop writes or reads and one of the next trips reads, kept in scalars
till then: predictive commoning (Callahan, Carr & Kennedy, "Improving register allocation for
subscripted variables", 1990).

In ``a[j] = f(a[j - 1], b[j])`` the element on the left is what the trip before has stored. A
processor that loads it waits for the store. LLVM sees that where rows have a known length; where
they have ``n`` elements, the element that a row below writes might be one of this row.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import BOOL, LONG, Block, Number, Operand, Statement, Var
from autograph.kernels.passes.affine import materialised
from autograph.kernels.passes.copying import substituted
from autograph.kernels.passes.dependence import Access, Dependences, accesses, is_understood
from autograph.kernels.passes.forms import Form, number, variable
from autograph.kernels.passes.replacing import replace_statements
from ops.core.records import NamedTuple

_MOST = 16  # elements of a loop
_MOST_ACCESSES = 80
_FARTHEST = 3  # trips until an element is read again


class _Kept(NamedTuple):
    """A load of what another statement of the body has read or written some trips before."""

    load: ir.Load
    source: ir.Load | ir.Store
    trips: int


def carry_all(block: Block, dependences: Dependences) -> None:
    """Keep elements in scalars from trip to trip, in place, in the innermost loops of a block in
    which a trip waits for the one before."""
    replace_statements(block, ir.For, lambda s: _carrying(s, dependences))


def _carrying(loop: ir.For, dependences: Dependences) -> list[Statement]:
    """What comes in the place of a loop."""
    plain = ir.Compute | ir.Load | ir.Store | ir.If
    if loop.freed is not None or not all(isinstance(x, plain) for x in ir.walk(loop.body)):
        return [loop]
    if not any(isinstance(x, ir.Store) for x in loop.body) or not is_understood(loop.body):
        return [loop]
    found = list(accesses(loop.body, dependences.facts))
    if len(found) > _MOST_ACCESSES or dependences.facts.form(loop.count) is None:
        return [loop]
    kept = list(_kept(loop, found, dependences))
    # Otherwise no trip waits, and more of them may run at once.
    if not any(isinstance(x.source, ir.Store) and x.trips for x in kept):
        return [loop]
    kept.sort(
        key=lambda x: (not isinstance(x.source, ir.Store), x.trips)
    )  # what has to be waited for
    while sum(x.trips for x in kept) > _MOST:
        kept.pop()
    return _with_scalars(loop, kept, dependences)


def _kept(loop: ir.For, found: list[Access], dependences: Dependences) -> Iterator[_Kept]:
    """The loads that need not be, each with what has the element."""
    places = {a.statement: k for k, a in enumerate(found)}
    direct = [a for a in found if a.form is not None and any(a.statement is s for s in loop.body)]
    for a in direct:
        load, form = a.statement, a.form
        if not isinstance(load, ir.Load) or form is None or loop.index not in form.variables:
            continue
        for trips in range(_FARTHEST + 1):
            later = _after(form, loop, trips)
            same = [
                b
                for b in direct
                if b.buffer is load.buffer and b.form is not None and b.form.same(later)
            ]
            same = [b for b in same if trips or places[b.statement] < places[load]]
            if not same:
                continue
            source = next((b for b in reversed(same) if b.writes), same[-1])
            if _stays(source, a, trips, loop, found, dependences):
                yield _Kept(load, source.statement, trips)
            break


def _after(form: Form, loop: ir.For, trips: int) -> Form:
    """A place, some trips later."""
    if not trips:
        return form
    return form.replaced(loop.index, variable(loop.index).plus(number(trips)))


def _stays(
    source: Access,
    load: Access,
    trips: int,
    loop: ir.For,
    found: list[Access],
    dependences: Dependences,
) -> bool:
    """Whether nothing else is written to an element from one statement to the load that reads it
    again some trips later, nor before the first trips read theirs."""
    assert load.form is not None
    first, last = (
        next(k for k, a in enumerate(found) if a.statement is x.statement) for x in (source, load)
    )
    group = dependences.memory.group
    place = _after(load.form, loop, trips)
    for k, a in enumerate(found):
        if not a.writes or group(a.buffer) != group(load.buffer):
            continue
        if a.form is None or a.buffer is not load.buffer:
            return False
        for trip in range(trips + 1):
            is_before = trip == 0 and k <= first
            if is_before or (trip == trips and k >= last):
                continue
            if not dependences.differ(_after(a.form, loop, trip), place, ()):
                return False
        for reads in range(trips):
            read = load.form.replaced(loop.index, number(reads))
            for trip in range(reads + (k < last)):
                if not dependences.differ(a.form.replaced(loop.index, number(trip)), read, ()):
                    return False
    return True


def _with_scalars(loop: ir.For, kept: list[_Kept], dependences: Dependences) -> list[Statement]:
    """A loop with scalars in the place of some loads. Before it stands what loads the elements that
    its first trips read, in a branch if there may be no trip."""
    facts = dependences.facts
    before: list[Statement] = []
    state: list[Var] = []
    init: list[Operand] = []
    chains: list[tuple[_Kept, list[Var]]] = []
    replaced: dict[Operand, Operand] = {}
    for x in kept:
        form = facts.form(x.load.index)
        assert form is not None
        scalars = [Var(x.load.out.dtype, x.load.out.name) for _ in range(x.trips)]
        for trip in range(x.trips):
            place, index = _first(form, trip, loop, dependences)
            out = Var(x.load.out.dtype, x.load.out.name)
            before += [*place, ir.Load(out, x.load.buffer, index)]
            init.append(out)
        state += scalars
        chains.append((x, scalars))
        if scalars:
            replaced[x.load.out] = scalars[0]
    loads = {x.load: x for x in kept}
    values: dict[Statement, Operand] = {}
    made: list[Statement] = []
    for s in loop.body:
        new = substituted(s, replaced)
        if isinstance(s, ir.Load) and s in loads:
            x = loads[s]
            if not x.trips:
                replaced[s.out] = values[x.source]
            values[s] = replaced[s.out]
            continue
        if isinstance(s, ir.Load):
            values[s] = s.out
        elif isinstance(new, ir.Store):
            values[s] = new.value
        made.append(new)
    following: list[Operand] = []
    for x, scalars in chains:
        following += [*scalars[1:], values[x.source]] if scalars else []
    count = facts.form(loop.count)
    makes_trips = count is not None and facts.least(count) > 0
    own = loop.results if makes_trips else tuple(Var(v.dtype, v.name) for v in loop.results)
    new_loop = dataclasses.replace(
        loop,
        body=Block(made),
        state=(*loop.state, *state),
        init=(*loop.init, *init),
        following=(*(replaced.get(v, v) for v in loop.following), *following),
        results=(*own, *(Var(v.dtype, v.name) for v in state)),
    )
    if makes_trips:
        return [*before, new_loop]
    some = Var(BOOL)
    asked = ir.Compute(some, ">", (loop.count, Number(0, LONG)))
    return [asked, ir.If(some, Block([*before, new_loop]), Block(), loop.results, own, loop.init)]


def _first(
    form: Form, trip: int, loop: ir.For, dependences: Dependences
) -> tuple[list[Statement], Operand]:
    """Statements that compute where a trip reads an element, the first trip if there are not so
    many, and that place."""
    facts = dependences.facts
    made, index = materialised(form.replaced(loop.index, number(trip)), facts)
    count = facts.form(loop.count)
    if trip and not (count is not None and facts.least(count) > trip):
        others, first = materialised(form.replaced(loop.index, number(0)), facts)
        there, out = Var(BOOL), Var(LONG)
        made = [
            *made,
            *others,
            ir.Compute(there, ">", (loop.count, Number(trip, LONG))),
            ir.Compute(out, "select", (there, index, first)),
        ]
        index = out
    return made, index
