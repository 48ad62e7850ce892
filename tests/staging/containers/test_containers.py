"""Lists, dicts, objects and cells changed in branches and loops that depend on traced values."""

import collections
import functools
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest

import autograph as ag
from autograph.errors import BranchMismatchError, LoopStateError, MutationError
from tests.support.oracle import Programs, check
from tests.support.refusals import refused

programs = Programs()


class Mean:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def add(self, value):
        self.total += value
        self.count += 1

    @property
    def value(self):
        return self.total / self.count


@dataclass
class State:
    h: float
    c: float


@dataclass
class Log:
    entries: list = field(default_factory=list)
    best: float = float("inf")


class Slotted:
    __slots__ = ("__hidden", "x")

    def __init__(self, x):
        self.x = x
        self.__hidden = 0.0

    def move(self, by):
        self.x += by
        self.__hidden += abs(by)
        return self.__hidden


class Link:
    def __init__(self, value, rest=None):
        self.value = value
        self.rest = rest


Point = collections.namedtuple("Point", "x y")


# -- branches --------------------------------------------------------------------------------------


@programs.smooth(2.0)
@programs.smooth(-2.0)
def dict_in_a_branch(x):
    d = {"a": 1.0, "n": 0}
    if x > 0:
        d["a"] = x * x
        d["n"] += 1
    else:
        d["n"] += 2
    return d["a"] * d["n"]


@programs(2.0)
@programs(-2.0)
def appended_in_both_branches(x):
    xs = [x]
    if x > 0:
        xs.append(x * 2)
    else:
        xs.append(0.0)
    return xs, len(xs)


@programs(2.0)
@programs(-2.0)
def the_branch_not_taken_changes_nothing(x):
    mean = Mean()
    if x > 0:
        mean.add(x)
        mean.add(x)
    return mean.count, mean.total


@programs(2.0)
@programs(-2.0)
def two_names_of_one_list(x):
    a = [x, 1.0]
    b = a
    if x > 0:
        b[0] = 10.0
    return a[0] + b[0], a


@programs(2.0)
@programs(-2.0)
def rebound_to_another_dict(x):
    d = {"a": x}
    if x > 0:
        d = {"a": x * 2}
    return d


@programs(2.0)
@programs(-2.0)
def one_object_in_two_variables(x):
    if x > 0:
        a = b = [x]
    else:
        a = b = [0.0]
    a[0] = 5.0
    return b


@programs(2.0)
@programs(-2.0)
def list_in_a_list(x):
    rows = [[0.0, x], [x, 0.0]]
    if x > 0:
        rows[0][1] = 5.0
    rows[0][0] = 7.0
    return rows


@programs(2.0)
@programs(-2.0)
def new_key_in_both_branches(x):
    d = {}
    if x > 0:
        d["a"] = x
    else:
        d["a"] = 0.0
    return d


@programs(2.0)
@programs(-2.0)
def slots_and_private_names(x):
    thing = Slotted(x)
    moved = 0.0
    if x > 0:
        moved = thing.move(-x)
    return thing.x, moved


@programs(2.0)
@programs(-2.0)
def set_with_the_same_elements(x):
    s = {1}
    if x > 0:
        s.add(2)
    else:
        s |= {2}
    return len(s)


@programs(3.0)
@programs(-3.0)
def none_or_a_pair_that_nobody_reads(x):
    pair = None
    if x > 0:
        pair = (x, 1)
    other = pair
    return x


@programs(1.0)
@programs(-1.0)
def changed_by_a_decorated_function(x):
    seen = [0.0]

    @functools.lru_cache
    def inner():
        seen[0] += 1.0
        return 1

    if x > 0:
        inner()
    return seen[0]


# -- loops -----------------------------------------------------------------------------------------


@programs.smooth(5.0)
@programs.smooth(-3.0)
def object_with_methods(x):
    mean = Mean()
    y = x
    while y > 0:
        mean.add(y * x)
        y -= 1.5
    return mean.value if mean.count > 0 else mean.total


@programs.smooth(np.array([0.1, 0.2, 0.3]))
def dataclass_made_anew(xs):
    state = State(0.0, 1.0)
    for x in xs:
        state = State(state.h + x, state.c * x)
    return state.h * state.c


@programs(np.array([0.1, 0.2, 0.3]))
def dataclass_changed(xs):
    state = State(0.0, 1.0)
    for x in xs:
        state.h, state.c = state.h + x, state.c * x
    return state


@programs.smooth(3.0)
def oscillator(x):
    body = {"p": x, "v": 0.0}
    i = 0
    while i < 4:
        body["v"] -= 0.1 * body["p"]
        body["p"] += 0.1 * body["v"]
        i += 1
    return body["p"] * body["v"]


@programs(np.arange(3.0))
def counts_in_a_dict(xs):
    counts = {"small": 0, "big": 0}
    for x in xs:
        if x > 0.5:
            counts["big"] += 1
        else:
            counts["small"] += 1
    return counts


@programs(4.0)
def namedtuple_replaced(x):
    p = Point(x, 0)
    while p.x > 0:
        p = p._replace(x=p.x - 1, y=p.y + 2)
    return p


@programs(np.array([1.0, 2.0, 3.0]))
def deque_of_two(xs):
    recent = collections.deque([0.0, 0.0], maxlen=2)
    total = 0.0
    for x in xs:
        recent.append(x)
        total += recent[0] * recent[1]
    return total, list(recent)


@programs(3.0)
def linked_list(x):
    head = None
    for i in range(4):
        head = Link(x * i, head)
    total = 0.0
    while head is not None:
        total += head.value
        head = head.rest
    return total


