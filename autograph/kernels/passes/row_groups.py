"""Rows of a nest whose elements wait for a loop of their own: four run together, for the elements
that all of them have, and the rest of each follows in turn. Unroll and jam of an imperfect nest
(Carr & Kennedy, "Improving the ratio of memory operations to floating-point operations in loops",
1994), which may be a triangle.

``for i: (for j < i: a[i, j] = (a[i, j] - a[i, :j] @ a[j, :j]) / a[j, j]); a[i, i] = ...`` waits for
each sum before it begins the next one of the row. Those of four rows do not wait for each other,
and read the same ``a[j, :j]``. Of rows 8 to 11 the elements with ``j < 8`` come first, a column of
four at a time, and then what remains of row 8, of row 9, and so on. Each element is computed by the
same operations as before.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder, block_apart
from autograph.kernels.ir.ir import Block, Number, Operand, Statement, Var
from autograph.kernels.ir.work import in_lanes
from autograph.kernels.passes.affine import Facts, materialised
from autograph.kernels.passes.dependence import (
    Access,
    Dependences,
    accesses,
    defined_in,
    is_understood,
    may_come_before,
)
from autograph.kernels.passes.forms import Form, number, variable
from autograph.kernels.passes.jam import Copier
from autograph.kernels.passes.stagger import replace_rows

_ROWS = 4
_LEAST = 8  # rows
_MOST_STATEMENTS = 60
_MOST_PAIRS = 200  # of accesses


@dataclasses.dataclass
class _Nest:
    """``for i: begin; (for j < count: elements); end``.

    Attributes:
        begin: what is computed of ``i``; it reads nothing that the nest writes.
        count: of the elements of row i.
        common: how many of them row i and the three rows after it compute together.
    """

    rows: ir.For | ir.Each
    inner: ir.For
    begin: Sequence[Statement]
    end: Sequence[Statement]
    count: Form
    common: Form


def group_rows(block: Block, dependences: Dependences) -> bool:
    """Run rows of such nests of a block together, in place. Returns whether there were any."""
    return replace_rows(block, lambda s: _in_groups(s, dependences))


def _in_groups(s: ir.For | ir.Each, dependences: Dependences) -> list[Statement] | None:
    """What comes in the place of a loop over rows, in order or of independent trips; None if it is
    no such nest, or if a row waits for elements of the rows just above."""
    nest = _nest(s, dependences)
    if nest is None or dependences.independent(nest.inner.index, nest.inner.body.statements):
        return None
    if isinstance(s, ir.For):
        common = _common(nest, dependences)
        if common is None:
            return None
        nest.common = common
    return _grouped(nest, dependences)


def _nest(s: ir.For | ir.Each, dependences: Dependences) -> _Nest | None:
    if isinstance(s, ir.For) and (s.state or s.freed is not None):
        return None
    if isinstance(s.count, Number) and s.count.value < _LEAST:
        return None
    loops = [x for x in s.body if isinstance(x, ir.For)]
    if not loops or loops[0].state or not is_understood(s.body):
        return None
    inner = loops[0]
    inside = [*ir.walk(inner.body)]
    nested = [x for x in inside if isinstance(x, ir.For | ir.Each)]
    if not nested or len(inside) > _MOST_STATEMENTS or not _are_copied(s.body):
        return None
    facts = dependences.facts
    if not any(_gains(x, s.index, facts) for x in inner.body):
        return None
    # The loops of an element are as long in all rows.
    varying = {s.index, *defined_in(s.body)} - {inner.index, *(x.index for x in nested)}
    for loop in nested:
        form = facts.form(loop.count)
        if form is None or not form.variables.isdisjoint(varying):
            return None
    count = facts.form(inner.count)
    if count is None or count.of(s.index) not in (0, 1) or facts.least(count) < 0:
        return None
    if not (count.variables - {s.index}).isdisjoint({s.index, *defined_in(s.body)}):
        return None
    place = s.body.statements.index(inner)
    begin, end = s.body.statements[:place], s.body.statements[place + 1 :]
    if not may_come_before(begin, s.body, dependences):
        return None
    return _Nest(s, inner, begin, end, count, count)


def _gains(s: Statement, row: Var, facts: Facts) -> bool:
    """Whether a statement of an element is a loop that is better run for several rows at once:
    where sums of floats have an order, or where all rows read the same. Loops in a branch each row
    has to run for itself."""
    if isinstance(s, ir.For) and any(x.dtype.kind == "f" for x in s.state):
        return True
    return isinstance(s, ir.For | ir.Each) and any(
        a.form is not None and a.form.of(s.index) and row not in a.form.variables
        for a in accesses(s.body, facts)
    )


def _are_copied(block: Block) -> bool:
    """Whether a row has nothing but what may be copied."""
    return all(
        x.freed is None if isinstance(x, ir.For) else getattr(x, "mode", "vector") == "vector"
        for x in ir.walk(block)
    )


def _common(nest: _Nest, dependences: Dependences) -> Form | None:
    """How many elements of a row and the three after it may be computed together, before what
    remains of each: all that the first row has, or all but the last one."""
    facts = dependences.facts
    before = list(accesses([nest.inner], facts))
    pairs = list(dependences.pairs([*before, *accesses(nest.end, facts)], before))
    if not pairs or len(pairs) > _MOST_PAIRS:
        return None
    inside = {a.statement for a in before}
    for left in (0, 1):
        common = nest.count.plus(number(-left))
        if not any(
            _overtakes(a, b, a.statement in inside, nest, common, dependences) for a, b in pairs
        ):
            return common
    return None


def _overtakes(
    a: Access, b: Access, of_element: bool, nest: _Nest, common: Form, dependences: Dependences
) -> bool:
    """Whether an element that a row computes together with those above may touch what one of these
    touches in the same column, or later.

    Args:
        a: of the row above.
        b: of an element of the row below.
        of_element: whether ``a`` is of an element, rather than what follows all.
    """
    if a.form is None or b.form is None:
        return True
    i, j = nest.rows.index, nest.inner.index
    there, other = dependences.elsewhere(b.form, {i, j, *defined_in(nest.rows.body)})
    column = variable(other[j])
    conditions = [
        variable(other[i]).plus(variable(i), -1).plus(number(-1)),
        # The first row of the group is not below that of ``a``, and has as few elements.
        common.plus(column, -1).plus(number(-1)),
    ]
    if of_element:
        conditions.append(variable(j).plus(column, -1))
    equal = dependences.equations(a.form, there)
    return not dependences.facts.impossible(equal, conditions)


class _Groups:
    """Adds the loop over groups of rows to a builder.

    Attributes:
        least: how many elements of row 0 are computed together with others.
    """

    def __init__(self, builder: KernelBuilder, nest: _Nest, least: Operand):
        self.builder = builder
        self.nest = nest
        self.least = least
        self.copier = Copier(builder)
        self.begin, self.end = Block(list(nest.begin)), Block(list(nest.end))

    def all(self) -> None:
        """All rows."""
        b, s = self.builder, self.nest.rows
        groups = b.compute("quotient", b.compute("+", s.count, _ROWS - 1), _ROWS)
        if isinstance(s, ir.Each):
            with b.each(groups, s.mode, work=in_lanes(s.body) * _ROWS) as index:
                self.group(index)
        else:
            b.for_(groups, (), self.group)

    def group(self, index: Operand) -> tuple[Operand, ...]:
        """Some rows: what all of them have together, and then the rest of each."""
        b = self.builder
        first = b.compute("*", index, _ROWS)
        left = b.compute("-", self.nest.rows.count, first)
        (done,) = b.if_(
            b.compute(">=", left, _ROWS),
            lambda: (self.together(first),),
            lambda: (b.long(0),),
            ["done"],
        )

        def row(index: Operand) -> tuple[Operand, ...]:
            (copy,) = self.begun([b.compute("+", first, index)])
            count = self.copier.of(self.nest.inner.count, copy)
            self.elements([copy], done, b.compute("-", count, done))
            self.copier.statements(self.end, [copy])
            return ()

        b.for_(b.compute("min", left, _ROWS), (), row)
        return ()

    def together(self, first: Operand) -> Operand:
        """The elements that all rows of a group have; how many these are of each."""
        b = self.builder
        copies = self.begun([b.compute("+", first, k) for k in range(_ROWS)])
        count = self.least
        if self.nest.count.of(self.nest.rows.index):
            count = b.compute("max", b.compute("+", self.least, first), 0)
        self.elements(copies, b.long(0), count)
        return count

    def begun(self, rows: Sequence[Operand]) -> list[dict[Operand, Operand]]:
        """What is computed of some rows."""
        copies: list[dict[Operand, Operand]] = [{self.nest.rows.index: x} for x in rows]
        self.copier.statements(self.begin, copies)
        return copies

    def elements(
        self, copies: Sequence[dict[Operand, Operand]], first: Operand, count: Operand
    ) -> None:
        """Elements of some rows, column by column."""
        b, inner = self.builder, self.nest.inner

        def column(index: Operand) -> tuple[Operand, ...]:
            j = b.compute("+", first, index)
            self.copier.statements(inner.body, [{**copy, inner.index: j} for copy in copies])
            return ()

        b.for_(count, (), column)


def _grouped(nest: _Nest, dependences: Dependences) -> list[Statement]:
    before, least = materialised(
        nest.common.replaced(nest.rows.index, number(0)), dependences.facts
    )
    with block_apart("row_groups") as (builder, made):
        _Groups(builder, nest, least).all()
    return [*before, *made.statements]
