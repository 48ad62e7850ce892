"""Loops in order of short steps that all blocks run, which wait for each other."""

import re

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda import compile as nvrtc
from autograph.kernels.cuda import together
from autograph.kernels.cuda.plan import Launch, Repeat
from autograph.kernels.cuda.told import described
from tests.kernels.cuda.cupy_stand_in import on_device, on_host
from tests.kernels.cuda.machine import ON_GPU, PLACE, Unit, execute
from tests.kernels.cuda.registers import ARCHITECTURES, kernel_of, used_by


def heat(x):
    """Elements that need their neighbours' last values, and a number that needs them all."""
    x = x + 1
    for _ in range(6):
        x[1:-1] = x[1:-1] + 0.1 * (x[2:] - 2 * x[1:-1] + x[:-2])
        x = x / np.max(np.abs(x))
    return x


def sums(x):
    """Results of blocks that are added up in their order."""
    total = 0.0
    for _ in range(5):
        total = total / 2 + np.sum(x)
        x = x * 0.5 + total * 1e-3
    return x


def rows(x):
    """Blocks and warps that have rows."""
    for _ in range(4):
        x = x - np.mean(x, axis=1, keepdims=True) * x
    return x


def nested(x):
    for i in range(3):
        for j in range(2):
            x = np.roll(x, 1) * (i + 1) + j
        x = x / 2
    return x


CASES = {
    heat: (20_000,),
    sums: (30_000,),
    rows: (40, 300),
    nested: (9000,),
}


def settles(x):
    """Until nothing changes much: nobody knows how many trips."""
    change, count = 1.0, 0
    while change > 1e-2:
        y = (np.roll(x, 1) + np.roll(x, -1)) * 0.25 + 0.5 * x
        change, x, count = np.max(np.abs(y - x)), y, count + 1
    return x * count


def loops_of(printed):
    return [x for x in printed.steps if isinstance(x, Repeat)]


