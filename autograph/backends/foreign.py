"""Arrays of other libraries, as arrays of NumPy's or CuPy's that share their memory.

What an array of another library is, its class says: it has ``__dlpack__`` (the Python array API
standard), ``__array_interface__`` or ``__cuda_array_interface__``. Nothing is copied from a device
to the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from autograph.backends import cupy
from autograph.errors import MissingLibraryError, OperandTypeError
from ops.core.lazy import KnownWhileAlive
from ops.core.operands import Symbolic

_PROTOCOLS = ("__dlpack__", "__array_interface__", "__cuda_array_interface__")
_HOST, _CUDA = (1, 3), (2, 13)  # DLPack's numbers of devices; 3 and 13 are memory that both reach


@KnownWhileAlive
def _has_protocol(kind: Any) -> bool:
    own = issubclass(kind, (np.ndarray, np.generic, Symbolic))
    return not own and any(hasattr(kind, name) for name in _PROTOCOLS)


def is_foreign(value: Any) -> bool:
    """Whether ``value`` is an array of a library other than NumPy and CuPy."""
    kind: Any = type(value)
    return _has_protocol(kind) and not cupy.is_array(value) and not isinstance(value, type)


def any_foreign(leaves: Iterable[Any]) -> bool:
    """Whether some leaf may be such an array; asked at calls, so by classes alone."""
    kinds: Any = map(type, leaves)
    return any(map(_has_protocol, kinds))


def native(value: Any) -> Any:
    """An array of another library as one of NumPy's, or of CuPy's if it is on a CUDA device.

    It shares the memory where the library lets it, which all do but for a few dtypes.

    Raises:
        OperandTypeError: it requires a gradient of torch's, is on another device, or its library
            gives it to nobody.
        MissingLibraryError: it is on a CUDA device, and CuPy is not installed.
    """
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if getattr(value, "requires_grad", False) is True:
        raise OperandTypeError(
            f"an array of type {kind} requires grad: torch would not see what is computed of it, "
            "and give it no gradient",
            id="AG0376",
            fix="pass x.detach() and take the gradient with ag.grad, or use ag.interop.to_torch(f)",
        )
    try:
        device = _device(value)
        if device in _HOST:
            return _on_host(value)
    except Exception as error:
        raise OperandTypeError(
            f"an array of type {kind} can't be read as an array: {error}",
            id="AG0377",
            fix="pass a NumPy array of its contents",
        ) from error
    if device in _CUDA:
        return _on_cuda(value, kind)
    raise OperandTypeError(
        f"an array of type {kind} is on a device that is neither the host nor a CUDA device",
        id="AG0377",
        fix="copy it to the host first",
    )


def natives(leaves: Sequence[Any]) -> list[Any]:
    """Leaves with arrays of NumPy's or CuPy's in place of other libraries'; the same array is the
    same again."""
    made: dict[int, Any] = {}
    found = []
    for leaf in leaves:
        if is_foreign(leaf):
            if id(leaf) not in made:
                made[id(leaf)] = native(leaf)
            leaf = made[id(leaf)]
        found.append(leaf)
    return found


def _device(value: Any) -> int:
    """DLPack's number of the kind of device that an array is on."""
    kind = type(value)
    if hasattr(kind, "__dlpack_device__"):
        return int(value.__dlpack_device__()[0])
    if hasattr(kind, "__array_interface__") or hasattr(kind, "__dlpack__"):
        return _HOST[0]
    return _CUDA[0]


def _on_host(value: Any) -> np.ndarray:
    kind = type(value)
    if hasattr(kind, "__array_interface__") or not hasattr(kind, "__dlpack__"):
        return np.asarray(value)
    try:
        return np.from_dlpack(value)
    except Exception:  # a dtype that DLPack or NumPy does not know, like bfloat16
        if not hasattr(kind, "__array__"):
            raise
        return np.asarray(value)


def _on_cuda(value: Any, kind: str) -> Any:
    try:
        library = cupy.module()
    except MissingLibraryError as error:
        raise MissingLibraryError(
            f"an array of type {kind} is on a CUDA device, where programs run on CuPy, which "
            "cannot be imported",
            id="AG0604",
            fix="pip install 'autograph-compiler[cuda13]', or copy it to the host first",
        ) from error
    if hasattr(type(value), "__dlpack__"):
        return library.from_dlpack(value)
    return library.asarray(value)
