"""One of several objects, of which only the run knows which one it is."""

import enum
import math

import numpy as np
import pytest

from autograph.errors import ConcreteValueError
from autograph.staging.values.choice import (
    Choice,
    is_called,
    is_choosable,
    is_same_object,
    looked_up,
    with_choices,
)


class Color(enum.Enum):
    RED = 1


class Body:
    def __init__(self, mass):
        self.mass = mass


@pytest.mark.parametrize(
    "a, b", [(1, 1), (1.5, 1.5), (math.nan, float("nan")), ("a", "a"), (None, None), (len, len)]
)
def test_the_same_object(a, b):
    assert is_same_object(a, b)


@pytest.mark.parametrize(
    "a, b", [(1, True), (1, 1.0), (0.0, -0.0), ("a", "b"), ([], []), ((1,), (1,)), (len, max)]
)
def test_other_objects(a, b):
    a, b = (tuple(list(x)) if isinstance(x, tuple) else x for x in (a, b))
    assert not is_same_object(a, b)


def test_symbolic_numbers_are_the_same_only_by_identity(recording):
    x = recording.given(1.0)
    assert is_same_object(x, x) and not is_same_object(x, recording.given(1.0))


def test_choosable(recording):
    x = recording.given(1.0)
    for value in ("a", b"a", None, Color.RED, int, len, np.sin, np.sum, lambda: 1):
        assert is_choosable(value)
    for value in (1.5, [], Body(1.0), lambda: x, [].append):
        assert not is_choosable(value) or value.__class__ is type([].append)


def test_called():
    for value in (len, np.sin, Body, lambda: 1, "a".upper, np.sum):
        assert is_called(value)
    assert not is_called("a") and not is_called(Body(1.0))


@pytest.fixture(params=[0, 1, 2])
def place(request):
    return request.param


@pytest.fixture
def choose(recording, place):
    """The object at the place."""
    return lambda *objects: Choice(recording.given(place), objects)


def now(recording, value):
    """What a result is when the program runs."""
    if isinstance(value, Choice):
        return value.objects[recording.run(value.position)]
    return recording.run(value)


OBJECTS = ("a", "bc", "def")


def test_numbers_are_looked_up(recording, place, choose):
    assert now(recording, choose(*OBJECTS).each(len)) == [1, 2, 3][place]
    assert now(recording, choose(*OBJECTS).each(str.upper)) == OBJECTS[place].upper()


def test_a_result_that_is_the_same_for_all(recording, choose):
    assert choose(*OBJECTS).each(type) is str


def test_by_a_conditional(recording, place, choose):
    found = choose(*OBJECTS).decide(lambda text: np.float64(len(text)))
    assert recording.run(found) == len(OBJECTS[place])


@pytest.mark.parametrize("other", OBJECTS)
def test_comparisons(recording, place, choose, other):
    choice = choose(*OBJECTS)
    assert now(recording, choice == other) == (OBJECTS[place] == other)
    assert now(recording, choice != other) == (OBJECTS[place] != other)
    assert now(recording, choice < other) == (OBJECTS[place] < other)


def test_operators(recording, place, choose):
    choice = choose(*OBJECTS)
    assert now(recording, choice + "!") == OBJECTS[place] + "!"
    assert now(recording, "!" + choice) == "!" + OBJECTS[place]
    assert now(recording, choice[0]) == OBJECTS[place][0]
    assert now(recording, choice * 2) == OBJECTS[place] * 2


def test_attributes(recording, place, choose):
    assert now(recording, choose(len, max, min).__name__) == ["len", "max", "min"][place]
    masses = choose(*map(Body, (1.5, 2.5, 3.5))).mass
    assert now(recording, masses) == [1.5, 2.5, 3.5][place]


def test_an_error_for_some_of_the_objects(recording, place, choose):
    found = choose("1", "2", "three").each(int)
    if place == 2:
        with pytest.raises(ValueError, match="invalid literal"):
            recording.run(found)
    else:
        assert recording.run(found) == place + 1


def test_an_error_for_all_objects(choose):
    with pytest.raises(TypeError):
        choose(*OBJECTS).each(lambda text: text + 1)


def test_results_at_a_place(recording, place):
    index = recording.given(place)
    assert recording.run(looked_up(index, [True, False, True])) == [True, False, True][place]
    assert looked_up(index, [1, 1, 1]) == 1
    found = looked_up(index, [1, 2.5, 3])
    assert now(recording, found) == [1, 2.5, 3][place]


def test_arguments_of_functions(recording, place, choose):
    (found,) = with_choices(len, (choose(*OBJECTS),), {})
    assert now(recording, found) == len(OBJECTS[place])
    assert with_choices(len, ("a",), {}) is None


USES = {
    "key": hash,
    "truth": bool,
    "length": len,
    "iterated": iter,
    "text": str,
    "format": "{}".format,
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_what_is_refused(recording, use):
    with pytest.raises(ConcreteValueError) as caught:
        use(Choice(recording.given(0), OBJECTS))
    assert caught.value.id == "AG0344" and caught.value.fix


def test_objects_that_may_change_do_not_leave_their_region(recording):
    assert Choice(recording.given(0), OBJECTS).movable() == OBJECTS
    with pytest.raises(ConcreteValueError) as caught:
        Choice(recording.given(0), (Body(1.0), Body(2.0))).movable()
    assert caught.value.id == "AG0368"


def test_names_of_python_are_not_looked_for(recording):
    with pytest.raises(AttributeError):
        Choice(recording.given(0), OBJECTS).__array__  # noqa: B018
