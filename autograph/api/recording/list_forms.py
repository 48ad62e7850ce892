"""In which form a function takes the lists among its arguments, and calls taken apart that way:
with their elements, without (`growing_lists`), as arrays (`packed_lists`), as rows in heaps
(`given_lists`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from autograph.api.calls.compiled import Compiled
from autograph.api.recording.given_lists import GivenLists
from autograph.api.recording.growing_lists import GrowingLists
from autograph.api.recording.object_forms import ObjectForms
from autograph.api.recording.packed_lists import PackedLists
from autograph.api.recording.symbolic import has_shape
from autograph.errors import AutographError, Location, UnrollLimitError
from autograph.settings import ANY_LENGTH
from autograph.staging.border.signature import CallParts, flatten_call
from autograph.staging.containers.structure import given_arrays
from autograph.staging.ground.restarts import (
    CopiesObjects,
    JoinsClasses,
    LongRecording,
    NeedsElements,
    PromotesNumbers,
    SeesFunction,
    WidensAttribute,
)
from autograph.staging.lists.given_objects import GivenObjects
from autograph.staging.lists.given_rows import GivenRows
from autograph.staging.lists.packed import Packing
from ops.core.records import NamedTuple

# What a recording needs that is given its lists, or objects, in another form.
OTHER_FORMS = (
    *(NeedsElements, PromotesNumbers, LongRecording),
    *(WidensAttribute, JoinsClasses, CopiesObjects),
)


class Flat(NamedTuple):
    """A call, taken apart.

    Attributes:
        leaves, structure: see `flatten_call`.
        call: the arguments, and the roots; see `OuterState`.
        packing: what says which lists are packed, if there are any that might be.
        refused: what the call was refused with when the elements of its lists were inputs, one by
            one.
        given: the functions in whose place others are among the leaves, by position.
    """

    leaves: list[Any]
    structure: Any
    call: CallParts
    packing: Packing | None = None
    refused: AutographError | None = None
    given: Mapping[int, Any] = {}

    @property
    def own_leaves(self) -> list[Any]:
        """The leaves, the functions among them."""
        if not self.given:
            return self.leaves
        return [self.given.get(position, leaf) for position, leaf in enumerate(self.leaves)]

    @property
    def roots(self) -> Mapping[str, Any]:
        return self.call.roots

    @property
    def has_heaps(self) -> bool:
        """Whether lists or objects of the call are in heaps."""
        return self.call.given is not None

    def with_others(self, in_place: Mapping[int, Any]) -> Flat:
        """With others in place of some leaves.

        Args:
            in_place: the others, by the identities of these.

        Raises:
            SeesFunction: some of these are no leaves.
        """
        given = {i: leaf for i, leaf in enumerate(self.leaves) if id(leaf) in in_place}
        if len({*map(id, given.values())}) < len(in_place):
            raise SeesFunction
        leaves = [in_place.get(id(leaf), leaf) for leaf in self.leaves]
        return self._replace(leaves=leaves, given=given)

    def is_refused_alike(self, error: Exception) -> bool:
        """Whether arrays in place of lists are refused where and for what their elements were."""
        first = self.refused
        if first is None or self.call.packing is None or not isinstance(error, AutographError):
            return False
        is_placed = first.location is not None and error.location == first.location
        return is_placed and error.id == first.id


class ListForms:
    """What is known of the lists among the arguments of a function.

    Args:
        name: of the function, for the log.
        in_arrays: whether lists of numbers may be in arrays: not those of transforms that return
            something for each leaf that is no array of the leaf's shape, or ask of each leaf
            something; and not where options name leaves.
        in_heaps: whether lists of lists may be in heaps: not those of transforms.
    """

    def __init__(self, name: str, in_arrays: bool, in_heaps: bool):
        self.forget_growing()
        self._given = GivenLists(name, may_be=in_heaps and ANY_LENGTH)
        self._objects = ObjectForms(name, may_be=(in_heaps or in_arrays) and ANY_LENGTH)
        self._packed = {False: PackedLists(name, in_arrays), True: PackedLists(name, in_arrays)}
        self._varies = False  # whether all lengths are symbols from the first call on

    def given(self, args: tuple, kwargs: dict[str, Any]) -> GivenRows | None:
        """The lists of a call that are rows in heaps."""
        return self._given.of(args, kwargs)

    def objects(self, args: tuple, kwargs: dict[str, Any]) -> GivenObjects | None:
        """The objects of a call without roots that are in heaps."""
        return self._objects.of((args, kwargs))

    def flat(self, args: tuple, kwargs: dict[str, Any], roots: Mapping[str, Any]) -> Flat:
        """A call, taken apart."""
        objects = self._objects.of((*roots.values(), args, kwargs))
        given = self._given.of(args, kwargs) if objects is None else objects
        unread = self._growing[given is not None].unread
        packing = self._packed[given is not None].packing((args, kwargs))
        if packing is not None:
            call = CallParts(args, kwargs, roots, unread, given, packing)
            leaves, structure = flatten_call(call)
            if packing.done:
                return Flat(leaves, structure, call, packing)
            if roots or unread or given is not None:  # it is taken apart the same way without
                return Flat(leaves, structure, call._replace(packing=None), packing)
        call = CallParts(args, kwargs, roots, unread, given)
        return Flat(*flatten_call(call), call, packing)

    def _packed_of(self, flat: Flat) -> PackedLists:
        return self._packed[flat.has_heaps]

    def ahead(self, args: tuple, kwargs: dict[str, Any], has_heaps: bool) -> Packing | None:
        """What says which lists are packed of a call that was refused ahead of time; None if there
        are none that might be."""
        return self._packed[has_heaps].packing((args, kwargs), may_promote=True)

    def objects_ahead(self, as_calls: bool) -> ObjectForms:
        """See `ObjectForms.ahead`."""
        return self._objects.ahead(as_calls)

    def learn(self, forms: Sequence[Compiled], flat: Flat) -> None:
        """Called before the function is recorded for a call that is like none before.

        Args:
            forms: what it is compiled as.

        Raises:
            MoreUnread, MoreGiven, MorePacked: its lists are to be in other forms.
        """
        alike = [form for form in forms if form.has_heaps == flat.has_heaps]
        self._growing[flat.has_heaps].learn(alike, flat.call)
        if not self._objects.are_in_heaps:
            self._objects.learn(_all_of(flat.call))
            self._given.learn(flat.call.args, flat.call.kwargs)
        if flat.packing is not None:
            self._packed_of(flat).learn(flat.packing)

    def note_compiled(self, flat: Flat) -> None:
        """Called when there is something compiled for a call."""
        if flat.has_heaps:
            self._objects.note_compiled()

    def forget_growing(self) -> None:
        """What calls add to lists is not known any more: there are other calls."""
        # Beside what is in heaps, containers have other numbers, also for what is packed.
        self._growing = {False: GrowingLists(), True: GrowingLists()}

    def to_be_found(self, function: Callable) -> dict[str, Any]:
        """What a function that was refused finds outside that is to be an input, with names; see
        `ObjectForms.to_be_found`."""
        return self._objects.to_be_found(function)

    def take_objects(self) -> None:
        """Let objects be in heaps, of a function that is no transform and calls the user's."""
        self._objects.may_be = ANY_LENGTH

    def refuse_copies(self, copied: Mapping[type, Location | None]) -> None:
        """See `ObjectForms.refuse_copies`."""
        self._objects.refuse_copies(copied)

    def open_lengths(self, flat: Flat) -> tuple[Collection[int], Collection[int]]:
        """The positions of arrays whose lengths are symbols whatever they have been: of rows in
        heaps, each by itself; and of packed lists, or all where a loop would be recorded trip by
        trip, of which equal ones have one symbol."""
        rows = given_arrays(flat.structure.structure) if flat.has_heaps else ()
        if self._varies:
            return rows, range(len(flat.leaves))
        return rows, () if flat.packing is None else flat.packing.positions(flat.leaves)

    def may_pack(self, flat: Flat) -> bool:
        """Whether there are lists whose elements are inputs, one by one, that might be arrays."""
        if flat.packing is not None and self._packed_of(flat).may_pack(flat.packing):
            return True
        return not flat.has_heaps and self._given.may_give(flat.call.args, flat.call.kwargs)

    def were_apart(self, flat: Flat) -> bool:
        """See `PackedLists.were_apart`."""
        return self._packed_of(flat).were_apart

    def answer(
        self,
        needed: NeedsElements
        | PromotesNumbers
        | LongRecording
        | WidensAttribute
        | JoinsClasses
        | CopiesObjects,
        flat: Flat | None,
    ) -> None:
        """Take lists of a call in the form that its recording needs."""
        if isinstance(needed, (WidensAttribute, JoinsClasses, CopiesObjects)):
            self._objects.widen(needed)
            return
        if isinstance(needed, NeedsElements):
            self._growing[flat is not None and flat.has_heaps].refuse(needed.number)
            return
        assert flat is not None
        if isinstance(needed, LongRecording):
            if flat.packing is not None:
                self._packed_of(flat).pack(flat.packing)
            self._given.give(flat.call.args, flat.call.kwargs)
            return
        assert flat.packing is not None
        self._packed_of(flat).refuse(flat.packing.done, needed)

    def in_other_form(
        self, error: Exception, flat: Flat | None, args: tuple, kwargs: dict[str, Any]
    ) -> Exception | None:
        """What a call is refused with; None if it is to be recorded with its lists in another form.

        Raises:
            AutographError: what was refused before, if it is not for rows in heaps.
        """
        if self._objects.may_help(error, (args, kwargs) if flat is None else _all_of(flat.call)):
            return None
        packing = None if flat is None else flat.call.packing
        if flat is not None and packing is not None and isinstance(error, AutographError):
            self._packed_of(flat).refuse(packing.done, error)
            if flat.refused is None:
                return None
            error = flat.refused  # which recording the elements once more would come to
        may_help = self._given.may_help(error, args, kwargs) or self._may_help(error, flat)
        return None if may_help else error

    def _may_help(self, error: Exception, flat: Flat | None) -> bool:
        """Whether lists that are not in heaps are to be in another form."""
        if not isinstance(error, AutographError):
            return False
        if flat is not None and flat.packing is not None:
            lists = self._packed_of(flat)
            if error.of_elements and lists.may_pack(flat.packing):
                lists.pack(flat.packing)
                return True
        is_unrolled = isinstance(error, UnrollLimitError)
        if is_unrolled and flat is not None and not self._varies:
            self._varies = True
            if any(map(has_shape, flat.leaves)):
                return True
        return any(lists.promotes() for lists in self._packed.values())


def _all_of(call: CallParts) -> tuple:
    """The arguments of a call, after its roots."""
    return *call.roots.values(), call.args, call.kwargs
