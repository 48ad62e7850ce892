"""Matchers: whether the arguments of a call are like those of an earlier one."""

import collections
import gc
import sys
import types
import weakref

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from autograph.api.calls.quick import QuickCaller
from autograph.kernels.native.matching import pattern
from autograph.kernels.native.quick_calls import record
from autograph.staging.border.constancy import static_key
from autograph.staging.border.signature import CallParts, call_key, flatten_call, traced_type


class Leaves(QuickCaller):
    """Calls give the leaves, as records do, or None if there is no record for them."""

    def _look_up(self, args, kwargs):
        return None


def match_for(args, kwargs=None, static=(), outside=()):
    """A function that gives the leaves of arguments, positional and by keyword, that are like
    these; None for others. Arrays and numbers are traced, but for those at some positions."""
    kwargs = kwargs or {}
    leaves, _ = flatten_call(CallParts(args, kwargs))
    traced = [i for i, v in enumerate(leaves) if traced_type(v) is not None and i not in static]
    made = record(
        (args, kwargs),
        leaves,
        traced,
        outside=outside,
        guards=(),
        function=lambda: lambda *found: found,
        finish=lambda: None,
        failed=None,
    )
    if made is None:
        return None
    caller = Leaves()
    caller._try_first(made)
    return lambda args, kwargs: caller(*args, **kwargs)


class Point(collections.namedtuple("Point", "x y")):
    pass


class Mine:
    pass


class Text(str):
    pass


def function():
    pass


X, Y = np.ones(3), np.zeros((2, 2), np.float32)
LIKE = {
    "an array": ((X,), (np.zeros(3),)),
    "another layout": ((np.ones((2, 3)),), (np.ones((3, 2)).T,)),
    "not aligned": ((X,), (np.frombuffer(bytes(25), np.uint8)[1:].view(float),)),
    "read-only": ((X,), (np.broadcast_to(1.0, 3),)),
    "no dimensions": ((np.array(1.0),), (np.array(2.0),)),
    "no elements": ((np.ones((0, 2)),), (np.zeros((0, 2)),)),
    "complex": ((np.ones(2, complex),), (np.zeros(2, complex),)),
    "half": ((np.ones(2, np.float16),), (np.zeros(2, np.float16),)),
    "the same dtype": ((X,), (X.view(np.dtype(float, metadata={"a": 1})),)),
    "numbers": ((1.5, 2, 1j), (float("nan"), 2**70, 0j)),
    "NumPy scalars": ((np.float32(1), np.bool_(True)), (np.float32(2), np.bool_(False))),
    "nothing": ((), ()),
    "empty containers": (([], (), {}), ([], (), {})),
    "nested": (
        ({"a": [X, (Y, 1.0)], "b": {3: X}}, [[[]]]),
        ({"a": [X + 1, (Y, 2.0)], "b": {3: X}}, [[[]]]),
    ),
    "texts": (("a" * 3, None, True), ("".join(["a", "a", "a"]), None, True)),
    "objects": ((function, len, np, Mine), (function, len, np, Mine)),
    "the same twice": ((X, X), (X, X + 1)),
}
UNLIKE = {
    "shape": ((X,), (np.ones(4),)),
    "dimensions": ((X,), (np.ones((1, 3)),)),
    "dtype": ((X,), (np.ones(3, np.float32),)),
    "byte order": ((X,), (np.ones(3, ">f8"),)),
    "signedness": ((np.ones(3, int),), (np.ones(3, np.uint64),)),
    "times": ((np.ones(3, int),), (np.ones(3, "m8[s]"),)),
    "objects inside": ((X,), (np.ones(3, object),)),
    "a subclass": ((X,), (np.ma.ones(3),)),
    "a scalar for an array": ((np.array(1.0),), (np.float64(1),)),
    "an array for a scalar": ((np.float64(1),), (np.array(1.0),)),
    "a number for a scalar": ((np.float64(1),), (1.0,)),
    "a scalar for a number": ((1.0,), (np.float64(1),)),
    "another number": ((1,), (1.0,)),
    "a bool for an int": ((1,), (True,)),
    "another bool": ((True,), (False,)),
    "more arguments": ((X,), (X, X)),
    "fewer arguments": ((X, X), (X,)),
    "a list for a tuple": (((X,),), ([X],)),
    "a tuple for a list": (([X],), ((X,),)),
    "a named tuple": (((X, X),), (Point(X, X),)),
    "a longer list": (([X],), ([X, X],)),
    "a shorter list": (([X, X],), ([X],)),
    "another key": (({"a": X},), ({"b": X},)),
    "another kind of key": (({1: X},), ({1.0: X},)),
    "another order": (({"a": X, "b": X},), ({"b": X, "a": X},)),
    "a longer dict": (({"a": X},), ({"a": X, "b": X},)),
    "an ordered dict": (({"a": X},), (collections.OrderedDict(a=X),)),
    "another text": (("a",), ("b",)),
    "a kind of text": (("a",), (Text("a"),)),
    "None": ((X,), (None,)),
    "not None": ((None,), (X,)),
    "another function": ((function,), (lambda: None,)),
    "another module": ((np,), (sys,)),
    "something else": ((X,), (Mine(),)),
    "a container for a leaf": ((X,), ([],)),
    "a leaf for a container": (([X],), (X,)),
}


