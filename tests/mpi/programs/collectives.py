"""All collectives with all dtypes, compared with NumPy, which each process lets compute on the
operands of all; prints the names of what was compared, and what differed."""

import functools
import hashlib
import itertools
import sys

import numpy as np

import tests.mpi.light  # noqa: F401
from autograph.errors import CollectiveError
from autograph.parallel.mpi import Call, communicator, world

all_processes = world()
rank, size = all_processes.rank, all_processes.size
WHAT = Call("tested", f"{__file__}:1")

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64", "longdouble"]
COMPLEX = ["complex64", "complex128", "clongdouble"]
NUMBERS = ["bool", *INTEGERS, *FLOATS, *COMPLEX, ">f8", ">i4", ">c8"]
OTHERS = ["datetime64[s]", "S5", "U3", "i4,f8"]
SHAPES = [(), (13, 10), (2, 0, 3)]

failures = []


def operand(dtype, shape, process, specials=False):
    """The operand of a process, the same wherever it is made."""
    seed = hashlib.sha256(f"{dtype} {shape} {process}".encode()).digest()
    random = np.random.default_rng(list(seed))
    x = random.integers(0, 256, (*shape, 4)) * np.array([1, 3, 7, 2**40])
    if np.dtype(dtype).kind == "c":
        x = (x[..., 0] - 100 + 1j * x[..., 1]) / 7
    elif np.dtype(dtype).kind == "f":
        x = (x[..., 0] - 100) / 7
        if specials and x.size:
            odd = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, -np.nan])
            x = np.where(random.random(shape) < 0.7, random.choice(odd, shape), x)
    elif np.dtype(dtype).kind == "b":
        x = x[..., 0] > 128
    elif np.dtype(dtype).kind == "V":
        y = np.zeros(shape, dtype)
        y["f0"], y["f1"] = x[..., 0], x[..., 1]
        return y
    else:
        x = np.sum(x, axis=-1)
    return np.asarray(x).astype(dtype)


def equal_bits(x, y):
    if x.dtype.kind in "fc" and x.dtype.itemsize in (16, 32) and x.dtype != "c16":
        return np.array_equal(x, y)  # there are unused bits between numbers
    return x.tobytes() == y.tobytes()


def stacked(xs):
    """`np.stack`, which does not keep the order of bytes."""
    out = np.empty((len(xs), *xs[0].shape), xs[0].dtype)
    for i, x in enumerate(xs):
        out[i] = x
    return out


def near(x, y, tolerance):
    """Whether sums of numbers such as `operand` makes are the same but for their order."""
    return np.allclose(x, y, rtol=tolerance, atol=100 * tolerance)


def check(name, found, expected, close=False):
    same = (
        found.shape == expected.shape
        and found.dtype == expected.dtype
        and (near(found, expected, close) if close else equal_bits(found, expected))
    )
    if not same:
        failures.append(f"{name}: {found!r}, not {expected!r}")


def added(xs):
    """The sum as NumPy adds in order; of float16 as this package says."""
    native = xs[0].dtype.newbyteorder("=")
    if native == np.float16:
        return functools.reduce(np.add, [x.astype("f4") for x in xs]).astype("f2")
    return np.asarray(functools.reduce(np.add, xs)).astype(native)


def tolerance(dtype):
    """For sums in another order; 0 where the order does not matter."""
    kind = np.dtype(dtype)
    if kind.kind not in "fc":
        return 0
    return 4 * size * max(np.finfo(kind).eps, np.finfo("f8").eps)


def check_sums(group):
    for dtype, shape in itertools.product(NUMBERS, SHAPES):
        name = f"{dtype}{shape}"
        xs = [operand(dtype, shape, p) for p in range(group.size)]
        total, close = added(xs), tolerance(dtype)
        (found,) = group.sum([xs[group.rank]], WHAT)
        check(f"sum {name}", found, total, close)
        rows = [operand(dtype, (group.size, *shape), p) for p in range(group.size)]
        check(
            f"scatter_sum {name}",
            group.scatter_sum(rows[group.rank], WHAT),
            added(rows)[group.rank, ...],
            close,
        )
        for target in (0, group.size - 1):
            found = group.sum_to(xs[group.rank], target, WHAT)
            expected = total if group.rank == target else np.zeros_like(total)
            check(f"sum_to {name}", found, expected, close)
        for found in group.sum([xs[group.rank], xs[group.rank]], WHAT):
            check(f"sums {name}", found, total, close)


