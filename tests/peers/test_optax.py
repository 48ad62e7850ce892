"""`autograph.optim` beside Optax: the same steps from the same gradients."""

import functools
import inspect

import numpy as np
import pytest

import autograph as ag
from autograph import optim

jax = pytest.importorskip("jax")
optax = pytest.importorskip("optax")
pytest.importorskip("optax.contrib")
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy

STEPS = 5


def parameters(dtype):
    rng = np.random.default_rng(0)
    draw = lambda *shape: rng.normal(size=shape).astype(dtype)
    return {"w": draw(4, 6), "layers": [(draw(3, 2), draw(3)), draw(2, 2, 3)], "scale": draw()}


def gradients(dtype):
    rng = np.random.default_rng(1)
    params = parameters(dtype)
    size = lambda x: 10.0 ** rng.uniform(-2, 1) * rng.normal(size=np.shape(x))
    return [ag.tree.map(lambda x: size(x).astype(dtype)[()], params) for _ in range(STEPS)]


def trained(library, optimiser, dtype, compiled=True):
    """The parameters after each of some steps, and the last state."""
    params, found = parameters(dtype), []
    state = optimiser.init(params)

    def step(params, state, gradient):
        updates, state = optimiser.update(gradient, state, params)
        return library.apply_updates(params, updates), state

    if compiled:
        step = jax.jit(step) if library is optax else ag.to_graph(step)
    for gradient in gradients(dtype):
        params, state = step(params, state, gradient)
        found.append(params)
    return found, state


def assert_same(ours, theirs, dtype, rtol):
    ours, theirs = jax.tree.leaves(ours), jax.tree.leaves(theirs)
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        assert a.dtype == b.dtype == dtype
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol)


def bias_free(params):
    return ag.tree.map(lambda leaf: np.ndim(leaf) > 1, params)


