"""How many answers a reward scores per second on the official VirtualHome tasks, by hand.

    python benchmarks/speed/reward.py                               # reference and damaged plans
    python benchmarks/speed/reward.py --answers FOLDER              # and files of real answers
    python benchmarks/speed/reward.py --profile                     # where the time goes

Answers are texts: reading them, looking names up, running plans and evaluating goals count;
preparing the tasks does not (it is printed apart). Printed for each source: how many answers are
solved, and answers per second of processor time on one core, the median of the rounds: the graded
reward, the binary one, and `suite.evaluate`, which describes everything that it finds, turn by
turn. The verdicts of all three are compared, and the values of one process with those of two.
"""

from __future__ import annotations

import argparse
import cProfile
import multiprocessing
import pstats
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from eai.predictions import load_predictions
from eai.rewards import Reward
from eai.suites.virtualhome import VirtualHome
from eai.task import Task
from eai.world import Action

SUITE = VirtualHome()
Answers = list[tuple[str, str]]
"""Tasks and answers."""


def written(plan: Sequence[Action]) -> str:
    """A plan in the form that the official prompt asks for."""
    steps = []
    for step in plan:
        parts = [f'"{part}"' for name in step.arguments for part in name.rsplit(".", 1)]
        steps.append(f'{{"{step.name.upper()}": [{", ".join(parts)}]}}')
    return f"[{', '.join(steps)}]"


def damaged(task: Task, dice: random.Random) -> Iterator[str]:
    """The reference plan with one step left out, exchanged, moved, or of an unknown object."""
    plan = list(task.plans[0])
    at = dice.randrange(len(plan))
    rest = [*plan[:at], *plan[at + 1 :]]
    objects = sorted(task.vocabulary.objects)
    other = Action(plan[at].name, tuple(dice.choice(objects) for _ in plan[at].arguments))
    strange = Action("walk", ("unicorn.1",))
    yield written(rest)
    yield written([*plan[:at], other, *plan[at + 1 :]])
    yield written([*rest, plan[at]])
    yield written([*plan[:at], strange, *plan[at:]])


def sources(names: Sequence[str], folder: Path | None) -> dict[str, Answers]:
    """The answers by source."""
    tasks, dice = {name: SUITE.task(name) for name in names}, random.Random(1)  # noqa: S311
    found: dict[str, Answers] = {
        "reference plans": [(name, written(task.plans[0])) for name, task in tasks.items()],
        "damaged ones": [(n, text) for n, task in tasks.items() for text in damaged(task, dice)],
    }
    for path in sorted(folder.iterdir()) if folder else ():
        items = load_predictions(path).items
        own = [(SUITE.canonical_id(raw), text) for raw, text in items.items()]
        found[path.name.partition(".json")[0]] = [each for each in own if each[0] in tasks]
    if folder:
        found["all models"] = [each for own in list(found.values())[2:] for each in own]
    return found


def rates(answers: Answers, acts: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Answers per second of each way to score them, turn by turn."""
    seconds: list[list[float]] = [[] for _ in acts]
    for number in range(rounds + 1):
        for act, own in zip(acts, seconds, strict=True):
            start = time.process_time()
            act()
            if number:  # the first round warms up
                own.append(time.process_time() - start)
    return [len(answers) / statistics.median(own) for own in seconds]


def compared(graded: Reward, binary: Reward, answers: Answers) -> int:
    """How many answers are solved.

    Raises:
        SystemExit: If a verdict is not the evaluator's.
    """
    names, texts = zip(*answers, strict=True)
    solved = [
        SUITE.evaluate("action_sequencing", SUITE.task(name), text, graded.semantics).success
        for name, text in answers
    ]
    same = [value == 1.0 for value in graded.score(names, texts)] == solved
    if not same or binary.score(names, texts) != list(map(float, solved)):
        sys.exit("a verdict is not the evaluator's")
    return sum(solved)


def in_two_processes(reward: Reward, answers: Answers) -> list[float]:
    """The values that two processes find, half of the answers each."""
    names, texts = map(list, zip(*answers, strict=True))
    half = len(answers) // 2
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        first = pool.submit(reward.score, names[:half], texts[:half])
        second = pool.submit(reward.score, names[half:], texts[half:])
        return first.result() + second.result()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=Path, help="a folder with files of answers, by model")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    graded, binary = Reward("virtualhome"), Reward("virtualhome", kind="binary")
    start = time.process_time()
    names = graded.tasks()
    print(f"{len(names)} tasks prepared in {time.process_time() - start:.2f} s")
    found = sources(names, options.answers)
    tasks = {name: SUITE.task(name) for name in names}
    print(f"{'':32} answers  solved  graded/s  binary/s   evaluate/s")
    for source, answers in found.items():
        given, texts = zip(*answers, strict=True)
        acts: list[Callable[[], object]] = [
            lambda given=given, texts=texts: graded.score(given, texts),  # type: ignore[misc]
            lambda given=given, texts=texts: binary.score(given, texts),  # type: ignore[misc]
            lambda answers=answers: [  # type: ignore[misc]
                SUITE.evaluate("action_sequencing", tasks[name], text, graded.semantics)
                for name, text in answers
            ],
        ]
        solved = compared(graded, binary, answers)
        numbers = "".join(f"{rate:10,.0f}" for rate in rates(answers, acts, options.rounds))
        print(f"{source:32} {len(answers):7,} {solved:7,}{numbers}")
    answers = list(found.values())[-1]
    given, texts = zip(*answers, strict=True)
    if in_two_processes(graded, answers) != graded.score(given, texts):
        sys.exit("two processes find other values than one")
    print(f"the same {len(answers):,} values from one process and from two")
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(graded.score, given, texts)
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)


if __name__ == "__main__":
    main()
