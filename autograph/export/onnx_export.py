"""A compiled function as a model of ONNX."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from autograph.api.calls.tracebacks import leaves_compiler
from autograph.errors import MissingLibraryError
from autograph.export.onnx_model.model import model
from autograph.export.onnx_model.refusals import refuse
from autograph.export.results import exported

if TYPE_CHECKING:
    from onnx import ModelProto


@leaves_compiler
def onnx(
    function: Callable[..., Any], *args: Any, name: str | None = None, **kwargs: Any
) -> ModelProto:
    """A function, and what it calls, as a model of ONNX (opset 21).

    Its inputs are the arrays and numbers in the arguments, named by their paths, such as
    ``model.layers[0].kernel``; Python's numbers are arrays without axes. Its outputs are the arrays
    and numbers in the result, in their order. Arrays that the function finds outside are
    initializers, as they are now.

    An ``if`` that the run decides is an ``If``, a ``while`` a ``Loop``; a counted loop that stacks
    a row of each trip is a ``Scan``. Gradients of functions with loops are functions, too: what a
    loop keeps for the way back is stacked. Where Python raises, the run ends with an error whose
    node is named after the exception and the line. What `autograph.quantize` rounds goes through
    ``QuantizeLinear`` and ``DequantizeLinear``; its weights are initializers of 4 or 8 bits.

    Args:
        function: any whose operators have a form in ONNX.
        args, kwargs: arguments like those that it will have, see `GraphFunction.lower`. A length
            that is named, as in ``ag.ShapeDtypeStruct(("n", 3), float)``, is a ``dim_param`` of
            that name: the model takes any from 2 on, and ends the run where another assumption does
            not hold under which the function was recorded.
        name: of the graph, by default that of the function.

    Returns:
        An ``onnx.ModelProto``: ``onnx.save(made, "f.onnx")`` writes it, and
        ``onnxruntime.InferenceSession(made.SerializeToString())`` runs it.

    Raises:
        UnsupportedFunctionError: an operator, a dtype or a result has no form in ONNX; it names the
            line.
        MissingLibraryError: the package onnx is not installed.

    Examples:
        >>> def newton_sqrt(a):
        ...     x = a
        ...     while abs(x * x - a) > 1e-12:
        ...         x = 0.5 * (x + a / x)
        ...     return x
        >>> made = ag.export.onnx(newton_sqrt, 2.0)
        >>> "Loop" in [node.op_type for node in made.graph.node]
        True
        >>> [given.name for given in made.graph.input]
        ['a']
    """
    library = _library()
    made = exported(function, args, kwargs, refuse, any_length=True)
    return model(library, made, name or made.module.main.name)


def _library() -> ModuleType:
    try:
        import onnx as library
        import onnx.helper
        import onnx.numpy_helper
    except ImportError:
        raise MissingLibraryError(
            "'ag.export.onnx' needs the package onnx, which is not installed",
            fix="pip install 'autograph-compiler[onnx]', or pip install onnx",
        ) from None
    return library
