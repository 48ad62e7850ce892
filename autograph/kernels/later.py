"""What is imported when it is first needed. A process that finds all kernels on disk makes none."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.graph.graph import Graph
from autograph.kernels.native import compiler
from ops.random.numpy_streams import GivenGenerator


@functools.cache
def making() -> Any:
    """The module `autograph.kernels.making`."""
    with compiler.lock:  # a process that is forked meanwhile could never import it
        from autograph.kernels import making

        return making


def drawing_from(handles: Sequence[GivenGenerator]) -> Any:
    """See `autograph.kernels.drawing.Drawing`; few functions draw random numbers."""
    return _drawing().Drawing(handles)


@functools.cache
def _drawing() -> Any:
    with compiler.lock:
        from autograph.kernels import drawing

        return drawing


def refusal(graph: Graph, graphs: Mapping[str, Graph]) -> str | None:
    """See `autograph.kernels.selection.eligible`, of which batching asks, also where kernels are on
    disk. It needs less than `making`."""
    return _eligible().refusal(graph, graphs)


@functools.cache
def _eligible() -> Any:
    with compiler.lock:
        from autograph.kernels.selection import eligible

        return eligible
