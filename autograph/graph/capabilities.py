"""What the machine can do on which a function is to run, as far as graphs depend on it.

`autograph.api.machine` finds it out, once for a recording. Everything that makes graphs is told it
and asks no machine, so that a graph follows from what was recorded and this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autograph.graph.graph import Graph
from ops.core.records import dataclass

# How many elements an array of one lane may have in a native kernel; and where lanes may part, for
# there NumPy gathers those that take a branch, or are still in a loop, trip after trip.
MOST_LANE_ELEMENTS, MOST_PARTING_ELEMENTS = 64, 4096


@dataclass(frozen=True)
class Capabilities:
    """What a machine can do.

    Attributes:
        native: whether kernels run as native code of the CPU.
        cuda: whether kernels run on a GPU, where arrays are there.
        refuses_lane: why a closed graph for one lane is no part of a kernel; None if it can be.
            It is given the named graphs as well, of which that one may call some.
    """

    native: bool
    cuda: bool
    refuses_lane: Callable[[Graph, Mapping[str, Graph]], str | None]
