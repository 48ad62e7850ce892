"""Forward-mode differentiation, graph to graph.

A graph G becomes one that computes, besides what G computes, how fast each result changes when the
inputs change at given rates. The tangent of a value has the value's type, and None stands for a
tangent that is zero. The tangents are computed next to the values, node by node and in the same
order, so nothing is kept for later: a loop carries the tangents of its state and no stack.

    y = f(x)            y, and y_dot from x_dot
    straight line       Elementwise: y_dot = the sum of partial * x_dot
                        Linear: y_dot = f(x_dot)
                        Custom: its own rule
    cond                each branch also gives the tangents of its results
    while_loop          the tangents are further state; the test does not see them
    for_loop            the same
    call @f             call @f_jvp, a graph made once for each choice of arguments that have
                        tangents
    packs and stacks    the tangent of a pack is a pack of tangents, that of a stack a stack

Only values that depend differentiably on the inputs have tangents (`active_values`); through loops
that is found to a fixed point.

What ``where`` does not choose does not reach the result, since the tangent is chosen likewise. So a
derivative that is infinite in the branch not taken does not leak here.

Complex numbers follow JAX's convention: the rules are C-linear. A tangent that comes out complex
for a real value, as of ``abs(z)``, is its real part. The rules of ``real``, ``imag`` and
``conjugate``, which are linear over the real numbers only, are those operators themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.graph.graph import Graph, Value
from autograph.transforms.analysis.activity import active_values
from autograph.transforms.forward.engine import Forward, Tangents


def jvp(graph: Graph, args: Sequence[Value], tangents: Tangents) -> tuple[list, list]:
    """Add ``graph`` applied to ``args`` to the current builder, and its derivative.

    Args:
        graph: a graph; what it captures does not move.
        args: what it is applied to.
        tangents: how fast these change; None for those that do not.

    Returns:
        (outputs, tangents of the outputs), with None for a tangent that is zero.
    """
    roots = [v for v, tangent in zip(graph.inputs, tangents) if tangent is not None]
    forward = Forward(active_values(graph, roots))
    env = dict(zip(graph.inputs, args))
    forward.move(graph.inputs, tangents)
    forward.run(graph, env)
    return [env.get(v, v) for v in graph.outputs], [forward.tangent(v) for v in graph.outputs]
