"""Lists, dicts, objects and cells changed in branches and loops that depend on traced values."""

import collections
import copy
import functools
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest
from oracle import Programs

import autograph as ag
from autograph.errors import BranchMismatchError, LoopStateError, MutationError

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


# -- None on some paths ----------------------------------------------------------------------------


@programs.smooth(1.3)
@programs.smooth(-3.0)
def best_so_far(x):
    best = None
    i = 0
    while i < 5:
        value = (x - i) ** 2 * x
        if best is None or value < best:
            best = value
        i += 1
    return best


@programs(1.0)
@programs(-1.0)
def none_or_a_number(x):
    return None if x > 0 else x


@programs(1.0)
@programs(-1.0)
def truth_of_none_or_a_number(x):
    y = None
    if x > 0:
        y = x - 1.0
    return 1 if y else 0


@programs(1.0)
@programs(-1.0)
def none_used_as_a_number(x):
    y = None
    if x > 0:
        y = x
    return y + 1.0


@programs(2)
@programs(100)
def pair_found_in_nested_loops(n):
    for i in range(4):
        for j in range(4):
            if i * j == n and i > 0:
                return i, j
    return None


@programs(2)
@programs(100)
def pair_found_in_a_function(n):
    def find():
        for i in range(4):
            if i * i == n - 2:
                return i, i + 1.0
        return None

    found = find()
    if found is None:
        return -1, 0.0
    a, b = found
    return a, b


@programs.smooth(3.0)
@programs.smooth(-3.0)
def truth_of_none_or_a_pair(x):
    pair = None
    if x > 0:
        pair = (x * x, 2.0)
    if pair:
        return pair[0] * pair[1]
    return x


@programs(3.0)
@programs(-3.0)
def none_unpacked(x):
    pair = None
    if x > 0:
        pair = (x, 1.0)
    a, b = pair
    return a + b


@programs(np.array([1.0, -2.0, 3.0]))
@programs(np.array([-1.0, -2.0, -3.0]))
def best_pair(xs):
    best = None
    for i, x in enumerate(xs):
        if x > 0 and (best is None or x > best[1]):
            best = (i, x)
    return best


@programs(3.0)
@programs(-3.0)
def none_or_an_object(x):
    link = None
    if x > 0:
        link = Link(x)
    if link is not None:
        link.value += 1
    return link, link is None


@programs(3.0)
@programs(-3.0)
def list_made_if_there_is_none(x):
    xs = None
    if x > 0:
        xs = [x]
    if xs is None:
        xs = []
    xs.append(1.0)
    return xs


# -- classes ---------------------------------------------------------------------------------------


class Account:
    """Its special methods and properties depend on the data."""

    def __init__(self, balance):
        if balance < 0:
            balance = 0.0
        self._balance = balance

    @property
    def balance(self):
        return self._balance if self._balance > 1 else 1.0

    @balance.setter
    def balance(self, value):
        if value < 0:
            value = 0.0
        self._balance = value

    def __add__(self, other):
        print("adding")
        return Account(self._balance + other) if other > 0 else Account(self._balance)

    def __contains__(self, value):
        return value > self._balance

    def __bool__(self):
        return self._balance > 2

    def __getitem__(self, i):
        return self._balance * i if i > 0 else self._balance

    def __lt__(self, other):
        return self._balance < other._balance

    def __enter__(self):
        print("open")
        if self._balance > 2:
            self._balance -= 1.0
        return self

    def __exit__(self, *error):
        print("closed")


class Savings(Account):
    def __init__(self, balance, rate=0.5):
        super().__init__(balance)
        self.rate = rate

    @property
    def balance(self):
        return super().balance * (1 + self.rate)


@programs(3.0)
@programs(-3.0)
def special_methods(x):
    a = Account(x)
    a.balance = x - 5
    b = a + x
    result = b.balance
    if x in b:
        result += 1
    if b:
        result += 10
    if a < b:
        result += 100
    return result, b[x], b


@programs(3.0)
@programs(-3.0)
def inherited(x):
    account = Savings(x)
    with account as opened:
        y = opened.balance
    return y, (account + x).balance


def test_the_classes_are_as_they_were():
    before = dict(vars(Account))
    ag.to_graph(special_methods)(3.0)
    assert dict(vars(Account)) == before


# -- what the caller sees --------------------------------------------------------------------------


@programs([1.0, 2.0], 3.0)
@programs([1.0, 2.0], -3.0)
def changes_a_list_that_it_is_given(xs, v):
    if v > 0:
        xs[0] = v
    xs[1] += v
    return sum(xs)


