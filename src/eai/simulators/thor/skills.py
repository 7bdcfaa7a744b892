"""The skills of household robots (pick, put, open, slice) as actions of the symbolic AI2-THOR.

``domains/thor/skills.pddl`` says what each skill of EB-ALFRED asks for beyond the action of the
engine that it leads to, ``controller_verbs.pddl`` the same of the verbs of SafeAgentBench. Each is
joined with the engine's domain into one, in which whole plans of skills are run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from eai.data import read_text
from eai.logic import And
from eai.pddl import AndEffect, Domain, parse_domain, with_phrases
from eai.simulators.thor.world import FORCED, ThorWorld, thor_domain
from eai.simulators.variations import redefined

_ENGINE_ACTIONS = {
    "pick": "pickup_object",
    "put": "put_object",
    "drop": "drop_hand_object",
    "open": "open_object",
    "close": "close_object",
    "slice": "slice_object",
    "turn_on": "toggle_object_on",
    "turn_off": "toggle_object_off",
}
"""Skill to the action of the engine whose preconditions and effects it adds to."""

_CONTROLLER_ACTIONS = {
    **_ENGINE_ACTIONS,
    "break": "break_object",
    "cook": "cook_object",
    "dirty": "dirty_object",
    "clean": "clean_object",
    "fill_liquid": "fill_object_with_liquid",
    "empty_liquid": "empty_liquid_from_object",
    "throw": "throw_object",
    "use_up": "use_up_object",
}
"""Verb of SafeAgentBench to the action of the engine whose preconditions and effects it adds to."""

# A placement is forced: how much a receptacle holds is not known.
_FORCED_PLACEMENT = dict.fromkeys(("welcome", "suited", "vacant", "fitting"), "(and)")

_KNIFE_IN_HAND = """(exists (?k) (and (holds ?a ?k)
  (or (exists (?n - Knife) (= ?n ?k)) (exists (?n - ButterKnife) (= ?n ?k)))))"""


@cache
def skill_domain(*, knife: bool = False) -> Domain:
    """Return the domain of AI2-THOR with skills in place of engine actions.

    Args:
        knife: Whether slicing asks for a knife in the hand, as in ALFRED.
    """
    joined = _joined("skills.pddl", _ENGINE_ACTIONS)
    bodies = dict(_FORCED_PLACEMENT)
    if knife:
        bodies["ready_to_slice"] = _KNIFE_IN_HAND
    return redefined(replace(joined, types={**joined.types, "cart": "thing"}), bodies)


@cache
def controller_domain() -> Domain:
    """Return the domain of AI2-THOR with the verbs of SafeAgentBench's controller.

    Placements are forced as the engine forces them (:data:`~eai.simulators.thor.world.FORCED`).
    """
    joined = _joined("controller_verbs.pddl", _CONTROLLER_ACTIONS)
    for name in ("phrases.json", "controller_phrases.json"):
        file = f"domains/thor/{name}"
        joined = with_phrases(joined, read_text(file), source=file)
    return redefined(joined, {name: FORCED[name] for name in ("put_in_reach", "welcome")})


def _joined(file: str, engine_actions: Mapping[str, str]) -> Domain:
    """Return the engine's domain with its actions replaced by the skills in a file.

    Args:
        file: Its name in ``domains/thor``.
        engine_actions: Skill to the action of the engine that it adds to; the other skills of the
            file stand for themselves.
    """
    engine_text = read_text("domains/thor/domain.pddl")
    skills_text = read_text(f"domains/thor/{file}")
    # The predicates of the skills are inserted before those of the engine, and the actions at the
    # end.
    predicates, _, actions = skills_text.partition("(:predicates")[2].partition(")\n\n")
    text = engine_text.replace("(:predicates", f"(:predicates {predicates}", 1).rstrip()
    joined_domain = parse_domain(f"{text.removesuffix(')')}\n{actions})", source=file)

    skill_names = (
        joined_domain.operators.keys() - thor_domain().operators.keys() - engine_actions.keys()
    )
    operators = {name: joined_domain.operators[name] for name in ("settle", *sorted(skill_names))}
    for name, engine_name in engine_actions.items():
        skill = joined_domain.operators[name]
        action = joined_domain.operators[engine_name]
        operators[name] = replace(
            skill,
            precondition=And((action.precondition, skill.precondition)),
            effect=AndEffect((action.effect, skill.effect)),
        )
    return replace(joined_domain, operators=operators)


@cache
def skill_world(*, knife: bool = False) -> ThorWorld:
    """Return the world in which skills are run (see :func:`skill_domain`)."""
    return ThorWorld(domain=skill_domain(knife=knife))
