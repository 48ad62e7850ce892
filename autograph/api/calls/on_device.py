"""Programs that run on a device: their arguments are moved there, and where it can be, the program
starts as one graph of the device's."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from autograph.codegen.program import Program
from autograph.errors import Location
from autograph.kernels import cuda
from autograph.kernels.cuda.use import captures_programs
from ops.control import meetings


def with_arguments(program: Program, outside: Collection[int], function: Callable) -> Callable:
    """A function of the program's, with arguments in the memory of the host moved to the device.

    Host arrays from outside the function are moved at each call as well, since they may have
    changed.

    Args:
        outside: the identities of what comes from outside.
    """
    backend = program.backend
    refreshed = _refreshed(program, outside)

    def call(*inputs: Any) -> Any:
        for name, data in refreshed.items():
            array = backend.from_host(data)
            for namespace in (program.namespace, program.native_namespace):
                namespace[name] = array
        return function(*[backend.from_host(x) if isinstance(x, np.ndarray) else x for x in inputs])

    return call


def as_graph(
    program: Program, outside: Collection[int], location: Location | None
) -> Callable[..., Any]:
    """The program's function with its kernels, which starts it as one graph where it can be.

    Args:
        outside: the identities of what comes from outside.
        location: of the user's function.
    """
    function = program.native
    if program.capturable is None or not captures_programs():
        return function
    known = program.capturable()
    if _refreshed(program, outside):  # which would be elsewhere at each call
        known = known._replace(why_not="an array of the host's, outside of it, is copied")
    agreed = lambda digest: meetings.executor[2](digest)
    for name, (calls, place) in program.pieces.items():
        names = program.native_namespace
        piece = cuda.Capturable("", calls)
        names[name] = cuda.as_graph(name, names[name], piece, place, agreed)
    return cuda.as_graph(program.name, function, known, location, agreed)


def _refreshed(program: Program, outside: Collection[int]) -> dict[str, Any]:
    """The arrays of the host's, from outside a function, that its program has."""
    return {
        name: data
        for name, data in program.constants.items()
        if id(data) in outside and not program.backend.is_array(data)
    }
