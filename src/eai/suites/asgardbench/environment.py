"""The environment of an instance: the effects of actions that pass the gate, and the view.

Source: the published benchmark (paper: appendix A.3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from eai.diagnosis import ErrorKind
from eai.semantics import Semantics
from eai.simulators import (
    Capabilities,
    Observation,
    RoomEngine,
    SeenObject,
    StepResult,
    ThorEngine,
    ThorWorld,
    recorded_fits,
)
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.suites.asgardbench.choice import (
    ALIKE,
    Attention,
    Tried,
    fulfils_location_goal,
    order_as_published,
    order_by_likelihood,
    try_in_turn,
)
from eai.suites.asgardbench.gate import ACTIONS, refusal
from eai.suites.asgardbench.instances import Instance, StartPose, rules
from eai.suites.asgardbench.placement import place_objects
from eai.suites.asgardbench.quirks import OFFICIAL_VERSION, QUIRKS
from eai.suites.asgardbench.room import SIGHT, Act, Failed, Refusal, Room
from eai.world import Action, State

WASHED = frozenset({"Bowl", "Cup", "Mug", "Pan", "Plate", "Pot"})
"""Types that are washed, and then emptied of the water."""


def _call(name: str, *, force: bool = False) -> Callable[[str, Room, Semantics], Failed | None]:
    """Return an effect that is a single action of the simulator."""
    return lambda target, room, _: room.call(name, target, force=force)


def _switch_on(target: str, room: Room, semantics: Semantics) -> Failed | None:
    """Switch an object on, or its controller if it has one, as a burner has a knob."""
    if "basin_is_faucet" in semantics and room.type(target) == "SinkBasin":
        faucets = room.instances("Faucet")
        if len(faucets) == 1:
            target = faucets[0]
    return room.call("ToggleObjectOn", room.controller(target))


def _switch_off(target: str, room: Room, semantics: Semantics) -> Failed | None:
    """Switch an object off."""
    failed = room.call("ToggleObjectOff", room.controller(target))
    if failed is None and "off_empties_water" in semantics:
        for name in room.with_water(WASHED):
            room.call("EmptyLiquidFromObject", name)
    return failed


def _pick_up(target: str, room: Room, semantics: Semantics) -> Failed | None:
    """Pick up an object. From a sink, it is taken without the water in it."""
    container = room.container(target)
    from_sink = container is not None and room.type(container) == "SinkBasin"
    failed = room.call("PickupObject", target)
    if failed is None and from_sink and "off_empties_water" not in semantics:
        for name in {target, *room.contents(target)} & set(room.with_water(WASHED)):
            room.call("EmptyLiquidFromObject", name)
    return failed


def _clean(target: str, room: Room, _: Semantics) -> Failed | None:
    """Clean an object, if it is dirty."""
    if room.has("dirty", target):
        return room.call("CleanObject", target)
    return None


def _spray(target: str, room: Room, semantics: Semantics) -> Failed | None:
    """Spray an object, which only counts as an act."""
    if "spray_anything" in semantics or room.type(target) == "Mirror":
        room.acts |= {Act.SPRAY}
    return None


def _drink(target: str, room: Room, semantics: Semantics) -> Failed | None:
    """Drink from an object, which makes it dirty."""
    is_any_allowed = "drink_with_anything" in semantics
    if is_any_allowed or room.liquid(target) == "coffee":
        room.acts |= {Act.DRINK}
    if not room.has("dirty", target) and (not is_any_allowed or room.holds_type("Mug")):
        room.call("DirtyObject", target)
    return room.call("EmptyLiquidFromObject", target)


# The effect of each action but FIND on a target that has passed the gate.
_EFFECTS: Mapping[str, Callable[[str, Room, Semantics], Failed | None]] = {
    "PICKUP": _pick_up,
    "PUT": _call("PutObject"),
    "OPEN": _call("OpenObject", force=True),
    "CLOSE": _call("CloseObject"),
    "TOGGLE_ON": _switch_on,
    "TOGGLE_OFF": _switch_off,
    "SLICE": _call("SliceObject"),
    "CLEAN": _clean,
    "SPRAY": _spray,
    "DRINK": _drink,
    "EMPTY": _call("EmptyLiquidFromObject"),
}


NEAR = 1.5
"""Maximum distance of a fixture from the focus to be shown, in metres: the distance from which the
simulator lets things be done."""

_HOLLOW = frozenset(
    {
        *("Bathtub", "BathtubBasin", "Bowl", "CoffeeMachine", "Cup", "GarbageCan", "Mug", "Pan"),
        *("Pot", "Sink", "SinkBasin", "Toaster"),
    }
)


def observed(room: Room) -> Observation:
    """Return the agent's present view."""
    held = () if room.held is None else (room.held,)
    objects = tuple(_describe_object(room, name) for name in shown(room))
    return Observation(objects, held, room.focus, room.image)


