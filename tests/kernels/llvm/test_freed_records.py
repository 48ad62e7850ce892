"""Records that a loop in a kernel makes for the trip only are freed at its end."""

import ctypes

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels.native import available
from autograph.kernels.native.runtime import runtime
from tests.kernels.native.test_runtime import Arena, function

if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)

X = np.linspace(0.0, 1.0, 5000)


def counted(x, n):
    for _ in range(n):
        x = x + 0.001 * np.sin(x)
    return np.sum(x)


def uncounted(x, n):
    i = 0
    while i < n:
        x = x + 0.001 * np.sin(x)
        i += 1
    return np.sum(x)


def branching(x, n):
    i = 0
    while i < n:
        if i % 3 == 1:
            x = x * np.cos(0.01 * x)
        else:
            for _ in range(i % 4):
                x = x + 0.001 * np.sin(x)
        i += 1
    return np.sum(x * x)


def kept(compiled, *args):
    """The memory that a call takes for itself, in arrays like `X`."""
    compiled(*args)
    runtime().trim()
    compiled(*args)
    return runtime().memory_kept / X.nbytes


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("made", [counted, uncounted])
def test_checkpointed_loops_need_little_memory(made):
    assert kept(ag.grad(made), X, 400) > 400
    for loops, most in [(4, 24), ("log", 40), ("sqrt", 120)]:
        gradient = ag.grad(ag.checkpoint(made, loops=loops))
        assert len(gradient.kernels(X, 400)) == 1
        assert kept(gradient, X, 400) < most


@pytest.mark.costly
@pytest.mark.parametrize("loops", [1, 3, "sqrt", "log"])
@pytest.mark.parametrize("made", [counted, uncounted, branching])
def test_their_gradients_are_right(made, loops):
    plain, checkpointed = ag.grad(made), ag.grad(ag.checkpoint(made, loops=loops))
    for n in (0, 1, 2, 9, 40):
        np.testing.assert_allclose(checkpointed(X, n), plain(X, n), rtol=1e-12)


@pytest.mark.costly
@pytest.mark.parametrize("loops", [pytest.param(1, marks=pytest.mark.slow), 3, "sqrt"])
def test_their_second_derivatives_are_right(loops):
    def second(function):
        return ag.grad(lambda x, n: np.sum(ag.grad(function)(x, n) ** 2))

    checkpointed, few = ag.checkpoint(uncounted, loops=loops), X[::500]
    for n in (0, 1, 9):
        wanted = second(uncounted)(few, n)
        np.testing.assert_allclose(second(checkpointed)(few, n), wanted, rtol=1e-11)


def loss(w, x):
    s = w
    for _ in range(20):
        s = s + 0.01 * np.sin(s * x)
    return np.sum(s * s)


@ag.to_graph
def trained(w, x, n):
    for _ in range(n):
        w = w - 0.001 * ag.grad(loss)(w, x)
    return w


def test_training_steps_take_the_memory_of_one():
    assert len(trained.kernels(X, X, 3)) == 1
    assert kept(trained, X, X, 300) < 2 * kept(trained, X, X, 1) + 16
    by_hand = X
    for _ in range(5):
        by_hand = by_hand - 0.001 * ag.grad(loss)(by_hand, X)
    np.testing.assert_allclose(trained(X, X, 5), by_hand, rtol=1e-13)


# -- the arena -------------------------------------------------------------------------------------


@pytest.fixture
def arena():
    made = Arena()
    yield made
    function("ag_release", None, ctypes.POINTER(Arena))(made)
    runtime().trim()


def reserve(arena, nbytes):
    given = function("ag_reserve", ctypes.c_int64, ctypes.POINTER(Arena), ctypes.c_int64)
    return given(arena, nbytes)


def rewind_to(arena, mark, newest=0, nbytes=0):
    types = (ctypes.POINTER(Arena), *(ctypes.c_int64,) * 4)
    function("ag_rewind_to", None, *types)(arena, *mark, newest, nbytes)


@pytest.mark.parametrize("nbytes", [8, 4096, 200_000])
def test_back_to_a_mark(arena, nbytes):
    before = reserve(arena, nbytes)
    ctypes.memset(before, 7, nbytes)
    mark = arena.cursor, arena.block
    pieces = [reserve(arena, nbytes) for _ in range(50)]
    rewind_to(arena, mark)
    assert (arena.cursor, arena.block) == mark
    again = [reserve(arena, nbytes) for _ in range(50)]
    assert again[0] == pieces[0] or nbytes == 200_000
    for piece in again:
        ctypes.memset(piece, 9, nbytes)
    assert ctypes.string_at(before, nbytes) == bytes([7]) * nbytes


@pytest.mark.parametrize("nbytes", [8, 4096, 200_000])
@pytest.mark.parametrize("which", [0, 1, 24, 49])
def test_a_record_and_what_is_older_stay(arena, nbytes, which):
    reserve(arena, 64)
    mark = arena.cursor, arena.block
    pieces = [reserve(arena, nbytes) for _ in range(50)]
    for piece in pieces[: which + 1]:
        ctypes.memset(piece, 7, nbytes)
    rewind_to(arena, mark, pieces[which], nbytes)
    for _ in range(100):
        ctypes.memset(reserve(arena, nbytes), 9, nbytes)
    for piece in pieces[: which + 1]:
        assert ctypes.string_at(piece, nbytes) == bytes([7]) * nbytes


def test_a_record_from_before_the_mark_is_no_newer(arena):
    first = reserve(arena, 64)
    mark = arena.cursor, arena.block
    for _ in range(3):
        for _ in range(100):
            reserve(arena, 4096)
        rewind_to(arena, mark, first, 64)
        assert (arena.cursor, arena.block) == mark


def test_back_to_the_beginning(arena):
    rewind_to(arena, (0, 0))
    assert bytes(arena) == bytes(40)
    for _ in range(100):
        reserve(arena, 4096)
    rewind_to(arena, (0, 0))
    largest = arena.block
    assert arena.cursor == largest + 64
    rewind_to(arena, (0, 0))
    assert arena.block == largest
