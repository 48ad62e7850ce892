"""``match`` as a chain of ``if``.

A pattern becomes a test, and assignments for its captures that follow once the test has succeeded.
What a structural pattern takes its subject apart into is kept in a tuple:

    case (0, y) if y:           matched = ((parts := ops.match_sequence(subject, 2)) is not None
        ...                                and parts[0] == 0)
                                if matched:
                                    y = parts[1]
                                    matched = y
                                if matched:
                                    ...
"""

from __future__ import annotations

import copy

import gast

from autograph.source.tree.build import assign, at, constant, load, load_tuple, ops_call, store
from autograph.source.tree.context import Context


def match_to_if(node: gast.Match, context: Context) -> list[gast.AST]:
    """Rewrite a ``match`` statement."""
    subject = context.variable("subject")
    chain: list[gast.AST] = []
    for case in reversed(node.cases):
        chain = _case(case, subject, chain, context)
    return [at(assign(subject, node.subject), node), *chain]


def _case(
    case: gast.match_case, subject: str, following: list[gast.AST], context: Context
) -> list[gast.AST]:
    """The statements for one case, given those for the cases after it."""
    origin, guard = case.pattern, case.guard
    pattern = _Pattern(context)
    tests = pattern.tests(origin, at(load(subject), origin))
    captures = [at(assign(name, value), origin) for name, value in pattern.captures]
    if guard is None:
        body = [*captures, *case.body]
        return [at(gast.If(_all(tests), body, following), origin)] if tests else body
    if not tests:
        return [*captures, at(gast.If(guard, case.body, following), origin)]
    if not captures:
        return [at(gast.If(_all([*tests, guard]), case.body, following), origin)]
    matched = context.variable("matched")
    bind = [*captures, at(assign(matched, guard), origin)]
    return [
        at(assign(matched, _all(tests)), origin),
        at(gast.If(at(load(matched), origin), bind, []), origin),
        at(gast.If(at(load(matched), origin), case.body, following), origin),
    ]


def _all(tests: list[gast.AST]) -> gast.AST:
    return tests[0] if len(tests) == 1 else at(gast.BoolOp(gast.And(), tests), tests[0])


class _Pattern:
    """Takes one pattern apart.

    Attributes:
        captures: the names that it binds, and what to.
    """

    def __init__(self, context: Context):
        self.context = context
        self.captures: list[tuple[str, gast.AST]] = []

    def tests(self, pattern: gast.AST, subject: gast.AST) -> list[gast.AST]:
        """The expressions that all have to be true if ``subject`` matches, in order."""
        found: list[gast.AST]
        subject = copy.deepcopy(subject)  # each use of an expression needs a node of its own
        match pattern:
            case gast.MatchValue():
                found = [gast.Compare(subject, [gast.Eq()], [pattern.value])]
            case gast.MatchSingleton():
                found = [gast.Compare(subject, [gast.Is()], [constant(pattern.value)])]
            case gast.MatchAs():
                found = self.tests(pattern.pattern, subject) if pattern.pattern else []
                self.capture(pattern.name, subject)
            case gast.MatchOr():
                found = self.alternatives(pattern, subject)
            case gast.MatchSequence():
                found = self.sequence(pattern, subject)
            case gast.MatchMapping():
                found = self.mapping(pattern, subject)
            case gast.MatchClass():
                found = self.instance(pattern, subject)
            case _:
                kind = type(pattern).__name__
                what = f"the pattern '{kind}' is not supported"
                self.context.refuse(pattern, what, "use 'if'")
        return [at(test, pattern) for test in found]

    def capture(self, name: str | None, value: gast.AST) -> None:
        if name is not None:
            self.captures.append((name, copy.deepcopy(value)))

    def alternatives(self, pattern: gast.MatchOr, subject: gast.AST) -> list[gast.AST]:
        """All alternatives bind the same names, so each assigns them to the same temporaries."""
        temporaries: dict[str, str] = {}
        tests = []
        for alternative in pattern.patterns:
            inner = _Pattern(self.context)
            found = inner.tests(alternative, subject)
            for name, value in inner.captures:
                if name not in temporaries:
                    temporaries[name] = self.context.variable(name)
                bind = at(gast.NamedExpr(store(temporaries[name]), value), alternative)
                both = load_tuple([bind, constant(True)])
                found.append(gast.Subscript(both, constant(1), gast.Load()))
            found = [at(test, alternative) for test in found]
            tests.append(_all(found or [at(constant(True), alternative)]))
        self.captures += [(name, _checked(value)) for name, value in temporaries.items()]
        return [gast.BoolOp(gast.Or(), tests)]

    def sequence(self, pattern: gast.MatchSequence, subject: gast.AST) -> list[gast.AST]:
        stars = [i for i, p in enumerate(pattern.patterns) if isinstance(p, gast.MatchStar)]
        if not stars:
            counts = [len(pattern.patterns)]
        else:
            counts = [stars[0], len(pattern.patterns) - stars[0] - 1]
        call = ops_call("match_sequence", subject, *map(constant, counts))
        return self.parts(call, pattern.patterns, pattern)

    def mapping(self, pattern: gast.MatchMapping, subject: gast.AST) -> list[gast.AST]:
        call = ops_call("match_mapping", subject, load_tuple(pattern.keys))
        parts = list(pattern.patterns)
        if pattern.rest is not None:
            call.keywords.append(gast.keyword("rest", constant(True)))
            parts.append(at(gast.MatchAs(None, pattern.rest), pattern))
        return self.parts(call, parts, pattern)

    def instance(self, pattern: gast.MatchClass, subject: gast.AST) -> list[gast.AST]:
        count = constant(len(pattern.patterns))
        names = load_tuple(list(map(constant, pattern.kwd_attrs)))
        kind: gast.AST = pattern.cls
        inside = [*pattern.patterns, *pattern.kwd_patterns]
        if not inside:
            return [ops_call("match_kind", subject, kind)]
        if isinstance(kind, gast.Name):
            again: gast.AST = copy.deepcopy(kind)
        else:  # what gives an attribute may do something, which Python has it do once
            name = self.context.variable("kind")
            kind, again = at(gast.NamedExpr(store(name), kind), pattern), _checked(name)
        is_one = ops_call("match_kind", subject, kind)
        subject = copy.deepcopy(subject)
        call = ops_call("match_class", subject, again, count, names)
        return [at(is_one, pattern), *self.parts(call, inside, pattern)]

    def parts(self, call: gast.Call, patterns: list[gast.AST], origin: gast.AST) -> list[gast.AST]:
        """``(parts := call) is not None``, and the tests of what the subject consists of."""
        parts = self.context.variable("parts")
        found = at(gast.NamedExpr(store(parts), at(call, origin)), origin)
        tests: list[gast.AST] = [gast.Compare(found, [gast.IsNot()], [constant(None)])]
        for i, pattern in enumerate(patterns):
            part = at(gast.Subscript(_checked(parts), constant(i), gast.Load()), pattern)
            if isinstance(pattern, gast.MatchStar):
                self.capture(pattern.name, part)
            else:
                tests += self.tests(pattern, part)
        return tests


def _checked(name: str) -> gast.Name:
    """A temporary, read where the tests before have assigned it; only the run may know that."""
    node = load(name)
    node.is_checked = True
    return node
