"""Replay what was recorded of AsgardBench in the symbolic world, by hand.

    python benchmarks/agreement/asgardbench.py FOLDER
    python benchmarks/agreement/asgardbench.py FOLDER --reach 1.5
    python benchmarks/agreement/asgardbench.py --differential 10000
    python benchmarks/agreement/asgardbench.py --frames

FOLDER has `asgard_oracle_plans.json` (reference executions), `asgard_put_outcomes.json`
(recorded placements) and `placements_from_frames.jsonl` (where the pictures of the reference
executions show things); every row in them is taken. With `--differential N` at least N steps are
taken by chance under `official`, and each is compared with the published tests, which are written
here a second time, over the facts of the state alone (`refusal_of`). With `--frames` the oracle
acts in all instances, and the objects that a turn shows are counted, with the view `frame` too.

A step of a reference execution is accepted if the environment does it. A step that is refused is
carried out by the simulator without the gate, because in the record it was done; then the next
step is taken. Exceptions are told by rule:

- `brewed into a full mug`: the coffee machine is turned on with a filled Mug under it; the
  program that made the references does not ask for that, the evaluator does;
- `put without pickup`: something is put that the record never picked up;
- `emptied twice`: a dish is emptied after the Faucet was turned off; under `official` that has
  emptied it already (quirk `off_empties_water`).

The limits of episodes are applied, but do not end a replay: what a limit would have ended is
counted. The same is done once more without anything that is known of placement.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from statistics import fmean, quantiles

import eai
from eai.acting import Reply, Turn
from eai.diagnosis import GoalStatus
from eai.simulators import StepResult, ThorFailure, engine_accepts, load_scene
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor.world import Fits, PutOutcome
from eai.suites.asgardbench.choice import fulfils_location_goal
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.episodes import episode_limits
from eai.suites.asgardbench.gate import ACTIONS
from eai.suites.asgardbench.goals import AsgardGoal
from eai.suites.asgardbench.instances import Instance, ReferenceEvidence, instance, instances, rules
from eai.suites.asgardbench.oracle import plan_actions
from eai.suites.asgardbench.placement import place_objects
from eai.suites.asgardbench.room import SIGHT, Act, Refusal
from eai.suites.asgardbench.suite import AsgardBench
from eai.world import Action

PLANS = "asgard_oracle_plans.json"
PLACEMENTS = "asgard_put_outcomes.json"
PICTURES = "placements_from_frames.jsonl"
SIMULATOR = frozenset(failure.value for failure in ThorFailure) - set(map(str, Refusal))

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
    ended: str = ""


def replay(
    one: Instance, plan: Sequence[Step], semantics: str, *, reach: float = SIGHT
) -> Replayed:
    """Replay one reference execution."""
    environment = AsgardEnvironment(one, semantics, reach=reach)
    goal = AsgardGoal(one, environment.semantics)
    status = goal.update(environment, None, None)
    checks = [each.begin() for each in episode_limits(one.reference_steps, environment.semantics)]
    replayed, turns = Replayed(len(plan)), list[Turn]()
    for number, step in enumerate(plan):
        action = Action(step[0], (step[-1],))
        result = environment.step(action)
        turns.append(Turn(number + 1, "", Reply(action), result))
        if not result.success:
            rule = exception(plan, number, result)
            replayed.refused.append(Refused(one.id, number + 1, " ".join(step), result.code, rule))
            do_anyway(environment, step)
        status = goal.update(environment, action, result)
        replayed.solved |= status.reached
        if not (replayed.solved or replayed.ended):
            replayed.ended = next(filter(None, [check(turns) for check in checks]), "")
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


# -- what the pictures show --------------------------------------------------------------------


@dataclass(frozen=True)
class Shown:
    """Where the pictures of a reference execution show an object, before anything moved it."""

    instance: str
    type: str
    receptacle: str

    @property
    def source(self) -> str:
        """The type, or what it is cut from."""
        return self.type.removesuffix("Sliced").removesuffix("Cracked")


def shown(folder: Path) -> list[Shown]:
    """Return what the pictures show with high confidence."""
    rows = map(json.loads, (folder / PICTURES).read_text("utf-8").splitlines())
    return [
        Shown(row["instance"], row["type"], row["receptacle"])
        for row in rows
        if row["confidence"] == "high" and row["receptacle"] and not row["moved"]
    ]


def place_of(one: Instance, kind: str) -> str:
    """Type of what the first object of a type is in or on; empty if there is none."""
    scene = place_objects(one)
    types = {thing.name: thing.type for thing in scene.objects}
    return next((types[thing.place] for thing in scene.of_type(kind) if thing.place), "")


def blocking(one: Instance) -> list[str]:
    """Types of what keeps the faucet from being switched on at the start."""
    scene = place_objects(one)
    basins = {basin.name for basin in scene.of_type("SinkBasin")}
    inside = [t for t in scene.objects if t.place in basins and "pickupable" in t.affordances]
    washable = {*rules().spread(("Dishes", "Cookware")), "DishSponge"}
    return [thing.type for thing in inside if thing.type not in washable]


def _print_pictures(folder: Path) -> None:
    rows = shown(folder)
    everything = len((folder / PICTURES).read_text("utf-8").splitlines())
    own = [row for row in rows if row.type == row.source]
    blind = {
        one.id: replace(one, reference=replace(one.reference, seen={}))
        for one in instances().values()
    }
    print(f"pictures: {everything} rows, {len(rows)} say with high confidence where something was")
    followed = sum(place_of(instance(row.instance), row.source) == row.receptacle for row in rows)
    print(f"  followed: {followed}; {len(rows) - len(own)} of them by what the slices are cut from")
    guessed = Counter[tuple[str, bool]]()
    for row in own:
        place = place_of(blind[row.instance], row.type)
        guessed[place, place == row.receptacle] += 1
    right = sum(count for (_, fits), count in guessed.items() if fits)
    print(f"  without them the receptacle is right for {right} of {len(own)}:")
    for place in sorted({place for place, _ in guessed}):
        hits = guessed[place, True]
        print(f"    {place or '(not there)'}: {hits} of {hits + guessed[place, False]}")
    washable = {*rules().spread(("Dishes", "Cookware")), "DishSponge"}
    in_view = {r.instance for r in own if r.receptacle == "SinkBasin" and r.type not in washable}
    moved = {one.id for one in instances().values() if one.reference.blocked_sink}
    print(f"  sinks that something blocks, in the pictures: {len(in_view)}", end="; ")
    print(f"{len(in_view & moved)} of the {len(moved)} in which the reference clears the sink")
    print(f"  in the instances here: {sum(bool(blocking(o)) for o in instances().values())}")


# -- the published tests once more -------------------------------------------------------------

_SURFACES = {"CounterTop", "DiningTable", "Shelf", "ShelvingUnit", "SideTable", "Floor"}
_SURFACES |= {"StoveBurner"}
_WASHABLE = {"Bowl", "Plate", "Cup", "Mug", "Pot", "Pan", "Kettle", "DishSponge"}
_FOOD = {"Bread", "Tomato", "Lettuce", "Apple", "Potato"}


class Facts:
    """The atoms of a state, and what the published tests ask of them."""

    def __init__(self, environment: AsgardEnvironment) -> None:
        self.environment = environment
        atoms = ((each.predicate, *map(str, each.terms)) for each in environment.state().atoms())
        self.all: set[tuple[str, ...]] = set(atoms)
        self.types = {thing.name: thing.type for thing in environment.room.things.values()}
        self.parent = {fact[1]: fact[2] for fact in self.all if fact[0] == "in"}
        self.held = next((fact[2] for fact in self.all if fact[0] == "holds"), "")


def refusal_of(known: Facts, action: str, name: str) -> str:  # noqa: C901 - it has twelve parts
    """Say why the published tests refuse an action on an object; empty if they do not.

    Only what is in view, and how high something lies, is asked of the environment; the rest is
    read off the atoms of its state.
    """
    environment, facts, types, parent = known.environment, known.all, known.types, known.parent
    held, holding = known.held, types.get(known.held, "")
    kind, place = types[name], parent.get(name, "")
    container = "" if types.get(place, "Floor") in _SURFACES else place

    def seen(code: str = "NOT_VISIBLE") -> str:
        return "" if environment.room.in_view(name) else code

    def is_(predicate: str, what: str = name) -> bool:
        return (predicate, what) in facts

    def closed(what: str) -> bool:
        return is_("openable", what) and not is_("open", what)

    def inside(what: str) -> list[str]:
        return [each for each in types if parent.get(each) == what and not is_("sliced", each)]

    def first(wanted: str) -> str:
        return next((each for each in types if types[each] == wanted), "")

    def on() -> list[str | bool]:
        asked: list[str | bool] = [is_("on") and "ALREADY_ON", seen()]
        if kind == "Television":
            asked.append("RemoteControl" not in holding and "TV_NEEDS_REMOTE")
        if kind == "CoffeeMachine":
            cup = next(iter(inside(name)), "")
            asked += [
                not cup and "COFFEE_EMPTY",
                types.get(cup) != "Mug" and "COFFEE_WRONG_OBJECT",
                is_("filled", cup) and "COFFEE_MUG_FILLED",
                is_("dirty", cup) and "COFFEE_MUG_DIRTY",
            ]
        if kind == "Faucet":
            there = [x for x in inside(first("SinkBasin")) if is_("pickupable", x)]
            asked.append(any(types[x] not in _WASHABLE for x in there) and "SINK_BLOCKED")
        if kind == "Microwave":
            asked.append(is_("open") and "MICROWAVE_OPEN")
        return asked

    def cleaned() -> list[str | bool]:
        if kind == "Mirror":
            sprayed = Act.SPRAY in environment.acts
            wiped = "Cloth" not in holding and "NEEDS_CLOTH"
            return [seen(), not sprayed and "NOT_SPRAYED", wiped]
        return [
            seen(),
            not is_("on", first("Faucet")) and "FAUCET_OFF",
            types.get(container) != "SinkBasin" and "NOT_IN_SINK",
            "Sponge" not in holding and "NEEDS_SPONGE",
        ]

    def cut() -> list[str | bool]:
        flat = not container and environment.room.height(name) >= 0.52
        return [
            (is_("sliced") or kind.endswith(("Sliced", "Cracked"))) and "ALREADY_SLICED",
            seen(),
            kind in _FOOD and not (flat and place) and "NOT_ON_SURFACE",
            kind in _FOOD and "Knife" not in holding and "NEEDS_KNIFE",
        ]

    def put() -> list[str | bool]:
        return [
            not held and "NOTHING_HELD",
            seen(),
            is_("dirty") and "CONTAINER_DIRTY",
            closed(name) and "CONTAINER_CLOSED",
            kind not in rules().accepted.get(holding, ()) and "INCOMPATIBLE",
        ]

    asked: dict[str, Callable[[], list[str | bool]]] = {
        "PICKUP": lambda: [
            held and "HAND_FULL",
            seen(),
            closed(container) and "IN_CLOSED",
            not is_("pickupable") and "NOT_PICKUPABLE",
        ],
        "PUT": put,
        "OPEN": lambda: [
            seen(),
            not is_("openable") and "NOT_OPENABLE",
            is_("open") and "ALREADY_OPEN",
        ],
        "CLOSE": lambda: [
            seen(),
            not is_("openable") and "NOT_OPENABLE",
            not is_("open") and "ALREADY_CLOSED",
        ],
        "TOGGLE_ON": on,
        "TOGGLE_OFF": lambda: [
            not is_("on") and "ALREADY_OFF",
            seen(),
            kind == "Television" and "RemoteControl" not in holding and "TV_NEEDS_REMOTE",
        ],
        "SLICE": cut,
        "CLEAN": cleaned,
        "SPRAY": lambda: [seen(), "SprayBottle" not in holding and "NEEDS_SPRAY_BOTTLE"],
        "DRINK": lambda: [
            seen(),
            not held and "NOTHING_HELD",
            not is_("filled") and "NOT_FILLED",
        ],
        "EMPTY": lambda: [seen(), not is_("filled") and "NOT_FILLED"],
    }
    return next((str(code) for code in asked[action]() if code), "")


_LEFT_OUT = {"CounterTop", "DiningTable", "SideTable", "StoveBurner", "Sink", "SinkBasin"}


@cache
def _start(name: str) -> Scene:
    return place_objects(instance(name))


def differing(steps: int, *, seed: int = 0) -> tuple[int, int, list[str]]:
    """Act by chance under `official` and compare every step with the published tests.

    Half of the actions are the oracle's, so that the others meet states that tasks lead to.
    Surfaces, burners and sinks are left out, which the published program takes for others; of
    `PUT` only the first test counts, because others of its type are opened in turn.

    Returns:
        Steps taken; steps compared; what differs, one line a step.
    """
    dice, taken, compared = random.Random(seed), 0, 0  # noqa: S311
    found: list[str] = []
    while taken < steps:
        one = dice.choice(list(instances().values()))
        environment = AsgardEnvironment(one, "official", scene=_start(one.id))
        plan = plan_actions(environment, environment.semantics)
        for _ in range(60):
            kind, name = dice.choice(environment.vocabulary), dice.choice(list(ACTIONS))
            action = Action(name, (kind,))
            if dice.random() < 0.5:
                action = next(plan, action)
            taken += 1
            name, (kind,) = action.name, action.arguments
            room = environment.room
            free = [x for x in room.instances(kind) if not fulfils_location_goal(room, x, one)]
            if name == "FIND" or kind in _LEFT_OUT or not free:
                environment.step(action)
                continue
            facts = Facts(environment)
            expected = sorted(refusal_of(facts, name, each) for each in free)
            result = environment.step(action)
            compared += 1
            codes = sorted(result.errors)
            same = codes == expected
            if "" in expected:  # it is done, or the simulator is who refuses
                same = result.success or not SIMULATOR.isdisjoint(codes)
            elif name == "PUT":
                same = True
            if not same:
                found.append(f"{one.id}: {action}: {result.code} {codes}, expected {expected}")
    return taken, compared, found


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
    print(f"  a limit ends before that: {Counter(run.ended for run in runs if run.ended)}")
    for rule, count in sorted(Counter(each.rule or "no rule" for each in refused).items()):
        print(f"  {rule}: {count}")
    for each in refused:
        print(f"    {each.instance} step {each.number}: {each.step} ({each.code})")
    blind = [
        replay(replace(one, reference=ReferenceEvidence()), plan, semantics, reach=reach)
        for one, plan in plans(folder)
    ]
    print(
        "  without anything that is known of placement: "
        f"{steps - sum(len(run.refused) for run in blind)} accepted, "
        f"all goals met by {sum(run.solved for run in blind)}"
    )


def _print_sight(folder: Path) -> None:
    for reach in (4.0, 5.0, 6.0, 7.0):
        runs = [replay(one, plan, "strict", reach=reach) for one, plan in plans(folder)]
        blind = sum(not each.rule for run in runs for each in run.refused)
        print(f"reach {reach:g} m: {blind} steps are refused for sight, what follows included")
    steps = Counter[str]()
    unfound = Counter[str]()
    for _, plan in plans(folder):
        for before, step in zip(["", *plan], plan, strict=False):
            steps[step[0]] += 1
            unfound[step[0]] += list(before) != ["FIND", step[-1]]
    for name in ("PICKUP", "PUT", "TOGGLE_ON"):
        print(f"{name}: {unfound[name] / steps[name]:.0%} follow no FIND of their target")


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


def _print_differences(steps: int) -> None:
    taken, compared, found = differing(steps)
    print(f"differential: {taken} steps by chance, {compared} compared, {len(found)} differ")
    for line in found[:20]:
        print(f"  {line}")


def _print_frames() -> None:
    suite, counts = AsgardBench(), dict[str, list[int]]()
    for name in suite.task_ids():
        for view in ("", "frame"):
            played = eai.interact(suite, name, "oracle", semantics="strict", view=view)
            seen = [len(turn.result.observation.objects) for turn in played.episode.turns]
            counts.setdefault(view or "(none)", []).extend(seen)
    for view, found in counts.items():
        tenths = quantiles(found, n=10)
        print(
            f"view {view}: {fmean(found):.1f} objects a turn, of {len(found)} turns; median "
            f"{tenths[4]:.0f}, from {tenths[0]:.0f} to {tenths[8]:.0f} in eight of ten"
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--reach", type=float, default=SIGHT, help="how far the agent sees (m)")
    parser.add_argument("--differential", type=int, default=0, help="steps taken by chance")
    parser.add_argument("--frames", action="store_true", help="how many objects a turn shows")
    options = parser.parse_args()
    if options.folder is not None:
        for semantics in ("official", "strict"):
            _print_replays(options.folder, semantics, options.reach)
        _print_sight(options.folder)
        _print_placements(placements(options.folder))
        _print_pictures(options.folder)
    if options.differential:
        _print_differences(options.differential)
    if options.frames:
        _print_frames()


if __name__ == "__main__":
    main()
