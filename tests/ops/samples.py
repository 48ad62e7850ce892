"""Uses of operators, one line each: operands that are admissible, and attributes.

Every operator that is not elementwise has a line here, or a case in `array_cases`. What it says of
itself is held to these uses (`test_traits`), and so is its rule for many lanes
(`test_batching_rules`).
"""

import numpy as np

from ops.control.callbacks import Callback
from ops.core.subscripts import Bound
from ops.core.types import ArrayType


def normal(*shape, dtype=float):
    return lambda rng: (rng.normal(size=shape) + (1j if dtype is complex else 0)).astype(dtype)


def integers(low, high, *shape, dtype=int):
    return lambda rng: rng.integers(low, high, size=shape).astype(dtype)


def mask(*shape):
    return lambda rng: rng.random(shape) < 0.6


def ties(*shape):
    return lambda rng: rng.integers(0, 4, size=shape) * 0.5


def regular(*batch, n=3, dtype=float):
    return lambda rng: (rng.normal(size=(*batch, n, n)) + 4 * np.eye(n)).astype(dtype)


def positive(*batch, n=3):
    def draw(rng):
        x = rng.normal(size=(*batch, n, n))
        return x @ x.swapaxes(-1, -2) + n * np.eye(n)

    return draw


def increasing(n):
    return lambda rng: np.sort(rng.integers(0, 6, size=n) * 0.5)


def keys(*shape):
    return lambda rng: rng.integers(0, 2**32, size=(*shape, 2), dtype=np.uint32)


SINE = Callback(lambda types, x: [np.sin(x)], "sine", [ArrayType(np.dtype(float), (3,))])

WHOLE, REST = ("slice", None, None, None), ("ellipsis",)

