"""PDDL text to domains, problems, conditions and operators.

``read_...`` and ``check_files`` take what models and published files contain (markdown fences,
prose and JSON around the definition, escaped line breaks, brackets missing or extra, misspelt
keywords, missing dashes) and return what can be read with everything that is wrong, in the order
of the text; nothing that a text contains is an exception. ``parse_...`` and ``load_...`` return
what is in order; the first mistake is a :class:`~eai.errors.ParseError` with its line and column,
what was expected there, and, for a name that is not declared, the nearest declared ones.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Union

from eai.errors import InputError
from eai.files.paths import advice
from eai.logic import TRUE, Formula, Variable
from eai.nesting import on_own_stack
from eai.pddl.brackets import Frame, nest_brackets
from eai.pddl.check import (
    check_condition,
    check_domain,
    check_operator,
    check_problem,
    impossible_actions,
)
from eai.pddl.conditions import ConditionReader
from eai.pddl.definitions import read_domain_form, read_operator_form, read_problem_form
from eai.pddl.issues import Issue
from eai.pddl.model import Domain, Operator, Problem
from eai.pddl.reading import PddlReading
from eai.pddl.text import Definition, Form, Place, definitions_in, is_escaped, plain_source

_Path = Union[str, Path]


def read_file(path: _Path, *, expected: str = "a PDDL file") -> str:
    """Return the text of a file (UTF-8, with or without a byte order mark).

    Args:
        path: The file.
        expected: What should be there, for messages.

    Raises:
        InputError: The file cannot be read.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start} is not UTF-8 text", where=str(path), expected=expected
        ) from error
    except OSError as error:
        mend = advice(path)
        if Path(path).is_dir():
            mend = f"name the files in it: {Path(path) / '*.pddl'}"
        raise InputError(
            f"the file cannot be read: {error.strerror}",
            where=str(path),
            expected=expected,
            mend=mend,
        ) from error


def check_files(paths: Iterable[_Path]) -> dict[str, list[Issue]]:
    """Return all issues in files of domains, problems and actions.

    Args:
        paths: Files, in any order. Problems are checked against the domain that they name; if
            there is one domain only, against that one, and lists of actions, too.

    Returns:
        The issues of each file, in the order of its text.

    Raises:
        InputError: A file cannot be read.
    """
    texts = {str(path): read_file(path) for path in paths}
    kinds_in_file: dict[str, set[str]] = {}
    for path, text in texts.items():
        kinds_in_file[path] = {definition.kind for definition in definitions_in(text)}
    domain_paths = [path for path, kinds in kinds_in_file.items() if "domain" in kinds]
    problem_paths = [path for path, kinds in kinds_in_file.items() if "problem" in kinds]
    issues: dict[str, list[Issue]] = {path: [] for path in texts}
    # Domains are read before problems, whatever the order of the files.
    domains: dict[str, Domain] = {}
    for path in domain_paths:
        domain, issues[path] = read_domain(texts[path], source=path)
        domains.setdefault(domain.name, domain)
    only_domain = _only_one(domains)
    # A thorough check would report impossible actions where only the domain has errors.
    has_domain_errors = any(map(_has_error, issues.values()))
    objects_of_problems: dict[str, _Declared] = {}
    for path in problem_paths:
        # The problem is read without a domain first, to find out which domain it names.
        problem, _ = read_problem(texts[path])
        for name, type_name in problem.objects.items():
            objects_of_problems[name] = _Declared(type_name, path)
        domain_of_problem = only_domain or domains.get(problem.domain)
        _, problem_issues = read_problem(
            texts[path], domain=domain_of_problem, source=path, thoroughly=not has_domain_errors
        )
        # If the file has a domain, too, then issues of the text around both are noted already.
        issues[path] += [issue for issue in problem_issues if issue not in issues[path]]
    for path in domain_paths:
        issues[path] = [_with_constant_advice(issue, objects_of_problems) for issue in issues[path]]
    for path, kinds in kinds_in_file.items():
        if not kinds:
            issues[path] = _check_actions(texts[path], only_domain, path)
    return issues


