"""What nothing needs is left out: operators, branches, graphs of a module. Effects stay."""

import numpy as np
import pytest

import ops
from autograph.graph.graph import Constant, Module, walk
from autograph.graph.verify import verify
from autograph.transforms.simplify.simplify import simplify, simplify_module
from ops.control import effects
from tests.support.build_graphs import (
    BOOL,
    FLOAT,
    VECTOR,
    call,
    cond,
    for_loop,
    graph_of,
    while_loop,
)
from tests.support.call_counts import count_calls
from tests.support.interpret import interpret
from tests.support.simplified import check, check_kept, check_text

# -- dead code -------------------------------------------------------------------------------------


def test_dead_code():
    def f(x, p):
        y = ops.exp(x)
        cond(p, lambda: y, lambda: ops.sin(y))
        while_loop(lambda n: n < 3, lambda n: n + 1, x, names=["n"])
        return x

    check_text(f, "return x", x=FLOAT, p=BOOL)


def test_effects_stay_in_order():
    def then():
        check("b")
        return x_holder[0] + 1

    def f(x, p):
        x_holder.append(x)
        check("a")
        cond(p, then, lambda: x)
        check("c")

        def body(i, y):
            check("d")
            return y * 2

        for_loop(2, body, x, names=["y"])
        return x

    x_holder = []
    check_text(
        lambda x, p: f(x, p),
        """
        check(True, error='ValueError', message='a')
        cond(p)
            then()
                check(True, error='ValueError', message='b')
                return
            else()
                return
        check(True, error='ValueError', message='c')
        for_loop(2)
            body(i: int)
                check(True, error='ValueError', message='d')
                return
        return x
        """,
        x=FLOAT,
        p=BOOL,
    )


def test_what_an_effect_needs_stays():
    def f(x):
        y = ops.exp(x)
        effects.check(y < 3, error="ValueError", message="too large")
        return x

    check_kept(f, x=FLOAT)


# -- branches --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("predicate", "text"),
    [(True, "exp"), (False, "sin"), (0.0, "sin"), (np.float64("nan"), "exp"), (2, "exp")],
)
def test_known_predicate(predicate, text):
    check_text(
        lambda x: cond(predicate, lambda: ops.exp(x), lambda: ops.sin(x), names=["y"]),
        f"y: f64[] = {text}(x)\nreturn y",
        x=FLOAT,
    )


def test_a_predicate_in_the_users_array_is_not_known():
    flag = np.array(True)
    check_kept(lambda x: cond(Constant(flag), lambda: x, lambda: x + 1), x=FLOAT)


def test_unused_results_and_results_that_branches_agree_on():
    def f(p, x):
        then, orelse = lambda: (x * 2, x, 3, x + 1), lambda: (x * 3, x, 3, x)
        _, z, k, y = cond(p, then, orelse, names=["u", "z", "k", "y"])
        return y, z, k

    check_text(
        f,
        """
        y: float = cond(p)
            then() captures x
                t0: float = add(x, 1)
                return t0
            else() captures x
                return x
        return y, x, 3
        """,
        p=BOOL,
        x=FLOAT,
    )


def test_branches_that_give_different_zeros():
    check_kept(lambda p: cond(p, lambda: 0.0, lambda: -0.0), p=BOOL)


# -- modules ---------------------------------------------------------------------------------------


def silent(x):
    return x * 2 * 1


def loud(x):
    check("loud")
    return x


def calls(callee):
    def f(x):
        call(callee, [FLOAT], x)
        return x

    return f


def module(main, **functions):
    graphs = {name: graph_of(function, name, x=FLOAT) for name, function in functions.items()}
    result = Module(graph_of(main, "main", x=FLOAT), graphs)
    verify(result)
    smaller = simplify_module(result)
    verify(smaller)
    assert simplify_module(smaller) is smaller
    return smaller


def test_calls_without_effects_are_dead_code():
    smaller = module(calls("a"), a=calls("b"), b=silent)
    assert not smaller.main.nodes
    assert not smaller.graphs


def test_calls_with_effects_stay():
    smaller = module(calls("a"), a=calls("b"), b=loud, unused=silent)
    assert len(smaller.main.nodes) == 1
    assert sorted(smaller.graphs) == ["a", "b"]


def test_recursive_calls():
    def f(x):
        return cond(x < 1, lambda: x * 1, lambda: call("f", [FLOAT], x - 1) + x)

    smaller = module(lambda x: call("f", [FLOAT], x), f=f)
    assert interpret(smaller, 4.0) == (10.0,)
    assert "multiply" not in str(smaller)


def test_an_effect_that_can_not_happen():
    def f(x):
        return cond(False, lambda: call("loud", [FLOAT], x), lambda: x)

    smaller = module(calls("f"), f=f, loud=loud)
    assert not smaller.main.nodes


def test_calls_of_unknown_graphs_stay():
    check_kept(calls("anything"), x=FLOAT)


def test_what_is_simple_depends_on_what_has_effects():
    graph = graph_of(calls("a"), x=FLOAT)
    assert simplify(graph, {"a"}) is graph
    assert simplify(graph, {"b"}) is not graph
    assert not simplify(graph, ()).nodes
    assert simplify(graph) is graph


# -- size ------------------------------------------------------------------------------------------


def calls_of_simplifying(length):
    """How many functions are called to simplify a chain of operations."""

    def f(x):
        y = x
        for k in range(length):
            y = ops.add(y * 1.0, Constant(0.5) * k)
        return y

    graph = graph_of(f, x=VECTOR)
    smaller = []
    counts = count_calls(lambda: smaller.append(simplify(graph)))
    assert len([*walk(smaller[0])]) == length
    return counts["call"]


def test_work_grows_with_the_length_of_a_chain():
    assert calls_of_simplifying(2000) < 2.2 * calls_of_simplifying(1000)


def test_what_is_simple_is_not_gone_through_again():
    def f(x):
        return ops.exp(x * 1.0) + ops.sin(x)

    graph = simplify(graph_of(f, x=VECTOR))
    counts = count_calls(lambda: simplify(graph))
    assert counts["call"] < 20
