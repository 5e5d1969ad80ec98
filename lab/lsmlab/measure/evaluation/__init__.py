# SPDX-License-Identifier: GPL-2.0-only
"""The boots of the evaluation, and what is saved of each."""
