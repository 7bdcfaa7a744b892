"""Pictures of truth over time: as plain text, as HTML and as a plot."""

from __future__ import annotations

import html as markup
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import Protocol

from eai.errors import InputError, MissingExtraError
from eai.logic.algebra import lowest_bit
from eai.logic.evaluation import Evaluation
from eai.logic.evidence import StepNames
from eai.logic.formula import ActionAtom, Exists, atoms
from eai.logic.nodes import Variable
from eai.logic.printer import format_formula
from eai.logic.trace import Trajectory
from eai.logic.tree import Formula, Truth
from eai.nesting import on_own_stack

_STYLE = (
    "<style>.eai-truth{border-collapse:collapse;font:13px ui-monospace,monospace}"
    ".eai-truth th{font-weight:normal;padding:1px 4px;text-align:left}"
    ".eai-truth td{min-width:1.2em;padding:1px 4px;text-align:center;border:1px solid #ddd}"
    ".eai-truth .true{background:#2a7f62;color:#fff}.eai-truth .false{color:#888}"
    ".eai-truth .gap{border:none}</style>"
)
"""Style of the page's figures."""


@dataclass(frozen=True, slots=True)
class TruthRow:
    """One row of a truth picture.

    Args:
        formula: A subformula, with deciding objects in the place of variables.
        text: Its text, which may be cut.
        depth: How many operators it is inside of.
        truth: Its truth: bit i is set if it is true at position i; of a formula with ``then``, if
            it holds on the part up to and including position i.
    """

    formula: Formula
    text: str
    depth: int
    truth: int


@dataclass(frozen=True, slots=True)
class TruthPicture:
    """Truth of subformulas at positions; printing it gives plain text.

    Args:
        rows: The subformulas, in reading order.
        positions: The positions that are shown, in order.
        labels: For each of them the number of the step that led there; 0 is the start.
        actions: For each of them the action that led there, if the plan is known.
        notes: Notes on omitted parts.
    """

    rows: tuple[TruthRow, ...]
    positions: tuple[int, ...]
    labels: tuple[str, ...]
    actions: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the picture in ASCII: ``#`` is true, ``.`` is false, ``~`` is a gap."""
        texts = ["after step"]
        cells = [list(self.labels)]
        for row in self.rows:
            texts.append("  " * row.depth + row.text)
            cells.append(self._row_marks(row, "#", "."))
        text_width = max(map(len, texts))
        cell_width = max(map(len, self.labels))
        lines = []
        for text, line in zip(texts, cells, strict=True):
            shown = " ".join(f"{cell:>{cell_width}}" for cell in self._with_gaps(line))
            lines.append(f"{text:{text_width}}  {shown}".rstrip())
        lines += [f"({note})" for note in self.notes]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return self.html()

    def html(self) -> str:
        """Return a self-contained HTML table with all texts escaped."""
        header_cells = []
        for label, action in zip(self.labels, self.actions, strict=True):
            # The action is shown when the pointer rests on the number of its step.
            header_cells.append(f'<th title="{markup.escape(action)}">{markup.escape(label)}</th>')
        header_cells = self._with_gaps(header_cells, "<th></th>")
        rows = [f"<tr><th>after step</th>{''.join(header_cells)}</tr>"]
        true = '<td class="true">&#10003;</td>'
        false = '<td class="false">&middot;</td>'
        for row in self.rows:
            marks = self._with_gaps(
                self._row_marks(row, true, false), '<td class="gap">&#8943;</td>'
            )
            style = f"padding-left:{row.depth + 0.3}em"
            row_header = f'<th style="{style}">{markup.escape(row.text)}</th>'
            rows.append(f"<tr>{row_header}{''.join(marks)}</tr>")
        notes = map(markup.escape, self.notes)
        rows += [f'<tr><th colspan="99">{note}</th></tr>' for note in notes]
        return f'{_STYLE}<table class="eai-truth">{"".join(rows)}</table>'

    def _row_marks(self, row: TruthRow, true: str, false: str) -> list[str]:
        """Return the marks of a row, one for each shown position.

        Args:
            row: The row.
            true: The mark of a position at which it is true.
            false: The mark of a position at which it is false.
        """
        marks = []
        for position in self.positions:
            is_true = row.truth >> position & 1
            marks.append(true if is_true else false)
        return marks

    def _with_gaps(self, cells: list[str], gap: str = "~") -> list[str]:
        """Return cells with a mark wherever positions are omitted.

        For the positions 0, 1 and 7 the cells ``x``, ``x``, ``-`` become ``x``, ``x``, ``~``,
        ``-``.
        """
        marked = []
        previous_position = self.positions[0] - 1
        for position, cell in zip(self.positions, cells, strict=True):
            if position > previous_position + 1:
                marked.append(gap)
            marked.append(cell)
            previous_position = position
        return marked

    def plot(self) -> Figure:
        """Draw the picture with matplotlib: dark where a subformula is true.

        The figure belongs to no window: a notebook shows it, ``savefig`` writes it.

        Raises:
            MissingExtraError: If matplotlib is not installed.
        """
        try:
            import_module("matplotlib.figure")
            colors = import_module("matplotlib.colors")
        except ImportError as error:
            purpose = "a picture of truth over time"
            raise MissingExtraError("matplotlib", extra="plot", purpose=purpose) from error
        figure_module = import_module("eai.logic.figure")
        column_count = len(self.positions)
        row_count = len(self.rows)
        row_texts = ["  " * row.depth + row.text for row in self.rows]
        text_width = max(map(len, row_texts))  # all of one width begin below each other
        # Inches: 0.09 for a character, 0.3 for a column or a row, and a margin.
        figure_size = (1 + 0.09 * text_width + 0.3 * column_count, 1 + 0.3 * row_count)
        figure = figure_module.ShownFigure(figsize=figure_size, layout="constrained")
        axes = figure.subplots()
        values = [list(map(int, self._row_marks(row, "1", "0"))) for row in self.rows]
        colormap = colors.ListedColormap(["#f2f2f2", "#2a7f62"])
        axes.imshow(values, cmap=colormap, vmin=0, vmax=1, aspect="auto")
        axes.set_xticks(range(column_count), self.labels)
        padded_texts = [f"{text:{text_width}}" for text in row_texts]
        axes.set_yticks(range(row_count), padded_texts, family="monospace")
        for label in axes.get_yticklabels():
            label.set_parse_math(False)  # a formula with $ in it is no TeX
        axes.set_xlabel("after step")
        for column, (position, next_position) in enumerate(pairwise(self.positions)):
            if next_position > position + 1:
                axes.axvline(column + 0.5, color="black", linestyle=":")
        figure.suptitle("\n".join(self.notes), x=0.01, ha="left", fontsize="small")
        drawn: Figure = figure
        return drawn


