"""The site: what checks it finds what is wrong, and each function of `ops` has an example."""

import importlib.util
import inspect

import pytest

from ops import reference
from tests.documents import test_pages, test_readme
from tests.support.documents import blocks
from tests.support.tree import ROOT


def module_of_the_site(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"docs/site/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def check():
    return module_of_the_site("check")


def site(folder, **pages):
    """A site of many pages, of which some have a body."""
    for number in range(30):
        (folder / f"page{number}.html").write_text("<p>nothing</p>")
    for name, body in pages.items():
        (folder / f"{name}.html").write_text(f"<body>{body}</body>")
    return folder


def test_a_good_site(check, tmp_path):
    (tmp_path / "style.css").write_text("a { background: url(data:image/png;base64,AA==) }")
    body = """
        <h2 id="here">A</h2><a href="b.html#there">x</a><a href="#here">y</a>
        <a href="https://example.org">z</a><link rel="stylesheet" href="style.css">
    """
    made = site(tmp_path, a=body, b='<h2 id="there">B</h2>')
    assert list(check.problems(made)) == []


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('<a href="missing.html">', "a link to missing.html, which there is not"),
        ('<a href="b.html#nowhere">', "where there is no such anchor"),
        ('<a href="../outside.html">', "which there is not"),
        ('<script src="https://example.org/x.js">', "loads https://example.org/x.js"),
        ('<img src="//example.org/x.png">', "loads //example.org/x.png"),
        ('<img src="x.png">', "loads x.png, which there is not"),
        ('<img srcset="https://example.org/x.png 2x">', "loads https://example.org/x.png"),
        ('<link rel="preconnect" href="https://example.org">', "loads https://example.org"),
        ("<style>@import 'https://example.org/x.css';</style>", "loads https://example.org/x.css"),
        ('<p style="background: url(https://example.org/x)">', "loads https://example.org/x"),
        ('<pre class="mermaid">', "loads mermaid"),
    ],
)
def test_what_is_wrong_is_found(check, tmp_path, body, problem):
    (found,) = check.problems(site(tmp_path, a=body, b=""))
    assert found.startswith("a.html: ") and problem in found


def test_what_styles_load_is_found(check, tmp_path):
    (tmp_path / "style.css").write_text("@font-face { src: url('https://example.org/font.woff') }")
    (found,) = check.problems(site(tmp_path))
    assert found == "style.css: loads https://example.org/font.woff"


def test_what_pages_show_is_run():
    """Each page with programs is one of those that a test runs."""
    run = {*test_readme.DOCUMENTS, *test_pages.PAGES}
    run |= {"docs/errors.md", "docs/saved-graphs.md"}  # by `test_errors` and `test_saved_graphs`
    pages = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")]
    shown = {page for page in pages if any(kind == "python" for kind, _ in blocks(page))}
    assert len(shown) > 20 and not shown - run


# -- the examples of operators ---------------------------------------------------------------------

EXAMPLES = module_of_the_site("examples")
PLACES = {
    (module.__name__, name): getattr(module, name)
    for module in EXAMPLES.modules()
    for name in reference.public(module)
}
WRITERS = {("ops.arrays.indexing", "update_statement")}  # of programs: no user calls them


def test_every_function_has_an_example():
    functions = {place for place, value in PLACES.items() if inspect.isfunction(value)}
    found = EXAMPLES.examples()
    assert not functions - set(found) - WRITERS
    assert not set(found) - set(PLACES), "there is no such function"
    assert len(found) > 400


@pytest.mark.parametrize("module", sorted({module for module, _ in EXAMPLES.examples()}))
def test_examples_give_something(module):
    for place, expression in EXAMPLES.examples().items():
        if place[0] == module:
            assert EXAMPLES.result(expression), expression
