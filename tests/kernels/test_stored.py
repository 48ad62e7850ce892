"""Which kernels a program has, on disk: a second process finds them by its graph."""

import ast
import os
import sys
import time
import types

import numpy as np
import pytest

import autograph as ag
import ops
from autograph import cache, versions
from autograph.graph.description import NoDescription, description
from autograph.kernels import stored
from tests.support.processes import file_of, printed

PROGRAM = """
    import sys
    import numpy as np
    import autograph as ag
    from autograph.kernels import partition

    asked, making = [], partition.making
    partition.making = lambda: asked.append(True) or making()
    scale = np.array([1.5, -0.5, 2.0])
    x = np.linspace(0.1, 1.0, 12).reshape(4, 3)

    def loss(w, x):  # one kernel
        s = 0.0
        for i in range(x.shape[0]):
            s = s + np.tanh(x[i] @ w) ** 2
        return s

    def parts(x):  # kernels around what is none, and in a loop that is none
        y = np.sort(np.exp(x[:3]) * scale, axis=0)
        for i in range(3):
            y = np.linalg.qr(y)[1] * 0.5 + np.sin(y) * 2.0
        z = np.cos(y) + y.T
        return np.unique(np.round(z * z + 1.0)), z[0], z * 3.0

    def power(a, n):  # calls itself, and reads an array from outside
        return a * scale[n % 3] if n < 1 else power(a * 0.9, n - 1) + power(a, n - 2)

    def changed(x):
        x[1] = x[0] * 2.0
        return np.sum(x)

    def wide(x):
        return np.sum(np.sin(x[:, None] * x) * np.exp(-x))

    def solved(x):
        return np.linalg.solve(x[:3] + np.eye(3), x[3]) * 2.0 + np.fft.fft(x[0]).real

    def plain(x):  # no kernel at all
        return np.linalg.qr(x)[1], np.unique(x)

    def noisy(x, rng, other):
        y = np.sin(x) * rng.normal(size=x.shape) + np.exp(x)
        return np.cos(y) * other.uniform() + np.sqrt(x) * rng.normal()

    w = np.array([0.1, 0.2, 0.3])
    own = x.copy()
    found = [
        ag.to_graph(loss)(w, x), ag.grad(loss)(w, x), ag.hessian(loss)(w, x),
        ag.vmap(ag.value_and_grad(loss), (None, 0))(w, x.reshape(2, 2, 3)),
        ag.jvp(loss, (w, x), (w, x)),
        ag.to_graph(parts)(x),
        ag.to_graph(power)(1.25, 7), ag.grad(power)(1.25, 7),
        ag.to_graph(changed)(own), own,
        ag.to_graph(wide, fast_math=True)(w), ag.grad(wide)(x[0]),
        ag.to_graph(plain)(x),
        ag.to_graph(noisy)(x, np.random.default_rng(3), np.random.default_rng(4)),
        ag.to_graph(solved)(x), ag.to_graph(lambda z: z * z + np.conj(z))(w + 1j),
    ]
    flat = [np.asarray(part) for each in found for part in ag.tree.leaves(each)]
    print([part.tobytes().hex() for part in flat])
    print(len(asked), "autograph.kernels.making" in sys.modules)
    f, g = ag.to_graph(parts), ag.grad(loss)
    print(repr(f"{f.kernels(x)}{f.program(x)}{g.kernels(w, x)}{g.program(w, x)}"))
"""


@pytest.fixture
def run(tmp_path):
    """What a process prints, in lines; all have one cache."""

    def run(program=PROGRAM, **environment):
        settings = {
            "AUTOGRAPH_CACHE_DIR": str(tmp_path / "cache"),
            "AUTOGRAPH_CACHE_PROGRAMS": "",
            "AUTOGRAPH_KERNELS": "",
            "AUTOGRAPH_VERIFY": "",
            **environment,
        }
        return printed(file_of(tmp_path / "program.py", program), **settings).splitlines()

    return run


@pytest.mark.slow
def test_a_second_process_makes_no_kernels(run):
    """It gives the same bits, and the same texts to whoever asks for them."""
    first, second = run(), run()
    assert int(first[1].split()[0]) > 10 and second[1] == "0 False"
    assert first[0] == second[0] and first[2] == second[2]
    assert run(AUTOGRAPH_CACHE_PROGRAMS="0") == first


QUICK = """
    import sys, threading
    import numpy as np
    import autograph as ag

    f = ag.to_graph(lambda x: {of}(np.exp(x) * {factor}))
    x = np.ones(3)
    results = {{float(np.sum(f(x))) for _ in range({count})}}
    for thread in threading.enumerate():
        if thread.name == "autograph compiler":
            thread.join()
    print(results, "autograph.kernels.making" in sys.modules)
"""


def quick(of="np.sum", **given):
    return QUICK.format(of=of, **given)


