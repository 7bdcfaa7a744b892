"""Pictures of truth over time as plain text, for rich terminals, and as HTML."""

from __future__ import annotations

import html as markup
from collections.abc import Iterator
from typing import TYPE_CHECKING

from eai.logic.picture.rows import Picture, Row

if TYPE_CHECKING:
    from rich.table import Table


__all__ = ["html", "plain", "rich_table"]

_STYLE = (
    "<style>.eai-truth{border-collapse:collapse;font:13px ui-monospace,monospace}"
    ".eai-truth th{font-weight:normal;padding:1px 4px;text-align:left}"
    ".eai-truth td{min-width:1.2em;padding:1px 4px;text-align:center;border:1px solid #ddd}"
    ".eai-truth .true{background:#2a7f62;color:#fff}.eai-truth .false{color:#888}"
    ".eai-truth .gap{border:none}</style>"
)


def plain(picture: Picture) -> str:
    """Return the picture in ASCII: ``#`` is true, ``.`` is false, ``~`` stands for a gap."""
    texts = ["after step", *("  " * row.depth + row.text for row in picture.rows)]
    wide = max(map(len, texts))
    cells = max(map(len, picture.labels))
    lines = [_line(texts[0], wide, _with_gaps(picture, list(picture.labels)), cells)]
    for text, row in zip(texts[1:], picture.rows, strict=True):
        marks = ["#" if true else "." for true in _values(picture, row)]
        lines.append(_line(text, wide, _with_gaps(picture, marks), cells))
    return "\n".join([*lines, *(f"({note})" for note in picture.notes)])


def _line(text: str, wide: int, cells: list[str], width: int) -> str:
    return f"{text:{wide}}  {' '.join(f'{cell:>{width}}' for cell in cells)}".rstrip()


def _values(picture: Picture, row: Row) -> list[bool]:
    return [bool(row.truth >> position & 1) for position in picture.positions]


def _with_gaps(picture: Picture, cells: list[str], gap: str = "~") -> list[str]:
    """Put a mark between positions that do not follow each other."""
    found = [cells[0]]
    for before, after, cell in zip(
        picture.positions, picture.positions[1:], cells[1:], strict=False
    ):
        found += [gap] * (after > before + 1)
        found.append(cell)
    return found


def rich_table(picture: Picture) -> Table:
    """Return the picture as a table of rich."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, caption="\n".join(picture.notes) or None)
    table.add_column("after step", no_wrap=True)
    for label in _with_gaps(picture, list(picture.labels)):
        table.add_column(label, justify="right")
    for row in picture.rows:
        marks = ["#" if true else "." for true in _values(picture, row)]
        styled = [
            Text(mark, style="bold green" if mark == "#" else "dim")
            for mark in _with_gaps(picture, marks)
        ]
        table.add_row(Text("  " * row.depth + row.text), *styled)
    return table


def html(picture: Picture) -> str:
    """Return the picture as an HTML table with its own style; all texts are escaped."""
    return "".join([_STYLE, '<table class="eai-truth">', *_html_rows(picture), "</table>"])


def _html_rows(picture: Picture) -> Iterator[str]:
    heads = [
        f'<th title="{markup.escape(action)}">{markup.escape(label)}</th>'
        for label, action in zip(picture.labels, picture.actions, strict=True)
    ]
    yield f"<tr><th>after step</th>{''.join(_with_gaps(picture, heads, '<th></th>'))}</tr>"
    for row in picture.rows:
        marks = [
            f'<td class="{"true" if true else "false"}">{"&#10003;" if true else "&middot;"}</td>'
            for true in _values(picture, row)
        ]
        cells = "".join(_with_gaps(picture, marks, '<td class="gap">&#8943;</td>'))
        text = f'<th style="padding-left:{row.depth + 0.3}em">{markup.escape(row.text)}</th>'
        yield f"<tr>{text}{cells}</tr>"
    for note in picture.notes:
        yield f'<tr><th colspan="99">{markup.escape(note)}</th></tr>'
