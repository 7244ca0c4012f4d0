"""Boolean programs and bebop, a symbolic model checker for them.

>>> program = parse("decl g; void main() begin g := *; assert(g); end")
>>> result = check(program)
>>> assert isinstance(result, Violated)
>>> result.run.length
2
>>> print(show(program), end="")
decl g;
<BLANKLINE>
void main() begin
  g := *;
  assert(g);
end
"""

from .limits import CheckLimits
from .model_check import Proved, Result, Violated, check
from .parse import parse, parse_file
from .show import show
from .syntax import Program

__all__ = [
    "CheckLimits",
    "Program",
    "Proved",
    "Result",
    "Violated",
    "check",
    "parse",
    "parse_file",
    "show",
]
