"""Reverse-mode differentiation, graph to graph.

A graph G becomes two: F computes what G computes, and B takes the cotangents of G's outputs to
those of its inputs. B refers to values of F; the ones it refers to are the *residuals*. So nothing
is decided beforehand about what is kept: B is built first, and what it captures is what F has to
leave.

Both are ordinary graphs made of ordinary operators, and can be differentiated again.

    y = f(x)          F: y, residuals        B: residuals, ct_y -> ct_x
    straight line     the same nodes         for each node backwards: ct_in += rule(ct_out)
    cond              each branch also       a cond on the same predicate; each branch unpacks what
                      packs its residuals    the forward branch packed
    while_loop        counts its trips and   a for_loop over the count that pops one pack per trip
                      pushes one pack a trip
    for_loop          pushes one pack a trip the same, with the index running backwards
    call @f           call @f_fwd            call @f_bwd; f's residuals are one pack in the caller's
    checkpoint        the same               the region again, then backwards
    lanes             the same               the region again, then backwards, in each lane

Which rule each structured node has is said in `autograph.transforms.rules`.

Complex numbers follow JAX's convention: the rules are C-linear, nothing is conjugated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.graph.graph import Graph, Value
from autograph.transforms.analysis.activity import active_values, useful_values
from autograph.transforms.reverse.shares import shared_out
from autograph.transforms.reverse.tape import Cotangents, Tape
from autograph.transforms.simplify.simplify import simplify


def vjp(
    graph: Graph,
    args: Sequence[Value],
    active: Sequence[bool],
    differentiated: Sequence[bool] | None = None,
) -> tuple[tuple, Callable]:
    """Add ``graph`` applied to ``args`` to the current builder, ready to be differentiated.

    Args:
        graph: a graph without captures.
        args: what it is applied to.
        active: which of its inputs to differentiate by.
        differentiated: which of its outputs may get cotangents; by default all.

    Returns:
        (outputs, pullback). ``pullback(cotangents)`` adds the backward pass to the builder that is
        current when it is called, which may be another one in whose scope the first is visible. It
        takes a cotangent or None for each output and returns one or None for each input.
    """
    # What is moved out of a loop here is no residual of its trips.
    graph = shared_out(simplify(graph))
    roots = [v for v, flag in zip(graph.inputs, active) if flag]
    flags = differentiated or [True] * len(graph.outputs)
    seeded = [v for v, flag in zip(graph.outputs, flags) if flag]
    tape = Tape(active_values(graph, roots) & useful_values(graph, seeded))
    env = dict(zip(graph.inputs, args))
    tape.forward(graph, env)
    outputs = tuple(env.get(v, v) for v in graph.outputs)

    def pullback(cotangents: Cotangents) -> list[Value | None]:
        return tape.backward(zip(graph.outputs, cotangents), graph.inputs)

    return outputs, pullback
