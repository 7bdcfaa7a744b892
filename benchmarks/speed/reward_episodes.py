"""Rewards of episodes: how many a second, and whether those of turns add up, by hand.

    python benchmarks/speed/reward_episodes.py                  # household and asgardbench
    python benchmarks/speed/reward_episodes.py virtualhome behavior
    python benchmarks/speed/reward_episodes.py --random 10000   # random episodes in household

For each suite answers that solve their tasks (annotated plans, or its oracle's) are scored: as
episodes (every action of the answer is a turn), and as plans where the suite has plans. Preparing
the tasks does not count.
Printed are answers per second of processor time on one core, the median of the rounds.

With `--random N` annotated plans are acted N times with steps left out and random ones put in; the
rewards of the turns have to add up to the final share of the goal's conditions less the first one.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable

import eai
from eai.acting import format_action, replay, unobserved
from eai.agents import RandomAgent
from eai.contract import INTERACTION, PLANS, Suite
from eai.errors import EaiError
from eai.rewards import Reward, TurnReward, potential


def rate(answers: list[tuple[str, str]], reward: Reward, rounds: int) -> float:
    """Answers per second."""
    names, texts = zip(*answers, strict=True)
    seconds = []
    for _ in range(rounds + 1):  # the first round prepares the tasks
        start = time.process_time()
        solved = reward.score(names, texts)
        seconds.append(time.process_time() - start)
    if set(solved) != {1.0}:
        sys.exit("an answer that solves its task is not worth 1")
    return len(answers) / statistics.median(seconds[1:])


def answered(suite: Suite, ability: str, most: int) -> list[tuple[str, str]]:
    """Answers that solve their tasks."""
    ids = suite.task_ids()
    strict, found = suite.semantics("strict"), list[tuple[str, str]]()
    for name in ids[:: max(1, len(ids) // most)]:
        task = suite.task(name)
        plans = suite.plans(strict)
        try:
            if ability == INTERACTION:
                steps = [format_action(step) for step in task.plans[0]] if task.plans else "oracle"
                acted = eai.interact(suite, task, steps, semantics=strict)
                answer, solved = acted.output, acted.success
            elif plans is not None:
                answer = plans.write(task.plans[0])
                solved = suite.evaluate(ability, task, answer, strict).success
        except EaiError:
            continue
        if solved:
            found.append((name, answer))
    return found


def added_up(number: int) -> tuple[int, int, int]:
    """Number of random episodes whose rewards add up, of those that gain or lose, of all turns."""
    suite = eai.suite("household")
    strict, reward = suite.semantics("strict"), TurnReward()
    tasks = [suite.task(name) for name in suite.task_ids()]
    right = moved = turns = 0
    for seed in range(number):
        task, dice = tasks[seed % len(tasks)], random.Random(seed)  # noqa: S311
        rules = suite.episode_rules(task, strict)
        world = unobserved(suite.environment(task, strict))
        chance = RandomAgent(world.actions, rules.objects, seed=seed)
        answers = [format_action(step) for step in task.plans[0] if dice.random() < 0.9]
        for _ in range(dice.randrange(8)):
            answers.insert(dice.randrange(len(answers) + 1), chance([]))
        episode = replay(world, answers, rules=rules, task=task.id)
        gained = potential(episode.goal) - potential(episode.begun or episode.goal)
        right += abs(sum(reward.of(episode)) - gained) < 1e-9
        moved += gained != 0
        turns += len(episode.turns)
    return right, moved, turns


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("suites", nargs="*", default=["household", "asgardbench"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most", type=int, default=60, help="tasks of a suite")
    parser.add_argument("--random", type=int, metavar="N", help="random episodes")
    options = parser.parse_args()
    if options.random:
        right, moved, turns = added_up(options.random)
        print(f"{right} of {options.random} random episodes add up; {moved} gain or lose something")
        print(f"{turns} turns")
        return
    measured: Callable[[Suite, str], float] = lambda suite, ability: rate(  # noqa: E731
        answered(suite, ability, options.most), Reward(suite, ability), options.rounds
    )
    for name in options.suites:
        suite = eai.suite(name)
        for ability in (PLANS, INTERACTION):
            if ability in suite.abilities:
                print(f"{name:14} {ability:18} {measured(suite, ability):8,.0f} a second")


if __name__ == "__main__":
    main()
