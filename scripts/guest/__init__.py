# SPDX-License-Identifier: GPL-2.0-only
"""Boots a kernel of ours on a runner and runs one command in it."""
