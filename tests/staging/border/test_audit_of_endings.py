"""An audit: whatever an expression does with values of the run, the compiled function gives what
Python gives, or ends with an error of ours that has an id and the line, or raises what Python does.

The expressions are generated: every operator, built-in and method with each kind of value,
functions of the standard library that take numbers, functions of NumPy's with odd arguments, and
attributes that there are not. A sample is run always, and a larger one as slow tests.
"""

import builtins
import copy
import importlib.util
import io
import itertools
import warnings
from contextlib import redirect_stdout

import numpy as np
import optree
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.oracle import assert_same

VALUES = {
    "a": np.array([1.5, -2.0, 3.0]),
    "m": np.array([[2, 1], [0, 3]]),
    "b": np.array([True, False]),
    "c": np.array([1 + 2j, 3j]),
    "n": 3,
    "z": 2.5,
    "t": True,
    "g": np.float64(0.5),
    "j": 1 + 1j,
}


def _forms(text):
    """The forms in a text, separated by semicolons and lines."""
    return [form.strip() for line in text.split("\n") for form in line.split(" ; ") if form.strip()]


_OPERATORS = "+ - * / // % ** @ & | ^ << >> < <= > >= == != is in and or".split()
_BUT_IS = [symbol for symbol in _OPERATORS if symbol != "is"]  # of literals Python warns
_ODD = ["None", "'s'", "b'b'", "[1, 2]", "(1, 2)", "{1: 2}", "{1, 2}", "object", "...", "10**30"]
_UNARY = _forms(
    """
    -{} ; +{} ; ~{} ; not {} ; [*{}] ; {{**{}}} ; {}() ; {}[0] ; {}['k'] ; {}[None] ; {}[{}]
    {}[1:n] ; {}[...] ; [1, 2, 3][{}] ; (1, 2)[{}] ; {{3: 1.0}}[{}] ; 'abc'[{}] ; 'abc'[:{}]
    [0] * {} ; 'ab' * {} ; '%d' % {} ; '%s %r' % ({}, 1) ; f'{{{}}}' ; f'{{{}:.2f}}'
    f'{{{}!r:>9}}' ; '{{:d}}'.format({}) ; range({}) ; {} if {} else 0 ; [i for i in {}]
    {{i: 1 for i in {}}} ; {} < 2 < 5 ; lambda: {} ; {}.not_there ; {}.unsqueeze(0) ; {}.at[0]
    {}.sum(dim=0) ; {}.shape[5] ; {}.T.T ; {}.reshape(7) ; {}.astype('no') ; {}.item()
    {}.tolist() ; {}.view(int) ; {}.real ; {}.tobytes() ; {}.strides ; {}.flags ; {}.ctypes
    {}.data ; {}.dumps() ; {}.base ; {}.is_integer() ; {}.bit_length() ; {}.as_integer_ratio()
    {}.hex() ; {}.imag ; {}.conjugate() ; {}.to_bytes(2, 'big') ; {}.numerator ; {}.__index__()
    {}.dtype
    """
)
_TEXTS = _forms(
    """
    'abc'.center({}) ; 'abc'.zfill({}) ; 'a'.join([{}]) ; 'abc'.replace({}, 'b')
    'abc'.find({}) ; 'abc'.split({}) ; 'abc'.startswith({}) ; 'a'.encode({})
    'abc'.translate({}) ; '{{}}'.format_map({}) ; 'abc'.expandtabs({}) ; bytes({})
    'abc'.ljust(9, {}) ; 'a' + {} ; 'a' in {} ; {} in 'abc' ; str.upper({}) ; 'a' < {}
    """
)
_LISTS = _forms(
    """
    [1, 2].index({}) ; [1, 2].count({}) ; [1, 2].insert({}, 1) ; [1, 2].pop({})
    [1, 2].remove({}) ; [3, {}].sort() ; [1].extend({}) ; (1, {}).index(1) ; {{1: 2}}.get({})
    {{1: 2}}.pop({}) ; {{1}}.add({}) ; {{1}}.discard({}) ; {{1}} | {} ; dict({})
    {{1: 2}}.update({}) ; dict(k={}) ; dict.fromkeys({}) ; [1, 2, 3][{}:] ; [1, 2] + {}
    slice({}) ; [1, {}] < [1, 2]
    """
)
_CALLS = {
    "struct": _forms("pack('d', {}) ; pack('i', {}) ; calcsize({}) ; unpack('d', {})"),
    "decimal": _forms("Decimal({}) ; Decimal('1') + {} ; Decimal('1') * {} ; Context(prec={})"),
    "fractions": _forms(
        "Fraction({}) ; Fraction({}, 2) ; Fraction(1, 2) + {} ; Fraction(1, 2) < {}"
    ),
    "json": _forms(
        """
        dumps({}) ; dumps([{}]) ; dumps({{'k': {}}}) ; loads({}) ; dumps({}, default=str)
        """
    ),
    "itertools": _forms(
        """
        list(itertools.repeat(1.0, {})) ; list(itertools.chain([1], [{}]))
        list(itertools.accumulate([{}, 2])) ; list(itertools.islice([1, 2, 3, 4], {}))
        list(itertools.product([{}], [1])) ; list(itertools.combinations([1, 2], {}))
        list(itertools.groupby([{}, 1])) ; next(itertools.count({})) ; list(itertools.pairwise({}))
        """
    ),
    "operator": _forms(
        """
        index({}) ; neg({}) ; add({}, 'x') ; getitem([1, 2], {}) ; length_hint({})
        itemgetter({})([1, 2]) ; attrgetter('real')({}) ; methodcaller('sum')({}) ; truth({})
        """
    ),
    "bisect": _forms("bisect([1, 2, 3], {}) ; bisect_left({}, 2) ; insort([1, 2], {})"),
    "heapq": _forms("heappush([1], {}) ; nlargest(2, {}) ; heapify([{}, 1]) ; merge([{}], [1])"),
    "copy": _forms("copy({}) ; deepcopy([{}])"),
    "pickle": _forms("dumps({}) ; dumps([{}]) ; loads({})"),
    "datetime": _forms(
        """
        timedelta(seconds={}) ; timedelta(1) * {} ; date(2000, 1, {}) ; datetime.fromtimestamp({})
        """
    ),
    "re": _forms("match('a', {}) ; sub('a', str({}), 'aa') ; escape({})"),
    "hashlib": _forms("sha1({}) ; md5(b'a').update({})"),
    "array": _forms("array('d', [{}]) ; array('d', {})"),
    "ctypes": _forms("c_double({}) ; c_int({}) ; byref({})"),
    "uuid": _forms("UUID(int={})"),
    "textwrap": _forms("wrap({}) ; wrap('a b', {}) ; indent('a', {}) ; shorten('aa', {})"),
    "secrets": _forms("compare_digest({}, {})"),
    "locale": _forms("format_string('%d', {}) ; str({})"),
    "random": _forms("Random({}) ; Random(1).uniform(0, {}) ; choice({})"),
    "math": _forms(
        """
        sqrt({}) ; floor({}) ; factorial({}) ; gcd({}, 6) ; fsum({}) ; prod({}) ; isqrt({})
        comb({}, 2) ; hypot({}, 1) ; frexp({}) ; modf({}) ; ldexp(1.0, {}) ; dist({}, {})
        isclose({}, 1) ; trunc({}) ; log({}, 2) ; nextafter({}, 0) ; perm({}) ; copysign(1, {})
        """
    ),
    "cmath": _forms("sqrt({}) ; phase({}) ; polar({}) ; rect(1, {})"),
    "statistics": _forms("mean({}) ; median({}) ; stdev([{}, 1]) ; mode({}) ; fmean([{}, 2.0])"),
    "functools": _forms("reduce(max, {}) ; partial(pow, {})(2) ; cmp_to_key({}) ; lru_cache({})"),
    "collections": _forms(
        """
        deque([{}]) ; Counter([{}]) ; OrderedDict([({}, 1)]) ; deque([1], {}) ; ChainMap({})
        namedtuple('P', 'x')({}) ; defaultdict({})
        """
    ),
    "string": _forms("Template('$x').substitute(x={}) ; capwords({})"),
    "binascii": _forms("hexlify({}) ; crc32({})"),
    "base64": _forms("b64encode({})"),
    "zlib": _forms("compress({}) ; crc32(b'a', {})"),
    "calendar": _forms("monthrange(2000, {}) ; isleap({})"),
    "time": _forms("gmtime({}) ; strftime({})"),
    "colorsys": _forms("rgb_to_hsv({}, 0.5, 0.5)"),
    "numbers": _forms("Number.__subclasshook__({})"),
    "types": _forms("SimpleNamespace(x={}) ; MappingProxyType({})"),
    "enum": _forms("IntEnum('E', 'A B')({}) ; Enum('E', 'A B')({})"),
    "dataclasses": _forms("replace({}) ; is_dataclass({}) ; make_dataclass('D', ['x'])({})"),
    "contextlib": _forms("nullcontext({}) ; suppress({})"),
    "io": _forms("StringIO({}) ; BytesIO({})"),
    "os": _forms("fspath({}) ; environ.get({}) ; path.join('a', {}) ; strerror({})"),
    "sys": _forms("intern({}) ; getsizeof({}) ; getrefcount({})"),
    "inspect": _forms("isfunction({}) ; signature({})"),
    "weakref": _forms("ref({})"),
    "threading": _forms("Semaphore({}) ; local().__setattr__('x', {})"),
    "queue": _forms("Queue({})"),
    "html": _forms("escape({})"),
    "urllib.parse": _forms("quote({}) ; urlencode({{'a': {}}})"),
    "pprint": _forms("pformat({}) ; pprint({})"),
    "reprlib": _forms("repr({})"),
    "ast": _forms("literal_eval({})"),
    "shlex": _forms("quote({})"),
    "unicodedata": _forms("name({})"),
    "ipaddress": _forms("ip_address({})"),
}
_NUMPY_ARGUMENTS = ["{}", "{}, dim=0", "{}, 7", "{}, None", "'s', {}", "[{}, 'x']", "{}, axis=9"]
_SKIPPED = set(
    """
    BaseExceptionGroup ExceptionGroup __build_class__ __import__ aiter anext breakpoint
    classmethod compile copyright credits dir eval exec execfile exit globals hash help id
    input license locals memoryview object open print property quit runfile staticmethod
    super type vars
    """.split()
)
# They write, differ by themselves, or take whatever has a dtype for one.
_NUMPY_SKIPPED = set(
    """
    DataSource can_cast empty empty_like errstate fromfile fromregex genfromtxt get_include info
    load
    loadtxt lookfor may_share_memory memmap ndarray open_memmap printoptions save savetxt
    savez savez_compressed set_printoptions setbufsize seterr seterrcall shares_memory
    show_config show_runtime source test unravel_index
    """.split()
)


