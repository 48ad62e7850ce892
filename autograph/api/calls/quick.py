"""Calls that are like earlier ones, without the look-up.

A call of a compiled function flattens its arguments and looks up what was compiled for their types
and structure. That takes some microseconds, longer than many functions run. What was compiled last
has a *record* besides, which is tried first, in machine code: a pattern tells whether the arguments
are alike and what is outside is as it was, and gives the leaves to the program. See
`autograph.kernels.native.quick_calls`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic

from autograph.api.calls.sharing import Unlike, unlike_refused
from autograph.api.calls.tracebacks import leaves_compiler, shorten
from autograph.api.type_parameters import P, R
from autograph.kernels.native import python_api
from autograph.kernels.native.matching import (
    ABSENT,
    NONE_PACKED,
    Inside,
    ObjectParts,
    OpenLengths,
)
from autograph.kernels.native.quick_calls import Record, install, is_installed, record
from autograph.source.tree.free import MISSING
from autograph.staging.border.constancy import same_class, shared_parts, stays
from autograph.staging.border.finishing import LikeCall, finisher
from autograph.staging.border.guards import ContentsGuard, RawGuard
from autograph.staging.border.retracing import Binding, Guard
from autograph.staging.border.signature import CallParts, call_containers
from autograph.staging.containers.containers import attributes
from autograph.staging.ground.fixed import parted, static_fields
from autograph.staging.ground.ownership import Recorded, is_user_object, slots_of
from autograph.staging.ground.sparse_kinds import is_sparse
from autograph.staging.trace import Traced
from ops.core.records import NamedTuple

# How many records a function tries.
_TRIED = 3


class QuickCaller(Generic[P, R]):
    """What users call: tries records, then `_look_up`.

    Attributes:
        _records: what is tried, in order. Machine code reads it, once there is some.
    """

    __slots__ = ("_records",)
    _records: tuple[Record, ...]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return self._look_up(args, kwargs)
        except BaseException as error:
            shorten(error)
            raise

    def _look_up(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call that is like no record, or that may not be quick."""
        raise NotImplementedError

    def _try_first(self, new: Record | None) -> None:
        """Try a record before others, from the next call on."""
        if new is not None:
            install(QuickCaller, _look_up)
            others = [other for other in getattr(self, "_records", ()) if other is not new]
            self._records = (new, *others[: _TRIED - 1])

    def _tried(self) -> Sequence[Record]:
        """The records that a call was tried by that is looked up."""
        return getattr(self, "_records", ()) if is_installed(QuickCaller) else ()

    def _forget(self) -> None:
        """Try no records."""
        self._records = ()


def _look_up(caller: QuickCaller, args: tuple, kwargs: dict[str, Any]) -> Any:
    """What machine code calls in place of `QuickCaller.__call__`."""
    try:
        return caller._look_up(args, kwargs)
    except BaseException as error:
        shorten(error)
        raise


def _held(binding: Binding) -> tuple[Any, str, Any]:
    place, name, value = binding
    return place, name, ABSENT if value is MISSING else value


def _parts_of(value: Any) -> ObjectParts | None:
    """What the look-up takes an object apart into; None if that is more than a dict."""
    kind = type(value)
    if not is_user_object(value) or isinstance(value, (Recorded, list, dict, set)):
        return None
    if is_sparse(value):
        return None
    names = slots_of(kind)
    if not names:
        if not kind.__dictoffset__:
            return None
        constants, _ = parted(kind, vars(value).items())
        return ObjectParts(vars(value), dict(constants))
    held = dict(attributes(value))
    offsets = python_api.slot_offsets(kind, names)
    if offsets is None or static_fields(kind) or not held.keys() >= offsets.keys():
        return None
    slots = {offset: held.pop(name) for name, offset in offsets.items()}
    return ObjectParts(held, (), slots, bool(kind.__dictoffset__))


class CompiledCall(NamedTuple):
    """A call that a program was made for, which others like it are to be quick by.

    Attributes:
        call: the call.
        leaves: of the call.
        positions: of those that the program takes.
        traced: what the program was made of.
        translated: what the user shall see of an exception.
        again: whether the look-up shall have a call instead of the user seeing that.
        bound: how variables are bound besides: the cells or dicts that hold them, their names, and
            the objects.
    """

    call: CallParts
    leaves: Sequence[Any]
    positions: Sequence[int]
    traced: Traced
    translated: Callable[[Exception], BaseException]
    again: Callable[[BaseException], bool]
    bound: Sequence[tuple[Any, str, Any]]


