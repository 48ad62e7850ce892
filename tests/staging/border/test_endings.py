"""Whatever ends a recording is an error of ours, with an id, the user's line and what helps, or the
very exception that Python raises.

The line is the one marked ``# here``.
"""

import collections
import colorsys
import contextlib
import decimal
import fractions
import importlib.util
import json
import os
import pickle
import pprint
import reprlib
import statistics
import struct
import sys
import sysconfig
import types

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from autograph.api.calls import tracebacks
from autograph.staging.border import endings
from tests.support.lines import line_of
from tests.support.oracle import check

X = np.array([1.0, 2.0, 3.0])

special = pytest.importorskip("scipy.special")

# Another library of arrays, as if it were installed.
other = types.ModuleType("other")
_SOURCE = "def sin(x): raise TypeError(f'{x!r} of type {type(x)} is not a valid type')"
exec(compile(_SOURCE, sysconfig.get_path("purelib") + "/other.py", "exec"), vars(other))


def packs(x):
    return struct.pack("d", x[0])  # here


def makes_a_decimal(x):
    return decimal.Decimal(x[0])  # here


def makes_a_fraction(x):
    return fractions.Fraction(x[0])  # here


def dumps(x):
    return json.dumps({"a": [x[0]]})  # here


def dumps_in_a_branch(x):
    if x[0] > 0.0:
        return json.dumps(x[0])  # here
    return ""


def dumps_in_a_handler(x):
    try:
        return len(json.dumps(x[0]))  # here
    except TypeError:
        return -1


def converts_a_colour(x):
    return colorsys.rgb_to_hsv(x[0], x[1], x[2])  # here


def sums_along_a_dimension(x):
    return np.sum(x, dim=0)  # here


def sums_itself_along_a_dimension(x):
    return x.sum(dim=0)  # here


def unsqueezes(x):
    return x.unsqueeze(0)  # here


def sets_at(x):
    return x.at[0].set(1.0)  # here


def makes_objects(x):
    return np.array([x[0], x[1]], dtype=object)  # here


def has_too_many_axes(x):
    return x.reshape((3,) + 63 * (1,))[None]  # here


def fills_a_deque(x):
    queue = collections.deque(maxlen=2)
    if x[0] > 0.0:  # here
        queue.append(x[0])
    return len(queue)


def reads_the_environment(x):
    return x * float(os.environ.get("AUTOGRAPH_NOT_THERE", "2"))  # here


def pickles(x):
    return pickle.dumps([x])  # here


def takes_the_size(x):
    return sys.getsizeof(x)  # here


def makes_an_object_of_a_library(x):  # here
    return contextlib.nullcontext(x)


def returns_a_manager(x):  # here
    return contextlib.suppress(ValueError)


def calls_an_array(x):
    return x(0)  # here


def prints_by_repr(x):
    pprint.pprint([x])  # here


def makes_a_text_by_repr(x):
    return reprlib.repr(x[0])  # here


def returns_an_iterator(x):  # here
    return iter(x)


REFUSED = [  # the function, the id, what it is caught by, and texts in the message and the fix
    (packs, "AG0358", struct.error, "struct.pack", "outside"),
    (makes_a_decimal, "AG0358", TypeError, "decimal.Decimal", "outside"),
    (makes_a_fraction, "AG0358", TypeError, "fractions.Fraction", "outside"),
    (dumps, "AG0358", TypeError, "json.dumps", "outside"),
    (dumps_in_a_branch, "AG0358", TypeError, "json.dumps", "outside"),
    (dumps_in_a_handler, "AG0358", TypeError, "json.dumps", "outside"),
    (converts_a_colour, "AG0301", TypeError, "colorsys.rgb_to_hsv", ""),
    (sums_along_a_dimension, "AG0401", TypeError, "'dim'", "'axis'"),
    (sums_itself_along_a_dimension, "AG0401", TypeError, "'dim'", "'axis'"),
    (unsqueezes, "AG0359", AttributeError, "no attribute 'unsqueeze'", "x[:, None]"),
    (sets_at, "AG0359", AttributeError, "no attribute 'at'", "x[i] = v"),
    (makes_objects, "AG0404", NotImplementedError, "objects", "a list"),
    (has_too_many_axes, "AG0403", IndexError, "65 dimensions", "shape"),
    (fills_a_deque, "AG0314", TypeError, "1 elements and 0 elements", "a list"),
    (pickles, "AG0305", TypeError, "pickle.dumps", "supported"),
    (takes_the_size, "AG0405", NotImplementedError, "getsizeof", "outside"),
    (makes_an_object_of_a_library, "AG0345", NotImplementedError, "nullcontext", "the values"),
    (returns_a_manager, "AG0345", NotImplementedError, "a context manager", "entered"),
    (calls_an_array, "AG0401", TypeError, "'numpy.ndarray' object is not callable", "x[i]"),
    (prints_by_repr, "AG0306", TypeError, "a text", "print(x)"),
    (makes_a_text_by_repr, "AG0306", TypeError, "a text", "repr(x)"),
    (returns_an_iterator, "AG0345", NotImplementedError, "an iterator", "list(...)"),
    (reads_the_environment, "AG0405", NotImplementedError, "os.environ", "outside"),
]


REFUSED = [pytest.param(*row, id=row[0].__name__) for row in REFUSED]


