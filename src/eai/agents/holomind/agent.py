"""HoloMind: planners, executor, memories and critic in one loop, from messages to actions.

In every turn the agent takes in a percept, reviews what its last action did, and decides on the
next one. It pursues one goal at a time. The agenda holds the sub-goals that are left of it; fixes
are put in front. The queue holds the actions that are left of the first sub-goal of the agenda.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from eai.acting import Agent, Message, format_action
from eai.agents.holomind import lowplanner
from eai.agents.holomind.critic import CAUSES, Critic, Directive, fix_of
from eai.agents.holomind.episodic import EpisodicMemory, Experience, LearnedRule, Then
from eai.agents.holomind.executor import Context, Skills, SubGoal, translate
from eai.agents.holomind.goals import MAX_GOALS, GoalGraph, GoalNode, ObjectReference, Status
from eai.agents.holomind.highplanner import MOST_REPLANS, choose, holds, read_goals, refine, replan
from eai.agents.holomind.models import Usage, drive_modules
from eai.agents.holomind.percepts import Percept, plain, read_percept
from eai.agents.holomind.spatial import SpatialMemory, fits
from eai.agents.registry import AgentOptions, EpisodeSetting, EpisodicAgent, RegisteredAgent
from eai.errors import CallLimitError, InputError, check_name
from eai.pddl import Domain
from eai.world import Action

MODULES = ("highplanner", "lowplanner", "executor", "critic", "memory")
"""Names of the modules that may be replaced: see :class:`HoloMind`."""
_USUAL_MODULES = MODULES[:4]
"""The modules that a model drives by default: all but the memory, which is asked most often."""

PARTS = ("highplanner", "critic", "episodic", "spatial")
"""Names of the parts that may be left out."""

MAX_CALLS = 1_000
"""Maximum number of calls of models in one episode: ten times what honest episodes take."""

MAX_CALLS_OF_MEMORY = 10_000
"""The same if a model drives the memory, which is asked about every object that may be meant."""

_MAX_BLIND_TRIES = 3
"""Maximum number of times that an action is tried without a Critic."""

_MAX_NEW_PLANS = 2
"""Maximum number of times that the low-level planner plans one try of a goal anew."""

_MAX_DECISIONS = 200
"""Maximum number of decisions of a turn without an action; then nothing is done in it."""


class HoloMind(EpisodicAgent):
    """An agent for long tasks in homes (arXiv 2605.14504): a callable from messages to text.

    It goes by what it is told and sees. It may act in one episode after the other: one begins
    where a message tells of no action, and what was learned before stays.

    Args:
        model: Drives modules: one for all, or the name of a module to its model.
        modules: Names of the modules that the model drives, by default all but ``"memory"``; or
            the name of a module to a callable that takes its place:
            ``highplanner(task, context) -> list of goals``,
            ``lowplanner(goal, context) -> list of sub-goals``,
            ``executor(sub-goal, context) -> list of actions``,
            ``critic(sub-goal, context) -> Directive``,
            ``memory(reference, record) -> bool``.
        memory: The experience of earlier episodes, or a file of it.
        without: Which of :data:`PARTS` are left out.
        max_calls: Maximum number of calls of models in one episode. One more ends the episode
            with ``"max_calls"``. By default :data:`MAX_CALLS`, or :data:`MAX_CALLS_OF_MEMORY` if a
            model drives the module ``"memory"``.
        actions: Name of an action to the number of its arguments; by default as it is told.
        domain: Says what the actions bring about; by default they are known by their names.

    Attributes:
        log: Its decisions in this episode, entry by entry.
        experience: Its experience of all episodes.
        usage: Calls of models and what came of them.

    Raises:
        UnknownNameError: If there is no module or part of a name.
        InputError: If ``max_calls`` is not positive, or the file cannot be read.
        SchemaError: If the file is none of experience.
    """

    def __init__(
        self,
        model: Agent | Mapping[str, Agent] | None = None,
        *,
        modules: Sequence[str] | Mapping[str, Callable[..., Any]] = (),
        memory: Experience | str | Path | None = None,
        without: Sequence[str] = (),
        max_calls: int | None = None,
        actions: Mapping[str, int] | None = None,
        domain: Domain | None = None,
    ) -> None:
        """Choose the function of each module, and begin the first episode."""
        model_by_module: Sequence[str] | Mapping[str, Agent] = ()
        # A mapping has a model for each of its modules; any other model drives all of them.
        if isinstance(model, Mapping):
            model_by_module = model
        for name in (*modules, *model_by_module):
            check_name("module", name, MODULES)
        for name in without:
            check_name("part", name, PARTS)
        if max_calls is not None and max_calls < 1:
            raise InputError(f"max_calls is {max_calls}", expected="a whole number from 1")
        self.experience = _load_experience(memory)
        self.log: list[dict[str, Any]] = []
        self.usage = Usage()
        self._without = frozenset(without)
        self._given_actions_and_domain = actions, domain
        self._critic = Critic()
        self._calls = 0  # of models, in this episode
        # Symbolic modules are the default. Functions of the user or models replace some of them.
        self._modules = self._modules_without_model()
        usual_calls = MAX_CALLS
        if isinstance(modules, Mapping):
            self._modules |= modules
        elif model is not None:
            driven_modules = modules or model_by_module or _USUAL_MODULES
            self._modules |= drive_modules(
                model, driven_modules, self._modules, self.usage, self._note, self._count_call
            )
            if "memory" in driven_modules:
                usual_calls = MAX_CALLS_OF_MEMORY
        self._max_calls = max_calls or usual_calls
        self._episode = 0
        self._begin_episode(Percept())

    def _modules_without_model(self) -> dict[str, Callable[..., Any]]:
        """Return the function of each module that works by rules alone."""
        return {
            "highplanner": read_goals,
            "lowplanner": lowplanner.plan,
            "executor": translate,
            "critic": self._critic,
            "memory": fits,
        }

    @property
    def record(self) -> list[dict[str, Any]]:
        """The log of the episode, ending with the usage of models if there is any."""
        usage: dict[str, Any] = {}
        for name in ("calls", "fallbacks", "tokens"):
            counts = getattr(self.usage, name)
            if counts:
                usage[name] = dict(counts)
        if not usage:
            return self.log
        seconds = round(self.usage.seconds, 3)
        return [*self.log, {"event": "usage", **usage, "seconds": seconds}]

    def begin(self, actions: Mapping[str, int], domain: Domain | None = None) -> None:
        """Prepare for the next episode.

        Args:
            actions: Name of an action to the number of its arguments.
            domain: Domain with the effects of the actions.
        """
        self._given_actions_and_domain = actions, domain

    def __call__(self, messages: Sequence[Message]) -> str:
        """Return the next action as text, or a remark if nothing is left to do."""
        percept = read_percept(messages)
        # A message without an action so far is the first one of an episode.
        if percept.number < 0 or not self._turn:
            self._begin_episode(percept)
        self._turn += 1
        context = self._context
        context.percept, context.episodic.held = percept, percept.held
        context.memory.observe(percept)
        if self._turn == 1:
            self._read_task(percept.task)
        self._review(percept)
        action = self._next_action()
        if action is None:
            return "(nothing is left to do)"
        return format_action(action)

    def _read_task(self, task: str) -> None:
        """Read the goals of the episode."""
        goals = self._limit_goals(self._modules["highplanner"](task, self._context))
        if "highplanner" in self._without:
            for goal in goals:
                goal.after = {}
        self._goal_graph = GoalGraph(goals, self._note)
        self._note("goals", goals=[(str(goal), goal.what.kinds, goal.what.name) for goal in goals])

    def _begin_episode(self, percept: Percept) -> None:
        """Reset everything except the rules learned in earlier episodes."""
        self._episode += 1
        self._turn = 0
        self._new_plans = 0  # of the goal that is pursued
        self._replans = 0
        self._calls = 0
        self._tool = ""  # that was switched on for the goal
        self.log = []
        memory = SpatialMemory(
            lasting="spatial" not in self._without, verify=self._modules["memory"], log=self._note
        )
        episodic = EpisodicMemory(self.experience, lasting="episodic" not in self._without)
        actions, domain = self._given_actions_and_domain
        self._context = Context(memory, episodic, Skills(actions or percept.actions, domain))
        self._goal_graph = GoalGraph([])
        self._agenda: deque[SubGoal] = deque()
        self._queue: deque[Action] = deque()
        self._tried_causes: dict[SubGoal, set[str]] = {}  # causes that fixes were tried for
        self._searched: set[str] = set()
        self._opened: list[str] = []  # on the way, to be closed in the end
        self._last_action: Action | None = None

    def _count_call(self) -> None:
        """Count a call of a model before it happens.

        Raises:
            CallLimitError: If there were as many as there may be.
        """
        if self._calls == self._max_calls:
            self._note("max_calls", calls=self._calls)
            raise CallLimitError(
                f"the agent asked its models {self._calls} times, which is the most in one episode",
                mend="allow more (max_calls, --max-calls)",
            )
        self._calls += 1

    def _limit_goals(self, goals: list[GoalNode]) -> list[GoalNode]:
        """Return at most :data:`MAX_GOALS` of the goals.

        The limit is needed because every goal is compared with all others many times.
        """
        if len(goals) <= MAX_GOALS:
            return goals
        self._note("goals left out", kept=MAX_GOALS)
        kept = goals[:MAX_GOALS]
        kept_numbers = {goal.number for goal in kept}
        for goal in kept:
            goal.after = {
                first: edge for first, edge in goal.after.items() if first in kept_numbers
            }
        return kept

    def _note(self, event: str, **details: object) -> None:
        """Add an entry to the log; the same query is noted once in a few entries."""
        entry = {"turn": self._turn, "event": event, **details}
        if event != "query" or entry not in self.log[-8:]:
            self.log.append(entry)

    # ------------------------------------------------------------------ after an action

    def _review(self, percept: Percept) -> None:
        """Process the outcome of the last action: finish its sub-goal or react to failure."""
        action, self._last_action = self._last_action, None
        if action is None or not self._agenda:
            return
        context = self._context
        subgoal = self._agenda[0]
        target = ""
        if action.arguments:
            target = action.arguments[-1]
        is_last_action = not self._queue
        # A silent failure: nothing says that the action failed, but its sub-goal is not reached.
        is_silent_failure = (
            is_last_action and "critic" not in self._without and self._is_reached(subgoal) is False
        )
        if percept.done is not False and not is_silent_failure:
            context.episodic.position = context.memory.at = target
            if is_last_action:
                self._finish(subgoal, target)
            return
        self._queue.clear()
        self._note("failed", action=str(action), role=subgoal.role, silent=is_silent_failure)
        self._react(subgoal, target)

    def _react(self, subgoal: SubGoal, target: str) -> None:
        """Decide how to continue after the action of a sub-goal failed.

        Args:
            subgoal: The sub-goal.
            target: Object of the action.
        """
        tried_causes = self._tried_causes.setdefault(subgoal, set())
        if subgoal.fix == "search":
            # A failed search is not repeated: the next search goes to another place.
            self._agenda.popleft()
            return
        if "critic" in self._without:
            tried_causes.add(f"blind {len(tried_causes)}")
            if len(tried_causes) >= _MAX_BLIND_TRIES:
                self._give_up("tried in vain")
            return
        self._context.tried = tried_causes
        directive: Directive = self._modules["critic"](subgoal, self._context)
        self._note("directive", kind=directive.kind, text=directive.text)
        if directive.kind == "Replan" or len(tried_causes) >= 2 * _MAX_BLIND_TRIES:
            self._plan_again(subgoal.role, target)
        else:
            tried_causes.add(directive.cause or f"{len(tried_causes)} {directive.text}")
            # Each is added at the left, so the first fix has to be added last.
            self._agenda.extendleft(reversed(directive.fixes))

    def _finish(self, subgoal: SubGoal, target: str) -> None:
        """Remove a reached sub-goal, and remember the fix that helped to reach it."""
        episodic = self._context.episodic
        episodic.history.append(str(subgoal))
        self._note("done", subgoal=str(subgoal), target=target)
        self._agenda.popleft()
        tried_causes = self._tried_causes.pop(subgoal, set())
        causes = [cause for cause, _ in CAUSES if cause in tried_causes]
        if causes:  # the last fix that was tried is the one that helped
            self._critic.confirm(subgoal, causes[-1])
            self._learn(subgoal.role, causes[-1], "insert", causes[-1])
        if subgoal.role == "on":
            self._tool = target
        if subgoal.role == "open" and subgoal.fix:
            self._opened.append(target)
        if subgoal.role == "pick":
            self._learn_container(target)

    def _learn_container(self, target: str) -> None:
        """Remember the type of container of an object, where others will be searched."""
        record = self._context.memory.named(target)
        if record is None:
            return
        around = self._context.memory.named(record.place)
        if around is not None and "open" in around.words:
            self._learn("search", plain(record.type), "prefer", plain(around.type))

    def _learn(self, action: str, when: str, then: Then, what: str) -> None:
        """Add a rule to the experience (see :class:`~eai.agents.holomind.episodic.LearnedRule`)."""
        source = f"episode {self._episode}, turn {self._turn}"
        rule = LearnedRule(action=action, when=when, then=then, what=what, source=source)
        self._context.episodic.learn(rule)

    def _is_reached(self, sub: SubGoal) -> bool | None:
        """Return whether a sub-goal is reached; None if it is unknown."""
        return self._context.holds(sub.role, self._context.bind(sub.what), sub.to)

    # ------------------------------------------------------------------ the next action

    def _next_action(self) -> Action | None:
        """Return the next action, or None if nothing is left to do."""
        # Goals become sub-goals (the agenda), and sub-goals become actions (the queue). Each round
        # takes one such step.
        for _ in range(_MAX_DECISIONS):
            self._reopen()
            if not self._queue and not self._agenda and not self._take_goal():
                # All goals are reached or given up. Containers that the agent opened are closed.
                self._close_opened()
                if not self._agenda:
                    return self._stop_action()
            if not self._queue and self._agenda:
                self._expand(self._agenda[0])
            if self._queue:
                self._last_action = self._queue.popleft()
                return self._last_action
        return None

    def _reopen(self) -> None:
        """Set finished goals to pending that turn out not to hold."""
        if "highplanner" in self._without or self._replans >= MOST_REPLANS:
            return
        for goal in self._goal_graph.of(Status.DONE):
            if holds(goal, self._context) is False:
                self._replans += 1
                self._goal_graph.set(goal, Status.PENDING, "seen undone")

    def _take_goal(self) -> bool:
        """Finish the current goal and take the next one; return False if there is none."""
        graph, context = self._goal_graph, self._context
        goal = context.goal
        if goal is not None and goal.status is Status.RUNNING:
            is_met = holds(goal, context)
            if is_met is False:
                self._fail("it does not hold")
            elif is_met:
                graph.set(goal, Status.DONE, "it holds")
            else:
                graph.set(goal, Status.DONE, "all was done")  # whether it holds cannot be seen
        has_planner = "highplanner" not in self._without
        goal = context.goal = choose(graph, context, ordered=not has_planner)
        if goal is None:
            # A blocked goal waits for failed goals, so it is dropped. Others then wait no longer.
            blocked = graph.of(Status.BLOCKED)
            if blocked:
                graph.drop(blocked[0])
            return bool(blocked)
        goal.tries += 1
        if has_planner:
            refine(goal, graph, context)
        graph.set(goal, Status.RUNNING, "chosen")
        self._new_plans = 0
        # A new goal looks everywhere again: things may have been moved since.
        self._searched.clear()
        self._plan(goal)
        return True

    def _plan(self, goal: GoalNode) -> None:
        """Fill the agenda with the sub-goals of a goal unless it already holds."""
        self._tried_causes.clear()
        self._tool = ""
        if holds(goal, self._context) is not True:
            self._agenda = deque(self._modules["lowplanner"](goal, self._context))
            steps = [str(step) for step in self._agenda]
            self._note("plan", goal=goal.number, what=str(goal), steps=steps)
            if not steps:
                self._fail("there is no way to do it")

    def _stop_action(self) -> Action | None:
        """Return the action that ends the episode, or None if the suite has none."""
        stop = self._context.skills.of("stop")
        if stop is None:
            return None
        return Action(stop.action, ())

    def _expand(self, subgoal: SubGoal) -> None:
        """Turn the next sub-goal into actions, or put another sub-goal in front of it."""
        if (subgoal.once and subgoal in self._tried_causes) or self._is_reached(subgoal):
            self._agenda.popleft()
            return
        # Missing objects and learned fixes come first. Each puts another sub-goal before this one,
        # which is expanded again afterwards.
        for query in (subgoal.what, subgoal.to):
            if query is not None and subgoal.fix != "search" and self._is_missing(query):
                self._search(query)
                return
        fix = self._learned_fix(subgoal)
        if fix is not None:
            self._agenda.appendleft(fix)
            return
        self._queue.extend(self._modules["executor"](subgoal, self._context))
        if not self._queue:
            self._give_up(f"no action does {subgoal.role}")

    def _is_missing(self, query: ObjectReference) -> bool:
        """Return whether no known object matches a reference."""
        if not query.kinds and not query.name:
            return False
        return self._context.bind(query) is None

    def _search(self, query: ObjectReference) -> None:
        """Put a search for an object on the agenda, or give up if nothing is left to search."""
        step = lowplanner.search(query, self._context, self._searched)
        self._note("search", query=str(query), where=str(step or ""))
        if step is None:
            self._give_up(f"{query} is nowhere")
        else:
            self._agenda.appendleft(step)

    def _learned_fix(self, subgoal: SubGoal) -> SubGoal | None:
        """Return a fix that helped before against a cause that is present now, or None."""
        tried_causes = self._tried_causes.setdefault(subgoal, set())
        if subgoal.fix or not self._context.episodic.lasting:
            return None
        causes = {cause for cause, _ in CAUSES}
        for rule in self.experience.rules(subgoal.role, "insert"):
            mark = f"rule {rule.what}"
            # Each rule is used once for a sub-goal, so a fix that does not help is not repeated.
            if rule.what not in causes or mark in tried_causes:
                continue
            fix = fix_of(rule.what, subgoal, self._context)
            if fix is not None:
                tried_causes.add(mark)
                self._note("experience", rule=rule.what, before=str(subgoal), do=str(fix))
                return fix
        return None

    def _plan_again(self, role: str, target: str) -> None:
        """Replan the goal without the objects that failed. After too many retries, the goal fails.

        Args:
            role: Role of the sub-goal that failed.
            target: Object of its action.
        """
        goal = self._context.goal
        self._new_plans += 1
        if goal is None or self._new_plans > _MAX_NEW_PLANS:
            self._give_up("planned again in vain")
            return
        failed_objects = {target}
        held_object = self._context.held
        if held_object is not None and role not in ("pick", "place"):
            failed_objects.add(held_object.name)  # the tool may be at fault
        goal.refused |= failed_objects - {"", goal.bound}
        self._agenda.clear()
        self._plan(goal)

    def _give_up(self, cause: str) -> None:
        """Drop the plan of the goal, which fails."""
        self._agenda.clear()
        self._queue.clear()
        self._fail(cause)

    def _fail(self, cause: str) -> None:
        """Mark a goal as failed, and let the high-level planner decide how to continue."""
        goal = self._context.goal
        if goal is None or goal.status is not Status.RUNNING:
            return
        self._goal_graph.set(goal, Status.FAILED, cause)
        self._replans += 1
        if "highplanner" in self._without or self._replans > MOST_REPLANS:
            self._goal_graph.set(goal, Status.SKIPPED, "no replan")
        else:
            operator = replan(self._goal_graph, goal, self._context, self._tool)
            self._note("replan", goal=goal.number, operator=operator)

    def _close_opened(self) -> None:
        """Close the containers that were opened, if the rules ask for it."""
        while self._opened and "closed after use" in self._context.percept.rules:
            name = self._opened.pop()
            record = self._context.memory.named(name)
            if record is not None and record.words.get("open"):
                self._agenda.append(
                    SubGoal("close", ObjectReference(name=name), fix="tidy", once=True)
                )


def _load_experience(memory: Experience | str | Path | None) -> Experience:
    """Return the rules of earlier episodes: given, from a file, or none."""
    if memory is None:
        return Experience()
    if isinstance(memory, Experience):
        return memory
    return Experience.load(memory)


class RegisteredHoloMind(RegisteredAgent):
    """HoloMind under its name, perhaps without modules: ``"holomind:no-critic,no-spatial"``."""

    modules = MODULES

    def make(self, _setting: EpisodeSetting, options: AgentOptions) -> HoloMind:
        """Return a new HoloMind.

        Raises:
            UnknownNameError: If there is no such part or module.
        """
        left_out = [word.removeprefix("no-") for word in options.words.split(",") if word]
        return HoloMind(
            options.models, modules=options.modules, without=left_out, max_calls=options.max_calls
        )
