"""Proofs of what is the case on a trajectory.

A proof is a tree of *judgements*. A judgement says of a formula, under a binding of its free
variables, that it is true or false: at a position of a part of the trajectory (which is a trace
of its own), or on the part as a whole, as goals are read. The premises of a judgement, by the
rule of its outermost connective, suffice for it; a leaf needs none. The size of a proof is the
number of its judgements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from eai.logic.formula import ActionAtom, Atom, Formula, free_variables, substitute

__all__ = ["Blame", "Bound", "Proof"]

Bound = tuple[tuple[str, str], ...]
"""Names of variables with the objects that they stand for."""


@dataclass(frozen=True, slots=True)
class Blame:
    """A proposition at a position that a proof rests on.

    Args:
        atom: The proposition, its variables replaced by their objects.
        position: The position.
        holds: Whether it is true there.
        binding: The variables of the formula that were replaced.
    """

    atom: Atom | ActionAtom
    position: int
    holds: bool
    binding: Bound = ()


class Proof:
    """A judgement with what proves it.

    Proofs are shared where the same judgement is needed twice, and their premises are worked out
    when they are first asked for: a proof may be far larger than what is kept of it.

    Args:
        formula: What it is about; a part of the formula that is explained, as it stands there.
        holds: Whether the formula is true.
        start: First position of the part of the trajectory in which it is judged.
        end: Position after the last one of that part.
        position: Where it is judged; None if the judgement is about the part as a whole.
        binding: The objects of the variables around it.
        size: Number of judgements in the proof, counted as often as they are needed.
        premises: The proofs that it rests on, or a function that makes them.
    """

    __slots__ = ("_premises", "binding", "end", "formula", "holds", "position", "size", "start")

    def __init__(
        self,
        formula: Formula,
        holds: bool,
        *,
        start: int,
        end: int,
        position: int | None,
        binding: Bound = (),
        size: int = 1,
        premises: tuple[Proof, ...] | Callable[[], tuple[Proof, ...]] = (),
    ) -> None:
        self.formula = formula
        self.holds = holds
        self.start = start
        self.end = end
        self.position = position
        self.binding = binding
        self.size = size
        self._premises = premises

    @property
    def premises(self) -> tuple[Proof, ...]:
        """The proofs that this one rests on, in order of time or of the formula."""
        if not isinstance(self._premises, tuple):
            self._premises = self._premises()
        return self._premises

    @property
    def ground(self) -> Formula:
        """The formula with its free variables replaced by their objects."""
        free = {variable.name for variable in free_variables(self.formula)}
        return substitute(self.formula, {n: o for n, o in self.binding if n in free})

    def nodes(self) -> Iterator[Proof]:
        """Yield every judgement once, each before what it rests on."""
        seen = {id(self)}
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            for premise in reversed(node.premises):
                if id(premise) not in seen:
                    seen.add(id(premise))
                    pending.append(premise)

    def blamed(self) -> tuple[Blame, ...]:
        """Return the propositions that the proof rests on, each once, in order of the proof.

        What they say is enough for the verdict: every trajectory over the same objects and
        positions on which they have these values has the same verdict.
        """
        return tuple(dict.fromkeys(filter(None, map(_blame, self.nodes()))))

    def __repr__(self) -> str:
        place = f"{self.start}..{self.end}" if self.position is None else str(self.position)
        kind = type(self.formula).__name__
        return (
            f"<Proof that {kind} is {str(self.holds).lower()} at {place}: {self.size} judgements>"
        )


def _blame(proof: Proof) -> Blame | None:
    if proof.position is None or not isinstance(proof.formula, (Atom, ActionAtom)):
        return None
    names = dict(proof.binding)
    free = tuple((v.name, names[v.name]) for v in sorted(free_variables(proof.formula), key=str))
    atom = proof.ground
    if not isinstance(atom, (Atom, ActionAtom)):  # substituting keeps the kind of a node
        return None
    return Blame(atom, proof.position, proof.holds, free)