class Figure(Protocol):
    """A figure of matplotlib (``matplotlib.figure.Figure``)."""

    def savefig(self, fname: object) -> None:
        """Write the figure to a file."""
        ...


@on_own_stack
def truth_table(
    formula: Formula,
    trajectory: Trajectory,
    *,
    plan: Sequence[object] = (),
    numbers: Sequence[int] = (),
    most_rows: int = 24,
    most_columns: int = 40,
    width: int = 48,
) -> TruthPicture:
    """Return a picture of the truth of every subformula at every position.

    A column is a moment, named by the step before it. The next action belongs to the moment, as in
    the formula: an action that is step 8 is marked below 7.

    Of a long trajectory the positions are shown at which something changes, and both ends. Parts
    below a quantifier are shown for the object that decides it first.

    Args:
        formula: A closed formula.
        trajectory: The trajectory.
        plan: The actions of the trajectory in order, if their names are to be shown.
        numbers: The number of each action in the plan, if not 1, 2, 3.
        most_rows: Largest number of subformulas.
        most_columns: Largest number of positions, at least 2.
        width: Largest number of characters of a subformula's text, at least 8.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        SchemaError: If a part of the formula has no notation, or ``numbers`` has another length
            than the trajectory has actions.
        InputError: If a variable is not bound, or a limit is too small.
    """
    if most_rows < 1 or most_columns < 2 or width < 8:
        raise InputError(
            "the picture would be empty",
            expected="at least 1 row, 2 columns and 8 characters for each text",
        )
    formula.check_closed()
    names = StepNames(trajectory.length, plan, numbers)
    table = _Table(trajectory, most_rows, width)
    table.add(formula, 0)
    rows = list(table.rows.values())
    notes = _row_notes(rows, table.undecided, table.left_out, width)
    positions = _positions_to_show(rows, trajectory.length, most_columns)
    if len(positions) < trajectory.length:
        missing = trajectory.length - len(positions)
        notes.append(f"{missing} of {trajectory.length} positions are left out, '~' marks where")
    labels = []
    actions = []
    for position in positions:
        labels.append(names.label(position))
        actions.append(names.action(position - 1) if position > 0 else "")
    return TruthPicture(tuple(rows), tuple(positions), tuple(labels), tuple(actions), tuple(notes))


