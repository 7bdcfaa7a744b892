"""Commands on PDDL files: plan, check, validate."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import eai
from eai import pddl
from eai.budget import BeyondBudgetError, Budget
from eai.cli import options as opt
from eai.cli.output import print_json, say
from eai.errors import InputError
from eai.pddl.text import definitions_in

if TYPE_CHECKING:
    from eai.answers import Phrases
    from eai.planning import DomainComparison, PlanningResult, ProblemComparison
    from eai.suites.pddl import Diagnosis, Validator
    from eai.world import Action

app = typer.Typer()


@opt.command(
    app,
    "eai plan domain.pddl problem.pddl",
    "eai plan domain.pddl problem.pddl --engine fast-downward --time-limit 60",
    "eai plan domain.pddl problem.pddl --engine unified:enhsp",
    "eai plan both.pddl",
)
def plan(
    domain: Annotated[Path, opt.path_argument("DOMAIN", "The domain, a PDDL file.")],
    problem: Annotated[
        Path | None,
        opt.path_argument(
            "PROBLEM", "The problem, a PDDL file; leave it out if DOMAIN defines it, too."
        ),
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            help="eai, eai-optimal, fast-downward, "
            "kairos, pyperplan, unified:NAME for an engine of unified-planning, or the name of an "
            "engine that another package registers."
        ),
    ] = "eai",
    time_limit: Annotated[
        float, typer.Option(callback=opt.finite, help="Seconds of processor time.")
    ] = 300,
    memory_limit: Annotated[
        float, typer.Option(callback=opt.finite, help="Megabytes for the search.")
    ] = 4_000,
    rules: opt.Rules = None,
    json: opt.Json = False,
) -> None:
    """Find a plan and print it as PDDL planners do; exit code 1 if none is found.

    With --rules, the plan keeps them, and that there is none means that there is no safe one.

    The last lines are comments: how planning ended and why, the cost, the processor time.
    """
    if problem is None:
        if not _defines_both(domain):
            message = f"there is one file, with a domain or a problem only: {domain}"
            raise typer.BadParameter(f"{message}; eai plan DOMAIN PROBLEM")
        problem = domain
    parsed_domain = pddl.parse_domain(pddl.read_file(domain), source=str(domain))
    parsed_problem = pddl.parse_problem(
        pddl.read_file(problem), domain=parsed_domain, source=str(problem)
    )
    planned = eai.plan(
        parsed_domain,
        parsed_problem,
        engine=engine,
        time_limit=time_limit,
        memory_limit=memory_limit,
        rules=rules,
    )
    if json:
        outcome = planned.outcome.value
        print_json({**vars(planned), "outcome": outcome, "plan": _step_lists(planned.plan)})
    else:
        _say_plan(planned)
    if not planned.solved:
        raise typer.Exit(1)


def _step_lists(plan: Iterable[Action] | None) -> list[list[str]] | None:
    """Return the steps of a plan for JSON: ``[["move", "a", "b"], ...]``; None if there is none."""
    if plan is None:
        return None
    return [[step.name, *step.arguments] for step in plan]


def _say_plan(planned: PlanningResult) -> None:
    """Print a plan in the usual notation, followed by comments on the search."""
    for step in planned.plan or ():
        say(step.in_pddl)
    # Every line behind the plan is a comment of PDDL, so that the output is a file of a plan.
    first, *others = planned.reason.splitlines() or [""]
    lines = [f"{planned.outcome.value} ({planned.engine}): {first}", *others]
    if planned.cost is not None:
        cost = f"cost {planned.cost:g}"
        if planned.optimal:
            cost += ", optimal"
        lines.append(cost)
    lines.append(f"{planned.seconds:.2f} s of processor time")
    for line in lines:
        say(f"; {line}")


def _defines_both(path: Path) -> bool:
    """Return whether a file defines a domain and a problem."""
    kinds = {definition.kind for definition in definitions_in(pddl.read_file(path))}
    return kinds == {"domain", "problem"}


@opt.command(app, "eai check domain.pddl problem.pddl")
def check(
    files: Annotated[
        list[Path],
        opt.path_argument("FILES", "Files with a domain, a problem or a list of (:action ...)."),
    ],
    json: opt.Json = False,
) -> None:
    """Print every mistake in PDDL files with its place; exit code 1 if there is an error."""
    issues = list(chain.from_iterable(pddl.check_files(files).values()))
    number_of_errors = sum(issue.severity == "error" for issue in issues)
    number_of_warnings = len(issues) - number_of_errors
    if json:
        print_json(
            {
                "errors": number_of_errors,
                "warnings": number_of_warnings,
                "files": len(files),
                "issues": [issue.as_record() for issue in issues],
            }
        )
    else:
        errors = _with_noun(number_of_errors, "error")
        warnings = _with_noun(number_of_warnings, "warning")
        lines = [issue.render() for issue in issues]
        lines.append(f"{errors} and {warnings} in {_with_noun(len(files), 'file')}")
        say("\n".join(lines))
    if number_of_errors:
        raise typer.Exit(1)


def _with_noun(count: int, noun: str) -> str:
    """Return a number with its noun: ``"1 error"``, ``"2 errors"``."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun}s"


