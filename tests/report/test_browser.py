"""The page of `--report` in a real browser: Debian's Chromium without a window.

It goes through a run to the error, reads the values there, opens a node of the tree, folds a long
file, and changes from light to dark. Where there is no Chromium, that is said and it is skipped.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import predabs
from predabs.report.page import page
from support.c_programs import write_c
from support.places import ROOT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="no browser: chromium and chromium-driver (Debian's packages) are not installed",
)

Browser = webdriver.Chrome
LOCKS = """
int held;
void lock(void) { if (held) reach_error(); held = 1; }
void unlock(void) { if (!held) reach_error(); held = 0; }
int main(void) {
  int old, now = 0;
  do {
    lock();
    old = now;
    if (__VERIFIER_nondet_int()) { unlock(); now++; }
  } while (old != now);
  unlock();
  return 0;
}
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for word in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{word}")
    options.add_argument("--window-size=1400,900")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with webdriver.Chrome(options=options, service=Service(DRIVER)) as driver:
        yield driver


Open = Callable[..., None]


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens the page about a check; at the end, the browser must not have complained."""

    def shown(file: str, **options: Any) -> None:
        result = predabs.check([file], timeout=60, record=True, **options)
        out = tmp_path / "out.html"
        out.write_text(page(result, (file,)), "utf-8")
        browser.get(out.as_uri())
        WebDriverWait(browser, 60).until(
            lambda driver: driver.find_elements(By.CSS_SELECTOR, "html[data-ready='yes']")
        )

    yield shown
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def text(browser: Browser, selector: str) -> str:
    return browser.find_element(By.CSS_SELECTOR, selector).text


def click(browser: Browser, selector: str) -> None:
    browser.find_element(By.CSS_SELECTOR, selector).click()


def press(browser: Browser, *keys: str) -> None:
    webdriver.ActionChains(browser).send_keys(*keys).perform()


def current_line(browser: Browser) -> str:
    return text(browser, "#code .row.here .no")


def test_a_run_step_by_step(browser: Browser, show: Open) -> None:
    show(str(ROOT / "examples" / "queue.c"))
    assert text(browser, "#verdict") == "FALSE"
    assert text(browser, "#step").startswith("step 1 of ") and current_line(browser) == "37"
    press(browser, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert text(browser, "#step").startswith("step 3 of ") and current_line(browser) == "14"
    assert text(browser, "#stack").splitlines() == ["submit line 14", "main line 38"]
    assert text(browser, "#values tr[data-name='request']").split() == ["request", "7"]
    press(browser, Keys.ARROW_LEFT)
    assert current_line(browser) == "38"
    steps = int(text(browser, "#step").split()[-1])
    browser.execute_script(  # type: ignore[no-untyped-call]
        "const s = document.querySelector('#slider'); s.value = 5;"
        "s.dispatchEvent(new Event('input'))"
    )
    assert text(browser, "#step") == f"step 6 of {steps}"
    assert text(browser, "#values tr.changed").split() == ["waiting", "1"]
    click(browser, "button[title^='To the error']")
    assert text(browser, "#step") == f"step {steps} of {steps}" and current_line(browser) == "41"
    assert "assertion failed: waiting <= SIZE" in text(browser, "#now")
    assert text(browser, "#values tr[data-name='waiting']").split() == ["waiting", "3"]
    assert "fault" in (
        browser.find_element(By.CSS_SELECTOR, "[data-line='41']").get_attribute("class") or ""
    )


def test_a_tree_can_be_asked(browser: Browser, show: Open, tmp_path: Path) -> None:
    show(write_c(tmp_path, LOCKS), engine="lazy")
    assert "held == 0" in text(browser, ".row.invariant")
    click(browser, "#tab-tree")
    nodes = browser.find_elements(By.CSS_SELECTOR, "#tree .node")
    assert len(nodes) >= 3
    covered = browser.find_element(By.CSS_SELECTOR, "#tree .node.covered")
    covered.click()
    assert "held == 0" in text(browser, "#region") and "covered by" in text(browser, "#node")
    assert current_line(browser) in text(browser, "#node h3")
    click(browser, "#tab-rounds")
    assert text(browser, "#round").startswith("round 1 of ")
    assert "[held != 0]" in text(browser, "#path .core")
    press(browser, Keys.ARROW_RIGHT)
    assert text(browser, "#round").startswith("round 2 of ")
    click(browser, "#tab-automata")
    assert "lock();" in text(browser, "#automaton")
    assert len(browser.find_elements(By.CSS_SELECTOR, "#automaton .node.head")) == 1
    before = browser.find_element(By.CSS_SELECTOR, "#automaton svg > g").get_attribute("transform")
    click(browser, "#automaton button[title^='Zoom in']")
    after = browser.find_element(By.CSS_SELECTOR, "#automaton svg > g").get_attribute("transform")
    assert before != after
    click(browser, "#tab-time")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".chart rect")) >= 3
    shot = tmp_path / "tree.png"
    assert browser.save_screenshot(str(shot)) and shot.stat().st_size > 10_000


def test_light_and_dark(browser: Browser, show: Open, tmp_path: Path) -> None:
    show(write_c(tmp_path, "int main(void) { return 0; }"))
    theme = "return getComputedStyle(document.body).backgroundColor"
    first = browser.execute_script(theme)  # type: ignore[no-untyped-call]
    press(browser, "t")
    assert browser.execute_script(theme) != first  # type: ignore[no-untyped-call]
    press(browser, "t")
    assert browser.execute_script(theme) == first  # type: ignore[no-untyped-call]


def test_markup_shows_as_text(browser: Browser, show: Open, tmp_path: Path) -> None:
    bad = "</script><b>bold</b><img src=x onerror=alert(1)>"
    source = f"""
