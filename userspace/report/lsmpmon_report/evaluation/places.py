# SPDX-License-Identifier: GPL-2.0-only
"""Section: on what machines and kernels, in which state, and that the policies decided."""

from __future__ import annotations

from markupsafe import Markup

from .blocks import Cell, NotRun, Section, Table, Text, join, link
from .book import Book, title
from .results import Result

HEADER = (
    "flavour",
    "runner",
    "accelerator",
    "file system",
    "audit",
    "IMA rules",
    "configuration",
    "mitigations",
    "processor",
    "date",
    "boots",
)


def section(book: Book) -> Section:
    return Section(
        "where",
        "Where this was measured",
        [
            Text(
                "One row for each setting; boots that differ in no more than their modules share it. Instructions are"
                " those that a guest executed, under an emulator that counts them: two boots agree to the instruction,"
                " and no machine is in them. Cycles are the processor's own, of hook code in User-Mode Linux or of a"
                " real machine. A row's mitigations are those that the kernel reports of itself."
            ),
            _settings(book),
            Text(
                "Each policy was proved to decide in each of its boots; the last section has the proofs, and all"
                f" {len(book.results.cells)} boots."
            ),
        ],
    )


def boots(book: Book) -> Section:
    """Long tables for readers who want to check."""
    blocks = [_orders(book), *_proofs(book), *_absent(book)]
    return Section("boots", "All boots, and proofs that policies decided", blocks)


def _settings(book: Book) -> Table:
    rows: dict[tuple, list[Result]] = {}
    for result in book.results.cells:
        rows.setdefault((result.kernel, *_state(result)), []).append(result)
    body = [(key[0], _row(book, key[1:], rows[key])) for key in sorted(rows)]
    return Table("settings", "Kernels, machines and their states", "", list(HEADER), body, corner="kernel")


def _state(result: Result) -> tuple[str, ...]:
    state, cell = result.state, result.cell
    mitigations = state.get("mitigations") or {}
    told = (
        "; ".join(f"{name}: {text}" for name, text in sorted(mitigations.items()))
        if isinstance(mitigations, dict)
        else str(mitigations)
    )
    rules = state.get("ima_policy") or state.get("ima_rules")
    return (
        str(cell.get("flavour") or "?"),
        str(cell.get("runner") or "?"),
        str(cell.get("accel") or "none"),
        result.fs,
        str(state.get("audit") or "–"),
        str(rules or "–"),
        str(state.get("config") or "?"),
        told,
        str(state.get("processor") or "?"),
        str(state.get("date") or "?"),
    )


def _row(book: Book, key: tuple[str, ...], results: list[Result]) -> list[Cell]:
    cells = [Cell(text, kind="text") for text in key]
    cells[6] = Cell(key[6].removeprefix("sha256:")[:12], title=key[6], kind="text")
    cells[7] = Cell(_short(key[7]), title=key[7], kind="text")
    return [
        *cells,
        Cell(str(len(results)), book.results.href(results[0]), "; ".join(result.ident for result in results)),
    ]


def _orders(book: Book) -> Table:
    """The active modules in the kernel's order, as it reported them."""
    rows: dict[str, list[Result]] = {}
    for result in book.results.cells:
        rows.setdefault(str(result.state.get("lsm") or "none"), []).append(result)
    body = [(order, [Cell(_linked(book, each), kind="text")]) for order, each in sorted(rows.items())]
    return Table(
        "orders",
        "Modules that were active, in the order in which they are asked",
        "",
        ["boots"],
        body,
        corner="modules",
    )


def _absent(book: Book) -> list:
    """Boots that are impossible on these kernels or this machine."""
    reasons: dict[str, list[Result]] = {}
    for result in book.results.absent:
        reasons.setdefault(str(result.data["left_out"]), []).append(result)
    rows = [(reason, [Cell(_linked(book, each), kind="text")]) for reason, each in sorted(reasons.items())]
    return [Table("absent", "Left out, and why", "", ["boots"], rows, corner="reason")] if rows else []


def _linked(book: Book, results: list[Result]) -> Markup:
    return join(
        [link(result.ident, book.results.href(result)) for result in sorted(results, key=lambda each: each.ident)]
    )


def _short(told: str) -> str:
    """Shortened; the title attribute has the whole text."""
    if not told:
        return "none reported"
    each = told.split("; ")
    on = [one.partition(":")[0] for one in each if "Mitigation" in one]
    return f"{len(on)} of {len(each)} on" if len(each) > 1 else told


def _proofs(book: Book) -> list:
    found: dict[tuple[str, ...], list[Result]] = {}
    for result in book.results.cells:
        for proof in _proof(result):
            found.setdefault(proof, []).append(result)
    if not found:
        return [NotRun("proof", "what shows that the policies decided")]
    rows = [
        (title(key[0]), [*map(_said, key[1:]), Cell(_linked(book, results), kind="text")])
        for key, results in sorted(found.items())
    ]
    header = ["policy", "allowed", "denied", "let through, enforcement off", "boots"]
    return [Text(PROOFS), Table("proofs", "Policies, proved to decide", "", header, rows, corner="module")]


PROOFS = (
    "Each policy was asked twice in the boot that was measured: for something that it allows, and for something that it"
    " denies. With enforcement off, the second must have been let through, though the hooks are there. What each"
    " answered is below."
)


def _proof(result: Result) -> list[tuple[str, ...]]:
    proofs = result.data.get("proof") or {}
    return [
        (module, *(str(proof.get(key) or "") for key in ("says", "allowed", "denied", "not_denied")))
        for module, proof in proofs.items()
        if isinstance(proof, dict)
    ]


def _said(text: str) -> Cell:
    return (
        Cell(text if len(text) < 120 else text[:117] + "...", title=text, kind="text")
        if text
        else Cell("–", kind="text")
    )
