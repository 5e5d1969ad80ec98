# SPDX-License-Identifier: GPL-2.0-only
"""The commits of a series that `b4 review` has checked out, from the file that b4 writes about it."""

from __future__ import annotations

import json
from pathlib import Path

from lsmlab.guest.settings import BadSetting

VARIABLE = "B4_TRACKING_FILE"


def range_of(name: Path | str) -> str:
    """Return the range as RANGE has it. The last commit of b4's branch has no patch but b4's own notes on the review."""
    try:
        series = json.loads(Path(name).read_text())["series"]
        return f"{series['first-patch-commit']}^..b4/review/{series['change-id']}^"
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadSetting(f"{VARIABLE}='{name}' is not accepted; the file that b4 writes about a series once `b4 review` "
                         "has checked it out") from error
