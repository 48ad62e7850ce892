"""Lists that grow and shrink, in native loops."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from tests.kernels.kernel_check import ALL, assert_kernels, assert_same, check

X = np.linspace(0.1, 1.0, 4)


def adaptive(x):
    ts, ys = [0.0], [x]
    t, h = 0.0, 0.1
    while t < 1.0:
        y = ys[-1] + h * np.sin(ys[-1])
        if np.sum(np.abs(y - ys[-1])) < 0.3:
            t = t + h
            ts.append(t)
            ys.append(y)
            h = h * 1.3
        else:
            h = h * 0.5
    return np.array(ts), np.array(ys)


def numbers(x):
    out, s = [], x[0]
    while s < 10:
        s = s * 1.3 + x[1]
        out.append(s)
    return np.array(out), len(out)


def small_dtypes(x):
    out, flags, s = [], [], np.float32(0.3)
    while s < 9:
        s = s * np.float32(1.5)
        out.append(s)
        flags.append(s > 2)
    return np.array(out), np.array(flags)


def an_early_end(x):
    out = [x]
    for i in range(1, 300, 2):
        y = np.tanh(out[-1] * 1.01 + len(out))
        if y[0] > 0.99:
            break
        out.append(y)
    return np.array(out)


def a_stack(x):
    stack, total, n = [x], x * 0, 0
    while len(stack) > 0 and n < 40:
        y = stack.pop()
        total, n = total + y, n + 1
        if y[0] < 0.5:
            stack.append(y * 1.7)
            stack.append(y * 2.1)
    return total, n


def two_names(x):
    a = [x]
    b = a
    while np.sum(a[-1]) < 20:
        a.append(a[-1] * 1.5)
    return np.array(a), np.array(b), len(b)


def on_some_paths(x):
    out, i = [x], 0
    while i < 8:
        if i % 3 == 0:
            out.append(x * i)
        elif i % 3 == 1:
            out.pop()
            out.append(x + i)
            out.append(x)
        i += 1
    return np.array(out)


def no_trip(x):
    out, i = [x, 2 * x], 0
    while x[0] > i + 5:
        out.append(x)
        i += 1
    return np.array(out)


def copied_in_each_trip(x):
    a, i = [x], 0
    while i < 5:
        b = list(a)
        b.append(x * i)
        a = b + [x]
        i += 1
    return np.array(a)


def rows_changed(x):
    out, i = [x, x + 1], 0
    while i < 6:
        out[-1] = out[-1] * 2
        out[0] = out[0] + i
        out.append(x * i)
        i += 1
    return np.array(out)


def counted(x, n):
    out = []
    for i in range(n):
        x = np.sin(x) + i
        out.append(x)
    return np.array(out)


def summed(x, n):
    out = []
    for i in range(n):
        x = np.tanh(x * 1.1)
        out.append(x)
    return np.sum(np.stack(out) ** 2)


def whole_numbers(x):
    out, n = [], 27
    while n != 1:
        out.append(n)
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return np.array(out)


def matrices(x):
    out, m = [], np.outer(x, x)
    while np.sum(m) < 100:
        m = m @ m + m + 1
        out.append(m)
    return np.array(out)


FUNCTIONS = (adaptive, numbers, small_dtypes, an_early_end, a_stack, two_names, on_some_paths)
FUNCTIONS += (copied_in_each_trip, rows_changed, whole_numbers, matrices)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_whole_functions(function):
    check(function, X)


@pytest.mark.parametrize("n", [0, 1, 2, 100])
def test_any_number_of_trips(n):
    check(lambda x, n: counted(x, n + 1), X, n)


def test_no_trip():
    check(no_trip, X, kernels=None)


# -- who has a list ------------------------------------------------------------------------------


def changed_while_another_has_it(x):
    a, b, i = [x, 2 * x], [x], 0
    while i < 5:
        b = list(a)
        b.pop()
        b.append(x * i * 3)
        b[0] = b[0] - i
        i += 1
    return np.array(a), np.array(b)


def left_twice(x):
    a, b, i = [x, x + 1], [x], 0
    while i < 7:
        a.append(x * i)
        if i % 2 == 0:
            b = a[:]
        if i % 3 == 0:
            a.pop()
            a.pop()
            a.append(x - i)
        i += 1
    return np.array(a), np.array(b)


def read_before_it_changes(x):
    a, i, y = [x, x + 1, x + 2], 0, x
    while i < 6:
        last = a[-1]
        part = np.array(a[-2:])
        a.pop()
        a.append(x * i)
        y = y + last * 2 + np.sum(part, axis=0)
        i += 1
    return y, np.array(a)


def of_an_inner_loop(x):
    outer, i = [x], 0
    while i < 5:
        inner = list(outer)
        while np.sum(inner[-1]) < 9 + i:
            inner.append(inner[-1] + 1.0)
        inner.pop()
        inner.append(x)
        outer.append(inner[-2] * 0.1 + len(inner))
        i += 1
    return np.array(outer)


OWNERS = (changed_while_another_has_it, left_twice, read_before_it_changes, of_an_inner_loop)


@pytest.mark.parametrize("function", OWNERS)
def test_lists_that_others_have(function):
    check(function, X, kernels=None)


def machine(codes, x):
    """Lists changed as a program says."""
    a, b = [x, x * 2], [x]
    out = x * 0
    for i in range(codes.shape[0]):
        code = codes[i]
        if code < 4:
            a.append(x * i)
        elif code < 7:
            if len(a) > 2:
                out = out + a.pop()
        elif code == 7:
            a[-1] = a[0] + i
        elif code == 8:
            b = a[:]
        elif code == 9:
            b.append(out)
        elif code == 10:
            a = b + [x]
        elif code == 11:
            a, b = b[:], a[:]
        elif code == 12:
            a[len(a) // 2] = out - i
        else:
            out = out * 0.5 + b[-1] + np.sum(np.array(a), axis=0) * len(b)
    return np.array(a), np.array(b), out


@pytest.fixture(scope="module")
def compiled_machine():
    return ag.to_graph(machine)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_random_changes(compiled_machine, seed):
    codes = np.random.default_rng(seed).integers(0, 14, 40)
    assert_same(compiled_machine(codes, X), machine(codes, X))


# -- errors, and what does not fit -----------------------------------------------------------------


def pops_too_much(x):
    a, i = [x], 0
    while i < 5:
        a.pop()
        i += 1
    return np.array(a)


def reads_too_far(x):
    a, i = [x], 0
    while i < 5:
        x = x + a[i * 2]
        a.append(x)
        i += 1
    return np.array(a)


@pytest.mark.parametrize("function", [pops_too_much, reads_too_far])
def test_errors(function):
    check(function, X)


def test_lists_in_the_trips_of_another_loop_do_not_add_up():
    """What the trips of an inner loop take is free again when the trip of the outer one ends."""

    def function(x, n):
        total = 0.0
        for _ in range(n):
            inner, s = [], x[0]
            while s < 100.0:
                s = s + 0.1
                inner.append(s * x)
            total = total + np.sum(np.array(inner))
        return total

    compiled = check(function, X, 3)
    assert compiled(X, 20_000) > 0  # 600 MiB, if they did


# -- derivatives -----------------------------------------------------------------------------------


def loss_of(function):
    return lambda x: sum(np.sum(np.sin(y)) for y in ag.tree.leaves(function(x)))


DIFFERENTIABLE = (adaptive, an_early_end, a_stack, two_names, on_some_paths, rows_changed)


@pytest.mark.costly
@pytest.mark.parametrize("function", DIFFERENTIABLE)
def test_gradients(function):
    loss = loss_of(function)
    ag.check_grads(loss, [X])
    gradient = ag.grad(loss)
    gradient(X)
    assert_kernels(gradient, (X,), ALL)


@pytest.mark.costly
@pytest.mark.parametrize("function", OWNERS)
def test_gradients_of_lists_that_others_have(function):
    ag.check_grads(loss_of(function), [X])


def test_the_gradient_where_only_the_run_knows_the_number_of_trips():
    gradient = ag.grad(summed)
    gradient(X, 7)
    ag.check_grads(lambda x: summed(x, 7), [X])
    assert_same(gradient(X, 9), ag.grad(lambda x: summed(x, 9))(X), ulps=40)
    assert_kernels(gradient, (X, 7), ALL)


def test_in_lanes_nothing_grows_natively():
    xs = np.stack([X, 2 * X])
    found = ag.vmap(lambda x: summed(x, 5))(xs)
    assert_same(found, np.array([summed(x, 5) for x in xs]), ulps=40)
