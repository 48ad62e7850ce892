"""``np.einsum`` in terms of transposes, sums and matrix products."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.arrays.diagonals import diagonal
from ops.arrays.joining import array
from ops.arrays.reduction import unwrapped
from ops.core.lengths import RunLength, lengths_of
from ops.core.numpy_table import covers, deliver
from ops.core.operands import Symbolic, dims_of, dtype_of, index_of, ndim_of, operand_type
from ops.core.types import Casting, numpy_dtype
from ops.elementwise import multiply
from ops.elementwise.conversion import astype, cast
from ops.structure.broadcasting import sum
from ops.structure.identity import copy
from ops.structure.permuting import transpose
from ops.structure.reshaping import expand_dims, merged, reshape, squeeze

__all__ = [
    "einsum",
    "einsum_path",
]

_LETTERS = string.ascii_uppercase + string.ascii_lowercase  # in the order in which they are sorted

# -- the function ----------------------------------------------------------------------------------


@covers(np.einsum)
def einsum(
    *operands: Any,
    out: Any = None,
    optimize: Any = False,
    dtype: Any = None,
    order: str = "K",
    casting: Casting = "safe",
) -> Any:
    """The sum of products that Einstein's notation describes.

    Operands are contracted in pairs, each by one matrix product, in the order that
    ``np.einsum_path`` finds to be the best.

    Args:
        operands: the subscripts and the arrays: a text with one term per array, one letter per
            axis, separated by commas, optionally ``->`` and the letters of the result, where
            ``...`` stands for axes that broadcast; then the arrays. Or each array followed by a
            list of integers, or Ellipsis, in place of the letters, and at the end that of the
            result.
        out: an array for the result.
        optimize: False, a path as ``np.einsum_path`` gives it, or what it takes. If not False, each
            step, also the sum of one operand over axes of its own, has the dtype of its operands.
        dtype: in which to compute; by default that of all operands together.
        order: without meaning here.
        casting: which conversions to ``dtype`` and of the result to ``out`` are allowed.

    Raises:
        ValueError: the subscripts do not fit the operands, or lengths differ.
        TypeError: a conversion that is not allowed.
    """
    if order is not None and str(order).upper() not in ("C", "F", "A", "K"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")
    subscripts, arrays = _as_text(operands)
    optimize = _known(optimize)
    whole = optimize is False or optimize is None
    inputs, output = _parse(subscripts, [ndim_of(x) for x in arrays], whole)
    lengths = _lengths(inputs, arrays)
    found = np.result_type(*(dtype_of(x) for x in arrays)) if dtype is None else numpy_dtype(dtype)
    for x in arrays:
        if not np.can_cast(dtype_of(x), found, casting):
            raise TypeError(
                f"einsum: cannot cast {dtype_of(x)} to {found} according to the rule '{casting}'"
            )
    if whole or dtype is not None:  # else each step has the dtype of what it takes
        arrays = [astype(x, found) for x in arrays]
    terms = [*zip(inputs, arrays)]
    path = _path(inputs, output, arrays, optimize)
    for positions in path:
        rest = [term for i, term in enumerate(terms) if i not in positions]
        needed = set(output).union(*(labels for labels, _ in rest))
        terms = [*rest, _contracted([terms[i] for i in positions], lengths, needed)]
    ((labels, result),) = terms
    result = transpose(result, [labels.index(label) for label in output])
    if not output and not whole:
        result = copy(result) if _leaves_array(inputs, arrays, path) else unwrapped(result)
    else:
        result = unwrapped(result)
    return result if out is None else deliver(result, out, casting)


@covers(np.einsum_path)
def einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: bool = False) -> Any:
    """``np.einsum_path``: the order in which it is best to contract, which shapes tell."""
    if einsum_call:
        raise NotImplementedError("einsum_path(): the argument 'einsum_call' is not supported")
    subscripts, arrays = _as_text(operands)
    return np.einsum_path(subscripts, *map(_stand_in, arrays), optimize=_known(optimize))


# -- the notation ----------------------------------------------------------------------------------


def _as_text(operands: Sequence[Any]) -> tuple[str, list[Any]]:
    """The subscripts as text, and the arrays."""
    if not operands:
        raise ValueError("must specify the einstein sum subscripts string and at least one operand")
    if isinstance(operands[0], str):
        subscripts, arrays = operands[0], operands[1:]
    else:
        pairs = [operands[i : i + 2] for i in range(0, len(operands) - 1, 2)]
        arrays = [x for x, _ in pairs]
        subscripts = ",".join(_letters(labels) for _, labels in pairs)
        if len(operands) % 2:
            subscripts += "->" + _letters(operands[-1])
    if not arrays:
        raise ValueError("must provide at least one operand to einsum")
    arrays = [array(x) if isinstance(x, (list, tuple)) else x for x in arrays]
    return subscripts, [cast(x) if operand_type(x).weak else x for x in arrays]


def _known(optimize: Any) -> Any:
    """The argument ``optimize`` with Python's integers in the place of symbolic ones."""
    if isinstance(optimize, (list, tuple)):
        return type(optimize)(map(_known, optimize))
    return index_of(optimize) if isinstance(optimize, Symbolic) else optimize


