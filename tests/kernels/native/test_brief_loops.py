"""Loops of few trips are no vectors in machine code that is made quickly, and are once it is
optimised."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.kernels.llvm.effort import brief_loops
from autograph.kernels.llvm.printer import print_apart
from autograph.kernels.mathematics import expanded
from autograph.kernels.native import compiler, tiers
from autograph.kernels.native.runtime import runtime
from tests.kernels.llvm.support import Native, host
from tests.kernels.native.test_tiers import soon, the_tiers, tier, wait
from tests.kernels.random_kernels import RandomKernel

__all__ = ["soon", "tier"]  # fixtures


def waves(x, y):
    a = np.sin(x) * y + np.exp(-x * x)
    return a / (1.0 + a * a), np.where(a > y, a, y)


@pytest.fixture
def texts(monkeypatch):
    """What LLVM gets, with whether a few passes will do, from now on."""
    found = []

    def noted(text, quickly=False, *args, **options):
        found.append((text, quickly))
        return plain(text, quickly, *args, **options)

    plain = compiler.optimised
    monkeypatch.setattr(compiler, "optimised", noted)
    return found


def of_kernels(texts):
    return [text for text, _ in texts if "define i32 @kernel(" in text]


def has_vectors(text):
    return " x double>" in text


def test_a_loop_of_few_trips_is_made_a_vector_once_its_kernel_is_optimised(tier, soon, texts):
    tier(tiers.AUTOMATIC)
    f, x = ag.to_graph(lambda x: waves(x, x + 1.0)), np.linspace(0.0, 3.0, 200)
    made = the_tiers(f, x)
    assert [has_vectors(text) for text in of_kernels(texts)] == [False]
    end, first = 100_000, f(x)
    while not made._is_asked and end:
        end -= 1
        assert all(np.array_equal(a, b) for a, b in zip(f(x), first))
    wait()
    assert made._code is not None
    assert [has_vectors(text) for text in of_kernels(texts)] == [False, True]
    assert all(np.array_equal(a, b) for a, b in zip(f(x), first))


def test_a_loop_of_many_trips_is_one_at_once(tier, texts):
    tier(tiers.QUICK)
    x = np.linspace(0.0, 3.0, 20_000)
    ag.to_graph(lambda x: waves(x, x + 1.0))(x)
    assert [has_vectors(text) for text in of_kernels(texts)] == [True]


def test_so_is_what_is_optimised_at_once(tier, texts):
    tier(tiers.OPTIMISED)
    x = np.linspace(0.0, 3.0, 200)
    ag.to_graph(lambda x: waves(x, x + 1.0))(x)
    assert [has_vectors(text) for text in of_kernels(texts)] == [True]


def test_few_trips_in_many_are_many(tier, texts):
    def steps(x, n=1000):
        for _ in range(n):
            x = 0.5 * x + 0.1 * x[::-1] * x
        return x

    tier(tiers.QUICK)
    ag.to_graph(steps)(np.linspace(0.0, 1.0, 100))
    assert [has_vectors(text) for text in of_kernels(texts)] == [True]


@pytest.mark.parametrize("seed", range(40))
def test_random_kernels_have_the_same_bits_and_call_no_more(seed):
    found = RandomKernel(seed, count=5 + 7 * seed, mode="vector" if seed % 3 else "parallel")
    kernel = expanded(found.kernel)
    loops = frozenset(brief_loops(kernel.body))
    whole, brief = print_apart(kernel, host()), print_apart(kernel, host(), loops)
    assert (whole == brief) == (not loops)
    symbols = runtime().symbols
    assert {*symbols.in_texts([whole])} <= {*symbols.in_texts([brief])}
    results = []
    for text in (whole, brief):
        results.append(Native(found.kernel, text=text)(*found.inputs))
    (status, outputs), (same_status, same_outputs) = results
    assert status == same_status
    if not status:
        for a, b in zip(outputs, same_outputs):
            np.testing.assert_array_equal(a, b)


def test_random_kernels_have_such_loops():
    found = [RandomKernel(seed, count=5 + 7 * seed).kernel for seed in range(40)]
    assert sum(any(True for _ in brief_loops(expanded(k).body)) for k in found) > 5
