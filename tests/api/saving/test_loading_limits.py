"""Files that say they hold more than there is, or do: they are refused before memory is taken."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from autograph.api.saving import unpacking
from autograph.errors import LoadError
from tests.support.processes import file_of, printed

WEIGHTS = np.arange(3.0)


def weighted(x):
    return np.cumsum(x * WEIGHTS)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "function.ag"
    ag.to_graph(weighted).save(path, np.ones(3))
    return path


def with_array(path, data, compression=zipfile.ZIP_STORED):
    """The file with other bytes for its array."""
    with zipfile.ZipFile(path) as found:
        text = found.read("graph.json")
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", compression) as made:
        made.writestr("a0.npy", data)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("graph.json", text)
        made.writestr("constants.npz", inner.getvalue())


def npy(shape, dtype="<f8", data=b"", version=b"\x01\x00"):
    head = repr({"descr": dtype, "fortran_order": False, "shape": shape}).encode()
    return b"\x93NUMPY" + version + len(head).to_bytes(2, "little") + head + data


@pytest.mark.parametrize(
    "shape",
    [(2**70,), (2**62,), (2**40,), (2**33, 2**33), (-1,), (3, -1), (2**40, 0), (True,), (2.0,), 3]
    + [(1,) * 100, ((3,),), None],
    ids=str,
)
def test_an_array_of_a_shape_that_it_does_not_have(file, shape):
    with_array(file, npy(shape, data=bytes(24)))
    with pytest.raises(LoadError):
        ag.load(file)


@pytest.mark.parametrize("dtype", ["V2147483647", "<U99999999", "|O", "<f7", [("a", "<f8")], 3])
def test_an_array_of_a_strange_dtype(file, dtype):
    with_array(file, npy((3,), dtype, bytes(24)))
    with pytest.raises(LoadError):
        ag.load(file)


def test_more_than_there_may_be(file):
    ones = np.ones(200_000).tobytes()
    with_array(file, npy((200_000,), data=ones), zipfile.ZIP_DEFLATED)
    assert file.stat().st_size < 50_000
    unpacking.unpacked(file.read_bytes(), 2_000_000)
    with pytest.raises(LoadError, match=r"more than \d+ bytes in 'a0\.npy'.*\n.*max_bytes"):
        ag.load(file, max_bytes=1_000_000)


def test_the_limit_for_what_is_packed_well(file, monkeypatch):
    with_array(file, npy((200_000,), data=bytes(1_600_000)), zipfile.ZIP_DEFLATED)
    assert unpacking.unpacked(file.read_bytes())[1]["a0"].shape == (200_000,)
    monkeypatch.setattr(unpacking, "_GROWTH", 1_000_000)
    with pytest.raises(LoadError, match="AG0614"):
        ag.load(file)


def test_a_text_that_is_packed_well(file, monkeypatch):
    monkeypatch.setattr(unpacking, "_TEXT", 10_000)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("graph.json", "[" + "[],\n" * 100_000 + "[]]")
        made.writestr("constants.npz", b"")
    with pytest.raises(LoadError, match=r"'graph\.json'"):
        ag.load(file)


def test_arrays_come_back_as_they_were(tmp_path):
    arrays = [np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.zeros((0, 4)), np.array(2, "i2")]
    f = ag.to_graph(lambda x: tuple(x + a for a in arrays))
    f.save(tmp_path / "f.ag", 1.0)
    for found, wanted in zip(ag.load(tmp_path / "f.ag")(1.0), f(1.0)):
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype


# -- random damage ---------------------------------------------------------------------------------

FUZZ = """
import copy, io, json, random, resource, sys, time, zipfile
import numpy as np
import autograph as ag
from autograph.errors import LoadError

W = np.arange(12.0).reshape(3, 4)

def newton(a):
    x = a
    while np.any(abs(x * x - a) > 1e-9):
        x = 0.5 * (x + a / x)
    return x

def lists(x, flag=True):
    rows = []
    for i in range(3):
        rows.append((x[i] * 2, {"a": x[i]}))
    if x[0] > 1:
        print(x[0])
        raise ValueError(f"no {x[0]}")
    return rows, "text", None

