# SPDX-License-Identifier: GPL-2.0-only
"""Print the closing line of scripts/check, from pytest's status and XML.

Status 1 if a test failed or pytest did not finish.
"""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ElementTree

# Status of pytest: all passed, some failed. With any other status, tests may be missing.
ENDED = ("0", "1")


def totals(root: ElementTree.ElementTree[ElementTree.Element]) -> tuple[int, int, int]:
    """Return the number of tests passed, failed (including errors) and skipped."""
    passed = failed = skipped = 0
    for suite in root.iter("testsuite"):
        tests, failures, errors, left_out = (int(suite.get(name, 0))
                                             for name in ("tests", "failures", "errors", "skipped"))
        failed += failures + errors
        skipped += left_out
        passed += tests - failures - errors - left_out
    return passed, failed, skipped


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("status", metavar="STATUS")
    parser.add_argument("path", metavar="FILE")


def main(options: argparse.Namespace) -> int:
    status, path = options.status, options.path
    try:
        passed, failed, skipped = totals(ElementTree.parse(path))
    except (OSError, ElementTree.ParseError) as error:
        print(f"lsmpmon: no results of tests: {error}", file=sys.stderr)
        passed, failed, skipped = 0, 1, 0
    if status not in ENDED or (status == "1" and not failed):
        failed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0