def shown(room: Room) -> list[str]:
    """Return the names of the objects that are shown, in the order of the scene."""
    near = set[str]()
    if room.focus:
        near |= _names_around(room, room.focus)
    if room.held is not None:
        near |= {room.held, *room.contents(room.held)}
    return [name for name in room.things if name in near and room.in_view(name)]


def _names_around(room: Room, focus: str) -> set[str]:
    """Return the names of the objects that are shown around the object in focus.

    These are the object itself, the objects in, on or beside it, and the fixtures nearby.
    """
    # The receptacle of the object, which holds its neighbours, or else the object itself.
    base = focus
    receptacle = room.parent(focus)
    if receptacle is not None and room.type(receptacle) != "Floor":
        base = receptacle
    contents = {*room.contents(focus), *room.contents(base)}
    names = {focus, base, *contents}
    # On the floor, only the objects that stand on it are shown, not their contents.
    if room.type(base) != "Floor":
        for container in contents:
            names.update(room.contents(container))
    for item in room.scene.objects:
        is_fixture = "pickupable" not in item.affordances
        if is_fixture and room.distance(base, item.name) <= NEAR:
            names.add(item.name)
    return names


def _describe_object(room: Room, name: str) -> SeenObject:
    """Return an object with its location and its states, as the agent sees it."""
    parent = room.parent(name)
    relation = ""
    if parent is not None:
        is_hollow = room.has("openable", parent) or room.type(parent) in _HOLLOW
        relation = "in" if is_hollow else "on"
    states: dict[str, object] = {}
    for affordance, word, predicate in _SEEN_STATES:
        if room.has(affordance, name):
            states[word] = room.has(predicate, name)
    # A burner is switched by its knob, but the burner itself is seen to be on.
    if room.has("toggleable", name) or room.controller(name) != name:
        states["on"] = room.has("on", name)
    if room.has("fillable", name):
        states["liquid"] = room.liquid(name) or ""
    return SeenObject(name, room.type(name), states, parent or "", relation)


_SEEN_STATES = (
    ("openable", "open", "open"),
    ("dirtyable", "dirty", "dirty"),
    ("cookable", "cooked", "cooked"),
)
"""Affordance without which a state is not seen, the state in words, and its predicate."""


WITHOUT_OBJECT: Mapping[str, str] = {
    Refusal.NO_INSTANCE: "there is no {} here",
    Refusal.ALL_EMPLOYED: "every {} is where it has to be",
}
"""Failures for which no object of a type is left to try, with their messages under ``strict``."""

_OPENED = ("Cabinet", "Drawer")
"""Types that `FIND` opens by itself, where the published benchmark does."""


