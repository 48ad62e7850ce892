"""Generator functions of the user's, called from converted code.

They are not converted: their own control flow has to be static. What they capture is seen as the
tracer sees it, and their items may be symbolic.
"""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING, Any

from autograph.source.free import Surroundings
from autograph.source.parse import nested_codes
from autograph.staging.guards import same_contents

if TYPE_CHECKING:
    from autograph.staging.tracer import Tracer

import ops


def instantiated(tracer: Tracer, function: types.FunctionType) -> types.FunctionType:
    """The function with symbolic arrays in the place of those it captures."""
    around = Surroundings(function, (), ops)
    names = {name for code in nested_codes(function.__code__) for name in code.co_names}

    def captured(name: str) -> Any:
        tracer.guards.append(same_contents(functools.partial(around.value, name)))
        return tracer.capture(name, around.value(name))

    data = [n for n in names if n in function.__globals__ and around.variable(n).is_data]
    variables = {**function.__globals__, **{name: captured(name) for name in data}}
    cells = tuple(
        types.CellType(captured(name)) if around.variable(name).is_data else cell
        for name, cell in around.cells.items()
    )
    made = types.FunctionType(
        function.__code__, variables, function.__name__, function.__defaults__, cells
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made
