"""HoloMind: its modules one by one, its demonstrations, and what it makes of bad input."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from longact_days import day, item

import eai
from eai.acting import Answer, Episode, Message, run_episode
from eai.agents.holomind import MODULES, Experience, HoloMind
from eai.agents.holomind.critic import Critic
from eai.agents.holomind.episodic import EpisodicMemory, LearnedRule
from eai.agents.holomind.executor import Context, Skills, SubGoal
from eai.agents.holomind.goals import MAX_GOALS, Edge, GoalGraph, GoalNode, ObjectReference, Status
from eai.agents.holomind.highplanner import read_goals
from eai.agents.holomind.percepts import Percept, Seen, read_percept
from eai.agents.holomind.spatial import SpatialMemory, embed, fits, likely
from eai.errors import InputError, ModelError, SchemaError, UnknownNameError
from eai.plugins import shipped
from eai.report import Report
from eai.simulators.thor.houses import ACTIONS, HouseEnvironment, HouseStep, house_domain, house_of
from eai.suites.longact.acting import episode_rules
from eai.suites.longact.episodes import Checklist
from eai.world import Action

PACKAGE = Path(eai.__file__).parent / "agents" / "holomind"
FIXTURES = Path(__file__).parents[2] / "fixtures"


def goal(number: int, *after: int, edge: Edge = Edge.CAUSAL) -> GoalNode:
    return GoalNode(number, "on", ObjectReference.of("Lamp"), after=dict.fromkeys(after, edge))


def context(*objects: Seen, held: tuple[str, ...] = ()) -> Context:
    memory = SpatialMemory()
    percept = Percept(objects=objects, held=held)
    memory.observe(percept)
    skills = Skills(ACTIONS, house_domain())
    return Context(memory, EpisodicMemory(Experience()), skills, percept)


ROOMS = (Seen("kitchen_1", "Room", words={"here": True}), Seen("bedroom_1", "Room"))


# ---------------------------------------------------------------------- the modules, 1 to 11


def test_1_sources_are_ready_after_each_completion() -> None:
    graph = GoalGraph([goal(1), goal(2, 1), goal(3, 1), goal(4, 2, 3)])
    order = []
    while ready := graph.of(Status.READY):
        order.append([g.number for g in ready])
        graph.set(ready[0], Status.DONE, "test")
    assert order == [[1], [2, 3], [3], [4]]


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=14), st.randoms())
def test_2_no_operator_makes_a_cycle(edges: list[tuple[int, int]], dice: random.Random) -> None:
    goals = [goal(n) for n in range(1, 7)]
    for first, second in edges:
        goals[second - 1].after[first] = dice.choice(list(Edge))
    graph = GoalGraph(goals)
    assert graph.cycle() == []
    for n in range(8):
        one, other = dice.sample(list(graph.goals.values()), 2)
        if n % 2:
            graph.insert(one, other)
        elif one.number in other.after:
            graph.reorder(one, other)
        elif n == 4:
            graph.split(one, [goal(7), goal(8)])
        assert graph.cycle() == []


def test_2_a_cycle_is_broken_at_its_weakest_edge_and_logged() -> None:
    log = []
    one, two, three = goal(1, 3), goal(2, 1, edge=Edge.RESOURCE), goal(3, 2)
    GoalGraph([one, two, three], lambda event, **said: log.append((event, said)))
    assert (one.after, two.after, three.after) == ({3: Edge.CAUSAL}, {}, {2: Edge.CAUSAL})
    assert log == [("cycle", {"broken": "1 before 2"})]


def test_3_a_goal_that_failed_blocks_its_descendants_only() -> None:
    graph = GoalGraph([goal(1), goal(2, 1), goal(3, 2), goal(4), goal(5, 1, edge=Edge.RESOURCE)])
    graph.set(graph.goals[1], Status.FAILED, "test")
    assert [g.status.value for g in graph.goals.values()] == [
        *("failed", "blocked", "blocked", "ready", "ready")
    ]
    graph.drop(graph.goals[1])
    assert graph.goals[2].status is Status.READY
    graph.goals[4].tries = 3
    assert not graph.retry(graph.goals[4])


def test_4_two_pens_stay_two_whatever_the_order() -> None:
    pens = [Seen("Pen_1", "Pen", "Desk_1", "in"), Seen("Pen_2", "Pen", "Desk_1", "in")]
    for order in (pens, pens[::-1]):
        memory = SpatialMemory()
        memory.observe(Percept(objects=tuple(order)))
        memory.observe(Percept(objects=tuple(order[:1])))
        assert {r.name for r in memory.find(ObjectReference.of("Pen"))} == {"Pen_1", "Pen_2"}
        assert len(memory.records) == 2
    record = memory.records["Pen_1"]
    old, seen = dict(record.features), record.evidence
    record.merge(Seen("Pen_1", "Pen", "Bed_1", "in"))
    new = embed("pen", "pen", "Pen_1", "bed", "")
    share = seen / (seen + 1)
    for at, value in record.features.items():
        assert value == pytest.approx(share * old.get(at, 0) + (1 - share) * new.get(at, 0))


def test_5_what_was_moved_is_stale_when_its_place_is_seen_again() -> None:
    table, mug = Seen("Table_1", "Table", "kitchen_1"), Seen("Mug_1", "Mug", "Table_1", "in")
    shown = context(*ROOMS, table, mug).memory
    away = (Seen("kitchen_1", "Room"), Seen("bedroom_1", "Room", words={"here": True}))
    shown.observe(Percept(objects=away))
    assert not shown.records["Mug_1"].stale
    shown.observe(Percept(objects=(*ROOMS, table)))
    assert shown.records["Mug_1"].stale
    assert shown.find(ObjectReference.of("Mug")) == []


def test_6_a_look_alike_is_told_apart_by_the_verifier_only() -> None:
    mugs = [Seen("Mug_1", "Mug", "Desk_1", "in"), Seen("Mug_2", "Mug", "Shelf_1", "in")]
    asked = ObjectReference(("mug",), place="shelf")
    for verify, found in ((fits, ["Mug_2"]), (lambda *_: True, ["Mug_1", "Mug_2"])):
        memory = SpatialMemory(verify=verify)
        memory.observe(Percept(objects=tuple(mugs)))
        assert [record.name for record in memory.find(asked)] == found


def test_7_a_failure_that_is_known_takes_an_attempt_less() -> None:
    shut = (Seen("Box_1", "Box", "kitchen_1", words={"open": False}),)
    lid = Seen("Lamp_1", "Lamp", "Box_1", "in", {"open": True})
    known = context(*ROOMS, *shut, lid)
    critic, sub = Critic(), SubGoal("on", ObjectReference(name="Lamp_1"))
    asked = []
    for _ in range(2):
        known.tried = set()
        while (directive := critic(sub, known)).cause != "ajar":
            known.tried.add(directive.cause)
        asked.append(len(known.tried) + 1)
        critic.confirm(sub, "ajar")
    assert asked == [2, 1]


def test_8_experience_lasts_and_saves_the_first_failure(tmp_path: Path) -> None:
    checklist = mug_day()
    agent = HoloMind()
    first = acted(agent, checklist)
    agent.experience.save(tmp_path / "experience.json")
    later = acted(HoloMind(memory=tmp_path / "experience.json"), checklist)
    assert (first.success, failures(first)) == (True, 1)
    assert (later.success, failures(later)) == (True, 0)
    forgetful = HoloMind(without=["episodic"])
    assert [failures(acted(forgetful, checklist)) for _ in range(2)] == [1, 1]


def test_9_without_a_critic_blind_retries_are_bounded() -> None:
    checklist = mug_day()
    episode = acted(HoloMind(without=["critic"]), checklist)
    assert not episode.success
    assert 3 <= failures(episode) <= 9
    assert episode.end == "stopped"


def test_10_the_hand_is_freed_before_something_else_is_taken() -> None:
    full = context(*ROOMS, Seen("CounterTop_1", "CounterTop", "kitchen_1"), held=("Cup_1",))
    directive = Critic()(SubGoal("pick", ObjectReference(name="CounterTop_1")), full)
    assert (directive.kind, directive.cause) == ("Refine", "hand_full")
    assert str(directive.fixes[0]) == "place(Cup_1, CounterTop_1)"


# ---------------------------------------------------------------------- the demonstrations

HOUSE = ("FloorPlan1", "FloorPlan301")


def checked(text: str, *items: dict[str, object], rooms: Sequence[str] = HOUSE) -> Checklist:
    return Checklist(day(*items, rooms=rooms, text=text))


def mug_day(text: str = "Put one mug in or on a cabinet.") -> Checklist:
    return checked(text, item({"type": "Mug", "any": 1}, position="Cabinet"))


def acted(
    agent: Callable[[Sequence[Message]], str],
    checklist: Checklist,
    environment: HouseEnvironment | None = None,
) -> Episode:
    rules = episode_rules(checklist, "detailed", instruction=checklist.episode.detailed)
    if isinstance(agent, HoloMind):
        agent.begin(ACTIONS, house_domain())
    return run_episode(environment or HouseEnvironment(checklist.house), agent, rules=rules)


def failures(episode: Episode) -> int:
    return sum(not turn.success for turn in episode.turns)


def test_bread_in_the_hand_is_laid_down_and_sliced() -> None:
    """Slicing without a surface (paper, Figure 7)."""
    knife = Seen("Knife_1", "Knife", "CounterTop_1", "in")
    bread = Seen("Bread_1", "Bread")
    counter = Seen("CounterTop_1", "CounterTop", "kitchen_1")
    holding = context(*ROOMS, counter, knife, bread, held=("Bread_1",))
    directive = Critic()(SubGoal("slice", ObjectReference(name="Bread_1")), holding)
    assert (directive.cause, str(directive.fixes[0])) == ("in_hand", "place(Bread_1, CounterTop_1)")
    checklist = checked("Slice the bread.", item({"type": "Bread"}, sliced=True))
    assert acted(HoloMind(), checklist).success


def test_two_pens_are_put_away_one_after_the_other() -> None:
    """Identities last (paper, Figure 8)."""
    text = "Put two pens in or on a side table."
    rooms = ("FloorPlan302", "FloorPlan301")
    house = house_of(rooms)
    assert sum(kind == "Pen" for kind in house.types.values()) == 2
    pens = item({"type": "Pen", "any": 2}, position="SideTable")
    checklist = checked(text, pens, rooms=rooms)
    agent = HoloMind()
    assert acted(agent, checklist).success
    taken = [e["target"] for e in agent.log if e["event"] == "done" and "pick" in e["subgoal"]]
    assert sorted(taken) == ["Pen_1", "Pen_2"]


class Slippery(HouseEnvironment):
    """The first thing that is placed lands on the floor, and nobody says so."""

    slipped = False

    def step(self, action: Action) -> HouseStep:
        if action.name == "Place" and not self.slipped:
            self.slipped = True
            floors = (n for n, kind in self.house.types.items() if kind == "Floor")
            here = next(n for n in floors if self.spot_of(n).room == self.spot.room)
            return super().step(Action("Place", (here,)))
        return super().step(action)


@pytest.mark.parametrize("without", [[], ["critic"]])
def test_a_misplaced_book_is_noticed_and_mended(without: list[str]) -> None:
    """In the paper nobody notices (Figure 9); here it is opened again, even without Critic."""
    text = "Put one book in or on a desk. Turn off the light switch in the kitchen 1."
    items = (
        item({"type": "Book", "any": 1}, position="Desk"),
        item({"id": "LightSwitch_1"}, on=False),
    )
    checklist = checked(text, *items)
    agent = HoloMind(without=without)
    assert acted(agent, checklist, Slippery(checklist.house)).success
    silent = any(entry.get("silent") for entry in agent.log)
    opened = any(entry.get("cause") == "it does not hold" for entry in agent.log)
    assert (silent, opened) == ((False, True) if without else (True, False))


def test_what_is_out_of_sight_may_be_as_it_should_be() -> None:
    """A potato that cooks behind a closed door was raw when it was seen last."""
    agent = HoloMind()
    assert acted(agent, checked("Cook the potato.", item({"type": "Potato"}, cooked=True))).success
    assert [e["cause"] for e in agent.log if e["event"] == "goal"] == ["chosen", "all was done"]
    assert not [e for e in agent.log if e["event"] == "search" and "Drawer" in e["where"]]


# ---------------------------------------------------------------------- messages and words


def test_messages_are_read() -> None:
    text = """## Task
