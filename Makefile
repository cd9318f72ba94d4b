ifeq ($(OS),Windows_NT)
$(error On Windows install the wheel with pip, from a release; this Makefile is for Linux and macOS)
endif
ifeq ($(filter undefine,$(.FEATURES)),)
$(error This make is older than GNU make 3.82; on macOS: brew install make, then gmake in its place)
endif

# Everything runs from the environments that packaging/make-environment keeps; `make help` lists the targets.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

SCENARIO := resources/scenarios/tbl-under-load.meshgui.json
SYSTEM := $(shell uname -s)
# The moment that is shown, and the picture where there is no screen.
AT := 40
PICTURE := build/tbl-under-load.png

# The areas of the engine in which faults are seeded, all unless named, and how many in each.
AREAS :=
COUNT := 50

BIN := .venv/bin
# The slowest tests of each part, so that it is seen where the time goes; `make test` ends with the slowest of all.
SLOWEST := --durations=40 --durations-min=1
SCREEN := xvfb-run -a -s "-screen 0 1920x1200x24 +extension GLX"
# A warning of Qt, such as of a painter whose image is gone, is a fault of the program.
NO_WARNINGS := -o qt_log_level_fail=WARNING
# Without it, a test that ends its process is run again in one process after the other, without end.
NO_RESTART := --max-worker-restart 0
# Compiled kernels are kept under what they do, so that an edit anywhere below one is seen and the rest is reused:
# in the folder where the program itself keeps them, for all checkouts.
CACHES := $(or $(XDG_CACHE_HOME),$(if $(HOME),$(HOME)/.cache),$(CURDIR)/build)
export NUMBA_CACHE_DIR ?= $(CACHES)/meshgui/kernels
# Tests and tools start the program hundreds of times, each time compiled anew without its byte code.
unexport PYTHONDONTWRITEBYTECODE
# What is written for everyone is written in English.
docs results variants pictures manual manual-pictures welcome notebooks: export MESHGUI_LANGUAGE := en
# To collect all others for test-nojit, too, takes some seconds.
KERNEL_TESTS = $(shell grep -rlE --include="*.py" "mark\.(kernel|scipy)" tests --exclude-dir=views | LC_ALL=C sort)
# Likewise for test-gui, beside tests/views.
GUI_TESTS = $(shell grep -rl --include="*.py" "mark\.qt" tests --exclude-dir=views | LC_ALL=C sort)
# What is tried with the newest versions: the engine, the figures of the papers, plug-ins, and a window.
# Left out is the test that compiles the kernels of all strategies.
NEWEST := --deselect tests/engine/basics/test_kernel_cache.py::test_entry_points_of_one_name_are_of_one_content \
	tests/engine tests/golden tests/test_conformance.py tests/cli/test_own_examples.py \
	tests/cli/test_check_and_new.py tests/cli/test_third_party_packages.py tests/cli/test_manual_examples.py \
	tests/cli/test_edited_plugins.py tests/cli/test_doctor.py tests/views/window/test_main_window.py \
	tests/views/window/test_third_party_packages.py
CHECKS := lint contracts test-nojit test-engine test-gui

.PHONY: help run test test-newest t types $(CHECKS) docs house results variants mutants monkey soak fuzz pictures env env-dev env-engine system system-tests clean welcome manual manual-pictures notebooks messages dist bundle appimage deb release test-packages env-bundle thorough coverage

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

run: system env ## open the window on a scenario; without a screen, draw it into a picture
	@if [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ] || [ $(SYSTEM) = Darwin ]; then exec $(BIN)/meshgui $(SCENARIO) --at $(AT); fi; \
	mkdir -p $(dir $(PICTURE)); \
	if command -v xvfb-run >/dev/null; then \
		screen=($(SCREEN) env QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1); \
	else \
		screen=(env QT_QPA_PLATFORM=offscreen); \
	fi; \
	echo "There is no screen here: drawing the window into a picture"; \
	"$${screen[@]}" $(BIN)/meshgui render $(SCENARIO) --at $(AT) --out $(PICTURE) --size 1600x1000 --view window; \
	$(BIN)/meshgui run $(SCENARIO); \
	echo "The window at time $(AT): $$PWD/$(PICTURE)"

