# SPDX-License-Identifier: GPL-2.0-only
"""On what machines and kernels it was measured, in which state, and that the policies decided."""

from __future__ import annotations

from .blocks import EMPTY, NotRun, Table, Text
from .book import Book
from .results import Result
from .titles import title


def settings(book: Book) -> list:
    """One row for each setting; boots that differ in no more than their modules share it."""
    rows: dict[tuple, int] = {}
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
    return [Text(SETTINGS), Table("settings", "Kernels, machines and their states", "", "kernel", header, body)]


SETTINGS = (
    "Flavours: dac, without LSM; lsm, with all modules except IMA and EVM; btf, the same with the types that BPF"
    " programs need; unpatched, with IMA and EVM; patched, with lsmpmon as well; lids, patched with the model of"
    " LIDS. Modules that lsm= does not name are"
    " built in and off."
)


def _state(result: Result) -> tuple[str, ...]:
    state, cell = result.state, result.cell
    processor = cell.get("cpu") if cell.get("runner") == "qemu" else state.get("processor")
    return (
        result.flavour,
        str(cell.get("runner") or "?"),
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


def proofs(book: Book) -> list:
    found: dict[tuple[str, ...], list[str]] = {}
    for result in book.results.cells:
        for policy, proof in (result.data.get("proof") or {}).items():
            key = (policy, *(str(proof.get(name) or EMPTY) for name in ("says", "allowed", "denied", "not_denied")))
            found.setdefault(key, []).append(result.ident)
    if not found:
        return [NotRun("proof", "what shows that the policies decided")]
    rows = [(title(key[0]), [*key[1:], _named(names)]) for key, names in sorted(found.items())]
    header = ["policy", "allowed", "denied", "let through, permissive", "boots"]
    return [Text(PROOFS), Table("proofs", "Policies, proved to decide", "", "module", header, rows, more=True)]


PROOFS = (
    "Each policy was asked twice in the boot that was measured: for something that it allows, and for something that it"
    " denies. Where it is permissive, the second must have been let through, though the hooks are there."
)


def boots(book: Book) -> list:
    """The active modules in the kernel's order, as it reported them; and boots that are impossible."""
    orders: dict[str, list[str]] = {}
    for result in book.results.cells:
        orders.setdefault(str(result.state.get("lsm") or "none"), []).append(result.ident)
    absent: dict[str, list[str]] = {}
    for result in book.results.absent:
        absent.setdefault(str(result.data["left_out"]), []).append(result.ident)
    tables = [
        _table("orders-active", "Modules that were active, in the order in which they are asked", "modules", orders)
    ]
    return tables + ([_table("absent", "Left out, and why", "reason", absent)] if absent else [])


def _table(ident: str, caption: str, corner: str, found: dict[str, list[str]]) -> Table:
    return Table(
        ident, caption, "", corner, ["boots"], [(key, [_named(found[key])]) for key in sorted(found)], more=True
    )


def _named(idents: list[str]) -> str:
    return ", ".join(sorted(idents))
