"""A verdict that rests on pointers from outside leading elsewhere says so, also after slicing."""

from __future__ import annotations

from pathlib import Path

import predabs

_PROGRAM = """
extern int *getp(void);
extern void reach_error(void);
int ga = 1;
int *keep = &ga;
int main(void)
{
  int *p = getp();
  *p = 7;
  if (ga == 7)
    reach_error();
  return 0;
}
"""


def _check(folder: Path, text: str, **options: str) -> predabs.Result:
    file = folder / "a.c"
    file.write_text(text)
    return predabs.check([str(file)], **options)


def _named(result: predabs.Result) -> bool:
    return any("pointer from outside" in line for line in result.assumptions)


def test_a_write_that_slicing_left_out_is_named(tmp_path: Path) -> None:
    result = _check(tmp_path, _PROGRAM)
    assert result.verdict is predabs.Answer.TRUE
    assert _named(result)


def test_the_write_counts_if_the_pointer_may_lead_there(tmp_path: Path) -> None:
    assert _check(tmp_path, _PROGRAM, extern_pointers="any").verdict is predabs.Answer.FALSE


def test_nothing_is_named_where_no_address_is_taken(tmp_path: Path) -> None:
    result = _check(tmp_path, _PROGRAM.replace("int *keep = &ga;", ""))
    assert result.verdict is predabs.Answer.TRUE
    assert not _named(result)
