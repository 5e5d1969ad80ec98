# SPDX-License-Identifier: GPL-2.0-only
"""Templates of the evaluation's pages: each passage is used, from exactly the data that it takes."""

import ast
import pathlib
import re

import jinja2
import pytest

from lsmpmon_report.evaluation import page, passages
from lsmpmon_report.evaluation.passages import passage, plain

PAGES = pathlib.Path(passages.__file__).parent
PACKAGE = PAGES.parent
USED = re.compile(r'\bpassage\(\s*"([\w.-]+)"')
# One with an underscore is of its own template.
MACRO = re.compile(r"{%-? macro ([a-z]\w*)\(")


def test_each_macro_of_the_templates_is_a_passage_of_a_page():
    used = {name for path in PACKAGE.rglob("*.py") for name in USED.findall(path.read_text())}
    written = {f"{path.stem}.{name}" for path in passages.TEMPLATES.iterdir() for name in MACRO.findall(path.read_text())}
    titles = {f"{name.replace('-', '')}.title" for name in page.PAGES}
    assert len(written) > 10 and used | titles == written


def test_a_passage_remembers_its_data(monkeypatch):
    template = "{% macro costs(call, change, also) %}\n  {{ call }} costs\n{{ change | percent }}. {{ also }}\n{% endmacro %}"
    monkeypatch.setattr(passages.ENVIRONMENT, "loader", jinja2.DictLoader({"some.jinja": template}))
    inner = passage("some.costs", call="stat", change=0.5, also="")
    text = passage("some.costs", call="open", change=1 / 3, also=inner)
    assert text == "open costs +33.3\u00a0%. stat costs +50.0\u00a0%."
    assert plain(text)["data"] == {"call": "open", "change": 0.333333333, "also": plain(inner)}
    with pytest.raises(TypeError, match="cost"):
        passage("some.costs", call="open", change=1.0, also="", cost=2.0)
    with pytest.raises(jinja2.UndefinedError, match="also"):
        passage("some.costs", call="open", change=1.0)


# A label of an axis or of a column is shorter.
SENTENCE = 9
# Modules with longer strings that a page does not say: what stands for a part that was not run, commands, lists of hooks, figures
# as they were published, and errors.
OTHERWISE = {"markdown", "method", "paper2010", "published", "results"}


def texts(tree):
    """Yield all strings of a module but its docstrings."""
    known = {ast.get_docstring(node, clean=False) for node in ast.walk(tree)
             if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in known:
            yield node.value


@pytest.mark.parametrize("name", sorted({path.stem for path in PAGES.glob("*.py")} - OTHERWISE))
def test_no_sentence_is_in_code(name):
    assert [text for text in texts(ast.parse((PAGES / f"{name}.py").read_text())) if len(text.split()) > SENTENCE] == []
