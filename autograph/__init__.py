"""A source-to-source autograph compiler for plain NumPy code.

`to_graph` compiles a function; `grad` and `value_and_grad` differentiate one. The errors are in
`autograph.errors`, the operators in the package `ops`.
"""

from autograph import installation, leaving

leaving.install()
installation.check_python()
installation.check_operators()

import importlib
import sys
from typing import TYPE_CHECKING, Any

from autograph.collector import collector_waits

with collector_waits(all_stays=True):
    import ops
    from autograph import aliases, checkpoint_policies, errors
    from autograph.api.derivatives.gradients import grad, value_and_grad
    from autograph.api.function import GraphFunction, to_graph
    from autograph.api.recording.ahead import ShapeDtypeStruct
    from autograph.api.saving.loading import load
    from autograph.parallel import executor
    from autograph.source.tree.libraries import convert_packages

if TYPE_CHECKING:
    from autograph import debug, export, interop, nn, optim, train, tree
    from autograph.api.callbacks import io_callback, pure_callback
    from autograph.api.derivatives.checking import check_grads
    from autograph.api.derivatives.checkpointing import checkpoint
    from autograph.api.derivatives.custom import (
        custom_jvp,
        custom_vjp,
        stop_gradient,
        zero_cotangent,
    )
    from autograph.api.derivatives.expectations import expectation, pathwise, score_gradient
    from autograph.api.derivatives.jacobians import hessian, hvp, jacfwd, jacrev
    from autograph.api.derivatives.linearization import linearize
    from autograph.api.derivatives.patterns import sparsity
    from autograph.api.derivatives.pullbacks import vjp
    from autograph.api.derivatives.sparse import sparse_hessian, sparse_jacobian
    from autograph.api.derivatives.tangents import jvp
    from autograph.api.implicit import argmin, fixed_point, implicit, root
    from autograph.api.odeint import Event, odeint
    from autograph.api.pmap import pmap
    from autograph.api.precision import Policy, precision
    from autograph.api.quantize import quantize
    from autograph.api.shard_map import shard_map
    from autograph.api.vmap import vmap
    from autograph.parallel.mesh import Mesh
    from autograph.parallel.sharded import ShardedArray, put
    from autograph.parallel.specs import P
    from autograph.train.loss_scale import LossScale

__version__ = "0.1.0"

aliases.install()
executor.install()

# What many programs do without is imported when it is first asked for: the modules it is in.
_LATER = {
    "autograph": (*("debug", "export", "interop", "nn", "optim", "solvers", "train", "tree"),),
    "autograph.api.callbacks": ("io_callback", "pure_callback"),
    "autograph.api.derivatives.checking": ("check_grads",),
    "autograph.api.derivatives.checkpointing": ("checkpoint",),
    "autograph.api.derivatives.custom": (
        *("custom_jvp", "custom_vjp", "stop_gradient", "zero_cotangent"),
    ),
    "autograph.api.derivatives.expectations": ("expectation", "pathwise", "score_gradient"),
    "autograph.api.derivatives.jacobians": ("hessian", "hvp", "jacfwd", "jacrev"),
    "autograph.api.derivatives.linearization": ("linearize",),
    "autograph.api.derivatives.patterns": ("sparsity",),
    "autograph.api.derivatives.pullbacks": ("vjp",),
    "autograph.api.derivatives.sparse": ("sparse_hessian", "sparse_jacobian"),
    "autograph.api.derivatives.tangents": ("jvp",),
    "autograph.api.implicit": ("argmin", "fixed_point", "implicit", "root"),
    "autograph.api.odeint": ("Event", "odeint"),
    "autograph.api.pmap": ("pmap",),
    "autograph.api.precision": ("Policy", "precision"),
    "autograph.api.quantize": ("quantize",),
    "autograph.api.shard_map": ("shard_map",),
    "autograph.api.vmap": ("vmap",),
    "autograph.parallel.mesh": ("Mesh",),
    "autograph.parallel.sharded": ("ShardedArray", "put"),
    "autograph.parallel.specs": ("P",),
    "autograph.train.loss_scale": ("LossScale",),
}
_MODULES = {name: module for module, names in _LATER.items() for name in names}


if not TYPE_CHECKING:  # for which there are no names but those above

    def __getattr__(name: str) -> Any:
        module = _MODULES.get(name)
        if module is None:
            message = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(message, name=name, obj=sys.modules[__name__])
        if module == __name__:
            return importlib.import_module(f"{module}.{name}")
        found = globals()[name] = getattr(importlib.import_module(module), name)
        return found

    def __dir__() -> list[str]:
        return sorted({*__all__, *_MODULES, *(name for name in globals() if name[:2] == "__")})


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
