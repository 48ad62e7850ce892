"""How the pictures of the gallery are drawn: one style, and files that are small."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from PIL import Image

FOLDER = Path(__file__).parents[2] / "docs" / "gallery"

# Okabe & Ito's colours, which those with impaired colour vision tell apart.
BLUE, ORANGE, GREEN, RED, GREY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#999999"

pyplot.rcParams.update(
    {
        "figure.dpi": 110,
        "figure.constrained_layout.use": True,
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 10,
        "axes.titlelocation": "left",
        "legend.frameon": False,
    }
)


def save(figure, name: str, folder: Path = FOLDER) -> Path:
    """Write a figure as a PNG of at most 200 colours, which takes a third of the bytes."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png")
    pyplot.close(figure)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.png"
    Image.open(drawn).convert("RGB").quantize(200).save(path, optimize=True)
    return path
