"""A check of proofs that knows nothing of how they are found.

Every judgement is checked against the definition of its outermost connective: its premises have to
be about the right formulas, at the right positions, under the right bindings, and have to suffice.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from eai.logic.formula import (
    ActionAtom,
    And,
    Atom,
    Count,
    Equal,
    Exists,
    First,
    Forall,
    Formula,
    ForPairs,
    Iff,
    Implies,
    Last,
    Not,
    Or,
    Then,
    Truth,
    Variable,
    Xor,
    bound_variables,
    children,
    has_linear,
    has_then,
    walk,
)
from eai.logic.pairing import paired
from eai.logic.proofs.nodes import Proof
from eai.logic.proofs.rules import TIME, suffices
from eai.logic.trace import Trajectory

__all__ = ["check_proof"]

_Claim = tuple[Formula, bool]


def check_proof(proof: Proof, trajectory: Trajectory) -> bool:
    """Say whether every judgement of a proof follows from its premises or from the trajectory.

    Args:
        proof: The proof; its size is checked, too.
        trajectory: The trajectory that it is about.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
    """
    checker = _Checker(trajectory)
    return all(checker.follows(node) for node in proof.nodes())


class _Checker:
    """Checks single judgements."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory

    def follows(self, proof: Proof) -> bool:
        if not 0 <= proof.start <= proof.end <= self.trajectory.length:
            return False
        if proof.size != 1 + sum(premise.size for premise in proof.premises):
            return False
        if proof.position is None:
            return self._on_part(proof)
        return proof.start <= proof.position < proof.end and self._at_position(proof)

    def _at_position(self, proof: Proof) -> bool:
        node = proof.formula
        if isinstance(node, (Truth, Atom, ActionAtom, Equal, Last, First)):
            return not proof.premises and self._seen(proof) == proof.holds
        if isinstance(node, Then):
            place = (proof.position, proof.end, None)
            return _are(proof.premises, [(node, proof.holds)], [place], proof)
        if type(node) in TIME:
            return self._in_time(proof)
        same = (proof.start, proof.end, proof.position)
        return self._connective(proof, same)

    def _seen(self, proof: Proof) -> bool:
        node, names = proof.formula, dict(proof.binding)
        position = proof.position or 0
        if isinstance(node, Truth):
            return node.value
        if isinstance(node, (Last, First)):
            return position == (proof.end - 1 if isinstance(node, Last) else proof.start)
        terms = (node.left, node.right) if isinstance(node, Equal) else _terms(node)
        objects = tuple(names[term.name] if isinstance(term, Variable) else term for term in terms)
        if isinstance(node, Atom):
            return bool(self.trajectory.history(node.predicate, objects) >> position & 1)
        if isinstance(node, ActionAtom):
            return bool(self.trajectory.occurrences(node.action, objects) >> position & 1)
        return objects[0] == objects[1]

    def _connective(self, proof: Proof, place: tuple[int, int, int | None]) -> bool:
        """Connectives and quantifiers: all premises are about the same place."""
        node, holds, premises = proof.formula, proof.holds, proof.premises
        if any((p.start, p.end, p.position) != place for p in premises):
            return False
        if isinstance(node, (Forall, Exists, Count, ForPairs)):
            return self._quantifier(proof)
        if any(premise.binding != proof.binding for premise in premises):
            return False
        claims = [(premise.formula, premise.holds) for premise in premises]
        if isinstance(node, Not):
            return claims == [(node.operand, not holds)]
        if isinstance(node, (Iff, Xor)):
            return _both_sides(node, holds, claims)
        if isinstance(node, Implies):
            wanted = [(node.left, False), (node.right, True)]
            return _some(wanted, claims) if holds else _all(wanted, claims)
        assert isinstance(node, (And, Or))  # noqa: S101 - the other nodes have rules of their own
        every = isinstance(node, And) == holds
        wanted = [(operand, holds) for operand in node.operands]
        return claims == wanted if every else _some(wanted, claims)

    def _quantifier(self, proof: Proof) -> bool:
        node, holds, premises = proof.formula, proof.holds, proof.premises
        assert isinstance(node, (Forall, Exists, Count, ForPairs))  # noqa: S101 - the caller has asked
        bound = bound_variables(node)
        ranges = [self.trajectory.objects(variable.types) for variable in bound]
        names = [variable.name for variable in bound]
        bindings = [
            (*proof.binding, *zip(names, choice, strict=True)) for choice in product(*ranges)
        ]
        given = [premise.binding for premise in premises]
        if any(premise.formula != node.body for premise in premises):
            return False
        if len(set(given)) < len(given) or not set(given) <= set(bindings):
            return False
        if isinstance(node, ForPairs):
            return _pairs(node, proof, ranges)
        true = sum(premise.holds for premise in premises)
        if isinstance(node, Count):
            return _counts(node, holds, true, len(given) - true, len(bindings))
        agree = isinstance(node, Forall) == holds
        values = {premise.holds for premise in premises}
        return values <= {holds} and (set(given) == set(bindings) if agree else len(given) == 1)

    def _in_time(self, proof: Proof) -> bool:
        """Operators of linear temporal logic: the rule says what has to be proved where."""
        node, premises = proof.formula, proof.premises
        if any(
            (p.start, p.end, p.binding) != (proof.start, proof.end, proof.binding) for p in premises
        ):
            return False
        kind, back = TIME[type(node)]
        here = proof.position or 0
        rest = here - proof.start if back else proof.end - 1 - here
        claims = []
        for premise in premises:
            if premise.position is None:
                return False
            distance = here - premise.position if back else premise.position - here
            claims.append((premise.formula, premise.holds, distance))
        return suffices(kind, children(node), claims, holds=proof.holds, rest=rest)

    def _on_part(self, proof: Proof) -> bool:
        node, start, end = proof.formula, proof.start, proof.end
        if type(node) in TIME or not has_then(node):
            return self._without_then(proof)
        if isinstance(node, Then):
            return self._chain(proof)
        return self._connective(proof, (start, end, None))

    def _without_then(self, proof: Proof) -> bool:
        node, holds, start, end = proof.formula, proof.holds, proof.start, proof.end
        if start == end:
            return not holds and not proof.premises
        if has_linear(node):
            return _are(proof.premises, [(node, holds)], [(start, end, start)], proof)
        positions = [premise.position for premise in proof.premises]
        whole = (0, self.trajectory.length)
        if holds:
            fits = len(positions) == 1 and start <= (positions[0] or 0) < end
        else:
            fits = positions == list(range(start, end))
        return fits and _are(
            proof.premises,
            [(node, holds)] * len(positions),
            [(*whole, position) for position in positions],
            proof,
        )

    def _chain(self, proof: Proof) -> bool:
        links = _flat(proof.formula)
        pieces = [(premise.start, premise.end, premise.position) for premise in proof.premises]
        used = [premise.formula for premise in proof.premises]
        right = [(link, proof.holds) for link in used]
        if not _are(proof.premises, right, pieces, proof) or any(p[2] is not None for p in pieces):
            return False
        if proof.holds:
            return used == links and _ends(pieces, proof, gap=0)
        if _segments(links, used) and _ends(pieces, proof, gap=1):
            return True
        return _every_cut(links, proof)


