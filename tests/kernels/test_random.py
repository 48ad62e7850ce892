"""Random programs on arrays (`array_programs`), as kernels: they do what Python does, and their
gradients and batches are those of the same programs run by NumPy."""

import contextlib
import linecache
import warnings
from random import Random

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.kernels.array_programs import Writer, arguments
from tests.kernels.kernel_check import identities, overlaps, run

pytest.importorskip("llvmlite")

ARGNUMS = (0, 1, 3, 4, 7)
IN_AXES = (0, *[None] * 6, 0, None)


@pytest.mark.slow
def test_values():
    kernels = [compare_values(seed) for seed in range(60)]
    assert sum(kernels) > 45, "most programs have kernels"


@pytest.mark.costly
@pytest.mark.parametrize("what", ["grad", "vmap"])
def test_transformed(what):
    for seed in range(100, 120):
        compare_transformed(seed, what)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [*range(4), *(pytest.param(n, marks=pytest.mark.exhaustive) for n in range(4, 10))]
)
def test_more(part):
    for seed in range(1000 + part * 50, 1050 + part * 50):
        compare_values(seed, size=20)
        compare_transformed(seed, "grad", size=20)
        compare_transformed(seed, "vmap", size=20)


def written(seed, size):
    """A program's functions, arguments and text; float32 is in every third program."""
    random = Random(seed)
    writer = Writer(random, smooth=seed % 2 == 0, single=seed % 3 == 0)
    text = writer.program(size)
    name = f"<array program {seed} of size {size}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace = {"__name__": "array_program"}
    exec(compile(text, name, "exec"), namespace)
    return namespace["program"], namespace["loss"], arguments(writer.sizes, seed), text


@contextlib.contextmanager
def without_kernels():
    """Compile for NumPy alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograph.api.machine.available", lambda: False)
        yield


def tolerance(seed):
    return 2e-3 if seed % 3 == 0 else 1e-9


def compare_values(seed, size=10):
    """Compare a program with its compiled form; returns whether it has kernels."""
    program, _, calls, text = written(seed, size)
    function = ag.to_graph(program)
    has_kernels = False
    for args in calls:
        expected, found = run(program, args), run(function, args)
        if expected.error is not None or refused(found):
            break
        assert found.error is None, f"{found.error!r}\n{text}"
        assert_near((found.result, found.args), (expected.result, expected.args), seed, text)
        if (identities(found), overlaps(found)) != (identities(expected), overlaps(expected)):
            with without_kernels():
                plain = run(ag.to_graph(program), args)
            assert identities(found) == identities(plain), text
            assert overlaps(found) == overlaps(plain), text
        has_kernels = len(function.kernels(*args)) > 0
    return has_kernels


def compare_transformed(seed, what, size=10):
    """Compare gradients, or batches of them, with those that NumPy computes."""
    _, loss, calls, text = written(seed, size)
    if what == "grad":

        def make():
            return ag.value_and_grad(loss, argnums=ARGNUMS)

    else:
        first = calls[0]
        a, g = first[0], first[7]
        calls = [(np.stack([a, -a, a[::-1]]), *first[1:7], np.array([g, -g, 0.0]), first[8])]

        def make():
            return ag.vmap(ag.grad(loss, argnums=(0, 7)), in_axes=IN_AXES)

    for args in calls:
        with without_kernels():
            expected = run(make(), args)
        found = run(make(), args)
        assert type(found.error) is type(expected.error), (found.error, expected.error, text)
        if expected.error is None:
            assert_near(found.result, expected.result, seed, text)


def refused(found):
    return isinstance(found.error, AutographError)


def assert_near(found, expected, seed, text):
    """The same types, dtypes and shapes, and values to rounding, whatever order sums have."""
    assert type(found) is type(expected), text
    if isinstance(expected, tuple):
        assert len(found) == len(expected), text
        for x, y in zip(found, expected):
            assert_near(x, y, seed, text)
        return
    x, y = np.asarray(found), np.asarray(expected)
    assert (x.dtype, x.shape) == (y.dtype, y.shape), text
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_allclose(x, y, rtol=tolerance(seed), atol=tolerance(seed), err_msg=text)
