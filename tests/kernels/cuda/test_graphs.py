"""Kernels of several launches as graphs of CUDA's, on a stand-in that holds calls to its rules."""

import logging
import threading

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda import graphs, launch, printer, workspace
from autograph.kernels.cuda.graphs import why_not
from autograph.kernels.cuda.plan import Scratch
from autograph.kernels.cuda.printer import print_cuda
from tests.kernels.cuda import hand_built
from tests.kernels.cuda.cupy_stand_in import on_device, on_host, stand_in
from tests.kernels.cuda.machine import ON_GPU

pytestmark = pytest.mark.skipif(ON_GPU, reason="it looks at what the stand-in has done")


@pytest.fixture
def each_launched(monkeypatch):
    """So many launches that a graph is worth it."""
    monkeypatch.setattr(printer, "of_all_blocks", lambda *_: None)


def heated(u, rate=0.1):
    for _ in range(4):
        u = u.copy()
        u[1:-1] += rate * (u[:-2] - 2 * u[1:-1] + u[2:])
    return u, np.sum(u**2)


def started(gpu):
    """How many graphs were started, and how large they are."""
    return [x[1] for x in gpu.cuda.log if isinstance(x, tuple) and x[0] == "graph"]


def same(found, expected):
    for x, y in zip(found, expected):
        np.testing.assert_allclose(on_host(x), y, rtol=1e-12)


X = np.random.default_rng(0).normal(size=5000)  # more than one block does


