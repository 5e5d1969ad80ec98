# SPDX-License-Identifier: GPL-2.0-only
"""From a question to the boots that answer it, and what is kept of each."""
