"""The recorder: what symbolic values, and the functions of `staging`, ask of the recording of a
graph.

Each thread has at most one that is active; `recorder` gives it. What records is made of symbolic
values, containers and control flow, and these ask what records them. So the interface stands here,
below all of them, and `autograph.staging.tracer` and `autograph.staging.dispatch` above them fulfil
it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from types import CellType
from typing import Any, NoReturn, Protocol, TypeVar, cast

import numpy as np

from autograph.errors import Location, OutlivedValueError
from autograph.graph.builder import Builder
from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Constant, Value
from autograph.source.load import Converted
from autograph.source.tree.free import Lookup
from autograph.source.tree.options import ConversionOptions, Handling
from autograph.source.tree.places import NamedPlace
from autograph.staging.ground.effort import Effort
from autograph.staging.ground.first_trips import Apart
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.known_loops import KnownLoops
from autograph.staging.ground.learnt import Learnt
from autograph.staging.ground.nested_lists import NestedLists
from autograph.staging.ground.queues import Queues
from autograph.staging.ground.stepped import SteppedGenerators
from autograph.staging.ground.transformed import Transformed
from ops.core.op import Errors
from ops.core.recording import Recording, active_recording
from ops.core.registry import Op

State = TypeVar("State")


class Changes(Protocol):
    """What happened to arrays while one region was recorded."""

    def read(self, view: Any) -> None:
        """Called before the value of a view is read."""

    def touch(self, array: Any) -> None:
        """Called before an array changes."""


class RegionChanges(Changes, Protocol):
    """The same, as what records the region sees it.

    Attributes:
        before: the state, on entry, of each array that is older than the region and was changed in
            it.
        viewed: the views older than the region that were read in it.
    """

    before: ByIdentity
    viewed: ByIdentity

    def written(self) -> list[Any]:
        """The older arrays that now stand for another value than on entry."""


class Attempt(Protocol):
    """An expression that is recorded, in which exceptions may be raised that the program
    handles.

    Attributes:
        sure: what was noted already where it was raised, in one of two branches that both raise.
        is_possible: whether something may have been raised by now that is handled.
        kinds: the classes of exceptions that are handled.
        is_barred: whether what would be handled is refused.
    """

    sure: BaseException | None
    is_possible: bool
    kinds: tuple
    is_barred: bool

    def catches(self, error: BaseException) -> bool:
        """Whether the program handles an exception that is raised in it."""

    def clear(self) -> Any:
        """Whether nothing was raised by now."""

    def raised(self, error: Exception) -> bool:
        """An exception is raised; whether the program handles it."""

    def aside(self) -> AbstractContextManager[None]:
        """What is recorded inside is no part of the expression."""

    def calls(self) -> None:
        """Called before a named graph is."""

    def calling(self) -> AbstractContextManager[None]:
        """Around a call of a function that is recorded."""

    def changing(self, change: Callable, otherwise: Callable) -> Any:
        """See `autograph.staging.ground.handling.changing`."""

    def wrote(self, array: Any, value: Value) -> None:
        """Called before an array gets another value."""

    def refuse_changes(self) -> NoReturn:
        """Raise, since containers are changed that would have to stay so."""


class Frozen(Protocol):
    """Containers that must not change any more; see `autograph.staging.containers.watch`."""

    def add_element(self, container: Any) -> None:
        """A container is an element of a list that is kept as rows, which hold a copy of it."""

    def add_copies(self, containers: Sequence[Any], made: Any) -> None:
        """What is ``made`` stands for containers, by number, after a region or in one."""

    def is_element(self, container: Any) -> bool:
        """Whether it is an element of such a list."""

    def is_joined(self, container: Any) -> bool:
        """Whether a container may be the same as another one, which is no list."""

    def site(self, container: Any) -> Location | None:
        """Where a container became an element, or the same as another one."""

    def that_may_be(self, containers: Iterable[Any]) -> Collection[Any]:
        """Those that may be one of some, which are themselves among them if they were joined."""

    def stand(self, container: Any, entered: Any) -> None:
        """A container stands, where a region is entered, for one that may be an older one."""

    def stands(self, container: Any) -> Any:
        """What was entered where it does; None if it does not."""

    def hold(self, root: Any) -> None:
        """The elements of a list change where they are."""

    def refresh(self, container: Any) -> None:
        """The recorder itself has put a container into another state."""

    def refuse(self, container: Any) -> None:
        """Called before a list changes; raises if it must not."""

    def check(self) -> None:
        """Raise if one of them was changed."""


class Shadows(Protocol):
    """What stands for containers and objects from outside; see
    `autograph.staging.containers.shadows`."""

    def __len__(self) -> int: ...

    def is_shadow(self, value: Any) -> bool:
        """Whether a value stands for one."""

    def made_since(self, count: int) -> list[tuple[Any, Any]]:
        """Those made after the first ``count``, with what they contained when new."""


class Classes(Protocol):
    """The user's classes that recorded code refers to; see `autograph.staging.classes.classes`."""

    def add(self, value: Any) -> None:
        """Watch a class, or that of an instance; or a function."""

    def has_cells(self, kind: type) -> bool:
        """Whether what recorded code assigns to a class is in cells."""


