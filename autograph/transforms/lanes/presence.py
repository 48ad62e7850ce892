"""Functions of one lane in a module, where there are any: few programs have some, and the others
have no use for what becomes of them, see `node`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Module, walk
from ops.control import regions


def has_lanes(module: Module) -> bool:
    """Whether there is such a node anywhere in a module."""
    return any(
        node.op is regions.lanes
        for graph in (module.main, *module.graphs.values())
        for node in walk(graph)
    )


def settled(module: Module, capabilities: Capabilities) -> Module:
    """See `node.settled`."""
    return _node().settled(module, capabilities) if has_lanes(module) else module


def expanded(module: Module, kernels: Collection[str] = ()) -> Module:
    """See `node.expanded`."""
    return _node().expanded(module, kernels) if has_lanes(module) else module


def for_machine(module: Module, capabilities: Capabilities) -> Module:
    """A module that another machine has settled, expanded if there are no kernels on this one."""
    return module if capabilities.native else expanded(module)


def _node() -> Any:
    from autograph.transforms.lanes import node

    return node
