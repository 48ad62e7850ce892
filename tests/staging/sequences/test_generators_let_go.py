"""Generators that nobody has any more: Python does at once what their ``finally`` says."""

import numpy as np
import pytest

from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    call.run()


def closing(x, out):
    try:
        yield x
        yield x + 1.0
    finally:
        out.append(x)
        print("closed")


@programs(2.0)
def deleted(x):
    out = []
    items = closing(x, out)
    first = next(items)
    del items
    out.append(-1.0)
    return first, out


@programs(2.0)
def bound_to_another(x):
    out = []
    items = closing(x, out)
    first = next(items)
    items = closing(x * 2.0, out)
    out.append(-1.0)
    second = items.send(None)
    items = None
    out.append(-2.0)
    return first, second, out


@programs(2.0)
def bound_among_others(x):
    out = []
    items, first = closing(x, out), 1.0
    first += next(items)
    items, first = None, first + 1.0
    out.append(-2.0)
    return first, out


@programs(2.0)
def with_another_name(x):
    out = []
    items = closing(x, out)
    others, first = items, next(items)
    items = None
    out.append(-1.0)
    return first, next(others), out


@programs(2.0)
def in_a_function_that_is_called(x):
    def sole(out):
        items = closing(x, out)
        first = next(items)
        del items
        out.append(-1.0)
        return first

    out = []
    return sole(out) + sole(out), out


@programs(2.0, 3)
def in_a_loop(x, n):
    out = []
    for i in range(n):
        items = closing(x * i, out)
        x += next(items)
        del items
        out.append(-1.0)
    return x, out


@programs(2.0)
@programs(-2.0)
def in_branches(x):
    out = []
    if x > 0.0:
        items = closing(x, out)
        x = next(items)
        del items
        out.append(-1.0)
    else:
        items = closing(x, out)
        x = next(items)
        items = [x]
        out.append(-2.0)
    return x, out


@programs(2.0)
def what_another_iterator_has(x):
    out = []
    items = closing(x, out)
    first = next(items)
    items = enumerate(items)
    out.append(-1.0)
    return first, next(items), out


@programs(2.0)
@programs(-2.0)
def deleted_and_read_in_a_handler(x):
    items = [x]
    try:
        first = next(iter(items))
        del items
        if x > 0.0:
            raise ValueError("x")
        items = [first, x]
    except ValueError:
        items = [0.0]
    return items


@programs(2.0)
def deleted_twice(x):
    y = x + 1.0
    del y
    try:
        del y  # noqa: F821
    except UnboundLocalError:
        y = x
    return y


@programs.smooth(np.array([1.0, 2.0, 3.0]))
def deleted_arrays(x):
    y = x * 2.0
    z = y * x
    del y
    y = np.sum(z)
    del x, z
    return y


@pytest.mark.parametrize("x", [2.0, -2.0])
def test_a_variable_deleted_on_one_path_is_not_read_on_the_other(x):
    import autograph as ag

    def program(x):
        items = iter([x, x + 1.0])
        first = next(items)
        if x > 0.0:
            del items
        else:
            first = next(items)
        return first

    assert ag.to_graph(program)(x) == program(x)
