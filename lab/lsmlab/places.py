# SPDX-License-Identifier: GPL-2.0-only
"""The places of this repository, and of the cache that all repositories of a user share."""

import os
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lsmpmon"
