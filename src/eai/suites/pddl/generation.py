"""Files of questions about any planning task: ACPBench for a domain and a problem of one's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from eai.pddl import format_problem, parse_domain, parse_problem
from eai.suites.pddl.questions import (
    KINDS,
    NoQuestionError,
    make_question,
    problem_from,
    stated_facts,
)
from eai.suites.pddl.tasks import Asking, made_task

_TRIES = 50
"""Random walks for each question that is wanted; most lead to states that are new."""
_UNPROVED = 3
"""Questions without a proved answer after which a kind is given up: the task is too large."""


def generated_questions(
    domain: str, problem: str, kind: str, count: int, asking: Asking | None = None
) -> Iterator[Mapping[str, object]]:
    """Yield questions of a kind about a planning task, each with a correct answer.

    A question is about the state after a random walk. Its problem has that state as its initial
    state, so a question is a line of a file of tasks (``pddl:FILE.jsonl``) and is graded like one
    that was published.

    Args:
        domain: The domain, as PDDL text.
        problem: The problem, as PDDL text.
        kind: One of :data:`~eai.suites.pddl.questions.KINDS`.
        count: Maximum number of questions; no two are alike, so there may be fewer.
        asking: Seed, length of the walks, and the limit of time for a proof.

    Raises:
        ParseError: If a text is not a domain, or no problem for it.
        InputError: If the domain cannot be run.

    Examples:
        >>> from pathlib import Path
        >>> texts = domain, problem  # doctest: +SKIP
        >>> for question in generated_questions(*texts, "landmark", 20):  # doctest: +SKIP
        ...     print(question["answer"])
    """
    parsed_domain = parse_domain(domain)
    parsed_problem = parse_problem(problem, domain=parsed_domain, named=False)
    asking = asking or Asking()
    task = made_task(parsed_domain, parsed_problem, texts=(domain, problem))
    # The walks of two seeds may end in the same state, so questions are compared.
    questions_so_far: set[tuple[object, ...]] = set()
    n_unproved = 0
    for seed in range(asking.seed, asking.seed + count * _TRIES):
        if len(questions_so_far) >= count:
            return
        try:
            question = make_question(replace(task, asking=asking._replace(seed=seed)), kind)
        except NoQuestionError:
            continue
        initial_facts = tuple(stated_facts(question.state))
        new_problem = problem_from(parsed_problem, question.state)
        new_problem = replace(new_problem, initial=initial_facts)
        initial_values = frozenset(new_problem.values.items())
        key = frozenset(initial_facts), initial_values, question.text
        if key in questions_so_far:
            continue
        answer = KINDS[kind][1](replace(question), None)
        if not isinstance(answer, str):  # no answer was proved to be right
            n_unproved += 1
            if n_unproved >= _UNPROVED:
                return
            continue
        questions_so_far.add(key)
        name = f"{parsed_problem.name}-{kind}-{len(questions_so_far)}"
        yield {
            "id": name,
            "domain": domain,
            "problem": format_problem(replace(new_problem, name=name), legal_names=True),
            "kind": kind,
            "question": question.text,
            "answer": answer,
        }
