"""Formulas as minimal deterministic automata.

The automaton of a formula reads a trajectory position by position and is in an accepting state
if and only if the formula holds on what was read so far (De Giacomo & Vardi 2013). Search and
repair with a temporal goal walk it along with the world; to evaluate one recorded trajectory,
:func:`~eai.logic.evaluate` is faster.

It is made in three steps: the states of the formula's progression that can be reached are listed
(:mod:`eai.logic.progression`), equivalent ones are merged, and the diagrams of their transitions
are copied out. The number of states is doubly exponential in the formula at worst, and limited.

A transition is shown by its *guard*, a disjunction of *cubes*, each a conjunction of propositions
and negated propositions. The cubes are an irredundant cover of the letters that lead from one state
to another (Minato 1993, computed on decision diagrams): none can be left out, and no literal can be
dropped from the first one found without covering too much.

Examples:
    >>> from eai.logic import parse_formula
    >>> machine = automaton(parse_formula("F (p() and X q())"))
    >>> print(machine)
    automaton with 3 states over 2 letters
    > 0 -> 0  not p
    > 0 -> 1  p
      1 -> 0  not p and not q
      1 -> 1  p and not q
      1 -> 2  q
     *2 -> 2  true
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from eai.display import shown, stacked, table
from eai.errors import InputError
from eai.logic.expansion import Objects
from eai.logic.formula import Proposition
from eai.logic.printer import format_formula
from eai.logic.progression import Progression
from eai.logic.progression.diagrams import FALSE, TRUE, Diagrams
from eai.logic.progression.machine import without_empty
from eai.logic.trace import Trajectory, history_of
from eai.logic.tree import And, Formula, Not, Or, Reading
from eai.nesting import Steps, on_own_stack, recursively
from eai.text import counted

Cube = tuple[tuple[Proposition, bool], ...]
"""Propositions and the truth that each must have."""

_Numbered = tuple[tuple[int, bool], ...]
"""A cube: numbers of letters, each with the value that it has."""

_MAX_CUBES = 10_000
"""Maximum number of cubes in the guards of an automaton."""
_MAX_OPERATIONS = 2_000_000
"""Maximum number of elementary operations on diagrams for these guards."""


@dataclass(frozen=True, slots=True)
class Transition:
    """All letters that lead from one state to another, given as cubes."""

    source: int
    target: int
    cubes: tuple[Cube, ...]

    @property
    def guard(self) -> Formula:
        """The cubes as a state formula."""
        return Or.of([And.of([_literal(*part) for part in cube]) for cube in self.cubes])

    def __str__(self) -> str:
        return " or ".join(map(_cube_text, self.cubes))


def _literal(proposition: Proposition, wanted: bool) -> Formula:
    """Return the literal that gives a proposition a truth value."""
    if wanted:
        return proposition
    return Not(proposition)


def _cube_text(cube: Cube) -> str:
    """Return a cube as text, such as ``open(door) and not lit``; ``true`` without literals."""
    literals = []
    for proposition, wanted in cube:
        text = spelled(proposition)
        if not wanted:
            text = f"not {text}"
        literals.append(text)
    return " and ".join(literals) or "true"


def spelled(proposition: Proposition) -> str:
    """Return a proposition as text, without empty parentheses."""
    return format_formula(proposition).removesuffix("()")


def _too_many_cubes() -> InputError:
    """Return the error for guards with too many cubes."""
    return InputError(
        f"the guards have more than {_MAX_CUBES} cubes",
        mend="use step, which needs no guards",
    )


class _Cover:
    """Computes irredundant covers of the letters that lead to a state.

    Args:
        choices: The choices of the automaton.
    """

    def __init__(self, choices: Sequence[tuple[int, int, int]]) -> None:
        """Copy the transitions of an automaton into a table of decision diagrams."""
        self._diagrams = Diagrams(_MAX_OPERATIONS)
        self._nodes: list[int] = []
        for letter, low, high in choices:
            self._nodes.append(self._diagrams.node(letter, self._node(low), self._node(high)))
        self._memo: dict[tuple[int, int], tuple[list[_Numbered], int]] = {}
        self._max_cubes = 0

    def _node(self, choice: int) -> int:
        """Return the diagram of a choice, or of the state that a negative number stands for."""
        if choice < 0:
            return self._diagrams.leaf(~choice)
        return self._nodes[choice]

    def targets(self, root: int) -> set[int]:
        """Return the states that a diagram leads to."""
        states = self._diagrams.leaves(self._node(root))
        return {state for state in states if isinstance(state, int)}

    def cubes(self, root: int, target: int, max_cubes: int) -> list[_Numbered]:
        """Return cubes that match exactly the letters that lead to a state.

        Args:
            root: Diagram of the state before.
            target: The state.
            max_cubes: Maximum number of cubes; more are an error.
        """
        leaf = self._diagrams.leaf(target)
        target_letters = self._diagrams.convert(
            self._node(root), lambda other: int(other == leaf), {}
        )
        self._max_cubes = max_cubes
        cubes, _ = self._cover(target_letters, target_letters)
        if len(cubes) > max_cubes:  # a cover that is remembered was counted for another guard
            raise _too_many_cubes()
        return cubes

    @recursively  # as deep as there are letters, which may be thousands
    def _cover(self, required: int, allowed: int) -> Steps[tuple[list[_Numbered], int]]:
        """Return an irredundant list of cubes that covers one function and stays within another.

        A cube is a conjunction of literals. The procedure is that of Minato & Morreale: it first
        finds the cubes with a literal of the first letter, and then those without.

        Args:
            required: Diagram of the words that some cube has to cover.
            allowed: Diagram of the words that cubes may cover.

        Returns:
            The cubes, and the diagram of their union.
        """
        if required == FALSE:
            return [], FALSE
        if allowed == TRUE:
            return [()], TRUE
        key = (required, allowed)
        cached = self._memo.get(key)
        if cached is not None:
            return cached
        diagrams = self._diagrams
        letter = min(diagrams.level[required], diagrams.level[allowed])
        # Suffix 1: where the letter is true; 0: where it is false.
        required_1, required_0 = diagrams.cofactors(required, letter)
        allowed_1, allowed_0 = diagrams.cofactors(allowed, letter)
        # Words need a literal of this letter if they may not be covered with its other value.
        cubes_0, union_0 = yield (self, self._minus(required_0, allowed_1), allowed_0)
        cubes_1, union_1 = yield (self, self._minus(required_1, allowed_0), allowed_1)
        uncovered_0 = self._minus(required_0, union_0)
        uncovered_1 = self._minus(required_1, union_1)
        uncovered = diagrams.either(uncovered_0, uncovered_1)
        free_cubes, free_union = yield (self, uncovered, diagrams.both(allowed_0, allowed_1))
        cubes = [((letter, False), *cube) for cube in cubes_0]
        cubes += [((letter, True), *cube) for cube in cubes_1]
        cubes += free_cubes
        if len(cubes) > self._max_cubes:
            raise _too_many_cubes()
        literal_union = diagrams.choose(diagrams.variable(letter), union_1, union_0)
        self._memo[key] = cubes, diagrams.either(literal_union, free_union)
        return self._memo[key]

    def _minus(self, left: int, right: int) -> int:
        """Return where one function is true and another is not."""
        return self._diagrams.both(left, self._diagrams.negation(right))


LIMIT = 10_000
"""Default maximum number of states of an automaton before it is minimised."""

Letter = int | Iterable[Proposition]
"""The true propositions at a position, or their bits (see Automaton.letter)."""

_MAX_REMEMBERED = 1 << 16
"""Maximum number of letters for which the next state is remembered, in each state."""


@dataclass(frozen=True)
class Automaton:
    """A minimal complete deterministic automaton over non-empty words.

    States are numbered from 0, the initial one, in the order of a breadth-first search. Two
    automata with the same letters are equal if and only if they accept the same words.

    Args:
        letters: The ground propositions; letter number i is bit i of a position.
        accepting: The states in which a trajectory may end. Whether the initial state is one of
            them counts only when it is entered again.
        choices: Decision diagrams of the transitions, innermost first: the number of a letter,
            and where a false and a true one lead; a choice if not negative, else state ``~n``.
        roots: For each state, where its diagram begins.
    """

    letters: tuple[Proposition, ...]
    accepting: frozenset[int]
    choices: tuple[tuple[int, int, int], ...] = field(repr=False)
    roots: tuple[int, ...] = field(repr=False)

    @property
    def initial(self) -> int:
        """The state before the first position: 0."""
        return 0

    @property
    def states(self) -> range:
        """All states."""
        return range(len(self.roots))

    def step(self, state: int, letter: int) -> int:
        """Return the next state.

        Args:
            state: The state.
            letter: The propositions that are true, as a mask of their numbers.
        """
        # Most propositions do not matter in a state, so they are masked out of the cache's key.
        cached_targets, relevant_letters = self._steps_taken[state]
        letter &= relevant_letters
        target = cached_targets.get(letter)
        if target is None:
            if len(cached_targets) >= _MAX_REMEMBERED:
                cached_targets.clear()
            # Down the decision diagram: one letter a step, to a state (a negative number).
            choice = self.roots[state]
            while choice >= 0:
                letter_index, if_false, if_true = self.choices[choice]
                choice = if_true if letter >> letter_index & 1 else if_false
            target = cached_targets[letter] = ~choice
        return target

    def letter(self, true: Iterable[Proposition]) -> int:
        """Return the letter for a set of true propositions, one bit each.

        Args:
            true: The ground propositions that are true there. Those that the automaton does
                not speak of are passed over.
        """
        letter_mask = 0
        for proposition in true:
            letter_index = self._numbers.get(proposition)
            if letter_index is not None:
                letter_mask |= 1 << letter_index
        return letter_mask

    def word(self, trajectory: Trajectory) -> list[int]:
        """Return the letters of a trajectory.

        Raises:
            UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        """
        # By proposition: a trajectory tells the whole history of one at once.
        word = [0] * trajectory.length
        for letter_index, proposition in enumerate(self.letters):
            positions = history_of(proposition, trajectory)
            for position in range(trajectory.length):
                word[position] |= (positions >> position & 1) << letter_index
        return word

    def run(self, word: Iterable[Letter]) -> list[int]:
        """Return the sequence of states for a word, beginning with the initial one."""
        states = [self.initial]
        for letter in word:
            bits = letter if isinstance(letter, int) else self.letter(letter)
            states.append(self.step(states[-1], bits))
        return states

    def accepts(self, word: Iterable[Letter]) -> bool:
        """Return whether the formula holds on a trajectory.

        Args:
            word: The letter of each position; ``automaton.word(trajectory)`` for a trajectory.

        Raises:
            InputError: If there is no position.
        """
        states = self.run(word)
        if len(states) == 1:
            raise InputError("the word is empty", expected="at least one position")
        return states[-1] in self.accepting

    def verdict(self, state: int) -> bool | None:
        """Return the verdict that is already certain in a state, or None.

        Returns:
            True if the formula holds now and will hold however the trajectory goes on, False if
            it does not and never will, None while it is open.
        """
        # A state whose every letter leads back to it is a trap. The automaton is minimal, so in
        # any other state two continuations have different verdicts.
        if self.roots[state] != ~state:
            return None
        return state in self.accepting

    @cached_property
    def transitions(self) -> tuple[Transition, ...]:
        """The transitions with their guards, by source and by target.

        Raises:
            InputError: If the guards have more than 10,000 cubes.
        """
        transitions: list[Transition] = []
        cube_count = 0
        cover = _Cover(self.choices)
        for source, root in enumerate(self.roots):
            for target in sorted(cover.targets(root)):
                numbered_cubes = cover.cubes(root, target, _MAX_CUBES - cube_count)
                cube_count += len(numbered_cubes)
                cubes = tuple([self._with_propositions(cube) for cube in numbered_cubes])
                transitions.append(Transition(source, target, cubes))
        return tuple(transitions)

    def _with_propositions(self, cube: _Numbered) -> Cube:
        """Return a cube with propositions in the place of their numbers."""
        return tuple([(self.letters[number], wanted) for number, wanted in cube])

    def to_dot(self) -> str:
        """Return the automaton in the language of Graphviz.

        States are numbered, accepting ones have a double circle, and an arrow from nowhere leads to
        the first state.
        """
        lines = ["digraph {", "  rankdir=LR;", '  start [shape=point, label=""];']
        for state in self.states:
            shape = "doublecircle" if state in self.accepting else "circle"
            lines.append(f"  {state} [shape={shape}];")
        lines.append("  start -> 0;")
        for transition in self.transitions:
            label = str(transition).replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'  {transition.source} -> {transition.target} [label="{label}"];')
        lines.append("}\n")
        return "\n".join(lines)

    def __str__(self) -> str:
        """Return a line for each transition; ``>`` marks the initial, ``*`` accepting states."""
        lines = [self._title]
        for transition in self.transitions:
            source = transition.source
            start = ">" if source == self.initial else " "
            accepts = "*" if source in self.accepting else " "
            lines.append(f"{start}{accepts}{source} -> {transition.target}  {transition}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = []
        for transition in self.transitions:
            source = self._state_name(transition.source)
            target = self._state_name(transition.target)
            rows.append((source, target, transition))
        return stacked(shown(self._title), table(("from", "to", "if"), rows))

    def _state_name(self, state: int) -> str:
        """Return the number of a state with its marks, such as ``0 (start, accepts)``."""
        marks = []
        if state == self.initial:
            marks.append("start")
        if state in self.accepting:
            marks.append("accepts")
        if not marks:
            return str(state)
        return f"{state} ({', '.join(marks)})"

    @property
    def _title(self) -> str:
        """How large it is, in words."""
        title = f"automaton with {counted(len(self.roots), 'state')} over "
        return title + counted(len(self.letters), "letter")

    @cached_property
    def _numbers(self) -> dict[Proposition, int]:
        """The number of each letter."""
        return {proposition: number for number, proposition in enumerate(self.letters)}

    @cached_property
    def _steps_taken(self) -> list[tuple[dict[int, int], int]]:
        """For each state, a cache of its steps, and the mask of the letters that it depends on."""
        # The masks of all choices. A choice stands behind those that it leads to, so theirs are
        # known already.
        letter_masks: list[int] = []
        for letter_index, if_false, if_true in self.choices:
            letter_mask = 1 << letter_index
            for next_choice in (if_false, if_true):
                if next_choice >= 0:
                    letter_mask |= letter_masks[next_choice]
            letter_masks.append(letter_mask)
        return [({}, letter_masks[root] if root >= 0 else 0) for root in self.roots]


@on_own_stack
def automaton(
    formula: Formula, *, objects: Objects = None, limit: int = LIMIT, reading: Reading | None = None
) -> Automaton:
    """Return the minimal automaton of a formula.

    Args:
        formula: A closed formula.
        objects: The objects that quantifiers range over: names; names with their type, or with
            their type and all supertypes; or a function from types to names, as a trajectory's
            ``objects``.
        limit: Largest number of states before minimisation. Diagrams may take 100 elementary
            operations for each and 100,000 more, so what is too large is refused in seconds.
        reading: ``"ltlf"`` evaluates every formula at the first position, ``"eai"`` demands that
            one without ``then`` is true somewhere. None takes the reading from the notation, as
            :func:`~eai.logic.evaluate` does.

    Raises:
        InputError: If the automaton is larger than the limit, a
            variable is not bound, or objects are needed and missing.
    """
    progression = Progression(objects, limit=limit)
    choices: list[tuple[int, int, int]] = []

    # Two functions by which diagrams are copied, one for nodes and one for leaves.
    def add_choice(level: int, low: int, high: int) -> int:
        """Add a choice between two diagrams that were copied; return its number."""
        choices.append((level, low, high))
        return len(choices) - 1

    def state_leaf(leaf: int) -> int:
        """Return a state as a leaf: negative, so that no choice has the same number."""
        return ~cast("int", machine.diagrams.value(leaf))

    meaning = progression.meaning(formula, reading=reading)
    machine = without_empty(progression.machine(meaning))
    # The diagrams are copied out of their table, where numbers depend on what was made before. Here
    # the machine alone determines them, so that equal automata compare equal.
    copied: dict[int, int] = {}
    roots = tuple(
        [machine.diagrams.fold(root, state_leaf, add_choice, copied) for root in machine.roots]
    )
    accepting = frozenset(
        state_index for state_index, accepts in enumerate(machine.accepting) if accepts
    )
    return Automaton(progression.letters, accepting, tuple(choices), roots)
