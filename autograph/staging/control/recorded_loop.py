"""A loop on symbolic values, recorded as a region.

Its body is run on symbolic state, again and again until the types of the state no longer change.
Arrays and containers that the body changes in place become further state by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.errors import LoopStateError, MutationError
from autograph.graph.builder import current_builder, varied_captures
from autograph.graph.graph import Constant, Graph, Value
from autograph.graph.variance import axes_of, controlled, varied
from autograph.signals import raised_by_handler
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.views import require_own
from autograph.staging.containers.containers import Contents, contents, reachable
from autograph.staging.control.control import called, carrier_names, is_raised_in_region, truth
from autograph.staging.control.fixed_point import FixedPoint
from autograph.staging.control.foreseen import Foreseen, loop_key
from autograph.staging.control.grown_arrays import GrownArrays
from autograph.staging.control.grown_lists import GrownLists
from autograph.staging.control.region import Region, record_failure, site_of
from autograph.staging.control.reshaped import end_of, has_outgrown, kept_as_rows
from autograph.staging.control.steady import Places, Steady, numbers_left
from autograph.staging.control.unread import same_but, unread_numbers
from autograph.staging.control.widened_loops import warn_of_widening
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.naming import kind_shown
from autograph.staging.ground.recorder import recorder
from autograph.staging.joins.crossing import Rebuilt
from autograph.staging.joins.numbers import with_numbers
from autograph.staging.joins.origins import SharedOrigins, boxes_of, new_boxes_of
from autograph.staging.joins.sharing import Sharing
from autograph.staging.joins.sides import MismatchAt, Side, apply_need, join_at, met
from autograph.staging.joins.state import Slots
from autograph.staging.joins.variables import (
    ALWAYS,
    MAYBE,
    Expand,
    NeedRows,
    NeedSeat,
    NeedTexts,
    Variable,
    of_same_arrays,
    traced,
)
from autograph.staging.joins.without_axes import arrays_without_axes, mark_arrays
from autograph.staging.lists.inner_lists import SERIAL
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.twins import link_all, links
from autograph.staging.values.leaves import ColumnOf, Promoted
from autograph.staging.values.promoted import types_of
from ops.control import regions
from ops.control.constructs import Refusal
from ops.core.types import ArrayType, weak

INT = weak(int)


class NotAGraphLoop(Exception):
    """The loop's test does not depend on anything symbolic, even when its state does."""


