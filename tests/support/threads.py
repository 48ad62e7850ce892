"""Work in several threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def in_threads(work: Callable[[Any], Any], arguments: Iterable[Any]) -> list[Any]:
    """What ``work`` gives for each argument, each in a thread of its own.

    Raises:
        Exception: what it raises for one of them.
    """
    arguments = list(arguments)
    with ThreadPoolExecutor(len(arguments)) as threads:
        return list(threads.map(work, arguments))
