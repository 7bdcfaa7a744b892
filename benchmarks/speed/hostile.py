"""Evaluate answers that were made to do harm, each with a limit on time and memory, by hand.

    python benchmarks/speed/hostile.py [--answers 1000000] [--seed 0]
        [--only SUITE/ABILITY/SEMANTICS ...] [--depth FRAMES] [--dump FILE]

Answers are drawn for every suite, ability and semantics, and texts for every reader of files:
reference plans that were damaged, deep and long nesting, unbound and many variables, nested
quantifiers, words and signs again and again, characters that nobody sees, numbers and names of any
size, JSON of other shapes, up to a million characters. They are evaluated in a process of their
own, which is replaced when it has grown; one that takes 10 s is killed, and none gets more than
1 GB beyond what was held before it.
For every suite, ability and semantics it prints how many answers there were, the longest and the
99.9th percentile of CPU seconds, how many took over 1 s, the most memory that one of them added,
and a hash of all verdicts: two runs with the same seed print the same hashes, however busy the
machine is, and with any `--depth`: the number of frames of the caller (up to 600). Runs with other
seeds add to it. An answer over 1 s is measured again, alone, and the least time counts. It exits
with 1 if an exception escaped, a process was killed, or an answer took over 1 s or 500 MB; `--dump`
writes these answers as lines of JSON.

Suites whose data were not fetched (`eai data fetch eai`) are left out, and named.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import scipy.optimize  # noqa: F401 - no answer pays for what is imported at its first use

import eai
from eai import pddl
from eai.errors import EaiError
from eai.logic import parse_formula
from eai.predictions import load_all
from eai.report import record_from_json

SUITES = (
    "readers",
    "household",
    "virtualhome",
    "behavior",
    "asgardbench",
    "longact",
    "eb-alfred",
    "eb-habitat",
    "eb-navigation",
    "robobench-examples",
    "pddl",
)
SLOW = 1.0
"""CPU seconds beyond which an answer counts as slow."""
MEMORY = 500_000_000
"""Bytes beyond which an answer takes too much."""
MOST = 1_000_000_000
"""Bytes of addresses that an answer may take at all."""
KILLED = 10
"""CPU seconds after which an answer is given up."""
LONGEST = 1_000_000
"""Characters of the longest answer."""
CHUNK = 10_000
"""Answers that one process evaluates at most."""
GROWN = 300_000_000
"""Bytes by which a process has grown when it is replaced by a new one."""


READERS: dict[str, Callable[[str], object]] = {
    "predictions": lambda text: load_all({"model": [{"id": "a", "output": text}, text]}),
    "records": record_from_json,
    "formulas": parse_formula,
    "domains": pddl.read_domain,
    "problems": pddl.read_problem,
    "actions": pddl.read_actions,
    "bddl": pddl.read_bddl,
    "pddl3": pddl.parse_pddl3,
}
"""Readers of what is in files: an error of ours is an answer."""


PROBLEM = (
    """
(define (domain hall)
  (:requirements :strips :typing :negative-preconditions :conditional-effects)
  (:types lamp room - object)
  (:predicates (lit ?l - lamp) (in ?l - lamp ?r - room) (at ?r - room) (door ?a ?b - room))
  (:action go
    :parameters (?a ?b - room)
    :precondition (and (at ?a) (door ?a ?b))
    :effect (and (not (at ?a)) (at ?b)))
  (:action switch
    :parameters (?l - lamp ?r - room)
    :precondition (and (at ?r) (in ?l ?r))
    :effect (and (when (not (lit ?l)) (lit ?l)) (when (lit ?l) (not (lit ?l))))))
""",
    """
(define (problem light) (:domain hall)
  (:objects a b c - room l m - lamp)
  (:init (at a) (door a b) (door b a) (door b c) (in l c) (in m a) (lit m))
  (:goal (and (lit l) (not (lit m)))))
