# SPDX-License-Identifier: GPL-2.0-only
"""Reads in a kernel's source which hooks there are and where they are called."""
