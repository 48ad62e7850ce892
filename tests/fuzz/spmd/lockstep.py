"""Plain Python functions run by all parts of a mesh, which meet where one calls `Parts.meet`.

Each part has a thread, but one runs at a time: until it meets the others or ends. So what happens
does not depend on time, and parts that wait for some that never come are found at once.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np


class DivergedError(Exception):
    """Some parts wait for others that do not come, or do something else when they come."""


class _Ended(BaseException):
    """Ends a part that waits when the others have failed."""


class Parts:
    """The parts of a mesh.

    Args:
        shape: how many there are along each axis.

    Attributes:
        places: the number of each part along each axis; the last axis is the fastest.
    """

    def __init__(self, shape: Mapping[str, int]):
        self.shape = dict(shape)
        numbers = itertools.product(*map(range, shape.values()))
        self.places = [dict(zip(shape, number)) for number in numbers]
        self._current = 0

    @property
    def place(self) -> dict[str, int]:
        """Which part is running."""
        return self.places[self._current]

    def run(self, functions: Sequence[Callable[[], Any]]) -> list[Any]:
        """What the functions return, one for each part.

        Raises:
            DivergedError: see there. Exceptions of a part are raised, too.
        """
        count = len(functions)
        assert count == len(self.places)
        self._turns = [threading.Semaphore(0) for _ in functions]
        self._back = threading.Semaphore(0)
        self._waits: list[Any] = [None] * count  # for what
        self._given: list[Any] = [None] * count
        self._failed: BaseException | None = None
        results: list[Any] = [None] * count
        ended = [False] * count

        def run_one(i: int) -> None:
            self._turns[i].acquire()
            try:
                if self._failed is None:
                    results[i] = functions[i]()
            except _Ended:
                pass
            except BaseException as error:
                self._failed = self._failed or error
            ended[i], self._waits[i] = True, None
            self._back.release()

        threads = [threading.Thread(target=run_one, args=(i,), daemon=True) for i in range(count)]
        for thread in threads:
            thread.start()
        ready = list(range(count))
        while not all(ended):
            for i in ready:
                self._current = i
                self._turns[i].release()
                self._back.acquire()
            if self._failed is None:
                ready = self._met()
                if not ready and not all(ended):
                    self._failed = DivergedError(f"parts wait for {self._waits}")
            if self._failed is not None:
                ready = [i for i in range(count) if not ended[i]]
        for thread in threads:
            thread.join()
        if self._failed is not None:
            raise self._failed
        return results

    def meet(self, kind: Any, axis: str, value: Any) -> list[Any]:
        """What all parts along an axis give, in their order.

        Args:
            kind: what they do: all of them do the same.
        """
        own = self._current
        self._waits[own], self._given[own] = (kind, axis, np.shape(value)), value
        self._back.release()
        self._turns[own].acquire()
        if self._failed is not None:
            raise _Ended
        return self._given[own]

    def _met(self) -> list[int]:
        """The parts that go on, since all whom they wait for have come."""
        found = []
        groups: dict[tuple, list[int]] = {}
        for i, wait in enumerate(self._waits):
            if wait is not None:
                own = tuple((k, v) for k, v in self.places[i].items() if k != wait[1])
                groups.setdefault((wait[1], own), []).append(i)
        for (axis, _), members in groups.items():
            same = len({repr(self._waits[i]) for i in members}) == 1
            if len(members) < self.shape[axis] or not same:
                continue
            values = [self._given[i] for i in members]
            for i in members:
                self._given[i], self._waits[i] = values, None
            found += members
        return found
