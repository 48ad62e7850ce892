"""Texts with values in them known only at run time: ``f"{x:.3f}"``, ``str(x)``.

Such a text is a template of `str.format` and the values for its fields. It can be joined to other
texts, printed, raised, kept in variables and returned: the program then formats the values as
Python would. It has no contents to look at while the function is recorded.

All of Python's ways to make texts come down to this: f-strings, ``%``, `str.format`, `str.join`,
`str`, `repr` and `format`.
"""

from __future__ import annotations

import dataclasses
import operator
import string
import sys
import types
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, cast

import ops
from autograph.errors import ConcreteValueError, UnsupportedFunctionError
from autograph.graph.graph import Constant, Value
from autograph.source.tree.libraries import is_library_file, package_of
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.errors import located
from autograph.staging.ground.examples import example
from autograph.staging.ground.factories import as_given
from autograph.staging.ground.families import Family
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.recorder import recorder
from autograph.staging.values import padding
from autograph.staging.values.choice import Choice
from autograph.staging.values.joined_texts import JoinedTexts
from autograph.staging.values.maybe import MaybeNone, ObjectOrNone
from autograph.staging.values.promoted import each_in_its_type, types_of
from autograph.staging.values.templates import (
    ABSENT,
    MOST_TEMPLATES,
    Template,
    escaped,
    fields,
    filled,
)
from ops.control.effects import Slot
from ops.core.operands import Symbolic
from ops.core.recording import raises_as_python
from ops.core.special_methods import COMPARISONS, special_methods
from ops.core.types import type_of


@dataclasses.dataclass(frozen=True)
class TextKind:
    """What makes a text of the values in it, as a class makes a tuple of its items."""

    template: Template
    types: tuple = ()  # of the values, in the rows of a list
    __name__ = "text"

    def __call__(self, *values: Any) -> str | Choice | GraphText:
        """The real text, if these are the values of a run."""
        ready = all(isinstance(value, str) or type_of(value) is not None for value in values)
        if not ready or any(isinstance(value, Symbolic) for value in values):
            return made(self.template, values)
        return filled(self.template, values)


def made(template: Template, values: Sequence[Any]) -> str | Choice | GraphText:
    """A text that has one of some templates."""
    if isinstance(template, str):
        return GraphText(template, values)
    if len(template) == 1:
        return GraphText(template[0], values[1:]) if values[1:] else template[0].format()
    if len(values) == 1:
        return Choice(values[0], tuple(text.format() for text in template))
    return GraphText(template, values)


def _operation(name: str) -> Callable:
    operator_of = getattr(operator, f"__{name}__")

    def operate(self: GraphText, other: Any) -> Any:
        chosen = one_of_several(self)
        return self.refuse() if chosen is self else operator_of(chosen, one_of_several(other))

    return operate


@special_methods((*COMPARISONS, "getitem"), _operation)
class GraphText:
    """A text known but for the values in it.

    Where control flow joins and where a program returns, a text counts as a tuple of its values;
    see `autograph.staging.ground.nesting`.

    Attributes:
        template: of `str.format`, with fields that are numbered by their order; or several, of
            which the run knows which one it is: see `autograph.staging.values.templates`.
        values: what goes into the fields, as it was when the text was made.
    """

    __slots__ = ("template", "values")
    is_text = True
    template: Template

    @property
    def kind(self) -> TextKind:
        return TextKind(self.template)

    def __init__(self, template: Template, values: Iterable[Any]):
        self.template = template
        self.values = tuple(values)

    def __add__(self, other: Any) -> Any:
        other = as_text(other)
        return joined((self, other)) if is_text(other) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        other = as_text(other)
        return joined((other, self)) if is_text(other) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        return joined((self,) * count)

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"text {self.template!r}"

    def refuse(self, *args: Any) -> NoReturn:
        raise located_error(
            ConcreteValueError,
            "the contents of a text are needed here, and there are values in it known only at run "
            "time",
            id="AG0306",
            fix="print it, raise it, join it to others or return it; decide by the values "
            "themselves, before they are made a text; the digits of an integer, last one first: "
            "`while n: n, d = divmod(n, 10)`",
        )

    def __getattr__(self, name: str) -> Any:
        if not hasattr(str, name) or name.startswith("__"):
            raise AttributeError(f"'str' object has no attribute '{name}'")
        chosen = one_of_several(self)
        if chosen is not self:
            return getattr(chosen, name)
        pad = padding.padded(self.template, name) if len(self.values) == 1 else None
        return self.refuse if pad is None else lambda *args: self._padded(pad, *args)

    def _padded(self, pad: Callable[..., str | None], width: Any, *fill: Any) -> GraphText:
        (value,) = self.values
        is_shown = not isinstance(value, GraphArray) or _formats_alike(value)
        template = pad(is_shown, operator.index(width), *fill)
        return self.refuse() if template is None else GraphText(template, self.values)

    __str__ = __format__ = __hash__ = __bool__ = __len__ = __iter__ = refuse
    __contains__ = __mod__ = __reduce_ex__ = refuse


