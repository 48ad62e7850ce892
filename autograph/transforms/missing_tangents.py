"""Tangents that forward mode needs and that there is no rule for: of functions whose derivative the
user has written for reverse mode only, see `custom_rules`."""

from __future__ import annotations

from autograph.errors import NonDifferentiableError
from autograph.graph.graph import Module, walk
from ops.control import regions


def refuse_missing_tangents(module: Module) -> None:
    """Refuse a simplified module that needs tangents which there is no rule for.

    Raises:
        NonDifferentiableError: it does.
    """
    for graph in (module.main, *module.graphs.values()):
        for node in walk(graph):
            if node.op is regions.missing_tangent:
                raise NonDifferentiableError(
                    f"'{node.attrs['name']}' has a rule for reverse mode only (custom_vjp), and is "
                    "differentiated in forward mode",
                    node.location or node.attrs["defined"],
                    id="AG0523",
                    others=(("defined", node.attrs["defined"]),) if node.location else (),
                    fix="give it a rule for forward mode with its defjvp, or one for both modes "
                    "with custom_jvp; or use grad or vjp",
                )
