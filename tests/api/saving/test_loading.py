"""Files that are damaged, are something else, or want to run code: they are refused."""

import io
import json
import zipfile

import numpy as np
import pytest

import autograph as ag
from autograph.errors import LoadError
from tests.support.oracle import assert_same

X = np.array([0.5, -1.0, 2.0])
WEIGHTS = np.array([1.0, 2.0, 3.0])


def weighted(x, scale=2.0):
    return np.cumsum(x * WEIGHTS) * scale


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "function.ag"
    ag.to_graph(weighted).save(path, X)
    return path


# -- damaged files ---------------------------------------------------------------------------------


def rewritten(path, change):
    """The file with another graph.json."""
    with zipfile.ZipFile(path) as found:
        form = json.loads(found.read("graph.json"))
        arrays = found.read("constants.npz")
    form = change(form) or form
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("graph.json", json.dumps(form))
        made.writestr("constants.npz", arrays)


def test_a_truncated_file_at_every_length(file):
    content = file.read_bytes()
    for length in range(0, len(content), 7):
        file.write_bytes(content[:length])
        with pytest.raises(LoadError):
            ag.load(file)


def test_damaged_bytes_are_noticed_or_harmless(file):
    content = file.read_bytes()
    for at in range(0, len(content), 5):
        file.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
        try:
            loaded = ag.load(file)
        except LoadError:
            continue
        assert_same(loaded(X), weighted(X), "result")  # a date or the like


def test_a_file_that_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        ag.load(tmp_path / "nothing.ag")


def test_another_version(file):
    rewritten(file, lambda form: form.update(version=4))
    with pytest.raises(LoadError, match="version 4 of the format"):
        ag.load(file)


def test_an_unknown_operator(file):
    rewritten(file, lambda form: form["graphs"]["main"]["nodes"][0].update(op="frobnicate"))
    with pytest.raises(LoadError, match="no operator 'frobnicate'"):
        ag.load(file)


def test_pickled_arrays_are_refused(file):
    arrays = io.BytesIO()
    np.savez(arrays, a0=np.array([print], dtype=object))
    with zipfile.ZipFile(file) as found:
        graph = found.read("graph.json")
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("graph.json", graph)
        made.writestr("constants.npz", arrays.getvalue())
    with pytest.raises(LoadError, match="allow_pickle"):
        ag.load(file)


def places(form, path=()):
    """All places in JSON."""
    yield path
    if isinstance(form, (dict, list)):
        inner = form.items() if isinstance(form, dict) else enumerate(form)
    else:
        inner = ()
    for key, part in inner:
        yield from places(part, (*path, key))


WRONG = [None, -1, 10**30, "x", "c0", [], {}, [[]], {"float": "nan"}, {"type": 1}, True, 0.5]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_nothing_else_than_its_errors_whatever_is_changed(file, wrong):
    """One place after the other is replaced; what then still loads, loads as something."""
    with zipfile.ZipFile(file) as found:
        original = found.read("graph.json")
    for place in list(places(json.loads(original)))[1:]:
        if place[-1] in ("name", "at", "autograph"):
            continue

        def change(form, place=place):
            form = json.loads(original)
            inner = form
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = wrong
            return form

        rewritten(file, change)
        try:
            loaded = ag.load(file)
        except LoadError:
            continue
        assert isinstance(loaded.graph, ag.graph.graph.Module), place


# -- files that want to run code -------------------------------------------------------------------

CODE = "__import__('pathlib').Path('owned').touch()"


def attacks():
    yield "attribute", lambda form: node(form)["attrs"].update(axis=f"0) or ({CODE}")
    yield "named attribute", lambda form: node(form)["attrs"].update({f"x={CODE}": 1})
    yield "place", lambda form: node(form).update(at=[f"f.py\n{CODE}\n#", 1, 0, "f"])
    yield "name", lambda form: node(form)["outputs"][0].__setitem__(2, f"x\n{CODE}\n#")
    yield "graph", lambda form: form["graphs"]["main"].update(name=f"f():\n {CODE}\ndef g")
    yield "function", lambda form: form.update(name=f"f():\n {CODE}\ndef g")
    yield "dtype", lambda form: form["constants"].append({"value": {"scalar": [CODE, 1]}})
    yield "constant", lambda form: form["constants"][0].update(name=f"a\n{CODE}")
    yield (
        "class",
        lambda form: form["result"].update(
            nesting={"tuple": [{"namedtuple": "P", "fields": [f"x={CODE}"], "parts": ["*"]}]}
        ),
    )
    yield "exception", lambda form: added(form, "fail", error="eval", args=[CODE])
    yield "check", lambda form: added(form, "check", ["c0"], error="exec", message=CODE)
    yield "warning", lambda form: added(form, "warn", texts=["a"], category="eval")
    yield (
        "template",
        lambda form: added(
            form, "print", [0], texts=[{"slot": ["{0.__class__}", []]}], sep=" ", end="\n"
        ),
    )
    yield "word", lambda form: added(form, "cast", [0], dtype="__class__", weak=False)
    yield "text", lambda form: added(form, "cast", [0], dtype=f"float64({CODE})", weak=False)
    yield "keyword", lambda form: node(form)["attrs"].update(axis="lambda")
    yield "callee", lambda form: added(form, "call", [], callee=CODE)


def node(form):
    found = form["graphs"]["main"]["nodes"]
    return next(n for n in found if n["op"] == "cumsum")


def added(form, op, inputs=(), **attrs):
    defaults = {"fail": {"kind": None, "names": []}, "print": {"to_stderr": False, "flush": False}}
    attrs = {**defaults.get(op, {}), **attrs}
    made = {"op": op, "inputs": list(inputs), "attrs": attrs, "outputs": [], "at": None}
    form["graphs"]["main"]["nodes"].append(made)


@pytest.mark.parametrize("attack", dict(attacks()).values(), ids=dict(attacks()))
def test_code_in_a_file_is_not_run(file, attack, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    rewritten(file, attack)
    with pytest.raises(LoadError):
        ag.load(file)(X)
    assert not (tmp_path / "owned").exists()
