"""Counters of converted code whose keys only the run may know: `TrackedCounter`."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

import ops
from autograph.errors import UnsupportedFunctionError
from autograph.staging.arrays.array import located_error
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.keys import is_known
from autograph.staging.lists.tables import register
from autograph.staging.sequences.dicts import TrackedDict, all_of, decided, each, pairs_of_python
from ops.core.recording import raises_as_python


@raises_as_python
def made_counter(*items: Any, **more: Any) -> Any:
    """``Counter(...)`` in converted code."""
    kind = TrackedCounter if recorder().queues.make_lists() else Counter
    return kind(*items, **more)


class TrackedCounter(TrackedDict):
    """A ``Counter`` of converted code."""

    __slots__ = ()

    kind = Counter

    @staticmethod
    def of_python(**parts: Any) -> Any:
        found: Counter = Counter()
        dict.update(found, pairs_of_python(parts))
        return found

    def __getitem__(self, key: Any) -> Any:
        return self.get(key, 0)

    def __delitem__(self, key: Any) -> None:
        place = self.find(key)
        self.has_place(place, lambda: self._drop(place), lambda: None)

    def update(self, *others: Any, **more: Any) -> None:
        self._count(operator.add, others, more)

    def subtract(self, *others: Any, **more: Any) -> None:
        self._count(operator.sub, others, more)

    def _count(self, combine: Callable[[Any, Any], Any], others: tuple, more: dict) -> None:
        def change(pair: Any) -> None:
            key, times = pair
            place = self.find(key)
            before = self.has_place(place, lambda: self._held_at(place), lambda: 0)
            self._put(place, key, combine(before, times))

        for other in (*others, more) if more else others:
            if other is None:
                continue
            if isinstance(other, (dict, TrackedDict)):
                each(other.items(), change)
            else:
                each(other, lambda key: change((key, 1)))

    def most_common(self, n: Any = None) -> Any:
        """The keys with how often they were counted, the most frequent first."""
        if self.is_seen and is_known(self.held):
            return Counter(self.plain()).most_common(n)
        pairs = ops.call(sorted, self.items(), key=lambda pair: pair[1], reverse=True)
        return pairs if n is None else pairs[: ops.call(max, n, 0)]

    def total(self) -> Any:
        return ops.call(sum, self.values())

    # -- operators --------------------------------------------------------------------------------

    def _combined(self, other: Any, combine: Callable, rest: Callable | None) -> Any:
        """A Counter of what is above 0.

        Args:
            combine: gives how often there is a key of this one, of both numbers.
            rest: gives that for a key of the other one alone, of its number; None leaves these out.
        """
        if not isinstance(other, (Counter, TrackedCounter)):
            return NotImplemented
        other = other if isinstance(other, TrackedCounter) else TrackedCounter(other)
        found = TrackedCounter()

        def keep(key: Any, times: Any) -> None:
            decided(times > 0, lambda: found._new(key, times), lambda: None)

        def own(pair: Any) -> None:
            keep(pair[0], combine(pair[1], other.get(pair[0], 0)))

        each(self.items(), own)
        if rest is None:
            return found

        def others(pair: Any) -> None:
            key, times = pair
            decided(self.contains(key), lambda: None, lambda: keep(key, rest(times)))

        each(other.items(), others)
        return found

    def _new(self, key: Any, value: Any) -> None:
        """Add a key that there is not."""
        self._add_key(key)
        self._hold(value)

    def __add__(self, other: Any) -> Any:
        return self._combined(other, operator.add, operator.pos)

    def __sub__(self, other: Any) -> Any:
        return self._combined(other, operator.sub, operator.neg)

    def __or__(self, other: Any) -> Any:
        larger = lambda a, b: decided(a < b, lambda: b, lambda: a)
        return self._combined(other, larger, operator.pos)

    def __and__(self, other: Any) -> Any:
        smaller = lambda a, b: decided(a < b, lambda: a, lambda: b)
        return self._combined(other, smaller, None)

    def __pos__(self) -> Any:
        return self + TrackedCounter()

    def __neg__(self) -> Any:
        return TrackedCounter() - self

    def _becomes(self, other: Any) -> Any:
        """Have the same keys as another Counter, which is how many there are of each."""
        if other is not NotImplemented:
            self.clear()
            each(other.items(), lambda pair: self._new(*pair))
        return other if other is NotImplemented else self

    def __iadd__(self, other: Any) -> Any:
        return self._becomes(self + other)

    def __isub__(self, other: Any) -> Any:
        return self._becomes(self - other)

    def __ior__(self, other: Any) -> Any:
        return self._becomes(self | other)

    def __iand__(self, other: Any) -> Any:
        return self._becomes(self & other)

    def _each_as(self, other: Any, test: Callable[[Any, Any], Any]) -> Any:
        """Whether a test holds for all keys of both."""
        if not isinstance(other, (Counter, TrackedCounter)):
            return NotImplemented
        other = other if isinstance(other, TrackedCounter) else TrackedCounter(other)
        mine = all_of(self.items(), lambda pair: test(pair[1], other.get(pair[0], 0)))
        theirs = lambda: all_of(other.items(), lambda pair: test(self.get(pair[0], 0), pair[1]))
        return ops.and_(mine, theirs)

    def __eq__(self, other: object) -> Any:
        return self._each_as(other, operator.eq)

    def __le__(self, other: Any) -> Any:
        return self._each_as(other, operator.le)

    def __ge__(self, other: Any) -> Any:
        return self._each_as(other, operator.ge)

    def __lt__(self, other: Any) -> Any:
        below = self._each_as(other, operator.le)
        return below if below is NotImplemented else ops.and_(below, lambda: self != other)

    def __gt__(self, other: Any) -> Any:
        above = self._each_as(other, operator.ge)
        return above if above is NotImplemented else ops.and_(above, lambda: self != other)

    def _refused(self, other: Any = None) -> NoReturn:
        raise located_error(
            UnsupportedFunctionError,
            "this is not done with a Counter whose keys are known only at run time",
            id="AG0583",
            fix="loop over its items, and make the result",
        )

    elements = fromkeys = _refused
    __hash__ = None  # type: ignore[assignment]


register(TrackedCounter)
