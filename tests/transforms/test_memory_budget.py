"""Gradients whose loops keep within a budget of memory: the same to the last bit."""

import contextlib
import io
import subprocess
import sys
import textwrap
import tracemalloc

import numpy as np
import optree
import pytest

import autograph as ag
from autograph.errors import EndlessLoopError, OptionError
from autograph.graph.graph import walk
from autograph.transforms.reverse.budget import Within
from tests.support.tree import ROOT
from tests.transforms.programs import smooth_counted, smooth_uncounted
from tests.transforms.test_checkpointed_loops import PROGRAMS, X, nested, noisy, traced_call


def assert_identical(found, expected):
    for a, b in zip(optree.tree_leaves(found), optree.tree_leaves(expected), strict=True):
        assert type(a) is type(b)
        np.testing.assert_array_equal(a, b)


BOTH = [smooth_counted, smooth_uncounted]


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.numpy_program("a kernel that adds up in another order has another last bit")
@pytest.mark.parametrize("memory", [100_000, "1MiB"])
@pytest.mark.parametrize("function", PROGRAMS)
def test_the_gradient_is_the_same_to_the_last_bit(function, memory):
    plain, other = ag.value_and_grad(function), ag.value_and_grad(function, memory=memory)
    for n in (0, 1, 2, 5, 9):
        assert_identical(other(X, n), plain(X, n))


@pytest.mark.parametrize("function", BOTH)
@pytest.mark.parametrize("memory", [6_000, 9_000, 30_000])
def test_many_parts(function, memory):
    plain, other = ag.value_and_grad(function), ag.value_and_grad(function, memory=memory)
    for n in (0, 1, 2, 5, 50, 700):
        assert_identical(other(1.1, n), plain(1.1, n))
        assert_identical(other(X, n), plain(X, n))


def test_loops_in_loops():
    plain, other = ag.value_and_grad(nested), ag.value_and_grad(nested, memory=40_000)
    for n in (0, 1, 7, 30):
        assert_identical(other(0.01 * X, n), plain(0.01 * X, n))


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("memory", [6_000, 30_000])
@pytest.mark.parametrize("function", [smooth_counted, smooth_uncounted, nested])
def test_with_kernels(function, memory, with_and_without_kernels):
    f = lambda x, n: function(x, n)  # of which nothing is compiled yet
    memory = 10 * memory if function is nested else memory
    plain, other = ag.value_and_grad(f), ag.value_and_grad(f, memory=memory)
    for n in (0, 1, 30):
        assert_identical(other(0.01 * X, n), plain(0.01 * X, n))


def captured(w, n):
    x = 1.0
    while n > 0:
        x = np.tanh(np.sum(w * x)) + 0.1 * np.sum(w * w)
        n -= 1
    return x * np.sum(w) + np.sum(np.sin(w))


def test_sums_over_trips_are_added_up_in_the_same_order():
    """Of what a loop captures, together with what comes to it after the loop."""
    w = np.array([0.3, -0.2, 0.7])
    plain, other = ag.grad(captured), ag.grad(captured, memory=8_000)
    for n in (0, 1, 3, 100, 500):
        assert_identical(other(w, n), plain(w, n))
    step = 1e-6 * np.array([1.0, 2.0, -1.0])
    difference = (captured(w + step, 100) - captured(w - step, 100)) / 2
    np.testing.assert_allclose(other(w, 100) @ step, difference, rtol=1e-7)


def test_counts_of_no_trips():
    f = lambda x, counts: smooth_counted(x, counts[0])
    for counts in (np.array([-3]), np.array([0]), np.array([400], np.int32)):
        found = ag.grad(f, memory=6_000)(X, counts)
        assert_identical(found, ag.grad(f)(X, counts))


def test_several_loops_and_loops_of_called_functions():
    def descend(x, n):
        return descend(np.sin(x) + smooth_uncounted(x, n), n - 1) if n > 0 else x

    def f(x, n):
        y = smooth_counted(x, n) + smooth_uncounted(x, n)
        return y * np.sum(descend(x, n))

    for n in (0, 2, 9):
        assert_identical(ag.grad(f, memory=60_000)(X, n), ag.grad(f)(X, n))


# -- transforms ------------------------------------------------------------------------------------


def test_all_that_use_reverse_mode():
    f, n = smooth_uncounted, 60
    v = np.array([0.3, -1.0])
    memory = 40_000
    value, pull = ag.vjp(f, X, n, memory=memory)
    assert value == ag.to_graph(f)(X, n)
    for _ in range(2):
        assert_identical(pull(1.0)[0], ag.grad(f)(X, n))
    inner = ag.to_graph(lambda x: ag.vjp(f, x, n, memory=memory)[1](1.0)[0])
    assert_identical(inner(X), ag.grad(f)(X, n))
    rows = lambda x: np.array([f(x, n), np.sum(x)])
    np.testing.assert_allclose(ag.jacrev(rows, memory=memory)(X), ag.jacrev(rows)(X), rtol=1e-14)
    g = lambda x: f(x, n)
    np.testing.assert_allclose(ag.hessian(g, memory=memory)(X), ag.hessian(g)(X), rtol=1e-13)
    np.testing.assert_allclose(ag.hvp(g, memory=memory)(X, v), ag.hvp(g)(X, v), rtol=1e-13)


