"""What grows without an end stops with an error of ours that names the line."""

import contextlib
import ctypes

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MemoryLimitError
from autograph.kernels.native import available
from autograph.kernels.native.runtime import runtime
from tests.support.processes import file_of, printed


@pytest.fixture(autouse=True)
def little(monkeypatch):
    with contextlib.suppress(ImportError):
        # It reads its limit once, for other tests as well: also without kernels here.
        runtime().address("ag_arena_limit")
    monkeypatch.setenv("AUTOGRAPH_ARENA_SIZE", "1000000")


@pytest.mark.numpy_program("the native runtime has read its limit before")
def test_a_list_that_grows():
    @ag.to_graph
    def bounces(height):
        times = []
        while height >= 0.0:
            times.append(height)  # here
            height = height * 0.5
        return times

    with pytest.raises(MemoryLimitError, match="AG0618") as raised:
        bounces(1.0)
    assert isinstance(raised.value, MemoryError)
    assert "times.append(height)  # here" in str(raised.value)


@pytest.mark.numpy_program("the native runtime has read its limit before")
def test_in_a_function_that_is_called_and_is_lifted():
    def rows(x):
        found = []
        while x[0] > 0.0:
            found.append(x * 2.0)
        return np.array(found)

    f = ag.to_graph(lambda x: np.sum(rows(x)) + 1.0)
    with pytest.raises(MemoryLimitError, match=r"test_memory_limits\.py"):
        f(np.ones(100))


def endless(x):
    """What it prints can't be taken back: so it is not run again."""
    print("begun")
    while np.sum(x) > 0.0:  # here
        x = np.exp(x * -0.5) + 0.5
    return np.sum(x)


def endless_in_trips(x):
    for _ in range(3):
        x = x + endless(x)
    return np.sum(x)


def endless_in_recursion(x, n):
    return endless(x) if n == 0 else endless_in_recursion(x * 2.0, n - 1)


