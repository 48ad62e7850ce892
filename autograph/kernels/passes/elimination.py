"""Whether several conditions on integers can hold at once, by Fourier's and Motzkin's elimination
(Schrijver, "Theory of Linear and Integer Programming", 1986, section 12.2), with the constants
rounded, since all are integers. Of a product of variables it knows nothing.
"""

from __future__ import annotations

import math

from autograph.kernels.passes.forms import Form, Term, identity

_MOST_CONDITIONS = 80  # with more, it is given up


def impossible(zeros: list[Form], conditions: list[Form]) -> bool:
    """Whether there are no integers for which some forms are 0 and others not negative."""
    while zeros:
        form = zeros.pop()
        if not form.terms:
            if form.constant:
                return True
            continue
        if form.constant % math.gcd(*form.terms.values()):
            return True
        var = next((v for v in form.variables if form.of(v) in (1, -1)), None)
        if var is None:
            conditions += [form, form.times(-1)]
            continue
        solved = form.replaced(var, Form()).times(-form.terms[var])
        zeros = [x.replaced(var, solved) for x in zeros]
        conditions = [x.replaced(var, solved) for x in conditions]
    return _eliminated(conditions)


def _eliminated(conditions: list[Form]) -> bool:
    """Whether conditions, forms that are not negative, contradict each other."""
    known: dict[tuple[tuple[Term, int], ...], int] = {}

    def add(form: Form) -> bool:
        """Keep a condition, the strictest of those with these terms. Returns whether it is false
        by itself."""
        if not form.terms:
            return form.constant < 0
        divisor = math.gcd(*form.terms.values())
        key = tuple(sorted(((v, c // divisor) for v, c in form.terms.items()), key=_by_identity))
        constant = form.constant // divisor
        known[key] = min(known.get(key, constant), constant)
        return False

    if any(add(form) for form in conditions):
        return True
    while known:
        forms = [Form(constant, dict(key)) for key, constant in known.items()]
        sides: dict[Term, list[int]] = {}
        for form in forms:
            for term, coefficient in form.terms.items():
                sides.setdefault(term, [0, 0])[coefficient > 0] += 1
        term = min(sides, key=lambda t: sides[t][0] * sides[t][1] - sum(sides[t]))
        known = {}
        lower = [f for f in forms if f.terms.get(term, 0) > 0]
        upper = [f for f in forms if f.terms.get(term, 0) < 0]
        for form in forms:
            if term not in form.terms:
                add(form)
        for a in lower:
            for b in upper:
                if add(a.times(-b.terms[term]).plus(b, a.terms[term])):
                    return True
        if len(known) > _MOST_CONDITIONS:
            return False
    return False


def _by_identity(entry: tuple[Term, int]) -> tuple[int, ...]:
    return identity(entry[0])
