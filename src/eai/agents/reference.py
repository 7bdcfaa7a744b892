"""Reference agents: the usual ways to let a language model act, and a human at a terminal.

They differ in the question to the model: the next action (``plain``), the next action after a
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
"""Maximum number of actions of an answer if the model is asked for a plan."""

_THOUGHT = re.compile(r"^[^\w\n]*thought\W*:\W*(.+)$", re.IGNORECASE | re.MULTILINE)
"""Line with a thought: ``Thought: the door is closed``."""
_THINK = (
    "Before these lines write one that begins with 'Thought:', in which you say what came of your "
    "last action and what follows from it."
)
"""Said of the answer's form if thoughts are asked for."""


class ThinkingAgent:
    """An agent that asks a model for a thought before every action (ReAct).

    The thoughts so far are repeated (Yao et al. 2023, "ReAct: Synergizing Reasoning and Acting in
    Language Models").
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._thoughts: list[str] = []

    def __call__(self, messages: Sequence[Message]) -> str:
        """Return the model's answer to the messages and to its own earlier thoughts."""
        # Thoughts go to the end of the last message, so that everything before it can be cached.
        *earlier, last = messages
        paragraphs = [last["content"], _THINK]
        if self._thoughts:
            thoughts = [f"{number}. {text}" for number, text in enumerate(self._thoughts, 1)]
            paragraphs.append("\n".join(["## Your thoughts so far", *thoughts]))
        answer = self._agent([*earlier, {**last, "content": "\n\n".join(paragraphs)}])
        thought = _THOUGHT.search(answer)
        if thought is None:
            # A missing thought is stored, too, so that thoughts and turns have the same numbers.
            self._thoughts.append("(none)")
        else:
            self._thoughts.append(thought[1].strip())
        return answer


class GoalPlanner:
    """An agent that asks a model for the goal as a formula, and then plans for it.

    Liu et al. 2023, "LLM+P: Empowering Large Language Models with Optimal Planning Proficiency".
    If the model's goal is no formula over the task, or has no plan, no action is taken.

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
        """Return the next step of the plan, after asking the model for the goal."""
        if self._steps is None:
            self._steps = iter(self._plan_for_goal())
        step = next(self._steps, None)
        if step is None:
            return "(no step is left)"
        return format_action(step)

    def _plan_for_goal(self) -> Sequence[Action]:
        """Return a plan for the model's goal, or an empty one if it states none."""
        task = self._assignment.task
        vocabulary = task.vocabulary
        answer = self._agent([{"role": "user", "content": self._question_for_goal()}])
        # A model may write drafts before its final goal, so the last one counts. Without "Goal:"
        # the whole answer is read.
        _, _, text = answer.rpartition("Goal:")
        names = LogicVocabulary(vocabulary.predicates, vocabulary.actions, vocabulary.objects)
        try:
            formula = parse_formula(text.strip().strip("`*"), vocabulary=names)
            goal = goal_from_formula(formula, format_formula(formula))
            # The reference plans are removed, because the model's goal may be another one.
            own_task = replace(task, goal=goal, plans=())
            return next(search_plans(replace(self._assignment, task=own_task)), ())
        except InputError:
            return ()

    def _question_for_goal(self) -> str:
        """Return the prompt for the goal: the task, its predicates, objects and facts."""
        task = self._assignment.task
        vocabulary = task.vocabulary
        predicates = [f"{name}/{arity}" for name, arity in sorted(vocabulary.predicates.items())]
        objects = [name for name in task.start.universe.names if name in vocabulary.objects]
        facts = []
        for atom in task.start.atoms():
            # Only predicates of the vocabulary that have arguments.
            if vocabulary.predicates.get(atom.name):
                facts.append(format_formula(atom))
        return "\n\n".join(
            [
                "Write what has to be true at the end as one formula.",
                f"## Task\n{task.instruction}",
                f"## Predicates, each with its number of objects\n{', '.join(predicates)}",
                f"## Objects\n{', '.join(objects)}",
                f"## What is true now\n{', '.join(facts)}",
                "Join atoms by 'and', 'or' and 'not'. Answer with one line:\n"
                "Goal: predicate(object) and predicate(object, object)",
            ]
        )


class HumanAgent:
    """An agent that shows the messages to a person, who types the action.

    Args:
        ask: Shows a text and returns the line that is typed; by default at the terminal.
        screen: Stream for the messages; by default the standard output.
    """

    def __init__(self, ask: Callable[[str], str] = input, *, screen: TextIO | None = None) -> None:
        self._ask = ask
        self._screen = screen
        self._shown = ""

    def __call__(self, messages: Sequence[Message]) -> str:
        """Return the action that is typed.

        Raises:
            ModelError: If the person leaves.
        """
        text = messages[-1]["content"]
        # Paragraphs of the last message, such as rules and names, are not shown again.
        paragraphs_shown = self._shown.split("\n\n")
        new_paragraphs = [part for part in text.split("\n\n") if part not in paragraphs_shown]
        self._shown = text
        print("\n\n".join(new_paragraphs), file=self._screen)
        try:
            line = self._ask("Action: ")
        except (EOFError, KeyboardInterrupt):
            raise ModelError("the human agent left") from None
        return f"Action: {line}"


def reference_agent(name: str, agent: Agent, assignment: Assignment) -> Agent:
    """Return a reference agent for one episode by its name.

    Args:
        name: One of :data:`REFERENCE_AGENTS`. ``plain`` and ``replan`` are the model itself; of
            ``replan`` an answer may hold :data:`WHOLE_PLAN` actions.
        agent: The model.
        assignment: The task.

    Raises:
        UnknownNameError: If there is none of this name.
        InputError: If the task is invalid that can be planned for (``llm+p``).
    """
    if name == "react":
        return ThinkingAgent(agent)
    if name == "llm+p":
        return GoalPlanner(agent, assignment)
    check_name("reference agent", name, REFERENCE_AGENTS)
    return agent


REFERENCE_AGENTS = ("plain", "react", "replan", "llm+p")
"""Names of the ways to let a model act."""
