"""Runs SciPy's and scikit-learn's functions that take arrays of any library in compiled functions.

It is a program of its own, since SciPy reads ``SCIPY_ARRAY_API`` when it is imported. It prints for
each function "same" or the error, as JSON.
"""

import json
import os
import warnings

os.environ["SCIPY_ARRAY_API"] = "1"

import numpy as np
import scipy
import scipy.cluster.vq as vq
import scipy.constants as constants
import scipy.fft as fft
import scipy.integrate as integrate
import scipy.ndimage as ndimage
import scipy.optimize as optimize
import scipy.signal as signal
import scipy.spatial.transform as rotation
import scipy.special as special
import scipy.stats as stats

import autograph as ag

X = np.array([1.0, 2.0, 4.0, 3.0])
Y = np.array([2.0, 1.0, 0.5, 5.0])
M = np.array([[1.0, 2.0, 4.0, 3.0], [3.0, 5.0, 7.0, 1.0], [2.0, 2.0, 9.0, 4.0]])
Z = X + 1j * Y

FUNCTIONS = {
    "zscore": (lambda x: stats.zscore(x), X),
    "zscore by rows": (lambda m: stats.zscore(m, axis=1, ddof=1), M),
    "zmap": (lambda x, y: stats.zmap(x, y), X, Y),
    "gzscore": (lambda x: stats.gzscore(x), X),
    "entropy": (lambda x: stats.entropy(x), X),
    "entropy of two": (lambda x, y: stats.entropy(x, y, base=2), X, Y),
    "gmean": (lambda x: stats.gmean(x), X),
    "skew": (lambda x: stats.skew(x, bias=False), X),
    "kurtosis": (lambda m: stats.kurtosis(m, axis=1, fisher=False), M),
    "moment": (lambda x: stats.moment(x, 3), X),
    "lmoment": (lambda x: stats.lmoment(x), X),
    "variation": (lambda x: stats.variation(x), X),
    "tvar": (lambda x: stats.tvar(x), X),
    "sem": (lambda x: stats.sem(x), X),
    "kstat": (lambda x: stats.kstat(x, 2), X),
    "circmean": (lambda x: stats.circmean(x), X),
    "gstd": (lambda x: stats.gstd(x), X),
    "describe": (lambda x: tuple(stats.describe(x))[2:], X),
    "ttest_1samp": (lambda x: stats.ttest_1samp(x, 0.0).pvalue, X),
    "pearsonr": (lambda x, y: stats.pearsonr(x, y).statistic, X, Y),
    "trapezoid": (lambda x, y: integrate.trapezoid(x, y), X, Y),
    "cumulative_trapezoid": (lambda m: integrate.cumulative_trapezoid(m, dx=0.5, axis=0), M),
    "cumulative_simpson": (lambda x: integrate.cumulative_simpson(x, dx=0.1), X),
    "logsumexp": (lambda m: special.logsumexp(m, axis=1, b=2.0, keepdims=True), M),
    "log_softmax": (lambda m: special.log_softmax(m, axis=0), M),
    "expit": (lambda x: special.expit(x), X),
    "gammainc": (lambda x, y: special.gammainc(x, y), X, Y),
    "rel_entr": (lambda x, y: special.rel_entr(x, y), X, Y),
    "multigammaln": (lambda x: special.multigammaln(x, 1), X),
    "whiten": (lambda m: vq.whiten(m), M),
    "rfft": (lambda x: fft.rfft(x, norm="ortho"), X),
    "ifftn": (lambda m: fft.ifftn(m), M),
    "hfft": (lambda z: fft.hfft(z), Z),
    "fht": (lambda x: fft.fht(x, 0.1, 0.5), X),
    "fftconvolve": (lambda x, y: signal.fftconvolve(x, y), X, Y),
    "hilbert": (lambda x: signal.hilbert(x), X),
    "freqz": (lambda x: signal.freqz(x, worN=4), X),
    # These look at the elements, or run compiled code of their own.
    "hmean": (lambda x: stats.hmean(x), X),
    "chisquare": (lambda x, y: stats.chisquare(x, y * x.sum() / y.sum()).statistic, X, Y),
    "convolve": (lambda x, y: signal.convolve(x, y), X, Y),
    "dct": (lambda x: fft.dct(x), X),
    "gaussian_filter": (lambda m: ndimage.gaussian_filter(m, 1.0), M),
}


