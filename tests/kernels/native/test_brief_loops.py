"""Loops of few trips are no vectors in machine code that is made quickly, and are once it is
optimised."""

import random

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels import making
from autograph.kernels.llvm.effort import brief_loops
from autograph.kernels.llvm.printer import print_apart
from autograph.kernels.mathematics import expanded
from autograph.kernels.native import compiler, tiers
from autograph.kernels.passes import as_lowered, strips, windows
from autograph.kernels.passes import host as host_passes
from tests.kernels.llvm.support import Native, host
from tests.kernels.native.test_tiers import bits, soon, the_tiers, tier, wait
from tests.kernels.passes.test_strips import random_rows
from tests.kernels.passes.test_windows import PROGRAMS
from tests.kernels.random_kernels import RandomKernel

__all__ = ["soon", "tier"]  # fixtures


def waves(x, y):
    a = np.sin(x) * y + np.exp(-x * x)
    return a / (1.0 + a * a), np.where(a > y, a, y)


@pytest.fixture
def texts(monkeypatch):
    """What LLVM gets, with whether a few passes will do, from now on."""
    found = []

    def noted(text, quickly=False, *args, **options):
        found.append((text, quickly))
        return plain(text, quickly, *args, **options)

    plain = compiler.optimised
    monkeypatch.setattr(compiler, "optimised", noted)
    return found


def of_kernels(texts):
    return [text for text, _ in texts if "define i32 @kernel(" in text]


def has_vectors(text):
    return " x double>" in text


def test_a_loop_of_few_trips_is_made_a_vector_once_its_kernel_is_optimised(tier, soon, texts):
    tier(tiers.AUTOMATIC)
    f, x = ag.to_graph(lambda x: waves(x, x + 1.0)), np.linspace(0.0, 3.0, 200)
    made = the_tiers(f, x)
    assert [has_vectors(text) for text in of_kernels(texts)] == [False]
    end, first = 100_000, f(x)
    while not made._is_asked and end:
        end -= 1
        assert all(np.array_equal(a, b) for a, b in zip(f(x), first))
    wait()
    assert made._code is not None
    assert [has_vectors(text) for text in of_kernels(texts)] == [False, True]
    assert all(np.array_equal(a, b) for a, b in zip(f(x), first))


def test_a_loop_of_many_trips_is_one_at_once(tier, texts):
    tier(tiers.QUICK)
    x = np.linspace(0.0, 3.0, 20_000)
    ag.to_graph(lambda x: waves(x, x + 1.0))(x)
    assert [has_vectors(text) for text in of_kernels(texts)] == [True]


def test_so_is_what_is_optimised_at_once(tier, texts):
    tier(tiers.OPTIMISED)
    x = np.linspace(0.0, 3.0, 200)
    ag.to_graph(lambda x: waves(x, x + 1.0))(x)
    assert [has_vectors(text) for text in of_kernels(texts)] == [True]


def test_few_trips_in_many_are_many(tier, texts):
    def steps(x, n=1000):
        for _ in range(n):
            x = 0.5 * x + 0.1 * x[::-1] * x
        return x

    tier(tiers.QUICK)
    ag.to_graph(steps)(np.linspace(0.0, 1.0, 100))
    assert [has_vectors(text) for text in of_kernels(texts)] == [True]


def test_of_unknown_lengths_those_of_the_first_call_tell(tier, texts, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_ANY_LENGTH", "")
    results, xs = [], [np.linspace(0.0, 3.0, n) for n in (50, 60, 70, 80, 30_000)]
    for name in (tiers.QUICK, tiers.OPTIMISED):
        tier(name)
        f = ag.to_graph(lambda x: waves(x, x + 1.0))
        results.append([[bits(v) for v in f(x)] for x in xs])
    assert results[0] == results[1]
    made = [text for text in of_kernels(texts) if "ag_parallel" in text]
    assert [has_vectors(text) for text in made] == [False, True]


@pytest.mark.parametrize("count", [3, 7, 8, 32, 50, 129, 600])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "int8"])
def test_sums_go_one_by_one_to_the_lanes_of_a_vector(tier, texts, count, dtype):
    def sums(x, y):
        for _ in range(2):
            x = x - y // 2
        least = np.min(x), np.max(x), np.argmax(x), np.any(x > y), np.all(x < y)
        return np.sum(x * y), np.prod(x), np.mean(x), x @ y, *least

    rng = np.random.default_rng(count)
    x, y = (rng.normal(size=(2, count)) * 4).astype(dtype)
    quick, optimised = both(tier, sums, x, y)
    assert quick == optimised
    assert not has_vectors(of_kernels(texts)[0])


def test_sums_of_trips_whose_number_only_the_run_knows_are_vectors_at_once(tier, texts):
    tier(tiers.QUICK)
    f = ag.to_graph(lambda x: np.sum(np.tanh(x) * x))
    f.lower(ag.ShapeDtypeStruct(("n",), float)).compile()(np.linspace(-1.0, 1.0, 50))
    assert [has_vectors(text) for text in of_kernels(texts)] == [True]


@pytest.mark.parametrize("seed", range(40))
def test_random_kernels_have_the_same_bits(seed):
    found = RandomKernel(seed, count=5 + 7 * seed, mode="vector" if seed % 3 else "parallel")
    kernel = expanded(found.kernel)
    loops = frozenset(brief_loops(kernel))
    whole, brief = print_apart(kernel, host()), print_apart(kernel, host(), loops)
    assert (whole == brief) == (not loops)
    results = []
    for text in (whole, brief):
        results.append(Native(found.kernel, text=text)(*found.inputs))
    (status, outputs), (same_status, same_outputs) = results
    assert status == same_status
    if not status:
        for a, b in zip(outputs, same_outputs):
            np.testing.assert_array_equal(a, b)


