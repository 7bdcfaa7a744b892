"""How many steps a second a random agent takes through Gymnasium, by hand.

    python benchmarks/speed/gym_steps.py [SUITE ...] [--tasks 12] [--steps 300]

Steps per second of processor time on one core, with actions as text, and as numbers with a mask of
those that can be done. Setting up a task does not count; beginning an episode anew does.
"""

from __future__ import annotations

import argparse
import random
import time

import eai
from eai.integrations.gym import Actions, SuiteEnv


def rate(suite: str, actions: Actions, tasks: int, steps: int) -> float:
    """Steps per second of processor time."""
    ids, seconds, taken = eai.suite(suite).task_ids(), 0.0, 0
    for name in ids[:: max(1, len(ids) // tasks)]:
        known = SuiteEnv(suite, name, actions="discrete")
        env, dice = SuiteEnv(suite, name, actions=actions), random.Random(name)  # noqa: S311
        texts = [" ".join((each.name.upper(), *each.arguments)) for each in known.actions]
        env.reset()
        begin = time.process_time()
        for _ in range(steps):
            number = dice.randrange(len(texts))
            *_, reached, stopped, _ = env.step(texts[number] if actions == "text" else number)
            if reached or stopped:
                env.reset()
        seconds, taken = seconds + time.process_time() - begin, taken + steps
    return taken / seconds


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("suites", nargs="*", default=["household", "asgardbench"])
    parser.add_argument("--tasks", type=int, default=12)
    parser.add_argument("--steps", type=int, default=300)
    options = parser.parse_args()
    for suite in options.suites:
        text, number = (
            rate(suite, actions, options.tasks, options.steps) for actions in ("text", "discrete")
        )
        print(f"{suite:14} {text:8,.0f} steps a second as text, {number:8,.0f} as numbers")


if __name__ == "__main__":
    main()
