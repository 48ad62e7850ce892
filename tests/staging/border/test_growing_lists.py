"""Lists of the caller's that a function only adds to: their elements are no inputs, and a function
is not recorded again when they are longer."""

import heapq
from bisect import insort

import numpy as np
import pytest

import autograph as ag


def outcome(function, x, items):
    """What a call gives, and the list after it."""
    try:
        result = function(x, items)
    except Exception as error:
        return type(error), repr(items)
    return "the list" if result is items else repr(result), repr(items)


def check(python, calls=6, recordings=3):
    """A function of a number and of a list does at each call what it does when it is recorded for
    that alone, and what Python does, if it can be recorded.

    Args:
        recordings: how often it may be recorded; None for as often as it likes.
    """
    expected, found = [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]
    compiled = ag.to_graph(python)
    for i in range(calls):
        x = 0.5 + i
        alone = outcome(ag.to_graph(python), x, list(found))
        assert outcome(compiled, x, found) == alone
        in_python = outcome(python, x, expected)
        if isinstance(alone[0], str):
            assert alone == in_python
        expected[:] = found
    if recordings is not None:
        assert len(compiled._summaries) <= recordings
    return compiled


def append(x, items):
    items.append(x * 2)
    return x


def extend(x, items):
    items.extend([x, x * 2])
    items.extend((x, 1))
    items += [7]
    return items


def append_in_a_branch(x, items):
    if x > 2:
        items.append(x)
    return x


def append_on_both_paths(x, items):
    if x > 2:
        items.append(x)
    else:
        items.append(-x)
    return x


def append_in_a_loop(x, items):
    i = 0
    while i < x:
        items.append(x * i)
        i += 1
    return x


def append_in_a_for(x, items):
    for i in range(40):
        items.append(x * i)
    return x


def _log(items, value):
    items.append(value)


def append_in_a_call(x, items):
    _log(items, x)
    _log(items, x + 1)
    return x


def _walk(depth, items):
    items.append(depth)
    if depth > 0:
        _walk(depth - 1, items)


def append_in_a_recursion(x, items):
    _walk(3.0, items)
    return x


def append_containers(x, items):
    items.append((x, [x, {"x": x}]))
    return x


def append_the_list(x, items):
    other = [x]
    items.append(other)
    other.append(x)
    return other


def is_it(x, items):
    same = items
    same.append(x)
    return (same is items, items is None, isinstance(items, list), type(items) is list)


@pytest.mark.parametrize(
    "function",
    [
        append,
        extend,
        append_in_a_branch,
        append_on_both_paths,
        append_in_a_loop,
        append_in_a_for,
        append_in_a_call,
        append_containers,
        append_the_list,
        is_it,
    ],
    ids=lambda function: function.__name__,
)
def test_what_is_added_is_added(function):
    check(function)


def test_added_in_a_recursion():
    check(append_in_a_recursion, recordings=None)


READS = {
    "len": lambda x, items: len(items),
    "truth": lambda x, items: 1 if items else 2,
    "not": lambda x, items: not items,
    "last": lambda x, items: items[-1],
    "at": lambda x, items: items[int(x) % 2],
    "slice": lambda x, items: items[1:],
    "list": lambda x, items: list(items),
    "tuple": lambda x, items: tuple(items),
    "copy": lambda x, items: items.copy(),
    "starred": lambda x, items: [*items, 1],
    "starred call": lambda x, items: max(*items),
    "unpacked": lambda x, items: (lambda first, *rest: first)(*items),
    "for": lambda x, items: [item * 2 for item in items],
    "enumerate": lambda x, items: [i * item for i, item in enumerate(items)],
    "zip": lambda x, items: [a * b for a, b in zip(items, items)],
    "map": lambda x, items: list(map(abs, items)),
    "filter": lambda x, items: list(filter(None, items)),
    "reversed": lambda x, items: list(reversed(items)),
    "iter": lambda x, items: next(iter(items)),
    "sorted": lambda x, items: sorted(items),
    "sum": lambda x, items: sum(items),
    "max": lambda x, items: max(items),
    "any": lambda x, items: any(items),
    "in": lambda x, items: 2.0 in items,
    "equal": lambda x, items: items == [],
    "unequal": lambda x, items: items != [1.0],
    "less": lambda x, items: items < [5.0],
    "plus": lambda x, items: items + [x],
    "plus before": lambda x, items: [x] + items,
    "times": lambda x, items: items * 2,
    "index": lambda x, items: items.index(2.0),
    "count": lambda x, items: items.count(2.0),
    "pop": lambda x, items: items.pop(),
    "pop first": lambda x, items: items.pop(0),
    "clear": lambda x, items: items.clear(),
    "reverse": lambda x, items: items.reverse(),
    "sort": lambda x, items: items.sort(),
    "insert": lambda x, items: items.insert(0, x),
    "remove": lambda x, items: items.remove(2.0),
    "times in place": lambda x, items: items.__imul__(2),
    "set": lambda x, items: items.__setitem__(0, x),
    "set slice": lambda x, items: items.__setitem__(slice(None), [x]),
    "delete": lambda x, items: items.__delitem__(0),
    "extend by itself": lambda x, items: items.extend(items),
    "extend another": lambda x, items: [x].extend(items),
    "text": lambda x, items: str(items),
    "repr": lambda x, items: repr(items),
    "format": lambda x, items: f"{items}",
    "percent": lambda x, items: "%s" % (items,),  # noqa: UP031
    "array": lambda x, items: np.array(items),
    "arrays of lists": lambda x, items: np.array([items, items]),
    "mean": lambda x, items: np.mean(items),
    "ufunc": lambda x, items: np.exp(items),
    "concatenate": lambda x, items: np.concatenate([items, items]),
    "numpy's append": lambda x, items: np.append(items, x),
    "asarray": lambda x, items: np.asarray(items) + x,
    "array plus list": lambda x, items: np.ones(1) * x + items[:1],
    "heap": lambda x, items: heapq.heappush(items, x),
    "insort": lambda x, items: insort(items, 0.25),
    "method of the class": lambda x, items: list.__len__(items),
    "dict of it": lambda x, items: dict(enumerate(items)),
    "set of it": lambda x, items: len(set(items)),
    "joined": lambda x, items: ",".join(map(str, items)),
    "tree": lambda x, items: (
        ag.tree_map(lambda leaf: leaf * 2, items)
        if hasattr(ag, "tree_map")
        else [2 * item for item in items]
    ),
    "in a dict": lambda x, items: len({"a": items}["a"]),
    "chosen": lambda x, items: len(items if x > 2 else []),
    "or": lambda x, items: (items or [5])[0],
    "in a list": lambda x, items: [[1], items] == [[1], []],
    "in a tuple": lambda x, items: (1, items) == (1, []),
}


