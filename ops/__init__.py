"""Operators on arrays, and control flow as functions, for NumPy, CuPy and symbolic arguments.

Each module says in ``__all__`` what it adds to this namespace. Those who declare operators use
`registry` and `kernels`.
"""

from operator import (  # in-place operators, as the converted source spells them
    iadd,
    iand,
    ifloordiv,
    ilshift,
    imatmul,
    imod,
    imul,
    ior,
    ipow,
    irshift,
    isub,
    itruediv,
    ixor,
)

from ops import fft, linalg, nn, random, special
from ops.arrays.contraction import *
from ops.arrays.creation import *
from ops.arrays.cumulative import *
from ops.arrays.diagonals import *
from ops.arrays.differences import *
from ops.arrays.einsum import *
from ops.arrays.indexing import *
from ops.arrays.joining import *
from ops.arrays.rearrange import *
from ops.arrays.reduction import *
from ops.control.collective_functions import *
from ops.control.constructs import *
from ops.control.exceptions import *
from ops.control.lookups import *
from ops.control.patterns import *
from ops.control.rows import *
from ops.control.scanning import *
from ops.core import kernels, registry
from ops.core.lengths import *
from ops.core.subscripts import *
from ops.elementwise import *
from ops.elementwise.conversion import *
from ops.names import ufuncs
from ops.names.array_api import *
from ops.names.dtypes import *
from ops.numbers import elements
from ops.numbers.closeness import *
from ops.numbers.complex_numbers import *
from ops.numbers.derived import *
from ops.numbers.mathematics import *
from ops.numbers.overflow import *
from ops.order.searching import *
from ops.order.selection import *
from ops.order.sets import *
from ops.order.sorting import *
from ops.polynomials import series
from ops.polynomials.polynomials import *
from ops.shapes import inspection, writing
from ops.shapes.bits import *
from ops.shapes.bracketed import *
from ops.shapes.editing import *
from ops.shapes.grids import *
from ops.shapes.inspection import *
from ops.shapes.padding import *
from ops.shapes.picking import *
from ops.shapes.slices import *
from ops.shapes.splitting import *
from ops.shapes.windows import *
from ops.signal.convolution import *
from ops.signal.pooling import *
from ops.signal.sequences import *
from ops.signal.tapers import *
from ops.statistics.calculus import *
from ops.statistics.histograms import *
from ops.statistics.moments import *
from ops.statistics.nan_reductions import *
from ops.statistics.quantiles import *
from ops.structure.broadcasting import *
from ops.structure.identity import *
from ops.structure.permuting import *
from ops.structure.reshaping import *

# What the Python array API standard calls by another name than NumPy.
abs = absolute
acos = arccos
acosh = arccosh
asin = arcsin
asinh = arcsinh
atan = arctan
atan2 = arctan2
atanh = arctanh
bitwise_invert = invert
bitwise_left_shift = left_shift
bitwise_right_shift = right_shift
concat = concatenate
conj = conjugate
permute_dims = transpose
pow = power
