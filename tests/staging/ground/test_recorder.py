"""What symbolic values and `ops` ask of a recording is what its interface declares, no more and no
less."""

import ast
import functools
import inspect
import re
from collections import defaultdict

import pytest

from autograph.graph.capabilities import Capabilities
from autograph.staging.dispatch import GraphRecorder
from autograph.staging.ground import recorder as interface
from autograph.staging.ground.effort import Effort
from autograph.staging.ground.recorder import Recorder
from ops.core.recording import Recording
from tests.support.tree import ROOT

PARTS = {
    "attempt": interface.Attempt,
    "classes": interface.Classes,
    "frame": interface.Changes,
    "frozen": interface.Frozen,
    "inputs": interface.Inputs,
    "managers": interface.Managers,
    "outside": interface.Outside,
    "shadows": interface.Shadows,
}
NAMES = {protocol.__name__: part for part, protocol in PARTS.items()} | {"Recorder": None}
# Where none of these is, nothing is asked: what gives a recording, or where the protocols are.
ASKS = re.compile(r"recorder|active_recording")
# These make what fulfils the interface.
ABOVE = {"tracer.py", "dispatch.py", "trace.py"}


def declared(protocol):
    """The names that a protocol itself declares."""
    names = {*vars(protocol), *inspect.get_annotations(protocol)}
    return {name for name in names if not name.startswith("_")}


def asked(tree):
    """What code asks of recordings, and of their parts: pairs (part or None, name)."""
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    imported = {a.name for n in imports if n.module == interface.__name__ for a in n.names}
    protocols = NAMES.keys() & imported  # there are classes of the same names
    parts = {}  # the variables that stand for a recording (None) or a part of one

    def part_of(node):
        """None for a recording, the name of a part for that, and False for anything else."""
        match node:
            case ast.Call(func=ast.Name(id="recorder" | "active_recorder" | "active_recording")):
                return None
            case ast.Name(id=name) if name in parts:
                return parts[name]
            case ast.Attribute(value=value, attr=attr) if attr in PARTS:
                return attr if part_of(value) in (None, "outside") else False
        return False

    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.Lambda)):
            continue
        parts.clear()
        for parameter in function.args.args:  # what is given one, as its annotation says
            annotation = parameter.annotation
            if isinstance(annotation, ast.Name) and annotation.id in protocols:
                parts[parameter.arg] = NAMES[annotation.id]
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                if part_of(node.value) is not False:
                    parts[node.targets[0].id] = part_of(node.value)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id == "len" and part_of(node.args[0]) not in (None, False):
                    yield part_of(node.args[0]), "__len__"
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and part_of(node.value) is not False:
                yield part_of(node.value), node.attr


@functools.cache
def asked_in(*patterns):
    found = defaultdict(set)
    for pattern in patterns:
        for path in ROOT.glob(pattern):
            text = path.read_text()
            if path.name not in ABOVE and ASKS.search(text):
                for part, name in asked(ast.parse(text)):
                    if (path.name, part) != ("catching.py", "attempt"):  # which makes them
                        found[part].add(name)
    return found


def test_what_ops_asks_is_declared_and_what_is_declared_is_asked():
    # `autograph.errors` tells of each error that it is made, and where code is is asked there.
    found = asked_in("ops/**/*.py", "autograph/errors.py", "autograph/staging/ground/errors.py")
    assert found[None] == declared(Recording)


def test_what_is_asked_while_recording_is_declared():
    found = asked_in("autograph/**/*.py")[None]
    assert found <= declared(Recorder) | declared(Recording)


def test_what_is_declared_is_asked_while_recording():
    assert declared(Recorder) <= asked_in("autograph/**/*.py")[None]


@pytest.mark.parametrize("part", PARTS)
def test_what_is_asked_of_a_part_is_what_is_declared(part):
    assert asked_in("autograph/**/*.py")[part] - {"__len__"} == declared(PARTS[part])


def test_the_recorder_has_what_is_declared():
    made = GraphRecorder("f", Effort(100), Capabilities(False, False, lambda lane: None))
    missing = [n for n in declared(Recorder) | declared(Recording) if not hasattr(made, n)]
    assert not missing
    for part, protocol in PARTS.items():
        owner = made.outside if part in declared(interface.Outside) else made
        if part != "attempt":  # there is none yet
            assert not [n for n in declared(protocol) if not hasattr(getattr(owner, part), n)]


@pytest.mark.parametrize("protocol", [Recording, Recorder])
def test_methods_take_what_is_declared(protocol):
    made = GraphRecorder("f", Effort(100), Capabilities(False, False, lambda lane: None))
    for name in declared(protocol):
        method = getattr(protocol, name, None)
        if inspect.isfunction(method):
            taken = inspect.signature(getattr(made, name)).parameters
            assert len(taken) == len(inspect.signature(method).parameters) - 1, name
