# SPDX-License-Identifier: GPL-2.0-only
"""The price of each commit of a kernel tree: states, their kernels, and their boots."""
