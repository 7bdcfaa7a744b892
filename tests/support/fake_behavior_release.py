"""A wheel like the official one, with two tiny BEHAVIOR demos."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

EVALUATION = "behavior_eval/evaluation"
GOALS = f"{EVALUATION}/goal_interpretation/resources/data"
PROMPTS = f"{EVALUATION}/action_sequencing/resources/prompts/helm_prompts.json"
PLANS = f"{EVALUATION}/action_sequencing/resources/human_annotations"
VOCABULARY = f"{EVALUATION}/subgoal_decomposition/resources/base_vocabulary.json"
TERMS = f"{EVALUATION}/subgoal_decomposition/resources/error_list_dict.json"
DEFINITIONS = f"{EVALUATION}/transition_modeling/resources/pddl_behavior"
STATS = "behavior_eval/data/demo_stats.json"
DEMOS = "behavior_eval/data/demo_names.json"

SLICE = "slicing_fruit_0_Rs_int_0_2021-01-01_00-00-00"
MAIL = "sorting_mail_0_Rs_int_0_2021-01-02_00-00-00"

STATES: dict[str, dict[str, list[str]]] = {
    SLICE: {
        "peach.n.03_1": ["Sliced", "Frozen"],
        "knife.n.01_1": ["Dusty"],
        "floor.n.01_1": ["Stained"],
        "carton.n.02_1": ["Open"],
    },
    MAIL: {
        "envelope.n.01_1": [],
        "envelope.n.01_2": [],
        "towel.n.01_1": ["Soaked", "ToggledOn"],
        "carton.n.02_1": ["Open"],
    },
}
NAMES = {
    SLICE: ["peach_7", "table_knife_0", "room_floor_kitchen_0", "carton_3"],
    MAIL: ["envelope_143", "envelope_144", "hand_towel_1", "carton_0"],
}
INITIAL: dict[str, list[list[Any]]] = {
    SLICE: [
        ["ontop", "knife.n.01_1", "carton.n.02_1"],
        ["onfloor", "peach.n.03_1", "floor.n.01_1"],
        ["inside", "peach.n.03_1", "carton.n.02_1"],
        ["frozen", "peach.n.03_1"],
        ["not", ["dusty", "knife.n.01_1"]],
        ["onfloor", "agent.n.01_1", "floor.n.01_1"],
    ],
    MAIL: [["toggled_on", "towel.n.01_1"], ["not", ["open", "carton.n.02_1"]]],
}
OPTIONS: dict[str, list[list[list[Any]]]] = {
    SLICE: [[[["sliced", "peach.n.03_1"]]], [[["not", ["open", "carton.n.02_1"]]]]],
    MAIL: [
        [
            [["touching", "envelope.n.01_1", "envelope.n.01_2"]],
            [["touching", "envelope.n.01_2", "envelope.n.01_1"]],
        ]
    ],
}
DEFINED = {
    SLICE: "(define (problem x) ; of (the) peach\n (:goal (and (sliced ?Peach.n.03_1) ; soft\n"
    "   (forall (?carton.n.02 - carton.n.02) (not (open ?carton.n.02) ) )\n ) ) ) )\n",
    MAIL: "(:goal (exists (?envelope.n.01 - envelope.n.01)"
    " (ontop ?envelope.n.01 envelope.n.01_2)))",
}
SAID: dict[str, list[tuple[list[str], bool]]] = {
    SLICE: [
        (["sliced", "peach.n.03_1"], False),
        (["forall", "carton.n.02", "-", "carton.n.02", "not", "open", "carton.n.02"], True),
    ],
    MAIL: [(["nextto", "envelope.n.01_1", "envelope.n.01_2"], True)],
}
STEPS = {
    SLICE: [("RIGHT_REALEASE", "peach_7"), ("LEFT_PLACE_NEXTTO_ONTOP", "carton_3, peach_7")],
    MAIL: [("LEFT_GRASP", "envelope_143")],
}


def prompt(demo: str) -> str:
    """A prompt: a worked example, and the demo's own objects."""
    names = zip(NAMES[demo], STATES[demo], strict=True)
    lines = [f"{{'name': '{n}', 'category': '{b.rpartition('_')[0]}'}}\n" for n, b in names]
    return (
        "interactable objects:\n{'name': 'rag_0', 'category': 'rag.n.01'}\n\nYour task:\n"
        f"initial environment state:\n['x']\n\ninteractable objects:\n{''.join(lines)}\nOutput:\n"
    )


def contents() -> dict[str, str]:
    """File name in the wheel to text."""
    demos = [SLICE, MAIL]
    activities = {SLICE: "slicing_fruit", MAIL: "sorting_mail"}
    files: dict[str, Any] = {
        DEMOS: demos,
        STATS: {d: {"task": activities[d], "task_id": 0, "scene_id": "Rs_int"} for d in demos},
        f"{GOALS}/all_conditions.json": {
            demo: {
                "initial_conditions": {str(i): c for i, c in enumerate(INITIAL[demo], start=1)},
                "goal_conditions": {str(i): c for i, c in enumerate(OPTIONS[demo], start=1)},
            }
            for demo in demos
        },
        f"{GOALS}/all_objects.json": STATES,
        f"{GOALS}/instructions_by_activity_name.json": {
            "slicing_fruit": "Slice the peach.",
            "sorting_mail": "Sort the mail.",
        },
        f"{GOALS}/object_states.json": {
            "node_states": ["Open", "ToggledOn"],
            "edge_states": ["OnTop"],
        },
        PROMPTS: [{"identifier": demo, "llm_prompt": prompt(demo)} for demo in demos],
        VOCABULARY: {"action_param": {"left_grasp": 1, "left_place_nextto_ontop": 2}},
        TERMS: {
            demo: {"subgoals": [w for w, _ in said], "subgoal_success": [h for _, h in said]}
            for demo, said in SAID.items()
        },
    }
    for demo in demos:
        files[f"{PLANS}/{demo}.json"] = [{"action": a, "object": o} for a, o in STEPS[demo]]
    texts = {name: json.dumps(content) for name, content in files.items()}
    return texts | {f"{DEFINITIONS}/{demo}.pddl": text for demo, text in DEFINED.items()}


def write_wheel(path: Path, changed: dict[str, str | None] | None = None) -> Path:
    """Write the wheel; ``changed`` replaces files, or leaves them out where it says None."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, text in {**contents(), **(changed or {})}.items():
            if text is not None:
                wheel.writestr(zipfile.ZipInfo(name), text)
    return path
