"""Loops that nobody knows to end look whether the user wants that, and leave."""

import dataclasses
import threading
import time

import numpy as np
import pytest

import autograph as ag
from autograph.errors import DeviceError
from autograph.kernels.cuda import flag, launch
from autograph.kernels.cuda.compile import available
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.cuda.run import run
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.ir import Number
from tests.kernels.cuda.compare import run_both
from tests.kernels.cuda.cupy_stand_in import on_device, on_host, stand_in
from tests.kernels.cuda.machine import PLACE, Unit
from tests.kernels.cuda.shim import HostDevice

pytestmark = pytest.mark.skipif(PLACE == "gpu", reason="the flag is set behind the host's back")


def halved(x):
    """Infinity never becomes small."""
    while x > 1.0:
        x = x * 0.5
    return x


def printed(function, x):
    (kernel,) = [f.kernel for f in function.kernels(x).values()]
    return print_cuda(kernel)


def ended(unit, plan, inputs, outputs):
    """What a run has written that is ended by the flag, which a thread sets a little later."""
    device = HostDevice(unit)
    placed = [device.put(x) if isinstance(x, np.ndarray) else x for x in inputs]
    places = [device.put(x) for x in outputs]
    setting = threading.Timer(0.2, lambda: setattr(device.flag, "value", 1))
    setting.start()
    try:
        run(plan, device, placed, places)
    except KeyboardInterrupt:
        assert device.flag.value == 0  # so that the next one runs
        return [device.read(at, x.dtype, x.size) for at, x in zip(places, outputs)]
    finally:
        setting.join()
    raise AssertionError("nothing was ended")


def of_ptx(plans):
    if not available():
        pytest.skip("CuPy or NVRTC is not installed")
    from tests.kernels.cuda.ptx.unit import Unit as PtxUnit

    return PtxUnit(plans)


@pytest.mark.parametrize("compiled", [Unit, of_ptx])
def test_a_loop_in_each_lane(compiled):
    x = np.linspace(1.0, 1e6, 300)
    plan = printed(ag.vmap(halved), x)
    assert plan.may_stop and not plan.may_fail
    unit = compiled([plan])
    ended(unit, plan, [np.where(x == x[7], np.inf, x)], [x * 0])
    expected, found, _ = run_both(unit, plan, [x])
    np.testing.assert_array_equal(found[0], expected[0])


def test_lanes_that_are_left_look_at_once():
    """Each trip of a thread's would run long by itself: those that come later end quickly."""
    x = np.full(300, np.inf)  # threads have one trip or two
    plan = printed(ag.vmap(halved), x)
    unit = Unit([plan])
    start = time.perf_counter()
    ended(unit, plan, [x], [x])
    assert time.perf_counter() - start < 20.0


def shrunk(row):
    while np.sum(row) > 1.0:
        row = row * 0.5
    return row


def rows_of_teams(rows, columns):
    """Each row is halved until its sum is small: a team halves, and adds."""
    b = KernelBuilder("shrunk")
    x, y = b.input("float64", rows * columns, "x"), b.output("float64", rows * columns, "y")
    with b.each(rows, "parallel", work=columns * 50.0) as row:

        def halve(total, factor):
            sums: list = []
            with b.each(columns, reductions=sums) as j:
                at = row * columns + j
                v = b.load(x, at) * factor
                b.store(y, at, v)
                sums.append(b.reduction("+", v, 0, "total"))
            return sums[0].out, b.compute("max", factor * 0.5, Number(1e-300, "float64"))

        start = Number(2.0, "float64"), Number(1.0, "float64")
        b.while_(start, lambda total, factor: total > 1.0, halve)
    return b.finish()


@pytest.mark.costly
@pytest.mark.parametrize("shape", [(5, 100), (5, 900)], ids=["warps", "blocks"])
def test_teams_leave_together(shape):
    x = np.random.default_rng(0).random(shape)
    plan = print_cuda(rows_of_teams(*shape))
    assert "team_patience" in plan.text
    unit = Unit([plan])
    endless = x.copy()
    endless[1] = np.inf
    ended(unit, plan, [endless], [x * 0])
    expected, found, _ = run_both(unit, plan, [x.reshape(-1)])
    np.testing.assert_allclose(found[0], expected[0])


def test_a_block_that_is_alone():
    x = np.random.default_rng(0).random(200)
    plan = printed(ag.to_graph(shrunk), x)
    unit = Unit([plan])
    ended(unit, plan, [np.full(200, np.inf)], [x * 0])
    expected, found, _ = run_both(unit, plan, [x])
    np.testing.assert_allclose(found[0], expected[0])


