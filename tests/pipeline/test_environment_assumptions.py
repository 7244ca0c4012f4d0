"""A verdict that rests on pointers from outside leading elsewhere says so, also after slicing."""

from __future__ import annotations

from pathlib import Path

import pytest

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


def test_a_global_that_another_file_can_name_counts(tmp_path: Path) -> None:
    result = _check(tmp_path, _PROGRAM.replace("int *keep = &ga;", ""))
    assert result.verdict is predabs.Answer.TRUE
    assert _named(result)


def test_nothing_is_named_where_nobody_can_have_the_address(tmp_path: Path) -> None:
    text = _PROGRAM.replace("int *keep = &ga;", "").replace("int ga", "static int ga")
    result = _check(tmp_path, text)
    assert result.verdict is predabs.Answer.TRUE
    assert not _named(result)


@pytest.mark.parametrize("condition", ["p == q", "(long)p == (long)q"])
def test_a_comparison_with_an_object_of_the_program_is_named(
    condition: str, tmp_path: Path
) -> None:
    body = f"int *p = getp(), *q = &ga; if ({condition}) reach_error();"
    start, _ = _PROGRAM.split("int main")
    result = _check(tmp_path, f"{start} int main(void) {{ {body} return 0; }}")
    assert result.verdict is predabs.Answer.TRUE
    assert _named(result)


def test_a_comparison_with_null_is_not(tmp_path: Path) -> None:
    start, _ = _PROGRAM.split("int main")
    text = f"{start} int main(void) {{ int *p = getp(); return p ? *keep : p == 0; }}"
    assert not _named(_check(tmp_path, text))
