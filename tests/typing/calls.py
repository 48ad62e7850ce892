"""`to_graph` keeps the signature of a function, and what it adds has types."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import autograph as ag
from autograph.api.plain_parts import PlainPart
from autograph.api.profiling import ProfileRow
from autograph.graph.graph import Module

Array = NDArray[np.float64]
x: Array = np.ones(3)


@ag.to_graph
def norm(x: Array, order: int = 2) -> float:
    return float(np.sum(np.abs(x) ** order) ** (1 / order))


@ag.to_graph(unroll_limit=8, static_argnames="order")
def with_options(x: Array, order: int = 2) -> float:
    return float(np.sum(np.abs(x) ** order) ** (1 / order))


@ag.to_graph
def untyped(x, order=2):
    return np.sum(np.abs(x) ** order)


assert_type(norm(x), float)
assert_type(norm(x, order=3), float)
assert_type(with_options(x, order=3), float)
untyped(x, order=3)
ag.to_graph(lambda x: x * x)(2.0)

norm("text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
norm(x, ordr=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
norm()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
with_options(x, "2")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ag.to_graph(norm, unroll=3)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
ag.to_grpah()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]

# What was made of it.
assert_type(norm.converted, str)
assert_type(norm.graph(x), Module)
assert_type(norm.graph(x).svg(), str)
assert_type(norm.explain(x).plain, list[PlainPart])
assert_type(norm.profile(x, repeat=2).rows, list[ProfileRow])
assert_type(norm.lower(ag.ShapeDtypeStruct((3,), np.float64)).graph, Module)
norm.save("norm.graph", x, order=3)
norm.grpah(x)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
norm.graph("text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
assert_type(ag.load("norm.graph")(x), Any)


# Functions that take functions know a compiled one for a function.
def apply(function: ag.GraphFunction[[Array, int], float]) -> float:
    return function(x, 3)
