"""What makes kernels of graphs, and of kernels the texts that LLVM compiles. A process that finds
its kernels on disk imports nothing of it, see `autograph.kernels.later`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from autograph.graph.graph import Graph
from autograph.kernels.ir import ir
from autograph.kernels.ir.generators import given_generators
from autograph.kernels.ir.work import library_share, most_work
from autograph.kernels.llvm import Target, print_apart, print_llvm, print_routine
from autograph.kernels.llvm.effort import brief_loops, needs_little
from autograph.kernels.lowering.kernel import lower
from autograph.kernels.lowering.values import CannotLower
from autograph.kernels.mathematics import expanded
from autograph.kernels.native import compiler
from autograph.kernels.passes.as_lowered import is_short
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

    def with_rest(body: ir.Kernel) -> ir.Kernel:
        return replace(expanded(body), name=name, routines=kernel.routines)

    def printed(body: ir.Kernel, loops: Collection[ir.Each] = ()) -> str:
        return print_apart(body, host(), frozenset(loops))

    if brief and is_short(kernel):
        body = with_rest(kernel)
        text = printed(body, frozenset(brief_loops(body)))
        return KernelText(text, needs_little(body), lambda: text_of(kernel, name).llvm)
    passes = _passes()
    made = passes.improved(kernel.with_no_routines())
    found = passes.finished_briefly(made) if brief else None
    body = with_rest(passes.finished(made) if found is None else found)
    loops = frozenset(brief_loops(body)) if brief else frozenset[ir.Each]()
    result = KernelText(printed(body, loops), needs_little(body))
    if found is not None:
        return result._replace(whole=lambda: printed(with_rest(passes.finished(made))))
    return result._replace(whole=lambda: printed(body)) if loops else result


@functools.cache
def host() -> Target:
    """This machine, as text is written for it."""
    triple, cpu, features, _ = compiler.host()
    return Target.of(triple, cpu, features)


@functools.cache
def _passes() -> Any:
    """The module `autograph.kernels.passes.host`, which kernels that are short go without."""
    with compiler.lock:  # a process that is forked meanwhile could never import it
        from autograph.kernels.passes import host as passes

        return passes


def routine_text(routine: ir.Kernel, kernel: ir.Kernel) -> KernelText:
    """A routine of a kernel."""
    body = expanded(_passes().for_host(routine))
    return KernelText(print_routine(body, kernel.routines, host()), needs_little(body))


def longest(kernel: ir.Kernel) -> float | None:
    """How many nanoseconds a call may take at most, if that is known."""
    routines = kernel.routines.values()
    if any(routine.recursive or most_work(routine.body) is None for routine in routines):
        return None
    return most_work(kernel.body)


def in_libraries(kernel: ir.Kernel) -> float:
    """Which part of its time, about, goes by in functions of libraries, from 0 to 1."""
    return library_share(kernel.body)


def contracted(kernel: ir.Kernel) -> ir.Kernel:
    """See `autograph.kernels.passes.contraction`."""
    from autograph.kernels.passes import contraction

    return contraction.contracted(kernel)


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
    return print_llvm(expanded(_passes().for_host(kernel)), host())


def text_for_reading(kernel: ir.Kernel) -> str:
    """A kernel as LLVM IR, in which functions such as ``exp`` are calls."""
    return print_llvm(_passes().for_host(kernel), host(), comments=True)
