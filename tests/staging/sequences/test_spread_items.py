"""``[*a, x]``, ``f(*a)`` and ``first, *rest = a`` of lists whose lengths only the run knows."""

import contextlib
import io

import numpy as np
import pytest

import autograph as ag


def steps(v):
    found = []
    for i in range(int(v[0])):
        found.append(i * 1.5)
    return found


def first_and_rest(v):
    first, *rest = steps(v)
    rest.append(7.0)
    return first, rest, len(rest)


def both_ends(v):
    a, *between, z = steps(v)
    return a, between, z


def from_two_on(v):
    a, b, *rest = steps(v)
    return a + b + sum(rest)


def is_a_list_of_its_own(v):
    found = steps(v)
    first, *rest = found
    found[1] = 100.0
    return first, rest, found


def of_pairs(v):
    pairs = []
    for i in range(int(v[0])):
        pairs.append((i, i * 0.5))
    first, *rest = pairs
    return [*rest, first]


def until_none_is_left(v):
    rest, total = steps(v), 0.0
    while len(rest) > 0:
        head, *rest = rest
        total = total * 2 + head
    return total


def handled(v):
    try:
        a, b, *rest = steps(v)
        return a + b + len(rest)
    except ValueError as error:
        print(error)
        return -1.0


def one_more(v):
    return [*steps(v), 1.0], [0.0, *steps(v)]


def two_lists(v):
    return [*steps(v), *steps(v), 2.0]


def before_it_changes(v):
    found = steps(v)
    return [*found, found.pop()]


def grown_by_displays(v):
    found = [0.0]
    for i in range(int(v[0])):
        found = [*found, i * 2.0]
    return found


def keys_and_values(v):
    d = {}
    for i in range(int(v[0])):
        d[i * 2] = i
    return [*d, -1], [0, *d.values()]


def members(v):
    some = {1, 2}
    for i in range(int(v[0])):
        some.add(i)
    more = {*some, 10, *range(3)}
    return len(more), sum(more)


def generated(v):
    return [0.0, *(x * 2 for x in steps(v) if x > 1)], np.array([-1.0, *steps(v)])


def three(a, b, c):
    return a + b * c


class Line:
    def __init__(self, slope):
        self.slope = slope

    def at(self, x, y):
        return self.slope * x + y


def called(v):
    return three(*steps(v))


def method_called(v):
    return Line(2.0).at(*steps(v))


def printed(v):
    print(1, *steps(v), "end", *steps(v), sep="-", end="!\n")
    print(*steps(v), *steps(v))
    print(*steps(v))


def largest(v):
    return max(*steps(v)), min(3.0, *steps(v)), max(*steps(v), -2.0, 1.0)


def recursive(v):
    def total(xs):
        if len(xs) == 0:
            return 0.0
        head, *tail = xs
        return head * head + total(tail)

    return total(steps(v))


def known(v):
    a, *b = "hey"
    c, *d = {1: 2, 3: 4}
    (*e,) = range(3)
    f, *g = v
    return a, b, c, d, e, f, g, [*b, *e, f]


FUNCTIONS = [
    *(first_and_rest, both_ends, from_two_on, is_a_list_of_its_own, of_pairs, until_none_is_left),
    *(handled, one_more, two_lists, before_it_changes, grown_by_displays, keys_and_values),
    *(members, generated, called, method_called, printed, largest, recursive, known),
]


def outcome(function, *args):
    """What a function returns or raises, and what it prints."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        try:
            found = function(*args)
        except (ValueError, TypeError, IndexError) as error:
            assert not isinstance(error, ag.errors.AutographError), error
            found = (type(error), str(error))
    return repr(found), shown.getvalue()


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_it_is_what_python_does(function):
    compiled = ag.to_graph(function)
    for count in (5, 4, 3, 2, 1, 0):
        v = np.array([count, 2, 3])
        assert outcome(compiled, v) == outcome(function, v), count


def fails_in_python(v):
    a, *b = 5
    return a, b


def fails_in_a_display(v):
    return [0.5, *5]


def too_few_are_known(v):
    a, b, *c = [v[0]]
    return a, b, c


@pytest.mark.parametrize("function", [fails_in_python, fails_in_a_display, too_few_are_known])
def test_what_is_known_fails_as_in_python(function):
    v = np.array([1.0])
    assert outcome(ag.to_graph(function), v) == outcome(function, v)


def weighted(x, n):
    found = []
    for i in range(int(n[0])):
        found.append(x * (i + 1.0))
    first, *rest = [*found, x * x]
    return first * sum(value * value for value in rest)


def test_derivatives_and_lanes():
    n = np.array([3])
    ag.check_grads(lambda x: weighted(x, n), (0.7,), order=2)
    xs = np.array([0.5, -1.0, 2.0])
    found = ag.vmap(ag.grad(weighted), (0, None))(xs, n)
    np.testing.assert_allclose(found, [ag.grad(weighted)(x, n) for x in xs])


def any_number(*values):
    return len(values)


@pytest.mark.parametrize(
    "function",
    [
        lambda v: any_number(*steps(v)),
        lambda v: three(*steps(v), c=1.0),
        lambda v: (*steps(v), 1.0),
        lambda v: [*zip(*[steps(v), steps(v)])][0] if v[0] < 0 else len(list(zip(*steps(v)))),
    ],
)
def test_what_needs_a_known_number_is_refused(function):
    with pytest.raises(ag.errors.ConcreteValueError, match="AG0309"):
        ag.to_graph(function)(np.array([3]))


def columns(xs):
    rows = []
    for x in xs:
        if x > 0.5:
            rows.append((x, x * x))
    first, _ = zip(*rows)
    return sum(first)


def test_columns_of_rows_of_any_number():
    with pytest.raises(ag.errors.ConcreteValueError, match=r"\[row\[0\] for row in rows\]"):
        ag.to_graph(columns)(np.array([0.2, 0.7]))
