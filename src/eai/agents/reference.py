"""Reference agents: the usual ways to let a language model act, and a human at a terminal.

They differ in what the model is asked for: the next action (``plain``), the next action after a
thought (``react``), a whole plan that is made anew when a step of it fails (``replan``), or only
the goal, for which a planner plans (``llm+p``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TextIO

from eai.acting import format_action
from eai.agents.agents import Agent, Message
from eai.agents.oracle import Assignment, search_plans
from eai.errors import InputError, ModelError, check_name
from eai.logic import LogicVocabulary, format_formula, parse_formula
from eai.task.goals import goal_from_formula
from eai.world import Action

WHOLE_PLAN = 30
"""So many actions an answer may hold if the model is asked for a plan."""

_THOUGHT = re.compile(r"^[^\w\n]*thought\W*:\W*(.+)$", re.IGNORECASE | re.MULTILINE)
_THINK = (
    "Before these lines write one that begins with 'Thought:', in which you say what came of your "
    "last action and what follows from it."
)


class ThinkingAgent:
    """Asks for a thought before every action, and repeats the thoughts so far (ReAct).

    Yao et al. 2023, "ReAct: Synergizing Reasoning and Acting in Language Models". It is for one
    episode.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._thoughts: list[str] = []

    def __call__(self, messages: Sequence[Message]) -> str:
        """Answer."""
        *earlier, last = messages
        thoughts = (f"{number}. {text}" for number, text in enumerate(self._thoughts, 1))
        parts = [last["content"], _THINK]
        if self._thoughts:
            parts.append("\n".join(["## Your thoughts so far", *thoughts]))
        answer = self._agent([*earlier, {**last, "content": "\n\n".join(parts)}])
        found = _THOUGHT.search(answer)
        self._thoughts.append(found[1].strip() if found else "(none)")
        return answer


class GoalPlanner:
    """Asks a model for the goal as a formula, and takes the steps that a planner finds for it.

    Liu et al. 2023, "LLM+P: Empowering Large Language Models with Optimal Planning Proficiency".
    It is for one episode. If the model's goal is no formula over the task, or has no plan, no
    action is taken.

    Raises:
        InputError: If the suite has no symbolic world to plan in.
    """

    def __init__(self, agent: Agent, assignment: Assignment) -> None:
        if assignment.world is None:
            raise InputError(
                f"nothing to plan in: {assignment.suite.name!r} does not evaluate whole plans",
                expected="a suite with plans",
                mend="choose another reference agent: plain, react, replan",
            )
        self._agent = agent
        self._assignment = assignment
        self._steps: Iterator[Action] | None = None

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Answer with the next step."""
        if self._steps is None:
            task, known = self._assignment.task, self._assignment.task.vocabulary
            answer = self._agent([{"role": "user", "content": self._question()}])
            _, _, text = answer.rpartition("Goal:")
            names = LogicVocabulary(known.predicates, known.actions, known.objects)
            try:
                formula = parse_formula(text.strip().strip("`*"), vocabulary=names)
                goal = goal_from_formula(formula, format_formula(formula))
                wanted = replace(self._assignment, task=replace(task, goal=goal, plans=()))
                self._steps = iter(next(search_plans(wanted), ()))
            except InputError:
                self._steps = iter(())
        step = next(self._steps, None)
        return "(no step is left)" if step is None else format_action(step)

    def _question(self) -> str:
        task = self._assignment.task
        known = task.vocabulary
        predicates = ", ".join(
            f"{name}/{count}" for name, count in sorted(known.predicates.items())
        )
        names = (name for name in task.start.universe.names if name in known.objects)
        facts = (
            format_formula(atom) for atom in task.start.atoms() if known.predicates.get(atom.name)
        )
        return "\n\n".join(
            [
                "Write what has to be true at the end as one formula.",
                f"## Task\n{task.instruction}",
                f"## Predicates, each with its number of objects\n{predicates}",
                f"## Objects\n{', '.join(names)}",
                f"## What is true now\n{', '.join(facts)}",
                "Join atoms by 'and', 'or' and 'not'. Answer with one line:\n"
                "Goal: predicate(object) and predicate(object, object)",
            ]
        )


class HumanAgent:
    """Shows the prompt of a model to a person, and reads the action.

    Args:
        ask: Shows a text and returns the line that is typed; by default at the terminal.
    """

    def __init__(self, ask: Callable[[str], str] = input, *, screen: TextIO | None = None) -> None:
        self._ask = ask
        self._screen = screen
        self._shown = ""

    def __call__(self, messages: Sequence[Message]) -> str:
        """Answer with the action that is typed.

        Raises:
            ModelError: If the person leaves.
        """
        whole = messages[-1]["content"]
        # What was said before is not shown again: the rules, the names, the form.
        parts = [part for part in whole.split("\n\n") if part not in self._shown.split("\n\n")]
        self._shown = whole
        print("\n\n".join(parts), file=self._screen)
        try:
            line = self._ask("Action: ")
        except (EOFError, KeyboardInterrupt):
            raise ModelError("the human agent left") from None
        return f"Action: {line}"


def reference_agent(name: str, agent: Agent, assignment: Assignment) -> Agent:
    """Return the reference agent of a name for one episode.

    Args:
        name: One of :data:`REFERENCE_AGENTS`. ``plain`` and ``replan`` are the model itself; of
            ``replan`` an answer may hold :data:`WHOLE_PLAN` actions.
        agent: The model.
        assignment: The task.

    Raises:
        UnknownNameError: If there is none of this name.
        InputError: If the task is none that can be planned for (``llm+p``).
    """
    if name == "react":
        return ThinkingAgent(agent)
    if name == "llm+p":
        return GoalPlanner(agent, assignment)
    check_name("reference agent", name, REFERENCE_AGENTS)
    return agent


REFERENCE_AGENTS = ("plain", "react", "replan", "llm+p")
"""Names of the ways to let a model act."""
