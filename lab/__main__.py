# SPDX-License-Identifier: GPL-2.0-only
"""Run `lab` without installing it: python3 lab COMMAND, from anywhere."""

from lsmlab.command import main

main()
