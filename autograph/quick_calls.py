"""Calls that are like earlier ones, without the look-up.

A call of a compiled function flattens its arguments and looks up what was compiled for their types
and structure. That takes some microseconds, longer than many functions run. What was compiled last
has a *record* besides, which is tried first, in machine code: a pattern tells whether the arguments
are alike and what is outside is as it was, and gives the leaves to the program. See
`autograph.kernels.native.quick_calls`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph.kernels.native.matching import ABSENT
from autograph.kernels.native.quick_calls import Record, install, record
from autograph.source.free import MISSING
from autograph.tracebacks import leaves_compiler, shorten

if TYPE_CHECKING:
    from autograph.compiled import Compiled
    from autograph.staging.retracing import Binding

# How many records a function tries.
_TRIED = 3


class QuickCaller:
    """What users call: tries records, then `_look_up`.

    Attributes:
        _records: what is tried, in order. Machine code reads it, where there is some.
    """

    __slots__ = ("_records",)
    _records: tuple[Record, ...]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._look_up(args, kwargs)
        except BaseException as error:
            shorten(error)
            raise

    def _look_up(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call that is like no record, or that may not be quick."""
        raise NotImplementedError

    def _try_first(self, new: Record | None) -> None:
        """Try a record before others, from the next call on."""
        if new is not None:
            install(QuickCaller, _look_up)
            others = [other for other in getattr(self, "_records", ()) if other is not new]
            self._records = (new, *others[: _TRIED - 1])

    def _forget(self) -> None:
        """Try no records."""
        self._records = ()


def _look_up(caller: QuickCaller, args: tuple, kwargs: dict[str, Any]) -> Any:
    """What machine code calls in place of `QuickCaller.__call__`."""
    try:
        return caller._look_up(args, kwargs)
    except BaseException as error:
        shorten(error)
        raise


def _held(binding: Binding) -> tuple[Any, str, Any]:
    place, name, value = binding
    return place, name, ABSENT if value is MISSING else value


def quick_call(
    compiled: Compiled, call: tuple[tuple, dict[str, Any]], leaves: Any
) -> Record | None:
    """The record of a call.

    Args:
        compiled: what it was compiled to.
        call: the arguments, positional and by keyword.
        leaves: of them.

    Returns:
        None if only the look-up can tell whether another call is alike, or if more has to be done
        than to run the program and put its results together.
    """
    delivery, traced = compiled.traced.delivery, compiled.traced
    if not compiled.only_computes or not delivery.stands_alone or traced.bets:
        return None

    @leaves_compiler
    def failed(error: BaseException) -> None:
        raise compiled.translated(error) if isinstance(error, Exception) else error

    return record(
        call,
        leaves,
        compiled.positions,
        outside=[_held(guard.binding) for guard in traced.guards if guard.binding is not None],
        guards=[guard for guard in traced.guards if guard.binding is None],
        function=lambda: compiled.native,
        finish=None if compiled.is_plain else delivery.assembler(compiled.single),
        failed=failed,
    )
