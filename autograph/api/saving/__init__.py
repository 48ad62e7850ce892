"""Compiled functions in files; docs/saved-graphs.md describes the format."""

from ops.core.later import put_off

put_off(__name__, "unpacking")
