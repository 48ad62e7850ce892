"""A source-to-source autograph compiler for plain NumPy code.

`to_graph` compiles a function; `grad` and `value_and_grad` differentiate one. The errors are in
`autograph.errors`, the operators in the package `ops`.
"""

from autograph import errors
from autograph.api import GraphFunction, to_graph
from autograph.checking import check_grads
from autograph.gradients import grad, value_and_grad
from autograph.pullbacks import vjp
from autograph.tangents import jvp

__all__ = [
    "GraphFunction",
    "check_grads",
    "errors",
    "grad",
    "jvp",
    "to_graph",
    "value_and_grad",
    "vjp",
]
