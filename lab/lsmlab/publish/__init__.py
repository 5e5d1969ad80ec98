# SPDX-License-Identifier: GPL-2.0-only
"""Pages, pictures, and numbers in documents."""
