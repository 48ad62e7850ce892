"""Skips what asks for functions that the NumPy at hand does not have yet."""

from types import FunctionType

import numpy as np
import pytest

NEW = {"cumulative_prod", "cumulative_sum", "matvec", "unstack", "vecmat"}  # since NumPy 2.0


def pytest_collection_modifyitems(items):
    missing = {name for name in NEW if not hasattr(np, name)}
    for item in items if missing else ():
        names = names_in(list(getattr(getattr(item, "callspec", None), "params", {}).values()))
        if lacking := missing & names:
            item.add_marker(pytest.mark.skip(reason=f"no {', '.join(lacking)} in this NumPy"))


def names_in(value):
    """The global names and attributes that the functions in a parameter use."""
    if isinstance(value, (list, tuple)):
        return set().union(*map(names_in, value))
    return set(value.__code__.co_names) if isinstance(value, FunctionType) else set()
