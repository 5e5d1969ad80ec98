# SPDX-License-Identifier: GPL-2.0-only
"""Machines and kernels on which it was measured, their states, and proofs that the policies decided."""

from __future__ import annotations

from .blocks import EMPTY, Block, NotRun, Table, Text
from .book import Book
from .passages import passage
from .results import Result
from .titles import title


def settings(book: Book) -> list[Block]:
    """Return one row for each setting; boots that differ in no more than their modules share it."""
    rows: dict[tuple[str, ...], int] = {}
    for result in book.results.cells:
        key = (result.kernel, *_state(result))
        rows[key] = rows.get(key, 0) + 1
    body = [(key[0], [*key[1:], str(rows[key])]) for key in sorted(rows)]
    header = [
        "flavour",
        "runner",
        "accelerator, processor",
        "file system",
        "audit",
        "IMA rules",
        "mitigations on",
        "date",
        "boots",
    ]
    return [Text(passage("places.settings_are")), Table("settings", passage("places.settings"), "", "kernel", header, body)]


def _state(result: Result) -> tuple[str, ...]:
    state, cell = result.state, result.cell
    processor = cell.get("cpu") if cell.get("runner") == "qemu" else state.get("processor")
    return (
        result.flavour,
        result.runner,
        f"{cell.get('accel') or 'none'}, {processor or '?'}",
        result.fs,
        str(state.get("audit") or EMPTY),
        str(state.get("ima_rules") or EMPTY),
        _mitigated(state.get("mitigations") or {}),
        str(state.get("date") or "?"),
    )


def _mitigated(told: dict[str, str]) -> str:
    on = [
        f"{name} ({text.removeprefix('Mitigation: ').partition(';')[0]})"
        for name, text in sorted(told.items())
        if text.startswith("Mitigation")
    ]
    return ", ".join(on) or ("none" if told else EMPTY)


def proofs(book: Book) -> list[Block]:
    found: dict[tuple[str, ...], list[str]] = {}
    for result in book.results.cells:
        for policy, proof in (result.data.get("proof") or {}).items():
            key = (policy, *(str(proof.get(name) or EMPTY) for name in ("says", "allowed", "denied", "not_denied")))
            found.setdefault(key, []).append(result.ident)
    if not found:
        return [NotRun("proof", passage("places.no_proofs"))]
    rows = [(title(key[0]), [*key[1:], _named(names)]) for key, names in sorted(found.items())]
    header = ["policy", "allowed", "denied", "let through, permissive", "boots"]
    table = Table("proofs", passage("places.proofs"), "", "module", header, rows, more=True)
    return [Text(passage("places.proofs_are")), table]


def boots(book: Book) -> list[Table]:
    """Return the active modules in the kernel's order, as it reported them; and boots that are impossible."""
    orders: dict[str, list[str]] = {}
    for result in book.results.cells:
        orders.setdefault(str(result.state.get("lsm") or "none"), []).append(result.ident)
    absent: dict[str, list[str]] = {}
    for result in book.results.absent:
        absent.setdefault(str(result.data["left_out"]), []).append(result.ident)
    tables = [_table("orders-active", passage("places.active"), "modules", orders)]
    return tables + ([_table("absent", passage("places.absent"), "reason", absent)] if absent else [])


def _table(ident: str, caption: str, corner: str, found: dict[str, list[str]]) -> Table:
    return Table(
        ident, caption, "", corner, ["boots"], [(key, [_named(found[key])]) for key in sorted(found)], more=True
    )


def _named(idents: list[str]) -> str:
    return ", ".join(sorted(idents))