def check_many(group):
    kinds = list(itertools.product(NUMBERS, SHAPES))
    trees = [[operand(*kind, p) for kind in kinds] for p in range(group.size)]
    before = group.counts.get("packed")
    found = group.sum(trees[group.rank], Call("packed", "a.py:1"))
    messages = group.counts["packed"].messages - (before.messages if before else 0)
    for (dtype, shape), x, *xs in zip(kinds, found, *trees):
        check(f"sum of many {dtype}{shape}", x, added(xs), tolerance(dtype))
    carriers = 1 + 4 + 3  # bools by another operation; four of integers, three of floats
    if messages != carriers and communicator.LARGEST > 3:
        failures.append(f"{messages} messages, not {carriers}")
    if group.sum([], WHAT) != []:
        failures.append("the sum of nothing")


def check_extremes(group):
    for dtype, shape in itertools.product(["bool", *INTEGERS, *FLOATS, ">f8"], SHAPES):
        for specials in (False, True):
            xs = [operand(dtype, shape, p, specials) for p in range(group.size)]
            for method, function in ((group.max, np.maximum), (group.min, np.minimum)):
                (found,) = method([xs[group.rank]], WHAT)
                expected = np.asarray(functools.reduce(function, xs)).astype(found.dtype)
                name = f"{method.__name__} {dtype}{shape}"
                # What is zero may be of either sign in NumPy.
                np.testing.assert_array_equal(found, expected, err_msg=name, strict=True)
    x = np.array([0.0, -0.0])
    if group.rank == group.size - 1 and group.size > 1:
        x = -x
    (largest,), (smallest,) = group.max([x], WHAT), group.min([x], WHAT)
    if group.size > 1:
        check("max of zeros", largest, np.array([0.0, 0.0]))
        check("min of zeros", smallest, np.array([-0.0, -0.0]))
    a, b = group.max([np.float64(group.rank) * np.ones(2), np.arange(3) + group.rank], WHAT)
    check("max of two", a, np.full(2, group.size - 1.0))
    check("max of two", b, np.arange(3) + group.size - 1)


def check_moves(group):
    me, n = group.rank, group.size
    for dtype, shape in itertools.product([*NUMBERS, *OTHERS], SHAPES):
        name = f"{dtype}{shape}"
        xs = [operand(dtype, shape, p) for p in range(n)]
        check(f"gather {name}", group.gather(xs[me], WHAT), stacked(xs))
        for source in (0, n - 1):
            found = group.broadcast(xs[me], source, WHAT)
            check(f"broadcast {name}", found, xs[source])
        around = [(p, (p + 1) % n) for p in range(n)]
        for pairs in (around, around[:-1], [(p, p) for p in range(n)], [(n - 1, 0)], []):
            found = group.permute(xs[me], pairs, WHAT)
            source = {target: source for source, target in pairs}.get(me)
            expected = np.zeros_like(xs[me]) if source is None else xs[source]
            check(f"permute {name} {pairs}", found, expected)
        rows = [operand(dtype, (n, *shape), p) for p in range(n)]
        found = group.exchange(rows[me], WHAT)
        check(f"exchange {name}", found, stacked([row[me, ...] for row in rows]))


