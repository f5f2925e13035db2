# learn: open the course; it sets up the environment that it needs by itself when it is missing or out of date.
# not in a handout
# So do all others.  quick: what a change concerns, in a minute.  test: what every change must pass, WORKERS
# tests at a time, after lint, types and pages (whether they match their sources).  test-all: all tests.
# site: the course as a static site, in _site/, from the notebooks as they are built.
# build: make the notebooks whose own sources have changed (LESSON=NN: one lesson's; ALL=yes: the others, too).
# claims: measure the claims again with fresh seeds (RECORD=yes: into results/; LESSON=NN: one lesson's;
# SCHEDULER=ADDRESS: on a cluster).  bench: the quick benchmarks.  stamp: name a public address, REPOSITORY and TAG, or
# what pyproject.toml says.  handout: what students get, without solutions, as _handout/depth-course.zip.
# in a handout again

PYTHON ?= python3
PORT ?=
BROWSER ?= yes
# not in a handout
RECORD ?= no
ALL ?= no
SCHEDULER ?=
# One more than two cores have: a browser, and students' code that sleeps, are waited for more than half of their time.
WORKERS ?= 3
PEERS := .venv-peers/bin/python
SITE := .venv-site/bin/python
SIDE_BY_SIDE := -n $(WORKERS) --durations=10
# in a handout again
RUN := .venv/bin/python
CPU_WHEELS := https://download.pytorch.org/whl/cpu

.PHONY: learn
.DELETE_ON_ERROR:

learn: .venv/.ready
	@$(RUN) -m authoring.learn --port "$(PORT)" --browser "$(BROWSER)"

# not in a handout
.PHONY: quick test test-all lint types pages build claims bench site stamp handout

quick: lint
	$(RUN) -m tests.quick

lint types pages: .venv/.ready

lint:
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

types:
	$(RUN) -m mypy

pages:
	$(RUN) -m authoring check

test: .venv/.ready .venv/.cluster .venv-site/.ready
	@$(MAKE) --no-print-directory -j 2 lint types pages
	$(RUN) -m pytest $(SIDE_BY_SIDE) -m "not full and not peers" --proofs unrecorded

test-all: .venv/.ready .venv/.cluster .venv-site/.ready .venv-colab/.ready .venv-peers/.ready
	@$(MAKE) --no-print-directory -j 2 lint types pages
	$(RUN) -m pytest $(SIDE_BY_SIDE) -m "not peers" --proofs record --hypothesis-profile=explore
	$(PEERS) -m pytest -m peers --durations=10

build: .venv/.ready
	$(RUN) -m authoring build $(LESSON) $(if $(filter yes,$(ALL)),--all)

# Interrupted, the same command goes on where it stopped.
claims: .venv/.ready $(if $(SCHEDULER),.venv/.cluster)
	$(RUN) -m claims run $(if $(LESSON),--lesson $(LESSON)) $(if $(filter yes,$(RECORD)),--record) \
	  $(if $(SCHEDULER),--scheduler $(SCHEDULER),--workers)

bench: .venv/.ready
	for name in ensemble regions least_squares meanfield playground; do $(RUN) -m benchmarks $$name || exit 1; done

site: .venv-site/.ready
	$(SITE) -m sphinx -q -E -W --keep-going -c site -d .venv-site/doctrees . _site
	@echo "The site is in _site. Serve it: python3 -m http.server -d _site; then open http://localhost:8000"

stamp: .venv/.ready
	@$(RUN) -m authoring restamp $(if $(REPOSITORY)$(TAG),"$(REPOSITORY)" "$(TAG)")

handout: .venv/.ready
	@$(RUN) -m authoring handout
# in a handout again

.venv/.ready: requirements.txt
	$(call environment,.venv,1.7,-r requirements.txt)

# not in a handout
# Dask, beside all that the course needs: for marking and measuring on a cluster, and for their tests.
.venv/.cluster: .venv/.ready requirements-cluster.txt
	$(RUN) -m pip --disable-pip-version-check install -q -r requirements-cluster.txt
	@touch $@

# An environment with Colab's versions of what the course uses, for tests/doors.
.venv-colab/.ready: tests/doors/constraints.txt
	$(call environment,.venv-colab,1.9,-r $< "$$(grep '^torch==' requirements.txt)")

# An environment with what our figures and results are compared with, for tests/engine/test_peers.py and benchmarks.
.venv-peers/.ready: requirements.txt requirements-peers.txt
	$(call environment,.venv-peers,2.3,-r requirements.txt -r requirements-peers.txt)

# An environment with what makes the site of the notebooks; they are not run for it.
.venv-site/.ready: requirements-site.txt site/browser_python.py
	$(call environment,.venv-site,0.1,-r requirements-site.txt)
	@$(SITE) site/browser_python.py
# in a handout again

# The environment $(1), of about $(2) GB, with what pip installs for $(3). What an interrupted run leaves behind is used
# where it is whole and made again where it is not. Whatever the umask, everybody may read it: marking runs students'
# code as another user. Where torch is needed and there is no GPU, its CPU build: the other one brings gigabytes of CUDA.
# pip would compile on one core; compileall does on all, and fails for files of other versions of Python, which some
# packages have.
define environment
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3.11 ..."; exit 1; }
@echo "Setting up $(1) from $<: once, a few minutes, about $(2) GB ..."
@umask 022; python=$(1)/bin/python; pip="$$python -m pip --disable-pip-version-check"; \
$$pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(1) || \
  { echo "The module venv does not work; on Debian and Ubuntu: sudo apt-get install python3-venv"; exit 1; }; \
if [ -n "$(findstring requirements.txt,$(3))" ] && [ "$$(uname)" = Linux ] && ! command -v nvidia-smi >/dev/null && \
    ! $$pip show -q torch 2>/dev/null; then \
  if $$python -c 'import urllib.request as r; r.urlopen("$(CPU_WHEELS)/torch/", timeout=5)' 2>/dev/null; \
  then echo "No GPU here: taking the CPU build of torch."; \
    $$pip install --no-compile --index-url $(CPU_WHEELS) "$$(grep '^torch==' requirements.txt)" || exit 1; \
  else echo "The index of CPU builds does not answer. The torch that pip finds brings CUDA: about 5.7 GB, not $(2)."; \
    echo "Ctrl-C stops it, and the same command goes on another time."; fi; \
fi; \
$$pip install --no-compile $(3) || exit 1; \
$$python -m compileall -qq -j 0 $(1)/lib || true
@touch $@
endef
