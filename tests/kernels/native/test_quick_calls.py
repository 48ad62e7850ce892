"""Calls that are like the last ones run without a look-up; all others do not."""

import types

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.api.recording import list_forms
from autograph.errors import MutationError, SignatureError, UndefinedVariableError
from autograph.staging.border.delivery import Delivery
from tests.support.threads import in_threads

X = np.arange(4.0)


@pytest.fixture
def looked_up(monkeypatch):
    """A list that grows with each call that is looked up."""
    calls = []
    flatten = list_forms.flatten_call

    def flatten_call(args, kwargs, *roots):
        calls.append((args, kwargs))
        return flatten(args, kwargs, *roots)

    monkeypatch.setattr(list_forms, "flatten_call", flatten_call)
    return calls


def is_quick(looked_up, function, *args, **kwargs):
    """Whether a call runs without a look-up."""
    count = len(looked_up)
    function(*args, **kwargs)
    return len(looked_up) == count


# -- quick -----------------------------------------------------------------------------------------


def test_the_second_call_is_quick(looked_up):
    @ag.to_graph
    def f(x):
        return np.sin(x) * 2

    assert not is_quick(looked_up, f, X)
    for x in (X, X + 1, np.asfortranarray(X), np.arange(8.0)[::2]):
        assert is_quick(looked_up, f, x)
        assert np.array_equal(f(x), f(x.copy()))
    np.testing.assert_allclose(f(X + 1), np.sin(X + 1) * 2, rtol=1e-15)


def test_nested_arguments_and_results(looked_up):
    @ag.to_graph
    def f(p, *rest, scale, mode="plain"):
        a, b = p["ab"]
        total = a + b * scale if mode == "plain" else a - b
        return {"total": total, "parts": [a * 2, (b, rest[0] + 1)]}, mode

    p = {"ab": [X, X + 1]}
    assert not is_quick(looked_up, f, p, 1.5, scale=2.0)
    assert is_quick(looked_up, f, {"ab": [X + 5, X]}, 2.5, scale=3.0)
    result, mode = f({"ab": [X + 5, X]}, 2.5, scale=3.0)
    assert mode == "plain" and list(result) == ["total", "parts"]
    assert type(result["parts"]) is list and type(result["parts"][1]) is tuple
    np.testing.assert_array_equal(result["total"], X + 5 + X * 3.0)
    np.testing.assert_array_equal(result["parts"][0], (X + 5) * 2)
    assert result["parts"][1][1] == 3.5
    again, _ = f({"ab": [X + 5, X]}, 2.5, scale=3.0)
    assert again is not result and again["parts"] is not result["parts"]
    assert not is_quick(looked_up, f, p, 1.5, scale=2.0, mode="other")


def test_results_that_may_be_none_or_one_of_several(monkeypatch):
    """One such leaf, and all others were put together by the walk: four times as long as Python
    took for the run of an epidemic."""

    def f(xs):
        peak, kind, best, seen = None, "falling", None, []
        for i in range(len(xs)):
            seen.append(xs[i] * 2)
            if xs[i] > 1.0:
                kind = "high"
                peak = i if peak is None else peak
            if xs[i] > 2.0:
                best = i if xs[i] > 3.0 else xs[i]
        return {"peak": peak, "kind": kind, "seen": seen, "best": (best, [peak])}

    given = [np.array([0.5, 0.2, x]) for x in (0.1, 1.5, 2.5, 3.5)]
    compiled = ag.to_graph(f)
    for _ in range(3):
        compiled(given[0])
    monkeypatch.delattr(Delivery, "deliver")
    for x in given:
        assert repr(compiled(x)) == repr(f(x))


def test_derivatives(looked_up):
    gradient = ag.grad(lambda p: np.sum(p["w"] ** 3) * p["b"])
    p = {"w": X, "b": 2.0}
    gradient(p)
    assert is_quick(looked_up, gradient, p)
    np.testing.assert_allclose(gradient({"w": X + 1, "b": 3.0})["w"], 9 * (X + 1) ** 2)


