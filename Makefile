# Two commands for users: `make demo` and `make test`. Both make a virtual environment in .venv on the
# first run, and again whenever pyproject.toml changes.

PYTHON ?= python3
# Tests start many processes, and each is four times as fast where bytecode was kept.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
BIN := $(VENV)/bin
# pytest-xdist: one worker per core.
WORKERS ?= auto
# The compiler of the runtime, a clang of LLVM 19, whose texts later versions read. It is 100 MB to
# load, and has an environment of its own: nothing but `make runtime` needs it.
COMPILER := .venv-compiler
ZIGLANG := ziglang==0.14.1
# Where other frameworks are installed, which take gigabytes.
PEERS := .venv-peers
# Where the tests of several processes run, with a launcher for them.
MPI := .venv-mpi
# Where the site of the documents is made.
DOCS := .venv-docs
# How many random programs `make fuzz` compares with plain Python.
PROGRAMS ?= 2000

.PHONY: demo dist docs gallery gpu test kernels slow exhaustive peers mpi fuzz lint format bench runtime clean python

demo: $(VENV)/runs-samples
	$(BIN)/python samples/digits.py --show

# The pictures in docs/gallery, in two minutes.
gallery: $(VENV)/runs-samples
	for each in mandelbrot orbit heat digits contacts nuts survival dosing mpc; do $(BIN)/python -m samples.gallery.$$each || exit 1; done

test: $(VENV)/installed
	AUTOGRAPH_VERIFY=1 $(BIN)/python -m pytest -n $(WORKERS) -q -m "not (slow or variant)"

# Half of the tests that run without native code in the suite, with it. Those of operators one by one,
# of which each compiles some kernels, are among the slow ones.
kernels: $(VENV)/installed
	AUTOGRAPH_TEST_KERNELS=half AUTOGRAPH_VERIFY=1 $(BIN)/python -m pytest -n $(WORKERS) -q \
	  -m "not (slow or variant)" tests/api tests/fuzz tests/graph tests/optim tests/staging tests/transforms

slow: $(VENV)/installed
	AUTOGRAPH_VERIFY=1 $(BIN)/python -m pytest -n $(WORKERS) -q -m "slow or variant"
	AUTOGRAPH_TEST_KERNELS=half AUTOGRAPH_VERIFY=1 $(BIN)/python -m pytest -n $(WORKERS) -q \
	  -m "not (slow or variant)" tests/ops

# Every program of the tests in every context, and in pairs of them, which takes about an hour; the
# variants of tests that neither `make test` nor `make slow` takes; the memory of ten thousand
# functions; and all of those of which `make kernels` takes half.
exhaustive: $(VENV)/installed
	AUTOGRAPH_VERIFY=1 $(BIN)/python -m pytest -n $(WORKERS) -q -m exhaustive tests
	AUTOGRAPH_TEST_KERNELS=1 AUTOGRAPH_VERIFY=1 $(BIN)/python -m pytest -n $(WORKERS) -q \
	  -m "not (slow or variant)" tests/api tests/fuzz tests/graph tests/optim tests/staging tests/transforms tests/ops

# On a machine with an NVIDIA GPU, in eight minutes at most: whether all is right there, and how fast.
# It needs no network and no compiler where PYTHON has what is imported, and is used as it is then.
# STAGE=rows runs one stage.
gpu:
	@python=$(PYTHON); if ! $$python -m benchmarks.gpu.needed; then \
	  echo "$(VENV) is made, which takes a network" >&2; \
	  PIP_RETRIES=0 $(MAKE) $(VENV)/installed && python=$(BIN)/python; fi && \
	  $$python -m benchmarks.gpu $(if $(STAGE),--stage $(STAGE))

# Beside other frameworks, which are installed now, in an environment of their own.
peers: $(PEERS)/installed
	AUTOGRAPH_VERIFY=1 $(PEERS)/bin/python -m pytest -n $(WORKERS) -q tests/peers

# Programs of several processes: one test at a time, for each has as many.
mpi: $(MPI)/installed
	$(MPI)/bin/python -m pytest -q tests/mpi

# The documents as a site, in build/site: open its index.html. `make test` runs what stands in them.
docs: $(DOCS)/installed
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/python -m mkdocs build --strict
	$(DOCS)/bin/python docs/site/check.py build/site

fuzz: $(VENV)/installed
	AUTOGRAPH_VERIFY=1 $(BIN)/python -m tests.fuzz.run $(PROGRAMS)

lint: $(VENV)/linters
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --cache-dir=/dev/null  # what older runs have left makes it fail now and then
	$(BIN)/pyright --pythonpath $(BIN)/python

format: $(VENV)/linters
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/installed
	$(BIN)/python -m benchmarks

# The texts in autograph/kernels/native/c/texts, and the machine code beside them, which are kept with
# the C that they are made of.
runtime: $(COMPILER)/installed $(VENV)/installed
	ZIG_GLOBAL_CACHE_DIR=$(COMPILER)/cache ZIG_LOCAL_CACHE_DIR=$(COMPILER)/cache \
	  $(COMPILER)/bin/python autograph/kernels/native/c/make.py
	$(BIN)/python -m autograph.kernels.native.c.make_objects

$(COMPILER)/installed: Makefile | python
	$(PYTHON) -m venv $(COMPILER)
	$(COMPILER)/bin/python -m pip install --quiet $(ZIGLANG)
	touch $@

$(VENV)/installed: pyproject.toml | python
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[samples,test,cuda-tests]"
	touch $@

# The demo needs a part of that, and need not wait for the rest.
$(VENV)/runs-samples: pyproject.toml | python
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[samples]"
	touch $@

# The packages as they are published: what is said about them is checked, and some tests of what the
# source distribution holds run there.
dist: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --editable ".[dist]"
	rm -rf dist build
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*
	mkdir -p build/unpacked && tar -xzf dist/*.tar.gz --strip-components=1 -C build/unpacked
	cd build/unpacked && PYTHONPATH=. $(CURDIR)/$(BIN)/python -m pytest -q -n $(WORKERS) \
	  tests/test_tree.py tests/test_layers.py tests/language tests/documents -m "not (slow or variant)"

$(PEERS)/installed: pyproject.toml | python
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --upgrade pip
	$(PEERS)/bin/python -m pip install --quiet --editable ".[test,peers]"
	touch $@

$(MPI)/installed: pyproject.toml | python
	$(PYTHON) -m venv $(MPI)
	$(MPI)/bin/python -m pip install --quiet --upgrade pip
	$(MPI)/bin/python -m pip install --quiet --editable ".[samples,test,mpi]"
	touch $@

$(DOCS)/installed: pyproject.toml | python
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --upgrade pip
	$(DOCS)/bin/python -m pip install --quiet --editable ".[docs]"
	touch $@

$(VENV)/linters: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --editable ".[lint]"
	touch $@

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "autograph needs Python 3.10 or newer, but '$(PYTHON)' is" \
	       "$$($(PYTHON) --version 2>&1). Name another one: make PYTHON=python3.12 ..." >&2; \
	  exit 1; }

clean:
	rm -rf $(VENV) $(COMPILER) $(PEERS) $(MPI) $(DOCS) build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
