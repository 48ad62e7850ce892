"""Tables of expressions, each a lambda on lines of its own, and arrays to evaluate them on.

CASES = table(
    lambda x: np.sum(x, axis=0),
    lambda x: np.sum(x, axis=(0, 1), keepdims=True),
)

@pytest.mark.parametrize("function", CASES)
def test_as_numpy(function):
    for x in arrays([(3, 4), ()]):
        check(function, x)
"""

import linecache

import numpy as np
import pytest

DTYPES = ("float64", "float32", "int64", "bool", "complex128")


def table(*functions):
    """One parameter per function, named by the line that it begins on."""
    return [pytest.param(function, id=text_of(function)) for function in functions]


def text_of(function):
    line = linecache.getline(function.__code__.co_filename, function.__code__.co_firstlineno)
    return line.strip().removeprefix("lambda x: ").removesuffix(",")


def arrays(shapes, dtypes=DTYPES, seed=0):
    """An array of each shape and dtype; its elements have one digit behind the point."""
    rng = np.random.default_rng(seed)
    for shape in shapes:
        for dtype in map(np.dtype, dtypes):
            x = np.asarray(np.round(rng.normal(size=shape) * 3, 1))
            if dtype.kind == "c":
                x = x + 1j * np.round(rng.normal(size=shape) * 2, 1)
            yield np.asarray(x, dtype)


def with_nan(shape=(3, 4), dtypes=("float64", "float32", "complex128")):
    """Arrays with some, and with rows of nothing but, NaN."""
    for x in arrays([shape], dtypes):
        x.flat[1] = np.nan
        yield x.copy()
        x[-1] = np.nan
        yield x.copy()
        x[...] = np.nan
        yield x
