"""What exceptions hold that leave a recording: lists, dicts and sets of Python's own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from autograph.errors import AutographError
from autograph.staging.border.delivery import Outlet, Static
from autograph.staging.border.failures import linked


def give_own_contents(error: BaseException, original: Callable[[Any], Any]) -> None:
    """Exchange what an exception without symbolic values holds, and those that it comes of, for
    what callers get.

    Args:
        original: gives the container from outside that one stands for.
    """

    def source_of(container: Any) -> Static | None:
        found = original(container)
        return None if found is container else Static(found)

    for one in linked(error):
        with contextlib.suppress(AutographError):  # as it is, where callers can't get what it holds
            outlet = Outlet(source_of, {}, lambda constant: True)
            args, state = outlet.delivery((one.args, vars(one)), []).deliver([])
            one.args = args
            vars(one).update(state)
