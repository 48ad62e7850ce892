"""What `explain` tells: every number in it is checked against the program or counted by hand."""

import re
import sys

import numpy as np
import pytest

import autograph as ag
from autograph.api.explaining import explain
from autograph.kernels.native import available

X = np.arange(1.0, 5.0)
WEIGHTS = np.ones(4)
scale = 2.0


def net(x, n=2, mode="sum", train=True):
    y = x * WEIGHTS * scale
    shape = np.zeros(n)
    shape[0] = 1.0
    return np.sum(y) + np.sum(shape) if mode == "sum" else y


def arguments(found):
    return {a.name: (a.text, a.traced, a.why) for a in found.arguments}


def untimed(found):
    """The report without the times."""
    return re.sub(r"[\d.]+ ms", "... ms", str(found))


def test_arguments_and_why():
    found = ag.to_graph(net).explain(X, 2, mode="sum", train=True)
    text, traced, why = arguments(found)["n"]
    line = net.__code__.co_firstlineno + 2
    assert (text, traced) == ("2", False)
    assert why.startswith("its value is needed at ") and f"test_explain.py:{line}" in why
    assert arguments(found)["x"] == ("f64[4]", True, "")
    assert arguments(found)["mode"] == ("'sum'", False, "it is neither an array nor a number")
    assert arguments(found)["train"] == ("True", False, "Python's bools are static")


def test_arguments_of_the_options():
    f = ag.to_graph(lambda x, n: x * n, static_argnums=1, donate_argnums=0)
    found = f.explain(X, 3)
    assert arguments(found) == {
        "x": ("f64[4]", True, "the caller gives up its memory"),
        "n": ("3", False, "the options say that it is static"),
    }


def test_generators_and_arrays_given_twice():
    def f(a, b, rng):
        a[0] = rng.normal()
        return a + b

    found = ag.to_graph(f).explain(X, X, np.random.default_rng(0))
    assert arguments(found)["b"] == ("f64[4]", True, "the same array as 'a'")
    assert arguments(found)["rng"][1:] == (True, "draws from it happen when the program runs")


def test_what_is_outside():
    found = ag.to_graph(net).explain(X)
    assert "scale: 2.0" in found.depends_on and "WEIGHTS: f64[4]" in found.depends_on
    assert not any(text.startswith("np:") for text in found.depends_on)
    weights = [c for c in found.constants if c.outside]
    assert [(c.nbytes, str(c.type)) for c in weights] == [(32, "f64[4]")]
    assert "32 bytes, from outside" in str(found)


def test_graph_and_program_are_counted():
    def f(x):
        for i in range(3):
            if x[i] > 0:
                x = x * 2.0
        while x[0] < 100.0:
            x = x * 3.0
        return x

    compiled = ag.to_graph(f)
    lines = compiled.program(X).text.splitlines()
    found = compiled.explain(X)
    assert found.operators["cond"] == 1
    assert found.operators["for_loop"] == found.operators["while_loop"] == 1
    assert found.graphs == {"f": sum(found.operators.values())}
    assert "2 loops, 1 branch" in str(found)
    assert found.program_lines == len(lines)
    assert found.cached == 1
    if available():
        (kernel,) = found.kernels
        assert kernel.least == 2 * X.nbytes and kernel.moved >= X.nbytes
        assert "native kernel f" in str(found)
    else:
        assert "native kernels: none" in str(found)


def factorial(n):
    return 1.0 if n <= 1 else n * factorial(n - 1)


def test_named_graphs():
    found = ag.to_graph(factorial).explain(3)
    assert list(found.graphs) == ["factorial", *list(found.graphs)[1:]]
    assert len(found.graphs) == 2 and found.operators["call"] == 2
    assert "nodes in the named graph factorial" in str(found)


def test_updates():
    def f(x, y):
        x = x * 2.0
        x[0] = y
        z = np.sin(x)
        z[1] = y
        return z

    def changes(x):
        x[0] = 1.0
        return x

    found = ag.to_graph(f).explain(X, 1.0)
    assert (len(found.in_place), len(found.copied)) == (2, 0)
    found = ag.to_graph(changes).explain(X)
    assert (len(found.in_place), len(found.copied)) == (0, 1)
    assert found.copied[0].line == changes.__code__.co_firstlineno + 1
    found = ag.to_graph(changes, donate_argnums=0).explain(X)
    assert (len(found.in_place), len(found.copied)) == (1, 0)


@pytest.mark.parametrize("n", [10, 1000])
def test_the_peak_of_a_straight_line(n):
    def f(x):
        a = np.sin(x)  # a
        b = np.cos(a)  # a, b
        c = a * b  # a, b, c
        d = np.sum(c)
        return np.exp(x) * d  # two more, after the others are gone

    found = ag.to_graph(f).explain(np.ones(n))
    assert found.peak == 3 * 8 * n and found.peak_known


