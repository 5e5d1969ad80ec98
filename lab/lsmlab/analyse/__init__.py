# SPDX-License-Identifier: GPL-2.0-only
"""Tables and comparisons of measurements and counts."""
