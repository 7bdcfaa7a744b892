"""Prompts in the VirtualHome world: upper-case names, objects with ids."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import lru_cache

from eai.abilities import bullets, rules, scene
from eai.logic import Formula, atoms, format_formula, map_atoms
from eai.pddl import clauses
from eai.simulators import class_predicates, object_class
from eai.suites.shared.templates import filled
from eai.task import Task
from eai.world import World, world_of

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
    """Ask for a plan as a JSON list of one-key objects, with arguments as name and id."""
    demanded: set[str] = set()
    for goal in task.goal.actions:
        demanded.update(goal.names)
    # An action without use of its own is still shown where the goal wants that very action.
    action_rules = rules(task, without=_NOT_OFFERED - demanded, show=_shown)
    # A predicate that neither a useful action nor the goal mentions cannot decide anything.
    hidden = task.start.layout.domain.predicates.keys() - action_rules.predicates
    return _fill_template(
        "action_sequencing",
        task,
        hidden,
        actions=action_rules.text,
        kinds=action_rules.kinds,
        goal=_goal(task),
    )


def goal_interpretation(task: Task) -> str:
    """Ask for the goal that an instruction means: states, relations and actions as JSON."""
    return _fill_template(
        "goal_interpretation", task, _unneeded_properties(task), edges=_EDGES.values()
    )


def subgoal_decomposition(task: Task) -> str:
    """Ask for the intermediate states on the way to the goal, as a JSON list of formulas."""
    return _fill_template(
        "subgoal_decomposition",
        task,
        _unneeded_properties(task),
        edges=_RELATIONS.values(),
        goal=_goal(task),
    )


def _unneeded_properties(task: Task) -> frozenset[str]:
    """Return the properties that no action tests, or that the class of an object implies."""
    untested_predicates = _untested_properties(world_of(task.start.layout.domain))
    # Every fridge can be opened, so the prompt need not say it of each one.
    implied_predicates: set[str] = set()
    for name in task.vocabulary.objects:
        implied_predicates.update(class_predicates(object_class(name)))
    return untested_predicates | implied_predicates


@lru_cache(maxsize=8)
def _untested_properties(world: World) -> frozenset[str]:
    """Return the properties that no action tests, worked out once for all tasks of a domain."""
    domain = world.domain
    conditions = [axiom.body for axiom in domain.axioms]
    for operator in domain.operators.values():
        conditions.append(operator.precondition)
        conditions += [clause.condition for clause in clauses(operator.effect)]
    tested_predicates: set[str] = set()
    for condition in conditions:
        tested_predicates.update(atom.name for atom in atoms(condition))
    static_predicates = domain.predicates.keys() - domain.fluents
    return frozenset(static_predicates - tested_predicates)


def _shown(predicate: str) -> str:
    """Return a predicate in the spelling of prompts: ``NEXT_TO``, ``PLUGGED_IN``."""
    return _RELATIONS.get(predicate, predicate.upper())


def _fill_template(
    ability: str,
    task: Task,
    hidden: Container[str],
    *,
    kinds: Iterable[str] = (),
    **values: object,
) -> str:
    """Return the template of an ability, filled with the scene and names of a task.

    Args:
        ability: Name of the template.
        task: The task.
        hidden: Objects that are not shown.
        kinds: Classes whose objects are shown in any case.
        values: More values of the template.
    """
    common_values = {
        "task": task,
        "scene": scene(task, hidden=hidden, kinds=kinds, show=_shown),
        "states": _STATES,
        "actions": sorted(name.upper() for name in task.vocabulary.actions),
    }
    return filled(f"virtualhome/{ability}", **{**common_values, **values})


def _goal(task: Task) -> str:
    """Return the instruction and the goal of a task in words."""
    goal = task.goal
    instruction = ""
    if task.instruction:
        instruction = f"Instruction: {task.instruction}\n"
    formula = goal.formula
    # Conditions on the final state cannot express an order or alternatives.
    is_about_final_state = not goal.is_extended and len(goal.final) <= 1
    if goal.whole and formula is not None and not is_about_final_state:
        explanation = ""
        if formula.has_then:
            explanation = " ('A then B': first A, later B)"
        heading = f"This has to be true of the whole plan{explanation}:"
        return f"{instruction}{heading}\n{_write(formula)}"
    sentences: list[str] = []
    if goal.final:
        sentences += [_write(condition) for _, condition in goal.final[0]]
    for action in goal.actions:
        names = " or ".join(map(str.upper, action.names))
        sentences.append(f"on the way, the action {names}")
    conditions = bullets(sentences, none="(nothing in particular)")
    return f"{instruction}In the end this has to be true:\n{conditions}"


def _write(formula: Formula) -> str:
    """Write a formula in the spelling of prompts."""
    spelling = {atom.name: _shown(atom.name) for atom in atoms(formula)}
    return format_formula(map_atoms(formula, spelling))
