"""`scan`: a loop that takes an item of some arrays in each trip, and keeps what each trip gives.

Where values are ordinary ones it is a loop of Python's. While recording it is a `for_loop` that
writes into arrays with room for all trips, so it is differentiated and batched as loops are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ops.arrays.creation import zeros_like
from ops.arrays.joining import stack
from ops.control import effects
from ops.control.constructs import call, error_of, for_loop, tracked
from ops.core.lengths import length as length_of
from ops.core.operands import Symbolic, dims_of, operand_type
from ops.core.recording import active_recording
from ops.core.types import may_agree, type_of
from ops.elementwise import equal

__all__ = ["scan"]


def scan(
    f: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
    unroll: int | bool = 1,
) -> tuple[Any, Any]:
    """Run ``carry, y = f(carry, x)`` for each ``x`` in ``xs``; the last carry, and each ``y``.

    The signature is that of JAX's ``lax.scan``. If ``xs`` is an array, it returns what this does::

        carry, ys = init, []
        for x in xs:
            carry, y = f(carry, x)
            ys.append(y)
        return carry, np.stack(ys)

    Args:
        f: takes the carry and an item, returns the next carry and an output. If there are no trips
            it is called all the same, with zeros for the item, to learn what an output looks like.
        init: the first carry: nested tuples, lists and dicts of arrays, numbers and None. Their
            structure, shapes and dtypes stay as they are, but a Python number may become NumPy's.
        xs: arrays, nested likewise, each with an item for each trip along its first axis; None if
            there are no items: then ``f`` is given None.
        length: how many trips there are; needed only without ``xs``.
        reverse: whether to go from the last item to the first. Outputs are where their items are.
        unroll: how many trips to write one after the other in each trip of the recorded loop, or
            True for all; used where ``length`` is known. The results are the same.

    Returns:
        ``(carry, ys)``. ``ys`` is nested like an output, with an array for each array or number in
        it, which has the outputs along its first axis.

    Raises:
        TypeError: the carry changes its structure, a shape or a dtype; ``f`` returns no pair; or
            ``xs`` or an output holds something else than arrays and numbers.
        ValueError: the arrays in ``xs`` and ``length`` disagree; or there is neither.
    """
    count = _count(xs, length)
    at_once = _at_once(unroll, count)
    if active_recording() is not None:
        return _recorded(f, init, xs, count, reverse, at_once)
    carry, outputs = init, []
    for i in reversed(range(count)) if reverse else range(count):
        before = carry
        carry, y = _pair(f(carry, _item(xs, i)))
        _require_settled(before, carry)
        outputs.append(_mapped(_kept, y))
    if not outputs:
        _, y = _pair(f(init, _mapped(_nothing, xs)))
        return carry, _mapped(lambda leaf: stack([_kept(leaf)], 0)[:0], y)
    if reverse:
        outputs.reverse()
    return carry, _mapped(_stacked, *outputs)


class _Found:
    """What is found out about the outputs: what one looks like, and for each leaf of it the shape
    and dtype of an array with room for all."""

    __slots__ = ("output", "rooms")
    output: Any
    rooms: list[Any]


def _recorded(
    f: Callable, init: Any, xs: Any, count: Any, reverse: bool, at_once: int
) -> tuple[Any, Any]:
    is_empty = isinstance(count, int) and count == 0

    def trip(at: Any, carry: Any) -> tuple[Any, Any]:
        return _pair(call(f, carry, _mapped(_nothing, xs) if is_empty else _item(xs, at)))

    found = _Found()

    def first(at: Any, carry: Any) -> tuple[Any]:
        after, y = trip(at, carry)
        _require_settled(carry, after)
        found.output, found.rooms = y, [_room(count, leaf) for leaf in _leaves(y)]
        return (after,)

    # What is found last is how outputs are when the types of the carry have been found.
    recording = active_recording()
    assert recording is not None
    recording.tried(lambda: for_loop(range(2), first, (init,), names=("carry",)))
    room = [call(np.zeros, *shape_and_dtype) for shape_and_dtype in found.rooms]

    def step(i: Any, carry: Any) -> Any:
        at = count - 1 - i if reverse else i
        carry, y = trip(at, carry)
        for array, leaf in zip(room, _leaves(y)):
            shape, _ = _room(count, leaf)
            if shape[1:] != dims_of(array)[1:]:
                raise _error(ValueError, "all outputs must have the same shape")
            array[at] = leaf
        return carry

    def block(i: Any, carry: Any) -> tuple[Any]:
        for k in range(at_once):
            carry = step(i * at_once + k if at_once > 1 else i, carry)
        return (carry,)

    blocks = count // at_once if at_once > 1 else count
    (carry,) = for_loop(call(range, blocks), block, (init,), names=("carry",))
    for i in range(blocks * at_once, count) if at_once > 1 else ():
        carry = step(i, carry)
    arrays = iter(room)
    return carry, _mapped(lambda leaf: next(arrays), found.output)


def _count(xs: Any, length: Any) -> Any:
    """How many trips there are; symbolic if known only at run time."""
    arrays = list(_leaves(xs))
    for x in arrays:
        if not _is_operand(x) or not dims_of(x):
            raise _error(TypeError, f"xs has to hold arrays, but it holds {_described(x)}")
    counts = [length_of(x) if dims_of(x)[0] is None else dims_of(x)[0] for x in arrays]
    if length is not None:
        counts.append(length if isinstance(length, Symbolic) else int(length))
    if not counts:
        raise _error(
            ValueError,
            "without arrays in xs it is not known how many trips there are; use length=n",
        )
    known = [n for n in counts if not isinstance(n, Symbolic)]
    count = known[0] if known else counts[0]
    message = "scan: the arrays in xs and length disagree"
    for n in counts:
        if isinstance(n, Symbolic) and n is not count:
            effects.check(equal(n, count), error="ValueError", message=message)
    if any(n != count for n in known):
        told = "" if length is None else f", and length is {length}"
        listed = ", ".join(str(dims_of(x)[0]) for x in arrays)
        raise _error(
            ValueError, f"the arrays in xs have lengths {listed}{told}; use arrays of one length"
        )
    return count


def _at_once(unroll: int | bool, count: Any) -> int:
    """How many trips to write one after the other."""
    if unroll is True:
        unroll = count if isinstance(count, int) else 1
    if isinstance(unroll, Symbolic) or int(unroll) != unroll or unroll < 0:
        raise _error(ValueError, "unroll has to be a bool or an int above 0")
    return max(int(unroll), 1) if isinstance(count, int) else 1


# -- carries, items and outputs --------------------------------------------------------------------


def _error(kind: type[Exception], message: str) -> Exception:
    return error_of(kind(f"scan: {message}"))


def _pair(result: Any) -> tuple[Any, Any]:
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise _error(
            TypeError, "f has to return a pair (carry, y); use None for a y that is not needed"
        )
    return result[0], result[1]


def _require_settled(before: Any, after: Any) -> None:
    """Refuse a carry that is of another type after a trip, but for Python numbers made NumPy's."""
    try:
        _mapped(_require_same, before, after)
    except _Differ:
        raise _error(
            TypeError,
            f"the carry changes from {_shown(before)} to {_shown(after)}; use an init nested as f "
            "returns the carry, with arrays of the same shapes and dtypes",
        ) from None


