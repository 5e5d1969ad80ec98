# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# TOMOYO with the rules of tomoyo-first.sh, those that are needed last.

# shellcheck source=/dev/null
. "$policy/tomoyo-first.sh"

ordered() { others; needed; }
