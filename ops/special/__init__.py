"""Special functions, with SciPy's names, signatures, dtypes and special cases, for real numbers.

They need no SciPy. All are differentiable to any order where their docstrings don't say otherwise.
"""

from ops.special.bessel import *
from ops.special.cylinder import *
from ops.special.entropy import *
from ops.special.errors import *
from ops.special.gammas import *
from ops.special.hypergeometric import *
from ops.special.incomplete import *
from ops.special.integrals import *
from ops.special.sums import *
