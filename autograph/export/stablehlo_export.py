"""A compiled function as a module of StableHLO."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograph.api.calls.tracebacks import leaves_compiler
from autograph.errors import MissingLibraryError
from autograph.export.results import exported
from autograph.export.stablehlo_module.module import module_text
from autograph.export.stablehlo_module.text import refuse


@dataclass(frozen=True)
class StableHLO:
    """A function as a module of StableHLO.

    Attributes:
        text: the module, as MLIR; its function is ``main``.
        inputs: what the arguments of ``main`` are called, by their paths.
        outputs: what its results are called.
        checked: whether ``main`` has one more result, a bool: whether all went well. It is false
            where Python would raise, and then the others mean nothing.
    """

    text: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    checked: bool

    def __str__(self) -> str:
        return self.text

    def serialize(self, version: str | None = None) -> bytes:
        """The module as a portable artifact, which other versions of StableHLO read.

        Args:
            version: of StableHLO, such as ``"1.0.0"``; by default that of the library that is
                there.

        Raises:
            MissingLibraryError: jaxlib, which has a library of StableHLO, is not installed.
        """
        try:
            library: Any = importlib.import_module("jaxlib.mlir.dialects.stablehlo")
        except ImportError:
            raise MissingLibraryError(
                "an artifact of StableHLO is written by jaxlib, which is not installed",
                fix="pip install jaxlib, or use the text: str(ag.export.stablehlo(f, ...))",
            ) from None
        version = version or library.get_current_version()
        return bytes(library.serialize_portable_artifact_str(self.text, version))


@leaves_compiler
def stablehlo(
    function: Callable[..., Any], *args: Any, name: str | None = None, **kwargs: Any
) -> StableHLO:
    """A function, and what it calls, as a module of StableHLO, which XLA, IREE and others compile.

    The arguments of its ``main`` are the arrays and numbers in the arguments, named by their paths;
    its results those in the result, in their order. Arrays that the function finds outside are
    constants, as they are now. Shapes are known: a result whose shape only the run knows is refused
    with its line.

    An ``if`` that the run decides is a ``stablehlo.if``, a loop a ``stablehlo.while``. There are no
    exceptions: where Python may raise, ``main`` has one more result, see `StableHLO`.

    Args:
        function: any whose operators have a form in StableHLO.
        args, kwargs: arguments like those that it will have, see `GraphFunction.lower`.
        name: of the module, by default that of the function.

    Raises:
        UnsupportedFunctionError: an operator, a shape or a result has no form in StableHLO; it
            names the line.

    Examples:
        >>> def newton_sqrt(a):
        ...     x = a
        ...     while abs(x * x - a) > 1e-12:
        ...         x = 0.5 * (x + a / x)
        ...     return x
        >>> made = ag.export.stablehlo(newton_sqrt, np.float64(2.0))
        >>> "stablehlo.while" in made.text, made.inputs, made.outputs, made.checked
        (True, ('a',), ('x',), False)
    """
    made = exported(function, args, kwargs, refuse, with_lanes=True)
    found = module_text(made.module, made.inputs, made.results, name or made.module.main.name)
    return StableHLO(
        found[0], tuple(made.inputs), tuple(stem for stem, _ in made.results), found[1]
    )