SCHEDULES = {
    "constant": ("constant_schedule", (0.1,), {}),
    "polynomial": ("polynomial_schedule", (1.0, 0.1, 3, 20), {"transition_begin": 4}),
    "linear": ("linear_schedule", (0.0, 1.0, 10), {"transition_begin": 3}),
    "no transition": ("linear_schedule", (0.5, 1.0, 0), {}),
    "piecewise": ("piecewise_constant_schedule", (1.0, {5: 0.5, 12: 0.2}), {}),
    "exponential": ("exponential_decay", (1.0, 5, 0.7), {}),
    "staircase": ("exponential_decay", (1.0, 5, 0.7, 3, True), {"end_value": 0.2}),
    "growth": ("exponential_decay", (1.0, 5, 1.7), {"end_value": 3.0}),
    "no decay": ("exponential_decay", (1.0, 5, 0.0), {}),
    "cosine": ("cosine_decay_schedule", (1.0, 17), {"alpha": 0.1, "exponent": 2.0}),
    "warm-up": ("warmup_constant_schedule", (0.0, 1.0, 6), {}),
    "warm-up, cosine": ("warmup_cosine_decay_schedule", (0.1, 1.0, 5, 18), {"end_value": 0.2}),
    "warm-up, exponential": (
        "warmup_exponential_decay_schedule",
        (0.1, 1.0, 5, 3, 0.8),
        {"transition_begin": 2, "staircase": True, "end_value": 0.5},
    ),
    "one cycle, linear": ("linear_onecycle_schedule", (20, 1.0), {"pct_start": 0.4}),
    "one cycle, cosine": ("cosine_onecycle_schedule", (20, 1.0), {"div_factor": 10.0}),
    "interpolated": ("piecewise_interpolate_schedule", ("cosine", 1.0, {4: 0.5, 9: 3.0}), {}),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedules(name):
    function, args, options = SCHEDULES[name]
    ours = getattr(optim, function)(*args, **options)
    theirs = getattr(optax, function)(*args, **options)
    compiled = ag.to_graph(ours)
    for count in range(25):
        wanted = float(theirs(jnp.int64(count)))  # of an int32 it would be a float32
        assert float(ours(count)) == pytest.approx(wanted, rel=1e-12, abs=1e-15)
        assert float(compiled(np.int32(count))) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


def test_joined_schedules():
    def joined(library):
        parts = [
            library.linear_schedule(0.0, 1.0, 3),
            library.exponential_decay(1.0, 2, 0.5),
            library.constant_schedule(0.1),
        ]
        return library.join_schedules(parts, [4, 9])

    ours, theirs = joined(optim), joined(optax)
    for count in range(14):
        assert float(ours(count)) == pytest.approx(float(theirs(count)), rel=1e-12)


def warm(library):
    return library.warmup_cosine_decay_schedule(0.0, 0.1, 2, 8)


OPTIMISERS = {
    "sgd": lambda o: o.sgd(0.1),
    "sgd, schedule": lambda o: o.sgd(warm(o)),
    "sgd, momentum": lambda o: o.sgd(0.1, momentum=0.9),
    "sgd, Nesterov": lambda o: o.sgd(0.1, momentum=0.9, nesterov=True),
    "adam": lambda o: o.adam(0.1),
    "adam, schedule": lambda o: o.adam(warm(o)),
    "adam, arguments": lambda o: o.adam(0.1, b1=0.8, b2=0.95, eps=1e-3, eps_root=1e-4),
    "adam, Nesterov": lambda o: o.adam(0.1, nesterov=True),
    "nadam": lambda o: o.nadam(0.1, b1=0.8),
    "adamw": lambda o: o.adamw(0.1),
    "adamw, mask": lambda o: o.adamw(0.1, weight_decay=0.3, mask=bias_free),
    "adamw, decay by schedule": lambda o: o.adamw(0.1, weight_decay=warm(o)),
    "nadamw": lambda o: o.nadamw(0.1, weight_decay=0.3),
    "adamax": lambda o: o.adamax(0.1, b1=0.8, b2=0.9, eps=1e-3),
    "amsgrad": lambda o: o.amsgrad(0.1, b2=0.5),
    "lamb": lambda o: o.lamb(0.1, weight_decay=0.1),
    "lion": lambda o: o.lion(0.01, b1=0.8, b2=0.9),
    "lion, smooth": lambda o: o.chain(
        o.scale_by_lion(mode="smooth", smooth_beta=0.7), o.scale_by_learning_rate(0.1)
    ),
    "lion, refined": lambda o: o.chain(
        o.scale_by_lion(0.5, mode="refined"), o.scale_by_learning_rate(0.1)
    ),
    "injected numbers": lambda o: o.inject_hyperparams(o.adam)(0.1, b1=0.8, eps_root=1e-3),
    "injected, by schedule": lambda o: o.inject_hyperparams(o.adamw)(
        warm(o), b1=lambda count: 0.5 + 0.05 * count, weight_decay=0.1
    ),
    "injected, static": lambda o: o.inject_hyperparams(o.adamw, static_args=("mask", "eps"))(
        0.1, mask=bias_free, weight_decay=0.3
    ),
    "adagrad": lambda o: o.adagrad(0.1),
    "adagrad from zero": lambda o: o.adagrad(0.1, initial_accumulator_value=0.0, eps=1e-3),
    "rmsprop": lambda o: o.rmsprop(0.1),
    "rmsprop, momentum": lambda o: o.rmsprop(0.1, momentum=0.9, nesterov=True, initial_scale=1.0),
    "rmsprop, centred": lambda o: o.rmsprop(0.1, centered=True, eps=1e-2),
    "rmsprop, corrected": lambda o: o.rmsprop(0.1, centered=True, eps=1e-2, bias_correction=True),
    "rmsprop, eps outside": lambda o: o.rmsprop(0.1, eps_in_sqrt=False, bias_correction=True),
    "adafactor": lambda o: o.adafactor(0.1),
    "adafactor, factored": lambda o: o.adafactor(0.1, min_dim_size_to_factor=2),
    "adafactor, all": lambda o: o.adafactor(
        warm(o),
        min_dim_size_to_factor=2,
        decay_rate=0.6,
        momentum=0.9,
        dtype_momentum=np.float64,
        weight_decay_rate=0.01,
        clipping_threshold=0.5,
        multiply_by_parameter_scale=False,
    ),
    "adafactor, relative": lambda o: o.adafactor(min_dim_size_to_factor=3),
    "clip": lambda o: o.chain(o.clip(0.5), o.sgd(0.1)),
    "clip by global norm": lambda o: o.chain(o.clip_by_global_norm(1.5), o.sgd(0.1)),
    "clip by block rms": lambda o: o.chain(o.clip_by_block_rms(0.3), o.sgd(0.1)),
    "clip adaptively": lambda o: o.chain(o.adaptive_grad_clip(0.1), o.sgd(0.1)),
    "ema": lambda o: o.chain(o.ema(0.9), o.scale(-0.1)),
    "ema with its zeros": lambda o: o.chain(o.ema(0.9, debias=False), o.scale(-0.1)),
    "apply_every": lambda o: o.chain(o.sgd(0.1), o.apply_every(2)),
    "MultiSteps": lambda o: several(o, o.adam(0.1), 2),
    "MultiSteps by schedule": lambda o: several(o, o.sgd(0.1), lambda step: 1 + step),
    "MultiSteps, sums": lambda o: several(o, o.sgd(0.1), 2, use_grad_mean=False),
    "MultiSteps, skipping": lambda o: several(
        o, o.adam(0.1), 2, should_skip_update_fn=large(o, 1000.0)
    ),
    "masked": lambda o: o.masked(o.adam(0.1), bias_free),
    "masked by a prefix": lambda o: o.masked(
        o.sgd(-0.1), {"w": True, "layers": [False, True], "scale": False}
    ),
    "partition": lambda o: o.partition(
        {"a": o.adam(0.1), "b": o.sgd(0.1, momentum=0.5), "frozen": o.set_to_zero()},
        {"w": "a", "layers": [("b", "frozen"), "a"], "scale": "b"},
    ),
    "multi_transform": lambda o: o.multi_transform(
        {"matrix": o.lion(0.1), "other": o.adagrad(0.1)},
        lambda params: ag.tree.map(lambda x: "matrix" if x.ndim == 2 else "other", params),
    ),
    "apply_if_finite": lambda o: o.apply_if_finite(o.adam(0.1), 2),
    "scale_by_param_block_norm": lambda o: o.chain(o.scale_by_param_block_norm(), o.sgd(0.1)),
    "lbfgs without a search": lambda o: o.lbfgs(0.1, linesearch=None),
    "lbfgs, short memory": lambda o: o.lbfgs(
        0.1, memory_size=2, scale_init_precond=False, linesearch=None
    ),
}


def large(library, most):
    return functools.partial(library.skip_large_updates, max_squared_norm=most)


def several(library, *args, **options):
    if library is optax:  # gathers in float32 by default
        options["accumulator_dtype"] = np.float64
    return library.MultiSteps(*args, **options)


# A variance that is all rounding; and what Optax gathers in another dtype than that of gradients.
IN_FLOAT64 = ["rmsprop, corrected", *(name for name in OPTIMISERS if name.startswith("MultiSteps"))]
CASES = [(name, np.float64) for name in OPTIMISERS]
CASES += [(name, np.float32) for name in OPTIMISERS if name not in IN_FLOAT64]


@pytest.mark.parametrize("name, dtype", CASES)
def test_optimisers(name, dtype):
    make, rtol = OPTIMISERS[name], 1e-10 if dtype == np.float64 else 2e-5
    if "schedule" in name or name.startswith("adafactor"):
        rtol = max(rtol, 1e-6)  # there, schedules are computed in float32
    ours, theirs = trained(optim, make(optim), dtype)[0], trained(optax, make(optax), dtype)[0]
    for a, b in zip(ours, theirs):
        assert_same(a, b, dtype, rtol)


MUON = {
    "as it is": {},
    "arguments": {"beta": 0.8, "nesterov": False, "adaptive": True, "weight_decay": 0.1},
    "spectral": {"preconditioning": "spectral", "ns_steps": 3},
    "rows": {"preconditioning": "aol"},
    "Schatten": {"preconditioning": "schatten"},
    "five": {"ns_coeffs": "dion"},
    "root of mean square": {"consistent_rms": 0.2, "adam_learning_rate": 0.01},
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", MUON)
def test_muon(name, dtype):
    rtol = 1e-8 if dtype == np.float64 else 2e-3
    ours = trained(optim, optim.muon(0.1, **MUON[name]), dtype)[0]
    theirs = trained(optax, optax.contrib.muon(0.1, **MUON[name]), dtype)[0]
    for a, b in zip(ours, theirs):
        assert_same(a, b, dtype, rtol)


def test_skipped_gradients():
    """As with Optax, and some of them are skipped."""
    for name in ("skip_not_finite", "skip_large_updates"):
        found = []
        for library in (optim, optax):
            skip = getattr(library, name)
            skip = functools.partial(skip, **({"max_squared_norm": 5.0} if "large" in name else {}))
            optimiser = several(library, library.sgd(0.1), 2, should_skip_update_fn=skip)
            state, of_library = optimiser.init(np.zeros(2)), []
            for value in (1.0, np.nan, 2.0, np.inf, 3.0, 0.5, 1.5):
                updates, state = (
                    optimiser.update(jnp.array([value, 1.0]), state)
                    if (library is optax)
                    else optimiser.update(np.array([value, 1.0]), state)
                )
                of_library.append(np.asarray(updates))
                told = state.skip_state
                of_library.append(np.array([float(told[key]) for key in sorted(told)]))
                of_library.append(np.array([int(state.mini_step), int(state.gradient_step)]))
            found.append(of_library)
        for a, b in zip(*found):
            np.testing.assert_allclose(a, b, rtol=1e-12)


def test_injected_state():
    """The numbers in the state, and what a number that is set does."""
    found = []
    for library in (optim, optax):
        optimiser = library.inject_hyperparams(library.sgd)(warm(library), momentum=0.9)
        state, of_library = optimiser.init(np.zeros(2)), []
        assert type(state).__name__ == "InjectStatefulHyperparamsState"
        for place in range(4):
            if place == 2:
                state.hyperparams["momentum"] = 0.5
            updates, state = optimiser.update(np.array([1.0, -2.0]), state, np.zeros(2))
            numbers = [state.hyperparams[key] for key in ("learning_rate", "momentum")]
            of_library += [np.asarray(updates), np.array([float(number) for number in numbers])]
            assert int(state.hyperparams_states["learning_rate"].count) == place + 1
        found.append(of_library)
    for a, b in zip(*found):
        np.testing.assert_allclose(a, b, rtol=1e-6)  # there, schedules are computed in float32


def dimensions(library):
    return (library if library is optim else library.contrib).MuonDimensionNumbers


def by_shape(numbers):
    by_axes = {3: numbers((0, 2), 1), 2: numbers()}
    trees = ag.tree if numbers is optim.MuonDimensionNumbers else jax.tree
    of_leaf = lambda x: by_axes.get(np.ndim(x))
    return lambda params: trees.map(of_leaf, params)


AXES = {
    "by shape": by_shape,
    "as a tree": lambda numbers: {
        "w": numbers(1, 0),
        "layers": [(None, None), numbers(reduction_axis=(-1,), output_axis=0)],
        "scale": None,
    },
    "an outer part": lambda numbers: {
        "w": None,
        "layers": [None, numbers(0, (1, 2))],
        "scale": None,
    },
}


@pytest.mark.parametrize("options", [{}, {"consistent_rms": 0.2, "adaptive": True}])
@pytest.mark.parametrize("name", AXES)
def test_axes_of_muon(name, options):
    def made(library):
        muon = optim.muon if library is optim else optax.contrib.muon
        numbers = AXES[name](dimensions(library))
        return trained(library, muon(0.1, muon_weight_dimension_numbers=numbers, **options), float)

    for a, b in zip(made(optim)[0], made(optax)[0]):
        assert_same(a, b, np.float64, 1e-8)


def test_not_finite():
    def run(library):
        optimiser = library.apply_if_finite(library.sgd(0.1), 2)
        state = optimiser.init(np.zeros(2))
        found = []
        for value in (1.0, np.nan, 2.0, np.inf, np.nan, np.nan, 1.0):
            updates, state = optimiser.update(np.array([value, 1.0]), state)
            found.append(np.asarray(updates))
            counts = [int(x) for x in (state.notfinite_count, state.total_notfinite)]
            found.append(np.array([*counts, bool(state.last_finite)]))
        return found

    for a, b in zip(run(optim), run(optax)):
        np.testing.assert_array_equal(a, b)


# -- line searches ---------------------------------------------------------------------------------


def rosenbrock(x):
    return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2).sum()


def rough(x):
    return (abs(x) ** 1.5).sum() + (x[0] * x[1] - 1.0) ** 2


def quartic(x):
    return (x**4).sum() + 0.1 * (x**2).sum()


SEARCHES = {
    "zoom": lambda o: o.scale_by_zoom_linesearch(20, initial_guess_strategy="one"),
    "zoom, kept": lambda o: o.scale_by_zoom_linesearch(15, curv_rtol=0.1, increase_factor=1.7),
    "zoom, short": lambda o: o.scale_by_zoom_linesearch(15, max_learning_rate=0.3),
    "zoom, few": lambda o: o.scale_by_zoom_linesearch(2, approx_dec_rtol=None),
    "backtracking": lambda o: o.scale_by_backtracking_linesearch(30, store_grad=True),
    "backtracking, few": lambda o: o.scale_by_backtracking_linesearch(
        2, slope_rtol=0.3, decrease_factor=0.5, store_grad=True
    ),
}


@pytest.mark.parametrize("function", [rosenbrock, rough, quartic])
@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("by", ["lbfgs", "sgd"])
def test_line_searches(by, search, function):
    def run(library, compiled):
        along = SEARCHES[search](library)
        optimiser = (
            library.lbfgs(linesearch=along)
            if by == "lbfgs"
            else library.chain(library.sgd(1.0), along)
        )
        of_state = library.value_and_grad_from_state(function)

        def step(x, state):
            value, grad = of_state(x, state=state)
            updates, state = optimiser.update(
                grad, state, x, value=value, grad=grad, value_fn=function
            )
            return library.apply_updates(x, updates), state

        step, x = compiled(step), np.array([-1.0, 1.5, 0.7])
        state, found = optimiser.init(x), []
        for _ in range(8):
            x, state = step(x, state)
            search_state = state[-1]
            info = search_state.info
            steps, error = int(info.num_linesearch_steps), float(info.decrease_error)
            found.append((np.asarray(x), float(search_state.learning_rate), steps, error))
        return found

    for ours, theirs in zip(run(optim, ag.to_graph), run(optax, jax.jit)):
        assert ours[2] == theirs[2]
        np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-6)


