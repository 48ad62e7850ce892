"""What has no form in ONNX, as an error that names the line."""

from __future__ import annotations

from autograph.errors import Location, UnsupportedFunctionError

_FIX = "leave this part out of the exported function, or write it with other operators"


def refuse(message: str, place: Location | None, fix: str = _FIX) -> UnsupportedFunctionError:
    """The error for what cannot be said in ONNX."""
    return UnsupportedFunctionError(message, place, id="AG0752", fix=fix)