class RecordedLoop(FixedPoint):
    """A loop being recorded: the facts about its state, widened until a trip keeps them.

    Attributes:
        facts: what is known of each variable before any trip.
        marks: which leaves of the variables are arrays of no axes in some trip.
        changed: the positions of the leaves that the body changes in place.
        keeps_arrays: whether arrays stay the objects they are, as those do that trips only change
            in place (``x += 1``), where a trip leaves the same ones. They are arrays from outside
            then, whose other names and views know of what is changed.
        given: what the arrays of the leaves hold at the beginning of a trip.
        growing: the arrays that trips append to.
    """

    def __init__(self, names, init, body, test, items, keeps_arrays):
        super().__init__(len(names))
        self.keeps_arrays = keeps_arrays
        self.names = names
        self.init = init
        item = None if items is None else items.item
        self.roots = [f for f in (body, test, item) if f is not None] + list(init)
        self.body = body
        self.test = test
        self.items = items
        self.makes_trip = False  # whether it is known that it makes one
        self.changes_all = False  # whether a trip changes all that it is guessed to
        self.growing = GrownArrays()
        self.serial = next(SERIAL)  # of lists that are made from now on
        # Along which axes of a mesh the number of trips varies.
        count = None if items is None else items.count
        self.control = axes_of(count.value) if isinstance(count, GraphArray) else frozenset()
        self._begin()
        self._foresee()

    def _begin(self) -> None:
        """Begin with nothing that the loop changes."""
        self.arrays, self.slots = ByIdentity(), []
        self.starts: list[Contents] = []  # what the containers of the slots contain before the loop
        self.steady = Steady(self.variables, self.slots)
        self.before = Side(list(zip(self.names, self.init)))
        self.after: Side | None = None
        self.elements = 0  # how many containers of the state are elements of lists kept as rows
        self.links: list[tuple[int, Any]] = []  # lists that may be the same, see `lists.links`
        self.rebound: list[tuple[int, Any]] = []  # older containers that a trip leaves, by number
        # The memory that variables share from the second trip on.
        self.shared: SharedOrigins | None = None
        self._start()

    def _foresee(self) -> None:
        """Take into the state what the loop changed when it was recorded before."""
        code = getattr(self.body, "__code__", None)
        self.key = loop_key(code), user_location(), self.test is None, self.keeps_arrays
        shadows = (shadow for shadow, _ in recorder().outside.shadows.made_since(0))
        roots = [*self.roots, *shadows, *recorder().given]
        containers, arrays = recorder().learnt.of(Foreseen).of(self.key, lambda: reachable(roots))
        self.is_guess = bool(containers or arrays)
        for array in arrays:
            self.arrays[array] = array.type.along(self.control)
        for container, name, steady in containers:
            self._add_slots(container, name, contents(container), steady)
        if containers:
            self._with_slots()

    def _without_guess(self) -> None:
        """Find out what the loop changes as if it had not been recorded before."""
        recorder().learnt.of(Foreseen).forget(self.key)
        self.is_guess = False
        self._begin()

    def _start(self) -> None:
        """Begin with what is known before the first trip.

        Arrays of variables that may be undefined stay the objects they are, as long as a trip
        leaves the same ones. What a function returns amid a loop is in such a variable: no trip
        reads it, and the array may be changed under its own name until then.
        """
        facts = [
            (of_same_arrays(v, leaves) if self._keeps(v) else traced(v)).along(self.control)
            for v, leaves in zip(self.before.variables, self.before.leaves)
        ]
        facts = self.steady.kept(facts, self.before.variables)
        self.facts = list(self.growing.of_any_length(facts))
        self.marks = arrays_without_axes(self.facts, [self.before])

    def _keeps(self, fact: Variable) -> bool:
        """Whether the arrays of a variable may stay the objects they are."""
        return self.keeps_arrays or fact.defined == MAYBE

    def record(self) -> bool:
        """Record test and body once; False if the facts had to be widened."""
        try:
            return self._record_foreseen()
        except (Exception, Refusal) as error:
            if self.growing.refusal is None or raised_by_handler(error):
                raise
            raise self.growing.refusal from None

    def _record_foreseen(self) -> bool:
        with controlled(self.control):
            if not self.is_guess:
                return self._record()
            try:
                with recorder().losses_undone(recorder().unroll_limit + 1):
                    settled = self._record()
            except (Exception, Refusal) as error:
                if raised_by_handler(error):
                    raise
                self._without_guess()
                return False
            if self.is_guess and not self.changes_all:
                self._without_guess()
                return False
            self.is_guess = False
            return settled

    def _record(self) -> bool:
        lost = len(recorder().lost)
        if self.test is not None:
            self.test_region = Region("test")
            with self.test_region.recording(*self.roots):
                state = self._enter(self.test_region)
                before = self._inside()
                self.flag = truth(recorder().defined(self.test(*state)))
                quiet = self._inside() == before
            if isinstance(self.flag, Value) and not axes_of(self.flag) <= self.control:
                self.control |= axes_of(self.flag)
                self._start()
                return False
            known = ByIdentity((slot.container, None) for slot in self.slots)
            found = [*self.test_region.changed, *self.test_region.written]
            if not quiet or any(c not in known and c not in self.arrays for c in found):
                raise LoopStateError(
                    "the test of this loop changes something from the second trip on",
                    user_location(),
                    id="AG0317",
                    fix="let the test only compare",
                )
        self.region = Region("body")
        with self.region.recording(*self.roots):
            builder = self.region.builder
            index = None
            if self.items is not None:
                index = GraphArray(builder.input(INT, self.items.index_name(self.body)))
                trips = self.items.length
                if trips is not None:
                    recorder().below[index.value] = trips
            state = self._enter(self.region)
            arrays = new_boxes_of(self.facts, self.entered.leaves)
            entered = [None if array is None else array._value for array in arrays]
            guessed = self._guessed() if self.is_guess else []
            self.given = entered
            copies = [(c, contents(c)) for c in self.entered.containers.values()]
            try:
                # Read after the arrays that the body changes have become state: it may be one.
                item = () if index is None else (self.items.item(index),)
                left = self.body(*item, *state)
            except Exception as error:
                if not is_raised_in_region(error):
                    raise
                record_failure(error)
                left = state  # no trip comes to its end
            self.changes_all = not any(was.same(now) for was, now in zip(guessed, self._guessed()))
            self._refuse_changed(copies)
            self.region.leave(self.names, left)
            self.changed = {
                position
                for position, (array, value) in enumerate(zip(arrays, entered))
                if array is not None and (array._value is not value or array.lost)
            }
        # What was made while this loop was recorded is gone, or refused where it is left.
        older = [items for items in recorder().lost[lost:] if items.serial < self.serial]
        return self._settled() and not older

    def _guessed(self) -> list[Contents]:
        """What the containers and arrays of the state contain in a region."""
        arrays = [Contents((), (array.value,)) for array in self.arrays]
        return [*arrays, *(contents(slot.container) for slot in self.slots)]

    def _inside(self) -> list[Any]:
        """What identifies the contents, in a region, of the containers and arrays of the state."""
        found: list[Any] = [array.value for array in self.arrays]
        for slot in self.slots:
            keys, values = contents(slot.container)
            found += [keys, *map(id, values)]
        return found

    def _enter(self, region: Region) -> list[Any]:
        """Make the inputs of a region; returns the contents of the variables in it."""
        names = carrier_names(self.facts, ())
        return self.enter(region.builder, self.facts, names).contents[: self.variables]

    def prepare(self, entered: Rebuilt) -> None:
        self.entered = entered
        mark_arrays(entered.leaves, self.marks)
        if self.shared is not None:
            self.shared.note(new_boxes_of(self.facts, entered.leaves))
        self._link_entered()
        for side in (self.before, self.after) if self.after else (self.before,):
            recorder().frozen.add_copies(side.containers, entered.containers)

    def _link_entered(self) -> None:
        link_all(self.links, self.entered.containers)
        for number, container in [*self.before.expanded_numbers(), *self.rebound]:
            copy = self.entered.containers[number]
            if isinstance(copy, TrackedList) and isinstance(container, TrackedList):
                copy.link(container)
            elif not isinstance(copy, list):
                recorder().frozen.stand(copy, self.entered)

    def _link(self, made: Rebuilt) -> None:
        """Note which lists may be the same as others: as those before the loop, or as each other
        because of what the body does."""
        link_all(self.links, made.containers)
        for number, container in [*self.before.expanded_numbers(), *self.rebound]:
            recorder().may_be_same(container, made.containers[number])

    def _refuse_changed(self, copies: Sequence[tuple[Any, Contents]]) -> None:
        """Refuse a change to what a variable that the loop rebinds holds at the start of a trip:
        in the first trip that is an older container, which would have to change as well."""
        for container, state in copies:
            if isinstance(container, TrackedList):
                continue  # it is linked with the other
            if not contents(container).same(state):
                kind = kind_shown(container)
                raise MutationError(
                    f"a {kind} that this loop also rebinds is changed in place",
                    user_location(),
                    id="AG0326",
                    fix="either rebind the variable or change what it holds, not both; "
                    "or make a copy first",
                )

    # -- widening ---------------------------------------------------------------------------------

    def _settled(self) -> bool:
        """Whether the facts hold after a trip; widens them if not."""
        if self._new_state():
            return False
        ends = [end_of(*known, self.region) for known in zip(self.slots, self.starts)]
        after = self.region.side([*self.region.slots, *(v for values in ends for v in values)])
        while True:
            try:
                pairs = enumerate(zip(self.facts, after.variables))
                widened = [self._widened(i, *both) for i, both in pairs]
                break
            except NeedSeat as need:
                mismatch = met(need, self.before, after)
                raise self._mismatch(mismatch.position, str(mismatch)) from None
            except (Expand, NeedRows, NeedTexts) as need:
                before = self.before.variables
                apply_need(need, self.before, after)
                if self.before.variables is not before:
                    self._start()
                    return False
            except MismatchAt as mismatch:
                refusal = self._mismatch(mismatch.position, str(mismatch))
                known = self.facts, self.given, after, self.makes_trip
                if not self.growing.found(*known, refusal):
                    raise refusal from None
                self._start()
                return False
        self.after = after
        widened = [variable.along(self.control) for variable in widened]
        warn_of_widening(self.facts, widened, after.leaves_for(widened))
        found = self._links(after)
        news = unread_numbers(self.facts, widened, self.init, after)
        settled = news is not None and len(found) == len(self.links)
        elements = [c for c in after.containers if recorder().frozen.is_element(c)]
        settled = settled and len(elements) == self.elements
        self.elements = len(elements)
        rebound = [(n, c) for n, c in after.expanded_numbers() if self.region.is_older(c)]
        settled = settled and len(rebound) == len(self.rebound)
        self.facts, self.links, self.rebound = widened, found, rebound
        marks = arrays_without_axes(widened, [self.before, after])
        settled = settled and same_but(news or (), marks, self.marks)
        self.marks = marks
        if not (self._shares_as_assumed() and settled):
            return False
        for position in news or ():
            self._carry(position)
        return True

    def _widened(self, position: int, fact: Variable, end: Variable) -> Variable:
        """What a variable holds before or after a trip."""
        if not self.steady.is_left(position, fact, end):
            end = traced(end, but_arrays=self.keeps_arrays or fact.defined != ALWAYS)
        return join_at(position, fact, end)

    def _carry(self, position: int) -> None:
        """Have the regions be given a variable that they do not read, as they were recorded."""
        fact = self.facts[position]
        first = sum(len(other.types) for other in self.facts[:position])
        made = list(zip(fact.types, carrier_names([fact], ())))
        regions = [(self.region, 0 if self.items is None else 1)]
        regions += [] if self.test is None else [(self.test_region, 0)]
        for region, others in regions:
            at = others + first
            region.builder.inputs[at:at] = [Value(type, name) for type, name in made]
        place, more = sum(len(other.leaves) for other in self.facts[:position]), len(fact.leaves)
        self.given[place:place] = [None] * more
        self.changed = {p + more if p >= place else p for p in self.changed}

    def _links(self, after: Side) -> list[tuple[int, Any]]:
        """The `links` after a trip, to lists of the state and older ones: others are gone."""
        begun = {
            id(self.entered.containers[number]): container
            for number, container in self.before.expanded_numbers()
        }
        found = [(n, begun.get(id(other), other)) for n, other in links(after.containers)]
        kept = {
            (number, id(other)): (number, other)
            for number, other in found
            if isinstance(other, int) or self.region.is_older(other)
        }
        return list(kept.values())

    def _shares_as_assumed(self) -> bool:
        """Whether it holds after a trip what was assumed of memory that variables share."""
        self.sharing = Sharing(
            self.before.leaves_for(self.facts),
            self.entered.leaves,
            self.after.leaves_for(self.facts),
            self.facts,
            self.region.is_older,
        )
        assumed = self.shared
        shared = self.sharing.assumed(self.arrays)
        self.shared = shared if shared.pairs or any(shared.outside) else None
        return (assumed and assumed.key()) == (self.shared and self.shared.key())

    def _new_state(self) -> bool:
        """Take arrays and containers that the body changes into the state; whether there were
        any, or a list has to be kept as rows."""
        more = False
        slots = len(self.slots)
        require_own([*self.arrays, *self.region.written])
        for array, value in self.region.written.items():
            type = array.type.along(axes_of(value) | self.control)
            if self.arrays.get(array) != type:
                self.arrays[array] = type
                more = True
        known = ByIdentity((slot.container, None) for slot in self.slots)
        for container in self.region.changed:
            if container not in known:
                start, end = contents(container), self.region.end_of(container)
                name = self.region.names.get(container, "")
                self._add_slots(container, name, start, numbers_left(container, start, end))
                more = True
        for position, slot in enumerate(self.slots):
            if has_outgrown(slot, self.starts[position], self.region):
                kept = kept_as_rows(slot, self.starts[position], self.region)
                self.slots[position], self.starts[position] = kept
                more = True
        if more:
            self._with_slots()
            # What a container holds may now change as a variable. If that is numbers, the arrays
            # found stay: a pass less, which in a nest of loops all those around it repeat.
            if len(self.slots) > slots and not self._hold_numbers():
                self.arrays = ByIdentity()
            # What this pass leaves in variables that hold numbers is what the first trip does: the
            # next one begins with that, a pass less.
            self.facts = with_numbers(self.facts, self.region.slots, self.region.side)
        return more

    def _with_slots(self) -> None:
        """Begin anew with the values of the slots as further variables."""
        held = [
            variable
            for slot, start in zip(self.slots, self.starts)
            for variable in slot.variables(start)
        ]
        old, variables = self.before, list(zip(self.names, self.init))
        self.before = Side([*variables, *held])
        for container in old.expanded:
            self.before.expand(container)
        self.before.as_rows.update(old.as_rows)
        self.before.describe()
        self._start()

    def _hold_numbers(self) -> bool:
        """Whether the containers of the state hold numbers alone before the loop."""
        first = self.variables
        facts, leaves = self.before.variables[first:], self.before.leaves[first:]
        kinds = [kind for fact in facts for kind in fact.leaves]
        return all(
            isinstance(kind, ArrayType | ColumnOf)
            and (kind.element if isinstance(kind, ColumnOf) else kind).shape == ()
            and box is None
            for kind, box in zip(kinds, boxes_of(facts, leaves))
        )

    def _add_slots(self, container: Any, name: str, start: Contents, steady: Places) -> None:
        self.slots.append(Slots.of(container, name, start))
        self.starts.append(start)
        self.steady.add(start, steady)

    def _mismatch(self, position: int, text: str) -> LoopStateError:
        name, content = self.before.slots[position]
        after = self.region.slots[position] if position < len(self.region.slots) else None
        return LoopStateError(
            f"{called(name)} changes from one trip of the loop to the next: {text}",
            user_location(),
            others=(
                ("before the loop", site_of(content) or recorder().assignment(name)),
                ("in the loop", self.region.site(*after) if after else None),
            ),
            fix=f"give '{name}' its final shape and structure before the loop",
        )

    def changes_dtypes(self) -> bool:
        """Whether a number or array that a trip leaves had to be given another dtype, that of what
        the variable holds before the loop."""
        pairs = [
            (kind, found)
            for fact, variable in zip(self.facts, map(traced, self.after.variables))
            if fact.structure == variable.structure
            for kind, found in zip(fact.leaves, variable.leaves)
        ]
        kinds = ((k.type if isinstance(k, Promoted) else k, found) for k, found in pairs)
        return any(
            isinstance(found, ArrayType)
            and (kind.invariant() if isinstance(kind, ArrayType) else kind) != found.invariant()
            for kind, found in kinds
        )

    def _as_left(self, leaves: list[list[Any]]) -> list[list[Any]]:
        """The leaves after the loop, if it makes a trip: numbers that are of one type after each
        trip are plain numbers."""
        kinds = [
            variable.leaves if fact.structure == variable.structure else ()
            for fact, variable in zip(self.facts, self.after.variables)
        ]
        return [
            [
                GraphArray(leaf.value) if types_of(leaf) and _is(leaf, found[i : i + 1]) else leaf
                for i, leaf in enumerate(parts)
            ]
            for parts, found in zip(leaves, kinds)
        ]

    # -- the node ---------------------------------------------------------------------------------

    def finish(self) -> tuple:
        """Add the node; returns what the variables hold after the loop."""
        if self.test is not None and not isinstance(self.flag, Value):
            raise NotAGraphLoop("its test does not depend on a traced value")
        containers = self.steady.left(self.facts, self.before.variables)
        recorder().learnt.of(Foreseen).note(self.key, self.region.names, containers, self.arrays)
        cells = list(self.arrays.items())
        init = self.before.outputs(self.facts)
        init += [varied(array.value, type.varies) for array, type in cells]
        held = [type for fact in self.facts for type in fact.types] + [type for _, type in cells]
        types: list[Any] = [v.type.along(type.varies) for v, type in zip(init, held)]
        names = carrier_names(self.facts, list(self.arrays))
        body = self.region.finish(self.after, self.facts, cells)
        unread = self.sharing.note_unread(self.given, body)
        grown, start = self._grown(body), init
        checkpointed = recorder().transformed.checkpointed_loops
        if self.test is None and (checkpointed is None or isinstance(checkpointed, tuple)):
            body, init, types = grown.with_room(body, init, types)
        self.growing.refuse_short(grown.trips, body)
        if self.test is not None:
            with self.test_region.builder as builder:
                test = builder.finish([self.flag])
            op, inputs, graphs = regions.while_loop, init, [test, body]
        else:
            op, inputs, graphs = regions.for_loop, [self._count(), *init], [body]
        self._refuse_kept()
        sharing = self.sharing
        self.changed -= unread
        if self.changed:
            tested = [] if self.test is None else self.test_region.viewed
            sharing.require_one_name(
                self.changed, graphs, self.arrays, [*self.region.viewed, *tested]
            )
        sharing.require_unread(graphs, self.arrays)
        graphs = varied_captures(graphs, self.control)
        attrs = {} if checkpointed is None else {"checkpoint": checkpointed}
        results = current_builder().add(op, inputs, attrs, types, graphs, names)
        results = grown.with_lengths(results, start)
        count = None if self.test else self.items.count
        trips = self.makes_trip or (isinstance(count, int) and count != 0)
        ends = [self.after] if isinstance(count, int) and count != 0 else [self.before, self.after]
        marks = arrays_without_axes(self.facts, ends)
        rebuilt = self.write_back(
            self.facts,
            results,
            self.arrays,
            lambda leaves: sharing.after(
                mark_arrays(self._as_left(leaves) if trips else leaves, marks), count, self.changed
            ),
        )
        for leaves, ends in zip(rebuilt.leaves, self.after.leaves_for(self.facts)):
            for leaf, end in zip(leaves, ends):
                if isinstance(leaf, GraphArray) and isinstance(end, GraphArray) and end.is_kept:
                    leaf.keep()
        self._link(rebuilt)
        for side in (self.before, self.after):
            recorder().frozen.add_copies(side.containers, rebuilt.containers)
        return tuple(rebuilt.contents[: self.variables])

    def _refuse_kept(self) -> None:
        """Refuse to put an array into a list in one trip and to change it in the next."""
        ends = [leaf for parts in self.after.leaves for leaf in parts]
        kept = any(isinstance(end, GraphArray) and end.is_kept for end in ends)
        for slot in self.slots:
            recorder().frozen.refuse(slot.container)
        if (kept and self.changed) or any(array.is_kept for array in self.arrays):
            raise MutationError(
                "an array that the loop puts into a list is changed in place in the loop",
                user_location(),
                id="AG0320",
                fix="put a copy into the list: xs.append(x.copy())",
            )

    def _grown(self, body: Graph) -> GrownLists:
        leaves = self.before.leaves_for(self.facts)
        trips = None
        if self.items is not None:
            trips = self.items.count if self.items.length is None else self.items.length
        return GrownLists.of(body, self.facts, leaves, trips)

    def _count(self) -> Value:
        count = self.items.count
        return count.value if isinstance(count, GraphArray) else Constant(count)


def _is(leaf: GraphArray, kinds: Sequence[Any]) -> bool:
    """Whether an array is of one of some types."""
    found = (kind.invariant() for kind in kinds if isinstance(kind, ArrayType))
    return leaf.type.invariant() in found
