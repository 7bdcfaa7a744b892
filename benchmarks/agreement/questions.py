"""Questions that are made of tasks, checked by brute force.

    python benchmarks/agreement/questions.py [--questions 200]

Of each kind so many questions are made over eight domains: five of `tests/` and three made at
random. To each, our own answer and another one drawn at random are evaluated here and by a second
program that shares nothing with the first but the trees of PDDL: `tests/support/reference_world.py`
runs the definitions on sets, and every reachable state is looked at. An action whose cost the
problem does not give cannot be done. The exit code is 1 if an answer is evaluated otherwise.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support"))

from pddl_blocks import DOMAIN, PROBLEM
from reference_world import Fact, Facts, Reference
from strategies_planning import random_task

from eai.logic import Atom, Variable, conjuncts
from eai.pddl import (
    AndEffect,
    CostEffect,
    Domain,
    Effect,
    Operator,
    Problem,
    parse_domain,
    parse_problem,
    read_file,
)
from eai.suites.pddl import Asking, PddlTask, questions
from eai.suites.pddl.tasks import made_task

FIXTURES = Path(__file__).parents[2] / "tests" / "fixtures" / "pddl"
RANDOM = (47, 102, 194)
"""Seeds of random tasks that are solved by two steps or more; most others cannot be solved."""

Words = tuple[str, ...]


class Checker:
    """The definitions of the kinds, on all states that can be reached."""

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain, self.goal = domain, problem.goal
        self.values = problem.values.keys()
        self.reference = Reference(domain, problem.objects)
        self.actions = [
            (name, *objects)
            for name, each in sorted(domain.operators.items())
            for objects in product(*(self.reference.of_types(v.types) for v in each.parameters))
        ]
        self.after = lru_cache(maxsize=None)(self._after)
        self.is_goal = lru_cache(maxsize=None)(
            lambda state: self.reference.holds(self.goal, state, {})
        )

    def _after(self, state: Facts) -> dict[Words, Facts]:
        """What each action that can be done leads to."""
        found, known = {}, self.reference.closed(state)
        for action in self.actions:
            operator = self.domain.operators[action[0]]
            binding = bound(operator, action[1:])
            if not costs(operator.effect, binding) <= self.values:
                continue
            if self.reference.true(operator.precondition, known, binding):
                found[action] = self.reference.successor(operator, state, binding)
        return found

    def distances(self, start: Facts, barred: Fact | None = None) -> dict[Facts, int]:
        """All states that can be reached, without a fact if one is barred, with their distance."""
        found = {start: 0}
        for state in (queue := [start]):
            for after in self.after(state).values() if barred not in state else ():
                if after not in found:
                    found[after] = found[state] + 1
                    queue.append(after)
        return found

    def to_goal(self, start: Facts) -> float:
        """The length of a shortest plan; infinite if there is none."""
        met = (far for state, far in self.distances(start).items() if self.is_goal(state))
        return min(met, default=float("inf"))

    def run(self, start: Facts, steps: list[Words]) -> list[Facts]:
        """The states up to the first step that cannot be done."""
        states = [start]
        for step in steps:
            after = self.after(states[-1])
            if step not in after:
                break
            states.append(after[step])
        return states

    def works(self, start: Facts, steps: list[Words]) -> bool:
        """Whether a plan works."""
        states = self.run(start, steps)
        return len(states) > len(steps) and self.is_goal(states[-1])

    def facts(self) -> Iterator[Words]:
        """The facts that actions may change."""
        changing = self.domain.fluents - self.domain.derived
        for name, each in sorted(self.domain.predicates.items()):
            if name in changing:
                ranges = [self.reference.of_types(v.types) for v in each.parameters]
                yield from ((name, *objects) for objects in product(*ranges))

    def is_right(self, kind: str, start: Facts, steps: list[Words], answer: object) -> bool:
        """Whether an answer is right: words, a number, or sets, as :func:`parsed` has them."""
        if kind == "applicability":
            return answer == frozenset(self.after(start))
        if kind == "progression":
            after = self.after(start)[steps[0]]
            return answer == tuple(
                frozenset((name, *objects) for name, objects in part)
                for part in (after - start, start - after)
            )
        if kind == "validation":
            done = len(self.run(start, steps)) - 1
            return answer == (None if done == len(steps) else done)
        if kind == "justification":
            cuts = [
                steps[:at] + steps[at + n :] for n in (1, 2) for at in range(len(steps) - n + 1)
            ]
            working = [each for each in cuts if self.works(start, each)]
            return not working if answer is None else answer in working
        if kind == "next_action":
            able = self.after(start)
            return any(
                each == answer and self.to_goal(after) < self.to_goal(start)
                for each, after in able.items()
            )
        has = {
            "reachability": self.never_holds,
            "action_reachability": self.never_done,
            "landmark": self.always_needed,
        }[kind]
        every = self.actions if kind == "action_reachability" else [*self.facts()]
        if answer is None:
            return not any(has(start, each) for each in every)
        return any(each == answer and has(start, each) for each in every)

    def never_holds(self, start: Facts, fact: Words) -> bool:
        """Whether a fact holds in no state that can be reached."""
        return not any((fact[0], fact[1:]) in state for state in self.distances(start))

    def never_done(self, start: Facts, action: Words) -> bool:
        """Whether an action can be done in no state that can be reached."""
        return not any(action in self.after(state) for state in self.distances(start))

    def always_needed(self, start: Facts, words: Words) -> bool:
        """Whether a fact holds at some time of every plan, and neither now nor in the goal."""
        fact = words[0], words[1:]
        if fact in start or Atom(*fact) in conjuncts(self.goal):
            return False
        return not any(
            fact not in state and self.is_goal(state) for state in self.distances(start, fact)
        )


def bound(operator: Operator, objects: Words) -> dict[str, str]:
    """Return the object of each parameter."""
    return dict(zip((each.name for each in operator.parameters), objects, strict=True))


def costs(effect: Effect, binding: Mapping[str, str]) -> set[Atom]:
    """Return the function terms that an action adds to the total cost; none is conditional here."""
    if isinstance(effect, AndEffect):
        return {term for part in effect.parts for term in costs(part, binding)}
    if isinstance(effect, CostEffect) and isinstance(effect.amount, Atom):
        terms = effect.amount.terms
        names = (binding[term.name] if isinstance(term, Variable) else term for term in terms)
        return {Atom(effect.amount.predicate, tuple(names))}
    return set()


def tasks() -> dict[str, tuple[Domain, Problem]]:
    """Eight domains with a problem each."""
    domain = parse_domain(DOMAIN)
    found = {"blocks": (domain, parse_problem(PROBLEM, domain=domain))}
    for name in ("blocks-and-boxes", "briefcase", "gripper", "logistics"):
        domain = parse_domain(read_file(FIXTURES / f"{name}.pddl"))
        text = read_file(FIXTURES / f"{name}-problem.pddl")
        found[name] = domain, parse_problem(text, domain=domain)
    return {**found, **{f"random {seed}": random_task(Random(seed)) for seed in RANDOM}}  # noqa: S311


def parsed(kind: str, text: str) -> object:
    """Read an answer that this script has made."""
    if text == "None":
        return frozenset() if kind == "applicability" else None
    facts = [tuple(each.split()) for each in text.replace(")", "(").split("(")[1::2]]
    if kind == "applicability":
        return frozenset(facts)
    if kind == "progression":
        first = text.partition("]")[0].count("(")
        return frozenset(facts[:first]), frozenset(facts[first:])
    if kind == "validation":
        return int(text)
    return facts if kind == "justification" else facts[0]


def other(kind: str, question: questions.Question, check: Checker, dice: Random) -> str:
    """Draw another answer."""

    def written(some: object) -> str:
        return " ".join(f"({' '.join(each)})" for each in some)  # type: ignore[attr-defined]

    every = [*check.facts()]
    if dice.random() < 0.1 and kind not in ("progression", "next_action"):
        return "None"
    if kind == "validation":
        return str(dice.randrange(len(question.steps) + 1))
    if kind == "progression":
        return f"[{written(dice.sample(every, 1))}] [{written(dice.sample(every, 1))}]"
    if kind == "justification":
        steps = [(each.name, *each.arguments) for each in question.steps]
        at = dice.randrange(len(steps) + 1)
        return written(steps[:at] + steps[at + dice.choice((1, 2)) :]) or "[]"
    if kind == "applicability":
        able = sorted(check.after(facts_of(question)))
        return written(dice.sample(able, max(len(able) - dice.randrange(2), 0))) or "None"
    some = check.actions if "action" in kind else every
    return written([dice.choice(some)])


def facts_of(question: questions.Question) -> Facts:
    """The state of a question."""
    stored = {(atom.predicate, tuple(map(str, atom.terms))) for atom in question.state.atoms()}
    return frozenset(stored)


def main() -> None:
    """Print, of each kind, what was asked and how often the two differ."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--questions", type=int, default=200)
    given = parser.parse_args()
    made = [
        (name, made_task(domain, problem, name=name), Checker(domain, problem))
        for name, (domain, problem) in tasks().items()
    ]
    different = 0
    for kind, (_, evaluate) in questions.KINDS.items():
        counts: Counter[str] = Counter()
        begin = time.process_time()
        for seed in range(given.questions):
            name, task, check = made[seed % len(made)]
            dice = Random(f"{kind} {seed}")  # noqa: S311
            asked: PddlTask = replace(task, asking=Asking(seed, seed % 5))
            try:
                question = questions.make_question(asked, kind)
            except questions.NoQuestionError:  # the walk ended where there is nothing to ask
                counts["no question"] += 1
                continue
            start, steps = facts_of(question), [(s.name, *s.arguments) for s in question.steps]
            own = evaluate(replace(question), None)
            counts["no answer is proved"] += own is None
            for text in (own, other(kind, question, check, dice)):
                found = evaluate(replace(question), str(text)) if text is not None else None
                if found is None:
                    continue
                right = check.is_right(kind, start, steps, parsed(kind, str(text)))
                counts["right" if right else "wrong"] += 1
                if found != right or (text is own and not right):
                    counts["DIFFERENT"] += 1
                    print("  ", kind, name, seed, text, "ours:", found, "brute force:", right)
        seconds = time.process_time() - begin
        print(kind, given.questions, "questions;", dict(+counts), f"{seconds:.1f} s", flush=True)
        different += counts["DIFFERENT"]
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
