"""Tasks of AsgardBench, what an episode of one is, and its judgement."""

from __future__ import annotations

from eai.diagnosis.judgement import Judgement
from eai.errors import InputError
from eai.interaction.replies import reply_reader
from eai.interaction.rules import EpisodeRules
from eai.interaction.verdicts import judge_answers
from eai.interaction.views import Memory
from eai.logic import format_formula
from eai.semantics import Semantics
from eai.simulators.thor.scenes import Scene
from eai.suites.asgardbench.briefs import AsgardBrief
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.formulas import goal_formula
from eai.suites.asgardbench.goals import AsgardGoal
from eai.suites.asgardbench.instances import Instance
from eai.suites.asgardbench.limits import episode_limits
from eai.suites.asgardbench.quirks import QUIRKS
from eai.suites.asgardbench.reasons import KINDS, REASONS
from eai.task import Goal, Task, Vocabulary

__all__ = ["environment", "episode_rules", "instance_of", "judge", "load_task"]


def load_task(instance: Instance) -> Task:
    """Return an instance as a task; its goal is what the definitions say (``strict``)."""
    acting = AsgardEnvironment(instance, Semantics.of("strict", QUIRKS))
    formula = goal_formula(instance, acting.semantics, first=acting.room.first)
    start = acting.state().copy()
    predicates = {name: p.arity for name, p in start.layout.domain.predicates.items()}
    return Task(
        id=instance.id,
        name=instance.family,
        instruction=instance.instruction,
        start=start,
        agent="agent",
        goal=Goal(format_formula(formula), formula),
        vocabulary=Vocabulary(acting.actions, predicates, frozenset(acting.vocabulary)),
        metadata={"instance": instance, "scene": acting.scene},
    )


def instance_of(task: Task) -> Instance:
    """Return the instance that a task was made of.

    Raises:
        InputError: If it is no task of AsgardBench.
    """
    found = task.metadata.get("instance")
    if not isinstance(found, Instance):
        raise InputError(
            f"{task.id!r} is no task of AsgardBench", expected="a task of the suite asgardbench"
        )
    return found


def environment(task: Task, semantics: Semantics) -> AsgardEnvironment:
    """Set up the environment of a task.

    Raises:
        InputError: If it is no task of AsgardBench.
    """
    scene = task.metadata.get("scene")
    known = scene if isinstance(scene, Scene) else None
    return AsgardEnvironment(instance_of(task), semantics, scene=known)


def episode_rules(task: Task, semantics: Semantics) -> EpisodeRules:
    """Say what an episode of a task is.

    Raises:
        InputError: If it is no task of AsgardBench.
    """
    instance = instance_of(task)
    words = tuple(sorted(task.vocabulary.objects))
    return EpisodeRules(
        goal=lambda: AsgardGoal(instance, semantics),
        read=reply_reader(task.vocabulary.actions, words),
        brief=AsgardBrief(instance.instruction, words),
        limits=episode_limits(instance.reference_steps, semantics),
        objects=words,
        codes=KINDS,
        views={"memory": lambda: (Memory(),)},
        groups=(instance.family,),
        reference_steps=instance.reference_steps,
        refusals=REASONS,
    )


def judge(task: Task, answer: str | None, semantics: Semantics) -> Judgement:
    """Judge the answers of an episode (see :class:`eai.contract.Ability`)."""
    rules = episode_rules(task, semantics)
    return judge_answers(environment(task, semantics), answer, rules=rules, task=task.id)
