"""Branches that only choose between scalars, as expressions, where the host may need the result.

    if n > 0:                  ->      count = n if n > 0 else 0
        count = n
    else:
        count = 0

So is the number of trips of `range(n)`. A launch would compute a branch, and leave the result in
memory, for which the host would wait; an expression of what the host knows it computes by itself.
Inside of independent loops, which the host does not see, branches stay.
"""

from __future__ import annotations

import dataclasses

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Block, Kernel, Statement


def with_choices(kernel: Kernel) -> Kernel:
    """The kernel with expressions for such branches. Its blocks are left as they are."""
    return dataclasses.replace(kernel, body=_chosen(kernel.body))


def _chosen(block: Block) -> Block:
    done: list[Statement] = []
    for s in block:
        match s:
            case ir.If() if not (s.then.statements or s.orelse.statements):
                sides = zip(s.results, s.then_results, s.else_results)
                done += [ir.Compute(out, "select", (s.condition, x, y)) for out, x, y in sides]
            case ir.If():
                then, orelse = _chosen(s.then), _chosen(s.orelse)
                done.append(dataclasses.replace(s, then=then, orelse=orelse))
            case ir.For():
                done.append(dataclasses.replace(s, body=_chosen(s.body)))
            case ir.While():
                test, body = _chosen(s.test), _chosen(s.body)
                done.append(dataclasses.replace(s, test=test, body=body))
            case _:
                done.append(s)
    return Block(done)
