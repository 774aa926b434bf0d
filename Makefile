# `make` goes from nothing to the verdict of the kernel under QEMU and the report. `make help` tells the rest.

VENV ?= .venv
COROLLARY = $(VENV)/bin/corollary
STEPS = $(VENV)/bin/python -m corollary.commands.steps --begun $(BEGUN)
READY = $(VENV)/.ready
BEGUN := $(shell date +%s)

.PHONY: all check full help verify verify-full gen qemu test mutants report docs screenshots bench clean

all: $(READY)
	@$(STEPS) make

full: $(READY) $(VENV)/.browser
	@$(STEPS) full

help:
	@echo "make          set up, check what is generated, boot under QEMU, verify, seed some mutants, report"
	@echo "make check    before a commit: what is generated is current, proofs of what changed, the quickest tests"
	@echo "make test     what must pass before a change is taken: gen --check, verify, and all tests but the longest"
	@echo "make full     make, with a second solver, a million exceptions in an emulator, all mutants, and all tests"
	@echo "make verify   prove every promise for every step"
	@echo "make verify-full  the same, and a second solver must agree with every proof"
	@echo "make gen      write generated/ anew from the specification"
	@echo "make qemu     build the image, boot it, judge it; AGENTS=all, or some names, runs WebAssembly agents"
	@echo "make mutants  seed bugs and see that each is noticed"
	@echo "make report   build/report/index.html"
	@echo "make docs     build/docs/index.html: tutorials, the language, the proof method, formats, references"
	@echo "make screenshots  docs/images: pictures of the report and of the documents"
	@echo "make bench    compare WebAssembly engines and native code"
	@echo "make clean    remove what was built and cached"

verify gen mutants report: $(READY)
	@$(COROLLARY) $@

qemu: $(READY)
	@$(COROLLARY) qemu $(if $(AGENTS),--agents "$(AGENTS)")

verify-full: $(READY)
	@$(COROLLARY) verify --full

test: $(READY) $(VENV)/.browser
	@$(STEPS) test

check: $(READY)
	@$(STEPS) check

# the theme prints an advertisement unless it is told not to
docs: $(READY)
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/python -m mkdocs build --strict
	@echo "build/docs/index.html"

# of the results that are there
screenshots: report docs $(VENV)/.browser
	@$(VENV)/bin/python -m tests.report.screenshots

bench: $(VENV)/.peers
	@$(COROLLARY) bench

# wasm3 comes as C, needs Python.h, and is older than what compilers refuse by now;
# where it cannot be built the benchmark says so and goes on
$(VENV)/.peers: $(READY)
	@CFLAGS=-Wno-incompatible-pointer-types $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --constraint constraints.txt --editable ".[bench]" && touch $@ || true

# the report is opened in a browser
$(VENV)/.browser: $(READY)
	@bash tools/setup.sh --browser
	@touch $@

$(READY): pyproject.toml constraints.txt tools/setup.sh
	@bash tools/setup.sh $(VENV)
	@touch $@

clean:
	rm -rf build .hypothesis .pytest_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
