# SPDX-License-Identifier: GPL-2.0-only
"""Sources of kernels: what lsmpmon changes in them, as files, patches, mails and objects."""