def test_the_peak_counts_a_view_with_its_array():
    def f(x):
        y = np.sin(x)
        row = y[:2]
        z = np.cos(x)  # y is still needed
        return z[:2] * row

    found = ag.to_graph(f).explain(X)
    assert found.peak == 32 + 32 + 16


def test_the_peak_without_what_is_in_the_memory_of_arguments():
    f = lambda x, y: np.exp(x * y) + np.sin(y)
    assert ag.to_graph(f).explain(X, X).peak == 3 * 32
    assert ag.to_graph(f, donate_argnums=0).explain(X, X).peak == 32


def test_the_peak_of_unknown_lengths():
    found = ag.to_graph(lambda x: np.sum(x[x > 2.0] * 2.0)).explain(X)
    assert not found.peak_known and "at least" in str(found)


# -- residuals -------------------------------------------------------------------------------------


def loop(x):
    total = 0.0
    for i in range(5):
        y = np.sin(x)
        if y[0] > 0.1 * i:
            x = y * np.exp(y)
        total = total + np.sum(x * y)
    return total


def test_residuals_of_loops_and_branches():
    found = ag.grad(loop).explain(X)
    line = loop.__code__.co_firstlineno
    ((whole,), (branch,)) = (
        [k for k in found.kept if k.where.startswith("the loop")],
        [k for k in found.kept if k.where.startswith("the branch 'then'")],
    )
    assert whole.trips == branch.trips == 5
    assert whole.location.line == line + 2 and branch.location.line == line + 4
    assert {str(r.type) for r in whole.residuals} >= {"f64[4]", "bool[]", "Pack"}
    assert all(r.nbytes == 32 for k in found.kept for r in k.residuals if str(r.type) == "f64[4]")
    assert whole.nbytes == sum(r.nbytes for r in whole.residuals if r.nbytes is not None)
    assert any(r.location is not None and r.location.line == line + 3 for r in whole.residuals)
    text = str(found)
    assert f"residuals of the loop at test_explain.py:{line + 2}: {whole.nbytes} bytes" in text
    assert ", 5 times" in text


def test_residuals_match_what_the_program_keeps():
    """The bytes of a trip, counted in the stack that the forward pass makes."""

    def kept(stack):
        rest, top = stack
        return top

    value, pull = ag.vjp(lambda x: loop(x), X)
    stacks = [r for r in pull._linear._residuals if isinstance(r, tuple)]
    found = ag.grad(loop).explain(X)
    whole = next(k for k in found.kept if k.where.startswith("the loop"))
    slots = kept(stacks[0])
    arrays = [s for s in slots if isinstance(s, (np.ndarray, np.generic))]
    assert sum(s.nbytes for s in arrays) == whole.nbytes


def test_no_residuals_without_a_derivative():
    assert ag.to_graph(loop).explain(X).kept == []
    assert "residuals" not in str(ag.to_graph(loop).explain(X)).replace("without residuals", "")


def test_residuals_of_recursion():
    found = ag.grad(factorial).explain(3.0)
    assert any(k.where.startswith("a call of") and k.trips is None for k in found.kept)


def test_residuals_of_a_pullback():
    def f(x):
        y = np.sin(x)
        return y * np.exp(y)

    _, pull = ag.vjp(f, X)
    assert sum(r.nbytes for r in pull.residuals) == sum(r.nbytes for r in pull._linear._residuals)
    assert {r.name for r in pull.residuals} >= {"y"}
    assert {r.location.line for r in pull.residuals if r.location} <= {
        f.__code__.co_firstlineno + 1,
        f.__code__.co_firstlineno + 2,
    }


def test_without_the_library_of_the_backend(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    f = ag.to_graph(loop, backend="cupy")
    assert f.explain(X).backend == "cupy"
    assert "for_loop" in str(f.lower(X).graph)
    with pytest.raises(ag.errors.MissingLibraryError):
        f.lower(X).compile()


def test_the_time_of_each_pass():
    compiled = ag.to_graph(loop)
    found = compiled.explain(X)
    assert list(found.stages) == list(compiled.stages(X))
    listed = str(found).partition("\npasses\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == list(found.stages)
    for line, stage in zip(listed, found.stages.values()):
        assert line.endswith(f" {1e3 * stage.seconds:.2f} ms") and stage.seconds > 0.0


def test_it_changes_nothing():
    f = ag.to_graph(net)
    f(X)
    x = X.copy()
    before = len(f.compiled_forms())
    f.explain(x, 3)
    assert len(f.compiled_forms()) == before == 1 and x.tolist() == X.tolist()
    assert f.explain(x).cached == 1


def test_specs_methods_and_lowered_functions():
    spec = ag.ShapeDtypeStruct((4,), "float64")
    assert untimed(ag.to_graph(loop).explain(spec)) == untimed(ag.to_graph(loop).explain(X))

    class Model:
        @ag.to_graph
        def twice(self, x):
            return x * 2.0

    assert arguments(Model().twice.explain(X))["x"][1]
    assert explain(lambda: ag.to_graph(loop).lower(X), ()).name == "loop"
