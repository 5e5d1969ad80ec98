# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Names, defaults and messages shared by the shell scripts, which source this file.

REPO=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lsmpmon
KVER=${KVER:-6.12}
# version_of TREE: 6.12, of a tree of Linux 6.12.y
version_of() {
	awk '/^(VERSION|PATCHLEVEL) = / { printf "%s%s", dot, $3; dot = "." }' "$1/Makefile"
}
if [ -n "${KDIR:-}" ] && [ -f "$KDIR/Makefile" ]; then KVER=$(version_of "$KDIR"); fi
RUNNER=${RUNNER:-uml}
ARCH=${ARCH:-x86_64}
FLAVOUR=${FLAVOUR:-patched}
export REPO CACHE KVER RUNNER ARCH FLAVOUR

# Progress goes to stderr, so that stdout stays the script's answer.
note() { echo "lsmpmon: $*" >&2; }

die() { note "$*"; exit 1; }

# For what was asked wrongly.
refuse() { note "$*"; exit 2; }

# As in the kernel's own Makefile: 1, or the suffix that LLVM's programs have, such as -19. Without it, the compiler is gcc.
LLVM=${LLVM:-}
[[ $LLVM =~ ^(|1|-[0-9]+)$ ]] || refuse "LLVM='$LLVM' is not accepted; 1, or the suffix of LLVM's programs, such as -19"
export LLVM

our_version() { sed -n 's/^#define LSMPMON_VERSION\s*"\(.*\)"$/\1/p' "$REPO/lsmpmon/version.h"; }

# tree_name SOURCE: of trees that are made of it; a user's tree is told from others by its path.
tree_name() {
	if [ -n "${KDIR:-}" ]; then
		echo "kdir-$(echo "$1" | sha256sum | cut -c 1-12)"
	else
		basename "$1"
	fi
}

# copy_tree SOURCE TREE: unless it is there. Files are shared by hard links, so a file must be replaced, never written to.
copy_tree() {
	[ ! -d "$2" ] || return 0
	note "copying the source tree"
	rm -rf "$2.part"
	mkdir -p "$(dirname "$2")"
	cp -al "$1" "$2.part"
	mv -T "$2.part" "$2"
}

# one_of NAME VALUE ACCEPTED...: end the script unless the value is accepted.
one_of() {
	local name=$1 value=$2 word
	shift 2
	for word; do [ "$word" = "$value" ] && return; done
	refuse "$name='$value' is not accepted; one of: $*"
}

# check_arch: end the script unless guests of this ARCH can have the RUNNER, the FLAVOUR and the compiler that are asked for.
check_arch() {
	one_of ARCH "$ARCH" x86_64 arm64
	[ "$ARCH" = arm64 ] || return 0
	[ "$RUNNER" = qemu ] || refuse "ARCH='$ARCH' needs RUNNER=qemu"
	[ -z "$LLVM" ] || refuse "LLVM='$LLVM' needs ARCH=x86_64"
	case $FLAVOUR in
	patched | lids | monitor | unpatched | lsm | dac | asis) ;;
	*) refuse "FLAVOUR='$FLAVOUR' needs ARCH=x86_64; with ARCH='$ARCH', one of: patched lids monitor unpatched lsm dac asis" ;;
	esac
}

# as_root COMMAND...: run directly as root, otherwise with sudo.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# apt_install PACKAGE...: update the lists only if a package is missing.
# Non-interactive; apt's output is shown only if it fails.
apt_install() {
	local log
	log=$(mktemp)
	note "installing $*"
	if ! {
		as_root apt-get -qq update &&
		as_root env DEBIAN_FRONTEND=noninteractive \
			apt-get -qq -y --no-install-recommends install "$@"
	} >"$log" 2>&1 </dev/null; then
		tail -n 20 "$log" >&2
		rm -f "$log"
		die "apt-get could not install: $*"
	fi
	rm -f "$log"
}