@pytest.mark.parametrize("case", LIKE)
def test_alike(case):
    first, second = LIKE[case]
    match = match_for(first)
    for args in (first, second):
        leaves, _ = flatten_call(CallParts(args, {}))
        found = match(args, {})
        assert type(found) is tuple
        expected = [v for v in leaves if traced_type(v) is not None]
        assert len(found) == len(expected) and all(map(lambda a, b: a is b, found, expected))


@pytest.mark.parametrize("case", UNLIKE)
def test_not_alike(case):
    first, second = UNLIKE[case]
    match = match_for(first)
    assert match(first, {}) is not None
    assert match(second, {}) is None


def test_keywords():
    match = match_for((X,), {"a": X, "mode": "fast"})
    assert len(match((X + 1,), {"a": X + 2, "mode": "fast"})) == 2
    assert match((X,), {"mode": "fast", "a": X}) is None
    assert match((X,), {"a": X, "mode": "slow"}) is None
    assert match((X,), {"a": X}) is None
    assert match((X,), {}) is None
    assert match((), {"a": X, "mode": "fast"}) is None


@pytest.mark.parametrize("value", [3, -1, 2**70, 0, 1.5, -1e300, "text", None, True])
def test_values_that_count(value):
    match = match_for((value, X), static={0})
    assert match((value, X), {})[0] is X
    for other in (4, 2.5, "other", 3.0, np.int64(3), X, False, ()):
        assert match((other, X), {}) is None


REFUSED = {
    "an object": (Mine(),),
    "a named tuple": (Point(X, X),),
    "an ordered dict": (collections.OrderedDict(a=X),),
    "a default dict": (collections.defaultdict(list, a=X),),
    "a deque": (collections.deque([X]),),
    "a set": ({1},),
    "a generator": (np.random.default_rng(0),),
    "a subclass": (np.ma.ones(3),),
    "a slice": (slice(3),),
    "bytes": (b"a",),
    "keys that are tuples": ({(1, 2): X},),
    "a structure": (types.SimpleNamespace(a=X),),
}


@pytest.mark.parametrize("case", REFUSED)
def test_arguments_without_a_matcher(case):
    args = REFUSED[case]
    leaves, _ = flatten_call(CallParts(args, {}))
    traced = [i for i, v in enumerate(leaves) if isinstance(v, np.ndarray)]
    assert pattern(args, {}, leaves, traced) is None


@pytest.mark.parametrize("value", [0.0, -0.0, np.inf, np.nan, 1j, np.float64(1), np.int8(1), X])
def test_values_without_a_matcher(value):
    assert match_for((value,), static={0}) is None


def test_too_deep_and_too_many():
    deep = X
    for _ in range(200):
        deep = [deep]
    assert pattern((deep,), {}, [X], [0]) is None
    many = [X] * 2000
    assert match_for((many,)) is None
    assert len(match_for((many[:900],))((many[:900],), {})) == 900


def test_any_call_at_all():
    match = match_for((X,))
    for args in ((), (1,), (1, 2, 3), (None,), (X, X), ([X],), ({},)):
        assert match(args, {}) is None
    assert match((X,), {"x": X}) is None and match((), {"x": X}) is None


