"""Which programs may become a graph of CUDA's as a whole, as their graphs tell.

A graph repeats what was launched. So nothing may depend on what the host reads from the device
while the program runs: a test, a number, a check that raises. Nor may the host do anything that
counts besides, such as to print. What depends on Python's numbers among the arguments alone is the
same each time: another number is another graph.

What CuPy's functions do has to be known, too: cuBLAS, cuSOLVER and sorts wait or have memory of
their own, which a capture does not allow, and some functions send small arrays of the host's, which
a graph would read where others are by then. Elementwise operators, sums, views and copies do
nothing of that kind; of the others nearly all are parts of kernels.

Plans of cuFFT's may be captured ("cuFFT Library", CUDA graphs support), but CuPy drops the plans
that it has not used for a while, with the tables that a graph's kernels would still read: a graph
needs plans of its own for that. What cannot be in a graph stands between those of pieces
(`autograph.kernels.pieces`).
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from autograph.graph.graph import Constant, Graph, Module, Node, Value
from autograph.graph.wiring import branches_of, is_loop, loop_of
from ops.arrays.indexing import getitem
from ops.control import regions
from ops.control.meetings import agree, meet, meet_in_sum
from ops.core.registry import Elementwise
from ops.core.types import ArrayType
from ops.structure.identity import copy

_MOST_TRIPS = 256  # of a loop of the host's, whose launches are all in the graph


class Capturable(NamedTuple):
    """What is known of a program before it runs.

    Attributes:
        why_not: why it cannot be a graph as a whole; "" if it may be tried.
        calls: of kernels, of CuPy's functions and of collectives, that a graph saves.
        axis: of a mesh, along which processes meet; None if they do not.
    """

    why_not: str
    calls: int = 0
    axis: Any = None

    @property
    def meets(self) -> bool:
        """Whether processes meet in it."""
        return self.axis is not None


def capture_of(
    module: Module, kernels: Collection[str], donated: Collection[int] = ()
) -> Capturable:
    """Look at a program.

    Args:
        kernels: the names of the graphs that are kernels.
        donated: the positions of inputs of the main graph whose memory it may write to.
    """
    if module.main.name in kernels:
        return Capturable("it is one kernel, which has a graph of its own")
    if donated:
        return Capturable("it writes to the memory of an argument")
    try:
        looked = _Looked(module.graphs, kernels)
        looked.graph(module.main, 1)
    except _Refused as refused:
        return Capturable(str(refused))
    if len(looked.axes) > 1:
        return Capturable("processes meet along several axes of a mesh")
    if looked.axes and os.environ.get("AUTOGRAPH_CHECK_ARGUMENTS") == "1":
        return Capturable("AUTOGRAPH_CHECK_ARGUMENTS is 1: arguments are compared at each call")
    if looked.calls < 2:
        return Capturable("it is one launch")
    return Capturable("", looked.calls, *looked.axes)


def capture_of_node(
    node: Node, graphs: Mapping[str, Graph], kernels: Collection[str]
) -> Capturable:
    """Look at a node by itself, as a part of a graph of several.

    Args:
        graphs: the named graphs of the program.
        kernels: see `capture_of`.
    """
    looked = _Looked(graphs, kernels)
    try:
        looked.node(node, 1)
    except _Refused as refused:
        return Capturable(str(refused))
    axis = next(iter(looked.axes), None)
    return Capturable("", looked.calls, axis)


class _Refused(Exception):
    """Why there is no graph."""

    def __init__(self, why: str, node: Node):
        super().__init__(f"{why} at {node.location}" if node.location is not None else why)


class _Looked:
    """What is found in a program.

    Attributes:
        calls: see `Capturable`.
        axes: along which processes meet.
    """

    def __init__(self, graphs: Mapping[str, Graph], kernels: Collection[str]):
        self._graphs = graphs
        self._kernels = kernels
        self._inside: list[str] = []
        self.calls = 0
        self.axes: set[Any] = set()

    def graph(self, graph: Graph, times: int) -> None:
        """Look at the nodes of a graph that runs so many times."""
        for node in graph.nodes:
            self.node(node, times)

    def node(self, node: Node, times: int) -> None:
        """Look at a node that runs so many times."""
        op = node.op
        if op is regions.call:
            self._call(node, times)
        elif op in (meet, meet_in_sum):
            if not all(map(_is_on_device, node.inputs)):
                raise _Refused(f"numbers of the host's meet in '{node.attrs['kind']}'", node)
            if node.inputs:  # the others ask for the number of their process
                self.axes.add(node.attrs["axis"])
            self.calls += times
        elif op is agree:  # which does nothing after the first call
            pass
        elif is_loop(node) or op is regions.cond:
            self._control(node, times)
        else:
            self._operator(node, times)

    def _call(self, node: Node, times: int) -> None:
        name = node.attrs["callee"]
        if name in self._kernels:
            self.calls += times
            return
        if name in self._inside:
            raise _Refused("it calls itself", node)
        self._inside.append(name)
        self.graph(self._graphs[name], times)
        self._inside.pop()

    def _control(self, node: Node, times: int) -> None:
        """A loop or branch of the host's."""
        if _is_on_device(_deciding(node)):
            raise _Refused("the host decides by what is on the device", node)
        trips = 1
        if is_loop(node):
            count = loop_of(node).count
            if isinstance(count, Constant):
                trips = int(count.data)
            if trips > _MOST_TRIPS:
                raise _Refused(f"the host's loop has {trips} trips", node)
        for region in node.regions:
            self.graph(region, times * trips)

    def _operator(self, node: Node, times: int) -> None:
        op, types = node.op, [v.type for v in node.inputs]
        if isinstance(op, regions.Container):
            return
        if isinstance(op, regions.Structured):
            raise _Refused(f"the host runs '{op.name}'", node)
        if op.effect is not None:
            raise _Refused(f"the host does what '{op.name}' does", node)
        is_part = _is_part(node)
        if not is_part and op.may_raise(types, node.attrs):
            raise _Refused(f"the host looks whether '{op.name}' raises", node)
        device = any(map(_is_on_device, node.inputs))
        if device and not all(map(_is_on_device, node.outputs)):
            raise _Refused(f"the host reads a number for '{op.name}'", node)
        if not any(map(_is_on_device, node.outputs)):
            return  # Python computes with numbers
        is_view = bool(op.view(types, node.attrs) if callable(op.view) else op.view)
        known = isinstance(op, Elementwise) or op is copy or op.fold is not None
        known = known or is_view or is_part
        if op.product or not known or not device:
            raise _Refused(f"CuPy may let the host wait, or send arrays, in '{op.name}'", node)
        self.calls += 0 if is_view else times


def _is_part(node: Node) -> bool:
    """Whether a node is ``x[i]`` with a number on the device, which CuPy does not look at."""
    if node.op is not getitem or len(node.inputs) != 2:
        return False
    index = node.inputs[1].type
    is_number = isinstance(index, ArrayType) and index.shape == () and index.dtype.kind in "iu"
    return is_number and _is_on_device(node.inputs[1])


def _deciding(node: Node) -> Value:
    """What a loop or branch depends on."""
    if not is_loop(node):
        return branches_of(node).predicate
    loop = loop_of(node)
    return loop.count if loop.test is None else loop.test.outputs[0]  # type: ignore[return-value]


def _is_on_device(value: Value) -> bool:
    """Whether a value is an array of the device's; Python's numbers are the host's."""
    return isinstance(value.type, ArrayType) and not value.type.weak
