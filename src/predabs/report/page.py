"""`--report`: one page for the browser that holds all it needs, and asks no network for more.

The template is Jinja2's, with all text escaped; the values for the scripts are JSON in which no
character can end the element that holds it. A content security policy forbids everything else.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files as resources
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from .. import __version__
from ..pipeline.advice import advice
from ..pipeline.explanation import explanation
from ..pipeline.json_report import report
from ..pipeline.result import Answer, Result
from .page_data import PageData

# in the order in which they are loaded
_SCRIPTS = ("dom", "layout", "graph", "source", "run", "proof", "rounds", "timing", "page")
_CODE = re.compile("`([^`]*)`")
_VERDICTS = {"TRUE": "holds", "FALSE": "is violated", "UNKNOWN": "is open"}


def page(result: Result, files: tuple[str, ...]) -> str:
    """The page about the result of a check of these files."""
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["code"] = _with_code
    template = environment.from_string(_asset("page.html"))
    scripts = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    sentences = explanation(report(result))
    violation = result.violation
    return template.render(
        version=__version__,
        files=files,
        result=result,
        verdict=result.verdict.value,
        judged=(violation and violation.subproperty) or result.property,
        meaning=_VERDICTS[result.verdict.value],
        why=sentences[0],
        sentences=sentences[result.verdict is Answer.UNKNOWN :],
        advice=advice(result),
        assumptions=result.all_assumptions(),
        style=Markup(_asset("page.css")),
        scripts=Markup(scripts),
        data=Markup(script_json(PageData(result, files).values())),
    )


def _with_code(text: str) -> Markup:
    """A sentence as markup, with what stands between backticks as code.

    >>> _with_code("`x` < 3")
    Markup('<code>x</code> &lt; 3')
    """
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def script_json(values: Any) -> str:
    """JSON for an element of a page: nothing in it is taken for markup.

    >>> script_json({"x": "</script><b>&"})
    '{"x":"\\\\u003c/script\\\\u003e\\\\u003cb\\\\u003e\\\\u0026"}'
    """
    text = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    # half of a pair of surrogates is no character of a file
    return text.encode("utf-8", "replace").decode("utf-8")


def _asset(name: str) -> str:
    return (resources(__package__) / "assets" / name).read_text("utf-8")
