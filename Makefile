# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests share the cores among processes: one thread each, or they fight.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest
# Real recipes for the benchmarks, where they are at hand (see CONTRIBUTING.md).
CHEF_DATA ?= ../shared/data
BENCH := out/bench
RUNS_TOGETHER ?= 1

# The page's tests drive a real browser.
APT := $(if $(filter 0,$(shell id -u)),apt-get,sudo apt-get)

.PHONY: setup browser demo test test-all lint experiments bench bench-variants bench-title clean

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[serve,train,ocr,dev]'
	touch $@

browser:
	command -v chromium > /dev/null || { $(APT) update -qq && $(APT) install -y -qq chromium; }

demo: setup
	$(BIN)/chef demo

test: setup browser lint
	$(PYTEST) -n 2 -m 'not slow'

# The fuzzer has no package for some systems: there its test is skipped.
test-all: setup browser lint
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fuzz]' \
		|| echo "atheris is not to be had here"
	$(PYTEST) -n 2

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# All experiments of the paper on the generated kitchen: three models, three seeds, one report. Under 15 minutes
# on two cores; a stopped one goes on. docs/reproduce.md has the other grids.
experiments: setup
	$(BIN)/python experiments/run.py experiments/kitchen.json --out out/experiments

bench: setup
	$(BIN)/python benchmarks/prepare.py speed $(CHEF_DATA)/open-recipes --recipes 2500
	$(BIN)/python benchmarks/ingredient_lines.py --data $(CHEF_DATA) --seed 2026
	$(BIN)/python benchmarks/canonical.py --data $(CHEF_DATA)/open-recipes --seed 1
	$(BIN)/python benchmarks/measure.py
	$(BIN)/python benchmarks/inference.py

# Every model of the paper and its peers on the generated kitchen, 3 seeds: for a GPU, with RUNS_TOGETHER=10 (and
# CUDA's MPS daemon running); days on a CPU. A stopped benchmark resumes.
bench-variants: $(BENCH)/prepared-0/manifest.json $(BENCH)/prepared-1/manifest.json
	$(BIN)/python benchmarks/variants.py $(BENCH)/prepared-0 --tower-data $(BENCH)/prepared-1 \
		--out $(BENCH)/variants --together $(RUNS_TOGETHER)

# Why the ingredient tree does not beat the first-listed ingredient; after bench-variants, whose tower it uses.
bench-title: setup
	$(BIN)/python benchmarks/title_and_tree.py $(BENCH)/prepared-0 --tower $(BENCH)/variants/tower \
		--out $(BENCH)/title-and-tree

# Kitchen 0 is what the models are compared on; kitchen 1 trains the image tower that they share.
$(BENCH)/prepared-%/manifest.json: | setup
	$(BIN)/chef kitchen $(BENCH)/kitchen-$* --recipes $(if $(filter 0,$*),10000,8000) --seed $* --size 112
	$(BIN)/chef prepare $(BENCH)/kitchen-$* $(BENCH)/prepared-$* --image-size 80

clean:
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .hypothesis
