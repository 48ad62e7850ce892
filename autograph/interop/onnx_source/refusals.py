"""What an imported model may not hold, as errors."""

from __future__ import annotations

from typing import Any

from autograph.errors import LoadError, UnsupportedFunctionError

_FIX = "leave this part out of the model, or export the model with other operators"


def refuse(message: str, fix: str = _FIX) -> UnsupportedFunctionError:
    """The error for what a model may hold, but has no form in Python here."""
    return UnsupportedFunctionError(message, id="AG0755", fix=fix)


def malformed(message: str) -> LoadError:
    """The error for what is no model, or not a whole one."""
    return LoadError(
        message,
        id="AG0754",
        fix="give a model that onnx.checker.check_model finds nothing wrong in",
    )


def shown(text: Any, most: int = 80) -> str:
    """A text of the model in a message: of one line, and not long."""
    found = ascii(text)
    return found if len(found) <= most else f"{found[: most - 4]}...'"
