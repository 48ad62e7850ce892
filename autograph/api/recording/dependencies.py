"""What a recording depends on outside of its function: guards, which a process makes anew, and what
these guard, by value."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from types import FunctionType, ModuleType
from typing import Any

from autograph.api.recording.described_calls import NewCall, compiled_form, is_input
from autograph.api.saving.writing import nesting_of
from autograph.graph.description import NoDescription
from autograph.source.tree.free import Always
from autograph.staging.border.by_value import Descriptions, guards_on, variables_of
from autograph.staging.border.guards import Owners, guards_of_owners, same_contents
from autograph.staging.border.retracing import Guard, each_once, in_words
from autograph.staging.containers.structure import container_kinds, tuple_kinds
from autograph.staging.ground.ownership import is_user_class


class Dependencies:
    """What a recording depends on outside of its function: guards, and what they guard by value.

    Args:
        function: what is recorded: a function, or what is called like one.
        call: that it is recorded for.
        names: of the attributes that recorded code mentions.

    Attributes:
        described: knows the objects that were met by their numbers.
        guards: what asks whether all of it is still the same.
        ways: what guards are on, as far as `add` was told.
    """

    def __init__(self, function: Any, call: NewCall, names: Sequence[str]):
        self._function = function
        self._names = names
        self.described = Descriptions(compiled_form, frozenset(names))
        self.ways: list[Any] = []
        self.guards: list[Guard] = []
        self.described.give(call.containers())
        self._roots = set(map(id, call.roots.values()))
        self._variables = call.variables
        structure = nesting_of(call.structure)
        kinds = *container_kinds(structure), *tuple_kinds(structure)
        # Guards ask what is the same besides; that these are is said by the description alone.
        leaves = enumerate(call.leaves)
        given = [leaf for i, leaf in leaves if i in call.static or not is_input(leaf)]
        given += [kind for kind in kinds if is_user_class(kind)]
        self._told: list[Any] = [self.described.of(value) for value in (function, *given)]
        self._asked: set[Any] = set()

    def number(self, value: Any) -> int:
        """The number of something.

        Raises:
            NoDescription: it was not met.
        """
        found = self.described.number_of(value)
        if found is None:
            raise NoDescription(f"'{in_words(value)}' is found in no variable")
        return found

    def classes(self) -> list[type]:
        """The classes among what was met."""
        kinds = [value for value in self.described.met if isinstance(value, type)]
        names = [kind.__qualname__ for kind in kinds]
        return [kind for kind in kinds if names.count(kind.__qualname__) == 1]

    def add(self, way: int, name: str) -> None:
        """Depend on a function of the user's, on an attribute of a module, or on that there is none
        of a function or module; by their numbers."""
        owner = self.described.met[way]
        if type(owner) is not FunctionType and not (name and type(owner) is ModuleType):
            raise NoDescription("a function or module is something else")
        self.ways.append([way, name])
        has_variables = self._variables and not name
        for at, variable in enumerate(variables_of(owner) if has_variables else ()):
            if variable in self._variables:
                cell = self._variables[variable]
                self._told.append(["variable", way, at, self.described.number_of(cell)])
        self._add(guards_on(owner, name, self._roots, self._variables))

    def add_called(self) -> None:
        """Depend on what the function is bound to."""
        self._add([same_contents(Always(self._function), inputs=self._roots)])

    def add_owners(self, numbers: Sequence[Any]) -> None:
        """Depend on the attributes of classes and functions, by their numbers; of each is told
        whether only arguments are instances."""
        met = self.described.met
        owners = [met[number] for number, _ in numbers]
        if not all(isinstance(owner, (type, FunctionType)) for owner in owners):
            raise NoDescription("a class is something else")
        of_arguments = {met[number] for number, is_given in numbers if is_given}
        functions = [owner for owner in owners if not isinstance(owner, type)]
        self._add(guards_of_owners(Owners(functions, (), self._names)))
        # What classes have is described with them.
        classes = [owner for owner in owners if isinstance(owner, type)]
        found = [*guards_of_owners(Owners(classes, of_arguments, self._names))]
        self.guards += found
        self._told += [[type(guard).__name__, guard.name] for guard in found]

    def _add(self, guards: Iterable[Guard]) -> None:
        new = [*each_once(guards, self._asked)]
        self.guards += new
        self._told += self.described.of_guards(new)

    def told(self) -> str:
        """The hash of what guards ask, and of what they guard."""
        return hashlib.sha256(json.dumps(self._told).encode()).hexdigest()
