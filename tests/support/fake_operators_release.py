"""A release with the operators of one task in each environment, made up for the tests."""

import json

RESOURCES = "virtualhome_eval/resources"
HEAD = "(define (domain d) (:types thing) (:predicates (on ?x - thing) (off ?x - thing))"
PROBLEM = (
    "(define (problem p) (:domain d) (:objects lamp - thing) (:init (off lamp)) (:goal (on lamp)))"
)
SWITCH = {
    "action_name": "switch_on",
    "action_parameters": "(?x - thing)",
    "action_preconditions": "(off ?x)",
    "action_effects": "(and (on ?x) (not (off ?x)))",
}


def contents(environment: str, task: str, *, folder: str = "") -> dict[str, str]:
    """File name in the wheel to text.

    Args:
        environment: ``"virtualhome"`` or ``"behavior"``.
        task: Its one task.
        folder: Folder of the task's problem; then the names of the tasks are there already.
    """
    lists = {
        "gold_action": {"switch_on": SWITCH},
        "predicates_category": {"on": "object_states", "off": "object_states"},
        "gold_pddl_plan": {task: ["switch_on lamp"]},
        "id2category_2": {task: ["object_states"]},
        "id2action": {task: ["switch_on"]},
        "success_task": [task],
        **({} if folder else {"id2task": {task: "Turn on"}}),
    }
    texts = {f"{name}.json": json.dumps(value) for name, value in lists.items()}
    texts |= {f"{environment}_pd.pddl": HEAD, f"problem_pddl/{folder}{task}.pddl": PROBLEM}
    return {f"{RESOURCES}/{environment}/{name}": text for name, text in texts.items()}
