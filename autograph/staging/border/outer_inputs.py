"""Objects from outside a function whose contents are inputs of its graph.

What a function finds outside is taken for constant, as long as it is as it was; see
`autograph.staging.border.guards`. Of a list, dict, object or closure cell that the function itself
changes, or that is changed between its calls, that would only hold for one call. Such objects
become *roots*: what they hold is read at each call, as if they were arguments. They stay the
objects that they are, so guards ask only whether the variables are still bound to them.

Of a free variable that is bound to something else between calls, a cell that is made for each call
is the root: it holds what the variable is bound to then.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from autograph.source.tree.free import Lookup
from autograph.staging.arrays.array import GraphArray
from autograph.staging.containers.containers import empty_like, is_rebuilt
from autograph.staging.containers.shadows import Shadows
from autograph.staging.containers.structure import ContainerOf, Flattener, Unflattener
from autograph.staging.ground.bound import METHODS
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.given_objects import GivenObjects
from autograph.staging.lists.given_rows import GivenRows
from autograph.staging.sequences.dicts import TrackedDict

# Cells that stand for free variables, by the identities of the places of these and their names.
Variables = Mapping[tuple[int, str], types.CellType]


class OuterInputs:
    """The roots of a recording.

    Args:
        roots: the objects.
        unread: the numbers of lists whose elements are not seen.
        given: what says which objects are in heaps.
        variables: those among them that are cells for free variables, by the places and names of
            these.

    Attributes:
        roots: by identity.
        unread: see above.
        containers: the containers that are found in them and themselves, by their numbers among
            those of the arguments, of which they are the first.
        placed: the objects in heaps that are met in them, as often as they are.
        count: how many leaves they have; these are the first, too.
        arrays: the positions of the arrays in them that are inputs, by identity.
        met: those of the containers that are no roots, but are also found in another way.
    """

    def __init__(
        self,
        roots: Sequence[Any],
        variables: Variables | None = None,
        unread: Collection[int] = (),
        given: GivenRows | GivenObjects | None = None,
    ):
        self._variables = variables or {}
        self.roots = {id(root): root for root in roots}
        self.unread = unread
        flattener = Flattener(unread=unread, given=given)
        leaves, _ = flattener.flatten(tuple(roots))
        self.count = len(leaves)
        self.containers = flattener.containers
        self.placed = flattener.placed
        self.arrays: dict[int, int] = {}
        self.met: dict[int, tuple[str, Any]] = {}
        self._inside = {id(container): container for container in self.containers}
        if flattener.placed and isinstance(given, GivenObjects):
            self._inside.update((id(item), item) for item in given.objects())

    def variable(self, variable: Callable[[], Any]) -> types.CellType | None:
        """The root that stands for a free variable; None if none does."""
        if not self._variables or not isinstance(variable, Lookup):
            return None
        return self._variables.get((id(variable.place), variable.name))

    def meet(self, name: str, value: Any) -> None:
        """Code finds a value outside, by a variable of this name."""
        if id(value) in self._inside and id(value) not in self.roots:
            self.met[id(value)] = name, value

    def root(self, number: int) -> Any:
        """The root that is the container with a number; None if there is none."""
        if number >= len(self.containers):
            return None
        return self.roots.get(id(self.containers[number]))

    def __contains__(self, identity: int) -> bool:
        return identity in self._inside


class Later:
    """A leaf that is captured when the roots have been made, to which it may refer."""

    __slots__ = ("label", "leaf")

    def __init__(self, label: str, leaf: Any):
        self.label = label
        self.leaf = leaf


class GivenContainers(Unflattener):
    """Makes the containers that a recorded function is given, and finds outside as inputs."""

    def __init__(self, inputs: OuterInputs, shadows: Shadows):
        super().__init__()
        self._inputs = inputs
        self._shadows = shadows
        self._placed = iter(inputs.placed)

    def empty(self, number: int, kind: type, keys: tuple) -> Any:
        made = empty_like(kind, keys)
        if 0 <= number < len(self._inputs.containers):
            self._shadows.stand_for_input(self._inputs.containers[number], made)
        elif number < 0:
            for original in itertools.islice(self._placed, 1):  # those of the roots are the first
                self._shadows.stand_for_input(original, made)
        return made

    def call(self, nesting: Any, leaves: Iterator[Any]) -> tuple:
        """The roots, if there are any, the arguments, and those given by keywords."""
        *before, keywords = nesting.parts
        unflattened = [self.unflatten(part, leaves) for part in before]
        return (*unflattened, super().container(keywords, leaves))

    def container(self, structure: ContainerOf, leaves: Iterator[Any]) -> Any:
        made = super().container(structure, leaves)
        number = structure.number
        if type(made) is not dict or number < len(self._inputs.containers) or not _is_table(made):
            return made
        table = self.containers[number] = TrackedDict(made)
        return table


def _is_table(given: dict) -> bool:
    """Whether a dict among the arguments, of numbers, is to be one whose keys only the run knows;
    see `autograph.staging.ground.queues`."""
    if not all(isinstance(value, GraphArray) or _is_number(value) for value in given.values()):
        return False
    if any(isinstance(key, str) for key in given):
        return recorder().queues.make_of_texts() and all(isinstance(key, str) for key in given)
    return recorder().queues.take_as_lists() and all(map(_is_number, given))


def _is_number(value: Any) -> bool:
    return type(value) in (bool, int, float, complex)


def possible_roots(value: Any) -> Iterator[Any]:
    """The objects that can be roots, of which a value from outside consists."""
    if isinstance(value, METHODS):
        yield from possible_roots(value.__self__)
    elif isinstance(value, tuple):
        for part in value:
            yield from possible_roots(part)
    elif is_rebuilt(value):
        yield value
