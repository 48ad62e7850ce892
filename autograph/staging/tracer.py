"""The tracer: what records a graph while converted source runs on symbolic arrays.

While a tracer is active, `ops.cond`, `ops.while_loop` and the other functions that converted source
calls come to it. It keeps what is true of the whole recording: the arrays captured from outside,
the guards that say for which state of the outside the graph is valid, and the stack of *frames*,
one per region being recorded, which notice which arrays a region changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

import ops
from autograph.backends.select import is_array
from autograph.errors import (
    Location,
    LoopStateError,
    OperandTypeError,
    UndefinedVariableError,
    UnsupportedConstructError,
)
from autograph.graph.builder import Builder, current_builder
from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Constant, Value
from autograph.graph.purity import refuses_an_int
from autograph.source.load import converted_frame
from autograph.source.tree.options import Handling
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.frames import Frame
from autograph.staging.arrays.views import gives_array, gives_new_object, view_of
from autograph.staging.border.constancy import is_plain
from autograph.staging.border.inputs import Inputs
from autograph.staging.border.outside import Outside
from autograph.staging.border.unknown import Unknown, refuse
from autograph.staging.calls.recursion import Recursion
from autograph.staging.classes.managers import Managers
from autograph.staging.containers.containers import Contents, contents, empty_like, fill
from autograph.staging.containers.watch import Frozen, Watch
from autograph.staging.ground.closing import is_closing
from autograph.staging.ground.effort import Effort
from autograph.staging.ground.errors import located
from autograph.staging.ground.handling import may_be_swallowed, may_handle
from autograph.staging.ground.learnt import Learnt
from autograph.staging.ground.naming import assignment_in, bound_names, location_of
from autograph.staging.ground.recorder import State
from autograph.staging.ground.refusals import no_operand
from autograph.staging.ground.restarts import NeedsHandlers
from autograph.staging.ground.transformed import Transformed
from autograph.staging.lists.lists import TrackedList, is_rows
from autograph.staging.lists.placed_objects import PlacedObject
from autograph.staging.sequences.iteration import Iterators, consume
from autograph.staging.sequences.ranges import as_array, is_range
from autograph.staging.values.choice import as_numbers
from autograph.staging.values.maybe import MaybeUndefined, of_known_types
from autograph.staging.values.promoted import followed, in_each_type, types_of
from ops.control import effects
from ops.control.constructs import Undefined
from ops.core.op import Errors
from ops.core.registry import Op
from ops.core.symbolic_lengths import is_length
from ops.core.types import type_of


class Tracer:
    """Records one function.

    Args:
        name: of the function.
        unroll_limit: how many trips a loop may make that has to run as Python.
        effort: counts what is recorded, also by tracers that were given up before this one.
        clips: whether slices at symbolic places may reach past the ends of their axes, so that only
            the run knows how long they are.
        learnt: what earlier recordings of it have found out, to which this one adds; its parts are
            attributes as well.
        capabilities: of the machine that is to run it.

    Attributes:
        frame: what happened to arrays in the innermost region.
        frozen: containers that must not change any more.
        lost: the lists that nobody may use any more.
        inputs: those of the graph.
        outside: what is met from outside.
        transformed: the transforms around it.
        attempts: how many of the loops being recorded will run as Python if that fails.
        keeps_arrays: whether loops take arrays for the objects that they were before.
        joins_lengths: whether arrays of unequal lengths may meet, which only the run knows then.
        given: the containers among the arguments.
        watches: of the regions that are being recorded.
        managers: the context managers of the user's classes that are entered.
        refusal: the last error of ours that the user's code might swallow.
        exceptions: the user's own exception classes that the program raises.
        attempt: the expression that is attempted now; see `autograph.staging.control.catching`.
        bets: whether slices were taken for inside of their axes that may not be, see
            `autograph.staging.sequences.subscripts`; or lengths for those that are hoped for.
        below: for the indices of loops whose number of trips is known, that number.
    """

    def __init__(
        self,
        name: str,
        effort: Effort,
        capabilities: Capabilities,
        unroll_limit: int = 256,
        clips: bool = False,
        learnt: Learnt | None = None,
    ):
        self.learnt = learnt = Learnt() if learnt is None else learnt
        self.apart = learnt.apart
        self.known_loops = learnt.known_loops
        self.queues = learnt.queues
        self.stepped = learnt.stepped
        self.nested = learnt.nested
        self.name = name
        self.conversion = learnt.conversion
        self.handling = learnt.conversion.handling
        self.unroll_limit = unroll_limit
        self.effort = effort
        self.capabilities = capabilities
        self.clips = clips
        self.bets = False
        self.tells_apart = False
        self.below: dict[Value, int] = {}
        self.frame = Frame()
        self.inputs = Inputs()
        self.outside = Outside()
        self.transformed = Transformed()
        self.frozen = Frozen()
        self.lost: list[TrackedList] = []
        self.attempts = 0
        self.keeps_arrays = False
        self.joins_lengths = False
        self.given: list[Any] = []
        self.watches: list[Watch] = []
        self.managers = Managers()
        self.refusal: BaseException | None = None
        self.exceptions: dict[str, type[Exception]] = {}
        self._states: dict[type, Any] = {}
        self.attempt: Any = None

    def state(self, kind: type[State]) -> State:
        """What a module keeps for this recording; made when it is asked for the first time."""
        found = self._states.get(kind)
        if found is None:
            found = self._states[kind] = kind()
        return found

    @contextmanager
    def fresh(self, kind: type) -> Iterator[None]:
        """Inside, what a module keeps is another one, new."""
        before: Any = self.state(kind)
        self._states[kind] = kind()
        try:
            yield
        finally:
            self._states[kind] = before

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
            args = as_numbers(of_known_types(args))
        if any(map(types_of, args)):  # what fails for one of these types is an error of Python's
            result = in_each_type(op, args, attrs)
            if result is not None:
                return result
        with located():
            values = [self.value_of(arg) for arg in args]
            result = self.apply(op, values, attrs)
            _refuse_many_axes(op, result if isinstance(result, tuple) else (result,))
        if isinstance(result, tuple):
            return tuple(GraphArray(value) for value in result)
        view = view_of(op, args, values, attrs, result) if op.view else None
        array = GraphArray(result, view)
        array.is_made = view is None or gives_new_object(op, args[0], result)
        array.is_array = not result.type.shape and gives_array(op, view, attrs)
        return array if attrs else followed(op, args, array)

    def apply(self, op: Op, values: Sequence[Value], attrs: dict[str, Any]) -> Any:
        """Add an application of ``op`` to graph values, as an operation of the user's program."""
        types = [value.type for value in values]
        if op.hoped is not None and self.attempt is None and not self.clips:
            hoped = op.hoped(types, attrs)
            self.bets |= hoped is not None
            attrs = attrs if hoped is None else hoped
        may_raise = op.may_raise(types, attrs) and not _divides_by_a_constant(op, values)
        if self.attempt is not None and (may_raise or op.effect):
            result = self.attempt.result(op, values, attrs)
            if result is not None:
                return result
        if may_raise:
            self.refuse_handling("this operation fails", op.errors_of(types, attrs))
        builder = current_builder()
        result = builder.apply(op, values, attrs, may_raise)
        node = builder.nodes[-1]
        if not may_raise and refuses_an_int(node):
            if self.attempt is not None and self.attempt.handles((OverflowError,)):
                self.refuse("this operation fails")
            self.refuse_handling("this operation fails", (OverflowError,))
            builder.exchange(node, required=True)
        return result

    # -- values -----------------------------------------------------------------------------------

    def value_of(self, operand: Any) -> Value:
        """The graph value of an operand: a symbolic array, an array from outside, or a number.

        Raises:
            OperandTypeError: it is none of these.
        """
        if isinstance(operand, GraphArray):
            return operand.value
        if isinstance(operand, Value) or is_length(operand):
            return current_builder().lift(operand)
        if isinstance(operand, MaybeUndefined):
            return self.defined(operand).value
        if is_array(operand) and id(operand) in self.outside.captured:
            return self.outside.captured[id(operand)][1].value
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

    def imported(self, value: Any, module: str, name: str | None) -> Any:
        return self.outside.imported(value, module, name)

    def axis(self, name: Any, meets: bool) -> Any:
        return self.transformed.axis_called(name, meets)

    def axis_size(self, name: Any) -> Any:
        return self.transformed.axis_size(name)

    def made(self, iterator: Any) -> None:
        """An iterator of Python's own was made here."""
        if id(iterator) not in self.outside.iterators:  # a function may return one from outside
            self.state(Iterators).add(iterator, self.frame)

    def consume(self, value: Any) -> None:
        """Something goes through ``value``, which may be an iterator."""
        consume(value)

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
        decides = column.counted_by
        if decides is not None:
            self.inputs.demand(decides)
            raise LoopStateError(
                "a list of lists, each of a length known only at run time, "
                "cannot be kept as arrays",
                self.location(),
                id="AG0316",
                fix="give the inner lists a length that shapes or arguments determine, or use an "
                "array for them",
            )
        length: int = column.value.type.shape[0]  # or a symbolic length
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
        elif not isinstance(a, PlacedObject):
            self.frozen.add(a, b)

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
        """Code needs a number, unless something else may be recorded in place of what does."""
        if not (self.attempts or self.state(Recursion).tried):
            self.inputs.demand(value)

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

        Whether it occurs is known only at run time, and programs handle no exceptions.
        """
        if may_handle(sys._getframe(1), errors) or is_closing():
            self.refuse(what)
        if len(self.managers):
            self.managers.refuse_failure(errors, self.location())

    def refused(self, error: BaseException) -> None:
        """Keep an error that is raised in a generator of the user's, which is not converted: a
        handler in it may take it for an exception of the program's, and Python passes over what is
        raised while a generator that nobody has is closed."""
        if is_closing() or may_be_swallowed(sys._getframe(1), (type(error),)):
            self.refusal = error

    def refuse(self, what: str) -> NoReturn:
        """Refuse to handle an exception: at once, or if functions that are converted such that the
        program handles exceptions can't be recorded.

        Raises:
            NeedsHandlers, UnsupportedConstructError: always.
        """
        self.refusal = UnsupportedConstructError(
            f"whether {what} is known only at run time, so it cannot be handled "
            "by 'try' with 'except', or a 'finally' that calls functions, inside the "
            "function",
            self.location(),
            id="AG0334",
            fix="test the values with 'if' instead, or move the 'try' out of the function",
        )
        raise self.refusal if self.handling else NeedsHandlers(self.refusal, Handling.TRIES)

    def builder(self, name: str) -> Builder:
        return Builder(name, self.locate, self.effort.add, self.capabilities.native)


_MOST_AXES = 64  # of NumPy's arrays


def _refuse_many_axes(op: Op, results: Sequence[Value]) -> None:
    """Refuse arrays that NumPy does not have.

    Raises:
        IndexError, ValueError: as NumPy does.
    """
    most = max((value.type.ndim for value in results), default=0)
    if most > _MOST_AXES:
        kind = IndexError if op is ops.getitem else ValueError
        raise kind(f"an array would have {most} dimensions, and NumPy's have at most {_MOST_AXES}")


def _divides_by_a_constant(op: Op, values: Sequence[Value]) -> bool:
    """Whether this is a division of Python numbers that cannot fail."""
    if not op.divides:
        return False
    divisor = values[1]
    known = isinstance(divisor, Constant) and divisor.is_scalar and divisor.data != 0
    return known and all(value.type.weak for value in values)