@programs({"w": np.ones(3), "b": 1.0}, 3.0)
def changes_a_dict_that_it_is_given(p, v):
    for i in range(3):
        p["b"] += v * i
        p["w"] = p["w"] * v
    return p


@programs(Mean(), np.arange(3.0))
def changes_an_object_that_it_is_given(mean, xs):
    for x in xs:
        mean.add(x)
    return mean


@programs([1.0, 2.0], 3)
def lengthens_a_list_that_it_is_given(xs, n):
    i = 0
    while i < n:
        xs.append(float(i))
        i += 1
    return len(xs)


@programs({"rows": [np.zeros(2)]}, 2.0)
def changes_an_array_in_a_list_in_a_dict(p, v):
    p["rows"][0][0] = v
    p["rows"].append(p["rows"][0])
    return p["rows"][1] is p["rows"][0]


@programs.test
def test_containers(call):
    call.run()


class Model:
    """Numbers and arrays of an object are arguments, not constants."""

    steps = 3

    def __init__(self):
        self.w = np.ones(2)
        self.calls = 0

    @ag.to_graph
    def forward(self, x):
        self.calls += 1
        for _ in range(self.steps):
            self.w = self.w * x
        return np.sum(self.w)


def test_a_method_that_changes_its_object():
    model, expected = Model(), 2.0
    for _ in range(3):
        expected *= 8.0
        assert model.forward(2.0) == expected
    assert model.calls == 3
    assert isinstance(model.w, np.ndarray)
    assert len(Model.forward._cache) == 1


def test_objects_of_one_class_share_a_graph():
    @ag.to_graph
    def total(state):
        return state.h + state.c

    assert total(State(1.0, 2.0)) + total(State(3.0, 4.0)) == 10.0
    assert len(total._cache) == 1


def test_a_new_object_at_each_call():
    @ag.to_graph
    def make(x):
        return State(x, x * 2)

    first, second = make(1.0), make(2.0)
    assert first == State(1.0, 2.0) and second == State(2.0, 4.0)


HISTORY: list = []


def test_a_list_from_outside_grows():
    @ag.to_graph
    def remember(x):
        if x > 0:
            HISTORY.append(x)
        else:
            HISTORY.append(0.0)
        return len(HISTORY)

    HISTORY.clear()
    assert [remember(1.0), remember(-1.0), remember(2.0)] == [1, 2, 3]
    assert HISTORY == [1.0, 0.0, 2.0]


def test_a_gradient_keeps_the_effects_of_the_function():
    class Loss:
        calls, last = 0, 0.0

        def __call__(self, x):
            self.calls += 1
            if x > 0:
                self.last = x * x
            return x * x

    loss = Loss()
    gradient = ag.grad(loss)
    assert (gradient(3.0), gradient(-1.0)) == (6.0, -2.0)
    assert (loss.calls, loss.last) == (2, 9.0)


# -- what is refused -------------------------------------------------------------------------------


def refused(error, function, *args):
    with pytest.raises(error, match="Fix: ") as caught:
        ag.to_graph(function)(*copy.deepcopy(args))
    return str(caught.value)


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

    assert "before the loop" in refused(LoopStateError, f, 3)


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


@pytest.mark.parametrize("function", [counts, registers, writes])
def test_class_attributes_are_only_read(function):
    assert "Registry." in refused(MutationError, function, 1.0)
    assert (Registry.count, Registry.names, Registry.buffer[0]) == (0, [], 0.0)


def test_a_list_given_twice():
    @ag.to_graph
    def f(xs, ys):
        xs.append(1.0)
        return ys

    shared = [1.0]
    with pytest.raises(MutationError, match="twice"):
        f([1.0], [1.0]), f(shared, shared)


SHARED = [1.0, 2.0]


def test_an_argument_that_is_also_found_outside():
    @ag.to_graph
    def f(xs, v):
        xs[0] = v
        return SHARED[0] + xs[0]

    assert f([0.0], 3.0) == 4.0
    with pytest.raises(MutationError, match="finds outside"):
        f(SHARED, 3.0)
    assert SHARED == [1.0, 2.0]


def test_an_array_of_objects_is_only_read():
    names = np.array(["a", None], dtype=object)

    def f(names, x):
        if x > 0:
            names[0] = "b"
        return x

    with pytest.raises(ValueError, match="read-only"):
        ag.to_graph(f)(names, 1.0)
    assert names[0] == "a"


def test_an_array_that_a_library_makes():
    def f(x):
        points = np.polynomial.chebyshev.chebpts1(3)
        if x > 0:
            points[0] = 5.0
        return points * x

    assert "np.array" in refused(BranchMismatchError, f, 1.0)
