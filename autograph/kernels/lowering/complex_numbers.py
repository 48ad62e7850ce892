"""Complex numbers as pairs of real ones, before anything is lowered.

Kernels compute with real scalars. A graph in which there are complex numbers becomes one without:

* A complex value becomes two, its *parts*, in loops, branches, lanes and what is kept for backward
  passes as well.
* An operator that is linear is applied to each part; a product to all pairs of parts.
* Others say how an element of the result is computed: ``complex_kernel`` of
  `ops.core.registry.Op`. Each part of the result is a node with an operator of its own,
  `ComplexPart`.
* A loop of NumPy's that computes with complex numbers takes and gives pairs of parts.
* Where a kernel takes or gives a complex array, that is one of floats with an axis more, of length
  2: so complex numbers lie in memory. A number is such an array, too.

Parts have NumPy's dtypes, also those of Python's complex numbers: what is Python's about these is
in the operators.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeGuard

import numpy as np

import ops
from autograph.graph.builder import Builder
from autograph.graph.graph import (
    Constant,
    Graph,
    Node,
    Value,
    current_builder,
    label,
    new_node,
    walk,
)
from autograph.kernels.lowering import reasons
from autograph.kernels.lowering.analysis.pairs import interleave
from autograph.kernels.lowering.lengths_compared import ComparedLength, compared_lengths
from autograph.kernels.lowering.values import CannotLower
from ops.control import regions
from ops.control.regions import PACK, Container, Structured
from ops.core.complex_scalars import ComplexScalar
from ops.core.inner_loops import call_inner_loop
from ops.core.records import NamedTuple
from ops.core.registry import Elementwise, Linear, Op
from ops.core.types import ArrayType, Type
from ops.elementwise.conversion import astype

_NOTHING = Constant(None, PACK)  # in the second slot of what is not complex


class ComplexParts(NamedTuple):
    """A complex value as two real ones."""

    real: Value
    imag: Value


class RealForm(NamedTuple):
    """A graph without complex numbers.

    Attributes:
        graph: computes the same.
        parts: those of complex results, by the results of the graph.
    """

    graph: Graph
    parts: dict[Value, ComplexParts]


def is_complex(type: Type) -> TypeGuard[ArrayType]:
    """Whether a type is that of complex numbers."""
    return isinstance(type, ArrayType) and type.dtype.kind == "c"


def has_complex(node: Node) -> bool:
    """Whether an operand or a result of a node is complex."""
    return any(map(is_complex, [v.type for v in (*node.inputs, *node.outputs)]))


def real_form(graph: Graph) -> RealForm:
    """The graph of a kernel, with arrays of pairs where it takes and gives complex numbers."""
    if not _contains_complex(graph):
        return RealForm(graph, {})
    writer = _Writer()
    with Builder(graph.name) as builder:
        for value in graph.inputs:
            writer.take(builder, value)
        writer.nodes(builder, graph.nodes, graph.outputs)
        outputs, parts = [], {}
        for value in graph.outputs:
            found = writer.found(value)
            if isinstance(found, ComplexParts):
                pairs = builder.apply(interleave, found, {})
                label(pairs, value.name)
                parts[pairs] = found
                found = pairs
            outputs.append(found)
        return RealForm(builder.finish(outputs, graph.location), parts)


def callee_form(graph: Graph) -> Graph:
    """The same of a named graph, which takes and gives parts."""
    return _Writer().region(graph) if _contains_complex(graph) else graph


def nodes_for(node: Node) -> Sequence[Node]:
    """What stands in the place of a node that has complex operands or results, and no regions.

    Raises:
        CannotLower: it has no native form.
    """
    writer = _Writer()
    with Builder("scratch") as builder:
        for value in node.inputs:
            if not isinstance(value, Constant) or value.is_array:
                writer.enter(builder, value)
        writer.nodes(builder, [node], node.outputs)
        return builder.nodes


def _contains_complex(graph: Graph) -> bool:
    values = (*graph.inputs, *graph.outputs)
    return any(is_complex(v.type) for v in values) or any(map(has_complex, walk(graph)))


def part_type(type: ArrayType) -> ArrayType:
    """The type of the parts of complex numbers."""
    return type._replace(dtype=_part_dtype(type.dtype), weak=False)


def _part_dtype(dtype: np.dtype) -> np.dtype:
    return np.dtype(f"f{dtype.itemsize // 2}")


def _types_of_parts(types: Iterable[Type]) -> tuple[Type, ...]:
    """Types, with those of both parts in the place of a complex one."""
    found: list[Type] = []
    for type in types:
        found += [part_type(type)] * 2 if is_complex(type) else [type]
    return tuple(found)


class _Writer:
    """Writes real nodes.

    Attributes:
        env: what values of the old graph have become.
        pairs: of parts that are side by side in memory the imaginary one, and both, by the real
            one.
    """

    def __init__(self) -> None:
        self.env: dict[Value, Value | ComplexParts] = {}
        self.pairs: dict[Value, tuple[Value, Value]] = {}

    def found(self, value: Value) -> Value | ComplexParts:
        """What a value has become."""
        if isinstance(value, Constant) and value.is_scalar and is_complex(value.type):
            make = part_type(value.type).dtype.type
            return ComplexParts(Constant(make(value.data.real)), Constant(make(value.data.imag)))
        return self.env.get(value, value)

    def flat(self, values: Iterable[Value]) -> list[Value]:
        """What values have become, the parts of complex ones one after the other."""
        flat: list[Value] = []
        for value in values:
            found = self.found(value)
            flat += found if isinstance(found, ComplexParts) else [found]
        return flat

    # -- how values enter --------------------------------------------------------------------------

    def enter(self, builder: Builder, value: Value) -> None:
        """An input of a region or named graph."""
        if is_complex(value.type):
            names = _names(value)
            real, imag = (builder.input(part_type(value.type), name) for name in names)
            self.env[value] = ComplexParts(real, imag)
        else:
            self.env[value] = builder.input(value.type, value.name)

    def take(self, builder: Builder, value: Value) -> None:
        """An input of the kernel."""
        if not is_complex(value.type):
            self.env[value] = builder.input(value.type, value.name)
            return
        type = part_type(value.type)
        pairs = builder.input(type._replace(shape=(*type.shape, 2)), value.name)
        parts = ComplexParts(*(ops.subscript(pairs, (..., i)) for i in range(2)))
        for part, name in zip(parts, _names(value)):
            label(part, name)
        self.env[value] = parts
        self.pairs[parts.real] = parts.imag, pairs

    def region(self, graph: Graph) -> Graph:
        """A graph that takes and gives parts."""
        outside = dict(self.pairs)
        with Builder(graph.name) as builder:
            for value in graph.inputs:
                self.enter(builder, value)
            self.nodes(builder, graph.nodes, graph.outputs)
            made = builder.finish(self.flat(graph.outputs), graph.location)
        self.pairs = outside  # nothing after it sees what the region makes
        return made

    # -- nodes -------------------------------------------------------------------------------------

    def nodes(self, builder: Builder, nodes: Sequence[Node], results: Sequence[Value]) -> None:
        """Add what stands in the place of nodes.

        Args:
            results: of all of them together.
        """
        compared = compared_lengths(nodes, results)
        for node in nodes:
            if compared.isdisjoint((*node.inputs, *node.outputs)):
                with builder.at(node.location):
                    self.node(builder, node)
            elif compared.isdisjoint(node.outputs):
                with builder.at(node.location):
                    self.compared(builder, node, compared)

    def compared(self, builder: Builder, node: Node, lengths: set[Value]) -> None:
        """Add a comparison of one of some absolute values."""
        swapped = node.inputs[1] in lengths
        length, other = node.inputs[::-1] if swapped else node.inputs
        absolute, (value,) = length.producer, node.outputs
        assert isinstance(node.op, Elementwise) and absolute is not None
        parts = self.found(absolute.inputs[0])
        assert isinstance(parts, ComplexParts)
        is_python = absolute.inputs[0].type.weak
        formula = ComplexFormula(absolute.op, (True,), (None,), (), is_python, True)
        dtype = part_type(absolute.inputs[0].type).dtype
        part = ComplexPart(ComparedLength(node.op, formula.kernel, swapped, is_python), None)
        found = self.found(other)
        assert isinstance(found, Value)
        required = node.required or absolute.required
        operands = [*parts, astype(found, dtype)]
        (made,) = builder.add(part, operands, {}, [value.type], required=required)
        label(made, value.name)
        self.env[value] = made

    def node(self, builder: Builder, node: Node) -> None:
        """Add what stands in the place of a node."""
        if isinstance(node.op, (Structured, Container)):
            self.structured(builder, node)
        elif not has_complex(node):
            copies = builder.copy(node, self.flat(node.inputs), ())
            self.env.update(zip(node.outputs, copies))
        elif node.op is call_inner_loop:
            self.inner_loop(builder, node)
        elif len(node.outputs) != 1:
            raise CannotLower(reasons.of_operator(node))
        else:
            (value,) = node.outputs
            found = self.computed(builder, node)
            names: Sequence[str | None] = (value.name,)
            if isinstance(found, ComplexParts):
                names = _names(value)
            for part, name in zip(found if isinstance(found, ComplexParts) else (found,), names):
                label(part, name)
            self.env[value] = found

    def structured(self, builder: Builder, node: Node) -> None:
        """A loop, branch, call or function of lanes, or what is kept for a backward pass."""
        attrs, bodies = node.attrs, node.regions
        if node.op is regions.lanes:
            axes = [
                a for v, a in zip(node.inputs, attrs["axes"]) for _ in _types_of_parts([v.type])
            ]
            attrs, bodies = {**attrs, "axes": tuple(axes)}, bodies[:1]
        if node.op is regions.pack or "types" in attrs:
            self.packed(builder, node)
            return
        names = [n for v in node.outputs for n in (_names(v) if is_complex(v.type) else [v.name])]
        copy = new_node(
            node.op,
            tuple(self.flat(node.inputs)),
            attrs,
            tuple(map(self.region, bodies)),
            _types_of_parts(v.type for v in node.outputs),
            names,
            node.location,
            node.required,
        )
        builder.nodes.append(copy)
        results = iter(copy.outputs)
        for value in node.outputs:
            made = next(results)
            self.env[value] = ComplexParts(made, next(results)) if is_complex(value.type) else made

    def packed(self, builder: Builder, node: Node) -> None:
        """A pack, or what is in one. All slots are two, since one with a zero that stands for
        cotangents of any type may be of a complex one."""
        operands: list[Value] = []
        for value in node.inputs:
            found = self.found(value)
            if isinstance(found, ComplexParts):
                operands += found
            else:
                operands += [found, _NOTHING] if node.op is regions.pack else [found]
        attrs: dict[str, Any] = dict(node.attrs)
        types: list[Type] = [v.type for v in node.outputs]
        if "types" not in attrs:
            made = builder.add(node.op, operands, attrs, types, required=node.required)
            self.env.update(zip(node.outputs, made))
            return
        types = []
        for type in attrs["types"]:
            types += _types_of_parts([type]) if is_complex(type) else (type, PACK)
        attrs["types"] = tuple(types)
        results = iter(builder.add(node.op, operands, attrs, types, required=node.required))
        for value, (first, second) in zip(node.outputs, zip(results, results)):
            self.env[value] = ComplexParts(first, second) if is_complex(value.type) else first

    def computed(self, builder: Builder, node: Node) -> Value | ComplexParts:
        """The result of another node."""
        if node.op.complex_kernel is not None:
            return self.elementwise(builder, node)
        if isinstance(node.op, Linear):
            return self.linear(builder, node)
        if node.op is ops.length:  # of each part
            parts = self.found(node.inputs[0])
            assert isinstance(parts, ComplexParts)
            return builder.apply(node.op, [parts.real], node.attrs)
        raise CannotLower(reasons.of_operator(node))

    def elementwise(self, builder: Builder, node: Node) -> Value | ComplexParts:
        """Of a node whose operator says how elements are computed."""
        op, types = node.op, [v.type for v in node.inputs]
        literals = tuple(v.literal() for v in node.inputs)
        if op.complex_when is not None and not op.complex_when(node.attrs, literals):
            raise CannotLower(reasons.of_operator(node))
        (value,) = node.outputs
        dtype = _computed_in(node)
        operands: list[Value] = []
        for given in node.inputs:
            found = self.found(given)
            parts = found if isinstance(found, ComplexParts) else (found,)
            operands += [astype(x, dtype) for x in parts]
        is_python = isinstance(op, Elementwise) and op.python is not None
        formula = ComplexFormula(
            op,
            tuple(map(is_complex, types)),
            literals,
            tuple(node.attrs.items()),
            is_python and all(t.weak for t in types),
            not value.type.shape,
        )

        def part(position: int | None, type: ArrayType) -> Value:
            part = formula.part(position)
            (made,) = builder.add(part, operands, {}, [type], required=node.required)
            return made

        if is_complex(value.type):
            type = part_type(value.type)
            made = [part(i, type._replace(dtype=dtype)) for i in range(2)]
            return ComplexParts(*(astype(x, type.dtype) for x in made))
        if value.type.weak and value.type.dtype.kind == "f":
            return ops.cast(part(None, value.type._replace(weak=False)), "float64", weak=True)
        return part(None, value.type)

    def linear(self, builder: Builder, node: Node) -> Value | ComplexParts:
        """Of a node whose operator is linear, with real coefficients, since it has a native form
        for real numbers."""
        op, (value,) = node.op, node.outputs
        data = [i for i in range(len(node.inputs)) if op.is_linear([i])]
        is_native = op.element or op.fold or op.scan or op.updates or op.product
        if not is_complex(value.type) or not data or not is_native:
            raise CannotLower(reasons.of_operator(node))
        dtype = part_type(value.type).dtype
        attrs = dict(node.attrs)
        if "dtype" in attrs and attrs["dtype"] is not None:
            attrs["dtype"] = _part_dtype(np.dtype(attrs["dtype"])).name

        def applied(choice: dict[int, Value]) -> Value:
            operands = [choice.get(i, self.env.get(v, v)) for i, v in enumerate(node.inputs)]
            return builder.apply(op, operands, attrs, node.required)

        if op.is_linear(data):
            parts = {i: self.parts_of(node.inputs[i], dtype) for i in data}
            return ComplexParts(*(applied({i: parts[i][k] for i in data}) for k in range(2)))
        if len(data) != 2:
            raise CannotLower(reasons.of_operator(node))
        (i, j), (x, y) = data, (self.found(node.inputs[k]) for k in data)
        xs, ys = (
            [astype(part, dtype) for part in (v if isinstance(v, ComplexParts) else (v,))]
            for v in (x, y)
        )
        if len(xs) < 2 or len(ys) < 2:
            return ComplexParts(*(applied({i: a, j: c}) for a in xs for c in ys))
        (a, b), (c, d) = xs, ys
        return ComplexParts(
            ops.subtract(applied({i: a, j: c}), applied({i: b, j: d})),
            ops.add(applied({i: a, j: d}), applied({i: b, j: c})),
        )

    def inner_loop(self, builder: Builder, node: Node) -> None:
        """Add a call of a loop of NumPy's, which reads and writes pairs."""
        found = map(self.found, node.inputs)
        operands = [self.whole(x) if isinstance(x, ComplexParts) else x for x in found]
        attrs = {**node.attrs, "pairs": True}
        types = node.op.infer(*(v.type for v in operands), **attrs)
        made = builder.add(node.op, operands, attrs, types, required=node.required)
        for value, result in zip(node.outputs, made):
            label(result, value.name)
            self.env[value] = result
            if is_complex(value.type):
                real, imag = (ops.subscript(result, (..., i)) for i in range(2))
                self.env[value] = ComplexParts(real, imag)
                self.pairs[real] = imag, result

    def whole(self, parts: ComplexParts) -> Value:
        """Parts of an array side by side in memory."""
        imag, pairs = self.pairs.get(parts.real, (None, None))
        if pairs is None or imag is not parts.imag:
            pairs = current_builder().apply(interleave, parts, {})
            self.pairs[parts.real] = parts.imag, pairs
        return pairs

    def parts_of(self, value: Value, dtype: np.dtype) -> ComplexParts:
        """The parts of a value of which a complex one is made."""
        found = self.found(value)
        if isinstance(found, ComplexParts):
            return ComplexParts(*(astype(part, dtype) for part in found))
        zero = Constant(dtype.type(0))
        if not value.type.is_static:
            raise CannotLower(reasons.UNKNOWN.of())
        if value.type.shape:
            attrs = {"shape": value.type.known_shape, "dtype": dtype.name}
            zero = current_builder().apply(ops.full, [zero], attrs)
        return ComplexParts(astype(found, dtype), zero)