def test_several_forms_take_turns(looked_up):
    @ag.to_graph
    def f(x):
        return x + 1

    arguments = [X, X.astype(np.float32), 1.5]
    for x in arguments:
        f(x)
    for x in arguments * 3:
        assert is_quick(looked_up, f, x)
        assert np.all(f(x) == x + 1)
    more = [np.ones(n) for n in range(1, 9)]
    for x in more * 3:
        assert np.all(f(x) == x + 1)


def test_numbers_that_became_static(looked_up):
    @ag.to_graph
    def f(n, x):
        return np.zeros(n) + x

    assert f(3, 1.0).shape == (3,)
    assert f(4, 1.0).shape == (4,)
    assert is_quick(looked_up, f, 3, 2.0)
    assert is_quick(looked_up, f, 4, 2.0)
    assert f(3, 2.0).shape == (3,) and f(4, 2.0).shape == (4,) and f(5, 2.0).shape == (5,)
    assert f(np.int64(3), 2.0).shape == (3,)


def test_static_arguments(looked_up):
    @ag.to_graph(static_argnames="power")
    def f(x, power):
        return x**power

    assert np.array_equal(f(X, 2), X**2) and np.array_equal(f(X, 3), X**3)
    assert is_quick(looked_up, f, X, 2) and is_quick(looked_up, f, X, 3)
    assert np.array_equal(f(X, 2), X**2)
    assert np.array_equal(f(X, power=2), X**2)


def test_functions_compiled_ahead_of_time(monkeypatch):
    from autograph.api.recording import ahead

    def f(x, *, scale, shift=1.0):
        return {"y": x * scale + shift}

    run = ag.to_graph(f).lower(X, scale=2.0, shift=1.5).compile()
    run(X, scale=2.0, shift=1.5)
    looked_up = []
    flatten = ahead.flatten_call
    monkeypatch.setattr(ahead, "flatten_call", lambda *a: looked_up.append(a) or flatten(*a))
    np.testing.assert_array_equal(run(X + 1, scale=3.0, shift=2.0)["y"], (X + 1) * 3 + 2)
    np.testing.assert_array_equal(run(X + 1, shift=2.0, scale=3.0)["y"], (X + 1) * 3 + 2)
    assert looked_up == []
    with pytest.raises(SignatureError):
        run(X, scale=2, shift=1.5)
    assert len(looked_up) == 1


# -- looked up because the arguments differ --------------------------------------------------------


def test_other_types_shapes_and_structures(looked_up):
    @ag.to_graph
    def f(x):
        return x * 2 if not isinstance(x, (dict, list)) else [*x]

    f(X)
    for x in (X.astype(int), np.ones(5), 2.0, 3, np.float32(2), True, [1.0], {"a": 1}, (), "ab"):
        assert not is_quick(looked_up, f, x)
        expected = x * 2 if not isinstance(x, (dict, list)) else [*x]
        assert type(f(x)) is type(expected) and np.all(f(x) == expected)


def test_a_bool_is_not_its_opposite():
    @ag.to_graph
    def f(x, flag):
        return x + 1 if flag else x - 1

    for flag in (True, False, True, False):
        assert f(1.0, flag) == (2.0 if flag else 0.0)


# -- looked up because something outside differs ---------------------------------------------------

SCALE = 2.0
TABLE = [1.0, 2.0]


def helper(x):
    return x * SCALE


def test_a_global_that_is_bound_again(looked_up, monkeypatch):
    @ag.to_graph
    def f(x):
        return x * SCALE

    assert f(3.0) == 6.0
    assert is_quick(looked_up, f, 3.0)
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert f(3.0) == 15.0
    assert is_quick(looked_up, f, 3.0)
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert f(3.0) == 6.0


