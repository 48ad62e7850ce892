"""Global variables that functions assign: what is in them before, between and after calls."""

import contextlib
import copy
import functools
import sys
import types

import numpy as np
import pytest

import autograph as ag
from autograph import errors

COUNT = 0
BEST = -1e9
TOTAL = np.zeros(2)
LAST = None
DEPTH = 0
_STEPS = 3
SETTINGS = types.ModuleType("settings_of_a_test")
SETTINGS.n = 0
_NAMES = ("COUNT", "BEST", "TOTAL", "LAST", "DEPTH", "MADE")


def _state():
    found = {name: globals()[name] for name in _NAMES if name in globals()}
    return copy.deepcopy({**found, "n": SETTINGS.n})


_BEFORE = _state()


@pytest.fixture(autouse=True)
def _put_back(monkeypatch):
    monkeypatch.setitem(sys.modules, SETTINGS.__name__, SETTINGS)
    _begin()
    yield
    _begin()


def _begin():
    for name in _NAMES:
        globals().pop(name, None)
    before = copy.deepcopy(_BEFORE)
    SETTINGS.n = before.pop("n")
    globals().update(before)


def _outcomes(function, calls):
    _begin()
    found = []
    for args in calls:
        result = function(*args)
        found.append(repr((result, _state())))
    return found


def counted(x):
    global COUNT
    COUNT += 1
    return x * COUNT


def best(x):
    global BEST
    BEST = max(BEST, x)
    return BEST


def seen():
    return COUNT


def read_by_others(x):
    before = seen()
    counted(x)
    return before, seen(), COUNT


def in_branches(x):
    global COUNT
    if x > 0:
        COUNT += 2
    else:
        COUNT -= 1
    return COUNT


def in_a_loop(x):
    global BEST, COUNT
    while x > 0.5:
        x = x / 2
        COUNT += 1
        if x > BEST:
            BEST = x
    return BEST


def in_a_recursion(x):
    global COUNT
    COUNT += 1
    return x if x < 1 else in_a_recursion(x / 2) + 1


def in_an_inner_function(x):
    def change():
        global COUNT
        COUNT = COUNT * 2 + 1
        return COUNT

    return change() + change() * x


def of_another_kind(x):
    global LAST
    LAST = x if LAST is None else LAST + x
    return LAST


def new(x):
    global MADE
    MADE = [x, x * 2]
    return len(MADE)


class Bumps:
    def __add__(self, other):
        global COUNT
        COUNT += 1
        return other

    def bump(self, x):
        global COUNT
        COUNT += x > 0
        return COUNT * x


def in_methods(x):
    return Bumps().bump(x) + (Bumps() + x)


def in_a_try(x):
    global COUNT
    try:
        COUNT += 1
        y = 1 / x
    except ZeroDivisionError:
        COUNT += 10
        y = 0.0
    return y


def in_a_finally(x):
    global DEPTH
    DEPTH += 1
    try:
        return DEPTH * x
    finally:
        DEPTH -= 1


def yields(x):
    global COUNT, _STEPS
    for _ in range(_STEPS):
        COUNT += 1
        yield x * COUNT


def in_a_generator(x):
    return sum(yields(x)) + COUNT


@contextlib.contextmanager
def deeper():
    global DEPTH
    DEPTH += 1
    try:
        yield DEPTH
    finally:
        DEPTH -= 1


def in_a_manager(x):
    with deeper() as outer, deeper() as inner:
        return outer * x + inner + DEPTH


def several(x):
    global COUNT, BEST
    COUNT, BEST = BEST, x
    return COUNT - BEST


def of_a_loop(x):
    global COUNT
    total = 0
    for COUNT in range(3):
        total += COUNT * x
    return total, COUNT


def read_in_lambdas(x):
    global COUNT
    COUNT += 1
    return list(map(lambda v: v * COUNT, [x, x + 1])), [COUNT + v for v in (x, 1)]


@functools.lru_cache(None)
def remembered(x):
    global COUNT
    COUNT += 1
    return x


def of_a_module(x):
    SETTINGS.n += 1
    if x > 0:
        SETTINGS.n += 2
    from settings_of_a_test import n

    return SETTINGS.n * x, n


def without_assigning(x):
    global COUNT
    return COUNT + x


