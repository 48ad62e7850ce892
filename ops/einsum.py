"""``np.einsum`` in terms of transposes, sums and matrix products."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.contraction import matmul
from ops.elementwise import multiply
from ops.numpy_table import covers
from ops.rearrange import diagonal
from ops.reduction import sum
from ops.registry import dtype_of, ndim_of, shape_of
from ops.structural import reshape, squeeze, transpose

__all__ = [
    "einsum",
]


@covers(np.einsum)
def einsum(subscripts: str, *operands: Any, out: Any = None, optimize: Any = False) -> Any:
    """The sum of products that Einstein's notation describes.

    Operands are contracted from left to right, each pair by one matrix product.

    Args:
        subscripts: one term of letters per operand, one letter per axis, separated by commas;
            optionally ``->`` and the letters of the result. ``...`` stands for axes that broadcast.
        operands: arrays.

    Raises:
        ValueError: the subscripts do not fit the operands, or lengths differ.
    """
    if not isinstance(subscripts, str):
        raise NotImplementedError("einsum(): subscripts as lists are not supported")
    if out is not None:
        raise NotImplementedError("einsum(): the argument 'out' is not supported")
    inputs, output = _parse(subscripts, [ndim_of(x) for x in operands])
    lengths = _lengths(inputs, operands)
    labels, result = "", None
    for i, (other_labels, other) in enumerate(zip(inputs, operands), start=1):
        needed = set(output).union(*inputs[i:])
        other_labels, other = _simplified(other_labels, other, lengths, needed.union(labels))
        if result is None:
            labels, result = other_labels, other
        else:
            labels, result = _product(labels, result, other_labels, other, needed)
    return transpose(result, [labels.index(label) for label in output])


def _parse(subscripts: str, ndims: Sequence[int]) -> tuple[list[str], str]:
    """The labels of each operand's axes, and of the result's; ``...`` becomes letters too."""
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(ndims):
        raise ValueError(f"einsum: {len(terms)} terms in '{subscripts}', {len(ndims)} operands")
    unused = [letter for letter in string.ascii_letters if letter not in subscripts]
    spans = [
        ndim - len(term.replace("...", "")) if "..." in term else 0
        for term, ndim in zip(terms, ndims)
    ]
    if min(spans) < 0:
        raise ValueError(f"einsum: '{subscripts}' has more labels than an operand has axes")
    common = "".join(unused[: max(spans)])
    terms = [term.replace("...", common[len(common) - span :]) for term, span in zip(terms, spans)]
    if arrow:
        output = output.replace("...", common)
    else:
        letters = sorted(set(inputs) - set(".,"))
        output = common + "".join(c for c in letters if inputs.count(c) == 1)
    for term, ndim in zip(terms, ndims):
        if not (term.isalpha() or term == "") or len(term) != ndim:
            raise ValueError(f"einsum: '{term}' does not label {ndim} axes, in '{subscripts}'")
    unknown = set(output) - set("".join(terms))
    if unknown or len(set(output)) != len(output):
        raise ValueError(f"einsum: the result '{output}' repeats a label or has an unknown one")
    return terms, output


def _lengths(inputs: Sequence[str], operands: Sequence[Any]) -> dict[str, int]:
    """The length of each label; axes of length 1 broadcast."""
    lengths: dict[str, int] = {}
    for labels, x in zip(inputs, operands):
        for label, n in zip(labels, shape_of(x)):
            known = lengths.get(label, 1)
            if 1 not in (n, known) and n != known:
                raise ValueError(f"einsum: label '{label}' has lengths {known} and {n}")
            lengths[label] = n if known == 1 else known
    return lengths


def _simplified(labels: str, x: Any, lengths: dict[str, int], needed: set[str]) -> tuple[str, Any]:
    """An operand without repeated labels, labels that nothing else needs, and axes that
    broadcast."""
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            x = diagonal(x, axis1=first, axis2=second)
            labels = labels[:first] + labels[first + 1 : second] + labels[second + 1 :] + label
    broadcast = [i for i, n in enumerate(shape_of(x)) if n == 1 != lengths[labels[i]]]
    x = squeeze(x, tuple(broadcast))
    labels = "".join(label for i, label in enumerate(labels) if i not in broadcast)
    return _summed(labels, x, needed)


def _summed(labels: str, x: Any, needed: set[str]) -> tuple[str, Any]:
    axes = tuple(i for i, label in enumerate(labels) if label not in needed)
    if axes:
        x = sum(x, axes, dtype=dtype_of(x))
    return "".join(label for label in labels if label in needed), x


def _product(x_labels: str, x: Any, y_labels: str, y: Any, needed: set[str]) -> tuple[str, Any]:
    """The product of two operands, summed over the labels that only they have."""
    x_labels, x = _summed(x_labels, x, needed.union(y_labels))
    shared = [label for label in x_labels if label in y_labels]
    batch = "".join(label for label in shared if label in needed)
    summed = "".join(label for label in shared if label not in needed)
    x_free = "".join(label for label in x_labels if label not in shared)
    y_free = "".join(label for label in y_labels if label not in shared)
    lengths = dict(zip(x_labels + y_labels, shape_of(x) + shape_of(y)))

    def size(labels: str) -> int:
        return math.prod(lengths[label] for label in labels)

    x = transpose(x, [x_labels.index(label) for label in batch + x_free + summed])
    y = transpose(y, [y_labels.index(label) for label in batch + summed + y_free])
    x = reshape(x, (size(batch), size(x_free), size(summed)))
    y = reshape(y, (size(batch), size(summed), size(y_free)))
    product = matmul(x, y) if summed else multiply(x, y)
    labels = batch + x_free + y_free
    return labels, reshape(product, [lengths[label] for label in labels])
