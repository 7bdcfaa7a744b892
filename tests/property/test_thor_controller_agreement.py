"""Whatever is done, the adapter over the symbolic world says what the symbolic world says."""

from __future__ import annotations

from fake_thor_player import StageClient
from fake_thor_stages import Symbolic
from hypothesis import given, settings, strategies as st
from thor_states import fluents

from eai.simulators import ThorEngine, load_scene
from eai.simulators.thor.engine import ENGINE_ACTIONS
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor_controller.client import Connection
from eai.simulators.thor_controller.engine import ControllerEngine

ROOMS = ("FloorPlan7", "FloorPlan213", "FloorPlan320", "FloorPlan425")
COMMON = ("PickupObject", "PutObject", "OpenObject", "SliceObject", "ToggleObjectOn")


def actions(scene: Scene) -> st.SearchStrategy[tuple[str, list[str], bool]]:
    """Actions in a room; those that lead somewhere come up more often."""
    names = st.sampled_from([one.name for one in (*scene.objects, *scene.slices)])
    liquids = st.sampled_from(["water", "coffee", "wine", "mud"])
    kinds = st.one_of(st.sampled_from(COMMON), st.sampled_from(sorted(ENGINE_ACTIONS)))

    def complete(kind: str) -> st.SearchStrategy[tuple[str, list[str], bool]]:
        count = ENGINE_ACTIONS[kind]
        arguments = st.tuples(*(names, liquids)[:count]).map(lambda given: [*map(str, given)])
        return st.tuples(st.just(kind), arguments, st.booleans())

    return kinds.flatmap(complete)


@settings(max_examples=25)
@given(data=st.data())
def test_results_and_states_are_those_of_the_symbolic_engine(data: st.DataObject) -> None:
    room = data.draw(st.sampled_from(ROOMS))
    scene = load_scene(room)
    adapter = ControllerEngine(Connection(StageClient(Symbolic(), room)))
    symbolic = ThorEngine(scene)
    for name, arguments, force in data.draw(st.lists(actions(scene), max_size=25)):
        before = adapter.state.copy()
        real = adapter.perform(name, arguments, force=force)
        expected = symbolic.perform(name, arguments, force=force)
        assert (real.success, real.failure) == (expected.success, expected.failure)
        assert fluents(adapter.state) == fluents(symbolic.state)
        before.apply(real.changes)
        assert fluents(before) == fluents(adapter.state)
