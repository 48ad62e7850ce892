"""What generated programs look like, and that they run."""

import gc
import linecache
import traceback
from dataclasses import replace
from textwrap import dedent

import numpy as np
import pytest

import ops
from autograph.errors import Location
from autograph.graph.builder import current_builder
from autograph.graph.graph import Constant, Module
from ops.arrays.indexing import subscript
from ops.control import effects, regions
from ops.control.regions import PACK, STACK
from ops.core.types import array
from tests.codegen.compare import check, program_of, run, text_of
from tests.support.build_graphs import (
    BOOL,
    FLOAT,
    INT,
    call,
    cond,
    for_loop,
    graph_of,
    named,
    unpack,
    while_loop,
)

VECTOR = array("f8", (3,))


def expect(graph, text):
    assert text_of(graph) == dedent(text).lstrip("\n")


def newton():
    def newton_sqrt(a):
        def body(x):
            with current_builder().at(Location("/home/user/newton.py", 8)):
                return 0.5 * (x + a / x)

        with current_builder().at(Location("/home/user/newton.py", 7)):
            return while_loop(lambda x: abs(x * x - a) > 1e-12, body, a, names=["x"])

    graph = graph_of(newton_sqrt, a=FLOAT)
    graph = replace(graph, location=Location("/home/user/newton.py", 5))
    return graph


def test_while_prints_as_written():
    expect(
        newton(),
        """
        # (a: float) -> (float)
        def newton_sqrt(a):                                               # newton.py:5
            x = a                                                         # newton.py:7
            while abs(x * x - a) > 1e-12:                                 # newton.py:7
                x = 0.5 * (x + a / x)                                     # newton.py:8
            return x
        """,
    )
    check(newton(), 2.0)
    assert run(newton(), 2.0) == (pytest.approx(2**0.5),)


def test_locations_of_lines():
    program = program_of(newton())
    lines = program.text.splitlines()
    assert {lines[n - 1].split("#")[0].strip(): at.line for n, at in program.locations.items()} == {
        "def newton_sqrt(a):": 5,
        "x = a": 7,
        "while abs(x * x - a) > 1e-12:": 7,
        "x = 0.5 * (x + a / x)": 8,
    }


def test_program_text_runs_by_itself():
    namespace = {}
    exec(program_of(newton()).text, namespace)
    assert namespace["newton_sqrt"](9.0) == pytest.approx(3.0)


def test_text_with_helpers_runs_by_itself():
    def f(x, i):
        return subscript(x, i) * ops.power(2, i), ops.power(i, i)

    program = program_of(graph_of(f, x=VECTOR, i=INT))
    namespace = {}
    exec(program.text, namespace)
    x = np.arange(3.0)
    assert namespace["f"](x, 2) == program.function(x, 2) == (8.0, 4)


def test_errors_show_the_generated_line():
    def f(x):
        with current_builder().at(Location("/home/user/f.py", 8)):
            y = named(1.0 / x, "y")
        return y + 1

    program = program_of(graph_of(f, x=FLOAT))
    with pytest.raises(ZeroDivisionError) as caught:
        program.function(0.0)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert frame.filename == program.filename
    assert program.locations[frame.lineno].line == 8
    assert frame.line.startswith("y = 1.0 / x")
    assert program.location_of(caught.value).line == 8
    program.annotate(caught.value)
    if hasattr(caught.value, "__notes__"):
        (note,) = caught.value.__notes__
        assert note.startswith("[AG0601] ") and note.endswith("\n  at /home/user/f.py:8")


def test_errors_in_helpers_are_the_callers():
    def f(x):
        with current_builder().at(Location("/home/user/f.py", 3)):
            effects.check(x > 0, error="ValueError", message="negative")
        return x

    program = program_of(graph_of(f, x=FLOAT))
    with pytest.raises(ValueError, match="negative") as caught:
        program.function(-1.0)
    assert program.location_of(caught.value).line == 3


def test_linecache_forgets_dropped_programs():
    program = program_of(newton())
    program.function(4.0)
    filename = program.filename
    assert filename in linecache.cache
    del program
    gc.collect()
    gc.collect()  # once is not enough for Python 3.13 after a debugger has run
    assert filename not in linecache.cache


