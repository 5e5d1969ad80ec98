# SPDX-License-Identifier: GPL-2.0-only
"""Puts the map beside what guests counted, and maps beside each other."""
