# SPDX-License-Identifier: GPL-2.0-only
"""TOML: from Python 3.11 on a part of Python, before that the package tomli, which is the same and a part of pip."""

import sys
from typing import Any

if sys.version_info >= (3, 11):
    from tomllib import loads
else:
    try:
        from tomli import loads
    except ModuleNotFoundError as error:
        try:
            from pip._vendor.tomli import loads
        except ModuleNotFoundError:
            raise error from None

__all__ = ["Table", "loads"]

# A table of a file, with any values.
Table = dict[str, Any]
