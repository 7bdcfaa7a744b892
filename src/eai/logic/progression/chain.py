"""The parts of a ``then``: concatenation of what the links accept.

Every state of a link's machine becomes an obligation, "the rest is accepted from here, followed
by the other links". More than one of them may be pending, as the cut is not known yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from eai.logic.progression.diagrams import FALSE, TRUE
from eai.logic.progression.machine import Machine, includes
from eai.logic.progression.obligations import Obligations

__all__ = ["Meaning", "chained"]


class Meaning(NamedTuple):
    """What a formula says of the rest of a trajectory.

    Args:
        now: A function of the next letter and of obligations: whether it holds if there is one.
        empty: Whether it holds if there are no more positions: a function without variables.
    """

    now: int
    empty: int


def chained(obligations: Obligations, links: Sequence[Machine]) -> Meaning:
    """Return the meaning of a chain: the rest can be cut so that each link accepts its piece.

    Args:
        obligations: Where the chain's obligations are entered.
        links: The minimal machines of the links.
    """
    rest = Meaning(FALSE, TRUE)
    extensible = False
    for link in reversed(links):
        rest = _before(obligations, link, rest, extensible=extensible)
        extensible = _is_extensible(link)
    return rest


def _before(obligations: Obligations, link: Machine, rest: Meaning, *, extensible: bool) -> Meaning:
    """Put a link in front of the rest of the chain.

    Args:
        obligations: Where obligations are entered.
        link: The link's machine.
        rest: The rest of the chain.
        extensible: Whether more positions at the front never make the rest fail.
    """
    diagrams = obligations.diagrams
    at_end = [accepts and rest.empty == TRUE for accepts in link.accepting]
    pending: dict[int, int] = {}
    for state, accepts in enumerate(link.accepting):
        if not link.is_trap(state) or (accepts and not extensible and rest.now != FALSE):
            pending[state] = obligations.reserve(kept=at_end[state])
    # A trap that accepts and is followed by what may begin late: waiting gains nothing.
    rest_later = obligations.promise(rest.now, kept=rest.empty == TRUE)
    trap = TRUE if rest == (FALSE, TRUE) else rest_later

    def follow(leaf: int) -> int:
        state = cast("int", diagrams.value(leaf))
        return pending.get(state, trap if link.accepting[state] else FALSE)

    memo: dict[int, int] = {}
    now = []
    for state, accepts in enumerate(link.accepting):
        stay = diagrams.convert(link.roots[state], follow, memo)
        now.append(diagrams.either(stay, rest.now) if accepts else stay)
    for state, obligation in pending.items():
        obligations.settle(obligation, now[state])
    return Meaning(now[0], int(at_end[0]))


def _is_extensible(link: Machine) -> bool:
    """Whether a word that is accepted stays so with anything put in front of it."""
    return all(includes(link, state, 0) for state in link.successors(0))
