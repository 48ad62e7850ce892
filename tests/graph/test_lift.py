"""Lambda lifting: captures become arguments, also of graphs that only pass them on."""

from autograph.graph.builder import Builder
from autograph.graph.graph import Module, walk
from autograph.graph.lift import lift
from autograph.graph.verify import verify
from tests.support.build_graphs import FLOAT, call, graph_of


def test_captures_are_passed_through_graphs_that_call_each_other():
    with Builder("main") as builder:
        x, y = builder.input(FLOAT, "x"), builder.input(FLOAT, "y")
        first = graph_of(lambda a: call("second", [FLOAT], a * x), "first", a=FLOAT)
        second = graph_of(lambda b: call("first", [FLOAT], b) + y, "second", b=FLOAT)
        closed, captures = lift({"first": first, "second": second})
        assert [v.name for v in captures["first"]] == ["x", "y"]
        assert [v.name for v in captures["second"]] == ["y", "x"]
        main = builder.finish([call("first", [FLOAT], x, *captures["first"])])
    verify(Module(main, closed))


def test_what_a_graph_computes_itself_is_no_argument_of_it():
    with Builder("main") as builder:
        x = builder.input(FLOAT, "x")
        with Builder("outer") as outer:
            local = outer.input(FLOAT, "a") * 2.0
            inner = graph_of(lambda b: b * local + x, "inner", b=FLOAT)
            graph = outer.finish([call("inner", [FLOAT], local)])
        closed, captures = lift({"outer": graph, "inner": inner})
        assert captures["outer"] == (x,)
        assert captures["inner"] == (local, x)
        main = builder.finish([call("outer", [FLOAT], x, x)])
    verify(Module(main, closed))
    (node,) = [node for node in walk(closed["outer"]) if node.op.name == "call"]
    assert len(node.inputs) == 3


def test_closed_graphs_stay_as_they_are():
    graph = graph_of(lambda a: call("f", [FLOAT], a), "f", a=FLOAT)
    assert lift({"f": graph}) == ({"f": graph}, {"f": ()})
