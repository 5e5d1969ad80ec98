# SPDX-License-Identifier: GPL-2.0-only
"""Pictures as SVG files, which every renderer shows in their colours and browsers in those of a dark page, too."""
