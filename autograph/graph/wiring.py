"""What a node with regions means, as far as values are concerned: said here, once for all.

`wiring` tells how values enter the regions of a node, are carried from trip to trip, and leave, as
*edges*: pairs of values of which the second may be the first. It is what analyses follow, so they
need not know the operators: whether something flows, is active, varies, shares memory. What is
about one operator, like its rule in a transform, asks for its parts by name: `loop_of`,
`branches_of`, `custom_vjp_of`, `custom_jvp_of`, `linear_call_of`, `lanes_of`. Only here it is known
in which order a node holds its regions.

A new operator has its entry in `RULES`.

==============  =================================  ======================  ====================
operator        enters                             is carried              leaves
==============  =================================  ======================  ====================
``cond``                                                                   both regions' outputs
loops           the state, into test and body      the body's outputs      the state
``checkpoint``                                                             the body's outputs
``custom_...``  arguments, into function and rule                          the outputs of both
``linear_call`` arguments, into function                                   its outputs
``lanes``       a lane of each argument                                    one lane of each result
==============  =================================  ======================  ====================

``call`` has no regions: what is called is a graph of the module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from autograph.graph.graph import Graph, Node, Value
from ops.control import regions
from ops.core.records import NamedTuple
from ops.core.registry import Op

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
    count: Value | None  # type: ignore[assignment]  # these two hide methods of tuples
    index: Value | None  # type: ignore[assignment]
    start: tuple[Value, ...]
    state: tuple[Value, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        """The operands before the state: the count, if there is one."""
        return () if self.count is None else (self.count,)

    @property
    def tests(self) -> tuple[Graph, ...]:
        """The regions besides the body: the test, if there is one."""
        return () if self.test is None else (self.test,)

    @property
    def indices(self) -> tuple[Value, ...]:
        """The inputs of the body before the state: the index, if there is one."""
        return () if self.index is None else (self.index,)


class Branches(NamedTuple):
    """The parts of a conditional."""

    predicate: Value
    then: Graph
    orelse: Graph


class CustomVJP(NamedTuple):
    """The parts of a function with a derivative of its own in reverse mode.

    Attributes:
        primal: the function.
        forward: the forward pass.
        backward: the backward pass.
        results: outputs of the forward pass: what the function returns.
        residuals: its others: what it leaves for the backward pass.
        taken: inputs of the backward pass: the residuals.
        seeds: its others: the cotangents of the results.
        by_tangents: its derivative in forward mode, if it has one as well.
    """

    primal: Graph
    forward: Graph
    backward: Graph
    results: tuple[Value, ...]
    residuals: tuple[Value, ...]
    taken: tuple[Value, ...]
    seeds: tuple[Value, ...]
    by_tangents: CustomJVP | None


class CustomJVP(NamedTuple):
    """The parts of a function with a derivative of its own in forward mode.

    Attributes:
        primal: the function.
        rule: the region that computes it together with its derivative.
        arguments: inputs of the rule: those of the function.
        tangents: its others: the tangents of these.
        results: outputs of the rule: what the function returns.
        moves: its others: the tangents of these.
    """

    primal: Graph
    rule: Graph
    arguments: tuple[Value, ...]
    tangents: tuple[Value, ...]
    results: tuple[Value, ...]
    moves: tuple[Value, ...]


class LinearCall(NamedTuple):
    """The parts of a linear function that comes with its transpose."""

    function: Graph
    transpose: Graph


class Lanes(NamedTuple):
    """The parts of a function of lanes: that of one lane, and what says the same for all lanes at
    once, if it is there yet."""

    lane: Graph
    batched: Graph | None


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
        operands: those of the node that go into these regions. If they go in as they are, what the
            inputs of each have to be.
    """

    enters: tuple[Edge, ...] = ()
    carried: tuple[Carried, ...] = ()
    leaves: tuple[Edge, ...] = ()
    decides: tuple[Value, ...] = ()
    whole: bool = True
    runs: tuple[Graph, ...] = ()
    tests: tuple[Graph, ...] = ()
    operands: tuple[Value, ...] = ()

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


def branches_of(node: Node) -> Branches:
    """The parts of a node that is a conditional."""
    (predicate,), (then, orelse) = node.inputs, node.regions
    return Branches(predicate, then, orelse)


def custom_jvp_of(node: Node) -> CustomJVP:
    """The parts of a node of a function with a derivative of its own in forward mode."""
    primal, rule = node.regions
    return _rule_parts(node, primal, rule)


