"""The steps in a table: a step in each row, a plan in each row, or a plan in each column."""

from __future__ import annotations

from collections.abc import Sequence

from eai.answers.column_steps import ColumnSteps
from eai.answers.items import TALKING, Step, ValueReading
from eai.answers.keys import texts_of
from eai.answers.repetitions import repetition_at_end
from eai.answers.step_parts import StepsOfKind
from eai.answers.stepless_lines import says_end
from eai.answers.surfaces import squeezed
from eai.answers.values import Group, Node, Pair, Text, key_words
from eai.text import has_words

_PARTS = frozenset(["phase", "stage", "part", "section", "subgoal", "subtask", "room", "time"])
"""Heads of columns that say which part of a plan stands in a row."""


_HOW_OFTEN = frozenset(["times", "repeat", "repeats", "repetitions", "how_often"])
"""Heads of columns that say how often the step of a row is taken."""


class TableSteps(StepsOfKind):
    """Reads the steps of tables."""

    def read_table(self, node: Group, depth: int) -> None:
        """Add the steps of a table.

        Each row may be a plan, each column a part of a step, each of several columns a plan, or
        each row a step. The first of these that fits decides.

        Args:
            node: The table.
            depth: How deep it stands in the whole value.
        """
        rows = [row for row in node.items if isinstance(row, Group)]
        for row in rows:
            if any(map(self._says_how_often, row.pairs)):
                # How often a step is taken is read in lines only.
                self.collected.current.unread.append(_written_row(row, row.pairs))
        if self.read_rows_of_plans(rows) or self.read_steps_of_columns(rows, depth):
            return
        columns = self.columns_of_steps(rows)
        if len(columns) > 1:
            for key, steps in columns.items():
                self.collected.readings.append(ValueReading(key, node.at, steps))
            return
        for row in rows:
            self.read_row(row, depth)

    def _says_how_often(self, cell: Pair) -> bool:
        """Whether a cell says that the step of its row is taken several times: ``x2``.

        In a column of remarks, "the bell rings twice" says something else.
        """
        if cell.name in _HOW_OFTEN and cell.text.strip().isdigit():
            return cell.text.strip() != "1"
        repetition = repetition_at_end(cell.text)
        if repetition is None or squeezed(repetition[0]) in self.grammar.surfaces.objects:
            return False
        has_other_words = has_words(cell.text[: repetition.start()])
        return not (has_other_words and self._is_remark_column(cell.key.value))

    def read_rows_of_plans(self, rows: Sequence[Group]) -> bool:
        """Add the plans of a table with a whole plan in a cell of each row.

        An example of a row is ``| 1 | WALK(hall); OPEN(door) | rejected |``; the other cells frame
        the plan. Rows that are phases, ``| Phase 1 | WALK(hall) |``, are parts of one plan. Return
        False if the table is no such one.
        """
        plans: list[ValueReading] = []
        columns: set[str] = set()
        are_parts = True
        for row in rows:
            cells_with_steps: list[tuple[Pair, list[Step]]] = []
            texts_beside: list[str] = []
            for cell in row.pairs:
                steps = self.steps_of_cell(cell)
                if steps:
                    cells_with_steps.append((cell, steps))
                else:
                    texts_beside += texts_of(cell.value)
                    are_parts &= not _PARTS.isdisjoint(cell.words)
            # Each row has its plan in the same column, and only there.
            if len(cells_with_steps) != 1:
                return False
            plan_cell, steps = cells_with_steps[0]
            columns.add(plan_cell.key.value)
            frame = ". ".join(texts_beside)
            plans.append(ValueReading(f"option {frame}", row.at, steps))
        if len(plans) < 2 or len(columns) > 1:
            return False
        if all(len(plan.steps) < 2 for plan in plans):
            return False  # each row is one step
        if are_parts:
            for plan in plans:
                self.collected.current.steps += plan.steps
        else:
            self.collected.readings += plans
        return True

    def read_steps_of_columns(self, rows: Sequence[Group], depth: int) -> bool:
        """Add the steps of a table with a step in each column; return False if it is no such one.

        Its rows are ``| Action | WALK | OPEN |`` and ``| Object | hall | door |``: the first cell
        of each row, the head among them, says what stands in it.
        """
        widest_row = max(rows, key=lambda row: len(row.pairs), default=None)
        if widest_row is None:
            return False
        lines: list[list[Node]] = [[pair.key for pair in widest_row.pairs]]
        lines += [[pair.value for pair in row.pairs if pair.value is not None] for row in rows]
        column_count = len(lines[0])
        columns: list[Pair] = []
        for label, *cells in lines:
            if isinstance(label, Text):
                # The last cells of a row may be empty.
                empty_cells = [Text("", label.end, label.end)] * (column_count - 1 - len(cells))
                cells_of_row = Group("list", label.at, label.end, [*cells, *empty_cells])
                columns.append(Pair(label, cells_of_row))
        return ColumnSteps(self.collected).read_columns(columns, depth)

    def steps_of_cell(self, cell: Pair) -> list[Step]:
        """Return the steps in a cell of a table that holds nothing but known steps."""
        if not isinstance(cell.value, Text) or self._is_remark_column(cell.key.value):
            return []
        steps = self.grammar.read_line(cell.value.value, cell.value.at, is_step_expected=True).steps
        return steps if all(step.is_whole for step in steps) else []

    def columns_of_steps(self, rows: Sequence[Group]) -> dict[str, list[Step]]:
        """Return the steps in each column that holds a whole step in at least half of its rows."""
        steps_by_key: dict[str, list[Step]] = {}
        for row in rows:
            for cell in row.pairs:
                steps = self.steps_of_cell(cell)
                if len(steps) == 1:
                    steps_by_key.setdefault(cell.key.value, []).append(steps[0])
        columns: dict[str, list[Step]] = {}
        for key, steps in steps_by_key.items():
            if 2 * len(steps) >= len(rows) > 1:
                columns[key] = steps
        return columns

    def read_row(self, row: Group, depth: int) -> None:
        """Add the step of a row: its cells are parts of the step, or together a line with it."""
        count_before = len(self.collected.current.steps)
        self.collected.read_object(row, depth + 1)
        self.collected.qualify_step(row.pairs, count_before)
        if len(self.collected.current.steps) > count_before:
            return
        cells = [cell for cell in row.pairs if isinstance(cell.value, Text)]
        if self.collected.is_denied(cells):
            return
        # The cells together may be a line with a step: "| walk | to the hall |".
        texts = [cell.text for cell in cells if not self._is_remark_column(cell.key.value)]
        reading = self.grammar.read_line(" ".join(texts), row.at, is_step_expected=True)
        self.collected.current.steps += reading.steps
        self.collected.qualify_step(row.pairs, count_before)
        is_end = any(map(says_end, texts))
        if not reading.steps and not is_end and has_words("".join(texts)):
            self.collected.current.unread.append(_written_row(row, cells))

    @staticmethod
    def _is_remark_column(key: str) -> bool:
        """Whether a column explains the steps beside it: its head is ``Reason`` or ``Effect``."""
        return not TALKING.isdisjoint(key_words(key))


def _written_row(row: Group, cells: Sequence[Pair]) -> Text:
    """Return some cells of a row as one text."""
    return Text(" | ".join(cell.text for cell in cells), row.at, row.end, quoted=True)