def _only_one(domains: Mapping[str, Domain]) -> Domain | None:
    """Return the only domain among files, or None."""
    if len(domains) != 1:
        return None
    [domain] = domains.values()
    return domain


def _has_error(issues: Iterable[Issue]) -> bool:
    """Return whether any issue is an error."""
    return any(issue.severity == "error" for issue in issues)


def _check_actions(text: str, domain: Domain | None, path: str) -> list[Issue]:
    """Return the issues of a text that defines neither a domain nor a problem.

    It may still have actions, which are checked against a domain.

    Args:
        text: The text.
        domain: The domain; None if only the text itself is checked.
        path: Name of the text in messages.
    """
    operators, issues = read_actions(text, domain=domain, source=path)
    if not operators:
        # If a text has no action, the error describes a domain.
        return read_domain(text, source=path)[1]
    for read_operator in operators:
        issues += read_operator.issues
    return issues


@dataclass(frozen=True, slots=True)
class _Declared:
    """Where a problem declares an object, and with which type."""

    type_name: str
    path: str


def _with_constant_advice(issue: Issue, objects: Mapping[str, _Declared]) -> Issue:
    """Return an issue with the advice to declare an object in the domain."""
    if issue.kind != "undeclared-object" or issue.name is None or issue.name not in objects:
        return issue
    declared = objects[issue.name]
    entry = f"{issue.name} - {declared.type_name}"
    advice = f"move it from :objects of {declared.path} to :constants here: {entry}"
    return replace(issue, known=(), advice=advice)


@on_own_stack
def read_domain(text: str, *, source: str = "domain") -> tuple[Domain, list[Issue]]:
    """Read a domain as far as it can be read.

    Args:
        text: ``(define (domain NAME) ...)``, whatever stands around it.
        source: Name of the text for messages.

    Returns:
        The domain, and everything that is wrong (``"error"``) or doubtful (``"warning"``), with
        its place. Unreadable parts are left out of the domain: a condition or effect that is one
        part of several, a declaration that repeats a name. Without any definition the domain is
        empty and has no name.
    """
    reading = begin_reading(text, source, "domain")
    form = read_outermost_form(reading, "define", "(define (domain NAME) ...)")
    # The readable parts are checked even so: one call reports all mistakes.
    domain = Domain("") if form is None else read_domain_form(reading, form)
    return domain, reading.found(check_domain(domain))


@on_own_stack
def read_problem(
    text: str,
    *,
    domain: Domain | None = None,
    source: str = "problem",
    thoroughly: bool = False,
) -> tuple[Problem, list[Issue]]:
    """Read a problem as far as it can be read.

    Args:
        text: ``(define (problem NAME) ...)``, whatever stands around it.
        domain: The domain; without it, predicates, types and arities are not checked.
        source: Name of the text for messages.
        thoroughly: Whether to look for actions that the problem makes impossible, too
            (:func:`~eai.pddl.impossible_actions`).

    Returns:
        The problem and the findings, as for :func:`read_domain`. Facts about objects that are
        not declared, or not of the declared types, stay in the problem.
    """
    reading = begin_reading(text, source, "problem")
    reading.has_times = domain is not None and bool(domain.durative)
    form = read_outermost_form(reading, "define", "(define (problem NAME) ...)")
    problem = Problem("", "", objects={}) if form is None else read_problem_form(reading, form)
    # After other mistakes, impossible actions would only follow from them.
    checked = check_problem(problem, domain)
    if thoroughly and domain is not None and not _has_error([*reading.issues, *checked]):
        checked += impossible_actions(domain, problem)
    return problem, reading.found(checked)


