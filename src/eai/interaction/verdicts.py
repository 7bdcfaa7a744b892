"""Episodes as judgements, and answers that were kept as episodes again.

The answers of an episode are kept as one text, a JSON list of strings. With the same task and
semantics they lead to the same episode, so that a file of them can be judged like any other
file of predictions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from eai.abilities.answers import read_plan
from eai.diagnosis.goals import unmet_goals
from eai.diagnosis.judgement import Finding, Judgement
from eai.diagnosis.taxonomy import ErrorKind
from eai.interaction.acting import replay
from eai.interaction.episode import End, Episode, Turn
from eai.interaction.measures import episode_measures
from eai.interaction.protocol import Environment
from eai.interaction.replies import action_lines, format_action
from eai.interaction.rules import EpisodeRules
from eai.world.action import Action

__all__ = ["judge_answers", "judge_episode", "read_answers", "write_answers"]


def judge_answers(
    environment: Environment, answer: str | None, *, rules: EpisodeRules, task: str = ""
) -> Judgement:
    """Judge the answers of an episode by giving them again.

    Args:
        environment: Where to act; it is reset.
        answer: The answers as :func:`read_answers` reads them; None if there are none.
        rules: What the suite says about the episode.
        task: Identifier of the task.
    """
    answers = () if answer is None or rules.excluded else read_answers(answer)
    judgement = judge_episode(replay(environment, answers, rules=rules, task=task), rules)
    if answer is not None or judgement.status == "excluded":
        return judgement
    missing = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
    return Judgement("missing", findings=(missing,), goals=judgement.goals, groups=rules.groups)


def judge_episode(episode: Episode, rules: EpisodeRules) -> Judgement:
    """Say what an episode amounts to, in the terms of a report.

    A turn is a step of the plan: ``"done"``, ``"skipped"`` if its effects held already, or
    ``"failed"``. The findings are the failed turns and the unmet goals; a failure with a code of
    its own names the code as its condition. The outcome is why the episode ended.

    Args:
        episode: The episode.
        rules: What the suite says about it.
    """
    if rules.excluded:
        return Judgement("excluded", notes=(rules.excluded,), groups=rules.groups)
    if episode.end == End.AGENT_FAILURE:
        return Judgement("excluded", notes=(f"no answer: {episode.note}",), groups=rules.groups)
    conditions = episode.goal.conditions
    return Judgement(
        "judged",
        success=episode.success,
        executable=all(turn.success for turn in episode.turns),
        plan=tuple(turn.reply.written or turn.named for turn in episode.turns),
        executed=tuple(map(_executed, episode.turns)),
        findings=(*_failures(episode.turns, rules), *unmet_goals(conditions)),
        goals=conditions,
        notes=(episode.note,) if episode.note else (),
        groups=rules.groups,
        outcome=str(episode.end),
        measures=episode_measures(
            episode, reference_steps=rules.reference_steps, refusals=rules.refusals
        ),
    )


def _executed(turn: Turn) -> str:
    if turn.success:
        return "done"
    return "skipped" if turn.fault is ErrorKind.ADDITIONAL_STEP else "failed"


def _failures(turns: Iterable[Turn], rules: EpisodeRules) -> Iterator[Finding]:
    for turn in turns:
        if not turn.success:
            kind = turn.fault or rules.codes.get(turn.code, ErrorKind.UNSCORABLE)
            yield Finding(
                kind,
                turn.result.message or turn.code,
                step=turn.number,
                action=turn.reply.written,
                conditions=() if turn.code == kind.value else (turn.code,),
            )


def write_answers(answers: Iterable[str]) -> str:
    """Write the answers of an episode as one text, which :func:`read_answers` reads."""
    return json.dumps(list(answers))


def read_answers(text: str) -> tuple[str, ...]:
    """Read the answers of an episode.

    Args:
        text: A JSON list of them; or a text with several lines ``Action: ...``, each of which
            is one; or a plan in any form that :func:`eai.abilities.answers.read_plan` reads,
            each step of which is one. Anything else is one answer.
    """
    listed = _listed(text)
    if listed is not None:
        return listed
    lines = action_lines(text)
    if lines:
        return tuple(f"Action: {line}" for line in lines)
    plan = read_plan(text)
    if plan.problems or not plan.steps:
        return (text,)
    return tuple(format_action(Action(step.name, step.arguments)) for step in plan.steps)


def _listed(text: str) -> tuple[str, ...] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and all(isinstance(answer, str) for answer in value):
        return tuple(value)
    return None
