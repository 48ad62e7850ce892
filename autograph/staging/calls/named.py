"""Named graphs: the recording of a recursive function.

What a call of the function does is found by going round. At first nothing is known of the result,
and a branch that needs it is left out, so the other branch, the base case, gives a first type. The
function is recorded again with that assumed of its recursive calls, until what is assumed is what
comes out. What it changes in place joins in: each array becomes a further result, and if it is one
from outside a further argument; so do the values of lists, objects and other containers from
outside. A call writes them back.

The rules are those of loops, of which recursion is the general case: see
`autograph.staging.control.loops`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from autograph.errors import MutationError
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph, Value
from autograph.graph.variance import along, axes_of, control, controlled, varied
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.exact_types import converted
from autograph.staging.border.arguments import Call, changing
from autograph.staging.calls.assumptions import (
    Given,
    all_changing,
    as_rows_of,
    is_array_leaf,
    is_same,
    is_same_state,
    joined_facts,
    resolved,
)
from autograph.staging.calls.shared_memory import arrays_read, may_be_same, refuse_sharing, sources
from autograph.staging.containers.containers import Contents, contents
from autograph.staging.containers.structure import ContainerOf, ElementType
from autograph.staging.control.control import carrier_names
from autograph.staging.control.fixed_point import FixedPoint
from autograph.staging.control.region import Region
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.naming import kind_shown
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.joins.crossing import Rebuilt
from autograph.staging.joins.sides import Side
from autograph.staging.joins.state import Slots, aligned, as_rows, common_element
from autograph.staging.joins.variables import Expand, NeedRows, NeedTexts, Variable
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.twins import lose, twins_of
from autograph.staging.values.leaves import Known, Mismatch
from autograph.staging.values.maybe import MaybeNone
from ops.control import regions
from ops.core.types import ArrayType

_ANOTHER = "a list or object that it assigns is another one in each call"
_MANY_TEXTS = "a text that it assigns is made in another way in each call"


class Named(FixedPoint):
    """A recursive function, recorded or being recorded as a named graph.

    Args:
        name: of the graph.
        call: the first call of those that it is for.

    Attributes:
        result: what is known of the result; None if nothing is known yet. Numbers and new arrays
            are known by their types, arrays and containers that were given are `Given`.
        changed: which of the arguments' leaves are arrays that a call changes in place.
        state: what is known of the values of its containers, before and after a call.
        shared: which of the arguments' leaves are arrays that new arrays of the result may share
            memory with.
        shared_outside: the arrays from outside of which the same is true.
        may_be_given: whether containers of the result, or of the state, may be some that the
            function is given.
        may_be: the containers from outside that they may be.
        changes_held: whether a list that its state holds is changed in place, which has other names
            where it is called.
        graph: the graph, once it is recorded.
        captures: what it uses of the graphs around it: the last operands of each call.
        closed: whether ``captures`` are inputs of the graph.
        waits: whether, in the present pass, something was left out because nothing is known yet of
            another function, inside of which this one is recorded.
        assumed: whether it was called while it was recorded.
        visible: what it saw of the code around it; see `autograph.staging.calls.recursion`.
        derivatives: how many derivatives its graph is ready for; see `Tracer`.
        checkpointed_loops: how many of their states its loops keep; see `Tracer`.
        around: along which axes of a mesh not all parts may come to the first call.
        control: along which axes not all parts may come to one of its calls.
    """

    most_passes = 20

    def __init__(self, name: str, call: Call):
        super().__init__(variables=1)
        self.name = name
        self.call = call
        self.result: Variable | None = None
        self.changed: frozenset[int] = frozenset()
        self.state: list[Variable] = []
        self.shared: frozenset[int] = frozenset()
        self.shared_outside = ByIdentity()
        self.may_be_given = False
        self.changes_held = False
        self.may_be = ByIdentity()
        self.graph: Graph | None = None
        self.captures: tuple[Value, ...] = ()
        self.closed = False
        self.waits = False
        self.assumed = False
        self.visible: Any = None
        self._region: Region | None = None
        self.derivatives = recorder().transformed.derivatives
        self.checkpointed_loops = recorder().transformed.checkpointed_loops
        self.around = self.control = control()
        self._given = [
            Given(lambda leaves, _, position=i: leaves[position]) for i in range(len(call.leaves))
        ]
        self._given_containers = [
            Given(lambda _, containers, number=i: containers[number])
            for i in range(len(call.containers))
        ]

    @property
    def function_name(self) -> str:
        return self.call.signature.code.co_name

    @property
    def builder(self) -> Builder:
        """What the function is, or was last, recorded with."""
        return self._region.builder

    # -- recording --------------------------------------------------------------------------------

    def record(self) -> bool:
        """Record the function once; whether what came out is what was assumed."""
        assumed, state = self.control, list(self.state)
        with controlled(assumed):
            settled = self._record() and self.control == assumed
        if not is_same_state(state, self.state):
            # What a container held, and is another array in each call, was changed as one that is
            # the same in all: the next pass finds which are.
            self.arrays.clear()
        return settled

    def _record(self) -> bool:
        self.waits = False
        call = self.call
        region = self._region = Region(self.name)
        assumption = self._assumption()
        with region.recording(call.runnable, *call.static):
            facts = [fact.along(self.control) for fact in (call.facts, *self.state)]
            names = [*call.value_names, *carrier_names(self.state, ())]
            entered = self.enter(region.builder, facts, names)
            boxes = entered.leaves[0]
            values = [_value(box) for box in boxes]
            copies = [(c, contents(c)) for c in self._copies(entered).values()]
            held = [(items, items.version) for items in self._held(entered)]
            result = call.run(entered.contents[0])
            region.leave(("the result",), (result,))
            changed = {i for i, box in enumerate(boxes) if _value(box) is not values[i]}
        self._refuse_changed(copies, boxes, changed)
        self.changes_held |= any(x.version != version or x.lost for x, version in held)
        self.changed |= changed
        if not self._add_state(region):
            return False
        side = self._widen(region, entered, result)
        if not is_same(assumption, self._assumption(), self.assumed):
            return False
        with region.builder as builder:
            outputs = side.outputs([self.result, *self.state])
            outputs += [boxes[position].value for position in sorted(self.changed)]
            outputs += [converted(region.value_of(a), type) for a, type in self.arrays.items()]
            self.graph = builder.finish(outputs, call.definition)
        return True

    def _copies(self, entered: Rebuilt) -> dict[int, Any]:
        """The containers that the function is given, as a pass over it has them, by number."""
        own = self.call.containers
        return dict(enumerate(self.call.containers_of(entered.contents[0]) if own else ()))

    def _held(self, entered: Rebuilt) -> list[TrackedList]:
        """The lists in its state, as a pass over it has them, but for those in heaps."""
        given = ByIdentity((copy, None) for copy in self._copies(entered).values())
        lists = [x for x in entered.containers.values() if isinstance(x, TrackedList)]
        return [items for items in lists if items not in given and items.seat is None]

    def _assumption(self) -> tuple:
        sharing = self.changed, self.shared, len(self.shared_outside), self.may_be_given
        sharing += (self.changes_held,)
        return self.result, list(self.state), len(self.arrays), sharing

    def prepare(self, entered: Rebuilt) -> None:
        for leaf, box in zip(self.call.leaves, entered.leaves[0]):
            if isinstance(leaf, GraphArray) and isinstance(box, GraphArray) and leaf is not box:
                box.is_array = leaf.is_array
                recorder().inputs.aliases.update(zip(_carried(box), _carried(leaf)))
        copies = self._copies(entered)
        for number, copy in copies.items():
            recorder().frozen.stand(copy, entered)
            if isinstance(copy, TrackedList):
                copy.site = getattr(self.call.containers[number], "site", None)
        if self.may_be_given:
            may_be_same(self._held(entered), copies.values())

    def _refuse_changed(
        self, copies: Sequence[tuple[Any, Contents]], boxes: Sequence[Any], changed: set[int]
    ) -> None:
        """Refuse changes that a call could not write back."""
        found = [c for c, state in copies if not contents(c).same(state)]
        found += [boxes[i] for i in changed if not isinstance(self.call.facts.leaves[i], ArrayType)]
        if found:
            kind = kind_shown(found[0])
            raise MutationError(
                f"the recursive function '{self.function_name}' changes a {kind} that is another "
                "one in each call",
                recorder().location(),
                id="AG0343",
                fix="return a changed copy instead",
            )

    def _add_state(self, region: Region) -> bool:
        """Take what the function changes outside into the state; False if that is new."""
        arrays, slots = list(self.arrays.values()), list(map(id, self.slots))
        for array, value in region.written.items():
            known = self.arrays.get(array, array.type)
            self.arrays[array] = known.along(axes_of(value) | control())
        for container in region.changed:
            self._follow(container, contents(container), region.end_of(container))
        return list(self.arrays.values()) == arrays and list(map(id, self.slots)) == slots

    def begin_differently(self) -> None:
        """A call is recorded inside the function: what differs there from what the function began
        with becomes part of the state, even if the function puts it back before it ends."""
        for container, start in self._region.found():
            self._follow(container, start, contents(container))

    def _follow(self, container: Any, start: Contents, now: Contents) -> None:
        """Take a container into the state if that has to be, and can.

        Args:
            start: its state when the function begins.
            now: another one that calls begin with, or leave.
        """
        slot = self.containers().get(container)
        if now.same(start) if slot is None else self._has_seen(slot, now):
            return
        name = self._region.names.get(container, "")
        states = [start, now]
        if slot is not None and is_user_object(container):  # with attributes that others have
            states.append(slot.nothing())
        try:
            begun = ByIdentity(self._region.found())
            views = [lambda inner: begun.get(inner) or contents(inner), contents]
            start = aligned(container, states, views)[0]
            if slot is not None and slot.is_rows:
                start = as_rows(start, self._elements(slot, start))
        except Mismatch as mismatch:
            kind = kind_shown(container)
            what = f"the {kind} '{name}' in states of different structure: {mismatch}"
            raise self._unlike(what) from None
        if slot is not None:  # it is rows from now on
            first = self._first_variable(slot)
            del self.state[first : first + len(slot.names)]
            self.slots = [other for other in self.slots if other is not slot]
        self.slots.append(Slots.of(container, name, start))
        self.state += _start(self.slots[-1:], [start])

    def _unlike(self, what: str) -> MutationError:
        return MutationError(
            f"calls of the recursive function '{self.function_name}' begin with {what}",
            recorder().location(),
            id="AG0347",
            fix="keep what changes in an array or in a list of numbers, or pass it as an argument",
        )

    # -- what comes out ---------------------------------------------------------------------------

    def _widen(self, region: Region, entered: Rebuilt, result: Any) -> Side:
        """Take what a pass gave into what is assumed; returns what it gave."""
        positions = ByIdentity(
            (box, i) for i, box in enumerate(entered.leaves[0]) if is_array_leaf(box)
        )
        copies = ByIdentity((c, number) for number, c in self._copies(entered).items())

        def share(array: GraphArray) -> None:
            if array in positions:
                self.shared |= {positions[array]}
            elif region.is_older(array):
                self.shared_outside[array] = None

        slots = [("the result", result)]
        for slot in self.slots:
            slots += slot.variables(self._with_keys(slot, region.end_of(slot.container)))
        side = Side(
            slots,
            is_older=lambda a: is_array_leaf(a) and (a in positions or region.is_older(a)),
            is_leaf=lambda container: container in copies or region.is_older(container),
            contents_of=region.end_of,
            value_of=region.value_of,
        )
        assumed = [self.result if self.assumed else None, *self.state]
        joined = []
        for index, before in enumerate(assumed):
            while True:
                (fact, leaves) = side.variables[index], side.leaves[index]
                keep_numbers = index == 0 and not self.assumed
                fact = self._described(fact, positions, copies, keep_numbers)
                try:
                    joined.append(
                        fact if before is None else joined_facts(before, fact, leaves, share)
                    )
                    break
                except Expand as need:
                    known, container = need.containers
                    if container is not None:
                        side.expand(container)
                    elif index and isinstance(known, TrackedList):
                        before = None  # the next pass begins with what it contains
                    elif index:
                        raise Mismatch("a list or object from outside, and a new one") from None
                    else:
                        before, self.may_be[known] = None, None
                except NeedRows as need:
                    before = as_rows_of(need, side, before)
                except NeedTexts as need:
                    if not side.unite_texts(index, need.templates):
                        before = None  # the next pass begins with all of them
                except Mismatch:
                    if index or before is None or not self._is_given(before):
                        raise
                    # On another path it is new: the next pass shows what there is to know then.
                    before, self.may_be_given = None, True
        self.result, *self.state = joined
        lists = [items for items in side.containers if isinstance(items, TrackedList)]
        self.may_be_given |= any(twin in copies for items in lists for twin in twins_of(items))
        for leaves in side.leaves:
            for leaf in leaves:
                for source in sources(leaf):
                    share(source)
        return side

    def _is_given(self, fact: Variable) -> bool:
        """Whether a container that the function is given is, or is in, a result."""
        contents_ = [leaf.content for leaf in fact.leaves if isinstance(leaf, Known)]
        return any(given is content for given in self._given_containers for content in contents_)

    def _described(
        self, fact: Variable, positions: ByIdentity, copies: ByIdentity, keep_numbers: bool
    ) -> Variable:
        """A fact in terms of the arguments of any call."""
        leaves = []
        for leaf in fact.leaves:
            content = leaf.content if isinstance(leaf, Known) else None
            if content is not None and content in positions:
                leaf = Known(self._given[positions[content]])
            elif content is not None and content in copies:
                leaf = Known(self._given_containers[copies[content]])
            elif not is_array_leaf(content) and not keep_numbers:
                leaf = changing(leaf)
            leaves.append(leaf)
        return replace(fact, leaves=tuple(leaves))

    # -- calling ----------------------------------------------------------------------------------

    def apply(self, call: Call) -> Any:
        """Add a call to the graph; returns what the function returns."""
        self._refuse_sharing(call)
        try:
            before = self.widen_for_call()
        except Mismatch as mismatch:
            raise self._unlike(f"other structures: {mismatch}") from None
        operands = call.side.outputs([call.facts])
        operands += before.outputs(self.state)
        operands += [varied(array.value, type.varies) for array, type in self.arrays.items()]
        operands += self.captures
        operands = [varied(value, self.control) for value in operands]
        facts = [self.result, *self.state]
        written = [call.leaves[position] for position in sorted(self.changed)] + list(self.arrays)
        types_ = [t for fact in facts for t in fact.types]
        types_ += [array.type for array in written[: len(self.changed)]] + [*self.arrays.values()]
        types_ = along(types_, self.control)
        names = carrier_names(facts, written)
        attrs = {"callee": self.name}
        results = current_builder().add(regions.call, operands, attrs, types_, (), names)
        rebuilt = self.write_back(facts, results, written, lambda leaves: resolved(leaves, call))
        bases = [*(call.leaves[position] for position in self.shared), *self.shared_outside]
        for leaf, kind in zip(rebuilt.leaves[0], self.result.leaves):
            if bases and isinstance(kind, ArrayType) and kind.shape:
                leaf.may_share(bases)
        others = [*(call.containers if self.may_be_given else ()), *self.may_be, *before.containers]
        may_be_same(rebuilt.containers.values(), others)
        if self.changes_held:
            for items in before.containers:
                lose(items)
        return rebuilt.contents[0]

    def widen_for_call(self) -> Side:
        """Let the state be one that a call here may begin with; returns what it begins with."""
        variables = []
        for slot in self.slots:
            variables += slot.variables(self._with_keys(slot, contents(slot.container)))
        # Lists that variables hold, where other calls, or the function, may hold new ones there.
        held = ByIdentity(
            (content, None)
            for (_, content), fact in zip(variables, self.state)
            if isinstance(content, TrackedList) and isinstance(fact.structure, ContainerOf)
        )
        before = Side(variables, is_older=is_array_leaf, is_leaf=lambda c: c not in held)
        state: list[Variable | None] = [*self.state]  # None where only what is there now counts
        joined: list[Variable] = []
        while len(joined) < len(state):
            position = len(joined)
            fact, now = state[position], all_changing(before.variables[position])
            leaves = before.leaves[position]
            try:
                found = now if fact is None else joined_facts(fact, now, leaves, lambda array: None)
                joined.append(found)
            except NeedRows as need:
                if need.numbers[1] is None:
                    raise Mismatch(_ANOTHER) from None
                before.keep_as_rows(need.numbers[1], need.element)
                joined.clear()
            except NeedTexts as need:
                if not before.unite_texts(position, need.templates):
                    if self.graph is not None:
                        raise Mismatch(_MANY_TEXTS) from None
                    state[position] = None
                joined.clear()
            except Expand as need:
                known, container = need.containers
                if not isinstance(known, TrackedList) or self.graph is not None:
                    raise Mismatch(_ANOTHER) from None
                if container is not None:
                    before.expand(container)
                state[position] = None
                joined.clear()
        self.state = joined
        return before

    def begins_alike(self) -> bool:
        """Whether a call here begins with the state that the graph was recorded for."""
        state = self.state
        try:
            self.widen_for_call()
        except Mismatch:
            return False
        same = is_same_state(state, self.state)
        self.state = state
        return same

    def _refuse_sharing(self, call: Call) -> None:
        changed = [*(call.leaves[position] for position in self.changed), *self.arrays]
        read: list[GraphArray] = []
        if self.graph is not None:
            seen = (item for items in self.visible for item in items)
            read = arrays_read(self.graph, self.captures, seen)
        others = [*call.leaves, *self.arrays, *(a for a in read if a not in self.arrays)]
        given = ByIdentity((container, None) for container in call.containers)
        is_given_state = any(slot.container in given for slot in self.slots)
        refuse_sharing(self.function_name, changed, others, is_given_state)

    def containers(self) -> ByIdentity:
        """The containers whose contents each call is given, with their slots."""
        return ByIdentity((slot.container, slot) for slot in self.slots)

    def begin_with(self, other: Named) -> None:
        """Assume what was found out in passes over the function that had to be dropped."""
        self.result, self.assumed = other.result, other.assumed
        self.changed, self.arrays = other.changed, other.arrays
        self.slots, self.state = other.slots, other.state
        self.shared, self.shared_outside = other.shared, other.shared_outside
        self.control |= other.control
        self.may_be_given, self.may_be = other.may_be_given, other.may_be
        self.changes_held = other.changes_held
        self._given, self._given_containers = other._given, other._given_containers

    def _has_seen(self, slot: Slots, state: Contents) -> bool:
        """Whether a state of a slot's container can be seen with what is known of the slot."""
        if not slot.is_rows:
            return _seen(slot, state) is not None
        try:
            return self._elements(slot, state).structure == slot.keys[1]
        except Mismatch:
            return False

    def _elements(self, slot: Slots, *states: Contents) -> ElementType:
        """What is known of the elements of a slot's list, which is kept as rows, and in states.

        Raises:
            Mismatch: nothing holds all of them.
        """
        first = self._first_variable(slot)
        columns = self.state[first : first + len(slot.names)]
        known = Contents(slot.keys, tuple(column.leaves[0] for column in columns))
        return common_element([known, *states])

    def _with_keys(self, slot: Slots, state: Contents) -> Contents:
        """The state of a slot's container, seen with the slot's keys.

        Raises:
            Mismatch: that is not possible.
        """
        seen = _seen(slot, state)
        if seen is not None:
            return seen
        if not slot.is_rows:
            raise Mismatch(f"what '{slot.names[0] if slot.names else 'an object'}' is part of")
        if not self._has_seen(slot, state):
            raise Mismatch("a list of numbers that are of other types")
        return as_rows(state, self._elements(slot))

    def _first_variable(self, slot: Slots) -> int:
        """The position of a slot's first variable in the state."""
        before = itertools.takewhile(lambda other: other is not slot, self.slots)
        return sum(len(other.names) for other in before)


def _seen(slot: Slots, state: Contents) -> Contents | None:
    """A state with the keys of a slot, if it has no others: an object need not have all of its
    attributes yet."""
    if state.keys == slot.keys:
        return state
    if not is_user_object(slot.container):
        return None
    try:
        _, seen = aligned(slot.container, [slot.nothing(), state])
    except Mismatch:
        return None
    return seen if seen.keys == slot.keys else None


def _start(slots: Sequence[Slots], states: Sequence[Contents]) -> list[Variable]:
    variables = [v for slot, state in zip(slots, states) for v in slot.variables(state)]
    return list(map(all_changing, Side(variables, is_older=is_array_leaf).variables))


def _value(leaf: Any) -> Value | None:
    return leaf._value if isinstance(leaf, GraphArray) else None


def _carried(leaf: GraphArray) -> tuple[Value, ...]:
    """The values that stand for a leaf; nobody asks here whether one that may be None is there."""
    return (
        (leaf.present.value, leaf.content.value) if isinstance(leaf, MaybeNone) else (leaf.value,)
    )
