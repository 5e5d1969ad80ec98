# SPDX-License-Identifier: GPL-2.0-only
"""Counts hooks and lines of code in a kernel's source."""
