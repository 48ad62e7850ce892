"""The functions that printed kernels call besides CUDA's own: NumPy's meaning of what C leaves open
or defines otherwise. A kernel's text holds those that it uses.
"""

from __future__ import annotations

import numpy as np

TYPES = {
    "bool": "bool",
    "int8": "int8",
    "int16": "int16",
    "int32": "int",
    "int64": "int64",
    "uint8": "uint8",
    "uint16": "uint16",
    "uint32": "uint32",
    "uint64": "uint64",
    "float32": "float",
    "float64": "double",
}

# NVRTC comes without headers, so there is no <stdint.h>.
TYPEDEFS = """\
typedef signed char int8;
typedef short int16;
typedef long long int64;
typedef unsigned char uint8;
typedef unsigned short uint16;
typedef unsigned int uint32;
typedef unsigned long long uint64;
"""

_EVERY = "0xffffffffu"  # lanes of a warp


def ctype(dtype: np.dtype) -> str:
    """The C type of a dtype."""
    return TYPES[np.dtype(dtype).name]


def _unsigned(dtype: np.dtype) -> str:
    return TYPES[f"uint{max(dtype.itemsize * 8, 32)}"]


def _function(result: str, name: str, parameters: str, body: str) -> str:
    """A device function, on one line if it fits."""
    head = f"static __device__ inline {result} {name}({parameters})"
    short = f"{head} {{ {body} }}"
    if len(short) <= 100 and "\n" not in body:
        return short
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"{head}\n{{\n{lines}}}"


_WRAPPING = {"add": "+", "subtract": "-", "multiply": "*"}
_WARP = {"+": "add", "*": "multiply", "&": "and", "|": "or", "^": "xor", "min": "min", "max": "max"}


def wrapping(kind: str, dtype: np.dtype) -> tuple[str, str]:
    """Sum, difference or product of integers, modulo the width."""
    c, u = ctype(dtype), _unsigned(dtype)
    name = f"{kind}_{dtype.name}"
    return name, _function(
        c, name, f"{c} x, {c} y", f"return ({c})(({u})x {_WRAPPING[kind]} ({u})y);"
    )


def negation(dtype: np.dtype) -> tuple[str, str]:
    """The smallest integer is its own negative."""
    c, u = ctype(dtype), _unsigned(dtype)
    name = f"negate_{dtype.name}"
    return name, _function(c, name, f"{c} x", f"return ({c})(0 - ({u})x);")


def overflowing(kind: str) -> tuple[str, str]:
    """Whether a sum, difference or product of int64 overflows, and the result if not."""
    name = f"{kind}_overflows"
    if kind == "multiply":
        body = (
            "*result = (int64)((uint64)x * (uint64)y);\n"
            "const int64 high = __mul64hi(x, y);\n"
            "return high != (*result >> 63);"
        )
    else:
        sign = _WRAPPING[kind]
        other = "y" if kind == "add" else "~y"
        body = (
            f"*result = (int64)((uint64)x {sign} (uint64)y);\n"
            f"return ((x ^ *result) & ({other} ^ *result)) < 0;"
        )
        if kind == "subtract":
            body = body.replace("(~y ^ *result)", "(x ^ y)")
    return name, _function("bool", name, "int64 x, int64 y, int64 *result", body)


def dividing(kind: str, dtype: np.dtype) -> tuple[str, str]:
    """Quotient or rest, rounded towards 0, that no operand makes undefined."""
    c = ctype(dtype)
    name = f"{kind}_{dtype.name}"
    sign = "/" if kind == "quotient" else "%"
    lines = ["if (y == 0) return 0;"]
    if dtype.kind == "i":
        negative = f"({c})(0 - ({_unsigned(dtype)})x)" if kind == "quotient" else "0"
        lines.append(f"if (y == -1) return {negative};")
    lines.append(f"return ({c})(x {sign} y);")
    return name, _function(c, name, f"{c} x, {c} y", "\n".join(lines))


def shift(kind: str, dtype: np.dtype) -> tuple[str, str]:
    """A shift by less than the width."""
    c, u = ctype(dtype), _unsigned(dtype)
    mask = dtype.itemsize * 8 - 1
    name = f"{kind}_{dtype.name}"
    shifted = f"({u})x << (count & {mask})" if kind == "shift_left" else f"x >> (count & {mask})"
    return name, _function(c, name, f"{c} x, {c} count", f"return ({c})({shifted});")


def extremum(kind: str, dtype: np.dtype) -> tuple[str, str]:
    """The smaller or larger of two; of floats NaN, if one is."""
    c = ctype(dtype)
    name = f"{kind}imum_{dtype.name}"
    sign = "<" if kind == "min" else ">"
    nan = " || x != x" if dtype.kind == "f" else ""
    return name, _function(c, name, f"{c} x, {c} y", f"return x {sign} y{nan} ? x : y;")


def popcount(dtype: np.dtype) -> tuple[str, str]:
    """The number of bits of the absolute value."""
    c = ctype(dtype)
    name = f"popcount_{dtype.name}"
    wide = "uint64" if dtype.itemsize == 8 else "uint32"
    bits = f"({wide})x" if dtype.kind == "u" else f"x < 0 ? 0 - ({wide})x : ({wide})x"
    call = "__popcll" if dtype.itemsize == 8 else "__popc"
    return name, _function("uint8", name, f"{c} x", f"return (uint8){call}({bits});")


