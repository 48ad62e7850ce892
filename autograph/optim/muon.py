"""Muon: orthogonal updates of matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph import tree
from autograph.api.leafwise import cast_like, marks, nested_like, of_marked_updates, refuse_option
from autograph.api.vmap import vmap
from autograph.optim.adam import adamw, first_moment
from autograph.optim.base import GradientTransformation, ScalarOrSchedule, stateless
from autograph.optim.combining import chain, partition
from autograph.optim.decay import add_decayed_weights
from autograph.optim.masking import marks_of
from autograph.optim.numerics import safe_increment, update_moment, zero_count, zeros_like
from autograph.optim.scaling import scale_by_learning_rate

# Of an odd polynomial of degree 5, by Jordan et al., and for each of five steps, by Ahn et al.
_STANDARD = (3.4445, -4.7750, 2.0315)
_DION = (
    (4.0848, -6.8946, 2.9270),
    (3.9505, -6.3029, 2.6377),
    (3.7418, -5.5913, 2.3037),
    (2.8769, -3.1427, 1.2046),
    (2.8366, -3.0525, 1.2012),
)
_PRESETS = {"standard": _STANDARD, "dion": _DION}
_PRECONDITIONINGS = ("frobenius", "spectral", "aol", "schatten")


class MuonDimensionNumbers(NamedTuple):
    """Which axes of a parameter are the rows and columns of a matrix. Those that are neither have a
    matrix for each of their places.

    Attributes:
        reduction_axis: the axes that are summed over in a product with the parameter, one or more.
        output_axis: those of the result.
    """

    reduction_axis: Sequence[int] | int = 0
    output_axis: Sequence[int] | int = 1


class MuonState(NamedTuple):
    """The state of `scale_by_muon`.

    Attributes:
        count: how many steps there have been, an int32.
        mu: the moving average of the gradients.
    """

    count: Any
    mu: Any


def orthogonalize_via_newton_schulz(
    x: Any,
    ns_coeffs: Any = _STANDARD,
    ns_steps: int = 5,
    preconditioning: str = "frobenius",
    eps: float = 1e-8,
    dimension_numbers: MuonDimensionNumbers | None = None,
) -> Any:
    """A matrix with all singular values near one and the singular vectors of ``x``, by steps of
    Newton and Schulz.

    Args:
        x: a matrix; or, with dimension numbers, an array of more axes.
        ns_coeffs: the coefficients ``a, b, c`` of each step ``a x + b s x + c s s x`` with ``s = x
            x^T``; three for all steps, or three for each.
        ns_steps: how many steps there are, with the same coefficients.
        preconditioning: how the matrix is made small at first: by its Frobenius or ``"spectral"``
            norm, by row sums (``"aol"``, Prach and Lampert 2022), or by the Schatten norm of order
            4, ``"schatten"``.
        eps: keeps zeros from being divided by zero.
        dimension_numbers: which axes are rows and columns; of a matrix the first and the second.

    Raises:
        OptionError: ``x`` is no matrix, and has no dimension numbers, or such that do not fit.

    Examples:
        >>> x = ag.optim.orthogonalize_via_newton_schulz(np.array([[2.0, 0.0], [0.0, -0.5]]))
        >>> bool(np.all(np.abs(np.diag(x)) > 0.6)), bool(np.all(np.diag(x) * [1, -1] < 1.3))
        (True, True)
    """
    options = (ns_coeffs, ns_steps, preconditioning, eps)
    if np.ndim(x) == 2:
        return _orthogonal(x, *options)
    several, rows, columns = _axes(np.shape(x), dimension_numbers)
    order = (*several, *rows, *columns)
    moved = np.transpose(x, order)
    count, height, width = (_product(np.shape(x), axes) for axes in (several, rows, columns))
    matrices = np.reshape(moved, (count, height, width))
    made = vmap(lambda matrix: _orthogonal(matrix, *options))(matrices)
    return np.transpose(
        np.reshape(made, np.shape(moved)), [order.index(k) for k in range(len(order))]
    )


def _axes(
    shape: tuple[int, ...], dimension_numbers: MuonDimensionNumbers | None
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The axes of a parameter that are neither rows nor columns, those of rows, and those of
    columns."""
    if len(shape) < 2 or dimension_numbers is None:
        refuse_option(
            f"muon is given a parameter of shape {shape}",
            "give it matrices, and arrays of more axes with their MuonDimensionNumbers, and the "
            "others to another optimiser: see optim.partition",
        )
    given = [(axes,) if isinstance(axes, int) else tuple(axes) for axes in dimension_numbers]
    rows, columns = (tuple([axis % len(shape) for axis in axes]) for axes in given)
    used = (*rows, *columns)
    if len(set(used)) < len(used) or not all(-len(shape) <= k < len(shape) for k in sum(given, ())):
        refuse_option(
            f"a parameter of shape {shape} is given the {dimension_numbers}",
            "name each axis once, as one of rows or of columns",
        )
    return tuple([axis for axis in range(len(shape)) if axis not in used]), rows, columns


