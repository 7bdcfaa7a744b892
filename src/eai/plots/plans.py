"""Pictures of plans: what had to come before what, and the truth of a goal over time."""

from __future__ import annotations

from collections import Counter
from textwrap import fill
from typing import TYPE_CHECKING

from eai.contract import Suite
from eai.diagnosis import Causes
from eai.errors import InputError
from eai.plots.drawing import empty_figure, plain, title
from eai.report import Record, explain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from eai.logic import Figure as LogicFigure

_STEP = {"done": "#a6d8c7", "skipped": "#e8e8e8", "failed": "#f2a48c", "not reached": "#ffffff"}
_IDLE, _MET, _UNMET = "#e8e8e8", "#0072b2", "#d55e00"

_LEGEND = (
    "green: needed; grey: idle or passed over; red: failed; white: not reached. Framed: the goal, "
    "met (blue) or not (red)"
)

_ASIDE = 2.6
"""How far an arrow around boxes bends, in rows."""

_Node = int | str


def plot_causes(causes: Causes) -> Figure:
    """Draw the steps of a plan, downwards as they had to follow each other.

    An arrow leads from a step to one that needs it, or that must not come before it; what
    follows from other arrows is left out. At the bottom stand the conditions of the goal, with
    arrows from the steps that made them true.

    Args:
        causes: What :func:`eai.causes` found.

    Raises:
        MissingExtraError: If matplotlib is not installed.
    """
    locations = _positions(causes)
    columns = 1 + max((x for x, _ in locations.values()), default=0)
    rows = 1 + max((y for _, y in locations.values()), default=0)
    figure, axes = empty_figure(0.5 + 2.4 * columns, 0.6 + 0.75 * rows)
    boxes: dict[_Node, Text] = {}
    for step in causes.steps:
        shade = _IDLE if step.number in causes.idle else _STEP[step.outcome]
        text = f"{step.number} {step.action}"
        boxes[step.number] = _box(axes, locations[step.number], text, shade, "black")
    for number, goal in enumerate(causes.goals):
        name, edge = f"goal {number}", _MET if goal.met else _UNMET
        boxes[name] = _box(axes, locations[name], goal.condition, "white", edge)
    for first, second in _edges(causes):
        _arrow(axes, boxes[first], boxes[second])
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.axis("off")
    title(figure, _LEGEND)
    return figure


def _positions(causes: Causes) -> dict[_Node, tuple[int, int]]:
    """Column and row of every node; the row of a step is the longest way that leads to it."""
    row: dict[int, int] = {}
    edges = causes.order.edges
    for step in causes.order.steps:
        row[step] = 1 + max((row[first] for first, second in edges if second == step), default=-1)
    for each in causes.steps:
        # What was not done stands below everything that was, one after the other.
        row.setdefault(each.number, 1 + max(row.values(), default=-1))
    locations: dict[_Node, tuple[int, int]] = {}
    width: Counter[int] = Counter()
    for number in sorted(row):
        locations[number] = (width[row[number]], row[number])
        width[row[number]] += 1
    last, most = max(row.values(), default=-1), max(4, *width.values())
    for number in range(len(causes.goals)):
        locations[f"goal {number}"] = (number % most, last + 1 + number // most)
    return locations


def _edges(causes: Causes) -> list[tuple[_Node, _Node]]:
    edges: list[tuple[_Node, _Node]] = [*causes.order.edges]
    for number, goal in enumerate(causes.goals):
        makers = dict.fromkeys(link.maker for link in goal.because if link.maker)
        edges += [(maker, f"goal {number}") for maker in makers]
    return edges


def _box(axes: Axes, place: tuple[int, int], text: str, face: str, edge: str) -> Text:
    return axes.text(
        *place,
        fill(plain(text), 28),
        ha="center",
        va="center",
        fontsize="small",
        bbox={"boxstyle": "round", "facecolor": face, "edgecolor": edge},
    )


def _arrow(axes: Axes, start: Text, end: Text) -> None:
    ends = {"patchA": start.get_bbox_patch(), "patchB": end.get_bbox_patch()}
    (column, row), (other, last) = start.get_position(), end.get_position()
    # An arrow straight behind other boxes would look as if it came from them.
    bend = _ASIDE / (last - row) if other == column and last > row + 1 else 0
    axes.annotate(
        "",
        xy=end.get_position(),
        xytext=start.get_position(),
        arrowprops={"arrowstyle": "->", "color": "#555555", "shrinkA": 0, "shrinkB": 1, **ends}
        | {"connectionstyle": f"arc3,rad={bend}"},
        zorder=0,
    )


def plot_truth(record: Record, *, suite: str | Suite | None = None) -> LogicFigure:
    """Draw for every step of an answer which parts of the goal are true after it.

    Args:
        record: One evaluated answer.
        suite: Its suite, if the record's name does not lead to it.

    Raises:
        InputError: If the answer is no plan, or if its goal or its plan is too long to be drawn.
        MissingExtraError: If matplotlib is not installed.
    """
    picture = explain(record, suite=suite).picture
    if picture is None:
        raise InputError(
            f"there is no picture of {record.task}",
            expected="an answer that is a plan, and a goal formula with few parts",
            mend="draw a part: eai.logic.truth_table(formula, trajectory).plot()",
        )
    return picture.plot()
