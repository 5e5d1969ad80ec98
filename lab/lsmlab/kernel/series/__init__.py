# SPDX-License-Identifier: GPL-2.0-only
"""Turns what `make apply` does into a mail series in which each step builds."""
