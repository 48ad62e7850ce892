"""Nothing that may change is taken for constant: whatever reaches a recording, and wherever it was
found, the next call reads it again, compares it, or refuses it."""

import contextlib
import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.staging.border.freezing.kinds import KINDS
from tests.staging.border.freezing.places import PLACES


def result(function, place):
    with warnings.catch_warnings(), contextlib.redirect_stdout(None):
        warnings.simplefilter("ignore")
        return function(1.5, *place.args(), **place.kwargs())


def check(kind, place_name, rebound):
    """A change between two calls is seen by the second."""
    value = kind.make(1.0)
    place = PLACES[place_name](value, kind.read)
    compiled = ag.to_graph(place.function)
    try:
        found = result(compiled, place)
        assert not kind.refused
        if not is_iterator(kind):
            assert same(found, result(place.function, place))
        assert same(result(compiled, place), found)  # the quick way
    except AutographError as error:
        assert error.id, error
        return
    if rebound:
        place.put(kind.make(4.0))
    else:
        kind.change(value, 4.0)
    expected = result(place.function, place)
    assert not same(expected, found), "a change that changes nothing tests nothing"
    with contextlib.suppress(AutographError):
        found = result(compiled, place)
        assert same(found, expected), (found, expected)


def is_iterator(kind):
    return kind is KINDS["generator"] or kind is KINDS["iterator"]


def same(a, b):
    return np.asarray(a).dtype == np.asarray(b).dtype and np.array_equal(a, b)


@pytest.mark.costly
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_rebound(kind):
    for place in PLACES:
        check(KINDS[kind], place, rebound=True)


@pytest.mark.costly
@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.change])
def test_what_changes_in_place(kind):
    for place in PLACES:
        check(KINDS[kind], place, rebound=False)