""",
)


FOLDER = tempfile.TemporaryDirectory()


@cache
def suite_of(name: str) -> eai.Suite:
    """Return a suite; ``pddl`` is one of a single problem."""
    if name != "pddl":
        return eai.suite(name)
    for kind, text in zip(("domain", "problem"), PROBLEM, strict=True):
        Path(FOLDER.name, f"{kind}.pddl").write_text(text, encoding="utf-8")
    return eai.suite(f"pddl:{FOLDER.name}")


class Target(NamedTuple):
    """What answers are drawn for; or a reader, with the name of a suite whose words are used."""

    suite: str
    ability: str
    semantics: str

    def __str__(self) -> str:
        return "/".join(self)


# -- answers that do harm -------------------------------------------------------------------

OFTEN = [60, 15, 3, 1]
"""How often sizes are drawn, the smallest first: the longest take most of the time."""


class Words(NamedTuple):
    """What answers to a task are made of."""

    plan: list[str]
    objects: list[str]
    predicates: list[str]
    known: list[str]


@cache
def words_of(suite: str, task: str) -> Words:
    """Return the words of a task."""
    found = suite_of(suite).task(task)
    plan = [str(step) for step in (found.plans[0] if found.plans else ())]
    words = found.vocabulary
    known = sorted([*words.objects, *words.predicates, *words.actions])
    return Words(plan, sorted(words.objects), sorted(words.predicates), known)


def _word(dice: random.Random, words: Words) -> str:
    odd = [
        "",
        "x" * 10_000,
        "\x00",
        "\u202a",
        "\ud800",
        "1e999",
        "-0",
        "NaN",
        "?x",
        "null",
        "..",
        "'",
    ]
    return str(dice.choice(words.known if words.known and dice.random() < 0.8 else odd))


def _plan(dice: random.Random, words: Words) -> str:
    steps = list(words.plan) or [f"{_word(dice, words)}({_word(dice, words)})" for _ in range(3)]
    for _ in range(dice.randrange(4)):
        at = dice.randrange(len(steps))
        steps[at : at + dice.randrange(2)] = [f"{_word(dice, words)}({_word(dice, words)})"]
    (times,) = dice.choices([1, 9, 400], OFTEN[:3])
    return dice.choice(["\n", ", ", " ; ", "\x00\n", "\u2028"]).join(steps * times)


def _json(dice: random.Random, words: Words, depth: int = 0) -> object:
    kind = dice.randrange(7 if depth < 6 else 3)
    if kind < 3:
        return (_word(dice, words), dice.choice([0, -1, 10**40, 1.5, True, None]), "")[kind]
    if kind < 5:
        return [_json(dice, words, depth + 1) for _ in range(dice.randrange(5))]
    keys = ["actions", "node goals", "edge goals", "action goals", "output", "from_name", "state"]
    return {
        dice.choice([*keys, _word(dice, words)]): _json(dice, words, depth + 1)
        for _ in range(dice.randrange(5))
    }


def _formula(dice: random.Random, words: Words, variables: int = 0) -> str:
    terms = [f"x{dice.randrange(variables)}" if variables else "", _word(dice, words)]
    predicates = words.predicates or ["on"]
    if dice.random() < 0.35 or variables > 8:
        chosen = [dice.choice(terms) or _word(dice, words) for _ in range(dice.randrange(1, 4))]
        return f"{dice.choice(predicates)}({', '.join(chosen)})"
    inner = _formula(dice, words, variables + 1)
    other = _formula(dice, words, variables) if dice.random() < 0.4 else "true"
    wide = dice.choice([2, 2, 260, 1_200])
    return dice.choice(
        [
            f"forall x{variables}. ({inner})",
            f"exists x{variables}. ({inner})",
            f"forall {', '.join(f'x{variables + more}' for more in range(wide))}. ({inner})",
            f"not ({inner})",
            f"({inner} and {other})",
            f"({inner} or {other})",
            f"({inner} then {other})",
            f"({inner} implies {other})",
        ]
    )


def _subgoals(dice: random.Random, words: Words) -> str:
    (count,) = dice.choices([1, 2, 5, 40], OFTEN)
    lines = [_formula(dice, words) for _ in range(count)]
    if dice.random() < 0.5:
        return "\n".join(lines)
    return json.dumps({"necessity_to_use_action": "no", "actions_to_include": [], "output": lines})


def _operators(dice: random.Random, words: Words) -> str:
    count, parts = dice.choice([1, 2, 6, 12, 12, dice.choice([240, 260, 1_200])]), []
    variables = [f"?v{number}" for number in range(count)]
    names = words.predicates or ["on"]

    def atoms(number: int) -> str:
        drawn = [*variables, f"?free{dice.randrange(9)}"]
        return " ".join(
            f"({dice.choice(names)} {' '.join(dice.choices(drawn, k=dice.randrange(3)))})"
            for _ in range(number)
        )

    for name in dice.sample(["walk", "grab", "open", "clean_dusty", "left_grasp", "slice"], 3):
        body = f"(and {atoms(dice.randrange(5))})"
        for level in range(dice.choice([0, 0, 1, 4, 40])):
            body = f"({dice.choice(['forall', 'exists'])} (?q{level}) {body})"
        if dice.random() < 0.1:  # one quantifier over as many variables as fit, or more
            wide = " ".join(f"?w{number}" for number in range(dice.choice([120, 260, 1_200])))
            body = f"({dice.choice(['forall', 'exists'])} ({wide}) {body})"
        effect = f"(and {atoms(dice.randrange(1, 5))} (not {atoms(1)}))"
        parts.append(
            f"(:action {name} :parameters ({' '.join(variables)} - object) "
            f":precondition {body} :effect {effect})"
        )
    return "\n".join(parts)


def _bulk(dice: random.Random, words: Words) -> str:
    word, atom = _word(dice, words), f"{_word(dice, words)}({_word(dice, words)})"
    units = ["(", "[", "{", ")]}", '{"a":', "((and", " ", "\n", "a\t", "not ", '"', "\\", "<think>"]
    units += ["```json\n{}\n```\n", "1. ", "9", "; x\n", "\x00", "\u202a", "\uff37\uff08a\uff09\n"]
    units += [f"{word} ", f"{atom}\n", f"{atom} and ", f"{atom} then ", "(:action a :effect ("]
    # What a pattern may match in two ways, or begins to match in many places.
    units += [f"{word}(ax{' ' * 390}b)\n", f"<{word}>{' ' * 390}b\n", f"{word}(", "G", "a_1 "]
    units += [f'"{word}":"', "Action:\n", "Plan:\n\n", "1 ", "- - ", "((\n", f"{word} \t"]
    unit = dice.choice(units)
    (count,) = dice.choices([50, 300, 3_000, 30_000, LONGEST], [*OFTEN, 0.5])
    return unit * min(count, LONGEST // len(unit) + 1)


def _reply(dice: random.Random, words: Words) -> str:
    """Short answers to questions: yes or no, letters, numbers, points, lists of names."""
    name, other = _word(dice, words), _word(dice, words)
    step = f"({name} {other} {_word(dice, words)})"
    number = dice.choice(["0", "-1", "3", "0.5", "10" * 300, "NaN", "1e999"])
    forms = ["yes", "No.", "A", "**B)**", "(C)", "None", "answer: ", name, step, number]
    forms += [f"({name} {other})", f"({number}, {number})", f"[[{number}, {number}]]"]
    forms += [f"[{name}, {other}]", f"{number}-[{name}]", f'"{step}"']
    (count,) = dice.choices([1, 3, 30, 3_000], OFTEN)
    return dice.choice([" ", "\n", ", "]).join(dice.choices(forms, k=count))


def _long(dice: random.Random, words: Words) -> str:
    """Many parts, each of which is in order."""
    objects, predicates = words.objects[:50] or ["cup"], words.predicates or ["on"]

    def atom(number: int) -> str:
        known = objects[number % len(objects)] if dice.random() < 0.9 else f"x{number}"
        return f"{predicates[number % len(predicates)]}({known})"

    atoms = [atom(number) for number in range(*dice.choices([100, 1_000, 8_000, 30_000], OFTEN))]
    parts = [part[:-1].split("(") for part in atoms]
    operator = "(:action {} :parameters (?a) :precondition (and {}))"
    forms: list[Callable[[], str]] = [
        lambda: json.dumps({"output": atoms}),
        lambda: json.dumps([{name: [known]} for name, known in parts]),
        lambda: json.dumps({"node goals": [{"name": on, "state": name} for name, on in parts]}),
        lambda: json.dumps(
            {"node goals": parts, "edge goals": [[*part, part[1]] for part in parts]}
        ),
        lambda: operator.format(_word(dice, words), " ".join(f"({name} ?a)" for name, _ in parts)),
        lambda: "\n".join(atoms),
        lambda: " and ".join(atoms),
    ]
    return dice.choice(forms)()


SIGNS = [
    *["(", "[", "{", "<", '"', "'", "`", "**", "~~", "\\", "|", "/", "#", "\n", "\n\n", "\t"],
    *[". ", ", ", "; ", ": ", " -> ", " - ", "=", "?", "!", "...", "- ", "1. ", "    ", "&lt;"],
]
PROSE = [
    *["a ", "the ", "to ", "it ", "not ", "no ", "if ", "and ", "then ", "or ", "instead of "],
    *["walk ", "walk(", "drop ", "pick up ", "put it ", "find a mug ", "should be ", "step 1 "],
    *["(corrected)", "Correction: ", "Teacher: No. ", "e.g. ", "done", "\u4e00", "\u00e9"],
]


def _pieces(dice: random.Random, words: Words) -> str:
    """A few words and signs, one behind the other, again and again: most often on one line."""
    drawers = [
        lambda: f"{_word(dice, words)[:40]} ",
        lambda: dice.choice(SIGNS),
        lambda: dice.choice(PROSE),
    ]
    unit = "".join(dice.choice(drawers)() for _ in range(dice.randint(1, 4)))
    # Lines that are just short enough to be read, and longer texts.
    (size,) = dice.choices([500, 4_900, 7_900, 20_000, 60_000], [8, 4, 4, 2, 1])
    return unit * (size // len(unit) + 1)


KINDS: dict[str, Callable[[random.Random, Words], str]] = {
    "plan": _plan,
    "json": lambda dice, words: json.dumps(_json(dice, words)),
    "subgoals": _subgoals,
    "operators": _operators,
    "bulk": _bulk,
    "reply": _reply,
    "long": _long,
    "pieces": _pieces,
}
FITTING = {
    "action_sequencing": "plan",
    "interaction": "plan",
    "goal_interpretation": "json",
    "recorded": "json",
    "subgoal_decomposition": "subgoals",
    "transition_modeling": "operators",
    "multi_step_plan": "plan",
    "next_step": "plan",
    "predictions": "json",
    "records": "json",
    "formulas": "subgoals",
    "pddl3": "subgoals",
    "domains": "operators",
    "problems": "operators",
    "actions": "operators",
    "bddl": "operators",
}
"""What an ability or a reader asks for; all other abilities ask questions, and want a reply."""


def drawn(dice: random.Random, target: Target, words: Words) -> str:
    """Draw an answer; half of them are of the kind that the ability asks for."""
    kind = FITTING.get(target.ability, "reply") if dice.random() < 0.5 else None
    kind = kind or dice.choice(list(KINDS))
    text = KINDS[kind](dice, words)
    if dice.random() < 0.2:
        text = json.dumps({"output": text})
    if dice.random() < 0.3:
        text = f"```json\n{text}\n```"
    if dice.random() < 0.2 and text:
        text = text[: dice.randrange(len(text))]
    return text[:LONGEST]


# -- evaluating them ------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What came of an answer."""

    verdict: str
    seconds: float
    memory: int


