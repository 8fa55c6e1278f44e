# Two commands do everything on a fresh machine: `make report` runs the main job, `make test` runs what CI runs.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
READY   = $(VENV)/.ready

.PHONY: report test lint bench wheel clean

report: $(READY)
	$(BIN)/steelyard report debrium --out report

test: lint
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/steelyard bench

# What an earlier build left would be packed as well: setuptools copies into build/lib and takes all that lies there.
wheel: $(READY)
	rm -rf build dist
	$(BIN)/python -m build --wheel

clean:
	rm -rf build dist report *.egg-info

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test]"
	touch $(READY)
