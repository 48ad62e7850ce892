"""The state of lowering a block, which every rule is given."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import ops
from autograph.closure import closure
from autograph.graph.graph import Graph, Node, Value, called, walk
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Operand
from autograph.kernels.lowering.analysis.records import Records
from autograph.kernels.lowering.analysis.unknown_lengths import is_but_the_first, looked_up
from autograph.kernels.lowering.loops import ElementLoops
from autograph.kernels.lowering.routine import CalledKernel
from autograph.kernels.lowering.state.bindings import Bindings
from autograph.kernels.lowering.state.elements import Elements
from autograph.kernels.lowering.state.places import Places
from autograph.kernels.lowering.state.progress import Progress
from autograph.kernels.lowering.values import Held, Memory, is_growing
from ops.control import regions

# In a kernel: the time it takes to compile grows faster than they do. Of what cannot be divided, a
# loop or a function of lanes, NumPy would compute part by part, trip by trip, what a kernel does
# not.
MOST_NODES, MOST_UNDIVIDED = 3000, 9000


def most_nodes(nodes: Sequence[Node]) -> int:
    """How many nodes, those of regions included, a kernel of these may have."""
    return MOST_UNDIVIDED if len(nodes) == 1 and nodes[0].regions else MOST_NODES


class LowerRegion(Protocol):
    """Lowers the nodes of a graph, whose inputs are bound; gives what its results are then.

    ``targets`` says where results have to be: None for scalars, and for arrays that may be anywhere
    in memory.
    """

    def __call__(
        self, state: State, graph: Graph, targets: Sequence[Memory | None]
    ) -> list[Held]: ...


def no_routine(name: str) -> None:
    """Of no named graph there is a kernel to be called."""


class KernelState:
    """What all blocks of a kernel share.

    Attributes:
        b: the kernel being built.
        callee: gives a named graph.
        routine: gives the routine for a named graph, if that is to be called where it can be.
        calls: whether the kernel may call others.
        in_process: whether it may call functions of NumPy's.
        for_gpu: whether its loops are for the threads of a GPU.
        renews: whether loops copy the arrays of unknown lengths that their trips leave, and free
            the others.
        lower_region: how rules of nodes that have regions have these lowered.
        most_nodes, nodes_left: how many nodes may be lowered in all, and how many more.
    """

    def __init__(
        self,
        b: KernelBuilder,
        graph: Graph,
        callee: Callable[[str], Graph],
        lower_region: LowerRegion,
        routine: Callable[[str], CalledKernel | None] = no_routine,
        in_process: bool = False,
        for_gpu: bool = False,
        renews: bool = False,
    ):
        self.b = b
        self.callee = callee
        self.lower_region = lower_region
        self.routine = routine
        self.calls = routine is not no_routine
        self.in_process = in_process
        self.for_gpu = for_gpu
        self.renews = renews
        self.nodes_left = self.most_nodes = most_nodes(graph.nodes)
        self._graph = graph
        self._records: Records | None = None

    def before_call(self, node: Node, position: int) -> Value | None:
        """The array that a call changes to get a result; None if that is another one."""
        routine = self.routine(node.attrs["callee"])
        argument = None if routine is None else routine.convention.changed.get(position)
        return None if argument is None else node.inputs[argument]

    def list_before_call(self, node: Node, position: int) -> Value | None:
        """The list that a call changes rows of to get a result; None if that is another one."""
        routine = self.routine(node.attrs["callee"])
        argument = None if routine is None else routine.convention.came_from.get(position)
        return None if argument is None else node.inputs[argument]

    def records(self) -> Records:
        """What the packs in the kernel hold; found out when it is first asked for."""
        if self._records is None:
            self._records = Records(self._graph, self.callee)
        return self._records

    @functools.cached_property
    def takes_first_rows(self) -> bool:
        """Whether first rows of lists are taken away in the kernel, or in what it calls."""
        return any(map(is_but_the_first, self._nodes()))

    @functools.cached_property
    def takes_rows(self) -> bool:
        """Whether first or last rows are."""
        last = (node.op is ops.drop_row for node in self._nodes())
        return self.takes_first_rows or self._passes_lists or any(last)

    @functools.cached_property
    def _passes_lists(self) -> bool:
        """Whether routines are given lists, to which they tell in one way that these are not
        theirs."""
        calls = (node for node in self._nodes() if node.op is regions.call)
        return any(is_growing(v) for node in calls for v in (*node.inputs, *node.outputs))

    @functools.cached_property
    def looked_up(self) -> frozenset[Value]:
        """The lists in which something may be looked for in the kernel, or in what it calls."""
        return looked_up({self._graph.name: self._graph, **self._called()})

    def _nodes(self) -> Iterator[Node]:
        """The nodes of the kernel, and of what it calls."""
        for graph in (self._graph, *self._called().values()):
            yield from walk(graph)

    def _called(self) -> dict[str, Graph]:
        """The graphs that it calls, by name."""
        names = closure(called(self._graph), lambda name: called(self.callee(name)))
        return {name: self.callee(name) for name in names}


class State:
    """The state of lowering one block: a graph, or a region, that is computed in one place.

    Attributes:
        shared: with the other blocks of the kernel.
        b: the kernel being built.
        calling: the named graphs that are being built in.
        serial: whether the block is computed for each lane by itself, without parallel loops.
        keeps: whether it is in a loop that frees nothing at the end of a trip.
        leaves_measured: whether who has the block lowered takes results of unknown lengths as what
            computes their elements.
        env: what values are by now.
        places: where arrays are put.
        elements: what gives elements of arrays.
        loops: over elements.
        progress: which nodes have been lowered, and which arrays are pending.
        plan: of the block.
        reserved: the addresses of packs that are not made yet.
        nonzero: of arrays, the numbers of the elements that are not zero, and how many there are.
    """

    def __init__(
        self,
        shared: KernelState,
        graph: Graph,
        around: State | None = None,
        serial: bool = False,
        callee: str | None = None,
    ):
        self.shared = shared
        self.b = shared.b
        self.calling: tuple[str, ...] = around.calling if around else ()
        self.serial: bool = serial or (around is not None and around.serial)
        self.keeps: bool = around is not None and around.keeps
        self.leaves_measured: bool = False
        self.env: Bindings = Bindings(around.env if around else None)
        self.places = Places(self.b, self.serial)
        call = around.elements.call if around else object()
        if callee is not None:
            self.calling, call = (*self.calling, callee), object()
        self.elements: Elements = Elements(self.b, self.env, self.places, call)
        self.loops = ElementLoops(self.b, self.serial, for_gpu=shared.for_gpu)
        self.progress = Progress(graph)
        self.plan = self.progress.plan
        self.reserved: dict[Node, Operand] = {}
        self.nonzero: dict[Value, tuple[Memory, Operand]] = {}

    def inner(self, graph: Graph, *, serial: bool = False, callee: str | None = None) -> State:
        """The state for a region of a node of this block, or for a named graph that is called."""
        return State(self.shared, graph, self, serial, callee)
