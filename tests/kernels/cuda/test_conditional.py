"""Loops and branches of the host's in a graph, on a stand-in for `cuda.bindings`."""

import re
import sys

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda import conditional, launch, together
from autograph.kernels.cuda.compile import available, compile_cuda
from tests.kernels.cuda import conditional_nodes
from tests.kernels.cuda.cupy_stand_in import on_device, on_host, stand_in
from tests.kernels.cuda.machine import ON_GPU
from tests.kernels.cuda.test_graphs import started

pytestmark = pytest.mark.skipif(ON_GPU, reason="it looks at what the stand-in has done")


def cooled(x):
    """Trips that need all of the array before, until nothing changes much."""
    n = 0
    while np.max(np.abs(x)) > 1.0:
        x = 0.48 * x + 0.25 * (np.roll(x, 1) + np.roll(x, -1))
        n += 1
    return x, np.sum(x) + n


def nested(x):
    """A loop in a loop, and a branch."""
    while np.sum(x * x) > 500.0:
        while np.max(x) > 0.5:
            x = x * 0.9 + 0.001 * np.roll(x, 1)
        if np.sum(x) > 100.0:
            x = np.roll(x, 3) * 0.5
        else:
            x = x - 0.1 * np.roll(x, 2)
    return x, np.sum(x)


X = np.random.default_rng(0).normal(size=8_500)  # more than one block does


