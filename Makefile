# Everything a developer or an operator types. `make help` lists it.
# Each target installs what it needs into .venv, and again only when a lock file changed.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
LOCK   := $(BIN)/uv pip compile --universal --python-version 3.11 --no-strip-extras --generate-hashes \
          --no-emit-index-url --no-annotate --no-header --quiet

RUNTIME := $(VENV)/.runtime-installed
DEV     := $(VENV)/.dev-installed
FUZZ    := $(VENV)/.fuzz-installed
NODE    := .node/.installed

export DJANGO_SETTINGS_MODULE := docsmcp_site.settings
# Some machines set it. Then each of the hundreds of processes that tests start would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

# Tests run in a process for each core, each with a database of its own; those of a file share what they start, and the longest come first
# (tests/conftest.py). ARGS="-n 0": in one.
SPREAD  := -n auto --dist loadfile --no-loadscope-reorder

# Benchmarks have a database of their own, kept for the next one.
BENCH   := DATA_DIR=.bench LOG_LEVEL=WARNING $(BIN)/python

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

# Two that install at once would spoil each other's work: the second waits, and then finds it done. Where there is no flock (macOS) none waits.
define install_alone
@$(MAKE) --question --no-print-directory $(1) || { mkdir -p $(VENV); \
	command -v flock >/dev/null || exec $(MAKE) --no-print-directory $(1); \
	flock --nonblock $(VENV)/.lock true || echo "Another make installs into $(VENV): waiting for it." >&2; \
	flock $(VENV)/.lock $(MAKE) --no-print-directory $(1); }
endef

# pip is what comes last: an environment without it is half made, and is made again.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "docsmcp needs Python 3.11 or later: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.build-installed: requirements/build.txt | $(BIN)/pip
	$(PIP) install --require-hashes -r requirements/build.txt
	@touch $@

$(RUNTIME): requirements/runtime.txt pyproject.toml setup.py $(VENV)/.build-installed
	$(PIP) install --require-hashes --no-build-isolation -r requirements/runtime.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): requirements/dev.txt $(RUNTIME)
	$(PIP) install --require-hashes --no-build-isolation -r requirements/dev.txt
	@touch $@

$(FUZZ): requirements/fuzz.txt $(DEV)
	$(PIP) install --require-hashes -r requirements/fuzz.txt
	@touch $@

.PHONY: install
install: ## Install what running needs into .venv
	$(call install_alone,$(RUNTIME))

.PHONY: install-dev
install-dev: ## Install what developing needs into .venv
	$(call install_alone,$(DEV))

.PHONY: lock
lock: $(DEV) ## Recompute the lock files from pyproject.toml
	$(LOCK) requirements/build.in -o requirements/build.txt
	$(LOCK) pyproject.toml -o requirements/runtime.txt
	$(LOCK) pyproject.toml --extra onnx --extra otel -c requirements/runtime.txt -o requirements/extras.txt
	$(LOCK) pyproject.toml --extra dev --extra bench -c requirements/extras.txt -o requirements/dev.txt
	$(LOCK) requirements/fuzz.in -o requirements/fuzz.txt

.PHONY: test
test: $(DEV) ## Run the tests (needs nothing but Python)
	$(BIN)/pytest $(SPREAD) $(ARGS)