def test_random_kernels_have_such_loops():
    found = [RandomKernel(seed, count=5 + 7 * seed).kernel for seed in range(40)]
    assert sum(any(True for _ in brief_loops(expanded(k))) for k in found) > 5


# -- arrays that become smaller where a kernel is optimised ----------------------------------------


def both(tier, function, *args):
    """The bits of a function's results as it is made quickly, and as it is optimised."""
    found = []
    for name in (tiers.QUICK, tiers.OPTIMISED):
        tier(name)
        result = ag.to_graph(lambda *args: function(*args))(*args)
        found.append([bits(v) for v in (result if type(result) is tuple else (result,))])
    return found


@pytest.fixture
def small_enough(monkeypatch):
    """Arrays become smaller wherever that may be."""
    changes = {"_LEAST_BYTES": 64, "_STRIP_BYTES": 200, "_LEAST_STRIPS": 2, "_LEAST_TRIPS": 1}
    for name, value in changes.items():
        monkeypatch.setattr(strips, name, value)
    changes = {"_LEAST_SAVED": 1, "_MOST_AGAIN": 1.0, "_LEAST_PIECES": 1, "_MOST_PIECES": 5}
    for name, value in changes.items():
        monkeypatch.setattr(windows, name, value)


@pytest.fixture
def with_passes(monkeypatch):
    """Passes change all kernels that are made quickly, also those that are short."""
    monkeypatch.setattr(making, "is_short", lambda kernel: False)


@pytest.fixture(params=["with passes", "as lowered"])
def made(request, monkeypatch):
    """Passes change all kernels that are made quickly, or none that they may leave as they are."""
    if request.param == "as lowered":
        monkeypatch.setattr(as_lowered, "_WORTH", float("inf"))
    else:
        monkeypatch.setattr(making, "is_short", lambda kernel: False)


@pytest.fixture
def wholes(monkeypatch):
    """Whether what is optimised later is what would be at once, of kernels with another text."""
    found, plain = [], making.text_of

    def text_of(kernel, name, brief=False):
        made = plain(kernel, name, brief)
        if made.whole is not None:
            found.append(made.whole() == plain(kernel, name).llvm)
        return made

    monkeypatch.setattr(making, "text_of", text_of)
    return found


def program_of(text, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(text)
    names = {"np": np}
    exec(compile(text, str(file), "exec"), names)
    return names["program"]


@pytest.mark.parametrize("seed", range(12))
def test_random_rows_have_the_same_bits(seed, tier, small_enough, tmp_path, wholes, with_passes):
    program = program_of(random_rows(seed), tmp_path)
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, 12, 6))
    quick, optimised = both(tier, program, x, y, rng.normal(size=12))
    assert quick == optimised and all(wholes)


@pytest.mark.parametrize("seed", range(12))
def test_random_windows_have_the_same_bits(seed, tier, small_enough, tmp_path, wholes, with_passes):
    draw = random.Random(seed)
    rows = draw.randrange(8, 21)
    lines, result = PROGRAMS[seed % len(PROGRAMS)](draw, rows)
    body = "\n    ".join(lines)
    program = program_of(f"def program(x, y, a, b):\n    {body}\n    return {result}\n", tmp_path)
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, rows, 9))
    quick, optimised = both(tier, program, x, y, *rng.integers(0, 3, (2, 24)))
    assert quick == optimised and all(wholes)


def layers(x, w):
    """Arrays of 32 KiB, of which only a few rows are needed at a time, and sums of their rows."""
    y = np.tanh(x) * x
    z = y - np.max(y, axis=1, keepdims=True)
    e = np.exp(z)
    p = e / np.sum(e, axis=1, keepdims=True)
    return p @ w, np.sum(p * z), z[1:] * z[:-1]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_arrays_stay_as_large_as_they_are_until_a_kernel_is_optimised(
    tier, monkeypatch, dtype, wholes, with_passes
):
    found, brief = [], host_passes.finished_briefly
    monkeypatch.setattr(
        host_passes, "finished_briefly", lambda kernel: found.append(brief(kernel)) or found[-1]
    )
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(256, 32)).astype(dtype), rng.normal(size=(32, 5)).astype(dtype)
    function = lambda x, w: ag.value_and_grad(lambda x, w: np.sum(layers(x, w)[0]) ** 2)(x, w)
    quick, optimised = both(tier, function, x, w)
    assert quick == optimised
    assert found and found[0] is not None
    found.clear()
    quick, optimised = both(tier, layers, x, w)
    assert quick == optimised and found[0] is not None
    assert wholes and all(wholes)


def test_large_arrays_become_smaller_at_once(tier, monkeypatch):
    for module in (host_passes, as_lowered):
        monkeypatch.setattr(module, "NEAR", 1 << 15)
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(256, 32)), rng.normal(size=(32, 5))
    found, brief = [], host_passes.finished_briefly
    monkeypatch.setattr(
        host_passes, "finished_briefly", lambda kernel: found.append(brief(kernel)) or found[-1]
    )
    quick, optimised = both(tier, layers, x, w)
    assert quick == optimised and found == [None]
