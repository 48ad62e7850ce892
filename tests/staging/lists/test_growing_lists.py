"""Lists that loops append to, pop from and read, with known and unknown numbers of trips."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError, MutationError
from tests.support.oracle import Programs
from tests.support.refusals import refused

programs = Programs()

H = np.array([[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]])


# -- appending -------------------------------------------------------------------------------------


@programs.smooth(np.array([0.3, -0.2, 0.7]))
def stacked(xs):
    ys = []
    for x in xs:
        ys.append(np.sin(x) * x)
    return np.sum(np.stack(ys) ** 2)


@programs(5.0)
@programs(0.1)
def unknown_length(x):
    ys = []
    while x > 0.5:
        ys.append(x)
        x = x / 2
    return np.array(ys), len(ys)


@programs.smooth(5.0)
def gradient_through_an_unknown_length(x):
    ys = []
    v = x
    while v > 0.5:
        ys.append(v * v)
        v = v / 2
    return np.sum(np.array(ys) * x)


@programs.smooth(np.array([[0.1, 0.2], [0.3, -0.4]]), np.array([0.5, 0.6]))
def recurrent_net(w, h):
    hs = [h]
    for _ in range(5):
        hs.append(np.tanh(w @ hs[-1]))
    return np.sum(np.stack(hs))


@programs(H, 4)
def states_of_a_loop(h, n):
    hs = []
    for t in range(n):
        h = np.tanh(h + t)
        hs.append(h)
    return np.stack(hs), hs[0], hs[-1], len(hs), hs[1:3]


@programs.smooth(np.array([0.3, -0.2, 0.7]))
@programs.smooth(np.array([-0.3, -0.2, -0.7]))
def those_that_pass(xs):
    ys = []
    for x in xs:
        if x > 0:
            ys.append(x * x)
    return sum(ys) + 0.0 * xs[0]


@programs(np.arange(4.0))
def sorted_into_two(xs):
    low, high = [], []
    for x in xs:
        if x > 1.5:
            high.append(x)
        else:
            low.append(-x)
    return low, high


@programs(3.0)
def reads_its_last_elements(x):
    ys = [x, x]
    for _ in range(5):
        ys.append(ys[-1] + ys[-2])
    return ys


@programs(np.arange(4.0))
def pairs(xs):
    out = []
    for i, x in enumerate(xs):
        out.append((i, x))
    total = 0.0
    for i, x in out:
        total += i * x
    return total, out


@programs(np.arange(4.0))
def more_trips_than_python_would_unroll(xs):
    history = []
    x = xs.copy()
    for _ in range(300):
        x = x * 0.9
        history.append(np.sum(x))
    return np.array(history)[-1], history[10]


@programs(np.array([1.0, 2.0]))
def extended(xs):
    ys = [xs[0]]
    for x in xs:
        ys.extend([x, x * 2])
        ys += [x]
    return ys


@programs(4.0)
def leaves_with_the_list(x):
    seen = []
    while True:
        seen.append(x)
        if x < 1:
            return seen, x
        x -= 1


@programs(4)
def list_in_an_inner_loop(n):
    total = 0
    for i in range(n):
        row = []
        for j in range(3):
            row.append(i * j)
        total += sum(row)
    return total


@programs([1.0, 2.0], 3)
def concatenated(xs, n):
    ys = []
    i = 0
    while i < n:
        ys = ys + [float(i)]
        i += 1
    return xs + ys


# -- popping ---------------------------------------------------------------------------------------


@programs(6)
def stack_machine(n):
    stack = [n]
    total = 0
    while stack:
        k = stack.pop()
        total += k
        if k > 1:
            stack.append(k - 1)
            stack.append(k // 2)
    return total


@programs.smooth(2.0)
def differentiable_stack(x):
    stack = [x]
    total = 0.0
    while stack:
        v = stack.pop()
        total += v * v
        if v > 0.6:
            stack.append(v / 2)
            stack.append(v / 3)
    return total


@programs(5)
def queue(n):
    waiting = [n]
    seen = 0
    while len(waiting) > 0 and seen < 20:
        k = waiting.pop(0)
        seen += 1
        if k > 0:
            waiting.append(k - 1)
            waiting.append(k - 2)
    return seen, len(waiting)


@programs(2)
@programs(5)
def pops_too_often(n):
    xs = [1.0]
    i = 0
    while i < 3:
        xs.append(2.0)
        i += 1
    while i < n + 3:
        xs.pop()
        i += 1
    return len(xs)


@programs(3)
@programs(-9)
def index_out_of_range(k):
    xs = []
    i = 0
    while i < 3:
        xs.append(float(i))
        i += 1
    return xs[k]


@programs(np.array([1, 2, 0, 3, 0, 4, 5]))
def tokens(codes):
    out = []
    current = []
    for c in codes:
        if c == 0:
            out.append(sum(current))
            current = []
        else:
            current.append(c)
    return out, current


@programs(np.array([3.0, 1.0, 2.0, 5.0, 4.0]))
def monotone_stack(xs):
    stack = []
    out = 0.0
    for v in xs:
        while stack and stack[-1] > v:
            out += stack.pop()
        stack.append(v)
    return out, len(stack)


@programs(np.array([3, 4, -1, 2, -1]))
def reverse_polish(codes):
    stack = []
    for c in codes:
        if c == -1:
            b = stack.pop()
            a = stack.pop()
            stack.append(a * b)
        else:
            stack.append(c)
    return stack[-1]


@programs(3)
def truth_of_a_list_in_an_operand(n):
    stack = []
    i = 0
    while i < 3:
        stack.append(2.0)
        i += 1
    while n < 8 and stack:
        stack.pop()
        n += 1
    return n, len(stack)


# -- elements --------------------------------------------------------------------------------------


@programs(np.array([3.0, 1.0, 2.0]))
def bubble_sort(xs):
    ys = list(xs)
    n = len(ys)
    for i in range(n):
        for j in range(n - 1 - i):
            if ys[j] > ys[j + 1]:
                ys[j], ys[j + 1] = ys[j + 1], ys[j]
    return ys


@programs(10)
def sieve(n):
    flags = [True] * 11
    primes = []
    for i in range(2, n + 1):
        if flags[i]:
            primes.append(i)
            for j in range(i * i, 11, i):
                flags[j] = False
    return primes


@programs(4)
def elements_replaced(n):
    xs = []
    for i in range(n):
        xs.append(i * 1.0)
    i = 0
    while i < n:
        xs[i] = xs[i] * xs[-1]
        i += 1
    return xs


@programs(np.arange(5.0))
def comprehension_over_an_array(xs):
    squares = [x * x for x in xs if x > 1]
    table = [[x * y for y in xs[:2]] for x in xs[:3]]
    return squares, table, sum(x for x in xs)


@programs(np.arange(3.0))
def copies_of_an_array_that_changes(x):
    ys = []
    for _ in range(3):
        x += 1
        ys.append(x.copy())
    return np.array(ys)


@programs(np.arange(3.0), True)
@programs(np.arange(3.0), False)
def joined_by_numpy(x, wide):
    rows = []
    for i in range(3):
        rows.append(x * i)
    if wide:
        return np.hstack(rows), np.column_stack(rows), np.stack(rows, axis=1)
    return np.vstack(rows), np.concatenate(rows), np.mean(rows), np.max(rows, axis=0)


# -- iterators -------------------------------------------------------------------------------------


@programs(3)
@programs(5)
def next_in_a_loop(n):
    it = iter([1.0, 2.0, 3.0, 4.0])
    total = 0.0
    i = 0
    while i < n:
        total += next(it, -1.0)
        i += 1
    return total


@programs(5.0)
@programs(0.5)
def iterator_left_in_the_middle(x):
    it = iter(np.arange(5.0) * x)
    total = next(it)
    for v in it:
        total += v
        if total > 10:
            break
    return total, next(it, np.float64(-1.0))


@programs(2.0)
@programs(-2.0)
def next_in_a_branch(x):
    it = iter([1.0, 2.0])
    if x > 0:
        next(it)
    return next(it)


def multiples(n, x):
    for i in range(n):
        print("multiple", i)
        yield i * x


@programs(3.0)
def generator_of_the_users(x):
    total = 0.0
    for v in multiples(3, x):
        total += v
    return total, sum(multiples(4, x)), list(multiples(2, x))


@programs.test
def test_growing_lists(call):
    call.run()


def test_the_graph_does_not_grow_with_the_trips():
    @ag.to_graph
    def history(x, n):
        xs = []
        for _ in range(n):
            x = x * 0.5
            xs.append(x)
        return np.stack(xs)

    def size(n):
        return len(str(history.graph(1.0, n)))

    assert size(2000) < size(20) + 20
    assert history(1.0, 2000).shape == (2000,)


# -- what is refused -------------------------------------------------------------------------------


def test_an_array_that_changes_is_appended():
    def f(x, n):
        ys = []
        i = 0
        while i < n:
            x += 1
            ys.append(x)
            i += 1
        return ys

    assert "xs.append(x.copy())" in refused(MutationError, f, np.arange(3.0), 3)


def test_an_element_is_changed_in_place():
    def f(x, n):
        ys = []
        i = 0
        while i < n:
            ys.append(x * i)
            i += 1
        ys[0][0] = 5.0
        return ys

    assert "in place" in refused(MutationError, f, np.arange(3.0), 3)


def test_elements_of_two_shapes():
    def f(x, n):
        ys = []
        i = 0
        while i < n:
            if i > 1:
                ys.append(x[0])
            else:
                ys.append(x)
            i += 1
        return ys

    refused(AutographError, f, np.arange(3.0), 3)


def test_an_iterator_advanced_in_a_branch():
    def f(x):
        z = zip([1, 2], [3, 4])
        a = 0
        if x > 0:
            a, _ = next(z)
        return a

    assert "zip" in refused(MutationError, f, 1.0)


def test_an_iterator_from_outside():
    numbers = (k for k in range(3))
    assert "generator" in refused(MutationError, lambda x: x + next(numbers), 1.0)


def test_a_list_of_texts_grows():
    def f(n):
        names = []
        i = 0
        while i < n:
            names.append("a")
            i += 1
        return names

    assert ag.to_graph(f)(3.0) == f(3.0)
    assert ag.to_graph(f)(3) == f(3)


def test_lists_of_unknown_length_are_unpacked():
    def difference(x):
        positive = [v for v in x if v > 0.0]
        a, b = positive
        return a - b

    compiled = ag.to_graph(difference)
    for x in ([1.0, 2.0, -1.0], [-3.0, 7.5, 2.5]):
        assert compiled(np.array(x)) == difference(np.array(x))
    for x in ([1.0, -1.0, -2.0], [-1.0, -1.0, -1.0], [1.0, 2.0, 3.0]):
        with pytest.raises(ValueError, match="values to unpack") as expected:
            difference(np.array(x))
        with pytest.raises(ValueError, match="values to unpack") as found:
            compiled(np.array(x))
        assert str(found.value) == str(expected.value)
