"""What is met from outside of a function that is recorded, and what its graph depends on there."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Collection
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any

from autograph.backends.foreign import is_foreign, native
from autograph.backends.select import is_array
from autograph.errors import Location
from autograph.graph.graph import Constant
from autograph.source.load import Converted, is_converted
from autograph.source.tree.free import Always, Lookup, is_user_module
from autograph.source.tree.places import GlobalVariable, NamedPlace, place_of
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.random_states import stand_in_for
from autograph.staging.border.constancy import is_plain, is_unknown
from autograph.staging.border.guards import (
    guard_on_absence,
    guard_on_attribute,
    guards_of,
    guards_of_import,
    guards_of_unconverted,
    mentioned_names,
    same_contents,
    same_object,
)
from autograph.staging.border.made import may_be_made
from autograph.staging.border.outer_inputs import OuterInputs
from autograph.staging.border.retracing import Guard
from autograph.staging.border.unknown import Unknown
from autograph.staging.classes.classes import Classes
from autograph.staging.containers.containers import reachable
from autograph.staging.containers.shadows import ModuleShadow, Shadows
from autograph.staging.ground.bound import METHODS
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.nesting import is_tuple
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsGlobals, SpecializeArguments
from autograph.staging.lists.lists import is_unread
from autograph.staging.sequences.iteration import is_native_iterator
from ops.core.recording import raises_as_python
from ops.core.types import type_of
from ops.random.numpy_streams import is_generator


class Outside:
    """What is met from outside of a function while it is recorded.

    Attributes:
        captured: arrays from outside, by identity.
        compared: the identities of those that an argument is compared with by ``is``.
        bound: the positions of those arguments that are objects, others at each call, by identity.
        shadows: what stands for containers and objects from outside.
        seen: objects from outside that converted code sees as they are.
        iterators: Python's own iterators that were found outside, by identity.
        classes: the user's classes that recorded code refers to.
        guards: the graph is valid as long as each of these functions returns True.
        met: what guards are on, in their order: functions of the user's, with an empty text, and
            modules of the user's with the name of an attribute.
        bound_functions: methods, partial applications and other objects from outside that were
            called, each guarded by what it is bound to.
        names: of globals and attributes in the sources of the functions that are recorded.
        outer: see `OuterInputs`.
        places: those that code assigns and that are looked up, by identity.
    """

    def __init__(self) -> None:
        self.outer = OuterInputs(())
        self.captured: dict[int, tuple[Any, GraphArray]] = {}
        self.compared: set[int] = set()
        self.bound: dict[int, list[int]] = {}
        self.shadows = Shadows()
        self.seen: list[Any] = []
        self.iterators: dict[int, Any] = {}
        self.classes = Classes()
        self.guards: list[Guard] = []
        self.met: dict[tuple[FunctionType | ModuleType, str], None] = {}
        self.bound_functions: list[Callable] = []
        self.names: set[str] = set()
        self.places: dict[int, NamedPlace] = {}
        self._foreign: dict[int, tuple[Any, Any]] = {}  # arrays of other libraries, with NumPy's

    def capture(self, name: str, value: Any) -> Any:
        """What converted code sees of something from outside the function.

        An array becomes a symbolic one that refers to it: its contents are read at each call. A
        container or object is copied, with the arrays in it treated so.
        """
        if is_foreign(value):
            value = self._foreign.setdefault(id(value), (value, native(value)))[1]
        if is_array(value):
            if not is_plain(value) or type_of(value) is None:
                return self.shadows.read_only(value)
            if id(value) in self.outer.arrays:  # which is in one place only
                raise SpecializeArguments([self.outer.arrays[id(value)]], user_location())
            if id(value) not in self.captured:
                array = GraphArray(Constant(value))
                array.belongs_outside()
                array.is_array = not value.ndim
                self.captured[id(value)] = (value, array)
            return self.captured[id(value)][1]
        if id(value) in self.bound:  # an argument is met outside as well
            raise SpecializeArguments(self.bound[id(value)], user_location())
        if is_generator(value):
            return self.shadows.stand_in(value, stand_in_for)
        if is_user_object(value) or is_tuple(value):
            self.classes.add(value)
        if isinstance(value, (type, FunctionType)):
            self.classes.add(value)
        if is_native_iterator(value):
            self.iterators[id(value)] = value
        if is_user_module(value):
            return self.shadows.stand_in(
                value, lambda module: ModuleShadow(module, self.attribute, self.assign)
            )
        if isinstance(value, (*METHODS, functools.partial)):
            return self._part_unbound(name, value)
        if isinstance(value, NamedPlace):
            self.places[id(value)] = value
        self.outer.meet(name, value)
        shadow = self.shadows.of(value, lambda part: self.capture(name, part))
        if shadow is value and not self.shadows.is_shadow(value):
            if is_unknown(value):
                return self.shadows.stand_in(value, lambda original: Unknown(name, original))
            if may_be_made(value) and not isinstance(value, FunctionType):
                self.seen.append(value)
        return shadow

    @raises_as_python
    def attribute(self, module: ModuleType, name: str) -> Any:
        """What converted code sees of an attribute of a module of the user's."""
        if name in recorder().conversion.shared:
            try:
                return self.global_cell(vars(module), name).cell_contents
            except ValueError:
                text = f"module '{module.__name__}' has no attribute '{name}'"
                raise AttributeError(text) from None
        self.met[module, name] = None
        self.guards.append(guard_on_attribute(module, name, self.outer.roots))
        return self.capture(f"{module.__name__}.{name}", getattr(module, name))

    def assign(self, module: ModuleType, name: str, value: Any) -> None:
        """Assign an attribute of a module of the user's.

        Raises:
            NeedsGlobals: others may not see it in a cell.
        """
        self.need_cells([name], user_location())
        self.global_cell(vars(module), name).cell_contents = value

    def global_cell(self, namespace: dict[str, Any], name: str) -> CellType:
        """What stands for a global variable that is a cell."""
        return self.place_cell(place_of(GlobalVariable, namespace, name), name)

    def place_cell(self, place: NamedPlace, name: str) -> CellType:
        """What stands for a place that code assigns."""
        if id(place) not in self.places:
            self.guards.append(same_contents(Always(place), name, self.outer.roots))
        return self.capture(name, place)

    def assigned(self) -> list[CellType]:
        """What stands for the places that code assigns."""
        return [self.shadows.of(place, lambda part: part) for place in self.places.values()]

    def looked_for(self, owner: Any, name: str) -> None:
        """Note that converted code has looked for an attribute by a name that its source does not
        tell, or one that is not there: it may be another one later. Classes and objects are watched
        anyway, and modules of the user's where they are read."""
        owner = owner.__func__ if isinstance(owner, MethodType) else owner
        if isinstance(owner, ModuleType):
            guard = guard_on_attribute(owner, name)
        elif isinstance(owner, FunctionType) and not hasattr(owner, name):
            guard = guard_on_absence(owner, name)
        else:
            return
        self.met[owner, name] = None
        self.guards.append(guard)

    def asked(self, kind: type, abstract: type) -> None:
        """Note that converted code has asked whether a class is of an abstract one, which may be
        registered so at any time."""
        ask = functools.partial(issubclass, kind, abstract)
        answer, name = ask(), f"issubclass({kind.__name__}, {abstract.__name__})"
        self.guards.append(Guard(name, ask, lambda: ask() is answer))

    def imported(self, value: Any, module: str, name: str | None) -> Any:
        """What converted code sees of what an ``import`` in it binds.

        Args:
            value: what it has bound.
            module: the full name of the module that it names.
            name: what it takes of that module, if it does.
        """
        found = sys.modules.get(module)
        if found is None:  # it has taken itself out
            return self.capture(name or module, value)
        if name in recorder().conversion.shared and is_user_module(found):
            self.guards.append(same_object(Lookup(sys.modules, module), module))
            return self.attribute(found, name)
        self.guards.extend(guards_of_import(module, name, self.names, self.outer.roots))
        return self.capture(module if name is None else f"{module}.{name}", value)

    def _part_unbound(self, name: str, function: Any) -> Any:
        """What stands for a method or partial application, with what it is bound to captured."""
        if isinstance(function, METHODS):
            if is_generator(function.__self__):
                return function  # see `autograph.staging.arrays.random_generators.stood_in`
            owner = self.capture(name, function.__self__)
            same = owner is function.__self__
            return function if same else MethodType(function.__func__, owner)
        args, keywords = self.capture(name, (function.args, function.keywords))
        inside = self.capture(name, function.func)
        return functools.partial(inside, *args, **keywords)

    def input_cell(self, variable: Lookup) -> CellType | None:
        """What stands for a free variable whose contents are inputs; None for others."""
        root = self.outer.variable(variable)
        return None if root is None else self.shadows.of(root, lambda part: part)

    def is_captured(self, constant: Constant) -> bool:
        """Whether a constant is an array from outside: the function returns that very array."""
        return id(constant.data) in self.captured

    def compare(self, array: Any) -> None:
        """Note that an argument is compared by ``is`` with an array that may be from outside."""
        self.compared |= {key for key, (_, own) in self.captured.items() if own is array}

    def original(self, value: Any) -> Any:
        """The object from outside that ``value`` stands for, or ``value`` itself."""
        return self.shadows.original(value)

    def unbound(self, function: Callable) -> Callable:
        """``function``, which comes from outside, with the object or arguments that it is bound to
        captured, and the graph made to depend on them."""
        if isinstance(function, METHODS):
            owner = self.capture("self", function.__self__)
            is_bound = owner is not function.__self__
            inside: Any = MethodType(function.__func__, owner) if is_bound else function
        elif isinstance(function, functools.partial):
            args, keywords = self.capture("args", (function.args, function.keywords))
            inside = functools.partial(self.unbound(function.func), *args, **keywords)
        else:
            inside = self.capture("self", function)
        if inside is not function:
            self.bound_functions.append(function)
            self.guards.append(same_contents(Always(function), inputs=self.outer.roots))
        return inside

    def seen_by(self, function: FunctionType, converted: Converted) -> FunctionType:
        """A converted function that sees what it captures as the recorder does.

        Raises:
            NeedsGlobals: it assigns global variables that others may not see in cells.
        """
        self.need_cells(converted.assigned, converted.location)
        self.guard(function, converted)
        return converted.instantiate(function, self.capture, self.input_cell)

    @staticmethod
    def need_cells(names: Collection[str], location: Location | None) -> None:
        """Called where global variables are assigned.

        Raises:
            NeedsGlobals: they are no cells, in which all see them.
        """
        if not set(names).issubset(recorder().conversion.shared):
            raise NeedsGlobals(names, location)

    def guard(self, function: FunctionType, converted: Converted) -> None:
        """Make the graph depend on what the free variables of ``function`` are bound to now."""
        self.met[function, ""] = None
        bindings = [b for b in converted.bindings(function) if self.outer.variable(b[2]) is None]
        found = guards_of(function, bindings, converted.mentioned, self.outer.roots)
        for guard in found:
            self.guards.append(guard)
            if isinstance(guard.present(), type):
                self.classes.add(guard.present())
        self.names |= mentioned_names(function)
        for *_, get in converted.bindings(function):
            self.classes.add(get())

    def guard_unconverted(self, args: tuple, kwargs: dict[str, Any]) -> None:
        """Make the graph depend on what functions of the user's read that a library is given, and
        calls now.

        Raises:
            NeedsElements: it is given a list whose elements are not seen.
        """
        if any(map(is_unread, recorder().given)):
            for container in filter(is_unread, reachable((args, kwargs))):
                container.unread.refuse()
        for function in (*args, *kwargs.values()):
            if isinstance(function, FunctionType) and not is_converted(function.__code__):
                self.guards.extend(guards_of_unconverted(function))
