"""`profile` runs a function and tells how long each line and each kernel takes."""

import sys
import time
import traceback
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import autograph as ag
from autograph.codegen.measuring import Meter
from autograph.errors import OptionError
from autograph.kernels.native import available

pytestmark = pytest.mark.usefixtures("with_and_without_kernels")

X = np.linspace(0.1, 0.9, 16).reshape(4, 4)


def sleeps(x):
    time.sleep(0.05)
    return x + 1.0


def calls_python(x):
    y = np.sin(x) * 2.0
    for i in range(2):
        y = ag.pure_callback(sleeps, y, y)  # the slow one
        y = np.cos(y) + i
    return y * 2.0


def factors(x):
    y = np.sin(x) + 2.0
    w, r = np.linalg.eig(y + 0j)  # the slow one
    return np.sum(np.abs(r)) + np.sum(x)


def loops(x):
    t = 0.0
    while t < 100.0:
        t = t + np.sum(np.sin(x))
        for i in range(3):
            if x[0, i] > 0.2:
                t = t * 1.5
    return t


def helper(x):
    return np.linalg.inv(x + np.eye(4)) * 2.0  # of another function


def calls(x):
    return np.sum(helper(x) + helper(x.T))


def recursive(x, n):
    return x if n == 0 else np.tanh(recursive(x, n - 1)) * 1.5


def deep_with_numpy(x, n):
    if n == 0:
        return x
    return np.spacing(deep_with_numpy(x, n - 1)) * 0.5


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def grows(x):
    out = []
    while np.sum(x) < 1000.0:
        x = x * 1.5
        out.append(x)
    return np.array(out)


def partitions(x):
    trips = 0
    while np.sum(x) < 1000.0:
        x = np.sort(x * 1.5 + 0j).real
        trips += 1
    return trips


def changes(x):
    x[0] += np.sin(x[1])
    x[1:] *= 2.0
    return np.sum(x)


def raises(x):
    y = np.sin(x)
    if np.sum(y) > 0.0:
        raise ValueError(f"got {y[0, 0]:.3f}")  # here
    return y


def looks_up(x, i):
    return np.sin(x)[i] * 2.0


def two_values(x):
    return {"a": np.sin(x), "b": (np.sum(x), 3)}


def line_of(mark):
    with open(__file__, encoding="utf-8") as file:
        return next(n for n, line in enumerate(file, 1) if line.rstrip().endswith(mark))


SUM = lambda f: lambda *args: np.sum(f(*args))
PROGRAMS = {
    "loops": (ag.to_graph(loops), (X,)),
    "calls": (ag.to_graph(calls), (X,)),
    "factors": (ag.to_graph(factors), (X,)),
    "recursive": (ag.to_graph(recursive), (X, 7)),
    "branching": (ag.to_graph(fib), (12,)),
    "grows": (ag.to_graph(grows), (X,)),
    "nested": (ag.to_graph(two_values), (X,)),
    "gradient": (ag.grad(SUM(loops)), (X,)),
    "gradient of a list": (ag.grad(SUM(grows)), (X,)),
    "gradient of factors": (ag.grad(factors), (X,)),
    "gradient of recursion": (ag.grad(SUM(recursive)), (X, 7)),
    "lanes": (ag.vmap(loops), (np.stack([X, 2 * X, 3 * X]),)),
    "lanes of factors": (ag.vmap(factors), (np.stack([X, 2 * X]),)),
    "gradients of lanes": (ag.vmap(ag.grad(loops)), (np.stack([X, 2 * X]),)),
    "Hessian": (ag.hessian(calls), (X,)),
}


