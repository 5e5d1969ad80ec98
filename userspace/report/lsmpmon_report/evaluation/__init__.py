# SPDX-License-Identifier: GPL-2.0-only
"""The report of `make eval`: turns result files, one per boot, into a page of HTML and its ratios as JSON."""
