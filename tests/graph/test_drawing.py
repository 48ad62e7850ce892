"""Pictures of graphs: what is in them, and where."""

import html
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph as ag
from autograph.graph import drawing
from autograph.graph.graph import walk
from autograph.graph.layers import GAP, Placed, laid_out
from ops.control import regions

SVG = "{http://www.w3.org/2000/svg}"
X = np.array([1.0, 2.0, 3.0])


def small(x, y):
    difference = np.sin(x)[1:] - y[:-1]
    return np.sum(difference * 2.0)


def nested(a):
    x = a
    while np.sum(x * x) > 1e-3:
        for i in range(3):
            if x[i] > 0.5:
                x = x * 0.5
            else:
                x = x - 0.1 * np.sin(x) * a
    return x


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def grows(x):
    out = []
    while x[0] < 100.0:
        x = x * 2.0
        out.append(x < 3.0)
    return np.array(out)


def nothing(x):
    return ()


GRAPHS = {
    "small": lambda: ag.to_graph(small).graph(X, X),
    "nested": lambda: ag.to_graph(nested).graph(X),
    "recursion": lambda: ag.to_graph(fib).graph(5),
    "list": lambda: ag.to_graph(grows).graph(X),
    "nothing": lambda: ag.to_graph(nothing).graph(X),
    "gradient": lambda: ag.grad(lambda x: np.sum(nested(x))).graph(X),
    "gradient of recursion": lambda: ag.grad(fib).graph(5.0),
    "lanes": lambda: ag.vmap(nested).graph(np.ones((4, 3))),
    "Hessian": lambda: ag.hessian(lambda x: small(x, x)).graph(X),
}


def boxes(element, x=0.0, y=0.0):
    """The frame of a piece, with its place, and the pieces in it."""
    frame, inner = None, []
    for child in element:
        if child.tag == f"{SVG}rect" and frame is None and child.get("width") != "100%":
            frame = (x, y, x + float(child.get("width")), y + float(child.get("height")))
        elif child.tag == f"{SVG}g":
            dx, dy = map(float, re.findall(r"[-\d.]+", child.get("transform")))
            inner.append(boxes(child, x + dx, y + dy))
    return frame, inner


def check_inside(piece, around):
    frame, inner = piece
    if frame is not None:
        left, top, right, bottom = around
        assert left <= frame[0] and top <= frame[1]
        assert frame[2] <= right + 0.2 and frame[3] <= bottom + 0.2
    frames = [one[0] for one in inner if one[0] is not None]
    for i, a in enumerate(frames):
        for b in frames[:i]:
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
            assert apart, "boxes overlap"
    for one in inner:
        check_inside(one, frame or around)


@pytest.mark.parametrize("name", GRAPHS)
def test_boxes_are_apart_and_inside_of_those_around(name):
    root = ElementTree.fromstring(GRAPHS[name]().svg())
    size = [float(n) for n in root.get("viewBox").split()]
    check_inside(boxes(root), size)


@pytest.mark.parametrize("name", GRAPHS)
def test_arrows_stay_in_the_picture(name):
    root = ElementTree.fromstring(GRAPHS[name]().svg())
    size = [float(n) for n in root.get("viewBox").split()]

    def check(element, x, y):
        for child in element:
            if child.tag == f"{SVG}path":
                numbers = [float(n) for n in re.findall(r"-?[\d.]+", child.get("d"))]
                assert all(0 <= x + a <= size[2] for a in numbers[::2])
                assert all(0 <= y + b <= size[3] for b in numbers[1::2])
            elif child.tag == f"{SVG}g":
                dx, dy = map(float, re.findall(r"[-\d.]+", child.get("transform")))
                check(child, x + dx, y + dy)

    check(root, 0.0, 0.0)


@pytest.mark.parametrize("name", GRAPHS)
def test_each_operation_has_a_box(name):
    module = GRAPHS[name]()
    text = module.svg()
    shown = [n for graph in drawing.shown_graphs(module) for n in walk(graph)]
    outside = [n for n in shown if n.op is not regions.lanes]
    for op in {node.op.name for node in outside if module.main.nodes}:
        if f" {op}(" in str(module) or f" {op} @" in str(module):
            assert re.search(rf"[> ]{op}(\(| @)", text), op
    assert f">graph {html.escape(module.main.name)}" in text


def test_names_lines_and_regions():
    module = GRAPHS["nested"]()
    text = module.svg()
    first = nested.__code__.co_firstlineno
    for role in ("test", "body", "then", "else"):
        assert f">{role}</text>" in text
    assert f"test_drawing.py:{first + 2}" in text and ">x = while_loop(a)</text>" in text
    for op in (regions.while_loop, regions.for_loop, regions.cond):
        assert f'fill="{drawing.COLOURS[op][1]}"' in text
    assert "getitem(x[i])" in text


def test_subscripts_are_pythons():
    text = GRAPHS["small"]().svg()
    assert re.search(r"getitem\(\w+\[1:\]\)", text) and re.search(r"getitem\(\w+\[:-1\]\)", text)
    assert "difference = subtract(" in text


def test_the_same_graph_gives_the_same_picture():
    assert GRAPHS["nested"]().svg() == GRAPHS["nested"]().svg()


def test_notebooks_get_the_picture_and_the_text():
    module = GRAPHS["nested"]()
    page = module._repr_html_()
    assert module.svg() in page and "<details>" in page
    assert "http" not in page.replace(SVG[1:-1], "")  # nothing comes from elsewhere
    plain = re.sub(r"<[^>]*>", "", page[page.index("<pre") : page.index("</pre>")])
    assert plain.replace("&gt;", ">").replace("&lt;", "<") == str(module)


def test_large_graphs_are_drawn_where_somebody_asks(monkeypatch):
    monkeypatch.setattr(drawing, "MOST", 3)
    module = GRAPHS["nested"]()
    assert "<svg" not in module._repr_html_() and "svg() draws them" in module._repr_html_()
    assert module.svg().startswith("<svg")


# -- layers ----------------------------------------------------------------------------------------


@given(st.data())
def test_layers(data):
    count = data.draw(st.integers(0, 14))
    size, place = st.floats(1, 90), st.integers(0, 13)
    drawn = [Placed(data.draw(size), data.draw(size)) for _ in range(count)]
    chosen = data.draw(st.lists(st.tuples(place, place), max_size=20, unique=True))
    arrows = [(drawn[a], drawn[b]) for a, b in chosen if a < b < count]
    layout = laid_out(drawn, arrows)
    for start, end in arrows:
        assert start.layer < end.layer and start.y + start.height < end.y
    for i, a in enumerate(drawn):
        assert -1e-6 <= a.x and a.x + a.width <= layout.width + 1e-6
        assert 0 <= a.y and a.y + a.height <= layout.height + 1e-6
        for b in drawn[:i]:
            if a.layer == b.layer:
                assert max(a.x, b.x) - min(a.x + a.width, b.x + b.width) >= GAP - 1e-6
    for points in layout.arrows:
        assert all(y <= z + 1e-6 for (_, y), (_, z) in zip(points, points[1:]))
        assert all(-1e-6 <= x <= layout.width + 1e-6 for x, _ in points)


def test_an_arrow_that_is_alone_is_straight():
    a, b = Placed(40.0, 10.0), Placed(20.0, 10.0)
    (points,) = laid_out([a, b], [(a, b)]).arrows
    assert {x for x, _ in points} == {20.0}
