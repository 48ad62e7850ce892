"""From which inputs on a kernel takes long, whose loops make as many trips as these say.

It is estimated with all of them the same number: how many trips each loop makes then, and how long
that takes. Numbers of trips that follow from something else, such as what is in an array, may be
any: such a kernel may always take long.
"""

from __future__ import annotations

import functools

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG as INT64
from autograph.kernels.ir.ir import Number, Operand, Var
from autograph.kernels.ir.work import LONG, work
from autograph.kernels.native.signature import ALWAYS, MOST_INPUTS, NEVER, LongFrom

_STEP, _FAR = 4, 2**40  # of the numbers that are tried, and where a kernel takes long in any case
_DEEPEST = 100  # steps from one number to another: Python's own stack is not without end


def long_from(kernel: ir.Kernel) -> LongFrom:
    """Which calls of a kernel take long."""
    counts = [s.count for s in ir.walk(kernel.body) if isinstance(s, ir.For | ir.Each)]
    known = _Known(kernel)
    if any(known.at(count, 1) is None for count in counts):
        return ALWAYS
    inputs = [i for i, x in enumerate(kernel.inputs) if x in known.seen]
    if inputs and inputs[-1] >= MOST_INPUTS:
        return ALWAYS
    number = 1
    while number < _FAR:
        trips = functools.partial(known.trips, number=number)
        if work(kernel.body, trips) > LONG:
            return LongFrom(number, inputs) if number > 1 else ALWAYS
        if not inputs:
            return NEVER
        number *= _STEP
    return NEVER


class _Known:
    """Integers that follow from inputs of a kernel.

    Attributes:
        seen: the inputs that others have followed from.
    """

    def __init__(self, kernel: ir.Kernel):
        self.seen: set[Operand] = set()
        self._inputs = {x for x in kernel.inputs if isinstance(x, Var) and x.dtype == INT64}
        self._made: dict[Operand, ir.Compute] = {}
        self._either: dict[Operand, tuple[Operand, Operand]] = {}  # results of branches
        self._below: dict[Operand, Operand] = {}  # indices, and of what
        self._number, self._depth = 0, 0
        self._found: dict[Operand, float | None] = {}  # for this number: many follow from the same
        for s in ir.walk(kernel.body):
            if isinstance(s, ir.Compute):
                self._made[s.out] = s
            elif isinstance(s, ir.If):
                pairs = zip(s.then_results, s.else_results, strict=True)
                self._either.update(zip(s.results, pairs, strict=True))
            elif isinstance(s, ir.For | ir.Each):
                self._below[s.index] = s.count

    def trips(self, count: Operand, number: int) -> float:
        """About how many trips a loop makes at most, by its count; see `at`."""
        return max(self.at(count, number) or 0.0, 0.0)

    def at(self, operand: Operand, number: int) -> float | None:
        """About what an integer is at most where the inputs are some number; None if it does not
        follow from these, or only by very many steps."""
        if isinstance(operand, Number):
            return float(operand.value)
        if number != self._number:
            self._number, self._found = number, {}
        if operand not in self._found:
            self._depth += 1
            deep = self._depth > _DEEPEST
            self._found[operand] = None if deep else self._from_others(operand, number)
            self._depth -= 1
        return self._found[operand]

    def _from_others(self, operand: Operand, number: int) -> float | None:
        if operand in self._inputs:
            self.seen.add(operand)
            return float(number)
        if operand in self._below:
            return self.at(self._below[operand], number)
        if operand in self._either:
            return self._largest(self._either[operand], number)
        made = self._made.get(operand)
        return None if made is None else self._computed(made, number)

    def _computed(self, s: ir.Compute, number: int) -> float | None:
        match s.function:
            case "cast" if s.operands[0].dtype.kind in "iub":
                return self.at(s.operands[0], number)
            case "select":
                return self._largest(s.operands[1:], number)
            case "max":
                return self._largest(s.operands, number)
            case "min":
                known = (self.at(x, number) for x in s.operands)
                return min((x for x in known if x is not None), default=None)
            case "<" | "<=" | ">" | ">=" | "==" | "!=":
                return 1.0
        found = [self.at(x, number) for x in s.operands]
        values = [x for x in found if x is not None]
        if len(values) < len(found):
            return None
        match s.function, values:
            case "+" | "add_checked", [x, y]:
                return x + y
            case "-" | "subtract_checked", [x, y]:
                return abs(x) + abs(y)  # it may be either
            case "*" | "multiply_checked", [x, y]:
                return x * y
            case "quotient", [x, y]:
                return x / max(abs(y), 1.0)
            case "rest", [x, y]:
                return min(abs(x), abs(y))
        return None

    def _largest(self, operands: tuple[Operand, ...], number: int) -> float | None:
        found = [self.at(x, number) for x in operands]
        values = [x for x in found if x is not None]
        return max(values) if len(values) == len(found) else None
