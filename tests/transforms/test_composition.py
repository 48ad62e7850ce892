"""Transforms over constructs, in every order: derivatives to the third order by hand."""

import itertools

import numpy as np
import pytest

import autograph as ag
from tests.transforms.constructs import CONSTRUCTS

# How much finer lanes beside the one that is looked at are spread; they take other branches, and
# leave loops after other numbers of trips.
_BESIDE = 0.45


def _forward(f):
    return lambda x: ag.jvp(f, (x,), (1.0,))[1]


def _pulled(f):
    def derivative(x):
        _, pull = ag.vjp(f, x)
        return pull(1.0)[0]

    return derivative


def _linear(f):
    def derivative(x):
        _, push = ag.linearize(f, x)
        return push(1.0)

    return derivative


def _lanes(f):
    def first(x):
        return ag.vmap(f)(np.array([x, x + _BESIDE, x * _BESIDE]))[0]

    return first


# Each is a function of a function of one float; those in capitals differentiate.
TRANSFORMS = {
    "G": ag.grad,
    "F": _forward,
    "P": _pulled,
    "L": _linear,
    "J": ag.jacfwd,
    "R": ag.jacrev,
    "v": _lanes,
    "t": ag.to_graph,
    "c": ag.checkpoint,
    "s": lambda f: ag.checkpoint(f, loops="sqrt"),
    "k": lambda f: ag.checkpoint(f, loops=2),
    "B": lambda f: ag.grad(f, memory=300_000),
}


def _is_allowed(word, construct):
    """Whether the construct has the derivatives: a rule for reverse mode may call the function
    itself, so forward mode through it is refused as well."""
    return not construct.reverse_only or not set(word) & set("FLJ")


def _check(name, word):
    """Apply the transforms of ``word``, the first letter innermost, and compare."""
    construct = CONSTRUCTS[name]
    if not _is_allowed(word, construct):
        pytest.skip("a rule for reverse mode alone")
    function = construct.function
    for letter in word:
        function = TRANSFORMS[letter](function)
    order = sum(letter.isupper() for letter in word)
    compiled = ag.to_graph(function)
    for x in construct.points:
        wanted = construct.derivatives[order](x)
        np.testing.assert_allclose(compiled(x), wanted, 1e-9, 1e-9, err_msg=f"at {x}")


def _words(letters, length):
    return ["".join(word) for word in itertools.product(letters, repeat=length)]


@pytest.mark.parametrize("word", [*TRANSFORMS, "GG", "FG", "GF", "FF"])
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_each_transform(name, word):
    _check(name, word)


@pytest.mark.parametrize("word", ["Gv", "vG", "Fv", "vF", "GGv", "vGG", "GvG", "GvF", "cGG", "GvR"])
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_derivatives_and_lanes(name, word):
    _check(name, word)


@pytest.mark.parametrize("word", ["GGG", "FFF", "FGG"])
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_third_order(name, word):
    _check(name, word)


@pytest.mark.parametrize("word", ["GB", "FB", "BF", "Bv", "vB", "sB", "kB"])
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_gradients_with_a_budget(name, word):
    _check(name, word)


@pytest.mark.slow
@pytest.mark.parametrize("word", ["BB", "BG", "BBv", "vBB", "BvB", "GBB"])
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_gradients_with_budgets_of_their_own(name, word):
    _check(name, word)


@pytest.mark.slow
@pytest.mark.parametrize("word", _words("GFPLJRvtcsk", 2))
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_every_pair(name, word):
    _check(name, word)


@pytest.mark.slow
@pytest.mark.parametrize("word", _words("GFvcs", 3))
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_every_triple(name, word):
    _check(name, word)
