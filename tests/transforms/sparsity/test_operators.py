"""What is said to depend on what in an operator, beside what changes when an element does."""

import functools

import numpy as np
import pytest

from autograph.transforms.sparsity.elements import OperandFacts
from autograph.transforms.sparsity.operators import ALL, SAME, OperatorDependence, has_derivative
from ops.core.registry import REGISTRY, Custom, Elementwise
from ops.core.types import ArrayType, type_of
from tests.ops.test_traits import nodes


def is_float(x):
    return np.asarray(x).dtype.kind in "fc" and type_of(x) is not None


def relations(op, operands, attrs, outs, known=()):
    """For each result, and each floating-point operand, whether each element depends on each."""
    types = [type_of(x) for x in operands]
    facts = [
        OperandFacts(
            t, x if i in known or not is_float(x) else None, is_float(x) and i not in known
        )
        for i, (t, x) in enumerate(zip(types, operands))
    ]
    found = OperatorDependence(op, attrs, facts, [type_of(out) for out in outs]).relations()
    dense = []
    for out, by_operand in zip(outs, found):
        dense.append({})
        for i, x in enumerate(operands):
            if is_float(x) and i not in known:
                relation, shape = by_operand.get(i), (np.size(out), np.size(x))
                if relation is None:
                    dense[-1][i] = np.zeros(shape, bool)
                elif relation is ALL:
                    dense[-1][i] = np.ones(shape, bool)
                else:
                    dense[-1][i] = (
                        np.eye(*shape, dtype=bool) if relation is SAME else (relation.toarray())
                    )
    return dense


def changes(op, operands, attrs, outs, position):
    """For each result which of its elements change with which of an operand."""
    x = np.asarray(operands[position])
    found = [np.zeros((np.size(out), x.size), bool) for out in outs]
    for column in range(x.size):
        for step in (1e-3, -0.31):
            moved = x.copy()
            moved.reshape(-1)[column] += step
            moved = moved if isinstance(operands[position], np.ndarray) else moved[()]
            try:
                again = op.evaluate(
                    np, [*operands[:position], moved, *operands[position + 1 :]], attrs
                )
            except Exception:
                continue
            again = again if len(outs) > 1 else [again]
            for matrix, out, new in zip(found, outs, again):
                close = 1e-5 if np.asarray(out).dtype == np.float32 else 1e-11  # as BLAS rounds
                same = np.isclose(out, new, rtol=close, atol=close, equal_nan=True)
                matrix[:, column] |= ~same.reshape(-1)
    return found


def has_rule(op):
    return not (isinstance(op, Custom) and (not op.differentiable or op.vjp is op.jvp is None))


@functools.cache
def cases():
    found = []
    for op, operands, attrs, out in nodes():
        outs = list(out) if isinstance(out, tuple) else [out]
        types = [type_of(x) for x in operands]
        numbers = all(isinstance(t, ArrayType) for t in types) and all(
            isinstance(t, ArrayType) and t.is_static for t in op.infer(*types, **attrs)
        )
        if op.rule.__module__.startswith("ops.") and numbers and has_rule(op) and not op.effect:
            found.append((op, operands, attrs, outs))
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_what_changes_with_an_element_is_said_to_depend_on_it():
    seen, exact = set(), set()
    for op, operands, attrs, outs in cases():
        said = relations(op, operands, attrs, outs)
        for i, x in enumerate(operands):
            if not is_float(x) or np.size(x) == 0 or not has_derivative(op, i):
                continue
            for of_result, changed, out in zip(said, changes(op, operands, attrs, outs, i), outs):
                if is_float(out):
                    assert not (changed & ~of_result[i]).any(), (op.name, attrs, i)
                    seen.add(op.name)
                    if np.array_equal(changed, of_result[i]):
                        exact.add(op.name)
    assert len(seen) > 120, len(seen)
    assert exact >= {"add", "getitem", "reshape", "concatenate", "matmul", "sum", "roll", "tile"}


# Those of which nothing is told, and why that is all there is to say, or all that is said.
UNTOLD = {
    "append_row": "of unknown length",
    "drop_row": "of unknown length",
    "draw": "has no derivative",
    "draw_next": "has no derivative",
    "io_callback": "has no derivative",
    "gamma_slope": "has no derivative",
    "exact_statistic": "one number of all",
    "fsum": "one number of all",
    "least_squares": "one system",
    "pure_callback": "unknown",
    "python_draw": "has no derivative",
    "vectorized_callback": "unknown",
    "max_chosen": "of windows that overlap",
    "max_shared": "of windows that overlap",
    "random_gamma": "drawn from numbers of one shape",
}


def test_operators_with_derivatives_say_what_they_depend_on():
    """`ALL` is right for everything, and useless; a new operator says more, or stands here."""
    told = ("element", "fold", "scan", "expansion", "reads")
    silent = {
        op.name
        for op in REGISTRY.values()
        if op.rule.__module__.startswith("ops.")
        and not isinstance(op, Elementwise)
        and has_rule(op)
        and not any(getattr(op, name) is not None for name in told)
        and not op.aligned
        and op.zeros != "kept"
        and not op.rule.__module__.startswith(("ops.control.regions", "ops.control.collectives"))
        and op.name not in UNTOLD
    }
    assert not silent, sorted(silent)