@pytest.mark.slow
@pytest.mark.parametrize("of", ["np.sum", "-"])  # the loop of the latter is no vector at first
def test_what_was_made_quickly_is_optimised_once_it_has_run_for_long(run, of):
    """Both codes are found, and the text is made where the better one is not there yet."""
    few, many = quick(of, factor=2.0, count=3), quick(of, factor=2.0, count=200_000)
    tier = {"AUTOGRAPH_TIER": "automatic"}
    (first,), (second,), (third,) = run(few, **tier), run(few, **tier), run(many, **tier)
    (last,) = run(many, **tier)
    assert [line.split()[1] for line in (first, second, third, last)] == [
        *("True", "False", "True", "False")
    ]
    assert len({line.split()[0] for line in (first, second, third, last)}) == 1


@pytest.mark.slow
def test_another_graph_has_other_kernels(run):
    (first,), (second,) = (
        run(quick(factor=2.0, count=1)),
        run(quick(factor=4.0, count=1)),
    )
    one, other = (float(line.split()[0][1:-1]) for line in (first, second))
    assert other == 2.0 * one and second.endswith("True")


@pytest.mark.slow
def test_a_damaged_file_is_no_file(run, tmp_path):
    program = quick(factor=2.0, count=1)
    first = run(program)
    folder = tmp_path / "cache"
    for name in os.listdir(folder):
        content = bytearray((folder / name).read_bytes())
        content[-1] ^= 1
        (folder / name).write_bytes(content)
    assert run(program) == first  # made anew
    assert run(program)[0].endswith("False")
    for name in sorted(os.listdir(folder)):  # as if the code had been removed to make room
        if b'"' not in (folder / name).read_bytes()[-3:]:
            (folder / name).unlink()
    assert run(program) == first


# -- the key ---------------------------------------------------------------------------------------


def described(function, *args):
    return description(ag.to_graph(function).graph(*args))


def test_alike_graphs_have_one_description():
    """Wherever they stand, and whatever variables are called."""
    array = np.arange(3.0)

    def one(x):
        return np.sum(x * array + 2.0)

    def two(y):
        z = y * array

        return np.sum(z + 2.0)

    two.__name__ = two.__qualname__ = "one"
    assert described(one, array) == described(two, array)


X = np.arange(6.0).reshape(2, 3)
C = np.array([1.0, 2.0, 3.0])
OTHERS = {
    "constant": (lambda x: np.sum(x * C + 3.0), X),
    "kind of constant": (lambda x: np.sum(x * C + 2), X),
    "NumPy's number": (lambda x: np.sum(x * C + np.float32(2.0)), X),
    "elements": (lambda x: np.sum(x * (C + 1e-16 * 0 + [0.0, 0.0, 1.0]) + 2.0), X),
    "operator": (lambda x: np.prod(x * C + 2.0), X),
    "axis": (lambda x: np.sum(x * C + 2.0, axis=0), X),
    "order": (lambda x: np.sum(2.0 + x * C), X),
    "shape": (lambda x: np.sum(x * C + 2.0), X[:1]),
    "dtype": (lambda x: np.sum(x * C + 2.0), X.astype(np.float32)),
    "number of Python": (lambda x: np.sum(x * C + 2.0), 1.0),
    "number of NumPy": (lambda x: np.sum(x * C + 2.0), np.float64(1.0)),
    "results": (lambda x: (np.sum(x * C + 2.0),) * 2, X),
    "a zero": (lambda x: np.sum(x * C + 0.0), X),
    "the other zero": (lambda x: np.sum(x * C + -0.0), X),
}


def test_others_have_others():
    texts = {name: described(f, x) for name, (f, x) in OTHERS.items()}
    texts["itself"] = described(lambda x: np.sum(x * C + 2.0), X)
    assert len(set(texts.values())) == len(texts)


def test_what_is_not_declared_here_has_none():
    name = "an_operator_of_a_test"
    if name not in ops.registry.REGISTRY:
        ops.registry.Elementwise(name, np.exp, "np.exp({0})", partials=[lambda x, out: out])
    operator = ops.registry.REGISTRY[name]
    with pytest.raises(NoDescription, match=name):
        described(lambda x: operator(x) * 2.0, X)


def test_generators_are_told_apart():
    """By which is which, not by what they have drawn."""
    one, two = np.random.default_rng(1), np.random.default_rng(2)
    texts = [
        described(lambda x, a, b: x * a.normal() + b.normal(), 1.0, one, two),
        described(lambda x, a, b: x * a.normal() + a.normal(), 1.0, one, two),
        described(lambda x, a, b: x * one.normal() + b.normal(), 1.0, one, two),
    ]
    assert len(set(texts)) == 3
    assert texts[0] == described(lambda x, a, b: x * a.normal() + b.normal(), 1.0, two, one)


