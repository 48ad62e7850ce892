"""The same programs on other array libraries."""

import sys

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.backends import cupy as cupy_backend
from autograph.backends import numpy as numpy_backend
from autograph.graph.graph import Constant
from ops.core.types import array
from tests.codegen.compare import program_of, run
from tests.support import strict_device
from tests.support.build_graphs import FLOAT, INT, cond, for_loop, graph_of, while_loop

VECTOR, SCALAR = array("f8", (3,)), array("f8")


@pytest.fixture(autouse=True)
def no_reads():
    strict_device.reads.clear()


def on_device(graph, *args):
    args = [
        strict_device.from_host(x) if isinstance(x, (np.ndarray, np.generic)) else x for x in args
    ]
    return run(graph, *args, backend=strict_device)


def test_straight_line_reads_nothing_back():
    def f(x):
        y = x * Constant(np.float64(2.0)) + Constant(np.arange(3.0))
        return ops.sum(ops.where(y > 1.0, ops.sin(y), np.float64(0.5)))

    (result,) = on_device(graph_of(f, x=VECTOR), np.ones(3))
    assert not strict_device.reads
    x = np.ones(3) * 2.0 + np.arange(3.0)
    assert strict_device.to_host(result) == np.sum(np.where(x > 1.0, np.sin(x), 0.5))


def test_only_predicates_are_read_back():
    def f(x):
        def body(n, x):
            return [n + 1, cond(ops.sum(x) > 8.0, lambda: x, lambda: x * 2.0)]

        return while_loop(lambda n, x: ops.sum(x) < 10.0, body, 0, x, names=["n", "x"])

    n, x = on_device(graph_of(f, x=VECTOR), np.ones(3))
    assert (n, strict_device.to_host(x)[0]) == (2, 4.0)
    assert strict_device.reads == {"bool": 3 + 2}


def test_trip_count_on_the_device_is_read_once():
    def f(n, x):
        return for_loop(n, lambda i, x: x + i, x, names=["x"])

    (x,) = on_device(graph_of(f, n=array("i8"), x=SCALAR), np.int64(4), np.float64(0.0))
    assert strict_device.to_host(x) == 6.0
    assert strict_device.reads == {"index": 1}


def test_python_numbers_stay_on_the_host():
    def f(x, n):
        return while_loop(lambda x: x < n, lambda x: x * 2.0, x, names=["x"])

    assert on_device(graph_of(f, x=FLOAT, n=INT), 1.0, 10) == (16.0,)
    assert not strict_device.reads


def test_constants_move_once():
    moved = []

    class Backend:
        name, host = strict_device.name, False
        module = staticmethod(strict_device.module)

        @staticmethod
        def from_host(x):
            moved.append(x)
            return strict_device.from_host(x)

    weights = np.arange(3.0)
    program = program_of(
        graph_of(lambda x: x * Constant(weights) * Constant(weights), "f", x=VECTOR), Backend
    )
    function = program.function
    for _ in range(3):
        function(strict_device.from_host(np.ones(3)))
    assert len(moved) == 1


def test_the_wall_holds():
    x = strict_device.from_host(np.ones(3))
    for mix in (
        lambda: x + np.ones(3),
        lambda: np.ones(3) + x,
        lambda: np.asarray(x),
        lambda: x * np.float64(1),
    ):
        with pytest.raises(TypeError):
            mix()


def test_cupy_program_can_be_read_without_cupy():
    text = program_of(
        graph_of(lambda x: ops.sin(x) * np.float32(2), "f", x=VECTOR), cupy_backend
    ).text
    assert text.startswith("import cupy as np\n")
    assert "return np.sin(x) * c_0" in text
    assert "# c_0: f32[]\n" in text


def test_missing_cupy_is_a_clear_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    program = program_of(graph_of(lambda x: ops.sin(x), "f", x=VECTOR), cupy_backend)
    with pytest.raises(ImportError, match=r"(?s)needs CuPy.*Fix: pip install"):
        _ = program.function
    assert not cupy_backend.is_array(np.ones(3))
    assert cupy_backend.to_host(3.0) == 3.0


def test_an_operator_that_the_device_lacks_is_named_with_its_place():
    def f(x):
        return np.linalg.eigvals(x)

    on_device = ag.to_graph(f, backend="cupy")
    with pytest.raises(NotImplementedError, match=r"(?s)'eigvals' does not run.*eigvals\(x\)"):
        on_device(np.eye(2) + 0j)


def test_a_generator_of_numpy_does_not_draw_on_a_device():
    rng = np.random.default_rng(0)
    on_device = ag.to_graph(lambda x: x + rng.normal(size=3), backend="cupy")
    with pytest.raises(NotImplementedError, match=r"(?s)'draw' does not run .*'cupy'.*ops\.random"):
        on_device(np.ones(3))


@pytest.mark.gpu
def test_cupy():
    cupy = pytest.importorskip("cupy")
    if not cupy.cuda.is_available():
        pytest.skip("no CUDA device")

    def f(x):
        def body(n, x):
            return [n + 1, ops.sin(x) + Constant(np.arange(3.0))]

        return while_loop(lambda n, x: ops.sum(x) < 10.0, body, 0, x, names=["n", "x"])

    graph = graph_of(f, x=VECTOR)
    n, x = run(graph, cupy_backend.from_host(np.ones(3)), backend=cupy_backend)
    expected = run(graph, np.ones(3))
    assert n == expected[0]
    np.testing.assert_allclose(cupy_backend.to_host(x), expected[1], rtol=1e-14)


def test_numpy_backend():
    x = np.ones(3)
    assert numpy_backend.from_host(x) is x and numpy_backend.to_host(x) is x
    assert numpy_backend.is_array(x) and not numpy_backend.is_array(1.0)
    assert numpy_backend.module() is np
