"""Handlers of exceptions that operators raise when the program runs."""

import itertools
import math

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check, compiled

programs = Programs()
SINGULAR, REGULAR = np.ones((2, 2)), np.array([[2.0, 1.0], [0.5, 3.0]])


@programs(np.array([1.0, 0.0, 2.0, 0.0]))
@programs(np.array([0.1, 0.0, 2.0]))
def in_a_loop(a):
    total, skipped = 0.0, 0
    for i in range(len(a)):
        try:
            total += 1 / float(a[i])
        except ZeroDivisionError:
            skipped += 1
            continue
        if total > 5:
            break
    return total, skipped


@programs(np.array([1.0, -1.0, 2.0, 3.0]), 4)
@programs(np.array([1.0, 2.0, 3.0]), 3)
def leaves_the_loop(a, n):
    total = 0.0
    while n > 0:
        n -= 1
        try:
            total = total + math.log(float(a[n]))
        except (ValueError, OverflowError):
            break
    return total, n


@programs(np.array([1, 2, 3]), 1, -2.5)
@programs(np.array([1, 2, 3]), 1, np.inf)
@programs(np.array([1, 2, 3]), 1, np.nan)
@programs(np.array([1, 2, 3]), 1, -1e30)
@programs(np.array([1, 2, 3]), 3, np.inf)
def number_that_an_integer_cannot_hold(a, i, x):
    try:
        a[i] = x
    except OverflowError:
        return a, "large"
    except ValueError:
        return a, "NaN"
    except IndexError:
        return a, "outside"
    return a, "written"


@programs(REGULAR)
@programs(SINGULAR)
def inverse(a):
    try:
        b = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        b = np.linalg.pinv(a)
    return b


@programs(REGULAR)
@programs(SINGULAR)
def returns_none(a):
    try:
        b = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return None
    return b.sum()


@programs(np.eye(2))
@programs(np.array([[1.0, 2.0], [2.0, 1.0]]))
def tries_again(a):
    shift = 1e-6
    while True:
        try:
            return np.linalg.cholesky(a + shift * np.eye(2)), shift
        except np.linalg.LinAlgError:
            shift *= 10


@programs(REGULAR, np.ones(2))
@programs(SINGULAR, np.ones(2))
def solved(a, b):
    try:
        x = np.linalg.solve(a, b)
    except ValueError:  # a LinAlgError is one
        x = b * 0.0
    return x


def _reciprocal(a, b):
    return 1 / (a - b)


@programs(1.0, 2.0)
@programs(1.0, 1.0)
def raised_in_a_callee(a, b):
    try:
        return _reciprocal(a, b) + 1
    except ZeroDivisionError:
        return math.inf


@programs(1.0, 2.0)
@programs(0.0, 2.0)
@programs(1.0, 0.0)
@programs(0.0, 0.0)
def two_in_one_expression(x, y):
    try:
        z = 1 / x + 1 / (1 / x - y)
    except ZeroDivisionError:
        z = -1.0
    return z


@programs(1.0, 2.0)
@programs(0.0, 2.0)
@programs(2.0, 0.0)
def state_as_it_was(x, y):
    a = b = -1.0
    try:
        a = 1 / x
        b = a / y
        a = a * 10
    except ZeroDivisionError:
        b = b - 1.0
    else:
        b = b + 1.0
    return a, b


class Box:
    pass


@programs(2.0)
@programs(0.0)
def attributes(x):
    box = Box()
    box.value = 7.0
    try:
        box.value = 1 / x
    except ZeroDivisionError:
        box.value += 1.0
    finally:
        x = x + 1.0
    return box.value, x


@programs(2.0, 3.0)
@programs(0.0, 3.0)
@programs(0.0, 0.0)
def handler_that_tries(x, y):
    try:
        z = 1 / x
    except ZeroDivisionError:
        try:
            z = 1 / y
        except ZeroDivisionError:
            z = -2.0
    return z


@programs(np.arange(3.0), 0, 2.0)
@programs(np.arange(3.0), -4, 2.0)
@programs(np.arange(3.0), 3, 0.0)
@programs(np.arange(3.0), 1, 0.0)
def the_first_one_counts(x, i, y):
    """An index that is wrong, before and after a division by zero that is handled."""
    try:
        z = x[i] + 1 / y
    except ZeroDivisionError:
        z = np.float64(-1.0)
    return z


@programs(np.arange(3.0), 1, 2.0)
@programs(np.arange(3.0), 3, 0.0)
@programs(np.arange(3.0), 3, 2.0)
def what_follows_a_failure_is_not_run(x, i, y):
    try:
        z = 1 / y + x[i]
    except ZeroDivisionError:
        z = np.float64(-1.0)
    return z


@programs(np.arange(3.0), 1)
@programs(np.arange(3.0), 3)
@programs(np.arange(3.0), -4)
def index(x, i):
    try:
        z = x[i] * 2
    except IndexError:
        z = x[-1] * 0
    return z