class _Table:
    """The first distinct subformulas of a formula, with their truth.

    Args:
        trajectory: The trajectory.
        max_rows: Maximum number of subformulas.
        width: Maximum number of characters of a text.

    Attributes:
        rows: The subformulas, with their rows.
        left_out: Number of subformulas beyond the maximum.
        undecided: Number of quantifiers that no object decides.
    """

    def __init__(self, trajectory: Trajectory, max_rows: int, width: int) -> None:
        """Begin with an empty table."""
        self.rows: dict[Formula, TruthRow] = {}
        self.undecided = 0
        self.left_out = 0
        self._seen: set[Formula] = set()
        self._max_rows = max_rows
        self._width = width
        self._trajectory = trajectory
        self._evaluation = Evaluation(trajectory)

    def add(self, formula: Formula, depth: int) -> None:
        """Add a closed formula and its subformulas to the rows.

        Args:
            formula: The formula.
            depth: How deep it is inside of the formula that is shown.
        """
        if formula in self._seen:  # a subformula that occurs twice is shown once
            return
        self._seen.add(formula)
        if len(self.rows) >= self._max_rows:
            self.left_out += 1
        elif not isinstance(formula, Truth):
            self.rows[formula] = TruthRow(
                formula, self._row_text(formula), depth, self._row_truth(formula)
            )
        # When the table is full, further rows are only counted, without deciding quantifiers.
        if not formula.variables or len(self.rows) >= self._max_rows:
            for operand in formula.operands:
                self.add(operand, depth + 1)
            return
        # Variables are replaced one by one, so that each object is chosen with those before it.
        (body,) = formula.operands
        for variable in formula.variables:
            name = self._deciding_object(body, variable, formula)
            if name is None:
                self.undecided += 1
                return
            body = body.substitute({variable.name: name})
        self.add(body, depth + 1)

    def _row_text(self, formula: Formula) -> str:
        """Return the text of a formula, cut if it is too long."""
        text = format_formula(formula)
        if isinstance(formula, ActionAtom):
            # Below "after step 7" stands the action of step 8.
            text = f"next: {text}"
        if len(text) > self._width:
            text = f"{text[: self._width - 3]}..."
        return text

    def _row_truth(self, formula: Formula) -> int:
        """Return the truth of a row (see :class:`TruthRow`)."""
        if formula.has_then:
            # Bit "end" is set for the part before that end; its last position is one less.
            return self._evaluation.ends(formula, 0) >> 1
        return self._evaluation.truth(formula)

    def _deciding_object(
        self, body: Formula, variable: Variable, quantifier: Formula
    ) -> str | None:
        """Return the object that decides a quantifier at the earliest position, or None.

        The first object is returned if none decides, or if the body still has other free variables.
        Without any object the result is None.

        Args:
            body: The body of the quantifier.
            variable: One of its variables.
            quantifier: The quantifier.
        """
        names = self._trajectory.objects(variable.types)
        if not names:
            return None
        outer_variables = {other for other in quantifier.variables if other.name != variable.name}
        if len(names) == 1 or not outer_variables.isdisjoint(body.free):
            return names[0]
        every_position = (1 << self._trajectory.length) - 1
        deciding_name = names[0]
        earliest_position = self._trajectory.length
        for name in names:
            deciding_positions = self._row_truth(body.substitute({variable.name: name}))
            if not isinstance(quantifier, Exists):
                # "exists" is decided where the body is true, others where it is false.
                deciding_positions ^= every_position
            if deciding_positions and lowest_bit(deciding_positions) < earliest_position:
                deciding_name = name
                earliest_position = lowest_bit(deciding_positions)
        return deciding_name


def _row_notes(rows: Sequence[TruthRow], undecided: int, left_out: int, width: int) -> list[str]:
    """Return notes on the meaning of rows and on omitted rows.

    Args:
        rows: The rows.
        undecided: Number of quantifiers that no object decides.
        left_out: Number of subformulas beyond the maximum.
        width: Maximum number of characters of a text.
    """
    # Only notes on marks that occur in these rows, which most tables do not have.
    notes = []
    if any(_mentions_action(row.formula) for row in rows):
        notes.append("an action is marked below the step before it: step 8 below 7")
    if any(row.formula.has_then for row in rows):
        notes.append("a row with 'then' says whether the steps so far will do")
    if any(row.text.endswith("...") for row in rows):
        notes.append(f"texts are cut after {width} characters")
    if left_out > 0:
        notes.append(f"{left_out} more subformulas are left out")
    if undecided:
        notes.append(f"{undecided} parts below quantifiers are left out: no object decided them")
    return notes


def _mentions_action(formula: Formula) -> bool:
    """Return whether a formula mentions an action."""
    return any(isinstance(atom, ActionAtom) for atom in atoms(formula))


def _positions_to_show(rows: Sequence[TruthRow], length: int, max_columns: int) -> list[int]:
    """Return the positions to show: all, or the ends and those at which a row changes.

    Args:
        rows: The rows; changes of those further up come first.
        length: Number of positions.
        max_columns: Maximum number of positions to show.
    """
    if length <= max_columns:
        return list(range(length))
    # A dictionary without values, as an ordered set. Changes of the first rows come first.
    shown_positions = dict.fromkeys((0, length - 1))
    for row in rows:
        # Bit i: the truth at position i is another one than at i + 1; the last has none after it.
        change_bits = (row.truth ^ row.truth >> 1) & (1 << length - 1) - 1
        # More than can be shown are collected, because rows repeat each other's positions.
        while change_bits and len(shown_positions) < 4 * max_columns:
            position = lowest_bit(change_bits)
            shown_positions[position] = None
            shown_positions[position + 1] = None
            change_bits &= change_bits - 1  # without its lowest bit
    return sorted(list(shown_positions)[:max_columns])