def quick_call(
    made: CompiledCall,
    *,
    function: Callable[[], Callable[..., Any]],
    single: bool,
    passed: Mapping[int, int],
    lengths: OpenLengths | None,
    apart: Collection[int],
) -> Record | None:
    """The record of a call that does no more than to run a program on the host, and to change what
    the function changes.

    Args:
        function: gives the function that runs it, of these leaves; of a packed list itself.
        single: whether it has one output.
        passed: the outputs that are inputs, with the positions of these leaves.
        lengths: those that may be others.
        apart: the identities of containers that may not be among those of the arguments.

    Returns:
        None if only the look-up can tell whether another call is alike, or if more has to be done
        than to run the program and put its results together.
    """
    call, leaves, positions, traced = made[:4]
    delivery = traced.delivery
    args, kwargs, roots_, unread, _, packing, _ = call
    if traced.bets:
        return None
    roots = tuple(roots_.values())
    containers = call_containers(call) if unread or packing is not None else ()
    changes = bool(traced.changed) or not delivery.stands_alone

    def finish() -> Callable[..., Any] | None:
        if changes:
            nested = (roots, args, kwargs) if roots else (args, kwargs)
            given = LikeCall(nested, kwargs, leaves, positions, unread, packing)
            last = finisher(delivery, traced.changed, given, passed, single)
            return _of_others(last, 1 + len(positions), apart) if apart else last
        return None if single and delivery.is_plain else delivery.assembler(single)

    packed = {} if packing is None else packing.counts(containers)
    if changes and any(count > 1 for count in packed.values()):
        return None  # what finishes such a call is told each leaf
    return record_of(
        made,
        function=lambda: unlike_refused(function(), traced, positions),
        finish=finish,
        whole=changes,
        lengths=lengths,
        unread={id(containers[number]) for number in unread if number < len(containers)},
        packed=packed,
    )


def record_of(
    made: CompiledCall,
    *,
    function: Callable[[], Callable[..., Any]],
    finish: Callable[[], Callable[..., Any] | None],
    whole: bool,
    lengths: OpenLengths | None,
    unread: Collection[int] = (),
    packed: Mapping[int, int] = NONE_PACKED,
    objects: Collection[int] = (),
    classes: Iterable[type] = (),
) -> Record | None:
    """The record of a call that does what a function does, and what finishes it.

    Args:
        lengths: those that may be others.
        function, finish, whole, unread, packed, objects: see
            `autograph.kernels.native.quick_calls.record`.
        classes: what else has to be as it was: what their instances share.
    """
    translated, again = made.translated, made.again  # not the call, whose arguments may be large

    @leaves_compiler
    def failed(error: BaseException) -> None:
        if isinstance(error, Unlike):
            return
        if not isinstance(error, Exception):
            raise error
        seen = translated(error)
        if not again(seen):
            raise seen

    held, conditions, others = _conditions(made.traced.guards)
    kinds = dict.fromkeys(classes)

    def parts_of(value: Any) -> ObjectParts | None:
        parts = _parts_of(value)
        if parts is not None:
            kinds[type(value)] = None
        return parts

    told: dict[type, int] = {}

    def inside() -> Iterator[Inside]:
        """What objects from outside hold, and what all those share that have been gone through."""
        yield from conditions
        for kind in iter(lambda: next((k for k in kinds if k not in told), None), None):
            parts, version = shared_parts(kind), python_api.class_version(kind)
            told[kind] = version if parts is not None and version is not None else 0
            if told[kind] and parts:
                yield Inside(parts, same_class(kind))

    def guards() -> Iterator[Callable[[], bool]]:
        """What else has to hold; asked for after that."""
        yield from others
        yield from (same_class(kind) for kind, version in told.items() if not version)

    call = made.call
    return record(
        (call.args, call.kwargs),
        made.leaves,
        made.positions,
        outside=[*made.bound, *held],
        guards=guards(),
        parts_of=parts_of,
        roots=tuple(call.roots.values()),
        stays=stays,
        inside=inside(),
        versions=lambda: [(kind, version) for kind, version in told.items() if version],
        function=function,
        finish=finish,
        whole=whole,
        failed=failed,
        lengths=lengths,
        unread=unread,
        packed=packed,
        objects=objects,
    )


def _of_others(
    finish: Callable[..., Any], first: int, apart: Collection[int]
) -> Callable[..., Any]:
    """What finishes a call none of whose containers, from an operand on, is one of some."""

    def checked(*given: Any) -> Any:
        if any(id(container) in apart for container in given[first:]):
            raise Unlike
        return finish(*given)

    return checked


def _conditions(
    guards: Iterable[Guard],
) -> tuple[list[tuple[Any, str, Any]], list[Inside], list[Guard]]:
    """What has to hold outside: how variables are bound, and versions of classes; what objects
    hold; and other things."""
    held: list[tuple[Any, str, Any]] = []
    inside: list[Inside] = []
    others: list[Guard] = []
    for guard in guards:
        version = None if guard.owner is None else python_api.class_version(guard.owner)
        if guard.binding is not None:
            held.append(_held(guard.binding))
        elif version is not None:
            held.append((guard.owner, "", version))
        elif isinstance(guard, ContentsGuard) and guard.lookup is not None:
            held.append((guard.lookup.place, guard.lookup.name, guard.value))
            inside.append(Inside(guard.parts, guard))
        elif isinstance(guard, ContentsGuard) and guard.is_fixed:
            inside.append(Inside(guard.parts, guard))
        elif isinstance(guard, RawGuard) and guard.lookup is not None:
            held.append((guard.lookup.place, guard.lookup.name, guard.value))
            inside.append(Inside([guard.value], guard, True))
        elif isinstance(guard, RawGuard) and guard.found_in is not None:
            found = python_api.class_version(guard.found_in)
            if found is None:
                others.append(guard)
                continue
            held.append((guard.found_in, "", found))
            inside.append(Inside([guard.value], guard, True))
        else:
            others.append(guard)
    return held, inside, others