def test_parallel_assignment():
    def fib(n):
        return for_loop(n, lambda i, a, b: [b, a + b], 0, 1, names=["a", "b"])[0]

    expect(
        graph_of(fib, n=INT),
        """
        # (n: int) -> (int)
        def fib(n):
            a = 0
            b = 1
            for _ in range(n):
                a, b = b, a + b
            return a
        """,
    )
    check(graph_of(fib, n=INT), 10)
    check(graph_of(fib, n=INT), 0)


def test_assignments_in_an_order_that_needs_no_tuple():
    def f(n):
        return for_loop(n, lambda i, a, b, c: [b, c, i], 1, 2, 3, names=["a", "b", "c"])

    text = text_of(graph_of(f, n=INT))
    assert "        a = b\n        b = c\n        c = i\n" in text
    check(graph_of(f, n=INT), 2)


def test_state_that_starts_from_a_variable_needed_later():
    def f(x):
        last = for_loop(3, lambda i, x: x * 2.0, x, names=["x"])
        return last - x

    expect(
        graph_of(f, x=FLOAT),
        """
        # (x: float) -> (float)
        def f(x):
            x_1 = x
            for _ in range(3):
                x_1 = x_1 * 2.0
            return x_1 - x
        """,
    )
    check(graph_of(f, x=FLOAT), 1.5)


def test_count_that_shares_the_name_of_the_state():
    def f(n):
        return for_loop(n, lambda i, n: n - 1, 100, names=["n"])

    check(graph_of(f, n=INT), 3)
    expect(
        graph_of(lambda n: for_loop(n + 1, lambda i, n: n - 1, 7, names=["n"]), "f", n=INT),
        """
        # (n: int) -> (int)
        def f(n):
            t_0 = n + 1
            n = 7
            for _ in range(t_0):
                n = n - 1
            return n
        """,
    )


def test_branches():
    def f(x):
        return cond(x > 0, lambda: named(x * 17, "x"), lambda: x, ["x"])

    expect(
        graph_of(f, x=FLOAT),
        """
        # (x: float) -> (float)
        def f(x):
            if x > 0:
                x = x * 17
            return x
        """,
    )
    check(graph_of(f, x=FLOAT), 1.0)
    check(graph_of(f, x=FLOAT), -1.0)


def test_branch_that_does_nothing_comes_last():
    def f(x):
        return cond(x > 0, lambda: x, lambda: x * 17, ["x"])

    assert "    if not x > 0:\n        x = x * 17\n    return x" in text_of(graph_of(f, x=FLOAT))


def test_elif():
    def f(x):
        def orelse():
            return cond(x > 5, lambda: x * 5, lambda: x * 0.5, ["y"])

        return cond(x > 9, lambda: x * 9, orelse, ["y"])

    expect(
        graph_of(f, x=FLOAT),
        """
        # (x: float) -> (float)
        def f(x):
            if x > 9:
                y = x * 9
            elif x > 5:
                y = x * 5
            else:
                y = x * 0.5
            return y
        """,
    )
    for x in (10.0, 7.0, 1.0):
        check(graph_of(f, x=FLOAT), x)


def test_choices_without_a_name_are_expressions():
    def f(x, n):
        both = cond(x > 0, lambda: n > 1, lambda: Constant(False))
        either = cond(both, lambda: both, lambda: x < -1)
        return cond(either, lambda: x + 1, lambda: n * 2.0) * 2

    expect(
        graph_of(f, x=FLOAT, n=INT),
        """
        # (x: float, n: int) -> (float)
        def f(x, n):
            return (x + 1 if x > 0 and n > 1 or x < -1 else n * 2.0) * 2
        """,
    )
    for x in (-2.0, 0.0, 3.0):
        for n in (1, 2):
            check(graph_of(f, x=FLOAT, n=INT), x, n)


def test_test_that_needs_statements():
    def f(x):
        def test(x):
            y = named(x * x, "y")
            return y * y < 100.0

        return while_loop(test, lambda x: x + 1, x, names=["x"])

    expect(
        graph_of(f, x=FLOAT),
        """
        # (x: float) -> (float)
        def f(x):
            while True:
                y = x * x
                if not y * y < 100.0:
                    break
                x = x + 1
            return x
        """,
    )
    check(graph_of(f, x=FLOAT), 0.5)
    check(graph_of(f, x=FLOAT), 50.0)


