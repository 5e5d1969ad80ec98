# SPDX-License-Identifier: GPL-2.0-only
"""Numbers in documents, and the files that they come from. Documentation/figures/README.md says how."""

from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


class Wrong(Exception):
    """What a document or a claim has that does not hold; one line, which names the place."""