class AsgardEnvironment:
    """One instance, acted in step by step.

    Args:
        scene: The scene as it is at the start; by default that of
            :func:`~eai.suites.asgardbench.placement.place_objects`.
        reach: Distance that the agent sees from where it stands, in metres.
        begin: Returns the engine of the simulator's actions, at the start of the scene; by default
            the symbolic one.

    Raises:
        UnknownNameError: If the semantics or the scene is unknown, or the scene does not have
            an object that the instance is set up with.
    """

    observing = True
    """Whether results have a view; without it, steps take less time."""
    capabilities = Capabilities(hidden_state=True)
    actions: Mapping[str, int] = dict.fromkeys(ACTIONS, 1)

    def __init__(
        self,
        instance: Instance,
        semantics: str | Semantics = "official",
        *,
        scene: Scene | None = None,
        reach: float = SIGHT,
        begin: Callable[[], RoomEngine] | None = None,
    ) -> None:
        """Place the objects of the instance, and begin its first episode."""
        self.instance = instance
        self.semantics = Semantics.of(semantics, QUIRKS, version=OFFICIAL_VERSION)
        self.scene = place_objects(instance) if scene is None else scene
        self.reach = reach
        self._begin = begin
        self._kinds = {object_type.lower(): object_type for object_type in self.scene.vocabulary}
        self.reset()

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The types that an action may name, in a fixed order."""
        return tuple(self._kinds.values())

    @property
    def acts(self) -> frozenset[Act]:
        """Acts so far that goals ask for."""
        return self.room.acts

    def reset(self) -> Observation:
        """Return to the start of the instance."""
        if self._begin is not None:
            engine = self._begin()
        else:
            world, start = self._prepared
            engine = ThorEngine(start, world=world)
        focus = _nearest_receptacle(self.scene, self.instance.pose)
        self.room = Room(self.scene, focus=focus, reach=self.reach, engine=engine)
        self.room.prepare(self.instance.setup)
        self._attention = Attention()
        return self._observation()

    def _observation(self) -> Observation:
        return observed(self.room) if self.observing else Observation()

    @cached_property
    def _prepared(self) -> tuple[ThorWorld, State]:
        """The symbolic world, and its state at the start of the scene."""
        world = ThorWorld(fits=recorded_fits())
        return world, world.start(self.scene)

    def state(self) -> State:
        """Return the whole state; for the evaluator."""
        return self.room.state

    def step(self, action: Action) -> StepResult:
        """Execute one of the twelve actions of the benchmark on a type of objects."""
        name = action.name.upper()
        object_type = None
        if len(action.arguments) == 1:
            object_type = self._kinds.get(action.arguments[0].lower())
        is_known = name in self.actions
        if object_type and (is_known or "unread_is_tried" in self.semantics):
            result = self._result(name, object_type, self._try_objects(name, object_type))
        else:
            result = self._unknown_name_result(action, known=is_known)
        # Failed actions count, too: after a FIND that failed, the next action may name its object.
        self._attention.last = name
        return result

    def _unknown_name_result(self, action: Action, *, known: bool) -> StepResult:
        """Return the failed result of an action whose name or object type does not exist.

        Args:
            action: The action.
            known: Whether its name is known.
        """
        if known:
            code, error_kind = Refusal.INVALID_OBJECT, ErrorKind.OBJECT_HALLUCINATION
            message = f"there is no type of objects {' '.join(action.arguments) or 'nothing'}"
        else:
            code, error_kind = Refusal.INVALID_ACTION, ErrorKind.ACTION_HALLUCINATION
            message = f"there is no action {action.name}"
        if "unread_is_tried" not in self.semantics:
            return replace(self._failed_result(code, message), kind=error_kind)
        # The published program cannot read an action with an unknown name.
        if not known:
            code = Refusal.INVALID_RESPONSE
        if "published_feedback" in self.semantics:
            message = rules().feedback["INVALID_RESPONSE"]
        return self._failed_result(code, message)

    def _failed_result(self, code: str, message: str) -> StepResult:
        """Return the result of an action that failed."""
        return StepResult(False, self._observation(), str(code), message)

    def _candidates(self, action: str, object_type: str) -> list[str] | Failed:
        """Return the objects of a type in the order in which they are tried.

        If there are none, the failure is returned in their place.
        """
        room = self.room
        instance = self.instance
        attention = self._attention
        names = room.instances(object_type)
        if not names:
            return self._no_object_failure(Refusal.NO_INSTANCE, action, object_type)
        # As published, an object that already satisfies a location goal cannot be named.
        if "reached_is_untouchable" in self.semantics:
            names = [name for name in names if not fulfils_location_goal(room, name, instance)]
            if not names:
                return self._no_object_failure(Refusal.ALL_EMPLOYED, action, object_type)
        if "recorded_places_first" in self.semantics:
            if action == "PUT":
                names = [*names, *self._similar_surface_used_before(object_type)]
            return order_as_published(room, action, object_type, names, attention=attention)
        ordered = order_by_likelihood(
            room, action, object_type, attention=attention, instance=instance
        )
        return [name for name in ordered if name in names]

    def _no_object_failure(self, code: Refusal, action: str, object_type: str) -> Failed:
        """Return the failure of an action that has no object of the type left to try.

        Args:
            code: The reason.
            action: Name of the action.
            object_type: The type that it names.
        """
        if "published_feedback" not in self.semantics:
            return Failed(code, WITHOUT_OBJECT[code].format(object_type))
        feedback_key: str = code
        # The published program finds out in this order: objects that are in place already, an
        # action that it cannot read, and only then types without any object.
        if action not in ACTIONS and code is Refusal.NO_INSTANCE:
            feedback_key = "INVALID_RESPONSE"
        # It has another name for this action than its agents.
        published_action = "EMPTY_LIQUID" if action == "EMPTY" else action
        message = rules().feedback[feedback_key].format(object_type, action=published_action)
        return Failed(code, message)

    def _similar_surface_used_before(self, object_type: str) -> list[str]:
        """Return a visible surface of a similar type on which the held object stood before, if any.

        The published program tries it together with those of the type.
        """
        if object_type not in ALIKE or "surfaces_alike" not in self.semantics:
            return []
        for name in self._similar_surfaces(object_type):
            if (self.room.held, name) in self._attention.put and self.room.in_view(name):
                return [name]
        return []

    def _similar_surfaces(self, object_type: str) -> list[str]:
        """Return the objects of other types that the published program accepts for a surface type.

        It treats countertops, tables and the like as one type.
        """
        names = []
        for other_type in sorted(ALIKE - {object_type}):
            names += self.room.instances(other_type)
        if "reached_is_untouchable" in self.semantics:
            names = [
                name for name in names if not fulfils_location_goal(self.room, name, self.instance)
            ]
        return names

    def _try_objects(self, action: str, object_type: str) -> Tried:
        """Try an action on the objects of a type, then on similar surfaces."""
        names = self._candidates(action, object_type)
        if isinstance(names, Failed):
            return Tried(failures=(names,))
        if action == "FIND":
            return try_in_turn(names, self._find)
        tried = self._attempt_all(action, names)
        has_similar_types = object_type in ALIKE and "surfaces_alike" in self.semantics
        if not tried.failures or not has_similar_types:
            return tried
        surfaces = self._similar_surfaces(object_type)
        if not surfaces:
            return tried
        # If none of them is in view, nothing is tried, and the failures are not reported.
        untried = (name for name in surfaces if self.room.in_view(name) and name not in names)
        return self._attempt_all(action, untried)

    def _attempt_all(self, action: str, names: Iterable[str]) -> Tried:
        """Try an action on each object in turn until it succeeds.

        To put something the published program goes to each receptacle, opens it and closes it.
        """

        def attempt(name: str) -> Failed | None:
            return self._attempt(action, name)

        if action == "PUT" and "put_tries_all" in self.semantics:
            return try_in_turn(names, attempt, before=self._go_and_open, after=self._close)
        return try_in_turn(names, attempt)

    def _attempt(self, action: str, name: str) -> Failed | None:
        """Try an action on one object, and return the failure, or None if it succeeds."""
        held_before = self.room.held
        receptacle_before = self.room.parent(name)
        refused = refusal(action, name, room=self.room, semantics=self.semantics)
        if refused is not None:
            return refused
        failure = _EFFECTS[action](name, self.room, self.semantics)
        if action == "PUT" and held_before is not None:
            if failure is None:
                self._attention.put.add((held_before, name))
            elif not self.room.contents(name):
                # The receptacle is empty, so the object is too large for it.
                self._attention.misfits.add((held_before, name))
        if failure is not None:
            return failure
        # After picking up an object, the agent looks at the place where the object was.
        focus = name if self.room.held != name else receptacle_before
        if focus is not None and self.room.type(focus) != "Floor":
            self.room.look_at(focus)
        return None

    def _find(self, name: str) -> Failed | None:
        """Look at an object, and return the failure, or None if it succeeds."""
        room = self.room
        failed = refusal("FIND", name, room=room, semantics=self.semantics)
        if failed is not None:
            return failed
        container = room.container(name)
        if "find_opens" in self.semantics and container and room.type(container) in _OPENED:
            # The published action opens what hides the object.
            room.call("OpenObject", container, force=True)
        room.look_at(name)
        if room.in_view(name) or "find_never_fails" in self.semantics:
            return None
        return Failed(Refusal.NOT_VISIBLE, f"{room.type(name)} is not to be seen")

    def _go_and_open(self, name: str) -> None:
        """Look at an object, and open it if it is closed."""
        self._find(name)
        if self.room.shut(name) and self._attempt("OPEN", name) is None:
            self._attention.opened[self.room.type(name)] = name

    def _close(self, name: str) -> None:
        """Close an object if it is open."""
        if self.room.has("openable", name) and self.room.has("open", name):
            self.room.call("CloseObject", name)
            self._attention.closed(self.room.type(name), name)

    def _result(self, action: str, object_type: str, tried: Tried) -> StepResult:
        """Return the result of an action that was tried on some objects.

        Args:
            action: Name of the action.
            object_type: Type that it named.
            tried: The objects that were tried.
        """
        if tried.failures:
            return self._failure(action, object_type, tried.failures)
        if not tried.name:
            return StepResult(True, self._observation())
        noted_type = self.room.type(tried.name)
        if "recorded_places_first" in self.semantics:
            # The published program notes a similar surface under the type that the action named.
            noted_type = object_type
        self._attention.note(action, noted_type, tried.name)
        return StepResult(True, self._observation(), resolved=Action(action, (tried.name,)))

    def _failure(self, action: str, object_type: str, failures: Sequence[Failed]) -> StepResult:
        """Return the result of an action that failed on every object it was tried on.

        Args:
            action: Name of the action.
            object_type: The type that it names.
            failures: The failure on each object, in the order in which they were tried.
        """
        if action == "FIND":
            self._attention.lose(object_type)
        # The agent is told one failure: that of the first object, or as published of the last.
        reported = failures[-1] if "last_refusal_told" in self.semantics else failures[0]
        error_kind = None
        if action == "FIND" and reported.code == Refusal.ALREADY_SLICED:
            # A sliced object no longer exists, so the agent looks for an object that is not there.
            error_kind = ErrorKind.OBJECT_HALLUCINATION
        elif reported.code == Refusal.INVALID_ACTION:
            error_kind = ErrorKind.PARSING
        codes: tuple[str, ...] = ()
        if "errors_by_object" in self.semantics:
            codes = tuple(failure.code for failure in failures)
        result = self._failed_result(reported.code, reported.message)
        return replace(result, kind=error_kind, errors=codes)


def _nearest_receptacle(scene: Scene, pose: StartPose) -> str:
    """Return the name of the receptacle nearest to the agent, or "" if there is none."""

    def distance(item: SceneObject) -> float:
        return math.hypot(item.position[0] - pose.x, item.position[2] - pose.z)

    receptacles = []
    for item in scene.objects:
        is_fixed = not {"pickupable", "openable"} & set(item.affordances)
        if "receptacle" in item.affordances and item.type != "Floor" and is_fixed:
            receptacles.append(item)
    nearest = min(receptacles, key=distance, default=None)
    return "" if nearest is None else nearest.name
