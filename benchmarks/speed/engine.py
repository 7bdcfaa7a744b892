"""Time the engine on a made-up home of VirtualHome's size, by hand.

    python benchmarks/speed/engine.py                               # the `eai` of this Python
    python benchmarks/speed/engine.py --against OTHER/bin/python    # and of another, turn by turn
    python benchmarks/speed/engine.py --profile                     # where the time goes

The home has 4 rooms, 291 objects and about 5,700 relations. A plan is nine steps: walk to a
fridge, open it, grab something from a table beside it, put it in, close, and so on. Printed for
each: time to read the domain, to compile it (all operators: preconditions and effects),
to run a plan, and to do one walk, grab and open. With `--against`, they run in processes of
their own, in turn, and the medians stand side by side.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from eai.logic import Atom
from eai.simulators import VirtualHomeSimulator, execute, virtualhome_domain
from eai.world import Action, State, World

AGENT = "character.1"
ROOMS = ("kitchen.2", "bathroom.3", "bedroom.4", "livingroom.5")
PLAN = (
    Action("walk", ("kitchen.2",)),
    Action("walk", ("fridge.10",)),
    Action("open", ("fridge.10",)),
    Action("walk", ("table.11",)),
    Action("grab", ("thing.60",)),
    Action("walk", ("fridge.10",)),
    Action("putin", ("thing.60", "fridge.10")),
    Action("close", ("fridge.10",)),
    Action("walk", ("bedroom.4",)),
)


def home() -> tuple[dict[str, str], list[Atom]]:
    """Make the home: object name to type, and the facts."""
    dice = random.Random(1)  # noqa: S311
    things = ["fridge.10", "table.11", *(f"thing.{i}" for i in range(12, 296))]
    objects = {AGENT: "character", **dict.fromkeys(ROOMS, "room"), **dict.fromkeys(things, "thing")}
    room = {name: ROOMS[0] if i < 60 else dice.choice(ROOMS) for i, name in enumerate(things)}
    facts = {Atom("inside", (AGENT, ROOMS[3])), Atom("closed", ("fridge.10",))}
    facts |= {Atom("can_open", ("fridge.10",)), Atom("ontop", ("thing.60", "table.11"))}
    facts |= {Atom("inside", pair) for pair in room.items()}
    for name in things[2:]:
        facts |= {Atom("grabbable", (name,)), Atom(dice.choice(["clean", "dirty"]), (name,))}
        for _ in range(10):
            other = dice.choice([n for n in things if room[n] == room[name]])
            facts |= {Atom("next_to", (name, other)), Atom("next_to", (other, name))}
        facts.add(Atom("facing", (name, dice.choice(things))))
    return objects, sorted(facts, key=repr)


def timed(act: Callable[[], object], *, repeats: int) -> float:
    """Seconds of processor time that one call takes: the best of five rounds."""
    rounds = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(repeats):
            act()
        rounds.append((time.process_time() - start) / repeats)
    return min(rounds)


def compiled() -> World:
    """Compile every operator of the domain."""
    world = World(virtualhome_domain())
    for name in world.domain.operators:
        operator = world.operator(name)
        _ = operator.first_failure, operator.effect
    return world


def step(start: State, world: World, name: str, thing: str) -> Callable[[], object]:
    """Return a function that checks and does one action in a copy of a state."""

    def act() -> None:
        state = start.copy()
        numbers = world.numbers(state, name, (AGENT, thing))
        if world.first_failure(state, name, numbers) >= 0:
            sys.exit(f"{name} {thing} cannot be done")
        world.apply(state, name, numbers)

    return act


def after(start: State, world: World, *steps: int) -> State:
    """The state after some steps of the plan."""
    state = start.copy()
    for at in steps:
        action = PLAN[at]
        world.apply(
            state, action.name, world.numbers(state, action.name, (AGENT, *action.arguments))
        )
    return state


def measure() -> dict[str, float]:
    """Measure this source tree; times in microseconds, the last entry in plans a second."""
    begin = time.process_time()
    virtualhome_domain()
    read = time.process_time() - begin
    compile_once = timed(compiled, repeats=1)
    simulator, world = VirtualHomeSimulator(), compiled()
    objects, facts = home()
    start = world.state(objects, facts)

    def run() -> None:
        if not execute(simulator, start, PLAN, agent=AGENT).completed:
            sys.exit("the plan cannot be executed")

    run()
    kitchen, table = after(start, world, 0, 1), after(start, world, 0, 3)
    plan = timed(run, repeats=300)
    parts = {
        "copy of a state": timed(start.copy, repeats=2000),
        "one walk": timed(step(start, world, "walk", "fridge.10"), repeats=1000),
        "one grab": timed(step(table, world, "grab", "thing.60"), repeats=1000),
        "one open": timed(step(kitchen, world, "open", "fridge.10"), repeats=1000),
        "nine-step plan": plan,
    }
    times = {"reading the domain": read, "compiling 42 operators": compile_once, **parts}
    return {**{name: value * 1e6 for name, value in times.items()}, "plans a second": 1 / plan}


def profile() -> None:
    """Print where the time of many plans goes."""
    simulator = VirtualHomeSimulator()
    start = simulator.world.state(*home())
    execute(simulator, start, PLAN, agent=AGENT)
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(2000):
        execute(simulator, start, PLAN, agent=AGENT)
    profiler.disable()
    pstats.Stats(profiler).sort_stats("tottime").print_stats(18)


def elsewhere(python: str) -> dict[str, float]:
    """Measure the `eai` of a Python in a process of its own."""
    command = [python, str(Path(__file__).resolve()), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{python}: {done.stderr[-2000:]}{done.stdout[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compare(pythons: list[str], turns: int) -> None:
    """Print the medians of some Pythons side by side."""
    rounds = [[elsewhere(python) for python in pythons] for _ in range(turns)]
    print(f"{'microseconds':24}" + "".join(f"{python[-30:]:>32}" for python in pythons))
    for name in rounds[0][0]:
        medians = [statistics.median(turn[i][name] for turn in rounds) for i in range(len(pythons))]
        print(f"{name:24}" + "".join(f"{value:32,.1f}" for value in medians))


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", action="append", default=[], help="another Python")
    parser.add_argument("--turns", type=int, default=3, help="processes for each Python")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--json", action="store_true", help="measure in this process")
    options = parser.parse_args()
    if options.profile:
        profile()
    elif options.json:
        print(json.dumps(measure()))
    else:
        compare([*options.against, sys.executable], options.turns)


if __name__ == "__main__":
    main()