# -- the rest --------------------------------------------------------------------------------------


def test_averages():
    new, old = parameters(np.float32), gradients(np.float32)[0]
    assert_same(
        optim.incremental_update(new, old, 0.3),
        optax.incremental_update(new, old, 0.3),
        np.float32,
        1e-6,
    )
    for steps in range(4):
        ours = optim.periodic_update(new, old, steps, 3)
        assert_same(ours, optax.periodic_update(new, old, steps, 3), np.float32, 0.0)


def test_global_norm():
    gradient = gradients(np.float64)[0]
    np.testing.assert_allclose(optim.global_norm(gradient), optax.global_norm(gradient), rtol=1e-14)


# nadam and nadamw are partial applications there, the other takes an array and has no defaults.
WRITTEN_OTHERWISE = ("nadam", "nadamw", "orthogonalize_via_newton_schulz")


def test_signatures():
    """Names, order and defaults of arguments, but for those that ours do not have."""

    known = {"verbose", "mask_compatible_extra_args", "decay_rate_fn", "seed"}
    known |= {"bias_correction_mu", "bias_correction_nu"}
    for name in optim.__all__:
        theirs = getattr(optax, name, None) or getattr(optax.contrib, name, None)
        ours = getattr(optim, name)
        if theirs is None or not inspect.isfunction(ours) or name in WRITTEN_OTHERWISE:
            continue
        wanted = {
            key: value
            for key, value in inspect.signature(theirs).parameters.items()
            if key not in known
        }
        given = inspect.signature(ours).parameters
        assert list(given) == list(wanted), name
        for key, parameter in given.items():
            default = wanted[key].default
            if parameter.default is not default and key not in ("linesearch", "dtype_momentum"):
                assert key == "key" or parameter.default == default, (name, key)
