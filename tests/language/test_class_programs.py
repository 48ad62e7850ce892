"""Programs with classes: methods of every kind, operators, inheritance, private names."""

import contextlib

import numpy as np
from corpus import check_program
from oracle import Programs

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
