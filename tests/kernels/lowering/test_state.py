"""The parts of the state of lowering, and what is found out by looking at graphs, by themselves."""

import numpy as np
import pytest

import ops
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.lowering.analysis.groups import grouped, root_of
from autograph.kernels.lowering.analysis.plan import FusionPlan
from autograph.kernels.lowering.loops import ElementLoops
from autograph.kernels.lowering.state import KernelState, State
from autograph.kernels.lowering.state.bindings import Bindings
from autograph.kernels.lowering.state.places import Places
from autograph.kernels.lowering.state.progress import Progress
from autograph.kernels.lowering.values import CannotLower, Deferred, Memory
from ops.core.types import ArrayType

DOUBLE = np.dtype("float64")


def graph_of(function, *shapes):
    """The graph of a function of arrays of these shapes."""
    with Builder("f") as builder:
        inputs = [
            builder.input(ArrayType(DOUBLE, shape), f"x{i}") for i, shape in enumerate(shapes)
        ]
        found = function(*inputs)
        return builder.finish(list(found) if isinstance(found, tuple) else [found])


def value_of(graph, op):
    """The result of the only node of an operator."""
    (node,) = (node for node in graph.nodes if node.op is op)
    return node.outputs[0]


@pytest.fixture
def b():
    builder = KernelBuilder("f")
    yield builder
    builder.close()


def state_of(b, graph):
    return State(KernelState(b, graph, callee=None, lower_region=None), graph)


# -- bindings --------------------------------------------------------------------------------------


def test_a_block_reads_what_is_bound_around_it_and_binds_for_itself(b):
    graph = graph_of(lambda x: ops.exp(x), (3,))
    x, y = graph.inputs[0], graph.outputs[0]
    outer = Bindings()
    outer[x] = b.parameter(DOUBLE)
    inner = Bindings(outer)
    inner[y] = b.parameter(DOUBLE)
    assert inner[x] is outer[x]
    assert outer.get(y) is None
    with pytest.raises(KeyError):
        outer[y]


def test_an_array_that_has_ended_is_not_bound_and_counts_no_more_in_blocks_inside(b):
    graph = graph_of(lambda x: (ops.exp(x), ops.sin(x)), (3,))
    exp, sin = graph.outputs
    buffer = b.temporary(DOUBLE, 3)
    env = Bindings()
    env[exp] = env[sin] = Memory(buffer, b.long(0))
    (other,) = env.others_in(buffer, exp)
    assert other is sin
    env.end(sin)
    assert env.get(sin) is None
    assert not list(Bindings(env).others_in(buffer, exp))


def test_a_block_ends_arrays_of_blocks_around_only_after_taking_them_over(b):
    graph = graph_of(lambda x: ops.exp(x), (3,))
    (y,) = graph.outputs
    outer = Bindings()
    outer[y] = Memory(b.temporary(DOUBLE, 3), b.long(0))
    inner = Bindings(outer)
    with pytest.raises(KeyError):
        inner.end(y)
    inner.take_over(y)
    inner.end(y)
    assert y not in inner.own and y in inner.ended
    assert outer.get(y) is not None and y not in outer.ended


def test_views_of_what_a_kernel_was_given_are_given_and_so_are_constants():
    graph = graph_of(lambda x: (ops.reshape(x, shape=(2, 2)), ops.exp(x)), (4,))
    view, computed = graph.outputs
    env = Bindings()
    env.given[graph.inputs[0]] = True
    assert env.is_given(view).value
    assert not env.is_given(computed).value
    assert Bindings(env).is_given(view).value
    assert env.is_given(Constant(np.zeros(2))).value


# -- places ----------------------------------------------------------------------------------------


def test_an_array_has_one_place_whoever_asks(b):
    graph = graph_of(lambda x: (ops.exp(x), ops.sin(x)), (3,))
    exp, sin = graph.outputs
    places = Places(b, serial=False)
    assert places.wanted(exp) is None
    assert places.give(exp) is places.give(exp) is places.wanted(exp)
    here = Memory(b.output(DOUBLE, 3), b.long(0))
    places.want(sin, here)
    assert places.give(sin) is here and places.is_whole(sin)


def test_a_row_is_no_place_for_a_whole_array_and_its_elements_are_found_by_column(b):
    (y,) = graph_of(lambda x: ops.exp(x), (5, 3)).outputs
    places = Places(b, serial=False)
    places.give_row(y, length=3, rows=1)
    assert not places.is_whole(y)
    with b.block() as block:
        places.store(y, (b.long(4), b.long(2)), ir.Number(1.0, DOUBLE))
    (store,) = block
    assert store.index.value == 2 and store.buffer.kind == "local"


@pytest.mark.parametrize("serial, kind", [(False, "temporary"), (True, "local")])
def test_in_a_lane_memory_is_that_of_the_lane(b, serial, kind):
    assert Places(b, serial).allocate(DOUBLE, 3).buffer.kind == kind


# -- progress --------------------------------------------------------------------------------------