def test_a_global_that_a_helper_reads(monkeypatch):
    @ag.to_graph
    def f(x):
        return helper(x) + 1

    assert f(3.0) == f(3.0) == 7.0
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert f(3.0) == 16.0
    monkeypatch.setitem(globals(), "helper", lambda x: x)
    assert f(3.0) == 4.0


def test_a_list_that_changes(monkeypatch):
    @ag.to_graph
    def f(x):
        return x + sum(TABLE)

    assert f(1.0) == f(1.0) == 4.0
    TABLE.append(10.0)
    try:
        assert f(1.0) == f(1.0) == 14.0
    finally:
        TABLE.pop()
    assert f(1.0) == 4.0


def test_an_array_from_outside_that_changes(looked_up):
    table = np.ones(4)

    @ag.to_graph
    def f(x):
        return x + table

    f(X)
    assert is_quick(looked_up, f, X)
    table[0] = 7.0
    assert f(X)[0] == 7.0


def test_a_variable_of_a_closure_that_is_bound_again():
    def make():
        scale = 2.0

        def change(value):
            nonlocal scale
            scale = value

        return ag.to_graph(lambda x: x * scale), change

    f, change = make()
    assert f(3.0) == f(3.0) == 6.0
    change(4.0)
    assert f(3.0) == f(3.0) == 12.0
    change(2.0)
    assert f(3.0) == 6.0


def test_an_attribute_that_changes():
    class Settings:
        scale = 2.0

    @ag.to_graph
    def f(x):
        return x * Settings.scale

    assert f(3.0) == f(3.0) == 6.0
    Settings.scale = 4.0
    assert f(3.0) == f(3.0) == 12.0


def test_a_global_that_goes_and_comes(monkeypatch):
    @ag.to_graph
    def f(x):
        return x * SCALE

    assert f(3.0) == f(3.0) == 6.0
    monkeypatch.delitem(globals(), "SCALE")
    with pytest.raises(NameError):
        f(3.0)
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert f(3.0) == 6.0


# -- calls that are never quick --------------------------------------------------------------------


def test_arrays_that_the_function_changes(looked_up):
    @ag.to_graph
    def f(x, y):
        x += 1
        return x * y

    for i in range(3):
        x, y = np.zeros(3), np.ones(3)
        assert is_quick(looked_up, f, x, y) == (i > 0)
        assert x.tolist() == [1, 1, 1]
    same = np.zeros(3)
    assert not is_quick(looked_up, f, same, same)
    assert same.tolist() == [1, 1, 1]
    both = np.zeros(6)
    with pytest.raises(MutationError):
        f(both[:3], both[2:5])
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(x, y)
    assert x.tolist() == [1, 1, 1]
    assert is_quick(looked_up, f, both[:3], both[3:])
    assert both.tolist() == [1, 1, 1, 0, 0, 0]


def test_lists_that_the_function_changes(looked_up):
    @ag.to_graph
    def f(items, x):
        items.append(x)
        return items

    for i in range(3):
        items = []
        assert is_quick(looked_up, f, items, 1.0) == (i > 0)
        assert items == [1.0]
    assert f(items, 2.0) is items


ROWS = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_packed_lists_that_the_function_changes(looked_up):
    """Arrays that are made of a list once more are others, of which no length would be compared."""

    def reversed_by_hand(u):
        i, j = 0, len(u) - 1
        while i < j:
            u[i], u[j] = u[j], u[i]
            i, j = i + 1, j - 1
        return u

    def emptied(u):
        count = len(u)
        u.clear()
        return count

    for function in (reversed_by_hand, emptied):
        f = ag.to_graph(function)
        for unit in (0.5, 2):
            for length in (1, 2, 16, 17, 25, 300, 3, 1, 0, 20):
                ours, theirs = [unit * k for k in range(length)], [unit * k for k in range(length)]
                assert f(ours) == function(theirs), length
                assert ours == theirs
        assert is_quick(looked_up, f, [3] * 40)