def _product(shape: tuple[int, ...], axes: tuple[int, ...]) -> int:
    return math.prod([shape[axis] for axis in axes])


def _orthogonal(x: Any, coefficients: Any, steps: int, preconditioning: str, eps: float) -> Any:
    is_tall = x.shape[0] > x.shape[1]
    if is_tall:
        x = x.T
    if preconditioning == "frobenius":
        x = x / (np.sqrt(np.sum(np.square(x))) + eps)
    elif preconditioning == "spectral":
        x = x / (np.linalg.norm(x, ord=2) + eps)
    for place, (a, b, c) in enumerate(_of_steps(coefficients, steps)):
        s = x @ x.T
        if place == 0 and preconditioning == "aol":
            root = np.sqrt(np.maximum(np.sum(np.abs(s), axis=-1), eps))[:, None]
            x, s = x / root, s / root / root.T
        if place == 0 and preconditioning == "schatten":
            norm = np.maximum(np.sqrt(np.sum(np.square(s))), eps)
            x, s = x / np.sqrt(norm), s / norm
        x = a * x + (b * s + c * s @ s) @ x
    return x.T if is_tall else x


def _of_steps(coefficients: Any, steps: int) -> Sequence[Any]:
    """The coefficients of each step."""
    if np.ndim(coefficients) == 1:
        return [coefficients] * steps
    return coefficients[-steps:]


def scale_by_muon(
    ns_coeffs: Any = _STANDARD,
    ns_steps: int = 5,
    beta: float = 0.95,
    eps: float = 1e-8,
    mu_dtype: Any = None,
    *,
    nesterov: bool = True,
    adaptive: bool = False,
    preconditioning: str = "frobenius",
    weight_dimension_numbers: Any = None,
) -> GradientTransformation:
    """The average of gradients, made orthogonal (Jordan et al. 2024).

    Args:
        ns_coeffs, ns_steps, eps, preconditioning: see `orthogonalize_via_newton_schulz`; the
            coefficients may be ``"standard"`` or ``"dion"``.
        beta: how slowly the average forgets.
        mu_dtype: its dtype; that of the parameters by default.
        nesterov: whether the average is that of the next step.
        adaptive: whether an update is as long as its inner product with the average.
        weight_dimension_numbers: `MuonDimensionNumbers`, nested like the parameters or an outer
            part of them, or a function that makes them of parameters. By default all leaves are
            matrices.

    Raises:
        OptionError: an option is none that there is; or (of ``update``) a leaf is no matrix, and
            has no dimension numbers.

    Examples:
        >>> muon = ag.optim.scale_by_muon()
        >>> update, _ = muon.update(np.diag([9.0, 4.0]), muon.init(np.zeros((2, 2))))
        >>> bool(np.all(np.abs(np.diag(update) - 1.0) < 0.4))
        True
    """
    if preconditioning not in _PRECONDITIONINGS:
        refuse_option(
            f"muon knows no preconditioning {preconditioning!r}",
            f"choose from {', '.join(map(repr, _PRECONDITIONINGS))}",
        )
    coefficients = _checked(ns_coeffs, ns_steps)

    def init(params: Any) -> MuonState:
        return MuonState(zero_count(), zeros_like(params, mu_dtype))

    def update(updates: Any, state: MuonState, params: Any = None) -> tuple[Any, MuonState]:
        count = safe_increment(state.count)
        mu = update_moment(updates, state.mu, beta, 1)
        average = first_moment(updates, mu, beta, count, nesterov)

        def of_leaf(numbers: MuonDimensionNumbers | None, g: Any, m: Any) -> Any:
            m = cast_like(m, g)
            made = orthogonalize_via_newton_schulz(
                m, coefficients, ns_steps, preconditioning, eps, numbers
            )
            return np.sum(m * made) * made if adaptive else made

        numbers = _numbers_of(weight_dimension_numbers, updates)
        return of_marked_updates(of_leaf, numbers, updates, average), MuonState(count, mu)

    return GradientTransformation(init, update)


def _checked(coefficients: Any, steps: int) -> Any:
    if isinstance(coefficients, str):
        if coefficients not in _PRESETS:
            refuse_option(
                f"muon knows no coefficients {coefficients!r}",
                f"choose from {', '.join(map(repr, _PRESETS))}, or give three numbers",
            )
        coefficients = _PRESETS[coefficients]
    shape = np.shape(coefficients)
    if not (shape == (3,) or (len(shape) == 2 and shape[1] == 3 and shape[0] <= steps)):
        refuse_option(
            f"the coefficients of muon have the shape {shape}, with ns_steps={steps}",
            "give three numbers, or three for each step",
        )
    return coefficients


def _numbers_of(given: Any, tree: Any) -> list[Any]:
    """The dimension numbers of each leaf; None where there are none."""
    return marks(marks_of(given, tree), tree, MuonDimensionNumbers)


