"""What is computed once, when it is first asked for: attributes, and what is known of objects."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")
_Object = TypeVar("_Object")
_Answer = TypeVar("_Answer")
_UNKNOWN = object()


class lazy(Generic[T]):
    """A property that is computed once: `functools.cached_property` as it is from Python 3.12 on.

    Before, that holds a lock, one for all objects of a class. In a process that is forked while
    another thread computes, it is never released. Without it, two threads may compute the same.
    """

    def __init__(self, function: Callable[[Any], T]):
        self.function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[T]: ...

    @overload
    def __get__(self, instance: Any, owner: type) -> T: ...

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        return instance.__dict__.setdefault(self.name, self.function(instance))


class KnownWhileAlive(Generic[_Object, _Answer]):
    """A question about objects whose answers are remembered as long as these live; no answer
    refers to its object.

    Classes and code are made again and again in some programs, and may hold large arrays: a table
    that holds them would keep them. They are told by identity, since to hash or to compare code,
    Python goes through all that is in it, and in what is in that.
    """

    def __init__(self, question: Callable[[_Object], _Answer]) -> None:
        functools.update_wrapper(self, question)
        self._question = question
        self._answers: dict[int, Any] = {}

    def __call__(self, one: _Object) -> _Answer:
        key = id(one)
        found = self._answers.get(key, _UNKNOWN)
        if found is _UNKNOWN:
            found = self._question(one)
            weakref.finalize(one, self._answers.pop, key, None).atexit = False
            self._answers[key] = found
        return found

    def __len__(self) -> int:
        return len(self._answers)

    def forget(self) -> None:
        """Ask anew."""
        self._answers.clear()
