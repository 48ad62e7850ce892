"""The draws of a graph: which values are drawn from which distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.graph.graph import Constant, Graph, Node, Value, walk
from autograph.transforms.analysis.activity import moving_values
from autograph.transforms.scores.distributions import CONTINUOUS, CONTINUOUS_FAMILIES, DISCRETE
from ops.core.records import NamedTuple
from ops.random.counts import random_poisson
from ops.random.draws import LIKELIHOOD, drawn
from ops.random.gammas import random_gamma
from ops.random.numpy_streams import LEGACY, draw, draw_next
from ops.random.python_draws import python_draw


class Site(NamedTuple):
    """A draw.

    Attributes:
        value: what is drawn.
        node: that draws it.
        distribution: the name of its distribution.
        parameters: of that.
        origin, unit: the number drawn is the origin plus the unit times one of a standard
            distribution.
    """

    value: Value
    node: Node
    distribution: str
    parameters: tuple[Value, ...] = ()
    origin: float = 0.0
    unit: float = 1.0

    @property
    def is_standard(self) -> bool:
        """Whether it is a continuous distribution without parameters."""
        return self.distribution in CONTINUOUS

    @property
    def is_family(self) -> bool:
        """Whether it is a continuous distribution with parameters."""
        return self.distribution in CONTINUOUS_FAMILIES

    @property
    def is_known(self) -> bool:
        """Whether it is known how likely what is drawn is."""
        return self.is_standard or self.is_family or self.distribution in DISCRETE


def site_of(node: Node) -> Site | None:
    """What a node draws; None if it draws nothing."""
    rule = _RULES.get(node.op)
    return None if rule is None else rule(node)


def draws_integers(node: Node) -> bool:
    """Whether a node draws integers, with probabilities that may depend on something."""
    site = site_of(node)
    return site is not None and not (site.is_standard or site.is_family) and bool(site.parameters)


def is_decided_by_draws(graph: Graph, node: Node) -> bool:
    """Whether what a node of a graph decides depends on draws of real numbers, or is one itself."""
    sites = filter(None, map(site_of, walk(graph)))
    random = moving_values(graph, [site.value for site in sites])
    return site_of(node) is not None or any(v in random for v in node.inputs)


def is_likelihood(node: Node) -> bool:
    """Whether a node's result is a log-likelihood that a transform has added."""
    return node.op is drawn and node.attrs["distribution"] == LIKELIHOOD


def _marked(node: Node) -> Site | None:
    name = node.attrs["distribution"]
    if name == LIKELIHOOD:
        return None
    return Site(node.outputs[0], node, name, node.inputs[1:])


# NumPy's methods by the names of the distributions, with the parameters that are known there: the
# origin and the unit, or the parameters themselves.
_STANDARD = {
    "random": "uniform",
    "random_sample": "uniform",
    "standard_normal": "normal",
    "standard_exponential": "exponential",
    "standard_cauchy": "cauchy",
}
_SCALED = {
    "normal": ("normal", "loc", "scale"),
    "gumbel": ("gumbel", "loc", "scale"),
    "laplace": ("laplace", "loc", "scale"),
    "logistic": ("logistic", "loc", "scale"),
    "exponential": ("exponential", None, "scale"),
}
_WITH_PARAMETERS = {
    "poisson": ("poisson", ("lam",)),
    "binomial": ("binomial", ("n", "p")),
    "geometric": ("geometric", ("p",)),
    "choice": ("choice", ("p",)),
    "standard_gamma": ("gamma", ("shape",)),
}


def _of_numpy(node: Node) -> Site:
    attrs = node.attrs
    method = attrs["method"].removeprefix(LEGACY)
    operands = node.inputs[node.op is draw_next :]
    static = dict(attrs["static"])
    given = {**static, **dict(zip(attrs["names"], operands))}
    value = node.outputs[-1]
    if method in _STANDARD:
        return Site(value, node, _STANDARD[method])
    if method == "uniform" and not attrs["names"]:
        low, high = static.get("low", 0.0), static.get("high", 1.0)
        return Site(value, node, "uniform", (), low, high - low)
    if method in _SCALED and not attrs["names"]:
        name, origin, unit = _SCALED[method]
        return Site(value, node, name, (), static.get(origin, 0.0), static.get(unit, 1.0))
    if method in _WITH_PARAMETERS and static.get("replace", True):
        name, wanted = _WITH_PARAMETERS[method]
        if all(parameter in given for parameter in wanted):
            parameters = tuple(_lifted(given[parameter]) for parameter in wanted)
            return Site(value, node, name, parameters)
    return Site(value, node, f"numpy.random's {method}", operands)


def _of_python(node: Node) -> Site | None:
    method, value = node.attrs["method"], node.outputs[0]
    if method == "seed":
        return None
    if method in _OF_PYTHON and not node.inputs:
        return Site(value, node, _OF_PYTHON[method])
    return Site(value, node, f"random.{method}", node.inputs)


# Those that are drawn in their standard forms, with the names of the distributions.
_OF_PYTHON = {
    "random": "uniform",
    "gauss": "normal",
    "normalvariate": "normal",
    "expovariate": "exponential",
}


def _lifted(parameter: Any) -> Value:
    return parameter if isinstance(parameter, Value) else Constant(parameter)


_RULES: dict[Any, Callable[[Node], Site | None]] = {
    drawn: _marked,
    random_gamma: lambda node: Site(node.outputs[0], node, "gamma", node.inputs[1:]),
    random_poisson: lambda node: Site(node.outputs[0], node, "poisson", node.inputs[1:]),
    draw: _of_numpy,
    draw_next: _of_numpy,
    python_draw: _of_python,
}
