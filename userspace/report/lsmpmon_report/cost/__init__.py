# SPDX-License-Identifier: GPL-2.0-only
"""The report of `make cost`: what each commit of a range changes in the price of system calls, and where."""
