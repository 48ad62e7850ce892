"""Conversion of expressions: values, short-circuits, and that each operand is evaluated at most
once, in Python's order."""

# The programs under test are odd on purpose.
# ruff: noqa: F842, RUF021

import itertools

import numpy as np
import pytest

from autograph.errors import UnsupportedConstructError
from autograph.source.load import convert
from tests.support.side_by_side import check, converted


def recorded(function, *args):
    """What a function returns, and the calls of its first argument it makes on the way."""
    log = []

    def record(value):
        log.append(value)
        return value

    return function(record, *args), log


def check_order(function, *domains):
    other = converted(function)
    for args in itertools.product(*domains):
        assert recorded(function, *args) == recorded(other, *args)


BITS = (0, 1, 2)


def test_boolean_operators_return_operands():
    def f(r, a, b, c):
        return r(a) and r(b) or r(c), r(a) or r(b) or r(c), r(a) and r(b) and r(c), not r(a)

    check_order(f, BITS, BITS, BITS)


def test_ternary():
    def f(r, a, b):
        return r(a) if r(b) else (r(-a) if a else r(7))

    check_order(f, BITS, BITS)


def test_chained_comparisons():
    def f(r, a, b, c):
        return r(a) < r(b) <= r(c) != r(1), a < b < c, a <= r(b) < 2, a is not b in (1, 2)

    check_order(f, BITS, BITS, BITS)


def test_order_of_calls_and_targets():
    def f(r, a):
        xs = [0, 0, 0]
        xs[r(a)], xs[r(0)] = r(5), r(6)
        xs[r(1)] += r(a)
        d = {r("k"): r("v"), **{r("x"): r("y")}}
        return xs, d, max(r(a), r(2), key=lambda v: -r(v)), f"{r(a)!r:>{r(4)}}"

    check_order(f, BITS)


def test_walrus():
    def f(r, a):
        y = (x := r(a)) + x
        if (z := r(x) + 1) > 1:
            x = z
        return x, y, z

    check_order(f, BITS)


def test_conditional_walrus():
    def f(r, a, b):
        x = r(5)
        y = x + (r(a) and (x := r(b)) and (x := r(x + 1))) + x
        z = r(a) or (x := r(9))
        w = (x := r(2)) if r(b) else (v := r(3))
        u = r(0) <= a < (x := r(b)) < r(2)
        if r(b) and (t := r(a)):
            w = t
        return x, y, z, w, u

    check_order(f, BITS, BITS)


def test_conditional_walrus_may_leave_a_variable_undefined():
    def f(a):
        if a and (b := a + 1):
            a = 5
        return b

    check(f, 0)
    check(f, 1)


def test_while_with_walrus():
    def f(r, n):
        items = [*range(n)]
        total = 0
        while items and (x := r(items.pop())) != 1:
            if x == 4:
                continue
            total += x
        else:
            total += 100
        return total, items

    def g(r, n):
        items = [*range(n)]
        while (x := r(items.pop())) > 1:
            if x == 3:
                break
        else:
            return "else", x
        return x

    check_order(f, range(7))
    check_order(g, range(1, 7))


def test_swaps_and_stars():
    def f(a, b):
        a, b = b, a
        x, *y, z = [a, b, a, b]
        i = k = (a, b)
        (p, (q, *_)), s = (1, "abc"), 2
        return a, b, x, y, z, i, k, p, q, s, [*y, *i], {*y}

    check(f, 1, 2)


def test_annotated_assignment():
    def f(a):
        x: int = a
        y: undefined_name  # noqa: F821
        return x

    check(f, 3)


def test_comprehensions():
    def f(xs, n):
        a = [x * n for x in xs if x and x < n]
        n += 1
        b = {x: [y for y in range(x) if 0 <= y - 1 < n] for x in xs}
        c = {n if x else -n for x in xs}
        d = sum(x * y for x in xs for y in a if x != y)
        return a, b, c, d, [(x, lambda: x) for x in xs][0][1]() if xs else None

    for xs in ([], [0, 1, 2], [3, 4]):
        check(f, xs, 3)


def test_comprehension_variable_hides_an_outer_one():
    def f(x):
        x = x + 1
        ys = [x for x in range(x)]
        return x, ys

    check(f, 3)


def test_lazy_generator_reads_variables_when_it_runs():
    def f(n):
        m = n
        g = (m * x for x in range(3))
        m = m + 1
        return [*g]

    check(f, 3)


def test_subscripts_and_slices():
    def f(x):
        x[1:, 0] = x[:-1, 1]
        x[..., -1] += x[::2, 0][0]
        del x
        return None

    check(f, np.arange(12.0).reshape(4, 3))


def test_calls_with_every_kind_of_argument():
    def f(g, a):
        return g(a, *[1, 2], k=3, function=4, **{"z": 5})

    def g(*args, **kwargs):
        return args, kwargs

    check(f, g, 0)


def test_long_expressions(tmp_path):
    path = tmp_path / "long.py"
    path.write_text("def f(x):\n    return " + " + ".join(["x"] * 700) + "\n")
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    f = namespace["f"]
    assert convert(f).instantiate(f, lambda name, value: value)(2) == 1400


@pytest.mark.parametrize(
    "function",
    [
        lambda xs: {x: (y := x) for x in xs},
        lambda xs: {x for x in (0 < len(xs) < 3, 1)},
    ],
)
def test_walrus_in_places_that_are_not_supported(function):
    with pytest.raises(UnsupportedConstructError):
        check(function, [1], 2)


def test_f_strings_and_constants():
    def f(a):
        b = "it's" + 'a "quote"'
        return (
            f"{a!r:>10} {a + 1:{a}d} {'x' if a else 'y'} {{}} {b}",
            "a\nb",
            b"\x00",
            1e400,
            -0.0,
            3j,
        )

    check(f, 4)


def test_walrus_in_a_lambda():
    def f(xs, log):
        g = lambda x, y=2: x > 1 and (z := x * y) and log.append(z) or (z if x > 1 else y)
        return [g(x) for x in xs], (lambda: [(t := x) + t for x in xs if (u := x)])(), log

    check(f, [0, 1, 2, 3], [])


def test_walrus_in_a_comprehension():
    def f(xs, x):
        ys = [(last := x) + 1 for x in xs if x]
        zs = {(low := i, j) for i in xs for j in range(i)}
        total = 0
        sums = [total := total + x for x in xs]
        return ys, zs, sums, total, x, last, low

    check(f, [1, 0, 3], "x")
    check(f, [0], "x")
    check(f, [], "x")


def test_walrus_in_any_and_all():
    def f(xs, n):
        if any((hit := x) > n for x in xs if x != 5):
            return "hit", hit
        if not all((miss := x) > 0 for x in xs):
            return "miss", miss
        while any((y := x) > 4 for x in xs):
            xs = xs[1:]
        return xs

    for n in range(5, 8):
        for xs in ([], [1, 2], [6, 8, 7], [1, 0, 2], [1, 5, 3, 5]):
            check(f, xs, n)


def test_any_of_the_users():
    def f(xs, any):
        return any((x, [y for y in xs]) for x in xs)

    check(f, [1, 2], list)
