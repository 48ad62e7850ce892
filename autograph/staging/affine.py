"""Integer expressions as affine forms, to find the length of a slice whose bounds are symbolic.

``x[i * b : (i + 1) * b]`` has a known length, b, though neither bound is known: both are written as
sums of multiples of values, and the difference of the sums is a constant.
"""

from __future__ import annotations

from typing import Any

from autograph.graph.graph import Constant, Value

Form = dict["Value | None", int]  # coefficients; that of None is the constant term


def difference(stop: Any, start: Any) -> int | None:
    """``stop - start`` if it is the same whatever the symbolic values in both turn out to be."""
    a, b = _form(stop), _form(start)
    total = {key: a.get(key, 0) - b.get(key, 0) for key in (*a, *b)}
    constant = total.pop(None, 0)
    return None if any(total.values()) else constant


def _form(operand: Any) -> Form:
    if not isinstance(operand, Value):
        return {None: int(operand)}
    if isinstance(operand, Constant):
        return {None: int(operand.data)}
    node = operand.producer
    if node is None or operand.type.dtype.kind not in "iu":
        return {operand: 1}
    name = node.op.name
    if name == "add":
        return _combined(_form(node.inputs[0]), _form(node.inputs[1]), 1)
    if name == "subtract":
        return _combined(_form(node.inputs[0]), _form(node.inputs[1]), -1)
    if name == "negative":
        return _combined({}, _form(node.inputs[0]), -1)
    if name == "multiply":
        a, b = (_form(v) for v in node.inputs)
        for x, y in ((a, b), (b, a)):
            if set(x) <= {None}:
                return _combined({}, y, x.get(None, 0))
    return {operand: 1}


def _combined(a: Form, b: Form, factor: int) -> Form:
    result = dict(a)
    for key, coefficient in b.items():
        result[key] = result.get(key, 0) + factor * coefficient
    return result
