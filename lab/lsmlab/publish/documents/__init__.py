# SPDX-License-Identifier: GPL-2.0-only
"""Numbers in documents and the files that they come from. See Documentation/figures/README.md."""


class Wrong(Exception):
    """Something wrong in a document or a claim, as one line that names the place."""
