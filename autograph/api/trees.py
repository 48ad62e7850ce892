"""Nested arguments and results: their leaves, and how these are nested.

Tuples, named tuples, lists, dicts and what else is registered with optree, in a namespace as well,
are optree's. An object of the user's classes is its attributes: arrays, numbers and None in it are
leaves, other attributes (texts, functions, names) are kept as they are. It is put together again
without ``__init__``, and an object that occurs twice is one object again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Union

import optree

from autograph.backends.foreign import is_foreign, native
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.signature import flatten_call, unflatten_call
from autograph.staging.containers.containers import Contents, attributes, contents, empty_like, fill
from autograph.staging.ground.fixed import Fixed, static_fields
from autograph.staging.ground.leaves import entry_of, of_registered_class
from autograph.staging.ground.nesting import is_tuple, kind_of, make_tuple, parts_of
from autograph.staging.ground.ownership import Recorded, is_user_object
from autograph.staging.ground.sparse_kinds import is_sparse
from autograph.staging.lists.elements import PlacedObject
from autograph.staging.values.maybe import MaybeNone, ObjectOrNone
from ops.core.records import NamedTuple
from ops.core.types import ArrayType, type_of


def leaf_type(leaf: Any) -> ArrayType | None:
    """The type of an array or number, symbolic or not; None for anything else."""
    if isinstance(leaf, GraphArray):
        return leaf.type
    found = type_of(leaf)
    return type_of(native(leaf)) if found is None and is_foreign(leaf) else found


def content_of(leaf: Any) -> Any:
    """The array that a leaf of a result is, or is if it is not None."""
    return leaf.content if isinstance(leaf, MaybeNone) else leaf


def is_inexact(leaf: Any) -> bool:
    """Whether a leaf is a floating-point or complex array or number."""
    type = leaf_type(leaf)
    return type is not None and type.inexact


def may_be_inexact(leaf: Any) -> bool:
    """Whether a leaf is such, or is if it is not None."""
    return is_inexact(content_of(leaf))


def has_type(leaf: Any) -> bool:
    """Whether a leaf is an array or number, or is if it is not None."""
    return leaf_type(content_of(leaf)) is not None


class Again(NamedTuple):
    """The place of an object that has occurred before, as the one with this number."""

    number: int


class Kept:
    """The place of an attribute, or of a part of one, that is no leaf. What it is does not count:
    trees that differ in it are nested alike."""

    __slots__ = ("value",)

    def __init__(self, value: Any):
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept)

    def __hash__(self) -> int:
        return 0


class ObjectOf(NamedTuple):
    """The place of an object of the user's.

    Attributes:
        number: tells it from the other objects.
        kind: its class.
        names: of its attributes, which are the ``parts``.
        head: what it is made of besides, see `Contents`.
    """

    number: int
    kind: type
    names: tuple[str, ...]
    parts: tuple[Nesting, ...]
    head: Any = ()


class RegisteredOf(NamedTuple):
    """The place of an object whose class is registered with optree, taken apart as is said there.

    Attributes:
        kind: its class.
        entry: what is registered.
        metadata: what it is made of besides its parts; it does not count, as in `Kept`.
        steps: what to write behind the object for a part of it.
        parts: the nestings of its parts.
    """

    kind: type
    entry: Any
    metadata: Kept
    steps: tuple[str, ...]
    parts: tuple[Nesting, ...]


_LEAF = optree.treespec_leaf(none_is_leaf=True)
_Place = Union[ObjectOf, RegisteredOf, Again, Kept, None]


class Nesting:
    """How leaves are nested.

    Attributes:
        spec: what optree knows of it.
        places: for each leaf of that None, or what stands there instead of a leaf.
    """

    __slots__ = ("places", "spec")

    def __init__(self, spec: optree.PyTreeSpec, places: tuple[_Place, ...]):
        self.spec = spec
        self.places = places

    @property
    def num_leaves(self) -> int:
        """How many leaves there are."""
        return sum(_count(place) for place in self.places)

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """Leaves put together."""
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(f"{len(leaves)} leaves, where there are {self.num_leaves} places")
        return self._unflatten(iter(leaves), {})

    def _unflatten(self, leaves: Iterator[Any], objects: dict[int, Any]) -> Any:
        content = [_filled(place, leaves, objects) for place in self.places]
        return optree.tree_unflatten(self.spec, content)

    def without(self, empty: Iterable[bool]) -> Nesting:
        """The nesting with None at the places that are to be empty, one flag for each leaf."""
        return self._without(iter(empty))

    def _without(self, empty: Iterator[bool]) -> Nesting:
        places: list[_Place] = []
        for place in self.places:
            if place is None:
                places.append(Kept(None) if next(empty) else None)
            elif isinstance(place, (ObjectOf, RegisteredOf)):
                parts = tuple([part._without(empty) for part in place.parts])
                places.append(place._replace(parts=parts))
            else:
                places.append(place)
        return Nesting(self.spec, tuple(places))

    def parts_of(self, tree: Any) -> list[Any]:
        """What a tree, nested like this or deeper, has at the place of each leaf. None in place of
        a tuple, list, dict or object is one of None.

        Raises:
            ValueError: it is nested otherwise.
        """
        found: list[Any] = []
        self._collect(tree, found, {})
        return found

    def _collect(self, tree: Any, found: list[Any], objects: dict[int, Any]) -> None:
        for place, part in zip(self.places, _flat(self.spec, plain(tree))):
            if place is None:
                found.append(part)
            elif isinstance(place, ObjectOf):
                parts = [None] * len(place.parts) if part is None else _attributes(part, place)
                objects[place.number] = part
                for inner, value in zip(place.parts, parts):
                    inner._collect(value, found, objects)
            elif isinstance(place, RegisteredOf):
                for inner, value in zip(place.parts, _registered_parts(part, place)):
                    inner._collect(value, found, objects)
            elif isinstance(place, Again) and part is not objects[place.number]:
                raise ValueError("one object occurs twice, but here two different ones do")

    def kept(self) -> Iterator[Any]:
        """What stands in objects and is no leaf."""
        for place in self.places:
            if isinstance(place, Kept):
                yield place.value
            elif isinstance(place, RegisteredOf):
                yield place.metadata.value
            if isinstance(place, (ObjectOf, RegisteredOf)):
                for part in place.parts:
                    yield from part.kept()

    def inside(self) -> list[bool]:
        """Which leaves are in an object."""
        found = []
        for place in self.places:
            found += [place is not None] * _count(place)
        return found

    def paths(self, root: str) -> list[str]:
        """What to call each leaf of a tree that is called ``root``."""
        found = []
        for accessor, place in zip(optree.treespec_accessors(self.spec), self.places):
            path = accessor.codify(root)
            if place is None:
                found.append(path)
            elif isinstance(place, ObjectOf):
                for name, inner in zip(place.names, place.parts):
                    found += inner.paths(f"{path}.{name}")
            elif isinstance(place, RegisteredOf):
                for step, inner in zip(place.steps, place.parts):
                    found += inner.paths(f"{path}{step}")
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Nesting):
            return NotImplemented
        return self.spec == other.spec and self.places == other.places

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        if all(place is None for place in self.places):
            return str(self.spec)
        return f"Nesting({self._text()})"

    def _text(self) -> str:
        shown = [_Shown(_place_text(place)) for place in self.places]
        return repr(optree.tree_unflatten(self.spec, shown))


class _Shown:
    """A text as its own ``repr``."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _place_text(place: _Place) -> str:
    if place is None:
        return "*"
    if isinstance(place, Kept):
        return repr(place.value)
    if isinstance(place, Again):
        return "..."
    if isinstance(place, RegisteredOf):
        return f"{place.kind.__name__}({', '.join(part._text() for part in place.parts)})"
    inner = [f"{name}={part._text()}" for name, part in zip(place.names, place.parts)]
    fixed = place.head if type(place.head) is Fixed else ()
    inner += [f"{name}={value!r}" for name, value in fixed]
    return f"{place.kind.__name__}({', '.join(inner)})"


