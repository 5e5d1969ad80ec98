# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# EVM with a key: an HMAC of each file's protected attributes. Off: no key, so there is nothing to verify.

relaxable=no
# On a tmpfs: of other file systems, EVM with a key lets nobody give a file its first protected attribute.
ours=/tmp/${dir##*/}.evm
denied=$ours/altered
switch=$security/evm
PROTECTED=0x0404$(printf %064d 0)

make_places() { mkdir -p "$dir" "$dir.denied" "$dir.setup" "$ours"; }

# A file with altered attributes, since its HMAC belongs to another file. Without a key, an HMAC can be written only
# once metadata writes are allowed (4). We don't allow them if no key will follow, since that shortens the path
# through the hooks. A signature can always be written.
control() {
	hmac=02
	[ -w "$switch" ] || fail "no EVM in this kernel" || return
	if [ "$mode" = on ]; then echo 4 >"$switch" || return; else hmac=03; fi
	: >"$denied" && label ima "$PROTECTED" "$denied" || return
	label evm "0x$hmac$(printf %040d 0)" "$denied" && chmod 600 "$denied" 2>&1
}

key() {
	keyctl add user kmk "a key that protects nothing else" @u &&
		keyctl add encrypted evm-key "new user:kmk 32" @u
}

load() {
	[ "$mode" = on ] || return 0
	[ ! -e "$dir.setup/evm" ] || return 0
	command -v keyctl >/dev/null || fail "no keyctl, so no key" || return
	key >/dev/null || fail "no key" || return
	echo 1 >"$switch" || fail "the kernel does not take the key"
}

allowed() {
	work_in capability "$dir" 2>&1 || return
	: >"$ours/right" && label ima "$PROTECTED" "$ours/right" 2>&1 && chmod 600 "$ours/right" 2>&1
}

denied() { chmod 644 "$denied" 2>&1; }

access() {
	case $1 in
	"$denied") echo "chmod of $1, whose HMAC is not that of its attributes" ;;
	*) echo "lmbench-hook works in $1; chmod of a file with a protected attribute and its HMAC" ;;
	esac
}

says() {
	case $mode in on) echo "an encrypted key, HMACs verified" ;; *) echo "no key" ;; esac
}