def _rule_parts(node: Node, primal: Graph, rule: Graph) -> CustomJVP:
    given, count = len(node.inputs), len(node.outputs)
    taken, found = rule.inputs, rule.outputs
    return CustomJVP(primal, rule, taken[:given], taken[given:], found[:count], found[count:])


def custom_vjp_of(node: Node) -> CustomVJP:
    """The parts of a node of a function with a derivative of its own in reverse mode."""
    primal, forward, backward, *rest = node.regions
    count = len(node.outputs)
    results, residuals = forward.outputs[:count], forward.outputs[count:]
    taken, seeds = backward.inputs[: len(residuals)], backward.inputs[len(residuals) :]
    by_tangents = _rule_parts(node, primal, rest[0]) if rest else None
    return CustomVJP(primal, forward, backward, results, residuals, taken, seeds, by_tangents)


def linear_call_of(node: Node) -> LinearCall:
    """The parts of a node of a linear function that comes with its transpose."""
    return LinearCall(*node.regions)


def lanes_of(node: Node) -> Lanes:
    """The parts of a node of a function of lanes."""
    lane, *batched = node.regions
    return Lanes(lane, batched[0] if batched else None)


def all_run(node: Node) -> tuple[Graph, ...]:
    """The regions that the program runs, or may run, in the order in which the node holds them."""
    wires = wiring(node)
    return (*wires.tests, *wires.runs)


def wiring(node: Node) -> Wiring:
    """How values get into the regions of a node, and out; nothing for one that has none."""
    if not node.regions:
        return _NOTHING
    if node.op not in RULES:
        raise TypeError(f"'{node.op.name}' has no entry in autograph.graph.wiring.RULES")
    return RULES[node.op](node)


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


def through(
    node: Node,
    operands: tuple[Value, ...],
    ways: tuple[Graph, ...],
    runs: tuple[Graph, ...] = (),
    decides: tuple[Value, ...] = (),
) -> Wiring:
    """The wiring of a node that passes operands to a region, whose outputs are its results.

    Args:
        ways: the regions of which that may be any.
        runs: those of them that the program may run, by default all.
        decides: see `Wiring`.
    """
    return Wiring(
        enters=tuple(edge for region in ways for edge in zip(operands, region.inputs)),
        leaves=tuple(edge for region in ways for edge in zip(region.outputs, node.outputs)),
        decides=decides,
        runs=runs or ways,
        operands=operands,
    )


def _cond(node: Node) -> Wiring:
    return through(node, (), node.regions, decides=node.inputs)


def _loop(node: Node) -> Wiring:
    loop = loop_of(node)
    tested: Sequence[tuple[Value, ...]] = [()] * len(loop.state)
    decides: tuple[Value, ...] = loop.operands
    tests: tuple[Graph, ...] = ()
    if loop.test is not None:
        tested = [(value,) for value in loop.test.inputs]
        decides, tests = loop.test.outputs, (loop.test,)
    state = zip(loop.start, loop.state, loop.body.outputs, node.outputs, tested)
    carried = tuple(Carried(*values) for values in state)
    return Wiring(
        carried=carried, decides=decides, runs=(loop.body,), tests=tests, operands=loop.start
    )


def _checkpoint(node: Node) -> Wiring:
    return through(node, (), node.regions)


def _custom(node: Node) -> Wiring:
    """Either the function or its rule may come to stand in the node's place."""
    function, *rules = node.regions
    if node.op is regions.custom_vjp:  # the backward pass takes other things
        del rules[1]
    return through(node, node.inputs, (function, *rules), runs=(function,))


def _linear_call(node: Node) -> Wiring:
    return through(node, node.inputs, (linear_call_of(node).function,))


def _lanes(node: Node) -> Wiring:
    lane, _ = lanes_of(node)
    enters, leaves = zip(node.inputs, lane.inputs), zip(lane.outputs, node.outputs)
    return Wiring(tuple(enters), (), tuple(leaves), whole=False, runs=(lane,), operands=node.inputs)


_NOTHING = Wiring()

RULES: dict[Op, Callable[[Node], Wiring]] = {
    regions.cond: _cond,
    regions.while_loop: _loop,
    regions.for_loop: _loop,
    regions.checkpoint: _checkpoint,
    regions.custom_vjp: _custom,
    regions.custom_jvp: _custom,
    regions.linear_call: _linear_call,
    regions.lanes: _lanes,
}
