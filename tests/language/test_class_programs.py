"""Programs with classes: methods of every kind, operators, inheritance, private names."""

import contextlib
import dataclasses
import functools

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


class Dual:
    """A number with a derivative."""

    def __init__(self, value, slope=0.0):
        self.value = value
        self.slope = slope

    @staticmethod
    def lift(x):
        return x if isinstance(x, Dual) else Dual(x)

    def __add__(self, other):
        other = Dual.lift(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __mul__(self, other):
        other = Dual.lift(other)
        slope = self.slope * other.value + self.value * other.slope
        return Dual(self.value * other.value, slope)

    __rmul__ = __mul__

    def __neg__(self):
        return Dual(-self.value, -self.slope)

    def __lt__(self, other):
        return self.value < Dual.lift(other).value


class Layer:
    count = 0

    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        return self.activate(self.w @ x + self.b)

    def activate(self, z):
        return z

    @property
    def size(self):
        return self.w.size + self.b.size

    @classmethod
    def zeros(cls, n):
        return cls(np.eye(n), np.zeros(n))


class Tanh(Layer):
    def activate(self, z):
        return np.tanh(super().activate(z))


class Account:
    def __init__(self, balance):
        self.__balance = balance

    def __fee(self, amount):
        return 1.0 if amount > 100 else 0.0

    def withdraw(self, amount):
        if amount + self.__fee(amount) > self.__balance:
            return False
        self.__balance -= amount + self.__fee(amount)
        return True

    @property
    def balance(self):
        return self.__balance

    @balance.setter
    def balance(self, value):
        self.__balance = max(value, 0.0)


class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, key):
        return self.rows[key]

    def __setitem__(self, key, value):
        self.rows[key] = value

    def __len__(self):
        return len(self.rows)

    def __contains__(self, value):
        return bool(np.any(self.rows == value))

    def __matmul__(self, other):
        return Matrix(self.rows @ other.rows)

    def __iter__(self):
        return iter(self.rows)

    def __bool__(self):
        return len(self.rows) > 0


class Oscillator:
    def __init__(self, k):
        self.k = k
        self.x, self.v = 1.0, 0.0
        self.turns = 0

    def step(self, h):
        before = self.v
        self.v -= h * self.k * self.x
        self.x += h * self.v
        if before * self.v < 0:
            self.turns += 1
        return self

    def run(self, h, n):
        for _ in range(n):
            self.step(h)
        return self.x

    def energy(self):
        return 0.5 * (self.v**2 + self.k * self.x**2)


@programs.smooth(2.0)
def symplectic(k):
    o = Oscillator(k)
    o.run(0.1, 12)
    return o.energy() + o.x


@programs(30.0)
def object_state_in_while(k):
    o = Oscillator(k)
    while o.turns < 2:
        o.step(0.05)
    return o.x, o.turns


@programs(3.0)
@programs(-3.0)
def dual_numbers(x):
    d = Dual(x, 1.0)
    y = d * d * 2.0 + 1.0 + (-d)
    if y < 12.0:
        y = y * 2.0
    return y.value, y.slope


@programs.smooth(np.array([0.5, -0.5]))
def network(x):
    layers = [Tanh(np.array([[0.1, 0.2], [0.3, 0.4]]), np.ones(2)), Layer.zeros(2), Tanh.zeros(2)]
    for layer in layers:
        x = layer(x)
    return np.sum(x) * layers[0].size


@programs(150.0, 200.0)
@programs(150.0, 120.0)
@programs(50.0, 50.0)
def private_names(amount, balance):
    account = Account(balance)
    done = account.withdraw(amount)
    return done, account.balance


@programs(-5.0)
@programs(5.0)
def property_setter(value):
    account = Account(1.0)
    account.balance = value
    account.balance += 1.0
    return account.balance


@programs(np.arange(4.0).reshape(2, 2), 3.0)
def container_protocol(rows, v):
    m = Matrix(rows)
    m[0, 1] = v * 2
    product = m @ m
    total = 0.0
    for row in product:
        total += np.sum(row)
    return len(m), m[1, 0], total, 1 if m else 0


@programs(np.arange(4.0).reshape(2, 2), 3.0)
@programs(np.arange(4.0).reshape(2, 2), 9.0)
def contains_protocol(rows, v):
    return 1 if v in Matrix(rows) else 0


@programs(Oscillator(2.0), 3)
def argument_changed_by_methods(o, n):
    for _ in range(n):
        o.step(0.1)
    return o.energy()


@programs(2.0)
def bound_methods_are_values(k):
    o = Oscillator(k)
    step = o.step
    for _ in range(3):
        step(0.1)
    energy = Oscillator.energy
    return energy(o), o.v


@programs(2.0)
def attributes_by_name(k):
    o = Oscillator(k)
    total = 0.0
    for name in ("x", "v"):
        setattr(o, name, k * 3)
        total += getattr(o, name) + getattr(o, name + "_old", 1.0)
    return total, hasattr(o, "v"), hasattr(o, "w")


@programs(2.0)
def is_instance(x):
    shapes = [Tanh.zeros(1), Layer.zeros(1)]
    kinds = [isinstance(s, Tanh) for s in shapes]
    if isinstance(x, float):
        x = x * 2
    return kinds, x, type(shapes[1]).__name__


class Distribution:
    """Gaussian density by parts, to test methods that call methods."""

    def __init__(self, mean, spread):
        self.mean, self.spread = mean, spread

    def z(self, x):
        return (x - self.mean) / self.spread

    def log_density(self, x):
        return -0.5 * self.z(x) ** 2 - np.log(self.spread)

    def fit(self, data, steps):
        for _ in range(steps):
            gradient = 0.0
            for v in data:
                gradient += self.z(v) / self.spread
            self.mean = self.mean + 0.1 * gradient


