"""docs/saved-graphs.md: its example runs, and it tells of everything that is in a file."""

import re

from autograph.api.saving.nestings import _KINDS
from autograph.graph.deserialize import _FORMS
from tests.support.documents import run
from tests.support.tree import ROOT

TEXT = (ROOT / "docs/saved-graphs.md").read_text(encoding="utf-8")


def test_the_examples(tmp_path):
    source = "\n".join(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL))
    assert run(source, tmp_path / "example.py") == ""


def test_every_form_of_an_attribute_is_documented():
    for form in _FORMS:
        assert f'{{"{form}": ' in TEXT, form


def test_every_kind_of_container_is_documented():
    for kind in _KINDS:
        assert f"`{kind}`" in TEXT, kind


def test_every_key_of_a_file_is_documented(tmp_path):
    import json
    import zipfile

    import autograph as ag

    ag.to_graph(lambda x: {"a": x}).save(tmp_path / "f.ag", 1.0)
    with zipfile.ZipFile(tmp_path / "f.ag") as file:
        assert set(file.namelist()) == {"graph.json", "constants.npz"}
        form = json.loads(file.read("graph.json"))
    keys = {*form, *form["graphs"], *form["graphs"]["main"], *form["signature"], *form["result"]}
    for key in keys:
        assert f"`{key}`" in TEXT, key
