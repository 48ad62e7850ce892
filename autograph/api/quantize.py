"""`quantize`: a function whose products are computed with integers times a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import (
    fresh,
    leaf_paths,
    name_of,
    site_of,
    symbolic,
    transformed,
)
from autograph.api.function import GraphFunction
from autograph.api.precision import patterns_of, picked
from autograph.api.trees import flatten, has_type
from autograph.errors import OptionError
from autograph.graph.graph import Graph, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.trace import subgraph
from autograph.transforms.quantization.engine import (
    Calibrating,
    Precision,
    Quantizing,
    Ranges,
    Rebuilding,
)


@leaves_compiler
def quantize(
    function: Callable,
    calibration: Iterable[Any],
    *,
    weights: int = 8,
    activations: int | None = 8,
    symmetric: bool = False,
    group: int | None = None,
    train: str | Sequence[str] = (),
) -> GraphFunction[..., Any]:
    """A function whose matrix products and convolutions take numbers of few bits.

    * Arrays that the function finds outside, such as the weights of a model, are stored as
      integers, with a step for each channel or for each group of neighbours. Two of 4 bits share a
      byte.
    * What is computed as the program runs is rounded to a grid of integers times a step, one for
      each place in the program, from the least to the largest number that calibration has seen
      there.
    * All else is computed as it is. No dtype changes, and products are added up in float32: that
      tells on any machine what a model comes to in few bits.

    Args:
        function: a Python function, a model that can be called, or a transform of one.
        calibration: what it will be called with, for each call a tuple of its arguments, or its
            only argument. It is called with all of them now.
        weights: how many bits a weight has, 2 to 8.
        activations: how many other operands have, 2 to 8; None for all that they have.
        symmetric: whether the grid of activations is the same on both sides of 0.
        group: how many weights, along the axis that is summed, share a step; those of a channel by
            default, and where their number is no multiple of it.
        train: a pattern, or several, of arguments that are weights, as for `Policy`: they are
            rounded at each call, with steps of their own, and the derivative is that of numbers
            that are not (training that knows of the rounding).

    Returns:
        A compiled function with the arguments of ``function``. Its results are new arrays.

    Raises:
        OptionError: a number of bits is none of these, there is nothing to calibrate with, or
            numbers are not finite.
        UnsupportedFunctionError: a function that calls itself has products.

    Examples:
        >>> w = np.float32([[1.0, -0.5], [0.25, 2.0]])
        >>> small = ag.quantize(lambda x: x @ w, [np.float32([[1.0, 2.0]])])
        >>> small(np.float32([[1.0, 2.0]])).round(2)  # in float32 it is [[1.5, 3.5]]
        array([[1.5, 3.5]], dtype=float32)
    """
    precision = Precision(_bits(weights, "weights"), activations, symmetric, group)
    if activations is not None:
        _bits(activations, "activations")
    if group is not None and group < 1:
        raise _refused(f"group is {group!r}", "share a step among 32 weights: group=32")
    patterns = patterns_of(train, "train")
    ranges = Ranges()
    calibrating = _rebuilt(
        function, patterns, lambda trained: Calibrating(ranges, trained), "calibrate"
    )
    samples = [x if isinstance(x, tuple) else (x,) for x in calibration]
    if not samples:
        raise _refused(
            "there is nothing to calibrate with", "give arguments that it will be called with"
        )
    for sample in samples:
        calibrating(*sample)
    for number, least in ranges.least.items():
        if not np.isfinite(least) or not np.isfinite(ranges.largest[number]):
            raise OptionError(
                "an operand of a product is not finite for what quantize calibrates with",
                ranges.places[number],
                id="AG0785",
                fix="leave out samples with NaN or infinities",
            )
    return _rebuilt(
        function, patterns, lambda trained: Quantizing(ranges, precision, trained), "quantize"
    )


def _rebuilt(
    function: Callable,
    patterns: Sequence[str],
    engine: Callable[[Iterable[Value]], Rebuilding],
    prefix: str,
) -> GraphFunction:
    def other(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = flatten((args, kwargs), has_type)
        trained = picked(patterns, leaves, leaf_paths(function, args, kwargs), site_of(function))
        are_trained: set[int] = set()
        for i, leaf in enumerate(leaves):
            if i in trained:
                leaves[i] = symbolic(leaf)
                are_trained.add(id(leaves[i]))

        def add(graph: Graph, arguments: Sequence[GraphArray]) -> list[Value]:
            weights = [v for v, a in zip(graph.inputs, arguments) if id(a) in are_trained]
            return engine(weights).run(graph, [argument.value for argument in arguments])

        new_args, new_kwargs = spec.unflatten(leaves)
        traced, arguments = subgraph(
            function, name_of(function), new_args, new_kwargs, "quantized", add
        )
        outputs = add(traced.module.main, arguments)
        boxes = fresh(outputs, [argument.value for argument in arguments])
        return traced.delivery.deliver([GraphArray(value) for value in boxes])

    return transformed(other, function, prefix)


def _bits(number: int, name: str) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 2 <= number <= 8:
        raise _refused(f"{name} has {number!r} bits", f"choose 8, or 4: {name}=8")
    return number


def _refused(message: str, fix: str) -> OptionError:
    return OptionError(message, id="AG0784", fix=fix)
