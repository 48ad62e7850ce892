"""Recordings of functions that use objects and classes of the user's: a second process takes them
where classes and objects are the same, by value, and records where anything is another one."""

import pytest

from tests.support.processes import LISTENING, file_of, printed, with_cache

# For each case what stands in a module, what that becomes in another process, and what a function
# gives that reads it. The names of the cases begin those of the classes.
CASES = {
    "body": ("class Body:\n    def f(self, x): return x * 2.0", "2.0", "3.0", "Body().f(x)"),
    "attribute": ("class Attribute:\n    scale = 2.0", "2.0", "3.0", "Attribute().scale * x"),
    "of_class": ("class OfClass:\n    scale = 2.0", "2.0", "3.0", "OfClass.scale * x"),
    "base": (
        "class BaseA:\n    def f(self, x): return x * 2.0\n"
        "class BaseB:\n    def f(self, x): return x * 3.0\nclass Derived(BaseA): pass",
        *("Derived(BaseA)", "Derived(BaseB)", "Derived().f(x)"),
    ),
    "order": (
        "class OrderA:\n    def f(self, x): return x * 2.0\n"
        "class OrderB:\n    def f(self, x): return x * 3.0\nclass Ordered(OrderA, OrderB): pass",
        *("OrderA, OrderB", "OrderB, OrderA", "Ordered().f(x)"),
    ),
    "of_base": (
        "class OfBase:\n    def f(self, x): return x * 2.0\nclass OfBaseToo(OfBase): pass",
        *("2.0", "3.0", "OfBaseToo().f(x)"),
    ),
    "through_super": (
        "class SuperBase:\n    def f(self, x): return x * 2.0\n"
        "class Super(SuperBase):\n    def f(self, x): return super().f(x) + 1.0",
        *("2.0", "3.0", "Super().f(x)"),
    ),
    "default": (
        "class Default:\n    def f(self, x, y=2.0): return x * y",
        *("y=2.0", "y=3.0", "Default().f(x)"),
    ),
    "number": (
        "class Number:\n    def __init__(self, v): self.v = v\nnumber_ = Number(2.0)",
        *("(2.0)", "(3.0)", "number_.v * x"),
    ),
    "kind": (
        "class Kind:\n    def __init__(self, v): self.v = v\nkind_ = Kind(2)",
        *("Kind(2)", "Kind(2.0)", "np.sum(x).astype(int) + kind_.v"),
    ),
    "shape": (
        "class Shape:\n    def __init__(self, v): self.v = v\nshape_ = Shape(np.ones(4))",
        *("ones(4)", "ones((3, 1))", "shape_.v * x"),
    ),
    "dtype": (
        "class Dtype:\n    def __init__(self, v): self.v = v\ndtype_ = Dtype(np.ones(4))",
        *("ones(4)", "ones(4, complex)", "dtype_.v * x"),
    ),
    "inside": (
        "class Inside:\n    def __init__(self, v): self.v = v\n"
        "inside_ = {'a': [Inside(Inside((1.0, {'b': 2.0})))]}",
        *("2.0}", "3.0}", "inside_['a'][0].v.v[1]['b'] * x"),
    ),
    "missing": (
        "class Missing:\n    def __init__(self): self.v = 2.0\n    w = 3.0\nmissing_ = Missing()",
        *("self.v = 2.0", "self.v = self.w = 2.0", "missing_.w * x"),
    ),
    "one": (
        "class One: pass\none_ = One(); other_ = one_",
        *("other_ = one_", "other_ = One()", "x * 2.0 if one_ is other_ else x"),
    ),
    "own_method": (
        "class OwnMethod:\n    def f(self, x): return x\n"
        "own_method_ = OwnMethod(); own_method_.f = lambda x: x * 2.0",
        *("2.0", "3.0", "own_method_.f(x)"),
    ),
    "property": (
        "class Property:\n    @property\n    def f(self): return 2.0",
        *("2.0", "3.0", "Property().f * x"),
    ),
    "cached": (
        "class Cached:\n    @functools.cached_property\n    def f(self): return 2.0",
        *("2.0", "3.0", "Cached().f * x"),
    ),
    "static": (
        "class Static:\n    @staticmethod\n    def f(x): return x * 2.0",
        *("2.0", "3.0", "Static.f(x)"),
    ),
    "class_method": (
        "class ClassMethod:\n    v = 2.0\n    @classmethod\n    def f(cls, x): return x * cls.v",
        *("2.0", "3.0", "ClassMethod().f(x)"),
    ),
    "descriptor": (
        "class Descriptor:\n    def __get__(self, it, kind=None): return it.v * 2.0\n"
        "class Described:\n    f = Descriptor()\n    v = 1.5",
        *("2.0", "3.0", "Described().f * x"),
    ),
    "of_descriptor": (
        "class OfDescriptor:\n    def __init__(self, v): self.v = v\n"
        "    def __get__(self, it, kind=None): return self.v\n"
        "class OfDescribed:\n    f = OfDescriptor(2.0)",
        *("2.0", "3.0", "OfDescribed().f * x"),
    ),
    "get_attribute": (
        "class GetAttribute:\n    def __getattr__(self, name): return 2.0",
        *("2.0", "3.0", "GetAttribute().anything * x"),
    ),
    "by_name": (
        "class ByName:\n    a = 2.0\n    b = 3.0\nby_name_ = 'a'",
        *("'a'", "'b'", "getattr(ByName(), by_name_) * x"),
    ),
    "slots": (
        "class Slots:\n    __slots__ = ('v', 'w')\n"
        "    def __init__(self, v): self.v, self.w = v, 1.0\nslots_ = Slots(2.0)",
        *("(2.0)", "(3.0)", "(slots_.v + slots_.w) * x"),
    ),
    "names_of_slots": (
        "class NamesOfSlots:\n    __slots__ = ('v', 'w')\n    "
        "def __init__(self): self.v = 2.0\nnames_of_slots_ = NamesOfSlots()",
        *("('v', 'w')", "('v', 'z')", "x * 2.0 if hasattr(NamesOfSlots, 'w') else x"),
    ),
    "replaced": (
        "class ReplacedA:\n    def f(self, x): return x * 2.0\n"
        "class ReplacedB:\n    def f(self, x): return x * 3.0\nReplaced = ReplacedA",
        *("Replaced = ReplacedA", "Replaced = ReplacedB", "Replaced().f(x)"),
    ),
    "of_object": (
        "class OfObjectA:\n    def f(self, x): return x * 2.0\n"
        "class OfObjectB:\n    def f(self, x): return x * 3.0\n"
        "of_object_ = OfObjectA(); of_object_.__class__ = OfObjectA",
        *("__class__ = OfObjectA", "__class__ = OfObjectB", "of_object_.f(x)"),
    ),
    "instance": (
        "class InstanceA: pass\nclass InstanceB: pass\ninstance_ = InstanceA()",
        *("instance_ = InstanceA", "instance_ = InstanceB"),
        "x * 2.0 if isinstance(instance_, InstanceA) else x",
    ),
    "named_class": (
        "class NamedClassA: pass\nnamed_class_ = NamedClassA()",
        *("NamedClassA", "NamedClassBB", "x * len(type(named_class_).__name__)"),
    ),
    "meta": (
        "class Meta(type):\n    v = 2.0\nclass OfMeta(metaclass=Meta): pass",
        *("2.0", "3.0", "OfMeta.v * x"),
    ),
    "inner": (
        "class Inner:\n    class Part:\n        v = 2.0",
        *("2.0", "3.0", "Inner.Part.v * x"),
    ),
    "init": (
        "class Init:\n    def __init__(self, v): self.v = v * 2.0",
        *("2.0", "3.0", "Init(x).v"),
    ),
    "called": (
        "class Called:\n    def __call__(self, x): return x * 2.0\ncalled_ = Called()",
        *("2.0", "3.0", "called_(x)"),
    ),
    "special": (
        "class Special:\n    def __len__(self): return 2\n    def __add__(self, x): return x * 2.0",
        *("2", "3", "(Special() + x) * len(Special())"),
    ),
    "array": (
        "class Array:\n    v = np.array([1.0, 2.0, 3.0, 4.0])",
        *("3.0", "5.0", "Array.v * x + Array().v"),
    ),
    "of_list": (
        "class OfList:\n    v = [1.0, [2.0]]",
        *("[2.0]", "[3.0]", "OfList.v[1][0] * x"),
    ),
    "data": (
        "@dataclasses.dataclass\nclass Data:\n    a: float\n    b: float = 2.0",
        *("= 2.0", "= 3.0", "Data(x).b * Data(x).a"),
    ),
    "factory": (
        "@dataclasses.dataclass\nclass Factory:\n"
        "    a: list = dataclasses.field(default_factory=lambda: [2.0])",
        *("2.0", "3.0", "Factory().a[0] * x"),
    ),
    "fields": (
        "@dataclasses.dataclass\nclass Fields:\n    a: float = 2.0\n    b: float = 3.0",
        *("a: float = 2.0\n    b: float = 3.0", "b: float = 3.0\n    a: float = 2.0"),
        "Fields(x).a",
    ),
    "data_object": (
        "@dataclasses.dataclass(frozen=True)\nclass DataObject:\n    a: float\n"
        "data_object_ = DataObject(2.0)",
        *("(2.0)", "(3.0)", "data_object_.a * x"),
    ),
    "tuple_default": (
        "class TupleDefault(typing.NamedTuple):\n    a: float\n    b: float = 2.0",
        *("2.0", "3.0", "TupleDefault(x).b * x"),
    ),
    "tuple_method": (
        "class TupleMethod(typing.NamedTuple):\n    a: float\n"
        "    def f(self): return self.a * 2.0\ntuple_method_ = TupleMethod(2.5)",
        *("2.0", "3.0", "tuple_method_.f() * x"),
    ),
    "tuple_fields": (
        "TupleFields = collections.namedtuple('TupleFields', 'a b')\n"
        "tuple_fields_ = TupleFields(2.0, 3.0)",
        *("a b", "b a", "tuple_fields_.a * x"),
    ),
    "member": (
        "class Member(enum.Enum):\n    A = 1\n    B = 2\nmember_ = Member.A",
        *("Member.A", "Member.B", "x * 2.0 if member_ is Member.A else x"),
    ),
    "value_of_member": (
        "class ValueOfMember(enum.Enum):\n    A = 2.0\n    B = 4.0",
        *("2.0", "3.0", "x * ValueOfMember.A.value"),
    ),
    "method_of_member": (
        "class MethodOfMember(enum.IntEnum):\n    A = 1\n    def f(self): return 2.0",
        *("2.0", "3.0", "x * MethodOfMember.A.f()"),
    ),
    "bound": (
        "class Bound:\n    def __init__(self, v): self.v = v\n"
        "    def f(self, x): return x * self.v\nbound_ = Bound(2.0).f",
        *("2.0", "3.0", "bound_(x)"),
    ),
    "partial": (
        "partial_ = functools.partial(lambda v, x, w=1.0: v * x + w, 2.0, w=4.0)",
        *("4.0", "3.0", "partial_(x)"),
    ),
    "decorated": (
        "def times(v):\n    def wrap(f):\n        return lambda self, x: f(self, x) * v\n"
        "    return wrap\nclass Decorated:\n    @times(2.0)\n    def f(self, x): return x",
        *("2.0", "3.0", "Decorated().f(x)"),
    ),
    "of_module": (
        "GLOBAL = 2.0\nclass Global:\n    def f(self, x): return x * GLOBAL",
        *("GLOBAL = 2.0", "GLOBAL = 3.0", "Global().f(x)"),
    ),
    "recursion": (
        "class Recursion:\n    step = 2.0\n    def f(self, x, n):\n"
        "        return x if n == 0 else self.f(x * self.step, n - 1)",
        *("2.0", "3.0", "Recursion().f(x, 3)"),
    ),
    "written": (
        "class Written:\n    def __init__(self): self.v, self.n = np.ones(4), 0\n"
        "    def f(self, x):\n        self.n += 1\n        self.v[0] += x[1] * 2.0\n"
        "        return self.v * self.n\nwritten_ = Written()",
        *("2.0", "3.0", "written_.f(x)"),
    ),
    "compiled": (
        "class Compiled:\n    v = 2.0\n    @ag.to_graph\n    def f(self, x): return x * self.v",
        *("2.0", "3.0", "Compiled().f(x)"),
    ),
    "compiled_method": (
        "class CompiledMethod:\n    def __init__(self, v): self.v = v\n    @ag.to_graph\n"
        "    def f(self, x): return np.sum(x * self.v)\ncompiled_method_ = CompiledMethod(2.0)",
        *("(2.0)", "(3.0)", "ag.grad(compiled_method_.f)(x)"),
    ),
    "of_base_of_base": (
        "class Oldest(abc.ABC):\n    v = 2.0\nclass Older(Oldest): pass\nclass Old(Older): pass\n"
        "old_ = Old()",
        *("2.0", "3.0", "old_.v * x"),
    ),
}
# What is never stored, since it can't be told what it reads.
NEVER = {
    "registered": (
        "class Registered(abc.ABC): pass\nclass Register: pass\nRegistered.register(Register)\n"
        "registered_ = Register()",
        *("Registered.register(Register)", "pass"),
        "x * 2.0 if isinstance(registered_, Registered) else x",
    ),
    "text": (
        "UNIT = 'ab'\nclass Text:\n    def __str__(self): return UNIT",
        *("'ab'", "'abc'", "x * len(f'{Text()}')"),
    ),
    "text_of_method": (
        "SIZE = 'ab'\nclass TextOfMethod:\n    def g(self): return SIZE\n"
        "    def __repr__(self): return self.g()",
        *("'ab'", "'abc'", "x * len(repr(TextOfMethod()))"),
    ),
    "random": (
        "class Random:\n    def __init__(self): self.rng = np.random.default_rng(2)\n"
        "random_ = Random()",
        *("(2)", "(3)", "random_.rng.normal(size=4) * x"),
    ),
}
HEAD = """import abc, collections, dataclasses, enum, functools, typing
import numpy as np
import autograph as ag
class Patched:
    def f(self, x): return x * 2.0
patched_ = Patched()
class Later:
    v = 2.0
factor_ = 2.0
class Net:
    def __init__(self):
        self.parts, self.act, self.steps = [{"w": np.ones(4)}, {"w": np.ones(4)}], np.tanh, 0
    def loss(self, x):
        for part in self.parts:
            x = self.act(part["w"] * x)
        return np.sum(x)
    def count(self, x):
        self.steps += 1
        self.parts[0]["w"] = self.parts[0]["w"] * 0.5
        return self.loss(x) * self.steps
"""
PATCHES = (
    "objects.factor_ = 4.0; objects.Patched.f = lambda self, x: x * 5.0; objects.Later.v = 3.0; "
    "loss = objects.Net.loss; objects.Net.loss = lambda self, x: loss(self, x) * 2.0"
)
MAIN = (
    LISTENING
    + """
    import numpy as np
    import autograph as ag
    import objects
    {patches}
    import functions
    X = np.array([0.2, 0.4, 0.6, 0.8])
    def flat(value):
        leaves = [repr(np.asarray(leaf)) + str(type(leaf)) for leaf in ag.tree.leaves(value)]
        return [str(type(value)), *leaves]
    def plain(name, x):
        return flat(getattr(functions, name)(x))
    for name, f in functions.cases.items():
        messages.clear()
        found = flat(f(X))
        recorded = any(": recording" in message for message in messages)
        if name not in ("written", "random"):
            assert found == plain(name, X), (name, found, plain(name, X))
        print(name, bool(recorded), found, sep="\\t")
    # Guards are as those of a recording made here.
    o = objects
    o.Body.f = o.Default.f = o.OfBase.f = o.OrderA.f = lambda self, x: x * 9.0
    o.Attribute.scale = o.OfClass.scale = o.ClassMethod.v = o.Meta.v = o.Inner.Part.v = 9.0
    o.ByName.a = o.ByName.b = o.Recursion.step = o.Oldest.v = o.Compiled.v = 9.0
    o.number_.v = o.kind_.v = o.missing_.w = o.slots_.v = o.instance_.v = 9.0
    o.bound_.__self__.v = o.compiled_method_.v = o.Described.v = o.GLOBAL = 9.0
    o.inside_["a"][0].v.v = (9.0, {"b": 9.0})
    o.shape_.v = o.dtype_.v = np.array([9.0, 8.0, 7.0, 6.0])
    o.own_method_.f = o.Called.__call__ = lambda *args: args[-1] * 9.0
    o.Property.f = property(lambda self: 9.0)
    o.Static.f = staticmethod(lambda x: x * 9.0)
    o.Descriptor.__get__ = o.OfDescriptor.__get__ = lambda self, it, kind=None: 9.0
    o.GetAttribute.__getattr__ = lambda self, name: 9.0
    o.of_object_.__class__ = o.instance_.__class__ = o.InstanceB
    o.InstanceB.f = lambda self, x: x * 9.0
    o.SuperBase.f = o.TupleMethod.f = o.MethodOfMember.f = o.Decorated.f
    o.Init.__init__ = lambda self, v: setattr(self, "v", v * 9.0)
    o.Special.__len__ = lambda self: 9
    o.Array.v[2] = 9.0
    o.OfList.v[1][0] = 9.0
    functions.one_ = functions.TupleDefault = functions.called_ = lambda *args: args[-1]
    functions.member_ = o.Member.B
    for name, f in functions.cases.items():
        if name not in ("written", "random", "tuple_default", "tuple_method", "method_of_member"):
            assert flat(f(X)) == plain(name, X), (name, flat(f(X)), plain(name, X))
    def steps(compiled):
        net, found = objects.Net(), []
        loss, count = compiled(net.loss), compiled(net.count)
        for _ in range(3):
            found += [*flat(loss(X)), *flat(count(X))]
            net.parts[1]["w"] = net.parts[1]["w"] + 1.0
        return found
    def made(a, f):
        return lambda x: f(x) * a
    def variables(compiled):
        return [flat(compiled(made(X + n, lambda x: objects.factor_ * x))(X)) for n in range(3)]
    messages.clear()
    found = variables(ag.to_graph)
    print("variables", any(": recording" in message for message in messages), found, sep="\t")
    assert found == variables(lambda function: function)
    messages.clear()
    found = steps(ag.to_graph)
    print("steps", any(": recording" in message for message in messages), found, sep="\t")
    assert found == steps(lambda function: function)
"""
)


