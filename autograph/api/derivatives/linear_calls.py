"""Calls of linear functions that come with their transpose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.api.derivatives.custom_regions import CustomCall
from autograph.graph.graph import Graph
from autograph.staging.ground.errors import defined_at
from autograph.staging.ground.recorder import active_recorder, recorder
from ops.control import regions


def linear_call(function: Callable[[Any], Any], transpose: Callable[[Any], Any], x: Any) -> Any:
    """``function(x)``, whose derivatives of all orders are calls of the two functions.

    Args:
        function: linear in its argument: an array or number of floats or complex numbers, as its
            result is. What it captures is a constant to all derivatives.
        transpose: takes what ``function`` returns, and returns what that takes.
        x: the argument.

    Returns:
        The result.

    Raises:
        CustomRuleError: ``transpose`` returns something else than it should.
    """
    if active_recorder() is None:
        return function(x)
    if not recorder().transformed.derivatives:
        return recorder().call(function, (x,), {})
    call = CustomCall(function, (x,), ())

    def transposed() -> list[Graph]:
        with call.region("transpose", derivatives=0) as builder:
            ct = call.result_cotangents(builder)
            result = call.apply(transpose, [ct]).result
            cotangents = call.argument_cotangents((result,), call.arguments, transpose)
            return [builder.finish(cotangents, defined_at(transpose))]

    return call.record(regions.linear_call, transposed)
