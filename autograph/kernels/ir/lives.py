"""When a kernel needs what is in its arrays.

Time is counted in statements, in the order in which they are written. A loop of independent trips
is one statement: its trips run at once. What an array holds is needed from its first to its last
use; where a loop takes it from trip to trip, throughout the loop. But an array that is used nowhere
else, and of which each trip reads only what it has written before, is needed between these two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.filled import filled, trip
from autograph.kernels.ir.ir import Buffer, Statement
from ops.core.records import NamedTuple

Life = tuple[int, int]


class _Use(NamedTuple):
    """When an array is needed, if nothing but one statement uses it, and when that one runs."""

    needed: Life
    around: Life

    def with_other(self, other: _Use) -> _Use:
        life = min(self.around[0], other.around[0]), max(self.around[1], other.around[1])
        return _Use(life, life)


class Lives:
    """The lives of arrays.

    Attributes:
        of: the first and the last time at which each of those that are wanted is needed by the
            kernel.
        around: the same of the statements of the outermost block that use it.
        loops: the loops of independent trips, with the time of each.
        calls: the calls of NumPy's loops, in the same way.
    """

    def __init__(self, body: ir.Block, wanted: Callable[[Buffer], bool]):
        self._wanted = wanted
        self._time = 0
        self.loops: list[tuple[int, ir.Each]] = []
        self.calls: list[tuple[int, ir.InnerLoopCall]] = []
        found = self._block(body)
        self.of: dict[Buffer, Life] = {b: use.needed for b, use in found.items()}
        self.around: dict[Buffer, Life] = {b: use.around for b, use in found.items()}

    def _block(self, statements: Iterable[Statement]) -> dict[Buffer, _Use]:
        found: dict[Buffer, _Use] = {}
        for s in statements:
            if type(s) is ir.Compute:  # most are
                self._time += 1
                continue
            for buffer, use in self._statement(s).items():
                before = found.get(buffer)
                found[buffer] = use if before is None else before.with_other(use)
        return found

    def _statement(self, s: Statement) -> dict[Buffer, _Use]:
        """The uses in a statement."""
        self._time += 1
        begin = self._time
        match s:
            case ir.For() | ir.While():
                inner = self._block(trip(s))
                # Alone in a loop an array shares memory with nobody who is not outside anyway.
                own = filled(s, inner) if len(inner) > 1 else set()
            case ir.If():
                inner = self._block(s.then)
                for buffer, use in self._block(s.orelse).items():
                    before = inner.get(buffer)
                    inner[buffer] = use if before is None else before.with_other(use)
                own = set(inner)
            case _:
                if isinstance(s, ir.Each):
                    self.loops.append((begin, s))
                elif isinstance(s, ir.InnerLoopCall):
                    self.calls.append((begin, s))
                now = _Use((begin, begin), (begin, begin))
                inner = {b: now for b in uses.touched([s]) if self._wanted(b)}
                own = set(inner)
        around = begin, self._time
        return {b: _Use(u.needed if b in own else around, around) for b, u in inner.items()}
