"""What notebooks show of what the compiler makes."""

import html
import re
import sys
import types

import numpy as np
import pytest

import autograph as ag
from autograph.errors import Location
from autograph.places import file_name


@ag.to_graph
def halved(x):
    while np.any(x > 1.0):
        x = x / 2
    print(f"<b>{x.shape}</b> & more")
    return x


X = np.array([1.0, 9.0])
SHOWN = {
    "converted": lambda: halved.converted,
    "program": lambda: halved.program(X),
    "kernels": lambda: halved.kernels(X),
    "gradient": lambda: ag.grad(lambda x: np.sum(halved(x))).program(X),
    "a stage": lambda: halved.stages(X)["simplify"],
}


def text_of(page):
    return html.unescape(re.sub(r"<[^>]*>", "", page))


@pytest.mark.parametrize("name", SHOWN)
def test_the_text_with_colours(name):
    shown = SHOWN[name]()
    page = shown._repr_html_()
    assert text_of(page) == str(shown)
    assert page.startswith("<pre ") and page.endswith("</pre>")
    assert page.count("<span ") == page.count("</span>") > 0
    assert "<b>" not in page


def test_keywords_comments_and_texts():
    page = halved.converted._repr_html_()
    assert re.search(r"<span [^>]*>def</span> ", page)
    assert re.search(r"<span [^>]*># test_html.py:\d+</span>", page)
    assert isinstance(halved.converted, str) and halved.converted == str(halved.converted)


def test_stages_are_a_table():
    stages = halved.stages(X)
    page = stages._repr_html_()
    assert page.count("<tr>") == len(stages) + 1
    assert all(f">{name}</td>" in page for name in stages)


def test_explanations_are_tables():
    explained = ag.to_graph(lambda x: np.linalg.svd(x * 2.0 < 1.0)[1]).explain(np.eye(3))
    page = explained._repr_html_()
    assert page.count("<table>") == page.count("</table>") >= 2
    for part in explained.plain:
        assert html.escape(part.why) in page and html.escape(part.source) in page
    assert html.escape(str(explained)) in html.escape(text_of(page))
    assert "<details>" in page and "x * 2.0 &lt; 1.0" in page


def test_a_cell_of_a_notebook_goes_by_its_number(monkeypatch):
    class Compile:
        def format_code_name(self, name):
            return ("Cell", "In[3]") if name == "/tmp/ipykernel_1/2.py" else None

    shell = types.SimpleNamespace(compile=Compile())
    python = types.SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", python)
    place = Location("/tmp/ipykernel_1/2.py", 4, 1)
    assert str(place) == "Cell In[3]:4:2" and file_name(place.file) == "In[3]"
    assert str(Location("/a/b.py", 4)) == "/a/b.py:4" and file_name("/a/b.py") == "b.py"
    for other in (None, types.SimpleNamespace(compile=None)):
        python.get_ipython = lambda other=other: other
        assert file_name(place.file) == "2.py"
    del python.get_ipython
    assert str(place) == "/tmp/ipykernel_1/2.py:4:2"


def test_where_there_is_no_html_texts_are_shown():
    class Printer(list):
        text = list.append

    explained, profile = halved.explain(X), halved.profile(X)
    for shown in (*(make() for make in SHOWN.values()), explained, profile, halved.graph(X)):
        if not isinstance(shown, str):
            shown._repr_pretty_(printer := Printer(), False)
            assert printer == [str(shown)]
