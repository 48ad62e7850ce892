"""What the types of a graph for one part of a mesh say is held against the graph."""

import numpy as np
import pytest

import ops
from autograph.errors import VerificationError
from autograph.graph.builder import Builder
from autograph.transforms import meshes
from autograph.transforms.analysis.invariance import verify_invariance
from ops.control import regions
from ops.control.collectives import lanes_summed, vary
from ops.control.meshes import MeshAxis
from ops.core.types import ArrayType

AXIS = MeshAxis("data")
NUMBER = ArrayType(np.dtype(float), ())
OWN = NUMBER.along(frozenset({"data"}))
FLAG = ArrayType(np.dtype(bool), ())


def checked(make, inputs, every_value=True, graphs=None):
    """Verify a graph that a function adds nodes to and gives the outputs of."""
    with Builder("part") as builder:
        values = [builder.input(type) for type in inputs]
        graph = builder.finish(make(builder, *values))
    verify_invariance(graph, graphs or {}, every_value)


def refused(match, make, *inputs, **options):
    with pytest.raises(VerificationError, match=match):
        checked(make, inputs, **options)


def region(*outputs):
    with Builder("region") as builder:
        return builder.finish(outputs)


def test_what_is_right_passes():
    def part(builder, x, y):
        (z,) = builder.add(vary, [y], {"axes": (AXIS,)}, [OWN])
        (z,) = builder.add(ops.multiply, [x, z], {}, [OWN])
        return builder.add(lanes_summed, [z], {"axis_name": AXIS}, [NUMBER])

    checked(part, [OWN, NUMBER])


def test_a_result_of_what_differs():
    refused(
        "along 'data'", lambda b, x: b.add(ops.negative, [x], {}, [NUMBER]), OWN, every_value=False
    )


def test_a_branch_that_each_part_takes_by_itself():
    def part(builder, x, y):
        zero = builder.lift(0.0)
        (flag,) = builder.add(ops.greater, [x, zero], {}, [FLAG.along(frozenset({"data"}))])
        return builder.add(regions.cond, [flag], {}, [NUMBER], [region(y), region(y)])

    refused("along 'data'", part, OWN, NUMBER, every_value=False)


def test_a_state_that_differs_after_a_trip_only():
    def part(builder, n, x, y):
        with Builder("body") as body:
            body.input(ArrayType(np.dtype(int), (), True))
            a, b = body.input(NUMBER), body.input(NUMBER)
            graph = body.finish([b, x])
        return builder.add(regions.for_loop, [n, y, y], {}, [NUMBER, NUMBER], [graph])[:1]

    count = ArrayType(np.dtype(int), (), True)
    refused("along 'data'", part, count, OWN, NUMBER, every_value=False)


def test_a_sum_where_some_parts_may_not_come():
    def part(builder, flag, x):
        with Builder("then") as then:
            (total,) = then.add(lanes_summed, [x], {"axis_name": AXIS}, [NUMBER])
            graph = then.finish([total])
        return builder.add(regions.cond, [flag], {}, [OWN], [graph, region(x)])

    refused("would meet along 'data'", part, FLAG.along(frozenset({"data"})), OWN)


def test_a_sum_in_a_function_that_some_parts_may_not_call():
    with Builder("callee") as callee:
        x = callee.input(OWN)
        (total,) = callee.add(lanes_summed, [x], {"axis_name": AXIS}, [NUMBER])
        graphs = {"callee": callee.finish([total])}

    def part(builder, flag, x):
        with Builder("then") as then:
            (total,) = then.add(regions.call, [x], {"callee": "callee"}, [NUMBER])
            graph = then.finish([total])
        return builder.add(regions.cond, [flag], {}, [OWN], [graph, region(x)])

    flag = FLAG.along(frozenset({"data"}))
    refused("would meet along 'data'", part, flag, OWN, graphs=graphs)


def test_an_argument_that_differs():
    with Builder("callee") as callee:
        x = callee.input(NUMBER)
        graphs = {"callee": callee.finish([x])}

    def part(builder, x):
        return builder.add(regions.call, [x], {"callee": "callee"}, [NUMBER])

    refused("along 'data'", part, OWN, graphs=graphs, every_value=False)


def test_what_is_varied_twice():
    refused("a sum too many", lambda b, x: b.add(vary, [x], {"axes": (AXIS,)}, [OWN]), OWN)


def test_an_operand_that_is_not_varied():
    refused(
        "is not varied along", lambda b, x, y: b.add(ops.multiply, [x, y], {}, [OWN]), OWN, NUMBER
    )


def test_a_program_for_processes_is_verified(monkeypatch):
    """What a derivative outside of a function for a mesh made of it is seen there only."""
    with Builder("program") as builder:
        x = builder.input(OWN)
        (y,) = builder.add(ops.negative, [x], {}, [NUMBER])
        (z,) = builder.add(vary, [y], {"axes": (AXIS,)}, [OWN])
        graph = builder.finish([z])
        monkeypatch.setattr(meshes, "VERIFY", False)
        meshes.over_processes(graph)
        monkeypatch.setattr(meshes, "VERIFY", True)
        with pytest.raises(VerificationError, match="along 'data'"):
            meshes.over_processes(graph)
