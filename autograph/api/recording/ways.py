"""The ways in which a function is recorded, and which of them what a recording raises asks for.

A recording may find that the value of an argument is needed, that the program has to handle
exceptions, or that the first trip of a loop has to stand apart; or something is refused that might
not be if deques were lists, or loops ran as Python does. Each of that is a line of `WAYS`. They are
asked one after the other: the first one that has something left to turn on has the function
recorded again. Of containers there are several forms, which are also tried together: see `FORMS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.errors import (
    AutographError,
    CompilerError,
    ConcreteValueError,
    Location,
    RecursionDepthError,
    UnrollLimitError,
    VerificationError,
)
from autograph.log import log
from autograph.staging.ground.effort import Effort
from autograph.staging.ground.errors import ENDLESS, OPERANDS_DO_NOT_FIT
from autograph.staging.ground.learnt import Learnt
from autograph.staging.ground.queues import OF_TEXTS
from autograph.staging.ground.restarts import (
    Need,
    NeedsDeques,
    NeedsNumberTypes,
    NeedsObjects,
    SpecializeArguments,
)
from ops.control.constructs import Refusal
from ops.core.records import NamedTuple
from ops.core.types import ArrayType

# What says that a recording has become too long, which it would be with more values known as well.
_AT_A_LIMIT = (UnrollLimitError, RecursionDepthError, VerificationError)

_MOST_RECORDINGS = 300  # of one call, of which programs need few

# How often one element of a list is needed at a place before others are taken to be, too.
_TIMES_ALONE = 2


def _owner(name: str) -> tuple[str, bool]:
    """The argument that a leaf belongs to, by its name, and whether it is an element of that."""
    owner = re.sub(r"(_\d+)+$", "", name)
    return owner, owner != name


class RecordedArguments(NamedTuple):
    """What a function is recorded for.

    Attributes:
        names, leaves: of the arguments.
        specs: the positions of leaves that only stand for arrays.
    """

    names: Sequence[str]
    leaves: Sequence[Any]
    specs: Collection[int]


class Needs:
    """What recordings of a function have found to be needed so far.

    Attributes:
        arguments: see there.
        integers: the positions of the integers whose values the last recording did not know.
        fixed: the positions of leaves whose values are, with the reason.
        ever_fixed: those of leaves whose values were in some recording.
        effort: of the next recording.
        places: how often elements of an argument were needed at a place.
        learnt: what all of them have found out.
        earlier: see `autograph.staging.trace.trace`.
        refusal: what is raised if a program that handles exceptions is refused as well.
        tried: what was tried of `FORMS`: for each how many things were in it, 0 where it was not
            turned on.
        fixed_plainly, fixed_in_pools: `fixed` when containers as they are were refused, and when
            lists of lists were last in pools, for which other values are needed.
        plainly_refused: what is raised if no form of theirs helps,
        refused_last: but for this, of a later line, which lists of lists in pools came to.
        was_hurried: whether that was recorded in a hurry; see `Effort.hurry_loop`.
        refused: the first refusal after which more values are known than anything asked for.
        known_before: the positions of leaves whose values were for earlier calls.
        relaxed: whether these are not known any more.
        asking: what a recording raises that asks for another one, whatever has been found before.
    """

    asking = (AutographError, Need)

    def __init__(
        self,
        arguments: RecordedArguments,
        fixed: dict[int, str],
        known_before: Collection[int],
        effort: Effort,
    ):
        self.arguments = arguments
        self.integers: Sequence[int] = ()
        self.fixed = fixed
        self.ever_fixed = set(fixed)
        self.fixed_plainly = dict(fixed)
        self.fixed_in_pools = dict(fixed)
        self.known_before = known_before
        self.relaxed = False
        self.effort = effort
        self.learnt = Learnt()
        self.tried: list[tuple[int, ...]] = []
        self.plainly_refused: AutographError | None = None
        self.refused_last: AutographError | None = None
        self.was_hurried = False
        self.places: dict[tuple[Location | None, str], int] = {}
        self.earlier: Sequence[Any] | None = None
        self.refusal: Any = None
        self.refused: AutographError | None = None
        self._times = 0

    def another_way(self, raised: BaseException) -> str:
        """Turn on what a recording asks for: the reason for another one.

        Args:
            raised: by the last one.

        Raises:
            AutographError: the first refusal, if there is nothing more to try.
        """
        self._times += 1
        if self._times > _MOST_RECORDINGS:
            refused = self.refused_last or self.plainly_refused or self.refused
            raise refused or CompilerError(
                "each recording finds something else that the next one has to know",
                getattr(raised, "location", None),
                fix="report the program that led to it",
            ) from raised
        numbers = self.learnt.queues.numbers
        if numbers.is_outgrown:  # which something else may have come of
            raised, numbers.is_outgrown = NeedsNumberTypes(numbers.location), False
        for way in WAYS:
            if isinstance(raised, way.asked_by):
                answer = way.turn_on(self, raised)
                if isinstance(answer, str):
                    return answer
                raised = raised if answer is None else answer
        raise raised

    def asks(self, error: Exception) -> bool:
        """Whether an exception, which may be the user's, asks for another recording: of what stands
        for a list in a pool, which may not do all that lists do, or of a generator."""
        in_pools = self.learnt.nested.in_pools and isinstance(error, (TypeError, AttributeError))
        return in_pools or self.learnt.stepped.may_help(error)

    def open_integers(self, types: Sequence[ArrayType | None]) -> list[int]:
        """The positions of the integers whose values a recording does not know.

        Args:
            types: of the leaves; None of those that are known.
        """
        specs = self.arguments.specs
        return [
            i
            for i, (leaf, type) in enumerate(zip(self.arguments.leaves, types, strict=True))
            if type is not None and i not in specs and isinstance(leaf, int | np.integer)
        ]

    def needed_likewise(self, wanted: Sequence[int], place: Location | None) -> list[int]:
        """The positions of more leaves that will probably be needed at the same place, each of
        which would have to be found by another recording.

        A program that goes through a list needs one element after the other. So where elements of
        one were needed at a place, the next ones are, too: twice as many each time.
        """
        names, leaves, specs = self.arguments
        last = wanted[-1]
        owner, is_element = _owner(names[last])
        if not is_element or len(wanted) > 1:
            return []
        times = self.places[place, owner] = self.places.get((place, owner), 0) + 1
        found: list[int] = []
        for position in range(last + 1, len(names)):
            if len(found) == (1 << times - 1) - 1 or _owner(names[position])[0] != owner:
                break
            if position in self.fixed or position in specs:
                continue
            if not isinstance(leaves[position], int | np.integer):
                break
            found.append(position)
        return found if times > _TIMES_ALONE else []

    def says_the_same(self, error: Exception) -> bool:
        """Whether the first refusal is what Python raises, with more known, in the same words."""
        refused = self.refused
        if refused is None or not isinstance(refused, type(error)):
            return False
        return refused.message == str(error)

    def same_objects(self, unsure: Sequence[Any]) -> str:
        """Only another recording tells which objects are the same in each."""
        self.earlier = unsure
        self.begin_anew()
        return "that tells which of the objects that it returns it makes"

    def begin_anew(self) -> None:
        """The next recording may take as much effort as the first."""
        self.effort = self.effort.anew()

    def fix(self, fixed: dict[int, str]) -> None:
        """Only these values are known, as nobody has asked for others yet."""
        self.fixed.clear()
        self.fixed.update(fixed)


# -- forms of containers ---------------------------------------------------------------------------


class ContainerForm(NamedTuple):
    """Another form in which containers are recorded.

    Attributes:
        said: what is tried, for the log.
        met: of how many things the last recording knows that may have it.
        put: has the next recording take it, or not.
        starts_over: whether values that are known for other forms need not be for it.
    """

    said: str
    met: Callable[[Needs], int]
    put: Callable[[Needs, bool], None]
    starts_over: bool = False


def _met_queues(needs: Needs) -> int:
    queues = needs.learnt.queues
    of_texts = queues.met_texts and queues.texts_chosen
    return queues.met + queues.met_given + of_texts


def _met_lists(needs: Needs) -> int:
    nested = needs.learnt.nested
    return nested.known if nested.is_pooled else 0


def _put_lists(needs: Needs, on: bool) -> None:
    needs.learnt.queues.as_lists = on
    needs.learnt.queues.tried |= on


def _put_pools(needs: Needs, on: bool) -> None:
    needs.learnt.nested.in_pools = on


# Of two the first is tried, then both, then the second; of more each combination, in an order in
# which one after the other differs in one of them. With forms that let a recording come further
# than it did without, those are tried first that have them, too.
FORMS = (
    ContainerForm("deques, dicts and sets be lists", _met_queues, _put_lists),
    ContainerForm("lists of lists be in pools", _met_lists, _put_pools, True),
)


def _combinations() -> Iterator[tuple[bool, ...]]:
    """Which of the forms are turned on, one combination after the other, by a reflected Gray code:
    bit k of the n-th is that of n xor n / 2."""
    for number in range(1, 1 << len(FORMS)):
        code = number ^ number >> 1
        yield tuple(bool(code >> k & 1) for k in range(len(FORMS)))


def _containers(needs: Needs, error: Any) -> str | AutographError | None:
    """Deques may have to be lists, lists of lists in pools, or both. Where nothing is left to try
    everything is as it is, and the error one that tells most."""
    if isinstance(error, CompilerError) and not (needs.tried or needs.learnt.nested.known):
        return None
    why = _next_form(needs, error)
    if why:
        return why
    queues = needs.learnt.queues
    error = needs.refused_last or needs.plainly_refused or error
    of_keys = queues.of_keys
    if of_keys is not None and (error.id == "AG0304" or _is_later(of_keys, error)):
        return of_keys
    return queues.told(error)


def _next_form(needs: Needs, error: AutographError) -> str:
    """Take other forms: the reason for another recording; none if nothing is left to try."""
    queues, nested = needs.learnt.queues, needs.learnt.nested
    queues.texts_chosen |= error.id in OF_TEXTS
    first, turned_on = needs.plainly_refused, queues.as_lists or nested.in_pools
    if queues.as_lists:
        queues.refuse(error)
    if first is not None and not turned_on:
        return ""  # none of them has helped
    if first is None:
        first = needs.plainly_refused = error
        needs.fixed_plainly, needs.was_hurried = dict(needs.fixed), needs.effort.was_hurried
    # That keys are no integers is why tables do not help, not how far the recording came.
    if turned_on and error.id != "AG0304" and _is_later(error, first):
        needs.refused_last = error
    if turned_on and nested.in_pools:
        needs.fixed_in_pools = dict(needs.fixed)
    now = queues.as_lists, nested.in_pools
    helps = turned_on and _is_later(error, first)  # what is tried next has these forms, too
    for chosen in sorted(_combinations(), key=lambda forms: helps and not _has_all(forms, now)):
        pairs = list(zip(FORMS, chosen))
        met = tuple(int(form.met(needs)) * on for form, on in pairs)
        if met in needs.tried or any(on > bool(count) for on, count in zip(chosen, met)):
            continue
        needs.tried.append(met)
        for form, on in pairs:
            form.put(needs, on)
        starts_over = any(on and form.starts_over for form, on in pairs)
        needs.fix(needs.fixed_in_pools if starts_over else needs.fixed_plainly)
        needs.begin_anew()
        said = " and ".join(form.said for form, on in pairs if on)
        return f"it may be that {said}: {first.location} is refused otherwise"
    for form in FORMS:
        form.put(needs, False)
    needs.fix(needs.fixed_plainly)
    if needs.was_hurried:
        needs.plainly_refused, needs.refused_last, needs.was_hurried = None, None, False
        needs.effort = needs.effort.in_no_hurry()
        return f"lists of lists can't be in pools: {error.location} is refused, too"
    if not queues.waived:
        return ""
    queues.waived, needs.plainly_refused, needs.refused_last = False, None, None
    needs.begin_anew()
    return f"deques, dicts and sets can't be lists: {error.location}: {error.message}"


def _has_all(forms: Iterable[bool], others: Iterable[bool]) -> bool:
    """Whether all of the forms are turned on that are in others."""
    return all(one or not other for one, other in zip(forms, others))


def _is_later(error: AutographError, other: AutographError) -> bool:
    """Whether an error is of a line after that of another one, in the same file."""
    here, there = error.location, other.location
    return bool(here and there and here.file == there.file and here.line > there.line)


# -- what is asked for -----------------------------------------------------------------------------


def _needed(needs: Needs, need: Any) -> str | None:
    """What a recording says itself that the next one needs."""
    needs.refusal = need.refusal or needs.refusal
    return need.learn(needs.learnt)


def _remembered(needs: Needs, error: Any) -> str | None:
    """What a function remembers may be none of what a dict of the run holds."""
    queues = needs.learnt.queues
    if not (queues.remembers and queues.remembered):
        return None
    queues.remembers = False
    needs.begin_anew()
    return f"functions may have to be called again each time: {_told(error)}"


def _number_types(needs: Needs, needed: Any) -> None:
    needs.begin_anew()


def _steps(needs: Needs, raised: Any) -> str | BaseException:
    """Generators may have to go step by step. If that did not help, they are Python's again, and
    what is to be mended is what was raised before."""
    stepped, is_left = needs.learnt.stepped, getattr(raised, "id", None) == "AG0342"
    is_ours = isinstance(raised, (AutographError, SpecializeArguments))
    if not is_ours and not stepped.may_help(raised):
        return raised
    more = stepped.by_steps and is_left and not stepped.resumed
    if more or (stepped.met and stepped.cause is None):
        stepped.by_steps, stepped.resumed = True, is_left
        stepped.cause = stepped.cause or raised
        needs.begin_anew()
        why = getattr(raised, "message", "it has to be known how far one goes")
        place = getattr(raised, "location", "")
        return f"generators may have to go step by step: {place}: {why}"
    before = stepped.cause
    if not stepped.by_steps or before is None:
        return raised
    if isinstance(raised, SpecializeArguments) and not isinstance(before, SpecializeArguments):
        return raised  # it may help with these
    stepped.by_steps = False
    log.debug("generators that go step by step do not help: %s", raised)
    if isinstance(before, SpecializeArguments):
        stepped.cause = None  # it may still help with those
        return before
    return raised if getattr(raised, "id", None) == "AG0585" else before


def _values(needs: Needs, needed: Any) -> str:
    names, leaves, specs = needs.arguments
    wanted = sorted(needed.positions)
    for position in wanted:
        if position in specs:
            raise ConcreteValueError(
                f"the value of '{names[position]}' is needed, but only its shape and dtype are "
                "given",
                needed.location,
                id="AG0611",
                fix="pass the value itself",
            )
    wanted += needs.needed_likewise(wanted, needed.location)
    needs.fixed.update(dict.fromkeys(wanted, f"its value is needed at {needed.location}"))
    listed = ", ".join(f"'{names[i]}' ({leaves[i]})" for i in wanted)
    return f"the value of {listed} is needed at {needed.location}: it becomes static"


def _refused_by_handlers(needs: Needs, error: Any) -> AutographError | None:
    """A program that handles exceptions is refused: what is told is why it was to."""
    return needs.refusal if isinstance(error, CompilerError) else None


def _refused_in_form(needs: Needs, raised: Any) -> AutographError | None:
    """Containers can't have the forms that they have now: what is to be mended is why they do."""
    if isinstance(raised, AutographError) or needs.plainly_refused is None:
        return None
    assert needs.plainly_refused is not None  # or they would have none
    return needs.plainly_refused


