# SPDX-License-Identifier: GPL-2.0-only
"""The pages of a map."""
