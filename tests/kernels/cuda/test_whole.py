"""Programs as graphs of CUDA's as a whole, on a stand-in that holds calls to its rules."""

import logging

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda import repeats, whole
from tests.kernels.cuda.cupy_stand_in import on_device, on_host
from tests.kernels.cuda.machine import ON_GPU
from tests.kernels.cuda.noted import stand_in
from tests.kernels.cuda.test_graphs import called_everywhere, ended_by_ctrl_c, halved, started

pytestmark = pytest.mark.skipif(ON_GPU, reason="it looks at what the stand-in has done")


@pytest.fixture
def gpu(monkeypatch):
    with stand_in(monkeypatch) as made:
        yield made


def same(found, expected):
    found, expected = (x if isinstance(x, tuple) else (x,) for x in (found, expected))
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(on_host(x), y, rtol=1e-12)


def turned(x, scale=0.5):
    """Two kernels and, between them, what is none: functions of complex numbers."""
    z = np.tanh(x * scale) + 1j * x
    w = np.arctan(z)
    r = np.abs(w)
    return np.exp(-r) * scale, np.sum(w.real)


X = np.random.default_rng(0).normal(size=300)


def test_the_second_call_with_the_same_memory_is_captured(gpu):
    f, x = ag.to_graph(lambda x: turned(x)), on_device(X)
    assert "as one graph of CUDA's: yes" in str(f.explain(x))
    for calls in range(6):
        before = len(gpu.cuda.log)
        same(f(x), turned(X))
        assert len(started(gpu)) == max(calls - 1, 0)
    assert len(gpu.cuda.log) - before < 10  # a start, and two results


def test_what_changes_in_place_is_seen(gpu):
    f, x = ag.to_graph(lambda x: turned(x)), on_device(X)
    for k in range(5):
        x[...] = X * (k + 1)
        same(f(x), turned(X * (k + 1)))
    assert len(started(gpu)) == 3


def test_results_are_the_callers(gpu):
    """Nothing that the caller holds is written again, by whatever runs later, nor is memory of the
    graph's given to anybody else."""
    f, x, held = ag.to_graph(lambda x: turned(x)), on_device(X), []
    for k in range(8):
        x[...] = X * k
        held.append((k, f(x)))
        held.append((k, f(x)))
        taken = [gpu.cuda.alloc(n) for n in (8, 2400, 4800) for _ in range(4)]
        for memory in taken:
            memory.array(np.uint8, (memory.nbytes,)).fill(0x77)
    for k, found in held:
        same(found, turned(X * k))
    assert len(started(gpu)) > 10


def test_arguments_that_move_are_copied(gpu):
    f, held = ag.to_graph(lambda x: turned(x)), []
    for k in range(20):
        x = on_device(X * k)
        held.append((k, f(x), x))
    for k, found, _ in held:
        same(found, turned(X * k))
    assert len(started(gpu)) == 20 - 1 - repeats.REMEMBERED


def test_what_reshape_copies(gpu):
    program = lambda x: turned(x.reshape(20, 15).T.reshape(300))
    f, x = ag.to_graph(lambda x: program(x)), on_device(X)
    for k in range(4):
        x[...] = X * k
        same(f(x), program(X * k))
    assert len(started(gpu)) == 2


def test_large_arguments_are_not_copied(gpu, monkeypatch):
    monkeypatch.setattr(whole, "_BYTES_PER_CALL", 10)
    f, held = ag.to_graph(lambda x: turned(x)), []
    for k in range(14):
        x = on_device(X * k)
        held.append(x)
        same(f(x), turned(X * k))
    assert not started(gpu)


def test_a_state_that_goes_around(gpu):
    f, state, expected = ag.to_graph(lambda x: turned(x)[0]), on_device(X), X
    for _ in range(12):
        state, expected = f(state), turned(expected)[0]
        same(state, expected)
    assert len(started(gpu)) >= 5


def test_another_number_is_another_call(gpu):
    f, x = ag.to_graph(lambda x, s: turned(x, s)), on_device(X)
    for s in (0.5, 0.25, 0.0, -0.0, 0.5, 0.25, 0.0, -0.0, 0.5, 0.25, 0.0, -0.0):
        found, _ = f(x, s)
        expected, _ = turned(X, s)
        same(found, expected)
        assert (np.signbit(on_host(found)) == np.signbit(expected)).all()
    assert len(started(gpu)) == 4


def test_numbers_are_results(gpu):
    f, x = ag.to_graph(lambda x, s: (*turned(x, s), s + 1.0)), on_device(X)
    for _ in range(4):
        *found, number = f(x, 0.5)
        same(tuple(found), turned(X))
        assert type(number) is float and number == 1.5
    assert len(started(gpu)) == 2


