"""Compute the paper's tables from published answers, beside the printed numbers, by hand.

    python benchmarks/agreement/paper_tables.py [--facts DIR] [--model NAME] [--markdown FILE]

`DIR` has `model_outputs/SUITE/ABILITY/MODEL.json.gz` (the answers of models), `published_runs/`
(stored results) and `peer_verdicts/` (what `eai-eval` 1.0.5 said of answers); by default it is the
folder `eai` in `EAI_FACTS`. The official data must have been fetched (`eai data fetch eai`). The
printed numbers, and the reasons why some cannot come out, are in `paper_tables_printed.json`.

A cell is the computed number where the printed one is the same; else both are shown, with the
reason below the table. A reason holds for a cell if its check passes, which computes something
beside it (`paper_tables_checks.py`); without a check it is called a supposition. The exit status
is 1 if a cell differs and no reason holds; where that is for want of what `eai-eval` says of these
answers, the cell names the file of `peer_verdicts/` that they belong into.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from paper_tables_values import Block, Cell, blocks

__all__ = ["markdown"]

_SUITES = {"virtualhome": "VirtualHome", "behavior": "BEHAVIOR"}
_SHORT = {"precision": "P", "recall": "R", "f1": "F1"}


def markdown(found: Sequence[Block], *, is_page: bool = False) -> Iterator[str]:
    """Write tables as lines of Markdown.

    Args:
        found: The tables.
        is_page: Whether only the overview and Table 3 are written, as on the page.
    """
    yield from _overview(found)
    shown = [block for block in found if block.table == 3 or not is_page]
    for block in sorted(shown, key=lambda block: block.table):
        yield ""
        stored = " (results that others stored)" if block.stored else ""
        yield f"## Table {block.table}: {_SUITES[block.suite]}, {_about(block)}{stored}"
        yield ""
        yield "| model | " + " | ".join(map(_heading, block.columns)) + " |"
        yield "| --- |" + " ---: |" * len(block.columns)
        notes: dict[str, int] = {}
        for model, cells in block.rows.items():
            yield f"| {model} | " + " | ".join(_shown(cell, notes) for cell in cells) + " |"
        if notes:
            yield ""
        for reason, number in notes.items():
            yield f"{number}. {reason}"


def _overview(found: Sequence[Block]) -> Iterator[str]:
    heads = ("rows", "cells", "equal", "cut or rounded otherwise", "explained", "supposed")
    yield f"| table | suite | ability | {' | '.join(heads)} | not explained |"
    yield "| ---: | --- | --- |" + " ---: |" * (len(heads) + 1)
    blocks = sorted(found, key=lambda block: (block.table, block.stored))
    for block in blocks:
        if not block.stored:
            equal, digits, checked, supposed, unknown = _counts(block)
            cells = equal + digits + checked + supposed + unknown
            numbers = (len(block.rows), cells, equal, digits, checked, supposed, unknown)
            label = f"{_SUITES[block.suite]} | {_about(block)}"
            yield f"| {block.table} | {label} | " + " | ".join(map(str, numbers)) + " |"
    if any(block.stored for block in blocks):
        yield ""
        yield "Nothing was computed for these; they are results that others stored:"
        yield ""
        yield "| table | suite | ability | rows | cells | as printed |"
        yield "| ---: | --- | --- | ---: | ---: | ---: |"
    for block in blocks:
        if block.stored:
            equal, digits, *rest = _counts(block)
            same = equal + digits
            label = f"{_SUITES[block.suite]} | {_about(block)}"
            yield f"| {block.table} | {label} | {len(block.rows)} | {same + sum(rest)} | {same} |"


def _counts(block: Block) -> tuple[int, int, int, int, int]:
    """Cells that are equal, differ by digits, for a reason, as is supposed, or unexplained."""
    cells = [cell for row in block.rows.values() for cell in row if _compared(cell)]
    equal = sum(not cell.reason for cell in cells)
    digits = sum(bool(cell.reason) and _same(cell) for cell in cells)
    checked = sum(cell.checked for cell in cells)
    unknown = sum(not cell.known for cell in cells)
    return equal, digits, checked, len(cells) - equal - digits - checked - unknown, unknown


def _about(block: Block) -> str:
    ability = block.ability.replace("_", " ")
    return f"{ability}, {block.label}" if block.label else ability


def _compared(cell: Cell) -> bool:
    return cell.printed is not None and cell.computed is not None


def _same(cell: Cell) -> bool:
    return cell.reason.startswith(("rounded", "cut", "printed in"))


def _heading(column: str) -> str:
    name, _, measure = column.rpartition("_")
    if measure in _SHORT:
        return f"{name.replace('_', ' ')} {_SHORT[measure]}"
    return column.removeprefix("planner_").replace("_", " ")


def _shown(cell: Cell, notes: dict[str, int]) -> str:
    if cell.printed is None:
        return "-"
    if cell.computed is None:
        return f"(printed: {cell.printed:.1f})"
    if not cell.reason:
        return f"{cell.printed:.1f}"
    whole = cell.checked or not cell.known or _same(cell)
    number = notes.setdefault(
        cell.reason if whole else f"not checked: {cell.reason}", len(notes) + 1
    )
    return f"**{cell.computed:.2f}** ({cell.printed:.1f}) [{number}]"


def main() -> int:
    """Read the arguments, compute, print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = os.environ.get("EAI_FACTS")
    parser.add_argument("--facts", type=Path, default=Path(default) / "eai" if default else None)
    parser.add_argument("--model", action="append", default=[], help="as the paper names it")
    parser.add_argument(
        "--markdown", type=Path, help="write the overview and Table 3 below the text of this file"
    )
    arguments = parser.parse_args()
    if arguments.facts is None:
        parser.error("name the folder with the answers: --facts, or EAI_FACTS")
    found = list(blocks(arguments.facts, arguments.model))
    lines = list(markdown(found, is_page=arguments.markdown is not None))
    if arguments.markdown is None:
        print("\n".join(lines))
    else:
        _replace(arguments.markdown, lines)
    cells = [cell for block in found for row in block.rows.values() for cell in row]
    return int(not cells or not all(cell.known for cell in cells))


_MARK = "<!-- computed by benchmarks/agreement/paper_tables.py -->"
_OTHERS = (
    "The other tables, cell by cell, are printed by `python benchmarks/agreement/paper_tables.py`."
)


def _replace(path: Path, lines: list[str]) -> None:
    text = path.read_text(encoding="utf-8").partition(_MARK)[0]
    path.write_text(
        f"{text}{_MARK}\n\n" + "\n".join([*lines, "", _OTHERS]) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    sys.exit(main())
