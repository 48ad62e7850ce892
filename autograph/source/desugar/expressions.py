"""Sugar to core: after this pass, conditional evaluation and calls are calls of ``ops``.

==========================  ================================================================
``a and b``                 ``ops.and_(a, lambda: b)``; the same for ``or`` and ``not``
``a if c else b``           ``ops.cond(c, lambda: a, lambda: b)``
``a < b < c``               ``ops.and_(a < (t := b), lambda: t < c)``
``a in b``, ``a is b``      ``ops.in_(a, b)``, ``ops.is_(a, b)``
``[a, b]``, if it is kept   ``ops.tracked([a, b])``, a list that graph loops can append to
``f(x)``                    ``ops.call(f, x)``, unless NumPy's own protocols catch it
``x += e``                  ``x = ops.iadd(x, e)``, or ``x = x + e`` for counters
``f"{x:.3f}"``              ``ops.text('{:.3f}', x)``
``match``                   a chain of ``if``
``while (x := f()): ...``   ``go = True``, ``while go: go = (x := f())``, ``if go: ...``
==========================  ================================================================

What is not listed here or in `autograph.source.desugar.statements` is refused, so that nothing is
translated wrongly by being overlooked.
"""

from __future__ import annotations

import gast

from autograph.source.desugar import texts
from autograph.source.desugar.displays import is_kept, mark_kept
from autograph.source.desugar.hoist import needs_hoisting
from autograph.source.tree.build import (
    OPS,
    at,
    is_name,
    is_thunk,
    load,
    load_tuple,
    ops_call,
    ops_name,
    store,
    thunk,
)
from autograph.source.tree.context import Context
from autograph.source.tree.free import Surroundings
from autograph.source.tree.scopes import local_names, parameters, targets, tuple_variables, walk

_OPERANDS = (gast.expr, gast.keyword, gast.Slice)

# Expressions that stay as they are, with their operands converted.
PLAIN = (
    gast.Dict,
    gast.Set,
    gast.FormattedValue,
    gast.Constant,
    gast.Attribute,
    gast.Subscript,
    gast.Starred,
    gast.Tuple,
    gast.Slice,
    gast.keyword,
)

# Built-ins that look at the frame they are called from, or at names of variables.
FRAME_READERS = {"exec", "eval", "locals", "globals", "vars", "dir", "__import__"}

# Of these, the ones that look at an object if they are given one.
OBJECT_READERS = {"vars", "dir"}

DEBUGGERS = {"pdb", "ipdb", "pudb"}

# Built-ins that work on symbolic arrays as they are.
NATIVE_BUILTINS = {"abs"}

# Built-ins that are done with a generator when they return.
CONSUMERS = {"all", "any", "dict", "frozenset", "list", "max", "min", "set", "sorted", "sum"}

# Those that are done with a list as well, and make one number of it.
_REDUCERS = {"all", "any", "max", "min", "sum"}

# Methods of containers that keep their arguments.
KEEPERS = {"append", "appendleft", "insert", "setdefault"}

REFUSED: dict[type, tuple[str, str]] = {
    gast.Await: ("AG0202", "'await'"),
    gast.Yield: ("AG0203", "'yield'"),
    gast.YieldFrom: ("AG0203", "'yield from'"),
}


