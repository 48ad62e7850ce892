"""Graphs as pictures: boxes for operations, with the names and lines of the user's, and in the
boxes of loops and branches their regions.

An arrow leads from what computes a value to what needs it. What a region takes from outside stands
at its top, by name; the arrow leads to the box of the loop or branch.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.graph.graph import (
    Graph,
    Module,
    Node,
    Value,
    ValueNames,
    attr_text,
    regions_by_role,
    shown_graphs,
    walk,
)
from autograph.graph.layers import Placed, laid_out
from autograph.html import FONT, block, details, picture
from autograph.places import file_name
from ops.control import regions
from ops.core.registry import Op

MOST = 400  # nodes of a graph that is drawn where nobody asks for it
_SIZE, _SMALL = 12, 10  # pixels of letters
_WIDE, _LINE = 7.25, 15  # pixels of a letter, and of a line
_PAD, _LONGEST = 8, 44  # pixels around texts; letters in a line

# Borders and backgrounds: of operations, by what they are.
COLOURS: dict[Op, tuple[str, str]] = {
    regions.while_loop: ("#0969da", "#ddf4ff"),
    regions.for_loop: ("#1a7f37", "#dafbe1"),
    regions.cond: ("#9a6700", "#fff8c5"),
    regions.call: ("#8250df", "#fbefff"),
    regions.lanes: ("#bf3989", "#ffeff7"),
}
PLAIN = ("#57606a", "#ffffff")
_GIVEN = ("#8c959f", "#f6f8fa")


@dataclass
class _Drawn:
    """A piece of a picture, from its upper left corner."""

    width: float
    height: float
    svg: str


def svg(module: Module) -> str:
    """A picture of a module's graphs, in SVG; those that it calls by name are below it."""
    drawn = [_of_graph(graph) for graph in shown_graphs(module)]
    parts, y = [], 10.0
    for one in drawn:
        parts.append(_moved(one.svg, 10.0, y))
        y += one.height + 20
    width = max(one.width for one in drawn) + 20
    return picture(width, y - 10, f"<defs>{_ARROW}</defs>{''.join(parts)}")


def page(module: Module) -> str:
    """The picture for notebooks, and the text behind it. A script lets it be zoomed; without one it
    can be scrolled."""
    text = block(str(module))
    count = sum(1 for graph in shown_graphs(module) for _ in walk(graph))
    if count > MOST:
        return f"<p>{count} operations; svg() draws them.</p>{text}"
    drawn = svg(module)
    name = f"autograph-{hashlib.sha1(drawn.encode()).hexdigest()[:12]}"
    box = f"overflow: auto; max-height: 640px; font-family: {FONT}"
    hint = "Ctrl and the wheel zoom, dragging moves, a double click shows it as it was."
    return (
        f'<div data-autograph="{name}" title="{hint}" style="{box}">{drawn}</div>'
        f"{details('the graph as text', text)}<script>{_SCRIPT % name}</script>"
    )


# -- parts -----------------------------------------------------------------------------------------


def _of_graph(graph: Graph) -> _Drawn:
    names = ValueNames(graph)
    inside = _Region(graph, names).drawn()
    caption = f"graph {graph.name}"
    if graph.location:
        caption += f"   {_place(graph)}"
    return _framed(caption, [inside], ("#24292f", "#ffffff"))


class _Region:
    """The layout of one graph, or of a region of a node.

    Args:
        names: of the values, as in the graph's text.
        given: what it takes from outside, besides its inputs.
    """

    def __init__(self, graph: Graph, names: ValueNames, given: Sequence[Value] = ()):
        self._graph = graph
        self._names = names
        self._boxes: dict[Placed, str] = {}
        self._sources: dict[Value, Placed] = {}
        self._arrows: dict[tuple[Placed, Placed], None] = {}
        for value in given:
            self._sources[value] = self._add(_text([names[value]], _GIVEN, dashed=True), True)
        for value in graph.inputs:
            lines = [names[value], str(value.type)]
            self._sources[value] = self._add(_text(lines, _GIVEN, round_=True), True)

    def drawn(self) -> _Drawn:
        for node in self._graph.nodes:
            self._join(node.uses(), self._add(self._of_node(node)), node.outputs)
        results = self._graph.outputs
        if results:
            text = f"return {', '.join(map(self._operand, results))}"
            self._join(results, self._add(_text([_short(text)], _GIVEN, round_=True)), ())
        layout = laid_out(list(self._boxes), list(self._arrows))
        parts = [_arrow(points) for points in layout.arrows]
        parts += [_moved(text, box.x, box.y) for box, text in self._boxes.items()]
        return _Drawn(layout.width, layout.height, "".join(parts))

    def _add(self, drawn: _Drawn, first: bool = False) -> Placed:
        box = Placed(drawn.width, drawn.height, first=first)
        self._boxes[box] = drawn.svg
        return box

    def _join(self, used: Iterable[Value], box: Placed, made: Iterable[Value]) -> None:
        for value in used:
            if value in self._sources:
                self._arrows[self._sources[value], box] = None
        self._sources.update((value, box) for value in made)

    def _of_node(self, node: Node) -> _Drawn:
        results = ", ".join(self._names[v] for v in node.outputs)
        head = _short(f"{results} = {self._applied(node)}" if results else self._applied(node))
        types = ", ".join(str(v.type) for v in node.outputs)
        detail = "   ".join(filter(None, (_short(types), _place(node))))
        inner = [
            _framed(
                f"{role}",
                [_Region(region, self._names, region.captures).drawn()],
                (COLOURS.get(node.op, PLAIN)[0], "#ffffff"),
                dashed=True,
            )
            for role, region in regions_by_role(node)
        ]
        colours = COLOURS.get(node.op, PLAIN)
        return _framed(head, inner, colours, detail) if inner else _text([head, detail], colours)

    def _applied(self, node: Node) -> str:
        """An operation without what its attributes are by default."""
        operands = [self._operand(v) for v in node.inputs]
        attrs = dict(node.attrs)
        if "index" in attrs:
            taken = 1 if node.op.view else 2
            spec = _subscript(attrs.pop("index"), operands[taken:])
            operands = [f"{operands[0]}[{spec}]", *operands[1:taken]]
        name = node.op.name
        if "callee" in attrs:
            name = f"{name} @{attrs.pop('callee')}"
        operands += [f"{k}={attr_text(v)}" for k, v in sorted(attrs.items()) if _tells(v)]
        return f"{name}({', '.join(operands)})"

    def _operand(self, value: Value) -> str:
        return self._names.operand(value)


