"""A compiled function as C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograph.api.calls.tracebacks import leaves_compiler
from autograph.export.header import OWN_TYPE, header
from autograph.export.whole import made_of
from autograph.kernels.c import print_c

_TYPES = """\
typedef int8_t int8;
typedef int16_t int16;
typedef int64_t int64;
typedef uint8_t uint8;
typedef uint16_t uint16;
typedef uint32_t uint32;
typedef uint64_t uint64;
"""


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


@leaves_compiler
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
    there is not memory enough. Arrays that the function finds outside are in it as they are now,
    and so are numbers among the arguments on which shapes depend: it does not take them.

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
    whole, printed = made_of(
        function,
        args,
        kwargs,
        name,
        lambda w: print_c(w.kernel, w.kernel.name, dict(w.constants), memory),
    )
    return CSource(
        _source(printed.text),
        header(printed.declaration, whole.main),
        printed.name,
        printed.reserved,
    )


def _source(text: str) -> str:
    used = sorted({m[1] for m in OWN_TYPE.finditer(text)})
    types = [line for line in _TYPES.splitlines() if line.rpartition(" ")[2].strip(";") in used]
    heads = ["#include <math.h>", "#include <stdbool.h>", "#include <stdint.h>"]
    if "memcpy" in text:
        heads.append("#include <string.h>")
    return "\n".join([*heads, "", *types, *([""] if types else []), text])
