"""Which calls of functions that change their arguments, or what is outside, are quick."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.errors import MutationError
from tests.kernels.native.quick import is_quick, looked_up

__all__ = ["looked_up"]  # a fixture

X = np.arange(4.0)


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


def test_a_dict_that_the_function_leaves_empty():
    @ag.to_graph
    def f(d, x):
        largest = max(d.values(), default=0.0)
        d.clear()
        return largest + x

    for _ in range(3):
        d = {"a": 1.0, "b": 3.0}
        assert f(d, 2.0) == 5.0
        assert d == {}


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
