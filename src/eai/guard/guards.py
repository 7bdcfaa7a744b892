"""A guard: says before an action whether it keeps the rules, and why not."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeVar

from eai.errors import EaiError, InputError
from eai.guard.decisions import (
    BREAKS,
    TOO_LARGE,
    UNKEEPABLE,
    UNKNOWN,
    UNREADABLE,
    Call,
    Decision,
    UnreadableCallError,
    action_atom,
    call_record,
    count_characters,
    json_line,
    read_call,
)
from eai.guard.monitors import (
    Event,
    ObjectMonitor,
    ValueMonitor,
    build_machine,
    value_text,
)
from eai.guard.worlds import GuardWorld, ReportedFacts
from eai.logic import ActionAtom, Atom, Formula, Rule, load_rules, parse_formula, parts_of
from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.task import Task
from eai.world import State

MAX_CHARACTERS = 100_000
"""Default maximum number of characters of a call."""
MAX_VALUES = 100_000
"""Default maximum number of values that one rule remembers."""

_P = ParamSpec("_P")
_R = TypeVar("_R")


class RefusedError(EaiError):
    """Raised by a wrapped function if the guard refuses the call."""

    def __init__(self, decision: Decision) -> None:
        """Keep the decision, and use its text as the message."""
        super().__init__(str(decision))
        self.decision = decision


class _GuardedRule:
    """A rule with the monitors of its parts.

    Args:
        rule: The rule.
        formula: Its formula, over calls or over the actions of the world.
    """

    def __init__(self, rule: Rule, formula: Formula) -> None:
        """Begin without monitors; a rule has either value monitors or object monitors."""
        self.rule = rule
        self.formula = formula
        self.value_monitors: list[ValueMonitor] = []
        self.object_monitors: list[ObjectMonitor] = []

    @property
    def is_warning(self) -> bool:
        return self.rule.severity == "warning"


@dataclass(frozen=True)
class _CallOptions:
    """Options for reading tool calls, and limits on their size.

    The defaults are those of a guard in a world, whose actions are no calls of tools.
    """

    tools: dict[str, tuple[str, ...]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    unknown: str = "pass"
    max_characters: int = MAX_CHARACTERS
    max_values: int = MAX_VALUES


class Guard:
    """Checks actions or tool calls against rules before they are done.

    Without a world, the primitives of a rule are calls (``delete_file(path)``) and facts that are
    observed; constants may be patterns (``"/etc/*"``, ``">100"``). With a domain and a problem they
    are its actions and predicates, and every action is tried out before it is allowed.

    A rule that was broken once (because a refusal was ignored, or an observation broke it) refuses
    nothing more on that account.

    Args:
        rules: A file of rules, or a list of rules or of what stands in a file.
        domain: A PDDL domain, or its text.
        problem: A problem of it, or its text.
        tools: The tools, each with the names of its arguments in the order that rules use. Needed
            where a rule speaks of a tool's arguments and the tool has several.
        types: Patterns of the values of each type of variables (``{"path": "/*"}``).
        unknown: Treatment of calls of tools that are not in ``tools``: ``"pass"`` or ``"refuse"``.
            Without ``tools`` every tool is known.
        log: A file to which everything is added as JSON Lines.
        search_states: Maximum number of states of a world that are looked at to find a way to keep
            a rule. If they do not suffice, the action is allowed.
        max_characters: Maximum size of a call.
        max_values: Maximum number of values that one rule remembers.

    Raises:
        InputError: If a rule is not understood, or too large.

    Examples:
        >>> rules = [{"name": "read first", "formula": "forall f. (!write(f) W read(f))"}]
        >>> guard = Guard(rules)
        >>> guard.check("write", {"path": "a.txt"}).code
        'breaks'
        >>> guard.observe("read", {"path": "a.txt"})
        >>> guard.check("write", {"path": "a.txt"}).allowed
        True
    """

    def __init__(
        self,
        rules: object,
        domain: Domain | str | None = None,
        problem: Problem | str | None = None,
        *,
        tools: Mapping[str, Sequence[str]] | None = None,
        types: Mapping[str, str] | None = None,
        unknown: str = "pass",
        log: str | Path | None = None,
        search_states: int = 500,
        max_characters: int = MAX_CHARACTERS,
        max_values: int = MAX_VALUES,
    ) -> None:
        """Build the monitors of the rules, and begin the log."""
        world = None
        if domain is not None or problem is not None:
            world = _make_world(domain, problem, search_states)
        call_options = _CallOptions(
            {name: tuple(parameters) for name, parameters in (tools or {}).items()},
            dict(types or {}),
            unknown,
            max_characters,
            max_values,
        )
        self._set_up(load_rules(rules), world, call_options)
        # The log begins with the texts of the domain and the problem, if texts were given.
        self.open_log(
            log,
            domain=domain if isinstance(domain, str) else None,
            problem=problem if isinstance(problem, str) else None,
        )

    @classmethod
    def of_task(
        cls,
        rules: object,
        task: Task,
        *,
        log: str | Path | None = None,
        search_states: int = 500,
    ) -> Guard:
        """Return a guard in the world of a task, with the rules for that task.

        Args:
            rules: As for the guard itself.
            task: The task; the rules that are for others are left out.
            log: As for the guard itself.
            search_states: As for the guard itself.

        Raises:
            InputError: If a rule speaks of something that the task does not have.
        """
        guard = cls.__new__(cls)
        # A rule that names no task is for all of them.
        rules_for_task = [
            rule for rule in load_rules(rules) if not rule.tasks or task.id in rule.tasks
        ]
        world = GuardWorld(task.world, task.start, task.logic_names(), task.agent, search_states)
        guard._set_up(tuple(rules_for_task), world, _CallOptions())  # noqa: SLF001 - of the class itself
        guard.open_log(log, task=task.id)
        return guard

    def _set_up(
        self, rules: tuple[Rule, ...], world: GuardWorld | None, call_options: _CallOptions
    ) -> None:
        """Set all attributes of a new guard, and build the monitors of its rules."""
        if call_options.unknown not in ("pass", "refuse"):
            raise InputError(f"unknown is {call_options.unknown!r}", expected="'pass' or 'refuse'")
        self.rules = rules
        self.world = world
        self.tools = call_options.tools
        self.types = call_options.types
        self.unknown = call_options.unknown
        self.max_characters = call_options.max_characters
        self.max_values = call_options.max_values
        self.steps = 0
        self._facts: dict[str, set[tuple[str, ...]]] = {}
        self._log: IO[str] | None = None
        # Name of an action or predicate in rules to whether some rule mentions its arguments.
        self._needs_arguments: dict[str, bool] = {}
        if world is None:
            self._rules = [self._monitor_calls(rule) for rule in rules]
        else:
            self._rules = [self._monitor_objects(rule, world) for rule in rules]
        self._start = self.state()

    def _as_call(self, leaf: Formula) -> Formula:
        """Return a proposition as a call if it has a tool's name.

        ``delete_file(path)`` looks like a fact: only the list of tools says that it is a call.
        """
        if isinstance(leaf, Atom) and leaf.predicate in self.tools:
            return ActionAtom(leaf.predicate, leaf.terms)
        return leaf

    def _monitor_calls(self, rule: Rule) -> _GuardedRule:
        """Return the monitors of a rule over calls."""
        formula = parse_formula(rule.formula, source=rule.place).map_leaves(self._as_call)
        guarded = _GuardedRule(rule, formula)
        for body, variables in parts_of(formula):
            if len(variables) > 1:
                names = ", ".join(variable.name for variable in variables)
                raise InputError(
                    f"the rule has the variables {names} in one part",
                    where=rule.place,
                    expected="at most one variable, as there is no list of values",
                )
            type_pattern = ""
            if variables:
                type_pattern = self._pattern_of_types(variables[0].types, rule)
            machine = build_machine(body, variables, None, formula)
            for name, letters in machine.letters_by_name.items():
                mentions_arguments = any(letter.terms for letter in letters)
                if mentions_arguments or name not in self._needs_arguments:
                    self._needs_arguments[name] = mentions_arguments
            guarded.value_monitors.append(ValueMonitor(machine, type_pattern))
        return guarded

    def _pattern_of_types(self, types: Sequence[str], rule: Rule) -> str:
        """Return the pattern for the values of a variable's type, or "" for all values."""
        if "object" in types:
            return ""
        for type_name in types:
            if type_name in self.types:
                return self.types[type_name]
        raise InputError(
            f"the type {types[0]!r} has no pattern",
            where=rule.place,
            mend=f"types={{{types[0]!r}: '*'}}",
        )

    def _monitor_objects(self, rule: Rule, world: GuardWorld) -> _GuardedRule:
        """Return the monitors of a rule over the objects of a world."""
        formula = rule.formula_for(world.names)
        guarded = _GuardedRule(rule, formula)
        objects = world.start.universe.of_types
        for body, variables in parts_of(formula):
            machine = build_machine(body, variables, objects, formula)
            guarded.object_monitors.append(ObjectMonitor(machine, objects))
        return guarded

    # ------------------------------------------------------------------------------- the log
    def open_log(
        self, log: str | Path | None, *, resumes: bool = False, **context: str | None
    ) -> None:
        """Write to a log from now on. A new log begins with the data for a replay.

        Args:
            log: The file; None for no log.
            resumes: Whether an existing log may be continued.
            context: More fields of the first entry: ``task``, or ``domain`` and ``problem``.
        """
        if log is None:
            return
        path = Path(log)
        try:
            is_new = not path.exists() or path.stat().st_size == 0
            if not is_new and not resumes:
                raise InputError(
                    "the log is there already", where=str(log), mend="eai.guard.resume(log)"
                )
            # A guard writes to its log until it ends.
            self._log = path.open("a", encoding="ascii")
        except OSError as error:
            raise InputError(f"the log cannot be written: {error}", where=str(log)) from error
        if not is_new:
            return
        first_entry: dict[str, object] = {
            "event": "start",
            "rules": [rule.as_record() for rule in self.rules],
            "tools": self.tools,
            "types": self.types,
            "unknown": self.unknown,
            "max_characters": self.max_characters,
            "max_values": self.max_values,
        }
        if self.world is not None:
            first_entry["search_states"] = self.world.search_states
        first_entry.update({name: value for name, value in context.items() if value is not None})
        self._write(first_entry)

    def close(self) -> None:
        """Close the log. Later decisions are not logged."""
        if self._log is not None:
            self._log.close()
            self._log = None

    def _write(self, entry: Mapping[str, object]) -> None:
        """Append a line to the log if there is one."""
        if self._log is not None:
            self._log.write(json_line(entry))
            # Each line is on its way before the action is done, so that a kill loses none.
            self._log.flush()

    # -------------------------------------------------------------------------------- checks
    def check(self, action: object, arguments: object = None) -> Decision:
        """Return the decision about an action, without changing anything.

        Args:
            action: An action, ``"name(a, b)"``, a tool call in the format of OpenAI, Anthropic or
                MCP, or a tool's name.
            arguments: The tool's arguments: a mapping, a sequence, or JSON text.
        """
        # The size is tested before anything is read, and again after JSON text was decoded.
        unread = Call("", (action, arguments))
        if count_characters(unread, self.max_characters) > self.max_characters:
            return self._refuse_large_call("")
        try:
            call = read_call(action, arguments)
        except UnreadableCallError as error:
            decision = Decision(False, UNREADABLE, reason=str(error), remedy="repeat the call")
            self._write({"event": "unreadable", **decision.as_record()})
            return decision
        if count_characters(call, self.max_characters) > self.max_characters:
            return self._refuse_large_call(call.name)
        decision = self._decide(call)
        if self._log is not None:
            record = decision.as_record()
            for rule in self.rules:
                if rule.name == decision.rule:
                    record["formula"] = rule.formula
            self._write({"event": "check", "call": call_record(call), **record})
        return decision

    def _refuse_large_call(self, name: str) -> Decision:
        """Return and log the refusal of a call that is too large."""
        reason = f"the call has more than {self.max_characters:,} characters"
        decision = Decision(False, TOO_LARGE, reason=reason, remedy="make it shorter")
        self._write({"event": "too_large", "name": name[:200], **decision.as_record()})
        return decision

    def _decide(self, call: Call) -> Decision:
        """Return the decision about a call, refused by the first rule that it breaks.

        A rule of severity ``"warning"`` refuses nothing and is named in the decision.
        """
        if self.world is not None:
            return self._decide_in_world(call, self.world)
        if self.tools and self.unknown == "refuse" and call.name not in self.tools:
            reason = f"there is no tool {call.name[:200]!r}"
            return Decision(False, UNKNOWN, reason=reason, remedy="use one that there is")
        event = self._as_event(call)
        if event is None:
            reason = f"the order of the arguments of {call.name!r} is not known"
            remedy = "declare the tool: tools={NAME: [ARGUMENT, ...]}"
            return Decision(False, UNREADABLE, reason=reason, remedy=remedy)
        warnings: list[str] = []
        for guarded in self._rules:
            for monitor in guarded.value_monitors:
                code = self._refusal_code(monitor, event)
                if not code:
                    continue
                if guarded.is_warning:
                    warnings.append(guarded.rule.name)
                    break  # named once, however many of its parts refuse
                return self._refuse_call(guarded, monitor, code, event, call)
        return Decision(True, warnings=tuple(warnings))

    def _as_event(self, call: Call) -> Event | None:
        """Return a call as an event, or None if the order of its arguments is unknown."""
        parameters = self.tools.get(call.name)
        return _event_of_call(call, parameters, self._needs_arguments, self._facts)

    def _refusal_code(self, monitor: ValueMonitor, event: Event) -> str:
        """Return the reason code if a part of a rule refuses an event, or ""."""
        for old_state, new_state, value in monitor.transitions(event):
            live_states = monitor.live_states(value)
            if new_state in live_states:
                continue
            # A part that was lost before is not broken by this event. But a value that occurs for
            # the first time may be lost from the start.
            is_new_value = bool(value) and not monitor.remembers(value)
            if old_state not in live_states and not is_new_value:
                continue
            if monitor.machine.automaton.verdict(new_state) is False:
                return BREAKS
            return UNKEEPABLE
        if not monitor.can_remember_values_of(event, self.max_values):
            return TOO_LARGE
        return ""

    def _refuse_call(
        self, guarded: _GuardedRule, monitor: ValueMonitor, code: str, event: Event, call: Call
    ) -> Decision:
        """Return the decision by which a part of a rule refuses a call.

        Args:
            guarded: The rule.
            monitor: The monitor of the part.
            code: The code of the reason (see :meth:`_refusal_code`).
            event: The call as a position.
            call: The call.
        """
        name = guarded.rule.name
        if code == TOO_LARGE:
            reason = f"the rule remembers {self.max_values:,} values already"
            return Decision(False, code, name, reason)
        rule_text = guarded.rule.text or guarded.rule.formula
        reason = f"{str(call)[:200]} breaks: {rule_text}"
        basis = ""
        if code == UNKEEPABLE:
            reason = f"after {str(call)[:200]} nothing keeps: {rule_text}"
            basis = "automaton"
        remedy = monitor.remedy(event) or "leave it out"
        return Decision(False, code, name, reason, remedy, basis)

    def _decide_in_world(self, call: Call, world: GuardWorld) -> Decision:
        """Return the decision about an action that the world and all rules must permit."""
        # An inapplicable action breaks no rule, so this is reported first.
        world_refusal = world.refusal_of(call)
        if world_refusal is not None:
            return world_refusal
        action = action_atom(call)
        new_state = world.state_after(call)
        warnings: list[str] = []
        for guarded in self._rules:
            code, basis = self._refusal_in_world(guarded, world, action, new_state)
            if not code:
                continue
            if guarded.is_warning:
                warnings.append(guarded.rule.name)
                continue
            rule_text = guarded.rule.text or guarded.rule.formula
            reason = f"{call} leaves no way to keep: {rule_text}"
            if code == BREAKS:
                reason = f"{call} breaks: {rule_text}"
            return Decision(False, code, guarded.rule.name, reason, "choose another action", basis)
        return Decision(True, warnings=tuple(warnings))

    def _refusal_in_world(
        self, guarded: _GuardedRule, world: GuardWorld, action: ActionAtom, new_state: State
    ) -> tuple[str, str]:
        """Return code and basis of the refusal of an action by a rule, or two empty texts.

        Args:
            guarded: The rule.
            world: The world before the action.
            action: The action.
            new_state: The state of the world after the action.
        """
        holds_before = world.holds_in(world.state)
        holds_after = world.holds_in(new_state)
        for monitor in guarded.object_monitors:
            machine = monitor.machine
            for instance, old_automaton_state, automaton_state in monitor.transitions(
                holds_before, action
            ):
                call_letters = monitor.call_letters[instance]
                facts_before = monitor.facts_of(instance, holds_before)
                # If the part was lost before the action, then this action is not to blame.
                if not machine.can_continue(old_automaton_state, call_letters, facts_before):
                    continue
                facts_after = monitor.facts_of(instance, holds_after)
                code, basis = _refusal_by_instance(monitor, instance, automaton_state, facts_after)
                if code:
                    return code, basis
                # If the part is not kept by stopping here, an expensive search looks for a way on.
                if machine.accepts_end(automaton_state, facts_after):
                    continue
                if world.proves_unkeepable(monitor, instance, automaton_state, new_state):
                    return UNKEEPABLE, "search"
        return "", ""

    # --------------------------------------------------------------------------- observations
    def observe(
        self, action: object = None, arguments: object = None, *, facts: object = None
    ) -> None:
        """Record an action that was taken, and facts that hold after it.

        Args:
            action: As for :meth:`check`; None if only facts are told.
            arguments: As for :meth:`check`.
            facts: The facts that hold now, all of them: atoms or texts (``"open(door)"``); or a
                mapping of those that changed to whether they hold. None leaves them as they were;
                in a world the action's effects say what holds.
        """
        if action is not None:
            try:
                call = read_call(action, arguments)
            except UnreadableCallError:
                call = None
            if (
                call is not None
                and count_characters(call, self.max_characters) <= self.max_characters
            ):
                self._advance(call)
                self._write({"event": "observe", "call": call_record(call)})
        if facts is not None:
            # A mapping says what changed; a list says all that holds.
            is_whole = not isinstance(facts, Mapping)
            reported = list(_read_facts(facts))
            self.learn(reported, is_whole=is_whole)
            texts = [[name, list(values), is_true] for (name, values), is_true in reported]
            self._write({"event": "facts", "facts": texts, "whole": is_whole})

    def _advance(self, call: Call) -> None:
        """Advance the world and all monitors by a call."""
        self.steps += 1
        if self.world is not None:
            self._advance_in_world(call, self.world)
            return
        # The call was made, even if its arguments cannot be read: then only its name counts.
        event = self._as_event(call) or Event(call.name, (), self._facts)
        for guarded in self._rules:
            for monitor in guarded.value_monitors:
                if monitor.can_remember_values_of(event, self.max_values):
                    monitor.advance(event)

    def _advance_in_world(self, call: Call, world: GuardWorld) -> None:
        """Advance the world and the monitors of its objects by a call."""
        # Monitors read the state in which the action is taken, so the world moves on last.
        holds = world.holds_in(world.state)
        action = action_atom(call)
        for guarded in self._rules:
            for monitor in guarded.object_monitors:
                monitor.advance(holds, action)
        world.advance(call)

    def learn(self, told: ReportedFacts, *, is_whole: bool) -> None:
        """Record facts that are true or false.

        Args:
            told: Pairs of a fact and whether it holds: ``(("open", ("door",)), True)``.
            is_whole: Whether all other facts are false now; else they stay as they were.
        """
        if self.world is not None:
            self.world.learn(told, is_whole=is_whole)
            return
        if is_whole:
            self._facts = {}
        for (predicate, values), is_true in told:
            true_facts = self._facts.setdefault(predicate, set())
            if is_true:
                true_facts.add(values)
            else:
                true_facts.discard(values)

    def kept(self) -> dict[str, bool]:
        """Return whether each rule is kept if nothing more is done."""
        return {guarded.rule.name: self._is_kept(guarded) for guarded in self._rules}

    def _is_kept(self, guarded: _GuardedRule) -> bool:
        """Return whether a rule is satisfied if the sequence ends now."""
        end = Event("", (), self._facts)
        for monitor in guarded.value_monitors:
            for _, end_state, _ in monitor.transitions(end):
                if end_state not in monitor.machine.automaton.accepting:
                    return False
        if self.world is None:
            return True
        holds = self.world.holds_in(self.world.state)
        for object_monitor in guarded.object_monitors:
            for _, _, end_state in object_monitor.transitions(holds, None):
                if end_state not in object_monitor.machine.automaton.accepting:
                    return False
        return True

    # ---------------------------------------------------------------------------------- state
    def state(self) -> dict[str, object]:
        """Return the state as a JSON value for :meth:`restore`."""
        monitors_by_rule: dict[str, dict[str, list[object]]] = {}
        for guarded in self._rules:
            monitors_by_rule[guarded.rule.name] = {
                "values": [monitor.as_json() for monitor in guarded.value_monitors],
                "objects": [monitor.states for monitor in guarded.object_monitors],
            }
        facts = {name: sorted(map(list, arguments)) for name, arguments in self._facts.items()}
        saved: dict[str, object] = {
            "steps": self.steps,
            "facts": facts,
            "rules": monitors_by_rule,
        }
        if self.world is not None:
            saved["world"] = self.world.as_json()
        return saved

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of a guard with the same rules.

        Raises:
            InputError: If it is the state of a guard with other rules.
        """
        if set(state["rules"]) != {guarded.rule.name for guarded in self._rules}:
            raise InputError("the state is of a guard with other rules")
        self.steps = state["steps"]
        # JSON has no sets and no tuples.
        self._facts = {}
        for predicate, arguments in state["facts"].items():
            self._facts[predicate] = set(map(tuple, arguments))
        for guarded in self._rules:
            saved = state["rules"][guarded.rule.name]
            for monitor, saved_state in zip(guarded.value_monitors, saved["values"], strict=True):
                monitor.restore(saved_state)
            for object_monitor, states in zip(
                guarded.object_monitors, saved["objects"], strict=True
            ):
                object_monitor.states = list(states)
        if self.world is not None:
            self.world.restore(state["world"])

    def reset(self) -> None:
        """Go back to the first state, for another sequence of actions."""
        self.restore(self._start)
        self._write({"event": "reset"})

    def follow(self, state: State) -> None:
        """Continue from another world state, which may differ from the predicted one."""
        if self.world is not None:
            self.world.state = state.copy()

    def check_same(self, rules: object) -> None:
        """Raise an error if rules are not those of this guard.

        Raises:
            InputError: If they are others.
        """
        if load_rules(rules) != self.rules:
            raise InputError("the log was written with other rules", mend="name another log")

    # ---------------------------------------------------------------------------------- hooks
    def declare(self, tool: str, arguments: Sequence[str]) -> None:
        """Add a tool with the order of its arguments, unless it is known already."""
        if tool not in self.tools:
            self.tools[tool] = tuple(arguments)
            self._write({"event": "tool", "name": tool, "arguments": list(arguments)})

    def calls_refused(self, calls: Iterable[object]) -> list[tuple[object, Decision]]:
        """Return the refused tool calls of a reply with their decisions.

        Each call is checked as if the permitted calls before it had been made. Nothing is recorded,
        so :meth:`observe` has to be called for each call that is made.

        Args:
            calls: Tool calls in the format of OpenAI (``message.tool_calls``) or Anthropic (the
                blocks of type ``"tool_use"``).
        """
        # Observe for a while, unlogged, and take everything back.
        state_before_calls = self.state()
        log = self._log
        self._log = None
        refused: list[tuple[object, Decision]] = []
        try:
            for call in calls:
                decision = self.check(call)
                if decision.allowed:
                    self.observe(call)
                else:
                    refused.append((call, decision))
        finally:
            self.restore(state_before_calls)
            self._log = log
        return refused

    def wrap(self, function: Callable[_P, _R]) -> Callable[_P, _R]:
        """Return a function that runs only if the guard permits the call.

        The wrapped function raises :class:`RefusedError` for a call that is refused.
        """
        tool = function.__name__
        signature = inspect.signature(function)

        @functools.wraps(function)
        def guarded(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            # With defaults filled in, and in the order of the parameters.
            bound_arguments = signature.bind(*args, **kwargs)
            bound_arguments.apply_defaults()
            call = Call(tool, tuple(bound_arguments.arguments.values()))
            decision = self.check(call)
            if not decision.allowed:
                raise RefusedError(decision)
            result = function(*args, **kwargs)
            self.observe(call)
            return result

        return guarded


def _refusal_by_instance(
    monitor: ObjectMonitor, instance: int, state: int, facts: Callable[[int], bool]
) -> tuple[str, str]:
    """Return code and basis of a refusal by one instance, or two empty texts.

    The cheap tests come first: whether the part is already broken, whether no sequence of calls can
    satisfy it, and whether the known facts exclude it.

    Args:
        monitor: The monitor of a part of a rule.
        instance: Number of the instance.
        state: The state of its automaton after an action.
        facts: Returns whether the letter with an index is a fact that holds after the action.
    """
    machine = monitor.machine
    call_letters = monitor.call_letters[instance]
    if machine.automaton.verdict(state) is False:
        return BREAKS, ""
    if state not in machine.live_states(call_letters):
        return UNKEEPABLE, "automaton"
    if not machine.can_continue(state, call_letters, facts):
        return BREAKS, ""  # by the state that it leads to
    return "", ""


def _event_of_call(
    call: Call,
    parameters: Sequence[str] | None,
    needs_arguments: Mapping[str, bool],
    facts: Mapping[str, Collection[tuple[str, ...]]],
) -> Event | None:
    """Return a call as an event, or None if its argument order is needed and unknown.

    Args:
        call: The call.
        parameters: Names of the tool's parameters, in the order that rules use; None if unknown.
        needs_arguments: Whether rules speak of the arguments of a tool, by its name.
        facts: The facts that are known, by predicate.
    """
    if not needs_arguments.get(call.name, False):
        return Event(call.name, (), facts)
    # Named arguments need an order, unless there is one at most.
    arguments = call.arguments
    if isinstance(arguments, Mapping):
        if parameters is not None:
            values = [arguments.get(name) for name in parameters]
        elif len(arguments) <= 1:
            values = list(arguments.values())
        else:
            return None
    else:
        values = list(arguments)
    return Event(call.name, tuple(map(value_text, values)), facts)


def _read_facts(facts: object) -> Iterator[tuple[tuple[str, tuple[str, ...]], bool]]:
    """Yield each reported fact with whether it holds: ``(("open", ("door",)), True)``."""
    if isinstance(facts, Mapping):
        for fact, is_true in facts.items():
            yield _read_fact(fact), bool(is_true)
    elif isinstance(facts, Iterable) and not isinstance(facts, str):
        for fact in facts:
            yield _read_fact(fact), True
    else:
        raise InputError("facts are atoms, or a mapping of atoms to their truth")


def _read_fact(fact: object) -> tuple[str, tuple[str, ...]]:
    """Return predicate and arguments of an atom or of a text like ``open(door)``."""
    if isinstance(fact, Atom):
        return fact.predicate, tuple(map(str, fact.terms))
    call = read_call(fact)
    return call.name, tuple(map(value_text, call.arguments))


def _make_world(domain: object, problem: object, search_states: int) -> GuardWorld:
    """Return the world of a domain and a problem, or of their texts.

    Raises:
        InputError: If one of them is missing, or is not PDDL.
    """
    if domain is None or problem is None:
        raise InputError("a world needs a domain and a problem")
    if isinstance(domain, str):
        domain = parse_domain(domain)
    if not isinstance(domain, Domain):
        raise InputError("the domain is none", expected="a Domain, or its text")
    if isinstance(problem, str):
        problem = parse_problem(problem, domain=domain)
    if not isinstance(problem, Problem):
        raise InputError("the problem is none", expected="a Problem, or its text")
    return GuardWorld.of_problem(domain, problem, search_states)