def expressions():
    """The expressions, in groups."""
    for name, odd in itertools.product(VALUES, _ODD):
        for symbol in _OPERATORS if odd in ("None", "object") else _BUT_IS:
            yield f"{name} {symbol} {odd}"
            yield f"{odd} {symbol} {name}"
    for form, name in itertools.product(_UNARY + _TEXTS + _LISTS, VALUES):
        yield form.replace("{}", name).replace("{{", "{").replace("}}", "}")
    for function, name in itertools.product(sorted(vars(builtins)), VALUES):
        if callable(getattr(builtins, function)) and function not in _SKIPPED:
            for arguments in ("{}", "{}, 2", "2, {}", "[{}, 1]", "{}, k=1", "int, {}"):
                yield f"{function}({arguments.format(name)})"
    for module, calls in _CALLS.items():
        for call, name in itertools.product(calls, VALUES):
            found = call.replace("{}", name).replace("{{", "{").replace("}}", "}")
            yield (
                found.replace("ITERTOOLS", module) if "ITERTOOLS" in found else f"{module}.{found}"
            )
    for function in sorted(np.__all__):
        if callable(getattr(np, function)) and function not in _NUMPY_SKIPPED:
            for arguments, name in itertools.product(_NUMPY_ARGUMENTS, ("a", "m", "n", "z")):
                yield f"np.{function}({arguments.format(name)})"


