"""What MkDocs does besides for the site: see https://www.mkdocs.org/user-guide/configuration/#hooks.

* Pages outside of docs/ are pages of the site: the README is its first one.
* Links are those of the source tree, so that they lead somewhere there as well.
* Patterns in the navigation stand for the pages that they fit.
* Formulas become MathML, which browsers show by themselves.
* Plots are drawn of what was measured, and each group of operators has a page of reference.
"""

from __future__ import annotations

import fnmatch
import html
import posixpath
import re
import sys
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))
import groups
import plots

ROOT = Path(__file__).parents[2]
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
_LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")
_TITLE = re.compile(r"^# ", re.MULTILINE)
_FORMULA = re.compile(r'<(span|div) class="arithmatex">\s*\\[(\[](.*?)\\[)\]]\s*</\1>', re.DOTALL)


def on_files(files, config):
    """The pages and pictures that do not lie in docs/."""
    results = ROOT / "benchmarks" / "results"
    outside = dict(PAGES)
    outside |= {
        p.relative_to(ROOT).as_posix(): p.relative_to(ROOT).as_posix() for p in results.iterdir()
    }
    for source, place in outside.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    for picture in plots.draw(results, ROOT / "build" / "plots"):
        files.append(File.generated(config, f"plots/{picture.name}", abs_src_path=str(picture)))
    for name, text in groups.pages():
        files.append(File.generated(config, f"reference/ops/{name}.md", content=text))
    config.nav = _expanded(config.nav, {file.src_uri for file in files.documentation_pages()})
    return files


def _expanded(nav, pages):
    named = {entry for entry in _entries(nav) if "*" not in entry}

    def expand(entry):
        if isinstance(entry, dict):
            ((title, inner),) = entry.items()
            inner = inner if isinstance(inner, str) else [e for i in inner for e in expand(i)]
            return [{title: inner}] if inner else []
        if "*" not in entry:
            return [entry]
        found = sorted(fnmatch.filter(pages - named, entry))
        named.update(found)
        return found

    return [made for entry in nav for made in expand(entry)]


def _entries(nav):
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        else:
            inner = next(iter(entry.values()))
            yield from [inner] if isinstance(inner, str) else _entries(inner)


def on_page_markdown(markdown, page, **_):
    """Links to where pages are in the site."""
    here = page.file.src_uri
    source = next((name for name, place in PAGES.items() if place == here), None)
    if source is None:
        source = here if here.startswith("benchmarks/") else f"docs/{here}"

    def moved(link):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[2]))
        place = PAGES.get(target, target.removeprefix("docs/"))
        return f"{link[1]}{posixpath.relpath(place, posixpath.dirname(here) or '.')}{link[3]}"

    # Code stays what it is.
    parts = re.split(r"(^ *```.*?^ *```|`[^`\n]*`)", markdown, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [_LINK.sub(moved, part) for part in parts[::2]]
    titles = sum(len(_TITLE.findall(part)) for part in parts[::2])
    if titles > 1:  # those after the first are parts of the page
        parts[::2] = [re.sub(r"^#", "##", part, flags=re.MULTILINE) for part in parts[::2]]
        parts[0] = parts[0].replace("#", "", 1)
    return "".join(parts)


def on_page_content(content, **_):
    """Formulas as MathML."""

    def formula(found):
        display = "block" if found[1] == "div" else "inline"
        return convert(html.unescape(found[2]), display=display)

    return _FORMULA.sub(formula, content)
