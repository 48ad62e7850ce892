"""Objects from outside that a function changes, or that change between its calls: what they hold is
read at each call, and the function is not recorded again."""

import collections
import dataclasses
import types

import numpy as np
import pytest

import autograph as ag
from autograph.errors import BatchingError


def state_of(item):
    """What an object holds, with types."""
    if isinstance(item, np.ndarray):
        return "array", item.dtype, item.tolist()
    if isinstance(item, (list, tuple, collections.deque)):
        return type(item), [state_of(part) for part in item]
    if isinstance(item, dict):
        return type(item), [(key, state_of(part)) for key, part in item.items()]
    if isinstance(item, types.FunctionType):
        return item.__qualname__
    if hasattr(item, "__dict__"):
        return type(item).__name__, state_of(vars(item))
    if hasattr(item, "__slots__"):
        return type(item).__name__, [state_of(getattr(item, name)) for name in item.__slots__]
    return type(item), item


def check(make, calls, recordings=2):
    """A function and what it changes, made twice: in a sequence of calls one does as the other.

    Args:
        make: gives the function, and the objects that are compared after each call.
        calls: the arguments of each.
        recordings: how often it may be recorded.
    """
    python, expected = make()
    function, found = make()
    compiled = ag.to_graph(function)
    for args in calls:
        assert state_of(compiled(*args)) == state_of(python(*args))
        assert state_of(found) == state_of(expected)
    assert len(compiled._summaries) <= recordings
    return compiled


class Counter:
    def __init__(self):
        self.n = 0
        self.total = 0.0
        self.name = "counter"

    def hit(self, x):
        self.n = self.n + 1
        self.total += x
        return self.total / self.n

    @property
    def mean(self):
        return self.total / self.n

    @mean.setter
    def mean(self, value):
        self.total = value * self.n


FLOATS = [(float(i),) for i in range(7)]


def test_a_bound_method_sets_attributes():
    def make():
        counter = Counter()
        return counter.hit, counter

    check(make, FLOATS)


def test_a_method_of_an_object_outside():
    def make():
        counter = Counter()
        return lambda x: counter.hit(x) * 2, counter

    check(make, FLOATS)


def test_a_property_over_an_attribute():
    def make():
        counter = Counter()

        def f(x):
            counter.n += 1
            counter.mean = x
            return counter.mean

        return f, counter

    check(make, FLOATS)


def test_slots():
    class Slotted:
        __slots__ = ("a", "n")

        def __init__(self):
            self.n = 0
            self.a = np.zeros(2)

        def step(self, x):
            self.n += 1
            self.a = self.a + x
            return self.a.sum()

    def make():
        slotted = Slotted()
        return slotted.step, slotted

    check(make, FLOATS)


def test_a_dataclass_in_an_object():
    @dataclasses.dataclass
    class Point:
        x: float
        y: float

    class Body:
        def __init__(self):
            self.at = Point(0.0, 1.0)
            self.steps = 0

        def move(self, by):
            self.steps += 1
            self.at.x += by
            if self.steps > 3:
                self.at.y = self.at.x
            return self.at.y

        def jump(self, by):
            self.at = Point(self.at.x + by, self.at.y - by)
            return self.at.x

    for name in ("move", "jump"):
        python, compiled = Body(), Body()
        function = ag.to_graph(getattr(compiled, name))
        for args in FLOATS:
            assert function(*args) == getattr(python, name)(*args)
            assert state_of(compiled) == state_of(python)
        assert len(function._summaries) <= 3  # y is a constant until the fourth step


def test_a_new_object_is_the_one_that_is_found():
    class Node:
        def __init__(self, value):
            self.value = value

    class Chain:
        def __init__(self):
            self.last = Node(0.0)

        def push(self, x):
            self.last = Node(self.last.value + x)
            return self.last.value

    chain = Chain()
    push = ag.to_graph(chain.push)
    for _ in range(4):
        push(1.0)
        before = chain.last
    assert chain.last is before
    push(1.0)
    assert chain.last is not before and (before.value, chain.last.value) == (4.0, 5.0)


def test_lists_dicts_and_tuples_of_numbers():
    def make():
        window, counts, pair = [0.0, 0.0], {"n": 0, "sum": 0.0}, {"state": (0.0, 1)}

        def f(x):
            window[0], window[1] = window[1], x
            counts["n"] += 1
            counts["sum"] += window[0]
            a, b = pair["state"]
            pair["state"] = (a + x, b + 1)
            return counts["sum"]

        return f, [window, counts, pair]

    check(make, FLOATS, recordings=3)


