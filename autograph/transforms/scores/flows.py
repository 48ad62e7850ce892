"""Where draws go that are only compared: through branches, from trip to trip, and into calls.

A *cell* is a value that holds such a draw: what is drawn, or what control flow makes of it, such as
a variable of a loop. What is known of its draw is known of each cell by itself. So that this is all
there is to know, a draw moves: once it has gone from a cell to the next one, or into a call, the
first is neither compared nor moved again. Cells between which draws move are a *group*; one that
does anything else with a draw than to compare it has no likelihood.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import ops
from autograph.errors import Location
from autograph.graph.graph import Graph, Node, Value
from autograph.graph.wiring import all_run, is_loop, loop_of, wiring
from autograph.transforms.analysis.extents import Extents
from autograph.transforms.scores.sites import Site
from ops.control import regions
from ops.core.registry import Op
from ops.order.searching import searchsorted
from ops.structure.identity import as_long_as, copy, refine

COMPARISONS = (ops.less, ops.less_equal, ops.greater, ops.greater_equal)
SAME = (as_long_as, refine, copy)  # they give what they are given
_MOST_LOGARITHMS = 4  # a function that calls itself may take one each time

Shape = tuple[int | None, ...]
Step = tuple[Node, int]  # an operation, and which of its operands is followed


class Law(NamedTuple):
    """How the number in a cell is distributed: as one of a distribution without parameters that is
    moved and scaled, of which the logarithm is taken, and so on.

    Attributes:
        distribution: the name of that.
        logarithms: the operators, the first first.
        scales: before each of them, and at last, the shape of what moves and scales the number;
            None if nothing does.
    """

    distribution: str
    logarithms: tuple[Op, ...] = ()
    scales: tuple[Shape | None, ...] = (None,)


class Cell(NamedTuple):
    """A value that holds a draw.

    Attributes:
        law: how it is distributed.
        site: the draw, if it is what is drawn.
        is_drawn: whether it always is one; if not, it may also be a number that nobody has drawn.
    """

    law: Law
    site: Site | None = None
    is_drawn: bool = True


class Compared(NamedTuple):
    """A comparison of a draw that is only compared, or a search among thresholds.

    Attributes:
        cell: the value that holds the draw.
        steps: the operations, each monotone, that make the number compared of it.
        place: which operand of the comparison that is.
    """

    cell: Value
    steps: tuple[Step, ...]
    place: int


class Moved(NamedTuple):
    """A draw that goes into another cell.

    Attributes:
        cell: the value that holds it so far.
        steps: the operations that make what is moved of it.
    """

    cell: Value
    steps: tuple[Step, ...]


class Passage(NamedTuple):
    """What control flow makes of some values: a variable of a loop, or a result of branches.

    Attributes:
        node: the loop, or the conditional.
        sources: the values that it may be.
        cells: what it is called in the regions and afterwards.
    """

    node: Node
    sources: tuple[Value, ...]
    cells: tuple[Value, ...]


class Obstacle(NamedTuple):
    """Why a group has no likelihood.

    Attributes:
        what: that is said of the draw.
        where: the line of it, and what that is.
        fix: what helps.
    """

    what: str
    where: tuple[str, Location | None] | None
    fix: str | None = None


class Group(NamedTuple):
    """Cells of which draws move to each other.

    Attributes:
        cells: by the values.
        compared: by the nodes that compare.
        moved: by the values that are moved.
        calls: for calls that draws are moved into, how these are distributed, by operand.
        sites: the nodes that draw.
        obstacle: None if all of this has a likelihood.
    """

    cells: dict[Value, Cell]
    compared: dict[Node, Compared]
    moved: dict[Value, Moved]
    calls: dict[Node, dict[int, Law]]
    sites: list[Node]
    obstacle: Obstacle | None


# Where something happens: a graph, and the index of the node there; past the last, it is the end.
_Place = tuple[Graph, int]


class Flows:
    """Finds the groups of a graph.

    Args:
        graph: any graph.
        nodes: those of it that matter.
        needed: the values that do.
        sites: the draws.
        random: all values that depend on draws.
        given: for inputs of the graph that hold a draw how that is distributed.
        obstacle_in: of a call, an operand, and the law of the draw there: why what is called has no
            likelihood; None if it only compares the draw.
    """

    def __init__(
        self,
        graph: Graph,
        nodes: Iterable[Node],
        needed: Collection[Value],
        sites: Mapping[Node, Site],
        random: Collection[Value],
        given: Mapping[Value, Law],
        obstacle_in: Callable[[Node, int, Law], Obstacle | None],
    ):
        self.graph = graph
        self.needed = needed
        self.sites = sites
        self.random = random
        self.given = given
        self.obstacle_in = obstacle_in
        self.extents = Extents()
        self.around: dict[Graph, Node] = {}  # the node in which a region is
        self.places: dict[Node, _Place] = {}
        self.entered: dict[Value, Graph] = {}  # the graphs that values are inputs of
        for holder, inner in _graphs(graph):
            if holder is not None:
                self.around[inner] = holder
            self.entered.update((value, inner) for value in inner.inputs)
            self.places.update((node, (inner, i)) for i, node in enumerate(inner.nodes))
        self.uses: dict[Value, list[Step]] = {}
        self.leaves: dict[Value, list[Node | None]] = {}  # and nothing is known of it from there on
        self.moves: dict[Value, list[tuple[Passage, _Place]]] = {}
        self.tested: dict[Value, _Place] = {}  # what a loop tests, and goes on with
        self.variables: dict[Value, Passage] = {}
        for node in nodes:
            self._wire(node)
        for value in graph.outputs:
            self.leaves.setdefault(value, []).append(None)

    def _wire(self, node: Node) -> None:
        """Write down where the values go that a node uses."""
        wires = wiring(node)
        for place, value in enumerate(_used_itself(node)):
            self.uses.setdefault(value, []).append((node, place))
        if is_loop(node):
            body = loop_of(node).body
            end = body, len(body.nodes)
            for c in wires.carried:
                variable = Passage(node, (c.start, c.left), (c.entered, *c.tested, c.result))
                self._move(variable, [self.places[node], end])
                if any(v in self.needed for v in (c.entered, c.result)):
                    ends = [(test, len(test.nodes)) for test in wires.tests]
                    self.tested.update(zip(c.tested, ends))
        elif node.op in (regions.cond, regions.checkpoint):
            for i, result in enumerate(node.outputs):
                sources = tuple(region.outputs[i] for region in node.regions)
                ends = [(region, len(region.nodes)) for region in node.regions]
                self._move(Passage(node, sources, (result,)), ends)
        else:
            for inside, result in wires.leaves:
                if result in self.needed:
                    self.leaves.setdefault(inside, []).append(node)

    def _move(self, variable: Passage, places: Iterable[_Place]) -> None:
        if any(v in self.needed for v in variable.cells):
            self.variables.update((v, variable) for v in variable.cells)
            for source, place in zip(variable.sources, places):
                self.moves.setdefault(source, []).append((variable, place))

    def home(self, cell: Value) -> Graph:
        """The graph in which a cell comes to be."""
        if cell.producer is not None:
            return self.places[cell.producer][0]
        return self.entered[cell]

    def may_be_broadcast(self, node: Node, place: int) -> bool:
        """Whether the operand at that place may be broadcast, as only the run knows."""
        return node.op not in SAME and self.extents.may_be_broadcast(node.inputs, place)

    def group(self, first: Value) -> Group:
        """The cells that the draw in a cell, ``first``, may get to, or meet with others in."""
        return _Search(self).run(first)


class _Again(Exception):
    """Some cells hold more than it seemed."""


class _Hindered(Exception):
    """There is an obstacle."""

    def __init__(self, obstacle: Obstacle):
        self.obstacle = obstacle


class _Search:
    """The search for a group.

    Args:
        flows: of the graph.
    """

    def __init__(self, flows: Flows):
        self.flows = flows
        self.joined: dict[Value, Law] = {}  # of cells that draws come to in several ways
        self._begin()

    def _begin(self) -> None:
        self.laws: dict[Value, Law] = {}
        self.compared: dict[Node, Compared] = {}
        self.moved: dict[Value, Moved] = {}
        self.calls: dict[Node, dict[int, Law]] = {}
        self.sites: dict[Value, Site] = {}
        self.met: dict[Value, Passage] = {}  # by their first cells
        # For each cell where it is compared, and where it is moved.
        self.looks: dict[Value, list[_Place]] = {}
        self.goes: dict[Value, list[_Place]] = {}
        self.pending: list[Value] = []

    def run(self, first: Value) -> Group:
        obstacle = None
        try:
            self._search(first)
            self._require_known()
            self._require_moved_once()
        except _Hindered as hindered:
            obstacle = hindered.obstacle
        mixed = self._mixed()
        cells = {v: Cell(law, self.sites.get(v), v not in mixed) for v, law in self.laws.items()}
        sites = [site.node for site in self.sites.values()]
        return Group(cells, self.compared, self.moved, self.calls, sites, obstacle)

    def _search(self, first: Value) -> None:
        while True:
            self._begin()
            try:
                self._explain(first)
                while self.pending:
                    self._follow(self.pending.pop())
                return
            except _Again:
                pass

    def _explain(self, value: Value) -> None:
        """Find the draws that a value may be."""
        while (step := _step_before(value, self.flows.random)) is not None:
            value = step
        if value in self.laws:
            return
        if value in self.flows.given:
            self._add(value, self.flows.given[value])
        elif value in self.flows.variables:
            self._meet(self.flows.variables[value])
        elif value.producer is not None and value.producer in self.flows.sites:
            site = self.flows.sites[value.producer]
            if site.value is value and site.is_standard:
                self.sites[value] = site
                is_standard = site.origin == 0.0 and site.unit == 1.0
                self._add(value, Law(site.distribution, (), (None if is_standard else (),)))

    def _add(self, cell: Value, law: Law) -> None:
        self.laws[cell] = law
        self.pending.append(cell)

    def _meet(self, variable: Passage) -> None:
        if variable.cells[0] not in self.met:
            self.met[variable.cells[0]] = variable
            for source in variable.sources:
                if source in self.flows.random:
                    self._explain(source)

    def _follow(self, cell: Value) -> None:
        """Find out what becomes of the draw in a cell."""
        flows = self.flows
        if cell in flows.tested:
            self.goes.setdefault(cell, []).append(flows.tested[cell])
        pending: list[tuple[Value, tuple[Step, ...]]] = [(cell, ())]
        while pending:
            value, steps = pending.pop()
            if value in flows.leaves:
                raise _Hindered(_used(flows.leaves[value][0]))
            for node, place in flows.uses.get(value, ()):
                following = self._use(cell, value, steps, node, place)
                if following is not None:
                    pending.append(following)
            for variable, place_of_move in flows.moves.get(value, ()):
                self.goes.setdefault(cell, []).append(place_of_move)
                self._move(value, cell, steps, variable.node)
                law = self._law(cell, value, steps)
                if law is None:
                    raise _Hindered(_used(variable.node))
                self._meet(variable)
                for target in variable.cells:
                    self._arrive(target, law, variable.node)

    def _move(self, value: Value, cell: Value, steps: tuple[Step, ...], node: Node) -> None:
        found = self.moved.setdefault(value, Moved(cell, steps))
        if found.cell is not cell or found.steps != steps:
            raise _Hindered(_used(node))  # it is made of two draws

    def _arrive(self, cell: Value, law: Law, node: Node) -> None:
        """Say that a draw that is distributed so comes to a cell."""
        joined = _join(self.joined.get(cell, law), law)
        if joined is None:
            raise _Hindered(_two_laws(node))
        self.joined[cell] = joined
        if cell not in self.laws:
            self._add(cell, joined)
        elif self.laws[cell] != joined:
            raise _Again

    def _use(
        self, cell: Value, value: Value, steps: tuple[Step, ...], node: Node, place: int
    ) -> tuple[Value, tuple[Step, ...]] | None:
        """What a node makes of a draw, if there is more to follow."""
        flows = self.flows
        if sum(v is value for v in node.inputs) > 1 or node in self.compared:
            raise _Hindered(_used(node))
        if node.op.aligned and flows.may_be_broadcast(node, place):
            raise _Hindered(_used(node))
        if node.op in COMPARISONS or (node.op is searchsorted and _is_sought(node, place)):
            self.compared[node] = Compared(cell, steps, place)
            self.looks.setdefault(cell, []).append(flows.places[node])
        elif is_monotone(node, place) or (
            _is_view(node, place, steps) and not any(self.laws[cell].scales)
        ):
            return node.outputs[0], (*steps, (node, place))
        elif node.op is regions.call:
            law = self._law(cell, value, steps)
            if law is None:
                raise _Hindered(_used(node))
            obstacle = flows.obstacle_in(node, place, law)
            if obstacle is not None:
                raise _Hindered(obstacle)
            self._move(value, cell, steps, node)
            self.goes.setdefault(cell, []).append(flows.places[node])
            self.calls.setdefault(node, {})[place] = law
        else:
            raise _Hindered(_used(node))
        return None

    def _law(self, cell: Value, value: Value, steps: Iterable[Step]) -> Law | None:
        """How what is made of the draw in a cell is distributed; None if that is not known."""
        if value.type.shape != cell.type.shape:
            return None
        law = self.laws[cell]
        logarithms, scales = list(law.logarithms), list(law.scales)
        for node, place in steps:
            if node.op in (ops.getitem, ops.broadcast_to):
                return None
            if node.op in (ops.log, ops.log1p):
                logarithms.append(node.op)
                scales.append(None)
            elif node.op not in SAME and node.op is not ops.cast:
                (other,) = [v.type.shape for i, v in enumerate(node.inputs) if i != place] or [()]
                if None in other:
                    return None
                scales[-1] = _join_shapes(scales[-1], other)
        if len(logarithms) > _MOST_LOGARITHMS:
            return None
        return Law(law.distribution, tuple(logarithms), tuple(scales))

    def _require_known(self) -> None:
        """See that what is in a cell is a draw, or does not depend on one."""
        for variable in self.met.values():
            for source in variable.sources:
                if source in self.flows.random and source not in self.moved:
                    raise _Hindered(_two_laws(variable.node))

    def _mixed(self) -> set[Value]:
        """The cells that may also hold what nobody has drawn."""
        found = {value for value in self.laws if value in self.flows.given}
        while True:
            before = len(found)
            for variable in self.met.values():
                moved = [self.moved.get(source) for source in variable.sources]
                if any(m is None or m.cell in found for m in moved):
                    found.update(variable.cells)
            if len(found) == before:
                return found

    # -- a draw is in one place --------------------------------------------------------------------

    def _require_moved_once(self) -> None:
        for cell, goes in self.goes.items():
            home = self.flows.home(cell)
            for i, place in enumerate(goes):
                path = self._path(place, home)
                if any(is_loop(self.flows.around[graph]) for graph, _ in path[1:]):
                    raise _Hindered(_kept(place))
                others = [*goes[:i], *goes[i + 1 :], *self.looks.get(cell, ())]
                for other in others:
                    if _may_follow(path, self._path(other, home)):
                        raise _Hindered(_kept(other))

    def _path(self, place: _Place, home: Graph) -> list[_Place]:
        """The places in which a place is, from one in ``home`` on."""
        path = [place]
        while path[0][0] is not home:
            path.insert(0, self.flows.places[self.flows.around[path[0][0]]])
        return path


def _used_itself(node: Node) -> Sequence[Value]:
    """The operands that are used by the node itself: of a loop not those that its state begins
    with."""
    if not is_loop(node):
        return node.inputs
    count = loop_of(node).count
    return [] if count is None else [count]


def _may_follow(path: Iterable[_Place], other: Iterable[_Place]) -> bool:
    """Whether something at one place may happen after, or with, something at another one, in the
    same trip of all loops."""
    for (graph, index), (other_graph, other_index) in zip(path, other):
        if graph is not other_graph:
            return False  # two branches
        if index != other_index:
            return other_index > index
    return True


def _join(first: Law, second: Law) -> Law | None:
    """How numbers are distributed that are distributed in one of two ways; None if that is not one
    law."""
    if first[:2] != second[:2]:
        return None
    return first._replace(scales=tuple(map(_join_shapes, first.scales, second.scales)))


def _join_shapes(first: Shape | None, second: Shape | None) -> Shape | None:
    """The shape that both are broadcast to."""
    if first is None or second is None:
        return second if first is None else first
    if len(first) != len(second):
        return max(first, second, key=len)
    return tuple(m if n == 1 else n for n, m in zip(first, second))


# -- obstacles -------------------------------------------------------------------------------------


def _used(node: Node | None) -> Obstacle:
    where = None if node is None else ("it is used", node.location)
    return Obstacle("that is not only compared", where)


def _two_laws(node: Node) -> Obstacle:
    return Obstacle(
        "that is one of several, differently distributed or not only compared",
        ("it is chosen", node.location),
        "draw all that a variable may be in the same way, use a draw of its own for each variable, "
        "or stop_gradient what is no parameter",
    )


def _kept(place: _Place) -> Obstacle:
    graph, index = place
    location = graph.nodes[index].location if index < len(graph.nodes) else graph.location
    return Obstacle(
        "that two variables may hold",
        ("it is used again", location),
        "give what is drawn one name, draw again for the other, or stop_gradient what is no "
        "parameter",
    )


# -- graphs and operators --------------------------------------------------------------------------


def _graphs(graph: Graph, holder: Node | None = None) -> Iterator[tuple[Node | None, Graph]]:
    """A graph and its regions, with the nodes that hold them."""
    yield holder, graph
    for node in graph.nodes:
        for region in all_run(node):
            yield from _graphs(region, node)


def _step_before(value: Value, random: Collection[Value]) -> Value | None:
    """What a value is made of by a monotone operation, if that is a draw or made of one."""
    node = value.producer
    if node is None:
        return None
    for place, operand in enumerate(node.inputs):
        if operand in random and (is_monotone(node, place) or _is_view(node, place, ())):
            return operand
    return None


def is_affine(node: Node, place: int) -> bool:
    if node.op in SAME:
        return place == 0
    if node.op in (ops.add, ops.subtract, ops.multiply):
        return node.inputs[0] is not node.inputs[1]
    if node.op is ops.divide:
        return place == 0 and node.inputs[0] is not node.inputs[1]
    return node.op is ops.negative


def is_monotone(node: Node, place: int) -> bool:
    if node.op in (ops.log, ops.log1p):
        return True
    if node.op in (ops.cast, ops.broadcast_to):
        return node.outputs[0].type.dtype.kind == "f" and place == 0
    return is_affine(node, place)


def _is_sought(node: Node, place: int) -> bool:
    """Whether an operand is sought among others, of one dimension."""
    return place == 1 and len(node.inputs[0].type.shape) == 1


def _is_view(node: Node, place: int, steps: Iterable[Step]) -> bool:
    """Whether a node takes some elements of a draw, each once."""
    if node.op is not ops.getitem or place or any(step.op not in SAME for step, _ in steps):
        return False
    return all(entry[0] != "arg" or _is_number(node, entry) for entry in node.attrs["index"])


def _is_number(node: Node, entry: tuple) -> bool:
    return not node.inputs[1 + entry[1]].type.shape and len(entry) == 2