class Outside(Protocol):
    """What is met from outside of a function; see `autograph.staging.border.outside`.

    Attributes:
        captured: arrays from outside, with the symbolic ones that stand for them, by identity.
        bound: the positions of those arguments that are objects, others at each call, by identity.
        seen: objects from outside that converted code sees as they are.
        guards: the graph is valid as long as each of these functions returns True; see
            `autograph.staging.border.retracing.Guard`.
        names: of globals and attributes in the sources of the functions that are recorded.
        shadows: what stands for containers and objects from outside.
        classes: the user's classes that recorded code refers to.
        outer: the objects from outside whose contents are inputs of the graph; see
            `autograph.staging.border.outer_inputs`.
    """

    outer: Any
    captured: dict[int, tuple[Any, Any]]
    bound: dict[int, list[int]]
    seen: list[Any]
    guards: list[Any]
    names: set[str]

    @property
    def shadows(self) -> Shadows: ...

    @property
    def classes(self) -> Classes: ...

    def capture(self, name: str, value: Any) -> Any:
        """What converted code sees of something from outside the function."""

    def seen_by(self, function: Any, converted: Converted) -> Any:
        """A converted function that sees what it captures as the recorder does."""

    def need_cells(self, names: Collection[str], location: Location | None) -> None:
        """Called where global variables are assigned, which have to be cells."""

    def global_cell(self, namespace: dict[str, Any], name: str) -> CellType:
        """What stands for a global variable that is a cell."""

    def place_cell(self, place: NamedPlace, name: str) -> CellType:
        """What stands for a place that code assigns."""

    def looked_for(self, owner: Any, name: str) -> None:
        """Note that converted code has looked for an attribute that may be another one later."""

    def asked(self, kind: type, abstract: type) -> None:
        """Note that converted code has asked whether a class is of an abstract one."""

    def input_cell(self, variable: Lookup) -> CellType | None:
        """What stands for a free variable whose contents are inputs; None for others."""

    def is_captured(self, constant: Constant) -> bool:
        """Whether a constant is an array from outside: the function returns that very array."""

    def compare(self, array: Any) -> None:
        """Note that an argument is compared by ``is`` with an array that may be from outside."""

    def original(self, value: Any) -> Any:
        """The object from outside that ``value`` stands for, or ``value`` itself."""

    def unbound(self, function: Callable) -> Callable:
        """A function from outside with the object or arguments that it is bound to captured."""

    def assigned(self) -> list[CellType]:
        """What stands for the places that code assigns."""

    def guard_unconverted(self, args: tuple, kwargs: dict[str, Any]) -> None:
        """Make the graph depend on what functions of the user's read that a library is given."""