def test_an_array_that_is_changed_in_place_stays_the_same():
    class Filter:
        def __init__(self):
            self.taps = np.zeros(3)
            self.n = 0

        def push(self, x):
            self.n += 1
            self.taps[1:] = self.taps[:-1].copy()
            self.taps[0] = x
            return self.taps.sum()

    def make():
        made = Filter()
        return made.push, made

    check(make, FLOATS)
    made = Filter()
    push, taps = ag.to_graph(made.push), made.taps
    for i in range(5):
        push(float(i))
        assert made.taps is taps


def test_an_array_that_is_bound_to_another_name():
    class Pair:
        def __init__(self):
            self.now = np.zeros(2)
            self.before = np.ones(2)

        def step(self, x):
            self.before = self.now
            self.now = self.now + x
            return self.now

    pair = Pair()
    step = ag.to_graph(pair.step)
    for i in range(5):
        now = pair.now
        result = step(float(i))
        assert pair.before is now and result is pair.now


def test_nonlocal_variables():
    def make():
        n, total = 0, 0.0

        def f(x):
            nonlocal n, total
            n += 1
            total += x
            return total / n

        return f, f.__closure__ and [lambda: n]

    check(make, FLOATS)


def test_numbers_that_others_change():
    class Config:
        rate, scale, unused = 0.0, 0.0, 0.0

    config = Config()
    config.rate, config.scale, config.unused = 1.0, 2.0, 0.0
    f = ag.to_graph(lambda x: x * config.rate + config.scale)
    for i in range(6):
        config.rate = float(i)
        assert f(3.0) == 3.0 * i + 2.0
    assert len(f._summaries) == 2
    for i in range(6):
        config.scale = float(i)
        assert f(3.0) == 15.0 + i
    assert len(f._summaries) == 3


def test_arrays_that_others_replace():
    class Model:
        pass

    model = Model()
    model.weights = np.ones(2)
    f = ag.to_graph(lambda x: model.weights @ x)
    for i in range(5):
        model.weights = np.full(2, float(i))
        assert f(np.ones(2)) == 2.0 * i
    assert len(f._summaries) == 2
    model.weights = np.ones(3)
    assert f(np.ones(3)) == 3.0


def test_types_that_change_are_recorded_again():
    def make():
        counter = Counter()

        def f(x):
            counter.total = counter.total + x
            return counter.total

        counter.total = 0
        return f, counter

    check(make, [(1,), (2,), (1.5,), (2.5,), (np.ones(2),), (np.ones(2),), (3.0,)], recordings=8)


def test_a_flag_and_a_test_of_what_is_changed():
    class Episode:
        def __init__(self):
            self.t = 0
            self.done = False
            self.state = (0.0, 1.0)

        def step(self, x):
            a, b = self.state
            self.state = (a + 0.5 * b, b + x)
            self.t += 1
            self.done = bool(self.t >= 4 or abs(a) > 10)
            return 0.0 if self.done else a

        def reset(self):
            self.t, self.done, self.state = 0, False, (0.0, 1.0)

    python, found = Episode(), Episode()
    step = ag.to_graph(found.step)
    for i in range(20):
        assert step(0.1 * i) == python.step(0.1 * i)
        assert state_of(found) == state_of(python)
        if python.done:
            python.reset()
            found.reset()
    assert len(step._summaries) <= 3


def test_a_number_whose_value_is_needed():
    class Growing:
        def __init__(self):
            self.n = 1
            self.gain = 1.0

        def ones(self, x):
            self.n = self.n + 1
            self.gain = self.gain * 0.5
            return np.ones(self.n) * x * self.gain

    def make():
        made = Growing()
        return made.ones, made

    check(make, FLOATS, recordings=20)