def _memory(name: str) -> int:
    """Return bytes of this process: VmSize (addresses), VmRSS (held), VmHWM (most held)."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition(f"{name}:")[2].split(maxsplit=1)[0]) * 1024


def task_and_answer(target: Target, seed: int, number: int) -> tuple[eai.Task, str]:
    """Draw one of the answers to a target, and the task that it is for."""
    dice = random.Random(f"{seed} {target} {number}")  # noqa: S311 - nothing is secret
    suite = suite_of(target.suite)
    tasks = suite.task_ids()
    task = suite.task(tasks[dice.randrange(len(tasks))])
    return task, drawn(dice, target, words_of(target.suite, task.id))


def _evaluated(
    target: Target, seed: int, first: int, count: int, depth: int, pipe: Connection
) -> None:
    """Evaluate answers here, and send what came of each; None says that no more comes.

    Time and memory are limited and measured for each answer alone. A process that has grown ends.
    """
    suite = suite_of(target.suite)
    begun = _memory("VmRSS")
    for number in range(first, first + count):
        task, answer = task_and_answer(target, seed, number)
        Path("/proc/self/clear_refs").write_text("5", "ascii")  # the most held is what is held now
        held = _memory("VmRSS")
        limit = int(time.process_time()) + KILLED
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        most = _memory("VmSize") + MOST
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
        before = time.process_time()
        try:
            verdict = _verdict(suite, target, task, answer, depth)
        except Exception as error:  # noqa: BLE001 - this is what is looked for
            verdict = f"ESCAPED {type(error).__name__}: {error}"[:500]
        seconds = time.process_time() - before
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        pipe.send(Outcome(verdict, seconds, _memory("VmHWM") - held))
        if _memory("VmRSS") - begun > GROWN:
            break
    pipe.send(None)
    pipe.close()


def _verdict(suite: eai.Suite, target: Target, task: eai.Task, answer: str, depth: int) -> str:
    if depth:  # so many frames further down, where Python's limit on recursion is nearer
        return _verdict(suite, target, task, answer, depth - 1)
    if target.ability in READERS:
        try:
            return type(READERS[target.ability](answer)).__name__
        except EaiError as error:
            return error.what
    semantics = suite.semantics(target.semantics)
    result = suite.evaluate(target.ability, task, answer, semantics)
    kinds = [(each.kind.value, each.step) for each in result.findings]
    return repr((result.status, result.success, result.outcome, kinds))


def outcomes(
    target: Target, seed: int, numbers: range, depth: int = 0
) -> Iterator[tuple[int, Outcome]]:
    """Yield each answer's number and outcome; a process that dies is replaced by a new one."""
    context = multiprocessing.get_context("fork")
    number = numbers.start
    while number < numbers.stop:
        mine, theirs = context.Pipe(duplex=False)
        chunk = (target, seed, number, min(CHUNK, numbers.stop - number), depth)
        process = context.Process(target=_evaluated, args=(*chunk, theirs))
        process.start()
        theirs.close()
        while True:
            try:
                outcome = mine.recv()
            except EOFError:  # which is how a process that was killed shows itself
                outcome = Outcome("KILLED", float(KILLED), 0)
            if outcome is None:
                break
            yield number, outcome
            number += 1
            if outcome.verdict == "KILLED":
                break
        mine.close()
        process.join()


