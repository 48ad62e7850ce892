"""What a browser shows of graphs and profiles: pictures that it takes are looked at."""

import re
import shutil
import subprocess

import numpy as np
import pytest

import autograph as ag
from autograph import html
from autograph.graph import drawing
from ops.control import regions
from tests.graph.test_drawing import GRAPHS
from tests.support.png import pixels

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
WIDTH, HEIGHT = 1000, 760

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")


def taken(page, folder, *options):
    """The pixels of what the browser shows of a page."""
    (folder / "page.html").write_text(page, encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command += [f"--user-data-dir={folder / 'profile'}", f"--window-size={WIDTH},{HEIGHT}"]
    command += [f"--screenshot={folder / 'taken.png'}", *options, f"file://{folder / 'page.html'}"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    found = pixels(folder / "taken.png")
    assert found.shape == (HEIGHT, WIDTH, 3)
    return found


def count(picture, colour):
    """How many pixels have a colour."""
    wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return int(np.sum(np.all(picture == wanted, axis=-1)))


def test_a_graph(tmp_path):
    page = html.page("nested", GRAPHS["nested"]()._repr_html_())
    picture = taken(page, tmp_path)
    for op in (regions.while_loop, regions.for_loop, regions.cond):
        assert count(picture, drawing.COLOURS[op][1]) > 2000
    dark = np.sum(np.all(picture < 100, axis=-1))
    assert dark > 1000  # letters
    plain = taken(page, tmp_path, "--blink-settings=scriptEnabled=false")
    np.testing.assert_array_equal(plain, picture)


def test_a_small_graph_has_no_regions(tmp_path):
    picture = taken(html.page("small", GRAPHS["small"]()._repr_html_()), tmp_path)
    for _, background in drawing.COLOURS.values():
        assert count(picture, background) == 0
    assert count(picture, "#ffffff") > WIDTH * HEIGHT // 2


def test_a_profile(tmp_path):
    def factors(x):
        y = np.sin(x) + 2.0
        return np.linalg.svd(y)[1]

    found = ag.to_graph(factors).profile(np.random.default_rng(0).normal(size=(200, 200)))
    picture = taken(html.page("factors", found._repr_html_()), tmp_path)
    bars = sum(row.share for row in found.rows if row.kind == "line")
    area = count(picture, "#0969da")
    assert bars > 0.5 and area > 0.8 * bars * 160 * 12


_WHEEL = """<script>
const box = document.querySelector("[data-autograph]"), image = box.querySelector("svg");
const wheel = (ctrlKey) => box.dispatchEvent(new WheelEvent("wheel", {deltaY: -400, ctrlKey}));
const sizes = [image.getAttribute("width")];
wheel(false); sizes.push(image.getAttribute("width"));
wheel(true); sizes.push(image.getAttribute("width"));
box.dispatchEvent(new Event("dblclick")); sizes.push(image.getAttribute("width"));
document.title = sizes.map(Number).map(Math.round).join(" ");
</script>"""


def test_a_graph_can_be_zoomed(tmp_path):
    module = GRAPHS["nested"]()
    path = tmp_path / "page.html"
    path.write_text(html.page("nested", module._repr_html_() + _WHEEL), encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", f"file://{path}"]
    shown = subprocess.run(command, check=True, capture_output=True, timeout=120, text=True).stdout
    before, scrolled, zoomed, reset = map(int, re.search(r"<title>(.*?)</title>", shown)[1].split())
    assert before == scrolled == reset and zoomed == round(before * np.e)
