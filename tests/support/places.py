"""Where things are in the checkout, found from its pyproject.toml, whatever folder a test is in."""

from __future__ import annotations

from pathlib import Path

ROOT = next(
    folder for folder in Path(__file__).resolve().parents if (folder / "pyproject.toml").exists()
)
DOCS = ROOT / "docs"
TESTS = ROOT / "tests"
PROGRAMS = TESTS / "programs"
BOOLEAN_PROGRAMS = PROGRAMS / "boolean"
ANALYSIS_PROGRAMS = PROGRAMS / "analysis"
