"""Rules that plans have to keep on the way, beside the goals of their tasks, and their files.

A file of rules is JSON Lines, or one JSON list. Each rule is an object::

    {"name": "fridge closed", "formula": "G (open(fridge.40) -> F !open(fridge.40))"}

``"tasks"`` lists the identifiers of the tasks that it is for, by default all; ``"severity"`` is
``"error"``, or ``"warning"`` for a rule that a guard only reports; ``"text"`` says the rule in
words.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eai.errors import InputError, SchemaError, check_keys, reported
from eai.files import given_path
from eai.logic.evaluation import evaluate
from eai.logic.formula import Exists, Forall
from eai.logic.names import LogicVocabulary
from eai.logic.parser import check_formula, parse_formula
from eai.logic.temporal import Always, Eventually
from eai.logic.tree import And, Formula, Implies, Or
from eai.nesting import RepeatedKeyError, load_unambiguous_json

if TYPE_CHECKING:
    from eai.logic.trace import Trajectory

_KEYS = ("name", "formula", "tasks", "severity", "text")
"""Keys that a rule may have in a file."""
SEVERITIES = ("error", "warning")
"""Severities of rules."""
_EXAMPLE = '{"name": "stove off at the end", "formula": "F (last and !on(stove.1))"}'
"""A rule as it stands in a file, for error messages."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A named rule: a formula that plans or episodes have to satisfy.

    Args:
        name: Its name, unique among the rules of a file.
        formula: A formula about the way, in linear temporal logic or with ``then``.
        tasks: Identifiers of the tasks that it is for; all tasks if there are none.
        text: The rule in words.
        severity: ``"error"``; ``"warning"`` for a rule that is reported and refuses nothing.
        where: The place that it was read from, for messages.
    """

    name: str
    formula: str
    tasks: tuple[str, ...] = ()
    text: str = ""
    where: str = field(default="rules", compare=False, repr=False)
    severity: str = "error"

    @property
    def place(self) -> str:
        """The rule and where it was read, for messages."""
        return f"{self.where}: rule {self.name!r}"

    def as_record(self) -> dict[str, object]:
        """Return the rule as in a file of rules, without default values."""
        record: dict[str, object] = {"name": self.name, "formula": self.formula}
        if self.tasks:
            record["tasks"] = list(self.tasks)
        if self.severity != "error":
            record["severity"] = self.severity
        if self.text:
            record["text"] = self.text
        return record

    def check(self) -> None:
        """Raise an error if the formula is missing or is not about a trajectory.

        Raises:
            ParseError: If it cannot be read, whatever names there are.
            SchemaError: If it has no operator of time.
        """
        if parse_formula(self.formula, source=self.place).is_temporal:
            return
        # Read as a goal, "not on(stove)" would be kept if the stove is off at some time.
        raise SchemaError(
            f"the formula {self.formula!r} has no operator of time",
            where=self.place,
            expected="a formula about the way: G (...) always, F (...) at some time, ... then ...",
            mend=f"if it has to hold at every step: G ({self.formula})",
        )

    def formula_for(self, vocabulary: LogicVocabulary) -> Formula:
        """Return the formula with the names of a task.

        Raises:
            InputError: If it speaks of something that the task does not have.
        """
        formula = parse_formula(self.formula, vocabulary=vocabulary, source=self.place)
        for problem in check_formula(formula, vocabulary):
            if problem.is_error:
                mend: str | None = None
                if problem.suggestions:
                    mend = f"did you mean {' or '.join(problem.suggestions)}?"
                raise SchemaError(problem.message, where=self.place, mend=mend)
        return formula


def trigger_of(formula: Formula) -> Formula | None:
    """Return a formula that is true if the rule's trigger happens, or None.

    The trigger of ``G (a -> b)`` is ``a`` for any objects, and that of a conjunction is that of one
    of its parts. A rule of another form always applies.
    """
    # "For all cups, if one is dirty ..." is at stake if some cup is dirty.
    if isinstance(formula, Forall):
        inner = trigger_of(formula.operands[0])
        if inner is None:
            return None
        return Exists(formula.variables, inner)
    # A conjunction is at stake if one of its parts is; a part without a trigger always is.
    if isinstance(formula, And):
        triggers = []
        for part in formula.operands:
            trigger = trigger_of(part)
            if trigger is None:
                return None
            triggers.append(trigger)
        return Or.of(triggers)
    if isinstance(formula, Always):
        (implication,) = formula.operands
        if isinstance(implication, Implies):
            return Eventually(implication.left)
    return None


def at_stake(formula: Formula, trajectory: Trajectory) -> bool:
    """Return whether a rule's trigger happens on a trajectory."""
    trigger = trigger_of(formula)
    return trigger is None or bool(evaluate(trigger, trajectory, reading="ltlf"))