def one_of_several(value: Any) -> Any:
    """A text that is one of several known ones, without values in it, as a `Choice` of these;
    anything else as it is."""
    if not isinstance(value, GraphText) or value.template != "{}":
        return value
    (chosen,) = value.values
    is_chosen = isinstance(chosen, Choice) and all(type(item) is str for item in chosen.objects)
    return chosen if is_chosen else value


def is_text(value: Any) -> bool:
    return isinstance(value, (str, GraphText))


def joined(parts: Iterable[str | GraphText]) -> str | GraphText:
    """One text after the other."""
    parts = list(parts)
    if sum(isinstance(part, GraphText) and type(part.template) is tuple for part in parts):
        return _joined_chosen(parts)
    templates: list[str] = []
    values: list[Any] = []
    for part in parts:
        templates.append(str(part.template) if isinstance(part, GraphText) else escaped(part))
        values += part.values if isinstance(part, GraphText) else ()
    template = "".join(templates)
    return GraphText(template, values) if values else template.format()


def _joined_chosen(parts: Sequence[str | GraphText]) -> GraphText:
    """The same where the run knows which template some have: each may follow each."""
    position: Any = 0
    made: list[tuple[str, tuple]] = [("", ())]
    for part in parts:
        chosen = one_of_several(part)
        few = isinstance(chosen, Choice) and len(made) * len(chosen.objects) <= MOST_TEMPLATES
        own, which = alternatives(chosen if few else part) or ([], 0)
        made = [(a + b, (*x, *y)) for a, x in made for b, y in own]
        position = position * len(own) + which
        if len(made) > MOST_TEMPLATES:
            raise located_error(
                ConcreteValueError,
                f"a text is made of others that are chosen at run time, in more than "
                f"{MOST_TEMPLATES} ways",
                id="AG0306",
                fix="print them one after the other, or append them to a list",
            )
    values = [value for _, inside in made for value in inside]
    return GraphText(tuple(template for template, _ in made), (position, *values))


def is_one_of_texts(value: Any) -> bool:
    return isinstance(value, Choice) and all(isinstance(text, str) for text in value.objects)


def alternatives(content: Any) -> tuple[list[tuple[str, tuple]], Any] | None:
    """The templates that a text may have, each with its values, and the position of the one that
    it has; None if it is no text."""
    if isinstance(content, str):
        return [(escaped(content), ())], 0
    if is_one_of_texts(content):
        return [(escaped(text), ()) for text in content.objects], content.position
    if not isinstance(content, GraphText):
        return None
    if isinstance(content.template, str):
        return [(content.template, content.values)], 0
    inside = [content.values[part] for part in fields(content.template)]
    return list(zip(content.template, inside)), content.values[0]


def shows_as_it_is(value: Any) -> bool:
    """Whether effects show a value, which is a number or an array, without a text of it."""
    return isinstance(value, GraphArray) and not isinstance(value, MaybeNone)


def in_its_type(args: Sequence[Any], show: Callable[..., None]) -> None:
    """``show(*args)``, or that in the branches of conditionals that give numbers of another type on
    each path, or texts with such numbers, the types that they have in Python."""
    args = [arg if shows_as_it_is(arg) else to_text(arg) for arg in args]
    values = [v for arg in args for v in (arg.values if isinstance(arg, GraphText) else [arg])]

    def show_them(known: ByIdentity) -> None:
        show(*(_with_known(arg, known) for arg in args))

    each_in_its_type([value for value in values if types_of(value)], show_them)


