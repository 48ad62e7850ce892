"""How values enter the regions of nodes, are carried, and leave."""

import re
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from autograph.graph.builder import current_builder
from autograph.graph.graph import walk
from autograph.graph.wiring import all_run, is_loop, loop_of, sources_of, spread, wiring
from ops.control import regions
from ops.control.regions import Structured
from ops.core.registry import REGISTRY
from ops.core.types import array
from tests.graph.test_custom_nodes import by_jvp, by_vjp, linear_call
from tests.support.build_graphs import FLOAT, INT, graph_of

X = np.array([1.0, 2.0])


def chosen(x):
    if np.sum(x) > 0:
        y = x * 2
    else:
        y = x
    return y


def counted(x, n):
    y = x
    for _ in range(n):
        x, y = y * 2, x
    return x


def run_while(x):
    n = 0
    while np.sum(x) < 100:
        x = x * 2
        n += 1
    return x, n


def in_lanes(x):
    lane = graph_of(lambda x: x * 2, "lane", x=FLOAT)
    attrs = {"sizes": (3,), "axes": ((0,),)}
    return current_builder().add(regions.lanes, [x], attrs, [array("f8", (3,))], [lane])


GRAPHS = {
    "cond": ag.to_graph(chosen).graph(X).main,
    "for_loop": ag.to_graph(counted).graph(X, 4).main,
    "while_loop": ag.to_graph(run_while).graph(X).main,
    "checkpoint": ag.to_graph(lambda x: ag.checkpoint(run_while)(x)).graph(X).main,
    "custom_vjp": graph_of(by_vjp, "g", x=FLOAT, n=INT),
    "custom_jvp": graph_of(by_jvp, "g", x=FLOAT, n=INT),
    "linear_call": graph_of(linear_call, "g", x=FLOAT, n=INT),
    "lanes": graph_of(in_lanes, "g", x=array("f8", (3,))),
    "gradient": ag.grad(lambda x: np.sum(run_while(x)[0])).graph(X).main,
}


def node_of(op):
    return next(node for node in walk(GRAPHS[op.name]) if node.op is op)


def test_every_operator_with_regions_is_here():
    structured = {op.name for op in REGISTRY.values() if isinstance(op, Structured)}
    assert structured - GRAPHS.keys() == {"call"}


@pytest.mark.parametrize("name", GRAPHS)
def test_what_a_value_may_be_has_its_type(name):
    with_regions = [node for node in walk(GRAPHS[name]) if node.regions]
    assert with_regions
    for node in with_regions:
        wires = wiring(node)
        assert {*all_run(node)} <= {*node.regions}
        assert {*node.outputs} <= sources_of(node).keys()
        for source, target in wires.edges():
            assert not wires.whole or source.type == target.type


def test_a_conditional_gives_what_either_branch_gives():
    node = node_of(regions.cond)
    then, orelse = node.regions
    assert sources_of(node) == {node.outputs[0]: (then.outputs[0], orelse.outputs[0])}
    assert wiring(node).decides == node.inputs


def test_the_parts_of_a_loop_of_counted_trips():
    node = node_of(regions.for_loop)
    loop = loop_of(node)
    assert is_loop(node)
    assert (loop.count, loop.test) == (node.inputs[0], None)
    assert (*loop.operands, *loop.start) == node.inputs
    assert (*loop.indices, *loop.state) == loop.body.inputs
    assert wiring(node).decides == (loop.count,)


def test_the_parts_of_a_loop_with_a_test():
    node = node_of(regions.while_loop)
    loop = loop_of(node)
    assert (loop.count, loop.index, loop.start) == (None, None, node.inputs)
    assert wiring(node).decides == loop.test.outputs
    for variable in wiring(node).carried:
        for value in (variable.entered, variable.result, *variable.tested):
            assert sources_of(node)[value] == (variable.start, variable.left)


def test_marks_go_round_loops_until_nothing_changes():
    """Of two variables that change places, both become what one of them was."""
    node = node_of(regions.for_loop)
    marked = {wiring(node).carried[0].start}

    def within(region):
        for inner in region.nodes:
            if any(v in marked for v in inner.inputs):
                marked.update(inner.outputs)

    spread(node, marked, within)
    assert {*node.outputs} <= marked


ROOT = Path(ag.__file__).parent
BY_POSITION = re.compile(
    r"\.regions\[-?\d"  # one of the regions
    r"|\w,? = \w+\.regions$|^ *\(\w+,\) = \w+\.regions$"  # each of them
    r"|len\([\w.]*inputs\) - len\("  # where a state begins
)


@pytest.mark.parametrize(
    "line",
    [
        "body = node.regions[-1]",
        "then, orelse = node.regions",
        "    (body,) = node.regions",
        "first = len(node.inputs) - len(node.outputs)",
    ],
)
def test_how_regions_are_found_by_position(line):
    assert BY_POSITION.search(line)


def test_regions_are_known_by_position_to_their_wiring_alone():
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in ROOT.rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if BY_POSITION.search(line) and path != ROOT / "graph" / "wiring.py"
    ]
    assert not found
