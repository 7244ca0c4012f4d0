"""Random C programs with floating point: every result is printed bit by bit.

Numbers are mostly special: zeros of both signs, subnormals, the largest, infinities, NaN, halves,
and such as need rounding. Conversions to integers are guarded, as C leaves the others open. Of a
NaN only that it is one is printed: which of two NaNs an operation gives is the compiler's choice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

_TYPES = {"f": "float", "d": "double", "l": "long double"}
_SUFFIX = {"f": "f", "d": "", "l": "l"}
_HEAD = """\
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern void abort(void);
extern int fesetround(int), fegetround(void);
"""
_FUNCTIONS = ("fabs", "sqrt", "floor", "ceil", "trunc", "round", "rint", "nearbyint")
_OF_TWO = ("fmod", "remainder", "copysign", "fmax", "fmin", "fdim")
_MODES = ("0", "0x400", "0x800", "0xc00")  # of x86: to nearest, down, up, towards zero
_TESTS = ("isnan", "isinf", "isfinite", "isnormal")
_COMPARE = ("isless", "islessequal", "isgreater", "isgreaterequal", "islessgreater", "isunordered")
_SHOW = """\
static void show_{kind}(const char *name, {type} x) {{
  unsigned char bytes[sizeof x];
  memcpy(bytes, &x, sizeof x);
  printf("%s = ", name);
  if ({nan}) printf("nan");
  else for (int i = {last}; i >= 0; i--) printf("%02x", bytes[i]);
  printf("\\n");
}}
"""
_CONSTANTS = {
    "f": ("0.0f", "-0.0f", "1.0f", "-1.5f", "0.1f", "1e-45f", "1.17549421e-38f", "3.4028235e38f",
          "16777217.0f", "2.5f", "-0.5f", "1e10f", "0x1.fffffep-1f", "8388608.5f", "1e39f"),
    "d": ("0.0", "-0.0", "1.0", "-1.5", "0.1", "5e-324", "2.2250738585072011e-308",
          "1.7976931348623157e308", "9007199254740993.0", "2.5", "-0.5", "1e22", "1e400",
          "4503599627370496.5", "0.49999999999999994", "3.5e38"),
    "l": ("0.0L", "-0.0L", "1.0L", "-1.5L", "0.1L", "1e-4940L", "1e4900L", "2.5L",
          "18446744073709551617.0L", "-0.5L", "1e30L", "0x1.fffffffffffffffep0L", "3e-324L"),
}  # fmt: skip
_INTEGERS = {
    "i": ("int", ("0", "1", "-1", "16777217", "2147483647", "(-2147483647 - 1)", "123456789")),
    "u": ("unsigned", ("0u", "1u", "4294967295u", "16777219u", "2147483649u")),
    "q": ("long long", ("0ll", "-1ll", "9007199254740993ll", "9223372036854775807ll", "1ll << 40")),
    "w": ("unsigned long long", ("0ull", "18446744073709551615ull", "9223372036854777857ull")),
}
_FITS = {"i": "1e9", "u": "4e9", "q": "9e18", "w": "1e19"}


def program(seed: int, *, long_double: bool = True, plain: bool = False) -> str:
    """The text of a program; a plain one prints NaN bit by bit too, and has no remainders. Of the
    others, each third one changes the rounding mode as it goes.

    >>> program(3) == program(3)
    True
    """
    modes = not plain and seed % 3 == 0
    return _Writer(Random(seed), "fdl" if long_double else "fd", plain, modes).text()


_ANY = """\
extern {word} __VERIFIER_nondet_{name}(void);
static {type} any_{kind}({type} wanted) {{
  union bits here, there;
  here.w = there.w = 0;
  there.{kind} = wanted;
  here.{field} = __VERIFIER_nondet_{name}();
  if (here.w != there.w) abort();
  return here.{kind};
}}
static void check_{kind}({type} x, unsigned long long bits) {{
  union bits here;
  here.w = 0;
  here.{kind} = x;
  if (here.w != bits) reach_error();
}}
"""
_WORDS = {"f": ("unsigned", "uint", "u"), "d": ("unsigned long long", "ulonglong", "w")}
_INPUT = re.compile(r"^  (float|double) ([fd]\d) = (.*);$", re.MULTILINE)
_SHOWN = re.compile(r'^  show_([fd])\("(\w+)", \w+\);$', re.MULTILINE)


def checked(text: str, bits: Mapping[str, int]) -> str:
    """A program with float and double alone: its numbers become inputs with the same values, and
    at its end numbers are compared with these bits instead of printed. A solver has to compute it.
    """
    head = "extern void reach_error(void);\n"
    for kind, (word, name, field) in _WORDS.items():
        values = {"kind": kind, "type": _TYPES[kind], "word": word, "name": name, "field": field}
        head += _ANY.format(**values)
    text = _INPUT.sub(lambda m: f"  {m[1]} {m[2]} = any_{m[2][0]}({m[3]});", text)
    text = _SHOWN.sub(lambda m: f"  check_{m[1]}({m[2]}, {bits[m[2]]:#x}ull);", text)
    text = re.sub(r"^  printf.*$", "", text, flags=re.MULTILINE)
    return text.replace("int main", head + "int main", 1)


class _Writer:
    def __init__(self, random: Random, kinds: str, plain: bool, modes: bool) -> None:
        self._random = random
        self._kinds = kinds
        self._plain = plain
        self._modes = modes

    def text(self) -> str:
        random = self._random
        lines = [_HEAD]
        for kind in self._kinds:
            type_, end = _TYPES[kind], _SUFFIX[kind]
            lines += [f"extern {type_} {name}{end}({type_});" for name in _FUNCTIONS]
            lines += [f"extern {type_} {name}{end}({type_}, {type_});" for name in _OF_TWO]
            lines.append(
                f"extern long lrint{end}({type_}); extern long long llround{end}({type_});"
            )
            last = {"f": 3, "d": 7, "l": 9}[kind]
            nan = "0" if self._plain else "x != x"
            lines.append(_SHOW.format(kind=kind, type=type_, last=last, nan=nan))
        lines.append("union bits { float f; unsigned u; double d; unsigned long long w; };")
        lines.append("int main(void) {\n  union bits b; b.w = 0;")
        for kind in self._kinds:
            for number in range(3):
                lines.append(
                    f"  {_TYPES[kind]} {kind}{number} = {random.choice(_CONSTANTS[kind])};"
                )
        for kind, (type_, values) in _INTEGERS.items():
            lines.append(f"  {type_} {kind}0 = {random.choice(values)};")
        lines += [f"  {line}" for _ in range(random.randint(6, 16)) for line in self._statement(2)]
        for kind in self._kinds:
            lines += [f'  show_{kind}("{kind}{n}", {kind}{n});' for n in range(3)]
        lines += [f'  printf("{k}0 = %lld\\n", (long long){k}0);' for k in _INTEGERS]
        return "\n".join([*lines, "  return 0;", "}", ""])

    def _var(self, kind: str) -> str:
        return f"{kind}{self._random.randrange(3)}"

    def _statement(self, depth: int) -> list[str]:
        random = self._random
        kind = random.choice(self._kinds)
        if self._modes and random.random() < 0.25:
            mode = random.choice((*_MODES, "0x1", "fegetround()"))
            return [f"i0 ^= fesetround({mode});"]
        match random.randrange(12 if depth else 9):
            case 0 | 1 | 2 | 3:
                return [f"{self._var(kind)} = {self._value(kind, 2)};"]
            case 4:
                integer = random.choice(tuple(_INTEGERS))
                value, fits = self._var(kind), _FITS[integer]
                low = "-1.0" if integer in "uw" else f"-{fits}"
                guard = f"{value} > {low} && {value} < {fits}"
                return [f"if ({guard}) {integer}0 = ({_INTEGERS[integer][0]}){value};"]
            case 5:
                return [f"i0 = {self._condition()};"]
            case 6:
                one, two = random.choice((("f", "u"), ("d", "w")))
                if random.random() < 0.5:
                    return [f"b.{one} = {self._var(one)};", f"{two}0 ^= b.{two};"]
                return [f"b.{two} = {two}0 & ~(~0{'ull' if two == 'w' else 'u'} << 20) | {two}0;",
                        f"if (b.{one} == b.{one}) {self._var(one)} = b.{one};"]  # fmt: skip
            case 7:
                return [f"{self._var(kind)} {random.choice('+-*/')}= {self._value(kind, 1)};"]
            case 8:
                end = _SUFFIX[kind]
                value = self._var(kind)
                call = random.choice((f"lrint{end}", f"llround{end}"))
                return [f"if ({value} > -1e9 && {value} < 1e9) q0 = {call}({value});"]
            case 9 | 10:
                inner = [f"  {line}" for line in self._statement(depth - 1)]
                other = [f"  {line}" for line in self._statement(depth - 1)]
                return [f"if ({self._condition()}) {{", *inner, "} else {", *other, "}"]
            case 11:
                inner = [f"  {line}" for line in self._statement(depth - 1)]
                name = f"n{depth}"
                return [f"for (int {name} = 0; {name} < {random.randint(2, 5)}; {name}++) {{",
                        *inner, "}"]  # fmt: skip
        return [f"{self._var(kind)} = -{self._var(kind)};"]

    def _condition(self) -> str:
        random = self._random
        kind = random.choice(self._kinds)
        one, two = self._value(kind, 1), self._value(kind, 1)
        match random.randrange(4):
            case 0:
                return f"__builtin_{random.choice(_TESTS)}({one}) != 0"
            case 1:
                return f"__builtin_{random.choice(_COMPARE)}({one}, {two})"
            case 2:
                return f"__builtin_signbit({one}) != 0 && {one} == {one}"
        return f"{one} {random.choice(('<', '<=', '>', '>=', '==', '!='))} {two}"

    def _value(self, kind: str, depth: int) -> str:
        random = self._random
        if depth == 0 or random.random() < 0.2:
            return self._var(kind) if random.random() < 0.7 else random.choice(_CONSTANTS[kind])
        match random.randrange(10):
            case 0 | 1 | 2 | 3 | 4:
                # never two constants: the compiler would compute, with signs of NaN of its own
                operator = random.choice("+-*/")
                return f"({self._var(kind)} {operator} {self._value(kind, depth - 1)})"
            case 5:
                other = random.choice(self._kinds)
                return f"({_TYPES[kind]}){self._value(other, depth - 1)}"
            case 6:
                return f"({_TYPES[kind]}){random.choice(tuple(_INTEGERS))}0"
            case 7:
                name = random.choice(_FUNCTIONS)
                return f"{name}{_SUFFIX[kind]}({self._value(kind, depth - 1)})"
            case 8:
                names = _OF_TWO[2:] if self._plain else _OF_TWO
                # rounded down, plus zero does not make a zero positive: see below
                name = random.choice(("copysign", "fdim") if self._modes else names)
                left, right = self._var(kind), self._value(kind, depth - 1)
                # plus zero: C leaves open which of two zeros fmax gives, and glibc's remainder
                # gives zeros of the wrong sign
                return f"({name}{_SUFFIX[kind]}({left}, {right}) + 0)"
        one, two = self._value(kind, depth - 1), self._value(kind, depth - 1)
        return f"({self._condition_of(kind)} ? {one} : {two})"

    def _condition_of(self, kind: str) -> str:
        return f"{self._var(kind)} {self._random.choice(('<', '<=', '=='))} {self._var(kind)}"