def test_lengths_that_are_symbols_are_told_apart():
    """By what they are, not by the numbers of a call."""

    def described(function, *shape):
        return description(function.lower(ag.ShapeDtypeStruct(shape, float)).graph)

    double = ag.to_graph(lambda x: x * 2.0)
    assert described(double, "n") == described(double, "n") != described(double, "m")
    assert len({described(double, *s) for s in (("n",), ("n", "n"), ("n", "m"), ("n", 3))}) == 4
    parts = [ag.to_graph(lambda x: x[1:] * 2.0), ag.to_graph(lambda x: x[: len(x) // 2] * 2.0)]
    assert len({described(f, "n") for f in (double, *parts)}) == 3


ANY_LENGTH = """
    import sys
    import numpy as np
    import autograph as ag
    from autograph.kernels import partition

    from autograph.api.recording import recorded

    asked, making, trace = [], partition.making, recorded.trace
    partition.making = lambda: asked.append(True) or making()
    recorded.trace = lambda *args, **options: asked.append(True) or trace(*args, **options)

    def f(x, w):
        total = 0.0
        for i in range(1, len(x) - 1):
            total = total + np.tanh(x[i - 1] * x[i + 1]) * w[i]
        return total + np.sum(np.exp(-np.cumsum(x * w)[::2]))

    value, gradient, made = ag.to_graph(f), ag.grad(f), []
    for n in {lengths}:
        x, w = np.linspace(0.0, 1.0, n), np.linspace(-1.0, 0.5, n)
        np.testing.assert_allclose(value(x, w), f(x, w), rtol=1e-12)
        slope = (f(x + 1e-6, w) - f(x - 1e-6, w)) / 2e-6
        np.testing.assert_allclose(np.sum(gradient(x, w)), slope, rtol=1e-5)
        made.append(len(asked))
        asked.clear()
    print(*made)
"""


@pytest.mark.slow
def test_what_is_for_any_length_is_found_again(run):
    """Recordings and kernels: by other lengths as well, if all holds that was assumed."""
    count = lambda *lengths: [int(n) for n in run(ANY_LENGTH.format(lengths=lengths))[0].split()]
    first, second, third = count(10, 11, 12)
    assert first and second and not third
    assert count(10, 11, 12) == [0, 0, 0]
    assert count(20, 31, 40)[1:] == [0, 0]
    long = count(20, 31, 5000, 6000)
    assert long[:2] == [0, 0] and long[2] and not long[3]
    assert count(5000, 7000, 8000)[1:] == [0, 0]
    assert not count(10, 12)[0]


def test_large_constants_have_none():
    large = np.zeros(1 << 22)
    with pytest.raises(NoDescription, match="bytes"):
        described(lambda x: x + large, np.float64(1.0))


@pytest.fixture
def key(monkeypatch, tmp_path):
    """The key of a function that is always the same."""
    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("AUTOGRAPH_CACHE_PROGRAMS", "1")
    monkeypatch.setattr(versions, "VERIFY", False)
    module = ag.to_graph(lambda x: np.sum(x * C + 2.0)).graph(X)
    cache._checked.cache_clear()
    versions.at_first.cache_clear()
    yield lambda donated=(), fast=False: stored.key_of(module, donated, fast)
    cache._checked.cache_clear()
    versions.at_first.cache_clear()


def test_the_key_tells_settings_and_versions(key, monkeypatch):
    first = key()
    assert first == key() != key(fast=True)
    assert key((0,)) not in (first, key(fast=True))
    for where, name, value in [
        (stored.np, "__version__", "0.0"),
        (stored.sys, "version", "0.0"),
        (stored.compiler, "host", lambda: ("a", "b", "c", "d")),
        (stored.compiler, "PIPELINE", "another"),
        (stored, "machine_memory", lambda: 1 << 20),
    ]:
        with monkeypatch.context() as changed:
            changed.setattr(where, name, value)
            assert key() != first
    with monkeypatch.context() as changed:
        changed.setenv("AUTOGRAPH_RECURSION_DEPTH", "77")
        assert key() != first
        changed.setenv("AUTOGRAPH_CACHE_PROGRAMS", "0")
        assert key() is None
    with monkeypatch.context() as changed:
        changed.setenv("AUTOGRAPH_CACHE_DIR", "")
        assert key() is None
    monkeypatch.setattr(versions, "VERIFY", True)
    assert key() is None


def test_the_key_tells_the_files_of_the_package(key, monkeypatch, tmp_path):
    package = tmp_path / "package"
    for folder in ("graph", "kernels/llvm", "kernels/__pycache__", "operators"):
        (package / folder).mkdir(parents=True)
    file = package / "kernels" / "llvm" / "file.py"
    file.write_text("1")
    monkeypatch.setattr(versions, "_PACKAGE", package)
    monkeypatch.setattr(versions, "_OPERATORS", package / "operators")
    monkeypatch.setattr(versions, "IMPORTED", 2**63)
    seen = [key()]

    def next_key():
        versions.at_first.cache_clear()
        seen.append(key())
        return seen[-1]

    assert next_key() == seen[0]
    (package / "kernels" / "__pycache__" / "file.pyc").write_text("1")
    assert next_key() == seen[0]
    before = file.stat()
    time.sleep(0.05)
    file.write_text("2")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert next_key() not in seen[:-1]
    file.write_text("12")
    assert next_key() not in seen[:-1]
    (package / "kernels" / "new.py").write_text("1")
    assert next_key() not in seen[:-1]
    (package / "settings.py").write_text("1")
    assert next_key() not in seen[:-1]


def test_files_that_are_newer_than_what_runs_turn_it_off(key, monkeypatch, tmp_path):
    """As when the package is installed anew while a process runs: what is installed may have set
    the other time back."""
    package, stores = tmp_path / "package", []
    for folder in ("graph", "kernels", "operators"):
        (package / folder).mkdir(parents=True)
    file = package / "kernels" / "file.py"
    file.write_text("1")
    monkeypatch.setattr(versions, "_PACKAGE", package)
    monkeypatch.setattr(versions, "_OPERATORS", package / "operators")
    monkeypatch.setattr(stored.cache, "store", lambda *args: stores.append(args))
    monkeypatch.setattr(versions, "_modules", 0)
    other = package / "kernels" / "other.py"
    other.write_text("1")
    assert key() is None
    monkeypatch.setattr(versions, "IMPORTED", other.stat().st_ctime_ns + 2 * 10**8)
    versions.at_first.cache_clear()
    assert key() is not None
    stored.Noted("key", stored.Plan(True), ["f"]).add("f", ())
    assert len(stores) == 1

    def imported(name, path=None):
        module = types.ModuleType(name)
        if path is not None:
            module.__file__ = str(path)
        monkeypatch.setitem(sys.modules, name, module)

    time.sleep(0.3)
    file.write_text("2")
    os.utime(file, ns=(0, 0))
    # Something of the package may have been imported since. What others import is no matter.
    imported("a_new_one")
    imported("autograph.of_a_file_that_is_as_it_was", other)
    stored.Noted("key", stored.Plan(True), ["f"]).add("f", ())
    assert len(stores) == 2
    imported("autograph.a_new_one", file)
    stored.Noted("key", stored.Plan(True), ["f"]).add("f", ())
    assert len(stores) == 2
    imported("autograph.a_new_one")  # of which nobody knows where it is from
    stored.Noted("key", stored.Plan(True), ["f"]).add("f", ())
    assert len(stores) == 2
    versions.at_first.cache_clear()
    assert key() is None


def test_kernels_follow_from_the_files_of_which_the_key_tells(run):
    """All that makes them is imported from there."""
    program = """
        import importlib.util, pathlib, sys, types
        # Without what importing the package itself imports.
        package = sys.modules["autograph"] = types.ModuleType("autograph")
        operators = pathlib.Path(importlib.util.find_spec("ops").origin).parent
        package.__path__ = [str(operators.parent / "autograph")]
        import autograph.kernels.making
        names = [name.split(".") for name in sys.modules]
        print({name[1] for name in names if name[0] == "autograph" and len(name) > 2})
    """
    (found,) = run(program)
    assert ast.literal_eval(found) == {"graph", "kernels"}


DRAWS = """
    import sys
    import numpy as np
    import autograph as ag

    one, other, given = (np.random.default_rng(k) for k in range(3))

    def first(rng, n):
        total = 0.0
        for _ in range(n):
            total += rng.random() - 2.0 * other.normal()
        return total

    def second(n):
        total = 0.0
        for _ in range(n):
            total += one.random() - 2.0 * other.normal()
        return total

    calls = {{
        "first": lambda: ag.to_graph(first)(given, 50),
        "second": lambda: ag.to_graph(second)(50),
    }}
    wanted = {{"first": lambda: first(given, 50), "second": lambda: second(50)}}
    before = [rng.bit_generator.state for rng in (one, other, given)]
    found = [float(calls[name]()) for name in {names}]
    for rng, state in zip((one, other, given), before):
        rng.bit_generator.state = state
    made = "autograph.kernels.making" in sys.modules
    print(found == [wanted[name]() for name in {names}], made)
"""


@pytest.mark.slow
def test_kernels_draw_from_the_generators_of_the_process(run):
    """Those have other numbers where other functions draw before."""
    assert run(DRAWS.format(names=["first", "second"])) == ["True True"]
    for names in (["second", "first"], ["second"], ["first"], ["second", "first", "second"]):
        assert run(DRAWS.format(names=names)) == ["True False"]
