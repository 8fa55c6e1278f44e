"""A policy names only what is on the list: it sees what its seat sees, and only the seed decides what it draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import policies
from policies.imports import NUMPY, importable
from policies.source import check_source
from sim.errors import BadInput
from sim.game import load_game
from sim.rules import games
from tests.policies.texts import BID, CASES, bid, passes, refusal
from tests.support import DEBRIUM


@pytest.mark.parametrize("name", games())
def test_the_policies_of_the_package_and_the_template_pass(name):
    files = [path for path in (Path(policies.__file__).parent / name).glob("*.py") if path.stem != "__init__"]
    assert any(path.stem == "_template" for path in files)
    for path in files:
        check_source(load_game(name), path.read_text(encoding="utf-8"), str(path))


# Cases that once passed.


def line_of(source: str, part: str) -> int:
    return source[: source.index(part)].count("\n") + 1


def test_a_policy_that_reads_the_word_of_its_stream_is_refused():
    """It worked out all other streams from that one and never lost a placement."""
    source = (CASES / "peeker.py").read_text()
    assert refusal(source).startswith(f"{line_of(source, 'rng.word')}: 'rng' is only drawn from and handed on: ")


def test_a_policy_whose_constant_hangs_on_the_environment_is_refused():
    """What one run found there was compiled into the code of all later ones."""
    source = (CASES / "envconst.py").read_text()
    assert refusal(source).startswith(f"{line_of(source, 'import os')}: 'import os': not for policies; ")


# Imports.

IMPORTS = {
    "import os": "'import os': not for policies",
    "import time": "not for policies",
    "import sys, math": "'import sys, math': not for policies",
    "import numba": "(did you mean 'numpy'?)",
    "import ctypes": "not for policies",
    "import sim.debrium.view": "'import sim.debrium.view': not for policies",
    "from sim.debrium import view": "'from sim.debrium import view': not for policies",
    "from . import view": "not for policies",
    "from .view import is_free": "not for policies",
    "from sim.debrium.engine import play": "not for policies",
    "from sim.book_festival.view import draw": "not for policies",
    "from sim.jit import jit": "not for policies",
    "from policies import load_file": "a policy cannot import 'load_file' from policies; to be had from there: Param",
    "from policies import *": "a policy cannot import '*' from policies",
    "from sim.rng import start": "cannot import 'start' from sim.rng; to be had from there: below, shuffle, uniform",
    "from sim.rng import _next": "cannot import '_next' from sim.rng",
    "from sim.rng import STREAM": "cannot import 'STREAM' from sim.rng",
    "from sim.debrium.state import STREAM": "cannot import 'STREAM' from sim.debrium.state",
    "from sim.debrium.state import np": "cannot import 'np' from sim.debrium.state",
    "from sim.debrium.state import HIDDEN": "cannot import 'HIDDEN' from sim.debrium.state",
    "from sim.debrium.view import jit": "cannot import 'jit' from sim.debrium.view",
    "from sim.debrium.view import is_fre": "(did you mean 'is_free'?)",
    "from numpy import empty": "it holds whatever lay in memory; make it with zeros",
    "from numpy import *": "numpy.* is not for policies",
    "from numpy import frombuffer": "nothing that reads, draws or gets at memory",
    "from numpy.lib.stride_tricks import as_strided": "not for policies",
    "import numpy.ctypeslib": "not for policies",
    "from math import sqr": "math.sqr is not for policies (did you mean 'sqrt'?)",
    "from __future__ import braces": "cannot import 'braces' from __future__",
}


@pytest.mark.parametrize("line", IMPORTS)
def test_what_is_not_on_the_list_cannot_be_imported(line):
    said = refusal(f"{line}\n\n\n{BID}")
    assert said.startswith("1: ")
    assert IMPORTS[line] in said


@pytest.mark.parametrize("name", games())
def test_the_list_holds_numbers_and_helpers_and_nothing_else(name):
    listed = importable(name)
    assert listed["policies"] == {"Param"}
    assert listed["sim.rng"] == {"below", "uniform", "shuffle"}
    for part in ("state", "view", "planning"):
        names = listed[f"sim.{name}.{part}"]
        assert names
        assert not names & {
            "np",
            "jit",
            "annotations",
            "STREAM",
            "STATE",
            "HIDDEN",
            "TABLE",
            "OWN",
            "RULES",
            "CHOICE",
        }
    assert "MAX_SEATS" in listed[f"sim.{name}.state"]


def test_the_list_of_numpy_exists_and_has_nothing_of_memory_or_chance():
    assert all(hasattr(np, name) for name in NUMPY)
    assert not NUMPY & {
        "empty", "empty_like", "ndarray", "random", "lib", "ctypeslib", "frombuffer", "fromfile", "load", "loadtxt",
        "memmap", "save", "tofile", "may_share_memory", "shares_memory", "get_include", "show_config", "errstate",
        "seterr", "set_printoptions", "dot", "transpose", "dtype", "void", "object_",
    }  # fmt: skip


def test_imports_of_the_list_are_fine():
    top = """
