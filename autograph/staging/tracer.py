"""The tracer: what records a graph while converted source runs on symbolic arrays.

While a tracer is active, `ops.cond`, `ops.while_loop` and the other functions that converted source
calls come to it. It keeps what is true of the whole recording: the arrays captured from outside,
the guards that say for which state of the outside the graph is valid, and the stack of *frames*,
one per region being recorded, which notice which arrays a region changed.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

import ops
from autograph.backends.select import is_array
from autograph.errors import (
    AutographError,
    Location,
    LoopStateError,
    OperandTypeError,
    UnboundAxisError,
    UndefinedVariableError,
    UnsupportedConstructError,
)
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Value
from autograph.graph.purity import refuses_an_int
from autograph.source.free import is_user_module
from autograph.source.load import Converted, converted_frame, is_converted
from autograph.staging.array import GraphArray
from autograph.staging.checkpointing import inside
from autograph.staging.classes import Classes
from autograph.staging.constancy import is_plain, is_unknown
from autograph.staging.containers import Contents, contents, empty_like, fill
from autograph.staging.effort import Effort
from autograph.staging.errors import located
from autograph.staging.first_trips import Apart
from autograph.staging.guards import (
    guard_on_attribute,
    guards_of,
    guards_of_import,
    guards_of_unconverted,
    mentioned_names,
    same_contents,
)
from autograph.staging.handling import may_be_swallowed, may_handle
from autograph.staging.identity import ByIdentity
from autograph.staging.iteration import Iterators, consume, is_native_iterator
from autograph.staging.lists import TrackedList, is_rows
from autograph.staging.made import may_be_made
from autograph.staging.managers import Managers
from autograph.staging.maybe import MaybeUndefined
from autograph.staging.naming import assignment_in, bound_names, location_of
from autograph.staging.nesting import is_tuple
from autograph.staging.ownership import is_user_object
from autograph.staging.promoted import check_division, followed
from autograph.staging.random_states import stand_in_for
from autograph.staging.ranges import as_array, is_range
from autograph.staging.recursion import Recursion
from autograph.staging.refusals import no_operand
from autograph.staging.shadows import ModuleShadow, Shadows
from autograph.staging.unknown import Unknown, refuse
from autograph.staging.views import View, gives_array, gives_new_object, view_of
from autograph.staging.watch import Frozen, Watch
from ops import effects
from ops.control import Refusal, Undefined
from ops.random.numpy_streams import is_generator
from ops.registry import Errors, Op, set_tracer
from ops.types import type_of


class Frame:
    """What happened to arrays while one region was recorded.

    Attributes:
        before: the state, on entry, of each array that is older than the region and was changed in
            it.
        viewed: the views older than the region that were read in it.
    """

    def __init__(self) -> None:
        self.before = ByIdentity()
        self.viewed = ByIdentity()

    def read(self, view: GraphArray) -> None:
        """Called before the value of a view is read."""
        if view._frame is not self:
            self.viewed[view] = None

    def touch(self, array: GraphArray) -> None:
        """Called before ``array`` changes."""
        if array._frame is not self and array not in self.before:
            self.before[array] = array.state

    def written(self) -> list[GraphArray]:
        """The older arrays that now stand for another value than on entry.

        Without views, which change with their bases, and arrays that nobody may use.
        """
        return [
            array
            for array, (value, view, _) in self.before.items()
            if (not isinstance(view, View) or _on_its_own(array, view))
            and array._value is not value
            and array.lost is None
        ]

    def separated(self) -> list[GraphArray]:
        """The older arrays that were uncertain views on entry and are on their own now."""
        return [array for array, (_, view, _) in self.before.items() if _on_its_own(array, view)]

    def undo(self) -> None:
        """Put every older array back into the state it had on entry."""
        for array, state in self.before.items():
            array.restore(state)


def _on_its_own(array: GraphArray, before: Any) -> bool:
    """Whether an array that may have shared memory was written, so that nobody may use the
    other."""
    return isinstance(before, View) and before.put is None and array._view is None


class SpecializeArguments(Refusal):
    """Recording needs the values of some arguments, leaves by position; they have to become part
    of the signature.

    Not an `Exception`, so that a user's ``except Exception`` does not swallow it.
    """

    def __init__(self, positions: list[int], location: Location | None):
        super().__init__(positions)
        self.positions = positions
        self.location = location


class NeedsHandlers(Refusal):
    """Recording needs functions that are converted such that the program handles exceptions.

    Attributes:
        refusal: what is raised if that does not help.
    """

    def __init__(self, refusal: AutographError):
        super().__init__(refusal)
        self.refusal = refusal


class Tracer:
    """Records one function.

    Args:
        name: of the function.
        unroll_limit: how many trips a loop may make that has to run as Python.
        effort: counts what is recorded, also by tracers that were given up before this one.
        clips: whether slices at symbolic places may reach past the ends of their axes, so that only
            the run knows how long they are.

        handling: whether functions are converted such that the program handles exceptions.
        apart: the loops whose first trips are recorded apart.

    Attributes:
        frame: what happened to arrays in the innermost region.
        inputs: the graph's inputs, with their positions; they become static if their values are
            needed while recording.
        aliases: for inputs of graphs recorded inside this one, the values they stand for.
        captured: arrays from outside, by identity.
        bound: the positions of those arguments that are objects, others at each call, by identity.
        shadows: what stands for containers and objects from outside.
        seen: objects from outside that converted code sees as they are.
        frozen: containers that must not change any more.
        lost: the lists that nobody may use any more.
        attempts: how many of the loops being recorded will run as Python if that fails.
        given: the containers among the arguments.
        watches: of the regions that are being recorded.
        lengths: of the rows of some lists, where they can be computed from numbers of trips.
        derivatives: how many derivatives will be taken of what is being recorded; functions with
            custom derivatives ask for it.
        lanes: how many axes of lanes the function being recorded is batched over.
        axes: those of them that have names, with their sizes.
        iterators: Python's own iterators that were made while recording.
        outside_iterators: those that were found outside, by identity.
        managers: the context managers of the user's classes that are entered.
        ignored_warnings: the classes of warnings that each ``warnings.catch_warnings()`` which is
            entered ignores, with the frame it is in.
        refusal: the last error of ours that the user's code might swallow.
        classes: the user's classes that recorded code refers to.
        guards: the graph is valid as long as each of these functions returns True.
        names: of globals and attributes in the sources of the functions that are recorded.
        exceptions: the user's own exception classes that the program raises.
        running: the calls being recorded, outermost first.
        named: the recursive functions found; see `autograph.staging.recursion`.
        checkpointed_loops: how many of their states loops keep, see `autograph.checkpoint`.
        attempt: the expression that is attempted now; see `autograph.staging.catching`.
        bets: whether slices were taken for inside of their axes that may not be; see
            `autograph.staging.subscripts`.
        below: for the indices of loops whose number of trips is known, that number.
    """

    def __init__(
        self,
        name: str,
        effort: Effort,
        unroll_limit: int = 256,
        clips: bool = False,
        handling: bool = False,
        apart: Apart | None = None,
    ):
        self.apart = Apart() if apart is None else apart
        self.name = name
        self.handling = handling
        self.unroll_limit = unroll_limit
        self.effort = effort
        self.clips = clips
        self.bets = False
        self.below: dict[Value, int] = {}
        self.frame = Frame()
        self.inputs: dict[Value, int] = {}
        self.aliases: dict[Value, Value] = {}
        self.captured: dict[int, tuple[Any, GraphArray]] = {}
        self.bound: dict[int, list[int]] = {}
        self.shadows = Shadows()
        self.seen: list[Any] = []
        self.frozen = Frozen()
        self.lost: list[TrackedList] = []
        self.attempts = 0
        self.given: list[Any] = []
        self.watches: list[Watch] = []
        self.lengths: dict[Value, GraphArray] = {}
        self.derivatives = 0
        self.axes: dict[Any, Any] = {}
        self.lanes = 0
        self.iterators = Iterators()
        self.managers = Managers()
        self.ignored_warnings: list[tuple[Frame, list[type[Warning]]]] = []
        self.refusal: Exception | None = None
        self.classes = Classes()
        self.guards: list[Callable[[], bool]] = []
        self.names: set[str] = set()
        self.outside_iterators: dict[int, Any] = {}
        self.exceptions: dict[str, type[Exception]] = {}
        self.recursion = Recursion()
        self.checkpointed_loops: str | int | None = None
        self.attempt: Any = None

    @contextmanager
    def active(self) -> Iterator[Tracer]:
        """Make this the tracer of the current thread."""
        previous = set_tracer(self)
        try:
            yield self
        finally:
            set_tracer(previous)

    @contextmanager
    def axis(self, name: Any, size: Any) -> Iterator[None]:
        """What is recorded inside is for one of ``size`` lanes, whose axis may have a name."""
        before = dict(self.axes)
        self.lanes += 1
        if name is not None:
            self.axes[name] = size
        try:
            yield
        finally:
            self.axes = before
            self.lanes -= 1

    @contextmanager
    def expecting(self, derivatives: int) -> Iterator[None]:
        """Of what is recorded inside so many derivatives will be taken."""
        before, self.derivatives = self.derivatives, derivatives
        try:
            yield
        finally:
            self.derivatives = before

    def axis_size(self, name: Any) -> Any:
        """How many lanes there are in the axis of that name.

        Raises:
            UnboundAxisError: the function is not batched over such an axis.
        """
        if name not in self.axes:
            known = ", ".join(map(repr, self.axes)) or "none"
            raise UnboundAxisError(
                f"there is no axis of lanes named {name!r} here; there is {known}",
                self.location(),
                fix=f"batch the function by vmap(..., axis_name={name!r})",
            )
        return self.axes[name]

    @contextmanager
    def new_frame(self) -> Iterator[Frame]:
        """Notice the changes to arrays made inside, and undo them at the end."""
        outer, inner = self.frame, Frame()
        self.frame = inner
        lost: list[tuple[GraphArray, Any]] = []
        kept: list[GraphArray] = []
        separated: list[GraphArray] = []
        try:
            yield self.frame
            separated = self.frame.separated()
            lost = [(array, array.lost) for array in self.frame.before if array.lost is not None]
            kept = [array for array in self.frame.before if array.is_kept]
        finally:
            self.frame.undo()
            self.frame = outer
        for view in inner.viewed:
            outer.read(view)
        for array in separated:
            array.separate()
        for array, reason in lost:
            array.lose(reason)
        for array in kept:
            array.keep()

    def record(self, op: Op, args: Sequence[Any], attrs: dict[str, Any]) -> Any:
        """Add an application of ``op`` to the graph; the results are symbolic arrays."""
        with located():
            check_division(op, args)
            values = [self.value_of(arg) for arg in args]
            result = self.apply(op, values, attrs)
            _refuse_many_axes(op, result if isinstance(result, tuple) else (result,))
        if isinstance(result, tuple):
            return tuple(GraphArray(value) for value in result)
        view = view_of(op, args, values, attrs, result) if op.view else None
        array = GraphArray(result, view)
        array.is_made = view is None or gives_new_object(op, args[0], result)
        array.is_array = not result.type.shape and gives_array(op, view, attrs)
        return followed(op, args, array)

    def apply(self, op: Op, values: Sequence[Value], attrs: dict[str, Any]) -> Any:
        """Add an application of ``op`` to graph values, as an operation of the user's program."""
        types = [value.type for value in values]
        may_raise = op.may_raise(types, attrs) and not _divides_by_a_constant(op, values)
        if self.attempt is not None and (may_raise or op.effect):
            result = self.attempt.result(op, values, attrs)
            if result is not None:
                return result
        if may_raise:
            self.refuse_handling("this operation fails", op.errors_of(types, attrs))
        result = current_builder().apply(op, values, attrs)
        node = current_builder().nodes[-1]
        if not may_raise and refuses_an_int(node):
            if self.attempt is not None and self.attempt.handles((OverflowError,)):
                self.refuse("this operation fails")
            self.refuse_handling("this operation fails", (OverflowError,))
            may_raise = True
        node.required = may_raise
        return result

    # -- values -----------------------------------------------------------------------------------

    def value_of(self, operand: Any) -> Value:
        """The graph value of an operand: a symbolic array, an array from outside, or a number.

        Raises:
            OperandTypeError: it is none of these.
        """
        if isinstance(operand, GraphArray):
            return operand.value
        if isinstance(operand, Value):
            return operand
        if isinstance(operand, MaybeUndefined):
            return self.defined(operand).value
        if is_array(operand) and id(operand) in self.captured:
            return self.captured[id(operand)][1].value
        if is_rows(operand):
            return operand.stacked().value
        if isinstance(operand, (list, tuple)):
            operand = ops.array(operand)
            return operand.value if isinstance(operand, GraphArray) else Constant(operand)
        if is_range(operand):
            operand = as_array(operand)
            return operand.value if isinstance(operand, GraphArray) else Constant(operand)
        if type(operand) is Unknown:
            refuse(operand, "it is an operand")
        if not is_plain(operand) or type_of(operand) is None:
            what, fix = no_operand(operand)
            raise OperandTypeError(what, self.location(), fix=fix)
        return Constant(operand)

    def capture(self, name: str, value: Any) -> Any:
        """What converted code sees of something from outside the function.

        An array becomes a symbolic one that refers to it: its contents are read at each call. A
        container or object is copied, with the arrays in it treated so.
        """
        if is_array(value):
            if not is_plain(value) or type_of(value) is None:
                return self.shadows.read_only(value)
            if id(value) not in self.captured:
                array = GraphArray(Constant(value))
                array.belongs_outside()
                array.is_array = not value.ndim
                self.captured[id(value)] = (value, array)
            return self.captured[id(value)][1]
        if id(value) in self.bound:  # an argument is met outside as well
            raise SpecializeArguments(self.bound[id(value)], self.location())
        if is_generator(value):
            return self.shadows.stand_in(value, stand_in_for)
        if is_user_object(value) or is_tuple(value):
            self.classes.add(value)
        if isinstance(value, (type, FunctionType)):
            self.classes.add(value)
        if is_native_iterator(value):
            self.outside_iterators[id(value)] = value
        if is_user_module(value):
            return self.shadows.stand_in(value, lambda module: ModuleShadow(module, self.attribute))
        if isinstance(value, (MethodType, functools.partial)):
            return self._unbound(name, value)
        shadow = self.shadows.of(value, lambda part: self.capture(name, part))
        if shadow is value and not self.shadows.is_shadow(value):
            if is_unknown(value):
                return self.shadows.stand_in(value, lambda original: Unknown(name, original))
            if may_be_made(value) and not isinstance(value, FunctionType):
                self.seen.append(value)
        return shadow

    def attribute(self, module: ModuleType, name: str) -> Any:
        """What converted code sees of an attribute of a module of the user's."""
        value = getattr(module, name)
        self.guards.append(guard_on_attribute(module, name))
        return self.capture(f"{module.__name__}.{name}", value)

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
        self.guards.extend(guards_of_import(module, name, self.names))
        return self.capture(module if name is None else f"{module}.{name}", value)

    def _unbound(self, name: str, function: Any) -> Any:
        """What stands for a method or partial application, with what it is bound to captured."""
        if isinstance(function, MethodType):
            if is_generator(function.__self__):
                return function  # see `autograph.staging.random_generators.stood_in`
            owner = self.capture(name, function.__self__)
            same = owner is function.__self__
            return function if same else MethodType(function.__func__, owner)
        args, keywords = self.capture(name, (function.args, function.keywords))
        inside = self.capture(name, function.func)
        return functools.partial(inside, *args, **keywords)

    def made(self, iterator: Any) -> None:
        """An iterator of Python's own was made here."""
        if id(iterator) not in self.outside_iterators:  # a function may return one from outside
            self.iterators.add(iterator, self.frame)

    def consume(self, value: Any) -> None:
        """Something goes through ``value``, which may be an iterator."""
        consume(self, value)

    contents_of = staticmethod(contents)

    @staticmethod
    def rebuilt(kind: type, keys: tuple, values: Sequence[Any]) -> Any:
        """A new container of a class with these contents."""
        made = empty_like(kind, keys)
        fill(made, Contents(keys, tuple(values)))
        return made

    def known_length(self, column: Any) -> int:
        """The length of a list that is an element of another one kept as rows.

        Raises:
            LoopStateError: only the run knows it.
        """
        length = column.length
        if isinstance(length, GraphArray):
            self.demand(length.value)
            raise LoopStateError(
                "a list of lists, each of a length that is known only when the program runs, "
                "cannot be kept as arrays",
                self.location(),
                id="AG0316",
                fix="give the inner lists a length that shapes or arguments determine, or use an "
                "array for them",
            )
        return length

    @contextmanager
    def losses_undone(self, trips: int = 0) -> Iterator[None]:
        """If what happens inside fails, lists that were lost in it may be used again.

        Args:
            trips: of the loop that is recorded inside, which runs as Python if that fails.
        """
        count, frozen, watches = len(self.lost), self.frozen.copy(), len(self.watches)
        may_run_as_python = trips <= self.unroll_limit
        self.attempts += may_run_as_python
        try:
            yield
        except BaseException:
            self.frozen.undo(frozen)
            del self.watches[watches:]
            self.frozen = frozen
            for items in self.lost[count:]:
                items.lost = None
            del self.lost[count:]
            raise
        finally:
            self.attempts -= may_run_as_python

    def may_be_same(self, a: Any, b: Any) -> None:
        """Two containers may be the same, depending on control flow."""
        if isinstance(a, TrackedList) and isinstance(b, TrackedList):
            a.link(b)
        else:
            self.frozen.add(a, b)

    def is_captured(self, constant: Constant) -> bool:
        """Whether a constant is an array from outside: the function returns that very array."""
        return id(constant.data) in self.captured

    def original(self, value: Any) -> Any:
        """The object from outside that ``value`` stands for, or ``value`` itself."""
        return self.shadows.original(value)

    def unbound(self, function: Callable) -> Callable:
        """``function``, which comes from outside, with the object or arguments that it is bound to
        captured, and the graph made to depend on them."""
        if isinstance(function, MethodType):
            inside: Any = MethodType(function.__func__, self.capture("self", function.__self__))
        elif isinstance(function, functools.partial):
            args, keywords = self.capture("args", (function.args, function.keywords))
            inside = functools.partial(self.unbound(function.func), *args, **keywords)
        else:
            inside = self.capture("self", function)
        if inside is not function:
            self.guards.append(same_contents(lambda: function))
        return inside

    def guard(self, function: FunctionType, converted: Converted) -> None:
        """Make the graph depend on what the free variables of ``function`` are bound to now."""
        found = guards_of(function, converted.bindings(function), converted.mentioned)
        for guard in found:
            self.guards.append(guard)
            if isinstance(guard.present(), type):
                self.classes.add(guard.present())
        self.names |= mentioned_names(function)
        for *_, get in converted.bindings(function):
            self.classes.add(get())

    def guard_unconverted(self, args: tuple, kwargs: dict[str, Any]) -> None:
        """Make the graph depend on what functions of the user's read that a library is given, and
        calls now."""
        for function in (*args, *kwargs.values()):
            if isinstance(function, FunctionType) and not is_converted(function.__code__):
                self.guards.extend(guards_of_unconverted(function))

    def defined(self, value: Any) -> Any:
        """Read a variable that may be undefined; checked at run time if only that can tell."""
        if isinstance(value, Undefined):
            raise UndefinedVariableError(
                f"variable '{value.name}' is read before it is assigned",
                self.location(),
                fix=f"assign '{value.name}' on every path that leads here",
            )
        if isinstance(value, MaybeUndefined):
            message = f"variable '{value.name}' is read on a path that does not assign it"
            effects.check(value.flag, error="UnboundLocalError", message=message)
            return value.content
        return value

    @staticmethod
    def returned(value: Any) -> Any:
        """The content of a variable that is assigned on every path that leads here."""
        return value.content if isinstance(value, MaybeUndefined) else value

    def demand_number(self, value: Value) -> None:
        """`demand`, but not for what elements of arrays decide, nor while something is tried in
        place of which something else may be recorded."""
        if self.attempts or self.recursion.tried:
            return
        if not any(source.type.shape for source in self._sources(value)):
            self.demand(value)

    def demand(self, value: Value) -> None:
        """Code needs the concrete ``value``.

        If integer arguments alone determine it, start again with those arguments as part of the
        signature. Floats are too many to compile the function for each.
        """
        sources = self._sources(value)
        integers = all(source.type.dtype.kind in "iub" for source in sources)
        if sources and integers and sources <= self.inputs.keys():
            positions = sorted(self.inputs[source] for source in sources)
            raise SpecializeArguments(positions, self.location())

    def _sources(self, value: Value) -> set[Value]:
        """The values without a producer that ``value`` is computed from."""
        sources, pending, seen = set(), [value], set()
        while pending:
            value = inside(pending.pop())
            if value in seen or isinstance(value, Constant):
                continue
            seen.add(value)
            if value in self.aliases:
                pending.append(self.aliases[value])
            elif value.producer is None:
                sources.add(value)
            else:
                pending.extend(value.producer.uses())
        return sources

    # -- places in the user's source --------------------------------------------------------------

    def location(self) -> Location | None:
        """The line of converted code that is being executed."""
        frame = self._user_frame()
        return None if frame is None else location_of(frame)

    def locate(self) -> tuple[Location | None, str | None]:
        """For a builder: the location of the node being added and the variable it is bound to."""
        frame = self._user_frame()
        if frame is None:
            return None, None
        return location_of(frame), bound_names(frame.f_code).get(frame.f_lasti)

    def assignment(self, name: str) -> Location | None:
        """Where converted code last assigned a variable before what it is executing."""
        frame = self._user_frame()
        return None if frame is None else assignment_in(frame.f_code, name, frame.f_lasti)

    def _user_frame(self) -> FrameType | None:
        return converted_frame(sys._getframe(2))

    def refuse_handling(self, what: str, errors: Errors) -> None:
        """Raise if an exception of one of some classes would, by Python's rules, be handled by the
        user's code.

        Whether it occurs is only known when the program runs, and programs handle no exceptions.
        """
        if may_handle(sys._getframe(1), errors):
            self.refuse(what)
        if len(self.managers):
            self.managers.refuse_failure(errors, self.location())

    def refused(self, error: AutographError) -> None:
        """Keep an error that is raised in a generator of the user's, which is not converted: a
        handler in it may take it for an exception of the program's."""
        if may_be_swallowed(sys._getframe(1), (type(error),)):
            self.refusal = error

    def refuse(self, what: str) -> NoReturn:
        """Refuse to handle an exception: at once, or if functions that are converted such that the
        program handles exceptions can't be recorded.

        Raises:
            NeedsHandlers, UnsupportedConstructError: always.
        """
        self.refusal = UnsupportedConstructError(
            f"whether {what} is only known when the program runs, so it cannot be handled "
            "by 'try' with 'except', or a 'finally' that calls functions, inside the "
            "function",
            self.location(),
            id="AG0334",
            fix="test the values with 'if' instead, or move the 'try' out of the function",
        )
        raise self.refusal if self.handling else NeedsHandlers(self.refusal)

    def builder(self, name: str) -> Builder:
        return Builder(name, self.locate, self.effort.add)


_MOST_AXES = 64  # of NumPy's arrays


def _refuse_many_axes(op: Op, results: Sequence[Value]) -> None:
    """Refuse arrays that NumPy does not have.

    Raises:
        IndexError, ValueError: as NumPy does.
    """
    most = max((value.type.ndim for value in results), default=0)
    if most > _MOST_AXES:
        kind = IndexError if op.name == "getitem" else ValueError
        raise kind(f"an array would have {most} dimensions, and NumPy's have at most {_MOST_AXES}")


def _divides_by_a_constant(op: Op, values: Sequence[Value]) -> bool:
    """Whether this is a division of Python numbers that cannot fail."""
    if op not in (ops.divide, ops.floor_divide, ops.remainder):
        return False
    divisor = values[1]
    known = isinstance(divisor, Constant) and divisor.is_scalar and divisor.data != 0
    return known and all(value.type.weak for value in values)
