# SPDX-License-Identifier: GPL-2.0-only
"""The report of `make eval`: from result files, one a boot, to one page of HTML and the ratios in it as JSON."""