def test_a_list_that_it_changes_beside_lists_that_it_finds_outside(looked_up):
    @ag.to_graph
    def f(xs, v):
        for i, j, _ in ROWS:
            xs[i] = xs[j] + v
        return sum(xs)

    assert not is_quick(looked_up, f, [0, 0, 0], 2)
    assert is_quick(looked_up, f, [1, 2, 3], 5)
    given = [1, 2, 3]
    assert f(given, 5) == 7 + 8 + 12 and given == [7, 8, 12]
    with pytest.raises(MutationError, match="finds outside"):
        f(ROWS[0], 5)
    assert ROWS == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    assert is_quick(looked_up, f, [1, 2, 3], 5)


def test_objects_that_the_function_changes(looked_up):
    class Slotted:
        __slots__ = ("a", "n")

        def __init__(self):
            self.a, self.n = np.zeros(2), 0

    class Body(Slotted):
        def __init__(self):
            super().__init__()
            self.inner, self.table = Slotted(), {"x": 1.0, "y": 2.0}

    @ag.to_graph
    def f(body, x, *, inside):
        body.n += 1
        body.inner.n += 2
        body.inner.a = body.a + x
        body.table["x"] = x
        inside[0], inside[1] = inside[1], body.inner
        return body, {"body": body, "inside": (inside, body.table)}

    for i in range(4):
        body, inside = Body(), [Slotted(), Slotted()]
        a, first, second, table = body.a, *inside, body.table
        assert is_quick(looked_up, f, body, float(i), inside=inside) == (i > 0)
        assert (body.n, body.inner.n, body.a is a) == (1, 2, True)
        assert body.inner.a.tolist() == [i, i] and inside[0] is second
        assert inside[1] is body.inner and body.table is table
        assert table == {"x": float(i), "y": 2.0} and first.n == 0
        again, found = f(body, 1.0, inside=[Slotted(), Slotted()])
        assert again is body is found["body"] and found["inside"][1] is table


def test_state_in_cells_and_objects_outside(looked_up):
    class Body:
        def __init__(self):
            self.x, self.gain, self.name = 0.0, -0.0, "body"
            self.weights, self.parts = np.ones(2), (1, 2.5)

    body, total = Body(), 0

    @ag.to_graph
    def f(x):
        nonlocal total
        total += 1
        body.x = body.x * 0.5 + x
        a, b = body.parts
        body.parts = (a + 1, b)
        return body.x + body.gain + body.weights.sum()

    for i in range(6):
        assert is_quick(looked_up, f, 1.0) == (i > 1)
        assert (total, body.parts) == (i + 1, (i + 2, 2.5))
    body.gain = 0.0
    assert not is_quick(looked_up, f, 1.0)
    assert is_quick(looked_up, f, 1.0)
    body.weights = np.ones(2)
    assert not is_quick(looked_up, f, 1.0)
    body.gain = float("0")  # equal, and another object
    assert is_quick(looked_up, f, 1.0)
    body.weights[:] = 2.0
    body.x = 0.0
    assert f(1.0) == 5.0
    body.new = 1
    assert f(1.0) == 5.5
    assert list(vars(body)) == ["x", "gain", "name", "weights", "parts", "new"]
    body.name = "other"
    assert f(1.0) == 5.75


def test_containers_that_come_back():
    @ag.to_graph
    def f(items):
        return items, items[0] + 1

    for _ in range(3):
        items = [1.0]
        found, _ = f(items)
        assert found is items


def test_arrays_that_come_back(looked_up):
    @ag.to_graph
    def f(x, y):
        return x, y + 1

    f(X, X)
    for x in (X, X + 1):
        assert f(x, X)[0] is x


def test_state_outside(looked_up):
    seen = []

    @ag.to_graph
    def f(x):
        seen.append(x)
        return x + 1

    for x in (1.0, 2.0, 3.0):
        assert f(x) == x + 1
    assert seen == [1.0, 2.0, 3.0]


