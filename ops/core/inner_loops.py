"""The loops of NumPy's generalised ufuncs, which kernels call without Python.

``np.fft`` and ``np.linalg`` are Python around generalised ufuncs, in which there is a loop for each
choice of dtypes: a function of C, ``loop(char **args, npy_intp *lengths, npy_intp *steps, void
*data)``. An operator with ``native=kernels.InnerLoops(...)`` says which of them, one after the
other, compute its result. What is called so gives NumPy's bits.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.core.op import Unlisted
from ops.core.operands import dtype_of
from ops.core.types import ArrayType


def _infer(
    *arrays: ArrayType,
    ufunc: str,
    types: str,
    axes: tuple[tuple[int, ...], ...],
    numbers: tuple[float, ...],
    shapes: tuple[tuple[Any, ...], ...],
    changes: tuple[int, ...],
    fails: bool,
    pairs: bool,
) -> tuple[ArrayType, ...]:
    made = [arrays[k] for k in changes]
    for shape, type_ in zip(shapes, types[-len(shapes) :]):
        dtype = np.dtype(type_)
        if pairs and dtype.kind == "c":
            made.append(ArrayType(np.dtype(f"f{dtype.itemsize // 2}"), (*shape, 2)))
        else:
            made.append(ArrayType(dtype, shape))
    return tuple(made)


call_inner_loop = Unlisted(
    "call_inner_loop",
    _infer,
    "",
    cost=100,
    doc="""What the loop of a generalised ufunc computes; see `inner_loop`, whose arguments these
    are, and

    Args:
        pairs: whether complex numbers are pairs of real ones, along an axis more.
    """,
)


def inner_loop(
    arrays: Sequence[Any],
    ufunc: str,
    types: str,
    axes: Sequence[Sequence[int]],
    shapes: Sequence[Sequence[Any]],
    numbers: Sequence[float] = (),
    changes: Sequence[int] = (),
    fails: bool = False,
) -> Any:
    """What the loop of a generalised ufunc computes of arrays, for a kernel.

    Args:
        arrays: the first operands, of the dtypes of the loop. Apart from the core axes each has the
            axes of the results, or none.
        ufunc: its name, with that of the module.
        types: the characters of the dtypes of operands and results.
        axes: the core axes of each array, and then those of each result.
        shapes: of the results.
        numbers: the operands after the arrays, which have no axes.
        changes: which of the arrays the loop changes. What becomes of them is given first.
        fails: whether it sets the flag of invalid operations where there is no result.

    Returns:
        The result, or several as a tuple.
    """
    attrs = {
        "ufunc": ufunc,
        "types": types,
        "axes": tuple(map(tuple, axes)),
        "numbers": tuple(numbers),
        "shapes": tuple(map(tuple, shapes)),
        "changes": tuple(changes),
        "fails": fails,
        "pairs": False,
    }
    assert [dtype_of(x).char for x in arrays] == list(types[: len(arrays)])
    return call_inner_loop.apply(tuple(arrays), attrs)


@functools.cache
def ufunc_named(name: str) -> Any:
    """A ufunc, from its name with that of its module; None if there is none."""
    module, _, own = name.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), own, None)
    except ImportError:
        return None
    return found if isinstance(found, np.ufunc) else None


def core_axes(ufunc: np.ufunc) -> list[list[str]]:
    """The names of the lengths of the core axes, of each operand and result."""
    groups = re.findall(r"\(([^)]*)\)", ufunc.signature or "")
    return [[name.strip() for name in group.split(",") if name.strip()] for group in groups]
