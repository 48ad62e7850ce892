"""Which parts of a program become native kernels.

If the whole of a function can be one kernel, it is: a call then runs no Python at all. Otherwise
runs of neighbouring nodes that can be are *outlined*: a run becomes a named graph, and a call of it
stands in its place. The program has a function in NumPy's terms for each of them, which says what
the kernel computes; the kernel takes its place when the program is loaded, and leaves to it all
arguments that it is not made for, and all calls in which something is raised.

What NumPy gives as a view of something stays outside: whether a result shares memory with an
argument is a part of what a function does.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Any

import ops
from autograph.closure import closure
from autograph.graph.aliasing import is_view
from autograph.graph.graph import (
    Constant,
    Graph,
    Module,
    Node,
    Value,
    called,
    callees,
    producer_of,
    walk,
)
from autograph.graph.wiring import lanes_of
from autograph.kernels.by_python import is_python_call
from autograph.kernels.ir import ir
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis import orders
from autograph.kernels.lowering.analysis.nodes import regions_in_kernels
from autograph.kernels.lowering.analysis.unknown_lengths import (
    LIST_OPERATORS,
    has_unknown,
    is_bounded,
)
from autograph.kernels.lowering.complex_numbers import has_complex, is_complex
from autograph.kernels.lowering.kernel import lower
from autograph.kernels.lowering.reasons import NoKernel, Reason
from autograph.kernels.lowering.selections import selections
from autograph.kernels.lowering.state import most_nodes, no_routine
from autograph.kernels.lowering.values import CannotLower
from autograph.kernels.selection.layouts import with_transposed
from autograph.kernels.selection.outlining import (
    CutOut,
    Outliner,
    Plan,
    array_constants,
    call_of,
    closed,
    cut_of,
    into_donated,
)
from autograph.kernels.selection.python_calls import PythonCalls, prepared
from autograph.kernels.selection.results import is_element, is_result, passes_numbers
from autograph.kernels.selection.routines import Routines, identifier
from autograph.kernels.selection.sharing import first_shared
from autograph.kernels.selection.support import CONTROL_FLOW, of_unknown, refusal
from autograph.kernels.selection.worth import is_one_call, is_worth_it
from autograph.log import log
from ops.control import regions
from ops.core.records import NamedTuple, dataclass
from ops.core.types import ArrayType, UnknownLengthError
from ops.signal.convolution import grouped_convolution
from ops.signal.sequences import convolve_full
from ops.structure.identity import refine

_MOST_IN_ALL = (
    9000  # nodes in the kernels of a program: compiling takes half a millisecond for each
)
_MOST_COPIES = 600  # nodes in a kernel that are there since a graph is called more than once
_FREE = (ops.copy, ops.length, refine)  # which take next to no time


Transposed = Callable[[str, Collection[int]], tuple[Graph, ir.Kernel, frozenset[int]] | None]


@dataclass
class Selection:
    """A module, some of whose graphs are kernels.

    Attributes:
        module: the program.
        kernels: of its graphs, by name.
        plan: how they were cut out.
        into: the results of the main graph that are written to an argument, with the positions of
            these.
        transposed: gives the graph that a kernel is of, by name, with the transposes of inputs at
            some positions in the place of these, a kernel of that, and which results are
            transposes there; None if there is none.
    """

    module: Module
    kernels: dict[str, ir.Kernel]
    plan: Plan
    into: dict[int, int] = field(default_factory=dict)
    transposed: Transposed = lambda name, positions: None


class LeftOut(NamedTuple):
    """Nodes that are no part of a kernel.

    Attributes:
        nodes: neighbours.
        why: for all of them.
        around: the loops and branches that they are in, outermost first.
    """

    nodes: tuple[Node, ...]
    why: NoKernel
    around: tuple[Node, ...]


def select(
    module: Module,
    donated: Collection[int] = (),
    *,
    host: bool = True,
) -> Selection:
    """Find the kernels of a program.

    Args:
        donated: the positions of inputs of the main graph whose memory may be written to.
        host: whether kernels are for the processor, where they may hold, and return, arrays of
            any length, call others of their own, and convolve.
    """
    selector = _Selector(module, host)
    whole = selector.whole(donated)
    return whole if whole is not None else selector.parts()


def outside_of_kernels(
    module: Module, donated: Collection[int] = (), *, host: bool = True
) -> list[LeftOut]:
    """What `select` leaves to the array library, and why: it is selected once more for that."""
    outside: dict[str, list[LeftOut]] = {}
    selector = _Selector(module, host, outside)
    if selector.whole(donated) is not None:
        return []
    selected = selector.parts().module
    graphs = {n: g for n, g in selected.graphs.items() if n not in selector.kernels}
    plain = closure(
        (n for n in called(selected.main) if n in graphs),
        lambda name: [n for n in called(graphs[name]) if n in graphs],
    )
    names = [module.main.name, *(name for name in graphs if name in plain)]
    return [found for name in names for found in outside.get(name, ())]


class _Selector(Outliner):
    """Selects.

    Args:
        host: see `select`.
        outside: by the names of graphs, what is no part of a kernel, if somebody asks for it.
    """

    def __init__(
        self,
        module: Module,
        host: bool,
        outside: dict[str, list[LeftOut]] | None = None,
    ):
        module = prepared(module) if host else module
        super().__init__(module)
        self._routines = Routines(module, self.is_native) if host else None
        self._host = host
        self._python = PythonCalls(module)
        self._outside = outside
        self._graph = module.main.name  # that parts are found of now
        self.kernels: dict[str, ir.Kernel] = {}
        self._refusals: dict[str, bool] = {}
        self._sizes: dict[str, int] = {}
        self._room = _MOST_IN_ALL
        self._whole: dict[Node, Value] = {}  # those that a kernel does with whole arrays
        self._known: dict[Node, bool] = {}  # what `_has_native_form` said
        for graph in (module.main, *module.graphs.values()):
            self._whole |= selections(graph)

    # -- a whole function --------------------------------------------------------------------------

    def whole(self, donated: Collection[int]) -> Selection | None:
        """The function as one kernel, if it can be."""
        main = self.module.main
        outputs = main.outputs
        own = all(v.producer is not None and not _may_be_view(v) for v in outputs)
        arrays = [v for v in outputs if isinstance(v.type, ArrayType) and v.type.shape]
        if not (own and outputs and len(set(arrays)) == len(arrays)):
            return None
        if not all(map(self._is_result, outputs)) or array_constants(main.nodes):
            return None
        if not all(map(self.is_native, main.nodes)) or not self._fits(main.nodes):
            return None
        if not self._is_worth_it(main.nodes) and not is_one_call(main.nodes):
            return None
        if first_shared(outputs, set(main.nodes), self.graphs) is not None:
            return None
        into = into_donated(main, donated)
        kernel = self._lowered(main, main.name, into)
        if isinstance(kernel, NoKernel):
            return None
        return Selection(self.module, {main.name: kernel}, Plan(True), into, self._of_transposed)

    def _lowered(
        self, graph: Graph, name: str, into: Mapping[int, int] = MappingProxyType({})
    ) -> ir.Kernel | NoKernel:
        if not passes_numbers(graph, self.graphs):
            return reasons.NO_AXES.of()
        try:
            routine = no_routine if self._routines is None else self._routines.find
            given = graph, identifier(name), self.graphs, into, routine
            lowered = functools.partial(lower, *given, in_process=self._host)
            try:
                return lowered(for_gpu=not self._host)
            except CannotLower as refused:
                if refused.why.reason is not reasons.ADDS_UP or not self._host:
                    raise
            return lowered(renews=True)
        except CannotLower as refused:
            why = refused.why
        except UnknownLengthError:
            why = reasons.UNKNOWN.of()
        log.debug("%s: no kernel, because %s (%s)", name, why, why.location)
        return why

    def _of_transposed(
        self, name: str, positions: Collection[int]
    ) -> tuple[Graph, ir.Kernel, frozenset[int]] | None:
        """See `Selection.transposed`."""
        main = self.module.main
        graph = main if name == main.name else self.graphs[name]
        graph, results = with_transposed(graph, positions)
        kernel = self._lowered(graph, name)
        return None if isinstance(kernel, NoKernel) else (graph, kernel, results)

    # -- parts -------------------------------------------------------------------------------------

    def parts(self) -> Selection:
        """The program with kernels for parts of it."""
        made = self.outlined()
        plan = Plan(False, self.cuts)
        return Selection(made, self.kernels, plan, transposed=self._of_transposed)

    def _start(self, name: str) -> None:
        self._graph = name

    def _parts(self, graph: Graph, cuts: list[CutOut]) -> Iterator[Node]:
        for run in self._runs(graph):
            yield from self._called(graph, run, cuts)

    def _runs(self, graph: Graph) -> Iterator[list[Node]]:
        """The nodes of a graph in order, those together that may become one kernel.

        Arrays whose lengths only the run knows are in a kernel with the loops that use them, if
        nothing else does.
        """
        inside = {
            node
            for node in graph.nodes
            if self._host and has_unknown(node) and not node.regions and self.is_native(node)
        }
        runs = list(self._runs_with(graph, inside))
        while inside and (apart := inside - _used_by_loops(graph, runs, inside)):
            inside -= apart
            runs = list(self._runs_with(graph, inside))
        yield from runs

    def _runs_with(self, graph: Graph, inside: Container[Node]) -> Iterator[list[Node]]:
        """The same.

        Args:
            inside: nodes that have to do with lengths known only at run time.
        """
        last = set(graph.outputs)
        run: list[Node] = []
        for node in graph.nodes:
            is_end = any(
                v in last and (_may_be_view(v) or not self._is_result(v)) for v in node.outputs
            )
            known = not has_unknown(node) or node.op in LIST_OPERATORS or node.op in CONTROL_FLOW
            known = known or node in inside or node in self._whole or node.op is regions.call
            if not is_end and self.is_native(node) and known:
                run.append(node)
                continue
            if run:
                yield run
                run = []
            yield [node]
        if run:
            yield run

    def _called(self, graph: Graph, run: Sequence[Node], cuts: list[CutOut]) -> list[Node]:
        """A call of a new kernel that computes what some nodes compute, and those of the nodes that
        are not a part of it; the nodes themselves if there is no kernel.

        Args:
            cuts: to which it is added.
        """
        run = list(run)
        if not all(map(self.is_native, run)):
            for node in run:
                self._leave_refused(node)
            return run
        if self._python.is_called(run) and not self._python.is_repeated(run):
            return self._without_python_calls(graph, run, cuts)
        if not self._is_worth_it(run):
            return self._leave_unworthy(run)
        size = self._size(run)
        if size > self._room:
            return self._leave(run, reasons.MANY, most=_MOST_IN_ALL)
        if not self._fits(run):
            most = most_nodes(run)
            few = size <= most
            why = reasons.COPIES.of(most=_MOST_COPIES) if few else reasons.MANY.of(most=most)
            return self._in_halves(graph, run, cuts, why)
        inside = set(run)
        outside = [node for node in graph.nodes if node not in inside]
        used = {*graph.outputs, *(v for node in outside for v in node.uses())}
        views = [n for n in run if any(map(_may_be_view, n.outputs))]
        views = [n for n in views if not used.isdisjoint(n.outputs)]
        used.update(v for node in views for v in node.uses())
        apart = set(views)
        outputs = [v for node in run if node not in apart for v in node.outputs if v in used]
        if not outputs and not self._python.is_called(run):
            return self._leave(run, reasons.VIEW if views else reasons.LITTLE)
        if not all(map(self._is_result, outputs)):
            if all(isinstance(v.type, ArrayType) for v in outputs):
                return self._leave(run, reasons.NO_AXES)
            return self._leave(run, reasons.KEPT_APART)
        shared = first_shared(outputs, inside, self.graphs)
        if shared is not None:
            at = run.index(shared)
            self._leave([shared], reasons.SHARED)
            return [
                *self._called(graph, run[:at], cuts),
                shared,
                *self._called(graph, run[at + 1 :], cuts),
            ]
        constants = array_constants(run)
        operands = self.operands(run, outputs, constants)
        if not all(isinstance(v.type, ArrayType) for v in operands):
            return self._leave(run, reasons.KEPT_APART)
        name = self._name(graph.name)
        graph_of_kernel = closed(name, run, operands, outputs, constants)
        kernel = self._lowered(graph_of_kernel, name)
        if isinstance(kernel, NoKernel):  # because of some of the nodes: the others may do
            return self._in_halves(graph, run, cuts, kernel)
        self.graphs[name], self.kernels[name] = graph_of_kernel, kernel
        self._room -= size
        cuts.append(cut_of(name, graph, run, outputs, views))
        return [call_of(name, run, operands, outputs), *views]

    def _leave(self, run: list[Node], reason: Reason, **particulars: Any) -> list[Node]:
        """The nodes as they are, which become no kernel."""
        if self._outside is not None:
            self._note(run, reason.of(**particulars))
        return run

    def _leave_unworthy(self, run: list[Node]) -> list[Node]:
        """The nodes as they are, which a kernel would not do faster."""
        if self._outside is None or not run:
            return run
        if has_unknown(run[0]) and not run[0].regions:
            trivial = run[0].op in _FREE
            return self._leave(run, reasons.LITTLE if trivial else reasons.UNKNOWN_ALONE)
        if all(node.is_view for node in run):
            return self._leave(run, reasons.VIEW)
        is_product = any(node.op.product for node in run)
        return self._leave(run, reasons.BLAS if is_product else reasons.LITTLE)

    def _leave_refused(self, node: Node) -> None:
        """Note why a node is not native, unless that is due to nodes in its regions, or in a graph
        that it calls: these are asked by themselves."""
        if self._outside is None:
            return
        if node.op is regions.lanes:
            for inner in walk(lanes_of(node).lane):
                self._leave_refused(inner)
            return
        why = None if node in self._whole else refusal(node)
        if why is None and not self._host and not node.regions:
            why = self._off_host(node)
        if node.op is regions.call:
            name = node.attrs["callee"]
            if is_python_call(node):
                why = reasons.of_operator(self.module.graphs[name].nodes[0])
            elif name in callees(self.module.graphs[name], self.module.graphs):
                found = None if self._routines is None else self._routines.refusal(name)
                why = found or reasons.RECURSION.of(op=name)
        if why is not None:
            self._note([node], why)

    def _note(self, nodes: Sequence[Node], why: NoKernel) -> None:
        if self._outside is not None:
            found = LeftOut(tuple(nodes), why, tuple(self._around))
            self._outside.setdefault(self._graph, []).append(found)

    def _in_halves(
        self, graph: Graph, run: list[Node], cuts: list[CutOut], why: NoKernel
    ) -> list[Node]:
        """Two calls in the place of one that cannot be.

        Args:
            cuts: see `_called`.
            why: it cannot be.
        """
        half = len(run) // 2
        if half < 2:
            self._note(run, why)
            return run
        first = self._called(graph, run[:half], cuts)
        return [*first, *self._called(graph, run[half:], cuts)]

    def _without_python_calls(
        self, graph: Graph, run: Sequence[Node], cuts: list[CutOut]
    ) -> list[Node]:
        """Calls of kernels of the nodes between those that call Python, which a program in Python
        does as well; for the arguments see `_called`."""
        made: list[Node] = []
        for is_left, nodes in itertools.groupby(run, lambda node: self._python.is_called([node])):
            part = list(nodes)
            if is_left:
                for node in part:
                    self._leave_refused(node)
                made += part
            else:
                made += self._called(graph, part, cuts)
        return made

    def _name(self, graph: str) -> str:
        base = f"{self.module.main.name}_kernel"
        for number in itertools.count(1):
            name = f"{base}_{number}" if number > 1 else base
            if name not in self.graphs and name != graph:
                return name
        raise AssertionError

    def _size(self, nodes: Sequence[Node]) -> int:
        """How many nodes a kernel of native ones has, with those of regions and of the graphs that
        are called: they are built in at each call, exponentially often where each calls two, but
        for those that are routines."""
        size = 0
        for node in _all(nodes):
            size += 1
            if node.op is regions.call and not self._is_routine(node.attrs["callee"]):
                size += self._callee_size(node.attrs["callee"])
        return size

    def _is_routine(self, name: str) -> bool:
        return self._routines is not None and self._routines.find(name) is not None

    def _callee_size(self, name: str) -> int:
        if name not in self._sizes:
            self._sizes[name] = self._size(self.module.graphs[name].nodes)
        return self._sizes[name]

    def _fits(self, nodes: Sequence[Node]) -> bool:
        """Whether native nodes are few enough for a kernel, and not mostly copies of each other."""
        size = self._size(nodes)
        if size <= _MOST_COPIES:
            return True
        names = {n.attrs["callee"] for n in _all(nodes) if n.op is regions.call}
        names.update(*(callees(self.module.graphs[name], self.module.graphs) for name in names))
        graphs = (self.module.graphs[name].nodes for name in names)
        different = sum(1 for part in (nodes, *graphs) for _ in _all(part))
        return size <= most_nodes(nodes) and size - different <= _MOST_COPIES

    def _is_result(self, value: Value) -> bool:
        return is_result(value, self.module.graphs, self.module.main.inputs)

    def _is_worth_it(self, nodes: Sequence[Node]) -> bool:
        """Whether a kernel of some nodes saves anything."""
        return any(node in self._whole for node in nodes) or is_worth_it(nodes)

    # -- single nodes ------------------------------------------------------------------------------

    def is_native(self, node: Node) -> bool:
        """Whether a node, with its regions, can be a part of a kernel."""
        if node.op is regions.call:
            if is_python_call(node):
                return self._host
            return self._is_native_callee(node.attrs["callee"])
        if node in self._whole:
            return True
        if not node.regions and node in self._known:
            return self._known[node]
        if node.op is regions.lanes:
            return all(map(self.is_native, lanes_of(node).lane.nodes))
        if not self._has_native_form(node):
            return False
        return all(self.is_native(inner) for region in node.regions for inner in region.nodes)

    def _has_native_form(self, node: Node) -> bool:
        """The same without its regions. Each half of what is too much is asked about again."""
        if node not in self._known:
            is_refused = refusal(node) is not None
            self._known[node] = not (is_refused or (not self._host and self._off_host(node)))
        return self._known[node]

    @staticmethod
    def _off_host(node: Node) -> NoKernel | None:
        """Why a node, which has a native form, has none on a GPU."""
        if has_complex(node):
            return reasons.COMPLEX.of(node.location)
        if not is_bounded(node):
            return of_unknown(node)
        if node.op.inner_loops is not None:
            return reasons.of_operator(node)
        if node.op.ordering is not None and not orders.is_native(node, in_process=False):
            return reasons.of_operator(node)
        off = node.op in (grouped_convolution, convolve_full)
        return reasons.of_operator(node) if off else None

    def _is_native_callee(self, name: str) -> bool:
        if name not in self._refusals:
            graph = self.module.graphs[name]
            if name in callees(graph, self.module.graphs):
                return self._is_routine(name)
            self._refusals[name] = all(map(self.is_native, graph.nodes))
        return self._refusals[name]


def _used_by_loops(
    graph: Graph, runs: Sequence[Sequence[Node]], inside: Container[Node]
) -> set[Node]:
    """Of the nodes that have to do with lengths known only at run time, those in a run with a loop
    or branch, and with all that makes what they use and uses what they make, if that is unknown."""
    run_of = {node: i for i, run in enumerate(runs) for node in run}
    with_loops = {i for i, run in enumerate(runs) if any(node.regions for node in run)}
    found = {node for node in run_of if node in inside and run_of[node] in with_loops}
    last = set(graph.outputs)
    for node in graph.nodes:
        if node in found and any(_is_unknown(v) and v in last for v in node.outputs):
            found.discard(node)
        for value in node.uses():
            maker = value.producer
            if not _is_unknown(value) or maker is None:
                continue
            if run_of.get(maker) != run_of[node]:
                found -= {maker, node}
    return found


def _is_unknown(value: Value) -> bool:
    return isinstance(value.type, ArrayType) and not value.type.is_static


def _may_be_view(value: Value) -> bool:
    """Whether a result may be memory that was there before, without a kernel being able to tell."""
    if value.producer is None or isinstance(value, Constant):
        return True
    return is_view(value) and not is_element(value) and not _is_part_of_number(value)


def _is_part_of_number(value: Value) -> bool:
    """Whether a value is a part of one of Python's complex numbers: another number."""
    return value.type.weak and is_complex(producer_of(value).inputs[0].type)


def _all(nodes: Sequence[Node]) -> Iterator[Node]:
    """Nodes, and those of their regions."""
    straight = not any(node.regions for node in nodes)
    return iter(nodes) if straight else _with_regions(nodes)


def _with_regions(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        for region in regions_in_kernels(node) if node.regions else ():
            yield from _all(region.nodes)
