# SPDX-License-Identifier: GPL-2.0-only
"""Compares the map with counts of guests, and maps with each other."""
