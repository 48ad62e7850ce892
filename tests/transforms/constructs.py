"""Scalar functions, one for each construct of the language, with their derivatives by hand."""

from typing import NamedTuple

import numpy as np

import autograph as ag


class Construct(NamedTuple):
    """A function of one float, its first three derivatives, and where to compare them.

    Attributes:
        reverse_only: it has a rule for reverse mode alone.
    """

    function: object
    derivatives: tuple
    points: tuple
    reverse_only: bool = False


def _powers(n):
    """x**n and its derivatives."""
    return (
        lambda x: x**n,
        lambda x: n * x ** (n - 1),
        lambda x: n * (n - 1) * x ** (n - 2),
        lambda x: n * (n - 1) * (n - 2) * x ** (n - 3),
    )


_ROOT = (
    np.sqrt,
    lambda x: 0.5 * x**-0.5,
    lambda x: -0.25 * x**-1.5,
    lambda x: 0.375 * x**-2.5,
)
_SINE = (np.sin, np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x))


def straight(x):
    return x * x * np.exp(x)


_STRAIGHT = (
    lambda x: x * x * np.exp(x),
    lambda x: (x * x + 2 * x) * np.exp(x),
    lambda x: (x * x + 4 * x + 2) * np.exp(x),
    lambda x: (x * x + 6 * x + 6) * np.exp(x),
)


def branch(x):
    if x > 1.0:
        y = x * x
        y = y * x
    else:
        y = np.sin(x)
        y = y * 2.0
    return y


def _either(k):
    return lambda x: _powers(3)[k](x) if x > 1.0 else 2.0 * _SINE[k](x)


def one_sided(x):
    if x > 1.0:
        x = x**3
    return x * x


def _one_sided(k):
    return lambda x: _powers(6 if x > 1.0 else 2)[k](x)


def no_trip(x):
    y = x**3
    while y < -100.0:
        y = y * y
    return y


def one_trip(x):
    y, first = x, True
    while first:
        y, first = y * y * y, False
    return y


def newton(x):
    y = x + 1.0
    for _ in range(3):
        y = 0.5 * (y + x / y)
    # The last trips, whose number depends on x, make the derivatives right as well.
    while abs(y * y - x) > 1e-14 * x:
        y = 0.5 * (y + x / y)
    for _ in range(3):
        y = 0.5 * (y + x / y)
    return y


def counted(x):
    y = 1.0
    for _ in range(5):
        y = y * x
    return y


def counted_by_data(x):
    y = 1.0
    for i in range(8):
        if i * 1.0 > 2.0 * x + 1.0:
            break
        y = y * x
    return y


def _counted_by_data(k):
    return lambda x: _powers(sum(i <= 2.0 * x + 1.0 for i in range(8)))[k](x)


def nested_loops(x):
    y = 1.0
    for i in range(3):
        k = 0
        while k < i + 1:
            y = y * x
            k = k + 1
    return y


def list_state(x):
    found = [x]
    for _ in range(3):
        found.append(found[-1] * x)
    return found[1] + found[3]


_LIST = tuple(lambda x, a=a, b=b: a(x) + b(x) for a, b in zip(_powers(2), _powers(4)))


def growing_list(x):
    found, y = [], x
    while y > 0.2:
        found.append(y)
        y = y * 0.5
    return np.prod(np.array(found))


def _trips(x):
    trips = 0
    while x > 0.2:
        x, trips = x * 0.5, trips + 1
    return trips


def _growing(k):
    def derivative(x):
        n = _trips(x)
        return 0.5 ** (n * (n - 1) / 2) * _powers(n)[k](x)

    return derivative


def in_place(x):
    a = np.zeros(3)
    a[0] = x
    for i in range(2):
        a[i + 1] = a[i] * x
    a[1:] *= x
    return a[2] + a[0]


def _in_place(k):
    return lambda x: _powers(4)[k](x) + _powers(1)[k](x)