from __future__ import annotations

import math as m
import numpy
from math import pi, sqrt
from numpy import float64, zeros

from policies import Param
from sim.debrium.planning import SCRATCH, share_now
from sim.debrium.state import FUNDS as TAKE, LEVELS
from sim.debrium.view import is_free
"""
    passes(bid("choice.coins = m.floor(sqrt(pi)) + int(numpy.floor(zeros(3, float64)[0])) + 0 * LEVELS", top=top))


# The top of the file.

TOPS = {
    "a call": "X = open('/etc/hostname').read()",
    "a call of what was imported": "import math\n\nX = np.zeros(3)",
    "a function": "def _f(n):\n    return n\n\n\nX = _f(3)",
    "another name of a function": "def _f(n):\n    return n\n\n\n_g = _f",
    "functions in a tuple": "def _f(n):\n    return n\n\n\nX = (1, _f)",
    "another name of an imported function": "from sim.debrium.view import is_free\n\nX = is_free",
    "a comprehension": "X = [k for k in range(3)]",
    "a lambda": "X = lambda n: n",
    "an attribute": "import numpy as np\n\nX = np.array([1]).ctypes",
    "a method": "X = 'abc'.encode()",
    "bytes": "X = b'abc'",
    "a text put together": "Y = 3\nX = f'{Y}'",
    "a set": "X = {1, 2}",
    "Python's file": "X = __file__",
    "an unknown name": "X = Y",
    "a default": "def _f(n, m=print):\n    return n",
    "a condition": "if True:\n    X = 3",
    "a loop": "for k in range(3):\n    pass",
    "a trial": "try:\n    X = 3\nexcept ValueError:\n    pass",
    "a class": "class X:\n    pass",
    "a call alone": "print(3)",
    "an exit": "raise SystemExit",
    "a change": "X = 3\nX += 1",
    "a part": "X = [1]\nX[0] = 2",
    "an attribute's value": "from policies import Param\n\nParam.x = 3",
    "an object's name": "X = Y = print",
    "a value in passing": "X = (Y := 3)",
}


@pytest.mark.parametrize("what", TOPS)
def test_the_top_holds_constants_alone(what):
    said = refusal(f"{TOPS[what]}\n\n\n{BID}")
    assert ": the top of a policy holds imports, functions and constants (numbers, arithmetic, lists, Param" in said


OTHER_TOPS = {
    "a decorator": ("@print\ndef _f(n):\n    return n", "'_f' has a decorator"),
    "an annotation that is run": ("def _f(n: print(3)):\n    return n", "an annotation is a plain type"),
    "an answer's annotation that is run": ("def _f(n) -> [print(3)]:\n    return n", "an annotation is a plain type"),
    "a constant's annotation that is run": ("X: print(3) = 3", "an annotation is a plain type"),
    "a function of two texts": ("def _f(n):\n    return n\n\n\ndef _f(n):\n    return 1", "'_f' is the name of two"),
    "an import and a function": (
        "from sim.rng import below as _f\n\n\ndef _f(n, m):\n    return n",
        "'_f' is the name of two things",
    ),
    "a constant and a function": ("_f = 3\n\n\ndef _f(n):\n    return n", "'_f' is the name of two things"),
    "a constant and an import": ("from sim.rng import below\n\nbelow = 3", "'below' is the name of two things"),
    "a constant and a module": ("import math\n\nmath = 3", "'math' is the name of two things"),
}


@pytest.mark.parametrize("what", OTHER_TOPS)
def test_functions_are_plain_and_names_stand_for_one_thing(what):
    top, says = OTHER_TOPS[what]
    assert says in refusal(f"{top}\n\n\n{BID}")


def test_constants_are_fine():
    passes(
        f'''"""Says what it is."""

import math

import numpy as np
from numpy import array, int64

from policies import Param
from sim.debrium.state import COMPANIES, LEVELS

PARAMS = (
    Param("a", 1.0, -2.0**3, high=float("1e3"), meaning="what " "a is"),
    *(Param("b", 0, 0, 1, ""),),
)
A, B = range(len(PARAMS))
(C,) = (3,)
[D, (E, _)] = [1, (2, 3)]
WEIGHTS: tuple[float, ...] = (0.5, 1 / 3, math.sqrt(2.0), math.pi, -np.inf)
LONGEST = max(len(COMPANIES), LEVELS) if LEVELS > 3 and not A else min(WEIGHTS[0], 2)
TABLE = np.array([[1, 2], [LONGEST, 4]], dtype=np.int64)
MORE = array([int64(3), np.uint64(0xFFFF), abs(-3) << 2])
NAMES = {{"a": 1, "b": (2, 3)}}
PART = COMPANIES[1:3]
"""A remark."""


def _help(n: int, by: float = 1.5, *, to: "int" = LONGEST) -> tuple[int, ...] | None:
    return n


{BID}'''
    )


# Functions.

NAMES = {
    "getattr": "choice.coins = getattr(table, 'pool')",
    "setattr": "setattr(choice, 'coins', 1)",
    "hash": "choice.coins = hash('a') % 2",
    "id": "choice.coins = id(own) % 2",
    "eval": "choice.coins = eval('1')",
    "open": "choice.coins = len(open('a').read())",
    "type": "choice.coins = type(own).x",
    "input": "choice.coins = int(input())",
    "set": "for k in set((1, 2)):\n        choice.coins = k",
    "object": "choice.coins = {'a': object()}",
    "vars": "choice.coins = len(vars())",
    "SystemExit": "raise SystemExit",
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "BaseException": "raise BaseException",
}


@pytest.mark.parametrize("name", NAMES)
def test_of_pythons_own_names_a_few_are_for_policies(name):
    assert f": `{name}` is not for policies" in refusal(bid(NAMES[name]))


BODIES = {
    "a name of Python's for itself": ("choice.coins = len(__file__)", "'__file__' is not for policies"),
    "a value for it": ("__builtins__ = 3", "'__builtins__' is not for policies"),
    "a class's parts": ("choice.coins = own.memory.__class__", "`.__class__` is not for policies"),
    "an address": ("choice.coins = own.memory.ctypes.data % 2", "`.ctypes` is not for policies"),
    "another view": ("choice.coins = own.memory.view(table)[0]", "`.view` is not for policies"),
    "what it is part of": ("choice.coins = own.memory.base", "`.base` is not for policies"),
    "a stream's word": ("choice.coins = own.memory.word", "`.word` is not for policies"),
    "memory as it was": ("choice.coins = np.empty(3)[0]", "make it with zeros"),
    "a stride": ("choice.coins = np.lib.stride_tricks.as_strided(own.memory, (300,), (8,))[200]", "numpy.lib is not"),
    "two levels": ("choice.coins = np.linalg.norm(own.memory)", "numpy.linalg is not for policies"),
    "chance": ("choice.coins = np.random.randint(2)", "chance comes from `rng` alone"),
    "a module as a value": ("it = np", "'np' is a module; a policy uses what stands in it, as in np.sqrt"),
    "an import": ("import os", "imports stand at the top of the file"),
    "a function in a function": ("def more():\n        return 3", "functions stand at the top of the file"),
    "a lambda": ("choice.coins = (lambda: 3)()", "functions stand at the top of the file"),
    "a class": ("class X:\n        pass", "a policy has no classes"),
    "a global": ("global X", "a policy keeps nothing outside `own.memory`"),
    "a set": ("for k in {2, 1}:\n        choice.coins = k", "a set has no order; use a list"),
    "a set of all": ("choice.coins = len({k for k in range(3)})", "a set has no order; use a list"),
    "a name of Python's that is one of a list's items too": (
        "choice.coins = [getattr for getattr in range(3)][0] + getattr(own, 'coins')",
        "`getattr` is not for policies",
    ),
}


@pytest.mark.parametrize("what", BODIES)
def test_what_a_function_may_not_name_is_refused(what):
    line, says = BODIES[what]
    said = refusal(bid(line, top="import numpy as np\n"))
    assert said.startswith("4: ")
    assert says in said


ALIASES = {
    "in the function": "def _f(n):\n    g = _f\n    return g(n - 1)\n",
    "at the top": "def _f(n):\n    return _g(n - 1)\n\n\n_g = _f\n",
    "as an argument": "def _f(g, n):\n    return g(g, n - 1)\n\n\ndef _h(n):\n    return _f(_f, n)\n",
    "in a tuple": "def _f(n):\n    return (_h, _f)[1](n)\n\n\ndef _h(n):\n    return n\n",
    "as a default": "def _f(n, g):\n    return g(n, g)\n\n\ndef _h(n, g=_f):\n    return g(n, g)\n",
}


@pytest.mark.parametrize("what", ALIASES)
def test_recursion_through_another_name_is_refused(what):
    """Compiled it ended the process."""
    refusal(f"{ALIASES[what]}\n\n{BID}")


def test_plain_functions_are_fine():
    passes(
        bid(
            "id = own.seat",
            "next, type = 3, 4",
            "best = [0.0] * 3",
            "best.append(max(1.0, np.sqrt(own.param[0])))",
            "noted = {1: 2.0}",
            "for k, (seat, coins) in enumerate(zip(table.order, best)):",
            "    if not table.shown.size > abs(id) or seat in noted.keys():",
            "        noted[k] = coins + best[-1] + own.memory[:3].sum()",
            "worth = np.zeros(LEVELS, dtype=np.float64)",
            "worth.sort()",
            "try:",
            "    choice.coins = min(own.coins, int(worth.max() + math.floor(noted[1])) + next + type)",
            "except IndexError as error:",
            "    raise ValueError('no such space')",
            top="import math\nimport numpy as np\nfrom sim.debrium.state import LEVELS\n",
        )
    )


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("# coding: utf-7\n#+AAo-import os", "1: its encoding is given as utf-7; a policy file is UTF-8"),
        ("# What it does.\n# -*- coding: latin-1 -*-", "2: its encoding is given as iso-8859-1; a policy"),
        ("# coding: no-such", "1: not Python: unknown encoding: no-such"),
    ],
)
def test_a_text_is_read_as_python_reads_it(head, says):
    """In UTF-7 the remark is two lines, of which the second imports."""
    assert refusal(f"{head}\n\n\n{BID}").startswith(says)


def test_the_encoding_may_be_told():
    passes(f"# -*- coding: utf-8 -*-\n# été\n\n\n{BID}")


def test_names_are_read_as_python_reads_them():
    """Python takes letters of other widths for the plain ones."""

    def wide(name: str) -> str:
        return "".join(chr(ord(letter) + 0xFEE0) for letter in name)

    assert "`getattr` is not for policies" in refusal(bid(f"choice.coins = {wide('getattr')}(own, 'coins')"))
    assert "'rng' is only drawn from" in refusal(bid(f"choice.coins = {wide('rng')}.word"))


def test_a_text_without_end_is_refused_in_a_line():
    for text in ("x = " + "-" * 100_000 + "1", "x = " + "+".join("1" * 100_000), "x = 1" + ".real" * 100_000):
        with pytest.raises(BadInput, match=r"^mine\.py(:1)?: [^\n]{1,300}$"):
            check_source(DEBRIUM, f"{text}\n\n\n{BID}", "mine.py")


def test_what_is_new_in_math_is_looked_at():
    """All of it is on the list: numbers to numbers, until a later Python adds something else."""
    known = {
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "comb", "copysign", "cos", "cosh",
        "degrees", "dist", "e", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "factorial", "floor", "fma", "fmod",
        "frexp", "fsum", "gamma", "gcd", "hypot", "inf", "isclose", "isfinite", "isinf", "isnan", "isnormal", "isqrt",
        "issubnormal", "lcm", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "modf", "nan", "nextafter", "perm",
        "pi", "pow", "prod", "radians", "remainder", "signbit", "sin", "sinh", "sqrt", "sumprod", "tan", "tanh",
        "tau", "trunc", "ulp", "fmax", "fmin",
    }  # fmt: skip
    assert importable("debrium")["math"] <= known