int main(void) {{
  const char *s = "{bad}";
  if (s[0] == '<') __assert_fail("{bad}", "f", 1, "g");
  return 0;
}}"""
    show(write_c(tmp_path, source, "<b>&.c"))
    assert bad in text(browser, "[data-line='3']")
    press(browser, Keys.END)
    assert bad in text(browser, "#now") and "<b>&.c" in text(browser, ".about")
    assert browser.find_elements(By.CSS_SELECTOR, "img, .code b, #now b") == []


def test_a_long_file_has_few_elements(browser: Browser, show: Open, tmp_path: Path) -> None:
    """Lines out of sight are no elements, and lines that have no say are folded."""
    many = "".join(f"int unused_{n}(int x) {{ return x + {n}; }}\n" for n in range(12_000))
    show(write_c(tmp_path, f"\n{many}int main(void) {{\n  reach_error();\n  return 0;\n}}\n"))
    assert current_line(browser) == "12003"
    assert "lines folded" in text(browser, "#code .fold")
    press(browser, "f")
    assert len(browser.find_elements(By.CSS_SELECTOR, "#code .row")) < 200
    assert current_line(browser) == "12003"


def test_print_has_all(browser: Browser, show: Open) -> None:
    show(str(ROOT / "examples" / "queue.c"))
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")  # type: ignore[no-untyped-call]
    printed = browser.find_element(By.ID, "print").get_attribute("textContent") or ""
    assert "assert(waiting <= SIZE);" in printed and "submit(7);" in printed
    assert "lock has no body" in printed


LIST = """
#include <stdlib.h>
struct node { struct node *next; int v; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = head;
    head = n;
  }
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
"""


def test_shapes_of_memory(browser: Browser, show: Open, tmp_path: Path) -> None:
    show(write_c(tmp_path, LIST), engine="smg", checks=["memory"])
    assert text(browser, "#verdict") == "TRUE"
    click(browser, "#tab-shapes")
    seen = set()
    for _ in browser.find_elements(By.CSS_SELECTOR, "#shape option"):
        nodes = browser.find_elements(By.CSS_SELECTOR, "#shapes .node")
        seen |= {node.text.splitlines()[0] for node in nodes}
        click(browser, "#panel-shapes button[title='The next shape']")
    assert {"head", "null"} <= seen
    assert any("list of" in one and "or more nodes, next at +0" in one for one in seen)
    browser.find_elements(By.CSS_SELECTOR, "#shapes .node.variable")[0].click()
    assert "head" in text(browser, "#panel-shapes .details h3")


def test_what_stands_in_the_way(browser: Browser, show: Open, tmp_path: Path) -> None:
    """The summary of an UNKNOWN names the engine and the place, and a link leads there."""
    source = "volatile int v;\nint main(void) {\n  v = 1;\n  if (v != 1) reach_error();\n}\n"
    show(write_c(tmp_path, source))
    assert text(browser, "#verdict") == "UNKNOWN"
    assert "neither proved nor violated" in text(browser, "#reason")
    assert len(browser.find_elements(By.CSS_SELECTOR, "#standing tr")) >= 1
