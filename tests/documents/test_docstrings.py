"""Every public function has an example in its docstring, and each holds."""

import importlib.util
import inspect
import operator

import pytest

import autograph as ag
from autograph.kernels.native import available
from autograph.source.tree import libraries
from tests.support.docstrings import examples, failures
from tests.support.tree import ROOT

MODULES = ("checkpoint_policies", "debug", "export", "interop", "nn", "optim", "train", "tree")
METHODS = (
    "converted",
    "explain",
    "graph",
    "kernels",
    "lower",
    "profile",
    "program",
    "save",
    "stages",
)
# Made by what has an example.
STATES = {"ag.nn.Cache", "ag.nn.GRUState", "ag.nn.LSTMState", "ag.nn.Statistics", "ag.train.Fitted"}
# What has no examples of its own: the classes of errors, of which docs/errors.md has one each, the
# operators, whose pages have them, and the class whose methods have.
WITHOUT = {"GraphFunction", "__version__", "errors", "ops", *MODULES}


def public():
    """What users call, by its name."""
    found = {f"ag.{name}": getattr(ag, name) for name in ag.__all__ if name not in WITHOUT}
    for name in (*MODULES, "nn.init"):
        module = operator.attrgetter(name)(ag)
        for member, value in vars(module).items():
            of = getattr(value, "__module__", "")
            own = of.startswith((f"autograph.{name}", "autograph.api.minimizing"))
            is_public = member in getattr(module, "__all__", vars(module)) and member[0] != "_"
            if (
                own
                and is_public
                and (
                    inspect.isfunction(value)
                    or (name in ("nn", "train") and inspect.isclass(value))
                )
            ):
                found[f"ag.{name}.{member}"] = value
    for name in METHODS:
        found[f"GraphFunction.{name}"] = inspect.getattr_static(ag.GraphFunction, name)
    return {name: value for name, value in found.items() if name not in STATES}


PUBLIC = public()
PEERS = {"ag.interop.to_torch": "torch", "ag.interop.to_jax": "jax"}


@pytest.mark.parametrize("name", PUBLIC)
def test_examples(name, monkeypatch):
    assert examples(PUBLIC[name]), "there is no example"
    peer = PEERS.get(name)
    if peer is not None and importlib.util.find_spec(peer) is None:
        pytest.skip(f"it needs {peer}; `make peers` runs it")
    if name == "GraphFunction.kernels" and not available():
        pytest.skip("it shows native code, which there is none of here")
    monkeypatch.setattr(libraries, "_converted", libraries._converted)
    assert not failures(PUBLIC[name], name)


def test_an_example_that_does_not_hold_is_found():
    def function():
        """
        >>> 1 + 1
        3
        """

    assert "Got:\n    2" in failures(function, "function")


def test_every_public_name_is_in_the_list():
    text = (ROOT / "docs/reference/index.md").read_text(encoding="utf-8")
    for name in PUBLIC:
        short = (name.removeprefix("ag."), name.rpartition(".")[2])
        assert any(f"`{part}`" in text for part in short), name
    for name in WITHOUT:
        assert name in text, name