@programs(3.0)
def two_objects(x):
    a, b = State(x, 0.0), State(0.0, x)
    for _ in range(3):
        a.h += b.c
        b.c -= 1
    return a, b


@programs(3.0)
def object_with_a_list(x):
    log = Log()
    for i in range(5):
        value = (x - i) ** 2
        log.entries.append(value)
        log.best = min(log.best, value)
    return log


@programs(5)
def nonlocal_counter(n):
    count = 0

    def bump(by):
        nonlocal count
        count += by
        return count

    i = 0
    while i < n:
        if i % 2 == 0:
            bump(i)
        i += 1
    return count


@programs(4)
def condition_that_appends(n):
    seen = []

    def more():
        seen.append(1.0)
        return len(seen) < n

    k = 0
    while more():
        k += 1
    return k, len(seen)


@programs(np.zeros(3), 4)
def condition_that_writes_an_array(x, n):
    def more():
        x[0] += 1
        return x[0] < n

    k = 0
    while more():
        k += 1
    return k, x


@programs(3)
def condition_that_prints(n):
    def more(i):
        print("trip", i)
        return i < n

    i = 0
    while more(i):
        i += 1
    return i


@programs.test
def test_containers(call):
    call.run()


# -- what is refused -------------------------------------------------------------------------------


def test_a_key_in_one_branch_only():
    def f(x):
        d = {}
        if x > 0:
            d["a"] = x
        return d

    text = refused(BranchMismatchError, f, 1.0)
    assert "the dict 'd'" in text and "'a'" in text


def test_a_list_that_may_be_another_is_changed():
    def f(x):
        a = b = [1.0, x]
        if x > 0:
            a = [2.0, x]
        a[0] = 9.0
        return a, b

    assert "may be the same as another" in refused(MutationError, f, 1.0)


def test_a_dict_that_may_be_another_is_changed():
    def f(x):
        a = b = {"x": x}
        if x > 0:
            a = {"x": 0.0}
        a["x"] = 9.0
        return a, b

    assert "may be the same as another" in refused(MutationError, f, 1.0)


def test_a_list_that_changes_in_the_trip_after_it_may_have_been_another():
    def f(x, n):
        a = b = [x]
        total = 0.0
        i = 0
        while i < n:
            total += b[0]
            if i > 2:
                a = [0.0]
            a[0] += 1.0
            i += 1
        return total

    assert "may be the same as another" in refused(MutationError, f, 1.0, 5)


def test_a_dict_that_grows_in_a_loop():
    def f(n):
        d = {}
        i = 0
        while i < n:
            d["last"] = i
            i += 1
        return d

    assert "before the loop" in refused(LoopStateError, f, 3.0)
    assert ag.to_graph(f)(3) == f(3)


class Registry:
    count = 0
    names: ClassVar[list] = []
    buffer = np.zeros(2)


def counts(x):
    Registry.count += 1
    return x


def registers(x):
    Registry.names.append("x")
    return x


def writes(x):
    Registry.buffer[0] = 1.0
    return x


def test_an_ordered_dict_keeps_its_items_and_their_order():
    def f(x, d):
        d.move_to_end("a")
        d["c"] = x
        return collections.OrderedDict(b=x, a=2)

    check(f, 1.5, collections.OrderedDict(a=1.0, b=2.0))


def test_a_dict_with_a_key_that_means_something_to_us():
    check(lambda x: {"rows": x, "b": 2.0 * x}, 1.5)


def test_class_attributes_are_changed_at_each_call(monkeypatch):
    monkeypatch.setattr(Registry, "count", 0)
    monkeypatch.setattr(Registry, "names", [])
    monkeypatch.setattr(Registry, "buffer", np.zeros(2))
    functions = [*map(ag.to_graph, (counts, registers, writes))]
    for times in (1, 2, 3):
        assert [function(1.0) for function in functions] == [1.0] * 3
        assert (Registry.count, Registry.names, Registry.buffer[0]) == (times, ["x"] * times, 1.0)


def test_an_array_of_objects_is_only_read():
    names = np.array(["a", None], dtype=object)

    def f(names, x):
        if x > 0:
            names[0] = "b"
        return x

    with pytest.raises(MutationError, match="AG0620") as refused:
        ag.to_graph(f)(names, 1.0)
    assert isinstance(refused.value, ValueError)
    assert names[0] == "a"


def test_an_array_that_a_library_makes():
    def f(x):
        points = np.polynomial.chebyshev.chebpts1(3)
        if x > 0:
            points[0] = 5.0
        return points * x

    assert "np.array" in refused(BranchMismatchError, f, 1.0)


# -- methods of Python's own classes, as values ----------------------------------------------------


def sets_default(x):
    table = {"a": x}
    put = table.setdefault
    if x > 0.0:
        put("b", 2.0)
    return table


def sets_item(x):
    table = {"a": x, "b": 0.0}
    put = table.__setitem__
    if x > 0.0:
        put("b", 2.0)
    return table


def adds(x):
    found = set()
    add = found.add
    if x > 0.0:
        add("a")
    return len(found)


def pops(x):
    table = {"a": x}
    take = table.pop
    y = take("a") if x > 0.0 else 3.0
    return y, len(table)


def discards_a_chosen_text(x):
    names = {"a", "c"}
    names.discard("a" if x > 0.0 else "c")
    return names


@pytest.mark.parametrize("function", [sets_default, adds, pops, discards_a_chosen_text])
def test_keys_that_a_method_of_the_dict_changes_on_one_path(function):
    """What such a method changes happened whichever path was taken."""
    assert "the branches leave the" in refused(BranchMismatchError, function, 1.0)


@pytest.mark.parametrize("x", [1.0, -1.0])
def test_what_a_method_of_the_dict_changes_on_one_path(x):
    check(sets_item, x)
