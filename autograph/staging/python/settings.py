"""Settings of libraries that hold when the code is recorded, not when the program runs: how arrays
are printed. For those of warnings see `autograph.staging.python.warning_filters`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import located_error


def refuse_setting(what: str) -> NoReturn:
    raise located_error(
        UnsupportedFunctionError,
        f"{what} would be called only once, when the code is recorded",
        fix="set it outside of the function, around the call of the compiled one",
    )


def _refused(name: str) -> Callable:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        refuse_setting(name)

    return refuse


FUNCTIONS: dict[Callable, Callable] = {
    np.set_printoptions: _refused("np.set_printoptions"),
    np.printoptions: _refused("np.printoptions"),
}
