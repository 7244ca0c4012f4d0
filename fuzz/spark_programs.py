"""Random SPARK programs, for the comparison with gnat.

Each is a procedure with types of all kinds, functions and procedures with contracts, loops that
end, and output of what it computes. Variables have values before they are read. A line holds one
statement, so that a run-time error has one line. Literals stand beside variables only: gnat refuses
static expressions that overflow.
"""

from __future__ import annotations

from random import Random

_INTEGERS = {
    "Integer": (-2147483648, 2147483647),
    "Natural": (0, 2147483647),
    "Small": (-10, 20),
    "Count": (0, 100),
    "Long_Integer": (-(2**63), 2**63 - 1),
}
_BASE = {"Natural": "Integer", "Small": "Integer", "Integer": "Integer"}
_MODULAR = {"Byte": 256, "Ten": 10, "Word": 2**32, "Odd": 1000}
_FOLDED = {"Integer": 1009, "Natural": 97, "Small": 20, "Count": 90, "Long_Integer": 10**12}
_COLORS = ("Red", "Green", "Blue", "Black")
_TYPES = """\
   subtype Small is Integer range -10 .. 20;
   type Count is range 0 .. 100;
   type Byte is mod 256;
   type Ten is mod 10;
   type Odd is mod 1000;
   type Word is mod 2 ** 32;
   type Color is (Red, Green, Blue, Black);
   subtype Warm is Color range Red .. Green;
   type Row_Type is array (Integer range <>) of Small;
   subtype Vector is Row_Type (1 .. 6);
   type Table is array (Color) of Integer;
   type Grid is array (0 .. 2, Boolean) of Byte;
   type Pair is record
      Left  : Integer;
      Right : Color;
      Row   : Vector;
   end record;
"""
_ARRAYS = """\
function Sum (A : Row_Type) return Integer is
   Total : Integer := A'First;
begin
   for E of A loop
      Total := Total + E * {factor};
   end loop;
   for Q in A'First .. A'Last - 1 loop
      Total := Total + A (Q) * A (Q + 1);
   end loop;
   return Total + A'Length;
end Sum;
function Flip (A : Vector) return Vector is
   B : Vector := A;
begin
   for Q in A'Range loop
      B (Q) := A (A'Last + A'First - Q);
   end loop;
   return B;
end Flip;
"""


