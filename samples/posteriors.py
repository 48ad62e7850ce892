"""Twenty-one posteriors: logarithms of densities in plain NumPy, each with a moment that is known.

What has bounds is sampled as its logarithm or logit, whose Jacobian is part of the density. The
moment is known in closed form, or by a sum over a grid, for which the densities are small enough.
`samples/nuts.py` samples them. The data are made up, but for those of the schools.

Sources: Neal, "Slice sampling", Annals of Statistics 31 (2003), 705-767, for the funnel; Gelman et
al., "Bayesian data analysis", 3rd edition, section 5.5, for the eight schools and their data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

import autograph as ag

RNG = np.random.default_rng(7)


@dataclass(frozen=True)
class Posterior:
    """A density, and what is known of it.

    Attributes:
        log_density: of a float array of shape [n].
        start: where a chain begins, [n].
        statistic: of an array of draws, [..., n] -> [...].
        known: the mean of the statistic, or the box of a grid to sum it over: the lowest and the
            highest value of each parameter.
    """

    log_density: Callable
    start: np.ndarray
    statistic: Callable
    known: float | list[tuple[float, float]]

    def mean(self, points: int = 0) -> float:
        """The mean of the statistic."""
        if isinstance(self.known, float):
            return self.known
        points = points or {1: 4000, 2: 160, 3: 60}[len(self.known)]
        axes = [np.linspace(low, high, points) for low, high in self.known]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, len(axes))
        logs = ag.vmap(self.log_density)(grid)
        weights = np.exp(logs - np.max(logs))
        return float(np.sum(weights * self.statistic(grid)) / np.sum(weights))


def first(draws):
    return draws[..., 0]


def normal(x, mean, deviation):
    """The logarithm of a normal density, without its constant."""
    return -0.5 * ((x - mean) / deviation) ** 2 - np.log(deviation)


# -- known in closed form --------------------------------------------------------------------------

SCALES = np.array([0.5, 1.0, 2.0, 4.0])


def scales(theta):
    return np.sum(normal(theta, 0.0, SCALES))


def correlated(theta):
    x, y = theta
    return normal(x, 0.0, 1.0) + normal(y, 0.95 * x, np.sqrt(1.0 - 0.95**2))


def funnel(theta):
    return normal(theta[0], 0.0, 1.0) + np.sum(normal(theta[1:], 0.0, np.exp(0.5 * theta[0])))


def banana(theta):
    x, y = theta
    return normal(x, 0.0, 1.0) + normal(y, x**2, 1.0)


def student(theta):
    return -3.0 * np.log(1.0 + theta[0] ** 2 / 5.0)


def mixture(theta):
    left, right = normal(theta[0], -1.0, 0.7), normal(theta[0], 1.5, 1.0)
    return np.logaddexp(np.log(0.3) + left, np.log(0.7) + right)


COUNTS = np.array([3.0, 5.0, 2.0, 4.0, 6.0, 1.0])


def gamma_poisson(theta):
    rate = np.exp(theta[0])
    return 2.0 * theta[0] - 1.0 * rate + np.sum(COUNTS * theta[0] - rate)


def beta_binomial(theta):
    p = 1.0 / (1.0 + np.exp(-theta[0]))
    return 9.0 * np.log(p) + 5.0 * np.log(1.0 - p)


X = np.stack([np.ones(30), np.linspace(-1.0, 1.0, 30), RNG.normal(size=30)], 1)
Y = X @ np.array([0.5, -1.0, 2.0]) + 0.5 * RNG.normal(size=30)


def linear_regression(theta):
    return np.sum(normal(Y, X @ theta, 0.5)) + np.sum(normal(theta, 0.0, 10.0))


def linear_regression_mean():
    return np.linalg.solve(X.T @ X / 0.25 + np.eye(3) / 100.0, X.T @ Y / 0.25)


# -- a hierarchy -----------------------------------------------------------------------------------

EFFECTS = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
ERRORS = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])


def eight_schools(theta):
    """The mean, the logarithm of the deviation, and the effects in units of it."""
    mu, tau = theta[0], np.exp(theta[1])
    effects = mu + tau * theta[2:]
    prior = normal(mu, 0.0, 5.0) - np.log(1.0 + (tau / 5.0) ** 2) + theta[1]
    return prior + np.sum(normal(theta[2:], 0.0, 1.0)) + np.sum(normal(EFFECTS, effects, ERRORS))


def eight_schools_centred(theta):
    """The same with the effects themselves, for a deviation that is known better: a lognormal."""
    mu, tau = theta[0], np.exp(theta[1])
    prior = normal(mu, 0.0, 5.0) + normal(theta[1], 2.0, 0.4)
    return prior + np.sum(normal(theta[2:], mu, tau)) + np.sum(normal(EFFECTS, theta[2:], ERRORS))


def schools_mean(prior):
    """The mean of the mean, by a sum over the deviation: what is given that is normal."""
    logs, means = [], []
    for t in np.linspace(-8.0, 6.0, 4000):
        weights = 1.0 / (ERRORS**2 + np.exp(2.0 * t))
        precision = np.sum(weights) + 1.0 / 25.0
        mean = np.sum(weights * EFFECTS) / precision
        fit = np.sum(np.log(weights)) - np.sum(weights * EFFECTS**2) + precision * mean**2
        logs.append(prior(t) + 0.5 * fit - 0.5 * np.log(precision))
        means.append(mean)
    weights = np.exp(logs - np.max(logs))
    return float(np.sum(weights * means) / np.sum(weights))


# -- regressions and counts ------------------------------------------------------------------------

DOSES = np.linspace(-2.0, 2.0, 40)
CAME = (RNG.random(40) < 1.0 / (1.0 + np.exp(-(0.5 + 1.5 * DOSES)))).astype(float)
EVENTS = RNG.poisson(np.exp(0.5 + 0.6 * DOSES)).astype(float)
GRADES = np.digitize(1.2 * DOSES + RNG.logistic(size=40), [-1.0, 1.0])
SPREAD = RNG.negative_binomial(3.0, 3.0 / (3.0 + 4.0), size=40).astype(float)


def logistic_regression(theta):
    score = theta[0] + theta[1] * DOSES
    return np.sum(CAME * score - np.logaddexp(0.0, score)) + np.sum(normal(theta, 0.0, 3.0))


def poisson_regression(theta):
    score = theta[0] + theta[1] * DOSES
    return np.sum(EVENTS * score - np.exp(score)) + np.sum(normal(theta, 0.0, 3.0))


def ordinal(theta):
    """A slope, a cut, and the logarithm of the way to the next one."""
    low = theta[1] - theta[0] * DOSES
    high = low + np.exp(theta[2])
    below, up_to = 1.0 / (1.0 + np.exp(-low)), 1.0 / (1.0 + np.exp(-high))
    chance = np.where(GRADES == 0, below, np.where(GRADES == 1, up_to - below, 1.0 - up_to))
    return np.sum(np.log(chance)) + np.sum(normal(theta, 0.0, 2.0))


def negative_binomial(theta):
    mean, size = np.exp(theta[0]), np.exp(theta[1])
    chances = gammaln(SPREAD + size) - gammaln(size) - (SPREAD + size) * np.log(size + mean)
    fit = np.sum(chances + size * theta[1] + SPREAD * theta[0])
    return fit + np.sum(normal(theta, 1.0, 1.0))


# -- in time ---------------------------------------------------------------------------------------

SERIES = np.zeros(50)
for _i in range(1, 50):
    SERIES[_i] = 0.7 * SERIES[_i - 1] + 0.5 * RNG.normal()
LEVELS = np.where(np.arange(40) < 25, 1.0, 2.5) + 0.6 * RNG.normal(size=40)
RETURNS = np.array([0.4, -1.9, 1.1])
LIVED = np.minimum(2.0 * RNG.weibull(1.5, size=40), 3.0)


def autoregression(theta):
    """Its coefficient, as it is; the logarithm of the deviation of the noise."""
    noise = SERIES[1:] - theta[0] * SERIES[:-1]
    return np.sum(normal(noise, 0.0, np.exp(theta[1]))) + np.sum(normal(theta, 0.0, 1.0))


def change_point(theta):
    """When a level rises, smoothly, and by how much."""
    rise = 1.0 / (1.0 + np.exp(-(np.arange(40) - theta[0])))
    return np.sum(normal(LEVELS, 1.0 + theta[1] * rise, 0.6)) + normal(theta[0], 20.0, 10.0)


def volatility(theta):
    """The logarithms of the variances of three days, each near that of the day before."""
    days = normal(theta[0], 0.0, 1.0) + np.sum(normal(theta[1:], 0.9 * theta[:-1], 0.5))
    return days + np.sum(normal(RETURNS, 0.0, np.exp(0.5 * theta)))


def survival(theta):
    """A Weibull distribution's logarithms of scale and shape; who lived to 3 may live on."""
    scale, shape = np.exp(theta[0]), np.exp(theta[1])
    hazard = (LIVED / scale) ** shape
    rate = np.log(shape) - np.log(scale) + (shape - 1.0) * np.log(LIVED / scale)
    return np.sum(np.where(LIVED < 3.0, rate, 0.0) - hazard) + np.sum(normal(theta, 0.0, 1.0))


