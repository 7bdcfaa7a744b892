"""Measure what the page says of the suite longact, by hand.

    python benchmarks/agreement/longact.py [PART ...] [--write FILE]

Parts: `episodes`, `oracle`, `random`, `restless` (random, and never stops), `nothing`, `agreement`,
`rate`, `speed`, `memory`; `holomind` (without each of its parts, and concise against detailed),
`suites` (HoloMind and a random agent in other suites); by default all.
`--write` makes the episodes that ship anew.
"""

from __future__ import annotations

import argparse
import random
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import eai
from eai.acting import Agent, evaluate_episode, format_action, run_episode, unobserved
from eai.agents import RandomAgent
from eai.agents.holomind import PARTS, HoloMind
from eai.contract import Suite
from eai.diagnosis import Result
from eai.logic import Always, Atom, Eventually, atoms, evaluate
from eai.report import Report
from eai.simulators.thor.houses import ACTIONS, HouseEnvironment, house_of, house_world
from eai.suites.longact import improvement_rate
from eai.suites.longact.acting import checklist_of
from eai.suites.longact.episodes import (
    Bound,
    Checklist,
    shipped_episodes,
    write_episodes,
)
from eai.suites.longact.generator import generate_episodes
from eai.suites.longact.metrics import KINDS
from eai.suites.longact.oracle import oracle as made_oracle
from eai.suites.longact.suite import LongAct
from eai.world import Action, Change, State, Step, Trajectory

SUITE = LongAct()
SEMANTICS = SUITE.semantics("strict")


def episodes() -> None:
    """Print how many episodes, goals and houses there are."""
    made = shipped_episodes()
    print("episodes:", len(made), dict(Counter(each.scenario for each in made)))
    print("houses:", len({each.rooms for each in made}))
    print("goals in the mean:", sum(len(each.checklist) for each in made) / len(made))
    kinds = Counter(c.kind for each in made for item in each.checklist for c in item.conditions)
    print("conditions:", dict(kinds))
    again = write_episodes(generate_episodes())
    print("the same seed gives the same bytes:", again == write_episodes(made))


def acted(agent_of: Callable[[str, HouseEnvironment], Agent]) -> Iterator[Result]:
    """Act in detailed episodes without looking."""
    for name in SUITE.groups()["detailed"]:
        task = SUITE.task(name)
        rules = SUITE.episode_rules(task, SEMANTICS)
        environment = HouseEnvironment(checklist_of(task).house)
        agent = agent_of(name, environment)
        environment.observing = False
        yield evaluate_episode(run_episode(environment, agent, rules=rules), rules)


def shown(label: str, agent_of: Callable[[str, HouseEnvironment], Agent]) -> None:
    """Print the metrics of an agent."""
    begun = time.process_time()
    results = list(acted(agent_of))
    taken = time.process_time() - begun
    means = {}
    for kind in ("gc", *(f"gc_{each}" for each in KINDS), "nav", "manip", "atomic", "ir"):
        found = [m.amount / m.base for r in results for m in r.measures if m.kind == kind]
        scale = 1 if kind.startswith("gc") else 100
        means[kind] = round(scale * sum(found) / len(found), 4) if found else None
    solved = sum(result.success for result in results)
    print(f"{label}: solved {solved} of {len(results)}, means {means}, CPU {taken:.1f} s")
    most = max(m.amount for r in results for m in r.measures if m.kind == "atomic")
    print(f"{label}: most atomic steps {most}")


def oracle() -> None:
    """Print what the oracle reaches."""
    shown("oracle", lambda name, house: made_oracle(SUITE.task(name), SEMANTICS, house))


def at_random() -> None:
    """Print what a random agent reaches."""

    def agent(name: str, environment: HouseEnvironment) -> RandomAgent:
        names = (*environment.house.rooms, *environment.house.types)
        return RandomAgent(ACTIONS, names, seed=name)

    shown("random", agent)


def restless() -> None:
    """Print what a random agent reaches that never stops."""
    actions = {name: number for name, number in ACTIONS.items() if name != "Stop"}

    def agent(name: str, environment: HouseEnvironment) -> RandomAgent:
        names = (*environment.house.rooms, *environment.house.types)
        return RandomAgent(actions, names, seed=name)

    shown("random without Stop", agent)


def nothing() -> None:
    """Print what stopping at once reaches."""
    shown("nothing", lambda _name, _env: lambda _messages: format_action(Action("Stop")))


def agreement(positions: int = 10_000) -> None:
    """Print how often formulas of time and direct checks of the last position agree."""
    dice, agreed, asked, met = random.Random(0), 0, 0, 0  # noqa: S311
    checklists = [Checklist(each) for each in shipped_episodes()[::30]]
    world = house_world().world
    for _ in range(positions):
        checklist = dice.choice(checklists)
        bound = dice.choice(checklist.items)
        start = checklist.house.start
        state = start.copy()
        steps = [
            Step(Action("change"), n, [_change(bound, state, dice)])
            for n in range(1, dice.randint(2, 6))
        ]
        trajectory = Trajectory(world, start, steps, state)
        by_time = evaluate(Eventually(Always(bound.whole)), trajectory, reading="ltlf").holds
        direct = bound.met(partial(checklist.house.holds, state))
        agreed, asked, met = agreed + (by_time == direct), asked + 1, met + direct
    print(f"formulas and direct checks agree on {agreed} of {asked} positions, {met} of them met")


