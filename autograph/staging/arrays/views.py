"""Views: arrays that share memory with another one.

NumPy's basic indexing and transposition always give views; reshaping does so or not, depending on
the memory layout, which a graph does not know. Such a result may be read and written freely until
one of the two arrays is written and the other one used: that is refused, since NumPy itself decides
it at run time. Of a new vector it is known: where what `reshape` gives of it is written, the vector
is a view of that from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import ops
from autograph.errors import Location, MutationError, OperandValueError
from autograph.graph.graph import Value
from autograph.staging.arrays.element_order import has_no_gaps
from autograph.staging.arrays.parts_of_views import update_of_base
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import FirstTripApart
from ops.core.operands import is_array
from ops.core.records import NamedTuple
from ops.core.registry import Op
from ops.core.subscripts import has_index_array

UNCERTAIN = "reshape and ravel give a view or a copy"


class Base(Protocol):
    """An array, as those that share memory with it see it."""

    @property
    def value(self) -> Value:
        """What it stands for now."""

    def write(self, value: Value) -> None:
        """It stands for another value from now on."""

    def forget(
        self,
        count: Value | None = None,
        why: str | None = None,
        once: bool = False,
        other: Base | None = None,
    ) -> None:
        """From now on nobody knows what it contains."""

    def keep(self) -> None:
        """Refuse changes to it from now on."""

    @property
    def is_part_of_kept(self) -> bool:
        """Whether it, or one that it may share memory with, is refused to be changed."""


class View(NamedTuple):
    """How one array is a part of another.

    Attributes:
        base: the array it is a part of.
        seen: the base's value that the view was last read from.
        read: the view's value from the base's.
        put: the base's value with the view's put in; None where NumPy may have made a copy.
        change: the base's value with the same elements changed as in the view's; None if it is not
            known which these are.
        is_whole: without ``put``: whether it is known to be the same elements in another shape.
    """

    base: Base
    seen: Value
    read: Callable[[Value], Value]
    put: Callable[[Value, Value], Value] | None
    change: Callable[[Value, Value], Value | None] = lambda whole, part: None
    is_whole: bool = False

    def is_stale(self) -> bool:
        return self.seen is not self.base.value

    def is_just_read(self) -> bool:
        """Whether the base, which is no view itself, is as it was when the view was read."""
        base: Any = self.base
        return base._view is None and base._value is self.seen

    def refreshed(self) -> tuple[Value, View]:
        """The view's value now that the base has changed."""
        self._require_certain()
        seen = self.base.value
        return self.read(seen), self._replace(seen=seen)

    def write_back(self, value: Value, array: Base) -> Value:
        """Write the view's new value through to the base; nobody may use a base that may have
        been changed with it.

        Args:
            array: the one that is the view.

        Returns:
            What the view stands for then: the same, where only some elements of the base were
            changed read from there.
        """
        if self.put is None:
            self.base.forget(why=UNCERTAIN, other=array if self.is_whole else None)
            return value
        whole = self.base.value
        changed = self.change(whole, value)
        self.base.write(self.put(whole, value) if changed is None else changed)
        return value if changed is None else self.read(self.base.value)

    def up_to_date(self) -> View | None:
        """The view after that; None if it is on its own now."""
        return None if self.put is None else self._replace(seen=self.base.value)

    def _require_certain(self) -> None:
        if self.put is None and not self.is_whole:
            raise _uncertain(UNCERTAIN)


class MaybeShared(NamedTuple):
    """An array that, depending on which way control flow went, is one of ``bases`` or a new one."""

    bases: tuple[tuple[Base, Value], ...]

    def is_stale(self) -> bool:
        return any(base.value is not seen for base, seen in self.bases)

    def refreshed(self) -> tuple:
        raise _uncertain("it depends on control flow whether they are the same array")

    def write_back(self, value: Value, array: Base) -> Value:
        """Any of the bases may have changed with it."""
        for base, _ in self.bases:
            base.forget()
        return value

    def up_to_date(self) -> None:
        """The array is on its own now: nobody can use the others."""
        return None


