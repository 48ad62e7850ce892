"""Names that swap their arrays, one of which is an argument, a view of one, or has another name:
a change after that reaches the argument as in Python, or is refused. It never gets lost."""

import copy
import sys

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError
from tests.support.lines import line_of
from tests.support.oracle import check
from tests.support.refusals import nothing_more_known, refused_or_same

T = np.array([1.0, -2.0, 3.0, 0.5])


# -- right -----------------------------------------------------------------------------------------


def buffers(t, n):
    x, y = t[:], t * 2
    for i in range(n):
        x[i % 4] += y[(i + 1) % 4]
        x, y = y, x
    return x.sum() + y.sum()


def counted_swaps_then_a_change(t, n):
    x, y = t[::-1], t * 2
    for _ in range(3):
        x, y = y, x
    y[0] = n
    return x, t + 0


def three_turn(t, n):
    x, y, z = t[:], t * 2, t * 3
    for _ in range(4):
        x, y, z = y, z, x
    x += n
    return z, t * 1


def own_arrays(t, n):
    x, y = t * 2, t * 3
    while n > 0:
        x, y = y, x
        n -= 1
    x[0] = 9.0
    return x


def unrelated(t, n):
    """A loop changes one of two variables that it rebinds; the other one stays as it is."""
    first = t * 2
    x, y = t * 3, first
    while n > 0:
        x[0] += y[1]
        x, y = x * 0.5, y + 1
        n -= 1
    return x, first


def in_a_list(t, n):
    pair = [t * 1, t * 2]
    while n > 0:
        pair.reverse()
        n -= 1
    pair[0][1] = 7.0
    return pair[0]


def without_axes(t, n):
    x, y = np.array(2.0), np.array(3.0)
    for i in range(n):
        x[...] = y * i
        x, y = y, x
    return x * y


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "function",
    [
        *(buffers, counted_swaps_then_a_change, three_turn, own_arrays, unrelated, in_a_list),
        without_axes,
    ],
)
def test_as_in_python(function, n):
    check(function, T, n)


@pytest.mark.parametrize("function", [buffers, lambda t, n: np.sum(own_arrays(t * t, n))])
def test_gradient(function):
    def total(t, n):
        return function(t * 1, n)

    for n in range(3):
        ag.check_grads(lambda t, n=n: total(t, n), (T,))


# -- refused ---------------------------------------------------------------------------------------
# Each line that the error has to name says so.


def swapped_then_changed_by_a_loop(t, n):
    x, y = t[:], t * 2
    swaps = 0
    while swaps < n:
        swaps += 1
        x, y = y, x
    for i in range(n):  # named
        y[i % 2] = y[(i + 1) % 2] + 1
        x, y = y, x
    return y


def swapped_then_changed(t, n):
    x, y = t[:], t * 2
    while n > 0:
        x, y = y, x
        n -= 1
    y[0] = 1.0  # named
    return y


def swapped_in_a_branch(t, n):
    x, y = t, t * 2
    if t[0] > n:
        x, y = y, x
    y += 1.0  # named
    return y


def swapped_in_a_nested_loop(t, n):
    x, y = t[::-1], t * 2
    for _ in range(n):  # named
        for _ in range(3):
            x[1:3] = y[:2]
            y, x = x[:], y
    return x


def rotated_in_a_nested_loop(t, n):
    x, y, z = t[:], t * 2, t[::-1]
    for _ in range(3):
        while n > 0:  # named
            x, y, z = y, z, x
            np.add(y, 1.0, out=y)
            n -= 1
    return z


def handed_on_from_an_array_of_outside(t, n):
    x, y = t * 1, t * 2
    z = y
    while n > 0:  # named
        n -= 1
        x, z = y, x
        y[0] += 1.0
    return z, x


def of_two_names_after_a_loop(t, n):
    x, y = t * 1, t * 2
    z = y
    for row in np.stack([t, t]):
        x, z = x + row, y
    y, x = x, y
    for _ in range(n):  # named
        z[1:3] = 5.0
        z, y, x = y, x, z
    return z


def through_a_list(t, n):
    pair = [t, t * 2]
    while n > 0:
        pair[0], pair[1] = pair[1], pair[0]
        n -= 1
    pair[0][0] = 9.0  # named
    return pair[1]


