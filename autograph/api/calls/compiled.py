"""A recorded function made runnable: its program, called with arguments."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from autograph.api.calls import bets
from autograph.api.calls.counts import array_of_count
from autograph.api.calls.quick import CompiledCall, quick_call
from autograph.api.calls.sharing import is_alone, may_share, refuse_changes, refuse_met
from autograph.api.calls.signature import repeated
from autograph.api.pipeline import Compilation, program_of
from autograph.backends.select import is_array
from autograph.collector import collector_waits
from autograph.errors import (
    Location,
    MemoryLimitError,
    MutationError,
)
from autograph.graph.graph import Module, walk
from autograph.graph.wiring import is_loop
from autograph.kernels import floating_errors
from autograph.kernels.later import making
from autograph.kernels.native.quick_calls import Record, is_stale
from autograph.kernels.partition import language_of
from autograph.kernels.program import Kernels, native_functions
from autograph.log import log
from autograph.nonfinite import wanted
from autograph.staging.border.constancy import static_key
from autograph.staging.border.signature import CallParts, call_containers
from autograph.staging.lists.given_objects import GivenObjects
from autograph.staging.lists.packed import Packing
from autograph.staging.trace import Traced
from autograph.transforms.simplify.erase import without_marks
from ops.core.lazy import lazy
from ops.core.types import StackType
from ops.random.numpy_streams import bound

_MOST_MISSED = 10  # calls for which a record is made anew


class Compiled:
    """A function compiled for one signature.

    Args:
        traced: the recorded function.
        module: the optimized graph.
        compilation: for what it is compiled.
        positions: of the traced leaves among the leaves of the arguments.
        statics: the other leaves. They are kept alive, so that the identities in the cache's key
            stay theirs.
        open_shapes: the shapes of arguments with symbols in them, if there are any.
        fixed: the positions of leaves whose values count, and the keys of these.
    """

    def __init__(
        self,
        traced: Traced,
        module: Module,
        compilation: Compilation,
        positions: tuple[int, ...],
        statics: Sequence[Any] = (),
        open_shapes: Any = None,
        fixed: tuple[tuple[int, ...], tuple[Hashable, ...]] = ((), ()),
    ):
        self.traced = traced
        self.module = module
        self.compilation = compilation
        self.donated = compilation.donated
        compilation.backend.module()  # an error now rather than at the first call
        self.program = program_of(module, compilation)
        self.positions = positions
        self._statics = statics
        self.open_shapes = open_shapes
        self.fixed = fixed
        self.base: Hashable = None  # its key in a function's cache, without static values
        self.has_budget = False  # whether its loops have one that the user has not asked for
        # What a quick call has raised that may go well with a budget.
        self.outgrown: MemoryLimitError | None = None
        self.single = len(self.module.main.outputs) == 1
        # The common case, in which a call is just the program: one array or number as the result.
        self.is_plain = self.single and traced.delivery.is_plain

        # The numbers among the inputs that stand for lengths, by place.
        counts = open_shapes.counts if open_shapes is not None else ()
        self._counts = [place for place, i in enumerate(positions) if i in counts]

        # The generators among the arguments, and what the program knows them by.
        self._generators = tuple(traced.generators.items())

        # The record of quick calls, once it was asked for.
        self._record: tuple[Record | None] | None = None
        self._missed = 0  # how many calls that it is for did not fit it

        # Whether it matters if an argument is one of the containers that it finds outside.
        self.may_meet_itself = bool(
            traced.delivery.changed
            and traced.outside_containers
            and (traced.containers > 1 or traced.has_variables)
        )

    def function(self) -> Callable[..., Any]:
        """What runs: native code, unless NumPy shall raise what kernels do not tell of."""
        kinds = wanted.get()
        if kinds:
            checked = self.program.checked(kinds)
            return checked if self.program.backend.host else self.on_device(checked)
        if floating_errors.matter() and self.program.backend.host:
            return self.program.function
        return self.native

    @lazy
    @collector_waits()
    def native(self) -> Callable[..., Any]:
        """The program's function with its kernels, which are compiled now."""
        program = self.program
        if program.backend.host:
            return program.native
        from autograph.api.calls import on_device  # where there is one

        location = self.module.main.location
        return self.on_device(on_device.as_graph(program, self.traced.outside, location))

    def on_device(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of the program's, given arrays in the memory of the host."""
        from autograph.api.calls import on_device

        return on_device.with_arguments(self.program, self.traced.outside, function)

    def native_kernels(self) -> Kernels:
        """The native kernels of the program, or for a device those that there could be."""
        if language_of(self.program.backend) == "cuda":
            found = making().select(without_marks(self.module), host=False)
            names, made, fast = found.kernels, found.module, self.compilation.fast_math
            return Kernels(native_functions(names, made, found.into, lambda: found, fast), "cuda")
        return Kernels(self.program.kernels, "llvm")

    @property
    def has_heaps(self) -> bool:
        """Whether lists of lists are given as rows in heaps."""
        return self.traced.has_heaps

    def takes(self, leaves: Sequence[Any]) -> bool:
        """Whether what is compiled for any length is for these leaves, of a call that is alike but
        for lengths and values."""
        positions, values = self.fixed
        if tuple(static_key(leaves[i]) for i in positions) != values:
            return False
        return self.open_shapes is not None and self.open_shapes.numbers(leaves) is not None

    def is_for(self, leaves: Sequence[Any]) -> bool:
        """The same, while everything outside is as it was."""
        return self.takes(leaves) and self.is_valid()

    def is_valid(self) -> bool:
        """Whether everything outside the function is bound to what it was when it was recorded."""
        return all(holds() for holds in self.traced.guards)

    def meets(self, leaves: Sequence[Any]) -> bool:
        """Whether an object among the arguments is one that the function also finds outside, which
        was another one when it was recorded."""
        outside = self.traced.outside_containers
        return any(id(leaves[i]) in outside for i in self.traced.bound)

    def repeated(self, leaves: Sequence[Any]) -> tuple[tuple[int, int], ...]:
        """The positions of arrays that are an earlier array, with the first position of that, if
        the function asks for it."""
        return repeated(leaves, self.positions) if self.traced.knows_repeated else ()

    def invalidated_by(self) -> str:
        """What outside the function is no longer what it was, for the log."""
        return ", ".join(str(guard) for guard in self.traced.guards if not guard())

    @property
    def is_kernel(self) -> bool:
        """Whether the whole program is one native kernel."""
        return self.program.kernels.get(self.program.name) is not None

    @property
    def is_quick(self) -> bool:
        """Whether a call does no more than to run the program on the host, and to change what the
        function changes."""
        changes = self.traced.changed or self.traced.delivery.changed
        # By then the program has run, which has changed no arrays.
        too_late = self.may_meet_itself and self.traced.changed
        more = (self.donated and changes) or too_late
        return self.program.backend.host and not more

    def record(
        self, call: CallParts, leaves: Sequence[Any], tried: Sequence[Record] = ()
    ) -> Record | None:
        """See `quick_call`; of the first call, for all that are like it.

        Args:
            tried: the records that this call does not fit.
        """
        known = self._record and self._record[0]
        if self._record is None or (known is not None and self._is_unfit(known, tried)):
            self._record = (self.record_for(call, leaves),)
        return self._record[0]

    def _is_unfit(self, known: Record, tried: Sequence[Record]) -> bool:
        """Whether another record is to be made in place of one, since classes have been changed, or
        constants that are equal are other objects now, which records don't know."""
        missed = any(known is record for record in tried)
        self._missed += missed
        return is_stale(known) or (missed and self._missed <= _MOST_MISSED)

    def record_for(
        self, call: CallParts, leaves: Sequence[Any], bound: Sequence[tuple[Any, str, Any]] = ()
    ) -> Record | None:
        """The record of a call, for as long as some variables, given by the places that hold them
        and their names, are bound to what they are."""
        if not self.is_quick or self.repeated(leaves):
            return None
        if self.may_meet_itself and call.roots and not self.traced.has_variables:
            return None  # the containers of these are met outside, and are no others
        if call.given is not None:
            return self._record_of_objects(call, leaves, bound)
        positions, own = self.positions, self._native_of_donated if self.donated else None
        make = lambda: own or self.native
        if self._counts:
            if self._generators:
                return None
            make = lambda: self.open_shapes.counted(own or self.native, leaves, positions)
        if self._generators:
            from autograph.api.calls import drawing  # which few need

            taken = drawing.taken(self.traced, positions, leaves)
            if taken is None:
                return None
            positions = tuple(taken)
            make = lambda: drawing.drawing(own or self.native, self.traced, positions, leaves)
        packing, apart = call.packing, list[int]()
        if packing is not None:
            apart = packing.positions(leaves)
            if self._generators or not {*apart} <= {*positions}:
                return None
            make = self._of_lists(make, leaves, packing, apart)
        lengths = None if self.open_shapes is None else self.open_shapes.pattern(leaves, apart)
        main = self.module.main
        inputs = dict(zip(main.inputs, self.positions))
        return quick_call(
            self._call_compiled(call, leaves, positions, bound),
            function=make,
            single=self.single,
            passed={
                i: inputs[v]
                for i, v in enumerate(main.outputs)
                if v in inputs and inputs[v] not in apart
            },
            lengths=lengths,
            apart=self.traced.outside_containers if self.may_meet_itself else {},
        )

    def _record_of_objects(
        self, call: CallParts, leaves: Sequence[Any], bound: Sequence[tuple[Any, str, Any]]
    ) -> Record | None:
        """The same of a call with objects in heaps."""
        if not isinstance(call.given, GivenObjects) or self.donated or self.may_meet_itself:
            return None
        from autograph.api.calls import gathered_calls  # which few need

        return gathered_calls.quick_call(
            self._call_compiled(call, leaves, self.positions, bound),
            function=lambda: self.native,
            outputs=[value.type for value in self.module.main.outputs],
            open_shapes=self.open_shapes,
        )

    def _call_compiled(
        self,
        call: CallParts,
        leaves: Sequence[Any],
        positions: Sequence[int],
        bound: Sequence[tuple[Any, str, Any]],
    ) -> CompiledCall:
        """A call as what makes its record is told."""
        translated, again = self.translated, self._is_looked_up
        return CompiledCall(call, leaves, positions, self.traced, translated, again, bound)

    def _of_lists(
        self,
        make: Callable[[], Callable[..., Any]],
        leaves: Sequence[Any],
        packing: Packing,
        apart: Sequence[int],
    ) -> Callable[[], Callable[..., Any]]:
        """Gives a function of what quick calls take, packed lists as they are.

        Args:
            make: gives one of arrays in their place.
            apart: the positions of these.
        """
        from autograph.api.calls import list_arguments  # which few need

        if self.open_shapes is not None:
            fits = self.open_shapes.tells(leaves, self.positions, apart)
        else:
            lengths = [(self.positions.index(i), len(leaves[i])) for i in apart]
            fits = lambda given: all(len(given[place]) == length for place, length in lengths)
        return lambda: list_arguments.of_lists(make(), packing.elements(), fits)

    def _native_of_donated(self, *leaves: Any) -> Any:
        inputs = list(leaves)
        for i in self.donated:
            inputs[i] = self._given_up(i, inputs)
        return self.native(*inputs)

    def _is_looked_up(self, error: BaseException) -> bool:
        """Whether a quick call that raised an exception is looked up, where more is done then."""
        if isinstance(error, MemoryLimitError) and self.may_have_budget:
            self.outgrown = error
        return self.outgrown is error or self.is_replayed(error)

    def is_replayed(self, error: BaseException) -> bool:
        """See `autograph.api.calls.replays`."""
        from autograph.api.calls import replays  # where there are exceptions

        return replays.is_replayed(error, self.traced, self.program, self.donated)

    @property
    def may_have_budget(self) -> bool:
        """Whether it may be compiled and run again with loops that keep less for a gradient."""
        return (
            bool(self.loops_that_keep())
            and not self.has_budget
            and bets.repeatable(self.traced, self.donated)
        )

    def loops_that_keep(self) -> list[Location]:
        """Up to three loops that keep something of each trip, the outer before the inner ones."""
        found: dict[Location, None] = {}
        module = self.traced.module
        for graph in (module.main, *module.graphs.values()):
            for node in walk(graph):
                keeps = is_loop(node) and any(isinstance(v.type, StackType) for v in node.outputs)
                if keeps and node.location is not None:
                    found[node.location] = None
        return list(found)[:3]

    def is_tried(self, records: Sequence[Record]) -> bool:
        """Whether its record is one of those."""
        own = self._record and self._record[0]
        return own is not None and any(record is own for record in records)

    def run(self, leaves: Sequence[Any], call: CallParts) -> Any:
        """Run the program for a user, who shall see exceptions as those of the function."""
        try:
            return self(leaves, call)
        except Exception as error:
            translated = self.translated(error)
        raise translated  # out here, where it does not get the other as its context

    def __call__(self, leaves: Sequence[Any], call: CallParts) -> Any:
        """Run the program.

        Args:
            leaves: of the arguments.
            call: the arguments themselves, positional and by keyword.

        Raises:
            MutationError: an array that the function changes shares memory with another one.
            OperandValueError: an array that the function may change is read-only.
        """
        if self.traced.changed:
            self._refuse_changes(leaves, call)
        if self.traced.compared:
            refuse_met(self.traced, (leaves[i] for i in self.positions), self.module.main.location)
        if self.may_meet_itself and self._meets_itself(call):
            raise MutationError(
                "the function changes a list, dict or object that is given to it and that it also "
                "finds outside",
                self.module.main.location,
                id="AG0607",
                fix="pass a copy",
            )
        inputs = [leaves[i] for i in self.positions]
        for i in self._counts:
            inputs[i] = array_of_count(inputs[i])
        for i in self.donated:
            inputs[i] = self._given_up(i, inputs)
        if self._generators:
            with bound((handle, leaves[i]) for i, handle in self._generators):
                outputs = self.function()(*inputs)
        else:
            outputs = self.function()(*inputs)
        if self.is_plain:
            if isinstance(call.given, GivenObjects):
                call.given.let_go()
            return outputs
        if self.single:
            outputs = (outputs,)
        count = len(outputs) - len(self.traced.changed)
        if self.donated and self.traced.changed:
            outputs = self._apart(outputs, leaves)
        for target, contents in zip(self.traced.changed, outputs[count:]):
            array = leaves[target] if isinstance(target, int) else target
            if isinstance(array, np.ndarray):
                contents = self.program.backend.to_host(contents)
            if contents is not array:  # it is where the array is donated
                array[...] = contents
        delivery = self.traced.delivery
        result = delivery.deliver(outputs[:count], leaves, lambda: call_containers(call))
        if call.given is not None:
            call.given.settle()
        return result

    def _meets_itself(self, call: CallParts) -> bool:
        """Whether a container that is given, or held by a variable, is also found outside."""
        roots = call.roots if self.traced.has_variables else {}
        found = call_containers(call._replace(roots=roots))
        if isinstance(call.given, GivenObjects):
            found += call.given.objects()
        return any(id(container) in self.traced.outside_containers for container in found)

    def translated(self, error: Exception) -> BaseException:
        """What the user shall see of an exception raised while the program ran."""
        from autograph.api.calls import exceptions  # where there are some

        place, classes = self.module.main.location, self.traced.exceptions
        return exceptions.translated(error, self.program, place, classes, self.loops_that_keep)

    def _refuse_changes(self, leaves: Sequence[Any], call: CallParts) -> None:
        """See `refuse_changes`."""
        changed = [leaves[t] if isinstance(t, int) else t for t in self.traced.changed]
        arrays = [*(leaves[i] for i in self.positions), *self.traced.outside.values()]
        if isinstance(call.given, GivenObjects):  # of which the leaves have copies
            arrays += call.given.arrays()
        refuse_changes(changed, arrays, self.module.main.location)

    def _apart(self, outputs: Sequence[Any], leaves: Sequence[Any]) -> list[Any]:
        """The outputs, with copies of those that lie in donated memory where others will be written
        to."""
        outputs = list(outputs)
        count = len(outputs) - len(self.traced.changed)
        for target, contents in zip(self.traced.changed, outputs[count:]):
            array = leaves[target] if isinstance(target, int) else target
            for i, output in enumerate(outputs if contents is not array else ()):
                if output is not contents and is_array(output) and may_share(output, array):
                    outputs[i] = output.copy()
        return outputs

    def _given_up(self, position: int, inputs: Sequence[Any]) -> Any:
        """A donated array, or a copy if the program must not write to its memory."""
        array = inputs[position]
        others = [*inputs[:position], *inputs[position + 1 :], *self.traced.outside.values()]
        if is_alone(array, others):
            return array
        log.debug("%s: a donated array can't be used and is copied", self.program.name)
        return array.copy()
