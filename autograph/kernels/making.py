"""What makes kernels of graphs, and of kernels the texts that LLVM compiles. A process that finds
its kernels on disk imports nothing of it, see `autograph.kernels.later`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from autograph.graph.graph import Graph
from autograph.kernels.ir import ir
from autograph.kernels.ir.generators import given_generators
from autograph.kernels.ir.work import library_share, most_work
from autograph.kernels.llvm import Target, print_apart, print_llvm, print_routine
from autograph.kernels.llvm.effort import brief_loops, needs_little
from autograph.kernels.lowering.kernel import lower
from autograph.kernels.lowering.values import CannotLower
from autograph.kernels.mathematics import expanded
from autograph.kernels.passes.contraction import contracted
from autograph.kernels.passes.host import finished, finished_briefly, for_host
from autograph.kernels.passes.nests import improved
from autograph.kernels.selection.parts import select
from autograph.kernels.selection.routines import identifier
from autograph.kernels.trips import long_from
from ops.core.records import NamedTuple
from ops.core.types import UnknownLengthError

__all__ = [
    "KernelText",
    "contracted",
    "for_gpu",
    "given_generators",
    "in_libraries",
    "long_from",
    "longest",
    "routine_text",
    "select",
    "text_for_reading",
    "text_of",
    "whole_text",
]


class KernelText(NamedTuple):
    """A kernel as text.

    Attributes:
        llvm: LLVM IR.
        quickly: see `autograph.kernels.llvm.effort`.
        whole: gives what is to be optimised, if that is another text, which computes the same.
    """

    llvm: str
    quickly: bool
    whole: Callable[[], str] | None = None


def text_of(kernel: ir.Kernel, name: str, brief: bool = False) -> KernelText:
    """A kernel, which calls its routines.

    Args:
        name: that it has there.
        brief: whether the text may be one for machine code that is made quickly.
    """
    made = improved(kernel.with_no_routines())

    def with_rest(body: ir.Kernel) -> ir.Kernel:
        return replace(expanded(body), name=name, routines=kernel.routines)

    found = finished_briefly(made) if brief else None
    body = with_rest(finished(made) if found is None else found)
    loops = frozenset(brief_loops(body.body)) if brief else frozenset()
    text = KernelText(print_apart(body, Target.host(), loops), needs_little(body))
    if found is not None:
        return text._replace(whole=lambda: print_apart(with_rest(finished(made)), Target.host()))
    return text._replace(whole=lambda: print_apart(body, Target.host())) if loops else text


def routine_text(routine: ir.Kernel, kernel: ir.Kernel) -> KernelText:
    """A routine of a kernel."""
    body = expanded(for_host(routine))
    return KernelText(print_routine(body, kernel.routines, Target.host()), needs_little(body))


def longest(kernel: ir.Kernel) -> float | None:
    """How many nanoseconds a call may take at most, if that is known."""
    return most_work(kernel.body)


def in_libraries(kernel: ir.Kernel) -> float:
    """Which part of its time, about, goes by in functions of libraries, from 0 to 1."""
    return library_share(kernel.body)


def for_gpu(graph: Graph, name: str, graphs: Mapping[str, Graph]) -> ir.Kernel | None:
    """The kernel of a graph for a GPU; None if there is none.

    Args:
        graphs: the named graphs that it calls.
    """
    try:
        return lower(graph, identifier(name), graphs, for_gpu=True)
    except (CannotLower, UnknownLengthError):
        return None


def whole_text(kernel: ir.Kernel) -> str:
    """A kernel as LLVM IR, with its routines, as it is compiled."""
    return print_llvm(expanded(for_host(kernel)), Target.host())


def text_for_reading(kernel: ir.Kernel) -> str:
    """A kernel as LLVM IR, in which functions such as ``exp`` are calls."""
    return print_llvm(for_host(kernel), Target.host(), comments=True)