def direct(x):
    def power(x, n):
        if n == 0:
            return 1.0
        return x * power(x, n - 1)

    return power(x, 4)


def until_small(x):
    if x < 0.3:
        return x * x
    return 2.0 * until_small(0.5 * x)


def _until_small(k):
    def derivative(x):
        n = 0
        while x * 0.5**n >= 0.3:
            n += 1
        return 0.5**n * _powers(2)[k](x)

    return derivative


def _down(x, n):
    if x * n < 0.5:
        return x * x
    return _up(0.5 * x, n)


def _up(x, n):
    if x * n < 0.3:
        return x
    return x * _down(0.5 * x, n)


def mutual(x):
    return _down(x, 1.0)


def _mutual(k):
    """The powers of 2 and the power of x that the recursion gives."""

    def derivative(x):
        y, scale, factor, degree, down = x, 1.0, 1.0, 0, True
        while y >= (0.5 if down else 0.3):
            if not down:
                factor, degree = factor * scale, degree + 1
            y, scale, down = 0.5 * y, 0.5 * scale, not down
        n = 2 if down else 1
        return factor * scale**n * _powers(degree + n)[k](x)

    return derivative


def tree(x):
    if x < 0.6:
        return x
    return tree(0.5 * x) * tree(0.5 * x) * 4.0


def _tree(k):
    def derivative(x):
        n = 0
        while x * 0.5**n >= 0.6:
            n += 1
        factor, scale = 1.0, 0.5**n
        for _ in range(n):
            factor = 4.0 * factor * factor
        return factor * scale ** (2**n) * _powers(2**n)[k](x)

    return derivative


@ag.custom_jvp
def cube(x):
    return x * x * x


@cube.defjvp
def _cube_rule(primals, tangents):
    (x,), (t,) = primals, tangents
    return cube(x), 3.0 * x * x * t


@ag.custom_vjp
def cube_reverse(x):
    return x * x * x


def _cube_forward(x):
    return cube_reverse(x), x


def _cube_backward(x, ct):
    square = x
    for _ in range(1):
        square = square * x
    return (3.0 * square * ct,)


cube_reverse.defvjp(_cube_forward, _cube_backward)


def custom(x):
    y = x
    while y > 1.0:
        y = y - 1.0
    return cube(x) + 0.0 * y


def custom_reverse(x):
    return cube_reverse(x)


_TWO = (0.7, 1.6)

CONSTRUCTS = {
    "straight line": Construct(straight, _STRAIGHT, _TWO),
    "branch": Construct(branch, tuple(map(_either, range(4))), _TWO),
    "branch of one side": Construct(one_sided, tuple(map(_one_sided, range(4))), _TWO),
    "no trip": Construct(no_trip, _powers(3), _TWO),
    "one trip": Construct(one_trip, _powers(3), _TWO),
    "while": Construct(newton, _ROOT, _TWO),
    "for": Construct(counted, _powers(5), _TWO),
    "for and break": Construct(counted_by_data, tuple(map(_counted_by_data, range(4))), _TWO),
    "nested loops": Construct(nested_loops, _powers(6), _TWO),
    "list": Construct(list_state, _LIST, _TWO),
    "growing list": Construct(growing_list, tuple(map(_growing, range(4))), _TWO),
    "in place": Construct(in_place, tuple(map(_in_place, range(4))), _TWO),
    "recursion": Construct(direct, _powers(4), _TWO),
    "recursion by data": Construct(until_small, tuple(map(_until_small, range(4))), _TWO),
    "mutual recursion": Construct(mutual, tuple(map(_mutual, range(4))), _TWO),
    "tree recursion": Construct(tree, tuple(map(_tree, range(4))), _TWO),
    "custom rule": Construct(custom, _powers(3), _TWO),
    "custom reverse rule": Construct(custom_reverse, _powers(3), _TWO, reverse_only=True),
}
