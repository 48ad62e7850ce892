"""Options of `to_graph` that name some of a function's arguments."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from autograph.api.kept import RecentEntries
from autograph.backends.select import is_array
from autograph.errors import ConcreteValueError, OptionError
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.signature import CallStructure, leaf_arguments
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import SpecializeArguments

_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)

_MOST = 256  # structures of calls for which it is known which leaves they are


class ArgumentSelection:
    """Some of the arguments of a function, however a call passes them.

    Args:
        function: whose arguments they are.
        option: what the options are called, "static" or "donate".
        argnums: their positions; negative ones count from the last parameter.
        argnames: their names. A parameter named by its position is meant by its name too, and the
            other way round.

    Raises:
        OptionError: the function has no such argument.
    """

    def __init__(
        self,
        function: Callable,
        option: str,
        argnums: int | Sequence[int] = (),
        argnames: str | Iterable[str] = (),
    ):
        self.option = option
        self._function = getattr(function, "__name__", "function")
        numbers = self._integers(argnums)
        self.names = set(self._texts(argnames))
        self.positions = set(numbers)
        self._leaves: RecentEntries[frozenset[int]] = RecentEntries()
        if not numbers and not self.names:
            return
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):  # it has none that could be found out
            return
        by_position = [p for p in parameters if p.kind in _BY_POSITION]
        by_name = {p.name for p in parameters if p.kind in _BY_NAME}
        kinds = {p.kind for p in parameters}
        count = len(by_position)
        more = inspect.Parameter.VAR_POSITIONAL in kinds
        for number in numbers:
            if number < -count or (number >= count and not more):
                self._refuse(f"{option}_argnums", f"argument {number}", parameters)
        self.positions = {n + count if n < 0 else n for n in numbers}
        for name in self.names - by_name:
            if inspect.Parameter.VAR_KEYWORD not in kinds:
                self._refuse(f"{option}_argnames", f"argument '{name}'", parameters)
        chosen = {i for i, p in enumerate(by_position) if p.name in self.names}
        self.names |= {by_position[i].name for i in self.positions if i < count} & by_name
        self.positions |= chosen

    def __reduce__(self) -> tuple:
        return _selection, (self.option, self._function, self.names, self.positions)

    def __bool__(self) -> bool:
        return bool(self.positions or self.names)

    def overlaps(self, other: ArgumentSelection) -> bool:
        """Whether an argument is among both."""
        return bool(self.positions & other.positions or self.names & other.names)

    def leaves(self, structure: CallStructure) -> frozenset[int]:
        """The positions of those leaves of the arguments of a call that belong to them."""
        if not self:
            return frozenset()
        found = self._leaves.get(structure)
        if found is None:
            found = self._leaves[structure] = frozenset(
                i
                for i, argument in enumerate(leaf_arguments(structure))
                if argument in (self.positions if isinstance(argument, int) else self.names)
            )
            self._leaves.shrink(_MOST, lambda known: known is found)
        return found

    def _integers(self, given: Any) -> list[int]:
        listed = given if isinstance(given, (tuple, list, set, frozenset, range)) else [given]
        try:
            if any(isinstance(n, bool) for n in listed):
                raise TypeError
            return [operator.index(n) for n in listed]
        except TypeError:
            raise self._not_of_type(f"{self.option}_argnums", given, "an int or several") from None

    def _texts(self, given: Any) -> list[str]:
        listed = [given] if isinstance(given, str) else given
        if isinstance(listed, Iterable):
            listed = list(listed)
            if all(isinstance(name, str) for name in listed):
                return listed
        raise self._not_of_type(f"{self.option}_argnames", given, "a str or several")

    def _not_of_type(self, option: str, given: Any, wanted: str) -> OptionError:
        return OptionError(
            f"{option} is {given!r}",
            id="AG0609",
            fix=f"give {wanted}",
        )

    def _refuse(self, option: str, what: str, parameters: Sequence[inspect.Parameter]) -> None:
        listed = ", ".join(p.name for p in parameters) or "none"
        raise OptionError(
            f"{option} names {what}, but the parameters of '{self._function}' are: {listed}",
            id="AG0609",
            fix="name arguments that the function takes",
        )


def _selection(
    option: str, function: str, names: set[str], positions: set[int]
) -> ArgumentSelection:
    """A selection that was pickled."""
    made = ArgumentSelection(fixed_arguments, option)
    made._function, made.names, made.positions = function, names, positions
    return made


def fixed_arguments(
    selection: ArgumentSelection, name: str, args: tuple, kwargs: dict[str, Any]
) -> tuple[tuple, dict[str, Any]]:
    """The arguments of a call of a function with static arguments while another one is recorded:
    their values are asked for, and known afterwards.

    Args:
        name: of the function.

    Raises:
        SpecializeArguments: arguments of the function that is recorded have to become static.
        ConcreteValueError: a value is not known, or is differentiated.
    """

    def fixed(argument: int | str, given: Any) -> Any:
        chosen = selection.positions if isinstance(argument, int) else selection.names
        if argument not in chosen:
            return given
        for leaf in leaves_of(given):
            if isinstance(leaf, GraphArray):
                value = _known_value(leaf, name, argument)
                given = value if leaf is given else given
        return given

    return (
        tuple(fixed(i, given) for i, given in enumerate(args)),
        {key: fixed(key, given) for key, given in kwargs.items()},
    )


def _known_value(leaf: GraphArray, name: str, argument: int | str) -> Any:
    inputs = recorder().inputs
    value = inputs.outermost(leaf.value)
    if value in inputs.positions:
        raise SpecializeArguments([inputs.positions[value]], recorder().location())
    known = value.literal()
    differentiated = value is not leaf.value and leaf.type.inexact
    if known is not None and not differentiated:
        return known
    what = repr(argument) if isinstance(argument, str) else str(argument)
    why = "is differentiated or mapped" if differentiated else "is computed from traced values"
    raise ConcreteValueError(
        f"argument {what} of '{name}' is static, but {why} here",
        recorder().location(),
        id="AG0610",
        fix="pass a value that is known, or leave the argument out of static_argnums",
    )


def refuse_static_arrays(
    positions: Iterable[int], leaves: Sequence[Any], names: Sequence[str], location: Any
) -> None:
    """Refuse arrays among static arguments.

    Raises:
        ConcreteValueError: there is one.
    """
    for position in positions:
        if is_array(leaves[position]):
            raise ConcreteValueError(
                f"the argument '{names[position]}' is static, but is an array, which may change",
                location,
                id="AG0610",
                fix="pass a tuple of numbers, or leave the argument out of static_argnums",
            )
