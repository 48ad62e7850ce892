"""Iterators that know where they are, and a generator that is run step by step.

A generator of the user's is Python's own as long as what it does is known when it is recorded.
Where only the run knows, it is cut at its yields (`autograph.source.resumption`), and what
a generator's frame keeps is state that branches and loops may change: where it stands, and the
variables that its next step needs.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

import ops
from autograph.errors import ConcreteValueError, UnsupportedConstructError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.recorder import recorder
from autograph.staging.values.maybe import MaybeUndefined
from ops.control import effects
from ops.control.constructs import Undefined
from ops.core.records import NamedTuple

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
                "Python goes through an iterator here whose end is known only at run time",
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
        if default is _MISSING:
            return _required(there, item)
        if isinstance(there, GraphArray):
            return ops.cond(there, lambda: item, lambda: default)
        return item if there else default

    def through(
        self, body: Callable, init: tuple, names: Sequence[str], test: Callable | None
    ) -> tuple:
        """A ``for`` statement over it, which leaves it where the loop ends."""
        raise NotImplementedError


def _required(there: Any, item: Any) -> Any:
    """An item that has to be there."""
    if isinstance(there, GraphArray):
        check_more(there)
    elif not there:
        raise StopIteration
    return item


class _Running:
    """The steps that are being recorded, each with the expression that was attempted around it."""

    def __init__(self) -> None:
        self.attempts: list[Any] = []


def check_more(there: Any) -> None:
    """Have the program raise what Python does where an iterator has no item any more: in a
    generator that does not handle it, it is a `RuntimeError` (PEP 479)."""
    running = recorder().state(_Running).attempts
    if not running:
        effects.check(there, error="StopIteration", message="")
        return
    recorder().refuse_handling("there is another item", (StopIteration,))
    if recorder().attempt is not running[-1]:  # it may well be handled inside
        effects.check(there, error="StopIteration", message="")
    else:
        effects.check(there, error="RuntimeError", message=_LEFT)


_LEFT = "generator raised StopIteration"


class CutGenerator(NamedTuple):
    """What is known of a generator that is cut at its yields.

    Attributes:
        steps: the converted functions of its steps.
        needs: for each of its yields, the names of what the step needs that begins there.
        given: the arguments of its function, by position.
    """

    steps: tuple[Callable, ...]
    needs: tuple[tuple[str, ...], ...]
    given: tuple

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all that is kept."""
        return tuple(sorted({name for names in self.needs for name in names}))

    @property
    def results(self) -> tuple[str, ...]:
        """What to call the results of a step: the place, the item, and what is kept."""
        return ("place", "the item", *(variable.partition(".")[0] for variable in self.names))

    def first(self) -> tuple:
        """What its first step gives."""
        return self._run(0, self.given)

    def _run(self, number: int, args: tuple) -> tuple:
        running = recorder().state(_Running).attempts
        running.append(recorder().attempt)
        try:
            return recorder().call(self.steps[number], args, {})
        except StopIteration as error:
            raise RuntimeError(_LEFT) from error
        finally:
            running.pop()

    def later(self, place: Any, kept: Sequence[Any], sent: Any) -> Callable[[], tuple] | None:
        """What gives what the step does that begins at a place. It is one of those at which what is
        needed there has been kept; None if there are none.

        Args:
            kept: the variables, `Undefined` where no path has assigned them.
            sent: what the yield gives at that place.
        """
        held = dict(zip(self.names, kept))
        made: Callable | None = None
        for number, needed in reversed([*enumerate(self.needs, 1)]):
            if not any(isinstance(held[name], Undefined) for name in needed):
                args = (*map(content_of, kept), sent)
                run = lambda number=number, args=args: self._run(number, args)
                made = run if made is None else self._either(place, number, run, made)
        return made

    def _either(self, place: Any, number: int, run: Callable, others: Callable) -> Callable:
        return lambda: ops.cond(ops.eq_(place, number), run, others, self.results)


class Steps(Iteration):
    """A generator.

    Args:
        cut: what is known of it.

    Attributes:
        started: whether the first step is done.
        alive: whether it may go on.
        place: the number of the yield at which it stands.
        item: what it has yielded there.
    """

    is_open = True
    __class__ = types.GeneratorType  # type: ignore[assignment]  # what `isinstance` is told

    def __init__(self, cut: CutGenerator):
        self.cut: tuple[Any, ...] = tuple(cut)
        self.started: Any = False
        self.alive: Any = True
        self.place: Any = 0
        self.item: Any = Undefined("the item")
        for variable in cut.names:
            setattr(self, _slot(variable), Undefined(variable))

    def following(self, sent: Any = None) -> tuple[Any, Any]:
        """See `Iteration`.

        Args:
            sent: what the yield gives at which it stands.
        """
        cut = CutGenerator(*self.cut)
        before = [getattr(self, _slot(variable)) for variable in cut.names]
        later = cut.later(self.place, before, sent) or cut.first
        going_on = lambda: ops.cond(self.started, later, cut.first, cut.results)
        ended = lambda: (0, Undefined("the item"), *before)
        place, self.item, *kept = ops.cond(self.alive, going_on, ended, cut.results)
        for variable, value in zip(cut.names, kept):
            setattr(self, _slot(variable), value)
        self.started = True
        self.place = content_of(place)
        self.alive = ops.ne_(self.place, 0)
        return self.alive, content_of(self.item)

    def through(
        self, body: Callable, init: tuple, names: Sequence[str], test: Callable | None
    ) -> tuple:
        attempt = recorder().attempt
        if recorder().handling and (attempt is None or attempt.is_barred):
            raise located_error(
                UnsupportedConstructError,
                "a loop through a generator whose end is known only at run time, in a "
                "function that handles exceptions, is not supported",
                id="AG0585",
                fix="go through it in a function of its own, which is called in the 'try'",
            )
        more = lambda: self.following()[0]

        def goes_on(state: Sequence[Any]) -> Any:
            return more() if test is None else ops.and_(test(*state), more)

        def trip(_: Any, *state: Any) -> tuple:
            self.started = self.alive = True
            state = tuple(body(content_of(self.item), *state))
            return (goes_on(state), *state)

        start = (goes_on(init), *init)
        _, *end = ops.while_loop(lambda go, *_: go, trip, start, ("whether it goes on", *names))
        return tuple(end)

    def send(self, value: Any) -> Any:
        """``generator.send(value)``"""
        if value is not None and self.started is not True:
            message = "can't send non-None value to a just-started generator"
            if self.started is False:
                raise TypeError(message)
            effects.check(self.started, error="TypeError", message=message)
        return _required(*self.following(value))

    def close(self) -> None:
        """``generator.close()``: there is nothing that it would still do."""
        self.alive = False

    def throw(self, *args: Any) -> Any:
        """``generator.throw(error)``, which is refused."""
        raise located_error(
            UnsupportedConstructError,
            "'throw' of a generator whose end is known only at run time is not supported",
            id="AG0585",
            fix="send it a value that it raises an exception for",
        )


def _slot(variable: str) -> str:
    """The attribute for a variable of a generator, which no other attribute is called."""
    return f"its {variable}"


def content_of(item: Any) -> Any:
    """What is there, where it is known that something is."""
    return item.content if isinstance(item, MaybeUndefined) else item
