"""Iterators of one's own classes: where only the run knows where they end, and what `iter` does."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n + 1


class Newton:
    def __init__(self, a, tolerance):
        self.a, self.x, self.tolerance, self.steps = a, a, tolerance, 0

    def __iter__(self):
        return self

    def __next__(self):
        new = 0.5 * (self.x + self.a / self.x)
        if abs(new - self.x) < self.tolerance:
            raise StopIteration
        self.x = new
        self.steps += 1
        return new


class Epochs:
    def __init__(self, n):
        self.n, self.i, self.begun, self.asked = n, 0, 0, 0

    def __iter__(self):
        self.begun += 1
        self.i = 0
        return self

    def __next__(self):
        self.asked += 1
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i * 1.0


@programs(3)
@programs(0)
def counted(n):
    total = 0
    for k in Countdown(n):
        total = total * 2 + k
    return total


@programs(2.0)
@programs(1.0)
def approximations(a):
    found, newton = [], Newton(a, 1e-10)
    for x in newton:
        found.append(x)
    return found, newton


@programs.smooth(2.0)
@programs.smooth(5.0)
def last_approximation(a):
    x = 0.0
    for x in Newton(a, 1e-12):
        pass
    return x * x * x


@programs.smooth(2.0, 3)
def in_another_loop(a, n):
    total = 0.0
    for i in range(n):
        for x in Newton(a + i, 1e-12):
            total += x
    return total


@programs(2.0)
def in_an_inner_function(a):
    def last(a):
        total = 0.0
        for x in Newton(a, 1e-10):
            total += x
        return total

    return last(a) + last(a + 1)


@programs(7)
@programs(2)
@programs(0)
def left_early(n):
    countdown, seen = Countdown(n), 0
    for k in countdown:
        if k == 3:
            break
        if k % 2:
            continue
        seen += k
    else:
        seen = -seen
    return seen, countdown.n


@programs(2.5)
@programs(9.0)
def left_as_the_run_decides(x):
    epochs, total = Epochs(4), 0.0
    for v in epochs:
        if v > x:
            break
        total += v
    return total, epochs


@programs(Countdown(4))
@programs(Countdown(1))
def returned_from(countdown):
    total = 0
    for k in countdown:
        if k == 2:
            return total, "two"
        total += k
    return total, "none"


@programs(1)
@programs(3)
def one_by_one(n):
    countdown = Countdown(n)
    return next(countdown), next(countdown, -1), next(countdown, -1), countdown.n


@programs(0)
def no_first_item(n):
    return next(Countdown(n))


@programs(3, np.array([1.0, 2.0]))
@programs(1, np.array([1.0, 2.0]))
def beside_others(n, xs):
    pairs = [v * x for v, x in zip(Countdown(n), xs)]
    return pairs, [i * v for i, v in enumerate(Countdown(n))]


@programs(3)
@programs(1)
def by_builtins(n):
    c = Countdown
    squares = sum(v * v for v in c(n))
    return sum(c(n)), list(c(n)), max(c(n)), sorted(c(n)), squares, any(v == 2 for v in c(n))


@programs(Epochs(3), 2)
@programs(Epochs(0), 1)
def begun_again(epochs, m):
    total = 0.0
    for _ in range(m):
        for v in epochs:
            total += v
    return total, epochs


@programs(Epochs(3))
def begun_once_by_each(epochs):
    pairs = list(zip(epochs, range(2)))
    return pairs, [v for v in epochs], sum(epochs), list(epochs), epochs


@programs()
def begun_once_by_each_of_what_is_known():
    epochs = Epochs(3)
    pairs = list(zip(epochs, range(2)))
    return pairs, [v for v in epochs], sum(epochs), list(epochs), epochs


@programs.test
def test_own_iterators(call):
    call.run()


@pytest.mark.parametrize("transform", [ag.vmap, lambda f: lambda xs: [f(x) for x in xs]])
def test_lanes(transform):
    found = transform(ag.grad(last_approximation))(np.array([2.0, 5.0, 7.0]))
    assert np.allclose(found, 1.5 * np.sqrt([2.0, 5.0, 7.0]))


class Failing:
    """Counts what it was asked for; the item ``bad`` cannot be made."""

    def __init__(self, n, bad):
        self.n, self.bad, self.asked = n, bad, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.asked += 1
        if self.asked > self.n:
            raise StopIteration
        if self.asked == self.bad:
            raise ValueError(f"item {self.asked}")
        return 10 // (self.asked - 5)


def total_of(items):
    found = 0
    for item in items:
        found += item
    return found


HANDLED = {
    "loop of a function": total_of,
    "sum": sum,
    "list": list,
    "next": next,
    "next or a default": lambda items: next(items, 7),
}


@pytest.mark.parametrize("name", HANDLED)
def test_what_an_iterator_raises_is_handled_around_it(name):
    ask = HANDLED[name]

    def f(n, bad):
        items = Failing(n, bad)
        why = ""
        try:
            ask(items)
        except (ValueError, ZeroDivisionError) as error:
            why = str(error)
        return why, items.asked

    graph = ag.to_graph(f)
    for n, bad in ((3, 9), (3, 1), (3, 2), (9, 20), (0, 0), (1, 1)):
        try:
            expected = f(n, bad)
        except StopIteration:
            with pytest.raises(StopIteration):
                graph(n, bad)
        else:
            assert graph(n, bad) == expected
