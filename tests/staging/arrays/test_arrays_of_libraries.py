"""Arrays that are no part of a program: those that libraries make while a function is recorded, and
arrays of texts, dates and objects."""

import importlib
import sys

import numpy as np
import pytest

import autograph as ag
from autograph.source.tree import libraries
from tests.support.oracle import check

LIBRARY = """
import numpy as np

def window(n):
    return np.arange(float(n)) ** 2

def mirrored(n):
    both = window(n)
    return both, both[::-1]
"""

NAMES = np.array(["b", "a"])
DAYS = np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]")
THINGS = np.array([None, None])
LONG = np.array([1, 2], dtype=np.longdouble)


@pytest.fixture
def library(tmp_path, monkeypatch):
    """The module of an installed package."""
    folder = tmp_path / "installed"
    folder.mkdir()
    (folder / "made_of_arrays.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(libraries, "_PATHS", (*libraries._PATHS, str(folder)))
    yield importlib.import_module("made_of_arrays")
    del sys.modules["made_of_arrays"]


def results_after_changes(function):
    """What two calls return, of which the caller changes the first in place."""
    found = []
    for _ in range(2):
        result = function(1.0)
        found.append(result.copy())
        result[0] = result[1]
    return found


@pytest.mark.parametrize(
    "make",
    [
        lambda x: NAMES.copy(),
        lambda x: np.sort(NAMES),
        lambda x: np.sort(NAMES)[::-1],
        lambda x: DAYS + np.timedelta64(1, "D"),
        lambda x: LONG * 2,
        lambda x: THINGS.copy(),
    ],
)
def test_each_call_returns_an_array_of_its_own(make):
    found, expected = (results_after_changes(f) for f in (ag.to_graph(make), make))
    assert found[0].dtype == expected[0].dtype
    np.testing.assert_array_equal(found, expected)


def test_numbers_that_a_library_makes(library, tmp_path):
    def window(x):
        return library.window(3)

    def twice(x):
        made = library.window(2)
        return made, [made], x

    check(window, 1.0)
    check(twice, 1.0)  # the same array at both places
    compiled = ag.to_graph(window)
    np.testing.assert_array_equal(results_after_changes(compiled), [[0.0, 1.0, 4.0]] * 2)
    compiled.save(tmp_path / "window", 1.0)
    loaded = ag.load(tmp_path / "window")
    np.testing.assert_array_equal(results_after_changes(loaded), [[0.0, 1.0, 4.0]] * 2)


def test_what_such_arrays_cannot_hold(library):
    def set_first(x):
        made = library.window(3)
        made[0] = x
        return made

    def set_in_array(x):
        made = np.array(library.window(3))
        made[0] = x
        return made

    with pytest.raises(ValueError, match="AG0360") as refused:
        ag.to_graph(set_first)(2.0)
    assert "np.array(...)" in refused.value.fix and refused.value.location.line
    check(set_in_array, 2.0)


def test_arrays_that_share_memory_cannot_be_returned(library):
    with pytest.raises(ag.errors.UnsupportedFunctionError, match="AG0620"):
        ag.to_graph(lambda x: (x, library.mirrored(3)))(1.0)
    with pytest.raises(ag.errors.UnsupportedFunctionError, match="AG0620"):
        ag.to_graph(lambda x: NAMES[:1])(1.0)
    check(lambda x: [part.copy() for part in library.mirrored(3)], 1.0)


def holds_a_number(x):
    things = THINGS.copy()
    things[0] = x
    return things


def holds_a_list(x):
    things = THINGS.copy()
    things[0] = [x]
    if x > 0:
        things[0].append(2.0)
    return things[0]


def holds_an_array(x):
    things = THINGS.copy()
    things[0] = [THINGS.copy()]
    if x > 0:
        things[0][0][1] = 3.0
    return things[0][0][1] is None


def depends_on_a_branch(x):
    things = THINGS.copy()
    if x > 0:
        things[0] = 1.0
    return things[0]


def depends_on_a_loop(x):
    things = THINGS.copy()
    while x < 3.0:
        things[1] = x
        x = x + 1
    return things[1]


@pytest.mark.parametrize(
    "function, id",
    [
        (holds_a_number, "AG0620"),
        (holds_a_list, "AG0314"),
        (holds_an_array, "AG0314"),
        (depends_on_a_branch, "AG0314"),
        (depends_on_a_loop, "AG0315"),
    ],
)
def test_objects_in_arrays_are_not_lost(function, id):
    for x in (2.0, -2.0):
        with pytest.raises(ag.errors.AutographError, match=id):
            ag.to_graph(function)(x)


def test_arrays_of_objects_that_are_known():
    def counted(x):
        things = THINGS.copy()
        things[0] = {"count": x}
        for step in range(3):
            things[0]["count"] = things[0]["count"] + step
        return things[0]["count"], things[1] is None

    check(counted, 2.0)


def test_arrays_from_outside_are_only_read():
    def change(x):
        THINGS[0] = 1.0
        return x

    with pytest.raises(ag.errors.MutationError, match="AG0620") as refused:
        ag.to_graph(change)(1.0)
    assert isinstance(refused.value, ValueError) and refused.value.location.line
    assert THINGS[0] is None


def test_the_masked_constant_is_an_object_like_others():
    @ag.to_graph
    def f(x, y):
        return (y, np.ma.masked) if x is np.ma.masked else (2.0 * x, y is np.ma.masked)

    first, second = f(np.ones(2), np.zeros(2))
    assert first.tolist() == [2.0, 2.0] and second is False
    assert ag.to_graph(lambda x: (x, np.ma.masked))(1.0)[1] is np.ma.masked


def test_modes_of_copying():
    def f(x):
        shared = np.array(x, copy=np._CopyMode.IF_NEEDED)
        shared[0] = 5.0
        apart = np.array(x, copy=np._CopyMode.ALWAYS)
        apart[1] = 7.0
        return x, apart

    check(f, np.arange(3.0))
