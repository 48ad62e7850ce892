"""autograph: the programs as they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import autograph as ag
from autograph.kernels.native.runtime import runtime
from benchmarks.beside.rotation import in_rotation
from benchmarks.programs import derivatives
from benchmarks.programs.rows import FORWARD, PROGRAMS

PACKAGE = "autograph-compiler"
REFUSES: dict[str, str] = {}
NOTES: dict[str, str] = {}

to_numpy = np.asarray


def give_back() -> None:
    """Give back what calls leave for the next ones: kernels keep memory that they have."""
    runtime().trim()


def gradient(count: int) -> Callable:
    """The transform that gives the gradient by the first arguments."""
    return lambda function: ag.grad(function, argnums=tuple(range(count)))


def hessian_times_vector(cost: Callable) -> Callable:
    slope = ag.grad(cost)

    def product(centres, points, direction):
        return ag.jvp(lambda c: slope(c, points), (centres,), (direction,))[1]

    return ag.to_graph(product)


def jacobians(residual: Callable) -> Callable:
    return ag.vmap(ag.jacrev(residual, argnums=(0, 1, 2)), (0, 0, 0, 0))


def greeks(price: Callable) -> Callable:
    return ag.vmap(ag.value_and_grad(price, argnums=(0, 1, 2, 3, 4)))


def hamiltonian(step: Callable) -> Callable:
    slope = ag.grad(derivatives.log_posterior)

    def proposal(position, momentum, size, x, labels):
        return step(slope, position, momentum, size, x, labels)

    return ag.to_graph(proposal)


TRANSFORMS: dict[str, Callable] = {
    "lenet": gradient(4),
    "mlp": gradient(6),
    "attention": gradient(3),
    "lstm": gradient(3),
    "gru": gradient(3),
    "k_means": hessian_times_vector,
    "log_likelihood": gradient(4),
    "reprojection": jacobians,
    "hand": ag.jacfwd,
    "determinant": ag.grad,
    "predator_prey": gradient(2),
    "contact": lambda force: ag.vmap(ag.jacrev(force)),
    "option": greeks,
    "hamiltonian": hamiltonian,
    "logistic": ag.hessian,
    "march": ag.grad,
}


def _maker(transform: Callable, function: Callable) -> Callable:
    def make(*args, others=()):
        return in_rotation(transform(function), (args, *others))

    return make


MAKERS = {
    name: _maker(TRANSFORMS.get(name, ag.to_graph), program.function)
    for name, program in PROGRAMS.items()
} | {f"{name} forward": _maker(ag.to_graph, PROGRAMS[name].function) for name in FORWARD}