def _nothing_more(needs: Needs, error: Any) -> None:
    """Not where values that were known are not any more."""
    if needs.relaxed:
        raise error


def _more_known(needs: Needs, error: Any) -> AutographError:
    """What is refused may be fine if more is known while recording; if not, it is the first one
    that counts."""
    refused = needs.refused = needs.refused or error
    is_endless = error.id == ENDLESS and needs.integers  # which may end it where they are known
    at_a_limit = isinstance(error, _AT_A_LIMIT) and not is_endless
    if not isinstance(error, (Refusal, *OPERANDS_DO_NOT_FIT)) or at_a_limit:
        raise refused
    return refused


def _texts(needs: Needs, refused: Any) -> str | None:
    """Which text is at a place may have to be known."""
    if not needs.learnt.known_loops.texts_chosen:
        return None
    needs.learnt.known_loops.texts_chosen = False
    needs.plainly_refused, needs.refused_last = None, None
    needs.tried.clear()
    needs.begin_anew()
    return f"texts at places may have to be known: {_told(refused)}"


def _integers(needs: Needs, refused: Any) -> str | None:
    """Integers may have to be known, by which Python programs choose what they do."""
    if not needs.integers:
        return None
    told = _told(refused)
    needs.fixed.update(dict.fromkeys(needs.integers, told))
    listed = ", ".join(f"'{needs.arguments.names[i]}'" for i in needs.integers)
    return f"{listed} may have to be static: {told}"