@pytest.mark.costly
@pytest.mark.numpy_program("what NumPy's program keeps")
@pytest.mark.parametrize(
    "f",
    [
        lambda: ag.grad(endless)(np.ones(100)),
        lambda: ag.grad(endless_in_trips)(np.ones(100)),
        lambda: ag.vmap(ag.grad(endless))(np.ones((2, 100))),
        lambda: ag.grad(endless_in_recursion)(np.ones(100), 2),
    ],
)
def test_what_is_kept_for_a_gradient(f, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_ARENA_SIZE", "20000000")
    with pytest.raises(MemoryLimitError, match="AG0618") as raised:
        f()
    assert "np.sum(x) > 0.0:  # here" in str(raised.value)


def long(x, n):
    while n > 0:
        x = np.exp(x * -0.5) + 0.5
        n -= 1
    return np.sum(x)


def long_in_lanes(xs, n):
    return ag.vmap(ag.grad(long), (0, None))(xs, n)


_BUDGET = """
import logging
import numpy as np
import autograph as ag
from tests.staging.border.test_memory_limits import long

records = []
handler = logging.Handler()
handler.emit = records.append
logging.getLogger("autograph").addHandler(handler)

gradient = ag.grad(lambda x, n: long(x, n))
if {nested}:
    gradient = ag.to_graph(lambda x, n: ag.grad(long)(x, n) * 1.0)
x = np.linspace(0.0, 1.0, 1000)
short = gradient(x, 10)
assert not records
found = gradient(x, 20_000)  # 160 MB
(record,) = records
assert record.levelname == "WARNING" and "budget of 10000000 bytes" in record.getMessage()
assert "test_memory_limits.py" in record.getMessage()
np.testing.assert_array_equal(found, ag.grad(long, memory="400MB")(x, 20_000))
np.testing.assert_array_equal(gradient(x, 10), short)
np.testing.assert_array_equal(gradient(x, 20_000), found)
assert len(records) == 1
"""


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.numpy_program("what NumPy's program keeps")
@pytest.mark.parametrize("nested", [False, True])
def test_a_gradient_that_keeps_too_much_gets_a_budget(nested, tmp_path):
    """It is compiled anew, and from then on keeps within that. In a process of its own, whose
    memory does not hold what others have left free."""
    program = file_of(tmp_path / "budget.py", _BUDGET.format(nested=nested))
    assert printed(program, AUTOGRAPH_ARENA_SIZE="20000000") == ""


@pytest.mark.slow
@pytest.mark.numpy_program("what NumPy's program keeps")
def test_lanes_get_a_budget_as_well(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_ARENA_SIZE", "20000000")
    xs = np.linspace(0.0, 1.0, 2000).reshape(2, 1000)
    found = long_in_lanes(xs, 10_000)
    np.testing.assert_array_equal(found, [ag.grad(long, memory="1GB")(x, 10_000) for x in xs])


@pytest.mark.numpy_program("what NumPy's program keeps")
def test_a_budget_that_would_be_too_little_leaves_the_error(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_ARENA_SIZE", "20000000")
    gradient, x = ag.grad(long), np.ones(500_000)
    short = gradient(x, 2)
    for _ in range(2):
        with pytest.raises(MemoryLimitError, match="AG0618"):
            gradient(x, 3000)
        np.testing.assert_array_equal(gradient(x, 2), short)


@pytest.mark.numpy_program("what NumPy's program keeps")
def test_what_is_kept_is_that_of_one_call(monkeypatch):
    """Many calls together keep more than one of them may."""
    monkeypatch.setenv("AUTOGRAPH_ARENA_SIZE", "10000000")

    def decay(x):
        while np.sum(x) > 1.0:
            x = x * 0.97
        return np.sum(x)

    gradient, kept = ag.grad(decay), []
    for _ in range(60):
        kept.append(gradient(np.ones(100)))
        kept.append(np.ones(100_000))
    assert all(np.array_equal(x, kept[0]) for x in kept[::2])


@pytest.mark.parametrize("size", [10**15, 10**17])
def test_an_array_that_is_too_large(size):
    f = ag.to_graph(lambda n: np.sum(np.zeros(n)), static_argnums=0)
    with pytest.raises(MemoryError):
        f(size)
    g = ag.to_graph(lambda x: x + 1.0)
    assert g(1.0) == 2.0


def test_a_memory_error_of_the_users_is_that():
    @ag.to_graph
    def f(x):
        if x > 1.0:
            raise MemoryError("mine")
        return x

    with pytest.raises(MemoryError, match=r"^mine") as raised:
        f(2.0)
    assert type(raised.value) is MemoryError


@pytest.mark.skipif(not available(), reason="there is no native code")
def test_in_a_kernel(monkeypatch):
    """What a loop leaves for its gradient; the native runtime reads its limit once."""
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    limit = ctypes.c_int64.from_address(runtime().address("ag_arena_limit"))
    before, limit.value = limit.value, 1_000_000

    def endless(x):
        print("begun")
        while x > 0.0:
            x = np.exp(x * -0.5) + 0.5
        return x

    try:
        with pytest.raises(MemoryLimitError, match=r"AG0618"):
            ag.grad(endless)(1.0)
    finally:
        limit.value = before


@pytest.mark.skipif(not available(), reason="there is no native code")
def test_a_kernel_whose_states_are_too_large_for_a_budget(monkeypatch):
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    limit = ctypes.c_int64.from_address(runtime().address("ag_arena_limit"))
    before, limit.value = limit.value, 1_000_000
    monkeypatch.setenv("AUTOGRAPH_ARENA_SIZE", "1000000")
    gradient, x = ag.grad(lambda x, n: long(x, n)), np.ones(20_000)
    try:
        short = gradient(x, 2)
        for _ in range(2):
            np.testing.assert_array_equal(gradient(x, 2), short)
            with pytest.raises(MemoryLimitError, match="AG0618"):
                gradient(x, 3000)
    finally:
        limit.value = before


@pytest.mark.skipif(not available(), reason="there is no native code")
def test_a_kernel_that_keeps_too_much_gets_a_budget(monkeypatch, caplog):
    """Also where the call is a quick one, like the one before."""
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    expected = ag.grad(lambda x, n: long(x, n))(1.0, 200_000)
    limit = ctypes.c_int64.from_address(runtime().address("ag_arena_limit"))
    before, limit.value = limit.value, 1_000_000
    gradient = ag.grad(lambda x, n: long(x, n))
    try:
        gradient(1.0, 10)
        gradient(1.0, 10)
        assert not caplog.records
        assert gradient(1.0, 200_000) == expected
        assert gradient(1.0, 200_000) == expected
    finally:
        limit.value = before
    assert len(caplog.records) == 1
