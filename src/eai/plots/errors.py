"""What goes wrong: kinds of error by model, as bars."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from eai.diagnosis.taxonomy import ErrorKind
from eai.plots.drawing import empty_figure, name_bars, require_records, title
from eai.report.report import Report, require_results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_errors"]

_COLOURS = {
    "solved": "#d9d9d9",
    # What cannot be read is blue, what cannot be done red, what misses the goal green.
    "parsing": "#08306b",
    "action_hallucination": "#2171b5",
    "object_hallucination": "#6baed6",
    "predicate_hallucination": "#9ecae1",
    "argument_number": "#c6dbef",
    "affordance": "#7f2704",
    "additional_step": "#fdd0a2",
    "missing_step": "#f16913",
    "wrong_order": "#fdae6b",
    "state_goal": "#00441b",
    "relation_goal": "#41ab5d",
    "action_goal": "#a1d99b",
    "no_answer": "#252525",
    "beyond_budget": "#bdbdbd",
    "unscorable": "#969696",
    "other": "#ffffff",
}


def plot_errors(report: Report) -> Figure:
    """Draw for every model which share of its items ends how (paper, Figure 5).

    An item that is not solved counts once, with its first error: that is the one that stopped
    it, or else the first goal condition that it left unmet.

    Args:
        report: The judged answers.

    Raises:
        InputError: If no item was judged.
        MissingExtraError: If matplotlib is not installed.
    """
    require_results(report)
    ends = {model: _ends(report, model) for model in report.models}
    require_records(report, [each for each in ends.values() if each], "judged item")
    kinds = [kind for kind in ("solved", *map(str, ErrorKind), "other") if _any(ends, kind)]
    figure, axes = empty_figure(8, 1.6 + 0.45 * len(ends))
    left = [0.0] * len(ends)
    for kind in kinds:
        widths = [100 * each[kind] / max(each.total(), 1) for each in ends.values()]
        shade, label = _COLOURS.get(kind, _COLOURS["other"]), kind.replace("_", " ")
        bars = axes.barh(
            range(len(ends)), widths, left=left, color=shade, edgecolor="white", label=label
        )
        texts = [f"{width:.0f}" if width >= 4 else "" for width in widths]
        axes.bar_label(
            bars, texts, label_type="center", fontsize="small", color=_readable_on(shade)
        )
        left = [start + width for start, width in zip(left, widths, strict=True)]
    name_bars(axes, report.models)
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of items, by the first error")
    title(figure, str(report.setting))
    figure.legend(loc="outside lower center", ncols=4, fontsize="small", frameon=False)
    return figure


def _ends(report: Report, model: str) -> Counter[str]:
    ends: Counter[str] = Counter()
    for record in report.of(model):
        judgement = record.judgement
        if judgement.status == "excluded":
            continue
        stopped = [finding for finding in judgement.findings if not _harmless(finding.kind)]
        first = (stopped or judgement.findings or (None,))[0]
        end = "other" if first is None else str(first.kind)
        ends["solved" if judgement.success else end] += 1
    return ends


def _harmless(kind: ErrorKind) -> bool:
    """Whether a plan goes on after an error of the kind."""
    return kind is ErrorKind.ADDITIONAL_STEP


def _any(ends: dict[str, Counter[str]], kind: str) -> bool:
    return any(each[kind] for each in ends.values())


def _readable_on(shade: str) -> str:
    red, green, blue = (int(shade[at : at + 2], 16) for at in (1, 3, 5))
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 128 else "white"
