"""The oracle of own tasks: a plan for a goal by ALFRED's ways of treating things, or why not.

For each choice of objects the plan is made in a fixed order, in which later steps undo little of
what earlier ones did: slice, wash, cook, heat and cool, put away, take into the hand, and last
the doors and switches. The plan is run while it is made, so it is known at the end whether it
reached what is asked for, and which step undid it if not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from eai.diagnosis import Run
from eai.errors import InputError
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor.skills import skill_world
from eai.suites.thor.bindings import Choices, Needs, ObjectQueries, needs_of, parts_of
from eai.suites.thor.document import WantedDocument
from eai.task import Task
from eai.world import Action

_MAX_PLANS = 8
"""Choices of objects for which a plan is made before the oracle gives up."""

_MAX_STEPS = 400
"""Steps of a plan after which it is given up."""

_TREATMENTS = ("clean", "filled", "cooked", "hot", "cold")
"""States that appliances bring about, in an order in which none undoes an earlier one."""
_UNDONE_BY = {
    "SinkBasin": ("dirty", "empty"),
    "BathtubBasin": ("dirty", "empty"),
    "Microwave": ("cold",),
    "Fridge": ("hot",),
}
"""Type of an appliance to the states that end in it."""
_DOORS = {"off": "turn_off", "open": "open", "closed": "close", "on": "turn_on"}
"""State to the action that brings it about, in the order that the engine asks for."""
_NEVER_MADE = {"dirty": "makes {} dirty", "empty": "empties {}"}
"""States that no action brings about, as the rest of a sentence."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A plan of the oracle, or the reason why there is none.

    Args:
        plan: The plan; empty if there is none, or nothing to do.
        reason: Why there is no plan; empty if there is one.
    """

    plan: tuple[Action, ...] = ()
    reason: str = ""


def solution(task: Task, scene: Scene, goal: Sequence[WantedDocument], where: str) -> Solution:
    """Return a plan that reaches a goal, or the reason why there is none.

    Args:
        task: The task.
        scene: Its room.
        goal: The entries of the goal, all of which have to hold at once.
        where: Place of the goal, for messages.

    Raises:
        InputError: If the goal contradicts itself, so that no plan can reach it.
    """
    types = {item.name: item.type for item in (*scene.objects, *scene.slices)}
    parts = parts_of(scene, goal)
    choices = Choices(parts, task.start, types)
    reasons: list[str] = []
    for chosen in islice(choices, _MAX_PLANS):
        try:
            # A choice of objects without contradiction may still have no plan.
            steps = _Solver(task, scene.name, types, needs_of(parts, chosen)).solve()
        except _StuckError as stuck:
            reasons.append(str(stuck))
            continue
        return Solution(tuple(steps), "" if steps else "the goal holds at the start")
    if reasons:
        return Solution(reason=reasons[0])
    if choices.complete:
        raise InputError(
            choices.contradiction,
            where=where,
            expected="a goal whose parts can all hold at the same time",
        )
    return Solution(reason=choices.contradiction)


class _StuckError(Exception):
    """Raised if no plan can be made for a choice of objects, with the reason."""


class _Solver:
    """Makes and executes a plan for the chosen objects."""

    def __init__(self, task: Task, room: str, types: Mapping[str, str], needs: Needs) -> None:
        """Begin at the initial state of the task, with an empty plan."""
        self._world = skill_world(knife=True)
        self._run = Run(self._world.world, task.start, task.agent)
        self._view = ObjectQueries(self._run.state)
        self._types = types
        self._states = needs.states
        self._containers = self._direct_containers(needs)
        self._room = room
        self._done: set[str] = set()
        self._found = ""
        self._met_after: dict[str, int] = {}
        self._plan: list[Action] = []

    def _direct_containers(self, needs: Needs) -> dict[str, str]:
        """Return for each object the container that it has to be put into directly.

        If an object needs several containers, they are nested: an apple in a bowl in a fridge. The
        bowl then is an object that has to be put into the fridge.

        Args:
            needs: The needs of the goal. If they ask for two containers of one object, the first
                that is met here counts.
        """
        direct: dict[str, str] = {}
        for name, containers in needs.containers.items():
            nested = [name, *self._from_inner_to_outer(containers)]
            for inner, outer in pairwise(nested):
                if outer not in self._view.around(inner):
                    direct.setdefault(inner, outer)
        # An object that is in its container already may be taken out, to be washed, and put back.
        for name, containers in needs.containers.items():
            direct.setdefault(name, containers[0])
        return direct

    def _from_inner_to_outer(self, containers: Iterable[str]) -> list[str]:
        """Return containers of one object, those first that can be carried into others."""
        portable: list[str] = []
        fixed: list[str] = []
        for container in containers:
            if self._view.can(container, "pickupable"):
                portable.append(container)
            else:
                fixed.append(container)
        return portable + fixed

    def solve(self) -> list[Action]:
        """Return the steps.

        Raises:
            _StuckError: If they do not reach what is needed.
        """
        for name in sorted(self._states, key=self._rank):
            self._bring_about(name)
        for name, words in self._states.items():
            if "held" in words:
                self._take(name)
        # An object inside of a container is opened and shut before the container is.
        inner_first = sorted(self._states, key=lambda name: -len(self._view.around(name)))
        for name in inner_first:
            self._set_doors(name)
        self._check_all()
        return self._plan

    def _rank(self, name: str) -> tuple[bool, bool, int, bool]:
        """Return a sort key by which objects are treated in a suitable order.

        Things are treated before others are put into them. Contents of appliances come last, so
        that the appliances do not treat them, and what is held comes last of all.
        """
        words, containers = self._states[name], self._outer(name)
        inside_appliance = any(self._types[outer] in _UNDONE_BY for outer in containers)
        return "held" in words, inside_appliance, len(containers), "cold" in words

    def _outer(self, name: str) -> list[str]:
        """Return the containers that a goal requires around an object, innermost first."""
        containers: list[str] = []
        while name in self._containers and self._containers[name] not in containers:
            name = self._containers[name]
            containers.append(name)
        return containers

    # ------------------------------------------------------------------ single objects
    def _bring_about(self, name: str) -> None:
        """Slice, treat and put away an object as the goal requires."""
        if name in self._done:
            return
        self._done.add(name)
        words = self._states[name]
        if not self._view.met(name, "sliced"):
            self._slice_off(name)
        unmet_words = {word for word in words if not self._view.met(name, word)}
        # States that no action can produce must hold at the start.
        for word, sentence in _NEVER_MADE.items():
            if word in unmet_words:
                raise _StuckError(f"no action {sentence.format(name)}")
        for word in _TREATMENTS:
            # A treatment may bring about another state, so each is tested when it is due.
            if word in words and not self._view.met(name, word):
                self._treat(name, word)
        container = self._containers.get(name, "")
        if container and container not in self._view.around(name):
            self._take(name)
            self._put(container)

    def _slice_off(self, piece: str) -> None:
        """Slice the object of a piece with a knife, and put the knife down again."""
        source = self._run.state.related("slice_of", piece)[0]
        if source in self._states:
            self._bring_about(source)
        knives = [name for name, kind in self._types.items() if kind in ("Knife", "ButterKnife")]
        if not knives:
            raise _StuckError(f"nothing slices {source}: there is no Knife in {self._room}")
        if self._view.held not in knives:
            self._take(knives[0])
        self._go_to(source)
        self._do("slice", source)
        self._do("drop")

    def _treat(self, name: str, word: str) -> None:
        """Give an object a state that an appliance produces."""
        if word == "filled" and self._types[name] == "Mug" and "dirty" in self._states[name]:
            self._run_appliance(name, word, "CoffeeMachine")  # it fills without washing
        elif word in ("clean", "filled"):
            self._wash(name, word)
        elif word == "cold":
            self._run_appliance(name, word, "Fridge")
        elif word == "cooked" and self._types[name] == "BreadSliced":
            self._run_appliance(name, word, "Toaster")
        else:
            self._run_appliance(name, word, "Microwave")

    def _wash(self, name: str, word: str) -> None:
        """Let water run over an object, which cleans and fills it.

        Args:
            name: The object.
            word: The state that is needed, for messages.
        """
        taps_and_basins: list[tuple[str, str]] = []
        for tap in self._types:
            for basin in self._run.state.related("waters", tap):
                if self._view.can(basin, "receptacle"):
                    taps_and_basins.append((tap, basin))
        if not taps_and_basins:
            raise _StuckError(
                f"nothing makes {name} {word}: there is no basin with a tap in {self._room}"
            )
        containers = self._view.around(name)

        def reluctance(tap_and_basin: tuple[str, str]) -> tuple[bool, bool]:
            """Prefer the basin in which the object is, and a sink to a bathtub."""
            _, basin = tap_and_basin
            return basin not in containers, "Bath" in basin

        tap, basin = min(taps_and_basins, key=reluctance)
        self._lay_in(name, word, basin)
        # Only switching the tap on washes an object, so a tap that is on is switched off first.
        if self._run.state.holds("on", (tap,)):
            self._switch(tap, "turn_off")
        self._switch(tap, "turn_on")
        self._switch(tap, "turn_off")

    def _run_appliance(self, name: str, word: str, appliance_type: str) -> None:
        """Put an object into an appliance, close it, and switch it on if possible.

        Args:
            name: The object.
            word: The state that the appliance brings about.
            appliance_type: The type of the appliance, such as ``Microwave``.
        """
        appliances = [
            other for other, type_name in self._types.items() if type_name == appliance_type
        ]
        if not appliances:
            missing = f"there is no {appliance_type} in {self._room}"
            raise _StuckError(f"nothing makes {name} {word}: {missing}")
        appliance = appliances[0]
        self._lay_in(name, word, appliance)
        # A toaster or a coffee machine has no door.
        if appliance_type in ("Fridge", "Microwave"):
            self._go_to(appliance)
            if self._run.state.holds("open", (appliance,)):
                self._do("close", appliance)
        if appliance_type == "Fridge":
            return  # it cools by itself
        # Only switching it on has an effect, so an appliance that is on is switched off first.
        if self._run.state.holds("on", (appliance,)):
            self._switch(appliance, "turn_off")
        self._switch(appliance, "turn_on")
        self._switch(appliance, "turn_off")

    def _lay_in(self, name: str, word: str, appliance: str) -> None:
        """Put an object into an appliance, after taking out objects that it must not affect.

        Args:
            name: The object.
            word: The state that the appliance brings about.
            appliance: The appliance.
        """
        if appliance in self._view.around(name):
            return
        if not self._view.can(name, "pickupable"):
            raise _StuckError(f"{name} cannot be carried, so nothing makes it {word}")
        undone_states = _UNDONE_BY.get(self._types[appliance], ())
        for other, words in self._states.items():
            if words.intersection(undone_states) and appliance in self._view.around(other):
                self._take(other)
                self._do("drop")
        self._take(name)
        self._put(appliance)

    def _set_doors(self, name: str) -> None:
        """Open, close or switch an object as it has to be at the end."""
        for word, action in _DOORS.items():
            if word not in self._states[name] or self._view.met(name, word):
                continue
            if action in ("turn_on", "turn_off"):
                self._switch(name, action)
                continue
            self._go_to(name)
            self._do(action, name)

    # ------------------------------------------------------------------ the hand
    def _take(self, name: str) -> None:
        """Pick up an object, after putting down the held one."""
        if self._view.held == name:
            return
        if not self._view.can(name, "pickupable"):
            raise _StuckError(f"{name} cannot be carried")
        if self._view.held:
            self._do("drop")
        self._go_to(name)
        self._do("pick", name)

    def _put(self, receptacle: str) -> None:
        """Put the held object in or on a receptacle, after opening it."""
        self._go_to(receptacle)
        if self._is_shut(receptacle):
            self._open(receptacle)
        self._do("put", receptacle)

    def _switch(self, name: str, action: str) -> None:
        """Turn an object on or off, by its knob if it has one."""
        knobs = self._run.state.related("controls", name, column=True)
        target = knobs[0] if knobs else name
        self._go_to(target)
        if self._types[target] == "Microwave" and action == "turn_on" and self._is_open(target):
            self._do("close", target)
        self._do(action, target)

    # ------------------------------------------------------------------ going
    def _go_to(self, name: str) -> None:
        """Go to an object, opening the closed containers around it first."""
        for around in reversed(self._view.around(name)):
            if self._is_shut(around):
                self._find(around)
                self._open(around)
        self._find(name)

    def _find(self, name: str) -> None:
        if self._found != name:
            self._do("find", name)
            self._found = name

    def _open(self, name: str) -> None:
        if self._types[name] == "Microwave" and self._run.state.holds("on", (name,)):
            self._do("turn_off", name)
        self._do("open", name)

    def _is_open(self, name: str) -> bool:
        return self._run.state.holds("open", (name,))

    def _is_shut(self, name: str) -> bool:
        """Whether an object is a closed enclosure: nothing goes in or out."""
        kind = self._run.state.universe.domain.types.get(self._types[name].lower())
        return kind == "enclosure" and self._view.can(name, "openable") and not self._is_open(name)

    # ------------------------------------------------------------------ running
    def _do(self, name: str, *arguments: str) -> None:
        """Append a step to the plan and execute it."""
        if len(self._plan) == _MAX_STEPS:
            raise _StuckError(f"the plan that was tried has more than {_MAX_STEPS} steps")
        step = Action(name, arguments)
        number = len(self._plan) + 1
        outcome, finding = self._world.rules.take(self._run, step, number)
        if outcome != "done":
            message = finding.message if finding else str(step)
            raise _StuckError(f"step {number} of the plan that was tried fails: {message}")
        self._plan.append(step)
        for need in self._met_needs():
            self._met_after[need] = number

    def _met_needs(self) -> set[str]:
        """Return the needs that are already satisfied, in words."""
        met: set[str] = set()
        for name, words in self._states.items():
            for word in words:
                if self._view.met(name, word):
                    met.add(f"{name} is {word}")
        for name, container in self._containers.items():
            if container in self._view.around(name):
                met.add(f"{name} is in or on {container}")
        return met

    def _check_all(self) -> None:
        """Raise an error unless all needs are satisfied at the end."""
        needed: set[str] = set()
        for name, words in self._states.items():
            needed.update(f"{name} is {word}" for word in words)
        for name, container in self._containers.items():
            needed.add(f"{name} is in or on {container}")
        for need in sorted(needed - self._met_needs()):
            last_step_number = self._met_after.get(need)
            if last_step_number is None:
                raise _StuckError(f"no way was found so that {need}")
            # Numbers of steps count from 1, so this index is that of the next step.
            undoing_step = self._plan[last_step_number]
            number = last_step_number + 1
            raise _StuckError(f"{undoing_step} undoes that {need} (step {number} of the plan)")
