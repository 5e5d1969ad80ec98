# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# There is nothing to load, and nothing to deny to root.

load() { :; }
load_and_prove() { denied_text="not_denied: capability denies root nothing"; }
says() { echo "none to load"; }
