"""Recursive functions: a function that calls itself while it is being recorded becomes a named
graph.

The type of its result is found by going round: at first a recursive call has no type, and a branch
that needs it is left out, so the other branch, the base case, gives a first type. The function is
recorded again with that type assumed for its recursive calls, until what is assumed is what comes
out.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import optree

from autograph.backends.select import is_array
from autograph.errors import (
    MutationError,
    RecursionTypeError,
    UnsupportedConstructError,
)
from autograph.graph.builder import Builder, current_builder
from autograph.staging.array import GraphArray
from autograph.staging.control import UnresolvedCall
from autograph.staging.region import Region
from autograph.staging.signature import Signature, argument_names
from autograph.staging.variables import (
    Mismatch,
    Variable,
    converted,
    join,
    rebuild,
    traced,
)
from autograph.staging.watch import unchanged_arguments
from ops import regions
from ops.types import PYTHON_SCALARS, ArrayType, type_of

if TYPE_CHECKING:
    from autograph.staging.tracer import Tracer

_MAX_PASSES = 10


@dataclass
class Named:
    """A recursive function being recorded, or recorded, as a named graph."""

    name: str
    function: Callable  # kept alive, so that the identities in its signature stay its own
    result: Variable | None = None


def call_converted(
    tracer: Tracer,
    function: types.FunctionType,
    runnable: Callable,
    args: tuple,
    kwargs: dict[str, Any],
) -> Any:
    """Run a converted function as part of the recording, or call its graph if it is recursive."""
    leaves, structure = optree.tree_flatten((args, kwargs), none_is_leaf=True)
    cells = tuple(id(cell) for cell in function.__closure__ or ())
    keys = tuple(_leaf_key(leaf) for leaf in leaves)
    signature = Signature(function.__code__, cells, structure, keys)
    symbolic = any(isinstance(leaf, GraphArray) for leaf in leaves)
    if symbolic and (signature in tracer.named or signature in tracer.running):
        return _call_named(tracer, signature, runnable, leaves)
    tracer.running.append(signature)
    try:
        return runnable(*args, **kwargs)
    finally:
        tracer.running.pop()


def _leaf_key(leaf: Any) -> Any:
    if isinstance(leaf, GraphArray):
        return leaf.type
    if is_array(leaf) or isinstance(leaf, (np.generic, *PYTHON_SCALARS)):
        return type_of(leaf)
    return leaf if isinstance(leaf, (str, bytes, type(None))) else id(leaf)


def _call_named(tracer: Tracer, signature: Signature, runnable: Callable, leaves: list) -> Any:
    named = tracer.named.get(signature)
    if named is None:
        named = _record(tracer, signature, runnable, leaves)
    if named.result is None:
        raise UnresolvedCall
    values = [
        converted(tracer.value_of(leaf), kind)
        for leaf, kind in zip(leaves, signature.leaves)
        if isinstance(kind, ArrayType)
    ]
    results = current_builder().add(
        regions.call, values, {"callee": named.name}, named.result.types
    )
    return rebuild(named.result, results)[0]


def _record(tracer: Tracer, signature: Signature, runnable: Callable, leaves: list) -> Named:
    graphs = current_builder().graphs
    name = signature.code.co_name
    while name in graphs or name == tracer.name:
        name += "_"
    named = tracer.named[signature] = Named(name, runnable)
    graphs[name] = None  # the name is taken
    try:
        for _ in range(_MAX_PASSES):
            region = Region(tracer, name)
            _record_body(tracer, region, signature, runnable, leaves)
            (fact,) = (traced(f) for f in region.facts)
            widened = fact if named.result is None else join(named.result, fact)
            if widened == named.result:
                graph = region.finish([widened], [])
                break
            named.result = widened
        else:
            raise Mismatch("the result's type does not settle")
    except UnresolvedCall:
        raise _type_error(tracer, signature, "every path through it calls it again") from None
    except Mismatch as mismatch:
        raise _type_error(tracer, signature, str(mismatch)) from None
    finally:
        if graphs[name] is None:
            del graphs[name], tracer.named[signature]
    if graph.captures:
        raise UnsupportedConstructError(
            f"the recursive function '{name}' uses traced values of the function around it",
            tracer.location(),
            fix="pass them as arguments",
        )
    graphs[name] = graph
    return named


def _record_body(
    tracer: Tracer, region: Region, signature: Signature, runnable: Callable, leaves: list
) -> None:
    builder: Builder = region.builder
    with region.recording(runnable):
        names = argument_names(runnable, signature.structure)
        inputs = [
            GraphArray(builder.input(kind, name)) if isinstance(kind, ArrayType) else leaf
            for leaf, kind, name in zip(leaves, signature.leaves, names)
        ]
        args, kwargs = optree.tree_unflatten(signature.structure, inputs)
        entered = [x.value for x in inputs if isinstance(x, GraphArray)]
        with unchanged_arguments(args, kwargs):
            result = runnable(*args, **kwargs)
        region.leave(("the result",), (result,))
        now = [x.value for x in inputs if isinstance(x, GraphArray)]
    if region.written or any(a is not b for a, b in zip(entered, now)):
        raise MutationError(
            f"the recursive function '{signature.code.co_name}' changes an array in place",
            tracer.location(),
            fix="return a changed copy instead",
        )


def _type_error(tracer: Tracer, signature: Signature, why: str) -> RecursionTypeError:
    return RecursionTypeError(
        f"the result type of the recursive function '{signature.code.co_name}' cannot be found: "
        f"{why}",
        tracer.location(),
        fix="give it a base case whose result has the type of the recursive one",
    )
