"""What the processes of a mesh send each other when a program runs, as its graph tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from autograph.errors import Location
from autograph.graph.graph import Constant, Graph, Module
from autograph.graph.wiring import is_loop, loop_of
from ops.control.meetings import meet, meet_in_sum
from ops.core.types import ArrayType


@dataclass(frozen=True)
class Meeting:
    """A place where processes meet.

    Attributes:
        operator: the name of the collective.
        axis: of the mesh, along which they meet.
        processes: how many there are along it.
        arrays: how many arrays each gives.
        messages: how many calls of MPI that is: one for each dtype.
        nbytes: how many bytes each process gives, at a time; None if known only at run time.
        times: how often a call of the program comes there; None if known only at run time.
    """

    operator: str
    axis: str
    processes: int
    arrays: int
    messages: int
    nbytes: int | None
    times: int | None
    location: Location | None


def meetings(module: Module) -> list[Meeting]:
    """Where processes meet in a program, in its order."""
    found = [*_meetings(module.main, 1)]
    for graph in module.graphs.values():
        found += _meetings(graph, None)
    return found


def _meetings(graph: Graph, times: int | None) -> Iterator[Meeting]:
    for node in graph.nodes:
        if node.op in (meet, meet_in_sum) and node.inputs:
            axis = node.attrs["axis"]
            types = [v.type for v in node.inputs if isinstance(v.type, ArrayType)]
            known = all(type.is_static for type in types)
            yield Meeting(
                node.attrs["kind"],
                axis.name,
                dict(axis.of)[axis.name],
                len(types),
                len({_sent(type.dtype) for type in types}),
                sum(type.size * _sent(type.dtype).itemsize for type in types) if known else None,
                times,
                node.location,
            )
        inside = times
        if is_loop(node):
            count = loop_of(node).count
            trips = count.data if isinstance(count, Constant) else None
            inside = None if trips is None or times is None else times * int(trips)
        elif node.regions:  # only the run knows which branch is taken
            inside = None
        for region in node.regions:
            yield from _meetings(region, inside)


def _sent(dtype: np.dtype) -> np.dtype:
    """What elements are sent as: see `autograph.parallel.mpi.datatypes`."""
    if dtype.kind in "iu" and dtype.itemsize < 4:
        return np.dtype(f"{dtype.kind}4")
    return np.dtype(np.float32) if dtype == np.float16 else dtype
