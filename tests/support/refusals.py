"""Calls that are refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
from autograph.errors import AutographError


def refused(kind: type[Exception], function: Callable, *args: Any) -> str:
    """What the error says with which the compiled function refuses some arguments: one of ours, of
    a kind, that proposes a fix."""
    with pytest.raises(kind, match="Fix: ") as caught:
        ag.to_graph(function)(*copy.deepcopy(args))
    assert isinstance(caught.value, AutographError)
    return str(caught.value)
