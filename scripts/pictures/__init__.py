# SPDX-License-Identifier: GPL-2.0-only
"""The pictures of the README, drawn from results that are kept beside them."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "Documentation/pictures"