def _with_known(arg: Any, known: ByIdentity) -> Any:
    if isinstance(arg, GraphText):
        return GraphText(arg.template, [known.get(value, value) for value in arg.values])
    return known.get(arg, arg)


def slot_of(shown: GraphText) -> tuple[Slot, list[Value]]:
    """Where an effect puts a text, and the graph values that go into it."""
    values, tables = [], []
    for value in shown.values:
        chosen = isinstance(value, Choice)
        tables.append(value.objects if chosen else None)
        if value is ABSENT:
            values.append(Constant(0))
        elif isinstance(value, JoinedTexts):
            shown.refuse()
        else:
            values.append(recorder().value_of(value.position if chosen else value))
    return Slot(shown.template, tuple(tables)), values


def as_text(value: Any) -> Any:
    """A text for one of several texts; anything else as it is."""
    if is_one_of_texts(value):
        return _chosen(value)
    return value


def _chosen(texts: str | Choice) -> str | GraphText:
    """One of several texts."""
    return GraphText("{}", [texts]) if isinstance(texts, Choice) else texts


# -- str, repr, format -----------------------------------------------------------------------------


def to_text(value: Any = "", *encoding: Any) -> str | GraphText:
    """``str(value)``."""
    value = recorder().defined(value)
    if isinstance(value, MaybeNone):
        return _text_or_none(value, to_text)
    if isinstance(value, Choice):
        return _chosen(value.texts(str))
    if encoding or is_text(value):
        return str(value, *encoding) if encoding else value
    if isinstance(value, GraphArray):
        return field_text("{}" if _formats_alike(value) else "{!s}", value)
    method = _users_method(value, "__str__")
    if method is not None:
        return _text_from(method, value)
    if type(value).__str__ is object.__str__:
        return to_repr(value)
    if isinstance(value, BaseException):
        return _text_of_error(value)
    return _static(str(value), value)


def _text_or_none(value: MaybeNone, show: Callable[[Any], Any]) -> str | GraphText:
    """What is shown of something where it is not None, and of None where it is."""
    shown = ops.cond(value.present, lambda: show(value.content), lambda: show(None))
    return cast("str | GraphText", as_text(shown))


def _text_of_error(error: BaseException) -> str | GraphText:
    """``str(error)``, for classes of Python's whose text is that of their arguments."""
    kind = type(error).__str__
    if kind not in (BaseException.__str__, KeyError.__str__):
        return _static(str(error), error)
    if len(error.args) != 1:
        return to_repr(error.args) if error.args else ""
    return (to_repr if kind is KeyError.__str__ else to_text)(error.args[0])


