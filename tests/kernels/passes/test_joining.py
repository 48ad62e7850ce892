"""Loops of few trips that become one: products and sums of small matrices in loops."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes.host import for_host
from autograph.kernels.passes.joining import SmallLoops
from tests.kernels.kernel_check import check
from tests.support.call_counts import count_calls

RNG = np.random.default_rng(0)


def drawn(*shape, dtype: type = np.complex128):
    x = RNG.normal(size=shape)
    return (x + 1j * RNG.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def chain(a, b):
    out = np.zeros_like(a)
    for i in range(len(a)):
        for j in range(len(b)):
            if i != j:
                left = b[j] @ a[i] * b[j, 0, 0]
                out[i] += left @ b[j]
    return out


def power(a, b):
    x = a[0]
    for j in range(len(b)):
        x = x @ b[j] * 0.5 + a[1]
    return x


def overwritten(a, b):
    a = a.copy()
    for j in range(len(b)):
        a[0] = a[0] @ b[j]
        a[1] = a[0] + a[1].T
    return a


def commutator(a, b):
    out = np.zeros_like(a)
    for i in range(len(a)):
        out[i] = multiplied(a[i], b[0]) - multiplied(b[0], a[i])
    return out


def multiplied(x, y):
    return x @ y


FUNCTIONS = [chain, power, overwritten, commutator]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7])
@pytest.mark.parametrize("dtype", [np.complex128, np.float64, np.complex64, np.float32])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_small_matrices(function, dtype, n):
    scale = 1.0 / n
    a, b = drawn(3, n, n, dtype=dtype) * dtype(scale), drawn(4, n, n, dtype=dtype) * dtype(scale)
    check(function, a, b, ulps=200, scale=1.0)


def test_products_of_parts_are_one_loop():
    kernels = ag.to_graph(chain).kernels(drawn(3, 3, 3), drawn(4, 3, 3))
    body = for_host(kernels["chain"].kernel).body
    loops = [s for s in ir.walk(body) if isinstance(s, ir.For) and s.state]
    assert [len(s.state) for s in loops] == [4, 4]


def test_derivatives():
    real = lambda a, b: np.sum(chain(a, b) ** 2)
    ag.check_grads(real, (drawn(2, 3, 3, dtype=float), drawn(2, 3, 3, dtype=float)), order=2)


def histories(x, n):
    found, taken, total = [], x, 0.0
    for _ in range(n):
        taken = np.r_[taken, len(found)]
        found = np.hstack((found, taken[:1]))
        total = total + np.sum(taken) * 0.1
        if len(found) > 3:
            found[0] = total
        for _ in range(2):
            found = np.hstack((found, total))
    return found, taken, total


def test_loops_that_share_nothing_are_no_pairs(monkeypatch):
    looked_through = []

    def waiting(self, first, between, *others):
        looked_through.append(len(between))
        return before(self, first, between, *others)

    before = SmallLoops.waiting
    monkeypatch.setattr(SmallLoops, "waiting", waiting)
    compiled = ag.to_graph(histories)
    for x in (np.arange(3.0), np.arange(5.0), np.arange(4.0)):
        for one, other in zip(compiled(x, 12), histories(x, 12)):
            np.testing.assert_allclose(one, other, rtol=1e-13)
    assert len(looked_through) < 30  # of each loop with the one before, not with all of them


def fitted(x, y, rates):
    """Adam's steps, written out: each has loops of few trips that read what others read, too."""
    w, mean, square = np.zeros(x.shape[1]), 0.0, 0.0
    for rate in rates:
        slope = x.T @ (1.0 / (1.0 + np.exp(-(x @ w))) - y)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        w = w - rate * mean / (np.sqrt(square) + 1e-8)
    return w


def test_the_work_for_steps_written_out_grows_as_they_do():
    """Counted in calls of Python functions. Each loop was compared with all before it, and what
    stands between them looked through: sixty steps took 22 s."""
    x, y = drawn(30, 4, dtype=float), drawn(30, dtype=float)

    def work(count):
        rates = tuple(0.1 / k for k in range(1, count + 1))
        kernels = ag.to_graph(lambda x, y: fitted(x, y, rates)).kernels(x, y)
        (made,) = [kernels[name].kernel for name in kernels]
        return count_calls(lambda: for_host(made))["call"]

    work(2)
    less, more = work(10), work(20)
    assert more < 2.5 * less
    check(lambda x, y: fitted(x, y, (0.1, 0.2, 0.05)), x, y, ulps=200, scale=1.0)
