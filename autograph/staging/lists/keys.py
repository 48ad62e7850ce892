"""Keys of dicts and sets known only at run time: what they may be, and how one is looked for.

They are integers, floats, texts of which the run decides which they are, and tuples of such. Python
finds a NaN by which object it is, which nobody knows here: that is an error of the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ops
from autograph.errors import ConcreteValueError
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.ground.nesting import LEAF, TupleOf, is_tuple, kind_of, make_tuple, parts_of
from autograph.staging.lists.columns import Column, Rows, rows_of_elements
from autograph.staging.lists.elements import ElementType, element_type, flatten_element, leaf_count
from autograph.staging.lists.lists import TrackedList
from autograph.staging.lists.none_elements import may_be_none
from autograph.staging.lists.number_elements import is_of_types
from autograph.staging.lists.numbers_apart import is_number
from autograph.staging.lists.text_elements import is_text, united
from autograph.staging.values.choice import Choice, looked_up
from autograph.staging.values.maybe import ArrayOrNone, MaybeNone, ObjectOrNone
from autograph.staging.values.promoted import constructor, types_of
from autograph.staging.values.templates import field_count
from autograph.staging.values.text import GraphText, alternatives
from ops.control import effects
from ops.core.operands import Symbolic
from ops.core.recording import raises_as_python
from ops.core.types import ArrayType

# Columns of keys, each with what is looked for in it.
Pairs = list[tuple[Column, Any]]


def is_known(content: Any) -> bool:
    """Whether nothing in a key, or in a list of keys, is known only to the run."""
    if isinstance(content, TrackedList) and content.seen is not None:
        return False
    leaves = leaves_of(list(list.__iter__(content)) if isinstance(content, list) else content)
    return not any(isinstance(leaf, (Symbolic, GraphText)) for leaf in leaves)


def rows_of_keys(order: TrackedList) -> Rows | None:
    """A list of keys as rows, None if they are not all alike."""
    if order.rows is not None or any(map(is_tuple, list.__iter__(order))):
        rows = order.as_rows()
        if rows is not None:
            return rows
    return rows_of_elements(list.__iter__(order), texts=True)


def compared(rows: Rows, key: Any) -> Pairs | None:
    """The columns that tell where a key is, with what is looked for in them; None if no key is like
    it.

    Raises:
        ConcreteValueError: whether one is can't be told.
    """
    pairs: Pairs = []
    if any(isinstance(leaf, MaybeNone) for leaf in leaves_of(key)):
        rows = _with_none(rows, key)
    return pairs if _pair(rows.structure, iter(rows.columns), key, pairs) else None


def _with_none(rows: Rows, key: Any) -> Rows:
    """Keys as ones that may be None where a part of ``key`` may be."""
    parts, structure = flatten_element(key, texts=True)
    types = [element_type(part) for part in parts]
    known = tuple(type for type in types if type is not None)
    wanted = united(rows.kind, ElementType(structure, known)) if len(known) == len(types) else None
    if wanted is None:
        raise refused_key()
    return rows.as_kind(wanted)


def settled(key: Any) -> Any:
    """A key in which numbers that are None are zeros besides, as those of other keys are."""
    if is_tuple(key) and not isinstance(key, GraphText):
        return make_tuple(kind_of(key), list(map(settled, parts_of(key))))
    if isinstance(key, ObjectOrNone):
        raise refused_key()
    if not isinstance(key, ArrayOrNone):
        return key
    number: Any = key.content
    if number.ndim or number.is_array:
        return key.checked()
    kind = (types_of(number) or (number.type,))[0]
    zero = constructor(kind)(0)
    return ArrayOrNone(key.present, ops.cond(key.present, lambda: number, lambda: zero))


def _pair(structure: Any, columns: Iterator[Column], key: Any, pairs: Pairs) -> bool:
    """The same of part of a key, whose columns are the next ones; whether it may be equal."""
    own = [next(columns) for _ in range(leaf_count(structure))]
    if is_text(structure):
        return _pair_text(structure.kind.template, own, key, pairs)
    if may_be_none(structure):
        return _pair_or_none(structure.parts[1:], own, key, pairs)
    if key is None:
        return False
    if structure is LEAF or is_number(structure) or is_of_types(structure):
        if is_tuple(key) or isinstance(key, (str, Choice)):
            return False
        column = own[-1]
        if len(own) > 2:
            raise _other_kind("number", "integers and floats")
        _require_same_kind(column.element.dtype.kind, element_type(key))
        pairs.append((column, key))
        return True
    if not isinstance(structure, TupleOf) or not is_tuple(key) or kind_of(key) != structure.kind:
        return False
    if len(key) != len(structure.parts):
        return False
    rest = iter(own)
    found = [_pair(part, rest, item, pairs) for part, item in zip(structure.parts, key)]
    return all(found)


def _pair_or_none(known: tuple, own: list[Column], key: Any, pairs: Pairs) -> bool:
    """The same of what may be None, of which ``known`` is what it is otherwise."""
    is_there: Any = key is not None
    if isinstance(key, MaybeNone):
        is_there, key = key.present, key.content
    pairs.append((own[0], is_there))
    return key is None or (bool(known) and _pair(known[0], iter(own[1:]), key, pairs))


def _pair_text(templates: tuple[str, ...], own: list[Column], key: Any, pairs: Pairs) -> bool:
    found = alternatives(key)
    if found is None:
        return False
    every, position = found
    texts = [template for template, _ in every]
    if any(map(field_count, (*templates, *texts))):
        raise refused_key()
    places = [templates.index(text) if text in templates else -1 for text in texts]
    place = looked_up(position, places) if isinstance(position, GraphArray) else places[position]
    if isinstance(place, int) and place < 0:
        return False
    pairs.append((own[0], place))
    return True


# -- what is no key --------------------------------------------------------------------------------


def refused_key() -> Exception:
    return located_error(
        ConcreteValueError,
        "a traced value is used as a key beside keys that are no integers",
        id="AG0304",
        fix="use integers, or tuples of as many integers, as keys",
    )


@raises_as_python
def require_keys(key: Any) -> None:
    """Refuse a key that is neither a number nor a text nor made of such, if only the run knows it,
    and what is no key at all."""
    for leaf in leaves_of(key):
        leaf = leaf.content if isinstance(leaf, ArrayOrNone) else leaf
        if isinstance(leaf, GraphText) or (isinstance(leaf, Choice) and alternatives(leaf) is None):
            raise refused_key()
        if not isinstance(leaf, GraphArray):
            continue
        if leaf.ndim or leaf.is_array:
            hash(leaf)  # which is refused
        if leaf.dtype.kind == "f":
            message = "a key is NaN, which Python finds by which object it is"
            effects.check(ops.equal(leaf, leaf), error="ValueError", message=message)
        elif leaf.dtype.kind not in "bi":
            raise located_error(
                ConcreteValueError,
                f"a traced {leaf.dtype} is used as a key",
                id="AG0581",
                fix="use an integer, as in d[int(x)]",
            )
    if not isinstance(key, tuple) and is_known(key):
        hash(key)


def _require_same_kind(kind: str, part: ArrayType | None) -> None:
    """Refuse to look for an integer among floats, and a float among integers."""
    if part is None or (kind == "f") == (part.dtype.kind == "f"):
        return
    given, others = ("float", "integers") if kind != "f" else ("integer", "floats")
    raise _other_kind(given, others)


def _other_kind(given: str, others: str) -> Exception:
    return located_error(
        ConcreteValueError,
        f"a traced {given} is used as a key beside {others}",
        id="AG0581",
        fix="make all keys of one type, as in d[float(x)]",
    )
