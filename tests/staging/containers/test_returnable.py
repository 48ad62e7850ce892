"""What a function may return."""

import functools
import sys
import types

import numpy as np
import pytest

from autograph.errors import Location, UnsupportedFunctionError
from autograph.staging.containers.returnable import captures_symbolic, check_returnable
from autograph.staging.sequences.items import traced_range
from autograph.staging.sequences.own_iterators import Until

HERE = Location("f.py", 3)


def plain(x):
    return x


@pytest.fixture
def x(recording):
    return recording.given(2.0)


def test_functions_that_use_symbolic_values(x):
    own = x
    assert captures_symbolic(lambda: own)
    assert captures_symbolic(functools.partial(plain, x))
    assert captures_symbolic(functools.partial(plain, x=x))
    assert captures_symbolic(functools.partial(lambda: own))
    for function in (plain, functools.partial(plain, 2.0), len, np.sin):
        assert not captures_symbolic(function)


@pytest.mark.parametrize("value", [plain, "text", None, object(), np.zeros(3), len, {1: 2}, sys])
def test_what_may_be_returned(recording, value):
    check_returnable([value], None)


def refused(value):
    with pytest.raises(UnsupportedFunctionError) as caught:
        check_returnable([None, value], HERE)
    assert (caught.value.id, caught.value.location) == ("AG0345", HERE)
    return caught.value.message


def test_what_may_not_be_returned(recording, x):
    assert "a function that uses traced values" in refused(functools.partial(plain, x))
    assert "an iterator" in refused(iter([1]))
    assert "an iterator" in refused(traced_range(recording.given(3)))
    assert "an iterator" in refused(Until(np.random.random, 3.0))
    assert "an object (mappingproxy) that holds traced values" in refused(
        types.MappingProxyType({"a": x})
    )


def test_a_module_of_the_users(recording):
    assert "a module" in refused(sys.modules[__name__])
