"""Recursive functions that raise what a ``try`` around their calls handles."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import outcome


class TooDeep(Exception):
    pass


def depth(x):
    if x < 0:
        raise ValueError("negative")
    if x < 1:
        return 0
    return depth(x - 2) + 1


def handled(x):
    try:
        return depth(x)
    except ValueError:
        return -1


def in_a_loop(x):
    total = 0
    for i in range(4):
        try:
            total += depth(x + i)
        except ValueError:
            total += 100
    return total


def with_a_finally(x):
    try:
        found = depth(x)
    finally:
        print("done")
    return found


def divides(x):
    if x < 1:
        return 1 / x
    return divides(x - 1) * 2


def raised_by_an_operator(x):
    try:
        y = divides(x)
    except ZeroDivisionError:
        y = 0.0
    return y


def fibonacci(x, calls):
    calls[0] += 1
    if x > 8:
        raise TooDeep("deep")
    if x < 2:
        return x
    return fibonacci(x - 1, calls) + fibonacci(x - 2, calls)


def called_twice_in_an_expression(x):
    calls = [0]
    try:
        return fibonacci(x, calls), calls[0]
    except TooDeep:
        return -1.0, calls[0]


def low_on_the_left(x, calls):
    calls[0] += 1
    if x < -2:
        raise ValueError
    if x < 0:
        return x
    return low_on_the_left(x - 3, calls) + low_on_the_left(x - 1, calls) * 2


def the_second_call_only_if_the_first_returns(x):
    calls = [0]
    try:
        return low_on_the_left(x, calls), calls[0]
    except ValueError:
        return 0.5, calls[0]


def handles_itself(x):
    if x < -3:
        raise ValueError("low")
    try:
        if x < 0:
            raise KeyError("k")
        return handles_itself(x - 1) + 1
    except KeyError:
        return 10.0


def passes_on(x):
    try:
        if x < 0:
            raise ValueError("low")
        return passes_on(x - 1) + 1
    except ValueError:
        if x < -0.5:
            raise TooDeep(x) from None
        return 10.0


def another_one(x):
    try:
        return passes_on(x)
    except TooDeep:
        return -5.0


def odd(x):
    if x < 0:
        raise ValueError("negative")
    return False if x < 1 else even(x - 1)


def even(x):
    return True if x < 1 else odd(x - 1)


def in_functions_that_call_each_other(x):
    try:
        return even(x)
    except ValueError:
        return False


def says(x):
    if x < 0:
        raise ValueError(f"{x} is negative")
    if x < 1:
        return 0
    return says(x - 2) + 1


def its_text_is_read(x):
    try:
        return str(says(x))
    except ValueError as error:
        return str(error)


def appends(x, seen):
    seen.append(x)
    if x < 0:
        raise ValueError
    if x < 1:
        return 0
    found = appends(x - 2, seen)
    seen.append(-x)
    return found


def what_it_has_changed_by_then(x):
    seen = []
    try:
        appends(x, seen)
    except ValueError:
        return sum(seen), 1
    return sum(seen), 0


class Walker:
    def __init__(self):
        self.n = 0

    def walk(self, x):
        self.n += 1
        if x < 0:
            raise ValueError
        if x < 1:
            return 0
        return self.walk(x - 2)


def in_methods(x):
    walker = Walker()
    try:
        walker.walk(x)
    except ValueError:
        return walker.n, 1
    return walker.n, 0


def cleans_up(x):
    try:
        if x < 0:
            raise ValueError
        return 0 if x < 1 else cleans_up(x - 2)
    finally:
        print("left", x)


def with_a_finally_of_its_own(x):
    try:
        return cleans_up(x)
    except ValueError:
        return 5


def not_handled(x):
    try:
        return depth(x)
    except KeyError:
        return -1


FUNCTIONS = (
    *(handled, in_a_loop, with_a_finally, raised_by_an_operator, called_twice_in_an_expression),
    *(handles_itself, another_one, in_functions_that_call_each_other, its_text_is_read),
    *(what_it_has_changed_by_then, in_methods, with_a_finally_of_its_own, not_handled),
    *(the_second_call_only_if_the_first_returns,),
)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_as_python(function):
    compiled = ag.to_graph(function)
    for x in (5.5, 4.0, 0.5, -1.0, 3.0, 9.5, 1.0):
        expected, found = outcome(function, (x,)), outcome(compiled, (x,))
        assert (found.result, found.printed) == (expected.result, expected.printed), x


def parse(tokens, i):
    if i >= len(tokens):
        raise IndexError("end")
    if tokens[i] == 1:
        return 1.0
    if tokens[i] == 0:
        return parse(tokens, i + 1) * 2
    raise ValueError("bad token")


def several_classes(tokens):
    try:
        return parse(tokens, 0)
    except IndexError:
        return -1.0
    except ValueError:
        return -2.0


def find(x, i):
    return i if x[i] < 0 else find(x, i + 1)


def past_the_end(x):
    try:
        return find(x, 0)
    except IndexError:
        return -1


@pytest.mark.parametrize("function", [several_classes, past_the_end])
def test_arrays(function):
    compiled = ag.to_graph(function)
    for tokens in ([0, 0, 1], [0, 0, 0], [0, 5, 0], [0, -1, 0]):
        assert compiled(np.array(tokens)) == function(np.array(tokens))


def power(x):
    if x > 10:
        raise ValueError
    return x * x if x < 1 else power(x - 1) * x


def powers(x):
    try:
        return power(x)
    except ValueError:
        return x * x * 3


POINTS = (3.5, 12.0, 0.5)


@pytest.mark.parametrize("x", POINTS)
def test_derivatives(x):
    ag.check_grads(powers, (x,), order=2)


def test_lanes():
    x = np.array(POINTS)
    assert np.allclose(ag.vmap(powers)(x), [powers(v) for v in POINTS])
    assert np.allclose(ag.vmap(ag.grad(powers))(x), [ag.grad(powers)(v) for v in POINTS])
    assert np.allclose(
        ag.grad(lambda x: np.sum(ag.vmap(powers)(x)))(x), ag.vmap(ag.grad(powers))(x)
    )


def inside_of_what_is_differentiated(x):
    return ag.grad(powers)(x) * x


def test_derivatives_inside():
    compiled = ag.to_graph(inside_of_what_is_differentiated)
    for x in POINTS:
        assert np.isclose(compiled(x), ag.grad(powers)(x) * x)


STEPS = [0]


def counts_before_it_raises(x):
    STEPS[0] += 1
    if STEPS[0] > 1:
        raise ValueError
    if x < 0.0:
        return x
    return counts_before_it_raises(x)


def handles_what_counts(x):
    try:
        x = counts_before_it_raises(x)
    except ValueError:
        x = -1.0
    return x, STEPS[0]


@pytest.mark.parametrize("x", [1.0, -1.0])
def test_what_is_changed_before_an_exception_that_is_known(x):
    compiled = ag.to_graph(handles_what_counts)
    for _ in range(3):
        STEPS[0] = 0
        assert compiled(x) == ((-1.0, 2) if x > 0.0 else (-1.0, 1))
        assert STEPS == [2 if x > 0.0 else 1]
