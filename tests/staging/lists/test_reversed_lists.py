"""Lists that are gone through backwards, and change on the way."""

import pytest

import autograph as ag


def always_appended(xs, t):
    for x in reversed(xs):
        xs.append(x + t)
    return xs


def appended_to_a_copy(xs, t):
    for x in reversed(xs[:]):
        if x < t:
            xs.append(x + x)
    return xs


def iterator(xs, t):
    items = reversed(xs)
    first = next(items)
    if first < t:
        xs.append(9.0)
    return first, next(items), xs


def read(xs, t):
    return [(i, x) for i, x in enumerate(reversed(xs)) if x < t], list(reversed(xs))


@pytest.mark.parametrize("program", [always_appended, appended_to_a_copy, iterator, read])
@pytest.mark.parametrize("t", [2.5, 6.0])
def test_as_python_does(program, t):
    assert ag.to_graph(program)([1.0, 2.0, 3.0], t) == program([1.0, 2.0, 3.0], t)


def appended(xs, t):
    for x in reversed(xs):
        if x < t:
            xs.append(x + x)
    return xs


def appended_to_its_own(xs, t):
    return appended([0.5 * t, 2.0, 3.0], t)


def counted(xs, t):
    for i, x in enumerate(reversed(xs)):
        if x < t:
            xs.append(x + i)
    return xs


def taken(xs, t):
    for x in reversed(xs):
        if x < t:
            xs.pop()
    return xs


@pytest.mark.parametrize("program", [appended, appended_to_its_own, counted, taken])
def test_what_may_change_its_length_is_refused(program):
    """Of the list there was nothing left, and the loop ended."""
    with pytest.raises(ag.errors.MutationError, match="AG0378"):
        ag.to_graph(program)([1.0, 2.0, 3.0], 2.5)
