"""`vjp`: the value of a function, and the function that takes cotangents back to its arguments.

Called while a function is recorded, `vjp` adds the forward pass to the recording, and the function
that it returns adds the backward pass where it is called. Called eagerly, the forward pass is a
compiled function that also returns the residuals, and the backward pass is another one, compiled
when it is first called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.budgets import as_bytes, within
from autograph.api.derivatives.common import fresh, parameters_of, remembered, transformed
from autograph.api.derivatives.linear_maps import LinearMap, own_values, split_off
from autograph.api.derivatives.recorded_calls import RecordedCall, Tree, symbolic_leaves
from autograph.api.derivatives.residuals import KeptResidual
from autograph.api.function import GraphFunction
from autograph.api.trees import flatten
from autograph.api.type_parameters import Aux, R, X, Y
from autograph.errors import Location, TangentError, UnsupportedFunctionError
from autograph.graph.builder import Builder
from autograph.graph.graph import Graph, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.delivery import OUTPUT, Delivery
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.ground.recorder import active_recorder, recorder
from autograph.staging.lists.lists import is_rows
from autograph.transforms.lanes.parts import outlined_for_lanes
from autograph.transforms.reverse.tape import instantiate
from autograph.transforms.vjp import vjp as transform
from ops.core.operands import operand_type


@overload
def vjp(
    function: Callable[[X], R],
    x: X,
    /,
    *,
    has_aux: Literal[False] = False,
    memory: int | str | None = None,
) -> tuple[R, Callable[[Any], tuple[X]]]: ...


@overload
def vjp(
    function: Callable[[X, Y], R],
    x: X,
    y: Y,
    /,
    *,
    has_aux: Literal[False] = False,
    memory: int | str | None = None,
) -> tuple[R, Callable[[Any], tuple[X, Y]]]: ...


@overload
def vjp(
    function: Callable[..., R],
    *args: Any,
    has_aux: Literal[False] = False,
    memory: int | str | None = None,
) -> tuple[R, Callable[[Any], tuple[Any, ...]]]: ...


@overload
def vjp(
    function: Callable[..., tuple[R, Aux]],
    *args: Any,
    has_aux: Literal[True],
    memory: int | str | None = None,
) -> tuple[R, Callable[[Any], tuple[Any, ...]], Aux]: ...


@overload
def vjp(
    function: Callable, *args: Any, has_aux: bool, memory: int | str | None = None
) -> tuple[Any, ...]: ...


@leaves_compiler
def vjp(
    function: Callable, *args: Any, has_aux: bool = False, memory: int | str | None = None
) -> tuple:
    """The value of a function, and its derivative as a function from cotangents to cotangents.

    Args:
        function: a Python function, plain or converted.
        args: its arguments: nested tuples, lists, dicts and objects of arrays, numbers and anything
            else.
        has_aux: the function returns a pair, of which only the first is differentiated.
        memory: how much may be kept of what loops compute, as for `grad`.

    Returns:
        ``(out, pull)``; with ``has_aux``, ``(out, pull, aux)``. ``pull(cotangent)`` takes
        something nested like ``out``, with for each floating-point or complex array or number one
        of the same shape and dtype (Python numbers fit any of their kind), or None for zero,
        and None for everything else. It returns a tuple with an item for each of ``args``, nested
        like that, with None for what has no derivative. It may be called many times. Neither
        changing ``args`` nor changing ``out`` afterwards changes what it does.

        For complex numbers the rules are C-linear, as in JAX: the cotangent of ``z = x + iy`` under
        a real function f is ``ct * (df/dx - i df/dy)``.

    Raises:
        TangentError: (when ``pull`` is called) the cotangents don't fit the result.
        OptionError: as for `grad`.
        UnsupportedFunctionError: called eagerly, the result is a list, or something that may be
            None, whose contents are known only at run time.

    Examples:
        >>> out, pull = ag.vjp(lambda x, y: x * y, 2.0, np.array([3.0, 4.0]))
        >>> out
        array([6., 8.])
        >>> pull(np.array([1.0, 10.0]))
        (43.0, array([ 2., 20.]))
    """
    if active_recorder() is not None:
        with within(as_bytes(memory)):
            back = Reverse(function, args, {}, list(range(len(args))), has_aux)
        value = back.result.tree
        return (value, back.pull, back.aux) if has_aux else (value, back.pull)
    forward = _forward(function, bool(has_aux), as_bytes(memory))
    value, aux, residuals, backward = forward(*args)
    pull = Pullback(LinearMap(backward, residuals, value, args, forward.options["backend"]))
    return (value, pull, aux) if has_aux else (value, pull)


class Reverse:
    """A function recorded with its derivative in reverse mode, inside a recording.

    Args:
        wanted: the positions of the arguments to differentiate by.
        apart: what control flow leaves for the backward pass shares no memory with the arguments.

    Attributes:
        arguments: those to differentiate by.
        result, aux: what the function returned; aux is None without ``has_aux``.
        site: where the function is defined.
    """

    of_a_recording = True  # so `pull` is not returned from it

    def __init__(
        self,
        function: Callable,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        wanted: Sequence[int],
        has_aux: bool,
        apart: bool = False,
    ):
        names = parameters_of(function, len(args))
        self.arguments = [symbolic_leaves(args[position], names[position]) for position in wanted]
        self._floats = [leaf for argument in self.arguments for leaf in argument.floats]
        args = list(args)
        for position, argument in zip(wanted, self.arguments):
            args[position] = argument.tree
        call = self._call = RecordedCall(function, args, kwargs, once=True)
        self.site = call.site
        values = own_values(call.graph, call.values) if apart else call.values
        if recorder().transformed.lanes:
            call.graph = outlined_for_lanes(call.graph, recorder().capabilities)
        active = {id(leaf) for leaf in self._floats}
        flags = [id(argument) in active for argument in call.arguments]
        first = has_aux and _is_first(call.delivery)
        chosen = [not first or not k for k in range(len(call.graph.outputs))]
        call.warn_of_decisions(flags, [v for v, flag in zip(call.graph.outputs, chosen) if flag])
        outputs, self._pullback = transform(call.graph, values, flags, chosen)
        self.result, self.aux = call.result(outputs, has_aux)

    def pull(self, *cotangents: Any) -> tuple:
        """The cotangents of the arguments, given that of the value: what `vjp` returns."""
        cotangent = _single(cotangents, self.site)
        seeds = self.result.derivatives(cotangent, "the cotangents", "a cotangent", self.site)
        return self.trees(seeds)

    def trees(self, seeds: Sequence[Value | None]) -> tuple:
        """As `backward`, nested as the arguments are."""
        cotangents = map(GraphArray, self.backward(seeds))
        return tuple(argument.nested(cotangents) for argument in self.arguments)

    def backward(self, seeds: Sequence[Value | None]) -> list[Value]:
        """The cotangents of the arguments' floats, as new arrays, given those of the value's."""
        by_argument = self._pullback(self.result.by_output(seeds))
        found = self._call.of_arrays(self._floats, by_argument)
        cotangents = instantiate(found, [leaf.value for leaf in self._floats])
        return fresh(cotangents, [*self._call.values, *(v for v in seeds if v is not None)])


def _is_first(delivery: Delivery) -> bool:
    """Whether the first item of a pair is one array or number: then it is the first output."""
    pair = delivery.structure.parts[0]
    return isinstance(pair, TupleOf) and pair.parts[0] is LEAF and delivery.sources[0] is OUTPUT


def _single(cotangents: tuple, site: Location | None) -> Any:
    """The cotangent that a pullback is called with."""
    if len(cotangents) != 1:
        raise TangentError(
            "what vjp returns takes one argument, the cotangent of the result, nested as that is; "
            f"it is called with {len(cotangents)}",
            site,
            id="AG0506",
            fix="pass one tuple of cotangents if the result is a tuple",
        )
    return cotangents[0]


# -- called eagerly --------------------------------------------------------------------------------


class Pullback:
    """What `vjp` returns when called eagerly: a function from cotangents to cotangents."""

    def __init__(self, linear: LinearMap):
        self._linear = linear

    @property
    def residuals(self) -> tuple[KeptResidual, ...]:
        """What the forward pass has left: names, types, bytes and places."""
        return self._linear.kept

    @leaves_compiler
    def __call__(self, *cotangents: Any) -> tuple:
        """The cotangents of the arguments, given that of the value; see `vjp`."""
        cotangent = _single(cotangents, self._linear.site)
        return self._linear(cotangent, "the cotangents", "a cotangent")


@remembered
def _forward(function: Callable, has_aux: bool, memory: int | None) -> GraphFunction:
    def forward(*args: Any) -> tuple:
        with within(memory):
            back = Reverse(function, args, {}, list(range(len(args))), has_aux, apart=True)
        _refuse_unknown_nesting(back)
        result = back.result
        value, residuals, linear = split_off(_template(back), result.tree, result, back.site)
        linear.result = _with_rows(args)
        return value, back.aux, residuals, linear

    return transformed(forward, function, "vjp", takes_lists=True)


def _refuse_unknown_nesting(back: Reverse) -> None:
    if not back.result.is_known:
        raise UnsupportedFunctionError(
            "the function returns a list whose length, or a container whose presence, is known "
            "only at run time: so is which cotangents there are",
            back.site,
            id="AG0508",
            fix="return an array, for example np.array(xs), or call vjp in a compiled function",
        )


def _with_rows(args: tuple) -> Tree | None:
    """The arguments, if there are lists among them that are kept as rows.

    Raises:
        UnsupportedFunctionError: there are objects as well, which the caller's ones tell apart.
    """
    tree = Tree(args)
    if not any(map(is_rows, flatten(args, is_leaf=is_rows)[0])):
        return None
    if any(tree.is_inside):
        raise UnsupportedFunctionError(
            "vjp is called with objects that hold floats, and with a list that is kept as an array",
            user_location(),
            id="AG0508",
            fix="take an array in its place, for example np.array(xs)",
        )
    return tree


def _template(back: Reverse) -> Graph:
    """The backward pass as a graph from the cotangents of the value's leaves to those of the
    arguments' leaves, where these have any. What it captures are the residuals."""
    with Builder("pull") as builder:
        seeds = [builder.input(operand_type(leaf)) for leaf in back.result.floats]
        return builder.finish(back.backward(seeds))
