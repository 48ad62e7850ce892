"""Both modes of differentiation to second order, real and complex, over the tables of cases."""

import pytest

import autograph as ag
from tests.ops import (
    test_grids_and_polynomials,
    test_picking_and_padding,
    test_reshaping,
    test_writing,
)
from tests.ops.derivatives import check_complex_derivatives

CASES = [
    *test_reshaping.SMOOTH,
    *test_picking_and_padding.SMOOTH,
    *test_grids_and_polynomials.SMOOTH,
    *test_grids_and_polynomials.BRACKETS,
    *((test_writing.after(write), *args) for write, *args in test_writing.WRITES),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("ignore")
def test_to_second_order(case):
    function, *args = case
    ag.check_grads(function, args)
    check_complex_derivatives(function, *args, order=2)
