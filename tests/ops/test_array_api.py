"""`ops` is a namespace of the Python array API standard, eagerly and in compiled functions.

The oracle for names, parameters and results is array-api-strict, the standard's own strict
implementation.
"""

import inspect

import numpy as np
import pytest

import autograph as ag
import ops

strict = pytest.importorskip("array_api_strict")
strict.set_array_api_strict_flags(api_version="2024.12")

# What array-api-strict has of its own, or of a later version of the standard.
OWN = {
    "Device",
    "ArrayAPIStrictFlags",
    "get_array_api_strict_flags",
    "reset_array_api_strict_flags",
    "set_array_api_strict_flags",
    "__version__",
}


def functions():
    """(path of the namespace, name) for every function of the standard."""
    for path, space in (("", strict), ("linalg", strict.linalg), ("fft", strict.fft)):
        for name in space.__all__:
            if name not in OWN and name not in ("fft", "linalg"):
                yield path, name


def lookup(space, path, name):
    return getattr(getattr(space, path) if path else space, name)


@pytest.mark.parametrize("path, name", [*functions()])
def test_every_name_of_the_standard_exists(path, name):
    lookup(ops, path, name)


CALLABLE = [
    (path, name)
    for path, name in functions()
    if inspect.isfunction(lookup(strict, path, name)) and name != "__array_namespace_info__"
]


@pytest.mark.parametrize("path, name", CALLABLE)
def test_parameters_have_the_names_and_defaults_of_the_standard(path, name):
    wanted = inspect.signature(lookup(strict, path, name)).parameters.values()
    found = inspect.signature(lookup(ops, path, name)).parameters
    for position, parameter in enumerate(wanted):
        if parameter.kind is parameter.POSITIONAL_ONLY:
            positional = [p for p in found.values() if p.kind is not p.KEYWORD_ONLY]
            assert len(positional) > position or any(p.kind is p.VAR_POSITIONAL for p in positional)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            assert any(p.kind is p.VAR_POSITIONAL for p in found.values())
        else:
            assert parameter.name in found, parameter.name
            default = found[parameter.name].default
            if parameter.default not in (parameter.empty, None) and default is not None:
                assert default == parameter.default, parameter.name


@pytest.mark.parametrize("path, name", CALLABLE)
@pytest.mark.filterwarnings("ignore")
def test_too_many_arguments_or_none_are_refused(path, name):
    function = lookup(ops, path, name)
    wanted = inspect.signature(lookup(strict, path, name)).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in wanted):
        return
    x = np.ones((3, 3))
    with pytest.raises(TypeError, match="argument"):
        function(*[x] * 12)
    with pytest.raises(TypeError, match="argument"):
        function()


# -- results ---------------------------------------------------------------------------------------

DTYPES = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
]
UNARY = """abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor
imag isfinite isinf isnan log log1p log2 log10 logical_not negative positive real reciprocal round
sign signbit sin sinh square sqrt tan tanh trunc""".split()
BINARY = """add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor
copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp logical_and
logical_or logical_xor maximum minimum multiply nextafter not_equal pow remainder subtract
matmul vecdot linalg.cross linalg.outer""".split()


def sample(dtype, shape=(2, 3), seed=0):
    """Small positive numbers, some of them equal."""
    values = np.random.default_rng(seed).integers(1, 4, shape)
    return (values * (0.25 if np.dtype(dtype).kind in "fc" else 1)).astype(dtype)


def resolve(space, name):
    for part in name.split("."):
        space = getattr(space, part)
    return space


def to_strict(x):
    """NumPy arrays and dtypes, also in lists and tuples, as the oracle's."""
    if isinstance(x, np.ndarray):
        return strict.asarray(x)
    if isinstance(x, np.dtype):
        return getattr(strict, x.name)
    return type(x)(map(to_strict, x)) if type(x) in (list, tuple) else x


def in_the_oracle(name, args, options):
    options = {key: to_strict(value) for key, value in options.items()}
    return resolve(strict, name)(*to_strict(args), **options)