def scale_by_shape(
    weight_dimension_numbers: Any = None, consistent_rms: float | None = None
) -> GradientTransformation:
    """Updates of matrices times ``sqrt(max(1, columns / rows))``, which keeps learning rates the
    same where widths change; or times ``sqrt(max(rows, columns)) * consistent_rms``, which makes
    the root of their mean square ``consistent_rms`` (Liu et al. 2025).

    Args:
        weight_dimension_numbers: what rows and columns are; see `scale_by_muon`.
        consistent_rms: see above.

    Examples:
        >>> ag.optim.scale_by_shape().update(np.ones((1, 4)), ag.optim.EmptyState())[0]
        array([[2., 2., 2., 2.]])
    """

    def of_leaf(numbers: MuonDimensionNumbers | None, update: Any) -> Any:
        shape = np.shape(update)
        if numbers is None and len(shape) == 2:
            numbers = MuonDimensionNumbers()
        _, rows, columns = _axes(shape, numbers)
        height, width = _product(shape, rows), _product(shape, columns)
        if consistent_rms is None:
            return update * max(1.0, width / height) ** 0.5
        return update * (max(height, width) ** 0.5 * consistent_rms)

    def scaled(updates: Any, params: Any) -> Any:
        numbers = _numbers_of(weight_dimension_numbers, updates)
        return of_marked_updates(of_leaf, numbers, updates)

    return stateless(scaled)


def muon(
    learning_rate: ScalarOrSchedule,
    ns_coeffs: Any = _STANDARD,
    ns_steps: int = 5,
    beta: float = 0.95,
    eps: float = 1e-8,
    weight_decay: ScalarOrSchedule = 0.0,
    weight_decay_mask: Any = None,
    mu_dtype: Any = None,
    *,
    nesterov: bool = True,
    adaptive: bool = False,
    preconditioning: str = "frobenius",
    adam_b1: float = 0.9,
    adam_b2: float = 0.999,
    adam_eps_root: float = 0.0,
    adam_weight_decay: ScalarOrSchedule = 0.0,
    adam_learning_rate: ScalarOrSchedule | None = None,
    muon_weight_dimension_numbers: Any = None,
    consistent_rms: float | None = None,
) -> GradientTransformation:
    """Muon for the matrices, Adam for all other parameters (Jordan et al., "Muon: an optimizer for
    hidden layers in neural networks", 2024).

    Args:
        learning_rate: a number or a schedule.
        ns_coeffs, ns_steps, beta, eps, mu_dtype, nesterov, adaptive, preconditioning: see
            `scale_by_muon`.
        weight_decay, weight_decay_mask: of the matrices; see `add_decayed_weights`.
        adam_b1, adam_b2, adam_eps_root, adam_weight_decay: of `adamw`, for the others.
        adam_learning_rate: theirs; by default the same.
        muon_weight_dimension_numbers: which parameters are for Muon, and what their rows and
            columns are: `MuonDimensionNumbers` for these and None for the others, nested like the
            parameters or an outer part of them; or a function that makes these of parameters. By
            default it is for all matrices.
        consistent_rms: see `scale_by_shape`.

    Raises:
        OptionError: an option is none that there is.

    Examples:
        >>> params, optimiser = {"w": np.eye(2), "b": np.zeros(2)}, ag.optim.muon(0.1)
        >>> gradient = {"w": np.diag([9.0, 4.0]), "b": np.ones(2)}
        >>> updates, state = optimiser.update(gradient, optimiser.init(params), params)
        >>> updates["b"].round(4)
        array([-0.1474, -0.1474])
    """
    of_matrices = chain(
        scale_by_muon(
            ns_coeffs,
            ns_steps,
            beta,
            eps,
            mu_dtype,
            nesterov=nesterov,
            adaptive=adaptive,
            preconditioning=preconditioning,
            weight_dimension_numbers=muon_weight_dimension_numbers,
        ),
        scale_by_shape(muon_weight_dimension_numbers, consistent_rms),
        add_decayed_weights(weight_decay, weight_decay_mask),
        scale_by_learning_rate(learning_rate),
    )
    of_others = adamw(
        learning_rate if adam_learning_rate is None else adam_learning_rate,
        b1=adam_b1,
        b2=adam_b2,
        eps=eps,
        eps_root=adam_eps_root,
        mu_dtype=mu_dtype,
        weight_decay=adam_weight_decay,
        nesterov=nesterov,
    )

    def labels(params: Any) -> Any:
        if muon_weight_dimension_numbers is None:
            return tree.map(lambda leaf: "muon" if np.ndim(leaf) == 2 else "adam", params)
        numbers = _numbers_of(muon_weight_dimension_numbers, params)
        return nested_like(params, ["adam" if each is None else "muon" for each in numbers])

    return partition({"muon": of_matrices, "adam": of_others}, labels)
