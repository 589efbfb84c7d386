# occc -- everything is built, checked and installed from here. `make help` lists the targets.
# Output goes to $(BUILD) only. A second tree with other flags: make BUILD=build/asan SANITIZE=address,undefined
VERSION     := $(shell sed -n 's/^.define OCCC_VERSION "\(.*\)"/\1/p' frontend/base/version.h)
BUILD       ?= build
PREFIX      ?= /usr/local
DESTDIR     ?=
LLVM_CONFIG ?= llvm-config-19
LLVM_PREFIX := $(shell $(LLVM_CONFIG) --prefix 2>/dev/null || echo /usr/lib/llvm-19)
CLANG       ?= $(firstword $(wildcard $(LLVM_PREFIX)/bin/clang) clang-19)
# Debian's own: the packages of `make deps` are for it
PYTHON      ?= $(firstword $(wildcard /usr/bin/python3) python3)
LIT         ?= $(shell command -v lit || echo $(PYTHON) $(LLVM_PREFIX)/build/utils/lit/lit.py)
FLEX        ?= flex
BISON       ?= bison
SANITIZE    ?=
JOBS        ?= 2

ifeq ($(origin CC),default)
CC := gcc
endif

# -- what every file of ours is compiled with; OPT and SANITIZE are the only knobs
OPT      ?= $(if $(SANITIZE),-O1,-O2)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wconversion
WERROR   ?=
SANFLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
COMMON   := -std=c11 $(OPT) -g -MMD -MP $(SANFLAGS) -fmacro-prefix-map=$(CURDIR)/=
OURS     := $(WARNINGS) $(if $(WERROR),-Werror)
# generated scanner and parser: their skeletons are not ours
LAXER    := -Wall -Wno-unused -Wno-sign-compare

GEN      := $(BUILD)/gen
OBJ      := $(BUILD)/obj
LIBDIR   := $(BUILD)/lib/occ
OCCC     := $(BUILD)/bin/occc
CODEGEN  := $(LIBDIR)/libocccodegen.so
RUNTIME  := $(LIBDIR)/libocc-runtime.a
STDLIB   := $(LIBDIR)/stdlib
# units of the library, each before those that use it
STDUNITS := course.consts course.utils course.string course.input course.float_io course.stringbuf course.file_in \
            course.demo_cycles course.demo_nets course.random course.time course.timers course.shared_screen \
            course.maths course.convert course.reals inmos.string hostio.packet hostio.files hostio.host hostio.screen \
            hostio.keys hostio.mux hostio.sp hostio.server streamio.keys streamio.screen streamio.host course.file \
            course.proc textlib textnumbers utf8lib maporder maplib sortkeys sortlib sortorders parallellib parallelgrid parallelflow argslib loglib processlib procfield filestreams filefield terminallib netlib sockwait socklib sockaltable filealtable filecopy tlslib hashlib hashtext base64lib jsonlib jsonpath jsonform siglib course.useful httplib httpfile httpget websocketlib httpfield course.matrix course.lexer xlink debug
