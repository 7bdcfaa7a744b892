"""Time the validation of plans for one problem beside Kairos and VAL, by hand.

    python benchmarks/speed/validation.py DOMAIN PROBLEM
    python benchmarks/speed/validation.py DOMAIN PROBLEM --plans 1000 --val .../Validate

Two batches: *alike*, a plan that works and copies of it, each with one step left out, doubled or
moved, as models answer; and *walks*, random walks of the same length, which have little in common.
Printed for each, in plans per second of processor time and the median of `--rounds`, of which each
begins with nothing remembered:

- one by one: `eai.planning.validate`, steps given;
- batch: `eai.planning.validate_all`, steps given;
- texts: `Validator.is_valid` of what stands in the file of a plan;
- reasons: `Validator.diagnose` of the same, with reasons where a plan fails;
- Kairos (if it is installed): `parse_plan` and `validate` of the same texts.

All verdicts are compared. Then commands, with all they start: processor time and time by the clock,
the least of `--rounds`: bare Python, `eai --help`, `eai validate` of one plan and of the batch, and
VAL's `Validate` of the same.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from eai import pddl
from eai.planning import plan, validate, validate_all
from eai.planning.action_masks import MEMORY
from eai.planning.grounding import ground
from eai.suites.pddl import Validator
from eai.world import Action, world_of

Plan = Sequence[Action]


def varied(reference: Plan, dice: random.Random) -> Plan:
    """Return a copy of a plan with one step left out, doubled or moved; or the plan itself."""
    steps = list(reference)
    position = dice.randrange(len(steps))
    change = dice.choice(["none", "leave out", "double", "move"])
    if change == "double":
        steps.insert(position, steps[position])
    elif change != "none":
        step = steps.pop(position)
        if change == "move":
            steps.insert(dice.randrange(len(steps) + 1), step)
    return steps


def walk(
    domain: pddl.Domain, problem: pddl.Problem, length: int, dice: random.Random
) -> Callable[[], Plan]:
    """Return a function that makes random walks of at most some number of steps."""
    world = world_of(domain)
    start = world.state(problem.objects, problem.initial)
    actions = [step.action for step in ground(domain, problem).actions]
    numbers = {each: world.numbers(start, each.name, each.arguments) for each in actions}

    def made() -> Plan:
        state = start.copy()
        steps: list[Action] = []
        while len(steps) < length:
            action = dice.choice(actions)
            if world.first_failure(state, action.name, numbers[action]) < 0:
                world.apply(state, action.name, numbers[action])
                steps.append(action)
        return steps

    return made


def text_of(steps: Plan) -> str:
    """Return a plan in the notation of PDDL."""
    return "\n".join(f"({' '.join((step.name, *step.arguments))})" for step in steps)


def rate(function: Callable[[], object], count: int, rounds: int) -> float:
    """Return how often a second something is done that a call does some number of times."""
    seconds = []
    for _ in range(rounds):
        begin = time.process_time()
        function()
        seconds.append(time.process_time() - begin)
    return count / statistics.median(seconds)


def used(command: Sequence[str], rounds: int) -> tuple[float, float]:
    """Return the least processor time and the least time by the clock that a command takes."""
    cpu_s = []
    clock_s = []
    for _ in range(rounds):
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        clock_s.append(time.perf_counter() - begin)
        cpu_s.append(usage.ru_utime + usage.ru_stime)
    return min(cpu_s), min(clock_s)


def time_batch(
    name: str, plans: Sequence[Plan], files: tuple[Path, Path], rounds: int
) -> list[str]:
    """Time all ways to validate a batch; return the texts of its plans."""
    domain = pddl.parse_domain(pddl.read_file(files[0]))
    problem = pddl.parse_problem(pddl.read_file(files[1]), domain=domain)
    texts = [text_of(steps) for steps in plans]
    verdicts = [validation.valid for validation in validate_all(domain, problem, plans)]
    lengths = statistics.mean(map(len, plans))
    print(f"{name}: {len(plans)} plans, {lengths:.1f} steps on average, {sum(verdicts)} valid")

    def one_by_one() -> list[bool]:
        MEMORY.forget()
        return [validate(domain, problem, steps).valid for steps in plans]

    def batch() -> list[bool]:
        MEMORY.forget()
        return [validation.valid for validation in validate_all(domain, problem, plans)]

    def read_and_run() -> list[bool]:
        MEMORY.forget()
        validator = Validator(domain, problem)
        return [validator.is_valid(text) for text in texts]

    def diagnosed() -> list[bool]:
        MEMORY.forget()
        validator = Validator(domain, problem)
        return [validator.diagnose(text).valid for text in texts]

    ways = {"one by one": one_by_one, "batch": batch, "texts": read_and_run, "reasons": diagnosed}
    try:
        import kairos
    except ImportError:
        print("  Kairos is not installed")
    else:
        theirs = kairos.load_problem(str(files[1]), kairos.load_domain(str(files[0])))

        def by_kairos() -> list[bool]:
            return [kairos.validate(theirs, kairos.parse_plan(text)).valid for text in texts]

        ways["Kairos"] = by_kairos
    for way, function in ways.items():
        differing = sum(one != other for one, other in zip(function(), verdicts, strict=True))
        print(f"  {way:11} {rate(function, len(plans), rounds):9,.0f}/s, {differing} differ")
    return texts


def time_commands(
    texts: Sequence[str], files: tuple[Path, Path], rounds: int, val: str | None
) -> None:
    """Time commands from their start to their end."""
    eai = str(Path(sys.executable).with_name("eai"))
    domain, problem = map(str, files)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, text in enumerate(texts):
            path = Path(folder, f"plan{number}")
            path.write_text(text)
            paths.append(str(path))
        commands = {
            "bare Python": [sys.executable, "-c", "pass"],
            "eai --help": [eai, "--help"],
            "eai validate, one plan": [eai, "validate", domain, problem, paths[0]],
            "eai validate, all plans": [eai, "validate", domain, problem, folder],
        }
        if val is not None:
            commands["VAL, one plan"] = [val, domain, problem, paths[0]]
            commands["VAL, all plans"] = [val, domain, problem, *paths]
        for name, command in commands.items():
            cpu_s, clock_s = used(command, rounds)
            print(f"{name:24} {cpu_s:6.3f} s of processor time, {clock_s:6.3f} s by the clock")


def main() -> None:
    """Read the arguments, time all, and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("domain", type=Path)
    parser.add_argument("problem", type=Path)
    parser.add_argument("--plans", type=int, default=1000, help="plans of a batch (1000)")
    parser.add_argument("--rounds", type=int, default=5, help="times that each is measured (5)")
    parser.add_argument("--val", default=shutil.which("Validate"), help="VAL's Validate")
    arguments = parser.parse_args()
    files = (arguments.domain, arguments.problem)
    domain = pddl.parse_domain(pddl.read_file(files[0]))
    problem = pddl.parse_problem(pddl.read_file(files[1]), domain=domain)
    found = plan(domain, problem)
    if not found.plan:
        sys.exit(f"there is no plan to vary: {found.outcome.value}")
    dice = random.Random(1)  # noqa: S311
    reference = found.plan
    alike = [varied(reference, dice) for _ in range(arguments.plans)]
    texts = time_batch("alike", alike, files, arguments.rounds)
    step = walk(domain, problem, len(reference), dice)
    time_batch("walks", [step() for _ in range(arguments.plans)], files, arguments.rounds)
    time_commands(texts, files, arguments.rounds, arguments.val)


if __name__ == "__main__":
    main()