class _ValidationOptions(opt.OptionGroup):
    """Options for validation."""

    every: Annotated[
        bool, typer.Option("--all", help="Go on after a step that fails, as if it were not there.")
    ] = False
    repair: Annotated[
        bool, typer.Option("--repair", help="Look for the fewest edits that make a plan work.")
    ] = False
    phrases: Annotated[
        Path | None, opt.path_option("What actions and objects are called in words (JSON).")
    ] = None
    as_val: Annotated[
        bool, typer.Option("--as-val", help="Read plans and print verdicts as VAL 4 does.")
    ] = False
    budget: Annotated[
        str,
        typer.Option(
            help="Limits for one plan, on what quantified conditions and effects may look at and "
            "derived predicates may hold (bytes=NUMBER); none is no limit."
        ),
    ] = "instances=100000000"


@opt.command(
    app,
    "eai validate domain.pddl problem.pddl plan.txt",
    "eai validate domain.pddl problem.pddl plans/ --repair",
    "cat plan.txt | eai validate domain.pddl problem.pddl - --json",
    "eai validate both.pddl plan.txt",
)
def validate(
    domain: Annotated[Path, opt.path_argument("DOMAIN", "The domain, a PDDL file.")],
    problem: Annotated[
        Path,
        opt.path_argument(
            "PROBLEM", "The problem, a PDDL file; leave it out if DOMAIN defines it, too."
        ),
    ],
    plans: Annotated[
        list[Path] | None,
        opt.path_argument(
            "PLANS", "Files with a plan each, or folders of them; - is standard input."
        ),
    ] = None,
    *,
    options: _ValidationOptions,
    json: opt.Json = False,
) -> None:
    """Say whether plans work and, if not, why; exit code 1 if any plan fails."""
    plans = plans or []
    _refuse_suite(domain, problem, plans)
    if domain != problem and _defines_both(domain):
        # Of one file for both, the second argument is a plan already.
        plans = [problem, *plans]
        problem = domain
    if not plans:
        raise typer.BadParameter(f"the plans are missing: eai validate {domain} {problem} PLAN")
    # One validator for all plans: the domain is compiled once.
    validator = _validator_of(domain, problem, options)
    all_valid = True
    documents = []
    for name, plan_text in _texts_of(plans, "a text file with a plan"):
        try:
            diagnosis = validator.diagnose(plan_text, every=options.every, repair=options.repair)
        except BeyondBudgetError as error:
            raise InputError(
                f"the plan was not validated: {error}",
                where=name,
                expected="conditions with fewer quantified variables, or fewer objects",
                mend="--budget sets other limits, such as instances=NUMBER, or none",
            ) from error
        all_valid = all_valid and diagnosis.valid
        # Text is printed plan by plan, as searching for repairs takes long; JSON is one document.
        if json:
            documents.append({"plan": name, **diagnosis.document()})
        else:
            _say_diagnosis(name, diagnosis, options)
    if json:
        print_json({"plans": documents})
    if not all_valid:
        raise typer.Exit(1)