def add_marked_for_tracing():
    """Functions that newer versions of SciPy list as working under ``jax.jit``."""
    if np.lib.NumpyVersion(scipy.__version__) < "1.17.0":
        return
    vectors = M[:, :3] / 10.0
    turned = rotation.Rotation.from_rotvec
    FUNCTIONS.update(
        {
            "rotation": (lambda v: turned(v).as_matrix(), vectors),
            "rotated": (lambda v, u: turned(v[0]).apply(u), vectors, vectors),
            "angles": (lambda q: rotation.Rotation.from_quat(q).as_euler("xyz"), X),
            "turned twice": (lambda v: (turned(v[0]) * turned(v[1])).inv().as_quat(), vectors),
            "magnitude": (lambda v: turned(v).magnitude(), vectors),
            "from angles": (
                lambda a: rotation.Rotation.from_euler("zyx", a).as_rotvec(),
                vectors[0],
            ),
            "rosen": (lambda x: optimize.rosen(x), X),
            "rosen_hess": (lambda x: optimize.rosen_hess(x), X),
            "rosen_hess_prod": (lambda x, y: optimize.rosen_hess_prod(x, y), X, Y),
            "romb": (lambda x: integrate.romb(x, dx=0.5), np.arange(5.0) ** 2),
            "gaussian window": (lambda x, width: x * signal.windows.gaussian(4, width), X, 2.0),
            "exponential window": (
                lambda x, tau: x * signal.windows.exponential(4, tau=tau),
                *(X, 3.0),
            ),
            "general_cosine": (lambda x: signal.windows.general_cosine(7, x), X),
            "gauss_spline": (lambda x: signal.gauss_spline(x, 3), X),
            "envelope": (lambda x: signal.envelope(x), X),
            "convert_temperature": (lambda x: constants.convert_temperature(x, "C", "K"), X),
            "lambda2nu": (lambda x: constants.lambda2nu(x), X),
            "circstd": (lambda x: stats.circstd(x), X),
            "directional_stats": (lambda m: stats.directional_stats(m).mean_direction, M),
            "kstatvar": (lambda x: stats.kstatvar(x), X),
            "differential_entropy": (
                lambda x: stats.differential_entropy(x),
                np.arange(12.0) ** 1.5,
            ),
            "alexandergovern": (lambda x, y: stats.alexandergovern(x, y).statistic, X, Y),
            "bartlett": (lambda x, y: stats.bartlett(x, y).statistic, X, Y),
            "trim_mean": (lambda x: stats.trim_mean(x, 0.25), X),
            "skewtest": (lambda x: stats.skewtest(x).statistic, np.arange(9.0) ** 1.5),
            "irfftn": (lambda m: fft.irfftn(m), M),
        }
    )
    MARKED.extend(
        [
            *(optimize.rosen, optimize.rosen_hess, integrate.romb, signal.envelope),
            *(signal.gauss_spline, signal.windows.gaussian, signal.windows.general_cosine),
            *(constants.convert_temperature, constants.lambda2nu, fft.irfftn, fft.fht),
            *(stats.circstd, stats.directional_stats, stats.kstatvar, stats.bartlett),
            *(stats.differential_entropy, stats.alexandergovern, stats.trim_mean, stats.skewtest),
            *(stats.entropy, stats.gmean, stats.zscore, stats.tvar, special.logsumexp),
        ]
    )


MARKED: list = []
GRADIENTS = ("zscore", "entropy", "gmean", "skew", "trapezoid", "logsumexp", "variation", "hilbert")


def add_scikit_learn():
    try:
        import sklearn
        from sklearn import metrics
    except ImportError:
        return
    sklearn.set_config(array_api_dispatch=True, assume_finite=True)
    FUNCTIONS["mean_squared_error"] = (lambda x, y: metrics.mean_squared_error(x, y), X, Y)
    FUNCTIONS["r2_score"] = (lambda x, y: metrics.r2_score(x, y), X, Y)
    similarity = metrics.pairwise.cosine_similarity
    FUNCTIONS["cosine_similarity"] = (lambda m: similarity(m, m + 1), M)


def outcome(function, arguments):
    expected = function(*arguments)
    try:
        found = ag.to_graph(function)(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    pairs = [(found, expected)]
    if isinstance(expected, (tuple, list)):
        pairs = zip(found, expected, strict=True)
    for ours, theirs in pairs:
        assert (np.asarray(ours).dtype, np.shape(ours)) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)
    return "same"


def check_gradient(name):
    function, x, *others = FUNCTIONS[name]
    total = lambda x: np.sum(np.abs(function(x, *others)) ** 2)
    found, step = ag.grad(total)(x), 1e-6
    for index in np.ndindex(x.shape):
        ends = []
        for sign in (1, -1):
            moved = x.copy()
            moved[index] += sign * step
            ends.append(total(moved))
        expected = (ends[0] - ends[1]) / (2 * step)
        np.testing.assert_allclose(found[index], expected, rtol=1e-6, atol=1e-7)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    add_scikit_learn()
    add_marked_for_tracing()
    if MARKED:  # they are what SciPy's own table lists
        from scipy._lib._array_api import xp_capabilities_table

        assert all(xp_capabilities_table[function]["jax_jit"] for function in MARKED)
        GRADIENTS += ("rotation", "rotated", "from angles", "turned twice", "gaussian window")
    outcomes = {name: outcome(function, args) for name, (function, *args) in FUNCTIONS.items()}
    for each in GRADIENTS:
        if outcomes[each] == "same":  # the test says of which it is not
            check_gradient(each)
    print(json.dumps(outcomes))
