"""Settings of libraries that hold when the code is recorded, not when the program runs: how arrays
are printed, and what becomes of warnings."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from autograph.errors import UnsupportedFunctionError
from autograph.staging.array import located_error


def _refuse(what: str) -> NoReturn:
    raise located_error(
        UnsupportedFunctionError,
        f"{what} would be called only once, when the code is recorded",
        fix="set it outside of the function, around the call of the compiled one",
    )


def _refused(name: str) -> Callable:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        _refuse(name)

    return refuse


def _filter(function: Callable) -> Callable:
    """A function that sets what becomes of warnings. Those are no part of the result, unless they
    become exceptions."""

    def call(action: str, *args: Any, **kwargs: Any) -> None:
        if action == "error":
            _refuse(f"warnings.{function.__name__}('error')")
        function(action, *args, **kwargs)

    return call


def _caught(*, record: bool = False, **options: Any) -> warnings.catch_warnings:
    if record:
        _refuse("warnings.catch_warnings(record=True)")
    if options.get("action") == "error":
        _refuse("warnings.catch_warnings(action='error')")
    return warnings.catch_warnings(**options)


FUNCTIONS: dict[Callable, Callable] = {
    np.set_printoptions: _refused("np.set_printoptions"),
    np.printoptions: _refused("np.printoptions"),
    warnings.simplefilter: _filter(warnings.simplefilter),
    warnings.filterwarnings: _filter(warnings.filterwarnings),
    warnings.catch_warnings: _caught,
}
