# SPDX-License-Identifier: GPL-2.0-only
"""Makes what `make apply` does a series of mails, each a step that builds."""
