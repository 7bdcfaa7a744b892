"""Count how many single mistakes in operators each score sees, by hand.

    python benchmarks/mutations.py [--mutants 36] [--problems 3] [--seed 0]

Of each environment, so many annotated operators get one mistake: a literal is dropped, or its
sign is turned. A score does not see the mistake if it stays perfect: the logic form under both
semantics; a plan is found for every problem; those plans exist and work in the annotated model
(sound); the annotated plans work in the changed model (complete); transitions on sampled states.
The official data must have been fetched (`eai data fetch eai`).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping

from eai.abilities.transition_modeling.behaviour import Behaviour, Sampling, compare_behaviour
from eai.abilities.transition_modeling.matching import OperatorText, match_operators
from eai.abilities.transition_modeling.plans import PlanCheck, check_plans
from eai.pddl.model import Domain, Operator
from eai.semantics import Semantics
from eai.suites.transition.counting import EMPTY, Form, read_form
from eai.suites.transition.counts import overlaps_of_texts
from eai.suites.transition.environment import Environment, environment
from eai.suites.transition.quirks import TRANSITION_QUIRKS
from eai.world.action import Action

OFFICIAL = Semantics.of("official", TRANSITION_QUIRKS)
SCORES = (
    "logic form, official",
    "logic form, strict",
    "planner finds a plan",
    "sound",
    "complete",
    "sound and complete",
    "transitions",
    "plans and transitions",
    "all of these",
)


def mutations(form: Form) -> Iterator[tuple[str, Form]]:
    """Yield every formula with one literal dropped or turned, and what was done.

    Args:
        form: A precondition or an effect.
    """
    if form == EMPTY:
        return
    if isinstance(form, str) or (form[0] == "not" and isinstance(form[1], str)):
        yield "drop", EMPTY
        yield "flip", ("not", form) if isinstance(form, str) else form[1]
        return
    quantifier = form[0] in ("exists", "forall")
    for at in range(2 if quantifier else 1, len(form)):
        for kind, part in mutations(form[at]):
            if part == EMPTY and form[0] in ("and", "or"):
                yield kind, (*form[:at], *form[at + 1 :])
            elif part != EMPTY:
                yield kind, (*form[:at], part, *form[at + 1 :])


def text_of(form: Form) -> str:
    """Return a formula as PDDL."""
    if isinstance(form, str):
        return form if form == EMPTY else f"({form})"
    if form[0] in ("exists", "forall"):
        return f"({form[0]} ({form[1]}) {text_of(form[2])})"
    return f"({' '.join([str(form[0]), *map(text_of, form[1:])])})"


def mutants(
    where: Environment, number: int, draw: random.Random
) -> Iterator[tuple[str, OperatorText]]:
    """Yield operators with one mistake each, and its kind."""
    asked = {name for demand in where.model.demands.values() for name in demand.operators}
    found = [
        (f"{part} {kind}", operator._replace(**{part: text_of(form)}))
        for operator in where.model.operators.values()
        for part in ("precondition", "effect")
        for kind, form in mutations(read_form(getattr(operator, part)))
        if operator.name in asked
    ]
    yield from draw.sample(found, min(number, len(found)))


def unseen(where: Environment, text: OperatorText, problems: int, draw: random.Random) -> set[str]:
    """Return the scores that stay perfect although the operator is wrong."""
    read = where.read(str(text))
    if read is None:
        raise ValueError(f"{text.name} cannot be read")
    wrong = {read.operator.name: read.operator}
    checks, behaviour, planned = PlanCheck(), Behaviour(), True
    gold, changed = where.domain_with(where.operators.values()), _changed(where, wrong)
    tasks = [t for t, demand in where.model.demands.items() if text.name in demand.operators]
    for task in draw.sample(tasks, min(problems, len(tasks))):
        problem, annotated = where.problem(task), _plan(where.gold_plan(task))
        result = where.plan(task, tuple(changed.operators.values()))
        planned = planned and result.solved
        own = [] if result.plan is None else [result.plan]
        checks += check_plans(gold, changed, problem, own=own, annotated=[annotated])
        names = where.model.demands[task].operators
        behaviour += compare_behaviour(
            gold, {**where.operators, **wrong}, problem, plans=[annotated], names=_lower(names)
        )
    sound = planned and checks.sound == checks.own
    complete = checks.complete == checks.annotated
    alike = _is_perfect(read.operator, where.operators[text.name])
    kept = (
        _is_perfect_as_published(where, text),
        alike,
        planned,
        sound,
        complete,
        sound and complete,
        behaviour.perfect,
        sound and complete and behaviour.perfect,
        sound and complete and behaviour.perfect and alike,
    )
    return {name for name, perfect in zip(SCORES, kept, strict=True) if perfect}


def _changed(where: Environment, wrong: Mapping[str, Operator]) -> Domain:
    return where.domain_with({**where.operators, **wrong}.values())


def _plan(steps: tuple[tuple[str, ...], ...]) -> tuple[Action, ...]:
    return tuple(Action(name.lower(), tuple(_lower(arguments))) for name, *arguments in steps)


def _lower(names: tuple[str, ...] | list[str]) -> list[str]:
    return [name.lower() for name in names]


def _is_perfect(predicted: Operator, gold: Operator) -> bool:
    return not any(part.extra or part.missing for part in match_operators(predicted, gold))


def _is_perfect_as_published(where: Environment, text: OperatorText) -> bool:
    gold = {text.name: where.model.operators[text.name]}
    overlaps = overlaps_of_texts({text.name: text}, gold, OFFICIAL)
    return not any(part.extra or part.missing for part in overlaps)


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--mutants", type=int, default=36)
    parser.add_argument("--problems", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)  # noqa: S311
    counts, kinds = Counter[tuple[str, str]](), Counter[str]()
    begun = time.process_time()
    for name in ("virtualhome", "behavior"):
        where = environment(name)
        for kind, text in mutants(where, arguments.mutants, draw):
            kinds[kind] += 1
            for score in unseen(where, text, arguments.problems, draw):
                counts[kind, score] += 1
    heads = sorted(kinds)
    print(f"{'unseen by':24} {'all':>6} " + " ".join(f"{head:>18}" for head in heads))
    for score in SCORES:
        total = sum(counts[head, score] for head in heads)
        print(f"{score:24} {total:6} " + " ".join(f"{counts[head, score]:18}" for head in heads))
    print(f"{'mistakes':24} {sum(kinds.values()):6} " + " ".join(f"{kinds[h]:18}" for h in heads))
    print(f"{time.process_time() - begun:.1f} s of processor time, {Sampling()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
