# SPDX-License-Identifier: GPL-2.0-only
"""Boots one of our kernels on a runner and runs a command in it."""
