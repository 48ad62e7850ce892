"""Calling the batching rule of an operator on arrays."""

import itertools

import numpy as np

from ops.core.batching import Same
from ops.core.operands import operand_type


def combinations(n):
    """Which of some operands have lanes: each set of them, of many only each by itself and all."""
    if n <= 4:
        return [flags for flags in itertools.product((False, True), repeat=n) if any(flags)]
    return [tuple(i == k for i in range(n)) for k in range(n)] + [(True,) * n]


def stacked(lanes, flags):
    """Operands, those with lanes stacked."""
    return [
        np.stack([lane[i] for lane in lanes]) if flag else lanes[0][i]
        for i, flag in enumerate(flags)
    ]


def check_rule(op, lanes, flags, attrs):
    """The rule gives what the operator gives in each of ``lanes``, lists of operands; also of no
    lanes at all."""
    expected = [op.evaluate(np, operands, attrs) for operands in lanes]
    single = not isinstance(expected[0], tuple)
    expected = [[e] if single else e for e in expected]
    for size in (len(lanes), 0):
        args = [x[:size] if flag else x for x, flag in zip(stacked(lanes, flags), flags)]
        results = op.batch(size, flags, args, **attrs)
        for i, result in enumerate([results] if single else results):
            if isinstance(result, Same):
                assert type(result.value) is type(expected[0][i])
                assert all(e[i] == result.value for e in expected)
                continue
            wanted = np.stack([e[i] for e in expected])[:size]
            found = operand_type(result)
            assert (found.dtype, found.shape, found.weak) == (wanted.dtype, wanted.shape, False)
            np.testing.assert_allclose(result, wanted, rtol=1e-10, atol=1e-10)
