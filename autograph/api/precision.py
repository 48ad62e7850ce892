"""`precision`: a function whose products are computed with numbers of fewer digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ops
from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import (
    fresh,
    leaf_paths,
    name_of,
    remembered,
    site_of,
    symbolic,
    transformed,
)
from autograph.api.function import GraphFunction
from autograph.api.trees import flatten, has_type, leaf_type
from autograph.api.type_parameters import P, R
from autograph.errors import Location, OptionError
from autograph.graph.graph import Graph, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.trace import subgraph
from autograph.transforms.precision.engine import Rounding
from autograph.transforms.precision.marks import Mark, can_be_low
from ops.elementwise.precision import format_name


@dataclass(frozen=True)
class Policy:
    """What is computed in low precision, for `precision`.

    Patterns name leaves of the arguments by their ways from the parameter on, as in
    ``"model.layers[0].weight"``. A ``*`` in a pattern is any text, and what stands below what a
    pattern names belongs to it.

    Attributes:
        compute: the format: ``"bfloat16"``, ``"float16"``, or the dtype.
        keep: a pattern, or several: leaves that keep their digits. Products with them are computed
            in full.
        cast: leaves that are rounded as they come in. Other leaves are rounded where they get into
            a product, but sums with them are of float32.

    Raises:
        OptionError: it is another format, or what should be patterns are none.

    Examples:
        >>> ag.Policy("float16", keep="model.head").keep
        ('model.head',)
    """

    compute: Any = "bfloat16"
    keep: str | Sequence[str] = ()
    cast: str | Sequence[str] = ()

    def __post_init__(self) -> None:
        try:
            name = format_name(self.compute)
        except (TypeError, ValueError):
            raise _refused(
                f"there is no computing in {self.compute!r}", 'choose "bfloat16" or "float16"'
            ) from None
        object.__setattr__(self, "compute", name)
        for field in ("keep", "cast"):
            object.__setattr__(self, field, patterns_of(getattr(self, field), field))


def patterns_of(given: str | Sequence[str], field: str) -> tuple[str, ...]:
    """Patterns that name leaves.

    Raises:
        OptionError: they are no texts.
    """
    patterns = (given,) if isinstance(given, str) else given
    if not isinstance(patterns, (tuple, list)) or not all(
        isinstance(pattern, str) for pattern in patterns
    ):
        raise _refused(
            f"{field} is {given!r}, which names no leaves",
            f'name them by a text, or several: {field}=("model.head", "*.norm")',
        )
    return tuple(patterns)


def _refused(message: str, fix: str) -> OptionError:
    return OptionError(message, id="AG0780", fix=fix)


@leaves_compiler
def precision(function: Callable[P, R], policy: Policy | str = "bfloat16") -> GraphFunction[P, R]:
    """A function that computes in low precision what bears it, and the rest as it does.

    * Operands and results of matrix products and convolutions are rounded to bfloat16 or float16;
      inside, products are added up in float32.
    * Between them sums, products, quotients, roots, ``tanh``, ``sin``, ``cos``, ``arctan`` are
      rounded likewise where all arrays that they are computed of are; of an array with more digits
      they are computed in full, as NumPy's promotion has it. What moves, chooses or compares
      numbers leaves them as they are.
    * All else is computed in full, and is not rounded: sums, means, norms, softmax, logarithms,
      exponentials, powers, losses, what loops carry. So a function without products is left as it
      is, unless the policy casts arguments.

    No dtype changes: parameters, gradients and results are float32 where they were. Numbers are
    those of the narrow format, kept in float32 (see `ops.round_to`), which ``graph`` and
    ``program`` show. That tells on any machine what a model comes to in low precision; it is not
    faster, and takes no less memory. Of float64 it is the same, with sums in float64; other dtypes
    stay as they are.

    Args:
        function: a Python function, plain or converted, or a transform of one. A derivative of the
            result goes through products in low precision, too.
        policy: the format, or a `Policy`.

    Returns:
        A compiled function with the arguments of ``function``. Its results are new arrays.

    Raises:
        OptionError: the policy is none, or (when called) names a leaf that is not there.

    Examples:
        >>> x, w = np.float32([[1.0, 2.0]]), np.float32([[1.001], [0.1]])
        >>> ag.precision(lambda w: x @ w)(w)  # in float32 it is 1.201
        array([[1.203125]], dtype=float32)
        >>> loss = lambda w: np.sum((x @ w) ** 2)
        >>> ag.grad(ag.precision(loss, ag.Policy("float16")))(w)
        array([[2.4023438],
               [4.8046875]], dtype=float32)
    """
    if not isinstance(policy, Policy):
        if not isinstance(policy, str):
            raise _refused(
                f"the policy is {policy!r}", 'pass ag.Policy(...), or "bfloat16" or "float16"'
            )
        policy = Policy(policy)
    return _precision(function, policy)


@remembered
def _precision(function: Callable, policy: Policy) -> GraphFunction:
    def low(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = flatten((args, kwargs), has_type)
        marks = _marks(policy, leaves, leaf_paths(function, args, kwargs), site_of(function))
        given: dict[int, Mark] = {}
        for i, (leaf, mark) in enumerate(zip(leaves, marks)):
            if mark is not None:
                value = symbolic(leaf).value
                value = ops.round_to(value, policy.compute) if mark is Mark.LOW else value
                leaves[i] = GraphArray(value)
                given[id(leaves[i])] = mark

        def add(graph: Graph, arguments: Sequence[GraphArray]) -> list[Value]:
            values = [argument.value for argument in arguments]
            found = [given.get(id(argument), Mark.WIDE) for argument in arguments]
            return Rounding(policy.compute).run(graph, values, found)[0]

        new_args, new_kwargs = spec.unflatten(leaves)
        traced, arguments = subgraph(
            function, name_of(function), new_args, new_kwargs, "computed in low precision", add
        )
        outputs = add(traced.module.main, arguments)
        boxes = fresh(outputs, [argument.value for argument in arguments])
        return traced.delivery.deliver([GraphArray(value) for value in boxes])

    return transformed(low, function, "precision")


def _marks(
    policy: Policy, leaves: Sequence[Any], paths: Sequence[str], site: Location | None
) -> list[Mark | None]:
    """For each leaf of the arguments its mark; None if it is no array that low precision is about.

    Raises:
        OptionError: a pattern names none.
    """
    kept = picked(policy.keep, leaves, paths, site)
    low = picked(policy.cast, leaves, paths, site)
    return [
        None
        if not _is_float(leaf)
        else Mark.KEPT
        if i in kept
        else Mark.LOW
        if i in low
        else Mark.WIDE
        for i, leaf in enumerate(leaves)
    ]


def picked(
    patterns: Sequence[str], leaves: Sequence[Any], paths: Sequence[str], site: Location | None
) -> set[int]:
    """The positions of the arrays of floats that patterns name.

    Raises:
        OptionError: a pattern names none.
    """
    floats = {i: path for i, path in enumerate(paths) if _is_float(leaves[i])}
    found: set[int] = set()
    for pattern in patterns:
        fitting = {i for i, path in floats.items() if _fits(pattern, path)}
        if not fitting:
            shown = ", ".join([*floats.values()][:8]) or "none"
            raise OptionError(
                f"the pattern {pattern!r} names no array of floats among the arguments",
                site,
                id="AG0781",
                fix=f"name one of these: {shown}",
            )
        found |= fitting
    return found


def _is_float(leaf: Any) -> bool:
    type = leaf_type(leaf)
    return type is not None and can_be_low(type)


def _fits(pattern: str, path: str) -> bool:
    """Whether a pattern names a leaf, or something that it is in."""
    text = ".*".join(map(re.escape, pattern.split("*")))
    return re.fullmatch(rf"{text}([.\[].*)?", path, re.DOTALL) is not None
