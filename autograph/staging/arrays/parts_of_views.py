"""Elements and rows that are written to a view, as elements and rows of the array that it is of.

``velocity = state[:, 3:]`` and ``velocity[i, k] = v`` write one element of ``state``, that at
``[i, 3 + k]``. As an update of the view that is put back into the array it would be all of both in
each trip of a loop. Where it is not known that ``k`` is inside of the view it stays that: NumPy's
error names the axis of the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ops
from autograph.graph.builder import current_builder
from autograph.graph.graph import Value
from autograph.staging.ground.polynomial import bounds
from autograph.staging.ground.recorder import recorder
from ops.core.registry import Op
from ops.core.subscripts import Bound
from ops.core.symbolic_lengths import bounds_of

_ALL = ("slice", None, None, None)


def update_of_base(
    op: Op, whole: Value, part: Value, rest: Sequence[Value], attrs: dict[str, Any]
) -> Value | None:
    """The new value of an array, a part of which was read, changed in some places, and is put back.

    Args:
        op: what reads the part: ``part = op(whole, *rest, **attrs)`` at first.

    Returns:
        None if that is not what became of the part, or nothing simpler is known.
    """
    node, recording = part.producer, recorder()
    if node is None or node.op is not ops.index_update or recording.attempt is not None:
        return None
    view, value, *places = node.inputs
    read = view.producer
    if read is None or read.op is not op or len(read.inputs) != 1 + len(rest):
        return None
    if any(x is not y for x, y in zip(read.inputs, (whole, *rest))):
        return None
    inner = _Places(node.attrs["index"], places)
    if not inner.are_plain():
        return None
    composed = _Composed(whole, view)
    if op is ops.getitem:
        found = composed.of_subscript(attrs["index"], rest, inner)
    elif op is ops.transpose:
        found = composed.of_transpose(attrs["axes"], inner)
    else:
        found = None
    if found is None or (composed.may_be_outside and not inner.is_element_of(view)):
        return None
    if composed.may_be_outside:
        recording.apply(ops.getitem, (view, *places), node.attrs)
    operands = (whole, value, *found.operands)
    changed = recording.apply(ops.index_update, operands, {"index": tuple(found.spec)})
    builder = current_builder()
    if node.required and any(x is node for x in reversed(builder.nodes)):
        builder.exchange(node, required=False)  # what is changed instead raises the same
    return changed


class _Places:
    """A subscript: the entries of its spec, and the operands that these name by their numbers."""

    def __init__(self, spec: Sequence[tuple], operands: Sequence[Value]):
        self.spec: list[tuple[Any, ...]] = list(spec)
        self.operands = list(operands)

    def are_plain(self) -> bool:
        """Whether there are only integers, and slices whose bounds are known."""
        return all(
            entry[0] == "int"
            or (entry[0] == "slice" and not any(isinstance(b, Bound) for b in entry[1:]))
            or self.integer(entry) is not None
            for entry in self.spec
        )

    def integer(self, entry: tuple[Any, ...]) -> Value | None:
        """The one integer that an entry says the run finds."""
        kind, *rest = entry
        if kind != "arg" or len(rest) > 1:
            return None
        value = self.operands[rest[0]]
        return value if not value.type.shape and value.type.dtype.kind in "iu" else None

    def is_element_of(self, array: Value) -> bool:
        """Whether there is an integer for each axis of an array."""
        one = [entry[0] == "int" or self.integer(entry) is not None for entry in self.spec]
        return len(one) == array.type.ndim and all(one)

    def add(self, entry: tuple[Any, ...], value: Value | None = None) -> None:
        """One more entry; an integer that the run finds if there is one."""
        if value is not None:
            entry = ("arg", len(self.operands))
            self.operands.append(value)
        self.spec.append(entry)


class _Composed:
    """Finds the places in an array of places in a view of it.

    Attributes:
        may_be_outside: whether there is a place that may be outside of the view, which the update
            of the array does not refuse, or does as one along another axis.
    """

    def __init__(self, whole: Value, view: Value):
        self.whole = whole
        self.view = view
        self.found = _Places((), ())
        self.may_be_outside = False

    def of_subscript(
        self, spec: Sequence[tuple], operands: Sequence[Value], inner: _Places
    ) -> _Places | None:
        """Where the view is ``whole[spec]``."""
        outer, pending = _Places(spec, operands), list(inner.spec)
        axis = 0  # of the view
        for position, entry in enumerate(spec):
            number = outer.integer(entry)
            if entry[0] == "int" or number is not None:
                self.found.add(entry, number)
                continue
            if entry[0] != "slice" or any(isinstance(b, Bound) for b in entry[1:]):
                return None
            if not pending:
                self.found.add(entry)
            elif not self._within(entry, position, pending.pop(0), axis, inner):
                return None
            axis += 1
        for position, entry in enumerate(pending, len(spec)):
            if not self._within(_ALL, position, entry, axis, inner):
                return None
            axis += 1
        return self.found

    def of_transpose(self, axes: Sequence[int], inner: _Places) -> _Places | None:
        """Where the view has the axes of the array in another order."""
        entries = [*inner.spec, *[_ALL] * (len(axes) - len(inner.spec))]
        if sum(entry[0] == "slice" for entry in entries) > 1:
            return None  # what is written has axes in another order as well
        for position, axis in sorted((p, a) for a, p in enumerate(axes)):
            if not self._within(_ALL, position, entries[axis], axis, inner):
                return None
        return self.found

    def _within(
        self,
        outer: tuple[Any, ...],
        position: int,
        entry: tuple[Any, ...],
        axis: int,
        inner: _Places,
    ) -> bool:
        """Add the place of an entry in a slice of an axis. Returns whether it is known.

        Args:
            position: of the axis in the array.
            axis: of the view.
        """
        number = inner.integer(entry)
        if outer == _ALL:
            if number is not None and position != axis and not self._fits(number, axis):
                self.may_be_outside = True
            self.found.add(entry, number)
            return True
        if entry == _ALL:
            self.found.add(outer)
            return True
        length, size = self.view.type.shape[axis], self.whole.type.shape[position]
        if not isinstance(size, int) or not isinstance(length, int):
            return False
        start, _, step = slice(*outer[1:]).indices(size)
        if number is not None and number.type.dtype.itemsize == 8:
            if not self._fits(number, axis):
                self.may_be_outside = True
                number = ops.where(ops.less(number, 0), ops.add(number, length), number)
            place = number if step == 1 else ops.multiply(number, step)
            self.found.add(entry, place if start == 0 else ops.add(place, start))
            return True
        if entry[0] != "int":
            return False
        k = entry[1] + length if entry[1] < 0 else entry[1]
        self.found.add(("int", start + step * k))
        return 0 <= k < length

    def _fits(self, number: Value, axis: int) -> bool:
        """Whether a number is known to be a place along an axis of the view, from the start."""
        length = self.view.type.shape[axis]
        found = bounds(number, recorder().below)
        if found is None or length is None:
            return False
        room = length - 1 - found[1]
        return bounds_of(found[0])[0] >= 0 and bounds_of(room)[0] >= 0