def measured_again(target: Target, seed: int, number: int, depth: int, first: Outcome) -> Outcome:
    """Return the outcome of an answer that was slow, with the least of four measurements.

    Other work on the machine makes an answer slower, and nothing makes it faster. Each time it is
    evaluated in a new process, so that nothing is remembered.
    """
    seconds = first.seconds
    for _ in range(3):
        ((_, outcome),) = outcomes(target, seed, range(number, number + 1), depth)
        seconds = min(seconds, outcome.seconds)
    return first._replace(seconds=seconds)


def targets(suites: Sequence[str] = SUITES) -> Iterator[Target]:
    """Yield what can be evaluated here, and the readers."""
    for name in suites:
        if name == "readers":
            yield from (Target("household", reader, "file") for reader in READERS)
            continue
        try:
            suite = suite_of(name)
            suite.task(suite.task_ids()[0])
        except EaiError as error:
            print(f"left out: {name} ({error.what})")
            continue
        for ability in suite.abilities:
            for semantics in ("official", "strict"):
                yield Target(name, ability, semantics)


def main() -> int:
    """Evaluate; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--depth", type=int, default=0, help="frames below the evaluation")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--dump")
    options = parser.parse_args()
    chosen = [t for t in targets() if not options.only or str(t) in options.only]
    if not chosen:
        parser.error("--only names nothing that is here: SUITE/ABILITY/SEMANTICS")
    bad, each_has = [], options.answers // len(chosen)
    print(
        f"{'':52}{'answers':>9}{'99.9 %':>8}{'longest':>9}{'over 1 s':>9}{'MB more':>9}  verdicts"
    )
    for target in chosen:
        seconds, memory, digest, slow = [], 0, hashlib.sha256(), 0
        for number, outcome in outcomes(target, options.seed, range(each_has), options.depth):
            if SLOW < outcome.seconds < KILLED:
                outcome = measured_again(target, options.seed, number, options.depth, outcome)  # noqa: PLW2901
            seconds.append(outcome.seconds)
            memory = max(memory, outcome.memory)
            digest.update(outcome.verdict.encode("utf-8", "backslashreplace") + b"\n")
            slow += outcome.seconds > SLOW
            wrong = outcome.verdict.startswith(("ESCAPED", "KILLED"))
            if wrong or outcome.seconds > SLOW or outcome.memory > MEMORY:
                task, answer = task_and_answer(target, options.seed, number)
                found = {"target": str(target), "id": task.id, "output": answer}
                bad.append({**found, **outcome._asdict()})
        seconds.sort()
        print(
            f"{target!s:52}{len(seconds):>9,}{seconds[int(len(seconds) * 0.999)]:>8.2f}"
            f"{seconds[-1]:>9.2f}{slow:>9,}{memory / 1e6:>9.0f}  {digest.hexdigest()[:12]}",
            flush=True,
        )
    for each in bad[:20]:
        print(f"{each['target']} {each['id']}: {each['seconds']:.2f} s, {each['verdict'][:200]}")
    if options.dump:
        lines = "".join(json.dumps(each) + "\n" for each in bad)
        Path(options.dump).write_text(lines, encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
