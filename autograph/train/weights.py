"""Parameters in files that other libraries read, and those of other libraries."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from autograph import tree
from autograph.errors import LoadError, MissingLibraryError

Model = TypeVar("Model")


def save_weights(path: str | os.PathLike[str], model: Any) -> None:
    """Write the arrays and numbers of a model into a file of the format *safetensors*, by their
    paths, as ``layers[0].weight``. The file is there as a whole, or as it was before.

    Args:
        path: of the file.
        model: any structure that `ag.tree` takes.

    Raises:
        MissingLibraryError: there is no safetensors, which ``pip install safetensors`` brings.
        OSError: the file cannot be written.

    Examples:
        >>> model = nn.Dense.make(ops.random.key(0), 3, 2)
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     train.save_weights(f"{folder}/model.safetensors", model)
        ...     same = train.load_weights(f"{folder}/model.safetensors", model)
        >>> bool(np.all(same.weight == model.weight))
        True
    """
    library = _safetensors()
    arrays = {name: np.ascontiguousarray(leaf) for name, leaf in _named(model).items()}
    target = Path(path)
    temporary = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with open(temporary, "wb") as file:
            file.write(library.save(arrays))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def load_weights(path: str | os.PathLike[str], model: Model) -> Model:
    """A model with the arrays of a file in the place of its own.

    Args:
        path: of a file that `save_weights` has written, or another library, of arrays with the same
            names.
        model: says how they are nested, and which shapes and dtypes they have.

    Raises:
        MissingLibraryError: there is no safetensors.
        LoadError: the file is none or cut off, or its arrays are not those of the model.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     train.save_weights(f"{folder}/w.safetensors", {"w": np.ones(2)})
        ...     train.load_weights(f"{folder}/w.safetensors", {"w": np.zeros(2)})
        {'w': array([1., 1.])}
    """
    library = _safetensors()
    try:
        arrays = library.load(Path(path).read_bytes())
    except OSError:
        raise
    except Exception as error:  # of several classes, some of them made in Rust
        raise LoadError(
            f"the file {os.fspath(path)!r} is no whole file of safetensors ({error})",
            id="AG0731",
            fix="load what save_weights, or another library, has written there",
        ) from error
    return with_weights(model, arrays)


def with_weights(
    model: Model,
    weights: Mapping[str, Any],
    name_of: Callable[[str], str] | None = None,
) -> Model:
    """A model with arrays, given by their names, in the place of its own: for instance those of a
    ``state_dict`` of PyTorch's, whose layers have the same layout and names of parameters.

    Args:
        model: says how they are nested, and which shapes they have. Its dtypes are kept.
        weights: the arrays, or tensors.
        name_of: gives for the path of a leaf, as ``layers[0].weight``, the name among the weights;
            by default that is the path, or the path as PyTorch writes it, ``layers.0.weight``.

    Raises:
        LoadError: an array is missing or left over, or has another shape.

    Examples:
        >>> model = nn.MLP.make(ops.random.key(0), [1, 1])
        >>> weights = {"net.0.weight": [[2.0]], "net.0.bias": [1.0]}
        >>> named = lambda path: path.replace("layers[0]", "net.0")
        >>> train.with_weights(model, weights, named)(np.ones((1, 1), np.float32))
        array([[3.]], dtype=float32)
    """
    own = _named(model)
    chosen = {path: _name(path, weights, name_of) for path in own}
    missing = [f"{path} (as {name!r})" for path, name in chosen.items() if name not in weights]
    unused = sorted(weights.keys() - set(chosen.values()))
    if missing or unused:
        raise LoadError(
            "the weights are not those of the model:"
            f"{_listed(' there is none for ', missing)}{_listed(' nothing takes ', unused)}".rstrip(
                ";"
            ),
            id="AG0732",
            fix="give name_of, which tells for the path of a leaf its name among the weights, and "
            "leave out what is no parameter of the model",
        )
    arrays = {path: _array(path, leaf, weights[chosen[path]]) for path, leaf in own.items()}
    return tree.map_with_path(lambda path, leaf: arrays[path.removeprefix(".")], model)


def _name(path: str, weights: Mapping[str, Any], name_of: Callable[[str], str] | None) -> str:
    if name_of is not None:
        return name_of(path)
    dotted = path.replace("[", ".").replace("]", "").replace("'", "")
    return dotted if path not in weights and dotted in weights else path


def _array(path: str, like: Any, given: Any) -> Any:
    given = given.detach().cpu().numpy() if hasattr(given, "detach") else np.asarray(given)
    if given.shape != np.shape(like):
        raise LoadError(
            f"{path} has shape {given.shape} among the weights, not {np.shape(like)}",
            id="AG0732",
            fix="make the model for the sizes that the weights have",
        )
    return given.astype(np.asarray(like).dtype)


def _named(model: Any) -> dict[str, Any]:
    return {path.removeprefix("."): leaf for path, leaf in tree.flatten_with_path(model)[0]}


def _listed(what: str, names: list[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"{what}{', '.join(names[:5])}{more};"


def _safetensors() -> Any:
    try:
        import safetensors.numpy
    except ImportError as error:
        raise MissingLibraryError(
            "weights are written by safetensors, which is not installed",
            id="AG0733",
            fix="pip install safetensors",
        ) from error
    return safetensors.numpy
