"""Operators on arrays, and control flow as functions, for NumPy, CuPy and symbolic arguments.

Each module says in ``__all__`` what it adds to this namespace.
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

from ops import elements, fft, inspection, linalg, nn, random, series, special, ufuncs, writing
from ops.array_api import *
from ops.bits import *
from ops.bracketed import *
from ops.calculus import *
from ops.closeness import *
from ops.collectives import *
from ops.complex_numbers import *
from ops.contraction import *
from ops.control import *
from ops.conversion import *
from ops.convolution import *
from ops.creation import *
from ops.cumulative import *
from ops.derived import *
from ops.diagonals import *
from ops.differences import *
from ops.dtypes import *
from ops.editing import *
from ops.einsum import *
from ops.elementwise import *
from ops.exceptions import *
from ops.grids import *
from ops.histograms import *
from ops.indexing import *
from ops.inspection import *
from ops.joining import *
from ops.lengths import *
from ops.mathematics import *
from ops.nan_reductions import *
from ops.overflow import *
from ops.padding import *
from ops.patterns import *
from ops.picking import *
from ops.polynomials import *
from ops.pooling import *
from ops.quantiles import *
from ops.rearrange import *
from ops.reduction import *
from ops.rows import *
from ops.scanning import *
from ops.searching import *
from ops.selection import *
from ops.sequences import *
from ops.sets import *
from ops.slices import *
from ops.sorting import *
from ops.splitting import *
from ops.statistics import *
from ops.structural import *
from ops.subscripts import *
from ops.windows import *

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
