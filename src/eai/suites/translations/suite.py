"""The suite ``ltl:FILE``: sentences, each to be translated to a formula of temporal logic.

An answer is right if its formula is equivalent to the reference, on the traces that are named. What
else is known of it stands beside: whether it is the same formula, weaker, stronger, or neither, and
whether it would be right with other names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import cast, get_args

from eai.contract import Ability, Suite
from eai.diagnosis import ErrorKind, Finding, Result
from eai.diagnosis.result import CHOSEN_BY
from eai.errors import EaiError, InputError, LimitError, UnknownNameError
from eai.files import content_hash
from eai.logic import Formula, Traces, atoms, format_formula, satisfiable
from eai.logic.dialects import DIALECTS, Dialect
from eai.semantics import Semantics
from eai.suites.translations.formulas import (
    Judgement,
    compare_formulas,
    plain_name,
    read_formula,
    renamings,
    same_names,
)
from eai.suites.translations.reading import FormulaReading, read_answer
from eai.suites.translations.rows import Row, read_rows
from eai.suites.translations.views import measures_of, translation_view
from eai.task import Task

TRANSLATION = "translation"
"""The ability: a formula for a sentence."""

# A file with options behind it: "rows.csv@traces=finite".
_OPTIONS = re.compile(r"(?P<path>.+)@(?P<options>\w+=\w+(?:,\w+=\w+)*)")
_RELATIONS = {"weaker": "Weaker", "stronger": "Stronger", "incomparable": "Incomparable"}
_SHARES = {"exact": "Exact", **_RELATIONS, "renamed": "Right but for names"}
# How prompts name the operators.
_OPERATORS = "X (next), F (eventually), G (always), U (until), !, &, |, ->, <->"


@dataclass(frozen=True)
class Reference:
    """The reference formula of a task.

    Args:
        formula: The formula of the file.
        row: The row that it comes from.
        traces: The traces on which formulas are compared.
        dialect: The notation of answers and references; None for any.
    """

    formula: Formula
    row: Row
    traces: Traces
    dialect: Dialect | None


class Translations(Suite):
    """Tasks to translate sentences into formulas, read from a file.

    Args:
        path: The file (:mod:`~eai.suites.translations.rows` says in which formats), and behind an
            ``@`` options: ``traces=finite`` or ``traces=infinite``, and perhaps ``dialect=prefix``.
        traces: The traces on which formulas are compared.
        dialect: The notation of the formulas (:data:`eai.logic.dialects.DIALECTS`); by default the
            first in which a text can be read.

    Raises:
        InputError: If no traces are named, or an option is unknown.
    """

    title = "Sentences translated to linear temporal logic"

    def __init__(
        self,
        path: str | Path,
        *,
        traces: Traces | None = None,
        dialect: Dialect | None = None,
    ) -> None:
        """Read the options in a path such as ``FILE@traces=finite``; rows are read later."""
        file, options = _split_options(str(path))
        self._path = Path(file)
        self.name = f"ltl:{path}"
        self.traces = _chosen_traces(traces or options.get("traces"), self.name)
        self.dialect = _chosen_dialect(dialect or options.get("dialect"), self.name)
        self.version = f"{self.traces} traces"

    @cached_property
    def _rows(self) -> Mapping[str, Row]:
        return read_rows(self._path)

    @property
    def abilities(self) -> Mapping[str, Ability]:
        """Translation only."""
        return {TRANSLATION: Ability(_evaluate, _prompt, view=VIEW)}

    @property
    def content(self) -> str:
        """A hash of the file."""
        return content_hash([self._path])

    def task_ids(self) -> Sequence[str]:
        """Return the identifiers of the rows, in the order of the file."""
        return tuple(self._rows)

    def task(self, task_id: str) -> Task:
        """Return the task of a row.

        Raises:
            UnknownNameError: If there is no such row.
            InputError: If its formula cannot be read or compared.
        """
        row = self._rows.get(task_id)
        if row is None:
            raise UnknownNameError("task", task_id, self._rows, where=self.name)
        try:
            formula = read_formula(row.formula, self.dialect)
            # A formula that a search refuses could be compared with no answer.
            satisfiable(formula, reading="ltlf", traces=self.traces)
        except EaiError as error:
            raise InputError(
                f"the reference {row.formula!r} is not evaluated: {error.what}",
                where=row.where,
                expected=f"a formula of linear temporal logic on {self.traces} traces",
                mend=error.mend,
            ) from None
        reference = Reference(formula, row, self.traces, self.dialect)
        return Task.question(
            task_id,
            row.sentence,
            name=TRANSLATION,
            goal=format_formula(formula),
            metadata={TRANSLATION: reference},
        )


class Examples(Translations):
    """Sixty sentences about robots and households, part of the package."""

    title = "Sixty sentences of our own, translated to linear temporal logic"

    def __init__(self) -> None:
        folder = resources.files("eai.data.tasks.translations")
        super().__init__(str(folder / "examples.jsonl"), traces="infinite")
        self.name = "ltl-examples"

    @property
    def content(self) -> str:
        """Nothing: the file is part of the package."""
        return ""


def _split_options(path: str) -> tuple[str, Mapping[str, str]]:
    """Return the path and the options in a suite's name."""
    match = _OPTIONS.fullmatch(path)
    # A file may have an "@" in its own name.
    if match is None or Path(path).exists():
        return path, {}
    pairs = [option.split("=") for option in match["options"].split(",")]
    options = dict(pairs)
    for key in options:
        if key not in ("traces", "dialect"):
            raise UnknownNameError("option", key, ("traces", "dialect"), where=f"ltl:{path}")
    return match["path"], options


