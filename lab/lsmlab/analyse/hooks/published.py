# SPDX-License-Identifier: GPL-2.0-only
"""The counts of the 2021 paper for Linux 5.3, its Tables 2 and 5, from the report's figures.

Zhang, Liu, Jaeger: Analyzing the Overhead of File Protection by Linux Security
Modules, ASIA CCS 2021.
"""

from __future__ import annotations

from lsmpmon_report.evaluation import published

KERNEL = "5.3"
FRAMEWORK = published.Z21_HOOKS
# Hooks, lines, lines per hook.
MODULES = published.Z21_STATIC
COLUMNS = published.Z21_COLUMNS
FILE_ACCESSING = published.Z21_CATEGORIES["file accessing"]
TOTAL = published.Z21_CATEGORIES["total"]
CATEGORIES = {row: numbers for row, numbers in published.Z21_CATEGORIES.items() if row not in ("file accessing", "total")}


def by_category(row: str, module: str) -> int | None:
    """Return a number of Table 5, or None."""
    numbers = published.Z21_CATEGORIES.get(row)
    return numbers[COLUMNS.index(module)] if numbers and module in COLUMNS else None
