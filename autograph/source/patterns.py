"""``match`` as a chain of ``if``, for patterns that compare values."""

from __future__ import annotations

import gast

from autograph.source.build import assign, at, constant, load
from autograph.source.context import Context


def match_to_if(node: gast.Match, context: Context) -> list[gast.AST]:
    """Rewrite a ``match`` statement.

    Supported are literals and dotted names, ``None``, ``True`` and ``False``, alternatives of
    those, ``_``, a capture, ``as`` and guards.
    """
    subject = context.variable("subject")
    chain: list[gast.AST] = []
    for case in reversed(node.cases):
        chain = _case(case, subject, chain, context)
    return [at(assign(subject, node.subject), node), *chain]


def _case(
    case: gast.match_case, subject: str, following: list[gast.AST], context: Context
) -> list[gast.AST]:
    """The statements for one case, given those for the cases after it."""
    pattern, name = case.pattern, None
    if isinstance(pattern, gast.MatchAs):
        pattern, name = pattern.pattern, pattern.name
    capture = []
    if name is not None:
        capture = [at(assign(name, at(load(subject), case.pattern)), case.pattern)]
    if pattern is None:
        if case.guard is None:
            return [*capture, *case.body]
        return [*capture, at(gast.If(case.guard, case.body, following), case.pattern)]
    test = _test(pattern, subject, context)
    if case.guard is not None:
        if capture:
            context.refuse(case.pattern, "'as' with a guard is not supported", "use 'if'")
        test = at(gast.BoolOp(gast.And(), [test, case.guard]), case.pattern)
    return [at(gast.If(test, [*capture, *case.body], following), case.pattern)]


def _test(pattern: gast.AST, subject: str, context: Context) -> gast.AST:
    """The expression that tells whether the subject matches a pattern without captures."""
    match pattern:
        case gast.MatchValue():
            test = gast.Compare(load(subject), [gast.Eq()], [pattern.value])
        case gast.MatchSingleton():
            test = gast.Compare(load(subject), [gast.Is()], [constant(pattern.value)])
        case gast.MatchOr():
            test = gast.BoolOp(gast.Or(), [_test(p, subject, context) for p in pattern.patterns])
        case _:
            context.refuse(
                pattern,
                "'match' on the structure of its subject is not supported",
                "compare values with 'if' instead",
            )
    return at(test, pattern)
