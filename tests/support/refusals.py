"""Calls that are refused."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph as ag
from autograph.api.recording import ways
from autograph.errors import AutographError
from tests.support.oracle import check


@contextlib.contextmanager
def nothing_more_known() -> Iterator[None]:
    """While this is open, what is refused is not recorded once more with more values known."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ways, "WAYS", ways.ASKED)
        yield


def refused(kind: type[Exception], function: Callable, *args: Any) -> str:
    """What the error says with which the compiled function refuses some arguments: one of ours, of
    a kind, that proposes a fix. If it is not refused with more values known, it does what Python
    does."""
    with nothing_more_known(), pytest.raises(kind, match="Fix: ") as caught:
        ag.to_graph(function)(*copy.deepcopy(args))
    assert isinstance(caught.value, AutographError)
    refused_or_same(function, *args)
    return str(caught.value)


def refused_or_same(function: Callable, *args: Any) -> None:
    """Check that the compiled function is refused, or does what Python does."""
    try:
        ag.to_graph(function)(*copy.deepcopy(args))
    except AutographError:
        return
    except Exception:  # Python's own, maybe
        pass
    check(function, *args)