def test_a_list_that_contains_itself():
    match = match_for(([[X]],))
    loop = []
    loop.append(loop)
    assert match((loop,), {}) is None


# -- outside ---------------------------------------------------------------------------------------


def test_globals():
    namespace = {"a": X, "b": Y}
    match = match_for((X,), outside=[(namespace, "a", X), (namespace, "b", Y)])
    assert match((X,), {}) is not None
    namespace["c"] = 1
    assert match((X,), {}) is not None
    namespace["b"] = Y.copy()
    assert match((X,), {}) is None
    namespace["b"] = Y
    assert match((X,), {}) is not None
    del namespace["a"]
    assert match((X,), {}) is None


def test_cells():
    cell = types.CellType(X)
    match = match_for((1.0,), outside=[(cell, "x", X)])
    count = sys.getrefcount(X)
    for _ in range(100):
        assert match((1.0,), {}) == (1.0,)
    assert sys.getrefcount(X) == count
    cell.cell_contents = Y
    assert match((1.0,), {}) is None
    del cell.cell_contents
    assert match((1.0,), {}) is None


def test_keys_that_change_what_is_compared():
    """A key of a dict of globals may run code; it does not matter to arguments."""
    args = ([X, X],)

    class Key:
        def __hash__(self):
            return hash("a")

        def __eq__(self, other):
            args[0].clear()
            return False

    namespace = {Key(): 1, "a": X}
    args = ([X, X],)
    match = match_for(args, outside=[(namespace, "a", X)])
    assert match(args, {}) is None
    assert args == ([],)


# -- references ------------------------------------------------------------------------------------


def test_references():
    x, p = np.ones(3), {"k": [1.5, "text"]}
    match = match_for((x, p))
    counts = [sys.getrefcount(v) for v in (x, p, p["k"], None)]
    for _ in range(1000):
        found = match((x, p), {})
        assert match((x, 1), {}) is None
    del found
    after = [sys.getrefcount(v) for v in (x, p, p["k"], None)]
    assert counts[:3] == after[:3] and abs(counts[3] - after[3]) < 100


def test_a_matcher_keeps_what_it_compares_with():
    def static():
        pass

    match = match_for((X, static))
    alive = weakref.ref(static)
    del static
    gc.collect()
    assert alive() is not None
    assert match((X, alive()), {}) is not None
    del match
    gc.collect()
    assert alive() is None


# -- random arguments ------------------------------------------------------------------------------


def test_matchers_agree_with_keys():
    """What a matcher takes for alike has the same key; and most of what has the same key is taken
    for alike."""
    rng = np.random.default_rng(0)
    atoms = [
        *(np.ones(2), np.ones(3), np.ones(2, np.float32), np.array(1.0), np.float64(1), 1, 2, 1.0),
        *(True, False, None, "a", "b", function, np.ones(2, bool), np.int64(3), 1j),
    ]

    def made(depth):
        kind = rng.integers(8) if depth else 7
        if kind > 2:
            return atoms[rng.integers(len(atoms))]
        items = [made(depth - 1) for _ in range(rng.integers(3))]
        if kind == 2:
            return dict(zip(rng.permutation(["a", "b", "c"]).tolist(), items))
        return tuple(items) if kind else items

    calls = [tuple(made(2) for _ in range(rng.integers(1, 3))) for _ in range(150)]
    described = [flatten_call(CallParts(args, {})) for args in calls]
    keys = [call_key(*each) for each in described]
    matches = [match_for(args) for args in calls]
    alike = 0
    for i, match in enumerate(matches):
        for j, args in enumerate(calls):
            same = match(args, {}) is not None
            assert same == (keys[i] == keys[j]), (calls[i], args)
            alike += same
    assert alike > 200


def test_values_agree_with_keys():
    values = [1, 2, 1.0, -1.0, 1.5, 2**70, "1", True, None, 0, "a", "", 10**400]
    for value in values:
        match = match_for((value,), static={0})
        for other in values:
            same = match((other,), {}) is not None
            assert same == (static_key(value) == static_key(other)), (value, other)
