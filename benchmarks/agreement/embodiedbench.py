"""Measure what the pages say of the suites of EmbodiedBench, by hand.

    python benchmarks/agreement/embodiedbench.py [PART ...] [--habitat FILE] [--runs FILE]

Parts: `listings`, `habitat`, `tables`, `rooms`, `alfred`, and with --runs `navigation`; by default
all. Other files than those that ship: `--habitat` tasks with stored oracle states, as they ship,
and `--runs` recorded runs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from math import cos, dist, radians, sin
from pathlib import Path
from statistics import fmean
from typing import Any

from embodiedbench_rooms import figures

import eai
from eai.acting import run_episode
from eai.contract import own_oracle
from eai.suites.embodiedbench import navigation, published_results
from eai.suites.embodiedbench.acting import SkillPlans
from eai.suites.embodiedbench.alfred import AlfredEnvironment, records as alfred_records
from eai.suites.embodiedbench.habitat import (
    HabitatEnvironment,
    HabitatRecord,
    locations,
    read_records,
    records,
    world,
)
from eai.suites.embodiedbench.skills import shipped
from eai.world import State

SUITES = ("eb-alfred", "eb-habitat", "eb-navigation", "eb-manipulation")


def listings() -> None:
    """Print how many tasks and subsets there are."""
    for name in SUITES:
        suite = eai.suite(name)
        sizes = {group: len(ids) for group, ids in suite.groups().items()}
        print(f"{name}: {len(suite.task_ids())} tasks, {sizes}")


def oracle_states(record: HabitatRecord) -> Iterator[tuple[State, frozenset[str]]]:
    """Yield the stored states of a reference execution, each with what the robot is near."""
    state = record.state()
    for place in locations().values():
        for other in locations().values():
            state.remove("one_stop", (place, other))
    yield state, frozenset()
    moved: set[str] = set()
    for written in record.oracle or ():
        state = state.copy()
        atoms = [record.atom(each) for each in written]
        told = [atom for atom in atoms if atom.predicate in ("on_top", "holding")]
        moved |= {str(atom.terms[0]) for atom in told}
        for name, place in product(moved, locations().values()):
            state.remove("on_top", (name, place))
            state.remove("holding", (name,))
        for atom in told:
            state.add(atom.predicate, tuple(map(str, atom.terms)))
        near = {str(atom.terms[0]) for atom in atoms if atom.predicate == "robot_at"}
        for place in locations().values():
            (state.add if place in near else state.remove)("robot_at_closest", (place,))
        fridge = {atom.predicate for atom in atoms if atom.predicate.endswith("fridge")}
        if fridge:
            change = state.add if "opened_fridge" in fridge else state.remove
            change("opened_fridge", ("refrigerator_push_point",))
        yield state, frozenset(near)


def on(state: State, name: str) -> set[str]:
    """Where an object lies."""
    return {place for place in locations().values() if state.holds("on_top", (name, place))}


def habitat(known: dict[str, HabitatRecord]) -> None:
    """Print what stored oracle states say of goals and nearness, and what the oracle does."""
    given = [record for record in known.values() if record.oracle is not None]
    last, early = 0, []
    picks, places = [0, 0], [0, 0]
    for record in given:
        states = list(oracle_states(record))
        truth = [world().holds(state, record.goal) for state, _ in states]
        last += True in truth and truth.index(True) == len(truth) - 1
        if truth[0]:
            early.append(f"{record.subset}/{record.index}")
        for (before, _), (after, near) in pairwise(states):
            for name in record.named.values():
                was, now = (state.holds("holding", (name,)) for state in (before, after))
                if now and not was:
                    picks[0] += bool(on(before, name) & near)
                    picks[1] += 1
                elif was and not now:
                    places[0] += bool(on(after, name) & near)
                    places[1] += 1
    print(f"eb-habitat: goal first true at the last oracle state: {last} of {len(given)}")
    print(f"  true at the start: {', '.join(early) or 'none'}")
    suite, official = eai.suite("eb-habitat"), eai.suite("eb-habitat").semantics("official")
    shares = []
    for task in (suite.task(f"{record.subset}/{record.index}") for record in given):
        steps = [(HabitatEnvironment.skill_of(step).words, True) for step in task.plans[0]]
        shares.append(HabitatEnvironment.progress(task, official, steps, solved=False) or 0.0)
    print(f"  states of the oracle that reference plans reach: {100 * fmean(shares):.1f} %")
    print(f"  picked where the robot is near: {picks[0]} of {picks[1]}")
    print(f"  placed where the robot is near: {places[0]} of {places[1]}")
    acted("eb-habitat")


def acted(name: str) -> None:
    """Print what the oracle reaches in all tasks of a suite."""
    suite = eai.suite(name)
    official = suite.semantics("official")
    begun = time.process_time()
    solved = failed = longest = 0
    for task in map(suite.task, suite.task_ids()):
        environment = suite.environment(task, official)
        agent = own_oracle(suite, task, official, environment) or str
        episode = run_episode(environment, agent, rules=suite.episode_rules(task, official))
        solved += episode.success
        failed += sum(not turn.success for turn in episode.turns)
        longest = max(longest, len(episode.turns))
    seconds = time.process_time() - begun
    print(
        f"{name}: oracle solves {solved} of {len(suite.task_ids())}, {failed} failed turns, "
        f"at most {longest} turns, {seconds:.1f} s of processor time"
    )


def runs(path: Path) -> None:
    """Print what recorded runs of EB-Navigation say: `{"runs": [{"task": N, "rows": [...]}]}`."""
    moves = exact = agree = 0
    tried: dict[str, list[tuple[float, bool]]] = {}
    given = read(path)["runs"]
    for run in given:
        record = navigation.records()[f"base/{run['task']}"]
        steps = [(number, said == "ok", distance) for _, number, distance, said, _ in run["rows"]]
        poses = navigation.replay(record, steps)
        x, z, heading = record.start[0], record.start[2], record.rotation
        for (number, done, _), pose, row in zip(steps, poses, run["rows"], strict=True):
            if done and number < 4 and pose.error is not None:
                moves += 1
                exact += pose.error <= navigation.EXACT
            if number < 4 and row[3] in ("ok", "blocked"):
                far = beside(record.scene, x, z, heading + _SIDES[number])
                tried.setdefault(record.scene, []).append((far, done))
            x, z, heading = pose.x, pose.z, pose.heading
        *_, (_, _, distance, _, success) = run["rows"]
        agree += bool(success) is (distance <= navigation.NEAR)
    print(f"eb-navigation: {exact} of {moves} moves within 2.5 mm")
    print(f"  success is a distance of at most 1 m in {agree} of {len(given)} runs")
    known = [move for each in tried.values() for move in each]
    share = 100 * right(known, _CELL) / len(known)
    print(f"  the grid of ALFRED tells free from blocked in {share:.1f} % of {len(known)} moves")
    apart = 0
    for scene, own in tried.items():
        others = [move for name, each in tried.items() if name != scene for move in each]
        best = max(sorted({far for far, _ in known}), key=lambda most: right(others, most))
        apart += right(own, best)
    share = 100 * apart / len(known)
    print(f"  {share:.1f} % with the tolerance that fits the other {len(tried) - 1} rooms best")
    begun = (
        away(each.scene, each.start[0], each.start[2]) for each in navigation.records().values()
    )
    print(f"  {sum(far > _CELL for far in begun)} of 300 starts are not on it")


_SIDES = (0, 180, 90, 270)
_CELL = 0.25 * 2**0.5 / 2
"""Half the diagonal of a cell of the grid: who is farther from all its points is beside it."""


def away(scene: str, x: float, z: float) -> float:
    """Metres to the nearest point of the grid that ALFRED's agent reaches."""
    grid = shipped("alfred.json.gz")["layouts"][scene]["reachable"]
    return min(dist((x, z), point) for point in grid)


