# SPDX-License-Identifier: GPL-2.0-only
"""Finds the hooks in a kernel's source, and where they are called."""
