"""Which exceptions handlers catch."""

import sys

import gast
import pytest

from autograph.source.load import Handled
from autograph.source.unconverted import handled_in_source
from autograph.staging.ground.handling import catches, handles, may_be_swallowed, may_handle
from tests.support.side_by_side import converted

INDEX = (IndexError,)


@pytest.mark.parametrize(
    "kinds, errors, caught",
    [
        (IndexError, INDEX, True),
        (LookupError, INDEX, True),
        (KeyError, INDEX, False),
        (IndexError, (KeyError, IndexError), True),
        (IndexError, (LookupError,), True),  # what is raised may be more than what is declared
        (IndexError, (), False),
        ((KeyError, IndexError), INDEX, True),
        ((KeyError, (ValueError, (IndexError,))), INDEX, True),
        ((), INDEX, False),
        (None, INDEX, True),  # not known
        ("IndexError", INDEX, True),
    ],
)
def test_catches(kinds, errors, caught):
    assert catches(kinds, errors) is caught


def caught_by(text):
    """Whether a handler for the classes that an expression gives, here, catches an `IndexError`."""
    kind = KeyError  # for a handler to name
    return handles(Handled(1, 2, [gast.parse(text).body[0].value]), sys._getframe(), INDEX)


@pytest.mark.parametrize("text", ["Exception", "gast.wrong", "(kind, IndexError)", "INDEX"])
def test_what_a_handler_catches(text, monkeypatch):
    monkeypatch.setattr(gast, "wrong", IndexError, raising=False)
    assert caught_by(text)


@pytest.mark.parametrize("text", ["KeyError", "kind", "gast.wrong", "(kind, KeyError)", "()"])
def test_what_a_handler_does_not_catch(text, monkeypatch):
    monkeypatch.setattr(gast, "wrong", KeyError, raising=False)
    assert not caught_by(text)


@pytest.mark.parametrize("text", ["sys.nothing", "choose()", "unheard_of", "unheard_of.kind"])
def test_what_is_not_known_may_be_any_class(text):
    assert caught_by(text)


def test_without_classes_everything_is_handled():
    assert handles(Handled(1, 2, None), sys._getframe(), ())


def asked(stop=None):
    """Whether an `IndexError` that is raised where this is called may be handled."""
    return may_handle(sys._getframe(1), INDEX, stop)


def in_a_handler():
    try:
        return asked(), 0
    except IndexError:
        return None, None


def in_a_handler_for_others():
    try:
        return asked(), 0
    except KeyError:
        return None, None


def after_a_handler():
    try:
        pass
    except IndexError:
        pass
    return asked(), 0


def calls_with_a_handler(function):
    try:
        return function()
    except IndexError:
        return None, None


def calls_in_a_handler():
    try:
        return after_a_handler()
    except Exception:
        return None, None


@pytest.mark.parametrize(
    "function, may",
    [
        (in_a_handler, True),
        (in_a_handler_for_others, False),
        (after_a_handler, False),
        (calls_in_a_handler, True),
    ],
)
def test_functions_that_are_converted(function, may):
    assert converted(function)()[0] is may


def test_only_up_to_a_frame():
    here = sys._getframe()
    stops = []

    def asks():
        stops.append(may_handle(sys._getframe(), INDEX, sys._getframe()))
        stops.append(may_handle(sys._getframe(), INDEX, here))
        return None, None

    converted(calls_with_a_handler)(asks)
    assert stops == [False, True]


def test_functions_that_are_not_converted():
    try:
        assert not asked()
        assert not may_be_swallowed(sys._getframe(), INDEX)
    except IndexError:
        raise
    assert not may_handle(None, INDEX)


def swallows():
    try:
        yield may_be_swallowed(sys._getframe(), INDEX), may_handle(sys._getframe(), INDEX)
    except IndexError:
        pass


def test_generators_swallow():
    handled_in_source(swallows)
    assert next(swallows()) == (True, True)