@pytest.mark.parametrize(
    "function",
    [
        *(counted, best, read_by_others, in_branches, in_a_loop, in_a_recursion, new, in_methods),
        *(in_an_inner_function, of_another_kind, in_a_try, in_a_finally, in_a_generator, several),
        *(in_a_manager, of_a_loop, read_in_lambdas, of_a_module, without_assigning),
    ],
    ids=lambda function: function.__name__,
)
def test_as_python(function):
    calls = [(1.0,), (2.0,), (-3.0,), (0.5,), (5.0,)]
    assert _outcomes(ag.to_graph(function), calls) == _outcomes(function, calls)


def rebinds_an_array(x):
    global TOTAL
    TOTAL = TOTAL + x
    return TOTAL.sum()


def test_arrays():
    calls = [(np.ones(2),), (np.full(2, 3.0),), (np.ones(2),)]
    assert _outcomes(ag.to_graph(rebinds_an_array), calls) == _outcomes(rebinds_an_array, calls)


def test_it_is_compiled_once_for_all_values(caplog):
    compiled = ag.to_graph(counted)
    for _ in range(3):
        compiled(1.0)
    with caplog.at_level("DEBUG", logger="autograph"):
        for _ in range(3):
            compiled(1.0)
    assert COUNT == 6 and "recording" not in caplog.text


def test_what_others_assign_is_seen():
    global COUNT
    compiled = ag.to_graph(counted)
    compiled(1.0)
    COUNT = 10
    assert compiled(2.0) == 22.0
    COUNT = 1.5
    assert compiled(2.0) == 5.0 and COUNT == 2.5


def test_derivatives():
    assert [ag.grad(counted)(2.0), ag.grad(counted)(2.0), COUNT] == [1.0, 2.0, 2]
    second = ag.grad(ag.grad(lambda x: counted(x) * x))
    assert [second(2.0), second(2.0), COUNT] == [6.0, 8.0, 4]
    _begin()
    out, tangent = ag.jvp(counted, (2.0,), (1.0,))
    assert (out, tangent, COUNT) == (2.0, 1.0, 1)


def read_by_what_is_differentiated(x):
    first = ag.grad(lambda v: v * v * COUNT)(x)
    counted(x)
    return first, ag.grad(lambda v: v * v * COUNT)(x)


def squared(x):
    return x * x * COUNT


def differentiated_twice(x):
    first = ag.grad(squared)(x)
    counted(x)
    return first, ag.grad(squared)(x)


@pytest.mark.parametrize("function", [read_by_what_is_differentiated, differentiated_twice])
def test_derivatives_inside_see_what_is_assigned_between_them(function):
    assert ag.to_graph(function)(2.0) == (0.0, 4.0)
    assert ag.to_graph(function)(2.0) == (4.0, 8.0)


def test_lanes_would_overwrite_each_other():
    with pytest.raises(errors.BatchingError, match="AG0546"):
        ag.vmap(counted)(np.ones(3))
    assert COUNT == 0


def raises(x):
    global COUNT
    COUNT += 1
    if x < 0:
        raise ValueError("negative")
    return x


def test_what_an_exception_leaves():
    compiled = ag.to_graph(raises)
    compiled(1.0)
    with pytest.raises(ValueError, match="negative"):
        compiled(-1.0)
    assert COUNT == 2  # as in Python
    assert compiled(1.0) == 1.0 and COUNT == 3


def on_one_path(x):
    global MADE
    if x > 0:
        MADE = x
    return MADE


def test_one_that_may_be_there():
    with pytest.raises(errors.BranchMismatchError, match=r"AG0314.*'MADE' has a value on some"):
        ag.to_graph(on_one_path)(1.0)
    assert "MADE" not in globals()


def after_a_trip(x):
    while x > 0:
        Settings.made = x
        x -= 1
    return x


class Settings:
    pass


def test_one_that_is_there_after_a_trip():
    with pytest.raises(errors.LoopStateError, match=r"AG0315.*has a value after some trips"):
        ag.to_graph(after_a_trip)(1.0)
    assert not hasattr(Settings, "made")


def hides(x):
    COUNT = x

    def inner():
        global COUNT
        COUNT = 1

    inner()
    return COUNT


def test_names_that_hide_each_other():
    with pytest.raises(errors.UnsupportedConstructError, match="AG0208"):
        ag.to_graph(hides)(1.0)


def stops_early(x):
    total = 0
    for value in yields(x):
        if value > 5:
            break
        total += value
    return total


def test_generators_that_are_cut_are_refused():
    with pytest.raises(errors.UnsupportedConstructError, match=r"AG0585.*'global'"):
        ag.to_graph(stops_early)(1.0)


def test_what_is_printed_is_python():
    assert "nonlocal COUNT" in str(ag.to_graph(counted).converted)
