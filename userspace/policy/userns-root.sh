# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# A user namespace whose root is root outside, so that files belong to the same user on both sides: a container's do not.

# shellcheck source=/dev/null
. "$policy/userns.sh"

user=0 other=100000