def test_recursion():
    fact = graph_of(
        lambda n: cond(n < 2, lambda: Constant(1), lambda: n * call("fact", [INT], n - 1)),
        "fact",
        n=INT,
    )
    module = Module(graph_of(lambda n: call("fact", [INT], n) + 1, "main", n=INT), {"fact": fact})
    expect(
        module,
        """
        # (n: int) -> (int)
        def fact(n):
            return 1 if n < 2 else n * fact(n - 1)


        # (n: int) -> (int)
        def main(n):
            return fact(n) + 1
        """,
    )
    check(module, 6)


def test_calls_with_several_results():
    pair = graph_of(lambda x: [x + 1, x * 2], "pair", x=FLOAT)
    nothing = graph_of(lambda x: [], "nothing", x=FLOAT)

    def main(x):
        call("nothing", [], x)
        a, b = call("pair", [FLOAT, FLOAT], x)
        return named(a, "a") - named(b, "b")

    module = Module(graph_of(main, x=FLOAT), {"pair": pair, "nothing": nothing})
    assert "    a, b = pair(x)\n    return a - b\n" in text_of(module)
    check(module, 3.0)


def test_no_outputs_and_several():
    assert run(graph_of(lambda x: [], "f", x=FLOAT), 1.0) == ()
    assert run(graph_of(lambda x: [x, x], "f", x=FLOAT), 1.0) == (1.0, 1.0)


def test_effects_keep_their_order():
    def f(x):
        ratio = 1.0 / x
        effects.check(x < 5.0, error="ValueError", message="too large")
        y = ops.sqrt(x)
        effects.check(ratio < 1.0, error="IndexError", message="too small")
        return y * ratio

    graph = graph_of(f, x=FLOAT)
    text = text_of(graph)
    assert text.index("1.0 / x") < text.index("too large") < text.index("np.sqrt")
    assert text.index("np.sqrt") < text.index("too small")
    for x in (0.0, 0.5, 2.0, 7.0):
        check(graph, x)


def test_effects_in_callees():
    guard = graph_of(
        lambda x: effects.check(x > 0, error="ValueError", message="negative") or [x],
        "guard",
        x=FLOAT,
    )

    def main(x):
        y = x * 2
        call("guard", [FLOAT], x)
        return y

    module = Module(graph_of(main, x=FLOAT), {"guard": guard})
    check(module, 1.0)
    check(module, -1.0)


def test_expression_that_may_raise_stays_before_another():
    def f(x, y):
        first = 1.0 / x
        second = named(ops.remainder(5, y), "second")
        return first + second

    graph = graph_of(f, x=FLOAT, y=INT)
    text = text_of(graph)
    assert text.index("1.0 / x") < text.index("5 % y")


def test_unused_results_are_not_computed():
    def f(x):
        ops.sin(x)
        return x

    assert "sin" not in text_of(graph_of(f, x=VECTOR))


def test_variables_avoid_other_names():
    def f(x):
        a = named(x + 1, "lambda")
        b = named(a * 2, "np")
        c = named(b - a, "abs")
        return named(abs(c), "t_0") + c * abs(a - b) * abs(a - b), a

    graph = graph_of(f, "class", x=VECTOR)
    check(graph, np.arange(3.0))
    assert "lambda_1 = x + 1" in text_of(graph)
    assert "np_1 = lambda_1 * 2" in text_of(graph)


def test_names_that_are_no_identifiers():
    def f(x):
        return named(x + 1, "self.weights[0]") * 2

    assert "self_weights_0 = x + 1" in text_of(graph_of(f, "<lambda>", x=VECTOR))


def test_main_may_have_the_name_of_a_builtin():
    graph = graph_of(lambda x: abs(x), "abs", x=FLOAT)
    check(graph, -1.0)


def test_one_variable_for_many_versions():
    def f(x):
        for _ in range(3):
            x = named(ops.sin(x), "x")
        return x

    assert text_of(graph_of(f, x=VECTOR)).count("    x = np.sin(x)\n") == 3