def _letters(labels: Any) -> str:
    if not isinstance(labels, (list, tuple, np.ndarray)):
        raise TypeError(f"einsum: subscripts are texts or lists, not {type(labels).__name__}")
    text = ""
    for label in labels:
        if isinstance(label, Symbolic):
            label = index_of(label)
        if label is Ellipsis:
            text += "..."
        elif isinstance(label, (int, np.integer)) and 0 <= label < len(_LETTERS):
            text += _LETTERS[label]
        elif isinstance(label, (int, np.integer)):
            raise ValueError("einsum: subscript is not within the valid range [0, 52)")
        else:
            raise TypeError("einsum: each subscript must be either an integer or an ellipsis")
    return text


def _parse(subscripts: str, ndims: Sequence[int], whole: bool = True) -> tuple[list[str], str]:
    """The labels of each operand's axes, and of the result's; ``...`` becomes letters too.

    Args:
        whole: if the result is given, axes that ``...`` stands for have to be in it.
    """
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(ndims):
        raise ValueError(f"einsum: {len(terms)} terms in '{subscripts}', {len(ndims)} operands")
    spare = [chr(n) for n in range(0x100, 0x140)]  # names for the axes that ... stands for
    spans = [
        ndim - len(term.replace("...", "", 1)) if "..." in term else 0
        for term, ndim in zip(terms, ndims)
    ]
    if min(spans) < 0:
        raise ValueError(f"einsum: '{subscripts}' has more labels than an operand has axes")
    common = "".join(spare[: max(spans)])
    for term, ndim in zip([*terms, output], [*ndims, None]):
        letters = term.replace("...", "", 1)
        if not all(letter in _LETTERS for letter in letters):
            raise ValueError(f"einsum: '{term}' does not consist of letters, in '{subscripts}'")
        if ndim is not None and "..." not in term and len(term) != ndim:
            raise ValueError(f"einsum: '{term}' does not label {ndim} axes, in '{subscripts}'")
    terms = [
        term.replace("...", common[len(common) - span :], 1) for term, span in zip(terms, spans)
    ]
    if not arrow:
        found = sorted(set(inputs) - set(".,"))
        output = common + "".join(c for c in found if inputs.count(c) == 1)
    elif "..." in output:
        output = output.replace("...", common)
    elif common and whole:
        raise ValueError(f"einsum: the result '{output}' has no place for the axes of '...'")
    unknown = set(output) - set("".join(terms))
    if unknown or len(set(output)) != len(output):
        raise ValueError(f"einsum: the result '{output}' repeats a label or has an unknown one")
    return terms, output


def _lengths(inputs: Sequence[str], operands: Sequence[Any]) -> dict[str, int | None]:
    """The length of each label, None if known only at run time; axes of length 1 broadcast."""
    lengths: dict[str, int | None] = {}
    for labels, x in zip(inputs, operands):
        for label, n in zip(labels, dims_of(x)):
            same = {m for other, m in zip(labels, dims_of(x)) if other == label and m is not None}
            if len(same) > 1:
                raise ValueError(f"einsum: label '{label}' has lengths {same} in one operand")
            known = lengths.get(label, 1)
            if None not in (n, known) and 1 not in (n, known) and n != known:
                raise ValueError(f"einsum: label '{label}' has lengths {known} and {n}")
            if known == 1 or (known is None and n != 1):
                lengths[label] = n
            else:
                lengths[label] = known
    return lengths


# -- the order -------------------------------------------------------------------------------------


def _stand_in(x: Any) -> np.ndarray:
    """An array of the shape of ``x``, which takes no memory. Lengths known only at run time are
    taken to be large."""
    shape = tuple(64 if n is None else n for n in dims_of(x))
    return np.broadcast_to(np.zeros((), dtype_of(x)), shape)


def _path(
    inputs: Sequence[str], output: str, operands: Sequence[Any], optimize: Any
) -> list[tuple[int, ...]]:
    """Which operands to contract: positions in a list, from which they are taken out, and at whose
    end the result is put."""
    if len(operands) < 3 or any(0 in dims_of(x) for x in operands):
        return [tuple(range(len(operands)))]
    names = dict(zip(dict.fromkeys("".join(inputs)), _LETTERS))
    if len(names) < len(set("".join(inputs))):
        return [tuple(range(len(operands)))]
    terms = ["".join(names[label] for label in labels) for labels in (*inputs, output)]
    subscripts = f"{','.join(terms[:-1])}->{terms[-1]}"
    wanted = "greedy" if isinstance(optimize, bool) or optimize is None else optimize
    path, _ = np.einsum_path(subscripts, *map(_stand_in, operands), optimize=wanted)
    return [tuple(positions) for positions in path[1:]]


