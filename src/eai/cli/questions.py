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
    steps: Annotated[
        int, typer.Option(min=0, help="Random steps before the state that a question is about.")
    ] = 3,
    seed: opt.Seed = 0,
    output: Annotated[Path | None, opt.output_option("A file; by default standard output.")] = None,
    force: opt.Force = False,
) -> None:
    """Write questions about a planning task as JSON Lines, each with an answer that is right.

    The file is a suite: `eai evaluate pddl:FILE ANSWERS` accepts every right answer.
    """
    from eai.suites.pddl import WORDINGS, Asking, known_kind

    texts = pddl.read_file(domain), pddl.read_file(problem)
    # Mistakes are reported with the name of their file.
    read = pddl.parse_domain(texts[0], source=str(domain))
    pddl.parse_problem(texts[1], domain=read, source=str(problem), named=False)
    kinds = [known_kind(each, "--kind") for each in kind or WORDINGS]
    lines = _lines(texts, kinds, number, Asking(seed=seed, steps=steps))
    if output is None:
        for line in lines:
            say(line)
        return
    with replacing(output, force=force) as stream:
        count = sum(bool(stream.write(f"{line}\n")) for line in lines)
    warn(f"{counted(count, 'question')} written to {output}")


def _lines(
    texts: tuple[str, str], kinds: Sequence[str], number: int, asking: Asking
) -> Iterator[str]:
    """Yield the questions as lines of JSON, and warn of kinds with too few."""
    from eai.suites.pddl.generation import generated_questions

    for kind in kinds:
        written = 0
        for question in generated_questions(*texts, kind, number, asking):
            written += 1
            yield json_format.dumps(question, ensure_ascii=False)
        if written < number:
            made = counted(written, "question")
            warn(f"{kind}: {made} only; others are not different, or not proved within the budget")
