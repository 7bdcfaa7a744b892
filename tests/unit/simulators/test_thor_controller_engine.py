"""The real engine behind the interface of the symbolic one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from fake_thor_player import Answer, StageClient
from fake_thor_stages import Symbolic, write_player
from needs import package
from thor_states import changing, fluents

from eai.errors import SchemaError, SimulationError
from eai.simulators import ThorEngine, ThorFailure, load_scene
from eai.simulators.thor_controller.client import Connection, connect
from eai.simulators.thor_controller.engine import ControllerEngine, differences

pytestmark = [
    # The client leaves its log and its pipes to the garbage collection.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SCENE = "FloorPlan1"
Do = tuple[str, tuple[str, ...], bool]


def first(kind: str) -> str:
    """Name of the first object of a type in the scene."""
    return load_scene(SCENE).of_type(kind)[0].name


def do(action: str, *arguments: str, force: bool = False) -> Do:
    """An action on the first objects of some types; other words are left as they are."""
    kinds = {one.type for one in load_scene(SCENE).objects}
    return action, tuple(first(word) if word in kinds else word for word in arguments), force


COFFEE = [
    do("PickupObject", "Mug"),
    do("PutObject", "CoffeeMachine"),
    do("ToggleObjectOn", "CoffeeMachine"),
    do("ToggleObjectOn", "CoffeeMachine"),
    do("ToggleObjectOff", "CoffeeMachine"),
    do("PickupObject", "Mug"),
    do("EmptyLiquidFromObject", "Mug"),
]
FRIED_EGG = [
    do("SliceObject", "Egg", force=True),
    do("PickupObject", f"{first('Egg')}_EggCracked_0", force=True),
    do("PutObject", "Pan"),
    do("PickupObject", "Pan"),
    do("PutObject", "StoveBurner", force=True),
    *(do("ToggleObjectOn", knob.name) for knob in load_scene(SCENE).of_type("StoveKnob")),
    do("ToggleObjectOff", "StoveKnob"),
]
COLD_APPLE = [
    do("PickupObject", "Apple"),
    do("PutObject", "Fridge"),
    do("OpenObject", "Fridge"),
    do("PutObject", "Fridge"),
    do("CloseObject", "Fridge"),
    do("PickupObject", "Apple"),
]
REFUSED = [
    do("Fly"),
    do("PickupObject"),
    do("PickupObject", "Mug", "Apple"),
    do("PickupObject", "Unicorn_1"),
    do("PickupObject", "Fridge"),
    do("PutObject", "CounterTop"),
    do("ToggleObjectOn", "StoveBurner"),
    do("SliceObject", "Mug"),
    do("FillObjectWithLiquid", "Mug", "lava"),
    do("FillObjectWithLiquid", "Mug"),
]
SEQUENCES = {
    "coffee": COFFEE,
    "a fried egg": FRIED_EGG,
    "a cold apple": COLD_APPLE,
    "refusals": REFUSED,
}


def in_process(stage: Any = None) -> tuple[ControllerEngine, StageClient]:
    """An engine over the symbolic world, without the genuine client."""
    client = StageClient(Symbolic() if stage is None else stage, SCENE)
    return ControllerEngine(Connection(client)), client


def agree(engine: ControllerEngine, sequence: list[Do]) -> list[ThorFailure | None]:
    """Both engines do the same; return what came of the actions."""
    symbolic = ThorEngine(load_scene(SCENE))
    assert fluents(engine.state) == fluents(symbolic.state)
    outcomes = list[ThorFailure | None]()
    for name, arguments, force in sequence:
        real = engine.perform(name, arguments, force=force)
        expected = symbolic.perform(name, arguments, force=force)
        assert (real.success, real.failure) == (expected.success, expected.failure)
        assert fluents(engine.state) == fluents(symbolic.state)
        outcomes.append(real.failure)
    return outcomes


@pytest.mark.parametrize("sequence", SEQUENCES.values(), ids=SEQUENCES)
def test_the_controller_does_what_the_symbolic_engine_does(sequence: list[Do]) -> None:
    agree(in_process()[0], sequence)


@pytest.fixture(scope="module")
def genuine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """The genuine client with a player that has the symbolic world behind it."""
    package("ai2thor", extra="thor")
    folder = tmp_path_factory.mktemp("a player")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        with connect(SCENE, executable=write_player(folder, "symbolic")) as connection:
            yield connection


@pytest.mark.parametrize("sequence", SEQUENCES.values(), ids=SEQUENCES)
def test_through_the_genuine_client_the_results_are_the_same(
    genuine: Connection, sequence: list[Do]
) -> None:
    engine = ControllerEngine(genuine)
    engine.reset()
    agree(engine, sequence)


def test_coffee_is_made_and_what_is_refused_has_a_reason() -> None:
    outcomes = agree(in_process()[0], COFFEE)
    assert outcomes == [None, None, None, ThorFailure.ALREADY_ON, None, None, None]


def test_an_egg_is_fried() -> None:
    engine, _ = in_process()
    agree(engine, FRIED_EGG)
    assert engine.state.holds("cooked", (f"{first('Egg')}_EggCracked_0",))


def test_refusals_have_the_codes_of_the_symbolic_world() -> None:
    assert agree(in_process()[0], REFUSED) == [
        ThorFailure.INVALID_ACTION,
        ThorFailure.MISSING_ARGUMENTS,
        ThorFailure.INVALID_ARGUMENT,
        ThorFailure.UNKNOWN_OBJECT,
        ThorFailure.NOT_PICKUPABLE,
        ThorFailure.HAND_EMPTY,
        ThorFailure.CONTROLLED,
        ThorFailure.NOT_SLICEABLE,
        ThorFailure.UNKNOWN_LIQUID,
        ThorFailure.NO_LIQUID,
    ]


def test_a_message_that_is_not_known_is_kept() -> None:
    class Strange(Symbolic):
        def act(self, request: Any) -> Answer:
            if request["action"] == "PickupObject":
                return Answer([], error="the moon is full")
            return super().act(request)

    result = in_process(Strange())[0].perform("PickupObject", [first("Mug")])
    assert (result.failure, result.message) == (ThorFailure.OTHER, "the moon is full")


def test_only_actions_on_objects_reach_the_engine() -> None:
    engine, client = in_process()
    before = len(client.requests)
    assert engine.perform("RemoveFromScene", [first("Mug")]).failure is ThorFailure.INVALID_ACTION
    assert len(client.requests) == before


def test_the_engine_gets_one_step_more_in_which_things_follow() -> None:
    engine, client = in_process()
    engine.perform("OpenObject", [first("Fridge")])
    assert [request["action"] for request in client.requests[-2:]] == ["OpenObject", "Pass"]
    engine.perform("PutObject", [first("Fridge")])
    assert client.requests[-1]["action"] == "PutObject"


def test_the_agent_is_taken_to_what_is_out_of_reach() -> None:
    engine, client = in_process(Symbolic(walking=True))
    assert engine.perform("PickupObject", [first("Mug")]).success
    taken = [request["action"] for request in client.requests[1:]]
    assert taken == ["GetInteractablePoses", "TeleportFull", "PickupObject", "Pass"]


class Narrow(Symbolic):
    """Rooms in which things are reached from the third pose only, and the first is blocked."""

    def act(self, request: Mapping[str, Any]) -> Answer:
        if request["action"] == "TeleportFull" and request["horizon"] == 0:
            return Answer(self._objects(), error="Collided with something")
        answer = super().act(request)
        if isinstance(answer.value, list) and answer.value:
            pose = answer.value[0]
            answer.value = [{**pose, "horizon": n, "x": pose["x"] - 2 + n} for n in range(3)]
        return answer


def test_all_poses_are_tried_before_it_counts_as_a_failure() -> None:
    engine, client = in_process(Narrow(walking=True))
    assert engine.perform("PickupObject", [first("Mug")]).success
    actions = [str(request["action"]) for request in client.requests[1:]]
    assert actions.count("PickupObject") == 3, "from where it stands, and from two poses"
    assert engine.perform("PickupObject", [first("Apple")]).failure is ThorFailure.HAND_FULL
    assert engine.go_to(first("Fridge")).success
    nowhere = engine.go_to("Unicorn_1")
    assert nowhere.failure is ThorFailure.UNKNOWN_OBJECT


def test_a_set_up_is_done_whenever_the_room_is_loaded() -> None:
    client = StageClient(Symbolic(), SCENE)
    setup = [("InitialRandomSpawn", {"randomSeed": 7})]
    engine = ControllerEngine(Connection(client), setup=setup).reset()
    spawned = [each for each in client.requests if each["action"] == "InitialRandomSpawn"]
    assert [each["randomSeed"] for each in spawned] == [7, 7]
    assert engine.perform("PickupObject", [first("Mug")]).success

    class Stubborn(Symbolic):
        def act(self, request: Mapping[str, Any]) -> Answer:
            return Answer([], error=f"no room for {request['action']}")

    with pytest.raises(SimulationError, match="refused: no room for InitialRandomSpawn"):
        ControllerEngine(Connection(StageClient(Stubborn(), SCENE)), setup=setup)


def test_what_is_forced_or_held_needs_no_way() -> None:
    engine, client = in_process(Symbolic(walking=True))
    engine.perform("PickupObject", [first("Mug")], force=True)
    engine.perform("DirtyObject", [first("Mug")])
    assert not any(request["action"] == "TeleportFull" for request in client.requests)


def test_an_agent_that_walks_by_itself_is_not_taken_anywhere() -> None:
    client = StageClient(Symbolic(walking=True), SCENE)
    engine = ControllerEngine(Connection(client), approach=False)
    assert engine.perform("PickupObject", [first("Mug")]).failure is ThorFailure.NOT_INTERACTABLE


def test_what_is_shut_in_cannot_be_reached() -> None:
    engine, _ = in_process(Symbolic(walking=True))
    for name, arguments, _ in COLD_APPLE[:1] + COLD_APPLE[2:5]:
        assert engine.perform(name, arguments).success
    assert engine.perform("PickupObject", [first("Apple")]).failure is ThorFailure.NOT_INTERACTABLE


def test_a_reset_brings_the_room_back() -> None:
    engine, _ = in_process()
    start = fluents(engine.state)
    engine.perform("OpenObject", [first("Fridge")])
    assert fluents(engine.state) != start
    engine.reset()
    assert fluents(engine.state) == start


def test_states_remember_the_first_one() -> None:
    engine, _ = in_process()
    start = fluents(engine.state)
    engine.perform("OpenObject", [first("Fridge")])
    assert fluents(engine.state.initial) == start


def test_changes_lead_from_state_to_state() -> None:
    engine, _ = in_process()
    before = engine.state
    result = engine.perform("PickupObject", [first("Mug")])
    again = before.copy()
    again.apply(result.changes)
    assert fluents(again) == fluents(engine.state) != fluents(before)


def test_every_predicate_that_changes_is_read() -> None:
    engine, _ = in_process()
    state, other = engine.state.copy(), engine.state.copy()
    mug, sink = first("Mug"), first("SinkBasin")
    for predicate in changing(state):
        pair = (mug, sink) if state.layout.arity[state.layout.index[predicate]] == 2 else (mug,)
        value = not other.holds(predicate, pair)
        (other.add if value else other.remove)(predicate, pair)
    assert {state.layout.names[change[0]] for change in differences(state, other)} == changing(
        state
    )


def edited(change: Callable[[list[dict[str, Any]]], object]) -> type[Symbolic]:
    """A stage whose list of objects is changed before it is sent."""

    class Edited(Symbolic):
        def _objects(self) -> list[dict[str, Any]]:
            rows = super()._objects()
            change(rows)
            return rows

    return Edited


def test_what_is_in_a_carried_receptacle_is_remembered() -> None:
    def forget_contents(rows: list[dict[str, Any]]) -> None:
        held = {row["objectId"] for row in rows if row["isPickedUp"]}
        for row in rows:
            if held & set(row["parentReceptacles"] or ()):
                row["parentReceptacles"] = None

    engine, _ = in_process(edited(forget_contents)())
    bowl, apple = first("Bowl"), first("Apple")
    for name, arguments, _ in [
        do("PickupObject", "Apple"),
        do("PutObject", "Bowl"),
        do("PickupObject", "Bowl"),
    ]:
        assert engine.perform(name, arguments).success
    assert engine.state.holds("in", (apple, bowl))


def test_objects_that_nobody_knows_of_are_left_out() -> None:
    def spawn(rows: list[dict[str, Any]]) -> None:
        rows.extend(
            {**row, "name": "Mug_new", "objectId": "Mug|new", "isPickedUp": False}
            for row in rows[:]
            if row["objectType"] == "Mug" and row["isOpen"] is False and row["isDirty"]
        )

    engine, _ = in_process(edited(spawn)())
    assert engine.perform("DirtyObject", [first("Mug")]).success
    assert "Mug_new" not in engine.state.universe.index


def test_metadata_of_something_else_is_refused() -> None:
    class Elsewhere(Symbolic):
        def load(self, scene: str) -> Answer:
            super().load(scene)
            return Answer([{"objectId": "Mug|1|2|3", "name": "Mug", "isPickedUp": False}])

    with pytest.raises(SchemaError, match="metadata cannot be read"):
        in_process(Elsewhere())


def test_a_player_that_fails_is_no_failure_of_the_action(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, client = in_process()

    def broken(*_: object, **__: object) -> object:
        raise TimeoutError

    monkeypatch.setattr(client, "step", broken)
    with pytest.raises(SimulationError):
        engine.perform("OpenObject", [first("Fridge")])