@pytest.mark.costly
@pytest.mark.parametrize("function", [cooled, nested])
def test_a_loop_is_a_node(gpu, function):
    f, x = ag.to_graph(function), on_device(X)
    for scale in (1.0, 1.0, 0.5, 2.0, 0.0):  # other numbers of trips, and none
        x[...] = X * scale
        gpu.copies.clear()
        found, total = f(x)
        expected, sum_ = function(X * scale)
        np.testing.assert_allclose(on_host(found), expected, rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(on_host(total), sum_, rtol=1e-9)
        del found, total  # the next results may lie there
    assert len(started(gpu)) == 4
    assert sum(each for each in started(gpu)) > 4 * 4
    assert len(gpu.copies) == 1  # the host looks once, at the end


def test_what_was_never_run_is_captured(gpu):
    """The first calls make no trip."""
    f, x = ag.to_graph(lambda x: nested(x)), on_device(X)
    for scale in (0.0, 0.0, 1.0, 0.0):
        x[...] = X * scale
        found, total = f(x)
        np.testing.assert_allclose(on_host(found), nested(X * scale)[0], rtol=1e-11, atol=1e-13)
        del found, total
    assert len(started(gpu)) == 3


def test_without_the_bindings_the_host_looks(gpu, monkeypatch):
    monkeypatch.setitem(sys.modules, "cuda.bindings.runtime", None)
    assert "not installed" in conditional.why_not(sys.modules["cupy"])
    f, x = ag.to_graph(lambda x: cooled(x)), on_device(X)
    for _ in range(3):
        np.testing.assert_allclose(on_host(f(x)[0]), cooled(X)[0], rtol=1e-11)
    assert not started(gpu) and len(gpu.copies) > 3


def test_an_older_driver(gpu, monkeypatch):
    monkeypatch.setattr(sys.modules["cupy"].cuda.runtime, "driverGetVersion", lambda: 12030)
    assert "older" in conditional.why_not(sys.modules["cupy"])


@pytest.mark.costly
@pytest.mark.parametrize(
    ("name", "problem"),
    [("cudaGraphAddNode", "an error"), ("cudaStreamBeginCaptureToGraph", "another version")],
)
def test_what_the_bindings_refuse_runs_as_before(gpu, monkeypatch, name, problem):
    fails = {"an error": lambda *given: (801,), "another version": lambda one: None}[problem]
    monkeypatch.setattr(sys.modules["cuda.bindings.runtime"], name, fails)
    f, x = ag.to_graph(lambda x: cooled(x)), on_device(X)
    for _ in range(4):
        np.testing.assert_allclose(on_host(f(x)[0]), cooled(X)[0], rtol=1e-11)
    assert not started(gpu) and not gpu.cuda.capturing


@pytest.mark.costly
@pytest.mark.parametrize("has_numbered", [True, False])
def test_the_bindings_of_cuda_12(gpu, monkeypatch, has_numbered):
    """Their functions take no edges, but for those with a number in their names, from 12.3 on."""
    runtime = conditional_nodes.runtime(gpu.cuda, 12)
    for name in [] if has_numbered else [x for x in vars(runtime) if "_v" in x]:
        delattr(runtime, name)
    monkeypatch.setitem(sys.modules, "cuda.bindings.runtime", runtime)
    f, x = ag.to_graph(lambda x: cooled(x)), on_device(X)
    for _ in range(4):
        np.testing.assert_allclose(on_host(f(x)[0]), cooled(X)[0], rtol=1e-11)
    assert bool(started(gpu)) == has_numbered and not gpu.cuda.capturing


def test_an_nvrtc_that_does_not_know_such_nodes(gpu, monkeypatch):
    functions = launch._functions

    def refuses(text, device, architecture):
        if text == conditional.TEXT:
            raise launch.CompilationError("unresolved extern function", text)
        return functions(text, device, architecture)

    monkeypatch.setattr(launch, "_functions", refuses)
    f, x = ag.to_graph(lambda x: cooled(x)), on_device(X)
    for _ in range(4):
        np.testing.assert_allclose(on_host(f(x)[0]), cooled(X)[0], rtol=1e-11)
    assert not started(gpu) and len(gpu.launches) >= 20  # kernels run, and no graph


def test_ctrl_c_ends_a_loop_of_the_devices(monkeypatch, interrupts):
    monkeypatch.setattr(together, "_MOST_TRIPS", 16)  # of a launch, which ends before it is told to
    with stand_in(monkeypatch, asynchronous=True) as gpu:
        f, x = ag.to_graph(cooled), on_device(X)
        expected = cooled(X)[0]
        for _ in range(3):
            np.testing.assert_allclose(on_host(f(x)[0]), expected, rtol=1e-11)
        x[7] = np.inf  # never cools
        before = len(started(gpu))
        interrupts(lambda: len(started(gpu)) > before)
        with pytest.raises(KeyboardInterrupt):
            f(x)
        assert len(started(gpu)) > 2
        x[...] = X
        np.testing.assert_allclose(on_host(f(x)[0]), expected, rtol=1e-11)


@pytest.mark.skipif(not available(), reason="CuPy or NVRTC is not installed")
def test_the_kernel_that_decides_compiles():
    assert compile_cuda(conditional.TEXT, "sm_90").resources.keys() == {conditional.DECIDE.name}


def test_the_bindings_have_what_is_used():
    """Without a GPU: the signatures that they tell of."""
    runtime = pytest.importorskip("cuda.bindings.runtime")
    for name, given in {
        "cudaStreamGetCaptureInfo": "stream",
        "cudaGraphConditionalHandleCreate": "graph, defaultLaunchValue, flags",
        "cudaGraphAddNode": "graph, pDependencies, dependencyData, numDependencies, nodeParams",
        "cudaStreamUpdateCaptureDependencies": "stream, dependencies, dependencyData, "
        "numDependencies, flags",
        "cudaStreamBeginCaptureToGraph": "stream, graph, dependencies, dependencyData, "
        "numDependencies, mode",
        "cudaStreamEndCapture": "stream",
    }.items():
        older = f"{name}{conditional._BEFORE_13.get(name, '')}"
        used = older if hasattr(runtime, older) else name
        (told,) = re.findall(rf"^{used}\(([^\n]*)\)", getattr(runtime, used).__doc__)
        names = [x.split(":")[0].split()[-1] for x in told.split(", ")]
        assert ", ".join(names) == given, told
    params = runtime.cudaGraphNodeParams()
    params.type = runtime.cudaGraphNodeType.cudaGraphNodeTypeConditional
    params.conditional.handle = runtime.cudaGraphConditionalHandle(5)
    params.conditional.type = runtime.cudaGraphConditionalNodeType.cudaGraphCondTypeWhile
    params.conditional.size = 1
    assert len(params.conditional.phGraph_out) == 1 and int(params.conditional.handle) == 5
    assert runtime.cudaGraphConditionalHandleFlags.cudaGraphCondAssignDefault == 1
