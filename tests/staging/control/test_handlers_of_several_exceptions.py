"""Handlers that use an exception of which the run decides which of several it is."""

import numpy as np
import pytest

from tests.support.oracle import Programs, check

programs = Programs()


def limited(x):
    if x < 0:
        raise ValueError("negative")
    if x > 10:
        raise ValueError("large")
    return x


@programs(1.0)
@programs(-1.0)
@programs(11.0)
def its_text(x):
    try:
        limited(x)
    except ValueError as error:
        print(error, repr(error), f"{error}")
        return str(error), repr(error), str(error).upper(), len(str(error))
    return "", "", "", 0


@programs(1.0)
@programs(-1.0)
@programs(11.0)
def compared(x):
    try:
        limited(x)
    except ValueError as error:
        if str(error) == "negative":
            return 1
        return 2 if "arg" in str(error) else 3
    return 0


@programs(4.0)
@programs(-1.0)
@programs(0.0)
def of_several_classes(x):
    found = []
    try:
        if x < 0:
            raise KeyError("key")
        found.append(str(1 / x > 0))
    except (KeyError, ZeroDivisionError) as error:
        found.append(type(error).__name__)
        found.append(str(error))
    return found


@programs.test
def test_handlers_of_several_exceptions(call):
    call.run()


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_a_complex_number_to_fill_floats_with():
    """Which failed as a mistake of ours."""
    check(lambda x: np.full_like(x, 1j), np.ones(2))
