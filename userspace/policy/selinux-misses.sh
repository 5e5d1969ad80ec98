# shellcheck shell=sh disable=SC2034,SC2154 # read by, and set in, lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# SELinux with the policy of selinux-debian.sh and a cache of access vectors that keeps no entry for long, so that
# answers are searched in the policy again and again.

# shellcheck source=/dev/null
. "$policy/selinux-debian.sh"

load() { load_debian && echo 0 >/sys/fs/selinux/avc/cache_threshold; }
