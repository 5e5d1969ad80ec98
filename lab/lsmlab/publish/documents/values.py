# SPDX-License-Identifier: GPL-2.0-only
"""The kept values and outputs of commands."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lsmlab.publish.documents import Wrong


class Figures:
    """The directory of kept figures."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @functools.cache
    def _json(self, name: str) -> Any:
        path = self.folder / f"{name}.json"
        if not path.is_file():
            raise Wrong(f"{path.name} does not exist: no command has written it")
        return json.loads(path.read_text())

    @functools.cache
    def lines(self, name: str) -> list[str]:
        """Return the output of a command."""
        path = self.folder / name
        if not path.is_file():
            raise Wrong(f"{name} does not exist: no command has written it")
        return path.read_text().splitlines()

    def value(self, way: str) -> Any:
        """Return the value of a way such as `overhead/off_per_hook`: a file, and the path to a number or word in it."""
        name, *steps = way.split("/")
        value = self._json(name)
        for step in steps:
            try:
                value = value[int(step) if isinstance(value, list) else step]
            except (KeyError, IndexError, TypeError, ValueError):
                raise Wrong(f"{name}.json has no {way}") from None
        if isinstance(value, (dict, list)):
            raise Wrong(f"{way} is not one value")
        return value


def leaves(tree: object, way: str = "") -> dict[str, object]:
    """Return all values by path."""
    pairs: Iterable[tuple[object, object]] | None
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else None
    if pairs is None:
        return {way: tree}
    return {key: value for step, inner in pairs for key, value in leaves(inner, f"{way}/{step}").items()}
