"""SciPy's sparse matrices, and what they are made of. SciPy is not imported: who has such a matrix
has done that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.errors import OperandShapeError
from autograph.source.tree.libraries import module_of
from ops.core.lazy import KnownWhileAlive

_PARTS = {
    "csr": ("data", "indices", "indptr"),
    "csc": ("data", "indices", "indptr"),
    "coo": ("data", "row", "col"),
}
_SUFFIXES = ("_array", "_matrix")


def is_of_scipy(kind: type) -> bool:
    """Whether a class is one of the module's, of any format."""
    return module_of(kind).startswith("scipy.sparse.")


def fix_in(module: str) -> str | None:
    """What helps if a module of SciPy's about sparse matrices wants the contents of an array; None
    for other modules."""
    if module.startswith("scipy.sparse.linalg."):
        return "call it by ag.pure_callback, with ag.custom_vjp around it for the derivative"
    if module.startswith("scipy.sparse."):
        return "make a sparse matrix CSR, CSC or COO outside of the function: A.tocsr()"
    return None


@KnownWhileAlive
def format_of(kind: type) -> str | None:
    """``"csr"``, ``"csc"`` or ``"coo"``; None for a class that is no sparse matrix in these."""
    name = kind.__name__
    return name[:3] if is_of_scipy(kind) and name[:3] in _PARTS and name[3:] in _SUFFIXES else None


def is_sparse(item: Any) -> bool:
    """Whether something is a sparse matrix in one of the three formats: of two axes, as SciPy
    also has arrays of others."""
    return format_of(type(item)) is not None and len(shape_of(item)) == 2


def is_matrix(kind: type) -> bool:
    """Whether ``*`` is a product of matrices, and what is dense an ``np.matrix``."""
    return kind.__name__.endswith("_matrix")


def names_of(kind: type) -> tuple[str, ...]:
    """The names of the arrays that a sparse matrix is made of, the values first."""
    found = format_of(kind)
    assert found is not None
    return _PARTS[found]


def shape_of(item: Any) -> tuple[int, int]:
    """The shape of a sparse matrix, also before it has its parts."""
    return vars(item).get("_shape", (0, 0))


def parts_of(item: Any) -> dict[str, Any]:
    """The arrays that a sparse matrix is made of; none if it has not got them yet."""
    if "data" not in vars(item):
        return {}
    return {name: getattr(item, name) for name in names_of(type(item))}


def fill(item: Any, shape: tuple[int, int], parts: Sequence[Any]) -> None:
    """Make a sparse matrix of its parts, in the order of `names_of`. What SciPy has found out about
    their order is forgotten.

    Raises:
        OperandShapeError: the elements have not one axis.
    """
    _require_one_axis(type(item), parts[0])
    own = dict(zip(names_of(type(item)), parts))
    if format_of(type(item)) == "coo":
        own["coords"] = (own.pop("row"), own.pop("col"))
        own["has_canonical_format"] = False
    maxprint = vars(item).get("maxprint", 50)
    vars(item).clear()
    vars(item).update(_shape=shape, maxprint=maxprint, **own)


def _require_one_axis(kind: type, data: Any) -> None:
    if isinstance(data, np.ndarray) and data.ndim != 1:
        raise OperandShapeError(
            f"the elements of a {kind.__name__} would be an array of shape {data.shape}: "
            "a derivative, or lanes, that no sparse matrix can hold",
            fix="differentiate by the data of the matrix, or give lanes to it",
        )


def maker(kind: type, shape: tuple[int, int]) -> Callable[[Sequence[Any]], Any]:
    """What makes new sparse matrices of one class and shape of their parts; see `fill`."""
    if format_of(kind) == "coo":
        return lambda parts: new(kind, shape, parts)
    anew = object.__new__

    def make(parts: Sequence[Any]) -> Any:
        item: Any = anew(kind)
        own = item.__dict__
        own["_shape"], own["maxprint"] = shape, 50
        own["data"], own["indices"], own["indptr"] = parts
        if own["data"].ndim != 1:
            _require_one_axis(kind, own["data"])
        return item

    return make


def new(kind: type, shape: tuple[int, int], parts: Sequence[Any]) -> Any:
    """A new sparse matrix; see `fill`."""
    item: Any = object.__new__(kind)
    fill(item, shape, parts)
    return item