def refused(call, id, kind, function):
    """The error of a call, which has to be one of ours at the line marked in a function."""
    with pytest.raises(errors.AutographError) as caught:
        call()
    error = caught.value
    assert error.id == id, str(error)
    assert isinstance(error, kind), type(error).__mro__
    assert f"{__file__}:{line_of(function)}" in str(error), str(error)
    return error


@pytest.mark.parametrize("function, id, kind, says, fix", REFUSED)
def test_refused(function, id, kind, says, fix):
    error = refused(lambda: ag.to_graph(function)(X), id, kind, function)
    assert says in error.message and fix in error.fix, str(error)


# What is refused where it is returned is no error where something else is returned.
_CALLED = [row for row in REFUSED if row.values[1] != "AG0345"]


@pytest.mark.parametrize("function, id, kind, says, fix", _CALLED)
def test_refused_where_it_is_called(function, id, kind, says, fix):
    def calls(x):
        total = 0.0
        for i in range(3):
            total = total + np.sum(function(x * i))
        return total

    refused(lambda: ag.grad(calls)(X), id, kind, function)


def test_a_library_that_knows_no_symbolic_arrays():
    def sines(x):
        return other.sin(x)  # here

    error = refused(lambda: ag.to_graph(sines)(X), "AG0358", TypeError, sines)
    assert "other.sin" in error.message and error.fix == "use np.sin, which takes traced arrays"


@pytest.mark.parametrize(
    "name, values",
    [("betainc", (1.0, 2.0, 0.3)), ("gammainc", (1.0, 2.0)), ("gammaincc", (1.0, 2.0))]
    + [("zeta", (2.0, 3.0))],
)
@pytest.mark.parametrize("mode", [ag.grad, lambda f: lambda x: ag.jvp(f, (x,), (1.0,))])
def test_derivatives_that_are_not_known(name, values, mode):
    def function(x):
        return getattr(special, name)(x, *values[1:])  # here

    error = refused(lambda: mode(function)(values[0]), "AG0505", NotImplementedError, function)
    assert "derivative by" in error.message and name in error.message


def test_a_shape_without_a_length():
    def function(x):  # here
        return x

    spec = ag.ShapeDtypeStruct((None, 3), "float64")
    error = refused(lambda: ag.to_graph(function).lower(spec), "AG0362", ValueError, function)
    assert "(None, 3)" in error.message


def test_leaves_that_are_no_floats():
    def function(weights):  # here
        return weights["x"] * weights["i"][1]

    assert ag.grad(function)({"x": 1.0, "i": (2.0, 3)}) == {"x": 3.0, "i": (0.0, None)}
    call = lambda: ag.grad(function)({"x": 1, "i": (2, True)})
    error = refused(call, "AG0503", TypeError, function)
    assert "weights['i'][0] is int, weights['i'][1] is bool" in error.message


# -- what is no error any more ---------------------------------------------------------------------


def joins_texts(x, n):
    kind = "big" if np.sum(x) > 3.0 else "small"
    print(kind + str(n))
    return "of " + str(n) + kind + f"{x[0]:.2f}"


def passes_finally(x):
    try:
        y = x + 1.0
    finally:
        pass
    return y


def passes_finally_in_a_loop(x):
    for i in range(3):
        try:
            if i == 2:
                break
            x = x * 2.0
        finally:
            unused = 1
    return x


@pytest.mark.parametrize("function", [passes_finally, passes_finally_in_a_loop])
def test_a_finally_that_does_nothing(function):
    check(function, X)


def test_a_chosen_text_and_a_value():
    check(joins_texts, X, 3)
    check(joins_texts, -X, 4)


# -- Python's own exceptions -----------------------------------------------------------------------


def looks_up_what_is_not_there(x):
    return x * {"a": 1.0}["b"]


def uses_no_such_name(x):
    return x * not_there  # noqa: F821


def needs_another_argument(x):
    return sums_along_a_dimension()


def pops_from_nothing(x):
    return [].pop()


def takes_the_mean_of_nothing(x):
    return x * statistics.mean([])


def divides_known_numbers(x):
    return x * (1 // 0)


PYTHONS = [
    *(looks_up_what_is_not_there, uses_no_such_name, needs_another_argument, pops_from_nothing),
    *(takes_the_mean_of_nothing, divides_known_numbers),
]


@pytest.mark.parametrize("function", PYTHONS, ids=lambda f: f.__name__)
def test_what_python_raises(function):
    with pytest.raises(Exception) as expected:
        function(X)
    with pytest.raises(type(expected.value)) as caught:
        ag.to_graph(function)(X)
    assert type(caught.value) is type(expected.value)
    assert str(caught.value) == str(expected.value)


def test_a_librarys_exception_in_a_branch_that_is_not_taken():
    def function(x):
        return x * statistics.mean([]) if x[0] > 0.0 else x

    check(function, -X)
    check(function, X)


def test_hasattr_of_arrays():
    def function(x):
        return x * 2.0 if hasattr(x, "unsqueeze") else getattr(x, "at", x) * 3.0

    check(function, X)


@pytest.mark.parametrize("name", sorted({*endings._STAND_INS, tracebacks._CALLS}))
def test_modules_that_are_known_by_name_exist(name):
    assert importlib.util.find_spec(name) is not None
