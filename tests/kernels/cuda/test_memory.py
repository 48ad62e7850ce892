"""Arrays of a kernel's own in one block: those that live at the same time lie apart."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda.memory import _lives, _numbered, alone_bytes, described
from autograph.kernels.cuda.plan import ALIGNMENT
from autograph.kernels.cuda.printer import print_cuda
from tests.kernels.cuda import hand_built
from tests.kernels.cuda.cupy_stand_in import on_device, on_host, stand_in
from tests.kernels.cuda.machine import ON_GPU


def plan_of(function, *args):
    (kernel,) = [x.kernel for x in ag.to_graph(function).kernels(*args).values()]
    return print_cuda(kernel)


def overlapping(plan):
    """Pairs of arrays that share bytes, and whether they live at the same time."""
    arrays = [x for x in plan.arena if x.size != 1]
    lives = _lives(plan.steps, set(arrays))
    for k, x in enumerate(arrays):
        for y in arrays[:k]:
            at, other = plan.arena[x], plan.arena[y]
            if at < other + y.nbytes and other < at + x.nbytes:
                (first, last), (since, until) = lives[x], lives[y]
                yield x, y, first <= until and since <= last


def layers(w1, w2, w3, x, y):
    h = np.tanh(x @ w1)
    h = np.tanh(h @ w2)
    return np.mean((h @ w3 - y) ** 2)


def of_layers(rows=64, width=40):
    rng = np.random.default_rng(0)
    shapes = (30, width), (width, width), (width, 5), (rows, 30), (rows, 5)
    return [rng.normal(size=n) for n in shapes]


def recurrent(w, u, x, h):
    for t in range(len(x)):
        h = np.tanh(h @ w + x[t] @ u)
    return np.sum(h**2)


def of_recurrent():
    rng = np.random.default_rng(0)
    return [0.1 * rng.normal(size=n) for n in ((90, 90), (20, 90), (7, 64, 20), (64, 90))]


PROGRAMS = {
    "layers": (ag.grad(layers, (0, 1, 2)), of_layers()),
    "recurrent": (ag.grad(recurrent, (0, 1)), of_recurrent()),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_lives_at_the_same_time_lies_apart(name):
    function, args = PROGRAMS[name]
    plan = plan_of(function, *args)
    pairs = list(overlapping(plan))
    assert pairs and not any(both for _, _, both in pairs)
    assert all(place % ALIGNMENT == 0 for x, place in plan.arena.items() if x.size != 1)
    assert all(place + x.nbytes <= plan.arena_bytes for x, place in plan.arena.items())
    assert plan.arena_bytes < alone_bytes(plan)


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_right(name, monkeypatch):
    function, args = PROGRAMS[name]
    with stand_in(monkeypatch) as gpu:
        found = function(*map(on_device, args))
        assert gpu.launches
    for one, expected in zip(found, function(*args)):
        np.testing.assert_allclose(on_host(one), expected, rtol=1e-10, atol=1e-12)


def test_half_of_the_memory_of_three_layers():
    plan = plan_of(ag.grad(layers, (0, 1, 2)), *of_layers())
    assert plan.arena_bytes <= 0.55 * alone_bytes(plan)


def test_what_a_trip_leaves_to_the_next_is_kept():
    """An array that a loop of the host's touches lives as long as the loop."""
    plan = print_cuda(hand_built.recurrence(3))
    steps = _numbered(plan.steps)
    inside = [x for x in steps if x.loop]
    assert inside
    arrays = {x for x in plan.arena if x.size != 1}
    lives = _lives(plan.steps, arrays)
    for step in inside:
        for buffer in step.buffers:
            if buffer in arrays:
                first, last = lives[buffer]
                assert first <= step.loop[0] and last >= step.loop[1]


def test_results_and_arguments_are_not_in_the_block():
    plan = plan_of(ag.grad(layers, (0, 1, 2)), *of_layers())
    assert not plan.arena.keys() & {*plan.kernel.inputs, *plan.kernel.outputs}


def test_numbers_keep_their_places():
    """The host may read them after any launch."""
    plan = plan_of(ag.grad(recurrent, (0, 1)), *of_recurrent())
    numbers = [x for x in plan.arena if x.size == 1]
    arrays = [x for x in plan.arena if x.size != 1]
    places = [plan.arena[x] for x in numbers]
    assert len(set(places)) == len(numbers) > 1 and all(p % 8 == 0 for p in places)
    assert min(places) >= max(plan.arena[x] + x.nbytes for x in arrays)


def test_the_plan_is_printed():
    plan = plan_of(ag.grad(layers, (0, 1, 2)), *of_layers())
    text = described(plan)
    first = text.splitlines()[0]
    assert f"{plan.arena_bytes:,} bytes" in first and f"{alone_bytes(plan):,}" in first
    assert text.count("a product") == 8 and "h: float64[2560]" in text
    assert described(print_cuda(hand_built.selu())) == ""


@pytest.mark.skipif(ON_GPU, reason="it looks at what the stand-in's program explains")
def test_explain_says_what_is_shared(monkeypatch):
    with stand_in(monkeypatch):
        f, args = ag.grad(layers, (0, 1, 2)), list(map(on_device, of_layers()))
        (explained,) = f.explain(*args).kernels
        plan = plan_of(ag.grad(layers, (0, 1, 2)), *of_layers())
        assert (explained.own, explained.unshared) == (plan.arena_bytes, alone_bytes(plan))
        assert "if arrays did not share it" in str(f.explain(*args))
        assert "memory of its own: " in str(f.kernels(*args))
