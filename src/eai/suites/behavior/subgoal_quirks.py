"""The quirks of ``eai-eval`` 1.0.5 on BEHAVIOR subgoal decomposition, each a named switch."""

from __future__ import annotations

from eai.semantics import Quirk

__all__ = ["SUBGOAL_QUIRKS"]

_ALL = (
    # ---- reading the answer
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
    # ---- from subgoals to actions
    Quirk(
        "subgoal_templates",
        "Each literal becomes one fixed list of actions, or none; the right hand is emptied "
        "where a hand is needed and none is free. Nothing is searched.",
        "Actions that reach a subgoal are searched breadth-first in the world (2.4, D.3).",
    ),
    # ---- the verdict
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

SUBGOAL_QUIRKS = {quirk.name: quirk for quirk in _ALL}