@pytest.mark.costly
@pytest.mark.parametrize("program", CASES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_results_are_the_same_on_any_grid(program, dtype):
    shape = CASES[program]
    printed = kernel_of(program, *shape, dtype=dtype)
    (loop,) = loops_of(printed)
    (step,) = loop.steps
    assert isinstance(step, Launch) and step.entry.together
    x = np.random.default_rng(0).uniform(1, 2, shape).astype(dtype)
    unit, results = Unit([printed]), set()
    for blocks, seed in ((1, 1), (2, 2), (3, 3), (6, 4), (6, 5)):
        found = np.zeros(x.size, dtype)
        execute(unit, printed, [x], [found], blocks=blocks, seed=seed)
        results.add(found.tobytes())
    assert len(results) == 1
    tolerance = 1e-4 if dtype == np.float32 else 1e-11
    np.testing.assert_allclose(found, program(x.copy()).reshape(-1), tolerance, tolerance)


@pytest.mark.skipif(PLACE != "", reason="it is about the text, and a GPU does not tell")
def test_each_barrier_is_needed():
    printed = kernel_of(heat, 20_000)
    text, x = printed.text, np.ones(20_000)
    waits = [m.start() for m in re.finditer(r"wait_for_blocks\(arrived", text)]
    assert len(waits) == 5
    for place in waits:
        printed.text = f"{text[:place]}passed += 0; //{text[place:]}"
        with pytest.raises(AssertionError, match="a data race in heat_loop"):
            execute(Unit([printed]), printed, [x], [np.zeros(20_000)])


@pytest.mark.skipif(ON_GPU, reason="it says so in other words")
def test_more_blocks_than_run_at_once_are_refused():
    printed = kernel_of(heat, 20_000)
    (loop,) = loops_of(printed)
    loop.steps[0].ordered = True  # as many as have something to do
    with pytest.raises(AssertionError, match="blocks run at once"):
        execute(Unit([printed]), printed, [np.ones(20_000)], [np.zeros(20_000)])


def test_no_memory_is_read_that_is_taken_for_constant():
    """What one function of the loop writes, another one reads: not through the cache for constants,
    which `__restrict__` allows."""
    text = kernel_of(heat, 20_000).text
    start = text.index("static __device__ inline void heat_kernel")  # the first in the loop
    assert "const double *__restrict__" in text[:start]
    assert "const double *__restrict__" not in text[start:]
    if nvrtc.available():
        _, entry, *_ = re.split(r"\.entry (?=\w+_loop)", nvrtc.ptx(text, "sm_90"))
        entry = entry.split(".entry")[0]
        assert "ld.global.f64" in entry and "ld.global.nc.f64" not in entry


@pytest.mark.slow
def test_launches(gpu, monkeypatch):
    """In pieces, of any number of trips, again and again, and in graphs."""
    monkeypatch.setattr(together, "_MOST_TRIPS", 4)

    def steps(x, n):
        for k in range(n):
            x = np.roll(x, 1) * 0.5 + k
        return x

    f, x = ag.to_graph(steps), np.random.default_rng(0).standard_normal(9000)
    for n, times in ((0, 0), (1, 1), (4, 1), (5, 2), (11, 3)):
        before = len(gpu.launches)
        np.testing.assert_allclose(on_host(f(on_device(x), n)), steps(x, n), rtol=1e-12)
        assert sum("loop" in name for name in gpu.launches[before:]) == times
    for _ in range(3):
        np.testing.assert_allclose(on_host(f(on_device(x), 11)), steps(x, 11), rtol=1e-12)

    g, y = ag.to_graph(lambda x: heat(x)), on_device(x)
    for _ in range(5):
        np.testing.assert_allclose(on_host(g(y)), heat(x), rtol=1e-10)


@pytest.mark.costly
@pytest.mark.parametrize("most", [1, 3, 1024])
def test_until_nothing_changes(gpu, monkeypatch, most):
    """A launch ends after so many trips, and the next one goes on; in a graph, too."""
    monkeypatch.setattr(together, "_MOST_TRIPS", most)
    f = ag.to_graph(lambda x: settles(x))  # anew
    x = np.random.default_rng(0).uniform(0, 0.1, 10_000)
    trips = round(settles(x).sum() / x.sum())  # what it returns is as many times the sum
    y = on_device(x)
    before = len(gpu.launches)
    np.testing.assert_allclose(on_host(f(y)), settles(x), rtol=1e-12)
    loops = [name for name in gpu.launches[before:] if "loop" in name]
    assert len(loops) == -(-trips // most)
    for _ in range(2):
        np.testing.assert_allclose(on_host(f(y)), settles(x), rtol=1e-12)
    np.testing.assert_array_equal(on_host(f(on_device(x * 0))), x * 0)


def test_a_condition_on_any_grid():
    printed = kernel_of(settles, 10_000)
    assert "while: all blocks run it" in described(printed)
    x, results = np.random.default_rng(0).uniform(0, 0.1, 10_000), set()
    unit = Unit([printed])
    for blocks, seed in ((1, 1), (3, 3), (6, 4)):
        found = np.zeros(10_000)
        execute(unit, printed, [x], [found], blocks=blocks, seed=seed)
        results.add(found.tobytes())
    assert len(results) == 1
    np.testing.assert_allclose(found, settles(x), rtol=1e-12)


def test_checks(gpu):
    """A block that gives up does not keep others waiting."""

    def picked(x, places):
        for k in range(5):
            x = x[places] * 0.5 + k
        return x

    f, x = ag.to_graph(picked), np.random.default_rng(0).standard_normal(9000)
    places = np.random.default_rng(1).integers(0, 9000, 9000)
    before = len(gpu.launches)
    np.testing.assert_allclose(on_host(f(on_device(x), on_device(places))), picked(x, places))
    assert any("loop" in name for name in gpu.launches[before:])
    places[4321] = 9000
    with pytest.raises(IndexError):
        f(on_device(x), on_device(places))


def test_gradients(gpu):
    f = ag.grad(lambda x: np.sum(nested(x) ** 2))
    x = np.random.default_rng(0).standard_normal(5000)
    np.testing.assert_allclose(on_host(f(on_device(x))), f(x), rtol=1e-10)


def test_long_steps_are_launched():
    def long(x):
        for _ in range(5):
            x = np.exp(np.roll(x, 1))
        return x

    printed = kernel_of(long, 10**7)
    (loop,) = loops_of(printed)
    assert not any(x.entry.together for x in loop.steps if isinstance(x, Launch))
    assert "each trip is launched" in described(printed)


def test_what_is_told():
    told = described(kernel_of(heat, 20_000))
    assert "for of 6 trips: all blocks run it, and wait for each other, since a loop in it" in told


@pytest.mark.costly
@pytest.mark.skipif(not nvrtc.available(), reason="CuPy or NVRTC is not installed")
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_registers(architecture):
    """Four blocks of a multiprocessor run at once, at least."""
    for program, shape in CASES.items():
        for entry, used in used_by(kernel_of(program, *shape), architecture):
            if entry.together:
                assert used.spilled == used.stack == 0, (entry.name, used)
                assert used.registers <= 64 and used.shared <= 48 * 1024, (entry.name, used)
