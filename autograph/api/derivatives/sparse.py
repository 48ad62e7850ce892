"""`sparse_jacobian` and `sparse_hessian`: derivatives as sparse matrices, from few products.

Of a matrix whose pattern is known, columns without a common row can be added up and still be told
apart: one derivative along the sum of their directions has all their elements. So the pattern is
found (`autograph.transforms.sparsity`), its columns or rows are coloured (`autograph.colouring`),
and as many directions are taken as there are colours, at once, in lanes. All but that is done when
the function is recorded: the program has the products and picks the elements out of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import ops
from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import as_argnums, checked_argnums, remembered, transformed
from autograph.api.derivatives.gradients import grad
from autograph.api.derivatives.jacobians import directions_of, rows_in_lanes
from autograph.api.derivatives.patterns import FloatsOfCall, matrix, sparsity
from autograph.api.derivatives.recorded_calls import RecordedCall
from autograph.api.function import GraphFunction
from autograph.api.type_parameters import P
from autograph.colouring import compression, greedy, symmetric
from autograph.colouring.compression import ProductPlan
from autograph.errors import OptionError
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Graph, Value, callees, walk
from autograph.log import log
from autograph.solvers.substitution import require_pattern, substituted
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.recorder import active_recorder, recorder
from autograph.staging.ground.sparse_kinds import parts_of
from autograph.transforms import jvp as forward
from autograph.transforms.lanes.parts import outlined_for_lanes
from autograph.transforms.reverse.tape import instantiate
from autograph.transforms.sparsity import sets as index_sets
from autograph.transforms.vjp import vjp as reverse
from ops.control import regions
from ops.linalg.sparse import sparse_product

# How many colours of columns and rows are worth to look for fewer of both.
_MANY = 32


class _Given(NamedTuple):
    """A pattern that the user has given, which is one thing with others that are equal."""

    shape: tuple[int, int]
    starts: bytes
    columns: bytes

    @classmethod
    def of(cls, pattern: Any) -> _Given:
        try:
            found = index_sets.scipy_sparse().csr_array(pattern, dtype=bool)
        except (TypeError, ValueError):
            found = None
        if found is None or found.ndim != 2:
            raise _bad_option(
                f"the pattern is a {type(pattern).__name__}, which is no matrix",
                "give a sparse matrix or a dense one of booleans, like ag.sparsity(f)(x)",
            )
        found.sum_duplicates()
        found.eliminate_zeros()
        parts = (part.astype(np.int64).tobytes() for part in (found.indptr, found.indices))
        return cls(found.shape, *parts)

    @property
    def matrix(self) -> Any:
        starts, columns = (np.frombuffer(part, np.int64) for part in self[1:])
        data = np.ones(len(columns), bool)
        return index_sets.scipy_sparse().csr_array((data, columns, starts), shape=self.shape)


class _Options(NamedTuple):
    colouring: str
    order: str
    pattern: _Given | None
    check: bool


_JACOBIAN = {
    "columns": compression.by_columns,
    "rows": compression.by_rows,
    "both": compression.by_both,
}
_HESSIAN = {
    "star": compression.by_star,
    "acyclic": compression.by_acyclic,
    "columns": compression.by_columns,
}


def _bad_option(what: str, fix: str) -> OptionError:
    return OptionError(what, user_location(), id="AG0561", fix=fix)


def _options(
    colouring: str, order: str, pattern: Any, check: Any, known: dict[str, Any]
) -> _Options:
    orders = greedy.NAMES if colouring in ("auto", "columns", "rows") else symmetric.NAMES
    for name, value, among in (
        ("colouring", colouring, ("auto", *known)),
        ("order", order, orders),
    ):
        if value not in among:
            raise _bad_option(f"{name} is {value!r}", f"choose from {', '.join(map(repr, among))}")
    return _Options(colouring, order, None if pattern is None else _Given.of(pattern), bool(check))


@leaves_compiler
def sparse_jacobian(
    function: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    *,
    colouring: str = "auto",
    order: str = "largest_first",
    pattern: Any = None,
    check: bool = False,
) -> GraphFunction[P, Any]:
    """The Jacobian of a function as a sparse matrix, from as many products as it needs colours.

    Its pattern is that of `sparsity`, and is found and coloured once for arguments of a signature.
    Curtis, Powell & Reid, On the estimation of sparse Jacobian matrices, 1974; Gebremedhin, Manne &
    Pothen, What color is your Jacobian?, SIAM Review 47, 2005.

    Args:
        function: a Python function, plain or converted.
        argnums: the positions of the arguments to differentiate by: nested tuples, lists, dicts
            and objects of real floating-point arrays and numbers.
        has_aux: the function returns a pair, of which only the first is differentiated.
        colouring: which products there are: "columns" by forward mode, "rows" by reverse mode,
            "both", or the best of these, "auto".
        order: in which columns or rows are coloured, one after the other: "natural",
            "largest_first", "smallest_last", "incidence" or, but for "both", "saturation"; of a
            pattern with very full rows, "largest_first" in place of the last three.
        pattern: where the Jacobian may be other than zero, if that is known better: a sparse or
            dense matrix.
        check: whether the program checks, by one product more, that the Jacobian is zero outside of
            the pattern.

    Returns:
        A compiled function with the arguments of ``function``. It returns a
        ``scipy.sparse.csr_array`` with a row for each float in the result and a column for each one
        in the arguments, in their order; an element of the pattern that happens to be zero is
        stored. In compiled functions its ``data`` can be differentiated again, and has lanes. With
        ``has_aux``, a pair of that and the auxiliary result.

    Raises:
        MissingLibraryError: SciPy is not installed.
        OptionError: an option is none that there is, or the pattern has another shape.
        NonDifferentiableError: when called, if an argument or result is complex, or of a shape that
            only the run knows.
        PatternError: (when the program runs, with ``check``) an element outside of the pattern is
            not zero.

    Examples:
        >>> jacobian = ag.sparse_jacobian(lambda x: x[1:] * x[:-1])
        >>> jacobian(np.array([1.0, 2.0, 3.0, 4.0])).toarray()
        array([[2., 1., 0., 0.],
               [0., 3., 2., 0.],
               [0., 0., 4., 3.]])
    """
    index_sets.scipy_sparse()
    options = _options(colouring, order, pattern, check, _JACOBIAN)
    return _jacobian(function, as_argnums(argnums, function), bool(has_aux), options)


@remembered
def _jacobian(function: Callable, argnums: Any, has_aux: bool, options: _Options) -> GraphFunction:
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        wanted = checked_argnums(argnums, args, function, holomorphic=False)
        call = FloatsOfCall(function, args, kwargs, wanted, has_aux)
        pattern = _pattern(call, options)
        plan = _plan_of_jacobian(call, pattern, options)
        found = _evaluated(call, pattern, plan, options)
        return (found, call.aux) if has_aux else found

    return transformed(jacobian, function, "sparse_jacobian")


class Compressed(NamedTuple):
    """The Jacobian of a function of one vector, by those elements that may be other than zero.

    Attributes:
        rows, columns: of each element.
        shape: of the matrix.
        elements_of: makes of the function the one that computes them.
    """

    rows: Any
    columns: Any
    shape: tuple[int, int]
    elements_of: Callable[[Callable], Callable[[Any], Any]]


def compressed_jacobian(
    function: Callable, x: Any, wanted: Callable[[Any], bool]
) -> Compressed | None:
    """The Jacobian of a function of one vector, whose pattern is found and coloured once for all
    places where it is computed.

    Args:
        wanted: whether it is to be compressed, by its pattern.

    Returns:
        How it is computed; None if it is not wanted.
    """
    index_sets.scipy_sparse()
    options = _Options("auto", "largest_first", None, False)
    is_recording = active_recorder() is not None
    if is_recording:
        pattern = FloatsOfCall(function, (x,), {}, (0,), False).pattern()
    else:
        pattern = sparsity(function)(x)
    if not wanted(pattern):
        return None
    plans: list[ProductPlan] = []

    def elements_of(function: Callable) -> Callable[[Any], Any]:
        def elements(x: Any) -> Any:
            call = FloatsOfCall(function, (x,), {}, (0,), False)
            if not plans:
                plans.append(_plan_of_jacobian(call, pattern, options))
            return parts_of(_evaluated(call, pattern, plans[0], options))["data"]

        return transformed(elements, function, "sparse_jacobian")

    rows: Any = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr))
    columns: Any = pattern.indices.astype(np.int64)
    if is_recording:
        rows, columns = GraphArray(Constant(rows)), GraphArray(Constant(columns))
    return Compressed(rows, columns, pattern.shape, elements_of)


@leaves_compiler
def sparse_hessian(
    function: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    *,
    colouring: str = "auto",
    order: str = "largest_first",
    pattern: Any = None,
    check: bool = False,
) -> GraphFunction[P, Any]:
    """The Hessian of a function as a sparse matrix, from as many products as it needs colours.

    It is symmetric, so each element off the diagonal need only be found once. Products are
    derivatives of the gradient, forward over reverse mode. Gebremedhin, Tarafdar, Manne & Pothen,
    New acyclic and star coloring algorithms with application to computing Hessians, 2007.

    Args:
        function: a Python function, plain or converted, whose result is a real scalar.
        argnums, has_aux, pattern, check: as for `sparse_jacobian`.
        colouring: "star", by which each element is one of a product; "acyclic", which needs fewer
            products, and finds elements one after the other, with the rounding errors of those
            before; "columns", as for a Jacobian, where derivatives are not symmetric; "auto" is
            "star", or "columns" if something in the function says what its derivative is.
        order: as for `sparse_jacobian`, "saturation" for "columns" only.

    Returns:
        A compiled function with the arguments of ``function``. It returns a
        ``scipy.sparse.csr_array`` with a row and a column for each float in the arguments. With
        ``has_aux``, a pair of that and the auxiliary result.

    Raises:
        MissingLibraryError, OptionError, NonDifferentiableError, PatternError: as for
            `sparse_jacobian`.
        NonScalarOutputError: when called, if the result is no real scalar.

    Examples:
        >>> hessian = ag.sparse_hessian(lambda x: np.sum((x[1:] - x[:-1]) ** 2))
        >>> hessian(np.zeros(4)).toarray()
        array([[ 2., -2.,  0.,  0.],
               [-2.,  4., -2.,  0.],
               [ 0., -2.,  4., -2.],
               [ 0.,  0., -2.,  2.]])
    """
    index_sets.scipy_sparse()
    options = _options(colouring, order, pattern, check, _HESSIAN)
    return _hessian(function, as_argnums(argnums, function), bool(has_aux), options)


@remembered
def _hessian(function: Callable, argnums: Any, has_aux: bool, options: _Options) -> GraphFunction:
    gradient = grad(function, argnums, has_aux)

    def hessian(*args: Any, **kwargs: Any) -> Any:
        wanted = checked_argnums(argnums, args, function, holomorphic=False)
        call = FloatsOfCall(gradient, args, kwargs, wanted, has_aux)
        pattern = _pattern(call, options)
        symmetric = _symmetric(pattern)
        own = options.colouring
        if own == "auto":
            star = symmetric is not None
            star = star and _is_plain(RecordedCall(function, args, kwargs).graph)
            own = "star" if star else "columns"
        if own != "columns":
            pattern = _symmetric_hull(pattern) if symmetric is None else symmetric
        plan = _HESSIAN[own](pattern, options.order)
        _tell(call, pattern, own, plan)
        found = _evaluated(call, pattern, plan, options)
        return (found, call.aux) if has_aux else found

    return transformed(hessian, function, "sparse_hessian")


# -- the pattern and the plan ----------------------------------------------------------------------


def _pattern(call: FloatsOfCall, options: _Options) -> Any:
    if options.pattern is None:
        return call.pattern()
    if options.pattern.shape != call.shape:
        raise OptionError(
            f"the pattern has the shape {options.pattern.shape}, but there are {call.shape[0]} "
            f"floats in the result and {call.shape[1]} in the arguments",
            call.site,
            id="AG0561",
            fix="give a row for each float in the result and a column for each in the arguments",
        )
    return options.pattern.matrix


def _symmetric(pattern: Any) -> Any:
    """The pattern, if it is symmetric."""
    return pattern if (pattern != pattern.T).nnz == 0 else None


def _symmetric_hull(pattern: Any) -> Any:
    whole = index_sets.union(pattern, pattern.T.tocsr())
    assert whole is not None
    whole.sum_duplicates()
    return whole


def _nodes(graph: Graph) -> Any:
    """The nodes of a graph, and of those that it calls."""
    graphs = current_builder().graphs
    for one in (graph, *(graphs[name] for name in callees(graph, graphs))):
        yield from walk(one)


def _is_plain(graph: Graph) -> bool:
    """Whether the derivatives of a graph are those of what it computes, and second ones
    symmetric."""
    own = (regions.custom_vjp, regions.custom_jvp, ops.stop_gradient)
    return not any(node.op in own for node in _nodes(graph))


def _plan_of_jacobian(call: FloatsOfCall, pattern: Any, options: _Options) -> ProductPlan:
    name, order = options.colouring, options.order
    if name == "auto" and _has_reverse_mode_only(call.graph):
        name = "rows"
    if name == "auto":
        name, plan = _best(pattern, order)
    else:
        plan = _JACOBIAN[name](pattern, order)
    _tell(call, pattern, name, plan)
    return plan


def _best(pattern: Any, order: str) -> tuple[str, ProductPlan]:
    """The way that takes the fewest products; of as many, that by columns. There are at least as
    many as elements in a row, or in a column."""
    of_rows = int(np.diff(pattern.indptr).max(initial=0))
    of_columns = int(np.bincount(pattern.indices, minlength=1).max(initial=0))
    first, second = ("columns", "rows") if of_rows <= of_columns else ("rows", "columns")
    name, plan = first, _JACOBIAN[first](pattern, order)
    if max(of_rows, of_columns) < plan.number:
        other = _JACOBIAN[second](pattern, order)
        fewer = other.number < plan.number or (other.number == plan.number and second == "columns")
        name, plan = (second, other) if fewer else (name, plan)
    if min(of_rows, of_columns) > _MANY and order in symmetric.NAMES:
        other = compression.by_both(pattern, order)
        name, plan = ("both", other) if other.number < plan.number else (name, plan)
    return name, plan


def _has_reverse_mode_only(graph: Graph) -> bool:
    return any(node.op is regions.custom_vjp and len(node.regions) < 4 for node in _nodes(graph))


def _tell(call: FloatsOfCall, pattern: Any, name: str, plan: ProductPlan) -> None:
    rows, columns = pattern.shape
    log.debug(
        "%s: %d elements of a matrix of %d rows and %d columns, in %d products, by %s",
        *(call.graph.name, pattern.nnz, rows, columns, plan.number, name),
    )


# -- the elements ----------------------------------------------------------------------------------


def _evaluated(call: FloatsOfCall, pattern: Any, plan: ProductPlan, options: _Options) -> Any:
    """The matrix."""
    dtype = np.result_type(*(type.dtype for type in (*call.result_types, *call.types)))
    forwards, backwards = _Forwards(call, dtype), _Backwards(call, dtype)
    parts = [
        ops.reshape(products.of(plan.seeds(by_rows)), (-1,))
        for products, by_rows, count in (
            (forwards, False, plan.of_columns),
            (backwards, True, plan.of_rows),
        )
        if count
    ]
    if not parts:
        return matrix(pattern, GraphArray(Constant(np.zeros(0, dtype))))
    products: Any = GraphArray(parts[0] if len(parts) == 1 else ops.concatenate(parts))
    if plan.substitution is not None:
        leaves, parents, places, count = plan.substitution
        arrays = (GraphArray(Constant(part)) for part in (leaves, parents))
        found = recorder().call(
            recorder().outside.unbound(substituted), (products[places], *arrays, count), {}
        )
        products = np.concatenate([products, found])
    in_order = np.array_equal(plan.places, np.arange(products.shape[0]))
    data = ops.copy(products) if in_order else products[plan.places]
    if options.check:
        _check(pattern, data, forwards if plan.of_columns else backwards, plan.of_columns == 0)
    return matrix(pattern, data)


def _check(pattern: Any, data: Any, products: Any, by_rows: bool) -> None:
    """Compare a product with that of what was found."""
    places = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr)), pattern.indices
    (rows, columns), (count, width) = places, pattern.shape
    if by_rows:
        rows, columns, count, width = columns, rows, width, count
    seed = np.random.default_rng(0).normal(size=width)
    own = GraphArray(ops.reshape(products.of(seed[None]), (-1,)))
    other = sparse_product(data, rows, columns, count, seed.astype(own.dtype))
    difference, size = (ops.sum(ops.abs(x)) for x in (own - other, own))
    tol = float(np.finfo(own.dtype).eps) ** 0.6
    with current_builder().at(products.site):
        recorder().call(recorder().outside.unbound(require_pattern), (difference, size, tol), {})


def _joined(values: Sequence[Value], dtype: np.dtype) -> Value:
    """Derivatives of all floats as one vector."""
    flat = [ops.reshape(ops.astype(value, dtype), (-1,)) for value in values]
    if not flat:
        return Constant(np.zeros(0, dtype))
    return flat[0] if len(flat) == 1 else ops.concatenate(flat)


class _Products:
    """Products of the matrix with vectors."""

    def __init__(self, call: FloatsOfCall, dtype: np.dtype):
        self.site = call.site
        self._call = call
        self._dtype = dtype

    def _graph(self) -> Graph:
        """The function's graph, as it can be differentiated where this is recorded."""
        graph = self._call.graph
        return (
            outlined_for_lanes(graph, recorder().capabilities)
            if recorder().transformed.lanes
            else graph
        )


