"""NumPy's settings for floating-point errors."""

import numpy as np
import pytest

from autograph.errors import UnsupportedFunctionError
from autograph.staging.python.floating_errors import FUNCTIONS, errstate


@pytest.mark.parametrize(
    "options", [{}, {"all": "ignore"}, {"divide": "warn", "over": "ignore"}, {"all": None}]
)
def test_warnings_are_no_part_of_the_result(options):
    assert isinstance(errstate(**options), np.errstate)


@pytest.mark.parametrize(
    "options", [{"all": "raise"}, {"under": "call"}, {"all": "ignore", "over": "print"}]
)
def test_modes_that_are_refused(options):
    with pytest.raises(UnsupportedFunctionError, match="errstate with modes") as caught:
        errstate(**options)
    assert "np.isfinite" in caught.value.fix


def test_a_function_to_call_is_refused():
    with pytest.raises(UnsupportedFunctionError):
        errstate(call=print)


@pytest.mark.parametrize("function", [np.seterr, np.seterrcall])
def test_settings_for_good_are_refused(function):
    with pytest.raises(UnsupportedFunctionError, match=f"np.{function.__name__} would be called"):
        FUNCTIONS[function](all="ignore")
