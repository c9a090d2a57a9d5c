# One target each; every target sets up .venv by itself on first use.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PINS := packaging/constraints.txt
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(PINS)
QUIET_QT := QT_QPA_PLATFORM=offscreen

.DEFAULT_GOAL := help
.PHONY: help run test check lint fix types bench bench-gpu sample dictionaries screens crash fuzz train-reader doubts clean

help: ## these lines
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

run: $(VENV)/run ## open the sample book and read it; without a display, on the command line
	@$(BIN)/incunable sample

test: $(VENV)/dev ## every test but the slow ones, offscreen
	$(QUIET_QT) $(BIN)/python -m pytest -q -m "not slow and not gpu"

check: lint types ## what CI runs: lint, types, all tests, offscreen
	$(QUIET_QT) $(BIN)/python -m pytest -q -m "not gpu"

lint: $(VENV)/dev ## style
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

fix: $(VENV)/dev ## mend what a tool can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/dev ## types, strict in app/ and model/
	$(BIN)/pyright

bench: $(VENV)/dev ## the numbers of the README, measured here, printed as a table
	$(QUIET_QT) $(BIN)/python -m tests.bench

bench-gpu: $(VENV)/dev ## speed and bytes of the engine on a card, full-size weights at random
	$(BIN)/python -m tests.gpu.bench

sample: $(VENV)/dev ## set and 'scan' the sample book anew
	$(BIN)/python -m resources.sample.make

dictionaries: $(VENV)/dev ## make the word lists anew from public-domain books: CORPUS=
	$(BIN)/python -m resources.dictionaries.make $(CORPUS)

screens: $(VENV)/dev ## pictures of the real window into build/screens
	$(QUIET_QT) $(BIN)/python -m tests.screens

crash: $(VENV)/dev ## kill reading, correcting, exporting, migrating 200 times, look for losses
	$(BIN)/python -m tests.app.killing

fuzz: $(VENV)/dev ## open two thousand damaged files and look for what must not happen
	$(BIN)/python -m tests.bench.fuzzing

DATA ?= ../shared/training
CORPUS ?= $(DATA)/corpus.tar.xz
MINUTES ?= 9
LEG ?=

train-reader: $(VENV)/dev ## one leg of training the small reader: DATA= MINUTES= LEG="--last --batch 8"
	$(BIN)/python -m model.training.leg --data $(DATA) --out build/reader --minutes $(MINUTES) $(LEG)

doubts: $(VENV)/dev ## fit the weights of a doubt on drawn pages: DATA=
	$(BIN)/python -m tests.bench.fitting --data $(DATA)

clean: ## remove what the other targets made
	rm -rf $(VENV) build .pytest_cache .ruff_cache .hypothesis *.egg-info

$(VENV)/bin/python:
	@$(PYTHON) -I app/system_check.py venv
	$(PYTHON) -m venv $(VENV)

$(VENV)/run: pyproject.toml $(PINS) | $(VENV)/bin/python
	@echo 'Fetching the libraries into $(VENV), once: some minutes, some GB, mostly torch.'
	$(PIP) --editable .
	@$(BIN)/python -I app/system_check.py window
	@touch $@

$(VENV)/dev: pyproject.toml $(PINS) | $(VENV)/bin/python
	@echo 'Fetching libraries and tools into $(VENV), once: some minutes, some GB, mostly torch.'
	$(PIP) --editable '.[dev]'
	@$(BIN)/python -I app/system_check.py tests
	@touch $@
