# SPDX-License-Identifier: GPL-2.0-only
"""Analysis of saved results of the kernel's lsmpmon. Reads files; never the running kernel."""
