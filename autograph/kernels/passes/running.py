"""Running extrema: what the rows of a nest carry is the greatest or least number so far, and what
was noted of it.

``if x > best: best, where = x, j`` takes the first of the greatest numbers. Rows may each begin
with what was the best before all of them: the first row whose best exceeds that of the rows before
has the first of the greatest, and one that found nothing better has what it began with, which
exceeds nothing. So it is the same number, and the same bits, as in the order of all elements. A NaN
exceeds nothing, and nothing exceeds it.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Number, Operand
from ops.core.records import NamedTuple

_STRICT = ("<", ">")


class RunningExtremum(NamedTuple):
    """How the state of a nest changes.

    Attributes:
        place: which of what a row carries is compared.
        function: of the comparison.
        is_first: whether that is its first operand.
        of_rows: for each of what the nest carries, where a row carries it; a number if it is that
            after each row.
    """

    place: int
    function: str
    is_first: bool
    of_rows: tuple[int | Number, ...]

    def joined(
        self, b: KernelBuilder, before: Sequence[Operand], row: Sequence[Operand]
    ) -> list[Operand]:
        """What the nest carries after a row, given what it does before it and what the row has
        found alone."""
        best = before[self.of_rows.index(self.place)]
        pair = (best, row[self.place])
        better = b.compute(self.function, *(pair if self.is_first else pair[::-1]))
        return [
            b.compute("select", better, row[k], x) if isinstance(k, int) else k
            for k, x in zip(self.of_rows, before)
        ]


def running(s: ir.For, inner: ir.For) -> RunningExtremum | None:
    """How rows change the state of a nest, if it is a running extremum; else None.

    Args:
        inner: the loop over the elements of a row, which takes the state and leaves it.
    """
    of_rows: list[int | Number] = []
    for state, following in zip(s.state, s.following):
        place = next((k for k, x in enumerate(inner.init) if x is state), None)
        if place is not None and following is inner.results[place]:
            of_rows.append(place)
        elif isinstance(following, Number):
            of_rows.append(following)
        else:
            return None
    if sorted(k for k in of_rows if isinstance(k, int)) != [*range(len(inner.state))]:
        return None
    made: dict[Operand, ir.Compute] = {x.out: x for x in inner.body if isinstance(x, ir.Compute)}
    choices = [made.get(x) for x in inner.following]
    if not choices:
        return None
    tests = set()
    for choice, state in zip(choices, inner.state):
        if choice is None or choice.function != "select" or choice.operands[2] is not state:
            return None
        tests.add(choice.operands[0])
    (test, *others) = tests
    compared = made.get(test)
    if others or compared is None or compared.function not in _STRICT:
        return None
    found = None
    for place, state in enumerate(inner.state):
        choice = made[inner.following[place]]
        for is_first, pair in ((True, compared.operands), (False, compared.operands[::-1])):
            if pair[0] is state and pair[1] is choice.operands[1]:
                found = RunningExtremum(place, compared.function, is_first, tuple(of_rows))
    states = {*inner.state, *s.state}
    own = {compared, *(made[x] for x in inner.following)}
    read = [x for y in ir.walk(inner.body) if y not in own for x in uses.operands(y)]
    read += [x for y in s.body if y is not inner for x in uses.operands(y)]
    read += [made[x].operands[1] for x in inner.following]
    read += [] if found is None else [compared.operands[1 if found.is_first else 0]]
    return None if any(x in states for x in read) else found
