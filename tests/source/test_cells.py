"""Variables that inner functions share with the function they are defined in."""

# The programs under test are odd on purpose.
# ruff: noqa: F821

import pytest

from autograph.errors import UnsupportedConstructError
from autograph.source.load import convert
from tests.support.side_by_side import check, converted


def test_counter():
    def f(n):
        count = 0

        def step(by):
            nonlocal count
            count += by
            return count

        trace = [step(i) for i in range(n)]
        if n > 2:
            step(100)
        return count, trace

    for n in range(5):
        check(f, n)
    assert "    count = 0" in convert(f).text
    assert "        nonlocal count" in convert(f).text
    assert "undefined" not in convert(f).text


def test_assigned_in_branches_and_loops_of_the_inner_function():
    def f(xs):
        low, high, seen = None, None, 0

        def add(x):
            nonlocal low, high
            nonlocal seen
            if low is None or x < low:
                low = x
            if high is None or x > high:
                high = x
            for _ in range(2):
                seen = seen + 1
                if seen > 5:
                    return True
            return False

        for x in xs:
            if add(x):
                seen = -seen
                break
        return low, high, seen

    for xs in ([], [1], [3, 1], [1, 2, 3, 4]):
        check(f, xs)


def test_assigned_on_both_sides():
    def f(n):
        total = 0

        def double():
            nonlocal total
            total = total * 2

        while total < n:
            total += 1
            double()
            if total > 10:
                total = total - 3
        return total

    for n in range(20):
        check(f, n)


def test_two_levels():
    def f(n):
        x = n

        def outer():
            def inner():
                nonlocal x
                x = x + 1
                if x > 3:
                    x = x * 10

            inner()
            y = x

            def other():
                nonlocal y
                y = y + x
                return y

            return other(), y

        return outer(), outer(), x

    for n in range(5):
        check(f, n)


def test_the_same_name_in_both_functions():
    def f(n):
        x = n

        def g():
            x = 1

            def h():
                nonlocal x
                x = x + n

            h()
            return x

        return g(), x

    check(f, 5)


def test_defined_by_the_inner_function():
    def f(n):
        def define():
            nonlocal x
            x = n

        if n > 1:
            define()
        if n > 2:
            return x
        return x
        x = 0

    for n in range(4):
        check(f, n)


def test_deleted():
    def f(n):
        x = n

        def forget():
            nonlocal x
            del x

        if n > 1:
            forget()
        if n > 2:
            x = 7
        return x

    for n in range(4):
        check(f, n)


def test_deleted_in_a_branch():
    def f(n):
        x = n
        g = lambda: x
        if n > 1:
            del x
        return g()

    for n in range(4):
        check(f, n)


def test_assigned_only_after_the_inner_function():
    def f(n):
        def g():
            return later + n

        later = 5
        return g()

    check(f, 1)
    assert "undefined" not in convert(f).text


def test_assigned_too_late():
    def f(n):
        def g():
            return later + n

        y = g()
        later = 5
        return y

    check(f, 1)


def test_loop_target():
    def f(xs):
        g = lambda: x
        trace = []
        for x in xs:
            trace.append(g())
        return trace, g()

    check(f, [])
    check(f, [1, 2])


def test_assigned_together_with_an_element():
    def f(a, b):
        g = lambda: a
        a, b[0] = 1, 2
        return g(), b

    check(f, 5, [0])


def test_walrus_in_a_lambda():
    def f(n):
        g = lambda x: ((lambda: b), b := x)[0]()
        return g(n)

    check(f, 3)


def test_parameter():
    def f(n, m=2):
        def g():
            nonlocal n, m
            n, m = m, n

        g()
        return n, m

    check(f, 1)


def test_function_that_replaces_itself():
    def f(n):
        def step(x):
            nonlocal step
            step = lambda y: y * 100
            return x

        return [step(i) for i in range(n)]

    check(f, 3)


def test_nonlocal_of_the_converted_function_itself():
    count = 0

    def bump(by):
        nonlocal count
        if by > 1:
            count = count + by
        for _ in range(by):
            count += 1
        return count

    g = converted(bump)
    assert (g(1), count) == (1, 1)
    assert (g(3), count) == (7, 7)
    count = 100
    assert g(0) == 100


def test_nonlocal_of_a_function_in_the_converted_function():
    count = 0

    def bump(by):
        def add():
            nonlocal count
            count += by

        add()
        add()

    converted(bump)(4)
    assert count == 8


def test_deleting_a_variable_around_the_converted_function_is_refused():
    x = 1

    def f():
        nonlocal x
        del x

    with pytest.raises(UnsupportedConstructError, match="deleting 'x'") as caught:
        convert(f)
    assert caught.value.location.line == f.__code__.co_firstlineno + 2
    assert x == 1


def test_declaration_alone():
    x = 1

    def f():
        nonlocal x

    assert converted(f)() is None and x == 1


def test_exception_name_that_is_a_variable():
    def f(x):
        e = "before"
        g = lambda: e
        try:
            x[0]
        except (TypeError, IndexError) as e:
            inside = str(g()), str(e)
        else:
            return e
        try:
            return e
        except NameError:
            e = "after"
        return g(), inside

    for x in ([], [1], 3):
        check(f, x)


def test_values_survive_an_exception():
    def f(xs):
        try:
            for x in xs:
                last = x
                10 // x
        except ZeroDivisionError:
            return "zero", last
        return last

    for xs in ([], [1], [1, 0], [0]):
        check(f, xs)
