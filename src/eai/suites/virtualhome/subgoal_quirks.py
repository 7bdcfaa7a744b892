"""The quirks of ``eai-eval`` 1.0.5 on VirtualHome subgoal decomposition, each a named switch."""

from __future__ import annotations

from eai.semantics import Quirk

__all__ = ["SUBGOAL_QUIRKS"]

_ALL = (
    # ---- reading the answer
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
    # ---- from subgoals to actions
    Quirk(
        "subgoal_templates",
        "Each literal becomes one or two fixed lists of actions, or none; nothing is searched. "
        "Negations, quantifiers and crashes of an executor make the answer unparseable.",
        "Actions that reach a subgoal are searched breadth-first in the world (2.4, D.3).",
    ),
    # ---- the verdict
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

SUBGOAL_QUIRKS = {quirk.name: quirk for quirk in _ALL}