def begin_reading(text: str, source: str, kind: str = "") -> PddlReading:
    """Start reading a text, after undoing the escapes of a JSON string.

    Args:
        text: The text.
        source: Its name for messages.
        kind: ``"domain"`` or ``"problem"`` to read only the definition of such a one, if the text
            defines several things.
    """
    plain_text = plain_source(text, source)
    definitions = definitions_in(plain_text.text) if kind else []
    wanted_definitions = [definition for definition in definitions if definition.kind == kind]
    if len(definitions) > 1 and wanted_definitions:
        original_text = plain_text.text if plain_text.written is None else plain_text.written
        # The others are blanked out, so that offsets stay those of the whole text.
        reading = PddlReading(
            replace(
                plain_text, text=wanted_definitions[0].alone(plain_text.text), written=original_text
            )
        )
        _note_several_definitions(reading, definitions, wanted_definitions, kind)
    else:
        reading = PddlReading(plain_text)
    if is_escaped(text):
        reading.note(
            "escaped-text",
            "the text contains escapes, as if it was cut out of a JSON string",
            text.index("\\"),
            expected="PDDL only",
        )
    return reading


def _note_several_definitions(
    reading: PddlReading,
    definitions: Sequence[Definition],
    wanted_definitions: Sequence[Definition],
    kind: str,
) -> None:
    """Note that a text has several definitions.

    Several definitions of the kind to read are an error, since the choice is unclear. A domain
    together with a problem is only a warning.

    Args:
        reading: Where the finding goes.
        definitions: All definitions.
        wanted_definitions: Those of the kind that is read.
        kind: That kind: ``"domain"`` or ``"problem"``.
    """
    advice = "put each into a file of its own"
    if len(wanted_definitions) > 1:
        message = f"the text defines {len(wanted_definitions)} {kind}s"
        reading.note("several-definitions", message, wanted_definitions[1].start, advice=advice)
        return
    message = "domain and problem are in one text; many planners take them from two files"
    second = definitions[1].start
    reading.note("several-definitions", message, second, severity="warning", advice=advice)


def read_outermost_form(reading: PddlReading, frame: Frame, expected: str) -> Form | None:
    """Return the only outermost form of a text, or None."""
    forms = nest_brackets(reading, frame)
    # A text without a bracket may have been noted as prose already.
    if not forms and not reading.issues:
        reading.note("no-definition", "the text is empty", 0, expected=expected)
    return forms[0] if forms else None


@dataclass(frozen=True, slots=True)
class ReadOperator:
    """An operator that was found in a text.

    Args:
        operator: The operator, without what could not be read.
        issues: Its mistakes and doubtful parts, in the order of the text.
        place: Where its opening bracket stands.
    """

    operator: Operator
    issues: tuple[Issue, ...]
    place: Place

    @property
    def sound(self) -> bool:
        """Whether there is no error in it."""
        return not _has_error(self.issues)


@on_own_stack
def read_actions(
    text: str, *, domain: Domain | None = None, source: str = "answer"
) -> tuple[list[ReadOperator], list[Issue]]:
    """Return every ``(:action ...)`` in a text, whatever surrounds them.

    Args:
        text: A model's answer: prose, markdown fences and JSON strings are passed over; the last
            action may be cut off.
        domain: The domain whose names the operators may use; without it, only their variables are
            checked.
        source: Name of the text for messages.

    Returns:
        The operators in the order of the text, each with its issues (several may have the same
        name), and the issues that belong to none of them.
    """
    reading = PddlReading(plain_source(text, source))
    forms = list(_action_forms(nest_brackets(reading, "answer")))
    if not forms:
        return [], _issues_without_actions(reading)
    other_issues, issues_by_action = _issues_by_action(reading.issues, forms)
    operators: list[ReadOperator] = []
    for form, issues in zip(forms, issues_by_action, strict=True):
        # One reading is used for all actions, and later notes belong to the current one.
        reading.issues = issues
        action = read_operator_form(reading, form)
        if action is None:
            other_issues += reading.found()
            continue
        _, operator = action
        checked = reading.found(check_operator(operator, domain))
        place = Place(reading.source, form.opening)
        operators.append(ReadOperator(operator, tuple(checked), place))
    return operators, other_issues


def _issues_by_action(
    issues: Iterable[Issue], forms: Sequence[Form]
) -> tuple[list[Issue], list[list[Issue]]]:
    """Assign each issue of a text to the last action that begins before it.

    Args:
        issues: The issues of a text.
        forms: Its actions, in order.

    Returns:
        The issues before the first action, and a list of issues for each action.
    """
    starts = [form.opening for form in forms]
    before_first: list[Issue] = []
    issues_by_action: list[list[Issue]] = [[] for _ in forms]
    for issue in issues:
        position = issue.place.position if issue.place else 0
        action_index = bisect_right(starts, position) - 1
        if action_index < 0:
            before_first.append(issue)
        else:
            issues_by_action[action_index].append(issue)
    return before_first, issues_by_action


