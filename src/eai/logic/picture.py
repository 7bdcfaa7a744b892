"""Pictures of truth over time: as plain text, as HTML and as a plot."""

from __future__ import annotations

import html as markup
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from eai.errors import InputError, MissingExtraError
from eai.logic.algebra import lowest
from eai.logic.evaluation import Evaluation
from eai.logic.evidence import StepNames
from eai.logic.formula import ActionAtom, Exists, atoms
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


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the picture: a subformula in which objects stand that decided.

    Its text may be cut. Bit i of the truth is set if it is true at position i; a formula with
    ``then`` is if it holds on the part up to and including it.
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
        notes: What was left out.
    """

    rows: tuple[Row, ...]
    positions: tuple[int, ...]
    labels: tuple[str, ...]
    actions: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """ASCII: ``#`` is true, ``.`` is false, ``~`` stands for a gap."""
        texts = ["after step", *("  " * row.depth + row.text for row in self.rows)]
        cells = [list(self.labels), *(self._marks(row, "#", ".") for row in self.rows)]
        wide, width = max(map(len, texts)), max(map(len, self.labels))
        lines = []
        for text, line in zip(texts, cells, strict=True):
            shown = " ".join(f"{cell:>{width}}" for cell in self._with_gaps(line))
            lines.append(f"{text:{wide}}  {shown}".rstrip())
        return "\n".join([*lines, *(f"({note})" for note in self.notes)])

    def _repr_html_(self) -> str:
        return self.html()

    def html(self) -> str:
        """Return a table in HTML that needs nothing else; all texts are escaped."""
        heads = [
            f'<th title="{markup.escape(action)}">{markup.escape(label)}</th>'
            for label, action in zip(self.labels, self.actions, strict=True)
        ]
        heads = self._with_gaps(heads, "<th></th>")
        rows = [f"<tr><th>after step</th>{''.join(heads)}</tr>"]
        true, false = '<td class="true">&#10003;</td>', '<td class="false">&middot;</td>'
        for row in self.rows:
            marks = self._with_gaps(self._marks(row, true, false), '<td class="gap">&#8943;</td>')
            style = f"padding-left:{row.depth + 0.3}em"
            head = f'<th style="{style}">{markup.escape(row.text)}</th>'
            rows.append(f"<tr>{head}{''.join(marks)}</tr>")
        notes = map(markup.escape, self.notes)
        rows += [f'<tr><th colspan="99">{note}</th></tr>' for note in notes]
        return f'{_STYLE}<table class="eai-truth">{"".join(rows)}</table>'

    def _marks(self, row: Row, true: str, false: str) -> list[str]:
        return [true if row.truth >> position & 1 else false for position in self.positions]

    def _with_gaps(self, cells: list[str], gap: str = "~") -> list[str]:
        """Put a mark between positions that do not follow each other."""
        found = [cells[0]]
        locations = zip(self.positions, self.positions[1:], cells[1:], strict=False)
        for before, after, cell in locations:
            found += [gap] * (after > before + 1)
            found.append(cell)
        return found

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
        figures = import_module("eai.logic.figure")
        columns, rows = len(self.positions), len(self.rows)
        texts = ["  " * row.depth + row.text for row in self.rows]
        wide = max(map(len, texts))  # all of one width begin below each other
        size = (1 + 0.09 * wide + 0.3 * columns, 1 + 0.3 * rows)
        figure = figures.ShownFigure(figsize=size, layout="constrained")
        axes = figure.subplots()
        values = [[row.truth >> place & 1 for place in self.positions] for row in self.rows]
        shades = colors.ListedColormap(["#f2f2f2", "#2a7f62"])
        axes.imshow(values, cmap=shades, vmin=0, vmax=1, aspect="auto")
        axes.set_xticks(range(columns), self.labels)
        axes.set_yticks(range(rows), [f"{text:{wide}}" for text in texts], family="monospace")
        for label in axes.get_yticklabels():
            label.set_parse_math(False)
        axes.set_xlabel("after step")
        for place in range(columns - 1):
            if self.positions[place + 1] > self.positions[place] + 1:
                axes.axvline(place + 0.5, color="black", linestyle=":")
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
    """Show the truth of every subformula at every position.

    A column is a moment, named by the step before it. What is done next belongs to the moment,
    as in the formula: an action that is step 8 is marked below 7.

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
    positions, note = _positions(rows, trajectory.length, most_columns)
    notes = _row_notes(rows, table.undecided, table.more, width)
    return TruthPicture(
        tuple(rows),
        tuple(positions),
        tuple(names.label(position) for position in positions),
        tuple(names.action(position - 1) if position else "" for position in positions),
        (*notes, *note),
    )


class _Table:
    """The first distinct subformulas, and how many are not among them."""

    def __init__(self, trajectory: Trajectory, most: int, width: int) -> None:
        self.rows: dict[Formula, Row] = {}
        self.undecided = self.more = 0
        self._seen: set[Formula] = set()
        self._most = most
        self._width = width
        self._trajectory = trajectory
        self._evaluation = Evaluation(trajectory)

    def add(self, formula: Formula, depth: int) -> None:
        """Add a closed formula and its parts."""
        if formula in self._seen:  # shared parts are shown once
            return
        self._seen.add(formula)
        if len(self.rows) >= self._most:
            self.more += 1
        elif not isinstance(formula, Truth):
            text = format_formula(formula)
            if isinstance(formula, ActionAtom):
                # Below "after step 7" stands what step 8 does.
                text = f"next: {text}"
            cut = text if len(text) <= self._width else f"{text[: self._width - 3]}..."
            self.rows[formula] = Row(formula, cut, depth, self._truth(formula))
        if not formula.variables or len(self.rows) >= self._most:
            for operand in formula.operands:
                self.add(operand, depth + 1)
            return
        (body,) = formula.operands
        for variable in formula.variables:
            name = self._decides(body, variable.name, variable.types, formula)
            if name is None:
                self.undecided += 1
                return
            body = body.substitute({variable.name: name})
        self.add(body, depth + 1)

    def _truth(self, formula: Formula) -> int:
        if formula.has_then:
            return self._evaluation.ends(formula, 0) >> 1
        return self._evaluation.truth(formula)

    def _decides(
        self, body: Formula, name: str, types: tuple[str, ...], quantifier: Formula
    ) -> str | None:
        """The object with which the body first is what decides the quantifier."""
        names = self._trajectory.objects(types)
        others = [variable for variable in quantifier.variables if variable.name != name]
        if len(names) < 2 or any(variable in body.free for variable in others):
            return names[0] if names else None
        full = (1 << self._trajectory.length) - 1
        wrong = 0 if isinstance(quantifier, Exists) else full

        def first(each: str) -> tuple[bool, int]:
            place = lowest(self._truth(body.substitute({name: each})) ^ wrong)
            return place < 0, place

        return min(names, key=first)


def _row_notes(rows: Sequence[Row], undecided: int, more: int, width: int) -> list[str]:
    notes = []
    if any(isinstance(atom, ActionAtom) for row in rows for atom in atoms(row.formula)):
        notes.append("an action is marked below the step before it: step 8 below 7")
    if any(row.formula.has_then for row in rows):
        notes.append("a row with 'then' says whether the steps so far will do")
    if any(row.text.endswith("...") for row in rows):
        notes.append(f"texts are cut after {width} characters")
    if more > 0:
        notes.append(f"{more} more subformulas are left out")
    if undecided:
        notes.append(f"{undecided} parts below quantifiers are left out: no object decided them")
    return notes


def _positions(rows: Sequence[Row], length: int, most: int) -> tuple[list[int], list[str]]:
    """The positions to show: all of them, or those that matter most."""
    if length <= most:
        return list(range(length)), []
    wanted = dict.fromkeys((0, length - 1))
    for row in rows:
        changes = (row.truth ^ row.truth >> 1) & (1 << length - 1) - 1
        while changes and len(wanted) < 4 * most:
            place = lowest(changes)
            wanted[place] = wanted[place + 1] = None
            changes &= changes - 1
    shown = sorted(list(wanted)[:most])
    return shown, [f"{length - len(shown)} of {length} positions are left out, '~' marks where"]
