# Every target sets up what it needs: a virtual environment in .venv with the project inside.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
N ?= 1000

.PHONY: demo test test-long check format fuzz bench docs clean help

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | sort

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "predabs needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,polyhedra,cluster]'
	@touch $@

demo: $(READY)  ## look at a small C program as an automaton and run it
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(READY)  ## the tests, save the long ones (14 minutes on two cores)
	$(BIN)/python -m pytest -n 2 -m "not long" tests src/predabs

test-long: $(READY)  ## long comparisons: random programs, all engines on all programs
	$(BIN)/python -m pytest -n 2 -m long tests

check: $(READY)  ## format, lint, types, import cycles
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -p no:cacheprovider tests/test_imports.py

format: $(READY)  ## rewrite the sources in the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(READY)  ## build the pages as a site (site/index.html); a link that leads nowhere is an error
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

fuzz: $(READY)  ## compare interpreter and compiler on N random programs (N=1000)
	$(BIN)/python -m fuzz --count $(N)

bench: $(READY)  ## measure (tasks beside the checkout, where they are)
	$(BIN)/python -m bench

clean:  ## remove the virtual environment and all caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist site