def _issues_without_actions(reading: PddlReading) -> list[Issue]:
    """Return the issue of a text without actions: too long, or none in it."""
    too_long = [issue for issue in reading.issues if issue.kind == "long-text"]
    if too_long:
        return too_long
    # Brackets in the prose are not part of the actions, so issues about them are dropped.
    new_reading = PddlReading(reading.source)
    new_reading.note("no-definition", "there is no action here", 0, expected="(:action NAME ...)")
    return new_reading.issues


def _action_forms(forms: Sequence[Form]) -> Iterator[Form]:
    """Yield the actions among sections, or in a whole domain.

    Both ``(:action wash ...)`` alone and ``(define (domain d) (:action wash ...))`` have the action
    ``wash``.
    """
    for form in forms:
        head = form.items[0] if form.items else form
        if isinstance(head, Form):
            continue
        if head.lower() == ":action":
            yield form
        elif head.lower() == "define":
            yield from _action_forms([item for item in form.items if isinstance(item, Form)])


@on_own_stack
def parse_domain(text: str, *, source: str = "domain") -> Domain:
    """Read a domain.

    Args:
        text: ``(define (domain NAME) ...)``.
        source: Name of the text for messages.

    Raises:
        ParseError: The text is not a domain, or it uses what it does not declare.
    """
    domain, issues = read_domain(text, source=source)
    raise_first_error(issues)
    return domain


@on_own_stack
def parse_problem(
    text: str, *, domain: Domain | None = None, source: str = "problem", named: bool = True
) -> Problem:
    """Read a problem.

    Args:
        text: ``(define (problem NAME) ...)``.
        domain: The domain; without it, predicates, types and arities are not checked.
        source: Name of the text for messages.
        named: Whether it has to name this domain.

    Raises:
        ParseError: The text is not a problem, or it uses what is not declared.
    """
    problem, issues = read_problem(text, domain=domain, source=source)
    raise_first_error(issue for issue in issues if named or issue.kind != "other-domain")
    return problem


@on_own_stack
def parse_condition(
    text: str,
    *,
    domain: Domain | None = None,
    objects: Mapping[str, str] | None = None,
    variables: Sequence[Variable] = (),
    source: str = "condition",
) -> Formula:
    """Read one condition.

    Args:
        text: ``(and (on a b) ...)``.
        domain: The domain whose names the condition may use; without it, only its variables are
            checked.
        objects: Objects besides the domain's constants, with their types.
        variables: Variables that are bound outside of the condition.
        source: Name of the text for messages.

    Raises:
        ParseError: The text is not a condition, or it uses what is not declared.
    """
    reading = begin_reading(text, source)
    form = read_outermost_form(reading, "condition", "a condition in brackets")
    scope = {variable.name: variable for variable in variables}
    formula: Formula | None = None
    if form is not None:
        formula = ConditionReader(reading).condition(form, scope)
    if formula is None:
        formula = TRUE  # never returned: what could not be read is refused
    raise_first_error(
        reading.found(check_condition(formula, domain, objects=objects, variables=variables))
    )
    return formula


def load_domain(path: _Path) -> Domain:
    """Read a domain file (UTF-8).

    Raises:
        InputError: The file cannot be read; a ParseError if it is not a domain.
    """
    return parse_domain(read_file(path), source=str(path))


def load_problem(path: _Path, *, domain: Domain | None = None) -> Problem:
    """Read a problem file (UTF-8).

    Raises:
        InputError: The file cannot be read; a ParseError if it is not a problem.
    """
    return parse_problem(read_file(path), domain=domain, source=str(path))


def raise_first_error(issues: Iterable[Issue]) -> None:
    """Raise the first error among issues that are in the order of the text."""
    for issue in issues:
        if issue.severity == "error":
            raise issue.error()
