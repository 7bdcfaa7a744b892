"""Acting in a PDDL problem step by step: every fact is seen, and nobody has hands."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from eai.acting import EpisodeRules, task_rules
from eai.diagnosis import DomainRules
from eai.logic import Atom, format_number
from eai.semantics import Semantics
from eai.simulators import (
    Observation,
    ObservationModel,
    SeenObject,
    Symbolic,
    SymbolicEnvironment,
)
from eai.suites.pddl.tasks import PddlTask
from eai.task import Task
from eai.world import State

_BRACKETS = re.compile(r"^([ \t]*Action:[ \t]*)\(([^()]*)\)[ \t]*$", re.IGNORECASE | re.MULTILINE)
"""An action in the notation of PDDL."""


def _owner(atom: Atom) -> tuple[str, str]:
    """Return the object that a fact is shown under, and the remaining objects as text.

    A fact is shown under its first object, and without objects under the world.
    """
    if not atom.terms:
        return "world", ""
    first, *arguments = [str(term) for term in atom.terms]
    return first, " ".join(arguments)


def _add(facts: dict[str, object], name: str, text: str) -> None:
    """Append a text to the tuple of texts that an object has under a name."""
    texts = facts.get(name)
    # A value that is not a tuple yet (a number, or ``True``) is replaced by the texts.
    if not isinstance(texts, tuple):
        texts = ()
    facts[name] = (*texts, text)


class Facts(ObservationModel):
    """A view that shows every fact at its first object.

    Facts without objects belong to the ``world``.
    """

    def observe(
        self,
        state: State,
        agent: str,  # noqa: ARG002 - nobody acts
        *,
        names: frozenset[str],
        focus: str = "",  # noqa: ARG002 - nobody looks
        there: Callable[[str], bool] = lambda _: True,
    ) -> Observation:
        """Return an observation of all numbers and of all facts that are not derived.

        A fact is listed at its first object, with the other objects as its value.
        """
        types = state.universe.objects
        facts_by_object: dict[str, dict[str, object]] = {}
        # Every object is listed, even if no fact is about it.
        for name in types:
            if name in names and there(name):
                facts_by_object[name] = {}
        for atom in state.atoms():
            owner, arguments = _owner(atom)
            facts = facts_by_object.setdefault(owner, {})
            if arguments:
                _add(facts, atom.predicate, arguments)
            else:
                facts[atom.predicate] = True
        for term, value in state.numeric_facts():
            owner, arguments = _owner(term)
            facts = facts_by_object.setdefault(owner, {})
            if arguments:
                _add(facts, term.predicate, f"{arguments} = {format_number(value)}")
            else:
                facts[term.predicate] = format_number(value)
        seen_objects: list[SeenObject] = []
        for name, facts in facts_by_object.items():
            seen_objects.append(SeenObject(name, types.get(name, name), facts))
        return Observation(tuple(seen_objects), hands=False)

    def around(self, state: State, names: frozenset[str]) -> frozenset[str]:  # noqa: ARG002
        """Return nothing: objects are in no place."""
        return names

    def holding(self, state: State, agent: str) -> tuple[str, ...]:  # noqa: ARG002
        """Return nothing: nobody holds anything, whatever a predicate is called."""
        return ()


def environment(task: Task, semantics: Semantics) -> SymbolicEnvironment:  # noqa: ARG001 - the same under all
    """Set up the environment of a task."""
    simulator = Symbolic(task.world, DomainRules(skip=task.skips))
    return SymbolicEnvironment(task, simulator, observed=Facts({}))


def episode_rules(task: Task, semantics: Semantics) -> EpisodeRules:  # noqa: ARG001 - same
    """Return the rules of a task's episodes, in which the agent is shown the domain."""
    assert isinstance(task, PddlTask)  # noqa: S101 - the suite has no others
    excluded = "there is no plan" if task.metadata.get("unsolvable") else ""
    instruction = task.texts[0].strip()
    # An instruction that only repeats the goal is left out: the goal is shown anyway.
    if task.instruction != f"Reach {task.goal.text}":
        instruction += f"\n\n{task.instruction}"
    described = replace(task, instruction=instruction)
    rules = task_rules(described, excluded=excluded, place="in this domain")
    # Models that know PDDL answer ``Action: (pick-up a)``, which is read without the brackets.
    return replace(rules, read=lambda text: rules.read(_BRACKETS.sub(r"\1\2", text)))