@pytest.mark.costly
@pytest.mark.parametrize("function", BOTH)
def test_second_and_third_derivatives(function):
    one = lambda x: np.sin(function(x, 12))
    plain = other = one
    for order in range(3):
        plain, other = ag.grad(plain), ag.grad(other, memory=(8_000, 60_000, 4_000_000)[order])
        np.testing.assert_allclose(other(1.1), plain(1.1), rtol=1e-12)
    ag.check_grads(ag.grad(one, memory=8_000), (1.1,), order=1)


@pytest.mark.parametrize("function", BOTH)
def test_lanes(function):
    xs = np.array([[0.1, 0.2], [0.7, 1.0], [2.0, 1.0]])
    counts = np.array([3, 0, 50])
    gradient = ag.grad(function, memory=20_000)
    expected = [ag.grad(function)(x, n) for x, n in zip(xs, counts)]
    np.testing.assert_allclose(ag.vmap(gradient)(xs, counts), expected, rtol=1e-14)
    total = lambda xs: np.sum(ag.vmap(function)(xs, counts))
    np.testing.assert_allclose(ag.grad(total, memory=20_000)(xs), expected, rtol=1e-14)


def test_lanes_in_a_kernel(monkeypatch):
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    xs, counts = np.linspace(0.1, 1.0, 40), np.arange(40) * 5
    gradient = ag.grad(smooth_uncounted, memory=10_000)
    expected = ag.vmap(ag.grad(smooth_uncounted))(xs, counts)
    np.testing.assert_allclose(ag.vmap(gradient)(xs, counts), expected, rtol=1e-14)


def test_effects_happen_once():
    plain, other = ag.value_and_grad(noisy), ag.value_and_grad(noisy, memory=60_000)
    expected, found = traced_call(plain, X, 40), traced_call(other, X, 40)
    assert "up" in expected[1]
    assert found[1:] == expected[1:]
    assert_identical(found[0], expected[0])


def test_an_inner_choice_holds():
    """A loop with checkpoints of its own has no budget."""

    def f(x, n):
        return ag.checkpoint(smooth_counted, loops=3)(x, n) + smooth_counted(x, n)

    specs = []
    for node in walk(ag.grad(f, memory="1MiB").graph(X, 5).main):
        if "loop" in node.op.name and "within" not in node.attrs:
            specs.append(node.attrs.get("checkpoint"))
    assert 3 in specs
    assert_identical(ag.grad(f, memory="1MiB")(X, 9), ag.grad(f)(X, 9))


def test_a_short_loop_of_known_length_is_as_without_a_budget():
    f = lambda x: smooth_counted(x, 30)
    assert str(ag.grad(f, memory="1MiB").program(X)) == str(ag.grad(f).program(X))
    assert str(ag.grad(f, memory=4_000).program(X)) != str(ag.grad(f).program(X))


# -- work ------------------------------------------------------------------------------------------


class Counter:
    """Counts the runs of a loop's body."""

    def __init__(self):
        self.runs = 0

    def next(self, k):
        self.runs += 1
        return np.int64(k + 1)


def counting(counter):
    def f(x, n):
        k = np.int64(0)
        while k < n:
            k = ag.pure_callback(counter.next, np.int64(0), k)
            x = x + 0.001 * np.sin(x)
        return x

    def g(x, n):
        k = np.int64(0)
        for _ in range(n):
            k = ag.pure_callback(counter.next, np.int64(0), k)
            x = x + 0.001 * np.sin(x) * k
        return x

    return f, g


def chosen(gradient, *args):
    ((_, within),) = gradient.explain(*args).budgets
    return within


@pytest.mark.parametrize("which", [0, 1])
def test_trips_are_made_again_as_often_as_explain_says(which):
    """At most: once up to so many, twice up to more."""
    counter = Counter()
    gradient = ag.grad(counting(counter)[which], memory=8_000)
    within = chosen(gradient, 1.0, 5)
    assert within.trips > 3 and within.states > 3
    gradient(1.0, 2)
    for again in range(4):
        n = within.most(again)
        for trips in (n - 1, n):
            counter.runs = 0
            gradient(1.0, trips)
            assert trips <= counter.runs <= (1 + again) * trips
    counter.runs = 0
    gradient(1.0, within.most(1) + 1)
    assert counter.runs > within.most(1) + 1


