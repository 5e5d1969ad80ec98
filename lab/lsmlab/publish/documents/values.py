# SPDX-License-Identifier: GPL-2.0-only
"""The kept values and outputs of commands."""

import functools
import json

from lsmlab.publish.documents import Wrong


class Figures:
    """The directory in which they are."""

    def __init__(self, folder):
        self.folder = folder

    @functools.cache
    def _json(self, name):
        path = self.folder / f"{name}.json"
        if not path.is_file():
            raise Wrong(f"{path.name} does not exist: no command has written it")
        return json.loads(path.read_text())

    @functools.cache
    def lines(self, name):
        """The output of a command."""
        path = self.folder / name
        if not path.is_file():
            raise Wrong(f"{name} does not exist: no command has written it")
        return path.read_text().splitlines()

    def value(self, way):
        """`overhead/off_per_hook`: a file, and the path to a number or word in it."""
        name, *steps = way.split("/")
        found = self._json(name)
        for step in steps:
            try:
                found = found[int(step) if isinstance(found, list) else step]
            except (KeyError, IndexError, TypeError, ValueError):
                raise Wrong(f"{name}.json has no {way}") from None
        if isinstance(found, (dict, list)):
            raise Wrong(f"{way} is not one value")
        return found


def leaves(found, way=""):
    """All values by path."""
    pairs = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else None
    if pairs is None:
        return {way: found}
    return {key: value for step, inner in pairs for key, value in leaves(inner, f"{way}/{step}").items()}
