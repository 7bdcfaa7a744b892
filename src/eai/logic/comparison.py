"""Equivalence, entailment, satisfiability and validity of formulas, with proof by example.

Idea: each question is whether some trajectory satisfies one formula (for equivalence, the exclusive
disjunction of the two). It is answered by a breadth-first search through the states of that
formula's progression, so the trajectory that is found is a shortest one. No automaton is made:
states that the search does not need are never worked out.

Cost: the states that are reached before a proof is found; all of them if there is none.

Trajectories are those of :class:`~eai.logic.Trajectory`: at least one position, at most one
action at a position, none at the last. Nothing else is known of the world: a state in which a cup
is both clean and dirty, and an action without its effects, count as possible.

Examples:
    >>> from eai.logic import equivalent, parse_formula
    >>> print(equivalent(parse_formula("G p()"), parse_formula("not F not p()")))
    equivalent on finite trajectories.
    >>> print(equivalent(parse_formula("X p()"), parse_formula("WX p()")))
    not equivalent on finite trajectories; on this trajectory the first fails and the second holds:
      0: nothing
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, cast, get_args

from eai.display import shown, stacked, table
from eai.errors import InputError
from eai.logic.algebra import Algebra
from eai.logic.automata import LIMIT, spelled
from eai.logic.expansion import Objects
from eai.logic.formula import ActionAtom, Proposition
from eai.logic.infinite import Tableau, holds_on, satisfying_lasso
from eai.logic.progression import Meaning, Progression
from eai.logic.progression.diagrams import FALSE, LEAF
from eai.logic.progression.machine import check_states
from eai.logic.progression.obligations import Obligations, State
from eai.logic.tree import Formula, Reading
from eai.nesting import on_own_stack

Word = tuple[frozenset[Proposition], ...]
"""The true propositions at each position."""

Relation = Literal["equivalent", "entails", "satisfiable", "valid"]
"""The question about two formulas."""

Traces = Literal["finite", "infinite"]
"""The trajectories that formulas are compared on: two semantics, neither of which implies the other
(``G F p`` and ``F G p`` are equivalent on finite trajectories only)."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer to a question about formulas, usable as a boolean.

    Args:
        relation: The question.
        holds: The answer.
        word: A shortest trajectory that proves it, as the set of true propositions at each
            position: one that satisfies the formula (``satisfiable``), that does not
            (``valid``), or on which the formulas have different verdicts; None if there is none.
        verdicts: The verdicts of the formulas on the word; empty without a word.
        traces: The trajectories that were looked at.
        loop: On infinite trajectories the position that comes after the last one of the word,
            0 for the first; None on finite ones, and without a word.
    """

    relation: Relation
    holds: bool
    word: Word | None = None
    verdicts: tuple[bool, ...] = ()
    traces: Traces = "finite"
    loop: int | None = None

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        lines = [self._headline]
        lines += [f"  {position}: {line}" for position, line in self._lines]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return stacked(shown(self._headline), table((), self._lines))

    @property
    def _headline(self) -> str:
        """The answer in words, with the formulas' values on the trajectory that proves it.

        For instance: "not equivalent on finite trajectories; on this trajectory the first holds and
        the second fails:".
        """
        answer = f"{_ANSWERS[self.relation][self.holds]} on {self.traces} trajectories"
        if self.word is None:
            return f"{answer}."
        if len(self.verdicts) == 1:
            return f"{answer}; the formula {_verdict_verb(self.verdicts[0])} on this trajectory:"
        left, right = map(_verdict_verb, self.verdicts)
        return f"{answer}; on this trajectory the first {left} and the second {right}:"

    @property
    def _lines(self) -> Iterator[tuple[int, str]]:
        """The positions of the word, each with its true propositions in words.

        A position reads "on(cup.1), open(door.1); then close(door.1)", its facts before its action.
        """
        for position, true_propositions in enumerate(self.word or ()):
            atoms = []
            actions = []
            for proposition in true_propositions:
                if isinstance(proposition, ActionAtom):
                    actions.append(f"then {spelled(proposition)}")
                else:
                    atoms.append(spelled(proposition))
            state = ", ".join(sorted(atoms)) or "nothing"
            # An infinite trajectory comes back to this position after its last one.
            if position == self.loop:
                actions.append("from here on it repeats itself")
            yield position, "; ".join([state, *actions])


# The words for a negative and for a positive answer.
_ANSWERS: dict[Relation, tuple[str, str]] = {
    "equivalent": ("not equivalent", "equivalent"),
    "entails": ("not entailed", "entailed"),
    "satisfiable": ("not satisfiable", "satisfiable"),
    "valid": ("not valid", "valid"),
}


def _verdict_verb(verdict: bool) -> str:
    """Return a verdict as a verb."""
    return "holds" if verdict else "fails"


def equivalent(
    left: Formula,
    right: Formula,
    *,
    objects: Objects = None,
    limit: int = LIMIT,
    reading: Reading | None = None,
    traces: Traces = "finite",
) -> Comparison:
    """Return whether two formulas hold on the same trajectories.

    Args:
        left: A closed formula.
        right: A closed formula.
        objects: The objects that quantifiers range over (see
            :func:`~eai.logic.automata.automaton`).
        limit: Largest number of states to look at.
        reading: How the formulas are read (see :func:`~eai.logic.automata.automaton`); infinite
            trajectories have the reading ``"ltlf"`` only: a formula is evaluated at the start.
        traces: The trajectories that count.

    Returns:
        The answer; if it is no, with a trajectory that satisfies one of them only: a shortest one,
        or an infinite one whose way into its loop is a shortest one.

    Raises:
        InputError: As :func:`~eai.logic.automata.automaton` raises it; and on infinite
            trajectories for ``then``, operators of the past, and counting quantifiers.
    """
    return _answer_question("equivalent", (left, right), objects, limit, reading, traces)


def entails(
    left: Formula,
    right: Formula,
    *,
    objects: Objects = None,
    limit: int = LIMIT,
    reading: Reading | None = None,
    traces: Traces = "finite",
) -> Comparison:
    """Return whether the second formula holds on every trajectory on which the first does.

    Args and raises: as for :func:`equivalent`.

    Returns:
        The answer; if it is no, with a shortest trajectory that satisfies the first only.
    """
    return _answer_question("entails", (left, right), objects, limit, reading, traces)


def satisfiable(
    formula: Formula,
    *,
    objects: Objects = None,
    limit: int = LIMIT,
    reading: Reading | None = None,
    traces: Traces = "finite",
) -> Comparison:
    """Return whether a formula holds on some trajectory.

    Args and raises: as for :func:`equivalent`.

    Returns:
        The answer; if it is yes, with a shortest trajectory on which the formula holds.
    """
    return _answer_question("satisfiable", (formula,), objects, limit, reading, traces)


def valid(
    formula: Formula,
    *,
    objects: Objects = None,
    limit: int = LIMIT,
    reading: Reading | None = None,
    traces: Traces = "finite",
) -> Comparison:
    """Return whether a formula holds on every trajectory.

    Args and raises: as for :func:`equivalent`.

    Returns:
        The answer; if it is no, with a shortest trajectory on which the formula fails.
    """
    return _answer_question("valid", (formula,), objects, limit, reading, traces)


@on_own_stack
def _answer_question(
    relation: Relation,
    formulas: tuple[Formula, ...],
    objects: Objects,
    limit: int,
    reading: Reading | None,
    traces: Traces,
) -> Comparison:
    """Answer a question by searching one trajectory: a witness or a counterexample.

    Args:
        relation: The question.
        formulas: The formula, or both formulas.
        objects: The objects that quantifiers range over.
        limit: Maximum number of states to look at.
        reading: How the formulas are read.
        traces: Whether trajectories are finite or infinite.
    """
    if traces == "infinite":
        return _answer_on_infinite_traces(relation, formulas, objects, limit, reading)
    if traces != "finite":
        raise InputError(f"there are no traces {traces!r}", expected=" or ".join(get_args(Traces)))
    # One progression for both formulas: they share letters, and equal parts are one diagram.
    progression = Progression(objects, limit=limit)
    meanings = [progression.meaning(formula, reading=reading) for formula in formulas]
    deciding_inputs = [meaning.now for meaning in meanings]
    deciding = _deciding_meaning(relation, deciding_inputs, progression.obligations)
    word = _shortest_word(progression, deciding, limit)
    # A trajectory proves that a formula is satisfiable, and refutes the other relations.
    is_proof = relation == "satisfiable"
    if word is None:
        return Comparison(relation, not is_proof)
    verdicts = tuple([_holds_on_word(progression, meaning, word) for meaning in meanings])
    return Comparison(relation, is_proof, word, verdicts)


def _answer_on_infinite_traces(
    relation: Relation,
    formulas: tuple[Formula, ...],
    objects: Objects,
    limit: int,
    reading: Reading | None,
) -> Comparison:
    """Answer a question about infinite trajectories.

    Args:
        relation: The question.
        formulas: One closed formula, or two.
        objects: The objects that quantifiers range over.
        limit: Maximum number of states that are looked at.
        reading: How formulas are read; only ``"ltlf"`` makes sense here.
    """
    if reading == "eai":
        raise InputError(
            "the reading 'eai' speaks of finite trajectories", expected="the reading 'ltlf'"
        )
    tableau = Tableau(objects, limit=limit)
    meanings = [tableau.meaning(formula) for formula in formulas]
    deciding = _deciding_meaning(relation, meanings, tableau.normal)
    lasso = satisfying_lasso(tableau, deciding)
    is_proof = relation == "satisfiable"
    if lasso is None:
        return Comparison(relation, not is_proof, traces="infinite")
    verdicts = tuple([holds_on(lasso, formula, objects) for formula in formulas])
    return Comparison(relation, is_proof, lasso.letters, verdicts, "infinite", lasso.loop)


def _deciding_meaning(relation: Relation, meanings: Sequence[int], algebra: Algebra[int]) -> int:
    """Return the meaning of the formula that decides whether a relation holds.

    A trajectory that satisfies this formula is a counterexample to "equivalent", "entails" or
    "valid", and a proof of "satisfiable".

    Args:
        relation: The relation in question.
        meanings: The meaning of the formula, or those of both formulas in order.
        algebra: Makes meanings of formulas from those of their parts.
    """
    if relation == "satisfiable":
        return meanings[0]
    if relation == "valid":
        return algebra.negation(meanings[0])
    first_meaning, second_meaning = meanings
    if relation == "entails":
        return algebra.all_of([first_meaning, algebra.negation(second_meaning)])
    # The two formulas are not equivalent where exactly one of them holds.
    return algebra.differ(first_meaning, second_meaning)


def _holds_on_word(progression: Progression, meaning: Meaning, word: Word) -> bool:
    """Return whether a formula holds on a trajectory."""
    state = progression.start(meaning)
    for true in word:
        numbers = {i for i, letter in enumerate(progression.letters) if letter in true}
        state = progression.obligations.read(state, numbers.__contains__)
    return progression.obligations.accepts(state)


def _shortest_word(progression: Progression, demand: int, limit: int) -> Word | None:
    """Return a shortest trajectory that satisfies a demand, or None if there is none.

    Args:
        progression: The progression; its letters are the propositions.
        demand: The diagram of the demand.
        limit: Maximum number of states to look at.

    Returns:
        The true propositions at each position.
    """
    obligations = progression.obligations
    action_letters: set[int] = set()
    for letter_index, proposition in enumerate(progression.letters):
        if isinstance(proposition, ActionAtom):
            action_letters.add(letter_index)
    successors = partial(_successors, obligations, action_letters)
    # The demand is about trajectories with a position: the empty one never proves anything.
    start = progression.start(Meaning(demand, FALSE))
    # For each state the one from which it was reached, and the letter between them.
    predecessors: dict[State, tuple[State, int] | None] = {start: None}
    # Breadth first, so that the first word that is found is a shortest one.
    queue = [start]
    for state in queue:  # the loop appends to it
        transition_diagram = obligations.step(state)
        # The last position has no action, and any other has at most one.
        for next_state, letter in successors(transition_diagram, has_acted=True):
            if obligations.accepts(next_state):
                letters = [*_letters_on_path(state, predecessors), letter]
                return tuple([_true_propositions(progression.letters, bits) for bits in letters])
        for next_state, letter in successors(transition_diagram, has_acted=False):
            # In a state of FALSE, the demand cannot be satisfied any more.
            if next_state not in predecessors and next_state[0] != FALSE:
                check_states(len(predecessors), limit)
                predecessors[next_state] = (state, letter)
                queue.append(next_state)
    return None


def _letters_on_path(
    state: State, predecessors: Mapping[State, tuple[State, int] | None]
) -> list[int]:
    """Return the letters on the path from the start to a state.

    Args:
        state: The state.
        predecessors: For each state the one before it in the search, and the letter between them;
            None for the start.
    """
    letters = []
    predecessor = predecessors[state]
    while predecessor is not None:
        previous_state, letter = predecessor
        letters.append(letter)
        predecessor = predecessors[previous_state]
    letters.reverse()
    return letters


def _true_propositions(letters: Sequence[Proposition], bits: int) -> frozenset[Proposition]:
    """Return the propositions whose bits are set in a letter."""
    return frozenset(letter for i, letter in enumerate(letters) if bits >> i & 1)


def _successors(
    obligations: Obligations,
    action_letters: Container[int],
    transition_diagram: int,
    *,
    has_acted: bool,
) -> Iterator[tuple[State, int]]:
    """Yield the successor states of a state, each with a letter of few true propositions.

    Args:
        obligations: The table of all diagrams.
        action_letters: The indices of the letters that are actions.
        transition_diagram: The diagram of the state; its leaves are the next states.
        has_acted: Whether an action is taken already, so that no other one can be true.
    """
    visited: set[tuple[int, bool]] = set()
    pending = [(transition_diagram, has_acted, 0)]
    while pending:
        obligations.spend()
        diagram, has_acted, letter = pending.pop()
        # The same diagram counts twice, since after an action fewer letters can be true.
        if (diagram, has_acted) in visited:
            continue
        visited.add((diagram, has_acted))
        level = obligations.level[diagram]
        if level == LEAF:
            yield cast("State", obligations.value(diagram)), letter
            continue
        # The level of a diagram is the number of the letter on which it branches first.
        if_true, if_false = obligations.cofactors(diagram, level)
        is_action = level in action_letters
        if not (is_action and has_acted):
            pending.append((if_true, has_acted or is_action, letter | 1 << level))
        # The false side is taken from the stack first, so letters have few true propositions.
        pending.append((if_false, has_acted, letter))
