# SPDX-License-Identifier: GPL-2.0-only
"""Pages of a map: one with all calls, one for each call, one for each hook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from lsmlab.analyse.hookmap import document, packed
from lsmlab.analyse.hookmap.document import Call, Document, On

STYLE = """body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em }
table { border-collapse: collapse } th, td { text-align: left; vertical-align: top; padding: .2em .8em .2em 0 }
th { border-bottom: 1px solid #888 } td.n { text-align: right } code { font-size: 90% } .path { color: #555 }
.must { font-weight: bold } details { margin: 1em 0 } td details { margin: 0 } @media (prefers-color-scheme: dark)
{ body { background: #181818; color: #ddd } a { color: #8bf } .path { color: #999 } }"""
KINDS = {"sync": "The call itself", "last": "Where a last reference goes",
         "rare": "In rare work, as for auditors, listeners or IPsec",
         "module": "In a callback of a security module", "return": "Left for its return to user mode",
         "fault": "In a page fault, at any touch of the user's memory",
         "any": "A signal, or work of others, at any call's return"}
# Kinds of hooks that any call may meet, or that come seldom; they are folded away.
FOLDED = ("last", "rare", "fault", "any")
# The beginning of a page's name if the page is a hook's.
HOOK = "hook:"


def file_name(name: str) -> str:
    """Return the name of a page; two names never have the same."""
    return ("none" if name == "-" else re.sub(r"\W", "_", name)) + ".html"


def _page(title: str, body: str) -> str:
    return (f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>\n'
            f"<style>{STYLE}</style>\n<h1>{escape(title)}</h1>\n{body}\n</html>\n")


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    cells = "".join(f"<th>{escape(name)}" for name in head)
    return f"<table><tr>{cells}\n" + "".join(f"<tr>{''.join(row)}\n" for row in rows) + "</table>"


def _link(name: str, prefix: str = "") -> str:
    return f'<a href="{file_name(prefix + name)}">{escape(name)}</a>'


def _path(path: list[str]) -> str:
    short = [name.partition("@")[0] for name in path]
    return f'<details><summary>{escape(short[-1])}()</summary><code class="path">{escape(" → ".join(short))}</code></details>'


def _how_sure(entry: Call | On, hook: str) -> str:
    if hook not in entry["must"]:
        return "may"
    return f"must, unless {escape(entry['unless'][hook])}" if hook in entry["unless"] else "must"


def _times(entry: Call, hook: str) -> str:
    """Return how often a call calls a hook, which is known of those that it calls itself."""
    return escape(entry["times"].get(hook, "once")) if entry["kind"][hook] == "sync" else "-"


def _price(entry: Call, hook: str) -> str:
    return f"{entry['price'][hook]:,}" if hook in entry["price"] else "-"


def _hook_row(content: Document, entry: Call, hook: str) -> list[str]:
    must = " class=must" if hook in entry["must"] else ""
    return [f"<td{must}>{_link(hook, HOOK)}", f"<td>{_how_sure(entry, hook)}",
            f"<td>{_times(entry, hook)}", f"<td>{escape('; '.join(entry['when'].get(hook, ())))}",
            f"<td class=n>{entry['calls'].get(hook, 0):,}", f"<td class=n>{_price(entry, hook)}",
            f"<td>{escape(' '.join(content['modules'].get(hook, ())) or '-')}",
            f"<td>{_path(document.path(content, entry, hook))}"]


def _object_row(content: Document, one: On, hook: str) -> list[str]:
    path = packed.path(content["functions"], content["steps"], one["paths"][hook])
    must = " class=must" if hook in one["must"] else ""
    return [f"<td{must}>{_link(hook, HOOK)}", f"<td>{_how_sure(one, hook)}", f"<td>{escape(one['times'].get(hook, 'once'))}",
            f"<td>{escape('; '.join(one['when'].get(hook, ())))}", f"<td>{_path(path)}"]


def _on(content: Document, entry: Call) -> Iterator[str]:
    """Yield what the call does itself on each object, first on the one that it is shown on."""
    for one in sorted(entry["on"], key=lambda one: entry["object"] not in one["objects"]):
        hooks = [*one["order"], *(hook for hook in one["kinds"].get("sync", ()) if hook not in one["order"])]
        table = _table(("hook", "sure", "how often", "where", "called in"),
                       [_object_row(content, one, hook) for hook in hooks])
        folded = "".join(f"<p>{title}: {escape(' '.join(one['kinds'][kind]))}" for kind, title in KINDS.items()
                         if kind != "sync" and one["kinds"].get(kind))
        shown = " open" if entry["object"] in one["objects"] else ""
        yield (f"<details{shown}><summary>On {escape(', '.join(one['objects']))}: {len(hooks)}</summary>{table}{folded}"
               "</details>")


def _kinds(content: Document, entry: Call) -> Iterator[str]:
    """Yield a table for each kind of hooks, and the names of those that are folded away."""
    for kind, title in KINDS.items():
        hooks = [hook for hook in entry["order"] if entry["kind"].get(hook) == kind]
        hooks += [hook for hook in entry["may"] if entry["kind"][hook] == kind and hook not in hooks]
        if not hooks:
            continue
        if kind in FOLDED:
            yield f"<details><summary>{title}: {len(hooks)}</summary>{' '.join(_link(hook, HOOK) for hook in hooks)}</details>"
            continue
        table = _table(("hook", "sure", "how often", "where", "calls", content["unit"] or "price", "modules", "called in"),
                       [_hook_row(content, entry, hook) for hook in hooks])
        yield f"<h2>{title}: {len(hooks)}</h2>{table}"


def _others(entry: Call) -> Iterator[str]:
    """Yield the text below the tables."""
    if entry["named"]:
        rows = [[f"<td>{escape(function)}", f"<td>{one['sure']}", f"<td>{_path(one['path'])}"]
                for function, one in entry["named"].items()]
        yield f"<h2>Called by name, without a hook</h2>{_table(('function', 'sure', 'called in'), rows)}"
    if entry["deferred"]:
        yield f"<h2>Left for later, in no call</h2><p>{escape(' '.join(entry['deferred']))}"


def _call(content: Document, name: str, entry: Call) -> str:
    parts = [f"<p>Linux {content['kernel']}; <a href=index.html>all calls</a>. "
             f"Entered at <code>{escape(entry['function'] or 'no function')}</code>. Calls: as counted in guests."]
    if entry["alike"]:
        return _page(name, "\n".join([*parts, f"<p>It does the same as {_link(entry['alike'])}."]))
    if content["unit"]:
        parts.append(f"<p>{content['unit'].capitalize()}: what one call of the hook took there, on average.")
    if entry["on"]:
        parts += ["<h2>By object</h2>", *_on(content, entry), "<h2>On all objects together</h2>"]
    return _page(name, "\n".join([*parts, *_kinds(content, entry), *_others(entry)]))


def _hook(content: Document, hook: str) -> str:
    rows = []
    for name, entry in content["syscalls"].items():
        if entry["kind"].get(hook) in document.OWN:
            rows.append([f"<td>{_link(name)}", f"<td>{'must' if hook in entry['must'] else 'may'}",
                         f"<td>{entry['kind'][hook]}", f"<td class=n>{entry['calls'].get(hook, 0):,}",
                         f"<td class=n>{_price(entry, hook)}"])
    return _page(f"hook {hook}", f"<p>Linux {content['kernel']}; <a href=index.html>all calls</a>. Modules: "
                 f"{escape(' '.join(content['modules'].get(hook, ())) or 'none')}."
                 + _table(("call", "sure", "kind", "calls", content["unit"] or "price"), rows))


def _index(content: Document) -> str:
    rows = [[f"<td>{_link(name)}", f"<td class=n>{len(entry['must'])}", f"<td class=n>{len(document.synchronous(entry))}",
             f"<td class=n>{len(document.own(entry))}", f"<td class=n>{len(entry['calls'])}"]
            for name, entry in content["syscalls"].items()]
    return _page(f"Hooks of system calls, Linux {content['kernel']}",
                 "<p>Must: on every path to success. May: the call itself calls them. With modules: also in their "
                 "callbacks, and in what the call leaves for its return. Seen: pairs that were counted in guests. "
                 "<a href=unseen.html>What was never seen</a>."
                 + (f"<p>Only with {escape(document.objects(content))}." if document.objects(content) else "")
                 + _table(("call", "must", "may", "with modules", "seen"), rows)
                 + f"<h2>Hooks</h2><p>{' '.join(_link(hook, HOOK) for hook in content['hooks'])}")


def _unseen(content: Document) -> str:
    rows = []
    for name, entry in content["syscalls"].items():
        hooks = [hook for hook in document.synchronous(entry) if hook not in entry["calls"]]
        if hooks and name != "-":
            rows.append([f"<td>{_link(name)}", f"<td class=n>{len(hooks)}", f"<td>{escape(' '.join(hooks))}"])
    return _page(f"Never counted, Linux {content['kernel']}",
                 "<p>Hooks that a call may call itself, and that were not counted in it in any guest; "
                 "<a href=index.html>all calls</a>." + _table(("call", "how many", "hooks"), rows))


def write(content: Document, folder: Path | str) -> None:
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(_index(content))
    (folder / "unseen.html").write_text(_unseen(content))
    for name, entry in content["syscalls"].items():
        (folder / file_name(name)).write_text(_call(content, name, entry))
    for hook in content["hooks"]:
        (folder / file_name(HOOK + hook)).write_text(_hook(content, hook))
