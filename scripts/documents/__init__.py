# SPDX-License-Identifier: GPL-2.0-only
"""Numbers in documents and the files that they come from. See Documentation/figures/README.md."""

from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


class Wrong(Exception):
    """Something wrong in a document or a claim, as one line that names the place."""