def _tells(attribute: Any) -> bool:
    return attribute is not None and attribute is not False and attribute != ()


def _subscript(spec: Any, operands: Sequence[str]) -> str:
    """A subscript as Python writes it."""

    def number(bound: Any) -> str:
        if isinstance(bound, tuple):
            return str(operands[bound[0]]) if bound[0] < len(operands) else "?"
        return "" if bound is None else str(bound)

    parts = []
    for kind, *rest in spec:
        if kind == "slice":
            start, stop, step = map(number, rest)
            parts.append(f"{start}:{stop}:{step}" if step else f"{start}:{stop}")
        elif kind == "arg":
            parts.append(number(tuple(rest[:1])))
        else:
            parts.append(str(rest[0]) if kind == "int" else kind)
    return ", ".join(parts)


def _place(thing: Node | Graph) -> str:
    location = thing.location
    if location is None:
        return ""
    return f"{file_name(location.file)}:{location.line}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}\u2026"


# -- shapes ----------------------------------------------------------------------------------------


def _text(
    lines: Sequence[str], colours: tuple[str, str], round_: bool = False, dashed: bool = False
) -> _Drawn:
    """A box with lines of text, the first of which is the larger one."""
    lines = [line for line in lines if line]
    width = max(map(len, lines), default=1) * _WIDE + 2 * _PAD
    height = _LINE * len(lines) + _PAD
    return _Drawn(width, height, _box(width, height, colours, round_, dashed) + _lines(lines))


def _framed(
    caption: str,
    inner: Sequence[_Drawn],
    colours: tuple[str, str],
    detail: str = "",
    dashed: bool = False,
) -> _Drawn:
    """A box with a caption around other pieces, which stand side by side."""
    lines = [caption, detail] if detail else [caption]
    top = _LINE * len(lines) + _PAD + 4.0
    x, parts = float(_PAD), []
    for piece in inner:
        parts.append(_moved(piece.svg, x, top))
        x += piece.width + _PAD
    width = max(x, max(map(len, lines)) * _WIDE + 2 * _PAD)
    height = top + max((piece.height for piece in inner), default=0.0) + _PAD
    frame = _box(width, height, colours, False, dashed)
    return _Drawn(width, height, f"{frame}{_lines(lines)}{''.join(parts)}")


def _box(width: float, height: float, colours: tuple[str, str], round_: bool, dashed: bool) -> str:
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    radius = 12 if round_ else 4
    return (
        f'<rect width="{width:.1f}" height="{height:.1f}" rx="{radius:.0f}" fill="{colours[1]}" '
        f'stroke="{colours[0]}"{dash}/>'
    )


def _lines(lines: Sequence[str]) -> str:
    parts = []
    for number, line in enumerate(lines):
        style = f'font-size="{_SMALL}" fill="#57606a"' if number else f'font-size="{_SIZE}"'
        y = _LINE * (number + 1)
        parts.append(
            f'<text x="{_PAD}" y="{y}" {style} xml:space="preserve">'
            f"{html.escape(line, quote=False)}</text>"
        )
    return "".join(parts)


def _moved(svg: str, x: float, y: float) -> str:
    return f'<g transform="translate({x:.1f} {y:.1f})">{svg}</g>'


def _arrow(points: Sequence[tuple[float, float]]) -> str:
    """An arrow that leaves each point downwards."""
    (x, y), *others = points
    path = f"M{x:.1f} {y:.1f}"
    for x1, y1 in others:
        middle = (y + y1) / 2
        straight = abs(x1 - x) < 0.5
        curve = f"C{x:.1f} {middle:.1f} {x1:.1f} {middle:.1f} "
        path += f"{'L' if straight else curve}{x1:.1f} {y1:.1f}"
        x, y = x1, y1
    return f'<path d="{path}" fill="none" stroke="#8c959f" marker-end="url(#autograph-arrow)"/>'


_ARROW = (
    '<marker id="autograph-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
    'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#8c959f"/></marker>'
)

_SCRIPT = """
for (const box of document.querySelectorAll('[data-autograph="%s"]:not([data-ready])')) {
  const image = box.querySelector("svg"), size = image.viewBox.baseVal;
  let scale = 1, from = null;
  const zoom = (to) => {
    scale = Math.min(Math.max(to, 0.1), 8);
    image.setAttribute("width", size.width * scale);
    image.setAttribute("height", size.height * scale);
  };
  box.dataset.ready = "yes";
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(scale * Math.exp(-event.deltaY / 400));
  }, { passive: false });
  box.addEventListener("dblclick", () => zoom(1));
  box.addEventListener("pointerdown", (event) => {
    from = [event.clientX + box.scrollLeft, event.clientY + box.scrollTop];
  });
  addEventListener("pointerup", () => { from = null; });
  box.addEventListener("pointermove", (event) => {
    if (from) box.scrollTo(from[0] - event.clientX, from[1] - event.clientY);
  });
}
"""
