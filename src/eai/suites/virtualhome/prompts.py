"""Prompts in the VirtualHome world: upper-case names, objects with ids."""

from __future__ import annotations

from collections.abc import Container, Iterable

from eai.abilities import bullets, rules, scene
from eai.logic import Formula, atoms, format_formula, map_atoms
from eai.pddl import clauses
from eai.simulators import class_predicates, object_class
from eai.suites.shared.templates import filled
from eai.task import Task

_RELATIONS = {
    name: name.upper()
    for name in ("ontop", "inside", "between", "next_to", "facing", "holds_rh", "holds_lh")
}
_EDGES = {**_RELATIONS, "ontop": "ON", "next_to": "CLOSE"}
_STATES = (
    *("CLOSED", "OPEN", "ON", "OFF", "PLUGGED_IN", "PLUGGED_OUT"),
    *("SITTING", "LYING", "CLEAN", "DIRTY"),
)
_NOT_OFFERED = frozenset({"release", "putobjback"})
"""Actions that do nothing that drop, putback and putin do not do.

They are offered where a goal demands them.
"""


def action_sequencing(task: Task) -> str:
    """Ask for a plan: a JSON list of one-key objects, each argument as name and id."""
    demanded = {name for each in task.goal.actions for name in each.names}
    action_rules = rules(task, without=_NOT_OFFERED - demanded, show=_shown)
    # What neither an action that helps nor the goal speaks of decides nothing.
    hidden = task.start.layout.domain.predicates.keys() - action_rules.predicates
    return _filled(
        "action_sequencing",
        task,
        hidden,
        actions=action_rules.text,
        kinds=action_rules.kinds,
        goal=_goal(task),
    )


def goal_interpretation(task: Task) -> str:
    """Ask for the goal that an instruction means: states, relations and actions as JSON."""
    return _filled("goal_interpretation", task, _unread(task), edges=_EDGES.values())


def subgoal_decomposition(task: Task) -> str:
    """Ask for the states on the way to the goal, in their order, as a JSON list of formulas."""
    return _filled(
        "subgoal_decomposition",
        task,
        _unread(task),
        edges=_RELATIONS.values(),
        goal=_goal(task),
    )


def _unread(task: Task) -> frozenset[str]:
    """Properties that no action asks for, and those that the class of an object tells."""
    domain = task.start.layout.domain
    conditions = [axiom.body for axiom in domain.axioms]
    for operator in domain.operators.values():
        conditions.append(operator.precondition)
        conditions += [clause.condition for clause in clauses(operator.effect)]
    read = {atom.name for condition in conditions for atom in atoms(condition)}
    classes = {object_class(name) for name in task.vocabulary.objects}
    observed = {name for each in classes for name in class_predicates(each)}
    return frozenset((domain.predicates.keys() - domain.fluents - read) | observed)


def _shown(predicate: str) -> str:
    return _RELATIONS.get(predicate, predicate.upper())


def _filled(
    ability: str,
    task: Task,
    hidden: Container[str],
    *,
    kinds: Iterable[str] = (),
    **values: object,
) -> str:
    known = {
        "task": task,
        "scene": scene(task, hidden=hidden, kinds=kinds, show=_shown),
        "states": _STATES,
        "actions": sorted(name.upper() for name in task.vocabulary.actions),
    }
    return filled(f"virtualhome/{ability}", **{**known, **values})


def _goal(task: Task) -> str:
    goal = task.goal
    begin = f"Instruction: {task.instruction}\n" if task.instruction else ""
    formula = goal.formula
    if goal.whole and formula is not None and (goal.is_extended or len(goal.final) > 1):
        # Conditions on the final state would not say what has to come before, or instead.
        order = " ('A then B': first A, later B)" if formula.has_then else ""
        return f"{begin}This has to be true of the whole plan{order}:\n{_said(formula)}"
    wanted = [_said(each) for _, each in next(iter(goal.final), ())]
    on_the_way = (" or ".join(map(str.upper, each.names)) for each in goal.actions)
    wanted += [f"on the way, the action {names}" for names in on_the_way]
    listed = bullets(wanted, none="(nothing in particular)")
    return f"{begin}In the end this has to be true:\n{listed}"


def _said(formula: Formula) -> str:
    return format_formula(
        map_atoms(formula, {each.name: _shown(each.name) for each in atoms(formula)})
    )
