"""Iterators that know where they are, and a generator that is run step by step.

A generator of the user's is Python's own as long as what it does is known when it is recorded. Where
only the run knows, it is cut at its yields (`autograph.source.desugar.resumption`), and what a
generator's frame keeps is state that branches and loops may change: where it stands, and the
variables that its next step needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ops
from autograph.errors import ConcreteValueError, UnsupportedConstructError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.recorder import recorder
from autograph.staging.values.maybe import MaybeUndefined
from ops.control import effects
from ops.control.constructs import Undefined

_MISSING = object()


class Iteration:
    """An iterator that is seen as an object of the user's: its attributes are its state."""

    is_open: Any  # whether only the run knows how far it goes

    def following(self) -> tuple[Any, Any]:
        """Whether there is another item, which is taken then; and that item, if there is one."""
        raise NotImplementedError

    def __iter__(self) -> Iteration:
        return self

    def __next__(self) -> Any:
        """For Python's own loops, which end when this says so."""
        if self.is_open:
            raise located_error(
                ConcreteValueError,
                "Python goes through an iterator here whose end is known only when the program "
                "runs",
                id="AG0305",
                fix="loop over it with a `for` statement, which becomes a graph loop",
            )
        return self.advance()

    def advance(self, default: Any = _MISSING) -> Any:
        """The next item.

        Raises:
            StopIteration: there is none and no default; if only the run can tell, when it runs.
        """
        there, item = self.following()
        if not isinstance(there, GraphArray):
            if there:
                return item
            if default is _MISSING:
                raise StopIteration
            return default
        if default is not _MISSING:
            return ops.cond(there, lambda: item, lambda: default)
        effects.check(there, error="StopIteration", message="")
        return item

    def through(
        self, body: Callable, init: tuple, names: Sequence[str], test: Callable | None
    ) -> tuple:
        """A ``for`` statement over it, which leaves it where the loop ends."""
        raise NotImplementedError


class Steps(Iteration):
    """A generator.

    Args:
        name: of its function.
        steps: the converted functions of its steps.
        kept: the names of what is kept at its yields.
        given: the arguments of the function, by position.

    Attributes:
        started: whether the first step is done.
        alive: whether it may go on.
        place: the number of the yield at which it stands.
        item: what it has yielded there.
    """

    is_open = True

    def __init__(self, name: str, steps: tuple, kept: Sequence[str], given: tuple):
        self.name = name
        self.steps = steps
        self.given = given
        self.names = tuple(kept)
        self.started: Any = False
        self.alive: Any = True
        self.place: Any = 0
        self.item: Any = Undefined("the item")
        for variable in kept:
            setattr(self, _slot(variable), Undefined(variable))

    @property
    def kept(self) -> list[Any]:
        """What is kept of its variables."""
        return [getattr(self, _slot(variable)) for variable in self.names]

    def following(self, sent: Any = None) -> tuple[Any, Any]:
        """See `Iteration`.

        Args:
            sent: what the yield gives at which it stands.
        """
        names = ("place", "the item", *(variable.partition(".")[0] for variable in self.names))
        first = lambda: self._run(0, self.given)
        later = lambda: self._later(1, sent, names)
        going_on = lambda: ops.cond(self.started, later, first, names)
        ended = lambda: (0, Undefined("the item"), *self.kept)
        place, self.item, *kept = ops.cond(self.alive, going_on, ended, names)
        for variable, value in zip(self.names, kept):
            setattr(self, _slot(variable), value)
        self.started = True
        self.place = _content(place)
        self.alive = ops.ne_(self.place, 0)
        return self.alive, _content(self.item)

    def _later(self, place: int, sent: Any, names: tuple[str, ...]) -> tuple:
        """The step from the yield at which it stands, that with a number or one behind it."""
        run = lambda: self._run(place, (*map(_content, self.kept), sent))
        if place == len(self.steps) - 1:
            return run()
        further = lambda: self._later(place + 1, sent, names)
        return ops.cond(ops.eq_(self.place, place), run, further, names)

    def _run(self, place: int, args: tuple) -> tuple:
        return recorder().call(self.steps[place], args, {})

    def through(
        self, body: Callable, init: tuple, names: Sequence[str], test: Callable | None
    ) -> tuple:
        more = lambda: self.following()[0]

        def goes_on(state: Sequence[Any]) -> Any:
            return more() if test is None else ops.and_(test(*state), more)

        def trip(_: Any, *state: Any) -> tuple:
            self.alive = True
            state = tuple(body(_content(self.item), *state))
            return (goes_on(state), *state)

        start = (goes_on(init), *init)
        _, *end = ops.while_loop(lambda go, *_: go, trip, start, ("whether it goes on", *names))
        return tuple(end)

    def send(self, value: Any) -> Any:
        """``generator.send(value)``"""
        if value is not None and self.started is not True:
            if self.started is False:
                raise TypeError("can't send non-None value to a just-started generator")
            message = "can't send non-None value to a just-started generator"
            effects.check(self.started, error="TypeError", message=message)
        there, item = self.following(value)
        if not isinstance(there, GraphArray):
            if there:
                return item
            raise StopIteration
        effects.check(there, error="StopIteration", message="")
        return item

    def close(self) -> None:
        """``generator.close()``: there is nothing that it would still do."""
        self.alive = False

    def throw(self, *args: Any) -> Any:
        """``generator.throw(error)``, which is refused."""
        raise located_error(
            UnsupportedConstructError,
            "'throw' of a generator is not supported where only the run knows how far it goes",
            id="AG0585",
            fix="send it a value that it raises an exception for",
        )


def _slot(variable: str) -> str:
    """The attribute for a variable of a generator, which no other attribute is called."""
    return f"its {variable}"


def _content(item: Any) -> Any:
    """What is there where it matters."""
    return item.content if isinstance(item, MaybeUndefined) else item