class _Forwards(_Products):
    """Products with groups of columns, by forward mode."""

    def of(self, seeds: np.ndarray) -> Value:
        """The product with each of some vectors, a row for each."""
        call, graph = self._call, self._graph()
        with Builder(f"{graph.name}_jvp") as builder:
            inputs = [builder.input(type) for type in call.types]
            moves = call.call.by_argument(call.floats, inputs)
            _, changes = forward.jvp(graph, call.call.values, moves)
            like = [recorder().value_of(leaf) for leaf in call.result.floats]
            tangents = instantiate(call.result.of_floats(changes), like)
            pushed = builder.finish([_joined(tangents, self._dtype)], call.site)
        (rows,) = rows_in_lanes(pushed, directions_of(seeds, call.types), len(seeds))
        return rows


class _Backwards(_Products):
    """Products with groups of rows, by reverse mode."""

    def of(self, seeds: np.ndarray) -> Value:
        """The product of each of some vectors with the matrix, a row for each."""
        call, graph = self._call, self._graph()
        floats = set(map(id, call.floats))
        flags = [id(argument) in floats for argument in call.call.arguments]
        chosen = [k in call.result.positions for k in range(len(graph.outputs))]
        _, pullback = reverse(graph, call.call.values, flags, chosen)
        with Builder(f"{graph.name}_vjp") as builder:
            inputs = [builder.input(type) for type in call.result_types]
            by_argument = pullback(call.result.by_output(inputs))
            found = call.call.of_arrays(call.floats, by_argument)
            cotangents = instantiate(found, [leaf.value for leaf in call.floats])
            pulled = builder.finish([_joined(cotangents, self._dtype)], call.site)
        (rows,) = rows_in_lanes(pulled, directions_of(seeds, call.result_types), len(seeds))
        return rows
