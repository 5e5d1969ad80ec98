# SPDX-License-Identifier: GPL-2.0-only
"""The README's pictures, drawn from saved results."""

from lsmlab.places import REPO
from lsmlab.publish.pictures import costs, terminal

FOLDER = REPO / "Documentation/pictures"
# Values of `make run`, kept by `make figures`.
COSTS = REPO / "Documentation/figures/run.json"
# Output of a session.
SESSION = FOLDER / "session.json"
# (picture, data, function that draws it)
PICTURES = ((FOLDER / "costs.svg", COSTS, costs), (FOLDER / "session.svg", SESSION, terminal))