def test_generators_of_random_numbers():
    @ag.to_graph
    def f(rng, x):
        return rng.random() + x

    mine, expected = np.random.default_rng(1), np.random.default_rng(1)
    assert [f(mine, 1.0) for _ in range(4)] == [expected.random() + 1.0 for _ in range(4)]


def test_donated_arguments(looked_up):
    @ag.to_graph(donate_argnums=0)
    def f(x):
        return x + 1

    for _ in range(3):
        assert f(np.ones(5)).tolist() == [2] * 5
        assert is_quick(looked_up, f, np.ones(5))
    view = np.ones(10)[::2]
    assert f(view).tolist() == [2] * 5 and view.tolist() == [1] * 5
    frozen = np.ones(5)
    frozen.flags.writeable = False
    assert f(frozen).tolist() == [2] * 5 and frozen.tolist() == [1] * 5


def test_methods_and_objects():
    class Model:
        def __init__(self, scale):
            self.scale = scale

        @ag.to_graph
        def forward(self, x):
            return x * self.scale

    model = Model(2.0)
    assert model.forward(3.0) == model.forward(3.0) == 6.0
    model.scale = 4.0
    assert model.forward(3.0) == 12.0
    assert Model(5.0).forward(3.0) == 15.0


def test_calls_while_recording():
    inner = ag.to_graph(lambda x: x * 2)
    assert inner(3.0) == inner(3.0) == 6.0
    outer = ag.to_graph(lambda x: inner(x) + 1)
    assert outer(3.0) == outer(3.0) == 7.0
    assert ag.grad(lambda x: inner(x) * x)(3.0) == 12.0


# -- errors ----------------------------------------------------------------------------------------


def test_exceptions_are_those_of_the_function(looked_up):
    class Mine(ValueError):
        pass

    @ag.to_graph
    def f(x):
        if x > 2.0:
            raise Mine("too big")
        if x < 0.0:
            y = x
        return x + (y if x < 1.0 else 0.0)

    assert f(1.5) == 1.5
    assert is_quick(looked_up, f, 1.5)
    for _ in range(2):
        with pytest.raises(Mine, match="too big"):
            f(3.0)
        with pytest.raises((UndefinedVariableError, UnboundLocalError)):
            f(0.5)


def test_floating_point_errors_that_raise(looked_up):
    @ag.to_graph
    def f(x):
        return np.sqrt(1.0 / x) + 1.0

    with np.errstate(all="ignore"):
        f(X + 1)
    f(X + 1)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        f(X)
    with np.errstate(all="ignore"):
        assert f(X)[0] == np.inf


# -- threads, switches -----------------------------------------------------------------------------


def test_several_threads():
    @ag.to_graph
    def f(x):
        return x * 3 + 1

    wrong = []

    def work(kind):
        x = np.arange(10).astype(kind)
        for _ in range(500):
            result = f(x)
            if result.dtype != (x * 3 + 1).dtype or not np.array_equal(result, x * 3 + 1):
                wrong.append(kind)

    in_threads(work, ("f4", "f8", "i4", "i8"))
    assert wrong == []


def test_functions_from_one_source_do_not_mix():
    def make(scale):
        return ag.to_graph(lambda x: x * scale)

    functions = [make(scale) for scale in (1.0, 2.0, 3.0)]
    for _ in range(3):
        assert [f(2.0) for f in functions] == [2.0, 4.0, 6.0]


def test_results_of_other_kinds():
    pair = types.SimpleNamespace(kind="static")

    @ag.to_graph
    def f(x):
        return {"x": x + 1, 3: [], "s": pair, "n": None, "t": ((x * 2,),)}

    for x in (1.0, 2.0, 3.0):
        found = f(x)
        assert found == {"x": x + 1, 3: [], "s": pair, "n": None, "t": ((x * 2,),)}
        assert found["s"] is pair
        found[3].append(1)
