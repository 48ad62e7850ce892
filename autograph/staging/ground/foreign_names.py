"""What NumPy calls what other libraries of arrays have under another name, for messages."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np

_KEYWORDS = {
    "dim": "axis",
    "dims": "axis",
    "dimension": "axis",
    "keepdim": "keepdims",
    "keep_dims": "keepdims",
    "axes": "axis",
    "correction": "ddof",
    "descending": "",
    "device": "",
    "requires_grad": "",
}
_OUTSIDE = "leave it out: arrays are where they are"
_AS_DTYPE = "convert with x.astype(dtype)"
_ATTRIBUTES = {
    "abs": "use np.abs(x)",
    "at": "assign to the array: x[i] = v, x[i] += v; a copy first if the old one is needed",
    "backward": "differentiate the function: autograph.grad(f)(x)",
    "block_until_ready": _OUTSIDE,
    "bool": _AS_DTYPE,
    "cat": "use np.concatenate",
    "clone": "use x.copy()",
    "contiguous": _OUTSIDE,
    "cpu": _OUTSIDE,
    "cuda": _OUTSIDE,
    "detach": "use autograph.stop_gradient(x), or leave it out",
    "device_buffer": _OUTSIDE,
    "dim": "use x.ndim",
    "double": _AS_DTYPE,
    "expand": "use np.broadcast_to(x, shape)",
    "float": _AS_DTYPE,
    "grad": "differentiate the function: autograph.grad(f)(x)",
    "half": _AS_DTYPE,
    "iloc": "use indices: x[i]",
    "index": "use np.argmax(x == v)",
    "int": _AS_DTYPE,
    "length": "use len(x)",
    "loc": "use indices: x[i]",
    "long": _AS_DTYPE,
    "mm": "use x @ y",
    "numel": "use x.size",
    "numpy": "leave it out: it is an array of NumPy's",
    "permute": "use x.transpose(axes)",
    "requires_grad": "differentiate the function: autograph.grad(f)(x)",
    "requires_grad_": "differentiate the function: autograph.grad(f)(x)",
    "shape_as_list": "use x.shape",
    "to": _AS_DTYPE,
    "type": _AS_DTYPE,
    "unsqueeze": "use np.expand_dims(x, axis), or x[:, None]",
    "values": "leave it out: it is an array of NumPy's",
}
_UNEXPECTED = re.compile(r"(?:unexpected(?: keyword)?|invalid keyword) argument:? '(\w+)'")


def instead_of_attribute(array: Any, name: str) -> str:
    """What to write for an attribute or method that arrays do not have."""
    if name in _ATTRIBUTES:
        return _ATTRIBUTES[name]
    if callable(getattr(np, name, None)):
        return f"use np.{name}(x)"
    kind = type(array)
    if kind.__module__ == "builtins":
        return f"use what a {kind.__name__} has, or make it an array: np.asarray(x)"
    return "use what arrays of NumPy have"


def instead_of_keyword(message: str, function: Any = None) -> str:
    """What to do about an argument that a function does not have, if a message says that."""
    found = _UNEXPECTED.search(message)
    if found is None:
        return ""
    name = found[1]
    if name in _KEYWORDS:
        return f"call it '{_KEYWORDS[name]}', as NumPy does" if _KEYWORDS[name] else "leave it out"
    try:
        parameters = ", ".join(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return "leave it out, or look up what NumPy calls it"
    return f"leave it out; the arguments are: {parameters}"
