"""Loops over the same rows go strip by strip: arrays that only they read are as large as one."""

import random
import warnings

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir
from autograph.kernels.passes import strips
from autograph.kernels.passes.host import for_host
from tests.kernels.kernel_check import check, host_statements

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(2, 240, 30))
V = RNG.normal(size=240)


def distances(x, y, v):
    """An array of rows, of which the next loop takes one element each."""
    apart = np.sum((x[:, None, :4] - y[None, :20, :4]) ** 2, axis=2)
    return np.argmin(apart, axis=1)


def again_and_again(x, y, v):
    """A loop in order goes into the strip."""
    z = x + y
    for _ in range(7):
        z = np.where(np.abs(z) > 0.5, z - 0.3 * z * z, z)
    return np.argmin(z, axis=1), np.sum(z, axis=1)


def columns(x, y, v):
    """Each column after the one before."""
    upper, out = np.zeros_like(x), np.zeros_like(x)
    for k in range(30):
        if k == 0:
            upper[:, k] = y[:, k]
        else:
            upper[:, k] = x[:, k] / (2.0 + y[:, k] * upper[:, k - 1])
    out[:, -1] = upper[:, -1]
    for k in range(28, -1, -1):
        out[:, k] = upper[:, k] - y[:, k] * out[:, k + 1]
    return out


def what_stands_between(x, y, v):
    """A table that is made between the loops is made before them."""
    z = np.tanh(x)
    roots = np.exp(np.arange(3.0))
    for _ in range(3):
        z = z * 0.5 + y
    return np.argmin(np.abs(z[:, :, None] - roots), axis=2)


def factor(k):
    n = len(k)
    lower = np.zeros_like(k)
    for i in range(n):
        for j in range(i + 1):
            s = k[i, j] - np.dot(lower[i, :j], lower[j, :j])
            if i == j:
                lower[i, i] = np.sqrt(s)
            else:
                lower[i, j] = s / lower[j, j]
    return lower


def factors(t, v):
    """A loop in order that is of no rows reads an array, before loops that are."""
    k = np.exp(-t * (v[:, None] - v[None]) ** 2) + 0.1 * np.eye(len(v))
    return np.linalg.cholesky(k).sum() + factor(k).sum()


def pairs(x, y, v):
    """The loop after the one over pairs goes over three sums for each row."""
    apart = x[:, None, :3] - x[None, :, :3]
    weights = 1.0 / (np.sum(apart * apart, axis=2) + 1.0) ** 3
    return np.sum((weights * (2.0 * weights - 1.0))[:, :, None] * apart, axis=1)


def columns_of_planes(x, y, v):
    """Rows in planes, of which each element waits for the one before."""
    x, y = x.reshape(24, 10, 30), y.reshape(24, 10, 30)
    upper, right, out = np.zeros_like(x), np.zeros_like(x), np.zeros_like(x)
    for k in range(30):
        if k == 0:
            upper[:, :, k] = y[:, :, k]
            right[:, :, k] = x[:, :, k]
        else:
            pivot = 2.0 + np.abs(y[:, :, k]) * np.abs(upper[:, :, k - 1])
            upper[:, :, k] = x[:, :, k] / pivot
            right[:, :, k] = (y[:, :, k] + 0.5 * right[:, :, k - 1]) / pivot
    out[:, :, -1] = right[:, :, -1]
    for k in range(28, -1, -1):
        out[:, :, k] = right[:, :, k] - 0.1 * upper[:, :, k] * out[:, :, k + 1]
    return out


SHRINK = [pairs, distances, again_and_again, columns, columns_of_planes, what_stands_between]


def neighbours(x, y, v):
    """A row reads the next one."""
    z = np.tanh(x) * y
    for _ in range(3):
        z = np.tanh(z) + np.roll(z, 1, axis=0)
    return z[1:] - z[:-1]


def all_rows(x, y, v):
    """What depends on all rows stands between."""
    z = np.tanh(x) * y
    most = np.max(z)
    return np.sum(z * most, axis=1)


def returned(x, y, v):
    z = np.tanh(x)
    for _ in range(3):
        z = z * 0.5 + y
    return z, np.argmin(z, axis=1)


STAY = [neighbours, all_rows, returned]


def temporaries(function):
    """The bytes of arrays of all of the kernel, and of strips."""
    found = {}
    for s in host_statements(function, X, Y, V):
        for b in [s.buffer] if isinstance(s, ir.Load | ir.Store) else []:
            found[b] = b.kind
    return (
        sum(b.nbytes for b, kind in found.items() if kind == "temporary"),
        sum(b.nbytes for b, kind in found.items() if kind == "local"),
    )


@pytest.mark.parametrize("function", [*SHRINK, *STAY], ids=lambda f: f.__name__)
def test_as_python(function):
    check(function, X, Y, V, kernels=None, ulps=64, scale=10.0)


