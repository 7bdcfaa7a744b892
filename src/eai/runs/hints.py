"""What a report says when its numbers are low for a reason that is not the models'."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from eai.contract import PLANS
from eai.diagnosis.taxonomy import ErrorKind
from eai.text import short

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.report.aggregate import Tally
    from eai.report.report import Report
    from eai.semantics import Semantics
    from eai.task import Task

__all__ = ["add_hints"]

_FEWEST = 3
"""So many answers have to be unreadable before that is more than a slip."""

_NEARLY_ALL = 0.9

_FEW = "more than half of the tasks have no answer and count as failed"
_ANSWERED = (
    ", as published; tasks='answered' (--tasks answered) leaves out those that no model answered"
)
_PLANS = (
    "{model}: these look like plans, and none is right as an answer to {ability}: "
    f"ability={PLANS!r} (--ability {PLANS}) judges plans"
)
_LOOKED_AT = 30
"""So many answers of a model are looked at for plans."""
_COMMON = "; report.compare(answered=True) compares models over the tasks that both answered"


def add_hints(report: Report, suite: Suite, *, answered: bool) -> None:
    """Say of models that they have few answers, or answers that cannot be read.

    The hints stand before the other notes of the report.

    Args:
        report: All records.
        suite: The suite that judged them.
        answered: Whether tasks that no model answered were left out.
    """
    report.hints = tuple(_hints(report, suite, answered=answered))
    report.notes = (*report.hints, *report.notes)


def _hints(report: Report, suite: Suite, *, answered: bool) -> Iterator[str]:
    counts = {model: report.tally(model) for model in report.models}
    few = [model for model, of in counts.items() if 2 * of.missing > of.tasks]
    if few:
        mend = _COMMON if answered else _ANSWERED
        yield f"{_listed(few)}: {_FEW}{mend}"
    for model, of_model in counts.items():
        if _are_plans(report, model, suite):
            yield _PLANS.format(model=short(model, 60), ability=report.setting.ability)
        elif _unread(of_model):
            yield _unreadable(model, of_model, suite, report)


def _listed(models: Sequence[str]) -> str:
    shown = ", ".join(short(model, 60) for model in models[:5])
    return shown + (", ..." if len(models) > 5 else "")


def _unread(counts: Tally) -> bool:
    answered, unread = counts.tasks - counts.missing, counts.items.get("parsing", 0)
    return unread >= max(_FEWEST, _NEARLY_ALL * answered) and not counts.success


def _are_plans(report: Report, model: str, suite: Suite) -> bool:
    """Whether answers to another ability, none of them right, are plans of the tasks' actions."""
    counts = report.tally(model)
    if counts.success or any(counts.tp.values()) or counts.tasks - counts.missing < _FEWEST:
        return False
    from eai.contract import INTERACTION

    # The actions of an episode look like a plan, too.
    if report.setting.ability in (PLANS, INTERACTION) or PLANS not in suite.abilities:
        return False
    judged = (record for record in report.of(model) if record.judgement.status == "judged")
    looked_at = list(islice(judged, _LOOKED_AT))
    plans = sum(_is_plan(record.output, suite.task(record.task)) for record in looked_at)
    return plans >= max(_FEWEST, _NEARLY_ALL * len(looked_at))


def _is_plan(text: str, task: Task) -> bool:
    """Whether an answer is read as steps, all with actions of the task."""
    from eai.abilities.answers import read_plan
    from eai.abilities.answers.names import NameIndex

    reading, names = read_plan(text), NameIndex(task.vocabulary)
    return bool(reading.steps) and all(names.action(step.name)[0] for step in reading.steps)


def _unreadable(model: str, counts: Tally, suite: Suite, report: Report) -> str:
    ability = report.setting.ability
    answered = counts.tasks - counts.missing
    told = (
        f"{short(model, 60)}: {counts.items['parsing']} of {answered} answers could not be read "
        f"as answers to {ability}"
    )
    quirk = _in_the_way(report, model, suite)
    if quirk is not None:
        return (
            f"{told}, as published; without the quirk {quirk} they can "
            f"(without={quirk!r}, --without-quirk {quirk})"
        )
    others = [name for name in suite.abilities if name != ability]
    asked = f" ({', '.join(others)})" if others else ""
    return f"{told}: are they answers to another ability{asked}?"


def _in_the_way(report: Report, model: str, suite: Suite) -> str | None:
    """The one quirk that keeps the answers from being read; None if there is no such quirk."""
    if report.setting.semantics.partition(" (")[0] != "official":
        return None
    judged = (record for record in report.of(model) if record.judgement.status == "judged")
    some = list(islice(judged, _FEWEST))

    def reads(semantics: Semantics) -> bool:
        judgements = [
            suite.judge(report.setting.ability, suite.task(each.task), each.output, semantics)
            for each in some
        ]
        return not any(judgement.number_of(ErrorKind.PARSING) for judgement in judgements)

    quirks = sorted(suite.semantics("official").quirks)
    return next((q for q in quirks if reads(suite.semantics("official", without=[q]))), None)