Clean the mirror

## Rules
- closed after use

## Actions so far
0. FIND Sink: Success
1. OPEN Cabinet: Failure: it is open

## What you see now
- Cabinet, on Floor: closed (3 of them)
- mug.4 (thing), in kitchen.1: not dirty, filled, near
- what is this
In the hand: Cloth
You look at: Sink"""
    percept = read_percept([{"role": "user", "content": text}])
    assert percept.task == "Clean the mirror"
    assert percept.objects == (
        Seen("Cabinet", "Cabinet", "Floor", "on", {"open": False}, 3),
        Seen("mug.4", "thing", "kitchen.1", "in", {"dirty": False, "filled": True, "near": True}),
    )
    assert (percept.held, percept.focus, percept.number) == (("Cloth",), "Sink", 1)
    assert (percept.done, percept.reason) == (False, "it is open")


@settings(max_examples=25)
@given(st.text(max_size=300))
def test_any_text_is_answered(text: str) -> None:
    assert HoloMind()(
        [{"role": "user", "content": f"## Task\n{text}\n## What you see now\n{text}"}]
    )


@pytest.mark.parametrize(
    ("task", "read"),
    [
        (
            "Put the pen in the bedroom 1 (Pen_2) in or on a desk.",
            ["put Pen_2 in bedroom 1 -> desk"],
        ),
        ("Put two books in or on a bed.", ["put book|books -> bed"] * 2),
        ("Open two light switches.", ["open lightswitch|lightswitche|lightswitches"] * 2),
        ("Fill the mug and put it in or on a shelf.", ["fill mug", "put mug -> shelf"]),
        ("Slice the Apple and put a piece in the Pot.", ["slice apple", "put applesliced -> pot"]),
        ("One mug has to be filled and put in or on a desk.", ["fill mug", "put mug -> desk"]),
        ("In short: turn off the lights; open the fridge and the box.", None),
        ("Put away the Cup.", ["put cup -> cabinet"]),
        ("exists x:ball. (on_top(x, sofa))", ["put ball -> sofa"]),
        ("on(lamp.1) then not open(box.2)", ["on lamp.1", "close box.2"]),
        ("(no instruction) Reach this goal: on_top(cup, sofa)", ["put cup -> sofa"]),
        ("Sing a song.", []),
    ],
)
def test_instructions_are_read(task: str, read: list[str] | None) -> None:
    found = [str(each) for each in read_goals(task, context())]
    lights = ["off lightswitch|desklamp|floorlamp", "open fridge", "open box"]
    assert found == (lights if read is None else read)


def test_edges_follow_from_what_goals_are_about() -> None:
    goals = read_goals("Take the apple to a desk. Slice the apple. Slice the bread.", context())
    assert goals[0].after == {2: Edge.OBJECT}
    assert goals[2].after == {2: Edge.RESOURCE}


def test_where_things_are_likely_is_counted_in_the_recorded_rooms() -> None:
    assert likely(["mug"], "countertop") > likely(["mug"], "bed")
    assert likely(["pillow"], "bedroom") > likely(["pillow"], "bathroom")


def test_skills_follow_from_the_effects_of_the_domain() -> None:
    roles = {skill.action: skill.role for skill in Skills(ACTIONS, house_domain()).skills}
    assert roles == {
        "GoTo": "goto",
        "Pick": "pick",
        "Place": "place",
        "Open": "open",
        "Close": "close",
        "ToggleOn": "on",
        "ToggleOff": "off",
        "Slice": "slice",
        "Stop": "stop",
    }


def test_no_suite_is_named_in_the_agent() -> None:
    for file in PACKAGE.iterdir():
        if file.suffix in (".py", ".json"):
            text = file.read_text("utf-8").lower()
            named = [name for name in shipped("eai.suites") if name in text.replace("_", "-")]
            assert named == [], file.name


# ---------------------------------------------------------------------- models and bad input


class Canned:
    """Answers as recorded, over and over."""

    def __init__(self, answers: Sequence[str | Exception]) -> None:
        self.answers, self.asked = answers, 0

    def __call__(self, messages: Sequence[Message]) -> str:
        assert len(messages) == 1
        self.asked += 1
        answer = self.answers[self.asked % len(self.answers)]
        if isinstance(answer, Exception):
            raise answer
        return Answer(answer, {"total_tokens": 7})


RECORDED: list[str | Exception] = [
    *json.loads((FIXTURES / "holomind_answers.json").read_text("utf-8")),
    ModelError("timed out"),
    "put(mug, cabinet) " * 20_000,
    "a" * 2_000_000,
    "(" * 50_000,
]
"""Answers of a model, good and bad: nonsense, invented objects, cycles, megabytes, a timeout."""


@pytest.mark.heavy
def test_a_recorded_endpoint_drives_every_module() -> None:
    assert len(RECORDED) == 100
    records = []
    for _ in range(2):
        model = Canned(RECORDED)  # the memory asks of every object, so it has one of its own
        agent = HoloMind({**dict.fromkeys(MODULES, model), "memory": Canned(RECORDED)})
        logs = []
        while model.asked < len(RECORDED):
            episode = acted(agent, mug_day())
            assert episode.end in ("success", "stopped", "max_steps", "max_repeats")
            logs.append(agent.log)
        records.append((json.dumps(logs), agent.usage.calls, agent.usage.fallbacks))
    assert records[0] == records[1]
    _, calls, fallbacks = records[0]
    # Of every module some answers were read, and some were not.
    assert {module for module in MODULES if 0 < fallbacks[module] < calls[module]} == {*MODULES}
    assert agent.usage.tokens["total_tokens"] > 0


def test_a_model_may_drive_one_module() -> None:
    checklist = mug_day("Tidy up, please.")
    agent = HoloMind({"highplanner": lambda _: "1. put(mug, cabinet)"})
    assert acted(agent, checklist).success
    assert agent.usage.calls == {"highplanner": 1}
    assert not agent.usage.fallbacks
    assert acted(HoloMind(), checklist).end == "stopped"


def test_names_are_checked() -> None:
    with pytest.raises(UnknownNameError, match="module"):
        HoloMind(modules=["brain"])
    with pytest.raises(UnknownNameError, match="module"):
        HoloMind({"brain": lambda _: ""})
    with pytest.raises(UnknownNameError, match="part"):
        eai.interact("household", "studio-01", "holomind:no-brain")


RULE = {
    "action": "pick",
    "when": "far",
    "then": "insert",
    "what": "far",
    "support": 1,
    "source": "",
}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 2, "rules": []}',
        '{"version": 1, "rules": {}}',
        json.dumps({"version": 1, "rules": [{**RULE, "support": "much"}]}),
        json.dumps({"version": 1, "rules": [{**RULE, "then": "sing"}]}),
        json.dumps({"version": 1, "rules": [{"action": "pick"}]}),
    ],
)
def test_experience_of_another_shape_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "experience.json"
    file.write_text(text)
    with pytest.raises(SchemaError, match=r"experience\.json"):
        Experience.load(file)


def test_experience_of_unknown_words_does_no_harm(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        Experience.load(tmp_path / "nowhere.json")
    moon = LearnedRule(action="pick", when="moon", then="insert", what="moon")
    odd = Experience([moon, LearnedRule(action="place", when="far", then="forbid", what="x")])
    checklist = mug_day()
    assert acted(HoloMind(memory=odd), checklist).success


@pytest.mark.parametrize(
    ("suite", "task", "semantics"),
    [
        ("household", "studio-02", "strict"),
        ("asgardbench", "turn_on_tv__FloorPlan202_V1", "strict"),
        ("longact", "tidy-001/detailed", "strict"),
        ("eb-habitat", "base/0", "strict"),
    ],
)
def test_it_acts_in_any_suite(suite: str, task: str, semantics: str) -> None:
    found = eai.interact(suite, task, "holomind", semantics=semantics)
    assert found.success
    assert json.loads(found.to_json())["log"]


def repeating(_messages: Sequence[Message]) -> str:
    """A model that gives every module the same answer."""
    return "refine: 1. open(Fridge) 2. find(zorp)\npick(Mug)\nno"


def test_a_model_that_repeats_itself_ends_the_episode_at_the_limit_of_calls() -> None:
    agent = HoloMind(repeating, modules=MODULES, max_calls=50)
    found = eai.interact("longact", "tidy-000/detailed", agent)
    assert sum(agent.usage.calls.values()) == 50
    assert found.episode.end == "max_calls"
    assert (found.result.status, found.result.success) == ("evaluated", False)
    assert found.result.outcome == "max_calls"
    assert "50" in found.result.notes[0]
    assert {"turn": found.log[-2]["turn"], "event": "max_calls", "calls": 50} in found.log
    # Every episode may take as many.
    again = eai.interact("longact", "tidy-000/detailed", agent)
    assert again.episode.end == "max_calls"
    assert sum(agent.usage.calls.values()) == 100


def test_the_limit_of_calls_is_in_the_table_of_ends() -> None:
    agent = HoloMind(repeating, modules=MODULES, max_calls=3)
    found = eai.interact("household", "studio-01", agent)
    report = Report([found.record("repeating")])
    metrics = {score.key: score for score in report.metrics("repeating")}
    assert metrics["end_max_calls"].numerator == 1


def test_at_most_a_hundred_goals_are_pursued() -> None:
    many = "\n".join(f"{number}. open(zorp{number})" for number in range(3_000))
    agent = HoloMind(lambda _: many, modules=["highplanner"])
    agent([{"role": "user", "content": "Task: tidy up.\nYou see:\n- Mug_1 (Mug)"}])
    (goals,) = [entry for entry in agent.log if entry["event"] == "goals"]
    assert len(goals["goals"]) == MAX_GOALS
    assert any(entry["event"] == "goals left out" for entry in agent.log)


def test_an_exception_of_a_client_is_a_fallback() -> None:
    def late(_messages: Sequence[Message]) -> str:
        raise TimeoutError("read timed out")

    agent = HoloMind(late, modules=["highplanner"])
    assert eai.interact("longact", "tidy-000/detailed", agent).success
    assert agent.usage.fallbacks["highplanner"] == 1


@pytest.mark.parametrize("calls", [0, -1])
def test_a_limit_of_calls_is_positive(calls: int) -> None:
    with pytest.raises(InputError):
        HoloMind(max_calls=calls)
