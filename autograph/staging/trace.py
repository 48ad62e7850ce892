"""From a function and the types of its arguments to a graph, which a `tracer` records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import field
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from autograph.backends.select import is_array
from autograph.errors import Location, MutationError
from autograph.graph.builder import inline
from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Constant, Graph, Module, Value
from autograph.graph.purity import without_required
from autograph.graph.shared import with_large_calls
from autograph.graph.variance import knows_processes, outside_of_meshes
from autograph.staging.arrays.array import GraphArray, symbolic_int
from autograph.staging.arrays.random_states import stand_in_for
from autograph.staging.border.constancy import argument_key
from autograph.staging.border.delivered_objects import copied_kinds
from autograph.staging.border.delivery import Argument, Delivery, GivenContainer, Outlet, Static
from autograph.staging.border.endings import raised_by_user, refuse_to_end
from autograph.staging.border.failures import is_decided, without_symbolic
from autograph.staging.border.guards import (
    Owners,
    changed_while_recording,
    refuse_changed,
)
from autograph.staging.border.made import Parts, part_of_argument
from autograph.staging.border.missing_imports import MetOutside, guards_on, owners_of
from autograph.staging.border.outer_inputs import (
    GivenContainers,
    Later,
    OuterInputs,
    Variables,
)
from autograph.staging.border.retracing import Guard
from autograph.staging.border.signature import CallStructure, Nested, unflatten_call
from autograph.staging.classes.presence import refused_attribute
from autograph.staging.containers.containers import Contents
from autograph.staging.containers.containers import contents as contents_of
from autograph.staging.containers.returnable import check_returnable
from autograph.staging.containers.structure import (
    Flattener,
    Unflattener,
    tuple_kinds,
    unread_lists,
    wants_exactness,
)
from autograph.staging.containers.watch import Watch, unchanged_arguments
from autograph.staging.control.catching import barred
from autograph.staging.control.region import record_failure, site_of
from autograph.staging.ground.effort import Effort
from autograph.staging.ground.errors import defined_at
from autograph.staging.ground.exactness import Exactness
from autograph.staging.ground.learnt import Learnt
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.transformed import Kept
from autograph.staging.later import graph_recorder
from autograph.staging.lists.columns import Column
from autograph.staging.lists.given_objects import GivenObjects
from autograph.staging.lists.given_rows import GivenRows
from autograph.staging.lists.heap import Heap, share_heaps
from autograph.staging.lists.inner_lists import stale
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.object_columns import (
    learn_from_made,
    own_objects,
    share_object_heaps,
)
from autograph.staging.lists.object_heap import ObjectHeap
from autograph.staging.lists.pooled_tuples import pool_of
from autograph.staging.lists.tables import KeyTable
from autograph.staging.sequences.iteration import Iterators
from autograph.staging.sequences.own_iterators import ByCall
from autograph.staging.sequences.steps import Iteration
from autograph.staging.values.maybe import MaybeNone, MaybeUndefined, none_or
from ops.core.records import dataclass
from ops.core.types import ArrayType
from ops.random.numpy_streams import GivenGenerator, is_generator

if TYPE_CHECKING:
    from autograph.staging.dispatch import GraphRecorder


@dataclass
class Traced:
    """A recorded function.

    Attributes:
        module: its graph. The inputs are the traced leaves of the arguments; the outputs are what
            ``delivery`` takes, then the new contents of arrays that the function changed in place.
        delivery: how the result is made of the outputs.
        changed: where the contents after the result go: the position of an argument's leaf, or an
            array from outside the function.
        outside: the arrays from outside the function that it refers to, by identity.
        guards, exceptions: see `Recorder`.
        containers: how many there are among the arguments.
        root_containers: how many there are among the objects from outside that are inputs.
        outside_containers: those from outside the function, and generators, by identity.
        generators: what the graph knows generators by that are arguments, by position.
        bets, tells_apart: see `Recorder`.
        compared: see `autograph.staging.border.outside.Outside`.
        bound: see `trace`.
        copied: the classes of the caller's objects of which callers get copies; see
            `autograph.staging.border.delivered_objects`.
        unsure: objects in the result of which only another recording can tell whether they were
            made in it; see `autograph.staging.border.made`.
        found: the containers from outside that count as they were, with what they contained.
        met: parts of roots that were also found in other ways, with names; see `OuterInputs`.
        has_variables: whether what free variables hold is an input.
        has_heaps: whether lists of lists among the arguments are given as rows in heaps.
        guarded: see ``met`` of `autograph.staging.border.outside.Outside`.
        bound_functions: see there.
        owners: the classes and functions whose attributes are guarded.
    """

    module: Module
    delivery: Delivery
    changed: list[int | Any] = field(default_factory=list)
    outside: dict[int, Any] = field(default_factory=dict)
    guards: list[Guard] = field(default_factory=list)
    exceptions: dict[str, type[Exception]] = field(default_factory=dict)
    containers: int = 0
    outside_containers: dict[int, Any] = field(default_factory=dict)
    generators: dict[int, GivenGenerator] = field(default_factory=dict)
    bets: bool = False
    bound: tuple[int, ...] = ()
    unsure: Sequence[Any] = ()
    found: Sequence[tuple[Any, Contents]] = ()
    met: Sequence[tuple[str, Any]] = ()
    has_variables: bool = False
    has_heaps: bool = False
    guarded: Sequence[tuple[FunctionType | ModuleType, str]] = ()
    bound_functions: Sequence[Callable] = ()
    owners: Owners = field(default_factory=Owners)
    root_containers: int = 0
    tells_apart: bool = False
    compared: Collection[int] = ()
    copied: Mapping[type, Location | None] = field(default_factory=dict)

    @property
    def knows_repeated(self) -> bool:
        """Whether it is recorded anew where an argument is an array that is another one, too."""
        return bool(self.changed) or self.tells_apart


def _states(container: Any) -> list[Contents]:
    """What a container that is given has in it, of a dict that is made of lists what these have."""
    parts = contents_of(container)
    of_lists = parts.values if isinstance(container, KeyTable) else ()
    return [parts, *map(contents_of, of_lists)]


def trace(
    function: Callable,
    name: str,
    structure: CallStructure,
    leaves: Sequence[Any],
    types: Sequence[ArrayType | None],
    names: Sequence[str],
    *,
    bound: Collection[int] = (),
    same: Mapping[int, int] = {},
    roots: Sequence[Any] = (),
    variables: Variables | None = None,
    in_heaps: GivenRows | GivenObjects | None = None,
    unroll_limit: int,
    effort: Effort,
    capabilities: Capabilities,
    clips: bool = False,
    learnt: Learnt | None = None,
    kept: Kept = None,
    location: Location | None = None,
    earlier: Sequence[Any] | None = None,
    keeps_raise: bool = False,
    is_told: bool = False,
) -> Traced:
    """Record a function.

    Args:
        function: called as ``function(args, kwargs)``.
        name: of the graph.
        structure: the nesting of ``(args, kwargs)``.
        leaves: the leaves of the arguments.
        types: for each leaf the type to trace it with, or None for a static one.
        names: a name for each leaf.
        bound: the positions of leaves that are objects, others at each call; see `is_bound`.
        same: the positions of leaves that are an earlier one, with that one's position.
        roots: objects from outside that come before the arguments; see `OuterInputs`.
        variables: those that stand for free variables; see there.
        in_heaps: says which lists and objects are in heaps; see `OuterInputs`.
        unroll_limit, effort, capabilities, clips, learnt: see `Recorder`.
        kept: what loops keep for their derivatives, see `Transformed`.
        location: where the function is defined.
        earlier: what an earlier recording was `unsure` of, if there was one.
        keeps_raise: whether the program raises what is raised while recording.
        is_told: see `is_decided`.

    Raises:
        SpecializeArguments: some of the leaves have to become static.
        FirstTripApart: a loop has to be recorded so.
    """
    tracer = graph_recorder()(name, effort, capabilities, unroll_limit, clips, learnt)
    tracer.transformed.checkpointed_loops = kept
    tracer.learnt.of(MetOutside).append(tracer.outside)
    with (
        outside_of_meshes(),
        tracer.active(),
        tracer.builder(name) as builder,
        closing(tracer.outside.classes),
    ):
        unread = unread_lists(structure.structure) if isinstance(structure, Nested) else ()
        outer = tracer.outside.outer = OuterInputs(roots, variables, unread, in_heaps)
        tracer.inputs.outer = range(outer.count)
        if isinstance(structure, Nested):
            tracer.state(Exactness).is_wanted = wants_exactness(structure.structure)
        inputs: list[Value] = []
        boxes: list[tuple[int, GraphArray]] = []
        contents = []
        objects: dict[int, list[int]] = {}
        for position in sorted(bound):
            objects.setdefault(id(leaves[position]), []).append(position)
        handles: dict[int, GivenGenerator] = {}
        given_objects: dict[int, Any] = {}
        for first, *_ in objects.values():
            leaf = leaves[first]
            if is_generator(leaf):
                handles[first] = GivenGenerator(kind=leaf.__class__)
                given_objects[first] = stand_in_for(leaf, handles[first])
                tracer.outside.shadows.stand_for_argument(leaf, given_objects[first])
            else:
                given_objects[first] = tracer.outside.capture(names[first], leaf)
        tracer.outside.bound.update(objects)
        of_arguments, tracer.outside.seen = Parts(tracer.outside.seen), []
        others = given_objects.keys() - handles.keys()
        keys = {position: argument_key(leaves[position]) for position in others}
        for position, (leaf, type, label) in enumerate(zip(leaves, types, names)):
            if position in bound:
                contents.append(given_objects[objects[id(leaf)][0]])
                continue
            if position in same:
                contents.append(contents[same[position]])
                continue
            if type is None:
                contents.append(Later(label, leaf))
                continue
            if position < outer.count and is_array(leaf):
                outer.arrays[id(leaf)] = position
            inputs.append(builder.input(type, label))
            box = GraphArray(inputs[-1])
            if type.shape and isinstance(leaf, int):  # it is the length of that input
                contents.append(symbolic_int(type.shape[0]))
                boxes.append((position, box))
                continue
            box.is_array = type.shape == () and is_array(leaf)
            contents.append(box)
            boxes.append((position, box))
        tracer.inputs.positions.update((v, position) for v, (position, _) in zip(inputs, boxes))
        flattener = Flattener(tracer.outside.shadows.is_shadow, unread=unread)
        given = GivenContainers(outer, tracer.outside.shadows)
        leaves_, nesting = flattener.flatten(unflatten_call(structure, contents))
        contents = []
        *_, args, kwargs = given.call(nesting, _captured(leaves_, tracer, contents))
        numbers = {id(container): number for number, container in given.containers.items()}
        before = [(c, _states(c)) for c in given.containers.values()]
        tracer.given.extend(given.containers.values())
        tracer.given.extend(share_heaps(given.containers.values()))
        tracer.given.extend(share_object_heaps(pool_of, given.containers.values()))
        tracer.outside.classes.add_arguments(given.containers.values())
        for value in (*contents, *tuple_kinds(nesting)):
            tracer.outside.classes.add(value)
        try:
            try:
                result = function(args, kwargs)
                tracer.state(Iterators).close()
            except BaseException:
                learn_from_made()
                tracer.state(Iterators).close()
                raise
            finally:
                tracer.managers.release()
                tracer.outside.classes.restore(location)
            if tracer.refusal is not None:
                raise tracer.refusal
        except Exception as error:
            if not raised_by_user(error):
                raise
            if is_decided(builder, error, is_told) and not keeps_raise:
                from autograph.staging.border import raised_contents  # few recordings raise

                raised_contents.give_own_contents(error, tracer.outside.original)
                raise
            record_failure(error)
            result = None
        except BaseException as error:
            if not is_decided(builder, error):
                refuse_to_end(error)
            raise
        rewritten = [
            (position, box) for (position, box), v in zip(boxes, inputs) if box.value is not v
        ]
        for array, box in tracer.outside.captured.values():
            value = box.value
            if not (isinstance(value, Constant) and value.data is array):
                rewritten.append((array, box))
        changed = [target for target, _ in rewritten]
        tracer.frozen.check()
        older = [*given.containers.values(), *tracer.outside.shadows.all()]
        lists = [container for container in older if isinstance(container, TrackedList)]
        for items in lists:
            if items.lost is not None:
                raise items.lost.error()
            items.give_back()
        if any(items.is_stale for items in lists):
            raise stale()
        moved = [c for c, states in before if not all(map(Contents.same, _states(c), states))]
        targets = {id(box): target for target, box in rewritten}

        from_outside = Parts([*tracer.outside.seen, *tracer.outside.classes.values()])
        positions = {id(given): position for position, given in given_objects.items()}

        def source_of(container: Any) -> GivenContainer | Argument | Static | None:
            if id(container) in numbers:
                root = outer.root(numbers[id(container)])
                return GivenContainer(numbers[id(container)]) if root is None else Static(root)
            if id(container) in positions:
                return Argument(positions[id(container)])
            original = tracer.outside.original(container)
            if original is not container or container in from_outside:
                return Static(original)
            if container in of_arguments:
                raise part_of_argument(container, location)
            if isinstance(container, (Iteration, ByCall)):
                check_returnable([container], location)
            return None

        outlet = Outlet(source_of, targets, tracer.outside.is_captured, tells_types=True)
        delivery = outlet.delivery(
            tracer.defined(result), [*moved, *tracer.outside.shadows.changed()]
        )
        delivery.add_to(moved)
        copied = copied_kinds(outlet.made, older)
        statics = [source.value for source in delivery.sources if isinstance(source, Static)]
        check_returnable(statics, location)
        if earlier is not None:
            outlet.make_anew(delivery, earlier, tracer.outside.original, location)
        values = outlet.values + [box.value for _, box in rewritten]
        graph = tracer.with_named_calls(builder.finish(values, location), is_last=True)
        if knows_processes():
            from autograph.transforms.meshes import over_processes

            graph = over_processes(graph)
        places = tracer.outside.places.values()
        owners = owners_of(tracer.outside)
        guards = guards_on(tracer.outside, owners, location)
        refuse_changed(guards, location)
        for position, key in keys.items():
            if argument_key(leaves[position]) != key:
                raise changed_while_recording(names[position], location)
    module = Module(graph, dict(builder.graphs))
    outside = {key: array for key, (array, _) in tracer.outside.captured.items()}
    return Traced(
        module,
        delivery,
        changed,
        outside,
        guards,
        tracer.exceptions,
        len(numbers) - len(outer.containers),
        {
            k: v
            for k, v in tracer.outside.shadows.originals().items()
            if k not in tracer.outside.bound and k not in outer
        },
        handles,
        tracer.bets,
        tuple(given_objects),
        () if earlier is not None else outlet.unsure,
        tracer.outside.shadows.found(),
        (*outer.met.values(), *((p.name, p) for p in places if id(p) not in outer.roots)),
        bool(variables),
        any(isinstance(container, (Heap, ObjectHeap)) for container in given.containers.values()),
        tuple(tracer.outside.met),
        tuple(tracer.outside.bound_functions),
        owners,
        len(outer.containers),
        tracer.tells_apart,
        tracer.outside.compared,
        copied,
    )


def _captured(leaves: Sequence[Any], tracer: GraphRecorder, found: list[Any]) -> Iterator[Any]:
    """Leaves of the arguments as code sees them; also put into ``found``."""
    for leaf in leaves:
        if isinstance(leaf, Later):
            leaf = tracer.outside.capture(leaf.label, leaf.leaf)
        found.append(leaf)
        yield leaf


def subgraph(
    function: Callable,
    name: str,
    args: Sequence[Any],
    kwargs: dict[str, Any],
    purpose: str = "differentiated",
    add: Callable[[Graph, list[GraphArray]], Any] | None = None,
    written: list[GraphArray] | None = None,
) -> tuple[Traced, list[GraphArray]]:
    """Record a call of ``function`` as a graph of its own, inside a recording.

    Args:
        purpose: what is done with it, for messages. What contributes nothing to the result of a
            function that is differentiated may be dropped, even if it might raise.
        add: adds the graph, given the arguments that its inputs stand for, to the recording around
            it, if the function ends with an exception: what it does before that has to happen, and
            may raise another one. By default it is added as it is.
        written: where arrays of integers from outside are noted that the function changes in place,
            such as the states of generators of random numbers, whose values are the last outputs
            then; None if it may change none.

    Returns:
        (traced, arguments): the inputs of the graph stand for ``arguments``, the symbolic leaves of
        the arguments. The graph may refer to values of the recording around it.

    Raises:
        MutationError: the function changes an array from outside in place.
        Exception: the user's, if the function ends with it.
    """
    failure = None
    leaves, structure = Flattener(recorder().outside.shadows.is_shadow).flatten(
        (tuple(args), kwargs)
    )
    arguments = [box for leaf in leaves for box in _boxes(leaf)]
    outer = [argument.value for argument in arguments]
    watch = Watch([function, args, kwargs])
    derivatives = recorder().transformed.derivatives + (purpose == "differentiated")
    with (
        recorder().builder(name) as builder,
        recorder().new_frame() as frame,
        recorder().transformed.expecting(derivatives),
        recorder().transformed.graph(),
        barred(),
        own_objects() if purpose == "batched" else nullcontext(),
    ):
        inputs = [builder.input(value.type, value.name) for value in outer]
        recorder().inputs.aliases.update(zip(inputs, outer))
        boxes = [GraphArray(value) for value in inputs]
        recorder().inputs.given.update(zip(boxes, arguments))
        remaining = iter(boxes)
        contents = [_rebuilt(leaf, remaining) for leaf in leaves]
        new_args, new_kwargs = Unflattener().unflatten(structure, iter(contents))
        with unchanged_arguments(new_args, new_kwargs, location=defined_at(function)):
            try:
                result = recorder().call(recorder().outside.unbound(function), new_args, new_kwargs)
            except Exception as error:
                if not raised_by_user(error) or is_decided(builder, error):
                    raise
                record_failure(error)
                result, failure = None, error
        changed = [(array, array) for array in frame.written()]
        changed += [(a, b) for a, b, v in zip(arguments, boxes, inputs) if b.value is not v]
        for array, box in changed:
            if written is None or box.dtype.kind not in "biu":
                raise MutationError(
                    f"a function that is {purpose} changes an array from outside in place",
                    site_of(box) or defined_at(function),
                    id="AG0322",
                    fix="work on a copy: x = x.copy()",
                )
            written.append(array)

        def source_of(container: Any) -> Static | None:
            return Static(container) if watch.is_older(container) else None

        outlet = Outlet(source_of, {}, recorder().outside.is_captured)
        delivery = outlet.delivery(recorder().defined(result), watch.changed())
        values = [*outlet.values, *(box.value for _, box in changed)]
        graph = builder.finish(values, builder.location or defined_at(function))
        graph = with_large_calls(graph_recorder().with_named_calls(graph), builder.graphs)
    watch.finish()
    if failure is not None:
        if add is None:
            inline(graph, outer)
        else:
            add(graph, arguments)
        raise without_symbolic(failure)
    if purpose == "differentiated":
        graph = without_required(graph)
    return Traced(Module(graph), delivery), arguments


def _boxes(leaf: Any) -> tuple[GraphArray, ...]:
    """The symbolic arrays in a leaf of the arguments."""
    if isinstance(leaf, MaybeUndefined):
        raise refused_attribute(leaf.name, "is an argument of a function that is transformed")
    if isinstance(leaf, MaybeNone):
        return leaf.present, leaf.content
    if isinstance(leaf, Column):
        return (leaf.boxed,)
    return (leaf,) if isinstance(leaf, GraphArray) else ()


def _rebuilt(leaf: Any, boxes: Iterator[GraphArray]) -> Any:
    """A leaf of the arguments with other symbolic arrays in it."""
    if isinstance(leaf, MaybeNone):
        return none_or(next(boxes), next(boxes))
    if isinstance(leaf, Column):
        return Column(next(boxes).value, leaf.element)
    return next(boxes) if isinstance(leaf, GraphArray) else leaf
