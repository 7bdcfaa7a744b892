"""``eai perturb``: answers that are wrong in a known way, from the reference plans of a suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from json import dumps
from pathlib import Path
from typing import Annotated

from eai.cli.commands import Argument, Option

__all__ = ["COMMAND"]


def _perturb(
    suite: Annotated[str, Argument("Name of a suite; see `eai suites`.")],
    output: Annotated[Path, Option("File for the predictions (JSON Lines).", ("--output", "-o"))],
    kind: Annotated[
        str,
        Option(
            "What is done to every plan (drop, move, swap, duplicate, insert, "
            "replace_object, replace_action, hallucinate_action, hallucinate_object, "
            "argument_number, break_text; any: drawn for every task), or the kind of error "
            "that comes of it (missing_step, ...)."
        ),
    ] = "any",
    seed: Annotated[int, Option("With the same seed, the same plans.")] = 0,
    labels: Annotated[
        Path | None,
        Option("File for the labels; by default FILE with .labels before its ending."),
    ] = None,
    harmless: Annotated[
        bool,
        Option("Take plans that solve their tasks all the same, too."),
    ] = False,
    force: Annotated[bool, Option("Write over files.")] = False,
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """Make the reference plan of every task wrong, and write answers and labels.

    Each wrong plan is judged under strict semantics; plans that do not go wrong as announced are
    left out.
    """
    from eai.cli.here import named_suite
    from eai.cli.output import say
    from eai.files import refuse_existing
    from eai.perturbation import perturb_suite

    found = named_suite(suite)
    beside = labels or output.with_suffix(f".labels{output.suffix}")
    for path in (output, beside):
        refuse_existing(path, force=force)
    made = list(perturb_suite(found, kind, seed=seed, harmful=not harmless))
    _write(output, [each.prediction() for each in made])
    _write(beside, [each.label() for each in made])
    done = Counter(each.fault.edit for each in made)
    if json:
        from eai.cli.documents import print_json

        print_json({"plans": len(made), "edits": done, "predictions": output, "labels": beside})
        return
    told = ", ".join(f"{count} {edit}" for edit, count in sorted(done.items())) or "nothing"
    say(f"{len(made)} wrong plans ({told}) written to {output}, labels to {beside}")


def _write(path: Path, lines: Iterable[Mapping[str, object]]) -> None:
    path.write_text("".join(f"{dumps(line)}\n" for line in lines), "utf-8")


COMMAND = _perturb
