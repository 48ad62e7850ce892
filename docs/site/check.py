"""Holds a built site to what is promised of it: ``python docs/site/check.py build/site``.

Every link and anchor within the site leads somewhere, and no page loads anything from elsewhere.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser loads by itself, by the tag and the attribute that names it. Of <link>, those that
# name a page and do not load it are left out below.
_LOADS = {
    ("script", "src"), ("img", "src"), ("img", "srcset"), ("iframe", "src"), ("source", "src"),
    ("source", "srcset"), ("video", "src"), ("audio", "src"), ("embed", "src"), ("object", "data"),
    ("link", "href"), ("use", "href"), ("image", "href"),
}  # fmt: skip
_NAMES_A_PAGE = {"canonical", "next", "prev", "alternate", "search"}
_IN_STYLE = re.compile(r"""(?:url\(\s*|@import\s+)["']?([^"')\s;]+)""")


class Page(HTMLParser):
    """What a page is linked to, what it loads, and the anchors in it."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.drawn_by_a_script: list[str] = []
        self._style = False
        self.feed(text)

    def has(self, anchor: str) -> bool:
        """Whether a link may name this place of the page; the page itself is without a name."""
        return anchor in self.anchors | {"", "__top"}

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors.update(filter(None, (values.get("id"), values.get("name"))))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        names_a_page = tag == "link" and _NAMES_A_PAGE & set((values.get("rel") or "").split())
        for name, value in attrs:
            if (tag, name) in _LOADS and value and not names_a_page:
                self.loads += (
                    [part.split()[0] for part in value.split(",")] if name == "srcset" else [value]
                )
            if name == "style" and value:
                self.loads += _IN_STYLE.findall(value)
        if "mermaid" in (values.get("class") or "").split():  # the theme's script loads its library
            self.drawn_by_a_script.append("mermaid")
        self._style = tag == "style"

    def handle_endtag(self, tag):
        self._style = False

    def handle_data(self, data):
        if self._style:
            self.loads += _IN_STYLE.findall(data)


def problems(site: Path):
    """What is wrong, a line each."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if len(pages) < 20:
        yield f"{site} has {len(pages)} pages only"
    for path, page in pages.items():
        name = path.relative_to(site)
        for load in page.loads:
            yield from _loaded(load, path, site, name)
        for script in page.drawn_by_a_script:
            yield f"{name}: loads {script}"
        if name.name == "404.html":  # its links are those of a server
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file() or not target.is_relative_to(site):
                yield f"{name}: a link to {link}, which there is not"
            elif target in pages and not pages[target].has(unquote(parts.fragment)):
                yield f"{name}: a link to {link}, where there is no such anchor"
    for path in sorted(site.rglob("*.css")):
        for load in _IN_STYLE.findall(path.read_text(encoding="utf-8")):
            yield from _loaded(load, path, site, path.relative_to(site))


def _loaded(load: str, path: Path, site: Path, name: Path):
    parts = urlsplit(load)
    if parts.scheme == "data" or not (parts.path or parts.netloc):
        return
    if parts.scheme or parts.netloc:
        yield f"{name}: loads {load}"
    elif name.name != "404.html" and not (path.parent / unquote(parts.path)).exists():
        yield f"{name}: loads {load}, which there is not"


def main() -> None:
    site = Path(sys.argv[1]).resolve()
    found = list(dict.fromkeys(problems(site)))
    print(*found, sep="\n") if found else print(f"{site}: links and anchors lead somewhere")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
