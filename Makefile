# The only commands a newcomer needs. Each makes the environment (.venv) first; that is quick when nothing changed.
PYTHON ?=
VENV := .venv
RUN := $(VENV)/bin/python
COMPOSE ?= $(shell if docker compose version >/dev/null 2>&1; then echo docker compose; else echo docker-compose; fi)
.DEFAULT_GOAL := help
.PHONY: demo test check bench format screenshots up down help
# Recipes that end badly leave no half-made file.
.DELETE_ON_ERROR:

demo: $(VENV)/.installed ## The whole league on this machine: eight bots, a round robin, the Elo table, the site
	@exec $(RUN) -m demo

test: $(VENV)/.installed ## Every test that this machine can run; the last lines say what it could not, and why
	@exec $(RUN) -m scripts.test

check: $(VENV)/.installed ## Format, lint, types, import contracts, migrations, the API's schema, deployment settings
	@exec $(RUN) -m scripts.check

bench: $(VENV)/.installed ## How fast the engine is, beside OpenSpiel
	@exec $(RUN) -m bench

format: $(VENV)/.installed ## Format the code and mend what the linter can
	@$(RUN) -m ruff check --fix-only --quiet . && $(RUN) -m ruff format .

screenshots: $(VENV)/.installed ## A picture of every page, in the light, in the dark and on a phone, in var/screenshots/
	@exec $(RUN) -m scripts.screenshots $(PAGES)

up: .env $(VENV)/.installed ## The league in containers: the site on http://localhost:8000
	$(RUN) -m sandbox.containers.images build
	$(COMPOSE) up --build --detach

down: ## Stop those containers; the data stays
	$(COMPOSE) down

help: ## These lines
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

# For this machine: a key of its own, and no TLS in front.
.env:
	@umask 077 && key=$$(head -c 48 /dev/urandom | base64) && \
	sed -e "s|^SECRET_KEY=.*|SECRET_KEY=$$key|" -e 's|^#SSL_REDIRECT=.*|SSL_REDIRECT=0|' .env.example >$@

$(VENV)/.installed: requirements.txt requirements-runtime.txt requirements-redis.txt constraints.txt scripts/environment.sh
	@PYTHON='$(PYTHON)' scripts/environment.sh