def test_a_million_trips_within_a_hundredth_are_made_again_at_most_twice():
    plain_bytes = 16 * 10**6  # in native code: the record and one float
    for function in BOTH:
        gradient = ag.grad(function, memory=plain_bytes // 100)
        assert chosen(gradient, 1.0, 5).most(2) >= 10**6
    gradient = ag.grad(smooth_uncounted, memory="100MB")
    assert chosen(gradient, np.ones(125_000), 5).most(2) >= 10**4  # states of 1 MB


def test_the_bound_is_that_of_binomials():
    within = Within(0, 10, 4, 0, 0, None)
    assert [within.most(r) for r in range(4)] == [10, 50, 150, 350]


# -- memory ----------------------------------------------------------------------------------------


def peak(function, *args):
    function(*args)
    tracemalloc.start()
    try:
        function(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.costly
@pytest.mark.numpy_program("tracemalloc does not see the memory of kernels")
@pytest.mark.parametrize("function", BOTH)
def test_memory_is_within_the_budget(function):
    x = np.linspace(0.0, 1.0, 5000)
    assert peak(ag.grad(function), x, 400) > 400 * x.nbytes
    for states in (20, 60):
        gradient = ag.grad(function, memory=states * x.nbytes)
        for n in (10, 100, 400):
            assert peak(gradient, x, n) < (states + 6) * x.nbytes  # and what is worked with


@pytest.mark.numpy_program("tracemalloc does not see the memory of kernels")
@pytest.mark.parametrize("function", BOTH)
def test_memory_of_numbers_is_within_the_budget(function):
    assert peak(ag.grad(function), 1.0, 3000) > 100_000  # without, it keeps all trips
    assert peak(ag.grad(function, memory=30_000), 1.0, 3000) < 40_000


@pytest.mark.slow
@pytest.mark.numpy_program("tracemalloc does not see the memory of kernels")
def test_memory_of_loops_in_loops_is_within_the_budget():
    def f(x, n, m):
        i = 0
        while i < n:
            for _ in range(m):
                x = x + 0.001 * np.sin(x)
            x = np.cos(x)
            i += 1
        return np.sum(x)

    x = np.linspace(0.0, 1.0, 5000)
    assert peak(ag.grad(f), x, 20, 20) > 400 * x.nbytes
    for n, m in ((20, 20), (3, 130), (130, 3)):
        assert peak(ag.grad(f, memory=80 * x.nbytes), x, n, m) < 90 * x.nbytes


@pytest.mark.slow
@pytest.mark.numpy_program("tracemalloc does not see the memory of kernels")
def test_memory_of_lanes_is_within_the_budget():
    """Also where only the run knows how many of them a trip is for."""
    xs = np.linspace(0.0, 1.0, 20_000)
    counts = np.arange(20_000) % 200
    total = lambda xs, counts: np.sum(ag.vmap(smooth_uncounted)(xs, counts))
    assert peak(ag.vmap(ag.grad(smooth_uncounted)), xs, counts) > 30_000_000
    for gradient in (
        ag.vmap(ag.grad(smooth_uncounted, memory="6MB")),
        ag.grad(total, memory="6MB"),
    ):
        assert peak(gradient, xs, counts) < 6_000_000 + 10 * xs.nbytes


@pytest.mark.numpy_program("tracemalloc does not see the memory of kernels")
def test_memory_of_a_hessian_vector_product():
    x = np.linspace(0.0, 1.0, 5000)
    product = ag.hvp(smooth_uncounted, memory=40 * x.nbytes)
    call = lambda n: product(x, n, x)
    assert peak(call, 200) < 2 * 46 * x.nbytes


_PROCESS = """
import sys
import numpy as np
import autograph as ag
from benchmarks.loop_memory import forget_peak, size
from tests.transforms.programs import smooth_uncounted

gradient = ag.grad(smooth_uncounted, memory={memory!r})
x = np.ones({size}) if {size} else 1.0
gradient(x, 5)
before = forget_peak()
gradient(x, {trips})
print(size("VmHWM") - before)
"""


@pytest.mark.costly
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("size", "trips", "memory"),
    [
        (0, 10**6, "2MB"),
        pytest.param(0, 10**7, "5MB", marks=pytest.mark.slow),
        (10_000, 3_000, "24MB"),
    ],
)
def test_a_process_grows_no_further(size, trips, memory):
    """With kernels. Without a budget these take 16 MB, 160 MB and 240 MB."""
    source = textwrap.dedent(_PROCESS).format(size=size, trips=trips, memory=memory)
    run = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert int(run.stdout) < int(memory[:-2]) * 10**6 + 2**21  # of the process


# -- what explain says -----------------------------------------------------------------------------


def test_explain_says_what_was_chosen():
    report = str(ag.grad(smooth_uncounted, memory="64KiB").explain(1.0, 10))
    lines = report[report.index("budget of the loop at programs.py:") :].splitlines()
    assert lines[0].endswith(": 64 KiB")
    assert lines[1].startswith("  kept at a time")
    assert [line.rpartition("made again ")[2] for line in lines[3:7]] == [
        *("never", "once", "twice", "3 times")
    ]


def test_explain_of_a_known_number_of_trips():
    f = lambda x: smooth_counted(x, 2000)
    report = str(ag.grad(f, memory="64KiB").explain(1.0))
    assert "  2000 trips      made again at most once" in report
    assert "budget of" not in str(ag.grad(f, memory="64MiB").explain(1.0))
    assert ag.grad(f).explain(1.0).budgets == []


# -- options ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [("512MiB", 2**29), ("2GB", 2 * 10**9), ("1.5 kB", 1500), ("1e3", None), ("100B", 100)],
)
def test_texts(text, number):
    if number is None:
        with pytest.raises(OptionError, match="AG0580"):
            ag.grad(smooth_counted, memory=text)
        return
    assert ag.grad(smooth_counted, memory=text) is ag.grad(smooth_counted, memory=number)