def test_array_constants_are_globals():
    weights = np.arange(3.0)

    def f(x):
        w = Constant(weights)
        return x * w + w * Constant(weights)

    program = program_of(graph_of(f, x=VECTOR))
    assert program.constants == {"c_0": weights}
    assert "# c_0: f64[3]\n" in program.text
    assert "return x * c_0 + c_0 * c_0" in program.text
    check(graph_of(f, x=VECTOR), np.ones(3))
    weights[0] = 7.0  # held by reference
    assert program.function(np.ones(3))[0] == 7.0 + 49.0


def test_long_expressions_are_split():
    def f(x):
        total = x
        for k in range(40):
            total = total + ops.sin(x) * float(k)
        return total

    graph = graph_of(f, x=VECTOR)
    assert max(map(len, text_of(graph).splitlines())) <= 100
    check(graph, np.arange(3.0))


def test_packs_and_stacks():
    def f(x):
        def forward(i, stack, x):
            y = named(ops.sin(x), "y")
            return [regions.push(stack, regions.pack(x, y)), y * x]

        def backward(i, stack, ct):
            rest, top = regions.pop(stack)
            x, y = unpack(top, VECTOR, VECTOR)
            return [rest, ct * named(x, "x") + named(y, "y")]

        empty = Constant(None, STACK)
        stack, x = for_loop(3, forward, empty, x, names=["stack", "x"])
        _, ct = for_loop(3, backward, stack, x, names=["stack", "ct"])
        return ct

    expect(
        graph_of(f, x=VECTOR),
        """
        # (x: f64[3]) -> (f64[3])
        def f(x):
            stack = None
            for _ in range(3):
                y = np.sin(x)
                stack = pushed(stack, (x, y))
                x = y * x
            ct = x
            for _ in range(3):
                stack, (x, y) = stack
                ct = ct * x + y
            return ct
        """,
    )
    check(graph_of(f, x=VECTOR), np.arange(3.0))


def test_cotangents_of_packs_may_be_missing():
    def f(x):
        stack = regions.push(Constant(None, STACK), Constant(None, PACK))
        rest, top = regions.pop(stack)
        (a, b), (c,) = (
            current_builder().add(regions.unpack_ct, [v], {"types": types}, types)
            for v, types in ((top, (VECTOR, FLOAT)), (regions.pop(rest)[1], (FLOAT,)))
        )
        return a + x, b, c

    graph = graph_of(f, x=VECTOR)
    check(graph, np.ones(3))
    assert "np.zeros" in program_of(graph).text


@pytest.mark.parametrize("trips", [0, 1, 5])
def test_nested_loops_and_branches(trips):
    def f(x, n):
        def outer(i, x, s):
            def inner(j, s):
                return cond(s > i, lambda: s - j * x, lambda: s + x, ["s"])

            return [x + 1, for_loop(i, inner, s, names=["s"])]

        return for_loop(n, outer, x, 0.0, names=["x", "s"])

    check(graph_of(f, x=FLOAT, n=INT), 0.5, trips)


def test_weak_constants_keep_their_type():
    values = [True, 3, -3, 2.5, -0.0, float("nan"), float("inf"), np.float32(0.1), np.int8(-3)]
    values += [np.float64(-np.inf), np.bool_(True), 1 - 2j, np.complex64(1j)]
    check(graph_of(lambda b: [Constant(v) for v in values], "f", b=BOOL), True)


def test_generation_is_fast_enough():
    def f(x):
        for k in range(2000):
            x = named(ops.sin(x) * float(k) + x, "x")
        return x

    import time

    graph = graph_of(f, x=VECTOR)
    start = time.process_time()
    program_of(graph)
    assert time.process_time() - start < 5.0


def test_results_of_branches_that_nobody_needs():
    def f(x, n):
        then, orelse = lambda: [x * 2, n + 1, 5 // n], lambda: [x, n + 2, 7 // n]
        return cond(x > 0, then, orelse, ["a", "b", "c"])[0]

    expect(
        graph_of(f, x=FLOAT, n=INT),
        """
        # (x: float, n: int) -> (float)
        def f(x, n):
            if x > 0:
                _ = 5 // n
                a = x * 2
            else:
                _ = 7 // n
                a = x
            return a
        """,
    )
    check(graph_of(f, x=FLOAT, n=INT), 1.0, 0)
