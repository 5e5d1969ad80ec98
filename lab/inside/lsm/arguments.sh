# shellcheck shell=sh disable=SC2154 # of lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# What policies need on the kernel's command line.

# Keep audit records, which are notices, off the console, since writing there would be measured.
arguments() {
	for name in $(in_order); do
		case $name in audit | audit-fedora | ima | evm) echo "loglevel=5" ;; esac
		case $name-$mode in
		tomoyo-*) echo "TOMOYO_trigger=/bin/true TOMOYO_loader=/bin/true" ;;
		audit-*) echo "audit=1" ;;
		ima-on) echo "ima_appraise=enforce" ;;
		ima-off) echo "ima_appraise=log" ;;
		esac
	done
}
