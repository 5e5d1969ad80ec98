# SPDX-License-Identifier: GPL-2.0-only
"""Numbers in documents and the files that they come from. See Documentation/figures/README.md."""


class Wrong(Exception):
    """A document or a claim is wrong; the message is one line that names the place."""