def draws(rng, x):
    return x[:, ::2] @ rng.normal(size=(2, 3)) + np.full((3, 3), 2.0)

def sections(rng):
    path = sys.argv[1] + "/f.ag"
    x = np.ones((3, 4))
    yield ag.to_graph(lambda x: np.sum(x * W, axis=1)), (x,)
    yield ag.to_graph(newton), (np.ones(3),)
    yield ag.grad(lambda a: np.sum(newton(a))), (np.ones(3),)
    yield ag.vmap(newton), (np.ones(5),)
    yield ag.to_graph(lists), (np.zeros(3),)
    yield ag.to_graph(draws), (np.random.default_rng(0), x)

def places(form, at=()):
    yield at
    if isinstance(form, (dict, list)):
        for key, inner in form.items() if isinstance(form, dict) else enumerate(form):
            yield from places(inner, (*at, key))

def deep(n):
    form = []
    for _ in range(n):
        form = [form]
    return form

WRONG = [
    *(2**31, 2**62, -(2**62), 10**25, 2**40, -1, 0, 1e308, "", "x" * 10**5, deep(300), [None] * 70),
    *([2**40, 2**40], [2**31] * 4, ["float64", [2**60]], ["float64", [2**40, 2**40]]),
    *([["float64", [10**9]]], {"type": ["int8", [2**50]]}, {"dtype": "float16"}),
    *({"range": [0, 2**60, 1]}, {"range": [0, 10**9, 1]}, {"slice": [0, 2**62, 1]}, {"set": [1]}),
    *({"bytes": "AAAA"}, {"float": "inf"}, {"bound": 2**62}, {"scalar": ["float64", 10**30]}),
    *({"length": 10**12, "part": "*"}, {"tuple": ["*"] * 1000}),
]

def damaged(rng, path):
    content = open(path, "rb").read()
    kind = rng.randrange(4)
    if kind == 0:
        data = bytearray(content)
        for _ in range(rng.choice([1, 1, 2, 5, 50])):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)
    if kind == 1:
        return content[:rng.randrange(len(content))] + bytes(rng.randrange(3))
    with zipfile.ZipFile(io.BytesIO(content)) as found:
        text, arrays = found.read("graph.json"), bytearray(found.read("constants.npz"))
    form = json.loads(text)
    if kind == 2:
        for _ in range(rng.choice([1, 1, 2, 3])):
            place = rng.choice([p for p in places(form) if p])
            inner = form
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = copy.deepcopy(rng.choice(WRONG))
    else:
        for _ in range(3):
            arrays[rng.randrange(len(arrays))] = rng.randrange(256)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("graph.json", json.dumps(form))
        file.writestr("constants.npz", bytes(arrays))
    return made.getvalue()

rng = random.Random(int(sys.argv[2]))
files = []
for number, (f, args) in enumerate(sections(rng)):
    files.append(f"{sys.argv[1]}/{number}.ag")
    f.save(files[-1], *args)
pages = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (pages + (800 << 20),) * 2)
refused = 0
for n in range(int(sys.argv[3])):
    source = rng.choice(files)
    data = damaged(rng, source)
    path = sys.argv[1] + "/damaged.ag"
    open(path, "wb").write(data)
    begin = time.thread_time()
    try:
        ag.load(path)
    except LoadError as error:
        refused += 1
        assert "MemoryError" not in str(error), (source, n, error)
    except BaseException as error:
        open(sys.argv[1] + f"/bad{n}.ag", "wb").write(data)
        raise AssertionError(n, source, type(error), str(error)[:500])
    assert time.thread_time() - begin < 10, (source, n, time.thread_time() - begin)
print("done", refused > 0)
"""


def fuzz(tmp_path, seed, count):
    arguments = file_of(tmp_path / "fuzz.py", FUZZ), tmp_path, seed, count
    said = printed("-W", "ignore", *arguments, timeout=600, AUTOGRAPH_KERNELS="0")
    assert said == "done True\n"


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="there is no /proc")
def test_some_damaged_files(tmp_path):
    fuzz(tmp_path, 1, 60)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="there is no /proc")
@pytest.mark.parametrize("seed", range(2, 5))
def test_many_damaged_files(tmp_path, seed):
    fuzz(tmp_path, seed, 1500)