class Inputs(Protocol):
    """The inputs of the graph; see `autograph.staging.border.inputs`.

    Attributes:
        positions: of each among the arguments.
        aliases: for inputs of graphs recorded inside this one, the values they stand for.
        given: for arguments of functions that are transformed, what the caller gave.
    """

    positions: dict[Value, int]
    aliases: dict[Value, Value]
    given: ByIdentity

    def demand(self, value: Value) -> None:
        """Code needs the concrete value: if integer arguments alone determine it, start again with
        those arguments as part of the signature."""

    def outermost(self, value: Value) -> Value:
        """What an input of a graph recorded inside this one stands for."""

    def is_given(self, value: Value) -> bool:
        """Whether a value is one of the arguments itself."""


class Managers(Protocol):
    """The context managers that are entered; see `autograph.staging.classes.managers`."""

    held: list[Any]

    def __len__(self) -> int: ...

    def enter(self, manager: Any, enter: Callable[[], Any]) -> Any:
        """Call ``enter``, which is the manager's ``__enter__``."""

    def leave(self, manager: Any) -> int | None:
        """Take a manager off."""

    def exit(self, manager: Any, exit: Callable[[], Any], error: BaseException | None) -> Any:
        """Call ``exit``, which is the manager's ``__exit__``, unless the block ends with an error
        that Python knows nothing of."""


