"""The operators of the graph that hold regions, and those on residual packs and stacks.

A region is a graph nested in a node. It may refer to any value visible where the node stands; which
ones it does refer to is the region's ``captures`` field.

==============  ====================  ==========================================================
operator        inputs                regions
==============  ====================  ==========================================================
``cond``        predicate             ``then()``, ``else()``: the node's results
``while_loop``  initial state         ``test(*state)``: a scalar; ``body(*state)``: the next state
``for_loop``    count, initial state  ``body(i, *state)``: the next state, for i = 0 ... count - 1
``call``        arguments             none; the attribute ``callee`` names a graph of the module
``custom_vjp``  arguments             ``primal(*args)``: the node's results; ``forward(*args)``: the
                                      same, then residuals; ``backward(*residuals, *cotangents)``;
                                      perhaps ``rule`` as below
``custom_jvp``  arguments             ``primal(*args)``: the node's results; ``rule(*args,
                                      *tangents)``: the same, then tangents
``linear_call`` arguments             ``function(*args)``: the node's results;
                                      ``transpose(*cotangents)``: the cotangents of the arguments
``checkpoint``  none                  ``body()``: the node's results
``lanes``       arguments             ``lane(*args)``: the node's results for one lane; perhaps
                                      ``batched(*args)``: the results for all lanes at once
==============  ====================  ==========================================================

The custom ones stand for functions whose derivative the user has written. Transforms ask for the
other regions; the program runs the first (see `autograph.transforms.simplify.erase`). There is a
cotangent, and a tangent, for each result, and for each argument, that is floating-point or complex,
in their order; it has the type of what it belongs to. ``backward`` gives cotangents of the
arguments. None is ever left out: what is zero is there as zeros.

A ``linear_call`` is one of a linear function, whose arguments and results are all floating-point
or complex. Its derivatives by the arguments, of any order, are calls of the same function and of
its transpose; what the regions capture is a constant to all of them.

What a ``checkpoint`` computes is computed again for its backward pass, see
`autograph.transforms.reverse.checkpoint`. The attribute ``policy`` says what is kept nevertheless:
None for nothing, or a function of `autograph.checkpoint_policies`. A loop with the attribute
``checkpoint``, "sqrt", "log" or a number of snapshots, keeps only some of its states for its
backward pass, see `autograph.transforms.reverse.checkpointed_loops`.

A ``lanes`` node applies a function to lanes, each of which goes its own way through the control
flow in it: what becomes a loop over lanes in a native kernel. The attribute ``sizes`` tells how
many there are: as a tuple, since lanes of lanes have several axes. ``axes`` tells for each argument
which of these axes it has, as its first ones, in their order; ``lane`` takes what one lane has of
it. Along the other axes it is the same for all lanes. All results have the lanes first, and memory
of their own. The regions capture nothing. ``batched`` computes the same by operators on all lanes,
for where there is no kernel; see `autograph.transforms.lanes.node`.

Residuals are what a forward pass leaves for its backward pass. A *pack* is a tuple of values. A
*stack* of packs is either ``None`` (empty) or a pair (rest, top), so pushing shares everything
below. In the role of a cotangent, ``None`` stands for zero: a zero pack, a zero slot of a pack, or
a stack of any number of zero packs. The derivative of packing is unpacking, of pushing popping, and
the reverse of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ops.core import kernels
from ops.core.operands import operand_type
from ops.core.registry import ALL_OPERANDS, Custom, Linear
from ops.core.texts import shape_text
from ops.core.types import ArrayType, PackType, StackType, python_type
from ops.structure.lanes import all_with_lanes

PACK, STACK = PackType(), StackType()


class Structured(Custom):
    """An operator with regions or a callee.

    How values get into its regions and out says `autograph.graph.wiring`; each transform, and the
    code generator, has a rule for it.

    Args:
        roles: what the regions are called, in the order in which a node holds them. Further ones
            are not shown.
        optional: how many of the last of these a node may be without.
        runs: whether programs contain it; the others are for transforms, and in programs what
            their region computes stands in their place.
        opaque: whether transforms take it as a whole: its derivative is that of its rule, whatever
            is computed inside, and all its results are there or none. Of others each region has the
            node's results as its outputs, in their order, unless `wiring` calls it a test.
        texts: as for `Op`.
    """

    def __init__(
        self,
        name: str,
        doc: str,
        roles: tuple[str, ...],
        *,
        runs: bool,
        optional: int = 0,
        opaque: bool = False,
        texts: Sequence[str] = (),
    ):
        super().__init__(name, self._no_rule, "", texts=texts, doc=doc)
        self.roles = roles
        self.optional = optional
        self.runs = runs
        self.opaque = opaque

    def _no_rule(self, *types: Any, **attrs: Any):
        raise TypeError(f"'{self.name}' nodes are built with their result types given")


cond = Structured(
    "cond", "Run one of two regions, by the truth of a scalar.", ("then", "else"), runs=True
)
while_loop = Structured(
    "while_loop",
    "Run a region as long as a test on its state is true.",
    ("test", "body"),
    runs=True,
)
for_loop = Structured("for_loop", "Run a region a given number of times.", ("body",), runs=True)
call = Structured("call", "Call a named graph of the module.", (), runs=True, texts=("callee",))
custom_vjp = Structured(
    "custom_vjp",
    "Call a function that has a reverse-mode rule of its own.",
    ("primal", "forward", "backward", "rule"),
    runs=False,
    optional=1,
    opaque=True,
)
custom_jvp = Structured(
    "custom_jvp",
    "Call a function that has a forward-mode rule of its own.",
    ("primal", "rule"),
    runs=False,
    opaque=True,
)
linear_call = Structured(
    "linear_call",
    "Call a linear function that comes with its transpose.",
    ("function", "transpose"),
    runs=False,
    opaque=True,
)
checkpoint = Structured(
    "checkpoint", "Run a region, and again for its backward pass.", ("body",), runs=False
)
lanes = Structured("lanes", "Run a region for each of many lanes.", ("lane",), runs=True)


def _missing(type: ArrayType, name: str, defined: Any, *args: Any) -> Any:
    return missing_tangent(*args, type=type, name=name, defined=defined)


missing_tangent: Custom = Custom(
    "missing_tangent",
    lambda *types, type, name, defined: (type,),
    "",
    vjp=lambda cts, args, outs, type, name, defined: [
        _missing(operand_type(x), name, defined, *args, *cts) for x in args
    ],
    jvp=lambda tangents, args, outs, **attrs: [
        missing_tangent(*args, *tangents, **attrs),
    ],
    linear=(),
    zeros="lost",
    batch=lambda size, batched, args, type, name, defined: _missing(
        ArrayType(type.dtype, (size if isinstance(size, int) else None, *type.shape)),
        name,
        defined,
        *args,
    ),
    unknown_lengths=True,
    doc="""A tangent or cotangent that there is no rule for, where it may turn out not to be needed.

    The operands are what it would be computed from. The attribute ``name`` is that of the function
    that has a rule for reverse mode only, and ``defined`` the place where it is defined. No program
    contains it.
    """,
)


class Container(Custom):
    """An operator on packs and stacks: its results are its operands, or contain them, or are
    contained in them.

    Args:
        opens: whether it takes out what was put in somewhere else: that it is there is known only
            where the program takes it out, and nobody knows whose memory it is.
    """

    def __init__(self, name: str, infer: Any, code: Any, *, opens: bool, **options: Any):
        super().__init__(name, infer, code, linear=ALL_OPERANDS, **options)
        self.opens = opens


def _tuple_text(args: list[str]) -> str:
    return f"({', '.join(args)}{',' if len(args) == 1 else ''})"


pack = Container(
    "pack",
    lambda *types, cotangents=False: (PACK,),
    lambda args, types, attrs: _tuple_text(args),
    opens=False,
    unknown_lengths=True,
    doc="""Any values -> Pack.

    With the attribute ``cotangents`` they are the cotangents of what was unpacked, otherwise
    residuals.
    """,
)

unpack = Container(
    "unpack",
    lambda pack, types: types,
    "{0}",
    opens=True,
    doc="Pack -> the values packed. The attribute ``types`` says what they are.",
)


def unpack_cotangent(pack, zeros):
    """The slots of a cotangent pack, with zeros where a slot, or the whole pack, is None.

    The zero of an array is given as its dtype and shape.
    """
    slots = [None] * len(zeros) if pack is None else pack
    return [
        (np.zeros(zero[1], zero[0])[()] if isinstance(zero, tuple) else zero)
        if slot is None
        else slot
        for slot, zero in zip(slots, zeros)
    ]


def _zero_types(types: tuple, lengths: list[str]) -> str:
    """(dtype, shape) for each slot that is an array. Else the zero itself; that of packs and stacks
    is None."""
    remaining = list(lengths)
    items = []
    for t in types:
        if isinstance(t, ArrayType) and t.weak:
            items.append(repr(python_type(t.dtype)(0)))
        elif isinstance(t, ArrayType):
            taken = [remaining.pop(0) for n in t.shape if n is None]
            items.append(f"('{t.dtype.name}', {shape_text(t.shape, taken)})")
        else:
            items.append("None")
    return _tuple_text(items)


unpack_ct = Container(
    "unpack_ct",
    lambda pack, *lengths, types: types,
    lambda args, types, attrs: (
        f"unpack_cotangent({args[0]}, {_zero_types(attrs['types'], args[1:])})"
    ),
    helpers=(unpack_cotangent,),
    opens=True,
    doc="""Pack of cotangents -> the cotangents, zeros of the given ``types`` where there is none.

    Further operands are the lengths in the ``types`` known only at run time.
    """,
)


def pushed(stack, pack, step=None):
    """``pack`` on a stack."""
    if step is not None:
        step()
    return stack, pack


push = Container(
    "push",
    lambda stack, pack: (STACK,),
    "pushed({0}, {1})",
    helpers=(pushed,),
    opens=False,
    doc="Stack, Pack -> Stack.",
)


def pop_pair(stack):
    """(rest, top) of a stack; a stack of zeros, None, has a zero on top and zeros below."""
    return (None, None) if stack is None else stack


pop = Container(
    "pop",
    lambda stack: (STACK, PACK),
    "pop_pair({0})",
    helpers=(pop_pair,),
    opens=True,
    doc="Stack -> the stack below, the pack on top.",
)


def add_residual_cotangents(x, y):
    """The sum of two cotangents of packs or stacks, None being zero.

    Without recursion: packs and stacks are nested as deeply as the program's calls or trips.
    """
    sums = []
    pending = [(x, y, sums)]  # what to add, and the list to which the sum belongs
    tuples = []  # the sums that are tuples, outer ones first: (list, position, parts)
    while pending:
        a, b, target = pending.pop()
        if a is None or b is None:
            target.append(b if a is None else a)
        elif isinstance(a, (tuple, list)):
            parts = []
            tuples.append((target, len(target), parts))
            target.append(None)
            pending += [(c, d, parts) for c, d in reversed([*zip(a, b)])]
        else:
            target.append(a + b)
    for target, position, parts in reversed(tuples):
        target[position] = tuple(parts)
    return sums[0]


add_ct = Container(
    "add_ct",
    lambda x, y: (x,),
    "add_residual_cotangents({0}, {1})",
    helpers=(add_residual_cotangents,),
    opens=False,
    doc="Two cotangents of the same pack or stack -> their sum.",
)

recompute: Linear = Linear(
    "recompute",
    lambda x, key: (x,),
    "{0}",
    transposes=[lambda ct, x, key: ct],
    zeros="kept",
    view=True,
    unknown_lengths=True,
    batch=lambda size, batched, args, key: recompute(args[0], key=key),
    native=kernels.Element(kernels.itself),
    doc="""``x`` itself, from which something is computed a second time.

    What is computed from the result is not taken for what is computed from ``x``, so that this need
    not be kept. The attribute ``key`` tells one recomputation from another.
    """,
    aligned=True,
    stands_for=0,
)

saved: Custom = Custom(
    "saved",
    lambda x, kept: (x,),
    "{1}",
    vjp=lambda cotangents, args, outs: (cotangents[0], None),
    jvp=lambda tangents, args, outs: (tangents[0],),
    linear=(0,),
    zeros="kept",
    unknown_lengths=True,
    batch=lambda size, batched, args: saved(*all_with_lanes(size, batched, args)),
    native=kernels.Element(lambda read, index, types, attrs: read(1, index)),
    doc="""``kept``, which is what ``x`` would be if it were computed again.

    The derivative is that of ``x``. The program does not compute ``x``, see
    `autograph.transforms.simplify.erase`.
    """,
    aligned=True,
    stands_for=1,
)
