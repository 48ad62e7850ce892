"""What a checkpointed function does besides computing happens once: prints, checks, draws of random
numbers. And what it leaves to others: custom derivatives, masks of `where`."""

import contextlib
import io

import numpy as np
import pytest

import autograph as ag
from autograph import checkpoint_policies as policies
from autograph.errors import AutographError

X = np.array([0.5, 2.0])


def noisy(x, n, rng):
    y = x * rng.normal(size=2)
    print("start", np.sum(y))
    for i in range(n):
        y = np.sin(y) * rng.normal() + x
        if y[0] > 0:
            y = y * rng.uniform()
            print("up", i)
    while np.sum(y * y) > 0.5 and rng.uniform() < 0.95:
        y = y * rng.uniform()
    return np.sum(y * x)


def noisy_recursion(x, n, rng):
    if n == 0:
        return np.sum(x)
    z = rng.normal()
    print(n)
    return np.sin(noisy_recursion(x * z, n - 1, rng)) * z


def called(function, *args):
    """What a function returns and prints, and what its generator gives afterwards."""
    rng, printed = np.random.default_rng(5), io.StringIO()
    with contextlib.redirect_stdout(printed):
        result = function(*args, rng)
    return result, printed.getvalue(), rng.uniform()


@pytest.mark.costly
@pytest.mark.parametrize("policy", [None, policies.save_only_these_names("y")])
@pytest.mark.parametrize("function", [noisy, noisy_recursion])
def test_effects_happen_once(function, policy):
    checkpointed = ag.checkpoint(function, policy=policy)

    def twice(f):
        return ag.grad(lambda x, n, rng: np.sum(np.cos(ag.grad(f)(x, n, rng))))

    def forward(f):
        def at(x, n, rng):
            return ag.jvp(lambda x: f(x, n, rng), (x,), (x,))[1]

        return ag.grad(at)

    for derivative in (ag.value_and_grad, twice, forward):
        found, expected = (called(derivative(f), X, 5) for f in (checkpointed, function))
        assert found[1:] == expected[1:]
        for a, b in zip(found[0], expected[0]):  # value and gradient, or the elements of one
            np.testing.assert_allclose(a, b, rtol=1e-12)


def test_checks():
    @ag.checkpoint
    def f(x):
        y = np.log(x)
        assert y < 1.0, "too large"
        return y * y

    assert ag.grad(f)(2.0) == pytest.approx(np.log(2.0))
    with pytest.raises(AssertionError, match="too large"):
        ag.grad(f)(3.0)
    assert str(ag.grad(f).program(2.0)).count("too large") == 1


def test_random_numbers_under_a_custom_derivative_are_refused():
    rng = np.random.default_rng(0)

    @ag.custom_jvp
    def drawn(x):
        return x + rng.normal()

    drawn.defjvp(lambda primals, tangents: (drawn(*primals), tangents[0]))
    with pytest.raises(AutographError, match="AG0550"):
        ag.grad(ag.checkpoint(lambda x: drawn(x) * x))(1.0)


def test_a_custom_derivative_holds_in_it():
    @ag.custom_vjp
    def clipped(x):
        print("called")
        return x * x

    clipped.defvjp(lambda x: (clipped(x), x), lambda x, ct: (np.clip(ct * 2 * x, -1.0, 1.0),))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        found = ag.grad(ag.checkpoint(lambda x: clipped(x) * 3.0))(5.0)
    assert found == 1.0
    assert printed.getvalue() == "called\n"


def test_no_nan_from_what_was_not_chosen():
    log = ag.checkpoint(lambda u: u * np.log(u))

    def f(x):
        return np.sum(np.where(x > 0, log(np.sqrt(x)), 0.0))

    x = np.array([0.0, 0.5])
    with np.errstate(all="ignore"):
        found = ag.grad(f)(x)
        second = ag.grad(lambda x: np.sum(ag.grad(f)(x)))(x)
    assert found[0] == 0.0 and np.all(np.isfinite(found))
    assert second[0] == 0.0 and np.all(np.isfinite(second))
