"""Why something is no part of a kernel, and what would change it.

Whoever refuses something says so by one of the reasons below, with the particulars of the place.
The text is only put together when somebody asks for it (`GraphFunction.explain`, or the log): a
function is compiled without.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

from autograph.errors import Location
from autograph.graph.graph import Node
from ops.control.callbacks import io_callback, pure_callback, vectorized_callback
from ops.control.meetings import agree, meet, meet_in_sum
from ops.control.rows import append_row, drop_row, no_rows
from ops.core.records import dataclass
from ops.core.registry import Op
from ops.core.symbolic_lengths import is_length
from ops.random.numpy_streams import draw, draw_next, fresh, seeded
from ops.random.python_draws import python_draw

REASONS: dict[str, Reason] = {}


@dataclass(frozen=True)
class Reason:
    """One kind of refusal.

    Attributes:
        name: of the kind.
        text: why, in words of the user's, with fields for particulars.
        fix: what would change it, or that nothing is lost; with fields as well.
    """

    name: str
    text: str
    fix: str

    def __post_init__(self) -> None:
        REASONS[self.name] = self

    def of(self, location: Location | None = None, **particulars: Any) -> NoKernel:
        """This reason at a place.

        Args:
            particulars: for the fields of the text.
        """
        return NoKernel(self, location, particulars)


@dataclass(frozen=True)
class NoKernel:
    """Why one thing is no part of a kernel.

    Attributes:
        location: where, if that is another place than that of the node that is refused.
    """

    reason: Reason
    location: Location | None = None
    particulars: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return self.reason.text.format(**self._named)

    @property
    def fix(self) -> str:
        return self.reason.fix.format(**self._named)

    @property
    def _named(self) -> dict[str, Any]:
        """The particulars; of symbolic lengths, which have no number, what they are."""
        return {k: repr(x) if is_length(x) else x for k, x in self.particulars.items()}

    def __str__(self) -> str:
        return self.text


# -- what there is no native form of ---------------------------------------------------------------

OPERATOR = Reason(
    "operator",
    "there is no native form of the operator '{op}' of {types}: it is a call of the array library",
    "nothing is lost where the call itself takes the time; otherwise write it with operators that "
    "have one",
)
CALLBACK = Reason(
    "callback",
    "it calls Python ('{op}')",
    "write with NumPy what the callback computes, or call it outside of loops",
)
MEETING = Reason(
    "meeting",
    "processes meet there ('{op}')",
    "that is as it should be: what lies between two meetings is compiled by itself",
)
OUTPUT = Reason(
    "output",
    "'{op}' writes text, which Python does",
    "in loops, show numbers and arrays of known shapes, for which kernels call Python; otherwise "
    "take it out of the loop, or out of the function",
)
RANDOM = Reason(
    "random",
    "it draws from a generator of NumPy's ('{op}')",
    "in loops kernels draw numbers and arrays of known shapes; otherwise draw all at once before "
    "the loop, or draw with ops.random and a key",
)
RANDOM_OF_PYTHON = Reason(
    "random",
    "it draws from Python's own random numbers ('{op}')",
    "draw from a numpy.random.Generator, or with ops.random and a key",
)
LIST = Reason(
    "list",
    "the list '{name}' grows or shrinks here, which no kernel for CUDA does",
    "write into {name}[i] of an array made before the loop, of the greatest length it can have",
)
DTYPE = Reason(
    "dtype",
    "there are values of dtype {dtype}: kernels compute with bools, ints, float32 and float64",
    "use one of these dtypes where that is enough; of a complex number, two floats",
)
COMPLEX = Reason(
    "complex",
    "there are complex numbers, with which only kernels for the processor compute",
    "use two floats for each, or run it on the processor",
)
BIG_INT = Reason(
    "big int",
    "there is an int of more than 64 bits, or one that does not fit the dtype it meets",
    "use a float, as in 1e30",
)
UNKNOWN = Reason(
    "unknown length",
    "it has to do with an array whose length is known only at run time",
    "use arrays of known shapes: np.where(condition, x, 0) in place of x[condition], slices with "
    "known ends, or sums over them",
)
UNKNOWN_ALONE = Reason(
    "unknown length alone",
    "the length of an array here is known only at run time: it can be a part of the kernel of a "
    "whole loop or function, but none by itself",
    "see what else keeps the loop or function from being a kernel",
)
LARGE_UNKNOWN = Reason(
    "large unknown length",
    "an array has to be kept whose length is known only at run time, and that may be large",
    "use arrays of known shapes, or sum it up where it is made",
)
ADDS_UP = Reason(
    "adds up",
    "a loop that grows a list makes something in each trip that has to be freed at its end",
    "write into out[i] of an array made before the loop, or use arrays of known shapes in it",
)
RECURSION = Reason(
    "recursion",
    "'{op}' calls itself, which kernels for the processor do where all of it can be a part of one",
    "see what keeps the rest of it from that; in lanes, write a loop",
)
MEMORY = Reason(
    "memory",
    "there are arrays that do not fit the memory, of which NumPy tells",
    "use smaller arrays, or parts of them",
)
CONSTANT = Reason(
    "constant",
    "an array that is known when the function is recorded is changed or taken as a whole here",
    "pass it as an argument",
)
PRODUCT = Reason(
    "product",
    "it is a product of {types}, for which there is no function of BLAS",
    "give both the same dtype, float32 or float64; a product without elements costs nothing",
)

# -- gradients -------------------------------------------------------------------------------------

EARLIER = Reason(
    "earlier call",
    "it uses what an earlier call has left for its derivative",
    "compute both in one function, as ag.value_and_grad does",
)
KEPT = Reason(
    "kept",
    "what is kept for the backward pass {what}",
    "use arrays of known shapes in the loop, and a known number of trips if that can be",
)

KEPT_APART = Reason(
    "kept apart",
    "it leaves, or takes, what is kept for the backward pass, which has to be done by one kernel",
    "see what else keeps the loop around it, or the function, from being one kernel",
)

# -- what a kernel could compute, but must not, or need not ----------------------------------------

VIEW = Reason(
    "view",
    "its result is a view of an array from outside, or may be one",
    "a view costs nothing; return a copy (x.copy()) to have it computed in a kernel",
)
SHARED = Reason(
    "shared",
    "two results may be the same array after this branch or loop, which a kernel cannot return",
    "copy one of them: b = a.copy()",
)
ARGUMENT = Reason(
    "argument",
    "a result may be one of the arguments itself",
    "return a copy: x.copy()",
)
NO_AXES = Reason(
    "no axes",
    "a result is an array without axes, or no array, which a kernel does not give",
    "return a number: x[()] of an array without axes",
)
BLAS = Reason(
    "blas",
    "it is a matrix product by itself: a call of BLAS",
    "nothing to win",
)
LITTLE = Reason(
    "little",
    "it is too little work for a kernel: a single call of NumPy",
    "nothing to win",
)
MANY = Reason(
    "many",
    "there are more than {most} operations here: compiling them would take long",
    "roll what repeats into a loop over arrays: for i in range(n), with x[i]",
)
COPIES = Reason(
    "copies",
    "a function is called so often that its copies would be more than {most} operations",
    "call it in a loop, or with arrays",
)

# -- lanes -----------------------------------------------------------------------------------------

LANES = Reason(
    "lanes",
    "it is a function of lanes inside of another one's",
    "one ag.vmap inside of another runs as operators on all lanes",
)
LANE_SIZE = Reason(
    "lane size",
    "there is an array of {size} elements in each lane",
    "nothing is lost for large arrays without loops; in loops, split the work into smaller lanes",
)
LANE_PRODUCT = Reason(
    "lane product",
    "a library computes '{op}' for all lanes",
    "nothing to win",
)

# -- nothing is a kernel ---------------------------------------------------------------------------

UNAVAILABLE = Reason(
    "unavailable",
    "there are no native kernels: {why}",
    "see docs/kernels.md for where there are",
)

_OPERATORS: dict[Op, Reason] = {
    **dict.fromkeys((pure_callback, vectorized_callback, io_callback), CALLBACK),
    **dict.fromkeys((append_row, drop_row), LIST),
    no_rows: LITTLE,
    **dict.fromkeys((meet, meet_in_sum, agree), MEETING),
    **dict.fromkeys((draw, draw_next, fresh, seeded), RANDOM),
    python_draw: RANDOM_OF_PYTHON,
}


def of_operator(node: Node) -> NoKernel:
    """That there is no native form of an operator."""
    op = node.op
    reason = OUTPUT if op.effect == "shows" else _OPERATORS.get(op, OPERATOR)
    types = _listed(v.type for v in node.inputs)
    name = node.inputs[0].name if node.inputs else None  # that of a list, if it grows
    return reason.of(node.location, op=op.name, types=types, name=name or "out")


def of_dtypes(op: Op, dtypes: Iterable[Any]) -> NoKernel:
    """That there is no native form of an operator in the dtypes in which it computes."""
    return OPERATOR.of(op=op.name, types=_listed(dtypes))


def of_product(node: Node) -> NoKernel:
    """That there is no native form of a product of matrices."""
    return PRODUCT.of(node.location, types=" and ".join(str(v.type) for v in node.inputs))


def _listed(things: Iterable[Any]) -> str:
    return ", ".join(map(str, things)) or "nothing"