def _validator_of(domain: Path, problem: Path, options: _ValidationOptions) -> Validator:
    """Return the validator of plans for the domain and the problem in two files."""
    from eai.suites.pddl import Validator

    parsed_domain = pddl.parse_domain(pddl.read_file(domain), source=str(domain))
    parsed_problem = pddl.parse_problem(
        pddl.read_file(problem), domain=parsed_domain, source=str(problem), named=False
    )
    return Validator(
        parsed_domain,
        parsed_problem,
        phrases=_phrases(options.phrases),
        official=options.as_val,
        budget=Budget.parse(options.budget),
    )


def _say_diagnosis(name: str, diagnosis: Diagnosis, options: _ValidationOptions) -> None:
    """Print the diagnosis of a plan, in the words of VAL if they are asked for."""
    if options.as_val:
        from eai.suites.pddl import published_lines

        say(published_lines(name, diagnosis))
    else:
        say("\n".join([f"{name}: {diagnosis}", *_note_lines(diagnosis.notes)]))


def _note_lines(notes: Iterable[str]) -> list[str]:
    """Return notes as they stand below the verdict on a plan."""
    return [f"  note: {note}" for note in notes]


@opt.command(
    app,
    "eai compare-problems domain.pddl reference.pddl answer.pddl",
    "eai compare-problems domain.pddl reference.pddl answers/",
)
def compare_problems(
    domain: Annotated[Path, opt.path_argument("DOMAIN", "The domain, a PDDL file.")],
    reference: Annotated[Path, opt.path_argument("REFERENCE", "The right problem, a PDDL file.")],
    answers: Annotated[
        list[Path],
        opt.path_argument("ANSWERS", "Problems to compare with it: PDDL files, or their folder."),
    ],
    states: Annotated[
        int, typer.Option(min=1, help="Reachable states on which goals are compared.")
    ] = 20_000,
    json: opt.Json = False,
) -> None:
    """Say whether problems are the same but for names; exit code 1 if one is not.

    Initial states have to be equal under a renaming of objects, and goals to hold in the same
    reachable states. A problem that cannot be read is named, and is not equivalent.
    """
    from eai.planning import equivalent_problems

    parsed_domain = pddl.parse_domain(pddl.read_file(domain), source=str(domain))
    reference_problem = pddl.parse_problem(
        pddl.read_file(reference), domain=parsed_domain, source=str(reference)
    )

    def compare(text: str, name: str) -> tuple[dict[str, object], str]:
        answer = pddl.parse_problem(text, domain=parsed_domain, source=name)
        comparison = equivalent_problems(parsed_domain, reference_problem, answer, states=states)
        return _comparison_document(name, comparison), str(comparison)

    documents = _compare_answers("problem", answers, compare, json=json)
    _say_verdicts_and_end("problems", documents, json=json)


def _comparison_document(name: str, comparison: ProblemComparison) -> dict[str, object]:
    """Return a comparison of problems as a JSON object."""
    return {
        "file": name,
        "verdict": comparison.verdict,
        "reason": comparison.reason,
        "renaming": dict(comparison.renaming),
        "differences": [asdict(difference) for difference in comparison.differences],
        "plan": _step_lists(comparison.plan),
    }


@opt.command(
    app,
    "eai compare-domains reference.pddl answer.pddl",
    "eai compare-domains reference.pddl answers/ --problem p01.pddl --problem p02.pddl",
)
def compare_domains(
    reference: Annotated[Path, opt.path_argument("REFERENCE", "The right domain, a PDDL file.")],
    answers: Annotated[
        list[Path],
        opt.path_argument("ANSWERS", "Domains to compare with it: files, or their folder."),
    ],
    problem: Annotated[
        list[Path] | None,
        opt.path_option("A problem in whose reachable states domains are compared; repeatable."),
    ] = None,
    states: Annotated[
        int, typer.Option(min=1, help="States of each problem that are looked at.")
    ] = 2_000,
    json: opt.Json = False,
) -> None:
    """Say whether domains are the same but for names; exit code 1 if one is not.

    Every difference is shown by a problem and a plan that solves it in one of the domains only.
    """
    from eai.planning import equivalent_domains

    right = pddl.parse_domain(pddl.read_file(reference), source=str(reference))
    problems = []
    for path in problem or ():
        text = pddl.read_file(path)
        problems.append(pddl.parse_problem(text, domain=right, source=str(path)))

    def compare(text: str, name: str) -> tuple[dict[str, object], str]:
        answer = pddl.parse_domain(text, source=name)
        comparison = equivalent_domains(right, answer, problems, states=states)
        return _domain_document(name, comparison), str(comparison)

    documents = _compare_answers("domain", answers, compare, json=json)
    _say_verdicts_and_end("domains", documents, json=json)