def through_a_dict(t, n):
    d = {"x": t, "y": t * 2}
    for _ in range(n):
        d["x"], d["y"] = d["y"], d["x"]
    d["x"].fill(0.0)  # named
    return d["y"]


def through_a_tuple(t, n):
    pair = t, t * 2
    while n > 0:
        pair = pair[1], pair[0]
        n -= 1
    np.subtract.at(pair[0], [0, 0], 1.0)  # named
    return pair[1]


def through_a_closure(t, n):
    y = t * 2

    def swap():
        nonlocal t, y
        t, y = y, t

    while n > 0:
        swap()
        n -= 1
    y.sort()  # named
    return t


def a_view_of_what_was_swapped(t, n):
    x, y = t[1:], t[1:] * 2
    while n > 0:
        x, y = y, x
        n -= 1
    y[::-1][0] = 4.0  # named
    return x


def of_no_axes(t, n):
    x, y = np.array(t[0]), np.array(2.0)
    z = x
    while n > 0:
        x, y = y, x
        n -= 1
    x[...] = 7.0  # named
    return z * 2


def of_no_axes_in_a_branch(t, n):
    x = np.array(t[0])
    y = x if n > 1 else np.array(3.0)
    y.fill(8.0)  # named
    return x * 2


def of_no_axes_in_a_loop(t, n):
    x = np.array(t[0])
    z = x
    for i in range(n):
        x[...] = i
        x = np.array(3.0)
    return z * 2


def perhaps_none(t, n):
    x = None
    if n > 1:
        x = t * 2
    z = x
    for _ in range(n):
        if x is not None:
            x[0] += 1
        x = t * 4
    return z


def in_a_growing_list(t, n):
    x = t if n > 1 else t * 2
    xs = []
    for _ in range(n):
        xs.append(x)
    t[0] = 5.0  # named
    return xs


def in_a_growing_list_and_swapped(t, n):
    x, y = t * 3, t * 1
    xs = []
    for _ in range(n):
        xs.append(y)
    while n > 0:  # named
        x[0] = 5.0
        x, y = y, x
        n -= 1
    return xs


def in_a_growing_list_and_perhaps_none(t, n):
    x = t * 1 if n > 1 else None
    xs = []
    if x is not None:
        for _ in range(n):
            xs.append(x)
        x[0] = 5.0  # named
    return xs


def in_a_growing_list_without_axes(t, n):
    x = np.array(t[0])
    xs = []
    for _ in range(n):
        xs.append(x)
    x.fill(5.0)  # named
    return xs


REFUSED = [
    *(swapped_then_changed_by_a_loop, swapped_then_changed, swapped_in_a_branch),
    *(swapped_in_a_nested_loop, rotated_in_a_nested_loop, of_two_names_after_a_loop),
    handed_on_from_an_array_of_outside,
    *(through_a_list, through_a_dict, through_a_tuple, through_a_closure),
    *(a_view_of_what_was_swapped, of_no_axes, of_no_axes_in_a_branch),
    *(in_a_growing_list, in_a_growing_list_and_swapped),
    *(in_a_growing_list_and_perhaps_none, in_a_growing_list_without_axes),
]


@pytest.mark.parametrize("function", REFUSED)
def test_refused_at_the_line_of_the_change(function):
    given = copy.deepcopy(T)
    with nothing_more_known(), pytest.raises(MutationError, match=r"Fix: .*copy") as caught:
        ag.to_graph(function)(given, 2)
    place = f"{__file__}:{line_of(function, '# named')}"
    if sys.version_info >= (3, 11):  # columns begin with Python 3.11
        place += ":"
    assert place in str(caught.value), str(caught.value)
    np.testing.assert_array_equal(given, T)
    refused_or_same(function, T, 2)


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("function", [of_no_axes_in_a_loop, perhaps_none])
def test_changed_in_the_first_trip_alone(function, n):
    check(function, T, n)


def test_copies_make_them_right():
    def with_copies(t, n):
        x, y = t.copy(), t * 2
        while n > 0:
            x, y = y, x
            n -= 1
        y = y.copy()
        y[0] = 1.0
        return x, y

    for n in range(3):
        check(with_copies, T, n)
