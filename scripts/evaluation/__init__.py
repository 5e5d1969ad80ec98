# SPDX-License-Identifier: GPL-2.0-only
"""Which boots the evaluation is made of, and what is kept of each."""