PLACES = np.linspace(0.0, 1.0, 8)
HEIGHTS = np.sin(5.0 * PLACES) + 0.1 * RNG.normal(size=8)


def gaussian_process(theta):
    """The logarithms of its amplitude and of its length."""
    apart = (PLACES[:, None] - PLACES[None, :]) / np.exp(theta[1])
    covariance = np.exp(2.0 * theta[0] - 0.5 * apart**2) + 0.04 * np.eye(8)
    factor = np.linalg.cholesky(covariance)
    half = np.linalg.solve(factor, HEIGHTS)
    fit = -0.5 * half @ half - np.sum(np.log(np.diag(factor)))
    return fit + normal(theta[0], 0.0, 1.0) + normal(theta[1], -1.0, 1.0)


def lotka_volterra(theta, steps=40):
    """Hares and lynxes over 4 years: the logarithms of how fast hares grow and lynxes starve."""
    grow, starve, h = np.exp(theta[0]), np.exp(theta[1]), 4.0 / steps
    state = np.array([1.0, 0.5])
    total = normal(theta[0], 0.0, 1.0) + normal(theta[1], 0.0, 1.0)

    def change(state):
        hares, lynxes = state
        return np.stack([hares * (grow - lynxes), lynxes * (hares - starve)])

    for i in range(steps):
        a = change(state)
        b = change(state + 0.5 * h * a)
        c = change(state + 0.5 * h * b)
        d = change(state + h * c)
        state = state + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        if i % 5 == 4:
            total += np.sum(normal(np.log(state), HERDS[i // 5], 0.2))
    return total


HERDS = np.array(
    [
        [0.29, -0.75],
        [0.56, -0.40],
        [0.66, 0.20],
        [0.22, 0.75],
        [-0.60, 0.80],
        [-1.10, 0.45],
        [-1.20, 0.01],
        [-0.85, -0.45],
    ]
)


def _one(log_density, start, known, statistic=first):
    return Posterior(log_density, np.array(start), statistic, known)


def cauchy(t):
    return t - np.log(1.0 + (np.exp(t) / 5.0) ** 2)


POSTERIORS = {
    "scales": _one(scales, [0.1] * 4, 4.0, lambda x: x[..., 2] ** 2),
    "correlated": _one(correlated, [0.1, 0.1], 0.95, lambda x: x[..., 0] * x[..., 1]),
    "funnel": _one(funnel, [0.1] * 3, 1.0, lambda x: x[..., 0] ** 2),
    "banana": _one(banana, [0.1, 0.1], 1.0, lambda x: x[..., 1]),
    "student": _one(student, [0.1], 0.0),
    "mixture": _one(mixture, [0.1], 0.75),
    "gamma-Poisson": _one(gamma_poisson, [0.1], 23.0 / 7.0, lambda x: np.exp(x[..., 0])),
    "beta-binomial": _one(beta_binomial, [0.1], 9.0 / 14.0, lambda x: 1 / (1 + np.exp(-x[..., 0]))),
    "linear regression": _one(linear_regression, [0.1] * 3, float(linear_regression_mean()[0])),
    "eight schools": _one(eight_schools, [0.1] * 10, schools_mean(cauchy)),
    "eight schools, centred": _one(
        eight_schools_centred, [0.1] * 10, schools_mean(lambda t: normal(t, 2.0, 0.4))
    ),
    "logistic regression": _one(logistic_regression, [0.1, 0.1], [(-3.0, 4.0), (-2.0, 6.0)]),
    "Poisson regression": _one(poisson_regression, [0.1, 0.1], [(-2.0, 2.0), (-1.0, 2.0)]),
    "ordinal": _one(ordinal, [0.1] * 3, [(-1.0, 4.0), (-4.0, 2.0), (-2.0, 2.5)]),
    "negative binomial": _one(negative_binomial, [0.1, 0.1], [(0.0, 3.0), (-1.0, 4.0)]),
    "autoregression": _one(autoregression, [0.1, 0.1], [(-0.2, 1.5), (-2.0, 0.5)]),
    "change point": _one(
        change_point, [20.0, 1.0], [(10.0, 40.0), (-1.0, 4.0)], lambda x: x[..., 1]
    ),
    "volatility": _one(volatility, [0.1] * 3, [(-5.0, 6.0), (-5.0, 6.0), (-5.0, 6.0)]),
    "survival": _one(survival, [0.1, 0.1], [(-0.5, 1.7), (-0.8, 1.5)]),
    "Gaussian process": _one(gaussian_process, [0.1, -1.0], [(-2.5, 3.5), (-4.0, 2.0)]),
    "Lotka and Volterra": _one(lotka_volterra, [0.1, 0.1], [(-1.5, 1.5), (-1.5, 1.5)]),
}
