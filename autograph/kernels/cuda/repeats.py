"""Which calls graphs are for: those that come again with the same memory.

The same memory comes again where a program calls in a loop, since CuPy's pool gives a result the
place of one that is gone. Where arguments are elsewhere in each call, as batches of a data set are,
those that moved get memory of the graph's, into which they are copied. That is simpler than to
change the addresses in a graph, for which CuPy has no function, and costs little where arrays are
small for the launches that are saved.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

MOST_GRAPHS = 4  # for a stream: memory of results may alternate between two places
REMEMBERED = 8  # calls whose memory is compared with that of the next
MOST_CAPTURES = 16  # after which memory comes again too rarely

Key = tuple[Any, ...]


@dataclass
class Repeated:
    """A call that has a graph.

    Attributes:
        key: where everything was that the graph refers to; None for what is copied.
        copied: positions of what has memory of the graph's.
    """

    key: Key
    copied: tuple[int, ...]

    def takes(self, key: Key) -> bool:
        """Whether the graph is for a call."""
        if not self.copied:
            return self.key == key
        return len(self.key) == len(key) and all(x == y or x is None for x, y in zip(self.key, key))


T = TypeVar("T", bound=Repeated)


class Repeats(Generic[T]):
    """The graphs for calls on a stream, and the calls that have none."""

    def __init__(self) -> None:
        self._known: deque[T] = deque(maxlen=MOST_GRAPHS)
        self._met: deque[Key] = deque(maxlen=REMEMBERED)
        self.captures = 0

    def find(self, key: Key) -> T | None:
        """The graph for a call."""
        return next((x for x in self._known if x.takes(key)), None)

    def copied(self, key: Key, moves_little: Callable[[Sequence[int]], bool]) -> tuple[int, ...]:
        """What is to be copied for a new graph for a call.

        Args:
            moves_little: whether to copy what is at some positions costs less than is saved.

        Raises:
            NotYet: a graph is not worth it.
        """
        if key in self._met:
            return ()
        if len(self._met) == REMEMBERED:
            moved = [i for i, (x, y) in enumerate(zip(key, self._met[-1])) if x != y]
            if moves_little(moved):
                before = {i for x in self._known for i in x.copied}  # so that they take no turns
                return tuple(sorted(before.union(moved)))
        self._met.append(key)
        raise NotYet

    def add(self, made: T) -> None:
        """Note a graph."""
        self._known.append(made)

    def forget(self, calls: bool = False) -> None:
        """There are no graphs any more.

        Args:
            calls: whether calls are forgotten as well.
        """
        self._known.clear()
        if calls:
            self._met.clear()


class NotYet(Exception):
    """A call may have no graph."""
