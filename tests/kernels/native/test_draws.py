"""Numbers of NumPy's default generator that kernels draw: the same as NumPy's, from one stream."""

import numpy as np
import pytest

import autograph as ag
from ops.random import pcg64
from ops.random.numpy_streams import draw_next

pytest.importorskip("llvmlite")


def each_method(n, seed, bound):
    rng = np.random.default_rng(seed)
    out, total = np.zeros(n), 0
    for i in range(n):
        out[i] = rng.standard_normal() + rng.exponential(2.0) * rng.uniform(-1.0, 2.0)
        total += rng.integers(bound) + rng.integers(-3, i + 1) + rng.integers(5, size=3).sum()
        out[i] += rng.normal(2.0, 3.0, size=(2, 2)).sum() + rng.random()
        if out[i] > 10.0:
            out[i] -= rng.random(3).max() + rng.standard_exponential(2)[0]
    return total, out


def wide_bounds(n, seed):
    rng = np.random.default_rng(seed)
    found = 0
    for i in range(1, n):
        found ^= rng.integers(2**40 * i) + rng.integers(0, 2**32) + rng.integers(-(2**62), 2**61)
        found ^= rng.integers(0, 2**32, endpoint=True) + rng.integers(2**32 - 2, 2**33 + i)
        found ^= rng.integers(0, i, endpoint=True) + rng.integers(7, 7, endpoint=True)
    return found


def other_methods(n, seed):
    rng = np.random.default_rng(seed)
    total = 0.0
    for _ in range(n):
        total += rng.random(dtype=np.float32) + rng.integers(3, dtype=np.int32)
        total += rng.binomial(10, 0.3) + rng.choice(5) + rng.permutation(4)[0]
        total += rng.integers(9) + rng.normal()
    return total, rng.random(3)


PROGRAMS = [
    *((each_method, args) for args in ((0, 1, 5), (1, 2, 3), (3000, 3, 2**20 + 1))),
    *((wide_bounds, args) for args in ((2, 1), (3000, 2))),
    *((other_methods, args) for args in ((0, 1), (50, 3))),
]


@pytest.mark.parametrize(("function", "args"), PROGRAMS)
def test_as_numpy(function, args):
    found, expected = ag.to_graph(function)(*args), function(*args)
    for x, y in zip(*((r if isinstance(r, tuple) else (r,)) for r in (found, expected))):
        assert type(x) is type(y)
        assert np.allclose(x, y, 1e-12, 1e-12)


def walk(n, seed):
    rng = np.random.default_rng(seed)
    x = 0.0
    for _ in range(n):
        x += rng.normal() + rng.integers(3)
    return x


def test_loops_with_draws_are_kernels():
    compiled = ag.to_graph(walk)
    assert len(compiled.kernels(100, 1)) == 1
    assert compiled(100, 1) == pytest.approx(walk(100, 1), rel=1e-12)


def test_an_empty_range_raises_as_numpy_does():
    def drawn(n, seed):
        rng = np.random.default_rng(seed)
        total = 0
        for i in range(n):
            total += rng.integers(3 - i)
        return total

    assert ag.to_graph(drawn)(3, 1) == drawn(3, 1)
    with pytest.raises(ValueError, match="high <= 0"):
        drawn(4, 1)
    with pytest.raises(ValueError, match="high <= 0"):
        ag.to_graph(drawn)(4, 1)


@pytest.mark.parametrize("method", pcg64._METHODS)
def test_every_method_is_that_of_this_version_of_numpy(method):
    assert pcg64._is_as_in_numpy(method)


def test_another_stream_is_left_to_numpy(monkeypatch):
    monkeypatch.setattr(pcg64, "_MULTIPLIER", pcg64._MULTIPLIER + 2)
    assert not pcg64._is_as_in_numpy.__wrapped__("random")
    assert draw_next.draws.when([], {"method": "binomial", "names": (), "static": ()}) is False


@pytest.mark.parametrize("method", ["standard_normal", "standard_exponential"])
def test_strips_and_tails(method):
    """Bits that are seldom drawn: those of the last strip, and at the borders of strips."""
    strips = pcg64._ziggurat(method)
    is_normal = method == "standard_normal"
    for strip in range(256):
        border = int(strips.accepted[strip])
        most = 2**52 if is_normal else 2**53
        for integer in {0, max(border - 1, 0), min(border, most - 1), most - 1}:
            bits = strip | integer << 9 if is_normal else (strip | integer << 8) << 3
            before = (bits - 1) * pow(pcg64._MULTIPLIER, -1, 2**128) % 2**128
            state = (before >> 64, before & (2**64 - 1), 0, 1, 0, 0)
            words = tuple(np.array([word], np.uint64) for word in state)
            generator = np.random.Generator(np.random.PCG64(0))
            generator.bit_generator.state = {
                "bit_generator": "PCG64",
                "state": {"state": before, "inc": 1},
                "has_uint32": 0,
                "uinteger": 0,
            }
            with np.errstate(all="ignore"):
                words, found = getattr(pcg64, method)(words, lambda table, i: table[i])
            assert found[0] == pytest.approx(getattr(generator, method)(), rel=1e-14)
            after = generator.bit_generator.state["state"]["state"]
            assert int(words[0][0]) << 64 | int(words[1][0]) == after
