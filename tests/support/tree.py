"""Where the tree is that is tested."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
