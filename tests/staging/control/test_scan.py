"""`ops.scan`, and the other functions of control flow called by name: what Python does."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import errors
from tests.support.oracle import assert_same, check, check_grad

X = np.array([0.3, -0.7, 1.2, 0.4])
ROWS = np.array([[0.3, -0.7], [1.2, 0.4], [-0.2, 0.9]])


class Pair(NamedTuple):
    first: object
    second: object


def decayed(c, x):
    c = 0.5 * c + x
    return c, c * x


def kinked(c, x):
    if c * x > 0.1:
        return c * np.sin(x), c
    return c + x, x


def looped(c, x):
    while c < 1.0:
        c = 1.5 * c + x * x
    return 0.4 * c, c


def by_hand(f, init, xs, reverse=False):
    """What `scan` does, for one array."""
    carry, ys = init, []
    for x in xs[::-1] if reverse else xs:
        carry, y = f(carry, x)
        ys.append(y)
    return carry, np.stack(ys[::-1] if reverse else ys)


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("unroll", [1, 2, 3, 9, True])
@pytest.mark.parametrize("f", [decayed, kinked, looped])
def test_scan_over_an_array(f, reverse, unroll):
    expected = by_hand(f, 0.8, X, reverse)

    def program(c, xs):
        return ops.scan(f, c, xs, reverse=reverse, unroll=unroll)

    assert_same(program(0.8, X), expected, "eager")
    assert_same(check(program, 0.8, X), expected, "recorded")


@pytest.mark.parametrize("xs", [X[:1], X[:0]])
def test_scan_of_few_trips(xs):
    check(lambda xs: ops.scan(decayed, np.float64(1.0), xs), xs)
    check(lambda xs: ops.scan(decayed, np.float64(1.0), xs[xs > 0.35]), xs)


def test_no_trips_leave_the_carry_and_empty_arrays():
    def f(c, x):
        return c + np.sum(x), (x, {"c": c, "none": None}, np.ones((2, 3), np.float32))

    def program(c, xs):
        return ops.scan(f, c, xs)

    carry, (a, b, c) = check(program, np.float32(1.0), np.zeros((0, 4), np.float32))
    assert carry == 1.0 and (a.shape, a.dtype) == ((0, 4), np.float32)
    assert b["none"] is None and b["c"].shape == (0,)
    assert (c.shape, c.dtype) == ((0, 2, 3), np.float32)


def test_nested_carries_items_and_outputs():
    def f(c, x):
        (a, d), b = c, x["v"] * c[0]
        return (a + x["u"], {"p": d["p"] * b, "none": None}), Pair(a, [d["p"], (b, None)])

    def program(c, u, v):
        return ops.scan(f, (c, {"p": c + 1.0, "none": None}), {"u": u, "v": v})

    carry, ys = check(program, np.array([1.0, 2.0]), X[:3], ROWS)
    assert type(ys) is Pair and ys.first.shape == (3, 2) and ys.second[1][1] is None
    np.testing.assert_allclose(carry[0], [1.8, 2.8])


@pytest.mark.parametrize("length", [0, 1, 4])
def test_length_without_arrays(length):
    check(lambda c: ops.scan(lambda c, _: (0.5 * c, c), c, length=length), 2.0)
    check(lambda c: ops.scan(lambda c, _: (0.5 * c, None), c, None, length), 2.0)
    check(lambda c, n: ops.scan(lambda c, _: (0.5 * c, c), c, None, n), 2.0, length)
    check(lambda c, n: ops.scan(lambda c, _: (2 * c, c), c, None, n + int(c)), 1.0, length)


def test_lengths_that_only_the_run_tells():
    def program(xs, limit):
        return ops.scan(decayed, 0.0, xs[xs > limit], reverse=True, unroll=2)

    for limit in (-1.0, 0.35, 0.0):
        check(program, X, limit)
    check_grad(lambda xs: program(xs, 0.0)[0] * np.sum(program(xs, 0.35)[1]), X)


def test_a_python_number_becomes_what_f_makes_of_it():
    c, ys = check(lambda xs: ops.scan(lambda c, x: (c + x, c), 0.0, xs), X.astype(np.float32))
    assert c.dtype == ys.dtype == np.float32
    c, ys = check(lambda xs: ops.scan(lambda c, x: (c + x, c), 0, xs), X)
    assert c.dtype == ys.dtype == np.float64


def test_dtypes_of_outputs():
    def f(c, x):
        return c * x, (x.real > 0, c, np.int8(3), x.astype(np.complex64))

    _, ys = check(lambda c, xs: ops.scan(f, c, xs), 1j, X * 1j)
    assert [y.dtype.name for y in ys] == ["bool", "complex128", "int8", "complex64"]


def test_an_output_changed_in_place_later_is_kept():
    def f(c, x):
        c += x
        return c, c

    _, ys = check(lambda c, xs: ops.scan(f, c.copy(), xs), np.zeros(2), ROWS)
    np.testing.assert_allclose(ys, np.cumsum(ROWS, axis=0))


def test_effects_happen_once_per_trip():
    def program(xs):
        seen = []

        def f(c, x):
            print(x > 0)
            seen.append(x)
            return c + x, c

        return ops.scan(f, np.float64(0.0), xs), seen

    check(program, X)


def test_scan_in_scan():
    def program(c, xs):
        return ops.scan(lambda c, row: ops.scan(kinked, c, row), c, xs, reverse=True)

    check(program, 0.5, ROWS)
    check_grad(lambda c, xs: program(c, xs)[0] + np.sum(program(c, xs)[1]), 0.5, ROWS, argnums=1)


class Decay:
    def __init__(self, rate):
        self.rate = rate

    def __call__(self, c, x):
        return self.step(c, x)

    def step(self, c, x):
        if x > 0.35:
            return self.rate * c, x
        return c + x, c


def test_callables_methods_and_partial_functions():
    def step(rate, c, x):
        return Decay(rate)(c, x)

    for f in (
        lambda r, xs: ops.scan(Decay(r), 1.0, xs),
        lambda r, xs: ops.scan(Decay(r).step, 1.0, xs),
        lambda r, xs: ops.scan(functools.partial(step, r), 1.0, xs),
        lambda r, xs: ops.scan(ag.to_graph(functools.partial(step, r)), 1.0, xs),
    ):
        check(f, 0.7, X)
        check_grad(lambda r, xs, f=f: f(r, xs)[0] ** 2, 0.7, X)


# -- transforms ------------------------------------------------------------------------------------


@pytest.mark.costly
@pytest.mark.parametrize("f", [decayed, kinked, looped])
@pytest.mark.parametrize("options", [{}, {"reverse": True}, {"unroll": 3}])
def test_derivatives(f, options):
    def loss(c, xs):
        c, ys = ops.scan(f, c, xs, **options)
        return c + np.sum(np.sin(ys))

    check_grad(loss, 0.8, X, argnums=(0, 1))
    ag.check_grads(loss, (0.8, X))


@pytest.mark.parametrize("f", [decayed, kinked, looped])
def test_batched(f):
    cs, xs = np.array([0.8, 0.1, 0.5]), np.stack([X, -X, X[::-1]])

    def total(c, xs):
        c, ys = ops.scan(f, c, xs)
        return c + np.sum(ys)

    both = ag.vmap(lambda c, xs: ops.scan(f, c, xs))(cs, xs)
    lanes = [ops.scan(f, c, x) for c, x in zip(cs, xs)]
    np.testing.assert_allclose(both[0], [c for c, _ in lanes])
    np.testing.assert_allclose(both[1], [ys for _, ys in lanes])
    for of in (ag.vmap(ag.grad(total, 1)), ag.jacrev(lambda c, xs: ag.vmap(total)(c, xs), 1)):
        found = of(cs, xs)
        found = found if found.ndim == 2 else np.einsum("iij->ij", found)
        np.testing.assert_allclose(found, [ag.grad(total, 1)(c, x) for c, x in zip(cs, xs)])


def test_linearize_and_jacobians_of_a_scan():
    def program(xs):
        return ops.scan(kinked, 0.8, xs)[1]

    forward, reverse = ag.jacfwd(program)(X), ag.jacrev(program)(X)
    np.testing.assert_allclose(forward, reverse)
    out, push = ag.linearize(program, X)
    np.testing.assert_allclose(out, program(X))
    np.testing.assert_allclose(push(np.ones(4)), forward @ np.ones(4))


def test_the_program_keeps_no_copy_of_the_outputs():
    text = str(ag.to_graph(lambda xs: ops.scan(decayed, 0.0, xs)).program(X))
    assert "for i in range(4)" in text and "copy" not in text


# -- refused ---------------------------------------------------------------------------------------

REFUSED = {
    "dtype": (
        lambda c, xs: ops.scan(lambda c, x: (c + x, c), np.float32(c), xs),
        "f32[] to f64[2]",
    ),
    "shape": (lambda c, xs: ops.scan(lambda c, x: (x[:, None] * c, c), xs[0], xs), "f64[2,2]"),
    "structure": (lambda c, xs: ops.scan(lambda c, x: ((c, c), x), c, xs), "(float, float)"),
    "keys": (lambda c, xs: ops.scan(lambda c, x: ({"b": c["a"]}, x), {"a": c}, xs), "{'b': float}"),
    "none": (lambda c, xs: ops.scan(lambda c, x: (None, x), c, xs), "from float to None"),
    "no pair": (lambda c, xs: ops.scan(lambda c, x: c, c, xs), "a pair (carry, y)"),
    "text": (lambda c, xs: ops.scan(lambda c, x: (c, "y"), c, xs), "not a str"),
    "number": (lambda c, xs: ops.scan(lambda c, x: (c, x), c, c), "has to hold arrays"),
    "lengths": (lambda c, xs: ops.scan(lambda c, x: (c, x), c, (xs, xs[:, 0], xs[1:])), "3, 3, 2"),
    "length": (lambda c, xs: ops.scan(lambda c, x: (c, x), c, xs, length=5), "length is 5"),
    "no length": (lambda c, xs: ops.scan(lambda c, x: (c, x), c), "how many trips"),
    "unroll": (lambda c, xs: ops.scan(lambda c, x: (c, x), c, xs, unroll=-1), "unroll"),
    "cond": (lambda c, xs: ops.cond(c > 0, lambda c: c, lambda c: -c, c), "lambda: f(x)"),
    "while": (lambda c, xs: ops.while_loop(lambda c: c < 9, lambda c: (c + c,), c), "(x,)"),
    "for": (lambda c, xs: ops.for_loop(xs, lambda x, c: (c * x,), c), "(x,)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    function, says = REFUSED[name]
    with pytest.raises((TypeError, ValueError)) as plain:
        function(1.0, ROWS)
    assert says in str(plain.value)
    for transform in (ag.to_graph, ag.grad):
        with pytest.raises(errors.AutographError) as caught:
            transform(function)(1.0, ROWS)
        assert isinstance(caught.value, type(plain.value))
        assert says in str(caught.value) and f"{__file__}:" in str(caught.value)
        assert caught.value.fix


def test_lengths_that_only_the_run_tells_and_differ():
    compiled = ag.to_graph(lambda a, b: ops.scan(lambda c, x: (c + x[0], x[1]), 0.0, (a[a > 0], b)))
    check(lambda a, b: ops.scan(lambda c, x: (c + x[0], x[1]), 0.0, (a[a > 0], b)), X, X[:3])
    with pytest.raises(ValueError, match="disagree"):
        compiled(X, X)


def test_outputs_whose_length_only_the_run_tells():
    with pytest.raises(errors.UnsupportedFunctionError, match="length is known only at run time"):
        ag.to_graph(lambda xs: ops.scan(lambda c, x: (c, np.ones(int(x))), 2.0, xs))(X)


# -- cond, while_loop and for_loop by name ---------------------------------------------------------


def larger(x):
    return x * x if x > 0.5 else -x


def grown(x, n):
    if x > 1.0:
        return 0.5 * x, n + 1
    return 3.0 * x, n + 1


def added(item, x):
    if item > 0:
        return (x * item,)
    return (x + item,)


BY_NAME = {
    "cond": lambda x: ops.cond(x > 0.1, lambda: larger(x), lambda: np.sin(x)),
    "functions": lambda x: ops.cond(
        x > 0.1, functools.partial(larger, x), functools.partial(larger, 2.0 * x)
    ),
    "while_loop": lambda x: ops.while_loop(lambda x, n: n < 4, grown, (x, 0))[0],
    "for_loop": lambda x: ops.for_loop(X, added, (x,))[0],
    "a range": lambda x: ops.for_loop(range(3), added, (x,))[0],
}


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("x", [0.7, -0.3])
def test_control_flow_by_name(name, x):
    function = BY_NAME[name]
    check(function, x)
    check_grad(function, x)
    lanes = np.array([x, -x, 0.2])
    np.testing.assert_allclose(ag.vmap(function)(lanes), [function(z) for z in lanes])
    slopes = [ag.grad(function)(z) for z in lanes]
    np.testing.assert_allclose(ag.vmap(ag.grad(function))(lanes), slopes)
