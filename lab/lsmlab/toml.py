# SPDX-License-Identifier: GPL-2.0-only
"""TOML: from Python 3.11 on a part of Python, before that the package tomli, which is the same."""

try:
    from tomllib import loads
except ModuleNotFoundError:
    from tomli import loads

__all__ = ["loads"]