def _terms(node: Formula) -> Sequence[Variable | str]:
    return node.terms if isinstance(node, (Atom, ActionAtom)) else ()


def _are(
    premises: Sequence[Proof],
    claims: Sequence[_Claim],
    places: Sequence[tuple[int | None, int, int | None]],
    proof: Proof,
) -> bool:
    """Whether the premises say these things, at these places, under the binding of the proof."""
    return [(p.formula, p.holds, p.start, p.end, p.position, p.binding) for p in premises] == [
        (*claim, *place, proof.binding) for claim, place in zip(claims, places, strict=True)
    ]


def _all(wanted: Sequence[_Claim], claims: Sequence[_Claim]) -> bool:
    """Whether all the wanted claims are denied, in order: what makes an implication false."""
    return list(claims) == [(formula, not holds) for formula, holds in wanted]


def _some(wanted: Sequence[_Claim], claims: Sequence[_Claim]) -> bool:
    return len(claims) == 1 and claims[0] in wanted


def _both_sides(node: Iff | Xor, holds: bool, claims: Sequence[_Claim]) -> bool:
    if [formula for formula, _ in claims] != [node.left, node.right]:
        return False
    equal = claims[0][1] == claims[1][1]
    return equal == (isinstance(node, Iff) == holds)


def _counts(node: Count, holds: bool, true: int, false: int, objects: int) -> bool:
    """Whether so many true and so many false instances among all objects decide the count."""
    least, most = true, objects - false
    if node.comparison == "at least":
        return least >= node.number if holds else most < node.number
    if node.comparison == "at most":
        return most <= node.number if holds else least > node.number
    if holds:
        return least == most == node.number
    return least > node.number or most < node.number