def test_an_argument_that_is_a_result_is_the_callers(gpu):
    f = ag.to_graph(lambda x, y: (*turned(x), y))
    x, held = on_device(X), on_device(X)
    for _ in range(4):
        *found, y = f(x, held)
        same(tuple(found), turned(X))
        assert y is held
    assert len(started(gpu)) == 2


@pytest.mark.parametrize("program", [lambda x: (turned(x)[0], x[:3]), lambda x: turned(x)[0][::-1]])
def test_results_that_are_views(gpu, program):
    """A view of an argument is no memory of the graph's; one of its own is copied."""
    f, x = ag.to_graph(lambda x: program(x)), on_device(X)
    for k in range(4):
        x[...] = X * k
        found, expected = f(x), program(X * k)
        same(found, expected)
        if isinstance(expected, tuple):
            assert np.shares_memory(found[1], x)


def test_results_that_share_memory_still_do(gpu):
    def shared(x):
        y = turned(x)[0] + 0j
        y = np.arctan(y)
        return y, y[2:]

    f, x = ag.to_graph(shared), on_device(X)
    for _ in range(4):
        y, part = f(x)
        y[3] = 7.0
        assert on_host(part)[1] == 7.0
    assert not started(gpu)


# -- what is refused -------------------------------------------------------------------------------


def decides(x):
    y, total = turned(x)
    while total > 1.0:
        y, total = turned(y)
    return y


def chosen(x):
    y, total = turned(x)
    return np.arctan(y + 1j) if total > 0.0 else y


def shown(x):
    y, total = turned(x)
    print(total)
    return y


REFUSED = {
    "sorts": (lambda x: np.sort(turned(x)[0]), "in 'sort'"),
    "transforms": (lambda x: np.fft.fft(turned(x)[0]), "in 'dft'"),
    "solves": (lambda x: np.linalg.inv(np.outer(*(turned(x)[0][:3],) * 2) + np.eye(3)), "inv"),
    "decides": (decides, "the host decides"),
    "chooses": (chosen, "the host decides"),
    "prints": (shown, "the host does"),
    "is one kernel": (lambda x: np.tanh(x), "it is one kernel"),
}


@pytest.mark.costly
@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_is_known_before(gpu, what, monkeypatch, capsys):
    program, why = REFUSED[what]
    f, x = ag.to_graph(lambda x: program(x)), on_device(X)
    capture = whole.WholeProgram._capture

    def captured(self, *given):
        assert "_piece" in self.name, "it was tried"
        return capture(self, *given)

    monkeypatch.setattr(whole.WholeProgram, "_capture", captured)
    for _ in range(4):
        same(f(x), program(X))
    (told,) = [x for x in str(f.explain(x)).splitlines() if "as one graph" in x]
    assert "no, " in told and why in told


@pytest.mark.costly
@pytest.mark.parametrize("value", ["0", "kernels", "1"])
def test_the_setting(gpu, monkeypatch, value):
    monkeypatch.setenv("AUTOGRAPH_CUDA_GRAPHS", value)
    programs = {
        "0": lambda x: turned(x),
        "kernels": lambda x: turned(x, 1),
        "1": lambda x: turned(x),
    }
    f, x = ag.to_graph(programs[value]), on_device(X)
    told = str(f.explain(x))
    for _ in range(4):
        f(x)
    assert bool(started(gpu)) == (value == "1") == ("CUDA's: yes" in told)


def test_arrays_of_the_hosts_outside(gpu):
    outside = X.copy()
    f, x = ag.to_graph(lambda x: turned(x + outside)), on_device(X)
    for k in range(4):
        outside[:] = k
        same(f(x), turned(X + k))
    assert not started(gpu)


def test_arrays_of_the_devices_outside(gpu):
    outside = on_device(X)
    f, x = ag.to_graph(lambda x: turned(x + outside)), on_device(X)
    for k in range(4):
        outside[...] = k
        same(f(x), turned(X + k))


def test_an_argument_that_is_given_up(gpu):
    """It is no graph as a whole; a piece may be one, even of all operations, if its arrays happen
    to be where they were."""
    f = ag.to_graph(lambda x: turned(x), donate_argnums=0)
    for k in range(4):
        same(f(on_device(X * k)), turned(X * k))
    assert "an argument" in str(f.explain(on_device(X)))