def _change(bound: Bound, state: State, dice: random.Random) -> Change:
    """Make one of the conditions of an item hold, or no longer hold."""
    name = dice.choice(bound.objects)
    kind, tests = dice.choice(list(bound.tests.items()))
    asked = sorted((each for each in atoms(tests[name]) if isinstance(each, Atom)), key=str)
    atom = dice.choice(asked)
    p = state.layout.index["in" if kind == "position" else kind]
    one, other = (state.universe.number(str(atom.terms[i])) for i in (0, -1))
    key, mask = (one, 1 << other) if kind == "position" else (None, 1 << one)
    value = not state.holds("in" if kind == "position" else kind, [str(t) for t in atom.terms])
    state.write(p, 0, key, mask, value)
    return p, 0, key, mask, value


def rate() -> None:
    """Print the improvement rate of s = t, of s = t^2, and its maxima."""
    times = [i / 60_000 for i in range(60_000)]
    print("s = t:", [round(improvement_rate(times, n), 6) for n in (2, 3, 5)])
    print("s = t^2:", [round(improvement_rate([t * t for t in times], n), 3) for n in (2, 3, 5)])
    levels = (2, 3, 4, 5, 8, 10, 20)
    thousand = [i / 999 for i in range(1000)]
    powers = [[t ** (a / 20) for t in thousand] for a in range(20, 400)]
    print(
        "most over powers:", [round(max(improvement_rate(s, n) for s in powers), 2) for n in levels]
    )
    jumps = [[0.0] * at + [1.0] * (1000 - at) for at in range(1, 1000, 2)]
    print(
        "most over a jump:", [round(max(improvement_rate(s, n) for s in jumps), 2) for n in levels]
    )


def speed() -> None:
    """Print how long a house takes to start, and 16,000 useless steps."""
    starts = []
    for episode in shipped_episodes()[:40:2]:
        house_of.cache_clear()
        begun = time.process_time()
        HouseEnvironment(house_of(episode.rooms))
        starts.append(time.process_time() - begun)
    mean, most = 1000 * sum(starts) / len(starts), 1000 * max(starts)
    print(f"a house starts in {mean:.1f} ms, at most {most:.1f} ms")
    task = SUITE.task(SUITE.task_ids()[0])
    rules, environment = SUITE.episode_rules(task, SEMANTICS), SUITE.environment(task, SEMANTICS)
    unobserved(environment)
    begun = time.process_time()
    end = run_episode(
        environment, lambda _m: "Action: PICK Floor_1", rules=replace(rules, brief=lambda _s: ())
    )
    print(f"{len(end.turns)} useless steps: {time.process_time() - begun:.2f} s, end {end.end}")


def reported(name: str, agent: str | Agent, tasks: Sequence[str], suite: Suite = SUITE) -> Report:
    """Act in tasks; print the means, and return the records."""
    begun, records = time.process_time(), []
    for task in tasks:
        found = eai.interact(suite, task, agent)
        # Instructions of two wordings are compared by what they ask for.
        records.append(replace(found.record(name), task=task.partition("/")[0]))
    taken = time.process_time() - begun
    means = dict.fromkeys(("gc", "nav", "manip", "ir"), 0.0)
    for kind in means:
        results = [record.result for record in records if record.result]
        found_ = [m.amount / m.base for r in results for m in r.measures if m.kind == kind]
        means[kind] = round(100 * sum(found_) / max(len(found_), 1), 2)
    solved = sum(bool(record.result and record.result.success) for record in records)
    print(f"{name}: SR {100 * solved / len(records):.1f}, {means}, CPU {taken:.0f} s", flush=True)
    return Report(records)


def compared(first: Report, others: Sequence[Report]) -> None:
    """Print how others differ from the first, episode by episode."""
    rest = Report([record for report in others for record in report.records])
    found = first.compare(rest, metrics=["task_success_rate", "gc"])
    print("\n".join(found.conclusions))


def without_parts(name: str, every: int, made: Callable[..., HoloMind]) -> None:
    """Print what an agent reaches whole, without each of its parts, and by concise instructions.

    Each agent keeps its experience from episode to episode.
    """
    tasks = SUITE.groups()["detailed"][::every]
    full = reported(name, made(), tasks)
    rest = [reported(f"{name}, no-{part}", made(without=[part]), tasks) for part in PARTS]
    concise = [task.replace("detailed", "concise") for task in tasks]
    rest.append(reported(f"{name}, concise", made(), concise))
    compared(full, rest)


def holomind(every: int = 1) -> None:
    """Print what each part of HoloMind is worth."""
    without_parts("full", every, HoloMind)


def memory() -> None:
    """Print the most memory that Python took in one episode of HoloMind."""
    most = 0
    for name in SUITE.groups()["detailed"][::60]:
        house_of.cache_clear()
        tracemalloc.start()
        eai.interact(SUITE, name, HoloMind())
        most = max(most, tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    print(f"an episode takes at most {most / 1e6:.1f} MB")


def suites(most: int = 76) -> None:
    """Print in how many tasks of other suites HoloMind and a random agent succeed."""
    for name in ("household", "asgardbench", "eb-habitat"):
        tasks = eai.suite(name).task_ids()
        for agent in ("holomind", "random"):
            step = -(-len(tasks) // most)
            found = [
                eai.interact(name, task, agent, semantics="strict").success
                for task in tasks[::step]
            ]
            print(f"{name}, {agent}: {sum(found)} of {len(found)}", flush=True)


STEPS: dict[str, Callable[[], None]] = {
    "episodes": episodes,
    "oracle": oracle,
    "random": at_random,
    "restless": restless,
    "nothing": nothing,
    "agreement": agreement,
    "rate": rate,
    "speed": speed,
    "memory": memory,
    "holomind": holomind,
    "suites": suites,
}


def main() -> None:
    """Print the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*STEPS, []])
    parser.add_argument("--write", type=Path)
    chosen = parser.parse_args()
    if chosen.write:
        chosen.write.write_bytes(write_episodes(generate_episodes()))
        return
    for name in chosen.parts or STEPS:
        STEPS[name]()


if __name__ == "__main__":
    main()
