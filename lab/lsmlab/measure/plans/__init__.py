# SPDX-License-Identifier: GPL-2.0-only
"""The boots for each question: a module for each, with guests that print their results."""
