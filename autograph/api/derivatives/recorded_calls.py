"""A call of the user's function that is recorded by itself, for a derivative of it.

Every transform here goes the same way: the floats in the arguments become symbolic arrays
(`symbolic_leaves`), the function is recorded as a graph of its own (`RecordedCall`), the transform
makes a derivative of that graph, and its outputs are delivered as what the function returns
(`Result`). What the user gives for a derivative, and what is returned, is nested like a `Tree`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from autograph.api.derivatives.common import (
    aligned,
    converted,
    name_of,
    parameters_of,
    site_of,
    symbolic,
)
from autograph.api.derivatives.decided import Order, warn_of_decisions
from autograph.api.trees import content_of, flatten, is_inexact, leaf_type, nesting
from autograph.errors import Location, NonDifferentiableError, NonScalarOutputError
from autograph.graph.graph import Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.lists.lists import is_rows
from autograph.staging.trace import subgraph
from autograph.staging.values.maybe import ObjectOrNone
from autograph.transforms.reverse.tape import add_cotangents
from ops.core.types import ArrayType


class Tree:
    """Nested tuples, lists, dicts and objects, whose floats have derivatives; the other leaves have
    none.

    Args:
        tree: what is nested.
        name: what messages call it.

    Attributes:
        tree: what is nested.
        leaves: all of its leaves.
        contents: the array or number that each of them is, or is if it is not None.
        has_derivative: which of them are floating-point or complex.
        floats: the contents of those.
    """

    def __init__(self, tree: Any, name: str = "result"):
        self.tree = tree
        self.leaves, self._spec = flatten(tree)
        self._nesting = nesting(tree)
        self._name = name
        self.contents = [content_of(leaf) for leaf in self.leaves]
        self.has_derivative = [is_inexact(content) for content in self.contents]
        self.floats = [c for c, flag in zip(self.contents, self.has_derivative) if flag]

    @property
    def types(self) -> list[ArrayType | None]:
        """For each leaf the type of its derivative; None if it has none."""
        pairs = zip(self.contents, self.has_derivative)
        return [leaf_type(content) if flag else None for content, flag in pairs]

    @property
    def is_inside(self) -> list[bool]:
        """Which leaves are in an object."""
        return self._spec.inside()

    def nested(self, derivatives: Iterable[Any]) -> Any:
        """Derivatives, one for each float, nested like the tree, with None for the other leaves.

        Raises:
            NonDifferentiableError: some of these are elements of lists kept as arrays, or parts of
                elements, which can't be None.
        """
        if not all(self.has_derivative):
            lists = [leaf for leaf in flatten(self.tree, is_leaf=is_rows)[0] if is_rows(leaf)]
            columns = [column for items in lists for column in items.rows.columns]
            if not all(column.element.inexact for column in columns):
                raise NonDifferentiableError(
                    f"{self._name} holds ints in a list that is kept as an array, which can't have "
                    "None for each of them in a derivative",
                    user_location(),
                    id="AG0503",
                    fix="pass them in another argument, or as an array: np.array(xs)",
                )
        remaining = iter(derivatives)
        return self.rebuilt([next(remaining) if flag else None for flag in self.has_derivative])

    def rebuilt(self, leaves: Iterable[Any]) -> Any:
        """Other leaves, nested like the tree."""
        return self._spec.unflatten(leaves)

    @property
    def paths(self) -> list[str]:
        """What messages call each leaf."""
        return self._nesting.paths(self._name)

    def _path(self, number: int) -> str:
        return self.paths[number]

    def derivatives(
        self, given: Any, all_of_it: str, one: str, site: Location | None
    ) -> list[Value | None]:
        """For each float the derivative that the user gives for it; None where that is zero.

        Args:
            given: tangents or cotangents, nested like the tree.
            all_of_it, one: what messages call the whole and one of them.

        Raises:
            TangentError: they don't fit.
        """
        pairs = zip(aligned(given, self._nesting, all_of_it, site), self.contents)
        found = [
            converted(item, leaf_type(content), one, site, partial(self._path, number))
            for number, (item, content) in enumerate(pairs)
        ]
        return [
            None if item is None else symbolic(item).value
            for item, flag in zip(found, self.has_derivative)
            if flag
        ]


class Arguments(Tree):
    """The arguments of a function, a tuple.

    Args:
        names: what messages call them.
    """

    def __init__(self, tree: tuple, names: Sequence[str]):
        super().__init__(tree)
        self._names = names

    @property
    def paths(self) -> list[str]:
        parts = zip(self._names, self.tree)
        return [path for name, part in parts for path in nesting(part).paths(name)]


def symbolic_arguments(tree: tuple, function: Callable) -> Arguments:
    """The arguments of a function with a symbolic array of its own for each float."""
    return Arguments(symbolic_leaves(tree, "").tree, parameters_of(function, len(tree)))


def symbolic_leaves(tree: Any, name: str) -> Tree:
    """A tree, called ``name``, with a symbolic array of its own for each float."""
    leaves, spec = flatten(tree)
    made = spec.unflatten([symbolic(x) if is_inexact(x) else x for x in leaves])
    return Tree(made, name)


class RecordedCall:
    """A call of the user's function, recorded as a graph of its own.

    Attributes:
        site: where the function is defined.
        graph: what was recorded.
        arguments: what the inputs of the graph stand for.
        values: the values of these.
        delivery: how the outputs of the graph become what the function returns.

    Args:
        once: whether the graph is computed as often as the function would be called: then it may
            change arrays that have no derivatives, such as the states of random generators.
    """

    def __init__(
        self,
        function: Callable,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        once: bool = False,
    ):
        self.site = site_of(function)
        self._order = Order()
        self._written: list[GraphArray] = []
        traced, self.arguments = subgraph(
            function, name_of(function), args, kwargs, written=self._written if once else None
        )
        self.graph = traced.module.main
        self.delivery = traced.delivery
        self.values = [argument.value for argument in self.arguments]

    def by_argument(self, arrays: Sequence[GraphArray], derivatives: Iterable[Any]) -> list[Any]:
        """For each argument its derivative, given those of some arrays; None for the others."""
        of_array = {id(array): item for array, item in zip(arrays, derivatives)}
        return [of_array.get(id(argument)) for argument in self.arguments]

    def of_arrays(self, arrays: Sequence[GraphArray], by_argument: Iterable[Any]) -> list[Any]:
        """For each of some arrays its derivative, given those of the arguments; None for others."""
        of_argument = {id(array): item for array, item in zip(self.arguments, by_argument)}
        return [of_argument.get(id(array)) for array in arrays]

    def warn_of_decisions(self, moving: Iterable[bool], outputs: Sequence[Value]) -> None:
        """Warn of derivatives of ``outputs`` that are zero by comparisons alone, if the function
        takes none itself.

        Args:
            moving: by which inputs of the graph the derivatives are taken.
        """
        if self._order.is_first():
            roots = [v for v, flag in zip(self.graph.inputs, moving) if flag]
            warn_of_decisions(self.graph, roots, outputs)

    def result(self, outputs: Iterable[Value], has_aux: bool) -> tuple[Result, Any]:
        """What the function returns, made of the outputs of its graph, and the auxiliary result."""
        boxes = [GraphArray(value) for value in outputs]
        count = len(boxes) - len(self._written)
        value = self.delivery.deliver(boxes[:count])
        for array, box in zip(self._written, boxes[count:]):
            array.write(box.value)
        value, aux = pair(value, self.site) if has_aux else (value, None)
        return Result(value, boxes), aux


class Result(Tree):
    """What a recorded function returns, or a part of it.

    Attributes:
        boxes: the outputs that were delivered.
        positions: for each float that of the output that it is made of; None if there is none.
        in_lists: which leaves are arrays that no output is, like rows of a list of unknown length.
    """

    def __init__(self, tree: Any, boxes: Sequence[GraphArray]):
        super().__init__(tree)
        self.boxes = boxes
        self.positions = positions_of(self.floats, boxes)
        made = {id(box) for box in boxes}
        self.in_lists = [isinstance(c, GraphArray) and id(c) not in made for c in self.contents]

    @property
    def is_known(self) -> bool:
        """Whether its nesting is known while it is recorded."""
        return not any(self.in_lists) and not any(isinstance(x, ObjectOrNone) for x in self.leaves)

    def of_floats(self, by_output: Sequence[Any]) -> list[Any]:
        """For each float what there is for its output; None if it is none."""
        return [None if position is None else by_output[position] for position in self.positions]

    def by_output(self, cotangents: Iterable[Value | None]) -> list[Value | None]:
        """For each output its cotangent, given those of the floats; None if there is none."""
        found: list[Value | None] = [None] * len(self.boxes)
        for cotangent, position in zip(cotangents, self.positions):
            if cotangent is not None and position is not None:
                before = found[position]
                found[position] = cotangent if before is None else add_cotangents(before, cotangent)
        return found


def positions_of(leaves: Sequence[Any], boxes: Sequence[GraphArray]) -> list[int | None]:
    """For each leaf of a delivered result the position of the output that it is made of.

    Args:
        boxes: the outputs that were delivered.
    """
    by_identity = {id(box): position for position, box in enumerate(boxes)}
    by_value = {box.value: position for position, box in enumerate(boxes)}
    found = []
    for leaf in leaves:
        box = content_of(leaf)
        position = by_identity.get(id(box))
        if position is None and isinstance(box, GraphArray):  # the elements of a list
            position = by_value.get(box.value)
        found.append(position)
    return found


def pair(result: Any, site: Location | None) -> tuple:
    """The result of a function that returns ``(result, aux)``.

    Raises:
        NonScalarOutputError: it does not.
    """
    if not isinstance(result, tuple) or len(result) != 2:
        raise NonScalarOutputError(
            "with has_aux=True the function has to return a pair (result, aux)",
            site,
            id="AG0502",
            fix="return result, aux",
        )
    return result
