"""Code by value: what tells in another process whether a function has changed."""

from __future__ import annotations

import hashlib
import types
from typing import Any

_FIELDS = (
    *("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags"),
    *("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_stacksize"),
    *("co_filename", "co_name", "co_qualname", "co_firstlineno"),
    *("co_linetable", "co_exceptiontable"),
)


def fingerprint(code: types.CodeType) -> str:
    """The hash of all that a code object is made of, the places in the file included."""
    return hashlib.sha256(repr(_form(code)).encode()).hexdigest()


def _form(value: Any) -> Any:
    """A code object or a constant of one, such that the ``repr`` tells all."""
    if isinstance(value, types.CodeType):
        fields = [getattr(value, name, None) for name in _FIELDS]
        return "code", fields, list(map(_form, value.co_consts))
    if type(value) is tuple:
        return "tuple", list(map(_form, value))
    if type(value) is frozenset:  # whose order is another one in each process
        return "frozenset", sorted(repr(_form(item)) for item in value)
    return type(value).__name__, repr(value)
