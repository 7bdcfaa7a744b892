"""Prompts in the VirtualHome world: upper-case names, objects with ids."""

from __future__ import annotations

from eai.abilities import actions, bullets, facts, objects
from eai.logic import Atom, format_formula
from eai.simulators import class_predicates, object_class
from eai.suites.templates import filled
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
_NOT_OFFERED = frozenset({"release"})


def action_sequencing(task: Task) -> str:
    """Ask for a plan: a JSON list of one-key objects, each argument as name and id."""
    listed = actions(task, without=_NOT_OFFERED)
    return _filled("action_sequencing", task, actions=listed, goal=_goal(task))


def goal_interpretation(task: Task) -> str:
    """Ask for the goal that an instruction means: states, relations and actions as JSON."""
    names = dict.fromkeys(object_class(name) for name in sorted(task.vocabulary.objects))
    return _filled("goal_interpretation", task, names=names, edges=_EDGES.values())


def subgoal_decomposition(task: Task) -> str:
    """Ask for the states on the way to the goal, in their order, as a JSON list of formulas."""
    return _filled("subgoal_decomposition", task, edges=_RELATIONS.values(), goal=_goal(task))


def _filled(ability: str, task: Task, **values: object) -> str:
    # What follows from the class alone needs no words.
    classes = {object_class(name) for name in task.vocabulary.objects}
    hidden = frozenset(name for each in classes for name in class_predicates(each))
    known = {
        "task": task,
        "objects": objects(task, hidden=hidden, upper=True),
        "relations": bullets(facts(task, names=_RELATIONS)),
        "states": _STATES,
        "actions": sorted(name.upper() for name in task.vocabulary.actions),
    }
    return filled(f"virtualhome/{ability}", **{**known, **values})


def _goal(task: Task) -> str:
    wanted = []
    for _, each in next(iter(task.goal.final), ()):
        if isinstance(each, Atom):
            name = _RELATIONS.get(each.predicate, each.predicate.upper())
            wanted.append(f"{name}({', '.join(map(str, each.terms))})")
        else:
            wanted.append(format_formula(each))
    on_the_way = (" or ".join(map(str.upper, goal.names)) for goal in task.goal.actions)
    wanted += [f"on the way, the action {names}" for names in on_the_way]
    begin = f"Instruction: {task.instruction}\n" if task.instruction else ""
    listed = bullets(wanted, none="(nothing in particular)")
    return f"{begin}In the end this has to be true:\n{listed}"
