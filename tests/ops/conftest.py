"""Skips what the NumPy at hand does not have yet, or does otherwise than later versions.

A graph does what the latest NumPy does where that repairs an earlier one, which is compared with
the earlier one in nothing else than what is listed here.
"""

import linecache
from types import FunctionType

import numpy as np
import pytest

NEW = {"cumulative_prod", "cumulative_sum", "matvec", "unstack", "vecmat"}  # since NumPy 2.0

# The version of NumPy, and parts of the names of tests or of the functions that they are given.
REPAIRED = {
    "2.1": [
        *(f"test_functions_of_one_array[{name}]" for name in ("ceil", "floor", "trunc")),
        *("x.reshape((3, 8), order=", "np.reshape(x, -1, copy=True)"),  # `copy`
        *("np.clip(x, max=2.2)", "np.clip(x, 0, 1, min=2)", "np.clip(x, None, None)"),
        *("np.nonzero(x)", "x.nonzero()"),  # of a scalar
        "[roll (2,) ()]",  # by an unsigned number
    ],
    "2.2": [
        "np.cov(x[:1], rowvar=False)",  # of one row
        "np.insert(x, np.array([True, False, True, False])",
        "np.trim_zeros",  # of several axes
    ],
    "2.3": [
        "test_each_step_has_the_dtype_of_its_operands_if_optimized",
        "test_powers_of_booleans",
        "np.count_nonzero(x)",  # gave an int
        # Norms of no elements, condition numbers of complex matrices that were complex
        *("matrix_rank", "[norm 1 (-1, -2)]", "[norm 2", "[norm inf", "matrix_norm 2"),
        *("matrix_norm inf", "vector_norm inf", "test_linalg.py::test_dtypes[cond"),
        "np.pad(x, {1: 2})",
        *("np.quantile(x, np.float64(0.4)", "test_a_traced_place"),  # dtypes of quantiles
        *("[averaged_inverted_cdf]", "[interpolated_inverted_cdf]", "[weibull]"),
        *("test_weighted_quantiles", "test_weights_that_are_none"),  # some weights were ignored
        "test_the_namespace_of_a_symbolic_array",  # of a version of the standard that is later
        *("[np.unique(x, axis=0)]", "[np.unique(x, True, True, True, axis=-1)]"),  # NaN in rows
        'np.add(x, y, signature="f")',
    ],
}

# What a later NumPy does otherwise than graphs, which do as those before.
LATER = {
    "2.5": [
        "test_linalg.py::test_products[cross]",  # another error if there are no axes
        "test_bincount_of_lists[[1.5, 2.0]]",  # of lists of floats: an error, as of arrays
        *("np.interp(x, [], [])", "np.interp(x, [0, 1], [1, 2], left=1j)"),  # no error of nothing
    ],
}


def pytest_collection_modifyitems(items):
    missing = {name for name in NEW if not hasattr(np, name)}
    version = np.lib.NumpyVersion(np.__version__)
    changed = [text for since in REPAIRED if version < f"{since}.0" for text in REPAIRED[since]]
    changed += [text for since in LATER if version >= f"{since}.0" for text in LATER[since]]
    for item in items if missing or changed else ():
        given = list(getattr(getattr(item, "callspec", None), "params", {}).values())
        functions = list(functions_in(given))
        names = {name for function in functions for name in function.__code__.co_names}
        if lacking := missing & names:
            item.add_marker(pytest.mark.skip(reason=f"no {', '.join(lacking)} in this NumPy"))
        texts = [item.nodeid, *(first_line(function) for function in functions)]
        if any(part in text for part in changed for text in texts):
            item.add_marker(pytest.mark.skip(reason="this NumPy does it otherwise"))


def functions_in(value):
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from functions_in(item)
    elif isinstance(value, FunctionType):
        yield value


def first_line(function):
    return linecache.getline(function.__code__.co_filename, function.__code__.co_firstlineno)