class Recorder(Recording, Protocol):
    """What records a graph, as symbolic values and the functions of `staging` see it.

    Attributes:
        name: of the function that is recorded.
        effort: counts what is recorded, also by recordings that were given up before this one.
        capabilities: of the machine that is to run it.
        unroll_limit: how many trips a loop may make that has to run as Python.
        clips: whether slices at symbolic places may reach past the ends of their axes, so that only
            the run knows how long they are.
        bets: whether slices were taken for inside of their axes that may not be; see
            `autograph.staging.sequences.subscripts`.
        tells_apart: whether it counts which arguments are the same array, though nothing changes
            them: ``is`` was asked of arrays.
        learnt: what recordings of the function have found out. Some of it is also here:
        conversion: how functions are converted.
        handling: of exceptions, which is part of that.
        apart: the loops whose first trips are recorded apart.
        known_loops: what is done with loops whose trips are known.
        queues: what is done with deques.
        stepped: what is done with generators.
        nested: what is done with lists of lists.
        outside: what is met from outside of the function.
        inputs: those of the graph.
        transformed: the transforms around what is recorded.
        attempts: how many of the loops being recorded will run as Python if that fails.
        keeps_arrays: whether loops take arrays for the objects that they were before.
        joins_lengths: whether arrays of unequal lengths may meet, which only the run knows then.
        below: for the indices of loops whose number of trips is known, that number.
        given: the containers among the arguments.
        frame: what happened to arrays in the innermost region.
        frozen: containers that must not change any more.
        lost: the lists that nobody may use any more.
        watches: of the regions that are being recorded, what notices changes to containers.
        attempt: the expression that is attempted now; see `autograph.staging.control.catching`.
        managers: the context managers that are entered.
        exceptions: the user's own exception classes that the program raises.
    """

    name: str
    effort: Effort
    capabilities: Capabilities
    unroll_limit: int
    clips: bool
    bets: bool
    tells_apart: bool
    learnt: Learnt
    conversion: ConversionOptions
    handling: Handling
    apart: Apart
    known_loops: KnownLoops
    queues: Queues
    stepped: SteppedGenerators
    nested: NestedLists
    transformed: Transformed
    attempts: int
    keeps_arrays: bool
    joins_lengths: bool
    below: dict[Value, int]
    given: list[Any]
    lost: list[Any]
    watches: list[Any]
    attempt: Attempt | None
    exceptions: dict[str, type[Exception]]

    @property
    def outside(self) -> Outside: ...

    @property
    def inputs(self) -> Inputs: ...

    @property
    def managers(self) -> Managers: ...

    @property
    def frame(self) -> Changes: ...

    @property
    def frozen(self) -> Frozen: ...

    # -- what modules keep ------------------------------------------------------------------------

    def state(self, kind: type[State]) -> State:
        """What a module keeps for this recording, of a class of its own: made without arguments
        when it is asked for the first time."""

    def fresh(self, kind: type) -> AbstractContextManager[None]:
        """Inside, what a module keeps is another one, new."""

    # -- nodes and regions ------------------------------------------------------------------------

    def apply(self, op: Op, values: Sequence[Value], attrs: dict[str, Any]) -> Any:
        """Add an application of an operator to graph values, as an operation of the program."""

    def builder(self, name: str) -> Builder:
        """A builder of a region or graph."""

    def new_frame(self) -> AbstractContextManager[RegionChanges]:
        """Notice the changes to arrays made inside, and undo them at the end."""

    def losses_undone(self, trips: int = 0) -> AbstractContextManager[None]:
        """If what happens inside fails, lists that were lost in it may be used again."""

    def may_be_same(self, a: Any, b: Any) -> None:
        """Two containers may be the same, depending on control flow."""

    # -- values -----------------------------------------------------------------------------------

    def value_of(self, operand: Any) -> Value:
        """The graph value of an operand: a symbolic array, an array from outside, or a number."""

    def demand_number(self, value: Value) -> None:
        """`demand`, but not where something else may be recorded in its place."""

    def known_length(self, column: Any) -> int:
        """The length of a list that is an element of another one kept as rows."""

    def contents_of(self, container: Any) -> Any:
        """What a container contains."""

    def rebuilt(self, kind: type, keys: tuple, values: Sequence[Any]) -> Any:
        """A new container of a class with these contents."""

    # -- iterators --------------------------------------------------------------------------------

    def made(self, iterator: Any) -> None:
        """An iterator of Python's own was made here."""

    def consume(self, value: Any) -> None:
        """Something goes through ``value``, which may be an iterator."""

    # -- from symbolic arrays ---------------------------------------------------------------------

    def apply_ufunc(self, ufunc: np.ufunc, method: str, inputs: tuple, kwargs: dict) -> Any:
        """NumPy's protocol ``__array_ufunc__``."""

    def apply_function(self, function: Any, args: tuple, kwargs: dict) -> Any:
        """NumPy's protocol ``__array_function__``."""

    def apply_to_list(self, function: Any, args: tuple, kwargs: dict) -> Any:
        """A function of NumPy's whose arguments lists of unknown length are among."""

    def placed(self, made: Any) -> Any:
        """A list that an operator or a method has just made, in the heap that it belongs to."""

    def array_namespace(self) -> Any:
        """The functions of the Python array API standard."""

    def read(self, array: Any, index: Any) -> Any:
        """``array[index]``"""

    def assign(self, array: Any, index: Any, value: Any) -> None:
        """``array[index] = value``"""

    def flat(self, array: Any) -> Any:
        """``array.flat``"""

    def strides(self, array: Any) -> tuple[int, ...]:
        """``array.strides``"""

    def flags(self, array: Any) -> Any:
        """``array.flags``"""

    def assign_shape(self, array: Any, shape: Any) -> None:
        """``array.shape = shape``"""

    # -- refusals, and places in the user's source ------------------------------------------------

    def refuse(self, what: str) -> NoReturn:
        """Refuse to handle an exception that is raised when the program runs."""

    def refuse_handling(self, what: str, errors: Errors) -> None:
        """`refuse`, if by Python's rules the user's code would handle one of some classes."""

    def is_of_program(self, error: BaseException) -> bool:
        """Whether converted code may handle an exception that is raised while it is recorded."""

    def assignment(self, name: str) -> Location | None:
        """Where converted code last assigned a variable before what it is executing."""


def active_recorder() -> Recorder | None:
    """What records the calls of this thread, or None when code runs eagerly."""
    return cast("Recorder | None", active_recording())


def recorder() -> Recorder:
    """What records the calls of this thread.

    Raises:
        OutlivedValueError: nothing does: a symbolic array has outlived its recording.
    """
    found = active_recording()
    if found is None:
        raise OutlivedValueError(
            "a traced array is used after its function was recorded",
            fix="return the value from the converted function instead of storing it elsewhere",
        )
    return cast("Recorder", found)


def is_argument(container: Any) -> bool:
    """Whether a container is one of those among the arguments."""
    return any(container is other for other in recorder().given)
