"""Does the real AI2-THOR do what the symbolic world does? For whoever has its player.

    python tools/thor_controller_check.py [--steps 300] [--executable PATH]

The oracle acts in tasks of AsgardBench in the symbolic world, in rooms as they are loaded; what it
did is kept. The same steps are taken with the real simulator behind the same environment, and each
is compared: whether it was done, the code if it was not, and the state of the room after it. When
a state differs the episode is left, because what follows from that is no finding.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from eai.simulators import ThorWorld, load_scene, recorded_fits
from eai.simulators.thor_controller.client import Connection, connect
from eai.simulators.thor_controller.engine import ControllerEngine, differences
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.instances import Instance, instances
from eai.suites.asgardbench.oracle import plan_actions
from eai.world import Action, State


@dataclass
class Agreement:
    """Counts by action: steps, and on which of them both agree."""

    steps: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    differing: list[str] = field(default_factory=list)

    def rows(self) -> Iterator[tuple[str, int, int, int, int]]:
        """Yield a row for every action, and one for all."""
        counts = (self.steps, self.outcomes, self.codes, self.states)
        for name in sorted(self.steps):
            a, b, c, d = (count[name] for count in counts)
            yield name, a, b, c, d
        a, b, c, d = (sum(count.values()) for count in counts)
        yield "all", a, b, c, d


def recorded(instance: Instance) -> list[Action]:
    """What the oracle does in a task, in its room as it is loaded."""
    environment = AsgardEnvironment(instance, "strict", scene=load_scene(instance.scene))
    taken = []
    for action in plan_actions(environment, environment.semantics):
        environment.step(action)
        taken.append(action)
    return taken


def compare(begin: Callable[[str], Connection], steps: int = 300) -> Agreement:
    """Take recorded steps in both worlds.

    Args:
        begin: Starts a player with a room.
        steps: How many are compared at least.
    """
    found = Agreement()
    for instance in instances().values():
        if sum(found.steps.values()) >= steps:
            break
        with begin(instance.scene) as connection:
            engine = ControllerEngine(connection, world=ThorWorld(fits=recorded_fits()))
            real = AsgardEnvironment(instance, "strict", scene=engine.scene, begin=engine.reset)
            symbolic = AsgardEnvironment(instance, "strict", scene=load_scene(instance.scene))
            for number, action in enumerate(recorded(instance), start=1):
                name = action.name
                one, other = real.step(action), symbolic.step(action)
                changed = _changed(symbolic.state(), real.state())
                found.steps[name] += 1
                found.outcomes[name] += one.success is other.success
                found.codes[name] += one.code == other.code
                found.states[name] += not changed
                answered = f"{one.code or 'done'}, not {other.code or 'done'}; {one.message}"
                if changed or one.code != other.code:
                    said = changed if one.code == other.code else answered
                    found.differing.append(f"{instance.id} step {number}: {action}: {said}")
                if changed:
                    break
    return found


def _changed(symbolic: State, real: State) -> str:
    """Predicates in which two states differ."""
    names = {number: name for name, number in symbolic.layout.index.items()}
    return ", ".join(sorted({names[change[0]] for change in differences(symbolic, real)}))


def main() -> None:
    """Print the table, and what differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--executable", type=Path, help="a player that is there already")
    options = parser.parse_args()
    found = compare(lambda scene: connect(scene, executable=options.executable), options.steps)
    print(f"{'action':12} {'steps':>6} {'outcome':>8} {'code':>6} {'state':>6}")
    for name, steps, outcomes, codes, states in found.rows():
        print(f"{name:12} {steps:6} {outcomes:8} {codes:6} {states:6}")
    for line in found.differing:
        print(f"  {line}")


if __name__ == "__main__":
    main()