def _compare_answers(
    kind: str,
    answers: Sequence[Path],
    compare: Callable[[str, str], tuple[dict[str, object], str]],
    *,
    json: bool,
) -> list[dict[str, object]]:
    """Compare each answer with the reference, print verdicts, and return documents.

    Args:
        kind: ``"domain"`` or ``"problem"``.
        answers: Files, or their folder.
        compare: Returns the document of a definition and its verdict in words, by text and name.
        json: Whether nothing is said.
    """
    from eai.answers import read_definition  # loads what other commands here do without

    documents: list[dict[str, object]] = []
    for name, text in _texts_of(answers, f"a PDDL file with a {kind}"):
        try:
            # An answer of a model may have words and fences around its definition.
            document, verdict = compare(read_definition(text, kind).text, name)
        except InputError as error:
            document = {"file": name, "verdict": "not read", "reason": str(error)}
            verdict = f"not read: {error}"
        documents.append(document)
        if not json:
            say(f"{name}: {verdict}")
    return documents


def _say_verdicts_and_end(what: str, documents: Sequence[dict[str, object]], *, json: bool) -> None:
    """Print the verdicts, and exit with code 1 if an answer is not equivalent."""
    verdicts = Counter(str(document["verdict"]) for document in documents)
    if json:
        print_json({what: documents})
    elif len(documents) > 1:
        say(", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()))
    if verdicts["equivalent"] < len(documents):
        raise typer.Exit(1)


def _domain_document(name: str, comparison: DomainComparison) -> dict[str, object]:
    """Return a comparison of domains as a JSON object."""
    witness = None
    if comparison.witness is not None:
        witness = {
            "problem": pddl.format_problem(comparison.witness.problem),
            "plan": [step.in_pddl for step in comparison.witness.plan],
            "works_in": comparison.witness.works_in,
        }
    return {
        "file": name,
        "verdict": comparison.verdict,
        "reason": comparison.reason,
        # From the names of the answer to those of the reference.
        "names": {second: first for first, second in comparison.names.renamed()},
        "differences": [asdict(difference) for difference in comparison.differences],
        "witness": witness,
    }


@opt.command(app, "eai mcp", "eai mcp --folder problems/")
def mcp(
    folder: Annotated[
        Path | None, opt.path_option("Tools may read files of this folder.", metavar="FOLDER")
    ] = None,
) -> None:
    """Serve agents: check, validate, repair and make plans (Model Context Protocol).

    Messages come on standard input, and answers go to standard output, until the input ends.
    """
    from eai.integrations.mcp import serve

    serve(folder)


def _refuse_suite(domain: Path, problem: Path, plans: Sequence[Path]) -> None:
    """Refuse a suite's name in place of a domain, and name the right command."""
    if domain.exists():
        return
    from eai.cli.reading import refuse_suite  # it loads what runs and reports need

    refuse_suite(domain, problem, plans)


def _phrases(path: Path | None) -> Phrases | None:
    """Return the phrases in a file, or None without a file."""
    if path is None:
        return None
    from eai.suites.pddl import read_phrases  # it loads the suite

    return read_phrases(path)


def _texts_of(paths: Sequence[Path], expected: str) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of files, of those in folders, and of standard input (``-``).

    Args:
        paths: The files and folders.
        expected: What a file is, for messages.
    """
    for path in paths:
        if str(path) == "-":
            yield "-", _plan_of_standard_input()
            continue
        files = [path]
        if path.is_dir():
            files = sorted(filter(Path.is_file, path.iterdir()))
        if not files:
            raise InputError("there is no file in this folder", where=str(path), expected=expected)
        for file in files:
            yield str(file), pddl.read_file(file, expected=expected)


def _plan_of_standard_input() -> str:
    """Return the plan on standard input, which must be text."""
    # Bytes, because the encoding of standard input depends on the machine.
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        problem = f"byte {error.start} is not UTF-8 text"
        raise InputError(problem, where="standard input", expected="a plan") from error
