"""Numbers that an array of integers does not take as elements, where a handler waits for it."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import assert_same_outcome, outcome

INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64]
NUMBERS = [-1.5, 127.5, 255.9, 300, 70000, 1e10, -129, 2147483647.5, 2147483648, 3e19, -1e19]


def written(x, place, value):
    try:
        x[place] = value
    except ValueError as error:
        return "value", str(error)
    except OverflowError as error:
        return "overflow", str(error)
    except IndexError as error:
        return "index", str(error)
    return "written", ""


compiled = ag.to_graph(written)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [float, np.float64, np.float32, int, np.int64])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_what_does_not_fit_reaches_the_handler(dtype, kind):
    whole = kind in (int, np.int64)
    for number in NUMBERS if whole else [*NUMBERS, np.nan, np.inf]:
        if whole and abs(number) >= 2**63:
            continue
        for place in (1, 5):
            args = np.zeros(3, dtype), place, kind(number)
            assert_same_outcome(outcome(compiled, args), outcome(written, args))


def edges(image, angle):
    """As image processing is published: another exception is handled than there may be."""
    found = np.zeros(image.shape, np.int32)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            try:
                before = image[i, j - 1] if angle[i, j] < 90 else image[i - 1, j]
                after = image[i, j + 1] if angle[i, j] < 90 else image[i + 1, j]
                found[i, j] = image[i, j] if image[i, j] >= max(before, after) else 0
            except IndexError:
                found[i, j] = 1
    return found


def test_stores_in_a_try():
    image = np.arange(12.0).reshape(3, 4) % 5
    for args in ((image, image * 40), (np.where(image == 2, np.nan, image), image * 40)):
        assert_same_outcome(outcome(ag.to_graph(edges), args), outcome(edges, args))
