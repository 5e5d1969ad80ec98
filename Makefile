# SPDX-License-Identifier: GPL-2.0-only
# The verbs; what they do is in lab/, scripts/ and packaging/. Variables are as Documentation/reference/make.md says.

export KVER KDIR RUNNER ARCH ACCEL CPU FLAVOUR LAYOUT LLVM LSM KARGS CPUS TIMEOUT SHARE INITRD EVAL SAMPLES FS SOCKET SERIES CONFIG
export LOCALMODCONFIG RANGE BEFORE AFTER BENCH FUNCTIONS CYCLES BOOTS SELFTEST FORMAT FAIL_ABOVE PROFILE FRESH

# CMD goes to the guest byte for byte: make must not expand a $ in it.
override CMD := $(value CMD)
export CMD

MAKEFLAGS += --no-print-directory
.SILENT:
.PHONY: help run check apply unapply series release kernel exec shell overhead eval map cost figures docs deb deb-kernel source packages python deps tools install clean

# Guests are built for x86-64, and on arm64 for that, if ARCH says so: say that before anything is installed.
in_guests := $(filter map cost check kernel exec shell $(if $(filter host,$(RUNNER)),,run overhead eval),$(MAKECMDGOALS))
for_arm64 := $(if $(filter-out kernel exec shell run overhead eval,$(in_guests)),,aarch64)
aarch64 := $(if $(filter arm64,$(ARCH)),$(for_arm64))
other := $(if $(in_guests),$(filter-out x86_64 $(aarch64),$(shell uname -m 2>/dev/null)))
instead := $(if $(filter $(for_arm64),$(other)),; say RUNNER=qemu ARCH=arm64)
$(if $(other),$(error make $(in_guests) needs an x86-64 machine, for which its guests are built; this is $(other)$(instead)))

# What is for x86-64 only: its published numbers are of that.
only_x86 := $(if $(filter-out x86_64,$(ARCH)),$(filter cost,$(MAKECMDGOALS)))
$(if $(only_x86),$(error ARCH='$(ARCH)' is not accepted by make $(only_x86); one of: x86_64))

help:
	echo 'make run       measure what the hooks of every module cost'
	echo 'make check     run the tests, in Linux 6.12; KVER=all: every test, in every kernel'
	echo 'make apply KDIR=DIR, make unapply KDIR=DIR   lsmpmon in your own tree'
	echo 'make series KVER=7.3     what is proposed first, as mails, in build/series/;'
	echo '                   SERIES=2 to 5: what is proposed after it, in the order of proposing;'
	echo '                   SERIES=monitor: the whole monitor, SERIES=all: all of lsmpmon, for any KVER'
	echo 'make release   the files of a release: build/release/VERSION/'
	echo 'make kernel    build the patched kernel, print where it is'
	echo "make exec CMD='...', make shell              in a guest with that kernel"
	echo 'make overhead  what the monitor itself costs'
	echo 'make eval      the published tables on these kernels: build/report/README.md'
	echo 'make map       which hooks system calls may reach, and which they must: build/map/'
	echo 'make cost KDIR=GIT-TREE RANGE=BASE..HEAD     the exact price of each commit of a series'
	echo 'make figures   renew the numbers in documents by what was measured last'
	echo 'make docs      these documents as a site: build/docs/html/index.html'
	echo 'make deb       the tools and the sources as Debian packages: build/deb/'
	echo 'make deb-kernel      a patched kernel as Debian packages: build/deb-kernel/; CONFIG=FILE, LOCALMODCONFIG=1'
	echo 'make install DESTDIR= PREFIX=/usr/local      the tools and their manual'
	echo
	echo 'KVER=6.12          the kernel, or KDIR=DIR, a tree of your own;'
	echo "                   make run KVER='6.1 6.12 7.3' compares kernels; make check"
	echo "                   KVER='6.1 7.2' runs every test of these; FRESH=1: no guest's outcome of before"
	echo 'RUNNER=uml         or qemu; there ACCEL=auto, kvm, tcg or icount, and CPUS=2;'
	echo '                   make run, overhead and eval RUNNER=host: this machine as it is booted'
	echo 'ARCH=x86_64        or arm64: map, and for RUNNER=qemu kernel, exec, shell, run, overhead, eval'
	echo 'FLAVOUR=patched    or lids, monitor, unpatched, lsm, btf, bpf, dac, debug, kcsan, rt, asis'
	echo 'LAYOUT=1           the same kernel linked in another order, that of this number, for RUNNER=uml'
	echo 'LLVM=-19           compile with clang, ThinLTO and CFI, for RUNNER=qemu'
	echo 'LSM=a,b            the modules that are on, in that order'
	echo "EVAL='modules stacking'   parts of the evaluation; EVAL=quick, a little of it"
	echo 'PROFILE=slurm      make run, overhead, eval, cost: on the machines of Slurm, or of a profile of Snakemake'
	echo 'KARGS=... TIMEOUT=600 SHARE=DIR INITRD=FILE   see scripts/exec --help'

run overhead: $(if $(filter host,$(RUNNER)),,source) packages
	scripts/lab $@

eval:
	! command -v python3 >/dev/null || scripts/lab eval --check
	$(MAKE) $(if $(filter host,$(RUNNER)),,source) python tools
	scripts/lab eval

map: source
	scripts/deps --map
	scripts/lab map

cost:
	! command -v python3 >/dev/null || scripts/cost --check
	$(MAKE) python tools
	scripts/cost

figures:
	scripts/lab figures
	scripts/lab draw
	scripts/lab draw

docs:
	scripts/deps --docs
	scripts/docs

# The short tier, unless somebody names kernels.
check: source deps tools
	scripts/check $(KVER)

apply unapply:
	scripts/tree --named="$$NAMED" $@ "$$KDIR"

series: source packages
	scripts/lab series

release: packages
	packaging/release $(KVER)

deb:
	scripts/deps --deb
	packaging/deb

deb-kernel:
	packaging/deb-kernel

kernel: source packages
	lab/shell/build-kernel

# Check variables before installing or building anything.
exec shell:
	! command -v python3 >/dev/null || scripts/exec --check $(if $(filter shell,$@),--shell)
	$(MAKE) source packages tools
	scripts/exec $(if $(filter shell,$@),--shell)

# Where Linux cannot be fetched, that is said before anything is installed.
source:
	lab/shell/get-source --check

# Reports and tests need more.
packages:
	scripts/deps

python:
	scripts/deps --python

deps:
	scripts/deps --tests

# Guests see these on PATH; static, since a guest may have no libraries. CROSS_COMPILE is meant only where it is given
# to make: in the environment, it may be there for kernels.
tools: packages
ifeq ($(origin CROSS_COMPILE),command line)
	lab/shell/cross-tools '$(CROSS_COMPILE)'
else
	if [ -f userspace/Makefile ]; then $(MAKE) -s -C userspace O='$(CURDIR)/build' >&2; fi
endif

# Needs only what compiles the tools: no emulator, no kernel build.
install:
	scripts/deps --tools
	$(MAKE) -s -C userspace O='$(CURDIR)/build' DESTDIR='$(DESTDIR)' $(if $(PREFIX),PREFIX='$(PREFIX)') install

clean:
	rm -rf build