def to_repr(value: Any) -> str | GraphText:
    """``repr(value)``."""
    value = recorder().defined(value)
    if isinstance(value, MaybeNone):
        return _text_or_none(value, to_repr)
    if isinstance(value, Choice):
        return _chosen(value.texts(repr))
    if isinstance(value, GraphArray):
        return field_text("{!r}", value)
    if isinstance(value, GraphText):
        chosen = one_of_several(value)
        return _quoted(value) if chosen is value else to_repr(chosen)
    method = _users_method(value, "__repr__")
    if method is not None:
        return _text_from(method, value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        shown = [field.name for field in dataclasses.fields(value) if field.repr]
        items = [(name, getattr(value, name)) for name in shown]
        return _record_repr(type(value).__qualname__, items)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _record_repr(type(value).__name__, zip(value._fields, value))
    if isinstance(value, BaseException) and type(value).__repr__ is BaseException.__repr__:
        shown = join(", ", [to_repr(arg) for arg in value.args])
        return joined((type(value).__name__, "(", shown, ")"))
    if isinstance(value, list) and type(value).__repr__ is not list.__repr__:
        return _static(repr(value), value)
    if getattr(type(value), "is_view", False):  # of such a dict
        name = f"{'o' * (value.table.kind is OrderedDict)}dict_{value.name}"
        return joined((name, "(", to_repr(ops.collect(lambda item: item, value)), ")"))
    if getattr(type(value), "is_ordered", False):  # a dict that is made of lists
        return to_repr(value.plain()) if value.is_seen else _table_repr(value)
    if isinstance(value, dict):
        return _dict_repr(value)
    for kind, brackets in _BRACKETS.items():
        if isinstance(value, kind):
            return _container_repr(value, *brackets)
    return _static(repr(value), value)


def _static(text: str, value: Any) -> str:
    """The text of a static object."""
    if "GraphArray(" in text:
        raise located_error(
            ConcreteValueError,
            f"a text of a {type(value).__name__} would hold values known only at run time",
            id="AG0306",
            fix="make a text of what is in it, for example with an f-string",
        )
    return text


_BRACKETS = {list: ("[", "]"), tuple: ("(", ")"), deque: ("deque([", "])")}


def joined_items(separator: str, items: Any) -> GraphText:
    """``separator.join(items)`` of a list of which only the run knows how many texts it has."""
    return GraphText("{}", [JoinedTexts(separator, items)])


def _container_repr(value: Any, start: str, end: str) -> str | GraphText:
    if getattr(value, "kind", None) is list and value.rows is not None:
        texts = ops.collect(lambda item: recorder().call(repr, (item,), {}), value)
        return joined((start, joined_items(", ", texts), end))
    if isinstance(value, dict):
        items = [joined((to_repr(key), ": ", to_repr(item))) for key, item in value.items()]
    else:
        items = [to_repr(item) for item in value]
    if isinstance(value, tuple) and len(items) == 1:
        end = ",)"
    if isinstance(value, deque) and value.maxlen is not None:
        end = f"], maxlen={value.maxlen})"
    return joined((start, join(", ", items), end))


def _dict_repr(value: dict) -> str | GraphText:
    kind, shown = type(value), _container_repr(value, "{", "}")
    if kind.__repr__ is dict.__repr__:
        return shown
    if kind is defaultdict:
        return joined(("defaultdict(", repr(as_given(value.default_factory)), ", ", shown, ")"))
    if kind is not OrderedDict:
        return _static(repr(value), value)
    if not value or sys.version_info < (3, 12):
        shown = to_repr(list(value.items())) if value else ""
    return joined(("OrderedDict(", shown, ")"))


def _table_repr(value: Any) -> str | GraphText:
    """The text of a dict whose keys are known only at run time.

    Raises:
        ConcreteValueError: it is one whose text has them in another form, or order.
    """
    if value.kind is not dict:
        return repr(value)
    key = lambda pair: _chosen(recorder().call(repr, (pair[0],), {}))
    shown = lambda pair: joined((key(pair), ": ", to_repr(pair[1])))
    text = joined(("{", joined_items(", ", ops.collect(shown, value.items())), "}"))
    factory = getattr(value, "default_factory", recorder)  # which is none
    return text if factory is recorder else joined(("defaultdict(", repr(factory), ", ", text, ")"))


def _record_repr(name: str, items: Iterable[tuple[str, Any]]) -> str | GraphText:
    shown = [joined((key, "=", to_repr(item))) for key, item in items]
    return joined((name, "(", join(", ", shown), ")"))


def _quoted(text: GraphText) -> GraphText:
    """``repr`` of a text. Numbers need no escapes, nor does a text that shows none."""
    texts = [text.template] if isinstance(text.template, str) else [*text.template]
    chosen = [value for value in text.values if is_one_of_texts(value)]
    texts += [content for choice in chosen for content in choice.objects]
    numbers = [value for value in text.values if not is_one_of_texts(value)]
    if any(repr(part) != f"'{part}'" for part in texts) or any(value.ndim for value in numbers):
        text.refuse()
    return joined(("'", text, "'"))


@raises_as_python
def formatted(value: Any, spec: Any = "") -> str | GraphText:
    """``format(value, spec)``."""
    value, spec = recorder().defined(value), _known(spec)
    if isinstance(value, ObjectOrNone) or (isinstance(value, MaybeNone) and not spec):
        return _text_or_none(value, lambda content: formatted(content, spec))
    value = value.checked() if isinstance(value, MaybeNone) else value
    if isinstance(value, Choice):
        return _chosen(value.texts(lambda item: format(item, spec)))
    method = _users_method(value, "__format__")
    if method is not None:
        return _text_from(method, value, spec)
    if isinstance(value, GraphArray) and not spec:
        return field_text("{}", value)
    if not spec:
        plain = is_text(value) or type(value).__format__ is object.__format__
        return to_text(value) if plain else format(value)
    if isinstance(value, GraphText):
        value.refuse()
    if not isinstance(value, GraphArray):
        with located():
            return format(value, spec)
    with located():
        format(example(value), spec)  # Python's own error, if the value can't be formatted so
    if "{" in spec or "}" in spec:
        raise located_error(
            ConcreteValueError,
            f"a value cannot be formatted with '{spec}'",
            id="AG0306",
            fix="use a format without braces",
        )
    return field_text("{:" + spec + "}", value)


def _formats_alike(value: GraphArray) -> bool:
    """Whether ``format`` and ``str`` give the same text: NumPy formats short floats as Python's."""
    return value.ndim > 0 or all(
        kind.weak or kind.dtype.kind in "biu" or kind.dtype.name in ("float64", "complex128")
        for kind in types_of(value) or (value.type,)
    )


def field_text(template: str, value: GraphArray) -> GraphText:
    return GraphText(template, (value if types_of(value) else GraphArray(value.value),))


def _known(spec: str | GraphText) -> str:
    """A format specification, ``.{digits}f``: its values become part of the signature."""
    if not isinstance(spec, GraphText):
        return spec
    return spec.template.format(*(value.__index__() for value in spec.values))


def _users_method(value: Any, name: str) -> types.FunctionType | None:
    """The method of a class of the user's, which has to be converted."""
    method = getattr(type(value), name, None)
    ours = package_of(type(value)) in ("autograph", "ops")
    if ours or not isinstance(method, types.FunctionType):
        return None
    if isinstance(value, Family):
        return method
    made = hasattr(method, "__wrapped__") and dataclasses.is_dataclass(value)
    return None if made or is_library_file(method.__code__.co_filename) else method


def _text_from(method: types.FunctionType, *args: Any) -> str | GraphText:
    text = ops.call(method, *args)
    if not is_text(text):
        raise TypeError(f"{method.__name__} returned non-string (type {type(text).__name__})")
    return text


# -- templates -------------------------------------------------------------------------------------


def from_template(template: str, *args: Any, **kwargs: Any) -> str | GraphText:
    """``template.format(*args, **kwargs)``."""
    return _filled(template, args, kwargs, [0])


def _filled(template: str, args: tuple, kwargs: dict, counter: list[int]) -> str | GraphText:
    parts: list[str | GraphText] = []
    for literal, name, spec, conversion in string.Formatter().parse(template):
        parts.append(literal)
        if name is None:
            continue
        if not name or name[0] in ".[":
            name = f"{counter[0]}{name}"
            counter[0] += 1
        value, _ = string.Formatter().get_field(name, args, kwargs)
        spec = _filled(spec, args, kwargs, counter) if spec else ""
        parts.append(_converted(value, conversion, spec))
    return joined(parts)


def _converted(value: Any, conversion: str | None, spec: str | GraphText) -> str | GraphText:
    if conversion is None:
        return formatted(value, spec)
    text = to_text(value) if conversion == "s" else to_repr(value)
    spec = _known(spec)
    if not isinstance(text, GraphText):
        return format(ascii(value) if conversion == "a" else text, spec)
    if not spec:
        return text
    if not isinstance(value, GraphArray):
        text.refuse()
    format("", spec)
    return field_text("{!" + conversion + ":" + spec + "}", value)


# -- methods of texts ------------------------------------------------------------------------------


def join(separator: str | GraphText, parts: Iterable[str | GraphText]) -> str | GraphText:
    """``separator.join(parts)``."""
    pieces: list[str | GraphText] = []
    for position, part in enumerate(map(as_text, parts)):
        if not is_text(part):
            raise TypeError(
                f"sequence item {position}: expected str instance, {type(part).__name__} found"
            )
        pieces += (separator, part) if position else (part,)
    return joined(pieces)


_METHODS = {"format": from_template, "join": join}


def method(text: str, name: str) -> Any:
    """Our version of a method of ``text`` that is given symbolic values."""
    ours = _METHODS.get(name)
    if ours is None:
        raise located_error(
            UnsupportedFunctionError,
            f"the method '{name}' of a text cannot take values known only at run time",
            id="AG0306",
            fix="use an f-string",
        )
    return lambda *args, **kwargs: ours(text, *args, **kwargs)