def load_rules(source: object) -> tuple[Rule, ...]:
    """Return the rules in a file, or in a list of rules or JSON objects.

    Raises:
        InputError: If the file cannot be read, or there is no rule in it.
        SchemaError: If something in it is not a rule, or two rules have one name.
        UnknownNameError: If a rule has an unknown key; the nearest known one is named.
        ParseError: If a formula cannot be read.
    """
    # A text is a path, though it could be gone through letter by letter.
    if isinstance(source, (str, os.PathLike)):
        path = given_path(source, what="a file of rules")
        where = str(path)
        entries = _entries_of_file(path)
    elif isinstance(source, Iterable) and not isinstance(source, Mapping):
        where = "rules"
        entries = ((f"{where}[{index}]", entry) for index, entry in enumerate(source))
    else:
        raise InputError(
            f"{reported(source)} is not a file of rules", expected="a path, or a list of rules"
        )
    rules: dict[str, Rule] = {}
    # Formulas are checked as far as they can be without a task: its names are not known yet.
    for place, entry in entries:
        rule = entry if isinstance(entry, Rule) else _read_rule(entry, place)
        if rule.name in rules:
            raise SchemaError(
                f"two rules have the name {rule.name!r}", where=place, expected="a name for each"
            )
        rule.check()
        rules[rule.name] = rule
    if not rules:
        raise InputError("there is no rule", where=where, expected=f"one a line: {_EXAMPLE}")
    return tuple(rules.values())


def _entries_of_file(path: Path) -> Iterator[tuple[str, object]]:
    """Yield the objects of a file, each with its place.

    The file is a JSON list, whose places are ``FILE[NUMBER]``, or has an object a line, with places
    ``FILE:LINE``.

    Raises:
        InputError: If the file cannot be read.
        SchemaError: If it is not JSON.
    """
    try:
        # Some editors write a byte order mark, which does not belong to the first rule.
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"cannot be read: {reason}", where=str(path), expected="a file of rules"
        ) from error
    if text.lstrip().startswith("["):
        # A text that begins with "[" is a list or invalid JSON. A value that is not a list has no
        # entries, which leads to the error that there is no rule.
        entries = _load_json_of_rules(text, str(path))
        for entry_number, entry in enumerate(entries if isinstance(entries, list) else (), start=1):
            yield f"{path}[{entry_number}]", entry
        return
    for entry_number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = f"{path}:{entry_number}"
            yield place, _load_json_of_rules(line, place)


def _load_json_of_rules(text: str, where: str) -> object:
    """Return the value of a text of JSON.

    Raises:
        SchemaError: If it is not JSON, where the message shows what a rule looks like, or has a
            key twice.
    """
    try:
        return load_unambiguous_json(text)
    except RepeatedKeyError as error:
        raise SchemaError(str(error), where=where, expected="each key once") from None
    except ValueError as error:
        raise SchemaError(
            f"this is not JSON ({error})",
            where=where,
            expected=f"a rule a line, such as {_EXAMPLE}, or one list of rules",
        ) from error


def _read_rule(entry: object, where: str) -> Rule:
    """Return the rule in a JSON object of a file.

    Args:
        entry: The object, ``{"name": ..., "formula": ...}``; a value that may be anything.
        where: Its place in the file, for messages.

    Raises:
        SchemaError: If a key is missing or unknown, or a value of another type.
    """
    if not isinstance(entry, dict):
        raise SchemaError(
            f"{reported(entry)} is not a rule", where=where, expected=f"an object: {_EXAMPLE}"
        )
    # Unknown keys come first: a misspelt key explains why another one is missing.
    check_keys(entry, _KEYS, where=where)
    name = _required_text(entry, "name", where)
    formula = _required_text(entry, "formula", where)
    text = entry.get("text", "")
    if not isinstance(text, str):
        raise SchemaError(f"'text' is {reported(text)}", where=where, expected="a sentence")
    tasks = _read_tasks(entry, where)
    severity = entry.get("severity", "error")
    if severity not in SEVERITIES:
        raise SchemaError(
            f"'severity' is {reported(severity)}", where=where, expected=" or ".join(SEVERITIES)
        )
    return Rule(name, formula, tasks, text, where, severity)


def _read_tasks(entry: dict[str, Any], where: str) -> tuple[str, ...]:
    """Return the tasks that a rule is restricted to, or none for all tasks.

    Raises:
        SchemaError: If they are no list of texts, or an empty one.
    """
    tasks = entry.get("tasks", [])
    is_list = isinstance(tasks, list) and all(isinstance(task, str) for task in tasks)
    # An empty list would mean all tasks, which its author hardly meant.
    is_empty = "tasks" in entry and not tasks
    if not is_list or is_empty:
        raise SchemaError(
            f"'tasks' is {reported(tasks)}",
            where=where,
            expected="a list of identifiers of tasks; without it the rule is for all",
        )
    return tuple(tasks)


def _required_text(entry: dict[str, Any], key: str, where: str) -> str:
    """Return a required text of an object, which must not be blank.

    Args:
        entry: The object.
        key: The key of the text.
        where: Its place in the file, for messages.

    Raises:
        SchemaError: If the key is missing, or its value is no text or blank.
    """
    value = entry.get(key)
    if isinstance(value, str) and value.strip():
        return value
    problem = f"there is no {key!r}"
    if key in entry:
        problem = f"{key!r} is {reported(value)}"
    raise SchemaError(problem, where=where, expected=f"an object: {_EXAMPLE}")
