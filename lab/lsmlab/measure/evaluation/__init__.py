# SPDX-License-Identifier: GPL-2.0-only
"""The boots of the evaluation, and their saved results."""
