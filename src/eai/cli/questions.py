"""``eai questions``: write questions about a planning task, with answers that are right."""

from __future__ import annotations

import json as json_format
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eai import pddl
from eai.cli import options as opt
from eai.cli.output import say, warn
from eai.files import replacing
from eai.text import counted

if TYPE_CHECKING:
    from eai.suites.pddl import Asking

app = typer.Typer()


@opt.command(
    app,
    "eai questions domain.pddl problem.pddl --kind landmark -n 20 -o questions.jsonl",
    "eai questions domain.pddl problem.pddl --kind next_action --kind validation --seed 7",
)
def questions(
    domain: Annotated[Path, opt.path_argument("DOMAIN", "The domain, a PDDL file.")],
    problem: Annotated[Path, opt.path_argument("PROBLEM", "The problem, a PDDL file.")],
    kind: Annotated[
        list[str] | None,
        typer.Option(help="landmark, next_action, ...; may be repeated; by default all eight."),
    ] = None,
    number: Annotated[
        int, typer.Option("--number", "-n", min=1, help="Questions of each kind, at most.")
    ] = 10,
    *,
    steps: Annotated[
        int, typer.Option(min=0, help="Random steps before the state that a question is about.")
    ] = 3,
    seed: opt.Seed = 0,
    lines: opt.Lines,
) -> None:
    """Write questions about a planning task as JSON Lines, each with an answer that is right.

    The file is a suite: `eai evaluate pddl:FILE ANSWERS` accepts every right answer.
    """
    from eai.suites.pddl import WORDINGS, Asking, known_kind

    domain_text = pddl.read_file(domain)
    problem_text = pddl.read_file(problem)
    # Parsed here only so that mistakes are reported with the name of their file.
    parsed_domain = pddl.parse_domain(domain_text, source=str(domain))
    pddl.parse_problem(problem_text, domain=parsed_domain, source=str(problem), named=False)
    kinds = [known_kind(name, "--kind") for name in kind or WORDINGS]
    asking = Asking(seed=seed, steps=steps)
    question_lines = _question_lines((domain_text, problem_text), kinds, number, asking)
    if lines.output is None:
        for line in question_lines:
            say(line)
        return
    count = 0
    with replacing(lines.output, force=lines.force) as stream:
        for line in question_lines:
            stream.write(f"{line}\n")
            count += 1
    warn(f"{counted(count, 'question')} written to {lines.output}")


def _question_lines(
    texts: tuple[str, str], kinds: Sequence[str], max_questions: int, asking: Asking
) -> Iterator[str]:
    """Yield questions as lines of JSON, and print a warning for each kind that has too few.

    Args:
        texts: The texts of the domain and of the problem.
        kinds: Kinds of questions, such as ``"landmark"``.
        max_questions: Maximum number of questions of each kind.
        asking: How questions are drawn.
    """
    from eai.suites.pddl.generation import generated_questions

    for kind in kinds:
        number_written = 0
        for question in generated_questions(*texts, kind, max_questions, asking):
            number_written += 1
            yield json_format.dumps(question, ensure_ascii=False)
        if number_written < max_questions:
            questions_text = counted(number_written, "question")
            warn(
                f"{kind}: {questions_text} only; "
                "others are not different, or not proved within the budget"
            )