def multiply_high(dtype: np.dtype) -> tuple[str, str]:
    """The upper half of a product of int64 or uint64."""
    c = ctype(dtype)
    name = f"multiply_high_{dtype.name}"
    call = "__mul64hi" if dtype.kind == "i" else "__umul64hi"
    return name, _function(c, name, f"{c} x, {c} y", f"return {call}(x, y);")


def parts(kind: str, dtype: np.dtype) -> tuple[str, str]:
    """The mantissa, or the exponent, as frexp gives them; the exponent of what is not finite
    is 0."""
    c, suffix = ctype(dtype), "f" if dtype.itemsize == 4 else ""
    name = f"{kind}_{dtype.name}"
    if kind == "mantissa":
        body = f"int exponent;\nreturn x - x == 0 ? frexp{suffix}(x, &exponent) : x;"
        return name, _function(c, name, f"{c} x", body)
    body = f"int exponent = 0;\nfrexp{suffix}(x, &exponent);\nreturn x - x == 0 ? exponent : 0;"
    return name, _function("int", name, f"{c} x", body)


def to_integer(source: np.dtype, target: np.dtype) -> tuple[str, str]:
    """A float truncated, as NumPy does on x86-64 where the result has a value: negative numbers
    become unsigned ones modulo the width. CUDA's conversions saturate, and never trap."""
    c, t = ctype(source), ctype(target)
    of = c
    name = f"{target.name}_of_{source.name}"
    if target.itemsize < 4 or target.name == "int32":
        convert = f"return ({t})__{of}2int_rz(x);"
    elif target.name == "uint64":
        edge = "9223372036854775808.0" + ("f" if source.itemsize == 4 else "")
        convert = f"return x < {edge} ? (uint64)__{of}2ll_rz(x) : __{of}2ull_rz(x);"
    else:
        convert = f"return ({t})__{of}2ll_rz(x);"
    return name, _function(t, name, f"{c} x", convert)


def of_warp(combine: str, dtype: np.dtype, combined: str) -> tuple[str, str]:
    """The values of a warp's threads combined, in the order of a tree; every thread gets the
    result. ``combined`` is the text that combines ``x`` and ``y``."""
    c = ctype(dtype)
    passed = c if dtype.itemsize >= 4 else "int"
    name = f"warp_{_WARP[combine]}_{dtype.name}"
    given = "x" if passed == c else "(int)x"
    body = (
        "for (int step = 16; step > 0; step /= 2) {\n"
        f"    const {c} y = ({c})__shfl_down_sync({_EVERY}, {given}, step);\n"
        f"    x = {combined};\n"
        "}\n"
        f"return ({c})__shfl_sync({_EVERY}, {given}, 0);"
    )
    return name, _function(c, name, f"{c} x", body)


# A vector is an array of the thread's, which is in registers since all loops over it are unrolled.
VECTOR = (
    "Vector",
    "template <typename T, int N> struct alignas(N * sizeof(T)) Vector { T at[N]; };",
)


def _moving(name: str, parameters: str, vector: str, one: str) -> tuple[str, str]:
    """A function that moves the elements of a vector, at once or one by one."""
    body = f"""\
template <typename T, int N>
static __device__ inline void {name}({parameters}, bool at_once, int64 left)
{{
    if (at_once) {{
{vector}
    }} else {{
        #pragma unroll
        for (int k = 0; k < N; k++) {{
            if (k < left) {one};
        }}
    }}
}}"""
    return name, body


LOAD_VECTOR = _moving(
    "load_vector",
    "T (&to)[N], const T *from",
    """\
        const Vector<T, N> all = *(const Vector<T, N> *)from;
        #pragma unroll
        for (int k = 0; k < N; k++) to[k] = all.at[k];""",
    "to[k] = from[k]",
)
STORE_VECTOR = _moving(
    "store_vector",
    "const T (&from)[N], T *to",
    """\
        Vector<T, N> all;
        #pragma unroll
        for (int k = 0; k < N; k++) all.at[k] = from[k];
        *(Vector<T, N> *)to = all;""",
    "to[k] = from[k]",
)

# What a thread has stored before is there for one that has seen the flag, by CUDA's memory model: a
# fence, then a volatile store; a volatile load, then a fence.
ANNOUNCE = (
    "announce",
    _function(
        "void", "announce", "volatile int *flags, int64 at", "__threadfence();\nflags[at] = 1;"
    ),
)
AWAIT = (
    "await",
    _function(
        "void",
        "await",
        "volatile int *flags, int64 at",
        "while (flags[at] == 0) {}\n__threadfence();",
    ),
)

# A barrier of all blocks, of which so many threads in all have arrived when they go on.
TOGETHER = (
    "wait_for_blocks",
    """\
static __device__ inline void wait_for_blocks(volatile int *arrived, int all)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd((int *)arrived, 1);
        while (*arrived < all) {}
        __threadfence();
    }
    __syncthreads();
}""",
)

# The rooms of threads interleave, so that neighbouring threads touch neighbouring memory: by words
# of 8 bytes whatever the type, for one thread may have an int64 where another has a float.
INTERLEAVED = (
    "reserved_by_thread",
    """\
template <typename T>
static __device__ inline T &reserved_by_thread(char *memory, int64 start, int64 index)
{
    const int64 threads = (int64)gridDim.x * blockDim.x;
    const int64 thread = (int64)blockIdx.x * blockDim.x + threadIdx.x;
    const int64 at = start + index * (int64)sizeof(T);
    return *(T *)(memory + (at & ~7ll) * threads + thread * 8 + (at & 7));
}""",
)
