"""Which loops look whether the user wants the kernel to end, and how that is written.

A GPU cannot be told to end a kernel. So a loop that nobody knows to end looks, now and then, at a
flag in memory of the host that the device reads (`autograph.kernels.cuda.flag`). How often is as on
the CPU, see `autograph.kernels.llvm.polling`: a thread counts the statements that it has run, and
looks after about 2**20 of them, which take a GPU some milliseconds. Loops that are known to take
less neither count nor look; nor does a loop over an array whose length only the run knows, since it
ends. After a kernel with loops that look the host waits.

Threads that see the flag leave their trip, and look again at the first loop of the next one. A team
that waits for each other has a count of its own, which is the same in all its threads, and votes,
since the flag may be set between two looks.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Kernel, Number, Operand, Statement
from autograph.kernels.llvm.polling import SPAN, most_trips, trips_between, work

STATUS_AT = 4  # the int32 of the status that says that a thread has left
_MOST = 1 << 24  # statements of a trip, as they are counted


class Stopping:
    """The loops of a kernel that look."""

    def __init__(self, kernel: Kernel):
        self._lengths = _lengths(kernel)

    def looks(self, s: Statement) -> bool:
        """Whether a statement is a loop that looks."""
        match s:
            case ir.While():
                most = most_trips(s)
                return most is None or most * _each(s) > SPAN
            case ir.For():
                return s.count not in self._lengths and trips_between(s) is not None
        return False

    def may_stop(self, statements: Iterable[Statement]) -> bool:
        """Whether a loop among statements, or inside of them, looks."""
        return any(map(self.looks, ir.walk(statements)))


def lines(s: ir.While | ir.For, counter: str, seen: str, leave: str) -> list[str]:
    """What each trip of a loop that looks does.

    Args:
        counter: the variable that says how many statements are left until the next look.
        seen: the expression that reads the flag.
        leave: the statement that leaves the trip.
    """
    return [
        f"if (({counter} -= {min(_each(s), _MOST)}) < 0) {{",
        f"    if ({seen}) {{ status[{STATUS_AT}] = 1; {leave} }}",
        f"    {counter} = {SPAN};",
        "}",
    ]


def _each(s: ir.While | ir.For) -> int:
    """The statements of a trip."""
    tested = work(s.test) if isinstance(s, ir.While) else 0
    return max(work(s.body) + tested, 1)


def _lengths(kernel: Kernel) -> set[Operand]:
    """The scalars that follow from lengths of arrays alone."""
    found: set[Operand] = set(kernel.symbols.values())
    for s in ir.walk(kernel.body):
        if isinstance(s, ir.Compute) and all(
            isinstance(x, Number) or x in found for x in s.operands
        ):
            found.add(s.out)
    return found
