"""A source-to-source autograph compiler for plain NumPy code.

`to_graph` compiles a function; `grad` and `value_and_grad` differentiate one. The errors are in
`autograph.errors`, the operators in the package `ops`.
"""

from autograph import installation

installation.check_python()
installation.check_operators()

import ops
from autograph import (
    aliases,
    checkpoint_policies,
    debug,
    errors,
    export,
    interop,
    nn,
    optim,
    train,
    tree,
)
from autograph.api.callbacks import io_callback, pure_callback
from autograph.api.derivatives.checking import check_grads
from autograph.api.derivatives.checkpointing import checkpoint
from autograph.api.derivatives.custom import custom_jvp, custom_vjp, stop_gradient, zero_cotangent
from autograph.api.derivatives.expectations import expectation, pathwise, score_gradient
from autograph.api.derivatives.gradients import grad, value_and_grad
from autograph.api.derivatives.jacobians import hessian, hvp, jacfwd, jacrev
from autograph.api.derivatives.linearization import linearize
from autograph.api.derivatives.patterns import sparsity
from autograph.api.derivatives.pullbacks import vjp
from autograph.api.derivatives.sparse import sparse_hessian, sparse_jacobian
from autograph.api.derivatives.tangents import jvp
from autograph.api.function import GraphFunction, to_graph
from autograph.api.implicit import argmin, fixed_point, implicit, root
from autograph.api.odeint import Event, odeint
from autograph.api.pmap import pmap
from autograph.api.precision import Policy, precision
from autograph.api.quantize import quantize
from autograph.api.recording.ahead import ShapeDtypeStruct
from autograph.api.saving.loading import load
from autograph.api.shard_map import shard_map
from autograph.api.vmap import vmap
from autograph.parallel.mesh import Mesh
from autograph.parallel.sharded import ShardedArray, put
from autograph.parallel.specs import P
from autograph.source.tree.libraries import convert_packages
from autograph.train.loss_scale import LossScale

__version__ = "0.1.0"

aliases.install()

__all__ = [
    "Event",
    "GraphFunction",
    "LossScale",
    "Mesh",
    "P",
    "Policy",
    "ShapeDtypeStruct",
    "ShardedArray",
    "__version__",
    "argmin",
    "check_grads",
    "checkpoint",
    "checkpoint_policies",
    "convert_packages",
    "custom_jvp",
    "custom_vjp",
    "debug",
    "errors",
    "expectation",
    "export",
    "fixed_point",
    "grad",
    "hessian",
    "hvp",
    "implicit",
    "interop",
    "io_callback",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "load",
    "nn",
    "odeint",
    "ops",
    "optim",
    "pathwise",
    "pmap",
    "precision",
    "pure_callback",
    "put",
    "quantize",
    "root",
    "score_gradient",
    "shard_map",
    "sparse_hessian",
    "sparse_jacobian",
    "sparsity",
    "stop_gradient",
    "to_graph",
    "train",
    "tree",
    "value_and_grad",
    "vjp",
    "vmap",
    "zero_cotangent",
]