@programs(2.5)
@programs(math.nan)
@programs(math.inf)
def to_int(x):
    try:
        return int(x)
    except (ValueError, OverflowError):
        return -1


@programs(2.5)
@programs(math.nan)
@programs(math.inf)
def one_class_of_two(x):
    try:
        return int(x)
    except ValueError:
        return -1


@programs(2.0, 3.0)
@programs(1e200, 2.0)
@programs(0.0, -1.0)
def powers(x, y):
    try:
        return x**y
    except OverflowError:
        return 0.0


@programs(5, 3)
@programs(5, 0)
def integers(a, b):
    try:
        q = a // b
    except ZeroDivisionError:
        q = a % (b - 7)
    return q


@programs(2.0)
@programs(1e4)
def overflow(x):
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


@programs(2.0)
@programs(0.0)
def raises_another(x):
    try:
        z = 1 / x
    except ZeroDivisionError:
        raise ValueError("bad") from None
    return z


@programs(np.arange(3.0))
@programs([1.0, 2.0])
def that_cannot_fire(values):
    total = 0.0
    for value in values:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = 0.0
        total += number
    return total


@programs(2.0)
@programs(0.0)
def of_another_class(x):
    try:
        y = 1 / x
    except (KeyError, OverflowError):
        y = 0.0
    return y


@programs(3.0)
@programs(1.0)
def raised_by_the_function(x):
    try:
        if x > 2:
            raise KeyError("large")
    except ZeroDivisionError:
        x = 0.0
    return x


@programs(2.0)
@programs(0.0)
@programs(0.5)
def prints_before(x):
    try:
        y = 1 / _printed(x)
    except ZeroDivisionError:
        y = 0.0
    return y


def _printed(x):
    print(x)
    return x


@programs(2.0)
@programs(0.0)
@programs(0.5)
def changes_before(x):
    seen = []

    def note(value):
        seen.append(value)
        return value

    try:
        y = 1 / note(x)
    except ZeroDivisionError:
        y = 0.0
    return y, seen


@programs(2.0)
@programs(0.0)
@programs(0.5)
def in_a_conditional(x):
    try:
        y = 1 / x if x < 5 else 0.0
    except ZeroDivisionError:
        y = -1.0
    return y


@programs(2.0)
@programs(0.0)
@programs(0.5)
def raised_beside(x):
    try:
        y = 1 / x + _large(x)
    except (ZeroDivisionError, ValueError):
        y = 0.0
    return y


def _large(x):
    if x < 1:
        raise ValueError("small")
    return x


@programs.test
def test_handlers(call):
    call.run()


def test_a_handler_that_cannot_fire_costs_nothing():
    def with_handler(x):
        try:
            y = float(x) * 2.0
        except (TypeError, ValueError):
            y = 0.0
        return y

    check(with_handler, np.float64(3.0))
    assert "if" not in str(compiled(with_handler).program(np.float64(3.0))).split()


def _guarded(x):
    try:
        z = 1 / float(x)
    except ZeroDivisionError:
        return 0.0
    return z * 2


def test_derivatives_and_lanes():
    assert ag.grad(_guarded)(2.0) == -0.5
    assert ag.grad(_guarded)(0.0) == 0.0
    x = np.array([1.0, 0.0, 4.0])
    np.testing.assert_array_equal(ag.vmap(_guarded)(x), [2.0, 0.0, 0.5])
    np.testing.assert_array_equal(ag.vmap(ag.grad(_guarded))(x), [-2.0, 0.0, -0.125])
    matrices = np.stack([REGULAR, SINGULAR])
    found = ag.vmap(lambda a: np.sum(inverse(a)))(matrices)
    np.testing.assert_allclose(found, [np.sum(inverse(a)) for a in matrices])
    gradient = ag.grad(lambda a: np.sum(inverse(a)))(REGULAR)
    b = np.linalg.inv(REGULAR)
    np.testing.assert_allclose(gradient, -np.outer(b.sum(0), b.sum(1)))


def test_what_has_a_state_is_not_called_twice():
    def taken(x):
        values = iter([1.0, 2.0, 3.0])
        try:
            first = next(values) * 2.0
        except Exception:
            first = 0.0
        return first, next(values), x

    check(taken, 1.0)

    def counted(x, step=None):
        step = step or itertools.count().__next__
        try:
            number = step()
        except ValueError:
            number = -1
        return number, step(), x

    check(counted, 1.0)
    step = itertools.count().__next__
    with pytest.raises(ag.errors.MutationError, match="AG0342"):
        ag.to_graph(lambda x: counted(x, step))(1.0)
    assert step() == 0


def test_what_is_printed_is_what_runs():
    @ag.to_graph
    def f(x, n):
        try:
            return x * (1 // n)
        except ZeroDivisionError:
            return x

    assert "ops.attempted" not in f.converted
    assert f(2.0, 0) == 2.0
    assert "ops.attempted" in f.converted
