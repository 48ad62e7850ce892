"""What a recording depends on of the arguments that it was made for."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from autograph.backends.select import is_array
from autograph.errors import SignatureError
from autograph.staging.border.constancy import static_key
from autograph.staging.border.retracing import Summary, differences, summary
from autograph.staging.border.signature import CallStructure, argument_names, call_key
from ops.core.records import dataclass


@dataclass(frozen=True)
class RecordedSignature:
    """What a recording depends on of the arguments it was made for.

    Attributes:
        structure: of ``(args, kwargs)``.
        names: of their leaves.
        key: from `call_key`.
        summary: what it depends on of each leaf, in words.
        inputs: the positions of the leaves that are traced.
        fixed: the positions of leaves whose values count besides their types, with the reason.
        values: the keys of these.
        statics: the leaves that are not traced.
        repeated: the positions of arrays that are an earlier one, with that one's position.
    """

    structure: CallStructure
    names: list[str]
    key: Hashable
    summary: Summary
    inputs: tuple[int, ...]
    fixed: Mapping[int, str]
    values: tuple[Hashable, ...]
    statics: dict[int, Any]
    repeated: tuple[tuple[int, int], ...] = ()

    def check(
        self, name: str, source: Any, leaves: Sequence[Any], structure: CallStructure
    ) -> None:
        """Check that a call is of this signature.

        Args:
            name: of the function.
            source: the function, for the names of its parameters.
            leaves, structure: of the call's arguments.

        Raises:
            SignatureError: it is not.
        """
        if call_key(leaves, structure) == self.key and self.has_values(leaves):
            return
        now = summary(argument_names(source, structure), leaves, self.fixed)
        raise SignatureError(
            f"'{name}' was compiled for other arguments: {differences(now, [self.summary])}",
            fix="call the function itself, which is compiled for each signature, or lower it again",
        )

    def has_values(self, leaves: Sequence[Any]) -> bool:
        """Whether the leaves whose values count have those."""
        return tuple(static_key(leaves[i]) for i in self.fixed) == self.values

    def is_repeated(self, leaves: Sequence[Any]) -> bool:
        """Whether of the arrays of a call just those are the same that were when it was
        recorded."""
        return repeated(leaves, sorted((*self.inputs, *dict(self.repeated)))) == self.repeated


def repeated(leaves: Sequence[Any], positions: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Those of some positions at which there is an array that is an earlier one, with the first
    position of that."""
    first: dict[int, int] = {}
    places = [(i, first.setdefault(id(leaves[i]), i)) for i in positions]
    return tuple((i, at) for i, at in places if i != at and is_array(leaves[i]))


def in_order(kwargs: dict[str, Any], keywords: Sequence[str]) -> dict[str, Any]:
    """Keyword arguments in the order of ``keywords``, if they have these."""
    return {k: kwargs[k] for k in keywords} if kwargs.keys() == {*keywords} else kwargs


class Specialized:
    """What the cache has for a signature for which the values of some leaves count as well.

    Attributes:
        positions: of these leaves.
        values: the keys of what they were in the latest recording.
        inputs: how much outside of the function was an input then.
    """

    def __init__(self, positions: tuple[int, ...], values: tuple[Hashable, ...], inputs: int):
        self.positions = positions
        self.values = values
        self.inputs = inputs

    def key(self, base: Hashable, leaves: Sequence[Any]) -> Hashable:
        """The key for the whole: that of the signature, and the values."""
        return base, self.positions, tuple(static_key(leaves[i]) for i in self.positions)