def test_pending_arrays_are_taken_in_the_order_of_their_nodes():
    graph = graph_of(lambda x: (ops.exp(x), ops.sin(x)), (3,))
    exp, sin = graph.outputs
    progress = Progress(graph)
    progress.pending = {sin: None, exp: None}
    first, second = progress.take_pending()
    assert first is exp and second is sin
    assert not progress.take_pending()


def test_the_node_that_is_being_lowered_still_uses_its_operands_but_not_later():
    graph = graph_of(lambda x: ops.sin(ops.exp(x)), (3,))
    exp = value_of(graph, ops.exp)
    progress = Progress(graph)
    progress.position = 1
    assert progress.is_still_used(exp)
    assert not progress.is_used_later(exp)
    assert progress.is_used_later(graph.outputs[0])  # it is a result


# -- elements --------------------------------------------------------------------------------------


def test_an_element_of_arrays_that_wait_is_computed_once_in_a_block(b):
    graph = graph_of(lambda x: ops.multiply(ops.exp(x), ops.exp(x)), (3,))
    state = state_of(b, graph)
    state.env[graph.inputs[0]] = Memory(b.input(DOUBLE, 3), b.long(0))
    for node in graph.nodes:
        state.env[node.outputs[0]] = Deferred(node)
    i = b.parameter(ir.LONG)
    with b.block() as block:
        first = state.elements.at(graph.outputs[0], (i,))
        count = len(list(ir.walk(block)))
        assert state.elements.at(graph.outputs[0], (i,)) is first
    assert len(list(ir.walk(block))) == count > 0


def test_what_is_known_of_a_row_is_not_computed_again(b):
    graph = graph_of(lambda x: ops.sum(x), (3,))
    state = state_of(b, graph)
    (total,) = graph.outputs
    state.env[total] = Deferred(total.producer)
    state.elements.in_row = {total: ir.Number(7.0, DOUBLE)}
    assert state.elements.at(total, ()).value == 7.0
    state.elements.in_row = {}
    with pytest.raises(CannotLower, match="no native form of the operator 'sum'"):
        state.elements.at(total, ())


# -- blocks ----------------------------------------------------------------------------------------


def test_inner_blocks_share_the_kernel_and_know_in_which_calls_and_lanes_they_are(b):
    graph = graph_of(lambda x: ops.exp(x), (3,))
    state = state_of(b, graph)
    lane = state.inner(graph, serial=True)
    called = lane.inner(graph, callee="g").inner(graph)
    assert called.shared is state.shared
    assert called.serial and called.places.serial and called.loops.serial and not state.serial
    assert called.calling == ("g",) and state.calling == ()
    assert called.elements.call is not lane.elements.call is state.elements.call


# -- loops -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("swapped, loops", [(False, 1), (True, 2)])
def test_axes_whose_elements_lie_in_a_row_are_one_loop(b, swapped, loops):
    source, target = b.input(DOUBLE, 10000), b.output(DOUBLE, 10000)

    def visit(index):
        i, j = reversed(index) if swapped else index
        b.store(target, index[0] * 100 + index[1], b.load(source, i * 100 + j))

    with b.block() as block:
        ElementLoops(b, serial=False).over((100, 100), visit)
    assert sum(isinstance(s, ir.Each) for s in ir.walk(block)) == loops


def test_nothing_is_copied_to_where_it_is(b):
    here = Memory(b.output(DOUBLE, 3), b.long(0))
    with b.block() as block:
        ElementLoops(b, serial=False).copy(here, here, 3)
    assert not list(block)


# -- what is fused ---------------------------------------------------------------------------------


def test_what_is_expensive_is_in_memory_if_it_is_used_twice_and_else_is_not():
    once = graph_of(lambda x: ops.sin(ops.exp(x)), (9,))
    assert FusionPlan(once).in_memory == set(once.outputs)
    twice = graph_of(lambda x: ops.add(ops.sin(y := ops.exp(x)), ops.cos(y)), (9,))
    assert FusionPlan(twice).in_memory == {*twice.outputs, value_of(twice, ops.exp)}


def groups_of(graph):
    env = {node.outputs[0]: Deferred(node) for node in graph.nodes}
    plan = FusionPlan(graph)
    waiting = {v for v in env if v in plan.in_memory or v.producer.op.fold is not None}
    ordered = [v for v in env if v in waiting]
    return grouped([root_of(v, env.get, waiting.__contains__) for v in ordered])


def test_a_softmax_is_one_group_of_rows_with_three_passes():
    def softmax(x):
        e = ops.exp(ops.subtract(x, ops.max(x, axis=(1,), keepdims=True)))
        return ops.divide(e, ops.sum(e, axis=(1,), keepdims=True))

    (group,) = groups_of(graph_of(softmax, (64, 50)))
    assert (group.kind, group.rows) == ("row", 1)
    assert len(group.levels()) == 3


def test_reductions_along_leading_axes_are_columns_and_along_others_are_alone():
    (columns,) = groups_of(graph_of(lambda x: ops.sum(x, axis=(0,)), (4, 5, 6)))
    assert columns.kind == "column"
    (other,) = groups_of(graph_of(lambda x: ops.sum(x, axis=(1,)), (4, 5, 6)))
    assert other.kind == "other"