def test_an_array_that_others_need_before_the_strips_stays():
    gradient = ag.grad(factors, argnums=(0, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # that there is no native code
        found, _ = gradient(1.0, V[:60])
    slope = (factors(1.0 + 1e-6, V[:60]) - factors(1.0 - 1e-6, V[:60])) / 2e-6
    assert np.isclose(found, slope, rtol=1e-6)


@pytest.mark.parametrize("function", SHRINK, ids=lambda f: f.__name__)
def test_arrays_are_as_large_as_a_strip(function):
    whole, strip = temporaries(function)
    assert whole < 16_384
    assert 0 < strip < 65_536


def settling(x, y, v):
    z, n = x * y, np.zeros(x.shape)
    for _ in range(9):
        live = np.abs(z) < 2.0
        z, n = np.where(live, z * z - 0.4, z), n + live
    return n


def test_an_element_of_a_strip_is_at_the_number_of_the_trip():
    """Else LLVM does not see that neighbouring trips read neighbouring elements."""
    check(settling, X, Y, V, kernels=None, ulps=64, scale=10.0)
    (found,) = ag.to_graph(settling).kernels(X, Y, V).values()
    loops = [s for s in ir.walk(for_host(found.kernel).body) if isinstance(s, ir.Each)]
    access = [(each, s) for each in loops for s in each.body if isinstance(s, ir.Load | ir.Store)]
    own = [(each, s) for each, s in access if s.buffer.kind == "local"]
    assert own and all(s.index is each.index for each, s in own)


def test_what_is_known_of_integers_is_kept_while_arrays_become_smaller(monkeypatch):
    made = []

    class Rounds(strips.Rounds):
        def simplified(self, block):
            made.append(self)
            return super().simplified(block)

    (found,) = ag.to_graph(columns_of_planes).kernels(X, Y, V).values()
    monkeypatch.setattr(strips, "Rounds", Rounds)
    for_host(found.kernel)
    assert len(made) > 1 and len(set(map(id, made))) == 1


def random_rows(seed):
    """A program over rows of matrices, as text."""
    draw = random.Random(seed)
    matrices, vectors, lines = ["x", "y"], ["v"], []

    def matrix(depth=0):
        if depth > 2 or draw.random() < 0.3:
            return draw.choice(matrices)
        return draw.choice(
            [
                lambda: f"({matrix(depth + 1)} {draw.choice('+-*')} {matrix(depth + 1)})",
                lambda: f"np.tanh({matrix(depth + 1)})",
                lambda: f"({matrix(depth + 1)} * {vector(depth + 1)}[:, None])",
                lambda: f"np.cumsum({matrix(depth + 1)}, axis=1)",
                lambda: f"np.roll({matrix(depth + 1)}, 1, axis={draw.randrange(2)})",
                lambda: f"{matrix(depth + 1)}[::-1]",
            ]
        )()

    def vector(depth=0):
        if depth > 2 or draw.random() < 0.3:
            return draw.choice(vectors)
        of = draw.choice(["sum", "max", "min"])
        last = f"{matrix(depth + 1)}[:, {draw.randrange(4)}]"
        return draw.choice([f"np.{of}({matrix(depth + 1)}, axis=1)", last])

    for number in range(draw.randrange(2, 6)):
        way = draw.randrange(5)
        if way == 0:
            lines.append(f"v{number} = {vector()}")
            vectors.append(f"v{number}")
            continue
        lines.append(f"m{number} = {'np.zeros_like(x)' if way > 2 else matrix()}")
        if way == 2:
            lines.append(f"for k in range({draw.choice([2, 3])}):")
            lines.append(f"    m{number} = np.tanh(m{number} * 0.5 + {matrix()})")
        elif way == 3:
            lines.append("for k in range(6):")
            lines.append(f"    m{number}[:, k] = {vector()} * 0.5")
        elif way == 4:
            lines.append("for k in range(1, 6):")
            lines.append(
                f"    m{number}[:, k] = m{number}[:, k - 1] * 0.5 + {draw.choice(matrices)}[:, k]"
            )
        matrices.append(f"m{number}")
    results = [f"np.sum({matrices[-1]}, axis=1)", vector(), draw.choice(matrices)]
    body = "\n    ".join(lines)
    return f"def program(x, y, v):\n    {body}\n    return {', '.join(results)}\n"


@pytest.mark.parametrize("seed", range(24))
def test_random_programs(seed, monkeypatch, tmp_path):
    """With strips wherever there may be some."""
    changes = {"_LEAST_BYTES": 64, "_STRIP_BYTES": 200, "_LEAST_STRIPS": 2, "_LEAST_TRIPS": 1}
    for name, value in changes.items():
        monkeypatch.setattr(strips, name, value)
    file = tmp_path / "program.py"
    file.write_text(random_rows(seed))
    names = {"np": np}
    exec(compile(file.read_text(), str(file), "exec"), names)
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, 12, 6))
    check(names["program"], x, y, rng.normal(size=12), kernels=None, ulps=256, scale=10.0)
