"""Words of English for actions, and a small planning domain with right plans."""

from __future__ import annotations

from collections.abc import Sequence

WORDS = {
    # VirtualHome and the built-in households
    "walk": "walk to {0}",
    "run": "run to {0}",
    "find": "find {0}",
    "turnto": "turn to {0}",
    "sit": "sit on {0}",
    "lie": "lie on {0}",
    "standup": "stand up",
    "sleep": "sleep",
    "wakeup": "wake up",
    "grab": "grab {0}",
    "putback": "put {0} back on {1}",
    "putin": "put {0} in {1}",
    "drop": "drop {0}",
    "release": "release {0}",
    "pour": "pour {0} into {1}",
    "puton": "put on {0}",
    "putoff": "put off {0}",
    "open": "open {0}",
    "close": "close {0}",
    "switchon": "switch on {0}",
    "switchoff": "switch off {0}",
    "plugin": "plug in {0}",
    "plugout": "plug out {0}",
    "lookat": "look at {0}",
    "pointat": "point at {0}",
    # the tea room below
    "go": "go from {0} to {1}",
    "take": "take {0} in {1}",
    "serve": "serve {0} in {1}",
    "brew-tea": "brew tea in {0}",
}
SIDES = ("left", "right")


def in_words(name: str, arguments: Sequence[str]) -> str:
    """Return an action as a sentence would say it: ``walk to light.34``."""
    hand = name.partition("_")[0]
    if hand in SIDES:
        action = name.removeprefix(f"{hand}_").replace("_", " ")
        return f"{action} {' '.join(arguments)} with the {hand} hand"
    plain = f"{name.replace('_', ' ')} {' '.join('{}' for _ in arguments)}".strip()
    return WORDS.get(name, plain).format(*arguments)


PDDL_DOMAIN = """
(define (domain tea-room)
  (:types room pot)
  (:predicates (in ?r - room) (at ?p - pot ?r - room) (held ?p - pot) (free) (next ?a ?b - room)
               (kitchen ?r - room) (hot ?p - pot) (served ?p - pot ?r - room))
  (:action go
    :parameters (?from ?to - room)
    :precondition (and (in ?from) (next ?from ?to))
    :effect (and (not (in ?from)) (in ?to)))
  (:action take
    :parameters (?p - pot ?r - room)
    :precondition (and (in ?r) (at ?p ?r) (free))
    :effect (and (held ?p) (not (at ?p ?r)) (not (free))))
  (:action brew-tea
    :parameters (?p - pot)
    :precondition (held ?p)
    :effect (hot ?p))
  (:action serve
    :parameters (?p - pot ?r - room)
    :precondition (and (in ?r) (held ?p) (hot ?p))
    :effect (and (served ?p ?r) (at ?p ?r) (free) (not (held ?p)))))
"""


def _problem(name: str, start: str, pots: str, goal: str) -> str:
    return f"""
(define (problem {name}) (:domain tea-room)
  (:objects hall kitchen_1 parlour - room pot_a pot_b - pot)
  (:init (in {start}) (free) (kitchen kitchen_1) {pots}
    (next hall kitchen_1) (next kitchen_1 hall) (next hall parlour) (next parlour hall))
  (:goal {goal}))
"""


BOTH = "(at pot_a kitchen_1) (at pot_b hall)"
PDDL_PROBLEMS = {
    "one-pot": _problem("one-pot", "hall", BOTH, "(served pot_a hall)"),
    "parlour": _problem("parlour", "parlour", BOTH, "(served pot_b parlour)"),
    "far": _problem("far", "kitchen_1", BOTH, "(served pot_a parlour)"),
    "two-pots": _problem(
        "two-pots", "kitchen_1", BOTH, "(and (served pot_a hall) (served pot_b parlour))"
    ),
}
PDDL_PLANS = {
    "one-pot": "go hall kitchen_1\ntake pot_a kitchen_1\nbrew-tea pot_a\n"
    "go kitchen_1 hall\nserve pot_a hall",
    "parlour": "go parlour hall\ntake pot_b hall\nbrew-tea pot_b\n"
    "go hall parlour\nserve pot_b parlour",
    "far": "take pot_a kitchen_1\nbrew-tea pot_a\ngo kitchen_1 hall\n"
    "go hall parlour\nserve pot_a parlour",
    "two-pots": "take pot_a kitchen_1\nbrew-tea pot_a\ngo kitchen_1 hall\nserve pot_a hall\n"
    "take pot_b hall\nbrew-tea pot_b\ngo hall parlour\nserve pot_b parlour",
}
