"""Which objects from outside a function are inputs of its graphs; see
`autograph.staging.border.outer_inputs`.

At first there are none. Once something that a graph depends on is no longer as it was, the list,
dict, object or cell that has changed becomes a root, and of its numbers and arrays those that have
changed become inputs. The others stay constants, until they change. A variable that is bound to
another array, list, dict or object has its own root, a cell that is made for each call; so has,
from the start, each closure variable of functions that share what is compiled (see
`autograph.api.recording.alike`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import BuiltinFunctionType, CellType
from typing import Any

import numpy as np

from autograph.api.calls.signature import Specialized
from autograph.api.recording.list_forms import Flat
from autograph.backends.select import is_array
from autograph.source.tree.free import Lookup, is_data
from autograph.source.tree.places import GlobalVariable, NamedPlace, place_of
from autograph.staging.border.constancy import static_key
from autograph.staging.border.guards import AttributeLookup, ContentsGuard
from autograph.staging.border.outer_inputs import Variables, possible_roots
from autograph.staging.border.retracing import Guard
from autograph.staging.border.signature import Nested, root_paths
from autograph.staging.classes import class_attributes
from autograph.staging.containers.containers import Contents, contents
from autograph.staging.containers.shadows import CHANGED
from autograph.staging.containers.structure import Flattener, paths, placed_leaves
from autograph.staging.trace import Traced

Path = tuple[str, ...]  # to a leaf of a root: the name of that, and the steps inside

# What variables hold that may be inputs, or texts and names beside them.
_PLAIN = {
    *(np.ndarray, bool, int, float, complex, str, bytes, type(None), type(Ellipsis)),
    *(type, BuiltinFunctionType, np.ufunc, type(np.sum)),
}


# What variables hold that converted code reads where it is, in those that are global.
_READ_IN_PLACE = {bool, int, float, complex, str}

# After how many calls variables that hold the same count as settled.
_SETTLED = 8


class MoreRoots(Exception):
    """The function is to be recorded with more inputs."""


class OuterState:
    """The objects from outside a function that are inputs of its graphs.

    Attributes:
        variables: free variables whose contents are inputs, by names that are made for them.
    """

    def __init__(self) -> None:
        self._roots: dict[str, Any] = {}  # the objects, by names that are made for them
        self.variables: dict[str, Lookup] = {}
        self._inputs: set[Path] = set()
        self._given_up: tuple[dict[str, Any], dict[str, Lookup]] | None = None

    def roots(self, besides: Collection[int] = ()) -> dict[str, Any]:
        """The objects, by names that are made for them, with a cell for each variable.

        Args:
            besides: see `may_be_input`.

        Raises:
            MoreRoots: they are fewer now: what a variable holds can be no input.
        """
        if not self.variables:
            return self._roots
        found = {name: variable() for name, variable in self.variables.items()}
        variables = self.variables
        may_be = functools.partial(may_be_input, besides=besides)
        refused = [name for name, now in found.items() if not may_be(variables[name], now)]
        if refused:
            self.variables = {k: v for k, v in variables.items() if k not in refused}
            raise MoreRoots
        return {**self._roots, **{name: CellType(value) for name, value in found.items()}}

    def cells(self, roots: Mapping[str, Any]) -> Variables:
        """Those of some roots that stand for variables."""
        variables = self.variables.items()
        return {(id(v.place), v.name): roots[name] for name, v in variables if name in roots}

    def static(self, flat: Flat, known: Specialized | None) -> set[int]:
        """The positions of the leaves of a call that are constants.

        Args:
            known: those of which earlier recordings needed the values, or that were no inputs yet.
        """
        if not flat.roots:
            return set() if known is None else set(known.positions)
        before = {} if known is None else dict(zip(known.positions, known.values))
        found = root_paths(flat.structure)
        # What has become an input in other calls since then may be no constant in these.
        is_older = known is not None and known.inputs < self.inputs()
        placed = placed_leaves(flat.structure.structure)
        for position, path in enumerate(found):
            if path[0] in self.variables and is_array(flat.leaves[position]):
                self._inputs.add(path)
            if position in placed or (is_older and path in self._inputs):
                before.pop(position, None)
            if path in self._inputs or position not in before:
                continue
            if static_key(flat.leaves[position]) != before.pop(position):
                self._inputs.add(path)
        fixed = (i for i, path in enumerate(found) if path not in self._inputs)
        return {*before, *(i for i in fixed if i not in placed)}

    def inputs(self) -> int:
        """How many leaves of roots are inputs, more from time to time."""
        return len(self._inputs)

    def learn(self, traced: Traced) -> None:
        """Find out what outside is no longer as it was when a function was recorded.

        Raises:
            MoreRoots: it is to be an input.
        """
        if self._given_up is not None:
            return
        earlier = {id(container): state for container, state in traced.found}
        new, variables = dict(self._roots), dict(self.variables)
        for guard in traced.guards:
            if guard():
                continue
            if self._learn_variable(guard, earlier, new, variables):
                continue
            if not isinstance(guard, ContentsGuard):
                continue
            changed = guard.changed()
            if id(guard.cell) in earlier:
                changed = [guard.cell]
            for part in changed:
                for root in possible_roots(part):
                    if all(root is not other for other in new.values()):
                        name = _name(guard.name, {**new, **variables})
                        new[name] = root
                        self._inputs |= _changes(name, root, earlier)
            for name, root in self._roots.items():
                if root is guard.value:  # the variable is bound to another one
                    for other in possible_roots(guard.present()):
                        if all(other is not known for known in new.values()):
                            new[name] = other
        if len(new) > len(self._roots):
            self._add_written(traced, new, earlier)
        self._set(new, variables)

    def _learn_variable(
        self,
        guard: Guard,
        earlier: Mapping[int, Contents],
        new: dict[str, Any],
        variables: dict[str, Lookup],
    ) -> bool:
        """Let what a variable holds be an input, if the guard is on one that is bound to something
        else; in a cell that some function assigns, the cell is a root.

        Returns:
            Whether it is one now.
        """
        variable, now = guard.variable, guard.present()
        if variable is None or now is guard.value or not may_be_input(variable, now):
            return False
        if id(variable.place) not in earlier:
            known = [k for k, v in variables.items() if v.place is variable.place]
            if not any(variables[k].name == variable.name for k in known):
                name = _name(guard.name, {**new, **variables})
                variables[name] = variable
                self._inputs |= _changes(name, CellType(now), {}, CellType(guard.value))
            for name in [k for k, root in new.items() if root is guard.value]:
                del new[name]  # it was one for what the variable was bound to
            return True
        if not is_array(guard.value) or any(variable.place is root for root in new.values()):
            return False
        name = _name(guard.name, {**new, **variables})
        new[name] = variable.place
        self._inputs |= _changes(name, variable.place, {}, CellType(guard.value))
        return True

    def _add_written(
        self, traced: Traced, new: dict[str, Any], earlier: Mapping[int, Contents]
    ) -> None:
        """Add to new roots what the function changes besides, and where it has put what was there
        before."""
        inside = Flattener()
        inside.flatten(tuple(new.values()))
        known = set(map(id, inside.containers))
        for container, state in traced.found:
            written = any(value is CHANGED for value in state.values)
            if written and id(container) not in known:
                for root in possible_roots(container):
                    name = _name("outside", {**new, **self.variables})
                    new[name] = root
                    self._inputs |= _changes(name, root, earlier)

    def add(self, met: Iterable[tuple[str, Any]]) -> None:
        """Let parts of roots that are also found in other ways be roots themselves, and places that
        the function assigns, of which it is known that they change.

        Raises:
            MoreRoots: there are any.
        """
        new = dict(self._roots)
        for name, value in met:
            is_place = isinstance(value, NamedPlace)
            if is_place and self._given_up is not None:
                continue
            name = _name(name, {**new, **self.variables})
            new[name] = value
            if is_place:
                self._inputs |= _changes(name, value, {}, CellType())
        self._set(new, self.variables)

    def take(self, found: Mapping[str, Any]) -> bool:
        """Let objects from outside be roots; whether they were none before."""
        new = dict(self._roots)
        for name, value in found.items():
            if all(value is not root for root in new.values()):
                new[_name(name, {**new, **self.variables})] = value
        is_new = len(new) > len(self._roots)
        self._roots = new
        return is_new

    def numbers_bound_anew(self, traced: Traced) -> list[NamedPlace]:
        """The global variables and attributes of classes and modules that were bound to a number or
        text when a function was recorded, and are bound to another one."""
        if self._given_up is not None:
            return []
        changed = [g for g in traced.guards if _is_number(g.value) and not g()]
        places = [_place(g.lookup_of) for g in changed if _is_number(g.present())]
        if traced.owners.sees_all:  # it would see what stands for those of classes
            places = [place for place in places if isinstance(place, GlobalVariable)]
        return [place for place in places if place is not None]

    def numbers_of_classes_bound_anew(
        self, before: Mapping[type, tuple], structure: Any, forms: Iterable[Traced]
    ) -> list[NamedPlace]:
        """The same of the classes of objects among the arguments.

        Args:
            before: of these what their attributes were, as `Nested` has it.
            structure: of the arguments now.
            forms: what is recorded.
        """
        if self._given_up is not None or not isinstance(structure, Nested):
            return []
        found = []
        for kind, now in structure.classes:
            for (name, was), (other, value) in zip(before.get(kind, ()), now):
                if name == other and was != value and _is_key_of_number(was, value):
                    found.append(class_attributes.place_in(kind, name))
        if found and any(traced.owners.sees_all for traced in forms):
            return []
        return [place for place in found if place is not None]

    def _set(self, roots: dict[str, Any], variables: dict[str, Lookup]) -> None:
        before = [*map(id, self._roots.values())], self.variables.keys()
        if ([*map(id, roots.values())], variables.keys()) != before:
            self._roots, self.variables = roots, variables
            raise MoreRoots

    def give_up(self) -> None:
        """Take everything for constant again."""
        self._given_up = self._roots, self.variables
        self._roots, self.variables = {}, {}

    def take_back(self) -> None:
        """It was not for the inputs that the function could not be recorded."""
        self._roots, self.variables = self._given_up or ({}, {})
        self._given_up = None

    @property
    def objects(self) -> Mapping[str, Any]:
        """The roots that stand for no variables."""
        return self._roots

    @property
    def has_objects(self) -> bool:
        """Whether there are roots that stand for no variables."""
        return bool(self._roots)


class SettledVariables:
    """Tells when variables that are inputs have held the same for some calls."""

    def __init__(self) -> None:
        self._latest: tuple[Any, tuple[int, ...]] | None = None
        self._times = 0  # how many calls before the latest were like it

    def are_now(self, compiled: Any, held: Mapping[str, Any]) -> bool:
        """Whether they have just now.

        Args:
            compiled: what is compiled for the call.
            held: what each variable holds.
        """
        now = compiled, tuple(map(id, held.values()))
        self._times = self._times + 1 if now == self._latest else 0
        self._latest = now
        return self._times == _SETTLED


def may_be_input(variable: Lookup, value: Any, besides: Collection[int] = ()) -> bool:
    """Whether what a variable holds may be an input: arrays, numbers and texts, nested in any way,
    and beside them what code finds as it is, which counts by which it is. Of globals, converted
    code reads numbers and names where they are.

    Args:
        besides: the identities of functions in whose place others are recorded.
    """
    kind = type(value)
    if kind is np.ndarray:
        return True
    if type(variable.place) is not CellType and not is_data(value):
        return False
    if kind in _PLAIN:
        return True
    leaves, _ = Flattener().flatten(value)
    fine = (type(v) in _PLAIN or isinstance(v, np.generic) or id(v) in besides for v in leaves)
    return all(fine)


def _is_number(value: Any) -> bool:
    """Whether converted code reads a global variable that holds this where it is."""
    return type(value) in _READ_IN_PLACE or isinstance(value, np.generic)


def _is_key_of_number(*keys: Any) -> bool:
    """Whether these are what `static_key` says of such."""
    kinds = [key[0] if isinstance(key, tuple) and key else None for key in keys]
    return all(
        kind in _READ_IN_PLACE or (isinstance(kind, type) and issubclass(kind, np.generic))
        for kind in kinds
    )


def _place(get: Callable[[], Any]) -> NamedPlace | None:
    """Where what is looked up outside is, if it is assigned by its name there."""
    if isinstance(get, Lookup) and type(get.place) is dict and "__name__" in get.place:
        return place_of(GlobalVariable, get.place, get.name)
    if isinstance(get, AttributeLookup) and isinstance(get.owner, type):
        return class_attributes.place_in(get.owner, get.name)
    return None


def _name(name: str, names: Mapping[str, Any]) -> str:
    """A name for a root that is not among others; the last part of a dotted one."""
    name = name.rpartition(".")[2]
    name = name if name.isidentifier() else "self"
    number, found = 1, name
    while found in names:
        number += 1
        found = f"{name}{number}"
    return found


def _changes(
    name: str, root: Any, earlier: Mapping[int, Contents], before: Any = None
) -> set[Path]:
    """The ways to the leaves of a root that differ from what they were.

    Args:
        earlier: the contents of containers, by identity.
        before: what was in the place of the root, if it was another one.
    """
    now = _leaves(Flattener(), root)
    flattener = Flattener(
        contents_of=lambda container: earlier.get(id(container)) or contents(container)
    )
    known = _leaves(flattener, root if before is None else before)
    return {
        (name, *path)
        for path, leaf in now.items()
        if path not in known or static_key(known[path]) != static_key(leaf)
    }


def _leaves(flattener: Flattener, root: Any) -> dict[Sequence[str], Any]:
    leaves, structure = flattener.flatten(root)
    return dict(zip(paths(structure), leaves))
