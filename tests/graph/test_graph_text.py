"""The text of graphs, compared with what is written down here."""

from dataclasses import replace
from textwrap import dedent

import numpy as np
import pytest

from autograph.errors import Location
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Module, graph_text
from ops import elementwise as e
from ops.control import effects, regions
from ops.core.types import array
from ops.structure import reshaping
from tests.support.build_graphs import (
    BOOL,
    FLOAT,
    INT,
    VECTOR,
    call,
    cond,
    graph_of,
    named,
    unpack,
    while_loop,
)


def check_text(graph, expected):
    assert str(graph) == dedent(expected).strip("\n")


def newton_sqrt():
    def line(number):
        return current_builder().at(Location("/home/me/newton.py", number, 4, "newton_sqrt"))

    def test(x):
        with line(7):
            return e.greater(e.absolute(x * x - a), 1e-12)

    def body(x):
        with line(8):
            return named(0.5 * (x + a / x), "x")

    with Builder("newton_sqrt") as builder:
        a = builder.input(FLOAT, "a")
        with line(7):
            x = while_loop(test, body, a, names=["x"])
        with line(5):
            return builder.finish([x])


def test_loop_with_locations():
    location = Location("/home/me/newton.py", 5, 0, "newton_sqrt")
    graph = replace(newton_sqrt(), location=location)
    check_text(
        graph,
        """
        graph newton_sqrt(a: float) -> float                              # newton.py:5
            x: float = while_loop(a)                                      # newton.py:7
                test(x: float) captures a
                    t0: float = multiply(x, x)                            # newton.py:7
                    t1: float = subtract(t0, a)                           # newton.py:7
                    t2: float = absolute(t1)                              # newton.py:7
                    t3: bool = greater(t2, 1e-12)                         # newton.py:7
                    return t3
                body(x: float) captures a
                    t4: float = divide(a, x)                              # newton.py:8
                    t5: float = add(x, t4)                                # newton.py:8
                    x_1: float = multiply(0.5, t5)                        # newton.py:8
                    return x_1
            return x
        """,
    )


def test_line_too_long_for_the_comment_column():
    with Builder("f") as builder:
        x = builder.input(VECTOR, "a_rather_long_name_for_a_variable")
        with builder.at(Location("long.py", 3)):
            y = named(x + x, "y")
        graph = builder.finish([y])
    name = x.name
    assert f"    y: f64[3] = add({name}, {name})  # long.py:3" in str(graph).splitlines()


def test_branches_without_locations():
    def f(p, x):
        return cond(p, lambda: (x + 1, x), lambda: (x, 2.5), names=["y", None])

    check_text(
        graph_of(f, p=BOOL, x=FLOAT),
        """
        graph f(p: bool, x: float) -> (float, float)
            y: float, t0: float = cond(p)
                then() captures x
                    t1: float = add(x, 1)
                    return t1, x
                else() captures x
                    return x, 2.5
            return y, t0
        """,
    )


def test_several_values_of_one_variable():
    def f(x, x_1):
        y = named(x + x_1, "x")
        y = named(y * y, "x")
        return named(-y, "x_1")

    check_text(
        graph_of(f, x=FLOAT, x_1=FLOAT),
        """
        graph f(x: float, x_1: float) -> float
            x_2: float = add(x, x_1)
            x_3: float = multiply(x_2, x_2)
            x_1_1: float = negative(x_3)
            return x_1_1
        """,
    )


def test_temporaries_keep_clear_of_the_users_names():
    check_text(
        graph_of(lambda t0, t2: -abs(t0 * t2), "f", t0=FLOAT, t2=FLOAT),
        """
        graph f(t0: float, t2: float) -> float
            t1: float = multiply(t0, t2)
            t3: float = absolute(t1)
            t4: float = negative(t3)
            return t4
        """,
    )


def test_a_region_hides_outer_names_but_not_those_it_captures():
    def f(n, x):
        hidden = named(n + x, "y")

        def body(n):
            return named(n * x, "y")

        return while_loop(lambda n: n < hidden, body, n, names=["n"])

    check_text(
        graph_of(f, n=FLOAT, x=FLOAT),
        """
        graph f(n: float, x: float) -> float
            y: float = add(n, x)
            n_1: float = while_loop(n)
                test(n: float) captures y
                    t0: bool = less(n, y)
                    return t0
                body(n: float) captures x
                    y: float = multiply(n, x)
                    return y
            return n_1
        """,
    )


def test_attributes_calls_packs_and_nodes_without_results():
    def f(x):
        effects.check(x, error="ValueError", message="no")
        pack = named(regions.pack(x, reshaping.reshape(x, (1, 1))), "saved")
        first, _ = unpack(pack, FLOAT, array("f8", (1, 1)))
        return call("g", [INT], first, 3)

    check_text(
        graph_of(f, x=FLOAT),
        """
        graph f(x: float) -> int
            check(x, error='ValueError', message='no')
            t0: f64[1,1] = reshape(x, shape=(1, 1))
            saved: Pack = pack(x, t0)
            t1: float, t2: f64[1,1] = unpack(saved, types=(float, f64[1,1]))
            t3: int = call @g(t1, 3)
            return t3
        """,
    )


@pytest.mark.parametrize(
    ("constant", "text"),
    [
        (Constant(2), "2"),
        (Constant(True), "True"),
        (Constant(-0.0), "-0.0"),
        (Constant(float("nan")), "nan"),
        (Constant(1 + 2j), "(1+2j)"),
        (Constant(np.float32(0.1)), "f32(0.1)"),
        (Constant(np.int8(-1)), "i8(-1)"),
        (Constant(np.bool_(True)), "bool(True)"),
        (Constant(np.zeros((64, 10))), "<const f64[64,10]>"),
        (Constant(np.array(1.0)), "<const f64[]>"),
        (named(Constant(np.zeros(2)), "w"), "<const w: f64[2]>"),
        (Constant(None, regions.STACK), "None"),
    ],
)
def test_constants(constant, text):
    assert graph_text(graph_of(lambda: constant, "f")).endswith(f"return {text}")


def test_a_region_by_itself_declares_what_it_captures():
    (node,) = newton_sqrt().nodes
    header, *_ = str(node.regions[1]).partition("#")
    assert header.rstrip() == "graph body(x: float) -> float captures a"


def test_no_results():
    assert str(graph_of(lambda: (), "f")) == "graph f() -> ()\n    return"


def test_module():
    main = graph_of(lambda x: call("g", [FLOAT], x), "main", x=FLOAT)
    module = Module(main, {"g": graph_of(lambda x: x, "g", x=FLOAT)})
    check_text(
        module,
        """
        graph main(x: float) -> float
            t0: float = call @g(x)
            return t0

        graph g(x: float) -> float
            return x
        """,
    )
