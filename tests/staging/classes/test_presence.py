"""Attributes of objects that only some paths assign."""

import pytest

from autograph.errors import BranchMismatchError, MutationError
from autograph.staging.classes.presence import (
    can_be_missing,
    refused_attribute,
    uncertain,
    with_present,
    with_undefined,
)
from autograph.staging.containers.containers import Contents, contents, fill
from autograph.staging.values.maybe import MaybeUndefined
from ops.control.constructs import Undefined


class Body:
    shape = "round"


class Slotted:
    __slots__ = ("mass",)


class Computed:
    def __getattr__(self, name):
        return 0.0


@pytest.fixture
def classes(recording):
    """The classes that a recording refers to, which are as they were after the test."""
    found = recording.recorder.outside.classes
    yield found
    found.restore(None)


def body(**attributes):
    item = Body()
    vars(item).update(attributes)
    return item


# -- states ----------------------------------------------------------------------------------------


def test_attributes_that_only_others_have_are_undefined():
    found = with_undefined([contents(body(a=1, b=2)), contents(body(b=3, c=4))])
    assert found[0].keys == found[1].keys == (*contents(Body()).keys, "a", "b", "c")
    assert found[0].values[:2] == (1, 2) and found[1].values[1:] == (3, 4)
    for missing, name in ((found[0].values[2], "c"), (found[1].values[0], "a")):
        assert isinstance(missing, Undefined) and missing.name == name


def test_states_that_are_alike_stay():
    state = contents(body(a=1))
    assert with_undefined([state, state]) == [state, state]


def test_items_of_a_list_come_first():
    states = [Contents(((1, None), "a"), (7, 1)), Contents(((1, None),), (8,))]
    found = with_undefined(states)
    assert found[0].values == (7, 1) and found[1].values[0] == 8
    assert isinstance(found[1].values[1], Undefined)


def test_what_is_undefined_is_left_out():
    (state, _) = with_undefined([contents(body(a=1)), contents(body(b=2))])
    assert with_present(Body(), state) == contents(body(a=1))


# -- reading ---------------------------------------------------------------------------------------


def test_which_attributes_can_be_missing(recording, classes):
    assert can_be_missing(Body(), "mass")
    assert not can_be_missing(Body(), "shape")  # the class has it
    assert not can_be_missing(Slotted(), "mass")
    assert not can_be_missing(Computed(), "mass")


def maybe(recording, there):
    """An object that has the attribute 'mass', 2.0, if it is there."""
    item = body()
    assert can_be_missing(item, "mass")
    mass = MaybeUndefined("mass", recording.given(2.0), recording.given(there))
    fill(item, with_present(item, contents(body(mass=mass))))
    return item


def test_reading_checks_that_it_was_assigned(recording, classes):
    found = maybe(recording, True).mass
    assert recording.run(found) == 2.0


def test_reading_what_was_not_assigned(recording, classes):
    found = maybe(recording, False).mass
    with pytest.raises(AttributeError, match="'Body' object has no attribute 'mass'"):
        recording.run(found)


def test_assigning_makes_it_certain(recording, classes):
    item = maybe(recording, False)
    item.mass = 5.0
    assert item.mass == 5.0 and uncertain(item, "mass") is None


def test_deleting(recording, classes):
    item = maybe(recording, True)
    del item.mass
    assert "mass" not in vars(item)
    with pytest.raises(AttributeError, match="'Body' object has no attribute 'mass'"):
        item.mass.real  # noqa: B018


def test_other_objects_of_the_class(recording, classes):
    maybe(recording, True)
    with pytest.raises(AttributeError, match="'Body' object has no attribute 'mass'"):
        body().mass  # noqa: B018
    with pytest.raises(AttributeError, match="type object 'Body' has no attribute 'mass'"):
        Body.mass  # noqa: B018
    assert body(mass=3.0).mass == 3.0


def test_the_class_is_as_before_after_the_recording(recording):
    maybe(recording, True)
    assert "mass" in vars(Body)
    recording.recorder.outside.classes.restore(None)
    assert "mass" not in vars(Body)


def test_the_attribute_as_a_variable(recording, classes):
    item = maybe(recording, True)
    assert isinstance(uncertain(item, "mass"), MaybeUndefined)
    assert uncertain(item, "shape") is None and uncertain(body(mass=1), "mass") is None


def test_refused():
    error = refused_attribute("self.mass", "is returned")
    assert isinstance(error, BranchMismatchError) and not isinstance(error, MutationError)
    assert error.id == "AG0369"
    assert error.message == "an object whose attribute 'mass' only some paths assign is returned"
    assert error.fix == "give 'mass' its first value before, for example None"
