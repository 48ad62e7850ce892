"""Errors of operators, with the user's line put to them."""

import functools

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from autograph.errors import Location
from autograph.staging.ground.errors import (
    as_located,
    defined_at,
    located,
    raise_site,
    user_location,
)
from tests.support.side_by_side import converted

HERE = Location("f.py", 3)


@pytest.mark.parametrize(
    "error, kind, id",
    [
        (IndexError("index 3 is out of bounds"), errors.OperandIndexError, "AG0403"),
        (np.exceptions.AxisError("axis 2"), errors.OperandAxisError, "AG0403"),
        (np.linalg.LinAlgError("at least 2-d"), errors.OperandLinAlgError, "AG0402"),
        (NotImplementedError("no such operator"), errors.UnsupportedFunctionError, "AG0404"),
        (TypeError("not an array"), errors.OperandTypeError, "AG0401"),
        (AttributeError("no attribute 'x'"), errors.OperandAttributeError, "AG0359"),
        (ValueError("unknown mode 'up'"), errors.OperandValueError, "AG0407"),
        (ValueError("shapes (2,) and (3,)"), errors.OperandShapeError, "AG0402"),
        (ValueError("could not broadcast"), errors.OperandShapeError, "AG0402"),
    ],
)
def test_our_error_for_theirs(error, kind, id):
    found = as_located(error, HERE)
    assert type(found) is kind
    assert (found.id, found.location, found.message) == (id, HERE, str(error))
    assert isinstance(found, type(error)) and found.fix


def test_what_operators_do_not_raise():
    assert as_located(KeyError("x"), HERE) is None
    assert as_located(ZeroDivisionError(), HERE) is None


def test_what_the_operator_says_to_use():
    found = as_located(ValueError("no median of these; use np.nanmedian"), HERE)
    assert (found.message, found.fix) == ("no median of these", "use np.nanmedian")


def test_arguments_with_the_name_of_another_library():
    found = as_located(TypeError("sum() got an unexpected keyword argument 'dim'"), HERE)
    assert found.fix == "call it 'axis', as NumPy does"


def test_located():
    with pytest.raises(errors.OperandTypeError) as caught, located():
        raise TypeError("not an array")
    assert isinstance(caught.value.__cause__, TypeError)


def test_errors_of_ours_stay_the_same():
    error = errors.OperandShapeError("shapes", HERE)
    with pytest.raises(errors.OperandShapeError) as caught, located():
        raise error
    assert caught.value is error


def test_located_lets_others_pass():
    with pytest.raises(KeyError), located():
        raise KeyError("x")


def test_nothing_is_executed_outside_of_a_recording():
    assert user_location() is None


def fails(x):
    x = np.reshape(x, (2, 2))  # where NumPy raises
    return x


def test_where_converted_code_raised():
    with pytest.raises(ValueError) as caught:
        converted(fails)(np.zeros(3))
    assert raise_site(caught.value).line == fails.__code__.co_firstlineno + 1


def test_the_line_of_converted_code_that_is_executed(recording):
    def program():
        return user_location()

    assert converted(program)().line == program.__code__.co_firstlineno + 1
    assert user_location() is None


def test_where_a_function_begins():
    def function(x, y): ...

    line = function.__code__.co_firstlineno
    place = Location(__file__, line, None, "function")
    assert defined_at(function) == place
    assert defined_at(functools.partial(function, 1)) == place
    assert defined_at(functools.wraps(function)(lambda *args: None)) == place


def test_where_functions_without_source_begin():
    assert defined_at(len) is None
    assert defined_at(np.exp) is None


def test_a_method_of_ours_that_is_compiled_by_itself_names_its_own_line():
    optimiser = ag.optim.adam(0.1)
    state = optimiser.init({"w": np.ones(3)})
    with pytest.raises(errors.OperandShapeError) as caught:
        ag.to_graph(optimiser.update)({"w": np.ones(2)}, state)
    assert "autograph/optim/" in str(caught.value)
