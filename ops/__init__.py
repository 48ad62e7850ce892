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

from ops import inspection, ufuncs, writing
from ops.contraction import *
from ops.control import *
from ops.conversion import *
from ops.creation import *
from ops.cumulative import *
from ops.derived import *
from ops.einsum import *
from ops.elementwise import *
from ops.indexing import *
from ops.joining import *
from ops.lengths import *
from ops.linalg import *
from ops.mathematics import *
from ops.patterns import *
from ops.rearrange import *
from ops.reduction import *
from ops.rows import *
from ops.selection import *
from ops.sorting import *
from ops.structural import *