def parts_of(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def assert_agrees(name, args, options):
    """Eagerly and compiled, `ops` gives what the oracle gives, where that gives anything."""
    with np.errstate(all="ignore"):
        try:
            expected = in_the_oracle(name, args, options)
        except TypeError:  # the standard does not say what it gives for these dtypes
            return
        arrays = [x for x in args if isinstance(x, np.ndarray)]
        others = [x for x in args if not isinstance(x, np.ndarray)]

        def in_converted_code(*arrays):
            xp = arrays[0].__array_namespace__()
            return resolve(xp, name)(*arrays, *others, **options)

        found = [resolve(ops, name)(*args, **options)]
        if arrays and all(x is y for x, y in zip(arrays, args)):
            found.append(ag.to_graph(in_converted_code)(*arrays))
    for result in found:
        for ours, theirs in zip(parts_of(result), parts_of(expected), strict=True):
            theirs = np.asarray(theirs) if not isinstance(theirs, (bool, tuple)) else theirs
            assert np.shape(ours) == np.shape(theirs)
            assert np.asarray(ours).dtype == np.asarray(theirs).dtype
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.filterwarnings("ignore")
def test_functions_of_one_array(name):
    for dtype in DTYPES:
        assert_agrees(name, (sample(dtype),), {})


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.filterwarnings("ignore")
def test_functions_of_two_arrays(name):
    shapes = {"matmul": ((2, 3), (3, 2)), "linalg.outer": ((2,), (3,))}
    x_shape, y_shape = shapes.get(name, ((2, 3), (3,)))
    if name == "linalg.cross":
        y_shape = (1, 3)
    for i, x_dtype in enumerate(DTYPES):
        for y_dtype in DTYPES[i % 3 :: 3]:  # a third of the pairs; test_dtypes has them all
            args = (sample(x_dtype, x_shape), sample(y_dtype, y_shape, 1))
            assert_agrees(name, args, {})


def cases():
    """(name, arguments, options): arrays first, those that the function takes as lists in lists."""
    x, y, v = sample("float64"), sample("float64", seed=1), sample("float64", (4,))
    square = sample("float64", (3, 3)) + np.diag([3.0, 5.0, 7.0])
    whole, flags = sample("int32"), sample("int32") > 2
    reductions = [{}, {"axis": 0}, {"axis": (0, 1)}, {"axis": -1, "keepdims": True}]
    for name in ("sum", "prod", "mean", "max", "min", "std", "var", "all", "any"):
        for options in reductions:
            yield from ((name, (a,), options) for a in (x, whole, flags, sample("uint8")))
    for name in ("std", "var"):
        yield name, (x,), {"axis": 1, "correction": 1.0}
    for name in ("sum", "prod"):
        yield name, (whole,), {"dtype": np.dtype("int64")}
    for name in ("argmax", "argmin"):
        yield from ((name, (x,), o) for o in ({}, {"axis": 1}, {"axis": 0, "keepdims": True}))
    for name in ("cumulative_sum", "cumulative_prod"):
        for options in ({"axis": 1}, {"axis": 0, "include_initial": True}):
            yield from ((name, (a,), options) for a in (x, whole, sample("uint8")))
    yield from (("count_nonzero", (x - 0.5,), o) for o in ({}, {"axis": 0}, {"keepdims": True}))
    for name in ("sort", "argsort"):
        for options in ({}, {"axis": 0}, {"descending": True}, {"descending": True, "axis": 0}):
            yield name, (x,), options
    yield "searchsorted", (np.sort(v), x), {}
    yield "searchsorted", (np.sort(v), x), {"side": "right"}
    yield "nonzero", (x - 0.5,), {}
    yield "where", (flags, x, y), {}
    for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
        yield name, (whole,), {}
    yield "clip", (x, 0.3, 0.6), {}
    yield "clip", (x,), {"max": 0.6}
    yield "diff", (x,), {"axis": 0}
    yield "diff", (x,), {"n": 2}
    yield "diff", (x,), {"prepend": np.zeros((2, 1))}
    yield "reshape", (x, (3, 2)), {}
    yield "reshape", (x, (-1,)), {"copy": True}
    yield "permute_dims", (x, (1, 0)), {}
    yield "matrix_transpose", (x,), {}
    yield "moveaxis", (sample("float64", (2, 3, 4)), 0, -1), {}
    yield "expand_dims", (x,), {"axis": 1}
    yield "expand_dims", (x,), {}
    yield "squeeze", (x[None], 0), {}
    yield "flip", (x,), {}
    yield "flip", (x,), {"axis": 1}
    yield "roll", (x, 2), {"axis": 1}
    yield "roll", (x, (1, 2)), {"axis": (0, 1)}
    yield "repeat", (x, 2), {}
    yield "repeat", (x, 2), {"axis": 1}
    yield "tile", (x, (2, 1)), {}
    yield "broadcast_to", (v, (3, 4)), {}
    yield "broadcast_arrays", (x, v[:3]), {}
    yield "unstack", (x,), {"axis": 1}
    yield "concat", ([x, y],), {"axis": 1}
    yield "concat", ([x, whole.astype("float64")],), {"axis": None}
    yield "stack", ([x, y],), {"axis": -1}
    yield "meshgrid", (v, v), {"indexing": "ij"}
    yield "take", (x, np.array([0, 2])), {"axis": 1}
    yield "take_along_axis", (x, np.array([[0], [2]])), {"axis": 1}
    yield "tril", (x,), {"k": 1}
    yield "triu", (x,), {}
    yield "astype", (x, np.dtype("float32")), {}
    yield "astype", (x, np.dtype("float64")), {"copy": False}
    yield "tensordot", (x, y), {"axes": 2}
    yield "tensordot", (x, y), {"axes": ([1], [1])}
    yield "zeros_like", (x,), {"dtype": np.dtype("int8")}
    yield "ones_like", (x,), {}
    yield "full_like", (x, 3), {}
    for name, args in (
        ("arange", (5,)),
        ("arange", (1, 7, 2)),
        ("arange", (1.0, 2.0, 0.25)),
        ("linspace", (0.0, 1.0, 5)),
        ("zeros", ((2, 3),)),
        ("ones", (3,)),
        ("full", ((2,), 7)),
        ("full", ((2,), 7.5)),
        ("eye", (3, 4)),
        ("asarray", ([[1, 2], [3, 4]],)),
        ("asarray", (2.5,)),
    ):
        yield name, args, {}
        if name != "asarray":
            yield name, args, {"dtype": np.dtype("float32"), "device": None}
    for name in ("cholesky", "det", "inv", "matrix_power", "matrix_rank", "pinv", "slogdet"):
        args = (square @ square.T, 3) if name == "matrix_power" else (square @ square.T,)
        yield f"linalg.{name}", args, {}
    yield "linalg.cholesky", (square @ square.T,), {"upper": True}
    yield "linalg.eigvalsh", (square + square.T,), {}
    yield "linalg.svdvals", (square,), {}
    yield "linalg.solve", (square, x.T), {}
    yield "linalg.diagonal", (x,), {"offset": 1}
    yield "linalg.trace", (x,), {}
    yield "linalg.matrix_norm", (x,), {}
    yield "linalg.matrix_norm", (x,), {"ord": "nuc", "keepdims": True}
    yield "linalg.vector_norm", (x,), {"axis": 1, "ord": 1}
    yield "linalg.vector_norm", (x,), {}
    yield "linalg.vecdot", (x, y), {}
    z = sample("complex128")
    for name in (
        "fft",
        "ifft",
        "rfft",
        "irfft",
        "hfft",
        "ihfft",
        "fftn",
        "ifftn",
        "rfftn",
        "irfftn",
    ):
        a = x if name in ("rfft", "ihfft", "rfftn") else z
        yield f"fft.{name}", (a,), {}
        yield f"fft.{name}", (a,), {"norm": "ortho"}
    yield "fft.fftfreq", (5,), {"d": 0.5}
    yield "fft.rfftfreq", (5,), {}
    yield "fft.fftshift", (x,), {}
    yield "fft.ifftshift", (x,), {"axes": 1}


@pytest.mark.parametrize(
    "name, args, options", [pytest.param(*c, id=f"{c[0]}-{i}") for i, c in enumerate(cases())]
)
def test_other_functions(name, args, options):
    assert_agrees(name, args, options)


def test_the_oracle_knows_what_was_compared():
    """A TypeError of the oracle's counts as nothing to compare: not for all cases of a function."""
    for name in {name for name, _, _ in cases()}:
        for _, args, options in (case for case in cases() if case[0] == name):
            try:
                in_the_oracle(name, args, options)
            except TypeError:
                continue
            break
        else:
            raise AssertionError(name)
