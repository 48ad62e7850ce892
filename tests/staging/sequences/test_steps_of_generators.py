"""Generators that yield as the run decides, and what goes through them."""

import collections
import itertools

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedConstructError
from tests.support.oracle import Programs, check, check_grad
from tests.support.refusals import refused

programs = Programs()
X = np.array([30.0, 7.0, 3.5, -1.0, 0.25])


def is_prime(k):
    d = 2
    while d * d <= k:
        if k % d == 0:
            return False
        d += 1
    return True


def primes(n):
    k = 2
    while k < n:
        if is_prime(k):
            yield k
        k += 1


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def collatz(n):
    while n != 1:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    yield 1


def positive(x):
    for v in x:
        if v > 0:
            yield v * v


def pairs(n):
    for i in range(n):
        for j in range(i):
            if (i * j) % 3 == 1:
                yield i, j


def ended(n):
    i = 0
    while i < n:
        i += 1
        if i % 2:
            continue
        yield i
        if i % 5 == 0:
            continue
        if i > 17:
            break
        i += 1
    else:
        yield -1
    yield -2


def windows(xs, k):
    window = collections.deque(maxlen=k)
    for x in xs:
        window.append(x)
        if len(window) == k:
            yield sum(window) / k


@programs([1, 2, 3, 4, 5], 3)
@programs([1, 2, 3, 4, 5] * 5, 4)
def with_a_bounded_deque(xs, k):
    return [mean for mean in windows(xs, k)]


def up_to_three(xs):
    for x in xs:
        if x > 3:
            raise TypeError("too large")
        yield x


@programs([1, 2, 3])
@programs([1, 2, 5])
def raising_a_type_error(xs):
    return sum(up_to_three(xs))


@programs(X)
def left_early(x):
    total = 0
    for p in primes(int(x[0])):
        if p > 20:
            break
        total += p
    else:
        return -1, 0
    return total, p


@programs(X)
def taken_by_builtins(x):
    n = int(x[0])
    found = sum(primes(n)), max(primes(n)), min(collatz(n), key=lambda v: (v - 20) ** 2)
    kinds = any(p > 20 for p in primes(n)), all(p > 2 for p in primes(n)), 29 in primes(n)
    lists = list(primes(n)), sorted(collatz(n)), [p * 2 for p in primes(n)], [*primes(n)]
    return found, kinds, lists, np.array(list(primes(n))), np.fromiter(primes(n), dtype=np.int64)


@programs(X)
def side_by_side(x):
    total = 0
    for i, (p, c) in enumerate(zip(primes(int(x[0])), collatz(int(x[1]))), 2):
        total = total * 3 % 1009 + i * p * c
    for a, b, c in zip(primes(int(x[0])), range(1, 100), x):
        total += a * b + c
    return total


@programs(X)
def slices(x):
    n, k = int(x[0]), int(x[1])
    return list(itertools.islice(fibonacci(), k, n, 3)), list(itertools.islice(primes(n), k))


@programs(X)
def parts(x):
    n = int(x[0])
    below = itertools.takewhile(lambda p: p < 20, primes(n))
    return list(below), list(itertools.dropwhile(lambda p: p < 11, primes(n)))


@programs(X)
def combinations_of_neighbours(x):
    n = int(x[0])
    apart = [b - a for a, b in itertools.pairwise(primes(n))]
    return list(itertools.accumulate(primes(n))), apart


@programs(X)
def one_after_the_other(x):
    return list(itertools.chain(collatz(int(x[1])), [1, 2, 3], primes(int(x[1]))))


@programs(X)
def counted_mapped_and_filtered(x):
    n = int(x[0])
    counted = sum(i * p for i, p in zip(itertools.count(1), primes(n)))
    return counted, sum(map(lambda p: p + 1, filter(lambda p: p % 4 == 1, primes(n))))


@programs(X)
def items_one_by_one(x):
    g = primes(int(x[0]))
    first, total = next(g), 0
    while True:
        v = next(g, None)
        if v is None:
            break
        total += v
    return first, total, next(g, -1)


