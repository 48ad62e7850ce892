"""A source-to-source autograph compiler for plain NumPy code.

`to_graph` compiles a function; `grad` and `value_and_grad` differentiate one. The errors are in
`autograph.errors`, the operators in the package `ops`.
"""

from autograph import errors
from autograph.api import GraphFunction, to_graph
from autograph.gradients import grad, value_and_grad

__all__ = ["GraphFunction", "errors", "grad", "to_graph", "value_and_grad"]
