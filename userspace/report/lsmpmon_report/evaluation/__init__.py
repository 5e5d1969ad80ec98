# SPDX-License-Identifier: GPL-2.0-only
"""The report of `make eval`: turns result files, one per boot, into pages of Markdown and their data as JSON."""
