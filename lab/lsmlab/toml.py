# SPDX-License-Identifier: GPL-2.0-only
"""TOML: from Python 3.11 on a part of Python, before that the package tomli, which is the same."""

import sys
from typing import Any

if sys.version_info >= (3, 11):
    from tomllib import loads
else:
    from tomli import loads

__all__ = ["Table", "loads"]

# A table of a file, with any values.
Table = dict[str, Any]
