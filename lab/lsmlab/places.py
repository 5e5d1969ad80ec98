# SPDX-License-Identifier: GPL-2.0-only
"""Where this repository is, and the cache of all repositories of a user."""

import os
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lsmpmon"