def _chosen_traces(traces: str | None, where: str) -> Traces:
    """Return the kind of traces that a suite's name asks for.

    Args:
        traces: The kind as it is written; None if the name does not say it.
        where: The name of the suite, for messages.

    Raises:
        InputError: If the name does not say it.
        UnknownNameError: If there is no such kind.
    """
    if traces is None:
        raise InputError(
            "it is not said on which traces formulas are compared",
            where=where,
            expected="ltl:FILE@traces=finite or ltl:FILE@traces=infinite",
            mend="scores that were published with Spot are those on infinite traces",
        )
    kinds = get_args(Traces)
    if traces not in kinds:
        raise UnknownNameError("traces", traces, kinds, where=where)
    return cast("Traces", traces)


def _chosen_dialect(dialect: str | None, where: str) -> Dialect | None:
    if dialect is None or dialect in DIALECTS:
        return dialect
    raise UnknownNameError("dialect", dialect, DIALECTS, where=where)


def _prompt(task: Task) -> str:
    """Return the question to a model."""
    reference = task.about(TRANSLATION, Reference)
    names = sorted({str(name).removesuffix("()") for name in atoms(reference.formula)})
    return (
        f"Translate the sentence into a formula of linear temporal logic on {reference.traces} "
        f"traces.\nOperators: {_OPERATORS}.\nAtomic propositions: {', '.join(names)}.\n"
        f"Sentence: {task.instruction}\nAnswer with the formula only."
    )


def _evaluate(task: Task, answer: str | None, semantics: Semantics) -> Result:  # noqa: ARG001
    """Evaluate an answer. None stands for a missing answer."""
    reference = task.about(TRANSLATION, Reference)
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return Result("missing", findings=(finding,), measures=measures_of((), _SHARES))
    # A single word is a formula only if the task knows it.
    known = {plain_name(str(name)) for name in atoms(reference.formula)}
    known.update(map(plain_name, (*reference.row.atoms, "true", "false")))
    reading = read_answer(answer, lambda word: plain_name(word) in known)
    if reading.formula is None:
        finding = Finding(ErrorKind.PARSING, "no formula can be read in the answer")
        return Result("evaluated", findings=(finding,), measures=measures_of((), _SHARES))
    try:
        return _compare(reading, reading.formula, reference)
    except EaiError as error:
        kind = ErrorKind.PARSING
        if isinstance(error, LimitError):
            kind = ErrorKind.BEYOND_BUDGET
        finding = Finding(kind, f"{reading.text}: {error.what}")
        return Result("evaluated", findings=(finding,), measures=measures_of((), _SHARES))


def _compare(reading: FormulaReading, written: Formula, reference: Reference) -> Result:
    """Return the result of comparing an answer's formula with the reference.

    Args:
        reading: The reading of the answer.
        written: The formula that was read.
        reference: The reference.
    """
    # "ThirdFloor" and "third_floor" are the same name. Other differences count as wrong.
    formula = same_names(written, reference.formula, reference.row.atoms)
    judgement = compare_formulas(formula, reference.formula, reference.traces)
    notes = [f"read: {format_formula(written)}"]
    if reading.rule:
        notes.append(f"{reading.count} formulas{CHOSEN_BY}{reading.rule}")
    shares: set[str] = set()
    if judgement.relation == "equivalent":
        if formula == reference.formula:
            shares.add("exact")
        return _result(True, notes, shares)
    shares.add(judgement.relation)
    # Wrong formulas may have the right structure, with other names for propositions.
    renamed = _right_but_for_names(formula, reference)
    if renamed is not None:
        shares.add("renamed")
        notes.append(f"right but for its names: {format_formula(renamed)}")
    return _result(False, [*notes, *_reasons(judgement)], shares)


def _right_but_for_names(formula: Formula, reference: Reference) -> Formula | None:
    """Return a renamed formula that is equivalent to the reference, or None."""
    for renamed in renamings(formula, reference.formula):
        if compare_formulas(renamed, reference.formula, reference.traces).relation == "equivalent":
            return renamed
    return None


def _reasons(judgement: Judgement) -> list[str]:
    """Return in words how an answer differs, with a trace that shows the difference."""
    said = {
        "weaker": "weaker: it allows a trace that the reference forbids",
        "stronger": "stronger: it forbids a trace that the reference allows",
        "incomparable": "neither weaker nor stronger: it allows a trace that the reference forbids",
    }
    assert judgement.proof is not None  # noqa: S101 - only equivalent formulas have none
    # The first line says the relation in general words, which stand before it here.
    return [said[judgement.relation], *str(judgement.proof).splitlines()[1:]]


def _result(right: bool, notes: Sequence[str], shares: set[str]) -> Result:
    """Return the result of an answer with the measures that apply to it."""
    measures = measures_of(shares, _SHARES)
    return Result(
        "evaluated", success=right, executable=True, notes=tuple(notes), measures=measures
    )


VIEW = translation_view(
    "Translations",
    {"relation": ("Relation", _SHARES)},
    basis="weaker, stronger and incomparable: of all answers",
)
"""How reports show translations: right ones, and in which way others are wrong."""
