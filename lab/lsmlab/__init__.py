# SPDX-License-Identifier: GPL-2.0-only
"""The laboratory of lsmpmon measures LSM hooks, in layers that use only those below them.

From the top: commands, publish, analyse, measure, guest, kernel. pyproject.toml has the contract that tests check.
"""
