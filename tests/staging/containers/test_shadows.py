"""Copies of containers and objects from outside."""

import collections
import sys
import types
from typing import NamedTuple

import numpy as np
import pytest

from autograph.errors import MutationError
from autograph.staging.containers.containers import contents
from autograph.staging.containers.shadows import ModuleShadow, Shadows, refuse_changed_modules


class Pair(NamedTuple):
    first: list
    second: list


class Body:
    def __init__(self, mass):
        self.mass = mass


class Array:
    """What stands for an array."""

    def __init__(self, of):
        self.of = of


@pytest.fixture
def shadows():
    return Shadows()


@pytest.fixture
def shadow(shadows):
    """The shadow of something, in which an `Array` takes the place of each array."""

    def of(value):
        return Array(value) if isinstance(value, np.ndarray) else shadows.of(value, of)

    return of


X = np.zeros(3)


@pytest.mark.parametrize("value", [None, 1, 2.5, "text", b"", True, int, len, np.sum, (1, "a")])
def test_what_holds_no_array_is_itself(shadow, value):
    assert shadow(value) is value


@pytest.mark.parametrize(
    "value", [[X], {"a": X}, collections.deque([X]), Body(X), types.SimpleNamespace(a=X)]
)
def test_containers_are_copied(shadows, shadow, value):
    found = shadow(value)
    assert isinstance(found, type(value)) and found is not value
    (held,) = contents(found).values
    assert isinstance(held, Array) and held.of is X
    assert shadows.is_shadow(found) and not shadows.is_shadow(value)
    assert shadows.original(found) is value and shadows.original(value) is value


def test_details_of_containers_are_kept(shadow):
    assert shadow(collections.deque([1], 3)).maxlen == 3
    assert shadow(collections.defaultdict(list, a=1)).default_factory is list
    assert shadow({1, 2}) == {1, 2}


def test_cells(shadow):
    value = [1]
    cell = (lambda: value).__closure__[0]
    found = shadow(cell)
    assert found is not cell and found.cell_contents is shadow(value)


def test_the_same_object_has_one_shadow(shadow):
    inner = [X]
    a, b = shadow([inner, {"a": inner}])
    assert a is b["a"] is shadow(inner)


def test_a_shadow_is_its_own(shadow):
    found = shadow([X])
    assert shadow(found) is found


def test_a_container_that_contains_itself(shadow):
    ring = Body(None)
    ring.mass = [ring]
    found = shadow(ring)
    assert found is not ring and found.mass[0] is found


def test_tuples_are_made_anew_only_if_something_in_them_is(shadow):
    pair = Pair([X], [])
    found = shadow(pair)
    assert type(found) is Pair and found.first is shadow(pair.first)
    assert shadow((1, ("a",))) == (1, ("a",))


def test_changes_are_found(shadows, shadow):
    table, body = shadow({"a": 1}), shadow(Body(1.0))
    assert shadows.changed() == []
    body.mass = 2.0
    assert shadows.changed() == [body]
    table["b"] = 2
    assert shadows.changed() == [table, body]


def test_which_were_made_since(shadows, shadow):
    shadow([1])
    count = len(shadows)
    assert shadows.made_since(count) == []
    table = shadow({"a": 1})
    ((found, state),) = shadows.made_since(count)
    assert found is table and state.values == (1,)
    assert len(shadows.all()) == 2


def test_what_a_function_is_given(shadows, shadow):
    original, ours = [1], [1]
    shadows.stand_for_input(original, ours)
    assert shadow(original) is ours and shadows.is_shadow(ours)
    assert list(shadows.originals().values()) == [original]
    assert shadows.changed() == [] == shadows.all()  # its changes are those of arguments


def test_what_stands_in_for_other_objects(shadows):
    original, made = object(), []

    def make(value):
        made.append(value)
        return Array(value)

    first = shadows.stand_in(original, make)
    assert shadows.stand_in(original, make) is first and made == [original]
    assert shadows.original(first) is original
    assert len(shadows) == 0  # nothing that could change


def test_arguments_that_are_others_at_each_call(shadows, shadow):
    original, ours = [1], [1]
    shadows.stand_for_argument(original, ours)
    assert shadows.original(ours) is original
    assert shadow(original) is not ours


def test_arrays_of_texts_can_be_read(shadows):
    names = np.array(["a", "b"])
    found = shadows.read_only(names)
    assert found is shadows.read_only(names) and shadows.original(found) is names
    with pytest.raises(ValueError, match="read-only"):
        found[0] = "c"
    assert names.flags.writeable


# -- modules ---------------------------------------------------------------------------------------


def test_attributes_of_modules():
    module = types.ModuleType("settings")
    module.scale = 2.0
    assigned = []
    note = lambda *assignment: assigned.append(assignment)
    found = ModuleShadow(module, lambda owner, name: [name, getattr(owner, name)], note)
    assert found.scale == ["scale", 2.0]
    found = ModuleShadow(module, getattr, note)
    assert "scale" in dir(found)
    found.scale = 3.0
    assert assigned == [(module, "scale", 3.0)]
    with pytest.raises(MutationError, match="'scale' of the module 'settings' is deleted") as error:
        del found.scale
    assert error.value.id == "AG0323"
    assert module.scale == 2.0


def assigns_of_a_library():
    np.scale = 1.0


def assigns_of_an_imported_one():
    import sys

    sys.scale = 1.0


def assigns_of_an_object():
    HOLDER.scale = 1.0


HOLDER = types.SimpleNamespace()


@pytest.mark.parametrize("function", [assigns_of_a_library, assigns_of_an_imported_one])
def test_functions_that_assign_attributes_of_libraries(function):
    with pytest.raises(MutationError) as caught:
        refuse_changed_modules(function)
    error = caught.value
    assert error.id == "AG0323"
    assert error.location.file == __file__
    assert not hasattr(sys, "scale")


def test_functions_that_assign_attributes_of_objects():
    refuse_changed_modules(assigns_of_an_object)
    refuse_changed_modules(test_cells)
