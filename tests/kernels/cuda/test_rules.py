"""What a device refuses is seen without one."""

import numpy as np
import pytest

from tests.kernels.cuda.in_c import in_c
from tests.kernels.cuda.rules import check_launch

(ENTRY,) = in_c("x[threadIdx.x] = 1;").entries


def test_a_right_launch():
    check_launch(ENTRY, 1, [256], 3)


@pytest.mark.parametrize(
    "blocks, arguments, message",
    [
        (0, [256], "0 blocks"),
        (2**31, [256], "blocks"),
        (1, [258], "not aligned"),
        (1, [0], "at no place"),
        (1, [], "0 arguments"),
    ],
)
def test_a_wrong_launch(blocks, arguments, message):
    with pytest.raises(AssertionError, match=message):
        check_launch(ENTRY, blocks, arguments, 3)


def test_too_many_threads():
    (entry,) = in_c("x[0] = 1;", threads=2048).entries
    with pytest.raises(AssertionError, match="2048 threads"):
        check_launch(entry, 1, [256], 3)


def test_a_number_of_another_width():
    (entry,) = in_c("x[0] = 1;").entries
    entry.parameters.append((None, "int64"))
    check_launch(entry, 1, [256, np.int64(1)], 3)
    for other in (np.int32(1), 1):
        with pytest.raises(AssertionError, match="int64"):
            check_launch(entry, 1, [256, other], 3)


def test_blocks_that_cannot_run_at_once():
    (entry,) = in_c("x[0] = 1;").entries
    check_launch(entry, 4, [256], 3)
    entry.together = True
    check_launch(entry, 3, [256], 3)
    with pytest.raises(AssertionError, match="4 blocks run at once, of 3"):
        check_launch(entry, 4, [256], 3)