@pytest.fixture
def run(tmp_path):
    """What a process prints, by the names of cases; all have one cache."""
    cases = {**CASES, **NEVER}

    def run(changed=False):
        texts, functions = [HEAD], ["from objects import *\nimport autograph as ag\ncases = {}\n"]
        names = {"patched": "patched_.f(x)", "later": "Later.v * x"}
        for name, (text, before, after, expression) in cases.items():
            assert before in text, name
            texts.append(text.replace(before, after) if changed else text)
            names[name] = expression
        for name, expression in names.items():
            functions.append(f"def {name}(x): return {expression}\n")
            functions.append(f"cases['{name}'] = ag.to_graph({name})\n")
        # Lines stay where they are.
        (tmp_path / "objects.py").write_text("\n".join(texts))
        (tmp_path / "functions.py").write_text("".join(functions))
        main = MAIN.replace("{patches}", PATCHES if changed else "pass")
        lines = printed(file_of(tmp_path / "main.py", main), **with_cache(tmp_path)).splitlines()
        return {name: rest for name, *rest in (line.split("\t") for line in lines)}

    return run


def recorded(found):
    """The cases that were recorded."""
    return {name for name, (recorded, *_) in found.items() if recorded == "True"}


def test_a_second_process_records_only_what_has_changed(run):
    """Each process compares with Python."""
    first, second, third = run(), run(), run(changed=True)
    assert recorded(first) == first.keys()
    assert recorded(second) == NEVER.keys()
    for name in first:
        assert first[name][1:] == second[name][1:], name
    assert recorded(third) == third.keys()