def test_the_second_call_with_the_same_memory_is_captured(gpu):
    f, x = ag.to_graph(heated), on_device(X)
    for calls in range(5):
        same(f(x), heated(X))
        assert len(started(gpu)) == calls
    assert len(gpu.launches) == 5 * (len(gpu.launches) // 5)  # a graph does what calls would do
    # Besides launches, the status and the counters of barriers are cleared.
    assert any(n - len(gpu.launches) // 5 in (0, 1, 2) for n in started(gpu))
    assert len(gpu.launches) >= 25


def test_what_changes_in_place_is_seen(gpu):
    f, x = ag.to_graph(heated), on_device(X)
    for k in range(4):
        x[...] = X * (k + 1)
        same(f(x), heated(X * (k + 1)))
    assert len(started(gpu)) == 3


def test_results_are_the_callers(gpu, each_launched):
    """Nothing that the caller holds is written again, by whatever runs later."""
    f, held = ag.to_graph(heated), []
    for k in range(20):
        held.append((k, f(on_device(X * k))))
    for k, found in held:
        same(found, heated(X * k))
    assert 5 < len(started(gpu)) < 20


def test_no_graph_reads_where_an_argument_was(gpu):
    """Each argument is garbage once its call has ended."""
    f, before = ag.to_graph(lambda u: heated(u)), on_device(X)
    for k in range(20):
        x = on_device(X * k)
        same(f(x), heated(X * k))
        before.fill(np.nan)
        before = x
    assert len(started(gpu)) > 5


def test_a_state_that_goes_around(gpu):
    f = ag.to_graph(heated)
    state, expected = on_device(X), X
    for _ in range(12):
        state, _ = f(state)
        expected, _ = heated(expected)
        np.testing.assert_allclose(on_host(state), expected, rtol=1e-11)
    assert len(started(gpu)) >= 6  # the state alternates between two places


def test_large_arrays_are_not_copied(gpu, monkeypatch):
    monkeypatch.setattr(graphs, "_BYTES_PER_LAUNCH", 100)
    f, held = ag.to_graph(heated), []
    for k in range(14):
        held.append(f(on_device(X * k)))
        same(held[-1], heated(X * k))
    assert not started(gpu)


@pytest.mark.parametrize(
    ("kernel", "reason"),
    [
        ("recurrence", ""),
        ("power_iteration", "no nodes"),
        ("selu", "it is one launch"),
        ("mean", ""),
    ],
)
def test_what_is_captured(kernel, reason):
    assert why_not(print_cuda(getattr(hand_built, kernel)()), "no nodes") == reason


def test_the_setting(gpu, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CUDA_GRAPHS", "0")
    f, x = ag.to_graph(lambda u: heated(u)), on_device(X)
    for _ in range(4):
        same(f(x), heated(X))
    assert not started(gpu)


@pytest.mark.costly
@pytest.mark.parametrize("forbidden", ["cudaMalloc", "cudaStreamSynchronize", "cuBLAS"])
def test_a_capture_that_fails_is_not_tried_again(gpu, monkeypatch, caplog, forbidden):
    """Whatever goes wrong, the call itself is right, and the log says why."""
    original, tried = launch.GpuDevice.launch, []

    def launched(self, *given):
        if self._is_captured:
            tried.append(1)
            gpu.cuda.forbid(forbidden)
        original(self, *given)

    monkeypatch.setattr(launch.GpuDevice, "launch", launched)
    f, x = ag.to_graph(lambda u: heated(u)), on_device(X)
    with caplog.at_level(logging.DEBUG, "autograph"):
        for _ in range(4):
            same(f(x), heated(X))
    assert len(tried) == 1 and not started(gpu) and not gpu.cuda.capturing
    (said,) = [r.message for r in caplog.records if "not captured as a graph" in r.message]
    assert forbidden in said


def test_memory_that_is_asked_for_late_is_there_before_the_capture(gpu):
    """A capture allows none to be allocated, and what was would be given to others after it."""
    u = np.tile(X, 4)
    f, x = ag.to_graph(lambda u: heated(u)), on_device(u)
    f(x)
    for each in list(workspace._all):
        for what in [x for x in each._blocks if isinstance(x, Scratch) and x.per == "block"]:
            del each._blocks[what]  # as if the first call had not asked
    for _ in range(3):
        same(f(x), heated(u))
        taken = [gpu.cuda.alloc(n) for n in (8, 512, 8192, 80_000)]  # by others
        del taken
    assert started(gpu)


def test_a_capture_without_memory_runs_as_before(gpu, monkeypatch):
    def fails(self, *given):
        raise MemoryError("there is no more")

    monkeypatch.setattr(launch.GpuDevice, "capture", fails)
    f, x = ag.to_graph(lambda u: heated(u)), on_device(X)
    for _ in range(3):
        before = len(gpu.launches)
        same(f(x), heated(X))
        assert len(gpu.launches) > before
    assert not started(gpu)


def test_memory_that_was_given_back_is_not_used(gpu):
    f, x = ag.to_graph(heated), on_device(X)
    for _ in range(3):
        same(f(x), heated(X))
    assert started(gpu)
    for each in list(workspace._all):
        each.release()
    for _ in range(3):
        same(f(x), heated(X))
        taken = [gpu.cuda.alloc(n) for n in (8, 512, 20_000, 20_448)]  # by others
        del taken


@pytest.mark.parametrize("gives_back", [True, False])
def test_where_memory_runs_out_what_others_keep_is_given_back(gpu, monkeypatch, gives_back):
    first, second = ag.to_graph(lambda u: heated(u)), ag.to_graph(lambda u: heated(u * 2.0))
    if not gives_back:
        monkeypatch.setattr(workspace, "release_idle", lambda: False)
    x = on_device(X)
    first(x)
    kept = sum(each.nbytes for each in list(workspace._all))
    before = len(gpu.launches)
    assert kept and before
    gpu.memory = 0  # what the first has given back is in the pool then
    same(second(x), heated(X * 2.0))
    assert (len(gpu.launches) > before) == gives_back


def test_all_together_keep_little(gpu, monkeypatch):
    monkeypatch.setattr(workspace, "MOST_KEPT", 50_000)
    functions = [lambda u: heated(u + 1.0), lambda u: heated(u + 2.0), lambda u: heated(u * 3.0)]
    for function in functions:
        f, x = ag.to_graph(function), on_device(X)
        for _ in range(2):
            same(f(x), function(X))
    assert sum(x.nbytes for x in list(workspace._all)) <= 50_000


def chosen(u, i):
    u = u.copy()
    for _ in range(3):
        u = u.copy()
        u[1:-1] += 0.1 * u[i][1:-1]
    return u, np.sum(u)


def test_what_gives_up_in_a_graph_runs_in_cupys_terms(gpu):
    u, i = X, np.random.default_rng(1).integers(0, len(X), len(X))
    f, x, places = ag.to_graph(chosen), on_device(u), on_device(i)
    for _ in range(3):
        same(f(x, places), chosen(u, i))
    before = len(started(gpu))
    assert before
    places[7] = len(X)
    with pytest.raises(IndexError):
        f(x, places)
    assert len(started(gpu)) == before + 1
    places[7] = 5
    i[7] = 5
    same(f(x, places), chosen(u, i))


def called_everywhere(gpu, call, times):
    """Call something that often in two threads, on another stream, and here."""
    failed = []

    def calls():
        try:
            for _ in range(times):
                call()
        except BaseException as error:
            failed.append(error)

    for _ in range(2):
        thread = threading.Thread(target=calls)
        thread.start()
        thread.join()
    gpu.cuda.current = gpu.cuda.stream(non_blocking=True)
    calls()
    gpu.cuda.current = gpu.cuda.null
    calls()
    assert not failed


def test_other_threads_and_streams_have_their_own(gpu):
    f, x = ag.to_graph(heated), on_device(X)
    called_everywhere(gpu, lambda: same(f(x), heated(X)), 3)
    assert len(started(gpu)) > 6


def settled(x):
    """Two launches, of which the first may never end."""
    u = ag.vmap(halved)(x)
    return u, np.sum(u * u) + np.max(np.roll(u, 1) * u)


def halved(x):
    while x > 1.0:
        x = x * 0.5
    return x


def ended_by_ctrl_c(gpu, function, calls, interrupts):
    """A graph of what `halved` begins, of which an element that it is given never ends; it is
    started again afterwards.

    Args:
        calls: after how many there is a graph that was started.
    """
    x = np.linspace(1.0, 1e6, 3000)
    f, given = ag.to_graph(lambda x: function(x)), on_device(x)
    for _ in range(calls):
        same(f(given), function(x))
    before = len(started(gpu))
    given[1000] = np.inf
    interrupts(lambda: len(started(gpu)) > before)
    with pytest.raises(KeyboardInterrupt):
        f(given)
    assert len(started(gpu)) == before + 1 > 1
    given[1000] = x[1000]
    same(f(given), function(x))


def test_ctrl_c_ends_a_graph(monkeypatch, interrupts):
    with stand_in(monkeypatch, asynchronous=True) as gpu:
        ended_by_ctrl_c(gpu, settled, 3, interrupts)