def check_layouts(group):
    """Arrays that are not contiguous, and that stay as they are."""
    me, n = group.rank, group.size
    for change in (np.transpose, lambda x: x[::-1, ::2], np.asfortranarray):
        xs = [change(operand("float64", (n, n * 2), p)) for p in range(n)]
        rows = [np.asfortranarray(np.resize(x, (n, 3))) for x in xs]
        kept = xs[me].copy()
        check("sum of a view", group.sum([xs[me]], WHAT)[0], added(xs), 1e-14)
        check("sum of views", group.sum([xs[me], xs[me]], WHAT)[1], added(xs), 1e-14)
        check("max of a view", group.max([xs[me]], WHAT)[0], np.max(xs, axis=0))
        check("gather of a view", group.gather(xs[me], WHAT), stacked(xs))
        check("rows", group.exchange(rows[me], WHAT), stacked([row[me, ...] for row in rows]))
        check("rows", group.scatter_sum(rows[me], WHAT), added(rows)[me], 1e-14)
        check("operand", xs[me], kept)
    x = operand("float64", (4,), me)
    (found,) = group.sum([x], WHAT, donate=True)
    check("donated", found, added([operand("float64", (4,), p) for p in range(n)]), 1e-14)
    x = operand("float64", (4,), me)
    x.flags.writeable = False
    (found,) = group.sum([x], WHAT, donate=True)
    if found is x:
        failures.append("an array that cannot be written was overwritten")


def check_same_bits(group):
    """Sums whose last bits depend on the order are the same on all processes."""
    lengths = (1, 5, 1000, 70_000) if communicator.LARGEST > 3 else (1, 5, 20)
    for dtype, length in itertools.product(["f2", "f4", "f8", "c16", "g"], lengths):
        random = np.random.default_rng(group.rank)
        x = (random.standard_normal(length) * 10.0 ** random.integers(-3, 3, length)).astype(dtype)
        results = [
            *group.sum([x], WHAT),
            *group.sum([x, x[:3]], WHAT),
            *([] if dtype == "c16" else group.max([x], WHAT)),
        ]
        digest = hashlib.sha256(b"".join(map(_values, results))).digest()
        if not group.agree(digest, WHAT):
            failures.append(f"sums of {length} {dtype} differ between processes")


def _values(x):
    """Bytes of numbers, without what extended precision leaves between them."""
    if x.dtype == np.longdouble:
        return repr(x.tolist()).encode() + x.astype("f8").tobytes()
    return x.tobytes()


def check_agreement(group):
    for digest in (b"", b"1", bytes(32)):
        if not group.agree(digest, WHAT):
            failures.append(f"{digest} is not the same")
    for differs in range(group.size):
        agreed = group.agree(b"ab" if group.rank == differs else b"aa", WHAT)
        if agreed != (group.size == 1):
            failures.append("other bytes are the same")
    group.barrier(WHAT)


def check_refused(group):
    for call in (
        lambda: group.sum([np.array(["a"])], WHAT),
        lambda: group.sum([np.array(["2020"], "datetime64")], WHAT),
        lambda: group.max([np.ones(2, complex)], WHAT),
        lambda: group.gather(np.array([None]), WHAT),
        lambda: group.exchange(np.ones(group.size + 1), WHAT),
        lambda: group.scatter_sum(np.array(1.0), WHAT),
    ):
        try:
            failures.append(f"{call()} is no error")
        except CollectiveError as error:
            if error.id not in ("AG0667", "AG0661") or "collectives.py:1" not in str(error):
                failures.append(str(error))


CHECKS = (
    check_sums, check_many, check_extremes, check_moves, check_layouts, check_same_bits,
    check_agreement, check_refused,
)  # fmt: skip


def check_all(group, label):
    for check_one in CHECKS:
        check_one(group)
        print(f"{label} {check_one.__name__} {group.size}")


check_all(all_processes, "all")
SHAPES[:] = [(7,)]
check_all(all_processes.split(rank % 2, -rank), "split")
backwards = all_processes.split(7, -rank)
if (backwards.rank, backwards.size) != (size - 1 - rank, size):
    failures.append(f"{backwards} of {rank}")
communicator.LARGEST = 3  # as if messages could hold no more
few = all_processes.split(0, 0)
check_all(few, "in pieces")
for failure in failures[:20]:
    print("differs:", failure)
sys.stdout.flush()