def _loops(needs: Needs, refused: Any) -> str | None:
    """What loops do trip by trip may have to be known."""
    if not needs.learnt.known_loops.met or needs.learnt.known_loops.refusal is not None:
        return None
    needs.learnt.known_loops.refusal = refused
    return f"loops whose trips are known may have to run as Python: {_told(refused)}"


def _less_known(needs: Needs, refused: Any) -> str | None:
    """What was known for earlier calls may not have to be: what is refused may stand in a branch
    that is not taken, where Python would not come."""
    if not needs.known_before:
        return None
    needs.relaxed, needs.learnt.known_loops.refusal = True, None
    for position in needs.known_before:
        needs.fixed.pop(position, None)
    return f"what was static may not have to be: {_told(refused)}"


def _told(refused: AutographError) -> str:
    return f"{refused.location} is refused otherwise: {refused.message}"


class RecordingWay(NamedTuple):
    """A way to record a function, or what is to be mended by those after it.

    Attributes:
        name: what it is.
        asked_by: what has to be raised.
        turn_on: given what was raised: has the next recording take that way, and gives the reason
            for it; or what the ways after it are to see as raised; None for the same. It raises
            what nothing helps with.
    """

    name: str
    asked_by: tuple[type[BaseException], ...]
    turn_on: Callable[[Needs, Any], str | BaseException | None]