def _flat(spec: optree.PyTreeSpec, tree: Any) -> list[Any]:
    """What a tree has at each leaf of a nesting, where None may stand for a part of it.

    Raises:
        ValueError: it is nested otherwise.
    """
    try:
        return spec.flatten_up_to(tree)
    except ValueError:
        whole = _with_nones(spec, tree)
        if whole is tree:
            raise
        return spec.flatten_up_to(whole)


def _with_nones(spec: optree.PyTreeSpec, tree: Any) -> Any:
    """A tree with parts of None, where it has None in place of such a part."""
    if tree is None:
        return optree.tree_unflatten(spec, [None] * spec.num_leaves)
    if spec.is_leaf() or optree.tree_is_leaf(tree, none_is_leaf=True):
        return tree
    children, metadata, _, together = optree.tree_flatten_one_level(tree, none_is_leaf=True)
    if len(children) != spec.num_children:
        return tree
    whole = [_with_nones(part, child) for part, child in zip(spec.children(), children)]
    is_changed = any(map(operator.is_not, whole, children))
    return together(metadata, tuple(whole)) if is_changed else tree


def _count(place: _Place) -> int:
    if isinstance(place, (ObjectOf, RegisteredOf)):
        return sum(part.num_leaves for part in place.parts)
    return int(place is None)