@pytest.mark.costly
@pytest.mark.parametrize(
    "forbidden", ["cudaMalloc", "cudaStreamSynchronize", "an event", "a copy to the host"]
)
def test_a_capture_that_fails_is_not_tried_again(gpu, monkeypatch, caplog, forbidden):
    """Whatever goes wrong, the call itself is right, and the log says why."""
    tried, call = [], type(gpu).call

    def called(self, name, *given):
        if self.cuda.capturing and name == "arctan":
            tried.append(1)
            outer = self.cuda.null
            if forbidden == "an event":
                self.cuda.current.wait_event(outer.record())
            self.cuda.forbid(forbidden)
        return call(self, name, *given)

    monkeypatch.setattr(type(gpu), "call", called)
    f, x = ag.to_graph(lambda x: turned(x)), on_device(X)
    with caplog.at_level(logging.DEBUG, "autograph"):
        for _ in range(5):
            same(f(x), turned(X))
    assert len(tried) == 1 and not started(gpu) and not gpu.cuda.capturing
    (said,) = [r.message for r in caplog.records if "captured as a whole" in r.message]
    assert forbidden.split()[-1] in said


def test_memory_that_is_not_the_same_each_time(gpu, monkeypatch):
    call, held = type(gpu).call, []

    def called(self, name, *given):
        if name == "arctan":
            held.append(self.cuda.alloc(100))  # by somebody who keeps it
        return call(self, name, *given)

    monkeypatch.setattr(type(gpu), "call", called)
    f, x = ag.to_graph(lambda x: turned(x)), on_device(X)
    for _ in range(5):
        same(f(x), turned(X))
    assert not started(gpu)


def test_an_error_of_the_programs_is_its_own(gpu, monkeypatch):
    call, fails = type(gpu).call, []

    def called(self, name, *given):
        if name == "arctan" and fails:
            raise ValueError("of arctan")
        return call(self, name, *given)

    monkeypatch.setattr(type(gpu), "call", called)
    f, x = ag.to_graph(lambda x: turned(x)), on_device(X)
    same(f(x), turned(X))
    fails.append(1)
    with pytest.raises(ValueError, match="of arctan"):
        f(x)
    fails.clear()
    for _ in range(3):
        same(f(x), turned(X))
    assert started(gpu)


# -- kernels that may fail, or not end -------------------------------------------------------------


def picked(x, i):
    chosen = np.exp(0.1 * x[i])
    w = np.arctan(chosen + 1j * x)
    return np.abs(w) * 2.0


def test_what_gives_up_in_a_graph_runs_in_cupys_terms(gpu):
    u, i = X, np.random.default_rng(1).integers(0, len(X), len(X))
    f, x, places = ag.to_graph(lambda x, i: picked(x, i)), on_device(u), on_device(i)
    for _ in range(4):
        same(f(x, places), picked(u, i))
    before = len(started(gpu))
    assert before
    places[7] = len(X)
    with pytest.raises(IndexError):
        f(x, places)
    assert len(started(gpu)) == before + 1
    places[7] = i[7] = 5
    same(f(x, places), picked(u, i))


def settled(x):
    u = ag.vmap(halved)(x)
    w = np.arctan(u + 1j)
    return np.abs(w), np.sum(u)


def test_ctrl_c_ends_a_graph(monkeypatch, interrupts):
    with stand_in(monkeypatch, asynchronous=True) as gpu:
        ended_by_ctrl_c(gpu, settled, 4, interrupts)


def cooled(x):
    """A loop of which the device decides, and then functions of complex numbers."""
    while np.max(np.abs(x)) > 1.0:
        x = 0.48 * x + 0.25 * (np.roll(x, 1) + np.roll(x, -1))
    return np.abs(np.arctan(x + 1j)), np.sum(x)


def test_a_loop_of_the_devices_in_a_graph(gpu):
    u = 5.0 * np.random.default_rng(0).normal(size=5000)
    f, x = ag.to_graph(lambda x: cooled(x)), on_device(u)
    for scale in (1.0, 1.0, 0.5, 0.0, 2.0):
        x[...] = u * scale
        for a, b in zip(f(x), cooled(u * scale)):
            np.testing.assert_allclose(on_host(a), b, rtol=1e-10)
    assert len(started(gpu)) >= 3


# -- streams and threads ---------------------------------------------------------------------------


def test_other_threads_and_streams_have_their_own(gpu):
    f, x = ag.to_graph(lambda x: turned(x)), on_device(X)
    called_everywhere(gpu, lambda: same(f(x), turned(X)), 4)
    assert len(started(gpu)) >= 4 * 2  # a thread may have another one's number


def test_gradients_and_lanes(gpu):
    loss = lambda x: np.sum(turned(x)[0] ** 2)
    for f, expected in (
        (ag.grad(loss), lambda: ag.grad(loss)(X)),
        (ag.vmap(turned), lambda: ag.vmap(turned)(X)),
    ):
        x = on_device(X)
        for _ in range(4):
            found = f(x)
            for a, b in zip(*(y if isinstance(y, tuple) else (y,) for y in (found, expected()))):
                np.testing.assert_allclose(on_host(a), b, rtol=1e-10)
    assert started(gpu)