class UncertainArray(NamedTuple):
    """An array that a loop changed under the name of a variable that it also rebinds.

    Attributes:
        loop: where the loop is.
        count: the number of trips, if knowing it would tell what the array contains.
        why: if it was no loop: why it may share memory with the array that was changed.
        once: whether the loop changed the array in its first trips only.
        other: the array that was changed, if that is the same elements in another shape.
    """

    loop: Location | None
    count: Value | None  # type: ignore[assignment]  # it hides a method of tuples
    why: str | None = None
    once: bool = False
    other: Base | None = None

    def is_stale(self) -> bool:
        return True

    def refreshed(self) -> tuple:
        raise self._error()

    def write_back(self, value: Value, array: Base) -> Value:
        raise self._error()

    def _error(self) -> MutationError:
        if self.count is not None:
            recorder().inputs.demand(self.count)
        if self.why is not None:
            return _uncertain(self.why, self.loop)
        if self.once and self.loop is not None and recorder().apart.may_grow(self.loop):
            raise FirstTripApart(self.loop)
        return MutationError(
            "an array is used, or has to be given back as an argument, that may have been changed "
            "in place under another name, depending on control flow",
            user_location() or self.loop,
            others=(("changed there", self.loop),),
            id="AG0325",
            fix="make a copy before it is changed: x = x.copy()",
        )


def _uncertain(why: str, changed: Location | None = None) -> MutationError:
    return MutationError(
        f"an array is used that may share memory with one that was changed in place: {why}",
        user_location() or changed,
        others=(("changed there", changed),) if changed else (),
        id="AG0324",
        fix="make a copy before changing it: x = x.copy()",
    )


def require_own(written: Iterable[Any]) -> None:
    """Refuse arrays that one branch changed, and that are views now of what another changed."""
    for array in written:
        if isinstance(array._view, View):
            raise _uncertain("one branch changes an array, another one what reshape gave of it")


def _read_only() -> OperandValueError:
    return OperandValueError(
        "assignment destination is read-only: NumPy gives a view here that cannot be written to",
        user_location(),
        fix="make a copy before changing it: x = x.copy()",
    )


def view_of(
    op: Op, args: Sequence[Any], values: Sequence[Value], attrs: dict[str, Any], result: Value
) -> View | None:
    """The view of its first operand that applying ``op`` gave; None for a copy.

    A single element is a copy, but not if the subscript has an Ellipsis: that is an array of no
    axes. So is what other operators give of an array.
    """
    base = args[0]
    if not hasattr(base, "write"):
        return None
    if not result.type.shape:
        of_array = base.ndim or base.is_array
        if not of_array or (op is ops.getitem and ("ellipsis",) not in attrs["index"]):
            return None
    rest, shape = values[1:], values[0].type.shape

    def read(value: Value) -> Value:
        return op.apply((_in_shape(value, shape), *rest), attrs)

    put = op.put
    if op is ops.getitem:
        index = [args[1 + entry[1]] for entry in attrs["index"] if entry[0] == "arg"]
        if has_index_array([v.type for v in rest], attrs["index"]) or any(map(is_array, index)):
            return None  # by arrays, also those of no axes
    is_whole = False
    if op is ops.reshape and not _only_ones_differ(values[0].type.shape, attrs["shape"]):
        put = None
        is_whole = has_no_gaps(base)

    def write(whole: Value, part: Value) -> Value:
        assert put is not None
        written = put(_in_shape(whole, shape), part, *rest, **attrs)
        if written is None:
            raise _read_only()
        return _in_shape(written, whole.type.shape)

    def change(whole: Value, part: Value) -> Value | None:
        return update_of_base(op, whole, part, rest, attrs)

    return View(base, values[0], read, None if put is None else write, change, is_whole)


def reshaped_view(base: Base, value: Value) -> View:
    """How an array that has this value now is the elements of another one in another shape."""
    shape = (-1,) if value.type.ndim == 1 else ops.lengths_of(value)

    def read(whole: Value) -> Value:
        return ops.reshape(whole, shape)

    def put(whole: Value, part: Value) -> Value:
        return ops.reshape(part, ops.lengths_of(whole))

    return View(base, value, read, put)


def _in_shape(whole: Value, shape: tuple[int | None, ...]) -> Value:
    """The value of a base in the shape it had when it was viewed: one may be assigned since."""
    if whole.type.shape == shape or None in shape or None in whole.type.shape:
        return whole
    return ops.reshape(whole, shape)


def gives_new_object(op: Op, base: Any, result: Value) -> bool:
    """Whether what an operator that may give views gives is never the operand itself."""
    if op is ops.reshape:
        return result.type.shape != base.type.shape
    return op in (ops.getitem, ops.transpose)


def gives_array(op: Op, view: View | None, attrs: dict[str, Any]) -> bool:
    """Whether a result without axes, of an operator that may give views, is an array."""
    return view is not None or (op is ops.getitem and ("ellipsis",) in attrs["index"])


def _only_ones_differ(before: tuple[int | None, ...], after: tuple[int | None, ...]) -> bool:
    """A reshape that only adds or drops axes of length one is a view whatever the layout."""
    if before.count(None) > 1:
        return False
    return [n for n in before if n != 1] == [n for n in after if n != 1]
