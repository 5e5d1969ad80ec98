# SPDX-License-Identifier: GPL-2.0-only
"""Turns a question into the boots that answer it, and keeps their results."""