def _names(value: Value) -> tuple[str | None, str | None]:
    if value.name is None:
        return None, None
    return f"{value.name}_real", f"{value.name}_imag"


def _computed_in(node: Node) -> np.dtype:
    """The dtype of the parts in which an operator computes."""
    types = [v.type for v in (*node.outputs, *node.inputs)]
    if isinstance(node.op, Elementwise):
        weak = all(v.type.weak for v in node.inputs)
        # NumPy has no weak kind for Python's bools.
        kinds = [v.type.dtype if weak else v.type.scalar for v in node.inputs]
        given = [np.dtype(bool) if kind is bool else kind for kind in kinds]
        loop = node.op.ufunc.resolve_dtypes((*given, *[None] * node.op.ufunc.nout))
        types = [ArrayType(dtype) for dtype in loop]
    return next(_part_dtype(t.dtype) for t in types if t.dtype.kind == "c")


class _SameDtypes:
    """Stands for a ufunc of floats of one dtype."""

    __name__ = "of_complex"
    nout = 1

    @staticmethod
    def resolve_dtypes(dtypes: Any) -> tuple[Any, ...]:
        return (*dtypes[:-1], dtypes[0])


class ComplexFormula(NamedTuple):
    """What an operator computes of complex numbers.

    Attributes:
        are_complex: which operands are complex, and two operands of the parts.
        literals: the operands that are known.
        attrs: of the node.
        is_python: whether all operands are Python's numbers.
        is_number: whether the result has no axes.
    """

    op: Op
    are_complex: tuple[bool, ...]
    literals: tuple[Any, ...]
    attrs: tuple[tuple[str, Any], ...]
    is_python: bool
    is_number: bool

    def part(self, position: int | None) -> ComplexPart:
        """The operator that gives a part of the result, or the result if that is real."""
        return ComplexPart(self, position)

    @property
    def kernel(self) -> Callable[..., Any]:
        python = self.op.python if self.is_python and isinstance(self.op, Elementwise) else None
        kernel = python.complex_kernel if python is not None else None
        kernel = kernel or self.op.complex_kernel
        assert kernel is not None
        return functools.partial(kernel, **dict(self.attrs))

    def __call__(self, *scalars: Any) -> Any:
        """The result, of real scalars."""
        given, operands = iter(scalars), []
        for both, literal in zip(self.are_complex, self.literals):
            real = next(given)
            imag = next(given) if both else 0.0
            operands.append(ComplexScalar(real, imag, not both, literal, self.is_number))
        return self.kernel(*operands)


class ComplexPart(Elementwise):
    """The real or imaginary part of what an operator computes, or the result if that is real; of
    the parts of the operands."""

    def __init__(self, formula: ComplexFormula | ComparedLength, position: int | None):
        super().__init__(
            formula.op.name,
            _SameDtypes(),
            "",
            partials=[None] * (len(formula.are_complex) + sum(formula.are_complex)),
            kernel={"f": self._element},
            raises=formula.is_python,
            cost=3 * formula.op.cost,
        )
        self.formula = formula
        self.position = position

    def _enlist(self, name: str) -> None:
        """No operator of graphs."""

    def _element(self, *scalars: Any) -> Any:
        found = self.formula(*scalars)
        if self.position is None:
            return found
        return (found.real, found.imag)[self.position]
