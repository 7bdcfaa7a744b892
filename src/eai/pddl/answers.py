"""The operators in what a model wrote: each read on its own, so that one cannot spoil another."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from eai.pddl.brackets import nest
from eai.pddl.check import check_operator
from eai.pddl.domains import operator_of
from eai.pddl.issues import Issue
from eai.pddl.model import Domain, Operator
from eai.pddl.reading import Reading
from eai.pddl.sources import Form, Place
from eai.pddl.wrapping import plain_source

__all__ = ["ReadOperator", "read_actions"]


@dataclass(frozen=True, slots=True)
class ReadOperator:
    """An operator that was read out of a text.

    Args:
        operator: The operator, without what could not be read.
        issues: What is wrong or doubtful in it, in the order of the text.
        place: Where its opening bracket stands.
    """

    operator: Operator
    issues: tuple[Issue, ...]
    place: Place

    @property
    def sound(self) -> bool:
        """Whether there is no error in it."""
        return all(issue.severity != "error" for issue in self.issues)


def read_actions(
    text: str, *, domain: Domain | None = None, source: str = "answer"
) -> tuple[list[ReadOperator], list[Issue]]:
    """Read every ``(:action ...)`` of a text, whatever stands around and between them.

    Args:
        text: A model's answer: prose, markdown fences and JSON strings are passed over; the last
            action may be cut off.
        domain: What the operators may mention; without it, only their variables are checked.
        source: Name of the text for messages.

    Returns:
        The operators in the order of the text, each with its issues (several may have the same
        name), and the issues that belong to none of them.
    """
    reading = Reading(plain_source(text, source))
    forms = list(_actions(nest(reading, "answer")))
    if not forms:
        return [], [_nothing(reading)]
    read: list[ReadOperator] = []
    outside, *inside = _shared(reading.issues, [form.opening for form in forms])
    for form, issues in zip(forms, inside, strict=True):
        reading.issues = issues
        found = operator_of(reading, form)
        if found is None:
            outside += reading.found()
            continue
        checked = reading.found(check_operator(found[1], domain))
        read.append(ReadOperator(found[1], tuple(checked), Place(reading.source, form.opening)))
    return read, outside


def _nothing(reading: Reading) -> Issue:
    reading.issues.clear()
    reading.note("no-definition", "there is no action here", 0, expected="(:action NAME ...)")
    return reading.issues[0]


def _shared(issues: Iterable[Issue], starts: Sequence[int]) -> list[list[Issue]]:
    """Sort issues by the action in which they stand; first those before any action."""
    shares: list[list[Issue]] = [[] for _ in range(len(starts) + 1)]
    for issue in issues:
        position = issue.place.position if issue.place else 0
        shares[bisect_right(starts, position)].append(issue)
    return shares


def _actions(forms: Sequence[Form]) -> Iterator[Form]:
    """Find the actions among sections, or in a whole domain."""
    for form in forms:
        head = form.items[0] if form.items else form
        if isinstance(head, Form):
            continue
        if head.lower() == ":action":
            yield form
        elif head.lower() == "define":
            yield from _actions([item for item in form.items if isinstance(item, Form)])
