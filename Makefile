# Everything runs in .venv, which is made on first use; `make` alone lists what there is.

PORT ?= 8000
# HOST and ARGS come from make's own command line only: some shells export a HOST of theirs.
HOST = 127.0.0.1
# More words for pytest: make test ARGS="-k undo"
ARGS =
SOAK_SECONDS ?= 120

PYTHON := .venv/bin/python
MANAGE := $(PYTHON) manage.py
PYTEST := $(PYTHON) -m pytest
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command 'make lock'

.DEFAULT_GOAL := help
.PHONY: help run test check bench soak format messages schema picture lock clean runtime dev

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: runtime  ## serve on http://127.0.0.1:8000/; PORT=8080 changes it
	@$(MANAGE) serve --host $(HOST) --port $(PORT)

test: dev  ## the whole suite; on DATABASE_URL and REDIS_URL where they are set
	@$(PYTEST) --numprocesses auto --dist loadgroup $(ARGS)

check: dev  ## format, lint, types, imports, migrations, translations, OpenAPI file
	@$(PYTHON) scripts/check.py

bench: dev  ## every benchmark, as a table of ratios
	@RATE_LIMITS=off $(PYTHON) -m benchmarks $(ARGS)

soak: dev  ## random players while the server is killed and restarted; SOAK_SECONDS
	@SOAK_SECONDS=$(SOAK_SECONDS) $(PYTEST) --soak -m soak $(ARGS)

format: dev  ## put the code into its format
	@$(PYTHON) -m ruff check --quiet --fix-only .
	@$(PYTHON) -m ruff format .

messages: dev  ## take new texts into locale/ and compile it; needs GNU gettext
	@$(PYTHON) scripts/messages.py

schema: dev  ## write docs/openapi.yaml
	@$(MANAGE) spectacular --file docs/openapi.yaml --validate --fail-on-warn

picture: dev  ## take the README's pictures of the table and of a race; needs Chromium
	@$(PYTHON) -m scripts.picture

lock:  ## resolve pyproject.toml into requirements/; needs uv
	@command -v uv >/dev/null || { echo "make lock needs uv: pipx install uv" >&2; exit 1; }
	@$(LOCK) pyproject.toml -o requirements/runtime.txt
	@$(LOCK) --group dev pyproject.toml -o requirements/dev.txt

clean:  ## remove the environment and the caches, not the games in var/
	rm -rf .venv .*_cache .hypothesis build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

runtime dev:
	@scripts/environment.sh $@
