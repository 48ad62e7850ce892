"""Whether NumPy refuses a call, asked of NumPy where code of ours fails by mistake.

Operators check what they are given, but for few of them it is known what each argument may be: of a
text in the place of an axis Python raises a TypeError in code of ours, which looks like a mistake.
NumPy tells whether it is one: it is called with other values of the same types and shapes, and what
it raises is what the user's program gets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograph.errors import CompilerError
from autograph.source.tree.libraries import package_of
from autograph.staging.ground.errors import as_located, is_mistake, user_location
from autograph.staging.ground.examples import example
from ops.core.operands import Symbolic
from ops.core.symbolic_lengths import is_length

_MOST = 2**16  # elements of an array that is made to ask
# What NumPy raises because of values, which are others here; and what it never raises for them.
_OF_VALUES = (np.linalg.LinAlgError, ZeroDivisionError, FloatingPointError)
_OF_TYPES = (TypeError, AttributeError, np.exceptions.AxisError)
_PLAIN = (type(None), type(...), bool, int, float, complex, str, bytes, slice, np.generic, np.dtype)


class _Unknown(Exception):
    """There is no value to ask about in the place of one."""


@contextmanager
def as_numpy(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Iterator[None]:
    """Around what stands for a call of NumPy's.

    Raises:
        Exception: NumPy's, in the place of a mistake, where NumPy raises one of that class as well.
    """
    try:
        yield
    except Exception as error:
        mistake = error.__cause__ if isinstance(error, CompilerError) else error
        if mistake is None or not is_mistake(mistake):
            raise
        theirs = _refused(function, args, kwargs)
        if theirs is None or not _is_like(theirs, mistake):
            raise
        raise as_located(theirs, user_location()) or theirs.with_traceback(None) from mistake


def _is_like(theirs: Exception, mistake: BaseException) -> bool:
    if isinstance(theirs, _OF_TYPES):
        return True
    alike = isinstance(theirs, type(mistake)) or isinstance(mistake, type(theirs))
    return alike and not isinstance(theirs, _OF_VALUES)


def _refused(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Exception | None:
    """What NumPy raises of such arguments, if it does, and if it is a function of NumPy's."""
    of_array = isinstance(getattr(function, "__self__", None), (np.ndarray, np.generic, np.ufunc))
    if not of_array and package_of(function) != "numpy":
        return None
    try:
        args, kwargs = _example(args), _example(kwargs)
        with np.errstate(all="ignore"):
            function(*args, **kwargs)
    except _Unknown:
        return None
    except Exception as error:
        return error
    return None


def _example(value: Any) -> Any:
    if isinstance(value, Symbolic):
        if any(not isinstance(n, int) for n in value.type.shape) or value.type.size > _MOST:
            raise _Unknown
        return example(value)
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return value.copy()
    if is_length(value):
        raise _Unknown
    if isinstance(value, (*_PLAIN, type)):
        return value
    if isinstance(value, (list, tuple)):
        parts = [_example(part) for part in value]
        return parts if isinstance(value, list) else tuple(parts)
    if isinstance(value, dict):
        return {name: _example(part) for name, part in value.items()}
    raise _Unknown  # whose methods would run
