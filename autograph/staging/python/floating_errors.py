"""NumPy's settings for floating-point errors, which hold when the code is recorded, not when the
program runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import located_error

_FIX = "set it around the call of the compiled function, or test the values with np.isfinite"


def errstate(**options: Any) -> np.errstate:
    """``np.errstate``: warnings, which is all that it may ask for, are not part of the result.

    Raises:
        UnsupportedFunctionError: it asks for exceptions, or for a call.
    """
    asked = {mode for mode in options.values() if isinstance(mode, str)}
    if asked - {"ignore", "warn"} or "call" in options:
        raise located_error(
            UnsupportedFunctionError,
            "np.errstate with modes other than 'ignore' and 'warn'",
            fix=_FIX,
        )
    return np.errstate(**options)


def _refused(name: str) -> Callable:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise located_error(
            UnsupportedFunctionError,
            f"np.{name} would be called only once, when the code is recorded",
            fix=_FIX,
        )

    return refuse


FUNCTIONS: dict[Callable, Callable] = {
    np.errstate: errstate,
    np.seterr: _refused("seterr"),
    np.seterrcall: _refused("seterrcall"),
}