def _pairs(node: ForPairs, proof: Proof, ranges: Sequence[Sequence[str]]) -> bool:
    """Whether there are enough pairs among those shown, or too few among the others."""
    firsts, seconds = ranges
    if any(premise.holds != proof.holds for premise in proof.premises):
        return False
    shown = {(p.binding[-2][1], p.binding[-1][1]) for p in proof.premises}
    pairs = shown if proof.holds else {*product(firsts, seconds)} - shown
    possible = {(a, b): 1 for a, b in pairs if a != b}
    enough = paired((firsts, seconds), possible, number=node.number, full=1)
    alone = len({name for pair in shown for name in pair}) == 2 * len(shown)
    return bool(enough) == proof.holds and (alone or not proof.holds)


def _flat(node: Formula) -> list[Formula]:
    """The links of a chain; chains inside it mean the same as flat ones."""
    found: list[Formula] = []
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, Then):
            pending += reversed(node.operands)
        else:
            found.append(node)
    return found


def _ends(pieces: Sequence[tuple[int, int, int | None]], proof: Proof, *, gap: int) -> bool:
    """Whether the pieces follow each other from the start to the end of the part."""
    starts = [proof.start, *(end + gap for _, end, _ in pieces)]
    goal = proof.end + (gap if pieces else 0)
    return starts[-1] == goal and [start for start, _, _ in pieces] == starts[:-1]


def _segments(links: Sequence[Formula], used: Sequence[Formula]) -> bool:
    """Whether some of the links are used, in order, and all links are lasting."""
    remaining = iter(links)
    in_order = all(any(link == each for each in remaining) for link in used)
    return bool(used) and in_order and all(map(_stays, links))


def _stays(link: Formula) -> bool:
    """Whether the link cannot be lost by making a part longer: no negation above a ``then``."""
    fickle = (Not, Implies, Iff, Xor, Count, ForPairs)
    return not has_linear(link) and not any(
        has_then(node) and (isinstance(node, fickle) or node == Then(())) for node in walk(link)
    )


def _every_cut(links: Sequence[Formula], proof: Proof) -> bool:
    """Whether for every cut the first link fails before it, or the others after it."""
    if not links:
        return proof.start < proof.end and not proof.premises
    found = [(p.formula, p.start, p.end) for p in proof.premises]
    if len(links) == 1:
        return found == [(links[0], proof.start, proof.end)]
    rest = links[1] if len(links) == 2 else Then(tuple(links[1:]))
    return len(found) == proof.end - proof.start + 1 and all(
        premise in ((links[0], proof.start, cut), (rest, cut, proof.end))
        for cut, premise in enumerate(found, proof.start)
    )