_ERRORS = (AutographError,)
_STEPS = (AutographError, SpecializeArguments, TypeError)
_FORM = (NeedsDeques, TypeError, AttributeError)

# What is needed for sure, or ways that are gone back from.
ASKED = (
    RecordingWay("numbers of several types", (NeedsNumberTypes, NeedsObjects), _number_types),
    RecordingWay("what a recording needs", (Need,), _needed),
    RecordingWay("generators step by step", _STEPS, _steps),
    RecordingWay("values that are known", (SpecializeArguments,), _values),
    RecordingWay("why exceptions are handled", _ERRORS, _refused_by_handlers),
    RecordingWay("why containers have another form", _FORM, _refused_in_form),
)
# What may help with something that is refused.
OTHERWISE = (
    RecordingWay("nothing, with less known", _ERRORS, _nothing_more),
    RecordingWay("results that are not remembered", _ERRORS, _remembered),
    RecordingWay("other forms of containers", _ERRORS, _containers),
    RecordingWay("texts that are known", _ERRORS, _texts),
    RecordingWay("what is refused", _ERRORS, _more_known),
    RecordingWay("integers that are known", _ERRORS, _integers),
    RecordingWay("loops as Python runs them", _ERRORS, _loops),
    RecordingWay("fewer values that are known", _ERRORS, _less_known),
)
WAYS = (*ASKED, *OTHERWISE)
