"""Which objects from outside a function are inputs of its graphs; see
`autograph.staging.border.outer_inputs`.

At first there are none. Once something that a graph depends on is no longer as it was, the list,
dict, object or cell that has changed becomes a root, and of its numbers and arrays those that have
changed become inputs. The others stay constants, until they change.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from autograph.staging.border.constancy import static_key
from autograph.staging.border.guards import ContentsGuard
from autograph.staging.border.outer_inputs import possible_roots
from autograph.staging.border.signature import root_paths
from autograph.staging.containers.containers import Contents, contents
from autograph.staging.containers.shadows import CHANGED
from autograph.staging.containers.structure import Flattener, paths
from autograph.staging.trace import Traced

Path = tuple[str, ...]  # to a leaf of a root: the name of that, and the steps inside


class MoreRoots(Exception):
    """The function is to be recorded with more inputs."""


class Flattened(Protocol):
    """A call; see `autograph.api.recording.cached.Flat`."""

    @property
    def leaves(self) -> list[Any]: ...

    @property
    def structure(self) -> Any: ...

    @property
    def roots(self) -> Mapping[str, Any]: ...


class Values(Protocol):
    """Some leaves, and the keys of their values when the function was recorded."""

    positions: tuple[int, ...]
    values: tuple[Hashable, ...]


class OuterState:
    """The objects from outside a function that are inputs of its graphs.

    Attributes:
        roots: the objects, by names that are made for them.
    """

    def __init__(self) -> None:
        self.roots: dict[str, Any] = {}
        self._inputs: set[Path] = set()
        self._given_up: dict[str, Any] | None = None

    def static(self, flat: Flattened, known: Values | None) -> set[int]:
        """The positions of the leaves of a call that are constants.

        Args:
            known: those of which earlier recordings needed the values, or that were no inputs yet.
        """
        if not flat.roots:
            return set() if known is None else set(known.positions)
        before = {} if known is None else dict(zip(known.positions, known.values))
        found = root_paths(flat.structure)
        for position, path in enumerate(found):
            if path in self._inputs or position not in before:
                continue
            if static_key(flat.leaves[position]) != before.pop(position):
                self._inputs.add(path)
        return {*before, *(i for i, path in enumerate(found) if path not in self._inputs)}

    def learn(self, traced: Traced) -> None:
        """Find out what outside is no longer as it was when a function was recorded.

        Raises:
            MoreRoots: it is to be an input.
        """
        if self._given_up is not None:
            return
        earlier = {id(container): state for container, state in traced.found}
        new = dict(self.roots)
        for guard in traced.guards:
            if not isinstance(guard, ContentsGuard) or guard():
                continue
            changed = guard.changed()
            if id(guard.cell) in earlier:
                changed = [guard.cell]
            for part in changed:
                for root in possible_roots(part):
                    if all(root is not other for other in new.values()):
                        name = _name(guard.name, new)
                        new[name] = root
                        self._inputs |= _changes(name, root, earlier)
            for name, root in self.roots.items():
                if root is guard.value:  # the variable is bound to another one
                    for other in possible_roots(guard.present()):
                        if all(other is not known for known in new.values()):
                            new[name] = other
        if len(new) > len(self.roots):
            self._add_written(traced, new, earlier)
        self._set(new)

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
                    name = _name("outside", new)
                    new[name] = root
                    self._inputs |= _changes(name, root, earlier)

    def add(self, met: Iterable[tuple[str, Any]]) -> None:
        """Let parts of roots that are also found in other ways be roots themselves.

        Raises:
            MoreRoots: there are any.
        """
        new = dict(self.roots)
        for name, value in met:
            new[_name(name, new)] = value
        self._set(new)

    def _set(self, roots: dict[str, Any]) -> None:
        if [*map(id, roots.values())] != [*map(id, self.roots.values())]:
            self.roots = roots
            raise MoreRoots

    def give_up(self) -> None:
        """Take everything for constant again."""
        self._given_up, self.roots = self.roots, {}

    def take_back(self) -> None:
        """It was not for the inputs that the function could not be recorded."""
        self.roots, self._given_up = self._given_up or {}, None


def _name(name: str, names: Mapping[str, Any]) -> str:
    """A name for a root that is not among others; the last part of a dotted one."""
    name = name.rpartition(".")[2]
    name = name if name.isidentifier() else "self"
    number, found = 1, name
    while found in names:
        number += 1
        found = f"{name}{number}"
    return found


def _changes(name: str, root: Any, earlier: Mapping[int, Contents]) -> set[Path]:
    """The ways to the leaves of a root that differ from what they were."""
    now = _leaves(Flattener(), root)
    before = _leaves(
        Flattener(contents_of=lambda container: earlier.get(id(container)) or contents(container)),
        root,
    )
    return {
        (name, *path)
        for path, leaf in now.items()
        if path not in before or static_key(before[path]) != static_key(leaf)
    }


def _leaves(flattener: Flattener, root: Any) -> dict[Sequence[str], Any]:
    leaves, structure = flattener.flatten(root)
    return dict(zip(paths(structure), leaves))
