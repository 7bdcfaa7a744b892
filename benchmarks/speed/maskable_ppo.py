"""Train MaskablePPO on household tasks with reference plans of three steps, by hand.

    python -m venv ENV && ENV/bin/pip install -e '.[gym]' torch sb3-contrib
    ENV/bin/python benchmarks/speed/maskable_ppo.py [--steps 2048]

Each task is learnt alone. Printed are the episodes that are solved, of twenty, before and after,
and the CPU seconds that training took.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
from sb3_contrib import MaskablePPO

import eai
import eai.integrations.gym


def solved(model: Any, env: Any) -> int:  # noqa: ANN401  # of packages without types
    """Return how many of twenty episodes the model solves."""
    count = 0
    for number in range(20):
        seen, _ = env.reset(seed=number)
        reached = stopped = False
        while not (reached or stopped):
            action, _ = model.predict(seen, action_masks=env.unwrapped.action_masks())
            seen, _, reached, stopped, _ = env.step(int(action))
        count += reached
    return count


def main() -> None:
    """Train, and print what became of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=2048)
    chosen = parser.parse_args()
    suite = eai.suite("household")
    for task in suite.task_ids():
        if len(suite.task(task).plans[0]) != 3:
            continue
        env = gymnasium.make(
            "eai/Household-Vector-v0", task=task, step_cost=0.02, disable_env_checker=True
        )
        world: Any = env.unwrapped
        model = MaskablePPO("MlpPolicy", env, n_steps=256, learning_rate=1e-3, seed=0, device="cpu")
        before, start = solved(model, env), time.process_time()
        model.learn(chosen.steps)
        seconds = time.process_time() - start
        size = f"{len(world.facts)} bits, {len(world.actions)} actions"
        print(f"{task}: {size}, solved {before} and {solved(model, env)} of 20, {seconds:.0f} s")


if __name__ == "__main__":
    main()