class Expressions:
    """Rewrites expressions.

    Args:
        context: of the conversion.
        surroundings: tells what the names mean that the function does not define.
    """

    def __init__(self, context: Context, surroundings: Surroundings):
        self.context = context
        self.surroundings = surroundings
        self.scopes: list[set[str]] = []
        self.functions: list[gast.FunctionDef | gast.Lambda] = []
        self.tuples: list[set[str]] = []  # the variables that evidently hold tuples
        self.in_iterable = False

    def expr(self, node: gast.AST) -> gast.AST:
        """The core form of an expression; also accepts assignment targets."""
        method = getattr(self, "expr_" + type(node).__name__, None)
        if method is not None:
            return method(node)
        if isinstance(node, PLAIN):
            return self.operands(node)
        id, what = REFUSED.get(type(node), ("AG0200", f"'{type(node).__name__}'"))
        self.context.refuse(node, f"{what} is not supported", "write it without", id)

    def operands(self, node: gast.AST) -> gast.AST:
        """Rewrite the operands of an expression in place."""
        for field, value in gast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, field, [self.operand(item) for item in value])
            elif isinstance(value, _OPERANDS):
                setattr(node, field, self.expr(value))
        return node

    def operand(self, value: object) -> object:
        return self.expr(value) if isinstance(value, _OPERANDS) else value

    def display(self, node: gast.List | gast.BinOp) -> gast.AST:
        """A list that is kept is one that graph loops can change; ``[*xs]`` is a comprehension."""
        if isinstance(node, gast.List) and len(node.elts) == 1:
            (only,) = node.elts
            if isinstance(only, gast.Starred):
                every = at(ops_call("spread", only.value), only)
                each = gast.comprehension(store("item"), every, [], 0)
                return self.expr(at(gast.ListComp(at(load("item"), node), [each]), node))
        made = self.spliced(node)
        return at(ops_call("tracked", made), node) if is_kept(node) else made

    def spliced(self, node: gast.AST) -> gast.AST:
        """A display, or a sum of some; those that spread something may be of any length."""
        spreads = isinstance(getattr(node, "ctx", None), gast.Load) and _spread(node.elts)
        made = self.operands(node)
        return at(ops_call("spliced", made), node) if spreads else made

    expr_Tuple = spliced

    expr_List = display

    def expr_Dict(self, node: gast.Dict) -> gast.AST:
        """A dict display whose keys may be known only to the run, or what it spreads."""
        made = self.operands(node)
        pairs = []
        for key, value in zip(node.keys, node.values):
            spread = at(ops_call("entries", value), value) if key is None else None
            pair = [key, value] if spread is None else [spread]
            pairs.append(at(load_tuple(pair), value if key is None else key))
        return at(ops_call("dict_of", at(load_tuple(pairs), node)), made)

    def expr_Set(self, node: gast.Set) -> gast.AST:
        _spread(node.elts)
        made = self.operands(node)
        return at(ops_call("set_of", at(load_tuple(made.elts), node)), node)

    def expr_Subscript(self, node: gast.Subscript) -> gast.AST:
        """``np.r_[x]`` and its like are calls: NumPy's ``__getitem__`` can't take what is
        symbolic."""
        path = dotted(node.value)
        if not path or not self.is_free(path[0]) or not self.surroundings.makes_arrays(path):
            return self.operands(node)
        made = self.operands(node)
        getter = gast.Attribute(made.value, "__getitem__", gast.Load())
        key = gast.Subscript(ops_name("s_"), made.slice, gast.Load())
        return at(gast.Call(ops_name("call"), [at(getter, node), at(key, node)], []), node)

    # -- names and scopes --------------------------------------------------------------------------

    def is_free(self, name: str) -> bool:
        return not any(name in scope for scope in self.scopes)

    def is_free_builtin(self, node: gast.AST, names: set[str]) -> bool:
        return (
            isinstance(node, gast.Name)
            and node.id in names
            and self.is_free(node.id)
            and self.surroundings.is_builtin(node.id)
        )

    def expr_Name(self, node: gast.Name) -> gast.AST:
        node.annotation = None
        readers = FRAME_READERS - OBJECT_READERS if hasattr(node, "object") else FRAME_READERS
        if self.is_free_builtin(node, readers):
            self.context.refuse(
                node,
                f"'{node.id}' sees the variables of the function that calls it, and converted "
                "functions have others",
                "pass what it needs explicitly",
                "AG0207",
            )
        return node

    def expr_Attribute(self, node: gast.Attribute) -> gast.AST:
        """``x.__class__`` is ``type(x)``, also of a symbolic value."""
        self.operands(node)
        if node.attr != "__class__" or not isinstance(node.ctx, gast.Load):
            return node
        if not self.is_free("type") or not self.surroundings.is_builtin("type"):
            return node
        return at(ops_call("call", load("type"), node.value), node)

    def expr_Lambda(self, node: gast.Lambda) -> gast.AST:
        self.defaults(node.args)
        if needs_hoisting(node.body):
            self.context.refuse(
                node, "a walrus assignment in a lambda is not supported here", "use 'def'", "AG0209"
            )
        self.enter(node)
        mark_kept(node.body)
        node.body = self.expr(node.body)
        self.leave()
        return node

    def defaults(self, args: gast.arguments) -> None:
        """Rewrite the parts of a parameter list that are evaluated at the definition."""
        mark_kept(*args.defaults, *args.kw_defaults)
        args.defaults = [self.unconditional(default) for default in args.defaults]
        args.kw_defaults = [default and self.unconditional(default) for default in args.kw_defaults]
        for parameter in parameters(args):
            parameter.annotation = parameter.annotation and self.expr(parameter.annotation)

    def enter(self, node: gast.FunctionDef | gast.Lambda) -> None:
        self.scopes.append(local_names(node))
        self.functions.append(node)
        self.tuples.append(tuple_variables(node))

    def leave(self) -> None:
        self.tuples.pop()
        self.scopes.pop()
        self.functions.pop()

    # -- conditional evaluation --------------------------------------------------------------------

    def expr_BoolOp(self, node: gast.BoolOp) -> gast.AST:
        function = "and_" if isinstance(node.op, gast.And) else "or_"
        *values, result = [self.expr(value) for value in node.values]
        for value in reversed(values):
            result = at(ops_call(function, value, thunk(result)), node)
        return result

    def expr_UnaryOp(self, node: gast.UnaryOp) -> gast.AST:
        operand = self.expr(node.operand)
        if isinstance(node.op, gast.Not):
            return at(ops_call("not_", operand), node)
        return at(gast.UnaryOp(node.op, operand), node)

    def expr_IfExp(self, node: gast.IfExp) -> gast.AST:
        branches = thunk(self.expr(node.body)), thunk(self.expr(node.orelse))
        return at(ops_call("cond", self.expr(node.test), *branches), node)

    def expr_Compare(self, node: gast.Compare) -> gast.AST:
        left, *rights = [self.expr(operand) for operand in (node.left, *node.comparators)]
        links = []
        for op, right in zip(node.ops, rights):
            following = right
            if right is not rights[-1] and not isinstance(right, gast.Name | gast.Constant):
                right, following = self.named(right)
            elif isinstance(right, gast.Name):
                following = at(load(right.id), right)
            links.append(self.comparison(node, left, op, right))
            left = following
        *links, result = links
        for link in reversed(links):
            result = at(ops_call("and_", link, thunk(result)), node)
        return result

    def comparison(self, node: gast.AST, left: gast.AST, op: gast.AST, right: gast.AST) -> gast.AST:
        match op:
            case gast.In() | gast.NotIn():
                found = at(ops_call("in_", left, right), node)
            case gast.Is() | gast.IsNot():
                found = at(ops_call("is_", left, right), node)
            case _ if self.compares_elements(op, left, right):
                return at(ops_call(_COMPARISONS[type(op)], left, right), node)
            case _:
                return at(gast.Compare(left, [op], [right]), node)
        negated = isinstance(op, gast.NotIn | gast.IsNot)
        return at(ops_call("not_", found), node) if negated else found

    def compares_elements(self, op: gast.AST, left: gast.AST, right: gast.AST) -> bool:
        """Whether what is compared may be tuples or lists of values known only at run time."""
        if self.context.compares:
            return not any(isinstance(x, gast.Constant) for x in (left, right))
        is_equality = isinstance(op, gast.Eq | gast.NotEq)
        return is_equality and any(map(self.is_sequence, (left, right)))

    def is_sequence(self, node: gast.AST) -> bool:
        """Whether an expression is evidently a tuple or a list, which Python compares by the truth
        of comparisons of its elements. What is not seen here is recorded once in vain."""
        if isinstance(node, gast.Attribute):
            return node.attr == "shape"
        if isinstance(node, gast.Name):
            return any(node.id in names for names in self.tuples)
        return isinstance(node, gast.Tuple | gast.List) and bool(node.elts)

    def named(self, node: gast.AST) -> tuple[gast.AST, gast.AST]:
        """``(t := node)`` and ``t``."""
        if self.in_iterable:
            self.context.refuse(
                node,
                "a chained comparison of this kind is not supported in a comprehension's iterable",
                "compute the iterable on a line of its own",
                "AG0210",
            )
        temporary = self.context.variable("t")
        walrus = at(gast.NamedExpr(store(temporary), node), node)
        return walrus, at(load(temporary), node)

    def expr_NamedExpr(self, node: gast.NamedExpr) -> gast.AST:
        mark_kept(node.value)
        node.value = self.expr(node.value)
        return node

    def unconditional(self, node: gast.AST) -> gast.AST:
        """Rewrite an expression at a place where nothing can be put in front of it."""
        if needs_hoisting(node):
            self.context.refuse(
                node,
                "a conditional walrus assignment is not supported here",
                "assign on a line of its own",
                "AG0209",
            )
        return self.expr(node)

    # -- texts -------------------------------------------------------------------------------------

    def expr_JoinedStr(self, node: gast.JoinedStr) -> gast.AST:
        return texts.from_fstring(node, self.expr)

    def expr_BinOp(self, node: gast.BinOp) -> gast.AST:
        is_percent = texts.is_percent(node)
        made = self.display(node)
        return texts.from_percent(node) if is_percent else made

    # -- comprehensions ----------------------------------------------------------------------------

    def comprehension(self, node: gast.AST) -> gast.AST:
        for inner in walk(node):
            if isinstance(inner, gast.NamedExpr):
                self.context.refuse(
                    inner,
                    "a walrus assignment inside a comprehension is not supported",
                    "write the comprehension as a loop",
                    "AG0209",
                )
            if isinstance(inner, gast.comprehension) and inner.is_async:
                self.context.refuse(
                    inner.target, "'async for' is not supported", "use 'for'", "AG0202"
                )
        first = node.generators[0]
        first.iter = self.iterable(first.iter)
        self.scopes.append(targets(node))
        for generator in node.generators:
            generator.target = self.expr(generator.target)
            if generator is not first:
                generator.iter = self.iterable(generator.iter)
            generator.ifs = [self.expr(test) for test in generator.ifs]
        for field in ("key", "value", "elt"):
            if hasattr(node, field):
                mark_kept(getattr(node, field))
                setattr(node, field, self.expr(getattr(node, field)))
        self.scopes.pop()
        return node

    expr_ListComp = expr_GeneratorExp = comprehension

    def expr_SetComp(self, node: gast.SetComp) -> gast.AST:
        """The set of a list comprehension."""
        made = self.comprehension(at(gast.ListComp(node.elt, node.generators), node))
        return at(ops_call("set_of", made), node)

    def expr_DictComp(self, node: gast.DictComp) -> gast.AST:
        """The dict of a generator expression of pairs."""
        pair = at(load_tuple([node.key, node.value]), node.key)
        made = self.comprehension(at(gast.GeneratorExp(pair, node.generators), node))
        return at(ops_call("dict_of", made), node)

    def iterable(self, node: gast.AST) -> gast.AST:
        outer, self.in_iterable = self.in_iterable, True
        node = self.expr(node)
        self.in_iterable = outer
        return node

    # -- calls -------------------------------------------------------------------------------------

    def expr_Call(self, node: gast.Call) -> gast.AST:
        callee = node.func
        if self.is_free_builtin(callee, {"super"}) and not node.args:
            return self.zero_argument_super(node)
        native = self.is_native_call(node) or self.is_breakpoint(callee)
        if self.is_free_builtin(callee, CONSUMERS):
            _mark_consumed(node)
        if isinstance(callee, gast.Call) and self.is_transform_call(callee):
            _mark_consumed(callee)
        if node.args and isinstance(node.args[0], gast.ListComp) and self.only_reads(callee):
            node.args[0].is_only_read = True
        if self.is_free_builtin(callee, OBJECT_READERS) and node.args:
            callee.object = node.args[0]
        if self.may_keep_arguments(callee):
            mark_kept(*node.args, *(keyword.value for keyword in node.keywords))
        if isinstance(callee, gast.Attribute) and isinstance(callee.value, gast.List):
            mark_kept(callee.value)  # whose method is that of our lists: ``[x, y].index(z)``
        native = not _spread(node.args) and native
        self.operands(node)
        if native:
            return node
        return at(gast.Call(ops_name("call"), [node.func, *node.args], node.keywords), node)

    def may_keep_arguments(self, callee: gast.AST) -> bool:
        """Whether a call may change lists among its arguments, or put them somewhere: a call of
        the user's own functions."""
        if isinstance(callee, gast.Attribute):
            return callee.attr in KEEPERS
        if not isinstance(callee, gast.Name):
            return False
        return not self.is_free(callee.id) or self.surroundings.is_users(callee.id)

    def is_breakpoint(self, callee: gast.AST) -> bool:
        """Whether a call starts a debugger, which has to stop in the frame that calls it."""
        if self.is_free_builtin(callee, {"breakpoint"}):
            return True
        is_method = isinstance(callee, gast.Attribute) and isinstance(callee.value, gast.Name)
        return is_method and callee.attr == "set_trace" and callee.value.id in DEBUGGERS

    def is_native_call(self, node: gast.Call) -> bool:
        if self.is_free_builtin(node.func, {"range"}):
            return all(isinstance(argument, gast.Constant) for argument in node.args)
        if self.is_free_builtin(node.func, NATIVE_BUILTINS):
            return True
        path = dotted(node.func)
        if path[:1] == (OPS,):
            return True
        if self.context.takes_tuples:
            return False
        others = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
        values = [*node.args[:1], *map(_varying, others)]
        if any(isinstance(value, (gast.List, gast.ListComp, gast.Tuple)) for value in values):
            return False  # NumPy does not look into it for symbolic values
        if any(getattr(keyword.value, "value", None) is Ellipsis for keyword in node.keywords):
            return False  # it does not tell us of ``out=...``
        return bool(path) and self.is_free(path[0]) and self.surroundings.is_native(path)

    def only_reads(self, callee: gast.AST) -> bool:
        """Whether a call reads a list that it is given, and neither keeps nor changes it: one of
        NumPy's functions, which makes an array of it, or one that makes one number of it."""
        if self.is_free_builtin(callee, _REDUCERS):
            return True
        path = dotted(callee)
        return bool(path) and self.is_free(path[0]) and self.surroundings.is_of_numpy(path)

    def is_transform_call(self, node: gast.Call) -> bool:
        """Whether a call makes a new function and keeps none: ``ag.grad(...)``."""
        path = dotted(node.func)
        return bool(path) and self.is_free(path[0]) and self.surroundings.is_transform(path)

    def zero_argument_super(self, node: gast.Call) -> gast.AST:
        """``super(__class__, self)``: a converted function's frames have other first arguments."""
        args = next(one for one in reversed(self.functions) if not is_thunk(one)).args
        first = [*args.posonlyargs, *args.args]
        if not first:
            self.context.refuse(
                node, "'super()' needs a first parameter", "write 'super(Class, self)'", "AG0211"
            )
        return at(gast.Call(node.func, [load("__class__"), load(first[0].id)], node.keywords), node)


