# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests share the cores among processes: one thread each, or they fight.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest

.PHONY: setup demo test test-all lint bench clean

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[serve,train,dev]'
	touch $@

demo: setup
	$(BIN)/chef demo

test: setup lint
	$(PYTEST) -n 2 -m 'not slow'

test-all: setup lint
	$(PYTEST) -n 2

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python benchmarks/prepare.py

clean:
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .hypothesis
