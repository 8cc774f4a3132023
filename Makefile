# Needs only Python >= 3.11 with venv, git and make. Everything lands in .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 2
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test check format recordings fidelity laws screenshots bench fuzz long clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("scopetrace needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; try: make PYTHON=python3.13") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test,dev]'
	@touch $(STAMP)

demo: $(STAMP) ## open the inspector on a bundled session
	@$(BIN)/scopetrace open sample_sessions/demo-monorepo

test: $(STAMP) ## run the whole suite
	$(BIN)/python -m pytest -n $(WORKERS) -q

check: $(STAMP) ## ruff, mypy --strict, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP) ## let ruff format and fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

screenshots: $(STAMP) ## write screenshots/ and docs/keys.md from the program
	$(BIN)/python scripts/make_screenshots.py
	$(BIN)/python scripts/make_keymap.py

clean: ## remove the environment and build leftovers
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache

recordings: $(STAMP) ## replay every recording of SCOPETRACE_RECORDINGS (default: the copies in tests), recorded / computed / equal
	$(BIN)/python scripts/check_recordings.py

fidelity: $(STAMP) ## run every vector, replay every recording and write docs/fidelity.md
	$(BIN)/python scripts/make_fidelity.py

laws: $(STAMP) ## try every law of engine and file systems on LAWS (default 1000) made-up inputs
	SCOPETRACE_LAWS=$${LAWS:-1000} $(BIN)/python -m pytest -n $(WORKERS) -q tests/replay/test_replay_laws.py tests/engine/test_engine_laws.py \
		tests/workspace/test_workspace_overlay.py tests/workspace/test_workspace_history_model.py

bench: $(STAMP) ## measure every performance target of this product on this machine
	$(BIN)/python benchmarks/run.py

long: $(STAMP) ## try logs of sizes that no honest log has: minutes, and up to 3 GB of memory
	SCOPETRACE_LONG=1 $(BIN)/python -m pytest -q tests/security/test_security_sizes.py tests/sessions/test_sessions_faults.py

fuzz: $(STAMP) ## look for input that ends in a traceback: FUZZ_SECONDS (default 60) a target, FUZZ (default 500) made-up inputs a test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fuzz]' || true
	$(BIN)/python scripts/fuzz_inputs.py all --seconds $${FUZZ_SECONDS:-60}
	SCOPETRACE_FUZZ=$${FUZZ:-500} $(BIN)/python -m pytest -n $(WORKERS) -q tests/security/test_security_fuzz.py