# What needs .venv alone goes on while the other environment is made; the checks before the engine's tests leave
# processors idle, on which types are checked, and the kernels compiled once, instead of in every process of tests
# that needs one.
test: system-tests env-dev ## run every check, stopping at the first that fails
	@packaging/make-environment engine & engine=$$!; \
	$(BIN)/meshgui prepare & kernels=$$!; \
	mkdir -p build; $(MAKE) --no-print-directory types >build/types.log 2>&1 & types=$$!; \
	trap 'kill $$kernels $$types 2>/dev/null || true' EXIT; \
	for check in $(CHECKS); do \
		[ $$check != test-engine ] || wait $$engine || { echo "make test: env-engine failed" >&2; exit 1; }; \
		[ $$check != test-engine ] || wait $$kernels || { echo "make test: meshgui prepare failed" >&2; exit 1; }; \
		[ $$check != test-engine ] || wait $$types || { cat build/types.log; echo "make test: types failed" >&2; exit 1; }; \
		echo "== $$check"; \
		begun=$$SECONDS; \
		$(MAKE) --no-print-directory $$check | tee build/$$check.log || { echo "make test: $$check failed" >&2; wait $$engine; exit 1; }; \
		took="$${took:-}, $$check $$((SECONDS - begun))"; \
	done; \
	echo "== the slowest tests"; \
	sed -nE '/^[0-9.]+s (setup|call|teardown) /p' $(CHECKS:%=build/%.log) | LC_ALL=C sort -rn | sed -n 1,40p; \
	echo "make test: every check passed; seconds$${took/,/:}; in all $$SECONDS"

# Its processes draw as in test-gui. The doctor says of what versions it has been, and warns of untried ones.
test-newest: system ## a part of the tests with the newest versions of everything, on the newest Python at hand
	@packaging/make-environment newest
	@[ -x .venv-newest/bin/python ] || exit 0; \
	.venv-newest/bin/meshgui doctor; \
	VENV=.venv-newest QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 LP_NUM_THREADS=0 .venv-newest/bin/python -m pytest \
		$(NEWEST) $(NO_WARNINGS) --dist worksteal $(NO_RESTART) --tx "2*popen//python=packaging/python-on-a-screen"

t: env-dev ## run one file of tests, or what else pytest takes: make t T=tests/golden/test_gabl.py
	@if command -v xvfb-run >/dev/null && [ -z "$${DISPLAY:-}" ]; then screen=($(SCREEN)); else screen=(env); fi; \
	QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 "$${screen[@]}" $(BIN)/python -m pytest $(NO_WARNINGS) $(T)

lint: env-dev ## ruff: rules and layout; shellcheck, where it is installed: the scripts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@if command -v shellcheck >/dev/null; then grep -rlE "^#!.*(env bash|/sh)$$" .ci packaging | xargs shellcheck; fi

types: env-dev ## mypy, strict
	@$(BIN)/mypy

contracts: env-dev ## which part may import which
	@$(BIN)/lint-imports

# Two of them would use one and a half processors, as they wait for programs that they start.
test-engine: env-engine ## the engine's tests, without Qt installed, in three processes
	@for module in PySide6 pyqtgraph OpenGL; do \
		if .venv-engine/bin/python -c "import $$module" 2>/dev/null; then \
			echo "$$module must not be importable in .venv-engine; try make clean" >&2; exit 1; \
		fi; \
	done
	@.venv-engine/bin/python -m pytest --ignore=tests/views -n 3 --dist worksteal $(NO_RESTART) $(SLOWEST)

# Mesa draws in the thread that asks: threads of its own would only get in each other's way here.
test-gui: env-dev ## what depends on Qt, with OpenGL, in three processes with a virtual screen each
	@command -v xvfb-run >/dev/null || { echo "test-gui needs xvfb-run, from the package xvfb" >&2; exit 1; }
	@QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 LP_NUM_THREADS=0 $(BIN)/python -m pytest tests/views $(GUI_TESTS) \
		-m qt $(NO_WARNINGS) $(SLOWEST) -o faulthandler_timeout=600 \
		--dist loadfile --no-loadscope-reorder $(NO_RESTART) --tx "3*popen//python=packaging/python-on-a-screen"

test-nojit: env-dev ## the kernels' tests as plain Python, and what compares with SciPy
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(KERNEL_TESTS) -m "kernel or scipy" \
		-n 2 --dist worksteal $(NO_RESTART) $(SLOWEST)

coverage: env-dev ## which lines of strategies and network the tests in plain Python reach
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(KERNEL_TESTS) -m "kernel or scipy" \
		-n 2 --dist worksteal $(NO_RESTART) \
		--cov=meshgui.engine.allocation --cov=meshgui.engine.network --cov-report=term

thorough: env-dev ## try the properties on many new examples
	@env -u CI HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest tests/properties -n 2 --dist worksteal $(NO_RESTART)

results: env ## write docs/results.md, the published results beside those had here; runs are kept in build/results.db
	@mkdir -p build; $(BIN)/meshgui reproduce --store build/results.db --page docs/results.md --pictures docs/images/results

