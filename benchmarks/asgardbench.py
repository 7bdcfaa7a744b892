"""Replay what was recorded of AsgardBench in the symbolic world, by hand.

    python benchmarks/asgardbench.py FOLDER
    python benchmarks/asgardbench.py FOLDER --reach 1.5

FOLDER has `asgard_oracle_plans.json` (reference executions) and `asgard_put_outcomes.json`
(recorded placements); every execution and placement in it is taken.

A step of a reference execution is accepted if the environment does it. A step that is refused is
carried out by the simulator without the gate, because in the record it was done; then the next
step is taken. Exceptions are told by rule:

- `brewed into a full mug`: the coffee machine is turned on with a filled Mug under it; the
  program that made the references does not ask for that, the evaluator does;
- `put without pickup`: something is put that the record never picked up;
- `emptied twice`: a dish is emptied after the Faucet was turned off; under `official` that has
  emptied it already (quirk `off_empties_water`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eai.diagnosis import GoalStatus
from eai.simulators import StepResult, engine_accepts, load_scene
from eai.simulators.thor.world import Fits, PutOutcome
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.goals import AsgardGoal
from eai.suites.asgardbench.instances import Instance, instance, rules
from eai.suites.asgardbench.room import SIGHT, Refusal
from eai.world import Action

PLANS = "asgard_oracle_plans.json"
PLACEMENTS = "asgard_put_outcomes.json"

Step = Sequence[str]
"""Action and type; between them, of something that is put, the type of what is put."""


@dataclass(frozen=True)
class Refused:
    """A step of a reference execution that was refused."""

    instance: str
    number: int
    step: str
    code: str
    rule: str


@dataclass
class Replayed:
    """What came of one reference execution."""

    steps: int
    refused: list[Refused] = field(default_factory=list)
    solved: bool = False
    locations: bool = False


def replay(
    one: Instance, plan: Sequence[Step], semantics: str, *, reach: float = SIGHT
) -> Replayed:
    """Replay one reference execution."""
    environment = AsgardEnvironment(one, semantics, reach=reach)
    goal = AsgardGoal(one, environment.semantics)
    status = goal.update(environment, None, None)
    replayed = Replayed(len(plan))
    for number, step in enumerate(plan):
        action = Action(step[0], (step[-1],))
        result = environment.step(action)
        if not result.success:
            rule = exception(plan, number, result)
            replayed.refused.append(Refused(one.id, number + 1, " ".join(step), result.code, rule))
            do_anyway(environment, step)
        status = goal.update(environment, action, result)
        replayed.solved |= status.reached
        replayed.locations = _located(status)
    return replayed


def _located(status: GoalStatus) -> bool:
    return all(each.met for each in status.conditions if each.kind == "relation")


def do_anyway(environment: AsgardEnvironment, step: Step) -> None:
    """Do a refused step as the record has it."""
    room = environment.room
    first = [room.first(kind) for kind in step[1:]]
    if None in first:
        return
    names = [name for name in first if name is not None]
    if step[0] == "TOGGLE_ON":
        room.call("ToggleObjectOn", room.controller(names[0]), force=True)
    elif step[0] == "PUT":
        if room.held is None:
            room.call("PickupObject", names[0], force=True)
        room.call("PutObject", names[-1], force=True)


def exception(plan: Sequence[Step], number: int, result: StepResult) -> str:
    """Name the rule that a refused step falls under; empty if there is none."""
    step, before = plan[number], plan[:number]
    if result.code == Refusal.COFFEE_MUG_FILLED:
        return "brewed into a full mug"
    if step[0] == "PUT" and result.code == Refusal.NOTHING_HELD:
        last = next((s for s in reversed(before) if s[0] in ("PICKUP", "PUT")), None)
        return "put without pickup" if last is None or last[0] == "PUT" else ""
    if step[0] == "EMPTY" and result.code == Refusal.NOT_FILLED:
        emptied = ["TOGGLE_OFF", "Faucet"] in [list(s) for s in before]
        return "emptied twice" if emptied else ""
    return ""


def plans(folder: Path) -> Iterator[tuple[Instance, Sequence[Step]]]:
    """Yield the recorded reference executions."""
    recorded = json.loads((folder / PLANS).read_text("utf-8"))["plans"]
    for name, plan in recorded.items():
        yield instance(name), plan


def placements(folder: Path) -> list[PutOutcome]:
    """Return the recorded placements."""
    rows = json.loads((folder / PLACEMENTS).read_text("utf-8"))["rows"]
    return [
        PutOutcome(scene, receptacle, held, bool(succeeded), failures)
        for scene, receptacle, held, succeeded, failures in rows
    ]


def allowed(outcome: PutOutcome, fits: Fits) -> bool:
    """Whether the simulator's table of placements and the fit allow a placement."""
    kind = _kind(outcome)
    return (
        kind is not None
        and engine_accepts(outcome.held, kind)
        and fits.fits(outcome.scene, outcome.receptacle, outcome.held)
    )


def listed(outcome: PutOutcome) -> bool:
    """Whether the benchmark's own table allows a placement (quirk `own_table`)."""
    return _kind(outcome) in rules().accepted[outcome.held]


def _kind(outcome: PutOutcome) -> str | None:
    kinds = {one.name: one.type for one in load_scene(outcome.scene).objects}
    return kinds.get(outcome.receptacle)


def _print_replays(folder: Path, semantics: str, reach: float) -> None:
    began = time.process_time()
    runs = [replay(one, plan, semantics, reach=reach) for one, plan in plans(folder)]
    seconds = time.process_time() - began
    steps = sum(run.steps for run in runs)
    refused = [each for run in runs for each in run.refused]
    share = 1 - len(refused) / steps
    print(
        f"{semantics}: {len(runs)} executions, {steps} steps, {steps - len(refused)} accepted "
        f"({share:.2%}), {seconds:.1f} s"
    )
    print(f"  goals about places met: {sum(run.locations for run in runs)} of {len(runs)}")
    print(f"  all goals met: {sum(run.solved for run in runs)} of {len(runs)}")
    for rule, count in sorted(Counter(each.rule or "no rule" for each in refused).items()):
        print(f"  {rule}: {count}")
    for each in refused:
        print(f"    {each.instance} step {each.number}: {each.step} ({each.code})")


def _print_placements(outcomes: Sequence[PutOutcome]) -> None:
    fits = Fits(outcomes)
    done = [each for each in outcomes if each.succeeded]
    hard = [each for each in outcomes if not each.succeeded and each.failures >= 5]
    refused = [each for each in done if not allowed(each, fits)]
    print(f"placements: {len(done)} succeeded, {len(done) - len(refused)} of them allowed")
    print(f"  {sum(map(listed, done))} of them allowed by the benchmark's own table")
    print(f"  {len(hard)} failed five times, {sum(not allowed(e, fits) for e in hard)} refused")
    for each in refused:
        print(f"    {each}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--reach", type=float, default=SIGHT, help="how far the agent sees (m)")
    options = parser.parse_args()
    for semantics in ("official", "strict"):
        _print_replays(options.folder, semantics, options.reach)
    _print_placements(placements(options.folder))


if __name__ == "__main__":
    main()
