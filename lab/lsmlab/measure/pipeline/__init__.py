# SPDX-License-Identifier: GPL-2.0-only
"""From cells to results: kernels are built, guests are booted, and what was measured already is kept."""
