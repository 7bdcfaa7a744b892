"""Formulas as minimal deterministic automata.

The automaton of a formula reads a trajectory position by position and is in an accepting state
if and only if the formula holds on what was read so far (De Giacomo & Vardi 2013). It is what
goal-directed search and repair walk along with the world; to evaluate one recorded trajectory,
:func:`~eai.logic.evaluate` is faster.
"""

from __future__ import annotations

import html
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any, cast

from eai.errors import InputError, MissingExtraError
from eai.logic.expansion import Objects
from eai.logic.formula import Proposition
from eai.logic.guards import Transition, guards
from eai.logic.progression import Progression, within_depth
from eai.logic.progression.machine import without_empty
from eai.logic.trace import Trajectory, history_of
from eai.logic.tree import Formula, Reading

LIMIT = 10_000
"""How many states an automaton may have before it is minimised, if nothing else is said."""

Letter = int | Iterable[Proposition]
"""What is true at a position: the true propositions, or their bits (see Automaton.letter)."""

Graph = Any
"""A ``networkx.DiGraph``."""

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
        """Return the next state.

        Args:
            state: A state.
            letter: The propositions that are true at the position, as :meth:`letter` gives them.
        """
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
        """Whether the formula holds on a trajectory.

        Args:
            word: What is true at each position; ``automaton.word(trajectory)`` for a trajectory.

        Raises:
            InputError: If there is no position.
        """
        states = self.run(word)
        if len(states) == 1:
            raise InputError("the word is empty", expected="at least one position")
        return states[-1] in self.accepting

    @cached_property
    def distances(self) -> tuple[int | None, ...]:
        """For each state, the least number of letters to an accepting one; None if there is none.

        Every letter is thought possible, so in a world that has fewer it is a lower bound.
        """
        before: dict[int, list[int]] = {state: [] for state in self.states}
        for state in self.states:
            for place in self._reached(state):
                if place < 0:
                    before[~place].append(state)
        found: dict[int, int] = dict.fromkeys(sorted(self.accepting), 0)
        queue = deque(found)
        while queue:
            state = queue.popleft()
            for each in before[state]:
                if each not in found:
                    found[each] = found[state] + 1
                    queue.append(each)
        return tuple(map(found.get, self.states))

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
        """The transitions with their guards.

        Raises:
            InputError: If the guards have more than 10,000 cubes, or some hundred literals each.
        """
        with within_depth():
            return tuple(guards(self.letters, self.choices, self.roots))

    def to_networkx(self) -> Graph:
        """Return a ``networkx.DiGraph``.

        Nodes are states with the attributes ``initial`` and ``accepting``; edges carry the
        :class:`Transition` as ``transition`` and its text as ``label``.

        Raises:
            MissingExtraError: If networkx is not installed.
        """
        try:
            graph = import_module("networkx").DiGraph()
        except ImportError:
            raise MissingExtraError("networkx", extra="all", purpose="to_networkx") from None
        for state in self.states:
            graph.add_node(state, initial=state == 0, accepting=state in self.accepting)
        for each in self.transitions:
            graph.add_edge(each.source, each.target, transition=each, label=str(each))
        return graph

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

    def to_mermaid(self) -> str:
        """Return the automaton as a Mermaid state diagram; accepting states lead to the end."""
        lines = ["stateDiagram-v2", "  direction LR", "  [*] --> s0"]
        # Mermaid takes these signs for its own, and reads numbered entities instead.
        signs = str.maketrans({sign: f"#{ord(sign)};" for sign in '"#;:<>&{}'})
        lines += [
            f"  s{each.source} --> s{each.target}: {str(each).translate(signs)}"
            for each in self.transitions
        ]
        lines += [f"  s{state} --> [*]" for state in sorted(self.accepting)]
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        """One line for each transition; ``>`` marks the initial, ``*`` accepting states."""
        lines = [self._title]
        for each in self.transitions:
            start = ">" if each.source == 0 else " "
            accepts = "*" if each.source in self.accepting else " "
            lines.append(f"{start}{accepts}{each.source} -> {each.target}  {each}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        def row(tag: str, cells: Iterable[str]) -> str:
            return "".join(["<tr>", *(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells), "</tr>"])

        def name(state: int) -> str:
            marks = ["start"] * (state == 0) + ["accepts"] * (state in self.accepting)
            return f"{state} ({', '.join(marks)})" if marks else str(state)

        rows = [row("th", ("from", "to", "if"))]
        rows += [row("td", (name(t.source), name(t.target), str(t))) for t in self.transitions]
        return f"<table><caption>{html.escape(self._title)}</caption>{''.join(rows)}</table>"

    @property
    def _title(self) -> str:
        title = f"automaton with {_counted(len(self.roots), 'state')} over "
        return title + _counted(len(self.letters), "letter")

    @cached_property
    def _numbers(self) -> dict[Proposition, int]:
        return {each: number for number, each in enumerate(self.letters)}

    @cached_property
    def _memory(self) -> list[tuple[dict[int, int], int]]:
        """For each state, the steps that were taken and the bits that are asked there."""
        asked = [{self.choices[i][0] for i in self._reached(s) if i >= 0} for s in self.states]
        return [({}, sum(1 << number for number in numbers)) for numbers in asked]

    def _reached(self, state: int) -> set[int]:
        """The choices in the diagram of a state, and the states that they lead to, as ``~n``."""
        seen = {self.roots[state]}
        pending = [self.roots[state]]
        while pending:
            place = pending.pop()
            fresh = {*self.choices[place][1:]} - seen if place >= 0 else set()
            seen |= fresh
            pending += fresh
        return seen


def automaton(
    formula: Formula,
    *,
    objects: Objects = None,
    limit: int = LIMIT,
    reading: Reading | None = None,
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

    with within_depth():
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


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