def _filled(place: _Place, leaves: Iterator[Any], objects: dict[int, Any]) -> Any:
    match place:
        case None:
            return next(leaves)
        case Kept():
            return place.value
        case Again(number):
            return objects[number]
        case RegisteredOf(_, entry, metadata, _, parts):
            children = [part._unflatten(leaves, objects) for part in parts]
            return entry.unflatten_func(metadata.value, children)
        case ObjectOf(number, kind, names, parts, head):
            made = objects[number] = empty_like(kind, ())
            values = [part._unflatten(leaves, objects) for part in parts]
            fill(made, Contents((head, *names), tuple(values)))
            return made


def _attributes(part: Any, place: ObjectOf) -> Sequence[Any]:
    """The attributes of an object that is to be one of a kind.

    Raises:
        ValueError: it is another.
    """
    if type(part) is not place.kind:
        raise ValueError(f"expected a {place.kind.__name__}, got {part!r}")
    names, values = _named(part)
    if set(names) != set(place.names):
        raise ValueError(
            f"a {place.kind.__name__} has the attributes {', '.join(names)}, not "
            f"{', '.join(place.names)}"
        )
    of_name = dict(zip(names, values))
    return [of_name[name] for name in place.names]


def _registered_parts(part: Any, place: RegisteredOf) -> Sequence[Any]:
    """The parts of an object that is to be one of a registered class.

    Raises:
        ValueError: it is another, or has another number of parts.
    """
    if part is None:
        return [None] * len(place.parts)
    if type(part) is not place.kind:
        raise ValueError(f"expected a {place.kind.__name__}, got {part!r}")
    children = list(place.entry.flatten_func(part)[0])
    if len(children) != len(place.parts):
        raise ValueError(
            f"a {place.kind.__name__} has {len(children)} parts, not {len(place.parts)}"
        )
    return children


def _named(item: Any) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """The names and the values of an object's attributes."""
    state = contents(item)
    return state.keys[1:], state.values


def flatten(
    tree: Any,
    opens: Callable[[Any], bool] = may_be_inexact,
    is_leaf: Callable[[Any], bool] | None = None,
    inside: bool = False,
    prepared: Callable[[Any], Any] = lambda tree: tree,
) -> tuple[list[Any], Nesting]:
    """The leaves of a tree, None being one, and their nesting.

    Args:
        opens: objects of which a leaf is such are taken apart, and those that have static fields;
            others are leaves, or, in objects, kept.
        is_leaf: what is not taken apart.
        inside: whether the tree is what an attribute of an object holds.
        prepared: is applied to the tree, and to the attributes of objects.
    """
    leaves: list[Any] = []
    nesting = _Flattening(leaves, opens, is_leaf, prepared).nesting(tree, inside)
    return leaves, nesting


class _Flattening:
    """Takes trees apart, and appends their leaves to ``leaves``."""

    def __init__(
        self,
        leaves: list[Any],
        opens: Callable[[Any], bool],
        is_leaf: Callable[[Any], bool] | None,
        prepared: Callable[[Any], Any],
    ):
        self._leaves = leaves
        self._opens = opens
        self._is_leaf = is_leaf
        self._prepared = prepared
        self._numbers: dict[int, int] = {}

    def nesting(self, tree: Any, inside: bool) -> Nesting:
        content, spec = _flatten_containers(self._prepared(tree), self._is_leaf)
        return Nesting(spec, tuple([self._place(item, inside) for item in content]))

    def _place(self, item: Any, inside: bool) -> _Place:
        if self._is_leaf is None or not self._is_leaf(item):
            if id(item) in self._numbers:
                return Again(self._numbers[id(item)])
            entry = entry_of(type(item))
            if entry is not None:
                return self._registered(item, entry, inside)
            is_configured = bool(static_fields(type(item)))
            if _is_object(item) and (is_configured or _holds(item, self._opens, set())):
                return self._object(item)
            if inside and not _is_leaf_of_object(item):
                return Kept(item)
        self._leaves.append(item)
        return None

    def _registered(self, item: Any, entry: Any, inside: bool) -> RegisteredOf:
        children, metadata, *_ = entry.flatten_func(item)
        children = list(children)
        names = {id(value): name for name, value in attributes(item)}
        steps = [
            f".{names[id(child)]}" if id(child) in names else f"[{place}]"
            for place, child in enumerate(children)
        ]
        parts = tuple([self.nesting(child, inside) for child in children])
        return RegisteredOf(type(item), entry, Kept(metadata), tuple(steps), parts)

    def _object(self, item: Any) -> ObjectOf:
        number = self._numbers[id(item)] = len(self._numbers)
        (head, *names), values = contents(item)
        kept = values[1:] if is_sparse(item) else ()  # where its elements are, which are a leaf
        values = values[: len(values) - len(kept)]
        parts = [self.nesting(value, True) for value in values]
        parts += [Nesting(_LEAF, (Kept(place),)) for place in kept]
        return ObjectOf(number, type(item), tuple(names), tuple(parts), head)


