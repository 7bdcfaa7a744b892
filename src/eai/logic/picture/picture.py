"""Truth over time: one row for each subformula, one column for each position."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from eai.errors import InputError
from eai.logic.evaluation import Evaluation
from eai.logic.formula import (
    ActionAtom,
    Formula,
    Truth,
    atoms,
    children,
    free_variables,
    has_then,
    substitute,
)
from eai.logic.picture.rows import Picture, Row
from eai.logic.printer import format_formula
from eai.logic.proofs.prover import Proof, prove
from eai.logic.reasons.moments import Moments
from eai.logic.trace import Trajectory

if TYPE_CHECKING:
    from rich.table import Table

    from eai.logic.picture.plot import Figure

__all__ = ["Row", "TruthPicture", "truth_table"]

_LARGEST = 50_000
"""Larger proofs are not searched for what to show."""

_LOOKED_AT = 2_000
"""Judgements of the proof that are searched for what to show."""


class TruthPicture(Picture):
    """Truth of subformulas at positions; printing it gives plain text."""

    __slots__ = ()

    def __str__(self) -> str:
        from eai.logic.picture.renderings import plain

        return plain(self)

    def __rich__(self) -> Table:
        from eai.logic.picture.renderings import rich_table

        return rich_table(self)

    def _repr_html_(self) -> str:
        return self.html()

    def html(self) -> str:
        """Return a table in HTML that needs nothing else; all texts are escaped."""
        from eai.logic.picture.renderings import html

        return html(self)

    def plot(self) -> Figure:
        """Draw the picture with matplotlib.

        Raises:
            MissingExtraError: If matplotlib is not installed.
        """
        from eai.logic.picture.plot import plot

        return plot(self)


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

    Of a long trajectory the positions are shown at which something changes, those that the
    smallest proof of the verdict rests on, and both ends. Parts below a quantifier are shown for
    the objects that the proof names first.

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
            expected="at least 1 row, 2 columns and 8 characters for a text",
        )
    moments = Moments(trajectory.length, plan, numbers)
    proof = _proof(formula, trajectory)
    parts, undecided, more = _parts(formula, _names(proof), most_rows)
    rows = _rows(parts, trajectory, width)
    notes = _row_notes(rows, undecided, more, width)
    positions, note = _positions(rows, proof, trajectory.length, most_columns)
    return TruthPicture(
        tuple(rows),
        tuple(positions),
        tuple(moments.label(position) for position in positions),
        tuple(moments.action(position - 1) if position else "" for position in positions),
        (*notes, *note),
    )


def _proof(formula: Formula, trajectory: Trajectory) -> Proof | None:
    """The proof, if there is one that can be looked through."""
    try:
        proof = prove(formula, trajectory)
    except InputError:
        return None
    return proof if proof.size <= _LARGEST else None


def _names(proof: Proof | None) -> dict[int, dict[str, str]]:
    """For each node of the formula the objects that its variables have first in the proof."""
    found: dict[int, dict[str, str]] = {}
    for node in islice(proof.nodes(), _LOOKED_AT) if proof else ():
        found.setdefault(id(node.formula), dict(node.binding))
    return found


def _parts(
    formula: Formula, names: dict[int, dict[str, str]], most: int
) -> tuple[list[tuple[int, Formula]], int, int]:
    """The first distinct subformulas with their depths, and how many are not among them.

    Returns:
        The subformulas, the number of those that no object decided, and of those that are too many.
    """
    found: dict[Formula, int] = {}
    undecided = more = 0
    pending: list[tuple[int, Formula, dict[str, str]]] = [(0, formula, {})]
    while pending:
        depth, node, outer = pending.pop()
        bound = names.get(id(node), outer)
        free = {variable.name for variable in free_variables(node)}
        if len(found) >= most:
            more += 1
        elif not free <= bound.keys():
            undecided += 1
        elif not isinstance(node, Truth):
            found.setdefault(substitute(node, {name: bound[name] for name in free}), depth)
        pending += [(depth + 1, child, bound) for child in reversed(children(node))]
    return [(depth, part) for part, depth in found.items()], undecided, more


def _rows(parts: Sequence[tuple[int, Formula]], trajectory: Trajectory, width: int) -> list[Row]:
    evaluation = Evaluation(trajectory)
    rows = []
    for depth, part in parts:
        truth = evaluation.ends(part, 0) >> 1 if has_then(part) else evaluation.truth(part)
        text = format_formula(part)
        if isinstance(part, ActionAtom):
            # Below "after step 7" stands what step 8 does.
            text = f"next: {text}"
        cut = text if len(text) <= width else f"{text[: width - 3]}..."
        rows.append(Row(part, cut, depth, truth))
    return rows


def _row_notes(rows: Sequence[Row], undecided: int, more: int, width: int) -> list[str]:
    notes = []
    if any(isinstance(atom, ActionAtom) for row in rows for atom in atoms(row.formula)):
        notes.append("an action is marked below the step before it: step 8 below 7")
    if any(has_then(row.formula) for row in rows):
        notes.append("a row with 'then' says whether the steps so far will do")
    if any(row.text.endswith("...") for row in rows):
        notes.append(f"texts are cut after {width} characters")
    if more > 0:
        notes.append(f"{more} more subformulas are left out")
    if undecided:
        notes.append(f"{undecided} parts below quantifiers are left out: no object decided them")
    return notes


def _positions(
    rows: Sequence[Row], proof: Proof | None, length: int, most: int
) -> tuple[list[int], list[str]]:
    """The positions to show: all of them, or those that matter most."""
    if length <= most:
        return list(range(length)), []
    wanted = dict.fromkeys((0, length - 1))
    for node in islice(proof.nodes(), _LOOKED_AT) if proof else ():
        if node.position is not None and not node.premises and len(wanted) <= most // 2:
            wanted[node.position] = None
    for row in rows:
        changes = (row.truth ^ row.truth >> 1) & (1 << length - 1) - 1
        while changes and len(wanted) < 4 * most:
            place = (changes & -changes).bit_length() - 1
            wanted[place] = wanted[place + 1] = None
            changes &= changes - 1
    shown = sorted(list(wanted)[:most])
    return shown, [f"{length - len(shown)} of {length} positions are left out, '~' marks where"]
