"""Tasks: one problem each, with its goal, its vocabulary and its reference plans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # What judges answers without running them needs no world and no logic.
    from eai.logic.formula import Formula
    from eai.world.action import Action
    from eai.world.state import State

__all__ = ["ActionGoal", "Goal", "Task", "Vocabulary"]


@dataclass(frozen=True, slots=True)
class ActionGoal:
    """An action that the goal demands: any one of the alternatives will do.

    Args:
        names: Operator names, in the order in which they are tried.
    """

    names: tuple[str, ...]

    def __str__(self) -> str:
        return "|".join(name.upper() for name in self.names)


@dataclass(frozen=True, slots=True)
class Goal:
    """What a plan has to reach.

    A *simple* goal is a sequence of actions and a conjunction of literals about the final
    state (paper, Table 1 and section 2.2). ``options`` lists the simple goals that entail the
    goal; most tasks have exactly one.

    Args:
        text: The goal in the notation of the Embodied Agent Interface; empty if there is none.
        formula: The same as a tree; None if the task has no goal.
        final: Conditions on the final state, each with its kind (``"state"``/``"relation"``).
            Alternatives are several tuples; the best one counts.
        actions: The demanded actions, in order.
    """

    text: str = ""
    formula: Formula | None = None
    final: tuple[tuple[tuple[str, Formula], ...], ...] = ((),)
    actions: tuple[ActionGoal, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that an answer may use.

    Args:
        actions: Operator name to the number of objects that a plan gives it.
        predicates: Predicate name to its arity.
        objects: Names of the objects that an answer may mention, in a fixed order.
        classes: Class name (an object's name without its id) to its objects, in the order in
            which a name without id is tried.
    """

    actions: Mapping[str, int]
    predicates: Mapping[str, int]
    objects: frozenset[str]
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """One problem of a suite.

    Args:
        id: Identifier, unique in the suite.
        name: Category (``"Wash clothes"``).
        instruction: What the agent is told, in words.
        start: The initial state (it knows its objects and their types).
        agent: Name of the object that acts.
        goal: What has to be reached.
        vocabulary: What an answer may mention.
        plans: Reference plans; the first is the annotated one.
        metadata: Anything else that the benchmark says about it.
    """

    id: str
    name: str
    instruction: str
    start: State
    agent: str
    goal: Goal
    vocabulary: Vocabulary
    plans: tuple[tuple[Action, ...], ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        from eai.display import table

        goal = self.goal.text or self.goal.formula
        rows: list[tuple[str, object]] = [("Instruction", self.instruction), ("Goal", goal)]
        rows += [("Reference plan", "\n".join(map(str, plan))) for plan in self.plans[:1]]
        rows.append(("Objects", f"{len(self.vocabulary.objects)}; the agent is {self.agent}"))
        return table((), rows, caption=f"{self.id}: {self.name}")


def literal_kind(formula: Formula) -> str:
    """Kind of a final-state condition: ``"state"`` for one object, else ``"relation"``."""
    from eai.logic.formula import Atom, atoms

    return (
        "relation"
        if any(len(a.terms) > 1 for a in atoms(formula) if isinstance(a, Atom))
        else "state"
    )
