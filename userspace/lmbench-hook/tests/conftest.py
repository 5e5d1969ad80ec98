# SPDX-License-Identifier: GPL-2.0-only
"""The program that all tests of this folder are of."""

import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def built():
    """Build the program from the sources beside these tests."""
    subprocess.run(["make", "-s", "-C", Path(__file__).resolve().parents[2]], check=True)