STDTEXTS := $(notdir $(wildcard stdlib/*.occ stdlib/*.module stdlib/*.inc))
EXPLAIN  := $(LIBDIR)/explain
# programs that the page of `occc play` offers
PLAYED   := $(wildcard $(addprefix examples/,01-*.occ 02-*.occ 03-*.occ 04-*.occ 05-*.occ 06-*.occ 07-*.occ 09-*.occ 13-*.occ 18-*.occ 19-*.occ 20-*.occ 23-*.occ 28-*.occ 44-*.occ))
PLAY     := $(addprefix $(LIBDIR)/play/,server confine page/index.html page/play.js page/style.css page/examples.js)
PAGE     := $(LIBDIR)/graph.html $(addprefix $(LIBDIR)/,processes.py stepping.py dap.py) $(LIBDIR)/doc/style.css $(LIBDIR)/doc/search.js

comma := ,
ifeq ($(V),)
Q := @
say = @printf '  %-8s %s\n' $(1) $(2);
else
Q :=
say =
endif

# -- the compiler: frontend and linking in the executable, the rest of codegen (and with it libLLVM) in a
#    shared object that the driver opens only when it generates code
FRONT_SRC := $(filter-out frontend/play/confine.c,$(wildcard frontend/*.c frontend/*/*.c))
FRONT_DIRS := $(patsubst %/,-I%,$(sort $(dir $(wildcard frontend/*/*.h))))
GEN_SRC   := $(if $(wildcard frontend/token/lexer.l),$(GEN)/lexer.c) $(if $(wildcard frontend/parse/grammar.y),$(GEN)/grammar.c)
LINK_SRC  := $(wildcard codegen/link/*.c)
FRONT_OBJ := $(FRONT_SRC:%.c=$(OBJ)/%.o) $(GEN_SRC:$(GEN)/%.c=$(OBJ)/gen/%.o) $(LINK_SRC:%.c=$(OBJ)/%.o)
FRONT_LIB := $(OBJ)/libfrontend.a
CODE_SRC  := $(filter-out $(LINK_SRC),$(wildcard codegen/*.c codegen/*/*.c))
CODE_DIRS := -Icodegen $(patsubst %/,-I%,$(sort $(dir $(wildcard codegen/*/*.h))))
CODE_OBJ  := $(CODE_SRC:%.c=$(OBJ)/%.o)
CODE_LIB  := $(OBJ)/libcodegen.a

# jansson goes into the executable: a shared one would cost every start
FRONT_LIBS  = -Wl,-Bstatic -ljansson -Wl,-Bdynamic -ldl -lm
FRONT_FLAGS = $(COMMON) -fPIE $(FRONT_DIRS) -Iruntime/include -I$(GEN)
LLVM_CFLAGS  = $(patsubst -I%,-isystem %,$(shell $(LLVM_CONFIG) --cflags))
LLVM_LIBS    = $(shell $(LLVM_CONFIG) --ldflags --libs)
CODE_FLAGS   = $(COMMON) -fPIC $(CODE_DIRS) $(FRONT_DIRS) $(LLVM_CFLAGS)

# -- the runtime. Processes run on exact stacks, so nothing may add to a frame behind our back
# mpi.c is an object of its own, which needs a compiler for MPI
RT_SRC   := $(filter-out runtime/placed/mpi.c,$(shell find runtime -name '*.c' 2>/dev/null | LC_ALL=C sort))
MPICC    ?= mpicc
MPI_LINK := $(shell $(MPICC) --showme:link 2>/dev/null)
MPI      := $(if $(MPI_LINK),$(LIBDIR)/mpi.o)
RT_ASM   := $(shell find runtime -name '*.S' 2>/dev/null | LC_ALL=C sort)
RT_DIRS  := -Iruntime/include $(patsubst %/,-I%,$(sort $(dir $(wildcard runtime/*/*.h))))
RT_OBJ   := $(RT_SRC:%.c=$(OBJ)/%.o) $(RT_ASM:%.S=$(OBJ)/%.S.o)
RT_FLAGS  = $(COMMON) -fPIC -fno-stack-protector -fcf-protection=none -fvisibility=hidden \
            $(RT_DIRS) $(if $(SANITIZE),-DRT_SANITIZE) $(RT_STRESS)
# without the names of fields, which would be in every program; clang's own assembler cannot leave them out
AS_FLAGS := $(shell echo | $(CC) -Wa,--strip-local-absolute -x assembler -c -o /dev/null - 2>/dev/null && echo -Wa,--strip-local-absolute)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all compiler runtime stdlib check check-one check-units check-lit check-asan check-build bench format \
        lint fuzz check-fuzz check-intrinsics demo deps install uninstall clean help docs book deb check-deb

all: compiler runtime stdlib

# Another runtime in a tree of its own, $(call other-runtime,folder,flags): compiler and library are those of $(BUILD).
other-runtime = $(MAKE) -s --no-print-directory -j$(JOBS) BUILD=$(1) $(2) runtime && mkdir -p $(1)/bin && \
                cp -pf $(OCCC) $(1)/bin/ && rm -rf $(1)/lib/occ/stdlib && cp -Rpf $(CODEGEN) $(STDLIB) $(EXPLAIN) $(PAGE:$(LIBDIR)/doc/%=$(LIBDIR)/doc) $(1)/lib/occ/

compiler: $(if $(wildcard frontend/main.c),$(OCCC),$(FRONT_LIB)) $(if $(CODE_SRC),$(CODEGEN))
runtime: $(if $(RT_OBJ),$(RUNTIME)) $(if $(SANITIZE),,$(MPI))
# an instrumented runtime cannot be confined
stdlib: $(STDLIB)/.made $(EXPLAIN) $(PAGE) $(if $(SANITIZE),,$(PLAY))

$(OCCC): $(FRONT_OBJ)
	$(call say,LINK,$@) mkdir -p $(@D) && $(CC) $(SANFLAGS) $(LDFLAGS) -pie -rdynamic -o $@.new $(FRONT_OBJ) $(FRONT_LIBS) && mv -f $@.new $@

$(CODEGEN): $(CODE_OBJ)
	$(call say,LINK,$@) mkdir -p $(@D) && $(CC) $(SANFLAGS) $(LDFLAGS) -shared -o $@.new $(CODE_OBJ) $(LLVM_LIBS) && mv -f $@.new $@

$(RUNTIME): $(RT_OBJ)
	$(call say,AR,$@) mkdir -p $(@D) && rm -f $@.new && ar rcsD $@.new $(RT_OBJ) && mv -f $@.new $@

# beside it the words that link it
$(MPI): runtime/placed/mpi.c $(wildcard runtime/placed/*.h runtime/core/*.h)
	$(call say,CC,$<) mkdir -p $(@D) && OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(MPICC) $(filter-out -MMD -MP -fPIC,$(RT_FLAGS)) $(OURS) -c -o $@ $< && echo '$(MPI_LINK)' > $(@:.o=.link)

$(FRONT_LIB): $(filter-out $(OBJ)/frontend/main.o,$(FRONT_OBJ))
	$(call say,AR,$@) rm -f $@ && ar rcsD $@ $^

$(CODE_LIB): $(CODE_OBJ)
	$(call say,AR,$@) rm -f $@ && ar rcsD $@ $^

# The texts lie beside the objects, which were made from them as they are (unit-stale); links would follow edits.
$(STDLIB)/.made: $(OCCC) $(CODEGEN) $(STDTEXTS:%=stdlib/%)
	$(call say,OCCC,$(STDLIB)) rm -rf $(STDLIB) && mkdir -p $(STDLIB) && cp -p $(STDTEXTS:%=stdlib/%) $(STDLIB)/ && \
	  cd $(STDLIB) && for unit in $(STDUNITS); do $(if $(SANITIZE),ASAN_OPTIONS=detect_leaks=0) $(abspath $(OCCC)) -c -O2 $$unit.occ || exit 1; done && touch .made

# What `occc graph -o file.html` puts a network into.
$(LIBDIR)/graph.html: frontend/graph/page.html
	$(call say,COPY,$@) mkdir -p $(@D) && cp $< $@

# What the pages of `occc doc` have in common.
$(LIBDIR)/doc/%: frontend/doc/%
	$(call say,COPY,$@) mkdir -p $(@D) && cp $< $@

# What `occc play` serves with, and what keeps its programs in.
$(LIBDIR)/play/server: frontend/play/server.occ $(STDLIB)/.made $(RUNTIME)
	$(call say,OCCC,$@) mkdir -p $(@D) && $(OCCC) -O2 -g -o $@ $<

$(LIBDIR)/play/confine: frontend/play/confine.c
	$(call say,CC,$@) mkdir -p $(@D) && $(CC) -std=c11 -O2 -g $(OURS) -o $@ $< -l:libseccomp.a

$(LIBDIR)/play/page/examples.js: frontend/play/examples.py $(PLAYED)
	$(call say,MAKE,$@) mkdir -p $(@D) && $(PYTHON) $^ > $@

$(LIBDIR)/play/page/%: frontend/play/page/%
	$(call say,COPY,$@) mkdir -p $(@D) && cp $< $@

## play-editor: the editor of the page of occc play, CodeMirror bundled by npm; without it the page has a plain field
.PHONY: play-editor
play-editor: $(LIBDIR)/play/page/editor.js

$(LIBDIR)/play/page/editor.js: $(wildcard frontend/play/editor/*)
	$(call say,NPM,$@) mkdir -p $(BUILD)/play $(@D) && cp $^ $(BUILD)/play/ && cd $(BUILD)/play && npm ci --no-audit --no-fund --loglevel=error >/dev/null && \
	  npx esbuild editor.mjs --bundle --minify --log-level=warning --outfile=$(abspath $@)

# What `occc debug` tells gdb.
$(LIBDIR)/%.py: frontend/debug/%.py
	$(call say,COPY,$@) mkdir -p $(@D) && cp $< $@

# So are the pages of `occc explain`.
$(EXPLAIN): | docs/explain
	$(call say,LINK,$@) mkdir -p $(@D) && ln -sfn $(CURDIR)/docs/explain $@

$(OBJ)/frontend/%.o: frontend/%.c | $(GEN_SRC)
	$(call say,CC,$<) mkdir -p $(@D) && $(CC) $(FRONT_FLAGS) $(OURS) -c -o $@ $<

$(OBJ)/gen/%.o: $(GEN)/%.c | $(GEN_SRC)
	$(call say,CC,$<) mkdir -p $(@D) && $(CC) $(FRONT_FLAGS) $(LAXER) -c -o $@ $<

$(OBJ)/codegen/%.o: codegen/%.c
	$(call say,CC,$<) mkdir -p $(@D) && $(CC) $(CODE_FLAGS) $(OURS) -c -o $@ $<

$(OBJ)/runtime/%.o: runtime/%.c
	$(call say,CC,$<) mkdir -p $(@D) && $(CC) $(RT_FLAGS) $(OURS) -c -o $@ $<

# What is in every program and never in a hurry: reports, the start.
$(OBJ)/runtime/report/%.o $(OBJ)/runtime/explore/runner.o $(OBJ)/runtime/explore/choice.o $(OBJ)/runtime/start/%.o \
$(addprefix $(OBJ)/runtime/,core/error.o core/setting.o os/posix_quota.o os/posix_watch.o scheduler/standstill.o): \
  RT_FLAGS += $(if $(SANITIZE),,-Os)

$(OBJ)/runtime/%.S.o: runtime/%.S
	$(call say,AS,$<) mkdir -p $(@D) && $(CC) $(filter-out $(SANFLAGS),$(RT_FLAGS)) $(AS_FLAGS) -c -o $@ $<

# The scanner must never back up; without -Cfe flex could not tell.
$(GEN)/lexer.c: frontend/token/lexer.l
	$(call say,FLEX,$<) mkdir -p $(@D) && $(FLEX) -Cfe --backup-file=$(GEN)/lex.backup -o $@ $< \
	  && { grep -q '^No backing up' $(GEN)/lex.backup || { cat $(GEN)/lex.backup; rm -f $@; false; }; }

$(GEN)/grammar.c $(GEN)/grammar.h &: frontend/parse/grammar.y
	$(call say,BISON,$<) mkdir -p $(GEN) && $(BISON) -Wall -Werror -Wno-yacc \
	  --header=$(GEN)/grammar.h --report=states --report-file=$(GEN)/grammar.report -o $(GEN)/grammar.c $<

# -- C unit tests: test/<area>/<file>_test.c, each a program that exits 0; runtime ones may have
#    companions test/runtime/<file>_test_*.{ll,S} with hand-written processes
UNIT_SRC  := $(wildcard test/frontend/*_test.c test/codegen/*_test.c test/runtime/*_test.c)
UNIT_BIN  := $(UNIT_SRC:test/%.c=$(BUILD)/test/%)
COMPANION  = $(patsubst test/%,$(OBJ)/test/%.o,$(wildcard $(1:$(BUILD)/test/%=test/%)_*.ll $(1:$(BUILD)/test/%=test/%)_*.S \
               $(1:$(BUILD)/test/%=test/%)_*.pn.c))

$(BUILD)/test/frontend/%_test: test/frontend/%_test.c $(FRONT_LIB)
	$(call say,UNIT,$<) mkdir -p $(@D) && $(CC) $(FRONT_FLAGS) $(OURS) -Wno-missing-prototypes -o $@ $< $(FRONT_LIB) $(FRONT_LIBS)

$(BUILD)/test/codegen/%_test: test/codegen/%_test.c $(CODE_LIB) $(FRONT_LIB)
	$(call say,UNIT,$<) mkdir -p $(@D) && $(CC) $(CODE_FLAGS) $(OURS) -o $@ $< \
	  -Wl,--start-group $(CODE_LIB) $(FRONT_LIB) -Wl,--end-group $(LLVM_LIBS) $(FRONT_LIBS)

.SECONDEXPANSION:
$(BUILD)/test/runtime/%_test: test/runtime/%_test.c $(wildcard test/runtime/*.h) $(RUNTIME) $$(call COMPANION,$$@)
	$(call say,UNIT,$<) mkdir -p $(@D) && $(CC) $(RT_FLAGS) $(OURS) -no-pie -o $@ $< $(call COMPANION,$@) $(RUNTIME) -lm

$(OBJ)/test/%.ll.o: test/%.ll
	$(call say,LL,$<) mkdir -p $(@D) && $(CLANG) -O2 -Wno-override-module -c -o $@ $<

# processes written in C: only clang knows their convention, and they have no red zone
$(OBJ)/test/%.pn.c.o: test/%.pn.c test/runtime/inlined.h test/runtime/world.h
	$(call say,PN,$<) mkdir -p $(@D) && $(CLANG) -std=c11 -D_GNU_SOURCE -O2 -g -mno-red-zone -mfunction-return=thunk-extern -fno-stack-protector \
	  -Wall -Wextra -Wno-gnu-variable-sized-type-not-at-end \
	  $(RT_DIRS) -c -o $@ $<

$(OBJ)/test/%.S.o: test/%.S
	$(call say,AS,$<) mkdir -p $(@D) && $(CC) $(RT_DIRS) -c -o $@ $<

# -- checks. Each writes $(REPORTS)/<name>.xml; the summary adds them up
REPORTS   := $(BUILD)/reports
LITFLAGS  ?= -sv
T         ?= test
# lit can only end a test that hangs when psutil is there
LIT_LIMIT  = $(shell $(PYTHON) -c 'import psutil' 2>/dev/null && echo --timeout $(1))
LIT_RUN    = $(LIT) -j$(JOBS) $(call LIT_LIMIT,60) --param build=$(abspath $(BUILD)) --param llvm=$(LLVM_PREFIX)

## check: install what is missing, build, and run everything: units, lit, models, stress, sanitizers, lint
check: deps
	@rm -rf $(REPORTS) && mkdir -p $(REPORTS) && status=0; \
	$(MAKE) --no-print-directory -j$(JOBS) all || exit 1; \
	for part in check-units check-lit check-levels-short check-models check-relacy check-stress check-tsan check-asan lint; do \
	  echo "== $$part"; $(MAKE) --no-print-directory -j$(JOBS) $$part || status=1; \
	done; \
	$(PYTHON) test/tools/summary.py $(REPORTS) || status=1; exit $$status

## check-units: the C unit tests of frontend, codegen and runtime
check-units: all $(UNIT_BIN)
	@mkdir -p $(REPORTS) && $(PYTHON) test/tools/run_units.py --jobs $(JOBS) --xml $(REPORTS)/units.xml $(UNIT_BIN)

## check-levels: every library unit, example and program of test/programs in each of 320 ways to compile it (hours; FILES= for some)
.PHONY: check-levels check-levels-short
FILES ?=
check-levels: all
	@mkdir -p $(REPORTS) && $(PYTHON) test/tools/check_levels.py --occc $(OCCC) --jobs $(JOBS) --full --xml $(REPORTS)/levels.xml $(FILES)

# one way of each; with SEED=1 to SEED=12 every file has met all pairs of options
check-levels-short: all
	@mkdir -p $(REPORTS) && $(PYTHON) test/tools/check_levels.py --occc $(OCCC) --jobs $(JOBS) --seed $(SEED) --xml $(REPORTS)/levels.xml $(FILES)

## check-lit: the lit suites under test/ and examples/
check-lit: all
	@mkdir -p $(REPORTS) && $(LIT_RUN) $(LITFLAGS) --xunit-xml-output $(REPORTS)/lit.xml test examples

## check-fast: for the minute after an edit: units, and the lit suites whose tests are short (FAST=folders)
.PHONY: check-fast
FAST ?= $(addprefix test/,lexer layout grammar preprocessor names types protocol alias usage flow classroom conformance clock \
          errors regression mobile codegen run/par run/alt run/seq run/if run/case run/while run/channel run/timer run/record) examples/*.occ
check-fast: check-units
	@$(LIT_RUN) -q $(wildcard $(FAST))

## check-one T=path: one test file or folder, loudly (T=test/run/alt)
check-one: all
	@$(LIT_RUN) -v $(T)

## check-asan: compiler and runtime under AddressSanitizer and UBSan, on the suites that exercise them most
ASAN_SUITES ?= $(wildcard test/lexer test/layout test/grammar test/preprocessor test/names test/types test/protocol \
                 test/alias test/usage test/driver test/conformance test/errors test/deadlock test/run test/mobile)
check-asan: all
	@mkdir -p $(REPORTS); $(MAKE) --no-print-directory -j$(JOBS) BUILD=$(BUILD)/asan SANITIZE=address,undefined check-asan-units
	@$(if $(ASAN_SUITES),$(LIT) -j$(JOBS) $(call LIT_LIMIT,120) --param build=$(abspath $(BUILD))/asan --param llvm=$(LLVM_PREFIX) --param sanitize=1 $(LITFLAGS) --xunit-xml-output $(REPORTS)/asan.xml $(ASAN_SUITES))

.PHONY: check-asan-units
check-asan-units: all $(filter $(BUILD)/test/frontend/% $(BUILD)/test/codegen/%,$(UNIT_BIN))
	@$(PYTHON) test/tools/run_units.py --prefix asan --jobs $(JOBS) --xml $(BUILD)/../reports/asan-units.xml \
	  $(filter $(BUILD)/test/frontend/% $(BUILD)/test/codegen/%,$(UNIT_BIN))

## lint: format, warnings of gcc and clang as errors, layers, READMEs, sizes, banned calls, diagnostics, docs
lint: all
	@mkdir -p $(REPORTS) && $(PYTHON) test/tools/lint.py --clang $(CLANG) --occc $(OCCC) --jobs $(JOBS) \
	  --xml $(REPORTS)/lint.xml

## check-models: the Promela models of the protocols, each with a control that must fail (M=test/model/join.pml for one)
.PHONY: check-models check-models-long
M ?=
check-models:
	@mkdir -p $(REPORTS) && $(PYTHON) test/tools/run_models.py --jobs $(JOBS) --xml $(REPORTS)/models.xml $(M)

## check-models-long: the same, larger
check-models-long:
	@mkdir -p $(REPORTS) && $(PYTHON) test/tools/run_models.py --long --jobs $(JOBS) --xml $(REPORTS)/models.xml $(M)

## check-relacy: the lock-free parts in Relacy, under the memory model of C11, each with controls that must fail (RUNS=100000)
.PHONY: check-relacy
RUNS ?= 100000
check-relacy:
	@mkdir -p $(REPORTS) && $(PYTHON) test/tools/run_relacy.py --jobs $(JOBS) --xml $(REPORTS)/relacy.xml --cc $(CC) --runs $(RUNS)

## check-stress: the programs of test/stress on 1, 2 and 10 workers, in a runtime built to provoke races (SEEDS=3, S=file for one)
.PHONY: check-stress
SEEDS ?= 3
S ?=
# sort: a folder that two patterns name would be run twice at the same time, into the same files
STRESS_SUITES ?= $(sort $(wildcard test/run/alt* test/run/par test/run/close test/run/clock test/run/mobile-clock test/run/barrier test/run/channel* test/run/claim test/run/mutex test/run/sync test/run/recursion test/run/fork* test/run/bundle test/run/extended \
                   test/run/mobile* test/run/replicated-alt test/run/timer test/choice test/deadlock))
STRESS_FLAGS := -DRT_STRESS_SHARE=1 -DRT_STRESS_DELAY=1 -DRT_DEBUG
check-stress: all
	@$(call other-runtime,$(BUILD)/stress,RT_STRESS="$(STRESS_FLAGS)")
	@mkdir -p $(REPORTS) && $(PYTHON) test/tools/run_stress.py --jobs $(JOBS) --xml $(REPORTS)/stress.xml --occc $(BUILD)/stress/bin/occc \
	  --seeds $(SEEDS) $(S)
	@$(if $(S),,$(LIT) -j$(JOBS) $(call LIT_LIMIT,120) --param build=$(abspath $(BUILD))/stress --param llvm=$(LLVM_PREFIX) \
	  --param workers=10 $(LITFLAGS) --xunit-xml-output $(REPORTS)/stress-lit.xml $(STRESS_SUITES))

## check-tsan: the programs of test/stress and test/choice with a runtime under ThreadSanitizer (TSAN_SEEDS=2, S=file for one)
# Extended inputs are compiled in place, where the sanitizer does not see what orders them.
.PHONY: check-tsan
TSAN_SEEDS ?= 2
TSAN_PROGRAMS = $(if $(S),$(S),$(shell grep -L -e "??" -e "--status" test/stress/*.occ test/choice/*.occ))
TSAN_FLAGS := -DRT_STRESS_SHARE=1 -fsanitize=thread -fno-omit-frame-pointer -Wno-tsan
# by default each run lasts a second longer, for races at its end
TSAN_SETTINGS := exitcode=66:atexit_sleep_ms=20
check-tsan: all
	@$(call other-runtime,$(BUILD)/tsan,RT_STRESS="$(TSAN_FLAGS)")
	@mkdir -p $(REPORTS) && CC="gcc -fsanitize=thread" TSAN_OPTIONS=$(TSAN_SETTINGS) $(PYTHON) test/tools/run_stress.py --quiet \
	  --jobs $(JOBS) --xml $(REPORTS)/tsan.xml --name tsan --occc $(BUILD)/tsan/bin/occc --seeds $(TSAN_SEEDS) $(TSAN_PROGRAMS)

# the flags of each part, for test/tools/lint.py
.PHONY: print-flags
print-flags:
	$(info frontend:$(filter-out -MMD -MP,$(FRONT_FLAGS)) $(OURS))
	$(info codegen:$(filter-out -MMD -MP,$(CODE_FLAGS)) $(OURS))
	$(info runtime:$(filter-out -MMD -MP,$(RT_FLAGS)) $(OURS))
	@:

## format: rewrite our C files with clang-format
OUR_C = $(shell git ls-files '*.c' '*.h' 2>/dev/null | grep -E '^(frontend|codegen|runtime|test)/' | grep -v '\.S\.h$$')
format:
	@clang-format -i $(OUR_C)

## bench: one benchmark per primitive beside Go and C (BENCH=name for one)
BENCH ?=
bench: all
	@$(PYTHON) test/bench/run.py --occc $(OCCC) --cache $(BUILD)/bench-cache --clang $(CLANG) $(BENCH)

## bench-lsp: how fast the language server answers, and what it holds
.PHONY: bench-lsp
bench-lsp: all
	@$(PYTHON) test/bench/lsp.py --occc $(OCCC)

## bench-net: servers under load, beside Go
.PHONY: bench-net
bench-net: all
	@$(PYTHON) test/bench/net/run.py --occc $(OCCC) --cache $(BUILD)/bench-cache
	@$(PYTHON) test/bench/net/keys.py --occc $(OCCC) --cache $(BUILD)/bench-cache
	@$(PYTHON) test/bench/net/copy.py --occc $(OCCC) --cache $(BUILD)/bench-cache
	@$(PYTHON) test/bench/net/beside.py --occc $(OCCC) --cache $(BUILD)/bench-cache

## bench-placed: placements over MPI, beside C with MPI (needs two processors with nothing else to do)
.PHONY: bench-placed
bench-placed: all
	@$(PYTHON) test/bench/placed/measure.py --occc $(OCCC) --cache $(BUILD)/bench-cache

## bench-scaling: what a second worker gains, beside Go (BENCH=name for one; RT=1 with real-time priority)
.PHONY: bench-scaling
bench-scaling: all
	@$(PYTHON) test/bench/scaling.py --occc $(OCCC) --cache $(BUILD)/bench-cache --clang $(CLANG) \
	  $(if $(RT),--realtime) $(BENCH)

## fuzz: damaged programs against the sanitized compiler, generated ones against the reference (SEED=1, COUNT=200)
SEED  ?= 1
COUNT ?= 200
fuzz: all
	@ASAN_OPTIONS=detect_leaks=0 $(MAKE) --no-print-directory -j$(JOBS) BUILD=$(BUILD)/asan \
	  SANITIZE=address,undefined compiler stdlib
	@status=0; $(PYTHON) test/fuzz/mutate.py --occc $(BUILD)/asan/bin/occc --seed $(SEED) --count $(COUNT) \
	  --save $(BUILD)/fuzz || status=1; $(PYTHON) test/fuzz/grammar.py --occc $(BUILD)/asan/bin/occc --seed $(SEED) \
	  --count $(COUNT)0 --save $(BUILD)/fuzz || status=1; $(PYTHON) test/fuzz/generate.py --occc $(OCCC) --seed $(SEED) --count $(COUNT) \
	  --save $(BUILD)/fuzz || status=1; $(PYTHON) test/fuzz/usage.py --occc $(OCCC) --seed $(SEED) --count $(COUNT)0 \
	  || status=1; $(PYTHON) test/fuzz/phase.py --occc $(OCCC) --seed $(SEED) --count $(COUNT)0 \
	  || status=1; $(PYTHON) test/fuzz/choice.py --occc $(OCCC) --seed $(SEED) --count $(COUNT) \
	  --save $(BUILD)/fuzz || status=1; $(PYTHON) test/fuzz/tree.py --occc $(OCCC) --seed $(SEED) --count $(COUNT) \
	  || status=1; $(PYTHON) test/fuzz/clock.py --occc $(OCCC) --seed $(SEED) --count $(COUNT) \
	  || status=1; $(PYTHON) test/fuzz/extremes.py --occc $(BUILD)/asan/bin/occc --linker $(OCCC) \
	  --seed $(SEED) --count $(COUNT)0 || status=1; $(PYTHON) test/fuzz/matrix.py --occc $(OCCC) --seed $(SEED) --sample $(COUNT)00 || status=1; exit $$status

## fuzz-front: libFuzzer on text to checked tree under ASan and UBSan (TIME=60 seconds; FRONT_SANITIZE=undefined is faster)
# without tracing of comparisons it runs three times as many programs
.PHONY: fuzz-front
TIME           ?= 60
FRONT_OPT      ?= -O2 -fno-sanitize-coverage=trace-cmp,indirect-calls
FRONT_SANITIZE ?= address,undefined
FRONT_BUILD    := $(BUILD)/fuzz-$(firstword $(subst $(comma), ,$(FRONT_SANITIZE)))
fuzz-front:
	@sh test/tools/deps.sh "libclang-rt-19-dev" ""
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=$(FRONT_BUILD) CC=$(CLANG) SANITIZE=$(FRONT_SANITIZE),fuzzer-no-link OPT="$(FRONT_OPT)" \
	  $(FRONT_BUILD)/obj/libfrontend.a
	$(call say,LINK,$(FRONT_BUILD)/front_fuzz) $(CLANG) -std=c11 -g -fsanitize=$(FRONT_SANITIZE),fuzzer $(FRONT_DIRS) -I$(GEN) \
	  -o $(FRONT_BUILD)/front_fuzz test/fuzz/front_fuzz.c $(FRONT_BUILD)/obj/libfrontend.a $(FRONT_LIBS)
	@$(PYTHON) test/fuzz/front.py --fuzzer $(FRONT_BUILD)/front_fuzz --folder $(FRONT_BUILD)/front --seconds $(TIME) --seed $(SEED)

## fuzz-http: libFuzzer on messages of HTTP under ASan and UBSan: at once and in parts they are the same (TIME=60)
.PHONY: fuzz-http
fuzz-http:
	@sh test/tools/deps.sh "libclang-rt-19-dev" ""
	$(Q)mkdir -p $(BUILD)/fuzz-http/seeds && $(PYTHON) test/fuzz/http_seeds.py $(BUILD)/fuzz-http/seeds
	$(call say,LINK,$(BUILD)/fuzz-http/http_fuzz) $(CLANG) -std=c11 -g -O1 -fsanitize=address,undefined,fuzzer $(RT_DIRS) \
	  -o $(BUILD)/fuzz-http/http_fuzz test/fuzz/http_fuzz.c $(addprefix runtime/world/http_,read.c write.c field.c) -lhttp_parser
	@cd $(BUILD)/fuzz-http && ./http_fuzz -max_len=2000 -max_total_time=$(TIME) -timeout=5 -verbosity=0 -print_final_stats=1 seeds

## fuzz-json: libFuzzer on texts of JSON under ASan and UBSan: what is read is a tree, or a record, written again the same (TIME=60 for each)
.PHONY: fuzz-json
fuzz-json:
	@sh test/tools/deps.sh "libclang-rt-19-dev" ""
	$(Q)mkdir -p $(BUILD)/fuzz-json/seeds && $(PYTHON) test/fuzz/json_seeds.py $(BUILD)/fuzz-json/seeds
	$(call say,LINK,$(BUILD)/fuzz-json/json_fuzz) $(CLANG) -std=c11 -g -O1 -fsanitize=address,undefined,fuzzer $(RT_DIRS) \
	  -o $(BUILD)/fuzz-json/json_fuzz test/fuzz/json_fuzz.c $(addprefix runtime/world/json,.c _quote.c) -ljansson -lm
	$(call say,LINK,$(BUILD)/fuzz-json/json_form_fuzz) $(CLANG) -std=c11 -g -O1 -fsanitize=address,undefined,fuzzer $(RT_DIRS) \
	  -o $(BUILD)/fuzz-json/json_form_fuzz test/fuzz/json_form_fuzz.c $(addprefix runtime/world/json_,form.c form_text.c quote.c) -ljansson -lm
	@cd $(BUILD)/fuzz-json && ./json_fuzz -max_len=2000 -max_total_time=$(TIME) -timeout=5 -verbosity=0 -print_final_stats=1 seeds
	@cd $(BUILD)/fuzz-json && ./json_form_fuzz -max_len=2000 -max_total_time=$(TIME) -timeout=5 -verbosity=0 -print_final_stats=1 seeds

## fuzz-http-server: random streams of requests, sound and not, to a server of HTTP: its answers are those of a model (TIME=60, SEED=1)
.PHONY: fuzz-http-server
fuzz-http-server: all
	@$(PYTHON) test/fuzz/http_server.py --occc $(OCCC) --seed $(SEED) --seconds $(TIME)

## fuzz-websocket: random frames, sound and not, to a server of WebSockets: its answers are those of a model (TIME=60, SEED=1)
.PHONY: fuzz-websocket
fuzz-websocket: all
	@$(PYTHON) test/fuzz/websocket.py --occc $(OCCC) --seed $(SEED) --seconds $(TIME)

## faults: the k-th system call or allocation fails, for each k, in programs and in the compiler (FAULTS=program.occ)
.PHONY: faults limits
FAULTS ?=
faults: all
	@sh test/tools/deps.sh "strace" ""
	@$(PYTHON) test/faults/faults.py --occc $(OCCC) $(FAULTS)

## limits: programs and the compiler under limits of memory, descriptors and size of files (LIMITS=program.occ); time by length of text
limits: all
	@$(PYTHON) test/faults/limits.py --occc $(OCCC) $(LIMITS)
	@$(PYTHON) test/limits/growth.py --occc $(OCCC)

## check-fuzz: random programs with a known meaning: results, errors, mistakes, races (SEEDS=100 of each, from SEED=1)
SEEDS ?= 100
check-fuzz: all
	@status=0; for each in generate fault mistake choice bounds strips ends differ shape lsp; do \
	  echo "  FUZZ     $$each"; $(PYTHON) test/fuzz/$$each.py --occc $(OCCC) --seed $(SEED) --count $(SEEDS) \
	    --save $(BUILD)/fuzz || status=1; done; for each in usage race phase alias oracle; do \
	  echo "  FUZZ     $$each"; $(PYTHON) test/fuzz/$$each.py --occc $(OCCC) --seed $(SEED) --count $(SEEDS)0 \
	    || status=1; done; echo "  FUZZ     matrix"; $(PYTHON) test/fuzz/matrix.py --occc $(OCCC) --kinds || status=1; exit $$status

## nesting: every form of the language nested 1 000 deep and chained 100 000 long (DEEP=, LONG=)
.PHONY: nesting
DEEP ?= 1000
LONG ?= 100000
nesting: all
	@$(PYTHON) test/limits/nesting.py --occc $(OCCC) --deep $(DEEP) --long $(LONG)

## soak: programs without an end, each for half an hour: they go on, and their memory is flat (SOAK=minutes, SOAK_CPU=n)
.PHONY: soak
SOAK ?= 30
soak: all
	@$(PYTHON) test/soak/soak.py --occc $(OCCC) --minutes $(SOAK) $(if $(SOAK_CPU),--cpu $(SOAK_CPU))

## coverage: which lines of the compiler the lit tests run, by folder (COVERED=folders of tests)
.PHONY: coverage
COVERED     ?= test examples
COVER       := $(abspath $(BUILD))/coverage
COVER_FLAGS := -fprofile-instr-generate -fcoverage-mapping
coverage:
	@sh test/tools/deps.sh "libclang-rt-19-dev" ""
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=$(COVER) CC=$(CLANG) OPT=-O1 SANFLAGS="$(COVER_FLAGS)" compiler
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=$(COVER) runtime
	@LLVM_PROFILE_FILE=/dev/null $(MAKE) --no-print-directory BUILD=$(COVER) CC=$(CLANG) OPT=-O1 SANFLAGS="$(COVER_FLAGS)" stdlib
	@rm -rf $(COVER)/profiles && mkdir -p $(COVER)/profiles
	@$(LIT) -j$(JOBS) $(call LIT_LIMIT,120) --param build=$(COVER) --param llvm=$(LLVM_PREFIX) --param profiles=$(COVER)/profiles \
	  $(LITFLAGS) $(COVERED) || true
	@$(PYTHON) test/tools/coverage.py --llvm $(LLVM_PREFIX) --profiles $(COVER)/profiles $(COVER)/bin/occc $(COVER)/lib/occ/libocccodegen.so

## coverage-runtime: the same of the runtime, with its branches: lit tests, unit tests, stress, storms of reports; what its own checks guard is not counted (BRANCHES=runtime/channel: which are never taken)
# Each step adds to what the others have counted: make cover-rt-lit cover-rt-report COVERED=test/run/alt BRANCHES=runtime/channel
.PHONY: coverage-runtime cover-rt-build cover-rt-lit cover-rt-units cover-rt-unit-programs cover-rt-stress cover-rt-report
COVER_RT    := $(abspath $(BUILD))/coverage-runtime
COVER_RUSH  := $(abspath $(BUILD))/coverage-rush
BRANCHES    ?=
COVER_RT_FLAGS := $(COVER_FLAGS) -mllvm -runtime-counter-relocation -fprofile-update=atomic -DRT_COVERAGE
COVER_RT_TESTS := $(patsubst test/%.c,$(COVER_RT)/test/%,$(wildcard test/runtime/*_test.c))
COVER_RT_MAKE   = CC=$(CLANG) OPT=-O1 SANFLAGS="$(COVER_RT_FLAGS)"
# a program with the whole runtime in it, for llvm-cov
cover-whole  = printf 'PROC main (CHAN BYTE screen!)\n  SKIP\n:\n' > $(1)/all.occ && cd $(1) && LLVM_PROFILE_FILE=/dev/null \
               CC="$(CLANG) -fprofile-instr-generate -Wl,--whole-archive,lib/occ/libocc-runtime.a,--no-whole-archive -lhttp_parser -lssl -lcrypto -ljansson" bin/occc all.occ -o all
coverage-runtime: all
	@sh test/tools/deps.sh "libclang-rt-19-dev" ""
	@rm -rf $(COVER_RT)/profiles $(COVER_RUSH)/profiles
	@for step in build lit units stress report; do $(MAKE) -s --no-print-directory cover-rt-$$step || exit 1; done

# beside the usual one a runtime that is built to provoke races (check-stress)
cover-rt-build: all
	@$(call other-runtime,$(COVER_RT),$(COVER_RT_MAKE))
	@$(call other-runtime,$(COVER_RUSH),$(COVER_RT_MAKE) RT_STRESS="$(STRESS_FLAGS) -DRT_STRESS_CHECKS=1")
	@$(call cover-whole,$(COVER_RT))
	@$(call cover-whole,$(COVER_RUSH))
cover-rt-lit:
	@for workers in 1 2 8; do $(LIT) -j$(JOBS) $(call LIT_LIMIT,120) --param build=$(COVER_RT) --param llvm=$(LLVM_PREFIX) \
	  --param runtime_profiles=$(COVER_RT)/profiles --param workers=$$workers $(LITFLAGS) $(COVERED) || true; done
cover-rt-unit-programs: $(filter $(BUILD)/test/runtime/%,$(UNIT_BIN))
cover-rt-units:
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=$(COVER_RT) $(COVER_RT_MAKE) cover-rt-unit-programs
	@LLVM_PROFILE_FILE=$(COVER_RT)/profiles/unit-%8m.profraw $(PYTHON) test/tools/run_units.py --xml $(COVER_RT)/units.xml \
	  $(COVER_RT_TESTS) || true
cover-rt-stress:
	@for folder in $(COVER_RT) $(COVER_RUSH); do CC="$(CLANG) -fprofile-instr-generate" LLVM_PROFILE_FILE=$$folder/profiles/stress-%c%8m.profraw \
	  $(PYTHON) test/tools/run_stress.py --jobs $(JOBS) --xml $$folder/stress.xml --occc $$folder/bin/occc --seeds 1 $(S) || true; done
cover-rt-report:
	@$(PYTHON) test/tools/coverage.py --llvm $(LLVM_PREFIX) --profiles $(COVER_RT)/profiles --least 90 \
	  --beside $(COVER_RUSH)/profiles $(COVER_RUSH)/all $(addprefix --branches ,$(BRANCHES)) $(COVER_RT)/all $(COVER_RT_TESTS)

## check-intrinsics: a million operands for each predefined routine, against C (CASES=1000000)
CASES ?= 1000000
check-intrinsics: all
	$(Q)mkdir -p $(BUILD)/intrinsics && cd $(BUILD)/intrinsics && $(PYTHON) $(CURDIR)/test/intrinsics/make_program.py > program.occ \
	  && cc -O1 -frounding-math -o reference $(CURDIR)/test/intrinsics/reference.c -lm \
	  && $(abspath $(OCCC)) -w -DCASES=$(CASES) program.occ -o program && ./reference $(CASES) > wanted && ./program > found \
	  && diff wanted found && echo "predefined routines: $$(cut -d' ' -f1 found | uniq | wc -l) agree on $(CASES) operands each"

## demo: build, then compile and run a few of the examples
demo: deps
	@$(MAKE) --no-print-directory -j$(JOBS) all && sh test/tools/demo.sh $(OCCC)

## deps: install the Debian packages that are missing
NEEDED   := gcc libc6-dev libjansson-dev libmd4c-dev libhttp-parser-dev libssl-dev libseccomp-dev openssl curl make python3 python3-psutil flex bison llvm-19-dev llvm-19-tools clang-19 clang-format
OPTIONAL := libopenmpi-dev openmpi-bin mkdocs-material debhelper lintian fakeroot pkg-config scdoc spin g++ relacy-dev graphviz
deps:
	@sh test/tools/deps.sh "$(NEEDED)" "$(OPTIONAL)"

## docs: the manual pages and the completions of shells, from the table of options
COMPLETIONS := $(addprefix $(BUILD)/share/,occc.bash _occc occc.fish)
COMMANDS    := $(filter-out help version,$(shell awk -F'"' '/^COMMAND_WORD/ {print $$2}' frontend/driver/command.def))
PAGES       := occc.1 occ-runtime.7 $(COMMANDS:%=occc-%.1)
docs: $(if $(shell command -v scdoc),$(PAGES:%=$(BUILD)/man/%)) $(COMPLETIONS)
$(BUILD)/man/occc-%.1: docs/occc.1.scd test/tools/command_page.sh $(OCCC)
	$(call say,MAN,$@) mkdir -p $(@D) && sh test/tools/command_page.sh $(OCCC) $< $* > $@.new && mv -f $@.new $@
$(BUILD)/man/%: docs/%.scd test/tools/man_page.sh $(OCCC)
	$(call say,MAN,$@) mkdir -p $(@D) && sh test/tools/man_page.sh $(OCCC) $< > $@.new && mv -f $@.new $@
$(BUILD)/share/occc.bash: SHELL_NAME = bash
$(BUILD)/share/_occc: SHELL_NAME = zsh
$(BUILD)/share/occc.fish: SHELL_NAME = fish
$(COMPLETIONS): $(OCCC)
	$(call say,COMPLETE,$@) mkdir -p $(@D) && $(OCCC) --help=$(SHELL_NAME) > $@.new && mv -f $@.new $@

## vsix: the extension of VS Code (needs npm: the packages of its lock file, from the cache or the net)
VSIX := $(BUILD)/occam.vsix
vsix: $(VSIX)
$(VSIX): $(shell find docs/editors/vscode -type f) test/tools/make_vsix.py
	$(call say,VSIX,$@) rm -rf $(BUILD)/vsix && cp -R docs/editors/vscode $(BUILD)/vsix && \
	  (cd $(BUILD)/vsix && npm ci --omit=dev --prefer-offline --no-audit --no-fund --silent) && \
	  $(PYTHON) test/tools/make_vsix.py $(BUILD)/vsix $@

## book: the book and the reference as a static site, $(BUILD)/book/index.html (mkdocs-material)
book:
	@sh test/tools/book.sh "$(BUILD)"

## deb: the Debian packages, from what git knows, into $(BUILD)/deb (docs/packaging)
deb:
	@sh docs/packaging/make_deb.sh "$(BUILD)" "$(VERSION)"

## check-deb: those packages, looked at by lintian, installed into an empty root, used and removed
check-deb: all docs
	@sh docs/packaging/check_deb.sh "$(BUILD)" "$(VERSION)"

## install: into $(DESTDIR)$(PREFIX)
install: all docs
	@sh test/tools/install.sh install "$(DESTDIR)" "$(PREFIX)" "$(BUILD)" "$(VERSION)"

## uninstall: what install put there
uninstall:
	@sh test/tools/install.sh uninstall "$(DESTDIR)" "$(PREFIX)" "$(BUILD)" "$(VERSION)"

## clean: remove all output
clean:
	rm -rf $(BUILD)

## help: this list
help:
	@sed -n 's/^## \([a-z-]*[^:]*\): /  make \1|/p' Makefile | awk -F'|' '{printf "%-28s %s\n", $$1, $$2}'

-include $(FRONT_OBJ:.o=.d) $(CODE_OBJ:.o=.d) $(RT_OBJ:.o=.d) $(wildcard $(BUILD)/test/*/*.d)