variants: env-dev ## write docs/network-results.md, on what moves the results with a network; runs are kept in build
	@$(BIN)/python tools/write_network_results.py

mutants: env-dev ## seed faults and list those that no test notices: make mutants AREAS="measures judging" COUNT=100
	@$(BIN)/python tools/seed_faults.py $(AREAS) --count $(COUNT)

monkey: env-dev ## act in the window at random: make monkey SEED=7 ACTIONS=10000
	@QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 $(SCREEN) $(BIN)/python -X faulthandler tools/monkey.py \
		$(if $(SEED),--seed $(SEED)) $(if $(ACTIONS),--actions $(ACTIONS))

soak: env-dev ## play and scrub for an hour, with level memory and handles: make soak MINUTES=60
	@QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 $(SCREEN) $(BIN)/python -X faulthandler tools/soak.py \
		$(if $(MINUTES),--minutes $(MINUTES))

fuzz: env-dev ## read spoilt files: make fuzz MINUTES=10 KIND=scenario SEED=1; guided by branches where atheris is
	@$(BIN)/python tools/fuzz.py $(if $(MINUTES),--minutes $(MINUTES)) $(if $(KIND),--kind "$(KIND)") \
		$(if $(SEED),--seed $(SEED)) $(if $(FILE),--file $(FILE))

docs: env-dev ## write the page of all strategies and its pictures
	@QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 $(SCREEN) $(BIN)/python tools/write_strategies_page.py

messages: env-dev ## bring the catalogues of all languages up to date with the sources; begin one with L=fr
	@$(BIN)/python tools/messages.py $(L)

notebooks: env-dev ## run the notebooks of docs/notebooks and write what their cells show
	@$(BIN)/python tools/notebooks.py

manual: env-dev ## build the manual as a site, with warnings as errors: build/manual/site/index.html
	@$(BIN)/python tools/build_manual.py build/manual

manual-pictures: env-dev ## draw the pictures of the manual's first five minutes, and the README's film
	@QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 $(SCREEN) $(BIN)/python tools/draw_manual.py
	@QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 $(SCREEN) $(BIN)/meshgui render $(SCENARIO) --from 40 --to 42 \
		--fps 4 --seconds 10 --view window --size 1000x640 --out docs/images/first-look.gif

welcome: env-dev ## draw the pictures of the welcome page; takes names of examples as E=
	@QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 $(SCREEN) $(BIN)/python -m tools.draw_welcome $(E)

pictures: env-dev ## draw the pictures that the tests compare the main views with
	@MESHGUI_WRITE_PICTURES=1 $(MAKE) --no-print-directory t T="tests/views/window/test_golden_pictures.py tests/views/offscreen/test_components.py -k looks"

house: env-dev ## draw the rooms and what they import: docs/house.md and its picture
	@$(BIN)/python tools/draw_house.py

dist: env ## build the wheel and the sdist into dist
	@$(BIN)/python packaging/make_dist.py dist

bundle: env-bundle ## build a folder that needs no Python: dist/meshgui
	@packaging/make-bundle

appimage: env-bundle ## make an AppImage of the bundle
	@[ -d dist/meshgui ] || packaging/make-bundle
	@packaging/make-appimage

deb: env-bundle ## make a Debian package of the bundle
	@[ -d dist/meshgui ] || packaging/make-bundle
	@packaging/make-deb

release: bundle dist deb appimage ## build all that is given away, each with the list of its parts, and their hashes
	@for file in dist/meshgui-*.whl dist/meshgui-*.tar.gz; do \
		.venv-bundle/bin/python packaging/write_licences.py "$$file"; \
	done
	@cd dist; sha256sum meshgui-*.whl meshgui-*.tar.gz *.deb *.AppImage *.cdx.json >SHA256SUMS
	@cat dist/SHA256SUMS

test-packages: ## install what lies in dist into clean roots and use it there: make test-packages PACKAGES="deb wheel"; needs root
	@packaging/test-packages $(PACKAGES)

env: ## the environment to run MeshGUI
	@packaging/make-environment run

env-dev: ## the same, with the tools for checks and tests
	@packaging/make-environment dev

env-engine: ## the environment without Qt
	@packaging/make-environment engine

env-bundle: ## the environment that packages are built in
	@packaging/make-environment bundle

system: ## install the system packages that are missing, or name them
	@packaging/install-system-packages

system-tests: ## the same, with what the tests alone need
	@packaging/install-system-packages --tests

clean: ## remove the environments, caches and pictures
	rm -rf .venv .venv-engine .venv-bundle .venv-newest build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +
