"""Which of the caller's objects there may be any number of, and the containers that hold them.

Everything is walked that is taken apart among the arguments of a call: not what is in objects that
are kept in heaps, which follow from one to the next by arrays; see
`autograph.staging.lists.given_objects`.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import OrderedDict, defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Mapping
from types import CellType
from typing import Any

from autograph.source.tree.places import CELLS
from autograph.staging.ground.nesting import is_tuple, parts_of
from autograph.staging.ground.object_kinds import may_be_pooled
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.lists.given_rows import ATOMS
from autograph.staging.lists.placed_objects import plain_attributes


def may_be_kept(kind: type) -> bool:
    """Whether objects of a class may be in heaps."""
    return kind not in ATOMS and may_be_pooled(kind)


def kinds_in_list(items: list, classes: Container[type]) -> set[type]:
    """The classes of the objects in a list, beside which there may be None; none if there are other
    things."""
    found = set(map(type, items)) - {type(None)}
    return found if all(kind in classes for kind in found) else set()


def containers_in(call: Any, classes: Container[type]) -> Iterator[Any]:
    """The containers of a call, each once, without those that are in objects of some classes or in
    lists of such."""
    met: dict[int, Any] = {}
    pending = deque([call])
    while pending:
        value = pending.popleft()
        kind = type(value)
        if kind in ATOMS or id(value) in met:
            continue
        met[id(value)] = value
        if kind is tuple:
            pending.extend(value)
        elif kind is CellType:  # of a variable, where functions of the same code share a recording
            pending.append(value.cell_contents)
        elif kind is dict:
            yield value
            pending.extend(value.values())
        elif kind is list:
            yield value
            if not (ATOMS.issuperset(map(type, value)) or kinds_in_list(value, classes)):
                pending.extend(value)
        elif kind in classes:
            yield value
        elif is_user_object(value):
            yield value
            pending.extend(plain_attributes(value).values())
        else:
            pending.extend(_parts(value, kind))


def _parts(value: Any, kind: type) -> Iterable[Any]:
    """What is in a container of another kind that the flattener takes apart."""
    if kind in (OrderedDict, defaultdict):
        return value.values()
    if kind is deque:
        return value
    if isinstance(value, CELLS):
        with contextlib.suppress(ValueError):  # not assigned yet
            return (value.cell_contents,)
    return parts_of(value) if is_tuple(value) else ()


def classes_to_keep(call: Any, most: int, alone: bool = False) -> set[type]:
    """The classes of the objects of a call of which there may be any number: those that refer to
    objects of their own class, in any way, and those of objects in a list.

    Args:
        most: how many there may be of a class, or in a list, that are taken apart one by one.
        alone: whether those count as well that refer to none of their class and are in no list.
    """
    refers: dict[type, set[type]] = {}
    counts: dict[type, int] = {}
    found: set[type] = set()
    for value in containers_in(call, ()):
        kind = type(value)
        if kind is list:
            if len(value) > most:
                found |= kinds_in_list(value, set(filter(may_be_kept, set(map(type, value)))))
        elif may_be_kept(kind):
            counts[kind] = counts.get(kind, 0) + 1
            own = refers.setdefault(kind, set())
            for other in plain_attributes(value).values():
                own |= set(_classes_in(other))
    many = (kind for kind in refers if counts[kind] > most)
    return found | {kind for kind in many if alone or _refers_to_itself(kind, refers)}


def _classes_in(value: Any) -> Iterator[type]:
    """The class of something, and of what is in it, if it is a list or tuple."""
    yield type(value)
    if type(value) is list or type(value) is tuple:
        yield from set(itertools.chain.from_iterable(map(_classes_in, value)))


def _refers_to_itself(kind: type, refers: Mapping[type, set[type]]) -> bool:
    reached: set[type] = set()
    pending = [kind]
    while pending:
        more = refers.get(pending.pop(), set()) - reached
        reached |= more
        pending += more
    return kind in reached