ALL = list(dict.fromkeys(expressions()))


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The expressions as functions of a module, by number."""
    path = tmp_path_factory.mktemp("audit") / "programs.py"
    modules = [f"import {name}" for name in _CALLS]
    parameters = ", ".join(VALUES)
    bodies = [f"def f{i}({parameters}):\n    return {text}\n" for i, text in enumerate(ALL)]
    path.write_text("\n".join(["import numpy as np", *modules, *bodies]), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("programs", path)
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is no use in Python either
        spec.loader.exec_module(module)
    return [getattr(module, f"f{i}") for i in range(len(ALL))]


def outcome(function):
    values = copy.deepcopy(VALUES)
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            return function(**values), None
        except Exception as error:
            return None, error


def fault(function):
    """What is wrong with the compiled function, or nothing."""
    expected, raised = outcome(function)
    try:
        found, error = outcome(ag.to_graph(function))
        text = "" if error is None else str(error)
    except BaseException as escaped:
        return f"{type(escaped).__name__} escapes: {escaped}"
    if error is None:
        return (
            "" if raised is not None or is_like(found, expected) else f"{found!r}, not {expected!r}"
        )
    if isinstance(error, AutographError):
        line = function.__code__.co_firstlineno
        placed = f"programs.py:{line + 1}" in text or f"programs.py:{line}" in text
        return "" if error.id and placed and error.fix else f"no id, line or fix: {text}"
    told = text.partition("\n[AG0601]")[0]
    if raised is not None and type(error) is type(raised) and told == str(raised):
        return ""
    return f"{type(error).__name__}: {text}, not {raised!r}"


def is_like(found, expected):
    """Whether a result is Python's, as far as one can tell results of any class apart. A number may
    be of the type that another path through the expression would give it."""
    try:
        assert_same(found, expected, "result")
        return True
    except Exception:  # they cannot be compared so
        pass
    if isinstance(expected, (int, float, complex, np.generic, np.ndarray)):
        return type(found) is type(expected) or found == expected
    if isinstance(expected, (str, bytes, tuple, list)):
        leaves = optree.tree_leaves((found, expected))
        return any(isinstance(leaf, (float, np.ndarray)) for leaf in leaves)
    return type(found) is type(expected) or type(found).__name__ == type(expected).__name__


def check_all(programs, numbers):
    faults = [(ALL[i], fault(programs[i])) for i in numbers]
    told = [f"{text}: {what[:200]}" for text, what in faults if what]
    assert not told, f"{len(told)} of {len(numbers)}:\n" + "\n".join(told)


_PARTS = 8


@pytest.mark.slow
def test_a_sample(programs):
    check_all(programs, range(0, len(ALL), 599))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(_PARTS))
def test_a_larger_sample(programs, part):
    check_all(programs, range(part, len(ALL), 8 * _PARTS))
