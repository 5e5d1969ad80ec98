# SPDX-License-Identifier: GPL-2.0-only
"""Finds where a kernel is edited, by rules that say what stands there, and edits it."""
