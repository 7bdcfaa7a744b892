"""The quirks of ``eai-eval`` 1.0.5 on VirtualHome, each a named switch."""

from __future__ import annotations

from eai.semantics import Quirk, hooked

_READING = hooked(
    "reading",
    Quirk(
        "pattern_reader",
        'Takes every `"WORD": [text]` out of the answer by a pattern: truncated, nested or '
        "repeated structures pass, single quotes become double ones, an empty list `[]` is not "
        "seen at all, so the step disappears.",
        "The answer is read as the list of actions that it is; what is not readable is a "
        "parsing error (D.2, grammar errors).",
    ),
    Quirk(
        "ids_required",
        "Objects must be given as name, id, name, id; a list of odd length is a parsing error.",
        "A name without id means an object of that class (the paper's own prompts and outputs "
        "have no ids).",
    ),
    Quirk(
        "parsing_counted_twice",
        "A list that is not JSON counts two parsing errors for one answer.",
        "One answer has at most one parsing error.",
    ),
    Quirk(
        "relevant_objects_only",
        "An answer may mention only objects that differ, themselves or in a relation, between "
        "the initial and the annotated final scene; any other is a hallucination.",
        "An object of the environment is no hallucination (D.2, grammar errors).",
    ),
    Quirk(
        "plug_actions_rejected",
        "PLUGIN, PLUGOUT and RELEASE are hallucinated actions although the prompt offers them.",
        "All 42 actions of the simulator are known (N.2, Table 29).",
    ),
    Quirk(
        "lower_case_crash",
        "An action name that is not in upper case passes the vocabulary and then stops the run.",
        "Letter case does not matter.",
    ),
)

_SCORING = hooked(
    "scoring",
    Quirk(
        "gold_shortcut",
        "An answer equal to the annotated plan counts as executable and is not run: it is never "
        "successful and meets no goal.",
        "The annotated plan is evaluated like every other.",
    ),
    Quirk(
        "multi_relation_tasks_dropped",
        "A task with two or more distinct relation goals fails a self-test and is left out.",
        "All tasks that have a goal count.",
    ),
    Quirk(
        "goalless_tasks_counted",
        "A task without any goal counts, and every plan that passes the grammar checks solves it.",
        "A task without a goal cannot be solved or failed and is left out (338 of 342, Table 2).",
    ),
    Quirk(
        "success_without_execution",
        "The goals are tested on the state that was reached, also after a step failed.",
        "A task is solved if the plan runs to its end and the goal holds (2.5).",
    ),
    Quirk(
        "one_relation_goal",
        "Relation goals are tested up to the first one that holds.",
        "Every relation goal is tested on the final state (2.5).",
    ),
    Quirk(
        "action_goals_sorted",
        "The order of action goals is that of a set of strings, which changes with the hash "
        "seed; fixed here as alphabetical, which is what seed 0 gives for every task.",
        "Action goals must occur in the annotated order (2.5).",
    ),
    Quirk(
        "action_goals_by_text",
        "An action goal is searched as a substring of the text of the steps that were done; the "
        "alternative that is named first is taken wherever it occurs.",
        "An action goal is met by a step whose action is one of the alternatives.",
    ),
)

_ERRORS = hooked(
    "errors",
    Quirk(
        "executor_order",
        "The first test that fails in the executor decides the kind of error; nearness is tested "
        "before affordance, a closed container is an affordance error, an unplugged or open "
        "device an additional step.",
        "Affordance, then additional step, then precondition (Figure 19).",
    ),
    Quirk(
        "recorded_preconditions",
        "Whether a precondition held earlier is looked up for what the executor recorded: a "
        "direct neighbour for nearness, the object itself being open for a closed container, "
        "nothing at all for a full seat or a missing knife.",
        "It is looked up for the precondition that failed (Figure 19).",
    ),
)

_WORLD = hooked(
    "world",
    Quirk(
        "held_left_behind",
        "Objects in the hands stay inside the room that the character leaves.",
        "Objects in the hands come along.",
    ),
    Quirk(
        "first_neighbour",
        "Grabbing something that is on or in nothing remembers an arbitrary neighbour as its "
        "place and goes next to it; fixed here as the first in the order of a set of ids.",
        "Its room is its place.",
    ),
    Quirk(
        "first_room",
        "Of several rooms an arbitrary one counts; fixed here as the first in the order of a set "
        "of ids.",
        "An object is in every room that it is inside.",
    ),
    Quirk(
        "grab_memory",
        "Something counts as grabbed as long as its place is remembered, also after it was put "
        "on or poured.",
        "Something is grabbed while a hand holds it.",
    ),
    Quirk(
        "standing_keeps_seat",
        "Who stands up stays on the seat, and the seat stays occupied.",
        "Standing up leaves the seat.",
    ),
    Quirk(
        "silent_putobjback",
        "PUTOBJBACK to a place out of reach succeeds and does nothing.",
        "The step fails: the place must be in reach.",
    ),
)

QUIRKS = _READING | _SCORING | _ERRORS | _WORLD

