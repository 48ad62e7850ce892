"""Calls of functions that assign variables outside, found without taking them apart anew.

Where what is an input from outside is held by variables (see `autograph.source.tree.places`), as in
``global count; count += 1``, and is a number or an array, as the arguments are, each call is taken
apart into what these hold and the arguments. With what types one was is written down, and with it
what was found. Other calls are not written down.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from autograph.api.calls.compiled import Compiled
from autograph.api.recording.list_forms import Flat
from autograph.source.tree.places import NamedPlace
from autograph.staging.border.constancy import static_key
from autograph.staging.border.signature import CallParts, Nested, call_containers, leaf_key
from autograph.staging.lists.given_rows import ATOMS


class PlaceCalls:
    """What was found for a call that takes what variables hold, for those that are like it."""

    def __init__(self, compiled: Compiled, flat: Flat, types: Hashable):
        self._compiled = compiled
        self._structure: Nested = flat.structure
        self._places = flat.roots
        self._types = types

    @classmethod
    def of(cls, compiled: Compiled, flat: Flat) -> PlaceCalls | None:
        """That of a call; None if more may differ in one that is alike."""
        call, traced = flat.call, compiled.traced
        if call.kwargs or call.unread or call.given is not None or call.packing is not None:
            return None
        if traced.bound or traced.generators or traced.knows_repeated or compiled.may_meet_itself:
            return None
        is_other = compiled.open_shapes is not None or flat.structure.classes
        if is_other or not all(isinstance(place, NamedPlace) for place in flat.roots.values()):
            return None
        leaves = _leaves(flat.roots, call.args)
        is_all = leaves is not None and list(map(id, leaves)) == list(map(id, flat.leaves))
        places = list(map(id, flat.roots.values()))
        if not is_all or list(map(id, call_containers(call)))[:-1] != places:
            return None
        return cls(compiled, flat, tuple(map(leaf_key, flat.leaves)))

    def found(
        self, args: tuple, kwargs: dict[str, Any], roots: Mapping[str, Any]
    ) -> tuple[Compiled, Flat] | None:
        """What is compiled for a call, and the call; None if it is not alike.

        Args:
            roots: what is an input from outside now.
        """
        compiled = self._compiled
        leaves = None if kwargs or roots is not self._places else _leaves(roots, args)
        if leaves is None or tuple(map(leaf_key, leaves)) != self._types:
            return None
        positions, values = compiled.fixed
        if tuple(static_key(leaves[i]) for i in positions) != values or not compiled.is_valid():
            return None
        call = CallParts(args, kwargs, roots, containers=(*roots.values(), kwargs))
        return compiled, Flat(leaves, self._structure, call)


def _leaves(places: Mapping[str, NamedPlace], args: tuple) -> list[Any] | None:
    """What some places hold, and the arguments; None if these are no numbers and arrays alone."""
    try:
        leaves = [*(place.cell_contents for place in places.values()), *args]
    except ValueError:  # not assigned yet
        return None
    return leaves if ATOMS.issuperset(map(type, leaves)) else None
