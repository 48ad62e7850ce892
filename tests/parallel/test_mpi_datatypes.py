"""How arrays are given to MPI, without MPI."""

import numpy as np

from autograph.parallel.mpi import datatypes
from autograph.parallel.mpi.calls import Call


def test_complex_numbers_that_are_not_contiguous_are_summed_over_mpi_as_pairs():
    class Mpi:
        SUM = "sum"

        def __getattr__(self, name):
            return name

    x = np.arange(6, dtype=complex)[::2]
    form = datatypes.summed(Mpi(), x.dtype, Call("psum", ""))
    np.testing.assert_array_equal(form.encode(x), [0, 0, 2, 0, 4, 0])
