"""Kernels cut out of a program: what they compute becomes named graphs, and calls of these stand in
its place.

`autograph.kernels.selection.parts` decides which nodes these are, as it goes through a program.
What it has decided is a `Plan`, by which the same program is cut in the same way again, without
asking what can be a kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from autograph.graph.builder import copy_graph, graph_of
from autograph.graph.graph import Constant, Graph, Module, Node, Value, called, free_values
from autograph.graph.lengths import inputs_with_symbols
from autograph.graph.wiring import all_run
from ops.control import regions
from ops.core.records import NamedTuple
from ops.core.types import is_type


class CutOut(NamedTuple):
    """Nodes of a graph that become one kernel.

    Attributes:
        name: of the kernel.
        nodes: their positions in the graph.
        outputs: what the kernel returns: positions of nodes, and of results of these.
        views: the positions of those of the nodes that stay in the program.
    """

    name: str
    nodes: tuple[int, ...]
    outputs: tuple[tuple[int, int], ...]
    views: tuple[int, ...]


class Plan(NamedTuple):
    """What is cut out of a program.

    Attributes:
        whole: whether all of it is one kernel.
        cuts: otherwise for each graph that is gone through, in order, what becomes kernels there.
    """

    whole: bool
    cuts: Sequence[Sequence[CutOut]] = ()


class Outliner:
    """Goes through a program, and puts calls of kernels into it.

    Args:
        module: the program.

    Attributes:
        graphs: the named graphs of the program, and those of the kernels so far.
        cuts: what has become kernels; see `Plan`.
    """

    def __init__(self, module: Module):
        self.module = module
        self.graphs = dict(module.graphs)
        self.cuts: list[list[CutOut]] = []
        self._inputs: Sequence[Value] = ()  # of the graph that is gone through now
        self._around: list[Node] = []

    def _start(self, name: str) -> None:
        """Called before a named graph is gone through."""

    def _parts(self, graph: Graph, cuts: list[CutOut]) -> Iterator[Node]:
        """The nodes of a graph, with calls in the place of some.

        Args:
            cuts: those of the graph, to which new ones are added.
        """
        raise NotImplementedError

    def outlined(self) -> Module:
        """The program with calls of kernels."""
        main = self._outlined(self.module.main)
        # Others are only called where a kernel is not made for the arguments, or gives up.
        named = dict(self.module.graphs)
        pending, met = [*called(main)], set()
        while pending:
            name = pending.pop()
            if name in named and name not in met:
                met.add(name)
                self._start(name)
                named[name] = self._outlined(named[name])
                pending += called(named[name])
        kernels = {n: g for n, g in self.graphs.items() if n not in named}
        return Module(main, {**named, **kernels})

    def _outlined(self, graph: Graph) -> Graph:
        """A graph with calls of kernels, in its regions as well."""
        self._inputs = graph.inputs
        return copy_graph(self._with_calls(graph), {})

    def _with_calls(self, graph: Graph) -> Graph:
        """The same, of values that still know the nodes of the graph as their producers."""
        nodes, cuts = [], list[CutOut]()
        self.cuts.append(cuts)
        for node in self._parts(graph, cuts):
            if node.regions and node.op is not regions.lanes:
                self._around.append(node)
                made = tuple(map(self._with_calls, node.regions))
                self._around.pop()
                node = replace(node, regions=made)
            nodes.append(node)
        return replace(graph, nodes=tuple(nodes))

    def operands(
        self, run: Sequence[Node], outputs: Sequence[Value], constants: Sequence[Constant]
    ) -> tuple[Value, ...]:
        """What a kernel of some nodes takes.

        Args:
            outputs: what it returns.
            constants: the array constants in it.
        """
        found = (*free_values((), run, outputs), *constants)
        return (*found, *inputs_with_symbols(found, run, self._inputs))


def closed(
    name: str,
    run: Sequence[Node],
    operands: Sequence[Value],
    outputs: Sequence[Value],
    constants: Sequence[Constant],
) -> Graph:
    """The graph of a kernel."""
    nodes = [_with_constants_given(node, constants) for node in run]
    return graph_of(name, operands, nodes, outputs, run[0].location)


def call_of(
    name: str, run: Sequence[Node], operands: tuple[Value, ...], outputs: Sequence[Value]
) -> Node:
    """The call of a kernel."""
    required = any(node.required or node.op.effect == "raises" for node in run)
    attrs = {"callee": name}
    return Node(regions.call, operands, attrs, (), tuple(outputs), run[0].location, required)


def cut_of(
    name: str,
    graph: Graph,
    run: Sequence[Node],
    outputs: Sequence[Value],
    views: Sequence[Node],
) -> CutOut:
    """Nodes of a graph that have become a kernel."""
    places = {node: i for i, node in enumerate(graph.nodes)}
    makers = {v: (places[node], k) for node in run for k, v in enumerate(node.outputs)}
    of = lambda nodes: tuple([places[node] for node in nodes])
    return CutOut(name, of(run), tuple([makers[v] for v in outputs]), of(views))


class Replay(Outliner):
    """Puts those calls into a program that a plan has.

    Args:
        cuts: see `Plan`.
    """

    def __init__(self, module: Module, cuts: Sequence[Sequence[CutOut]]):
        super().__init__(module)
        self._known = iter(cuts)

    def _parts(self, graph: Graph, cuts: list[CutOut]) -> Iterator[Node]:
        cuts += next(self._known)
        ends = {cut.nodes[-1]: cut for cut in cuts}
        taken = {place for cut in cuts for place in cut.nodes}
        for place, node in enumerate(graph.nodes):
            if place not in taken:
                yield node
            elif place in ends:
                yield from self._replaced(graph, ends[place])

    def _replaced(self, graph: Graph, cut: CutOut) -> Iterator[Node]:
        nodes = [graph.nodes[place] for place in cut.nodes]
        outputs = [graph.nodes[place].outputs[k] for place, k in cut.outputs]
        constants = array_constants(nodes)
        operands = self.operands(nodes, outputs, constants)
        self.graphs[cut.name] = closed(cut.name, nodes, operands, outputs, constants)
        yield call_of(cut.name, nodes, operands, outputs)
        yield from (graph.nodes[place] for place in cut.views)


def into_donated(graph: Graph, donated: Collection[int]) -> dict[int, int]:
    """Which results are written to donated memory, and to which."""
    found: dict[int, int] = {}
    free = {i: graph.inputs[i].type for i in sorted(donated)}
    for position, value in enumerate(graph.outputs):
        place = next(
            (i for i, type in free.items() if is_type(type, value.type) and type.shape), None
        )
        if place is not None:
            found[position] = place
            del free[place]
    return found


def array_constants(
    nodes: Iterable[Node], regions_of: Callable[[Node], Iterable[Graph]] = all_run
) -> list[Constant]:
    """The array constants that nodes refer to, each once, those in their regions included.

    Args:
        regions_of: which regions of a node these are.
    """
    found: dict[int, Constant] = {}

    def visit(node: Node) -> None:
        for value in node.inputs:
            if isinstance(value, Constant) and value.is_array:
                found.setdefault(id(value), value)
        for region in regions_of(node):
            for value in region.outputs:
                if isinstance(value, Constant) and value.is_array:
                    found.setdefault(id(value), value)
            for inner in region.nodes:
                visit(inner)

    for node in nodes:
        visit(node)
    return list(found.values())


def _with_constants_given(node: Node, constants: Sequence[Constant]) -> Node:
    """A node, in the regions of which lanes have array constants as arguments: what is an input of
    the kernel in the place of these must not be captured there."""
    if not node.regions:
        return node
    made = [
        replace(r, nodes=tuple(_with_constants_given(inner, constants) for inner in r.nodes))
        for r in node.regions
    ]
    if node.op is not regions.lanes:
        return replace(node, regions=tuple(made))
    inside = replace(node, inputs=(), regions=tuple(made))
    used = {id(v) for v in array_constants([inside], lambda node: node.regions)}
    given = [v for v in constants if id(v) in used]
    made = [graph_of(r.name, (*r.inputs, *given), r.nodes, r.outputs, r.location) for r in made]
    attrs = {**node.attrs, "axes": (*node.attrs["axes"], *((),) * len(given))}
    return replace(node, inputs=(*node.inputs, *given), attrs=attrs, regions=tuple(made))
