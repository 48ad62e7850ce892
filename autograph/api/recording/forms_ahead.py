"""How the arguments of a function that is compiled ahead of time are taken apart: with the objects
among them in heaps where calls have them there, and lists of numbers as arrays where their elements
are refused.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping
from typing import Any

from autograph.api.calls.signature import repeated
from autograph.api.recording.ahead import Lowered, StandIns, is_spec
from autograph.api.recording.given_lists import MoreGiven
from autograph.api.recording.list_forms import Flat, ListForms
from autograph.api.recording.outer_state import OuterState
from autograph.api.recording.symbolic import OpenShapes, SeenLengths, likeness
from autograph.errors import AutographError, Location, UnrollLimitError
from autograph.signals import raised_by_handler
from autograph.staging.border.endings import leaving
from autograph.staging.border.signature import CallParts, flatten_call
from autograph.staging.containers.structure import given_arrays
from autograph.staging.ground.object_kinds import KnownObjects
from autograph.staging.ground.restarts import CopiesObjects, JoinsClasses, WidensAttribute
from autograph.staging.lists.given_objects import GivenObjects
from autograph.staging.lists.packed import Packing


def taking(
    roots: dict[str, Any],
    objects: KnownObjects | None,
    packing: Callable[[], Packing] | None,
) -> Callable[[tuple, dict[str, Any]], CallParts]:
    """What takes calls apart that are of one signature.

    Args:
        roots: objects from outside that are inputs.
        objects: what is known of those in heaps; None where there are none.
        packing: gives what says which lists are packed; None where there are none.
    """

    def parts(args: tuple, kwargs: dict[str, Any]) -> CallParts:
        given = None
        if objects is not None:  # a call that does not fit shall leave it as it is
            given = GivenObjects((*roots.values(), args, kwargs), objects.copy())
        packed = None if packing is None else packing()
        return CallParts(args, kwargs, roots, given=given, packing=packed)

    return parts


class FormsAhead:
    """In which form a function takes arguments that it is compiled for ahead of time.

    Args:
        lists: how its calls are taken apart, of which nothing changes.
        source: the user's function.
        args, kwargs: the arguments, or what stands for some.
        as_calls: whether many objects are in heaps at once, as in calls; otherwise they are where
            taken apart they are refused.
    """

    def __init__(
        self,
        lists: ListForms,
        source: Callable,
        args: tuple,
        kwargs: dict[str, Any],
        as_calls: bool,
    ):
        self._lists = lists
        self._source = source
        self._arguments = args, kwargs
        self._objects = lists.objects_ahead(as_calls)
        self._outer = OuterState()
        self._packing: Packing | None = None
        if as_calls and not self._objects.are_in_heaps:
            with contextlib.suppress(MoreGiven):
                self._objects.learn(self._arguments)

    def flat(self) -> Flat:
        """The arguments, taken apart."""
        roots = self._outer.roots()
        given = self._objects.of((*roots.values(), *self._arguments))
        call = CallParts(*self._arguments, roots, given=given, packing=self._packing)
        return Flat(*flatten_call(call), call)

    def static(self, flat: Flat) -> set[int]:
        """The positions of the leaves that are constants."""
        return self._outer.static(flat, None)

    def open_shapes(self, flat: Flat, made: StandIns) -> OpenShapes | None:
        """The shapes of arguments with symbols in them, if there are any.

        Args:
            made: has those with names.
        """
        given = given_arrays(flat.structure.structure) if flat.has_heaps else []
        if made.open_shapes is not None:
            for position in given:
                length, *rest = flat.leaves[position].shape
                symbol = made.symbols.new(f"m{position}", length)
                made.shapes[position] = (symbol, *rest)
            return made.open_shapes
        packed = () if self._packing is None else self._packing.positions(flat.leaves)
        if not (given or packed):
            return None
        return SeenLengths().opened(flat.leaves, given=given, varying=packed)

    def taking(self, flat: Flat) -> Callable[[tuple, dict[str, Any]], CallParts] | None:
        """What takes calls apart as these arguments are; None where they are just flattened."""
        if not flat.has_heaps and self._packing is None:
            return None
        packing = None if self._packing is None else self._packing.again()
        known = self._objects.known.copy() if flat.has_heaps else None
        return taking(dict(flat.roots), known, packing)

    def refuse_copies(self, copied: Mapping[type, Location | None]) -> None:
        """See `ObjectForms.refuse_copies`."""
        self._objects.refuse_copies(copied)

    def widen(self, needed: WidensAttribute | JoinsClasses | CopiesObjects) -> None:
        """See `ObjectForms.widen`."""
        self._objects.widen(needed)
        if isinstance(needed, CopiesObjects):
            self._outer.take(self._objects.to_be_found(self._source))

    def answer(self, error: Exception) -> bool:
        """Whether arguments that were refused are to be recorded in another form.

        Raises:
            Exception: what they are refused with, if objects in heaps do not help.
        """
        if isinstance(error, UnrollLimitError) and self._pack():
            return True
        self._packing = None  # whose lists have other numbers then
        is_refused = isinstance(error, AutographError)
        if is_refused and self._outer.take(self._objects.to_be_found(self._source)):
            return True
        return self._objects.may_help(error, (*self._outer.roots().values(), *self._arguments))

    def _pack(self) -> bool:
        """Take lists of numbers as arrays; whether there are some that were not."""
        if self._packing is not None:
            return False
        found = self._lists.ahead(*self._arguments, self._objects.are_in_heaps)
        if found is None or any(map(is_spec, self.flat().leaves)):
            return False
        self._packing = found
        return True


def lowered_for(function: Any, args: tuple, kwargs: dict[str, Any], as_calls: bool) -> Lowered:
    """A compiled function recorded for arguments like these.

    Args:
        function: a `GraphFunction`.
        as_calls: see `FormsAhead`.
    """
    forms = FormsAhead(function._lists, function._source, args, kwargs, as_calls)
    while True:
        try:
            return _lowered(function, forms, kwargs)
        except (WidensAttribute, JoinsClasses, CopiesObjects) as needed:
            forms.widen(needed)
        except Exception as error:
            if raised_by_handler(error) or not forms.answer(error):
                raise


def lowered_apart(function: Any, args: tuple, kwargs: Mapping[str, Any]) -> Lowered:
    """The same for what is no Python, where there are no objects in heaps.

    Raises:
        OptionError: there have to be some.
    """
    lowered = lowered_for(function, args, dict(kwargs), as_calls=False)
    lowered.require_apart()
    return lowered


def _lowered(function: Any, forms: FormsAhead, kwargs: dict[str, Any]) -> Lowered:
    flat, made = forms.flat(), StandIns()
    specs = {i for i, leaf in enumerate(flat.leaves) if is_spec(leaf)}
    with leaving(function._location()):
        flat = flat._replace(
            leaves=[made.of(i, leaf) if i in specs else leaf for i, leaf in enumerate(flat.leaves)]
        )
    record = functools.partial(
        function._record,
        forms.static(flat),
        flat.leaves,
        flat.structure,
        specs=specs,
        roots=tuple(flat.roots.values()),
        in_heaps=flat.call.given,
        open_shapes=forms.open_shapes(flat, made),
    )
    lowered: Lowered = record()
    forms.refuse_copies(lowered.traced.copied)
    if lowered.traced.changed:
        same = repeated(flat.leaves, lowered.signature.inputs)
        if same:
            lowered = record(same=dict(same))
    lowered.keywords = tuple(kwargs)
    lowered.likeness = likeness(flat.leaves, flat.structure)
    lowered.takes = forms.taking(flat)
    if isinstance(flat.call.given, GivenObjects):
        lowered.in_heaps = tuple(kind.__name__ for kind in flat.call.given.classes)
    return lowered