def _require_same(before: Any, after: Any) -> None:
    if not _is_operand(before) or not _is_operand(after):
        if _is_operand(before) or _is_operand(after) or (before is None) != (after is None):
            raise _Differ
        return
    old, new = operand_type(before), operand_type(after)
    if not may_agree(old.shape, new.shape):
        raise _Differ
    fits = old.weak and np.result_type(new.dtype, old.dtype.type(0).item()) == new.dtype
    if old.dtype != new.dtype and not fits:
        raise _Differ


def _item(xs: Any, i: Any) -> Any:
    return _mapped(lambda x: x[i], xs)


def _nothing(x: Any) -> Any:
    """What stands for an item of ``x`` if it has none."""
    return zeros_like(x, shape=dims_of(x)[1:])


def _require_operand(y: Any) -> None:
    if not _is_operand(y):
        raise _error(TypeError, f"an output has to hold arrays and numbers, not {_described(y)}")


def _kept(y: Any) -> Any:
    """An output, which may be changed in place after the trip."""
    _require_operand(y)
    return y.copy() if dims_of(y) else y


def _room(count: Any, y: Any) -> tuple[tuple, np.dtype]:
    """The shape and dtype of an array for as many outputs like ``y``."""
    _require_operand(y)
    shape = dims_of(y)
    if None in shape:
        raise _error(
            NotImplementedError,
            f"an output is {_described(y)}, whose length is known only at run time; use a list, "
            "to which a for loop appends",
        )
    return (count, *shape), operand_type(y).dtype


