# SPDX-License-Identifier: GPL-2.0-only
"""What each commit of a kernel tree costs: which states, their kernels, and their boots."""