def _leaves_array(inputs: Sequence[str], operands: Sequence[Any], path: list) -> bool:
    """Whether NumPy, when it optimizes, gives an array of no axes and not a number: it does if its
    last step is a matrix product, which arrays of the same labels tell that have little in them."""
    names = dict(zip(dict.fromkeys("".join(inputs)), _LETTERS))
    if len(names) < len(set("".join(inputs))):
        return False
    terms = ["".join(names[label] for label in labels) for labels in inputs]
    shapes = [tuple(2 if n is None else min(n, 2) for n in dims_of(x)) for x in operands]
    small = [np.zeros(shape) for shape in shapes]
    found = np.einsum(f"{','.join(terms)}->", *small, optimize=["einsum_path", *path])
    return isinstance(found, np.ndarray)


# -- contractions ----------------------------------------------------------------------------------


def _contracted(
    terms: Sequence[tuple[str, Any]], lengths: dict[str, int | None], needed: set[str]
) -> tuple[str, Any]:
    """The product of some operands, from left to right, with the labels that are needed left."""
    if len(terms) > 2:
        dtype = np.result_type(*(dtype_of(x) for _, x in terms))
        terms = [(names, astype(x, dtype)) for names, x in terms]
    labels, result = "", None
    for i, (other_labels, other) in enumerate(terms, start=1):
        later = needed.union(*(names for names, _ in terms[i:]))
        other_labels, other = _simplified(other_labels, other, lengths, later.union(labels))
        if result is None:
            labels, result = other_labels, other
        else:
            labels, result = _product(labels, result, other_labels, other, later)
    return labels, result


def _simplified(
    labels: str, x: Any, lengths: dict[str, int | None], needed: set[str]
) -> tuple[str, Any]:
    """An operand without repeated labels, labels that nothing else needs, and axes that
    broadcast."""
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            x = diagonal(x, axis1=first, axis2=second)
            labels = labels[:first] + labels[first + 1 : second] + labels[second + 1 :] + label
    broadcast = [i for i, n in enumerate(dims_of(x)) if n == 1 != lengths[labels[i]]]
    if broadcast:
        x = squeeze(x, tuple(broadcast))
        labels = "".join(label for i, label in enumerate(labels) if i not in broadcast)
    return _summed(labels, x, needed)


def _summed(labels: str, x: Any, needed: set[str]) -> tuple[str, Any]:
    axes = tuple(i for i, label in enumerate(labels) if label not in needed)
    if axes:
        x = sum(x, axes, dtype=dtype_of(x))
    return "".join(label for label in labels if label in needed), x


def _arranged(labels: str, x: Any, groups: Sequence[str]) -> Any:
    """``x`` with one axis for each group of labels, in their order."""
    order = [labels.index(label) for label in "".join(groups)]
    if order != list(range(len(order))):
        x = transpose(x, order)
    if all(len(group) == 1 for group in groups):
        return x
    lengths = iter(lengths_of(x))
    return reshape(x, [merged([next(lengths) for _ in group]) for group in groups])


def _product(x_labels: str, x: Any, y_labels: str, y: Any, needed: set[str]) -> tuple[str, Any]:
    """The product of two operands, summed over the labels that only they have."""
    x_labels, x = _summed(x_labels, x, needed.union(y_labels))
    y_labels, y = _summed(y_labels, y, needed.union(x_labels))
    shared = [label for label in x_labels if label in y_labels]
    batch = "".join(label for label in shared if label in needed)
    summed = "".join(label for label in shared if label not in needed)
    x_free = "".join(label for label in x_labels if label not in shared)
    y_free = "".join(label for label in y_labels if label not in shared)
    if not summed:
        return x_labels + y_free, _multiplied(x_labels, x, y_labels, y, y_free)
    lengths: dict[str, int | RunLength] = dict(zip(y_labels, lengths_of(y)))
    lengths.update(zip(x_labels, lengths_of(x)))
    rows, columns = ([free] if free or batch else [] for free in (x_free, y_free))
    batches = [batch] if batch else []
    left = _arranged(x_labels, x, [*batches, *rows, summed])
    right = _arranged(y_labels, y, [*batches, summed, *columns])
    labels = batch + x_free + y_free
    product = matmul(left, right)
    if ndim_of(product) != len(labels) or not all(map(_is_single, (*batches, *rows, *columns))):
        product = reshape(product, [lengths[label] for label in labels])
    return labels, product


def _is_single(group: str) -> bool:
    return len(group) == 1


def _multiplied(x_labels: str, x: Any, y_labels: str, y: Any, y_free: str) -> Any:
    """The product of each element with those that share its labels."""
    order = [label for label in x_labels + y_free if label in y_labels]
    y = _arranged(y_labels, y, order)
    missing = tuple(i for i, label in enumerate(x_labels + y_free) if label not in y_labels)
    y = expand_dims(y, missing) if missing else y
    if y_free:
        x = expand_dims(x, tuple(range(len(x_labels), len(x_labels + y_free))))
    return multiply(x, y)
