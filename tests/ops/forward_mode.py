"""Forward mode by dual numbers, as small as it gets, to check the operators' rules against.

Duals nest: the primal and the tangent of one level may be duals of a lower level. So the rules are
exercised to any order, without any of the compiler's own transforms.
"""

import itertools

import numpy as np

from ops.arrays.creation import zeros_like
from ops.core.operands import Symbolic, operand_type, shape_of
from ops.core.registry import Elementwise, Linear
from ops.elementwise import add, multiply
from ops.structure.broadcasting import broadcast_to

_levels = itertools.count(1)


class Dual(Symbolic):
    """A value and its rate of change."""

    def __init__(self, primal, tangent, level):
        self.primal = primal
        self.tangent = tangent
        self.apply_priority = level

    @property
    def type(self):
        return operand_type(self.primal)

    def __apply__(self, op, args, attrs):
        level = self.apply_priority
        is_ours = [isinstance(a, Dual) and a.apply_priority == level for a in args]
        primals = [a.primal if ours else a for a, ours in zip(args, is_ours)]
        tangents = [a.tangent if ours else None for a, ours in zip(args, is_ours)]
        out = op.apply(primals, attrs)
        tangent = tangent_of(op, primals, tangents, out, attrs)
        return out if tangent is None else Dual(out, tangent, level)


def tangent_of(op, primals, tangents, out, attrs):
    """The tangent of ``op(*primals)``, by the operator's own rule; None if it is zero."""
    if isinstance(op, Elementwise):
        terms = [
            multiply(t, partial(*primals, out) if callable(partial) else partial)
            for t, partial in zip(tangents, op.partials)
            if t is not None and partial is not None
        ]
        return _total(terms, out)
    if isinstance(op, Linear):
        return _linear_tangent(op, primals, tangents, out, attrs)
    if not op.differentiable:
        return None
    tangents = [zeros_like(p) if t is None else t for p, t in zip(primals, tangents)]
    (tangent,) = op.jvp(tangents, primals, (out,), **attrs)
    return tangent


def _linear_tangent(op, primals, tangents, out, attrs):
    variadic = callable(op.transposes)
    linear = [
        variadic or (i < len(op.transposes) and op.transposes[i]) for i in range(len(primals))
    ]
    moving = [i for i, t in enumerate(tangents) if t is not None and linear[i]]
    if not moving:
        return None
    if op.joint:
        args = [
            p if not lin else zeros_like(p) if t is None else t
            for p, t, lin in zip(primals, tangents, linear)
        ]
        return op.apply(args, attrs)
    terms = []
    for i in moving:
        args = [*primals]
        args[i] = tangents[i]
        terms.append(op.apply(args, attrs))
    return _total(terms, out)


def _total(terms, out):
    terms = [broadcast_to(t, shape_of(out)) for t in terms]
    total = terms[0] if terms else None
    for term in terms[1:]:
        total = add(total, term)
    return total


def derivative(function, args, tangents):
    """The directional derivative of ``function`` at ``args`` along ``tangents``."""
    level = next(_levels)
    out = function(*(Dual(x, t, level) for x, t in zip(args, tangents)))
    if isinstance(out, Dual) and out.apply_priority == level:
        return out.tangent
    return zeros_like(out)


def difference(function, args, tangents, step=1e-6):
    """The same by central differences, extrapolated once."""

    def quotient(h):
        ahead = function(*(x + h * t for x, t in zip(args, tangents)))
        behind = function(*(x - h * t for x, t in zip(args, tangents)))
        return (np.asarray(ahead) - np.asarray(behind)) / (2 * h)

    step *= 100
    return (4 * quotient(step / 2) - quotient(step)) / 3