@pytest.mark.parametrize("name", READS)
@pytest.mark.parametrize("order", ["before", "after"])
def test_a_list_that_is_also_read_is_as_python_has_it(name, order):
    read = READS[name]
    if order == "before":

        def function(x, items):
            found = read(x, items)
            items.append(x)
            return found

    else:

        def function(x, items):
            items.append(x)
            return read(x, items)

    check(function, calls=4, recordings=None)


def chosen_list(x, items):
    target = items if x > 1 else [5.0]
    target.append(x)
    return target


def rebound_in_a_loop(x, items):
    current = items
    i = 0
    while i < x:
        current.append(x)
        current = [x]
        i += 1
    return current


def raises_after(x, items):
    items.append(x)
    if x > 2:
        raise ValueError("too large")
    return x


def caught(x, items):
    try:
        items.append(x)
        return items[10]
    except IndexError:
        return -1.0


def caught_by_all(x, items):
    try:
        items.append(x)
        return items[10]
    except Exception:
        return -1.0


def read_at_the_end(x, items):
    if x > 3:
        items.append(x)
        return items[0]
    items.append(-x)
    return x


@pytest.mark.parametrize(
    "function",
    [chosen_list, rebound_in_a_loop, raises_after, caught, caught_by_all, read_at_the_end],
    ids=lambda function: function.__name__,
)
def test_lists_that_are_more_than_added_to(function):
    check(function, recordings=None)


class Run:
    def __init__(self):
        self.x = np.zeros(3)
        self.history = []
        self.events = []
        self.steps = 0

    def step(self, change):
        self.x = self.x * 0.5 + change
        self.steps += 1
        self.history.append(float(self.x.sum()))
        if self.x[0] > 1:
            self.events.append((self.steps, self.x))
        return self.x.sum()


def test_the_history_of_an_object_outside():
    python, own = Run(), Run()
    step = ag.to_graph(own.step)
    for i in range(12):
        change = np.arange(3.0) * i / 8
        assert step(change) == python.step(change)
        assert own.history == python.history and own.steps == python.steps
        assert len(own.events) == len(python.events)
        for (a, x), (b, y) in zip(own.events, python.events):
            assert a == b and type(a) is type(b)
            np.testing.assert_array_equal(x, y)
    assert len(step._summaries) <= 5


def test_another_list_in_its_place():
    run = Run()
    step = ag.to_graph(run.step)
    for i in range(5):
        step(np.ones(3))
    run.history = old = ["old"]
    step(np.ones(3))
    assert len(old) == 2 and old[0] == "old"


def test_one_list_under_two_names():
    def function(x, a, b):
        a.append(x)
        b.append(x * 2)
        return x

    compiled = ag.to_graph(function)
    one, two = [], []
    for i in range(4):
        compiled(float(i), one, two)
    assert one == [0.0, 1.0, 2.0, 3.0] and two == [0.0, 2.0, 4.0, 6.0]
    both = [9.0]
    compiled(1.0, both, both)
    compiled(2.0, both, both)
    assert both == [9.0, 1.0, 2.0, 2.0, 4.0]


def test_a_list_outside_that_is_also_an_argument():
    outside = []

    def function(x, items):
        outside.append(x)
        items.append(2 * x)
        return x

    expected, found = [], []
    compiled = ag.to_graph(function)
    for i in range(4):
        compiled(float(i), found)
    assert outside == [0.0, 1.0, 2.0, 3.0] and found == [0.0, 2.0, 4.0, 6.0]
    try:
        compiled(1.0, outside)
    except ag.errors.AutographError:
        return
    assert outside[-2:] == [1.0, 2.0]


def test_gradients_and_lanes():
    items = []

    def loss(x):
        y = np.sin(x) * x
        items.append(1)
        return y

    gradient = ag.grad(loss)
    for i in range(5):
        x = 0.5 + i
        assert gradient(x) == pytest.approx(np.sin(x) + x * np.cos(x))
    assert items == [1] * 5