# (operator, operands, attributes): an operand that is a function draws what a lane has.
SAMPLES = [
    ("length", [normal(4, 2)], {"axis": 1}),
    ("round_to", [normal(3)], {"dtype": "bfloat16"}),
    ("round_to", [normal(3, dtype="float32")], {"dtype": "float16"}),
    ("cast", [normal(3)], {"dtype": "int32", "weak": False}),
    ("cast", [normal()], {"dtype": "float32", "weak": False}),
    ("cast", [integers(0, 9)], {"dtype": "float64", "weak": True}),
    ("cast", [normal()], {"dtype": "int64", "weak": True}),
    ("cast", [normal()], {"dtype": "bool", "weak": True}),
    ("cast", [normal(dtype=complex)], {"dtype": "complex128", "weak": True}),
    ("integers", [normal(4)], {}),
    ("where", [mask(3), normal(2, 3), normal()], {}),
    ("where", [mask(2, 1), 2, integers(0, 9, 3, dtype=np.int8)], {}),
    ("real", [normal(3, dtype=complex)], {}),
    ("imag", [normal(3, dtype=complex)], {}),
    ("conjugate", [normal(2, 2, dtype=complex)], {}),
    ("stop_gradient", [normal(3)], {}),
    ("bitcast", [normal(3)], {"dtype": "int64"}),
    ("sinc_slope", [normal(3)], {"order": 1}),
    ("direction", [normal(3, dtype=complex)], {}),
    ("complex_of_parts", [normal(3), normal(2, 3)], {}),
    ("round_number", [normal()], {"ndigits": 2}),
    ("reshape", [normal(2, 3)], {"shape": (3, 2)}),
    ("reshape", [normal(2, 3), 6], {"shape": (None,)}),
    ("reshape", [normal(2, 3)], {"shape": (None, 2)}),
    ("reshape", [normal()], {"shape": (1, 1)}),
    ("transpose", [normal(2, 3, 4)], {"axes": (2, 0, 1)}),
    ("broadcast_to", [normal(3, 1)], {"shape": (2, 3, 4)}),
    ("broadcast_to", [normal(), 3, 2], {"shape": (None, 4, None)}),
    ("unbroadcast", [normal(3, 4), 3], {"shape": (None, 1)}),
    ("refine", [normal(3, 4)], {"shape": (None, 4)}),
    ("as_long_as", [normal(3), np.ones(3)], {}),
    ("in_64_bits", [integers(0, 9, 3), np.ones(3, bool)], {"message": "too large"}),
    ("python_order", [normal(5)], {"lanes": 0, "numbers": False}),
    ("python_order", [integers(0, 3, 5), normal(5)], {"lanes": 0, "numbers": True}),
    ("copy", [normal(3)], {}),
    ("contiguous", [normal(3, 2)], {"order": "F"}),
    ("full", [normal()], {"shape": (2, 3), "dtype": "float32"}),
    ("full", [integers(0, 5), 3], {"shape": (None,), "dtype": "float64"}),
    *(
        (name, [normal(3, 4)], {"axis": axis, "keepdims": keepdims} | more)
        for name, more in [
            *(("sum", {"dtype": None}), ("prod", {"dtype": None}), ("max", {}), ("min", {})),
            *(("all", {}), ("any", {}), ("euclidean_norm", {})),
        ]
        for axis, keepdims in [
            (None, False),
            (None, True),
            ((1,), False),
            ((0, 1), True),
            ((), True),
        ]
    ),
    ("sum", [mask(3, 2)], {"axis": (0,), "keepdims": False, "dtype": None}),
    ("prod", [integers(0, 4, 3, dtype=np.int8)], {"axis": None, "keepdims": False, "dtype": None}),
    ("sum", [integers(0, 4, dtype=np.int8)], {"axis": None, "keepdims": False, "dtype": None}),
    *(
        (name, [ties(3, 4)], {"axis": axis, "keepdims": keepdims})
        for name in ("argmax", "argmin")
        for axis, keepdims in [(None, False), (None, True), ((1,), False), ((0,), True)]
    ),
    ("argmax", [normal()], {"axis": None, "keepdims": False}),
    *(("number_along", [normal(3, 4)], {"axes": axes}) for axes in [(1,), (0, 1)]),
    *((name, [normal(3, 4)], {"axis": (1,), "dtype": None}) for name in ("cumsum", "cumprod")),
    ("cumsum", [mask(3)], {"axis": (0,), "dtype": "float32"}),
    *((name, [normal(3, 4)], {"axis": 0}) for name in ("cummax", "cummin")),
    ("products_of_others", [normal(2, 3)], {}),
    ("recurrence", [normal(2, 4), normal(2, 4)], {}),
    ("concatenate", [normal(2, 3), normal(1, 3), normal(3, 3, dtype=np.float32)], {"axis": 0}),
    ("concatenate", [normal(2, 3), integers(0, 5, 2, 1)], {"axis": 1}),
    ("pad_zeros", [normal(2, 3)], {"widths": ((1, 0), (0, 2))}),
    ("roll", [normal(2, 3), 1], {"axis": None}),
    ("roll", [normal(2, 3), integers(-9, 9)], {"axis": None}),
    ("roll", [normal(2, 3), integers(-9, 9), integers(-9, 9)], {"axis": (1, 0)}),
    ("roll", [normal(0, 3), integers(-9, 9)], {"axis": (0,)}),
    ("roll", [normal(2), integers(0, 9, dtype=np.uint64)], {"axis": (0,)}),
    ("roll", [normal(), integers(-9, 9)], {"axis": None}),
    ("repeat", [normal(2, 3), 2], {"axis": 1, "total": 6}),
    ("repeat", [normal(2, 3), np.array([2, 1])], {"axis": 0, "total": 3}),
    ("tile", [normal(2, 3)], {"reps": (2, 1)}),
    ("diagonal", [normal(2, 3, 4)], {"offset": 1, "axis1": 2, "axis2": 0}),
    ("dft", [normal(3, 4)], {"lengths": (5, 3), "axes": (1, 0), "inverse": True, "norm": "ortho"}),
    ("dft", [normal(4)], {"lengths": (4,), "axes": (0,), "inverse": False, "norm": "backward"}),
    ("rfft", [normal(4, 2)], {"n": 5, "axis": 0, "norm": "forward"}),
    ("irfft", [normal(3, 2, dtype=complex)], {"n": 4, "axis": 0, "norm": "backward"}),
    *(
        ("matmul", [normal(*x), normal(*y)], {})
        for x, y in [
            *(((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (3,))),
            *(((3,), (5, 3, 4)), ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((5, 2, 3), (5, 3, 4))),
            *(((5, 1, 2, 3), (6, 3, 4)), ((6, 2, 3), (5, 1, 3, 4)), ((2, 0), (0, 3)), ((0,), (0,))),
        ]
    ),
    ("matmul", [integers(0, 9, 2, 3), mask(3)], {}),
    *(
        ("solve", [regular(*a), normal(*b)], {})
        for a, b in [
            *(((), (3,)), ((), (3, 2)), ((2,), (3,)), ((2,), (3, 1)), ((), (2, 3, 1))),
            *(((2,), (2, 3, 2)), ((5, 1), (2, 3, 2))),
        ]
    ),
    *((name, [regular(2)], {}) for name in ("inv", "det", "adjugate", "sign_and_log_det")),
    ("inverse_or_nan", [lambda rng: rng.integers(0, 2) * regular()(rng)], {}),
    ("eigh_factors", [positive(2)], {"UPLO": "U"}),
    ("eigvalsh", [positive()], {"UPLO": "L"}),
    *((name, [regular(dtype=complex)], {}) for name in ("eig_factors", "eigvals")),
    ("svd_factors", [normal(2, 3, 4)], {"full_matrices": True}),
    ("svdvals", [normal(4, 3)], {}),
    ("cholesky_lower", [positive(2)], {}),
    *(("qr_factors", [normal(4, 3)], {"mode": mode}) for mode in ("reduced", "complete")),
    ("lu_packed", [normal(2, 3, 4)], {}),
    ("expm", [normal(2, 3, 3)], {}),
    ("exchanges_of_order", [lambda rng: rng.permutation(4)], {"steps": 3}),
    ("vectorized_callback", [normal(3)], {"callback": SINE}),
    ("order_of_exchanges", [integers(0, 4, 2, 3)], {"rows": 4}),
    ("pseudo_inverse", [normal(2, 4, 3), lambda rng: np.asarray(rng.random() / 9)], {}),
    ("pseudo_inverse", [normal(2, 3, 4), lambda rng: rng.random(2) / 9], {}),
    *(
        (
            "least_squares",
            [normal(*a), normal(a[0], 2), lambda rng: np.asarray(rng.random() / 999)],
            {},
        )
        for a in [(4, 3), (3, 3), (3, 4)]
    ),
    *(
        (name, [ties(3, 4)], {"axis": 1, "kind": "stable", "descending": True})
        for name in ("sort", "argsort")
    ),
    *((name, [normal(4, 3)], {"axis": 0, "kth": (1,)}) for name in ("partition", "argpartition")),
    *(
        ("searchsorted", [increasing(n), ties(*v)], {"side": side})
        for n, v in [(5, (3,)), (1, (2, 3)), (4, ()), (0, (2,))]
        for side in ("left", "right")
    ),
    ("choose", [integers(0, 2, 3), normal(2, 3), normal()], {"mode": "raise"}),
    ("choose", [integers(-9, 9), normal(3), normal(2, 1)], {"mode": "wrap"}),
    (
        "grouped_convolution",
        [normal(2, 3, 4, 6), normal(2, 5, 4, 3)],
        {"strides": (2,), "padding": ((1, 2),), "x_dilation": (1,), "kernel_dilation": (2,)},
    ),
    (
        "grouped_convolution",
        [normal(1, 2, 1, 4, 5), normal(1, 3, 1, 2, 3)],
        dict.fromkeys(("strides", "x_dilation", "kernel_dilation"), (1, 1))
        | {"padding": ((0, 0), (1, -1))},
    ),
    *(
        (name, [ties(2, 7)], {"window": (3,), "strides": (2,), "dilation": (1,)})
        for name in ("strided_windows", "window_sum", "window_max")
    ),
    ("overlap_add", [normal(2, 3, 3)], {"lengths": (7,), "strides": (2,), "dilation": (1,)}),
    (
        "max_shared",
        [normal(2, 3), lambda rng: np.ones((2, 7)), lambda rng: np.ones((2, 3))],
        {"window": (3,), "strides": (2,), "dilation": (1,)},
    ),
    (
        "max_chosen",
        [normal(2, 7), lambda rng: np.ones((2, 7)), lambda rng: np.ones((2, 3))],
        {"window": (3,), "strides": (2,), "dilation": (1,)},
    ),
    (
        "max_shared",  # of windows that do not overlap, with an element in none of them
        [normal(2, 2, 1), ties(2, 5, 3), lambda rng: np.ones((2, 2, 1))],
        {"window": (2, 3), "strides": (2, 3), "dilation": (1, 1)},
    ),
    ("sliding_windows", [normal(3, 5)], {"window_shape": (2, 3), "axis": (0, 1)}),
    ("convolve_full", [normal(4), normal(3)], {}),
    ("convolve_full", [normal(2), integers(0, 9, 3)], {}),
    ("bincount", [integers(0, 5, 6)], {"minlength": 7, "length": 7}),
    ("bincount", [integers(0, 5, 6), normal(6)], {"minlength": 5, "length": 5}),
    ("bincount", [np.array([0, 2, 4]), normal(3)], {"minlength": 2, "length": None}),
    ("bincount", [integers(0, 5, 0), normal(0)], {"minlength": 2, "length": 2}),
    *((name, [lambda rng: 4 * rng.random()], {}) for name in ("erf", "erfc", "gamma", "lgamma")),
    ("ieee_remainder", [lambda rng: rng.normal(), lambda rng: rng.random() + 1.0], {}),
    ("float_ldexp", [lambda rng: rng.normal(), lambda rng: int(rng.integers(0, 9))], {}),
    ("integer_gcd", [lambda rng: int(rng.integers(0, 99)), lambda rng: 12], {}),
    ("integer_lcm", [lambda rng: int(rng.integers(0, 99)), lambda rng: 12], {}),
    ("bit_length", [lambda rng: int(rng.integers(-99, 99))], {}),
    ("bit_count", [lambda rng: int(rng.integers(-99, 99))], {}),
    ("integer_root", [lambda rng: int(rng.integers(0, 99))], {}),
    ("polygamma", [lambda rng: 4 * rng.random()], {"order": 1}),
    ("fsum", [normal(9)], {}),
    ("exact_statistic", [normal(9)], {"of": "stdev"}),
    ("exact_statistic", [normal(4)], {"of": "mean"}),
    ("fsum", [normal(0)], {}),
    ("sort", [normal(0, 2)], {"axis": 1, "kind": None, "descending": False}),
    ("tile", [normal(0, 2)], {"reps": (2, 0)}),
    ("roll", [normal(0), integers(0, 9)], {"axis": None}),
    ("reshape", [normal(0, 2)], {"shape": (3, 0)}),
    ("matmul", [normal(0, 3), normal(3, 2)], {}),
    ("inv", [regular(0)], {}),
    ("linalg_fails", [regular(2)], {"of": "inv", "lanes": 0}),
    ("python_order", [integers(0, 3, 6), normal(6)], {"lanes": 0, "numbers": True}),
    ("linalg_fails", [regular(2), normal(2, 3)], {"of": "solve", "lanes": 1}),
    ("det", [regular(n=0)], {}),
    ("append_row", [normal(3, 2), normal(2)], {}),
    ("append_row", [normal(0), normal()], {}),
    ("drop_row", [normal(3, 2)], {}),
    ("find_row", [integers(0, 3, 9), integers(0, 3)], {}),
    ("find_row", [integers(0, 2, 9), integers(0, 3, 9), integers(0, 2), integers(0, 3)], {}),
    ("find_row", [integers(0, 3, 0), integers(0, 3)], {}),
    ("add_same", [normal(3), normal(3)], {}),
    ("random_blocks", [keys(), integers(0, 99)], {"length": 3, "domain": 1}),
    ("random_blocks", [keys(2), 7], {"length": 3, "domain": 0}),
    ("random_blocks", [keys(1), integers(0, 99, 2, 3)], {"length": 2, "domain": 0}),
    (
        "random_integers",
        [*[integers(0, 2**60, 2, 3, dtype=np.uint64)] * 2, integers(-9, 0), integers(1, 99, 3)],
        {},
    ),
    ("random_gamma", [keys(), lambda rng: 3 * rng.random((2, 3))], {}),
    ("random_gamma", [keys(), lambda rng: np.float32(3 * rng.random())], {}),
    ("random_gamma", [keys(), lambda rng: rng.random(0)], {}),
    ("random_poisson", [keys(), lambda rng: 20 * rng.random(5)], {}),
    ("drawn", [normal(2, 3)], {"distribution": "normal"}),
    ("drawn", [normal(2), normal(2, 4)], {"distribution": "categorical"}),
    ("gamma_slope", [lambda rng: rng.random(3) + 1, lambda rng: rng.random((2, 1)) + 1], {}),
    # Subscripts; more of them are drawn at random below.
    ("getitem", [normal(3, 4), integers(-3, 3)], {"index": (("arg", 0),)}),
    ("getitem", [normal(3, 4), 2], {"index": (("slice", Bound(0), None, None),)}),
    ("getitem", [normal(3, 4), np.array([True, False, True])], {"index": (("mask", 0),)}),
    ("index_update", [normal(3, 4), normal(), mask(3)], {"index": (("mask", 0),)}),
    ("index_update", [normal(3, 4), normal(1, 4), mask(3)], {"index": (("mask", 0),)}),
    (
        "index_add",
        [normal(3, 4, 2), normal(3, 1, 1), mask(4)],
        {"index": (WHOLE, ("mask", 0), REST)},
    ),
    ("index_add", [normal(2, 3, 4), normal(2, 1), mask(3, 4)], {"index": (REST, ("mask", 0))}),
    ("index_update", [integers(0, 9, 3), 2.5, mask(3)], {"index": (("mask", 0),)}),
    ("index_add", [normal(3), normal(5), integers(0, 3, 5)], {"index": (("arg", 0),)}),
]


def drawn(operands, rng):
    """The operands of a sample, as a lane has them."""
    return [x(rng) if callable(x) else x for x in operands]


def name_of(sample):
    shapes = [str(np.shape(x)) for x in drawn(sample[1], np.random.default_rng(0))]
    return f"{sample[0]} {' '.join(shapes)}"
