"""Calls that were refused: one that is like an earlier one is refused at once.

Before a call is refused, its lists and objects have been tried in each of their forms, and each of
these was recorded in several ways. What that came to depends on the types of the arguments, on the
values of those whose values were needed, and on what was met outside of the function: as long as
these are what they were, another call would come to the same. Where the values of other forms were
needed, such as of arrays in the place of lists, all values count. What took few recordings is
recorded again, which tells the frames that it came through.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from autograph.api.kept import RecentEntries, most_signatures
from autograph.api.recording.raised_calls import Recordings
from autograph.errors import (
    AutographError,
    CompilerError,
    Location,
    MemoryLimitError,
    OptionError,
    RecursionDepthError,
)
from autograph.log import log
from autograph.staging.border.constancy import static_key
from autograph.staging.border.missing_imports import MetOutside, guards_on, owners_of
from autograph.staging.border.retracing import Guard
from autograph.staging.border.signature import CallParts, call_key, flatten_call, traced_type
from ops.core.records import NamedTuple

# What has to do with the process, or the compiler itself.
_OF_NO_CALL = (CompilerError, MemoryLimitError, OptionError, RecursionDepthError)
_FEW = 3  # recordings of a call that is recorded again
_TEXTS = (str, bytes, type(None))


class _RefusedCall(NamedTuple):
    """A call that was refused.

    Attributes:
        error: with what.
        fixed: the positions of leaves whose values count.
        values: the keys of these.
        guards: on what was met outside.
    """

    error: AutographError
    fixed: Sequence[int]
    values: tuple[Hashable, ...]
    guards: Sequence[Guard]


class RefusedCalls:
    """Those of a function, without inputs from outside.

    Args:
        name: of the function, for the log.
    """

    def __init__(self, name: str):
        self._name = name
        self._calls: RecentEntries[_RefusedCall] = RecentEntries()

    def note(
        self,
        error: AutographError,
        recordings: Recordings,
        location: Location | None,
        call: CallParts,
    ) -> None:
        """A call was refused.

        Args:
            recordings: of it.
            location: of the function.
        """
        if not recordings or isinstance(error, _OF_NO_CALL):
            return
        count = sum(0 if one is None else len(one.learnt.of(MetOutside)) for one in recordings)
        if count <= _FEW:
            return
        leaves, structure = flatten_call(call)
        if not all(isinstance(leaf, _TEXTS) or traced_type(leaf) is not None for leaf in leaves):
            return
        fixed, guards = set[int](), list[Guard]()
        for refused in recordings:
            if refused is None:  # it is what was made of the recording that is refused
                return
            own = refused.leaves
            is_alike = len(own) == len(leaves) and all(a is b for a, b in zip(own, leaves))
            if is_alike:
                fixed.update(refused.fixed)
            if refused.fixed and not is_alike:
                fixed = set(range(len(leaves)))
            try:
                for outside in refused.learnt.of(MetOutside):
                    guards += guards_on(outside, owners_of(outside), location)
            except AutographError:  # nobody can tell whether it is as it was
                return
        positions = sorted(fixed)
        values = tuple(static_key(leaves[i]) for i in positions)
        self._calls[call_key(leaves, structure)] = _RefusedCall(
            _anew(error), positions, values, guards
        )
        self._calls.shrink(most_signatures(), lambda _: False)

    def refuse(self, args: tuple, kwargs: dict[str, Any]) -> None:
        """Refuse a call that is like one that was.

        Raises:
            AutographError: it is.
        """
        try:
            leaves, structure = flatten_call(CallParts(args, kwargs))
            known = self._calls.get(call_key(leaves, structure))
        except AutographError:  # which the call is refused with in any case
            return
        if known is None or tuple(static_key(leaves[i]) for i in known.fixed) != known.values:
            return
        if all(guard() for guard in known.guards):
            log.debug("%s: a call like this one was refused before", self._name)
            raise _anew(known.error)


def _anew(error: Any) -> Any:
    """Another exception that says the same, without the frames in which it was raised."""
    kind = type(error)
    made = kind.__new__(kind, *error.args)
    made.args = error.args
    vars(made).update(vars(error))
    made.__cause__ = None if error.__cause__ is None else _anew(error.__cause__)
    made.__suppress_context__ = True
    return made