class _Writer:
    """One program while it is written."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.name = f"P_{seed}"
        self.lines: list[str] = []
        self.readable: dict[str, list[str]] = {}  # expressions for each type
        self.writable: dict[str, list[str]] = {}
        self.functions = False
        self.loops = 0
        self.depth = 1

    def line(self, text: str) -> None:
        self.lines.append("   " * self.depth + text)

    def pick(self, items: list[str]) -> str:
        return self.random.choice(items)

    # --- expressions ----------------------------------------------------------------------------

    def names(self, type_: str) -> list[str]:
        base = _BASE.get(type_, type_)
        return [
            one
            for kind, found in self.readable.items()
            if _BASE.get(kind, kind) == base
            for one in found
        ]

    def literal(self, type_: str) -> str:
        if type_ in _MODULAR:
            return str(
                self.random.choice(
                    [0, 1, _MODULAR[type_] - 1, self.random.randrange(_MODULAR[type_])]
                )
            )
        if type_ == "Color":
            return self.pick(list(_COLORS))
        if type_ == "Boolean":
            return self.pick(["True", "False"])
        low, high = _INTEGERS[type_]
        number = self.random.choice([0, 1, 2, 3, 7, 13, 100, self.random.randint(-50, 50)])
        if self.random.random() < 0.08:
            number = self.random.choice([low, high])
        number = min(max(number, low), high)
        if number == -(2**63):
            return "Long_Integer'First"
        return f"({number})" if number < 0 else str(number)

    def leaf(self, type_: str) -> str:
        """Something that is not static."""
        names = self.names(type_)
        if type_ in ("Integer", "Natural", "Small") and self.random.random() < 0.3:
            return self.pick(
                [
                    f"V ({self.index(1, 6)})",
                    f"T ({self.expr('Color', 1)})",
                    f"R.Row ({self.index(1, 6)})",
                    "R.Left",
                ]
            )
        if type_ == "Byte" and self.random.random() < 0.3:
            return f"G ({self.index(0, 2)}, {self.expr('Boolean', 1)})"
        return self.pick(names)

    def index(self, low: int, high: int) -> str:
        if self.random.random() < 0.6:
            return str(self.random.randint(low, high))
        name = self.pick(self.names("Integer"))
        if self.random.random() < 0.95:
            return f"{name} mod {high - low + 1} + {low}"
        return name

    def expr(self, type_: str, depth: int) -> str:
        roll = self.random.random()
        if depth <= 0 or roll < 0.15:
            if self.random.random() < 0.75:
                return self.leaf(type_)
            return str(self.random.randint(0, 9)) if type_ in _BASE else self.literal(type_)
        if type_ == "Boolean":
            return self.truth(depth)
        if type_ == "Color":
            return self.color(depth)
        if roll < 0.25:
            other = self.pick(["Integer", "Count", "Byte", "Ten", "Odd", "Small"])
            if other != type_:
                return f"{type_} ({self.inner(other, depth)})"
        if roll < 0.32:
            test, other = self.expr("Boolean", depth - 1), self.expr(type_, depth - 1)
            return f"(if {test} then {self.leaf(type_)} else {other})"
        if roll < 0.36:
            end = self.pick(["Max", "Min"])
            return f"{type_}'{end} ({self.leaf(type_)}, {self.expr(type_, depth - 1)})"
        if type_ in ("Integer", "Natural", "Small"):
            if roll < 0.44 and self.functions:
                return self.pick(
                    [
                        f"F1 ({self.expr('Integer', depth - 1)}, {self.expr('Small', 1)})",
                        f"F2 (V, {self.expr('Integer', 1)})",
                        f"Sum ({self.row()})",
                        f"Sum ({self.row()})",
                    ]
                )
            if roll < 0.48:
                return f"Color'Pos ({self.expr('Color', depth - 1)}) + {self.leaf(type_)}"
        return self.arithmetic(type_, depth)

    def row(self) -> str:
        """An array, or a slice of one, that a parameter without bounds can have."""
        name = self.pick(["V", "R.Row"])
        low = self.random.randint(1, 6)
        high = self.random.randint(low, 6)
        return self.pick([name, f"{name} ({low} .. {high})", f"Flip ({name})"])

    def inner(self, type_: str, depth: int) -> str:
        """What is converted. gnat computes an operation of a narrow type in the type that it is
        converted to, where it does not overflow; predabs computes in its own."""
        narrow = type_ == "Count" or depth <= 1
        return self.leaf(type_) if narrow else self.arithmetic(type_, depth - 1)

    def arithmetic(self, type_: str, depth: int) -> str:
        left = (
            self.leaf(type_)
            if self.random.random() < 0.6
            else f"({self.nonstatic(type_, depth - 1)})"
        )
        if type_ in _MODULAR:
            op = self.pick(["+", "-", "*", "/", "mod", "rem", "and", "or", "xor", "+", "-", "*"])
            if _MODULAR[type_] & (_MODULAR[type_] - 1) and op in ("and", "or", "xor"):
                op = "+"
            if self.random.random() < 0.1:
                return f"{self.pick(['not', '-'])} {self.leaf(type_)}".replace("- ", "-")
        else:
            op = self.pick(["+", "-", "*", "/", "mod", "rem", "+", "-", "+"])
            if self.random.random() < 0.1:
                return self.pick(
                    [
                        f"abs {self.leaf(type_)}",
                        f"(-{self.leaf(type_)})",
                        f"{self.leaf(type_)} ** 2",
                    ]
                )
        right = self.expr(type_, depth - 1)
        if op in ("/", "mod", "rem") and self.random.random() < 0.9:
            right = str(self.random.randint(2, 9))  # gnat evaluates no operand of `mod 1`
        return f"{left} {op} ({right})"

    def nonstatic(self, type_: str, depth: int) -> str:
        return (
            f"{self.leaf(type_)} + ({self.expr(type_, depth)})"
            if type_ != "Color"
            else self.leaf(type_)
        )

    def truth(self, depth: int) -> str:
        type_ = self.pick(["Integer", "Count", "Byte", "Ten", "Color", "Word", "Odd", "Small"])
        roll = self.random.random()
        if roll < 0.45:
            op = self.pick(["=", "/=", "<", "<=", ">", ">="])
            return f"{self.leaf(type_)} {op} {self.simple(type_, depth)}"
        if roll < 0.6:
            op = self.pick(["and then", "or else", "and", "or", "xor"])
            return f"({self.expr('Boolean', depth - 1)}) {op} ({self.expr('Boolean', depth - 1)})"
        if roll < 0.68:
            return f"not ({self.expr('Boolean', depth - 1)})"
        if roll < 0.78:
            low = self.random.randint(-5, 5)
            word = self.pick(["in", "not in"])
            return f"{self.leaf('Integer')} {word} {low} .. {low + self.random.randint(-1, 9)}"
        if roll < 0.84:
            return f"{self.leaf('Color')} in Warm"
        if roll < 0.94:
            every = self.pick(["all", "some"])
            bound = self.pick(["V'Range", "1 .. 3", "V'First .. V'Last - 1"])
            sign = self.pick(["<", ">=", "/="])
            if self.random.random() < 0.3:
                array = self.pick(["V", "R.Row"])
                return f"(for {every} Q of {array} => Q {sign} {self.leaf('Integer')})"
            return f"(for {every} Q in {bound} => V (Q) {sign} {self.leaf('Integer')})"
        return self.pick(
            [*self.names("Boolean"), "V = R.Row", "V (1 .. 2) = R.Row (3 .. 4)", "V (2 .. 3) /= V"]
        )

    def simple(self, type_: str, depth: int) -> str:
        """An operand of a comparison."""
        return f"({self.expr(type_, depth - 1)})" if type_ != "Color" else self.leaf("Color")

    def color(self, depth: int) -> str:
        test, one, two = self.expr("Boolean", depth - 1), self.leaf("Color"), self.leaf("Color")
        return self.pick(
            [
                f"Color'{self.pick(['Succ', 'Pred'])} ({self.leaf('Color')})",
                f"Color'Val ({self.leaf('Integer')} mod 4)",
                f"(if {test} then {one} else {two})",
                f"Color'Val ({self.leaf('Integer')} mod 4)",
                f"Color'Max ({self.leaf('Color')}, {self.leaf('Color')})",
            ]
        )

    # --- statements -----------------------------------------------------------------------------

    def statement(self, depth: int) -> None:
        roll = self.random.random()
        if depth <= 0 or roll < 0.5:
            self.assignment()
        elif roll < 0.65:
            self.line(f"if {self.expr('Boolean', 2)} then")
            self.block(depth - 1)
            if self.random.random() < 0.4:
                self.line(f"elsif {self.expr('Boolean', 2)} then")
                self.block(depth - 1)
            if self.random.random() < 0.6:
                self.line("else")
                self.block(depth - 1)
            self.line("end if;")
        elif roll < 0.78:
            self.loop(depth)
        elif roll < 0.86:
            self.case(depth)
        elif roll < 0.92:
            self.show()
        elif self.functions:
            self.line(
                self.pick(
                    [
                        f"Change ({self.pick(self.writable['Integer'])}, {self.expr('Small', 2)});",
                        "Turn (V, T);",
                        "Turn (R.Row, T);",
                        f"Change (By => {self.expr('Small', 2)}, What => R.Left);",
                        f"Change (T ({self.leaf('Color')}), {self.leaf('Integer')});",
                    ]
                )
            )
        else:
            self.assignment()

    def assignment(self) -> None:
        roll = self.random.random()
        if roll < 0.7:
            type_ = self.pick(list(self.writable))
            name = self.pick(self.writable[type_])
            value = self.expr(type_, 3)
            if type_ in _FOLDED and self.random.random() < 0.8:
                value = f"({value}) mod {_FOLDED[type_]}"
            self.line(f"{name} := {value};")
        elif roll < 0.78:
            self.line(
                f"V ({self.index(1, 6)}) := "
                f"({self.expr('Small', 2)}) mod {self.pick(['9', '20', '22'])};"
            )
        elif roll < 0.84:
            self.line(f"T ({self.expr('Color', 1)}) := {self.expr('Integer', 2)};")
        elif roll < 0.88:
            self.line(
                f"G ({self.index(0, 2)}, {self.expr('Boolean', 1)}) := {self.expr('Byte', 2)};"
            )
        elif roll < 0.92:
            self.line(
                f"R := (Left => {self.expr('Integer', 2)}, "
                f"Right => {self.expr('Color', 1)}, Row => V);"
            )
        elif roll < 0.95:
            self.line(
                f"V := (2 => {self.leaf('Integer')}, "
                f"4 .. 5 => 3, others => {self.leaf('Integer')});"
            )
        elif roll < 0.97:
            low, to = self.random.randint(1, 3), self.random.randint(1, 3)
            size = self.random.randint(0, 3)
            parts = (
                f"V ({to} .. {to + size}) := {self.pick(['V', 'R.Row'])} ({low} .. {low + size});"
            )
            self.line(self.pick(["V := R.Row;", parts, parts]))
        else:
            self.line(f"pragma Assert ({self.expr('Boolean', 2)});")

    def block(self, depth: int) -> None:
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth)
        self.depth -= 1

    def loop(self, depth: int) -> None:
        self.loops += 1
        name = f"I{self.loops}"
        if self.random.random() < 0.2:
            self.line(
                f"for {name} of {self.pick(['', 'reverse '])}{self.pick(['V', 'R.Row'])} loop"
            )
            self.readable["Small"].append(name)
            self.block(depth - 1)
            self.readable["Small"].remove(name)
            if self.random.random() < 0.5:
                self.line(f"   {name} := ({self.expr('Small', 1)}) mod 20;")
            self.line("end loop;")
            return
        if self.random.random() < 0.6:
            low, high = self.random.randint(-2, 4), self.random.randint(0, 6)
            bounds = self.pick(
                [f"{low} .. {high}", "V'Range", f"{low} .. Small'Min ({self.leaf('Integer')}, 5)"]
            )
            reverse = self.pick(["", "reverse "])
            self.line(f"for {name} in {reverse}{bounds} loop")
            self.readable["Integer"].append(name)
            self.block(depth - 1)
            if self.random.random() < 0.2:
                known = self.pick(self.writable["Integer"])
                sign = self.pick([">=", "<=", "=", "/="])
                claim = f"{known} {sign} {known}'Loop_Entry or V = V'Loop_Entry"
                self.line(f"   pragma Loop_Invariant ({claim});")
            if self.random.random() < 0.3:
                self.depth += 1
                self.line(f"exit when {self.expr('Boolean', 2)};")
                self.depth -= 1
            self.readable["Integer"].remove(name)
        else:
            self.line("declare")
            self.line(f"   {name} : Integer := 0;")
            self.line("begin")
            self.line(
                f"while {name} < {self.random.randint(1, 6)} "
                f"and then ({self.expr('Boolean', 2)}) loop"
            )
            self.line(f"   {name} := {name} + 1;")
            self.readable["Integer"].append(name)
            self.block(depth - 1)
            self.readable["Integer"].remove(name)
            self.line("end loop;")
            self.line("end;")
            return
        self.line("end loop;")

    def case(self, depth: int) -> None:
        if self.random.random() < 0.5:
            self.line(f"case {self.leaf('Color')} is")
            self.line("   when Red | Blue =>")
            self.block(depth - 1)
            self.line("   when Green | Black =>")
            self.block(depth - 1)
        else:
            self.line(f"case {self.pick(self.writable['Integer'])} is")
            self.line(f"   when {self.random.randint(-9, 0)} .. {self.random.randint(1, 5)} | 9 =>")
            self.block(depth - 1)
            self.line("   when others =>")
            self.block(depth - 1)
        self.line("end case;")

    def show(self) -> None:
        type_ = self.pick(list(self.writable))
        name = self.pick(self.writable[type_])
        self.line(f'Put_Line ("{name}" & {type_}\'Image ({name}));')

    # --- the program ----------------------------------------------------------------------------

    def text(self) -> str:
        self.lines = ["with Ada.Text_IO; use Ada.Text_IO;", f"procedure {self.name} is"]
        self.lines += _TYPES.rstrip("\n").split("\n")
        for type_ in (
            "Integer",
            "Natural",
            "Small",
            "Count",
            "Byte",
            "Ten",
            "Odd",
            "Word",
            "Color",
            "Boolean",
            "Long_Integer",
        ):
            names = [f"{type_[0]}{type_[-1]}{number}" for number in (1, 2)]
            self.readable[type_], self.writable[type_] = list(names), list(names)
            for name in names:
                self.line(f"{name} : {type_} := {self.literal(type_)};")
        self.line("V : Vector := (1, 2, 3, -4, 5, 20);")
        self.line("T : Table := (Red => 3, others => -1);")
        self.line("G : Grid := (others => (others => 200));")
        self.line("R : Pair := (7, Blue, (others => 2));")
        self.subprograms()
        self.functions = True
        self.lines.append("begin")
        for _ in range(self.random.randint(6, 14)):
            self.statement(2)
        for type_, names in self.writable.items():
            for name in names:
                self.line(f'Put_Line ("{name}" & {type_}\'Image ({name}));')
        self.line("for Q in V'Range loop")
        self.line("   Put_Line (Small'Image (V (Q)) & Small'Image (R.Row (Q)));")
        self.line("end loop;")
        self.line(
            "Put_Line (Integer'Image (T (Red)) & Integer'Image (T (Black)) "
            "& Integer'Image (R.Left));"
        )
        self.line("Put_Line (Byte'Image (G (0, True)) & Byte'Image (G (2, False)));")
        self.lines.append(f"end {self.name};")
        return "\n".join(self.lines) + "\n"

    def subprograms(self) -> None:
        readable = {type_: list(names) for type_, names in self.readable.items()}
        self.line("function F1 (A : Integer; B : Small := 3) return Natural is")
        self.line("begin")
        self.readable["Integer"] += ["A"]
        self.readable["Small"] += ["B"]
        self.line(f"   if {self.expr('Boolean', 2)} then")
        self.line(f"      return {self.expr('Natural', 2)};")
        self.line("   end if;")
        self.line(f"   return {self.expr('Natural', 2)};")
        self.line("end F1;")
        self.readable = {type_: list(names) for type_, names in readable.items()}
        self.line(
            f"function F2 (X : Vector; K : Integer) return Integer is (X ({self.index(1, 6)}) + K);"
        )
        for line in _ARRAYS.format(factor=self.random.randint(1, 9)).rstrip("\n").split("\n"):
            self.line(line)
        self.line("procedure Change (What : in out Integer; By : in Small)")
        bound = self.pick(["-5", "-20", "-20", "3"])
        self.line(
            f"  with Pre => By > {bound}, "
            f"Post => What - What'Old <= {self.pick(['20', '61', '100', '100'])} is"
        )
        self.line("begin")
        self.line(f"   What := What + By * {self.random.randint(1, 3)};")
        self.line("end Change;")
        self.line("procedure Turn (X : in out Vector; Y : in out Table) is")
        self.line("   Old : Small;")
        self.line("begin")
        self.line("   Old := X (1);")
        self.line("   for Q in X'First .. X'Last - 1 loop")
        self.line("      X (Q) := X (Q + 1);")
        self.line("   end loop;")
        self.line("   X (6) := Old;")
        self.line(f"   Y (Color'Val (X (2) mod 4)) := Y (Red) + {self.random.randint(1, 9)};")
        self.line("end Turn;")


def program(seed: int) -> str:
    """The text of the program `P_<seed>`."""
    return _Writer(seed).text()
