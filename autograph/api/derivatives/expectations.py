"""Derivatives of expectations over random draws: `expectation`, `score_gradient`, `pathwise`.

Of a function whose draws depend on parameters, by comparisons or as integers, the derivative of one
run is not that of the expectation: that of the probabilities is missing. The likelihood ratio has
it (P. W. Glynn, Communications of the ACM 33, 1990; R. J. Williams, Machine Learning 8, 1992): with
the logarithm L of the likelihood of all draws,

    d/da E[f] = E[df/da + (f - b) dL/da]

for any baseline b that these draws do not decide. What is recorded is ``f + (f - b) * expm1(L -
l)``, with l the value of L as a constant: it has the value of f, and derivatives of all orders
whose expectations are those of the expectation (J. Foerster et al., DiCE: The infinitely
differentiable Monte Carlo estimator, ICML 2018). L comes from `autograph.transforms.scores`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Literal, NamedTuple, overload

import numpy as np

import ops
from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import (
    as_argnums,
    described,
    name_of,
    parameters_of,
    remembered,
    site_of,
    transformed,
)
from autograph.api.derivatives.custom import stop_gradient
from autograph.api.derivatives.gradients import grad
from autograph.api.derivatives.recorded_calls import pair
from autograph.api.function import GraphFunction
from autograph.api.trees import flatten, leaf_type
from autograph.api.type_parameters import P, R, X
from autograph.api.vmap import vmap
from autograph.errors import OptionError
from autograph.graph.builder import copy_nodes, current_builder
from autograph.graph.graph import Graph, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.ground.recorder import recorder
from autograph.staging.trace import subgraph
from autograph.transforms.scores.pathwise import check_pathwise
from autograph.transforms.scores.scoring import scored

OTHERS = "others"


class _Options(NamedTuple):
    """How an expectation is estimated.

    Attributes:
        samples: how many runs there are.
        baseline: None, `OTHERS`, a number or array, or a function of the arguments but the key.
        key: the position of the key; None if it is to be found.
        argnums: by what alone it is differentiated; None if nobody knows.
        scores: whether the likelihood is differentiated; if not, what needs it is refused.
        has_aux: whether the function returns a pair.
    """

    samples: int
    baseline: Any
    key: int | None
    argnums: tuple[int, ...] | None = None
    scores: bool = True
    has_aux: bool = False


def _options(function: Callable, samples: Any, baseline: Any, key: Any) -> _Options:
    """The options, checked.

    Raises:
        OptionError: one of them is none that there is.
    """

    def wrong(what: str, fix: str) -> OptionError:
        return OptionError(what, site_of(function), id="AG0556", fix=fix)

    if isinstance(samples, (bool, np.bool_)) or not hasattr(samples, "__index__") or samples < 1:
        raise wrong(f"samples is {samples!r}", "give a positive int")
    if key is not None and not hasattr(key, "__index__"):
        raise wrong(f"key is {key!r}", "give the position of the argument that is the key")
    if isinstance(baseline, str) and baseline != OTHERS:
        raise wrong(
            f"there is no baseline {baseline!r}",
            f"choose {OTHERS!r}, None, a number, or a function of the arguments but the key",
        )
    key = None if key is None else operator.index(key)
    return _Options(operator.index(samples), baseline, key)


@leaves_compiler
def expectation(
    function: Callable[P, R],
    *,
    samples: int = 1,
    baseline: Any = OTHERS,
    key: int | None = None,
) -> GraphFunction[P, R]:
    """The mean of a function of random draws, with derivatives that are those of its expectation,
    on average.

    A derivative of it, of any order and in both modes, is an unbiased estimate of that of the
    expected result: what parameters do to the probabilities of comparisons (``uniform(key) < p``)
    and of draws of integers (`ops.random.bernoulli`, `~ops.random.categorical`,
    `~ops.random.choice`, `~ops.random.poisson`) is in it, by the likelihood ratio, through
    branches, loops, recursion and lanes. What is a smooth function of parameters and draws is
    differentiated as it is, which varies less; but numbers ``mean + width * z`` that are compared
    are held, with the derivative of their density (P. W. Glynn, Communications of the ACM 33,
    1990). Numbers of NumPy's generators count as those of `ops.random`.

    Args:
        function: a Python function that draws by `ops.random` from a key, or from a NumPy
            generator, which is an argument.
        samples: how many runs the mean is of. If there are several, the key is split into as many.
        baseline: what is subtracted from the result where it is multiplied by the derivative of the
            likelihood, so that estimates vary less: ``"others"``, the mean of the other runs (W.
            Kool, H. van Hoof, M. Welling, 2019), if there are any; None; a number or array; or a
            function of the arguments but the key, like an estimate of the result.
        key: the position of the key among the arguments; by default that of the one named ``key``.

    Returns:
        A compiled function with the arguments of ``function``, whose results are means: integers
        and booleans become floats.

    Raises:
        NonDifferentiableError: when called to be differentiated, if what is drawn meets parameters
            where there is no derivative, and no likelihood is known: a number is compared and also
            used otherwise, or two variables hold it and are compared; for second derivatives also
            if a first one jumps at a place that is random, such as a kink. All floats among the
            arguments count as parameters, and those that are captured; use ``stop_gradient`` where
            they are none.
        OptionError: ``samples``, ``baseline`` or ``key`` is none that there is.

    Examples:
        >>> def steps(p, key):  # until the first success
        ...     count = 1
        ...     while ops.random.uniform(ops.random.fold_in(key, count)) >= p:
        ...         count += 1
        ...     return count
        >>> mean = ag.expectation(steps, samples=100_000)
        >>> value, slope = ag.value_and_grad(mean)(0.5, ops.random.key(0))
        >>> round(float(value), 1), round(float(slope))  # 1 / p and -1 / p**2
        (2.0, -4)
    """
    return _expectation(function, _options(function, samples, baseline, key))


@overload
def score_gradient(
    function: Callable[Concatenate[X, P], Any],
    argnums: Literal[0] = 0,
    has_aux: Literal[False] = False,
    *,
    samples: int = 1,
    baseline: Any = OTHERS,
    key: int | None = None,
) -> GraphFunction[Concatenate[X, P], X]: ...


@overload
def score_gradient(
    function: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    *,
    samples: int = 1,
    baseline: Any = OTHERS,
    key: int | None = None,
) -> GraphFunction[P, Any]: ...


@leaves_compiler
def score_gradient(
    function: Callable,
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    *,
    samples: int = 1,
    baseline: Any = OTHERS,
    key: int | None = None,
) -> GraphFunction:
    """The gradient of the expected result of a function of random draws, estimated.

    That of `expectation` by some arguments; the others are no parameters. Its own derivatives are
    unbiased estimates, too: ``ag.grad(ag.score_gradient(f))`` of the second derivative.

    Args:
        function, samples, baseline, key: as for `expectation`; the mean of the results is a real
            scalar.
        argnums, has_aux: as for `grad`. If there are several samples, what is auxiliary has them
            along its first axis.

    Returns:
        A compiled function with the arguments of ``function``, which returns what `grad` does.

    Raises:
        NonDifferentiableError, NonScalarOutputError, OptionError: see `expectation` and `grad`.

    Examples:
        >>> def game(p, key):
        ...     money = 10.0
        ...     for i in range(3):
        ...         if ops.random.bernoulli(ops.random.fold_in(key, i), p):
        ...             money = money * 2.0
        ...         else:
        ...             money = money - 5.0
        ...     return money
        >>> estimate = ag.score_gradient(game, samples=100_000)
        >>> round(float(estimate(0.3, ops.random.key(0))))  # exactly 58.05
        58
    """
    argnums = as_argnums(argnums, function)
    options = _options(function, samples, baseline, key)
    return _gradient(function, argnums, options._replace(has_aux=bool(has_aux)), "score_gradient")


@overload
def pathwise(
    function: Callable[Concatenate[X, P], Any],
    argnums: Literal[0] = 0,
    has_aux: Literal[False] = False,
    *,
    samples: int = 1,
    key: int | None = None,
) -> GraphFunction[Concatenate[X, P], X]: ...


@overload
def pathwise(
    function: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    *,
    samples: int = 1,
    key: int | None = None,
) -> GraphFunction[P, Any]: ...


@leaves_compiler
def pathwise(
    function: Callable,
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    *,
    samples: int = 1,
    key: int | None = None,
) -> GraphFunction:
    """The gradient of the expected result of a function of random draws by reparametrisation: the
    mean of the gradients of runs whose draws stand still.

    That is unbiased where the result is a continuous function of the parameters, whatever is drawn,
    and is refused where it may not be. Gamma numbers, and what is made of them, have the derivative
    of their quantiles (M. Figurnov, S. Mohamed, A. Mnih, NeurIPS 2018).

    Args:
        function, argnums, has_aux, samples, key: as for `score_gradient`.

    Returns:
        A compiled function with the arguments of ``function``, which returns what `grad` does.

    Raises:
        NonDifferentiableError: when called, if integers are drawn with probabilities that depend on
            the arguments, or a comparison depends on both draws and these.
        NonScalarOutputError, OptionError: see `score_gradient`.

    Examples:
        >>> def cost(mean, key):
        ...     return (mean + 0.5 * ops.random.normal(key)) ** 2
        >>> round(float(ag.pathwise(cost, samples=100_000)(3.0, ops.random.key(0))), 1)
        6.0
    """
    argnums = as_argnums(argnums, function)
    options = _options(function, samples, None, key)
    options = options._replace(has_aux=bool(has_aux), scores=False)
    return _gradient(function, argnums, options, "pathwise")


@remembered
def _gradient(
    function: Callable, argnums: int | tuple[int, ...], options: _Options, name: str
) -> GraphFunction:
    several = (argnums,) if isinstance(argnums, int) else argnums
    mean = _expectation(function, options._replace(argnums=several))

    def gradient(*args: Any, **kwargs: Any) -> Any:
        return grad(mean, argnums, has_aux=options.has_aux)(*args, **kwargs)

    return transformed(gradient, function, name)


@remembered
def _expectation(function: Callable, options: _Options) -> GraphFunction:
    def mean(*args: Any, **kwargs: Any) -> Any:
        if options.samples == 1:
            result, aux, total = _run(function, args, kwargs, options)
            value = _estimate(result, total, _baseline(options, function, args, kwargs))
            return (value, aux) if options.has_aux else value
        place = _place_of_key(function, args, kwargs, options.key)

        def lane(key: Any) -> tuple:
            given, named = list(args), dict(kwargs)
            if isinstance(place, str):
                named[place] = key
            else:
                given[place] = key
            return _run(function, given, named, options)

        key = kwargs[place] if isinstance(place, str) else args[place]
        _require_key(key, function)
        results, aux, totals = vmap(lane)(ops.random.split(key, options.samples))
        baseline = _baseline(options, function, args, kwargs)
        value = _estimate(results, totals, baseline, options.samples)
        return (value, aux) if options.has_aux else value

    return transformed(mean, function, "expectation")


def _run(
    function: Callable, args: Sequence[Any], kwargs: dict[str, Any], options: _Options
) -> tuple[Any, Any, Any]:
    """(result, aux, the logarithm of the likelihood of what was drawn); that is 0 if nothing
    depends on parameters, or no derivative is to be taken."""
    site = site_of(function)
    traced, arguments = subgraph(
        function, name_of(function), args, kwargs, "part of an expectation"
    )
    graph = traced.module.main
    values = [argument.value for argument in arguments]
    likely = None
    if order := recorder().transformed.derivatives:
        moving = _parameters(graph, arguments, args, options.argnums)
        if options.scores:
            likely = scored(graph, moving, order > 1)
        else:
            check_pathwise(graph, current_builder().graphs, moving, order > 1)
    env: dict[Value, Value] = dict(zip((likely or graph).inputs, values))
    outputs = copy_nodes((likely or graph).nodes, (likely or graph).outputs, env)
    total: Any = 0.0
    if likely is not None:
        total = GraphArray(outputs.pop())
    result = traced.delivery.deliver([GraphArray(value) for value in outputs])
    result, aux = pair(result, site) if options.has_aux else (result, None)
    return result, aux, total


def _parameters(
    graph: Graph,
    arguments: Sequence[GraphArray],
    args: Sequence[Any],
    argnums: tuple[int, ...] | None,
) -> list[Value]:
    """The inputs of a graph, and what it captures, by which it may be differentiated."""
    floats = [v for v in graph.inputs if v.type.inexact]
    if argnums is None or recorder().transformed.derivatives > 1:
        return [*floats, *(v for v in graph.captures if v.type.inexact)]
    wanted = [leaf for position in argnums for leaf in flatten(args[position])[0]]
    known = {id(leaf) for leaf in wanted}
    pairs = zip(graph.inputs, arguments)
    return [v for v, argument in pairs if v.type.inexact and id(argument) in known]


def _place_of_key(
    function: Callable, args: Sequence[Any], kwargs: dict[str, Any], key: int | None
) -> int | str:
    """The position, or the name, of the argument that is the key."""
    if key is not None and -len(args) <= key < len(args):
        return key
    if key is None:
        names = parameters_of(function, len(args))
        if "key" in names:
            return names.index("key")
        if "key" in kwargs:
            return "key"
    raise OptionError(
        "there are several samples, but no argument is called 'key'"
        if key is None
        else f"key names argument {key}, but the call has {len(args)} positional arguments",
        site_of(function),
        id="AG0556",
        fix="say by key=1 that the argument at position 1 is the key; of a NumPy generator, take "
        "one sample",
    )


def _require_key(key: Any, function: Callable) -> None:
    type = leaf_type(key)
    if type is None or type.dtype != np.uint32 or type.shape != (2,):
        raise OptionError(
            f"the key is {described(key)}",
            site_of(function),
            id="AG0556",
            fix="pass ops.random.key(seed); with a NumPy generator, take one sample",
        )


def _baseline(
    options: _Options, function: Callable, args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    baseline = options.baseline
    if not callable(baseline):
        return baseline
    names = parameters_of(function, len(args))
    key = options.key if options.key is None else options.key % max(len(args), 1)
    kept = (i for i in range(len(args)) if i != key and (key is not None or names[i] != "key"))
    rest = tuple(args[i] for i in kept)
    named = {name: x for name, x in kwargs.items() if name != "key"}
    found = recorder().call(recorder().outside.unbound(baseline), stop_gradient(rest), named)
    return stop_gradient(found)


def _estimate(results: Any, totals: Any, baseline: Any, samples: int = 1) -> Any:
    """The mean of results, moving as their expectation does.

    Args:
        results: with several samples, along the first axis.
        totals: the logarithms of the likelihoods.
        baseline: as for `expectation`, but for functions.
    """
    leaves, nesting = flatten(results)
    move = None
    if isinstance(totals, GraphArray):
        move = ops.expm1(totals - stop_gradient(totals))
    return nesting.unflatten([_mean(leaf, move, baseline, samples) for leaf in leaves])


def _mean(leaf: Any, move: Any, baseline: Any, samples: int) -> Any:
    type = leaf_type(leaf)
    if type is None:
        return leaf
    dtype = type.dtype if type.inexact else np.dtype(np.float64)
    x = leaf if type.inexact else ops.astype(leaf, dtype)
    if move is not None:
        rest = x - _subtracted(x, dtype, baseline, samples)
        factor = ops.astype(move, dtype)
        if samples > 1:
            factor = ops.reshape(factor, (samples, *(1 for _ in type.shape[1:])))
        x = x + rest * factor
    return ops.mean(x, axis=0) if samples > 1 else x


def _subtracted(x: Any, dtype: np.dtype, baseline: Any, samples: int) -> Any:
    """The baseline of results, a constant of their dtype."""
    if baseline is None or (isinstance(baseline, str) and samples == 1):
        return ops.zeros_like(x)
    if isinstance(baseline, str):
        still = stop_gradient(x)
        return (ops.sum(still, axis=0, keepdims=True) - still) / (samples - 1)
    return ops.astype(baseline, dtype)
