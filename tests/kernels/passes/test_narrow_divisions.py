"""Small integers are divided by known numbers by bits, or in 32 bits, in vector loops."""

import random

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.interpreter import interpret
from autograph.kernels.ir.ir import LONG, Number
from autograph.kernels.passes.narrow_divisions import narrowed
from tests.kernels.kernel_check import check
from tests.kernels.random_kernels import RandomKernel

X = np.arange(3.0 * 5 * 7 * 8).reshape(3, 5, 7, 8)

PROGRAMS = [
    lambda x: x.transpose(2, 0, 3, 1) * 2.0,
    lambda x: x[:, ::-1, ::2, 1:].reshape(3, -1) + 1.0,
    lambda x: np.sum(x.transpose(3, 1, 0, 2) * 0.5, axis=(0, 2)),
    lambda x: np.tanh(x[:, :, None, 0, :]) * x[:, None, :, 1, :],
    lambda x: np.repeat(x, 3, axis=1)[:, 1:-1] * 1.5,
    lambda x: np.arange(840).reshape(3, 5, 7, 8) // 7 % 5 + x,
]


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_places_in_arrays(number):
    check(PROGRAMS[number], X, kernels=None, scale=1e3)
    check(PROGRAMS[number], X.astype(np.float32), kernels=None, scale=1e3)


def test_the_text_divides_no_vectors_of_64_bits():
    function = ag.to_graph(lambda x: np.tanh(x[:, :, None, 0, :]) * x[:, None, :, 1, :])
    (kernel,) = function.kernels(X).values()
    divisions = [line for line in kernel.text.splitlines() if "div <" in line or "rem <" in line]
    assert divisions and not any("x i64>" in line for line in divisions)


def test_integers_of_users_are_divided_as_they_are():
    """They may be negative, or large."""
    n = np.array([-(2**62), -7, -1, 0, 1, 6, 7, 2**31, 2**31 + 7, 2**32 + 5, 2**62] * 4)
    check(lambda n: (n // 7, n % 7, n // 8, n % 8, n // -3, n % -3), n, kernels=None)
    check(lambda n: (n * np.arange(44) // 7, (np.arange(44) - 20) // 7), n % 1000, kernels=None)


def _of_index(seed):
    """A kernel: sums, products, quotients and rests of the indices of loops by known numbers."""
    pick = random.Random(seed)
    b = KernelBuilder("divides")
    count = pick.choice([1, 5, 60, 333])
    y = b.output("int64", 4 * count, "y")

    def store(values, at):
        for k in range(4):
            x = pick.choice(values)
            function = pick.choice(["+", "*", "quotient", "rest", "quotient", "rest", "-"])
            known = b.long(
                pick.choice([1, 2, 3, 4, 7, 8, 12, 1000, 2**20, 2**31 - 1, 2**31, 2**40])
            )
            small = b.long(pick.choice([1, 2, 5, 16, 2**15, 2**28]))
            found = b.compute(function, x, known if function in ("quotient", "rest") else small)
            values.append(found)
            b.store(y, at + k, found)

    with b.each(count) as i:
        store([i, b.compute("+", i, b.long(pick.choice([0, 1, -2, 2**30])))], i * 4)
    return b.finish(), count


def test_random_divisions():
    changed = 0
    for seed in range(150):
        kernel, count = _of_index(seed)
        found = narrowed(kernel)
        results = [np.zeros(4 * count, np.int64), np.zeros(4 * count, np.int64)]
        for k, out in zip((kernel, found), results):
            interpret(k, [], [out])
        assert np.array_equal(*results), seed
        changed += found is not kernel
    assert changed > 50


def test_random_kernels():
    """Of all kinds of statements."""
    for seed in range(40):
        made = RandomKernel(seed, 20, gives_up=False, reserves=False)
        results = []
        for kernel in (made.kernel, narrowed(made.kernel)):
            out = [np.zeros(b.size, b.dtype) for b in kernel.outputs]
            interpret(kernel, [np.copy(x) for x in made.inputs], out)
            results.append(out)
        for a, b in zip(*results):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("count", [2**31, 2**33])
def test_loops_that_are_too_long(count):
    """What is beyond 32 bits is divided as it is; the rest of a rest is small again."""
    b = KernelBuilder("long")
    y = b.output("int64", 1, "y")
    with b.each(count) as i:
        rest = b.compute("rest", i, b.long(1000))
        b.store(y, 0, b.compute("quotient", rest, b.long(7)))
    (each,) = narrowed(b.finish()).body
    rest, *quotient, _ = each.body
    exact = count - 1 < 2**31
    assert (rest.function == "rest" and rest.operands[0].dtype == LONG) == (not exact)
    assert [s.function for s in quotient][-1] == "cast"


def test_scalars_are_left_alone():
    b = KernelBuilder("in_order")
    y = b.output("int64", 10, "y")

    def body(i):
        b.store(y, i, b.compute("quotient", i, Number(3, LONG)))
        return ()

    b.for_(10, (), body)
    kernel = b.finish()
    assert narrowed(kernel) is kernel
    assert not any(isinstance(s, ir.Each) for s in ir.walk(kernel.body))