def flat(result):
    return [np.asarray(leaf) for leaf in ag.tree.leaves(result)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_results_are_those_of_a_call(name):
    function, args = PROGRAMS[name]
    for _ in range(2):
        found = function.profile(*args)
        expected = function(*args)
        assert type(found.result) is type(expected)
        for a, b in zip(flat(found.result), flat(expected), strict=True):
            assert a.dtype == b.dtype and a.shape == b.shape
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_shares_are_of_all_time(name):
    function, args = PROGRAMS[name]
    start = time.perf_counter()
    found = function.profile(*args, repeat=3)
    elapsed = time.perf_counter() - start
    assert abs(sum(row.share for row in found.rows) - 1.0) < 1e-9
    assert abs(sum(row.seconds for row in found.rows) - found.seconds) < 1e-9
    assert 0.0 < found.seconds + found.measuring <= elapsed
    assert found.runs == 3 and all(row.seconds >= 0.0 for row in found.rows)
    assert [row.seconds for row in found.rows] == sorted(r.seconds for r in found.rows)[::-1]


def test_the_line_that_sleeps_is_the_first():
    found = ag.to_graph(calls_python).profile(X)
    first = found.rows[0]
    assert first.kind == "line" and first.places[0].line == line_of("# the slow one")
    assert first.count == 2 and 0.1 <= first.seconds < 2.0 and first.share > 0.5
    assert first.source.startswith("y = ag.pure_callback(sleeps, y, y)")
    assert first is found.lines[0]


@pytest.mark.slow
@pytest.mark.costly
def test_the_line_that_factorises_is_the_first():
    function = ag.to_graph(factors)
    x = np.random.default_rng(0).normal(size=(250, 250))
    function(x)
    first = function.profile(x).lines[0]
    assert first.source.startswith("w, r = np.linalg.eig(y + 0j)") and first.share > 0.5


def test_of_a_gradient_the_lines_are_the_users():
    found = ag.grad(SUM(calls_python_and_back)).profile(X)
    assert found.lines[0].source.startswith("return ag.pure_callback(sleeps, x, x)")


@ag.custom_vjp
def slow(x):
    return ag.pure_callback(sleeps, x, x)


slow.defvjp(lambda x: (slow(x), ()), lambda _, ct: (ct,))


def calls_python_and_back(x):
    y = np.sin(x) * 2.0
    y = slow(y)
    return y * y


def test_lines_of_functions_that_are_called():
    found = ag.to_graph(calls).profile(X)
    sources = {row.source for row in found.lines}
    assert any("# of another function" in source for source in sources)


def test_counts():
    found = ag.to_graph(partitions).profile(X)
    (row,) = [row for row in found.lines if row.source == "x = np.sort(x * 1.5 + 0j).real"]
    assert row.count == found.result > 5
    again = ag.to_graph(partitions).profile(X, repeat=4)
    (row,) = [row for row in again.lines if row.source == "x = np.sort(x * 1.5 + 0j).real"]
    assert row.count == 4 * found.result


def test_kernels_have_the_lines_that_they_compute():
    function = ag.to_graph(loops)
    found = function.profile(X)
    if not available():
        assert not found.kernels
        return
    (row,) = found.kernels
    first = loops.__code__.co_firstlineno
    assert row.name == "loops" and row.count == 1
    assert {place.line for place in row.places} >= {first + 2, first + 3, first + 6}
    assert f"test_profile.py:{first + 2}-{first + 6}" in row.place


def halves(x):
    if len(x) == 1:
        return np.sin(x) * 2.0  # the smallest
    half = len(x) // 2
    return np.concatenate((halves(x[:half]), halves(x[half:]))) * 3.0


def test_kernels_have_the_lines_of_functions_that_are_built_in():
    found = ag.to_graph(halves).profile(np.ones(8))
    places = {place.line for row in found.rows for place in row.places}
    assert line_of("# the smallest") in places


def test_recording_and_compiling_are_told_once():
    function = ag.to_graph(lambda x: np.sum(np.sin(x) * 3.0))
    first = function.profile(X)
    assert first.recording > 0.0 and "to record it" in str(first)
    second = function.profile(X)
    assert second.recording == second.compiling == 0.0
    assert "by an earlier call" in str(second)


def test_what_is_changed_is_changed_once_for_each_run():
    for repeat in (1, 2):
        expected, found = X.copy(), X.copy()
        for _ in range(repeat):
            result = changes(expected)
        profile = ag.to_graph(changes).profile(found, repeat=repeat)
        np.testing.assert_allclose(found, expected)
        np.testing.assert_allclose(profile.result, result)


def test_what_is_printed_is_printed_once(capsys):
    def prints(x):
        print("at", x[0, 0])
        return np.sum(x)

    ag.to_graph(prints).profile(X)
    assert capsys.readouterr().out == f"at {X[0, 0]}\n"


def test_exceptions_pass_through():
    function = ag.to_graph(raises)
    for call in (function, function.profile):
        with pytest.raises(ValueError, match=r"^got 0\.100") as caught:
            call(X)
        assert "raise ValueError(f" in "".join(traceback.format_exception(caught.value))
        if sys.version_info >= (3, 11):
            (note,) = caught.value.__notes__
            assert f":{line_of('# here')}" in note
    np.testing.assert_array_equal(function(-X), function.profile(-X).result)


def test_everything_is_as_it_was():
    function = ag.to_graph(calls)
    before = function(X), function.program(X).text, np.geterr(), sys.getrecursionlimit()
    namespace = dict(function.program(X).namespace)
    function.profile(X)
    assert (function(X), function.program(X).text, np.geterr(), sys.getrecursionlimit()) == before
    assert function.program(X).namespace == namespace
    assert len(function.compiled_forms()) == 1


def test_floating_point_errors_are_raised_as_they_are_by_a_call():
    function = ag.to_graph(lambda x: np.log(x) * 2.0)
    with np.errstate(divide="raise"):
        for call in (function, function.profile):
            with pytest.raises(FloatingPointError):
                call(0.0 * X)


def test_recursion_that_is_deeper_than_pythons():
    deep = ag.to_graph(deep_with_numpy)
    found = deep.profile(X, 3000)
    np.testing.assert_array_equal(found.result, deep(X, 3000))
    assert found.lines[0].count >= 3000


def test_an_index_that_python_checks():
    function = ag.to_graph(looks_up)
    np.testing.assert_array_equal(function.profile(X, 2).result, function(X, 2))
    with pytest.raises(IndexError):
        function.profile(X, 7)


def test_slices_that_reach_past_the_end():
    def cut(x, n):
        return np.sum(x[n : n + 3])

    function = ag.to_graph(cut)
    for n in (0, 2, 15):
        assert function.profile(X.ravel(), n).result == pytest.approx(cut(X.ravel(), n))


def test_methods():
    class Model:
        scale = 2.0

        @ag.to_graph
        def loss(self, x):
            return np.sum(np.sin(x) * self.scale)

    model = Model()
    assert model.loss.profile(X, repeat=2).result == model.loss(X)


def test_pictures(tmp_path):
    found = ag.to_graph(calls_python).profile(X)
    root = ElementTree.fromstring(found.svg())
    bars = [r for r in root.iter("{http://www.w3.org/2000/svg}rect") if r.get("height") == "16"]
    assert len(bars) == len(found.rows)
    assert float(bars[0].get("width")) == pytest.approx(160 * found.rows[0].share, abs=0.1)
    page = found._repr_html_()
    assert page.count("<tr>") == len(found.rows) + 1 and "pure_callback(sleeps, y, y)" in page
    found.save(tmp_path / "profile.svg")
    found.save(str(tmp_path / "profile.html"))
    assert (tmp_path / "profile.svg").read_text() == found.svg()
    assert page in (tmp_path / "profile.html").read_text()


@pytest.mark.parametrize("repeat", [0, -1, 1.0, True, "2", None])
def test_what_cannot_be_repeated(repeat):
    with pytest.raises(OptionError, match="AG0623"):
        ag.to_graph(calls).profile(X, repeat=repeat)


def test_not_where_nans_are_looked_for():
    with ag.debug.nans(), pytest.raises(OptionError, match="AG0623"):
        ag.to_graph(calls).profile(X)


def test_a_meter_gives_all_time_to_the_current_place(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    meter = Meter()

    def passes(seconds):
        now[0] += seconds

    meter.start()
    passes(1.0)
    meter.mark(1)
    passes(2.0)
    before = meter.enter()
    meter.mark(2)  # in a function that line 1 calls
    passes(4.0)
    meter.leave(before)
    passes(8.0)
    assert meter.kernel("k", lambda x: passes(x))(16.0) is None
    passes(32.0)
    meter.stop()
    assert meter.seconds == {0: 1.0, 1: 42.0, 2: 4.0, "k": 16.0}
    assert meter.counts == {1: 1, 2: 1, "k": 1} and meter.running == 63.0
