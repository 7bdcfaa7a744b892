"""What a report says when its numbers are low for a reason that is not the models'."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from eai.report.printable import short

if TYPE_CHECKING:
    from eai.report.aggregate import Tally
    from eai.report.report import Report
    from eai.report.setting import Setting
    from eai.suites.base import Suite

__all__ = ["hints"]

_FEWEST = 3
"""So many answers have to be unreadable before that is more than a slip."""

_NEARLY_ALL = 0.9

_FEW = "more than half of the tasks have no answer and count as failed"
_ANSWERED = (
    ", as published; tasks='answered' (--tasks answered) leaves out those that no model answered"
)
_COMMON = "; report.compare(answered=True) compares models over the tasks that both answered"


def hints(report: Report, suite: Suite, *, answered: bool = False) -> Iterator[str]:
    """Yield what to say about models with few answers, or with answers that cannot be read.

    Args:
        report: All records.
        suite: The suite that judged them.
        answered: Whether tasks that no model answered were left out.
    """
    counts = {model: report.tally(model) for model in report.models}
    few = [model for model, of in counts.items() if 2 * of.missing > of.tasks]
    if few:
        mend = _COMMON if answered else _ANSWERED
        yield f"{_listed(few)}: {_FEW}{mend}"
    for model, of_model in counts.items():
        if _unread(of_model):
            yield _other_ability(model, of_model, suite, report.setting)


def _listed(models: Sequence[str]) -> str:
    shown = ", ".join(short(model, 60) for model in models[:5])
    return shown + (", ..." if len(models) > 5 else "")


def _unread(counts: Tally) -> bool:
    answered, unread = counts.tasks - counts.missing, counts.items.get("parsing", 0)
    return unread >= max(_FEWEST, _NEARLY_ALL * answered) and not counts.success


def _other_ability(model: str, counts: Tally, suite: Suite, setting: Setting) -> str:
    answered = counts.tasks - counts.missing
    others = [name for name in suite.abilities if name != setting.ability]
    asked = f" ({', '.join(others)})" if others else ""
    official = setting.semantics.startswith("official")
    form = ", or in a form that only semantics strict reads" if official else ""
    return (
        f"{short(model, 60)}: {counts.items['parsing']} of {answered} answers could not be read "
        f"as answers to {setting.ability}: are they answers to another ability{asked}{form}?"
    )