.PHONY: coverage
coverage: $(DEV) ## Run the tests and report which lines and branches they reach, which takes twice as long
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(SPREAD) $(ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report
	$(BIN)/python -m tests.branch_coverage 80

# What has a database of its own, or would be the same with any, is left out (tests/conftest.py marks what asks none). Parsers, texts and
# sources know no service: their files are not even looked at.
WITH_SERVICES := -m "not embedded and not any_database" \
	$(addprefix --ignore=tests/,collections_app/parsing collections_app/sources collections_app/text fuzz)

.PHONY: test-services
test-services: $(DEV) ## Run the tests on PostgreSQL 15 without pgvector, and with Redis, nginx and PgBouncer, from Debian's packages: those that could be otherwise there
	$(BIN)/python -m tests.services.postgresql 15 -- $(BIN)/python -m tests.services.redis -- $(BIN)/python -m tests.services.nginx -- $(BIN)/python -m tests.services.pgbouncer -- $(BIN)/pytest $(WITH_SERVICES) $(SPREAD) $(ARGS)

.PHONY: chaos
chaos: $(DEV) ## Kill and take away parts of a whole installation under load, seven minutes: [SCENARIOS="calm replica"] (needs Debian's PostgreSQL, PgBouncer, Redis)
	$(BIN)/python -m tests.chaos $(SCENARIOS)

.PHONY: soak
soak: $(DEV) ## Mixed traffic with ingest; nothing may grow: [MINUTES=15] (needs what chaos needs)
	$(BIN)/python -m tests.chaos.soak $(MINUTES)

.PHONY: test-browser
test-browser: $(DEV) ## Do what people do, in Debian's Chromium; pictures of every page come into build/screenshots
	$(BIN)/python -m tests.services.chromium -- $(BIN)/pytest tests/browser $(ARGS)

.PHONY: fuzz
fuzz: $(DEV) ## Send a running server what nobody would send on purpose: [EXAMPLES=500]
	FUZZ_EXAMPLES=$(or $(EXAMPLES),500) $(BIN)/pytest tests/fuzz $(ARGS)

.PHONY: fuzz-parsers
fuzz-parsers: $(FUZZ) ## Give the parsers what libFuzzer makes of the golden documents: [SECONDS=600] [FORMATS="pdf html"]
	$(BIN)/python -m tests.fuzz.parsers $(or $(SECONDS),600) $(FORMATS)

.PHONY: fuzz-lexers
fuzz-lexers: $(DEV) ## Give the lexers that colour code what keeps them busy: [LANGUAGES="go ruby"]
	$(BIN)/python -m tests.fuzz.lexers $(LANGUAGES)

.PHONY: test-image
test-image: $(DEV) ## Do the Dockerfile's steps in an empty Debian and try what comes of them, whole and in parts (needs root, not Docker)
	$(BIN)/python -m tests.services.image

# Other people's programs, which run on Node.js 22; npm brings that too.
$(NODE): tests/clients/package.json
	mkdir -p .node
	cp $< .node/package.json
	npm install --prefix .node --no-package-lock --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: conformance
conformance: $(DEV) $(NODE) ## Run the official conformance suite, both revisions, with a key and without (needs npm)
	$(BIN)/python -m tests.conformance

.PHONY: clients
clients: $(DEV) $(NODE) ## Connect other people's clients to a running server (needs npm)
	$(BIN)/python -m tests.clients

.PHONY: check
check: $(DEV) ## Lint, check formatting, types, imports and migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/docsmcp makemigrations --check --dry-run

.PHONY: format
format: $(DEV) ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: golden
golden: $(DEV) ## Write the golden files of the tests anew, to be reviewed with git diff
	UPDATE_GOLDEN=1 $(BIN)/pytest -q -k golden

.PHONY: bench-search
bench-search: $(DEV) ## Quality and latency of search: DATASET=DIR [RUN=file] [AGAINST=file]
	$(BENCH) -m benchmarks.search $(DATASET) $(if $(RUN),--run $(RUN)) $(if $(AGAINST),--against $(AGAINST))

.PHONY: bench-calls
bench-calls: $(DEV) ## What reading and searching cost in calls of functions, the same on every machine: DATASET=DIR
	$(BENCH) -m benchmarks.calls $(DATASET)

.PHONY: bench-scale
bench-scale: $(DEV) ## How search grows with its library: DOCS=DIR [SECTIONS=1000000] [PLOT=FILE] [KEEP=1] [EMBED=1]
	$(BENCH) -m benchmarks.scale $(DOCS) $(if $(SECTIONS),--sections $(SECTIONS)) $(if $(PLOT),--plot $(PLOT)) $(if $(KEEP),--keep) $(if $(EMBED),--embed)

.PHONY: bench-ingest
bench-ingest: $(DEV) ## Speed and memory of ingest: DOCS=DIR [PAGES=10000] [SOURCES=2]
	$(BENCH) -m benchmarks.ingest $(DOCS) $(if $(PAGES),--pages $(PAGES)) $(if $(SOURCES),--sources $(SOURCES))

.PHONY: bench-tables
bench-tables: $(DEV) ## How well tables of PDFs are read, beside known ones: DATASET=DIR
	$(BENCH) -m benchmarks.pdf_tables $(DATASET)

.PHONY: bench-http
bench-http: $(DEV) ## Over HTTP, beside another server: DOCS=DIR [PAGES=10000] [PROCESSES=2] [CALLERS=1,8,32] [MODES=keyword] (needs wrk)
	$(BENCH) -m benchmarks.http $(DOCS) $(if $(PAGES),--pages $(PAGES)) $(if $(PROCESSES),--processes $(PROCESSES)) \
		$(if $(CALLERS),--callers $(CALLERS)) $(if $(MODES),--modes $(MODES))

.PHONY: bench-load
bench-load: $(DEV) ## What each further web server process adds: DOCS=DIR [PROCESSES=1,2,4] (needs wrk)
	$(BENCH) -m benchmarks.load_scale $(DOCS) $(if $(PROCESSES),--processes $(PROCESSES))

.PHONY: bench-answers
bench-answers: $(DEV) ## What ask_docs adds to a model's time, and what a stalled model does: DATASET=DIR
	$(BENCH) -m benchmarks.answers $(DATASET)

.PHONY: bench-limits
bench-limits: $(DEV) ## What counting a request against its limits adds to it; in Redis with REDIS_URL
	$(BENCH) -m benchmarks.limits

.PHONY: dist
dist: $(DEV) ## Build what a release publishes into dist/: [TAG=v1.2.3]
	$(BIN)/python deploy/dist.py $(if $(TAG),--tag $(TAG))

# What was written behind `make up`, as the command's argument or flag. Variables of the environment do not count, nor does an empty value.
given = $(if $(filter command line,$(origin $(1))),$(if $($(1)),$(2) "$($(1))"))

.PHONY: up
up: install ## Start everything: [DOCS=DIR] [COLLECTION=SLUG] [HOST=] [PORT=] [DATA_DIR=]
	@exec $(BIN)/docsmcp up $(call given,DOCS,) $(call given,COLLECTION,--collection) $(call given,HOST,--host) $(call given,PORT,--port) $(call given,DATA_DIR,--data-dir)
