"""Rows of a recurrence that run together, each some columns behind the one above: unroll and jam of
a skewed nest (Wolfe, "Loop skewing: the wavefront method revisited", 1986).

Where each element waits for its neighbour in the row, as in Gauss's and Seidel's sweeps, in tables
of dynamic programming and in sums that have an order, a processor waits for one operation after
the other. The rows below wait for the rows above as well, but only for elements that are not far
ahead: so the elements of four rows, each further left than the one above, are computed at once, or
of two or three where there are no more. Each is computed by the operations that are written, in
that order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.builder import KernelBuilder, block_apart
from autograph.kernels.ir.ir import Block, Number, Operand, Statement
from autograph.kernels.ir.work import in_lanes
from autograph.kernels.passes.dependence import (
    Access,
    Dependences,
    accesses,
    defined_in,
    is_understood,
)
from autograph.kernels.passes.forms import number, variable
from autograph.kernels.passes.jam import Copier, in_groups
from autograph.kernels.passes.replacing import is_no_vector, replace_statements
from autograph.kernels.passes.running import running

_ROWS = 4
_MOST_CARRIED = 8  # integers of all rows, which need registers that places need as well
_MOST_BEHIND = 3  # columns between neighbouring rows
_MOST_STATEMENTS = 80  # of a trip
_LEAST = 8
_MOST_PAIRS = 200  # of accesses


def stagger(block: Block, dependences: Dependences) -> bool:
    """Run rows of the nests of a block together, in place, but not of those in vectors. Returns
    whether there were any."""
    shared = [s.body for s in ir.walk(block) if isinstance(s, ir.Each)]
    inside = {s for body in shared for s in ir.walk(body) if isinstance(s, ir.For)}
    return replace_rows(block, lambda s: _together(s, dependences, s in inside))


def replace_rows(
    block: Block, change: Callable[[ir.For | ir.Each], list[Statement] | None]
) -> bool:
    """Replace the loops over rows in a block, which are in order, or of independent trips that
    threads share; see `replace_statements`."""
    return replace_statements(
        block,
        (ir.For, ir.Each),
        lambda s: change(s) if isinstance(s, ir.For) or s.mode == "parallel" else None,
        is_no_vector,
    )


def _together(
    s: ir.For | ir.Each, dependences: Dependences, inside: bool
) -> list[Statement] | None:
    """What comes in the place of a nest of two loops in order; None if it is no such recurrence.

    Args:
        inside: whether a loop of independent trips is around it.
    """
    inner = _inner(s, dependences)
    if inner is None or not _waits(inner, dependences):
        return None
    rows = int(s.count.value) if isinstance(s.count, Number) else _LEAST
    if rows < 2:
        return None
    if isinstance(s, ir.Each):
        behind, mode = 0, s.mode
    elif dependences.independent(s.index, s.body.statements):
        behind, mode = 0, "" if inside else "parallel"
    else:
        found = _behind(s, inner, dependences)
        if found is None:
            return None
        behind, mode = found, ""
    if not behind and (rows < _LEAST or uses.results(s)):
        return None
    with block_apart("staggered") as (builder, made):
        _Rows(builder, s, inner, behind, mode).all(min(rows, _rows(inner)))
    if uses.results(s):
        last: Any = made.statements[-1]  # the loop over the rows that remain, or over all groups
        made.statements[-1] = dataclasses.replace(last, results=uses.results(s))
    return made.statements


def _rows(inner: ir.For) -> int:
    """How many rows run together: so many that registers hold what they carry."""
    carried = sum(x.dtype.kind != "f" for x in inner.state)
    return next((k for k in range(_ROWS, 2, -1) if k * carried <= _MOST_CARRIED), 2)


def _inner(s: ir.For | ir.Each, dependences: Dependences) -> ir.For | None:
    """The loop in another one that has nothing else but what each row computes, reads and writes
    for itself; both run for long enough, and neither has to free memory."""
    loops = [x for x in s.body if isinstance(x, ir.For)]
    if len(loops) != 1 or (isinstance(s, ir.For) and s.freed is not None):
        return None
    (inner,) = loops
    if uses.results(s) and (not isinstance(s, ir.For) or running(s, inner) is None):
        return None
    plain = (ir.Compute, ir.Load, ir.Store, ir.Check)
    if inner.freed is not None or not all(x is inner or isinstance(x, plain) for x in s.body):
        return None
    statements = list(ir.walk(inner.body))
    if not all(isinstance(x, (*plain, ir.If)) for x in statements):
        return None
    if len(statements) > _MOST_STATEMENTS or not is_understood(s.body):
        return None
    count = dependences.facts.form(inner.count)
    if count is None or not count.variables.isdisjoint({s.index, *defined_in(s.body)}):
        return None
    if isinstance(inner.count, Number) and inner.count.value < _LEAST:
        return None
    return inner


def _waits(inner: ir.For, dependences: Dependences) -> bool:
    """Whether a trip of a loop waits for floats of the one before. Integers are quick."""
    if any(x.dtype.kind == "f" for x in inner.state):
        return True
    stored = [x for x in ir.walk(inner.body) if isinstance(x, ir.Store)]
    if not any(x.buffer.dtype.kind == "f" for x in stored):
        return False
    return not dependences.independent(inner.index, inner.body.statements)


def _behind(s: ir.For, inner: ir.For, dependences: Dependences) -> int | None:
    """How many columns a row has to be behind the one above, so that what they touch is as if one
    ran after the other, and none waits for the other within a step."""
    found = list(accesses(s.body, dependences.facts))
    pairs = list(dependences.pairs(found, found))
    if not pairs or len(pairs) > _MOST_PAIRS:
        return None
    if s.body.statements[-1] is not inner:
        return None
    for a, b in pairs:
        if a.form is None or b.form is None or a.buffer is not b.buffer:
            return None
        if not a.depth or not b.depth:
            return None  # what a row does before all columns
    return next(
        (
            behind
            for behind in range(_MOST_BEHIND + 1)
            if not any(_overtakes(a, b, s, inner, behind, dependences) for a, b in pairs)
        ),
        None,
    )


def _overtakes(
    a: Access, b: Access, s: ir.For, inner: ir.For, behind: int, dependences: Dependences
) -> bool:
    """Whether a row may touch what a row above touches in the same step, or later."""
    assert a.form is not None and b.form is not None
    variables = {s.index, inner.index, *defined_in(s.body)}
    there, other = dependences.elsewhere(b.form, variables)
    rows = variable(other[s.index]).plus(variable(s.index), -1)
    ahead = variable(inner.index).plus(variable(other[inner.index]), -1)
    late = ahead.plus(rows, -behind)  # not negative if it is in the same step, or later
    equal = dependences.equations(a.form, there)
    return not dependences.facts.impossible(equal, [rows.plus(number(-1)), late])


class _Rows:
    """Adds the loops to a builder.

    Attributes:
        behind: how many columns a row is behind the one above.
        mode: of the `Each` that the loop over rows becomes; it stays in order if this is empty.
    """

    def __init__(
        self,
        builder: KernelBuilder,
        s: ir.For | ir.Each,
        inner: ir.For,
        behind: int,
        mode: str,
    ):
        self.builder = builder
        self.s = s
        self.inner = inner
        self.behind = behind
        self.mode = mode
        self.running = running(s, inner) if isinstance(s, ir.For) and s.state else None
        self.state: Sequence[Operand] = s.init if isinstance(s, ir.For) else ()

    def all(self, together: int) -> None:
        """All rows: first groups of so many of them, then those that remain, one by one."""
        b = self.builder
        groups, done, rest = in_groups(b, self.s.count, together)

        def group(index: Operand) -> None:
            first = b.compute("*", index, together)
            self.group([{self.s.index: b.compute("+", first, row)} for row in range(together)])

        def single(index: Operand) -> None:
            self.group([{self.s.index: b.compute("+", done, index)}])

        self.loop(groups, group, together)
        if not isinstance(rest, Number) or rest.value:
            self.loop(rest, single, 1)

    def loop(self, count: Operand, trip: Callable[[Operand], None], rows: int) -> None:
        """A loop over groups of rows."""

        def body(index: Operand, *state: Operand) -> tuple[Operand, ...]:
            self.state = state
            trip(index)
            return tuple(self.state)

        if self.mode:
            with self.builder.each(count, self.mode, work=in_lanes(self.s.body) * rows) as index:
                trip(index)
        else:
            names = [x.name for x in uses.results(self.s)]
            self.state = self.builder.for_(count, self.state, body, names)

    def group(self, copies: Sequence[dict[Operand, Operand]]) -> None:
        """Some rows together: each by itself until the one below may begin, then all in steps,
        then each by itself to its end."""
        copier = Copier(self.builder)
        if not self.behind:
            copier.statements(self.s.body, copies)
            return
        copier.statements(Block(self.s.body.statements[:-1]), copies)
        b, count = self.builder, copier.of(self.inner.count, copies[0])
        for copy in copies:
            if isinstance(self.s, ir.For):
                copy.update(zip(self.s.state, self.state))
            copy.update((x, copier.of(y, copy)) for x, y in zip(self.inner.state, self.inner.init))
        ahead = [self.behind * k for k in reversed(range(len(copies)))]  # of the last row
        for copy, columns in zip(copies, ahead):
            if columns:
                self.columns([copy], [0], self.extreme("<", count, columns))
        steps = self.extreme(">", b.compute("-", count, ahead[0]), 0)
        self.columns(copies, ahead, steps)
        for copy, columns in zip(copies, ahead):
            if columns != ahead[0]:
                first = self.extreme("<", count, b.compute("+", steps, columns))
                self.columns([copy], [first], b.compute("-", count, first))
        if self.running is not None:
            for copy in copies:
                row = [copy[x] for x in self.inner.state]
                self.state = self.running.joined(b, self.state, row)

    def extreme(self, comparison: str, x: Operand, y: Operand | int) -> Operand:
        """The smaller or larger one of two numbers."""
        found = self.builder.compute(comparison, x, y)
        return self.builder.compute("select", found, x, y)

    def columns(
        self,
        copies: Sequence[dict[Operand, Operand]],
        first: Sequence[Operand | int],
        count: Operand,
    ) -> None:
        """A loop over columns of some rows, from the given ones on. What the rows carry is in their
        copies before and after it."""
        b, s = self.builder, self.inner
        copier = Copier(b)

        def step(index: Operand, *state: Operand) -> tuple[Operand, ...]:
            own = [dict(copy) for copy in copies]
            for k, (copy, column) in enumerate(zip(own, first)):
                copy[s.index] = b.compute("+", index, column)
                copy.update(zip(s.state, state[k * len(s.state) :]))
            copier.statements(s.body, own)
            return tuple(copier.of(x, copy) for copy in own for x in s.following)

        init = [copy[x] for copy in copies for x in s.state]
        found = b.for_(count, init, step, [x.name for x in s.state] * len(copies))
        for k, copy in enumerate(copies):
            copy.update(zip(s.state, found[k * len(s.state) :]))
