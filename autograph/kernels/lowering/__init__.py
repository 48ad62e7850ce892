"""From graphs to kernels.

`lower` makes one kernel of a closed graph, control flow and all. `autograph.kernels.selection` says
which parts of a program are given to it.

==============  ==================================================================================
file            what it is about
==============  ==================================================================================
`expansions`    operators that are other operators together
`scalars`       an elementwise operator applied to scalars: dtypes, what Python raises
`values`        what a value of the graph is while a kernel is being built
`plan`          which arrays of a block are computed in memory, and which wherever they are used
`groups`        which arrays are computed together, in one pass over their elements
`nests`         the loops that compute a group
`block`         the nodes of a graph in order
`control`       loops and branches
`residuals`     packs and stacks: what loops leave for their backward passes
`records`       what packs hold, and where
`cotangents`    packs and stacks that are zero, or sums of others
`trips`         what of the records that a loop makes may be freed after each trip
`products`      products of matrices
`scans`         running totals
`views`         arrays that are parts of others in memory
`writes`        changing elements of arrays
==============  ==================================================================================
"""

from autograph.kernels.lowering.block import lower
from autograph.kernels.lowering.values import CannotLower

__all__ = ["CannotLower", "lower"]