def _is_leaf_of_object(item: Any) -> bool:
    return item is None or has_type(item) or isinstance(item, ObjectOrNone)


def _is_object(item: Any) -> bool:
    if isinstance(item, PlacedObject) or (isinstance(item, Recorded) and not item.has_derivative):
        return False
    return is_user_object(item)


def _holds(item: Any, wanted: Callable[[Any], bool], seen: set[int]) -> bool:
    """Whether an object has a wanted leaf."""
    if id(item) in seen:
        return False
    seen.add(id(item))
    entry = entry_of(type(item))
    values = _named(item)[1] if entry is None else entry.flatten_func(item)[0]
    return any(
        _holds(part, wanted, seen) if _is_object(part) else wanted(part)
        for value in values
        for part in _flatten_containers(value, None)[0]
    )


def _flatten_containers(
    tree: Any, is_leaf: Callable[[Any], bool] | None
) -> tuple[list[Any], optree.PyTreeSpec]:
    """As optree does it: objects of the user's are leaves."""
    whole = of_registered_class()
    if is_leaf is None or whole is None:
        return optree.tree_flatten(tree, is_leaf or whole, none_is_leaf=True)
    return optree.tree_flatten(tree, lambda x: is_leaf(x) or whole(x), none_is_leaf=True)


def nesting(
    tree: Any,
    opens: Callable[[Any], bool] = may_be_inexact,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Nesting:
    """The nesting of a tree, as of ordinary lists where converted code has its own."""
    return flatten(tree, opens, is_leaf, prepared=plain)[1]


def spread(
    prefix: Any,
    tree: Any,
    is_leaf: Callable[[Any], bool],
    is_item: Callable[[Any], bool] | None = None,
) -> Iterator[Any]:
    """For each array and number of a tree its item of another one, nested like its outer part.

    Args:
        is_leaf: what is not taken apart in the tree.
        is_item: what is not taken apart in ``prefix``.

    Raises:
        ValueError: it is not nested so.
    """
    items, outer = flatten(plain(prefix), lambda leaf: True, is_item)
    for item, part, inside in zip(items, outer.parts_of(tree), outer.inside()):
        yield from (item for _ in flatten(part, has_type, is_leaf, inside)[0])


def natively(tree: tuple) -> tuple:
    """A tree with arrays of NumPy's or CuPy's in place of those of other libraries: itself, if it
    holds none."""
    if not any(map(is_foreign, flatten(tree)[0])):
        return tree
    leaves, structure = flatten_call(tree, {})
    return unflatten_call(structure, leaves)[0]


def plain(tree: Any, opened: bool = False) -> Any:
    """The tree with ordinary lists, where converted code has its own.

    Args:
        opened: also in the place of lists that loops have filled, which stay what they are
            otherwise: what becomes of their elements becomes of all of them at once.
    """
    if isinstance(tree, list):
        if getattr(tree, "rows", None) is None:
            return [plain(item, opened) for item in list.__iter__(tree)]
        return [plain(item, opened) for item in tree] if opened else tree
    if is_tuple(tree):
        return make_tuple(kind_of(tree), [plain(item, opened) for item in parts_of(tree)])
    if type(tree) is dict:
        return {key: plain(value, opened) for key, value in tree.items()}
    return tree


def nones_like(tree: Any) -> Any:
    """A tree of the same nesting with None for each leaf."""
    nesting = flatten(tree)[1]
    return nesting.unflatten([None] * nesting.num_leaves)


def mapped(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """A function applied to each leaf of a tree, and to those that others, nested like it or
    deeper, have at its place: the results, nested like the tree."""
    leaves, nesting = flatten(tree)
    parts = [nesting.parts_of(other) for other in others]
    return nesting.unflatten([function(*items) for items in zip(leaves, *parts)])
