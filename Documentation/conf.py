# SPDX-License-Identifier: GPL-2.0-only
"""The site of these documents; scripts/docs builds it.

In a kernel tree, the kernel's own conf.py takes the place of this one.
"""

import os
import sys
from pathlib import Path

kernel = Path(os.environ["LSMPMON_KERNEL"])
sys.path.insert(0, str(kernel / "Documentation/sphinx"))

project = "lsmpmon"
extensions = ["myst_parser", "kerneldoc", "automarkup"]
exclude_patterns = ["ABI", "pictures"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
highlight_language = "none"

# kernel-doc is a script of the kernel's, and reads our files where they are in one.
kerneldoc_bin = str(kernel / "scripts/kernel-doc")
kerneldoc_srctree = str(Path(__file__).absolute().parents[1])
os.environ["srctree"] = kerneldoc_srctree

html_theme = "furo"
html_title = "lsmpmon"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
