"""Proofs as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Any

from eai.logic.formula import TRUE, Formula
from eai.logic.proofs.nodes import Blame, Proof
from eai.logic.reasons.moments import Moments, only_actions, quoted

__all__ = ["facts", "outline", "proof_data"]

_DEEPEST = 60
"""Levels of an outline; a proof may be nested as deeply as its formula."""


def outline(proof: Proof, moments: Moments, *, most: int = 40) -> str:
    """Return a proof as an indented list: every judgement above what it rests on.

    What is seen at consecutive positions is one line.

    Args:
        proof: The proof.
        moments: Names the positions.
        most: Largest number of lines; what is left out is counted.
    """
    lines = list(islice(_lines([proof], moments, 0), most + 1))
    if len(lines) > most:
        lines[most:] = [f"... ({proof.size} judgements in all)"]
    return "\n".join(lines)


def _lines(proofs: Sequence[Proof], moments: Moments, depth: int) -> Iterator[str]:
    for group in _runs(proofs):
        first = group[0]
        yield "  " * depth + _judgement(first, group[-1], moments)
        if first.premises and depth < _DEEPEST:
            yield from _lines(first.premises, moments, depth + 1)


def _runs(proofs: Sequence[Proof]) -> Iterator[list[Proof]]:
    """Put together what is said of consecutive positions and needs no premises."""

    def kind(numbered: tuple[int, Proof]) -> tuple[object, ...]:
        number, proof = numbered
        if proof.position is None or proof.premises:
            return (number,)
        return id(proof.formula), proof.binding, proof.holds, proof.position - number

    for _, group in groupby(enumerate(proofs), kind):
        yield [proof for _, proof in group]


def _judgement(first: Proof, last: Proof, moments: Moments) -> str:
    formula = first.ground
    actions = only_actions(formula) and first.position is not None and not first.premises
    verb = ("happens" if first.holds else "does not happen") if actions else _verb(first)
    return f"{quoted(formula)} {verb}{_place(first, last, moments)}"


def _verb(proof: Proof) -> str:
    if proof.position is None:
        return "holds" if proof.holds else "fails"
    return "is true" if proof.holds else "is false"


def _place(first: Proof, last: Proof, moments: Moments) -> str:
    if first.position is not None and last.position is not None:
        shown = TRUE if first.premises else first.ground
        return f" {moments.span(first.position, last.position, shown)}"
    if first.start == first.end:
        return " on no position"
    if (first.start, first.end) == (0, moments.length):
        return ""
    return f" {moments.span(first.start, first.end - 1)}"


def facts(blamed: Sequence[Blame], moments: Moments) -> list[str]:
    """Return what a proof rests on in words, consecutive positions put together."""
    by_atom: dict[tuple[Formula, bool], list[int]] = {}
    for blame in sorted(blamed, key=lambda blame: blame.position):
        by_atom.setdefault((blame.atom, blame.holds), []).append(blame.position)
    found = []
    for (atom, holds), positions in by_atom.items():
        positive, negative = _VERBS[only_actions(atom)]
        for first, last in _spans(positions):
            verb = positive if holds else negative
            found.append(f"{quoted(atom)} {verb} {moments.span(first, last, atom)}")
    return found


_VERBS = {True: ("happened", "did not happen"), False: ("held", "did not hold")}


def _spans(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last of consecutive positions."""
    for _, group in groupby(enumerate(positions), lambda pair: pair[1] - pair[0]):
        run = [position for _, position in group]
        yield run[0], run[-1]


def proof_data(proof: Proof, moments: Moments, *, most: int = 10_000) -> dict[str, Any]:
    """Return a proof as plain data, each judgement once.

    Args:
        proof: The proof.
        moments: Names the positions.
        most: Largest number of judgements. Of those that are left out only the place in the
            list of premises is kept, as None.

    Returns:
        ``size``, and ``judgements``: a list in which every judgement stands before what it rests
        on, with the places of its premises in the list.
    """
    nodes = list(islice(proof.nodes(), most))
    numbers = {id(node): number for number, node in enumerate(nodes)}
    return {
        "size": proof.size,
        "judgements": [
            {
                "formula": quoted(node.ground)[1:-1],
                "holds": node.holds,
                "start": node.start,
                "end": node.end,
                "position": node.position,
                "step": None if node.position is None else moments.number(node.position),
                "binding": dict(node.binding),
                "premises": [numbers.get(id(premise)) for premise in node.premises],
            }
            for node in nodes
        ],
    }
