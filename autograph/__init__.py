"""A source-to-source autograph compiler for plain NumPy code.

`to_graph` compiles a function; `grad` and `value_and_grad` differentiate one. The errors are in
`autograph.errors`, the operators in the package `ops`.
"""

from autograph import checkpoint_policies, errors
from autograph.ahead import ShapeDtypeStruct
from autograph.api import GraphFunction, to_graph
from autograph.batching import vmap
from autograph.checking import check_grads
from autograph.custom import custom_jvp, custom_vjp, stop_gradient, zero_cotangent
from autograph.gradients import grad, value_and_grad
from autograph.jacobians import hessian, hvp, jacfwd, jacrev
from autograph.linearization import linearize
from autograph.loading import load
from autograph.pullbacks import vjp
from autograph.rematerialisation import checkpoint
from autograph.tangents import jvp

__all__ = [
    "GraphFunction",
    "ShapeDtypeStruct",
    "check_grads",
    "checkpoint",
    "checkpoint_policies",
    "custom_jvp",
    "custom_vjp",
    "errors",
    "grad",
    "hessian",
    "hvp",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "load",
    "stop_gradient",
    "to_graph",
    "value_and_grad",
    "vjp",
    "vmap",
    "zero_cotangent",
]