@programs.smooth(np.array([0.5, 1.0, 1.4]))
def fitted_distribution(data):
    d = Distribution(0.0, 1.5)
    d.fit(data, 4)
    return d.log_density(data[0]) + d.mean


# -- what is defined in the function and changes what it captures ----------------------------------


@programs(2.0)
@programs(-2.0)
def method_of_a_local_class_in_a_branch(x):
    seen = []

    class Recorder:
        def note(self, value):
            seen.append(value)

    recorder = Recorder()
    if x > 0:
        recorder.note(x)
    return len(seen), seen


@programs(3.0)
def nonlocal_in_a_method_in_a_loop(x):
    count = 0

    class Counter:
        @property
        def next(self):
            nonlocal count
            count += 1
            return count

        @staticmethod
        def skip():
            nonlocal count
            count += 10

    counter = Counter()
    while x > 0:
        x -= counter.next / 4
        Counter.skip()
    return x, count


@programs(2.0)
@programs(-2.0)
def generator_that_changes_a_list(x):
    seen = []

    def twice(value):
        for i in range(2):
            seen.append(i)
            yield value * i

    if x > 0:
        x = sum(twice(x))
    return x, len(seen)


@programs(2.5)
def context_manager_that_changes_a_list(x):
    entered = []

    @contextlib.contextmanager
    def noted(value):
        entered.append(value)
        yield entered
        entered.append(-value)

    while x > 0:
        with noted(x):
            x -= 1
    return entered


table = np.array([1.0, 2.0])


@programs(2.0)
def array_from_outside_in_a_method_of_a_local_class(x):
    class Model:
        def total(self):
            return table.sum()

    return x * Model().total()


@dataclasses.dataclass(order=True)
class Reading:
    value: float
    rank: int = 0
    note: float = dataclasses.field(default=0.0, compare=False)
    history: list = dataclasses.field(default_factory=list, compare=False)

    def record(self, x):
        self.history.append(x)


@programs(2.0, 2.0)
@programs(-1.0, 1.0)
@programs(3.0, 1.0)
def comparisons_of_dataclasses(x, y):
    a, b = Reading(x, 1, x), Reading(y, 1)
    flags = [a == b, a != b, a < b, a <= b, a > b, a >= b]
    return [1 if flag else 0 for flag in flags], a == 3, a != 3


@programs(2.0)
@programs(-1.0)
def list_of_a_default_factory(x):
    a, b = Reading(x), Reading(x + 1)
    if x > 0:
        a.record(x)
    b.record(x)
    return a.history, len(b.history)


class Measure:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return self.x == other.x

    def __bool__(self):
        return self.x > 0


@functools.total_ordering
class Less(Measure):
    def __lt__(self, other):
        return self.x < other.x


@functools.total_ordering
class AtLeast(Measure):
    def __ge__(self, other):
        return self.x >= other.x


@programs(2.0, 2.0)
@programs(-1.0, 1.0)
@programs(3.0, 1.0)
def derived_comparisons(x, y):
    found = []
    for kind in (Less, AtLeast):
        a, b = kind(x), kind(y)
        flags = [a != b, a < b, a <= b, a > b, a >= b]
        found.append([1 if flag else 0 for flag in flags])
    return found


@programs(2.0)
@programs(-2.0)
def truth_of_an_object(x):
    m = Measure(x)
    steps = 0
    kind = (m and 5) or 6
    while m:
        m.x -= 1
        steps += 1
    return steps, not m, bool(m), 1 if kind else 0


class Positive:
    """A descriptor that keeps an attribute from being negative."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return getattr(instance, self.name)

    def __set__(self, instance, value):
        if value < 0:
            value = 0.0
        setattr(instance, self.name, value)


class Tank:
    level = Positive()

    def __init__(self, level):
        self.level = level


@programs.smooth(5.0)
@programs(0.5)
def descriptor_with_a_condition(x):
    tank = Tank(x)
    tank.level -= 2.0
    tank.level += 0.25
    return tank.level * x


class Limited:
    def __init__(self, x):
        self.x = x

    def __setattr__(self, name, value):
        if value > 10:
            value = 10.0
        object.__setattr__(self, name, value)
        print("set", name)


class Proxy:
    def __init__(self, target):
        self.target = target

    def __getattr__(self, name):
        print("get", name)
        return getattr(self.target, name)


@programs(2.0)
@programs(4.0)
def attributes_by_methods(x):
    limited = Limited(x)
    limited.x *= 3
    return Proxy(limited).x


class Tensor:
    """Looks like an array, and is none."""

    def __init__(self, data):
        self.data = data

    @property
    def shape(self):
        return self.data.shape

    @property
    def dtype(self):
        return self.data.dtype

    def __add__(self, other):
        return Tensor(self.data + other.data)


@programs(np.ones(2))
@programs(-np.ones(2))
def object_that_looks_like_an_array(x):
    t = u = Tensor(x)
    for _ in range(3):
        u = u + t
    if u.data.sum() > 3:
        u = u + t
    return u.data.sum(), u.shape


@programs(2.0)
@programs(3)
@programs(np.float32(2.0))
def class_of_a_value(x):
    if x.__class__ is float:
        return x + 1.0, [x].__class__.__name__, type(list()).__name__
    return x * 2, x.__class__.__name__, Measure(x).__class__ is Measure


@programs(2.0)
@programs(-1.0)
def attributes_of_an_object(x):
    m = Measure(x)
    if x > 0:
        m.x = 5.0
    vars(m)["y"] = x
    names = [name for name in dir(m) if not name.startswith("_")]
    return sum(vars(m).values()), names, m.y
