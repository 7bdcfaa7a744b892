"""Formulas as minimal deterministic automata.

The automaton of a formula reads a trajectory position by position and is in an accepting state
if and only if the formula holds on what was read so far (De Giacomo & Vardi 2013). It is what
goal-directed search and repair walk along with the world; to evaluate one recorded trajectory,
:func:`~eai.logic.evaluate` is faster.

Transitions of an automaton as readable guards.

A guard is a disjunction of *cubes*, each a conjunction of propositions and negated propositions.
The cubes are an irredundant cover of the letters that lead from one state to another (Minato
1993, computed on decision diagrams): none can be left out, and no literal can be dropped from the
first one found without covering too much.
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

_MOST_CUBES = 10_000
_WORK = 2_000_000


@dataclass(frozen=True, slots=True)
class Transition:
    """All letters that lead from one state to another: those that some cube fits."""

    source: int
    target: int
    cubes: tuple[Cube, ...]

    @property
    def guard(self) -> Formula:
        """The cubes as a state formula."""
        return Or.of([And.of([a if w else Not(a) for a, w in cube]) for cube in self.cubes])

    def __str__(self) -> str:
        def text(cube: Cube) -> str:
            return " and ".join(f"{'' if w else 'not '}{spelled(a)}" for a, w in cube) or "true"

        return " or ".join(map(text, self.cubes))


def spelled(proposition: Proposition) -> str:
    """Return a proposition as text, without empty parentheses."""
    return format_formula(proposition).removesuffix("()")


def _too_many_cubes() -> InputError:
    return InputError(
        f"the guards have more than {_MOST_CUBES} cubes",
        mend="use step, which needs no guards",
    )


class _Cover:
    """Irredundant covers of the letters that lead to a state; choices as in an automaton."""

    def __init__(self, choices: Sequence[tuple[int, int, int]]) -> None:
        self._diagrams = Diagrams(_WORK)
        self._nodes: list[int] = []
        for letter, low, high in choices:
            self._nodes.append(self._diagrams.node(letter, self._node(low), self._node(high)))
        self._memo: dict[tuple[int, int], tuple[list[_Numbered], int]] = {}
        self._most = 0

    def _node(self, place: int) -> int:
        return self._nodes[place] if place >= 0 else self._diagrams.leaf(~place)

    def targets(self, root: int) -> set[int]:
        """Return the states that a diagram leads to."""
        found = self._diagrams.leaves(self._node(root))
        return {each for each in found if isinstance(each, int)}

    def cubes(self, root: int, target: int, most: int) -> list[_Numbered]:
        """Return cubes that fit exactly the letters that lead to a state, at most so many."""
        leaf = self._diagrams.leaf(target)
        wanted = self._diagrams.convert(self._node(root), lambda each: int(each == leaf), {})
        self._most = most
        found = self._cover(wanted, wanted)[0]
        if len(found) > most:  # a cover that is remembered was counted for another guard
            raise _too_many_cubes()
        return found

    @recursively  # as deep as there are letters, which may be thousands
    def _cover(self, least: int, most: int) -> Steps[tuple[list[_Numbered], int]]:
        """Return cubes, and their union, that cover one function and stay inside another."""
        if least == FALSE:
            return [], FALSE
        if most == TRUE:
            return [()], TRUE
        key = (least, most)
        known = self._memo.get(key)
        if known is not None:
            return known
        diagrams = self._diagrams
        letter = min(diagrams.level[least], diagrams.level[most])
        least_1, least_0 = diagrams.cofactors(least, letter)
        most_1, most_0 = diagrams.cofactors(most, letter)
        # Only what the other side must not cover needs a literal of this letter.
        cubes_0, union_0 = yield (self, self._minus(least_0, most_1), most_0)
        cubes_1, union_1 = yield (self, self._minus(least_1, most_0), most_1)
        left = diagrams.either(self._minus(least_0, union_0), self._minus(least_1, union_1))
        cubes, union = yield (self, left, diagrams.both(most_0, most_1))
        found = [((letter, False), *each) for each in cubes_0]
        found += [((letter, True), *each) for each in cubes_1]
        found += cubes
        if len(found) > self._most:
            raise _too_many_cubes()
        side = diagrams.choose(diagrams.variable(letter), union_1, union_0)
        self._memo[key] = found, diagrams.either(side, union)
        return self._memo[key]

    def _minus(self, left: int, right: int) -> int:
        return self._diagrams.both(left, self._diagrams.negation(right))


LIMIT = 10_000
"""How many states an automaton may have before it is minimised, if nothing else is said."""

Letter = int | Iterable[Proposition]
"""The true propositions at a position, or their bits (see Automaton.letter)."""

_MOST_REMEMBERED = 1 << 16


@dataclass(frozen=True)
class Automaton:
    """A complete deterministic automaton over non-empty words, as small as there is one.

    States are numbered from 0, the initial one, in the order of a breadth-first search. Two
    automata with the same letters are equal if and only if they accept the same words.

    Args:
        letters: The ground propositions; letter number i is bit i of a position.
        accepting: The states in which a trajectory may end. What the initial state says counts
            only when it is entered again.
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
        """Return the next state."""
        known, asked = self._memory[state]
        letter &= asked
        found = known.get(letter)
        if found is None:
            if len(known) >= _MOST_REMEMBERED:
                known.clear()
            place = self.roots[state]
            while place >= 0:
                number, low, high = self.choices[place]
                place = high if letter >> number & 1 else low
            found = known[letter] = ~place
        return found

    def letter(self, true: Iterable[Proposition]) -> int:
        """Return the bits of a position.

        Args:
            true: The ground propositions that are true there. Those that the automaton does
                not speak of are passed over.
        """
        return sum({1 << self._numbers[each] for each in true if each in self._numbers})

    def word(self, trajectory: Trajectory) -> list[int]:
        """Return the letters of a trajectory.

        Raises:
            UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        """
        found = [0] * trajectory.length
        for number, each in enumerate(self.letters):
            positions = history_of(each, trajectory)
            for i in range(trajectory.length):
                found[i] |= (positions >> i & 1) << number
        return found

    def run(self, word: Iterable[Letter]) -> list[int]:
        """Return the states that a word leads through, the initial one first."""
        states = [self.initial]
        for letter in word:
            bits = letter if isinstance(letter, int) else self.letter(letter)
            states.append(self.step(states[-1], bits))
        return states

    def accepts(self, word: Iterable[Letter]) -> bool:
        """Return whether the formula holds on a trajectory.

        Args:
            word: What is true at each position; ``automaton.word(trajectory)`` for a trajectory.

        Raises:
            InputError: If there is no position.
        """
        states = self.run(word)
        if len(states) == 1:
            raise InputError("the word is empty", expected="at least one position")
        return states[-1] in self.accepting

    def verdict(self, state: int) -> bool | None:
        """Say what is certain in a state, whatever follows.

        Returns:
            True if the formula holds now and will hold however the trajectory goes on, False if
            it does not and never will, None while it is open.
        """
        if self.roots[state] != ~state:
            return None
        return state in self.accepting

    @cached_property
    def transitions(self) -> tuple[Transition, ...]:
        """The transitions with their guards, by source and by target.

        Raises:
            InputError: If the guards have more than 10,000 cubes.
        """
        found: list[Transition] = []
        count = 0
        cover = _Cover(self.choices)
        for source, root in enumerate(self.roots):
            for target in sorted(cover.targets(root)):
                cubes = cover.cubes(root, target, _MOST_CUBES - count)
                count += len(cubes)
                named = [tuple([(self.letters[i], w) for i, w in cube]) for cube in cubes]
                found.append(Transition(source, target, tuple(named)))
        return tuple(found)

    def to_dot(self) -> str:
        """Return the automaton in the language of Graphviz."""
        lines = ["digraph {", "  rankdir=LR;", '  start [shape=point, label=""];']
        for state in self.states:
            shape = "doublecircle" if state in self.accepting else "circle"
            lines.append(f"  {state} [shape={shape}];")
        lines.append("  start -> 0;")
        for each in self.transitions:
            escaped = str(each).replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'  {each.source} -> {each.target} [label="{escaped}"];')
        return "\n".join([*lines, "}"]) + "\n"

    def __str__(self) -> str:
        """One line for each transition; ``>`` marks the initial, ``*`` accepting states."""
        lines = [self._title]
        for each in self.transitions:
            start = ">" if each.source == 0 else " "
            accepts = "*" if each.source in self.accepting else " "
            lines.append(f"{start}{accepts}{each.source} -> {each.target}  {each}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        def name(state: int) -> str:
            marks = ["start"] * (state == 0) + ["accepts"] * (state in self.accepting)
            return f"{state} ({', '.join(marks)})" if marks else str(state)

        rows = [(name(t.source), name(t.target), t) for t in self.transitions]
        return stacked(shown(self._title), table(("from", "to", "if"), rows))

    @property
    def _title(self) -> str:
        title = f"automaton with {counted(len(self.roots), 'state')} over "
        return title + counted(len(self.letters), "letter")

    @cached_property
    def _numbers(self) -> dict[Proposition, int]:
        return {each: number for number, each in enumerate(self.letters)}

    @cached_property
    def _memory(self) -> list[tuple[dict[int, int], int]]:
        """For each state, the steps that were taken and the bits that are asked there."""
        asked: list[int] = []
        for number, low, high in self.choices:  # each stands after those that it leads to
            below = (asked[low] if low >= 0 else 0) | (asked[high] if high >= 0 else 0)
            asked.append(1 << number | below)
        return [({}, asked[root] if root >= 0 else 0) for root in self.roots]


@on_own_stack
def automaton(
    formula: Formula, *, objects: Objects = None, limit: int = LIMIT, reading: Reading | None = None
) -> Automaton:
    """Return the minimal automaton of a formula.

    Args:
        formula: A closed formula.
        objects: What the quantifiers range over: names; names with their type, or with their
            type and all supertypes; or what answers for types, as a trajectory's ``objects``.
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

    def choice(level: int, low: int, high: int) -> int:
        choices.append((level, low, high))
        return len(choices) - 1

    meaning = progression.meaning(formula, reading=reading)
    machine = without_empty(progression.machine(meaning))
    # Copied out of its table, with choices numbered in a way that the machine determines.
    value, locations = machine.diagrams.value, dict[int, int]()
    roots = tuple(
        machine.diagrams.fold(root, lambda each: ~cast("int", value(each)), choice, locations)
        for root in machine.roots
    )
    accepting = frozenset(i for i, accepts in enumerate(machine.accepting) if accepts)
    return Automaton(progression.letters, accepting, tuple(choices), roots)
