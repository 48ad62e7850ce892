"""Which array library a call runs on."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from autograph.backends import cupy, numpy
from autograph.errors import OptionError

BACKENDS = {backend.name: backend for backend in (numpy, cupy)}


def backend_named(name: str) -> ModuleType:
    """The backend called ``name``.

    Raises:
        OptionError: there is none of that name.
    """
    try:
        return BACKENDS[name]
    except KeyError:
        raise OptionError(
            f"there is no backend '{name}'", id="AG0603", fix=f"choose from {', '.join(BACKENDS)}"
        ) from None


def backend_of(leaves: Iterable[Any]) -> ModuleType:
    """The backend that the arrays among ``leaves`` belong to: data says where it runs."""
    return cupy if any(cupy.is_array(leaf) for leaf in leaves) else numpy


def is_array(value: Any) -> bool:
    """Whether ``value`` is an array of one of the libraries."""
    for backend in BACKENDS.values():  # noqa: SIM110, asked of each value that is recorded
        if backend.is_array(value):
            return True
    return False
