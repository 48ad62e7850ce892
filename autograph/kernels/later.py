"""What is imported when it is first needed. A process that finds all kernels on disk makes none."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from autograph.graph.graph import Graph
from autograph.kernels.native import compiler


@functools.cache
def making() -> Any:
    """The module `autograph.kernels.making`."""
    with compiler.lock:  # a process that is forked meanwhile could never import it
        from autograph.kernels import making

        return making


def refusal(graph: Graph, graphs: Mapping[str, Graph]) -> str | None:
    """See `autograph.kernels.selection.eligible`, of which batching asks, also where kernels are on
    disk. It needs less than `making`."""
    return _eligible().refusal(graph, graphs)


@functools.cache
def _eligible() -> Any:
    with compiler.lock:
        from autograph.kernels.selection import eligible

        return eligible