def _stacked(*outputs: Any) -> Any:
    types = [operand_type(y) for y in outputs]
    dtype = np.result_type(*(t.dtype.type(0).item() if t.weak else t.dtype for t in types))
    return stack([np.asarray(y, dtype) if t.weak else y for y, t in zip(outputs, types)], 0)


# -- nested tuples, lists and dicts ----------------------------------------------------------------


class _Differ(Exception):
    """Two things are not nested alike, or not of the same types."""


def _parts(tree: Any) -> dict | None:
    """The parts of a container by position or key; None for a leaf."""
    if isinstance(tree, dict):
        return tree
    is_list = isinstance(tree, list) and getattr(tree, "rows", None) is None
    return dict(enumerate(tree)) if is_list or isinstance(tree, tuple) else None


def _kind(tree: Any) -> type:
    """The class of a container; lists of converted code are lists."""
    return list if isinstance(tree, list) else type(tree)


def _mapped(function: Callable, tree: Any, *others: Any) -> Any:
    """The tree with ``function`` of each leaf that is not None, and of those of the others there.

    Raises:
        _Differ: the others are nested in another way.
    """
    parts = _parts(tree)
    found = [_parts(other) for other in others]
    if parts is None:
        if any(f is not None for f in found):
            raise _Differ
        nothing = tree is None and all(other is None for other in others)
        return None if nothing else function(tree, *others)
    kind = _kind(tree)
    alike = [f for f in found if f is not None and f.keys() == parts.keys()]
    if len(alike) < len(others) or any(_kind(other) is not kind for other in others):
        raise _Differ
    made = {key: _mapped(function, p, *(f[key] for f in alike)) for key, p in parts.items()}
    if isinstance(tree, dict):
        return made
    if kind is list:
        return tracked([*made.values()])
    return tuple(made.values()) if kind is tuple else kind(*made.values())


def _leaves(tree: Any) -> Iterator[Any]:
    """The leaves of a tree that are not None."""
    parts = _parts(tree)
    if parts is not None:
        for part in parts.values():
            yield from _leaves(part)
    elif tree is not None:
        yield tree


def _is_operand(x: Any) -> bool:
    return isinstance(x, Symbolic) or type_of(x) is not None


def _described(x: Any) -> str:
    return str(operand_type(x)) if _is_operand(x) else f"a {type(x).__name__}"


def _shown(tree: Any) -> str:
    """A tree with types in place of the leaves."""
    parts = _parts(tree)
    if parts is None:
        return "None" if tree is None else _described(tree)
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{key!r}: {_shown(part)}" for key, part in parts.items()) + "}"
    texts = ", ".join(map(_shown, parts.values()))
    return f"[{texts}]" if isinstance(tree, list) else f"({texts})"
