"""Parts of the language that a random program uses or not: containers, functions, statements.

Those of arrays are in `array_features`, more of Python's values in `value_features`.
"""

from __future__ import annotations

from tests.fuzz.grammar import Feature

FEATURES: dict[str, Feature] = {
    "lists": Feature(
        prelude=("s = [f, 0.5]",),
        outside=("s = items",),
        templates={
            "simple": (
                "s.append($float)",
                "s.append($float)",
                "s.append($float)",
                "$float_name = s.pop() if s else 0.5",
                "$float_name = s.pop()",
                "s[0] = $float",
                "s[-1] += $float",
                "s.extend([$g, $float])",
                "s += [$float]",
                "s = [$float]",
                "push_if(s, $float, 5)",
            ),
            "float": ("s[-1]", "s[0]", "sum(s)", "s[$i % len(s)]", "np.sum(np.array(s))"),
            "int": ("len(s)",),
            "comparison": ("len(s) > $small", "push_if(s, $g, 4)"),
            "condition": ("s", "s and s[-1] > $g"),
            "for": ("g in s[:4]", "i, g in enumerate(s[:3])", "p in s[-2:]"),
            "result": ("$x, s", "np.array(s), $float"),
        },
    ),
    "dicts": Feature(
        prelude=("d = {'u': f, 'v': x * 0.5, 'w': 0}",),
        outside=("d = table",),
        templates={
            "simple": (
                "d['u'] = $float",
                "d['u'] += $float",
                "d['v'] = $array",
                "d['v'][$at] = $float",
                "d['w'] += 1",
                "d.update(u=$float)",
                "d = dict(d, w=$int)",
            ),
            "float": ("d['u']", "d['v'][$at]", "d.get('t', $g)"),
            "int": ("d['w'] % 5",),
            "array": ("d['v']",),
            "comparison": ("d['u'] < $g", "'t' in d"),
            "for": ("g in d['v']",),
            "result": ("$x, d", "{'u': $float, 'v': $array}"),
        },
    ),
    "objects": Feature(
        prelude=("o = Particle(f, x * 0.5)",),
        outside=("o = particle",),
        templates={
            "simple": (
                "o.position = $float",
                "o.moves += 1",
                "o.move($float)",
                "o.move($g).move($g)",
                "o.mark($at, $float)",
                "o.trace[$at] += $float",
                "o = Particle($float, $array)",
                "o.trace = $array",
                "o.speed = $float",
                "o.speed += $g",
                "o = o + $g",
            ),
            "float": ("o.position", "o.energy", "o.move($g).position", "o.speed", "o($g)"),
            "int": ("o.moves % 5",),
            "array": ("o.trace",),
            "comparison": ("o.position > $g",),
            "result": ("$x, o.position, o.moves", "o, $float"),
        },
    ),
    "closures": Feature(
        prelude=(
            "total = 0.0",
            "count = 0",
            "def bump():",
            "    nonlocal count",
            "    count += 1",
            "    return count",
            "def tick(t):",
            "    nonlocal total",
            "    if t > 0:",
            "        total = np.tanh(total + t)",
            "    return total",
            "later = lambda t: t * g + total",
        ),
        templates={
            "simple": (
                "tick($float)",
                "total = $float",
                "later = lambda t: np.sin(t + h) * j",
                "bump()",
            ),
            "int": ("bump() % 5", "count % 5"),
            "float": ("tick($g)", "total", "later($g)", "(lambda t: t + g)($g)"),
            "comparison": ("tick($g) > 0.2",),
            "array": ("np.array([later(t) for t in $x])",),
        },
    ),
    "prints": Feature(
        templates={
            "simple": (
                "print('int', $i)",
                "print('float', $g)",
                "print('array', $x)",
                "print(f'int {$i} float {$g:.6f}')",
            )
        }
    ),
    "comprehensions": Feature(
        templates={
            "float": (
                "sum([t * $g for t in $x])",
                "sum(t * t for t in $x)",
                "max([t for t in (g, h, 0.5)])",
                "sum(t for t in (g, h, f) if t > 0.0)",
                "max((t * $g for t in $x), default=0.5)",
                "next((t for t in $x if t > $g), 0.5)",
            ),
            "array": (
                "np.array([np.sin(t) * $g for t in $x])",
                "np.array([x[t] for t in range(3)])",
            ),
            "comparison": ("any(t > $g for t in $x)", "all([t > $g for t in (g, h)])"),
            "condition": ("(k := $int) > 1",),
        }
    ),
    "texts": Feature(
        prelude=("state = 'a'",),
        templates={
            "simple": ("state = 'b'", "state = 'a' if $condition else 'c'", "state = 'a'"),
            "float": ("{'a': 0.5, 'b': -0.5, 'c': $g}[state]",),
            "int": ("len(state)", "'abc'.index(state)"),
            "comparison": ("state == 'a'", "state != 'b'", "state in ('a', 'c')"),
            "result": ("$x, state, $g",),
        },
    ),
    "nones": Feature(
        prelude=("best = None",),
        templates={
            "simple": (
                "best = $float",
                "best = $g if best is None else max(best, $g)",
                "best = None",
            ),
            "float": ("(best if best is not None else $g)", "(0.5 if best is None else best)"),
            "comparison": (
                "best is None",
                "best is not None and best > $g",
                "best is None or best < $g",
            ),
            "result": ("$x, best", "best, $g"),
        },
    ),
    "functions": Feature(
        prelude=("act = clipped",),
        templates={
            "simple": ("act = clipped if $condition else squared", "act = squared"),
            "float": ("act($g)",),
            "comparison": ("act is clipped",),
        },
    ),
    "nested lists": Feature(
        prelude=("q = [[f, 0.5], [0.25]]",),
        templates={
            "simple": (
                "q[0][0] = $float",
                "q[1].append($float)",
                "q[-1][-1] += $g",
                "q[$i % 2][0] = $float",
                "q[0], q[1] = q[1], q[0]",
                "q = [[$float, $g], [$float]]",
            ),
            "float": ("q[0][0]", "q[1][-1]", "sum(q[0])", "sum([sum(row) for row in q])"),
            "int": ("len(q[1])",),
            "for": ("g in q[0][:3]", "g in q[-1][:4]"),
            "result": ("$x, q", "q[0], $g"),
        },
    ),
    "iterators": Feature(
        prelude=("r = iter(x)",),
        templates={
            "simple": ("$float_name = next(r, 0.5)", "r = iter($x)", "$float_name = next(r)"),
            "float": ("next(r, $g)",),
            "for": ("g in r",),
        },
    ),
    "undone changes": Feature(
        prelude=("b, e = [f, 0.5], {'u': f, 'w': 0}",),
        templates={
            "simple": (
                "old = b[0]; b[0] = $float; $float_name = sum(b); b[0] = old",
                "b.append($float); $float_name = b[-1] + b[0]; b.pop()",
                "old = $x[$at]; $x[$at] = $g; h = np.sum($x); $x[0] = old",
                "b[-1] = $float",
                "e['u'] = $float",
            ),
            "float": (
                "deepest(b, $i % 4)",
                "exchanged_below($x, $i % 4)",
                "counted_below(e, $i % 4)",
                "b[0]",
                "e['u']",
            ),
            "int": ("e['w'] % 5", "len(b)"),
            "result": ("$x, b, e",),
        },
    ),
    "messages": Feature(
        templates={
            "simple": (
                "if $condition: raise ValueError(f'at {$i}: {$g:.5f}')",
                "if $condition: raise ValueError('at %d, %.4f' % ($i, $g))",
                "if $condition: raise KeyError($i)",
                "assert $condition, f'at {$i}, {$i}'",
            )
        }
    ),
    "large integers": Feature(
        prelude=("big = 2**63 - 3 + a",),
        templates={
            "simple": (
                "big = 2**63 - $i",
                "big = big // 2 + $i",
                "big += $i",
                "big -= $i",
                "big = -big",
                "big = (big * $i) % (2**63 - 25)",
                "big = big - 2**62",
            ),
            "int": ("big % 7", "big // 2**61", "(big > 2**62) + 1", "(big >> 60) % 5"),
            "comparison": ("big > 2**63 - $small", "big % 2 == 0", "big + $i < 2**63"),
            "result": ("$x, big % 1000003, big > 0",),
        },
    ),
    "slices": Feature(
        templates={
            "simple": (
                "$x[$i:7] = 0.25",
                "$x[-7:$i] *= 0.5",
                "$x[$i:$i + 2] = $float",
                "$x[$i:$i + 5] += 0.25",
                "v = $x[$i:9][:2] if $i < 2 and $i >= -1 else v",
            ),
            "float": (
                "np.sum($x[$i:$i + 5])",
                "np.sum($x[-5:$i])",
                "sum((g, h, f)[$small:9])",
                "np.sum($x[$i::2])",
            ),
            "int": ("len($x[$i:9])", "len($x[:$i])", "$x[-9:$i].shape[0]"),
        },
    ),
    "protection": Feature(statements=("protect", "enter", "attempt")),
    "matches": Feature(statements=("match",)),
}
