"""What the branches around a statement say of the integers of a kernel, as forms that are not
negative: of what stands in ``if j > 0 and x[j - 1] < best:``, that ``j`` is at least 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import BOOL, Number, Operand
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.forms import Form
from autograph.kernels.passes.known_values import COMPARED, OPPOSITE, not_negative

_DEEPEST = 8  # bools that are made of each other


class Conditions:
    """What is said by the bools that some statements compute.

    Args:
        statements: among which what makes the bools is looked for.
    """

    def __init__(self, statements: Iterable[ir.Statement], facts: Facts):
        self._facts = facts
        self._computed: dict[Operand, ir.Compute] = {}
        self._chosen: dict[Operand, tuple[Operand, Operand, Operand]] = {}
        for s in ir.walk(statements):
            if type(s) is ir.Compute and s.out.dtype == BOOL:
                self._computed[s.out] = s
            elif isinstance(s, ir.If):
                for out, yes, no in zip(s.results, s.then_results, s.else_results):
                    self._chosen[out] = (s.condition, yes, no)

    def around(self, statements: Iterable[ir.Statement]) -> dict[ir.Statement, tuple[Form, ...]]:
        """What holds at each load and store in a branch."""
        return dict(self._around(statements, ()))

    def _around(
        self, statements: Iterable[ir.Statement], known: tuple[Form, ...]
    ) -> Iterator[tuple[ir.Statement, tuple[Form, ...]]]:
        for s in statements:
            if isinstance(s, ir.Load | ir.Store):
                if known:
                    yield s, known
            elif isinstance(s, ir.If):
                for block, holds in ((s.then, True), (s.orelse, False)):
                    yield from self._around(block, (*known, *self.said(s.condition, holds)))
            else:
                for block in ir.blocks(s):
                    yield from self._around(block, known)

    def said(self, condition: Operand, holds: bool, depth: int = 0) -> list[Form]:
        """What is not negative if a bool holds, or if it does not."""
        if depth > _DEEPEST:
            return []
        s = self._computed.get(condition)
        chosen = self._chosen.get(condition)
        if s is not None and s.function in COMPARED:
            return self._compared(s, holds)
        if s is not None and s.function == "~":
            return self.said(s.operands[0], not holds, depth + 1)
        if s is not None and s.function == ("&" if holds else "|"):
            return [form for x in s.operands for form in self.said(x, holds, depth + 1)]
        if s is not None and s.function == "select":
            first, yes, no = s.operands
            chosen = first, yes, no
        if chosen is None:
            return []
        # ``a and b`` is ``b if a else a``, ``a or b`` is ``a if a else b``.
        test, last, other = chosen if holds else (chosen[0], chosen[2], chosen[1])
        if other is not test and not (isinstance(other, Number) and bool(other.value) != holds):
            return []
        return [form for x in (test, last) for form in self.said(x, holds, depth + 1)]

    def _compared(self, s: ir.Compute, holds: bool) -> list[Form]:
        x, y = map(self._facts.form, s.operands)
        if x is None or y is None:
            return []
        difference = x.plus(y, -1)
        if s.function in OPPOSITE:
            function = s.function if holds else OPPOSITE[s.function]
            return [not_negative(function, difference)]
        return [difference, difference.times(-1)] if (s.function == "==") == holds else []
