"""Elements that a loop reads and writes in each trip, kept in scalars: loaded before it, stored
after it (Callahan, Carr & Kennedy, "Improving register allocation for subscripted variables",
1990). LLVM does so where it can tell that nothing else in the loop touches the element, which it
cannot of ``a[i, j] -= a[i, k] * a[k, j]``."""

from __future__ import annotations

import dataclasses

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import BOOL, LONG, Block, Buffer, Number, Operand, Statement, Var
from autograph.kernels.passes.affine import materialised
from autograph.kernels.passes.copying import substituted
from autograph.kernels.passes.dependence import (
    Access,
    Dependences,
    accesses,
    defined_in,
    is_understood,
)
from autograph.kernels.passes.forms import Form
from autograph.kernels.passes.replacing import replace_statements

_MOST = 16  # elements of one loop


def invariant_elements(loop: ir.For, dependences: Dependences) -> list[tuple[Buffer, Form]]:
    """The elements that each trip of a loop writes, and that no other place in it may be. They are
    loaded before the loop: what a check in it guards must be inside of its array anyway."""
    facts, memory = dependences.facts, dependences.memory
    inner = {loop.index, *loop.state, *defined_in(loop.body)}
    top: list[tuple[Buffer, Form]] = []
    may_fail = uses.may_fail(loop.body)
    for s in loop.body:
        if isinstance(s, ir.Store):
            form = facts.form(s.index)
            if form is None or inner.intersection(form.variables):
                continue
            if may_fail and not dependences.is_inside(s.buffer, form):
                continue
            if not any(b is s.buffer and f.same(form) for b, f in top):
                top.append((s.buffer, form))
    if not top or len(top) > _MOST or not is_understood(loop.body):
        return []
    every = list(accesses(loop.body, facts))
    direct: set[Statement] = {s for s in loop.body if isinstance(s, ir.Load | ir.Store)}

    def is_alone(buffer: Buffer, form: Form) -> bool:
        group = memory.group(buffer)
        return all(
            _is_own(access, buffer, form, direct)
            or (
                access.form is not None
                and access.buffer is buffer
                and dependences.differ(form, access.form, inner)
            )
            for access in every
            if memory.group(access.buffer) == group
        )

    return [one for one in top if is_alone(*one)]


def _is_own(access: Access, buffer: Buffer, form: Form, direct: set[Statement]) -> bool:
    if access.statement not in direct or access.buffer is not buffer or access.form is None:
        return False
    return access.form.same(form)


def promoted(loop: ir.For, dependences: Dependences) -> list[Statement]:
    """A loop with elements in scalars, in a branch if there may be no trip: then nothing is
    written."""
    elements = invariant_elements(loop, dependences)
    if not elements:
        return [loop]
    facts = dependences.facts
    before: list[Statement] = []
    after: list[Statement] = []
    state: list[Var] = []
    init: list[Operand] = []
    results: list[Var] = []
    now: list[Operand] = []
    for buffer, form in elements:
        computed, index = materialised(form, facts)
        first, carried, last = (Var(buffer.dtype, buffer.name) for _ in range(3))
        before += [*computed, ir.Load(first, buffer, index)]
        after.append(ir.Store(buffer, index, last))
        state.append(carried)
        init.append(first)
        results.append(last)
        now.append(carried)
    replaced: dict[Operand, Operand] = {}
    made: list[Statement] = []
    for s in loop.body:
        s = substituted(s, replaced)
        place = None
        if isinstance(s, ir.Load | ir.Store):
            place = _place(s, elements, dependences)
        if place is None:
            made.append(s)
        elif isinstance(s, ir.Load):
            replaced[s.out] = now[place]
        elif isinstance(s, ir.Store):
            now[place] = s.value
    following = tuple(replaced.get(x, x) for x in loop.following)
    new = dataclasses.replace(
        loop,
        body=Block(made),
        state=(*loop.state, *state),
        init=(*loop.init, *init),
        following=(*following, *now),
        results=(*loop.results, *results),
    )
    count = facts.form(loop.count)
    if count is not None and facts.least(count) > 0:
        return [*before, new, *after]
    some = Var(BOOL)
    own = tuple(Var(x.dtype, x.name) for x in loop.results)
    new = dataclasses.replace(new, results=(*own, *results))
    guarded = ir.If(some, Block([*before, new, *after]), Block(), loop.results, own, loop.init)
    return [ir.Compute(some, ">", (loop.count, Number(0, LONG))), guarded]


def _place(
    s: ir.Load | ir.Store, elements: list[tuple[Buffer, Form]], dependences: Dependences
) -> int | None:
    form = dependences.facts.form(s.index)
    if form is None:
        return None
    for place, (buffer, own) in enumerate(elements):
        if buffer is s.buffer and form.same(own):
            return place
    return None


def promote_all(block: Block, dependences: Dependences) -> None:
    """Keep elements in scalars in all loops of a block, in place, the inner ones first."""
    replace_statements(block, ir.For, lambda s: promoted(s, dependences))
