"""Four programs, each one kernel or more, beside Python: whether anything works at all."""

from __future__ import annotations

import sys
import traceback

import numpy as np

import autograph as ag
from benchmarks.gpu import device, interrupt
from benchmarks.gpu.records import FAILED, RIGHT, WRONG, Records
from benchmarks.kernels.programs.elementwise import selu
from benchmarks.kernels.programs.loops import newton_sqrt


def softmax(x):
    """Rows that add up to 1."""
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def running(x):
    """A state that meets one row after another."""
    state = np.zeros(x.shape[1], x.dtype)
    for row in x:
        state = 0.9 * state + np.tanh(row)
    return state


def layers(x):
    """Products from both sides, of single matrices and of a batch, and between them a map."""
    w = x[: x.shape[1]]
    for _ in range(3):
        x = np.tanh(x @ w) @ w.T
    y = x.reshape(5, -1, x.shape[1])
    return x + (y @ np.swapaxes(y, 1, 2) @ y).reshape(x.shape)


def main(path: str) -> None:
    """Compare them, and gradients of the last, four times each, which makes graphs of those of
    several launches; and end one that does not end."""
    records = Records(path, "smoke")
    cupy = device.cupy()
    rng = np.random.default_rng(0)
    n = 50 if device.rehearsing() else 3000
    weights = rng.normal(0, 0.1, (n, 40))
    cases = (
        ("selu", selu, selu, rng.normal(0, 1, 30 * n).astype(np.float32), 1e-6),
        ("softmax", softmax, softmax, rng.normal(0, 1, (n, 100)), 1e-12),
        ("scan", running, running, rng.normal(0, 1, (100, n)), 1e-12),
        ("while", ag.vmap(newton_sqrt), _each, rng.uniform(0.1, 1000.0, n), 1e-12),
        ("products, float64", layers, layers, weights, 1e-12),
        ("products, float32", layers, layers, weights.astype(np.float32), 1e-5),
        ("gradient of while", ag.vmap(ag.grad(newton_sqrt)), _slope, rng.uniform(1, 9, n), 1e-8),
    )
    for name, function, oracle, x, tolerance in cases:
        records.begin(name)
        try:
            expected, compiled = oracle(x), ag.to_graph(function)
            with device.launches() as made:
                found = [device.on_host(compiled(device.on_device(x))) for _ in range(4)]
        except Exception:
            records.add(name, FAILED, error=traceback.format_exc())
            continue
        problem = "" if made else "no kernel was launched"
        for each in found:
            problem = problem or difference(each, expected, tolerance)
        records.add(name, WRONG if problem else RIGHT, error=problem)
    name = "Ctrl-C"  # last: if it is not heard, this process must be ended
    records.begin(name)
    try:
        problem, taken = interrupt.check(cupy)
        records.add(name, WRONG if problem else RIGHT, error=problem, **taken)
    except Exception:
        records.add(name, FAILED, error=traceback.format_exc())


def _each(x):
    return np.array([newton_sqrt(v) for v in x])


def _slope(x):
    return 0.5 / np.sqrt(x)


def difference(found: np.ndarray, expected: np.ndarray, tolerance: float) -> str:
    """What is different, or nothing."""
    try:
        assert found.dtype == expected.dtype, (found.dtype, expected.dtype)
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
    except AssertionError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    main(sys.argv[1])
