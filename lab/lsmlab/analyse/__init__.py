# SPDX-License-Identifier: GPL-2.0-only
"""What was measured or counted, as tables and comparisons."""
