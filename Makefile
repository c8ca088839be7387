# Everything a developer or an operator types. `make help` lists it.
# Each target installs what it needs into .venv, and again only when a lock file changed.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
LOCK   := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes \
          --no-emit-index-url --no-annotate --no-header --quiet

RUNTIME := $(VENV)/.runtime-installed
DEV     := $(VENV)/.dev-installed

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "docsmcp needs Python 3.11 or later: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.build-installed: requirements/build.txt | $(BIN)/python
	$(PIP) install --require-hashes -r requirements/build.txt
	@touch $@

$(RUNTIME): requirements/runtime.txt pyproject.toml $(VENV)/.build-installed
	$(PIP) install --require-hashes --no-build-isolation -r requirements/runtime.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): requirements/dev.txt $(RUNTIME)
	$(PIP) install --require-hashes --no-build-isolation -r requirements/dev.txt
	@touch $@

.PHONY: install
install: $(RUNTIME) ## Install what running needs into .venv

.PHONY: install-dev
install-dev: $(DEV) ## Install what developing needs into .venv

.PHONY: lock
lock: $(DEV) ## Recompute the lock files from pyproject.toml
	$(LOCK) requirements/build.in -o requirements/build.txt
	$(LOCK) pyproject.toml -o requirements/runtime.txt
	$(LOCK) pyproject.toml --extra dev -c requirements/runtime.txt -o requirements/dev.txt