def test_a_float_whose_value_is_needed_is_a_constant():
    class Rounded:
        def __init__(self):
            self.digits = 0.0
            self.n = 0

        def write(self, x):
            self.n += 1
            return x, f"{self.digits!r}"

    python, found = Rounded(), Rounded()
    write = ag.to_graph(found.write)
    for i in range(5):
        python.digits = found.digits = 0.5 * (i // 2)
        assert write(1.0) == python.write(1.0)
        assert state_of(found) == state_of(python)


def test_a_method_of_the_object_is_kept_in_it():
    class Machine:
        def __init__(self):
            self.n = 0
            self.run = self.first

        def first(self, x):
            self.n += 1
            return x + self.n

        def second(self, x):
            self.n += 100
            return x

    def make():
        machine = Machine()

        def f(x, second):
            result = machine.run(x)
            if second:
                machine.n += 5
            return result

        return f, None

    python, _ = make()
    found, _ = make()
    compiled = ag.to_graph(found)
    for args in [(1.0, False)] * 4 + [(1.0, True)] * 3:
        assert compiled(*args) == python(*args)


def test_what_is_changed_before_an_exception_stays_changed():
    counter = Counter()

    def f(x):
        counter.n += 1
        return 1 // x

    compiled = ag.to_graph(f)
    for _ in range(3):
        compiled(1)
    with pytest.raises(ZeroDivisionError):
        compiled(0)
    assert counter.n == 4
    compiled(1)
    assert counter.n == 5


def test_a_user_error_leaves_the_inputs():
    counter = Counter()

    def f(x):
        counter.n += 1
        return x @ np.ones(2) + counter.n

    compiled = ag.to_graph(f)
    for _ in range(3):
        compiled(np.ones(2))
    with pytest.raises(ValueError):
        compiled(np.ones(3))
    count = len(compiled._summaries)
    for i in range(3):
        assert compiled(np.ones(2)) == 2.0 + counter.n
    assert len(compiled._summaries) == count


def test_derivatives():
    def make():
        counter = Counter()

        def f(x):
            counter.n += 1
            counter.total = x * counter.n
            return counter.total * x

        return f, counter

    f, counter = make()
    slope, tangent = ag.grad(f), lambda x: ag.jvp(f, (x,), (1.0,))
    for n in range(1, 5):
        assert slope(3.0) == 6.0 * n
        assert (counter.n, counter.total) == (n, 3.0 * n)
    for n in range(5, 8):
        assert tangent(3.0) == (9.0 * n, 6.0 * n)
        assert (counter.n, counter.total) == (n, 3.0 * n)
    assert len(slope._summaries) == 2
    curvature = ag.grad(ag.grad(f))
    for n in range(8, 11):
        assert curvature(3.0) == 2.0 * n
        assert counter.n == n


def test_lanes():
    counter = Counter()

    def read(x):
        return x * counter.n

    def changed(x):
        counter.n += 1
        return x * counter.n

    lanes = ag.vmap(read)
    for n in range(4):
        counter.n = n
        assert lanes(np.arange(3.0)).tolist() == [0.0, n, 2.0 * n]
    assert len(lanes._summaries) == 2
    for _ in range(3):
        with pytest.raises(BatchingError):
            ag.vmap(changed)(np.arange(3.0))
    assert counter.n == 3


def test_a_generator_in_the_object():
    class Walk:
        def __init__(self):
            self.random = np.random.default_rng(0)
            self.x = 0.0

        def step(self, scale):
            self.x = self.x + scale * self.random.normal()
            return self.x

    python, found = Walk(), Walk()
    step = ag.to_graph(found.step)
    for _ in range(6):
        assert step(2.0) == python.step(2.0)
        assert found.x == python.x
    assert len(step._summaries) <= 2


def test_recursion_and_loops():
    def make():
        counter = Counter()

        def count(n):
            counter.n += 1
            if n > 0:
                count(n - 1)

        def f(x, n):
            for _ in range(n):
                counter.total = counter.total * 0.5 + x
            while counter.total > 4.0:
                counter.total /= 2.0
                counter.n += 1
            return counter.total

        return f, counter

    check(make, [(1.0, 3), (5.0, 3), (9.0, 3), (20.0, 3)])


def test_an_object_that_is_returned():
    counter = Counter()

    def f(x):
        counter.n += 1
        return counter, x

    compiled = ag.to_graph(f)
    for n in range(1, 5):
        assert compiled(1.0)[0] is counter
        assert counter.n == n


def test_a_variable_that_another_function_assigns():
    def make():
        rate = 1.0

        def change(value):
            nonlocal rate
            rate = value

        return lambda x: x * rate, change

    function, change = make()
    f = ag.to_graph(function)
    for i in range(6):
        change(float(i))
        assert f(2.0) == 2.0 * i
    assert len(f._summaries) == 2


def test_an_object_in_a_module():
    module = types.ModuleType("settings_of_test")
    module.state = Counter()

    def f(x):
        module.state.n += 1
        return module.state.hit(x) * module.state.n

    compiled, expected = ag.to_graph(f), Counter()
    for x in range(6):
        expected.n += 1
        assert compiled(float(x)) == expected.hit(float(x)) * expected.n
        assert state_of(module.state) == state_of(expected)
    assert len(compiled._summaries) <= 3


def test_ints_beyond_64_bits():
    class Sequence:
        def __init__(self):
            self.seed = 12345

        def draw(self, x):
            self.seed = (self.seed * 6364136223846793005 + 1442695040888963407) % 2**64
            return x * (self.seed >> 11)

    def make():
        made = Sequence()
        return made.draw, made

    check(make, FLOATS)