def beside(scene: str, x: float, z: float, heading: float) -> float:
    """Metres from the end of a move of 0.3 m to the grid."""
    angle = radians(heading)
    return away(scene, x + 0.3 * sin(angle), z + 0.3 * cos(angle))


def right(moves: list[tuple[float, bool]], most: float) -> int:
    """How many moves are free exactly if they end no farther than this from the grid."""
    return sum((far <= most) is done for far, done in moves)


def tables() -> None:
    """Print what the published tables have that cannot be right."""
    rows = published_results()
    for source in ("paper", "website"):
        faults = [
            (row, fault) for row in rows if row["source"] == source for fault in row["faults"]
        ]
        print(f"{source}: {len(faults)} faults")
        for row, fault in faults:
            print(f"  {row['environment']} {row['model']}: {fault}")


def alfred() -> None:
    """Print what the converted gold plans do, and which goals are odd."""
    suite = eai.suite("eb-alfred")
    plans = SkillPlans(suite.semantics("official"), AlfredEnvironment)
    reached = worded = 0
    begun: list[str] = []
    for name in suite.task_ids():
        task = suite.task(name)
        reached += plans.evaluate_actions(task, task.plans[0]).success
        worded += plans.evaluate(task, plans.write(task.plans[0])).success
        if any(each.met for each in plans.evaluate_actions(task, ()).goals):
            begun.append(name)
    collisions = [name for name, each in alfred_records().items() if each.collisions]
    print(f"eb-alfred: {reached} of 300 converted gold plans reach the goal")
    print(f"  {worded} of 300 as an agent words them")
    print(f"  {len(collisions)} tasks with colliding types: {', '.join(collisions)}")
    print(f"  {len(begun)} with a condition met at the start: {', '.join(begun)}")
    acted("eb-alfred")


def read(path: Path) -> Any:  # noqa: ANN401
    """Read a JSON file, packed or not."""
    content = path.read_bytes()
    return json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)


def main() -> None:
    """Print the chosen parts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--habitat", type=Path)
    parser.add_argument("--runs", type=Path)
    options = parser.parse_args()
    known = dict(records()) if options.habitat is None else read_records(read(options.habitat))
    parts: dict[str, Callable[[], None]] = {
        "listings": listings,
        "habitat": lambda: habitat(known),
        "tables": tables,
        "rooms": figures,
        "alfred": alfred,
    }
    if options.runs is not None:
        parts["navigation"] = lambda: runs(options.runs)
    for part in options.parts or parts:
        parts[part]()


if __name__ == "__main__":
    main()