@pytest.mark.parametrize("memory", ["1 parsec", "", "-1MB", -1, 0, 2.5, True, b"1MB", "1 MiBi"])
@pytest.mark.parametrize("transform", [ag.grad, ag.value_and_grad, ag.jacrev, ag.hessian, ag.hvp])
def test_other_budgets_are_refused(transform, memory):
    with pytest.raises(OptionError, match="AG0580"):
        transform(smooth_counted, memory=memory)
    with pytest.raises(OptionError, match="AG0580"):
        ag.vjp(smooth_counted, X, 3, memory=memory)


def test_a_budget_that_is_too_little():
    gradient = ag.grad(smooth_uncounted, memory=10_000)
    with pytest.raises(OptionError, match=r"AG0580.*\n.*programs\.py") as raised:
        gradient(np.ones(1000), 5)
    assert "while i < n:" in str(raised.value)
    least = int(str(raised.value).split("give at least ")[1].split()[0])
    enough = ag.grad(smooth_uncounted, memory=least)
    assert_identical(enough(np.ones(1000), 50), ag.grad(smooth_uncounted)(np.ones(1000), 50))
    with pytest.raises(OptionError, match="AG0580"):
        ag.grad(smooth_uncounted, memory=least - 1)(np.ones(1000), 5)


def test_a_budget_is_part_of_what_is_compiled():
    first, second = (ag.grad(smooth_uncounted, memory=m) for m in (10_000, 20_000))
    assert first is not second
    assert chosen(first, 1.0, 3) != chosen(second, 1.0, 3)
    with contextlib.redirect_stdout(io.StringIO()):
        assert ag.grad(smooth_uncounted) is not first


# -- loops without an end --------------------------------------------------------------------------


def settles(x):
    while np.sum(x) >= 0.0:
        x = x * x
    return np.sum(x)


def becomes_nan(x):
    while not np.all(x > 10.0):
        x = np.where(x > 1.0, np.sqrt(x - 2.0), x + 0.25)
    return np.sum(x)


@pytest.mark.parametrize("function", [settles, becomes_nan])
@pytest.mark.parametrize("start", [0.75, np.array([0.75, 0.5])])
def test_a_loop_that_changes_nothing_any_more_is_named(function, start, with_and_without_kernels):
    f = lambda x: function(x)
    with (
        pytest.raises(EndlessLoopError, match=r"AG0624.*does not end") as raised,
        np.errstate(all="ignore"),
    ):
        ag.grad(f, memory="10kB")(start)
    assert "while" in str(raised.value)
    assert isinstance(raised.value, RuntimeError)


def test_a_loop_in_a_loop_is_not_looked_at():
    """It would have to raise, and so keep the loop around it from being one kernel."""
    texts = [str(ag.grad(f, memory="60kB").graph(X, 5)) for f in (nested, smooth_uncounted)]
    assert ["does not end" in text for text in texts] == [False, True]
    assert ["logical_not" in text for text in texts] == [False, True]


def test_a_loop_that_rests_for_a_while_goes_on():
    def rests(x):
        n = 0
        while n < 5000:
            if n > 4990:
                x = 1.5 * x
            n += 1
        return x

    assert ag.grad(rests, memory="10kB")(1.0) == ag.grad(rests)(1.0) == 1.5**9


def test_a_loop_that_something_else_ends_goes_on():
    def waits(x):
        while ag.io_callback(lambda: next(answers), np.bool_(True)):
            x = 1.0 * x
        return x * x

    answers = iter([True] * 1000 + [False])
    assert ag.grad(waits, memory="20kB")(3.0) == 6.0
