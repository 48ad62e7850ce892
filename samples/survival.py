"""Regression of how long patients live, in the form that survival packages have for their models.

A package such as lifelines (Davidson-Pilon, J. Open Source Software 4 (2019), 1317) asks a model
for nothing but its cumulative hazard, written with ``import autograd.numpy as np``: the hazard is
that one's derivative by time, the likelihood with censoring follows, and so do its gradient for the
fit and its Hessian for the standard errors. Here such classes are written with
``import numpy as np`` and one decorator, `ag.to_graph` at the likelihood.

    python samples/survival.py      three models of the same patients, beside what made them

Sources: Klein & Moeschberger, "Survival analysis", 2nd edition (Springer, 2003), chapter 3 for the
likelihood and chapter 12 for the models.
"""

from __future__ import annotations

import numpy as np

import autograph as ag

NAMES = ("intercept", "age", "treatment")
TRUE = {"scale": np.array([2.0, -0.6, 0.8]), "shape": 1.6}


class Model:
    """A regression of lifetimes.

    A subclass says how its parameters are called, how many each has by the number of columns, and
    what the cumulative hazard is.
    """

    def shapes(self, columns):
        """The number of values of each parameter, by name."""
        raise NotImplementedError

    def _cumulative_hazard(self, params, T, Ex):
        """At times of shape [n], for columns of shape [n, columns]."""
        raise NotImplementedError

    def _split(self, vector, columns):
        params, at = {}, 0
        for name, size in self.shapes(columns).items():
            params[name] = vector[at : at + size]
            at += size
        return params

    @ag.to_graph
    def _negative_log_likelihood(self, vector, T, E, Ex):
        """Its mean over patients: of times, whether each ended in death, and columns."""
        params = self._split(vector, Ex.shape[1])
        total = lambda T: np.sum(self._cumulative_hazard(params, T, Ex))
        hazard = ag.grad(total)(T)
        log_hazard = np.log(np.clip(hazard, 1e-25, np.inf))
        return np.mean(self._cumulative_hazard(params, T, Ex) - E * log_hazard)

    def fit(self, T, E, Ex):
        """Newton's method with a line search; keeps the parameters and their standard errors.

        Args:
            T: how long each patient was seen, float array of shape [n].
            E: 1 where that ended in death, 0 where the patient was lost, of shape [n].
            Ex: the columns, float array of shape [n, columns].

        Raises:
            RuntimeError: there is no end to the steps.
        """
        vector = np.zeros(sum(self.shapes(Ex.shape[1]).values()))
        value_and_gradient = ag.value_and_grad(self._negative_log_likelihood)
        hessian = ag.hessian(self._negative_log_likelihood)
        value, gradient = value_and_gradient(vector, T, E, Ex)
        for _ in range(100):
            if np.max(np.abs(gradient)) < 1e-9:
                break
            values, vectors = np.linalg.eigh(hessian(vector, T, E, Ex))
            step = vectors @ (vectors.T @ gradient / np.maximum(np.abs(values), 1e-4))
            share, slope = 1.0, step @ gradient
            while True:
                trial = vector - share * step
                found, gradient = value_and_gradient(trial, T, E, Ex)
                if found <= value - 1e-4 * share * slope or share < 1e-6:
                    break
                share *= 0.5
            vector, value = trial, found
        else:
            raise RuntimeError("the fit does not converge")
        self.vector, self.log_likelihood = vector, -len(T) * value
        self.covariance = np.linalg.inv(len(T) * hessian(vector, T, E, Ex))
        self.standard_errors = np.sqrt(np.diag(self.covariance))
        return self

    def survival(self, times, x):
        """The chance that a patient with these columns lives until each of these times."""
        params = self._split(self.vector, len(x))
        return np.exp(-self._cumulative_hazard(params, times, np.tile(x, (len(times), 1))))


class Weibull(Model):
    def shapes(self, columns):
        return {"scale": columns, "log_shape": 1}

    def _cumulative_hazard(self, params, T, Ex):
        scale, shape = np.exp(Ex @ params["scale"]), np.exp(params["log_shape"])
        return (T / scale) ** shape


class LogLogistic(Model):
    def shapes(self, columns):
        return {"scale": columns, "log_shape": 1}

    def _cumulative_hazard(self, params, T, Ex):
        scale, shape = np.exp(Ex @ params["scale"]), np.exp(params["log_shape"])
        return np.log1p((T / scale) ** shape)


class PiecewiseExponential(Model):
    """The hazard is another one between each two breaks, in which all columns take part alike."""

    def __init__(self, breaks):
        self.breaks = np.concatenate([[0.0], breaks, [np.inf]])

    def shapes(self, columns):
        return {"columns": columns - 1, "log_rates": len(self.breaks) - 1}

    def _cumulative_hazard(self, params, T, Ex):
        spent = np.clip(T[:, None], self.breaks[:-1], self.breaks[1:]) - self.breaks[:-1]
        return (spent @ np.exp(params["log_rates"])) * np.exp(Ex[:, 1:] @ params["columns"])


def patients(count, seed=0):
    """How long they were seen, whether they died then, and their columns."""
    rng = np.random.default_rng(seed)
    age, treated = rng.normal(size=count), rng.random(count) < 0.5
    columns = np.stack([np.ones(count), age, treated.astype(float)], 1)
    lives = np.exp(columns @ TRUE["scale"]) * rng.weibull(TRUE["shape"], size=count)
    lost = rng.uniform(2.0, 25.0, size=count)
    return np.minimum(lives, lost), (lives <= lost).astype(float), columns


def main() -> None:
    T, E, Ex = patients(500)
    print(f"{len(T)} patients, of whom {int(np.sum(E))} died while they were seen")
    for model in (Weibull(), LogLogistic(), PiecewiseExponential(np.array([2.0, 5.0, 10.0]))):
        model.fit(T, E, Ex)
        print(f"{type(model).__name__}: log-likelihood {model.log_likelihood:.2f}")
        at = 0
        for name, size in model.shapes(Ex.shape[1]).items():
            for i in range(at, at + size):
                print(f"    {name:10} {model.vector[i]:8.4f} +- {model.standard_errors[i]:.4f}")
            at += size
    print("in truth: scale", *TRUE["scale"], "log_shape", round(float(np.log(TRUE["shape"])), 4))


if __name__ == "__main__":
    main()
