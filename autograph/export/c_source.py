"""A compiled function as C."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.api.function import GraphFunction, to_graph
from autograph.errors import UnsupportedFunctionError
from autograph.graph.builder import graph_of
from autograph.graph.graph import Constant, Graph, Module, Value, walk
from autograph.kernels.c import print_c
from autograph.kernels.cuda.names import identifier
from autograph.kernels.lowering import CannotLower, lower
from autograph.transforms.simplify.erase import without_marks
from ops.core.types import ArrayType

_TYPES = """\
typedef int8_t int8;
typedef int16_t int16;
typedef int64_t int64;
typedef uint8_t uint8;
typedef uint16_t uint16;
typedef uint32_t uint32;
typedef uint64_t uint64;
"""
_OWN_TYPE = re.compile(r"\b(u?int(8|16|32|64))\b")


@dataclass(frozen=True)
class CSource:
    """A function in C99.

    Attributes:
        source: its text, which is all that there is to compile; it needs no library but that of
            ``<math.h>``.
        header: its declaration, with what it takes and gives.
        name: what it is called.
        memory: how many bytes it may use besides its variables.
    """

    source: str
    header: str
    name: str
    memory: int

    def __str__(self) -> str:
        return self.source


def c(
    function: Callable[..., Any],
    *args: Any,
    name: str | None = None,
    memory: int = 0,
    **kwargs: Any,
) -> CSource:
    """A function, and what it calls, as one function of C.

    It takes the arguments as Python does, numbers by value and arrays as pointers to elements in
    the order of C, one after the other where they are nested, and then where to put the results.
    It returns 0; or 1 where Python would raise, as for an index that is out of range; or 2 where
    there is not memory enough. Arrays that the function finds outside are in it as they are now.

    It calls itself for nobody else: of one function only one call may run at a time. Sums are in
    the order of the elements, so that last digits may differ from those of a kernel. With GCC,
    compile it with ``-std=c99`` or ``-ffp-contract=off``, so that it rounds as NumPy does.

    Args:
        function: any that is a native kernel as a whole; gradients and lanes of functions are.
        args, kwargs: arguments like those that it will have, see `GraphFunction.lower`.
        name: of the function of C, by default that of the function.
        memory: how many bytes there are for what loops keep whose trips only the run counts, as
            those of a gradient do.

    Raises:
        UnsupportedFunctionError: a line has no native form, or more memory is needed than is known.

    Examples:
        >>> def bounced(h, v, steps):
        ...     for _ in range(steps):
        ...         v = v - 9.81e-3
        ...         h = h + 1e-3 * v
        ...         if h < 0.0:
        ...             h, v = -h, -0.8 * v
        ...     return h
        >>> made = ag.export.c(bounced, 1.0, 0.0, 1000)
        >>> print(made.header)  # doctest: +ELLIPSIS
        #ifndef BOUNCED_H
        ...
        // takes
        //   h: float64
        //   v: float64
        //   steps: int64
        // gives
        //   h: float64
        // returns 0, or 1 where Python would raise, or 2 where memory is not enough
        int bounced(double h, double v, int64_t steps, double h2[1]);
        ...
    """
    compiled = function if isinstance(function, GraphFunction) else to_graph(function)
    lowered = compiled.lower(*args, **kwargs)
    own = lowered.traced.module.main.name
    if lowered.traced.changed or lowered.traced.delivery.changed:
        raise _refused(
            f"'{own}' changes its arguments",
            lowered.traced.module.main.location,
            "return what has changed: x = x.copy(); x[0] = 1.0; return x",
        )
    module = without_marks(lowered.graph)
    constants = list(_array_constants(module))
    main = module.main
    _check_results(main)
    inputs = (*main.inputs, *constants)
    graph = graph_of(main.name, inputs, main.nodes, main.outputs, main.location)
    called = identifier(name or own, "function")
    try:
        kernel = lower(graph, called, module.graphs)
        tables = {len(main.inputs) + i: np.asarray(v.data) for i, v in enumerate(constants)}
        made = print_c(kernel, called, tables, memory)
    except CannotLower as refused:
        why = refused.why
        raise _refused(
            f"'{own}' is no function of C: {why}",
            why.location or main.location,
            why.fix,
        ) from None
    except NotImplementedError as error:
        raise _refused(
            f"'{own}' is no function of C: {error}",
            main.location,
            "write it with functions that C has",
        ) from None
    return CSource(
        _source(made.text), _header(called, made.declaration, main), called, made.reserved
    )


def _array_constants(module: Module) -> Iterator[Constant]:
    found: dict[int, Constant] = {}
    for node in walk(module.main):
        for value in (*node.inputs, *(v for region in node.regions for v in region.outputs)):
            if isinstance(value, Constant) and value.is_array:
                found.setdefault(id(value), value)
    return iter(found.values())


def _check_results(main: Graph) -> None:
    for value in main.outputs:
        if not isinstance(value.type, ArrayType) or not value.type.is_static:
            raise _refused(
                f"'{main.name}' returns what only the run knows the shape of",
                main.location,
                "write to an array that is made before the loop: out[i] = x",
            )
        if value.producer is None:
            raise _refused(
                f"'{main.name}' returns an argument, or what does not depend on any",
                main.location,
                "leave it out of the results, or return a copy: x.copy()",
            )


def _source(text: str) -> str:
    used = sorted({m[1] for m in _OWN_TYPE.finditer(text)})
    types = [line for line in _TYPES.splitlines() if line.rpartition(" ")[2].strip(";") in used]
    heads = ["#include <math.h>", "#include <stdbool.h>", "#include <stdint.h>"]
    if "memcpy" in text:
        heads.append("#include <string.h>")
    return "\n".join([*heads, "", *types, *([""] if types else []), text])


def _header(name: str, declaration: str, main: Graph) -> str:
    standard = _OWN_TYPE.sub(lambda m: f"{m[1]}_t", declaration)
    guard = (
        f"{re.sub(r'[^A-Z0-9]', '_', standard.partition('(')[0].removeprefix('int ').upper())}_H"
    )
    given = [f"//   {_described(v)}" for v in main.inputs]
    found = [f"//   {_described(v)}" for v in main.outputs]
    lines = [
        "// takes",
        *given,
        "// gives",
        *found,
        "// returns 0, or 1 where Python would raise, or 2",
    ]
    lines[-1] += " where memory is not enough"
    return "\n".join(
        [
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            "#include <stdbool.h>",
            "#include <stdint.h>",
            "",
            *lines,
            f"{standard};",
            "",
            "#endif",
            "",
        ]
    )


def _described(value: Value) -> str:
    type = value.type
    assert isinstance(type, ArrayType)
    shape = f"[{', '.join(map(str, type.shape))}]" if type.shape else ""
    return f"{value.name or 'a result'}: {type.dtype}{shape}"


def _refused(message: str, place: Any, fix: str) -> UnsupportedFunctionError:
    return UnsupportedFunctionError(message, place, id="AG0750", fix=fix)
