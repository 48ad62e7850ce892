"""The pipeline: all passes between the recording of a function and its program, in order.

What comes before: the source of each function, and of each that it calls, is converted by the
passes of `autograph.source.conversion`, and runs on symbolic values, which records a graph. What
comes after: the kernels of the program are compiled when it first runs.

`GRAPH_PASSES` take and give a module of graphs. What they make is `GraphFunction.graph`, it can be
saved, and is the same for all backends. `PROGRAM_PASSES` turn it into a program: "kernels" gives a
`Partition`, a module and those of its graphs that become kernels, the last one the `Program`.
`GraphFunction.stages` shows what each of them makes of a function.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

from autograph import passes
from autograph.codegen.driver import generate
from autograph.codegen.program import Program
from autograph.graph import verify
from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Module
from autograph.graph.shared import built_in
from autograph.kernels import cuda
from autograph.kernels.cuda.use import captures_programs
from autograph.kernels.partition import Partition, language_of, partitioned, runs_native_code
from autograph.passes import Observer, Pass
from autograph.settings import VERIFY
from autograph.transforms.analysis.aliases import copy_own_constants
from autograph.transforms.joined_loops import joined
from autograph.transforms.lanes.presence import expanded, has_lanes, settled
from autograph.transforms.missing_tangents import refuse_missing_tangents
from autograph.transforms.narrow_products import as_sums
from autograph.transforms.partial_sorts import with_partitions
from autograph.transforms.simplify.erase import erase, has_marks, without_marks
from autograph.transforms.simplify.shallow import shallow
from autograph.transforms.simplify.simplify import simplify_module
from autograph.transforms.trip_products import at_once
from ops.core.records import dataclass


@dataclass(frozen=True)
class Compilation:
    """What passes may ask for besides the graphs.

    Attributes:
        backend: a module of `autograph.backends`.
        capabilities: of the machine.
        outside: the identities of arrays from outside the function.
        donated: the positions of inputs of the main graph whose memory the program may write to.
        fast_math: whether native code may round products and sums together.
        apart: whether each operation of the program is a statement of its own.
    """

    backend: ModuleType
    capabilities: Capabilities
    outside: Collection[int] = ()
    donated: Collection[int] = ()
    fast_math: bool = False
    apart: bool = False


# -- graph to graph --------------------------------------------------------------------------------


def _inline(module: Module, compilation: Compilation) -> Module:
    return built_in(module)


def _settle(module: Module, compilation: Compilation) -> Module:
    return settled(module, compilation.capabilities)


def _erase(module: Module, compilation: Compilation) -> Module:
    return erase(module)


def _simplify(module: Module, compilation: Compilation) -> Module:
    return with_partitions(joined(simplify_module(module)))


def _copy(module: Module, compilation: Compilation) -> Module:
    return copy_own_constants(module, compilation.outside)


def _refuse(module: Module, compilation: Compilation) -> Module:
    refuse_missing_tangents(module)
    return module


GRAPH_PASSES = (
    Pass("inline", "what was to be called, and is called once, is put in its place", _inline),
    Pass("settle", "functions of one lane get a form for all lanes at once", _settle),
    Pass("erase", "what only transforms ask for goes", _erase),
    Pass("simplify", "the same with less work", _simplify),
    Pass("copy", "constants of the program that are results are copied", _copy),
    Pass("refuse", "tangents that there is no rule for are refused", _refuse),
)


# -- graph to program ------------------------------------------------------------------------------


def _products(module: Module, compilation: Compilation) -> Module:
    module = at_once(module)
    is_native = runs_native_code(compilation.backend, compilation.capabilities)
    return as_sums(module) if is_native else module


def _kernels(module: Module, compilation: Compilation) -> Partition:
    found = partitioned(
        without_marks(module),
        compilation.backend,
        compilation.capabilities,
        compilation.donated,
        compilation.fast_math,
    )
    return replace(found or Partition(module, {}), frees=has_marks(module))


def _expand(partition: Partition, compilation: Compilation) -> Partition:
    module, kernels = partition.module, partition.kernels
    return partition.with_module(expanded(module, kernels) if kernels else without_lanes(module))


def without_lanes(module: Module) -> Module:
    """The optimized module with operators on all lanes in place of functions of one lane."""
    return simplify_module(expanded(module)) if has_lanes(module) else module


def _unmark(partition: Partition, compilation: Compilation) -> Partition:
    return partition.with_module(without_marks(partition.module))


def _unnest(partition: Partition, compilation: Compilation) -> Partition:
    return partition.with_module(shallow(partition.module))


def _generate(partition: Partition, compilation: Compilation) -> Program:
    whole = partition.module
    is_cut = language_of(compilation.backend) == "cuda" and captures_programs()
    pieces: Mapping[str, Any] = {}
    if is_cut:
        from autograph.kernels.pieces import in_pieces

        module, pieces = in_pieces(whole, partition.kernels, compilation.donated)
        partition = partition.with_module(module)
        if VERIFY:
            verify.verify(module)
    program = generate(
        partition.module,
        compilation.backend,
        compilation.donated,
        frees=partition.frees,
        kernels=partition.kernels,
        apart=compilation.apart,
        pieces=pieces,
    )
    if language_of(compilation.backend) == "cuda":
        program.capturable = functools.partial(
            cuda.capture_of, whole, partition.kernels, compilation.donated
        )
    return program


PROGRAM_PASSES = (
    Pass("products", "products of the trips of a loop become one of all trips", _products),
    Pass("kernels", "what can run as native kernels becomes named graphs", _kernels),
    Pass("expand", "other functions of one lane become operators on all lanes", _expand),
    Pass("unmark", "marks of what is computed again go", _unmark),
    Pass("unnest", "control flow that is nested too deep becomes functions", _unnest),
    Pass("generate", "each graph becomes a function in Python", _generate),
)


_STANDARD = GRAPH_PASSES, PROGRAM_PASSES


def are_passes_own() -> bool:
    """Whether the passes are those of this package, so that its files say all about them."""
    return GRAPH_PASSES is _STANDARD[0] and PROGRAM_PASSES is _STANDARD[1]


# -- the loop --------------------------------------------------------------------------------------


def optimized(module: Module, compilation: Compilation, watch: Observer | None = None) -> Module:
    """What `GRAPH_PASSES` make of a recorded module.

    Raises:
        NonDifferentiableError: it needs tangents that there is no rule for.
    """
    if VERIFY:
        verify.verify(module)
    return passes.run(GRAPH_PASSES, module, compilation, check=_CHECK, watch=watch)


def program_of(module: Module, compilation: Compilation, watch: Observer | None = None) -> Program:
    """What `PROGRAM_PASSES` make of an optimized module.

    Raises:
        UnsupportedFunctionError: the backend lacks one of the operators.
    """
    return passes.run(PROGRAM_PASSES, module, compilation, check=_CHECK, watch=watch)


def _verify(made: Module | Partition | Program) -> None:
    """Check the rules of graphs after a pass, if it has made graphs."""
    if isinstance(made, Module):
        verify.verify(made)
    elif isinstance(made, Partition):
        verify.verify(made.module)


_CHECK = _verify if VERIFY else None