DYNAMICS = frozenset(_WORLD)
"""Quirks that are variations of the simulated world."""

_GOAL_READING = hooked(
    "reading",
    Quirk(
        "goals_as_json",
        "The answer must be one JSON object, but for a code fence in front, line breaks and "
        "single quotes; its goals are what stands under three fixed keys, in a fixed form.",
        "The goals are read in whatever usual form they are written (D.1, grammatical errors).",
    ),
    Quirk(
        "unparsed_goals_skipped",
        "An answer that is not JSON is left out: none of the task's goals counts as missed.",
        "No goal is found in such an answer, and all are missed (2.3, recall).",
    ),
    Quirk(
        "unusual_goals_crash",
        "JSON of another form (a list, null for a goal, an action that is not text) stops the run.",
        "It is an answer with wrong goals, or without any.",
    ),
)

_GOAL_NAMES = hooked(
    "names",
    Quirk(
        "goal_names_exact",
        "Names are compared letter by letter, only classes are names of objects; a state, a "
        "relation or an action that does not exist is wrong, but no hallucination.",
        "Letter case and punctuation do not matter, an id may stand behind the class, and every "
        "name that does not exist is a hallucination (D.1).",
    ),
    Quirk(
        "one_object_per_name",
        "A name means one relevant object of its class, the last one of a set whose order changes "
        "with the hash seed; fixed here as the one with the highest id. Goals about another "
        "object of the class cannot be found.",
        "A name without id can mean any object of its class; as many goals are found as can be, "
        "each by a goal of its own (2.3).",
    ),
)

_GOAL_COUNTING = hooked(
    "counting",
    Quirk(
        "unusable_goals_ignored",
        "A goal that lacks a key or names an unknown object is not counted.",
        "It is an element of the answer that is no goal of the task (2.3).",
    ),
    Quirk(
        "goal_copies_counted",
        "Goals that differ only in a remark (an action's description) count one by one, also if "
        "all of them find the same goal; more can be found than there are.",
        "A goal is a set: what is said twice counts once (2.3).",
    ),
    Quirk(
        "actions_one_by_one",
        "Each action counts on its own, in any order.",
        "The sequence of actions is one element (2.3).",
    ),
    Quirk(
        "actions_found_again",
        "Two alternatives of one demanded action both count as found, so that more can be found "
        "than there are.",
        "A demanded action is found once.",
    ),
)

GOAL_INTERPRETATION_QUIRKS = _GOAL_READING | _GOAL_NAMES | _GOAL_COUNTING

_SUBGOAL_READING = hooked(
    "reading",
    Quirk(
        "subgoal_pattern_reader",
        "Takes the first pair of braces without braces in it, reads it as JSON, and drops the "
        "entries of its list `output` that have no `NAME(...)` in them without a word.",
        "The answer is read as the list of subgoals that it is; what is not readable is a "
        "parsing error (D.2, grammar errors).",
    ),
    Quirk(
        "subgoal_alternative_drawn",
        "Cuts an entry at every ` or `, whatever the parentheses, and goes on with one of the "
        "pieces, drawn at random; fixed here as the first one.",
        "All alternatives are tried (2.4: the maximum over all ways to reach a subgoal).",
    ),
    Quirk(
        "subgoal_vocabulary",
        "Knows 20 actions and 40 predicates, in upper case only; POUR and STANDUP are "
        "hallucinated.",
        "All predicates and actions of the world are known, in any letter case.",
    ),
    Quirk(
        "goal_in_subgoal_vocabulary",
        "Where the goal has an action that the subgoals may not use, no answer is parseable.",
        "The goal is read with all actions of the world.",
    ),
    Quirk(
        "subgoal_ids_required",
        "A name without id passes if the scene has an object of that class; as soon as it is "
        "used the answer is not parseable.",
        "A name without id means an object of that class.",
    ),
)

_SUBGOAL_ACTIONS = hooked(
    "actions",
    Quirk(
        "subgoal_templates",
        "Each literal becomes one or two fixed lists of actions, or none; nothing is searched. "
        "Negations, quantifiers and crashes of an executor make the answer unparseable.",
        "Actions that reach a subgoal are searched breadth-first in the world (2.4, D.3).",
    ),
)

_SUBGOAL_SCORING = hooked(
    "scoring",
    Quirk(
        "success_by_formula",
        "The task is solved if the goal formula holds on the trajectory, so a state may be lost "
        "again.",
        "The goal has to be met at the end, as in action sequencing (2.4: the same metrics).",
    ),
    Quirk(
        "action_goals_anywhere",
        "An action goal is met by a step anywhere, whatever the order.",
        "Action goals must occur in the annotated order (2.5).",
    ),
    Quirk(
        "additional_uncounted_if_unsolved",
        "Additional steps of a plan that runs to its end without reaching the goal are not "
        "counted.",
        "Every additional step counts.",
    ),
)

SUBGOAL_QUIRKS = _SUBGOAL_READING | _SUBGOAL_ACTIONS | _SUBGOAL_SCORING