@programs(X)
def streams(x):
    a, b = primes(10**6), fibonacci()
    u, v, n = next(a), next(b), 0
    while n < x[0]:
        if u < v:
            u = next(a)
        else:
            v = next(b)
        n += 1
    return u, v


@programs(X)
def what_is_taken_is_gone(x):
    g = fibonacci()
    head = list(itertools.islice(g, int(x[1])))
    return head, next(g), [a + b for a, b in itertools.islice(zip(g, g), int(x[1]))]


@programs(X)
def loops_in_loops(x):
    total = 0
    for i, j in pairs(int(x[0])):
        total += i * 10 + j
    g = pairs(int(x[0]))
    for _ in range(int(x[1])):
        a, b = next(g)
        total += a * b
    return total


@programs(X)
@programs(-X)
def with_break_continue_and_else(x):
    return list(ended(int(x[0]))), list(ended(int(x[1])))


@programs(X)
def from_one_another(x):
    def around(n):
        yield 0
        yield from primes(n)
        for a, b in pairs(n // 2):
            yield a - b
        yield 1000

    total = 0
    for v in around(int(x[0])):
        total = (total * 7 + v) % 10007
    return total


@programs(X)
def sent(x):
    def average():
        total, n, mean = 0.0, 0, 0.0
        while True:
            v = yield mean
            total = total * 0.9 + v
            n += 1
            mean = total / n

    def counting():
        k = 0
        while True:
            k += yield k

    g, h, r = average(), counting(), 0.0
    next(g), next(h)
    for v in x:
        if v > -1:
            r += g.send(v) ** 2 + h.send(2)
    h.close()
    return r, next(h, -1)


@programs(X)
def of_classes(x):
    class Multiples:
        def __init__(self, k):
            self.k = k

        def __iter__(self):
            i = 0
            while i < 40:
                yield i
                i += self.k

        def below(self, n):
            for i in range(n):
                if i % self.k == 0:
                    yield i

    c, total = Multiples(int(x[1])), 0
    for v in c:
        total += v
    return total, sum(c), sum(c.below(int(x[0])))


@programs(X)
def the_order_of_what_is_printed(x):
    def counting(n):
        i = 0
        while i < n:
            print("from", i)
            yield i
            i += 1
        print("end")

    for v in counting(int(x[1])):
        print("to", v)
    for v in counting(int(x[1])):
        if v > x[2]:
            break
        print("to", v)


@programs(X)
def what_it_changes(x):
    out, seen = [], np.zeros(4)

    def counting(n, /, k=2, *rest, m=3):
        found = []
        i = 0
        while i < n:
            out.append(i)
            found.append(i * k)
            seen[i % 4] += m
            yield len(found) + found[i // 2] + sum(rest)
            i += 1

    total = 0
    for v in counting(int(x[1]), 3, 4, 5, m=7):
        if v > 20:
            break
        total = total * 2 + v
    return total, out, seen


@programs(X)
def returning(x):
    def small(n):
        for i in range(n):
            match i % 3:
                case 0:
                    yield i
                case 1 if i * i > 50:
                    return
                case _:
                    continue

    return list(small(int(x[0])))


@programs(X)
def a_tree_of_known_form(x):
    tree = (1, (2, None, None), (3, (4, None, None), None))

    def walk(t):
        if t is not None:
            value, left, right = t
            yield from walk(left)
            yield value
            yield from walk(right)

    total = 0.0
    for v in walk(tree):
        if v > x[2]:
            break
        total = total * 2 + v
    return total


@programs(X)
def raising(x):
    def counting(n):
        for i in range(n):
            if i == 4:
                raise ValueError(f"{i} is too much")
            yield i

    return sum(counting(int(x[0])))


@programs(X)
def used_up(x):
    g = primes(int(x[1]))
    total = 0
    for _ in range(10):
        total += next(g)
    return total


@programs(X)
def used_up_in_another(x):
    def after(g):
        while True:
            yield next(g) + 1

    return sum(after(primes(int(x[0]))))


@programs(X)
def that_is_not_started(x):
    return sum(primes()) + x[0]


@programs(30)
@programs(np.int64(30))
def with_an_int(n):
    total = 0
    for p in primes(n):
        total += p
    return total


@programs.smooth(np.array([1.3, -0.4, 0.9, 0.8, -2.0, 0.35]))
def differentiated(x):
    def parts(x):
        s = 0.0
        for i in range(len(x)):
            s = s + x[i] * x[i]
            if s > 1.0:
                yield s, i
                s = s * 0.1
        yield s, -1

    total, g = 1.0, positive(x)
    for s, i in parts(x):
        total = total * np.sin(s) + i * s + next(g, 0.5)
    return total + sum(g)


@programs.test
def test_programs(call):
    call.run()


def newton(a):
    x = a
    while True:
        yield x
        x = 0.5 * (x + a / x)


def root(a):
    before = 0.0
    for v in newton(a):
        if abs(v - before) < 1e-12:
            break
        before = v
    return v


@pytest.mark.slow
def test_lanes_leave_their_generators_at_different_yields():
    xs = np.linspace(1.0, 9.0, 8)
    np.testing.assert_allclose(ag.vmap(root)(xs), np.sqrt(xs), rtol=1e-14)
    np.testing.assert_allclose(ag.vmap(ag.grad(root))(xs), 0.5 / np.sqrt(xs), rtol=1e-12)
    check_grad(root, 30.0)


def test_an_int_that_decides_how_far_one_goes_is_no_part_of_the_signature():
    f = ag.to_graph(with_an_int)
    assert [f(n) for n in (10, 20, 30, 3000)] == [with_an_int(n) for n in (10, 20, 30, 3000)]
    assert len({str(f.graph(n)) for n in (10, 20, 3000)}) == 1


def test_generators_whose_yields_are_known_are_pythons_own():
    def layers(w):
        for i, (size, function) in enumerate([(3, np.sin), (2, np.tanh)]):
            yield np.ones((size, size)) * w[i], function

    def function(w):
        return sum(f(m).sum() for m, f in layers(w))

    check(function, X)
    assert "while" not in str(ag.to_graph(function).graph(X))


def in_a_try(x):
    def counting(n):
        try:
            yield from range(n)
        finally:
            print("closed")

    return sum(counting(int(x[0])))


def in_an_expression(x):
    def counting(n):
        i = 0
        while i < n:
            print((yield i))
            i += 1

    return sum(counting(int(x[0])))


def unassigned(x):
    def counting(n):
        i = 0
        while i < n:
            if i > 2:
                k = i
            yield i
            i += k
        return k

    return sum(counting(int(x[0])))


def seen_to_change(x):
    def counting(n):
        i = 0
        while i < n:
            yield lambda: i
            i += 1

    return sum(f() for f in counting(int(x[0])))


def in_a_function_that_handles(x):
    def counting(n):
        for i in range(n):
            if i == 4:
                raise ValueError
            yield i

    total = 0
    try:
        for v in counting(int(x[0])):
            total += v
    except ValueError:
        total = -total
    return total


@pytest.mark.parametrize(
    "function",
    [in_a_try, in_an_expression, unassigned, seen_to_change, in_a_function_that_handles],
)
def test_what_can_not_go_step_by_step(function):
    assert "AG0585" in refused(UnsupportedConstructError, function, X)


class Halving:
    def __init__(self, scale):
        self.scale = scale

    def next_of(self, v):
        return v * 0.5 * self.scale

    def items(self, v):
        yield v
        yield self.next_of(v)


class Shifted(Halving):
    def items(self, v, another):
        yield from super().items(v)
        while v > 1.0:
            v = super().next_of(v)
            yield v + another.scale

    def next_of(self, v):
        return 1.0 + v


@programs.smooth(X)
def methods_of_the_class_above_behind_a_yield(x):
    """The first parameter of what follows a yield was another object: ``another``."""
    total = 0.0
    for v in Shifted(1.0).items(x[0], Shifted(0.5)):
        total += v * x[1]
    return total