def test_what_comes_after_is_not_run():
    """It would read what nobody has written, such as where to look next."""
    b = KernelBuilder("after")
    start, table, out = b.input("float64", 1), b.input("float64", 5000), b.output("float64", 5000)
    half = lambda x, n: (x * 0.5, n + 1)
    small = lambda x, n: x > 1.0
    x, n = b.while_([b.load(start, b.long(0)), b.long(0)], small, half)
    b.store(out, b.long(0), x)
    with b.each(5000) as i:
        b.store(out, i, b.load(table, i) + b.cast(n, "float64"))
    plan = print_cuda(b.finish())
    assert len(plan.entries) == 2 and "status[4]) return;" in plan.text
    (found,) = ended(Unit([plan]), plan, [np.array([np.inf]), np.ones(5000)], [np.zeros(5000)])
    assert not found.any()


def test_loops_that_end_do_not_look():
    def few(x):
        total = x
        for _ in range(50):
            total = total * 0.5 + np.sqrt(total)
        n = 0
        while n < 20 and total > 0.1:
            total, n = total * 0.7, n + 1
        return total

    plan = printed(ag.vmap(few), np.ones(100))
    assert not plan.may_stop and "patience" not in plan.text


def test_loops_over_arrays_of_any_length_do_not_look():
    b = KernelBuilder("any")
    x, n = b.input("float64", 8), b.parameter("int64", "n")
    out = b.output("float64", 1)
    (total,) = b.for_(n, [Number(0.0, "float64")], lambda i, t: (t + b.load(x, i),))
    b.store(out, b.long(0), total)
    kernel = b.finish()
    assert print_cuda(kernel).may_stop
    assert not print_cuda(dataclasses.replace(kernel, symbols={"n": n})).may_stop


def test_long_loops_of_a_known_number_look():
    b = KernelBuilder("long")
    out = b.output("int64", 1)
    (total,) = b.for_(b.long(10**7), [b.long(0)], lambda i, t: (t ^ i,))
    b.store(out, b.long(0), total)
    plan = print_cuda(b.finish())
    assert plan.may_stop


# -- the host --------------------------------------------------------------------------------------


@pytest.fixture
def gpu(monkeypatch):
    """A device that computes while the host goes on."""
    with stand_in(monkeypatch, asynchronous=True) as made:
        yield made


def idle(gpu):
    """Whether no kernel runs any more: at most, memory is given back yet."""
    stop = time.monotonic() + 5
    while not gpu.cuda.is_done() and time.monotonic() < stop:
        time.sleep(0.01)
    return gpu.cuda.is_done()


X = np.linspace(1.0, 1e6, 300)
ENDLESS = np.where(X == X[7], np.inf, X)


def test_ctrl_c_while_the_host_waits(gpu, interrupts):
    f = ag.vmap(halved)
    expected = f(X)
    for _ in range(2):
        interrupts()
        with pytest.raises(KeyboardInterrupt):
            f(on_device(ENDLESS))
        assert idle(gpu)
        np.testing.assert_array_equal(on_host(f(on_device(X))), expected)


def test_ctrl_c_before_the_host_waits(gpu, monkeypatch):
    f, original = ag.vmap(halved), launch.GpuDevice.launch
    expected = f(X)

    def interrupted(self, *given):
        original(self, *given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(launch.GpuDevice, "launch", interrupted)
        with pytest.raises(KeyboardInterrupt):
            f(on_device(ENDLESS))
    assert idle(gpu)
    np.testing.assert_array_equal(on_host(f(on_device(X))), expected)


def test_the_user_does_not_wait_for_kernels_that_leave(gpu, monkeypatch):
    """The flag stays set for these, and others have another one."""
    f, wait = ag.vmap(halved), flag.wait
    expected = f(X)

    def impatient(cupy, stream):
        raise KeyboardInterrupt

    monkeypatch.setattr(launch, "wait", impatient)
    with pytest.raises(KeyboardInterrupt):
        f(on_device(ENDLESS))
    monkeypatch.setattr(launch, "wait", wait)
    np.testing.assert_array_equal(on_host(f(on_device(X))), expected)
    assert len(flag._left_set) == 1 and flag._left_set.pop().is_set


def test_nobody_waits_for_a_device_that_has_failed(gpu, monkeypatch):
    """CuPy says of it that it is not done, for ever."""
    original = launch.GpuDevice.launch

    def fails(self, *given):
        original(self, *given)
        gpu.cuda.failed = 700  # cudaErrorIllegalAddress

    monkeypatch.setattr(launch.GpuDevice, "launch", fails)
    with pytest.raises(DeviceError, match="700"):
        ag.vmap(halved)(on_device(X))


def test_cupy_gives_the_status_of_a_stream():
    """Where there is no device it is an error's, which `Stream.done` does not tell."""
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    status = cupy.cuda.runtime.streamQuery(0)
    assert type(status) is int and cupy.cuda.Stream.null.done == (status == 0)


def test_each_thread_has_a_flag_of_its_own(gpu):
    """One that ends its kernels leaves those of others alone."""
    import cupy

    here, there = flag.flag_of(cupy, 0), []
    thread = threading.Thread(target=lambda: there.append(flag.flag_of(cupy, 0)))
    thread.start()
    thread.join()
    assert here is flag.flag_of(cupy, 0)
    assert there[0].address != here.address
