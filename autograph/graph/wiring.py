"""What a node with regions means, as far as values are concerned: said here, once for all.

`wiring` tells how values enter the regions of a node, are carried from trip to trip, and leave, as
*edges*: pairs of values of which the second may be the first. It is what analyses follow, so they
need not know the operators: whether something flows, is active, varies, shares memory. `loop_of`
names the parts of a loop, for what is about loops.

==============  =================================  ======================  ====================
operator        enters                             is carried              leaves
==============  =================================  ======================  ====================
``cond``                                                                   both regions' outputs
loops           the state, into test and body      the body's outputs      the state
``checkpoint``                                                             the body's outputs
``custom_...``  arguments, into function and rule                          the outputs of both
``lanes``       a lane of each argument                                    one lane of each result
==============  =================================  ======================  ====================

``call`` has no regions: what is called is a graph of the module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from autograph.graph.graph import Graph, Node, Value
from ops import regions
from ops.registry import Op

Edge = tuple[Value, Value]


class Carried(NamedTuple):
    """One variable of the state of a loop.

    Attributes:
        start: before the loop: an operand of the node.
        entered: when a trip begins: an input of the body.
        left: when it ends: an output of the body.
        result: after the loop.
        tested: what the test, if there is one, sees of it: an input of that region.
    """

    start: Value
    entered: Value
    left: Value
    result: Value
    tested: tuple[Value, ...]


class Loop(NamedTuple):
    """The parts of a loop.

    Attributes:
        body: the region of one trip.
        test: that which says whether there is another trip; None if they are counted.
        count: how many trips there are, an operand; None if the test says.
        index: the input of the body that numbers the trips; None if they are not counted.
        start: the state before the loop, operands of the node.
        state: the state as a trip finds it, inputs of the body.
    """

    body: Graph
    test: Graph | None
    count: Value | None
    index: Value | None
    start: tuple[Value, ...]
    state: tuple[Value, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        """The operands before the state: the count, if there is one."""
        return () if self.count is None else (self.count,)

    @property
    def indices(self) -> tuple[Value, ...]:
        """The inputs of the body before the state: the index, if there is one."""
        return () if self.index is None else (self.index,)


class Wiring(NamedTuple):
    """How values get into the regions of a node, and out.

    Attributes:
        enters: edges from operands to inputs of regions.
        carried: the state of a loop.
        leaves: edges from outputs of regions to results.
        decides: what says which way the node goes: a predicate, a count, the result of a test.
        whole: whether values go in and out as they are; if not, as one lane of them.
        runs: the regions of which the program runs one or all to get what leaves.
        tests: the regions that the program runs to decide only.
    """

    enters: tuple[Edge, ...] = ()
    carried: tuple[Carried, ...] = ()
    leaves: tuple[Edge, ...] = ()
    decides: tuple[Value, ...] = ()
    whole: bool = True
    runs: tuple[Graph, ...] = ()
    tests: tuple[Graph, ...] = ()

    def edges(self) -> Iterator[Edge]:
        """All of them, those of a loop's state included: that of each variable's values comes
        first from before the loop, then from the trip before."""
        yield from self.enters
        yield from self.leaves
        for variable in self.carried:
            for value in (variable.result, variable.entered, *variable.tested):
                yield variable.start, value
                yield variable.left, value

    def sources(self) -> dict[Value, tuple[Value, ...]]:
        """For each input of a region and each result the values that it may be."""
        found: dict[Value, tuple[Value, ...]] = {}
        for source, target in self.edges():
            found[target] = (*found.get(target, ()), source)
        return found


def is_loop(node: Node) -> bool:
    return node.op in (regions.while_loop, regions.for_loop)


def loop_of(node: Node) -> Loop:
    """The parts of a node that is a loop."""
    if node.op is regions.for_loop:
        (body,) = node.regions
        count, *_ = node.inputs
        return Loop(body, None, count, body.inputs[0], node.inputs[1:], body.inputs[1:])
    test, body = node.regions
    return Loop(body, test, None, None, node.inputs, body.inputs)


def all_run(node: Node) -> tuple[Graph, ...]:
    """The regions that the program runs, or may run, in the order in which the node holds them."""
    wires = wiring(node)
    return (*wires.tests, *wires.runs)


def wiring(node: Node) -> Wiring:
    """How values get into the regions of a node, and out; nothing for one that has none."""
    rule = _RULES.get(node.op)
    return _NOTHING if rule is None else rule(node)


def sources_of(node: Node) -> dict[Value, tuple[Value, ...]]:
    """For each input of a region and each result of a node the values that it may be."""
    return wiring(node).sources()


def spread(
    node: Node,
    marked: set[Value],
    within: Callable[[Graph], None],
    may: Callable[[Value], bool] = lambda value: True,
) -> None:
    """Mark what marked values become on their way through the regions of a node.

    Args:
        marked: values; what is found is added.
        within: does the same for the nodes of a region.
        may: whether a value can be marked at all.
    """
    wires = wiring(node)

    def follow(edges: Iterable[Edge]) -> None:
        marked.update(t for s, t in edges if s in marked and may(t))

    follow(wires.enters)
    follow((variable.start, variable.entered) for variable in wires.carried)
    while True:
        for region in wires.runs:
            within(region)
        before = len(marked)
        follow((variable.left, variable.entered) for variable in wires.carried)
        if len(marked) == before:
            break
    follow(wires.leaves)
    follow((variable.entered, variable.result) for variable in wires.carried)


def _cond(node: Node) -> Wiring:
    leaves = [edge for region in node.regions for edge in zip(region.outputs, node.outputs)]
    return Wiring(leaves=tuple(leaves), decides=node.inputs, runs=node.regions)


def _loop(node: Node) -> Wiring:
    loop = loop_of(node)
    tested: Sequence[tuple[Value, ...]] = [()] * len(loop.state)
    decides, tests = loop.operands, ()
    if loop.test is not None:
        tested = [(value,) for value in loop.test.inputs]
        decides, tests = loop.test.outputs, (loop.test,)
    state = zip(loop.start, loop.state, loop.body.outputs, node.outputs, tested)
    carried = tuple(Carried(*values) for values in state)
    return Wiring(carried=carried, decides=decides, runs=(loop.body,), tests=tests)


def _checkpoint(node: Node) -> Wiring:
    (body,) = node.regions
    return Wiring(leaves=tuple(zip(body.outputs, node.outputs)), runs=node.regions)


def _custom(node: Node) -> Wiring:
    """Either the function or its rule may come to stand in the node's place."""
    function, rule, *_ = node.regions
    both = (function, rule)
    return Wiring(
        enters=tuple(edge for region in both for edge in zip(node.inputs, region.inputs)),
        leaves=tuple(edge for region in both for edge in zip(region.outputs, node.outputs)),
        runs=(function,),
    )


def _lanes(node: Node) -> Wiring:
    """The first region is that of one lane; another one says the same for all lanes at once."""
    lane, *_ = node.regions
    enters, leaves = zip(node.inputs, lane.inputs), zip(lane.outputs, node.outputs)
    return Wiring(tuple(enters), (), tuple(leaves), whole=False, runs=(lane,))


_NOTHING = Wiring()
_RULES: dict[Op, Callable[[Node], Wiring]] = {
    regions.cond: _cond,
    regions.while_loop: _loop,
    regions.for_loop: _loop,
    regions.checkpoint: _checkpoint,
    regions.custom_vjp: _custom,
    regions.custom_jvp: _custom,
    regions.lanes: _lanes,
}