def _mark_consumed(node: gast.Call) -> None:
    """Note that functions and generators among the arguments of a call are used up by it."""
    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        if isinstance(argument, gast.Lambda | gast.GeneratorExp):
            argument.is_consumed = True


def _spread(parts: list[gast.AST]) -> bool:
    """Whether some of the parts of a display or call are spread; what that is may be of any length
    then."""
    starred = [part for part in parts if isinstance(part, gast.Starred)]
    for part in starred:
        part.value = at(ops_call("arguments", part.value), part)
    return bool(starred)


def _varying(node: gast.AST) -> gast.AST | None:
    """An expression, but None for one that is made of nothing but constants."""
    parts = [part for part in gast.walk(node) if isinstance(part, gast.expr)]
    kinds = (gast.List, gast.Tuple, gast.UnaryOp, gast.Constant)
    return None if all(isinstance(part, kinds) for part in parts) else node


def dotted(node: gast.AST) -> tuple[str, ...]:
    """``np.linalg.norm`` as a tuple of names; empty if it is something else."""
    parts: list[str] = []
    while isinstance(node, gast.Attribute):
        parts.append(node.attr)
        node = node.value
    return (node.id, *reversed(parts)) if is_name(node) else ()


_COMPARISONS: dict[type[gast.AST], str] = {
    gast.Eq: "eq_",
    gast.NotEq: "ne_",
    gast.Lt: "lt_",
    gast.LtE: "le_",
    gast.Gt: "gt_",
    gast.GtE: "ge_",
}
