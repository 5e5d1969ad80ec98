# SPDX-License-Identifier: GPL-2.0-only
"""Makes cells into results: builds kernels and boots guests, and keeps results whose inputs have not changed."""
