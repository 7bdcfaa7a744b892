"""A table as LaTeX that fits a column of a paper, at a size that can be read.

A column of a two-column paper has room for a name and about five numbers. So the columns of a
wider table are divided among several blocks, one below the other, which all begin with the names
of the rows. Widths are estimated from the letters; if a class has narrower columns than assumed
here, the table is scaled down to them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby, zip_longest
from typing import NamedTuple

from eai.table.folding import fold_text
from eai.text import latex, printable_line, settable

PREAMBLE = "% needs \\usepackage{booktabs,graphicx}"
"""First line of a file with tables: the packages that they need."""

UNDEFINED = "--"
"""Text for an undefined number."""

_COLUMN_PT = 219.0
"""Width of a column: that of the ACL style. article has 229 pt, IEEEtran 252 pt."""

_PAGE_PT = 455.0
"""Width of both columns: that of the ACL style. article has 469 pt, IEEEtran 516 pt."""

_FLOAT_PT = 480.0
"""Height up to which blocks are stacked in one table; a page of article has 550 pt."""

_LINE_PT = 9.5
"""Distance of lines in the size ``footnotesize``."""

_GAP_PT = 6.0
"""Blank between two columns."""

_NAME_LENGTHS = (40, 24, 16)
"""Lengths in characters to which names of rows are folded, if that saves a block."""

_MAX_HEADING = 9
"""Maximum number of characters in a line of a heading; longer ones are folded."""

_EM_PT = 8.5
"""Width of an em in the size ``footnotesize``."""

_BOLD = 1.15
"""Ratio of the width of bold letters to that of others."""

_WIDTHS_EM = {
    **dict.fromkeys("ijl.,:;'|!", 0.28),
    **dict.fromkeys("ftrs()[]/-", 0.39),
    **dict.fromkeys("mMwW%@", 0.9),
    **dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ&+=<>", 0.72),
}
_USUAL_EM = 0.51
"""Widths of letters of Computer Modern in em."""


@dataclass(frozen=True)
class LatexColumn:
    """A column of a table as unescaped text.

    Args:
        heading: Its heading; lines are separated by a line break.
        span: A heading that neighbouring columns share; empty if there is none.
        cells: The cells, one for each row.
        marks: Marks behind the cells that take no room, such as a star.
        bounds: The interval below each cell; empty if there is none.
        is_number: Whether cells are numbers, which are set to the right and never folded.
        best: Numbers of the rows whose cells are set in bold.
        folded_to: Texts with more characters are folded.
    """

    heading: str
    span: str
    cells: Sequence[str]
    marks: Sequence[str]
    bounds: Sequence[str]
    is_number: bool
    best: frozenset[int] = frozenset()
    folded_to: int = _NAME_LENGTHS[0]

    def lines(self, row: int) -> list[str]:
        """Return the lines of a cell."""
        if self.is_number:
            return [self.cells[row]]
        return _fold_lines(self.cells[row], self.folded_to)

    def fold_names(self, length: int) -> LatexColumn:
        """Return the column with its names folded to a length; numbers never are."""
        if self.is_number or length == self.folded_to:
            return self
        return replace(self, folded_to=length)

    @cached_property
    def heading_lines(self) -> list[str]:
        """The lines of the heading without the words of a shared heading."""
        heading = self.heading.removeprefix(self.span).strip() or self.heading
        lines: list[str] = []
        for part in heading.split("\n"):
            lines += _fold_lines(part, _MAX_HEADING)
        return lines

    def width(self, *, with_bounds: bool) -> float:
        """Return the estimated width in points, including the gap beside it."""
        widest = self._widest_line
        if with_bounds:
            widest = max(widest, self._widest_bounds)
        return widest + _GAP_PT

    # Both are needed for every block in which the column may appear.

    @cached_property
    def _widest_line(self) -> float:
        """Width of the widest line of the heading and the cells."""
        widths = [_width(line) for line in self.heading_lines]
        for row in range(len(self.cells)):
            widest = 0.0
            indent = 0.0
            for line in self.lines(row):
                widest = max(widest, _width(line) + indent)
                indent = _EM_PT  # of further lines of a name
            if row in self.best:
                widest *= _BOLD
            widths.append(widest)
        return max(widths)

    @cached_property
    def _widest_bounds(self) -> float:
        """Width of the widest interval."""
        # Intervals are set in the size scriptsize.
        return max((0.85 * _width(bounds) for bounds in self.bounds), default=0.0)


def table_text(
    columns: Sequence[LatexColumn],
    *,
    caption: str,
    label: str,
    notes: Sequence[str],
    ranges: str,
    wide: bool,
) -> str:
    """Return one or more LaTeX tables with these columns, as lines of a file.

    The intervals are left out if there is no room for all columns beside each other. Blocks that
    are too high for one page are put into a second table.

    Args:
        columns: The columns; those before the first one of numbers name the rows.
        caption: The caption.
        label: The label (of ``ref``); that of a continued table has a number behind it.
        notes: Sentences below the table. One that begins with a mark, such as a star, stands
            only where there are cells with this mark.
        ranges: Sentence about the intervals, below the table if they are printed.
        wide: Whether the table spans both columns of the page.
    """
    max_width = _COLUMN_PT
    environment = "table"
    if wide:
        max_width = _PAGE_PT
        environment = "table*"
    has_bounds = any(any(column.bounds) for column in columns)
    layout = _Layout.with_fewest_blocks(columns, max_width, with_bounds=has_bounds)
    lines = []
    if has_bounds and len(layout.blocks) > 1:
        # A table in one block is worth more than its intervals.
        layout = _Layout.with_fewest_blocks(columns, max_width, with_bounds=False)
        lines.append("% left out for lack of room: the intervals")

    if layout.with_bounds:
        notes = (*notes, ranges)
    all_marks: set[str] = set()
    for column in columns:
        all_marks.update(column.marks)
    tabulars = [_make_tabular(block, with_bounds=layout.with_bounds) for block in layout.blocks]
    for table_number, stack in enumerate(_stack_on_pages(tabulars), 1):
        # Notes about marks that no cell of this table has are left out.
        unused_marks = set(all_marks)
        for tabular in stack:
            unused_marks -= tabular.marks
        notes_below = _notes_without(notes, unused_marks)
        lines.append(rf"\begin{{{environment}}}")
        lines += _float_lines(table_number, stack, caption=caption, label=label, notes=notes_below)
        lines.append(rf"\end{{{environment}}}")
    return "\n".join(lines)


def _notes_without(notes: Sequence[str], marks: Collection[str]) -> list[str]:
    """Return the notes without empty ones and without those that explain one of the marks."""
    return [note for note in notes if note and note.split()[0] not in marks]


def _float_lines(
    table_number: int, stack: Sequence[_Tabular], *, caption: str, label: str, notes: Sequence[str]
) -> Iterator[str]:
    """Yield the lines of one LaTeX table, which may continue another one.

    Args:
        table_number: Number of the table, from 1.
        stack: The blocks in it.
        caption: The caption.
        label: The label.
        notes: Sentences below the table.
    """
    yield r"\centering"
    if table_number == 1:
        yield rf"\caption{{{breakable(caption)}}}"
        yield rf"\label{{{label}}}"
    else:
        # A continuation has the number of the table that it continues.
        yield r"\addtocounter{table}{-1}"
        yield rf"\caption{{{breakable(caption)} (continued)}}"
        yield rf"\label{{{label}-{table_number}}}"
    yield r"\smallskip"
    yield r"\footnotesize\setlength{\tabcolsep}{3pt}"
    yield "\n\n\\smallskip\n".join(tabular.text for tabular in stack)
    if notes:
        notes_text = " ".join(map(breakable, notes))
        yield ""
        yield r"\smallskip"
        yield rf"{{\scriptsize\raggedright {notes_text}\par}}"


def label_of(text: str) -> str:
    """Return a text as a label of letters, digits and hyphens: ``tab:household-plans``."""
    name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return f"tab:{name or 'table'}"


def comment(text: str) -> str:
    """Return a text as a comment of LaTeX."""
    return f"% {printable_line(text)}"


_LONG_WORD = 20
"""Words with more characters may be broken in a sentence."""

_LONG_PIECE = 24
"""Pieces of names with more characters, where no line may end, are cut."""

_BREAKS = re.compile(r"(?<=[-_/.,:=@])(?=\w)")


def breakable(text: str) -> str:
    """Return the text on one line, escaped for LaTeX; long words may be broken."""
    words = [_breakable_word(word) for word in printable_line(text).split(" ")]
    return " ".join(words).replace(r"\textgreater{}=", r"$\geq$")


def _breakable_word(word: str) -> str:
    """Return a word escaped for LaTeX, breakable at punctuation if it is long."""
    if len(word) <= _LONG_WORD:
        return latex(word)
    pieces: list[str] = []
    for piece in _BREAKS.split(word):
        pieces += _cut(piece, _LONG_WORD)
    return r"\allowbreak{}".join(map(latex, pieces))


def _cut(text: str, width: int) -> list[str]:
    """Return a text in pieces of a width."""
    pieces = [text[:width]]
    for start in range(width, len(text), width):
        pieces.append(text[start : start + width])
    return pieces


def _fold_lines(text: str, width: int) -> list[str]:
    """Return lines of at most a width: folded where a line may end, cut where it must."""
    lines: list[str] = []
    for line in fold_text(settable(text), width).split("\n"):
        # A piece that is slightly longer than the line is not cut.
        lines += _cut(line, max(width, _LONG_PIECE))
    return lines


@lru_cache(maxsize=1 << 12)
def _width(text: str) -> float:
    """Return the estimated width of a text in points."""
    return _EM_PT * sum(_WIDTHS_EM.get(letter, _USUAL_EM) for letter in text)


# Which columns are next to each other.


@dataclass(frozen=True)
class _Layout:
    """The columns of a table in blocks that fit the available width.

    Args:
        name_columns: The columns that name rows; every block begins with them.
        value_columns: The other columns.
        max_width: The available width in points.
        with_bounds: Whether intervals are printed.
    """

    name_columns: Sequence[LatexColumn]
    value_columns: Sequence[LatexColumn]
    max_width: float
    with_bounds: bool

    @classmethod
    def with_fewest_blocks(
        cls, columns: Sequence[LatexColumn], max_width: float, *, with_bounds: bool
    ) -> _Layout:
        """Return the layout with the fewest blocks and the least folding of names."""
        # The columns before the first numbers name the rows.
        name_count = len(columns)
        for index, column in enumerate(columns):
            if column.is_number:
                name_count = max(1, index)
                break
        layouts = []
        # From names in one piece to names that are folded often: the first that fits is best.
        for length in _NAME_LENGTHS:
            folded_columns = [column.fold_names(length) for column in columns]
            name_columns = folded_columns[:name_count]
            value_columns = folded_columns[name_count:]
            layout = cls(name_columns, value_columns, max_width, with_bounds)
            if len(layout.blocks) == 1:
                return layout
            layouts.append(layout)
        # min() takes the first of several with equally many blocks: it folds names the least.
        return min(layouts, key=lambda layout: len(layout.blocks))

    @cached_property
    def blocks(self) -> list[list[LatexColumn]]:
        """The columns divided into blocks, each beginning with the row names.

        Columns that share a heading stay together, unless there is no room for all of them.
        """
        # First fit, in the order of the columns: a block is filled before the next one begins.
        blocks: list[list[LatexColumn]] = [[]]
        for _, spanned_columns in groupby(self.value_columns, key=lambda column: column.span):
            group = list(spanned_columns)
            parts: list[Sequence[LatexColumn]] = [group]
            if not self.fits([*blocks[-1], *group]):
                parts = self.split_group(group)
            for part in parts:
                # A part that is too wide even alone stands in a block of its own.
                if blocks[-1] and not self.fits([*blocks[-1], *part]):
                    blocks.append([])
                blocks[-1] += part
        return [[*self.name_columns, *block] for block in blocks]

    def split_group(self, group: Sequence[LatexColumn]) -> list[Sequence[LatexColumn]]:
        """Return the fewest parts of a column group that fit, of about equal size."""
        parts: list[Sequence[LatexColumn]] = []
        # Parts of equal size look better below each other than full ones and a small last one.
        for part_count in range(1, len(group) + 1):
            size = math.ceil(len(group) / part_count)
            parts = [group[start : start + size] for start in range(0, len(group), size)]
            if all(map(self.fits, parts)):
                break
        return parts

    def fits(self, columns: Sequence[LatexColumn]) -> bool:
        """Return whether columns fit beside the row names."""
        width = sum(column.width(with_bounds=self.with_bounds) for column in self.name_columns)
        for span, spanned_columns in groupby(columns, key=lambda column: column.span):
            span_width = sum(
                column.width(with_bounds=self.with_bounds) for column in spanned_columns
            )
            if span:
                # A shared heading that is wider than its columns widens them.
                span_width = max(span_width, _width(span) + _GAP_PT)
            width += span_width
        return width - _GAP_PT <= self.max_width  # there is no blank at the ends


class _Tabular(NamedTuple):
    """A block as LaTeX, with its estimated height in points and its marks."""

    text: str
    height: float
    marks: frozenset[str]


def _stack_on_pages(tabulars: Sequence[_Tabular]) -> list[list[_Tabular]]:
    """Return the blocks of each table, as many as fit on a page."""
    stacks: list[list[_Tabular]] = []
    height = 0.0
    # A block that is higher than a page gets a page of its own, with a warning by LaTeX.
    for tabular in tabulars:
        if not stacks or height + tabular.height > _FLOAT_PT:
            stacks.append([])
            height = 0.0
        stacks[-1].append(tabular)
        height += tabular.height
    return stacks


# One block.


def _make_tabular(columns: Sequence[LatexColumn], *, with_bounds: bool) -> _Tabular:
    """Return the LaTeX of one block."""
    alignment = ""
    for column in columns:
        alignment += "r" if column.is_number else "l"
    end_space = ""
    if any(columns[-1].marks):
        # A mark after the last cell takes no room in its column, so it needs room at the end.
        end_space = r"\hspace{4pt}"
    headings = list(_heading_lines(columns))
    rows: list[str] = []
    for row in range(len(columns[0].cells)):
        rows += _row_lines(columns, row, with_bounds=with_bounds)
    lines = [
        # This changes nothing if the estimate was right.
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        rf"\begin{{tabular}}{{@{{}}{alignment}@{{{end_space}}}}}",
        r"\toprule",
        *headings,
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}}",
    ]
    # Two lines more, for shared headings and for the rules.
    heading_line_count = max(len(column.heading_lines) for column in columns) + 2
    height = (heading_line_count + len(rows)) * _LINE_PT
    marks: set[str] = set()
    for column in columns:
        marks.update(column.marks)
    return _Tabular("\n".join(lines), height, frozenset(marks))


def _heading_lines(columns: Sequence[LatexColumn]) -> Iterator[str]:
    """Yield the heading row, or two rows with a rule if columns share headings."""
    shared_headings: list[str] = []
    rules: list[str] = []
    first = 1  # LaTeX counts columns from 1
    for span, spanned_columns in groupby(columns, key=lambda column: column.span):
        column_count = len(list(spanned_columns))
        last = first + column_count - 1
        if span:
            shared_headings.append(rf"\multicolumn{{{column_count}}}{{c}}{{{latex(span)}}}")
            rules.append(rf"\cmidrule(lr){{{first}-{last}}}")
        else:
            shared_headings += [""] * column_count
        first = last + 1
    if rules:
        yield _table_line(shared_headings)
        yield " ".join(rules)
    yield _table_line([_stacked_heading(column) for column in columns])


def _stacked_heading(column: LatexColumn) -> str:
    """Return the heading of a column with its lines stacked."""
    lines = [latex(line) for line in column.heading_lines]
    if len(lines) == 1:
        return lines[0]
    side = "r" if column.is_number else "l"
    stacked = r" \\ ".join(lines)
    return rf"\shortstack[{side}]{{{stacked}}}"


def _row_lines(columns: Sequence[LatexColumn], row: int, *, with_bounds: bool) -> Iterator[str]:
    """Yield the lines of a row: folded names go on beside the intervals."""
    cells = [_cell_lines(column, row, with_bounds=with_bounds) for column in columns]
    for line in zip_longest(*cells, fillvalue=""):
        yield _table_line(line)


def _cell_lines(column: LatexColumn, row: int, *, with_bounds: bool) -> list[str]:
    """Return the lines of a cell, including its mark and interval."""
    first, *further = [_escaped_cell(line) for line in column.lines(row)]
    if row in column.best:
        first = rf"\textbf{{{first}}}"
    if column.marks[row]:
        # \rlap takes no room, so that numbers with and without marks stay aligned.
        first += rf"\rlap{{{latex(column.marks[row])}}}"
    lines = [first]
    for line in further:
        lines.append(rf"\quad {line}")
    if with_bounds and column.bounds[row]:
        # LaTeX writes a range with an en dash.
        bounds = column.bounds[row].replace("-", "--")
        lines.append(rf"{{\scriptsize {bounds}}}")
    return lines


def _escaped_cell(text: str) -> str:
    """Return the text of a cell, escaped for LaTeX."""
    if text == UNDEFINED:
        return text  # it would become a dash
    return latex(text)


def _table_line(cells: Sequence[str]) -> str:
    """Return a line of a tabular."""
    return " & ".join(cells).rstrip() + r" \\"
