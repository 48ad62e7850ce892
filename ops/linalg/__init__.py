"""Linear algebra on stacks of matrices, with the names of ``np.linalg`` and of the array API.

Every function takes arrays whose last two axes are the rows and columns of matrices. Real and
complex numbers of single and double precision keep their dtype; integers are taken as float64.
"""

from ops.linalg.determinants import *
from ops.linalg.eigen import *
from ops.linalg.exchanges import *
from ops.linalg.exponential import *
from ops.linalg.factorisations import *
from ops.linalg.least_squares import *
from ops.linalg.norms import *
from ops.linalg.products import *
from ops.linalg.singular import *
from ops.linalg.systems import *
