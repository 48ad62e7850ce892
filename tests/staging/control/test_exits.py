"""Leaving early: `break`, `continue`, `return`, `raise`, `try`, `with`."""

import contextlib

import numpy as np

from tests.support.oracle import Programs, check

programs = Programs()


@programs.test
def test_exits(call):
    call.run()


@programs(1)
@programs(5)
@programs(20)
def return_from_everywhere(n):
    if n < 3:
        return "static", n
    for i in range(n):
        if i * i > n:
            return "static", i
    return "static", -1


@programs(1.0)
@programs(-1.0)
def nothing_returned(x):
    if x > 0:
        x = x + 1
    print(x)


@programs(1.0)
@programs(-1.0)
def bare_return(x):
    if x > 0:
        return
    print("not positive", x)


@programs(2, 10)
@programs(20, 10)
def break_outer_through_flag(limit, n):
    total = 0
    for i in range(n):
        stop = False
        for j in range(n):
            if i + j > limit:
                stop = True
                break
            total += 1
        if stop:
            break
    return total, i


@programs(5)
def break_and_continue(n):
    total = 0
    i = 0
    while True:
        i += 1
        if i > 20:
            break
        if i % 2:
            continue
        if i == 2 * n:
            break
        total += i
    else:
        total = -1
    return total, i


@programs(3)
@programs(30)
def inner_else_continues_outer(n):
    found = 0
    for i in range(2, 12):
        for j in range(2, i):
            if i % j == 0:
                break
        else:
            found += 1
            continue
        if i > n:
            break
    return found, i


@programs(3)
@programs(-3)
def return_in_while_in_for(n):
    total = 0
    for i in range(5):
        k = i
        while k > 0:
            k -= 1
            total += 1
            if total == n:
                return i, k
    return total, 0


@programs(3.0)
@programs(-3.0)
def raise_after_effects(x):
    print("start")
    if x < 0:
        print("bad")
        raise ArithmeticError
    print("good")
    return x


@programs(5)
@programs(50)
def raise_in_a_loop(n):
    for i in range(n):
        if i > 10:
            raise RuntimeError("too many")
    return n


@programs(0)
@programs(2)
def zero_division_is_caught_outside(n):
    return 10 // n


@programs(3.0)
@programs(-3.0)
def finally_after_return(x):
    try:
        if x > 0:
            return x
        x = x - 1
    finally:
        print("cleanup", x)
    return x


@programs(3)
def finally_in_a_loop(n):
    total = 0
    for i in range(5):
        try:
            if i == n:
                break
            total += i
        finally:
            print("trip", i)
    return total


@programs(3.0)
def with_block(x):
    with contextlib.suppress(KeyError):
        x = x * 2
    return x


@programs(3.0)
def with_error_state(x):
    with np.errstate(divide="ignore"):
        y = np.float64(1.0) / (x - x)
    return y


@programs(3.0)
@programs(-3.0)
def assertion_without_message(x):
    assert x > 0
    return x


@programs(np.array([1.0, -1.0]))
@programs(np.array([1.0, 1.0]))
def assertion_on_an_array(x):
    assert np.all(x > 0), f"bad of shape {x.shape}"
    return np.sum(x)


@programs(np.arange(3), 1)
@programs(np.arange(3), 5)
@programs(np.arange(3), -3)
@programs(np.arange(3), -4)
def index_at_run_time(x, i):
    return x[i]


@programs(np.arange(3.0), 5)
@programs(np.arange(3.0), -1)
def write_at_run_time(x, i):
    x[i] = 7
    return x


@programs(4)
@programs(40)
def early_return_value_types(n):
    for i in range(10):
        if i == n:
            return i * 1.0
    return 0.5


@programs(1.0)
@programs(-1.0)
def return_arrays(x):
    a = np.arange(3.0)
    if x > 0:
        return a * x
    a[0] = x
    return a


@programs(np.array([1.0, 5.0, 2.0]), 3.0)
@programs(np.array([1.0, 2.0, 2.0]), 3.0)
def first_greater(x, limit):
    for v in x:
        if v > limit:
            return v
    return np.nan


@programs(np.array([1.0, 5.0, 2.0]))
def unreachable_code(x):
    return x.sum()
    x = x + 1


@programs(3)
def loop_that_always_breaks(n):
    for i in range(n):
        n = n + i + 10
        break
    return n


@programs(3)
def loop_that_always_returns(n):
    while n > 0:
        return n
    return -1


@programs(2)
@programs(8)
def deep_exits(n):
    total = 0
    for i in range(4):
        j = 0
        while j < 4:
            for k in range(4):
                total += 1
                if i + j + k == n:
                    return i, j, k, total
                if k > j:
                    break
            else:
                total += 100
            j += 1
            if j == 3 and i == 1:
                continue
    return -1, -1, -1, total


@programs(1.0)
@programs(-1.0)
def every_path_raises(x):
    print("start")
    if x > 0:
        raise KeyError("positive")
    else:
        raise ValueError("not positive")


@programs(1.0, 0)
@programs(1.0, 2)
def every_trip_raises(x, n):
    for _ in range(n):
        print("trip")
        raise ValueError("a trip was made")
    return x


@programs("unknown", 1.0)
@programs("double", 1.0)
def static_raise(mode, x):
    if mode not in ("double", "triple"):
        raise ValueError(f"unknown mode {mode}")
    return x * 2


@programs(1.0)
def raise_after_printing(x):
    print("x is", x)
    raise RuntimeError("always")


class Diverged(ArithmeticError):
    pass


@programs(0.5)
@programs(2.0)
def own_exception(x):
    for _ in range(100):
        x = x * x
        if x > 1e10:
            raise Diverged("too large", 3)
    return x


@programs(3)
@programs(0)
@programs(-1)
def recursion_that_raises(n):
    if n < 0:
        raise ValueError("negative")
    return 1 if n == 0 else n * recursion_that_raises(n - 1)


@programs(3)
@programs(-1)
def recursion_ended_by_an_exception(n):
    if n < 0:
        raise ValueError("negative")
    return 0 if n == 3 else recursion_ended_by_an_exception(n - 2)


def test_branch_that_raises_before_one_that_assigns():
    def chosen(x):
        result = 0.5
        if x > 1.0:
            raise ValueError("too large")
        else:
            result = x * 2.0
        return result

    check(chosen, 0.75)
    check(chosen, 1.5)


def test_result_of_a_return_inside_a_loop_as_part_of_a_tuple():
    def first_above(x, bound):
        for position, value in enumerate(x):
            if value > bound:
                return position
        return -1

    def both(x, bound):
        return bound, first_above(x, bound)

    check(both, np.array([1.0, 2.0, 3.0]), 1.5)
    check(both, np.array([1.0, 2.0, 3.0]), 9.0)
