"""The suites ``robobench`` and ``robobench-examples``: tasks, abilities, how reports show them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property, partial
from importlib import resources
from pathlib import Path

from eai.contract import Ability, Suite
from eai.data import read_json
from eai.diagnosis import Condition, ErrorKind, Finding, Measure, Result
from eai.errors import InputError, look_up
from eai.files import content_hash
from eai.report import PARTS, Score, Tally, View
from eai.semantics import Quirk, Semantics
from eai.suites.robobench.answers import (
    closeness_score,
    frechet,
    gold_step,
    hausdorff,
    read_points,
    rmse,
    score_next_step,
)
from eai.suites.robobench.items import (
    RoboBenchQuestion,
    plain_id,
    read_items,
    read_release,
    stored,
    taxonomy,
)
from eai.suites.robobench.mistakes import MISTAKES, Mistake, mistakes_of
from eai.suites.robobench.names import table_hash
from eai.suites.robobench.plans import Step, read_gold
from eai.suites.robobench.score import VERSION, PlanScore, PlanStep, prepared
from eai.suites.robobench.vocabulary import skills
from eai.suites.robobench.world import ROBOT, start_state
from eai.suites.shared.choices import is_plain_choice, read_choice, read_yes_no
from eai.suites.shared.quirks import optional, shipped_quirks
from eai.table import Column, Table
from eai.task import Goal, Task, Vocabulary
from eai.world import Action

_QUIRKS = shipped_quirks("robobench")
_PLANNING = "multi_step_plan"


def _share(kind: str, value: float) -> Measure:
    """Return a measure between 0 and 1, in millionths: sums over records stay exact."""
    return Measure(kind, round(value * 10**6), 10**6)


class RoboBench(Suite):
    """The questions of RoboBench (arXiv 2510.17801; release 2.0.0, ECCV 2026).

    Args:
        folder: A downloaded release; by default what ``eai data fetch robobench`` has stored.
    """

    name = "robobench"
    title = "RoboBench: plans, next steps, states, choices, points and trajectories of robots"
    official_version = "RoboBench 2.0.0 (prompt v3)"
    quirks: Mapping[str, Quirk] = {**_QUIRKS["official"], **optional(_QUIRKS["first_release"])}

    def __init__(self, folder: str | Path | None = None) -> None:
        self._folder = folder
        self.version = f"2.0.0; {VERSION}, names {table_hash()}"

    @property
    def content(self) -> str:
        """A hash of the files of the user's own release."""
        if self._folder is None:
            return ""
        files: list[Path] = []
        for name in ("questions.json", "dag.json", "system_prompt.json"):
            files += sorted(Path(self._folder).rglob(name))
        return content_hash(files)

    @property
    def abilities(self) -> Mapping[str, Ability]:
        """Abilities of the suite."""
        abilities = {}
        for name, score in _SCORERS.items():
            abilities[name] = Ability(
                partial(_evaluate, name, score),
                _prompt,
                _view(name),
                graded="score",
                write_plan=_write_plan if name == _PLANNING else None,
            )
        return abilities

    @cached_property
    def items(self) -> Mapping[str, RoboBenchQuestion]:
        """The questions by their ids."""
        if self._folder is None:
            return read_items(stored())
        return {item.id: item for item in read_release(Path(self._folder))}

    def task_ids(self) -> Sequence[str]:
        """Return the identifiers of all questions."""
        return tuple(self.items)

    def canonical_id(self, raw: str) -> str:
        """Return the question of an id, with or without ``images/`` and the ending of a file."""
        return plain_id(raw)

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the questions of each manifest, task, dimension and embodiment."""
        groups: dict[str, list[str]] = {}
        for item in self.items.values():
            for group in item.groups:
                groups.setdefault(group, []).append(item.id)
        return groups

    def task(self, task_id: str) -> Task:
        """Load one question."""
        item = look_up("task", task_id, self.items)
        # A question whose gold plan cannot be read is a task without a plan.
        steps: tuple[Step, ...] = ()
        if item.ability == _PLANNING:
            with suppress(InputError):  # a question without a gold plan is excluded, by its score
                steps = read_gold(item.gold)
        plan = []
        objects: set[str] = set()
        for step in steps:
            name = f"{step.arm}:{step.skill}" if step.arm else step.skill
            plan.append(Action(name, step.arguments))
            objects.update(step.objects)
        actions = {name: len(roles) for name, roles in skills().items()}
        return Task(
            id=item.id,
            name=item.manifest,
            instruction=item.question,
            start=start_state({ROBOT: "robot"}, ()),
            agent=ROBOT,
            goal=Goal(item.gold),
            vocabulary=Vocabulary(actions, {}, frozenset(objects)),
            plans=(tuple(plan),) if plan else (),
            metadata={"item": item, "images": item.images, "dag": item.dag},
        )

    def agreement(
        self, answers: Mapping[str, str], semantics: Semantics, file: Path
    ) -> Sequence[Table]:
        """Compare the scores of plans with those of a language model, or of people."""
        from eai.suites.robobench.agreement import pair_scores, read_scores, tables

        theirs, broken = read_scores(file)
        return tables(pair_scores(self.items, answers, theirs, semantics.quirks), file.name, broken)

    def plans(self, semantics: Semantics) -> None:
        """Return None: plans are scored beside a gold plan, not by a goal."""


class RoboBenchExamples(RoboBench):
    """The published worked examples and questions of this package, which need no data."""

    name = "robobench-examples"
    title = "RoboBench: published worked examples, and household questions of our own"

    @cached_property
    def items(self) -> Mapping[str, RoboBenchQuestion]:
        """The questions by their ids."""
        return read_items(_examples() / "items.jsonl")

    def samples(self) -> Sequence[Path]:
        """Return the sample predictions, one file for each of two fictional models."""
        return sorted(_examples().glob("samples_*.jsonl"))


def _examples() -> Path:
    """Return the folder of the examples that ship."""
    return Path(str(resources.files("eai.data.tasks.robobench_examples")))


def item_of(task: Task) -> RoboBenchQuestion:
    """Return the question that a task was made of."""
    return task.about("item", RoboBenchQuestion)


def _write_plan(plan: Iterable[Action]) -> str:
    """Write a plan in the plan language."""
    return ", ".join(f"{number}-{action}" for number, action in enumerate(plan, start=1))


def _prompt(task: Task) -> str | None:
    """Return the prompt for a question: the published one, or question and options."""
    item = item_of(task)
    # Not strict: a question has at most eight options, and most have four.
    options = [f"{letter}. {text}" for letter, text in zip("ABCDEFGH", item.options, strict=False)]
    parts = (item.prompt, item.question, "\n".join(options))
    return "\n\n".join(part for part in parts if part)


def _evaluate(
    ability: str,
    score: Callable[[RoboBenchQuestion, str, Semantics], Result],
    task: Task,
    answer: str | None,
    semantics: Semantics,
) -> Result:
    """Evaluate one answer (see :class:`eai.contract.suite.Ability`)."""
    item = item_of(task)
    if item.ability != ability:
        return Result("excluded", notes=(f"the question asks for {item.ability}",))
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return _with_score(item, 0.0, Result("missing", findings=(finding,)))
    try:
        return score(item, answer, semantics)
    except InputError as error:  # of the gold plan: no answer is an exception
        return Result("excluded", notes=(f"the gold answer cannot be used: {error.what}",))


def _with_score(
    item: RoboBenchQuestion, value: float, result: Result, *, unread: bool = False
) -> Result:
    """Return a result with the score of its answer, once for each average it enters.

    Args:
        item: The question.
        value: The score, from 0 to 1.
        result: The result.
        unread: Whether the answer could not be read.
    """
    # A manifest is a file of questions; several manifests are one task of the taxonomy. A manifest
    # of one's own is a task of its own.
    task = taxonomy()["manifests"].get(item.manifest, {}).get("task", item.manifest)
    measures = (
        _share("score", value),
        _share(f"score@{item.manifest}", value),
        _share(f"score@@{task}", value),
        _share("unread", unread),
        *result.measures,
    )
    return replace(result, measures=measures, groups=item.groups)


def _result_of_unread(item: RoboBenchQuestion, problem: str, semantics: Semantics) -> Result:
    """Return the result for an answer that cannot be read.

    Args:
        item: The question.
        problem: Why the answer cannot be read.
        semantics: Decides how such answers count.
    """
    finding = Finding(ErrorKind.PARSING, problem)
    result = Result("evaluated", findings=(finding,), groups=item.groups)
    # The published program leaves such answers out of its means, which counts them as nothing.
    if "unread_answers_dropped" in semantics:
        return replace(result, measures=(_share("unread", 1),))
    return _with_score(item, 0.0, result, unread=True)


def _right_or_wrong(item: RoboBenchQuestion, is_right: bool, answer: str) -> Result:
    """Return the result for an answer that is right or wrong as a whole."""
    result = Result(
        "evaluated", success=is_right, executable=True, plan=(answer,), executed=("done",)
    )
    return _with_score(item, float(is_right), result)


def _score_plan(item: RoboBenchQuestion, answer: str, semantics: Semantics) -> Result:
    """Score a plan against the gold plan of its question."""
    gold = prepared(item.gold, item.dag, item.scene, quirks=semantics.quirks)
    score = gold.evaluate(answer)
    if score.problem:
        return _result_of_unread(item, score.problem, semantics)
    if score.completion is None or score.score is None:
        return Result("excluded", notes=("the gold plan changes no object",), groups=item.groups)
    return _with_score(item, score.score, plan_result(score))


def plan_result(score: PlanScore) -> Result:
    """Return the result of a scored plan: steps from its ledger, conditions from milestones."""
    findings: list[Finding] = []
    for number, entry in enumerate(score.ledger, start=1):
        if not entry.done:
            text = f"{entry.step}: {entry.reason}"
            findings.append(Finding(_failure_kind(entry), text, number, str(entry.step)))
    goals = [
        Condition("state", result.milestone.text, result.reached, result.since, result.lost_by)
        for result in score.milestones
    ]
    mistakes = mistakes_of(score)
    shares = _shares(score, {mistake.kind for mistake in mistakes})
    return Result(
        "evaluated",
        success=score.score == 1,
        executable=not score.failures,
        plan=tuple([str(entry.step) for entry in score.ledger]),
        # The execution continues after a failed step.
        executed=tuple(["done" if entry.done else "skipped" for entry in score.ledger]),
        findings=tuple(findings),
        goals=tuple(goals),
        notes=tuple(_plan_notes(score, mistakes)),
        measures=tuple([_share(kind, value) for kind, value in shares.items()]),
    )


def _plan_notes(score: PlanScore, mistakes: Iterable[Mistake]) -> Iterator[str]:
    """Yield the notes on a score: the steps, the waived tests and the mistakes."""
    yield from score.notes
    for number, entry in enumerate(score.ledger, start=1):
        matched = "no gold step"
        if entry.node is not None:
            matched = f"gold step {score.gold.steps[entry.node]}"
        changes = f"; changes {', '.join(entry.changes)}" if entry.changes else ""
        yield f"step {number}, {entry.step}: {matched}{changes}"
    # A test that the gold plan itself fails is not held against an answer.
    for test in score.gold.waived:
        yield f"waived, since the gold plan does it too: {test}"
    for mistake in mistakes:
        yield f"mistake: {mistake}"


def _failure_kind(entry: PlanStep) -> ErrorKind:
    """Return the kind of error of a step that failed."""
    if not entry.step.is_possible:
        return ErrorKind.ACTION_HALLUCINATION
    if entry.reason in ("gripper busy", "closed"):
        return ErrorKind.WRONG_ORDER
    return ErrorKind.MISSING_STEP


def _shares(score: PlanScore, mistakes: Collection[str]) -> dict[str, float]:
    """Return the measures of a plan, each between 0 and 1, by name."""
    shares = {f"mistake_{kind}": float(kind in mistakes) for kind in MISTAKES}
    # The benchmark counts these two in tenths.
    shares["node"] = score.node / 10
    shares["completion"] = (score.completion or 0) / 10
    shares["precision"] = score.precision
    shares["f1"] = score.f1
    shares["executability"] = score.executability
    broken, pairs = score.precedence
    if pairs:
        shares["precedence"] = broken / pairs
    shares["conflicts"] = float(bool(score.resource_conflicts))
    shares["linear"] = float(score.is_linear_extension)
    shares["waived"] = float(bool(score.gold.waived))
    shares["order_unread"] = float(bool(score.gold.notes))
    return shares


def _score_next_step(item: RoboBenchQuestion, answer: str, semantics: Semantics) -> Result:
    """Score a next step: up to two half points each for skill, object and parameters."""
    gold = gold_step(item.gold, cut="cut_at_last_hyphen" in semantics)
    score = score_next_step(gold, answer, halves="figure_29" in semantics)
    if score.problem:
        return _result_of_unread(item, score.problem, semantics)
    measures = (
        _share("skill", score.skill / 2),
        _share("object", score.object / 2),
        _share("parameter", score.parameter / 2),
    )
    is_right = score.score == 1
    # Half points are for the mean; a task is solved only if all is right.
    result = Result("evaluated", success=is_right, measures=measures)
    return _with_score(item, score.score, result)


def _score_state(item: RoboBenchQuestion, answer: str, semantics: Semantics) -> Result:
    """Score the answer to a yes-or-no question.

    Raises:
        InputError: If the gold answer is neither yes nor no.
    """
    gold = read_yes_no(item.gold)
    if gold is None:
        raise InputError(f"the gold answer {item.gold!r} is neither yes nor no")
    says_yes = read_yes_no(answer)
    if says_yes is None:
        return _result_of_unread(item, "it says neither yes nor no, or both", semantics)
    return _right_or_wrong(item, says_yes is gold, "yes" if says_yes else "no")


def _score_choice(item: RoboBenchQuestion, answer: str, semantics: Semantics) -> Result:
    """Score the chosen options, all of which have to be right.

    Under ``unclear_choices_raise``, an answer with more than letters gets a finding, as the
    published program raises an error there.

    Raises:
        InputError: If the gold answer is not made of letters.
    """
    gold = read_choice(item.gold, item.options)
    if gold is None:
        raise InputError(f"the gold answer {item.gold!r} is not a letter")
    has_more_than_letters = bool(answer.strip()) and not is_plain_choice(answer)
    if has_more_than_letters and "unclear_choices_raise" in semantics:
        finding = Finding(ErrorKind.UNSCORABLE, "more than letters: the published program stops")
        return _with_score(item, 0.0, Result("evaluated", findings=(finding,)), unread=True)
    letters = read_choice(answer, item.options)
    if letters is None:
        return _result_of_unread(item, "there is no telling which letters are meant", semantics)
    return _right_or_wrong(item, letters == gold, ", ".join(sorted(letters)))


def _score_points(
    item: RoboBenchQuestion, answer: str, semantics: Semantics, *, many: bool = False
) -> Result:
    """Score a point, or a trajectory if ``many``, by its distance to the gold points.

    Raises:
        InputError: If the gold points cannot be read.
    """
    gold = read_points(item.gold)
    if gold.problem:
        raise InputError(gold.problem)
    reading = read_points(answer)
    if reading.problem:
        return _result_of_unread(item, reading.problem, semantics)
    points = reading.points
    if not many and len(points) > 1:
        problem = f"there are {len(points)} points in it, and one is asked for"
        return _result_of_unread(item, problem, semantics)
    # If the numbers of points differ, the published score compares the first ones.
    distance = rmse(points, gold.points)
    shares = {"distance": distance, "clipped": float(distance > 1)}
    if many:
        shares["frechet"] = frechet(points, gold.points)
        shares["hausdorff"] = hausdorff(points, gold.points)
    measures = tuple([_share(kind, value) for kind, value in shares.items()])
    result = Result("evaluated", success=distance == 0, measures=measures)
    return _with_score(item, closeness_score(distance), result)


_SCORERS: Mapping[str, Callable[[RoboBenchQuestion, str, Semantics], Result]] = {
    _PLANNING: _score_plan,
    "next_step": _score_next_step,
    "state_estimation": _score_state,
    "multiple_choice": _score_choice,
    "points": _score_points,
    "trajectories": partial(_score_points, many=True),
}


_AVERAGED = {"by_manifest": "score", "by_task": "score@"}
"""Means over groups, and the beginning (before the last ``@``) of the measures of the groups."""


def _mean(counts: Tally, key: str, heading: str) -> Score:
    """Return the mean of a measure over questions, or over groups of questions.

    A group is a manifest or a task. In a mean over groups, each group weighs the same, however
    many questions it has.

    Args:
        counts: The counts of the report.
        key: Key of the measure.
        heading: Heading of its column.
    """
    if key not in _AVERAGED:
        total, n_items = counts.amounts.get(key, 0), counts.measured.get(key, 0)
        return Score("shares", key, heading, total, PARTS * n_items, "means")
    means = []
    for measure, size in counts.measured.items():
        # "score@MANIFEST" is the measure "score" over the questions of a manifest.
        if measure.rpartition("@")[0] == _AVERAGED[key]:
            # Whole numbers of parts have an exact sum.
            means.append(counts.amounts.get(measure, 0) // size)
    return Score("shares", key, heading, sum(means), PARTS * len(means), "means")


def _basis(counts: Tally) -> str:
    """Return a sentence on the questions over which the means of a report are taken."""
    manifest_sizes = []
    for measure, n_questions in counts.measured.items():
        # Measures of manifests are called "score@MANIFEST", those of tasks "score@@TASK".
        if measure.startswith("score@") and not measure.startswith("score@@"):
            manifest_sizes.append(f"{measure.removeprefix('score@')} {n_questions}")
    manifests = ", ".join(manifest_sizes)
    return (
        "means over questions, then over manifests, then over tasks; a missing or "
        f"unread answer is worth 0 unless a quirk drops it; questions: {manifests or 'none'}; "
        "scored symbolically, never beside published scores"
    )


@cache
def _view(ability: str) -> View:
    """Return the report view of an ability: the common tables and its own."""
    # Ability (or "" for all) to titles of tables, and these to the headings of measures.
    layouts = read_json("tasks/robobench/tables.json")
    headings_by_table = {**layouts[""], **layouts.get(ability, {})}
    headings: dict[str, str] = {}
    tables = []
    for title, headings_of_table in headings_by_table.items():
        headings |= headings_of_table
        columns = [Column(key, heading=heading) for key, heading in headings_of_table.items()]
        tables.append(Table(f"{title} (%)", columns=tuple(columns), caption=title))

    return View(
        metrics=partial(_metrics, headings),
        tables=tuple(tables),
        groups={"goal": "Goal", "shares": "Scores"},
        errors=(),
        basis=_basis,
        summary=partial(_summary, headings),
    )


def _metrics(headings: Mapping[str, str], counts: Tally) -> list[Score]:
    """Return the share of fully right answers, and the mean of each score."""
    scores = [
        Score("goal", "task_success_rate", "All right", counts.success, counts.tasks, "tasks")
    ]
    for key, heading in headings.items():
        scores.append(_mean(counts, key, heading))
    return scores


def _summary(headings: Mapping[str, str], counts: Tally) -> dict[str, dict[str, object]]:
    """Return the rounded metrics by their keys."""
    return {"scores": {score.key: score.rounded() for score in _metrics(headings, counts)}}
