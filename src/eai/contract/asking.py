"""Questions to a suite whose answers follow from its members, so that no suite implements them.

A part of an ability that a suite does not have is None, or an error that says what there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from eai.contract.suite import (
    INTERACTION,
    PLANS,
    RECORDED,
    PromptBuilder,
    Suite,
    ability_of,
    follow_record,
    imported_part,
    refuse_without,
)
from eai.errors import InputError
from eai.semantics import Semantics

if TYPE_CHECKING:
    from eai.acting import Agent, Episode
    from eai.simulators import Environment, Execution
    from eai.task import Task
    from eai.world import Action


def prompt_of(suite: Suite, task: Task, ability: str) -> str | None:
    """Return the prompt for one task, or None if the task does not have the ability.

    Args:
        suite: The suite.
        task: The task.
        ability: The ability that the model is asked for.

    Raises:
        UnknownNameError: If the ability is not one of the suite's.
        InputError: If the suite has no prompts for it.
    """
    build_prompt: PromptBuilder | None = imported_part(ability_of(suite, ability).prompt)
    if build_prompt is not None:
        return build_prompt(task)
    # Abilities without prompts are those of episodes, where each turn has a message of its own,
    # and those that a suite only evaluates.
    error = InputError(f"there are no prompts for {ability} in the suite {suite.name!r}")
    abilities_with_prompts = [
        name for name, other_ability in suite.abilities.items() if other_ability.prompt
    ]
    if abilities_with_prompts:
        error.expected = f"one of {', '.join(abilities_with_prompts)}"
    if ability == INTERACTION:
        error.mend = f"eai interact {suite.name} --model NAME asks a model step by step"
    raise error


def operators_of(suite: Suite, ability: str) -> Any:  # noqa: ANN401
    """Return the annotated operators of an ability, or None if it has none.

    Raises:
        UnknownNameError: If the ability is not one of the suite's.
    """
    read_operators = imported_part(ability_of(suite, ability).operators)
    if read_operators is None:
        return None
    return read_operators()


def version_of(suite: Suite, ability: str) -> str:
    """Return the version that reports of an ability state."""
    known = suite.abilities.get(ability)
    if known is None or not known.condition:
        return suite.version
    return f"{suite.version}; condition: {known.condition}"


# ---- plans


def plan_ability(suite: Suite) -> str:
    """Return the ability whose answers are whole plans."""
    for name, ability in suite.abilities.items():
        if ability.write_plan is not None:
            return name
    return PLANS


def write_plan(suite: Suite, plan: Iterable[Action]) -> str:
    """Return a plan in the form that prompts ask for.

    Raises:
        UnknownNameError: If the suite has no plans.
        InputError: If the suite does not define how its plans are written.
    """
    name = plan_ability(suite)
    ability = suite.abilities.get(name)
    if ability is not None and ability.write_plan is not None:
        write: Callable[[Iterable[Action]], str] = imported_part(ability.write_plan)
        return write(plan)
    plans = suite.plans(suite.semantics(suite.default_semantics))
    if plans is None:
        refuse_without(suite, name)
        raise InputError(f"the suite {suite.name!r} does not say how plans are written")
    return plans.write(plan)


def by_definition(suite: Suite, ability: str, semantics: Semantics) -> bool:
    """Return whether answers are plans that are judged by the definitions.

    Args:
        suite: The suite.
        ability: The ability of the answers.
        semantics: The semantics that they are evaluated under.
    """
    if ability != PLANS or suite.abilities[PLANS].evaluate is not None:
        return False
    if type(suite).evaluate is not Suite.evaluate:
        return False  # the suite may evaluate in another way
    plans = suite.plans(semantics)
    return plans is not None and plans.by_definition


def execution_of(suite: Suite, task: Task, answer: str, semantics: Semantics) -> Execution | None:
    """Execute an answer again, or return None if it is unreadable."""
    plans = suite.plans(semantics)
    if plans is None:
        return None
    return plans.execution(task, answer)


# ---- episodes


def episode_of(
    suite: Suite, task: Task, answer: str, *, ability: str, semantics: Semantics
) -> Episode | None:
    """Return the episode that an answer leads to, or None.

    The result is None if the ability is not about episodes, if it has its own evaluation function,
    or if the answer cannot be read.

    Args:
        suite: The suite.
        task: The task.
        answer: The answers of an agent, or the record of an episode.
        ability: The ability that the answer is for.
        semantics: The semantics of the environment.

    Raises:
        UnknownNameError: If the ability is not one of the suite's.
    """
    if ability_of(suite, ability).evaluate is not None or ability not in (INTERACTION, RECORDED):
        return None
    from eai.acting import RecordedEpisode, read_answers, replay

    if ability == INTERACTION:
        # The answers of an agent are all that is kept of an episode: they are given again.
        rules = suite.episode_rules(task, semantics)
        environment = suite.environment(task, semantics)
        return replay(environment, read_answers(answer), rules=rules, task=task.id)
    try:
        return follow_record(suite, task, semantics, RecordedEpisode.from_json(answer))
    except InputError:
        return None


def own_oracle(
    suite: Suite, task: Task, semantics: Semantics, environment: Environment
) -> Agent | None:
    """Return the suite's own reference agent, or None.

    Args:
        suite: The suite.
        task: The task that the agent solves.
        semantics: The semantics of the environment.
        environment: The environment that it acts in.
    """
    ability = suite.abilities.get(INTERACTION)
    if ability is None:
        return None
    build_oracle = imported_part(ability.oracle)
    if build_oracle is None:
        return None
    oracle: Agent = build_oracle(task, semantics, environment)
    return oracle
