"""`sparsity`: which elements of a function's results depend on which of its arguments'.

The floats in the arguments, one after the other, are the columns of the pattern, those in the
result its rows.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import (
    as_argnums,
    checked_argnums,
    parameters_of,
    remembered,
    site_of,
    transformed,
)
from autograph.api.derivatives.jacobians import (
    require_elements,
    require_known,
    require_known_nesting,
    require_real,
)
from autograph.api.derivatives.linearization import run_apart
from autograph.api.derivatives.recorded_calls import RecordedCall, Tree, symbolic_leaves
from autograph.api.function import GraphFunction
from autograph.api.trees import flatten, leaf_type
from autograph.api.type_parameters import P
from autograph.errors import OptionError
from autograph.graph.builder import current_builder
from autograph.graph.graph import Constant, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.sparse_formats import made
from autograph.staging.border.constancy import raw_key
from autograph.staging.border.retracing import Guard
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.recorder import active_recorder, recorder
from autograph.transforms.sparsity import regions
from autograph.transforms.sparsity import sets as index_sets
from autograph.transforms.sparsity.facts import Fact, KnownElements
from autograph.transforms.sparsity.propagation import Propagation
from ops.core.types import ArrayType


class FloatsOfCall:
    """A call of a function recorded by itself, with its floats as rows and columns of a matrix.

    Args:
        wanted: the positions of the arguments to differentiate by.

    Attributes:
        call: what was recorded.
        graph: computes the results once more, without effects.
        outputs: the results that were computed.
        floats: in the arguments: the columns.
        types: of these.
        result, aux: what the function returned; aux is None without ``has_aux``.
        result_types: of the floats in the result: the rows.

    Raises:
        NonDifferentiableError: a float is complex, or of a shape known only at run time.
    """

    def __init__(
        self,
        function: Callable,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        wanted: Sequence[int],
        has_aux: bool,
    ):
        self.site = site_of(function)
        args = list(args)
        names = parameters_of(function, len(args))
        trees: list[Tree] = []
        require_elements((args[position] for position in wanted), self.site)
        for position in wanted:
            require_real(args[position], names[position], self.site)
            tree = symbolic_leaves(args[position], names[position])
            args[position] = tree.tree
            trees.append(tree)
        self.floats: list[Any] = [leaf for tree in trees for leaf in tree.floats]
        self.types: list[ArrayType] = [leaf.type for leaf in self.floats]
        with _lanes_by_themselves():
            self.call = RecordedCall(function, args, kwargs)
        self.outputs, self.graph = run_apart(self.call.graph, self.call.values)
        self.result, self.aux = self.call.result(self.outputs, has_aux)
        require_known_nesting(self.result, self.site)
        self.result_types: list[ArrayType] = []
        for leaf in self.result.floats:
            require_real(leaf, "the result", self.site)
            type = leaf_type(leaf)
            assert type is not None
            self.result_types.append(type)
        for type in (*self.types, *self.result_types):
            require_known(type, self.site)

    @property
    def shape(self) -> tuple[int, int]:
        """That of the matrix."""
        rows, columns = (
            sum(type.size for type in types) for types in (self.result_types, self.types)
        )
        return rows, columns

    def pattern(self, known: Callable[[Any], Any] | None = None) -> Any:
        """The pattern of the matrix, as a csr_array of booleans.

        Args:
            known: gives the elements of an argument's leaf, if they are to count; None otherwise.
        """
        facts = self._facts(known)
        captured = recorder().outside.captured
        width = self.shape[1]
        run = Propagation(width, current_builder().graphs, captured, regions.RULES)
        found = run.run(self.graph, facts, {})
        for identity in run.consulted:
            recorder().outside.guards.append(_same_elements(captured[identity][0]))
        of_floats = self.result.of_floats(found)
        return _stacked([None if fact is None else fact.sets for fact in of_floats], self)

    def _facts(self, known: Callable[[Any], Any] | None) -> list[Fact]:
        starts = dict(zip(map(id, self.floats), np.cumsum([0, *(t.size for t in self.types)])))
        width = self.shape[1]
        facts = []
        for argument in self.call.arguments:
            start = starts.get(id(argument))
            sets = None
            if start is not None:
                sets = index_sets.identity(range(start, start + argument.type.size), width)
            data = None if known is None else known(argument)
            facts.append(Fact(None if data is None else KnownElements(data, frozenset()), sets))
        return facts


@contextlib.contextmanager
def _lanes_by_themselves() -> Iterator[None]:
    """Functions of lanes with control flow are recorded for one lane, whether or not they become
    kernels: batched, they pick the lanes that go on, and these depend on data."""
    before = recorder().capabilities
    recorder().capabilities = replace(before, native=True, refuses_lane=lambda *graphs: None)
    try:
        yield
    finally:
        recorder().capabilities = before


def _same_elements(array: Any) -> Guard:
    """Whether an array from outside still has the same elements."""
    key = raw_key(array)
    return Guard("an array from outside", lambda: array, lambda: raw_key(array) == key)


def _stacked(found: Sequence[Any], call: FloatsOfCall) -> Any:
    """The sets of all floats of a result, one below the other, as a matrix in order."""
    sparse = index_sets.scipy_sparse()
    rows, width = call.shape
    blocks = [
        sparse.csr_array((type.size, width), dtype=bool) if sets is None else sets
        for sets, type in zip(found, call.result_types)
    ]
    if not blocks:
        return sparse.csr_array((rows, width), dtype=bool)
    whole = sparse.csr_array(sparse.vstack(blocks, format="csr"))
    whole.sum_duplicates()
    return whole


def matrix(pattern: Any, data: Any) -> Any:
    """A csr_array with elements at the places of a pattern, in what is recorded."""
    small = max(pattern.nnz, *pattern.shape) <= np.iinfo(np.int32).max
    dtype = np.dtype(np.int32 if small else np.int64)  # as SciPy has it
    parts = (part.astype(dtype) for part in (pattern.indices, pattern.indptr))
    places = (GraphArray(Constant(part)) for part in parts)
    return made(index_sets.scipy_sparse().csr_array, pattern.shape, [data, *places])


@leaves_compiler
def sparsity(
    function: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    *,
    local: bool = False,
) -> Callable[P, Any]:
    """Where the Jacobian of a function may be other than zero.

    Sets of indices go through the function's graph: what an element of a result depends on is what
    those elements depend on that it is made of; both branches count, and any number of trips
    through a loop, but where they are known before the run: a loop over a fixed ``range`` is gone
    through trip by trip. What has a derivative of zero everywhere, like ``np.sign``, does not
    count. Griewank & Walther, Evaluating Derivatives, 2nd edition, 2008, section 7.1.

    Args:
        function: a Python function, plain or converted.
        argnums: the positions of the arguments to differentiate by: nested tuples, lists, dicts
            and objects of real floating-point arrays and numbers.
        has_aux: the function returns a pair, of which only the first is differentiated.
        local: whether the pattern is for these values of the arguments alone: branches are those
            that they take, indices those that they give, and an element that is multiplied by zero
            does not count. Otherwise it holds for all of these shapes and dtypes.

    Returns:
        A function with the arguments of ``function``. It returns a ``scipy.sparse.csr_array`` of
        booleans, with a row for each float in the result and a column for each one in the
        arguments, in their order.

    Raises:
        MissingLibraryError: SciPy is not installed.
        NonDifferentiableError: when called, if an argument or result is complex, or of a shape that
            only the run knows.
        OptionError: when called, with ``local`` in a compiled function, which has no values yet.

    Examples:
        >>> ag.sparsity(lambda x: x[1:] * x[:-1])(np.ones(4)).toarray().astype(int)
        array([[1, 1, 0, 0],
               [0, 1, 1, 0],
               [0, 0, 1, 1]])
    """
    index_sets.scipy_sparse()
    wanted = as_argnums(argnums, function)
    if local:
        return _at_values(function, wanted, bool(has_aux))
    return _everywhere(function, wanted, bool(has_aux))


@remembered
def _everywhere(function: Callable, argnums: Any, has_aux: bool) -> GraphFunction:
    def pattern(*args: Any, **kwargs: Any) -> Any:
        wanted = checked_argnums(argnums, args, function, holomorphic=False)
        found = FloatsOfCall(function, args, kwargs, wanted, has_aux).pattern()
        return matrix(found, GraphArray(Constant(found.data)))

    return transformed(pattern, function, "sparsity")


@remembered
def _at_values(function: Callable, argnums: Any, has_aux: bool) -> Callable:
    def pattern(*args: Any, **kwargs: Any) -> Any:
        if active_recorder() is not None:
            raise OptionError(
                "the pattern for the values of arguments, local=True, in a compiled function, "
                "where there are none yet",
                user_location(),
                id="AG0561",
                fix="find it outside, and capture it; or leave local out",
            )
        found: list[Any] = []
        values, _ = flatten((args, kwargs))

        def record(*args: Any, **kwargs: Any) -> None:
            wanted = checked_argnums(argnums, args, function, holomorphic=False)
            leaves, _ = flatten((args, kwargs))
            by_value: dict[Value, Any] = {
                leaf.value: value
                for leaf, value in zip(leaves, values)
                if isinstance(leaf, GraphArray)
            }
            call = FloatsOfCall(function, args, kwargs, wanted, has_aux)
            found[:] = [call.pattern(lambda leaf: by_value.get(leaf.value))]

        transformed(record, function, "sparsity").lower(*args, **kwargs)
        return found[0]

    return pattern
