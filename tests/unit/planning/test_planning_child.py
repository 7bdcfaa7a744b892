"""The process of a planner that is a package, and what is read out of it, with stand-ins."""

from __future__ import annotations

import enum
import json
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from planning_examples import lamps, lamps_domain

from eai.pddl import format_task, parse_domain, parse_problem
from eai.planning import Outcome, PlanningResult
from eai.planning.engines import child, package
from eai.planning.engines.child import ChildAnswer
from eai.planning.engines.package import PackageEngine, read_steps, unified_engine, write_task
from eai.planning.limits import Ended
from eai.world import Action

GOAL = "(and (lit desk) (lit floor))"


def module(monkeypatch: pytest.MonkeyPatch, name: str, **parts: object) -> ModuleType:
    """Put a module of a package in place that need not be installed."""
    made = ModuleType(name)
    vars(made).update(parts)
    for end in range(1, len(name.split("."))):
        above = ".".join(name.split(".")[:end])
        if above not in sys.modules:
            monkeypatch.setitem(sys.modules, above, ModuleType(above))
    monkeypatch.setitem(sys.modules, name, made)
    return made


# ---- pyperplan


def pyperplan(
    monkeypatch: pytest.MonkeyPatch, search_plan: Callable[..., object], *, search: str = "gbf"
) -> ChildAnswer:
    monkeypatch.setattr(logging, "disable", lambda: None)
    module(
        monkeypatch,
        "pyperplan.planner",
        HEURISTICS={"hff": "relaxed"},
        SEARCHES=dict.fromkeys(("gbf", "astar", "wastar", "bfs", "ehs", "ids", "sat"), "way"),
        search_plan=search_plan,
    )
    return child.call_pyperplan(3.0, search, "hff")


def test_steps_of_pyperplan_are_the_words_of_its_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def found(*arguments: object) -> list[SimpleNamespace]:
        asked.extend(arguments)
        return [SimpleNamespace(name="(pick ball1 rooma left)"), SimpleNamespace(name="(rest)")]

    answer = pyperplan(monkeypatch, found)
    assert answer == ChildAnswer(
        Outcome.SOLVED, "found", [["pick", "ball1", "rooma", "left"], ["rest"]]
    )
    assert asked == ["domain.pddl", "problem.pddl", "way", "relaxed"]
    assert pyperplan(monkeypatch, lambda *_: []).plan == []


@pytest.mark.parametrize("plan", [None, [], [SimpleNamespace(name="(rest)")]])
def test_no_plan_of_pyperplan_is_called_the_cheapest(
    plan: list[SimpleNamespace] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for search in ("gbf", "astar"):
        assert not pyperplan(monkeypatch, lambda *_: plan, search=search).is_optimal


@pytest.mark.parametrize(
    ("search", "outcome"),
    [
        ("gbf", Outcome.UNSOLVABLE),
        ("astar", Outcome.UNSOLVABLE),
        ("wastar", Outcome.UNSOLVABLE),
        ("bfs", Outcome.UNSOLVABLE),
        ("ehs", Outcome.INCOMPLETE),
        ("ids", Outcome.INCOMPLETE),
        ("sat", Outcome.INCOMPLETE),
    ],
)
def test_only_searches_that_see_everything_prove_something(
    search: str, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = pyperplan(monkeypatch, lambda *_: None, search=search)
    assert (answer.outcome, answer.plan) == (outcome, None)


@pytest.mark.parametrize(
    ("error", "said"), [(ValueError("a\n b"), "a b"), (SystemExit(), "SystemExit")]
)
def test_what_pyperplan_does_not_read_is_refused(
    error: BaseException, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise error

    answer = pyperplan(monkeypatch, fails)
    assert answer.outcome is Outcome.REJECTED
    assert answer.reason.endswith(f": {said}")


def test_memory_that_is_used_up_is_not_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        pyperplan(monkeypatch, fails)


# ---- Kairos

KAIROS_STATUS = enum.Enum(
    "KAIROS_STATUS",
    "SOLVED UNSOLVABLE NO_PLAN_FOUND TIMEOUT CANCELLED OUT_OF_MEMORY GROUNDING_TOO_LARGE "
    "UNSUPPORTED INVALID_INPUT STRANGE_END",
)
STOP = enum.Enum("STOP", "PROVEN_OPTIMAL FIRST_PLAN")


class KairosError(Exception):
    """What a file that cannot be read is refused with."""


def kairos(
    monkeypatch: pytest.MonkeyPatch, found: object, *, load: Callable[[str], object] = str
) -> ChildAnswer:
    def solve(_problem: object, *, anytime: bool, threads: int, timeout: float) -> object:
        # The first plan will do, and the system keeps the limits.
        assert (anytime, threads) == (False, 1)
        assert timeout > 1e6
        return found

    module(
        monkeypatch,
        "kairos",
        PddlError=KairosError,
        Status=KAIROS_STATUS,
        StopReason=STOP,
        load_domain=load,
        load_problem=lambda *_: None,
        Planner=lambda: SimpleNamespace(solve=solve),
    )
    return child.call_kairos(None)


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("UNSOLVABLE", Outcome.UNSOLVABLE),
        ("NO_PLAN_FOUND", Outcome.INCOMPLETE),
        ("TIMEOUT", Outcome.TIME_LIMIT),
        ("CANCELLED", Outcome.TIME_LIMIT),
        ("OUT_OF_MEMORY", Outcome.MEMORY_LIMIT),
        ("GROUNDING_TOO_LARGE", Outcome.MEMORY_LIMIT),
        ("UNSUPPORTED", Outcome.REJECTED),
        ("INVALID_INPUT", Outcome.REJECTED),
        ("STRANGE_END", Outcome.CRASHED),
    ],
)
def test_every_end_of_kairos_is_an_outcome(
    status: str, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = SimpleNamespace(plan=None, status=KAIROS_STATUS[status], diagnostics=[])
    assert kairos(monkeypatch, end) == ChildAnswer(outcome, status.lower().replace("_", " "))
    end.diagnostics = ["because", "and so on"]
    assert kairos(monkeypatch, end) == ChildAnswer(outcome, "because")


@pytest.mark.parametrize(("stop", "optimal"), [("PROVEN_OPTIMAL", True), ("FIRST_PLAN", False)])
def test_a_plan_of_kairos_may_be_proved_optimal(
    stop: str, optimal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = [SimpleNamespace(name="go", args=("a", "b")), SimpleNamespace(name="rest", args=())]
    end = SimpleNamespace(
        plan=SimpleNamespace(steps=steps),
        status=KAIROS_STATUS.SOLVED,
        stop_reason=STOP[stop],
        diagnostics=[],
    )
    answer = kairos(monkeypatch, end)
    assert answer == ChildAnswer(Outcome.SOLVED, "found", [["go", "a", "b"], ["rest"]], optimal)


def test_what_kairos_does_not_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_name: str) -> None:
        raise KairosError("line 3\n is odd")

    assert kairos(monkeypatch, None, load=load) == ChildAnswer(Outcome.REJECTED, "line 3 is odd")


# ---- unified-planning

UNIFIED = enum.Enum(
    "UNIFIED",
    "SOLVED_SATISFICING SOLVED_OPTIMALLY UNSOLVABLE_PROVEN UNSOLVABLE_INCOMPLETELY TIMEOUT MEMOUT "
    "INTERNAL_ERROR UNSUPPORTED_PROBLEM INTERMEDIATE",
)


def unified(
    monkeypatch: pytest.MonkeyPatch,
    status: str,
    *messages: str,
    plan: object = None,
    time_limit: float | None = None,
    is_proof: bool = True,
) -> ChildAnswer:
    module(monkeypatch, "unified_planning.engines", PlanGenerationResultStatus=UNIFIED)
    log = [SimpleNamespace(message=message) for message in messages] or None
    end = SimpleNamespace(plan=plan, status=UNIFIED[status], log_messages=log)
    return child._answer_of_unified(end, time_limit, is_proof=is_proof)


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("UNSOLVABLE_PROVEN", Outcome.UNSOLVABLE),
        ("UNSOLVABLE_INCOMPLETELY", Outcome.INCOMPLETE),
        ("TIMEOUT", Outcome.TIME_LIMIT),
        ("MEMOUT", Outcome.MEMORY_LIMIT),
        ("UNSUPPORTED_PROBLEM", Outcome.REJECTED),
        ("INTERNAL_ERROR", Outcome.CRASHED),
    ],
)
def test_every_status_of_unified_planning_is_an_outcome(
    status: str, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unified(monkeypatch, status) == ChildAnswer(outcome, status)
    assert unified(monkeypatch, status, " first ", " one\nlast ").reason == "last"
    assert unified(monkeypatch, status, "first", "  ").reason == status


@pytest.mark.parametrize("status", ["SOLVED_SATISFICING", "SOLVED_OPTIMALLY", "INTERMEDIATE"])
def test_a_plan_of_unified_planning_has_the_names_of_its_objects(
    status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parameter(name: str) -> SimpleNamespace:
        return SimpleNamespace(object=lambda: SimpleNamespace(name=name))

    steps = [
        SimpleNamespace(
            action=SimpleNamespace(name="go"), actual_parameters=[parameter("a"), parameter("b")]
        ),
        SimpleNamespace(action=SimpleNamespace(name="rest"), actual_parameters=[]),
    ]
    answer = unified(monkeypatch, status, plan=SimpleNamespace(actions=steps))
    optimal = status == "SOLVED_OPTIMALLY"
    assert answer == ChildAnswer(Outcome.SOLVED, "found", [["go", "a", "b"], ["rest"]], optimal)


def test_a_failure_of_an_engine_whose_time_is_up_is_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert unified(monkeypatch, "INTERNAL_ERROR", time_limit=0.0).outcome is Outcome.TIME_LIMIT
    assert unified(monkeypatch, "INTERNAL_ERROR", time_limit=1e6).outcome is Outcome.CRASHED
    assert unified(monkeypatch, "MEMOUT", time_limit=0.0).outcome is Outcome.MEMORY_LIMIT
    assert not child._did_children_use_time(None)


@pytest.mark.parametrize(
    ("failure", "outcome"),
    [
        ("java.lang.NullPointerException: no goal", Outcome.CRASHED),
        ("java.lang.OutOfMemoryError: Java heap space", Outcome.MEMORY_LIMIT),
        ('Exception in thread "main" java.lang.OutOfMemoryError', Outcome.MEMORY_LIMIT),
        ("warning: os::commit_memory(0x00, 16, 0) failed", Outcome.MEMORY_LIMIT),
    ],
)
def test_a_failure_in_java_counts_more_than_the_status(
    failure: str, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    for status in ("UNSOLVABLE_PROVEN", "UNSOLVABLE_INCOMPLETELY", "INTERNAL_ERROR"):
        log = f"domain parsed\n  {failure}\n\tat main.main(main.java:30)"
        answer = unified(monkeypatch, status, log, "Unsolvable Problem")
        assert answer == ChildAnswer(outcome, failure)
    # Words of a class in the middle of a sentence are no failure.
    said = f"we avoid {failure}"
    if "commit_memory" not in failure:
        assert unified(monkeypatch, "UNSOLVABLE_PROVEN", said).outcome is Outcome.UNSOLVABLE


def test_the_note_of_java_on_its_options_is_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    note = "Picked up JAVA_TOOL_OPTIONS: -Xmx1500m"
    answer = unified(monkeypatch, "INTERNAL_ERROR", f"no such file\n{note}\n")
    assert answer.reason == "no such file"
    assert unified(monkeypatch, "INTERNAL_ERROR", note).reason == "INTERNAL_ERROR"


@pytest.mark.skipif(os.name != "posix", reason="processor time of children is that of POSIX")
@pytest.mark.parametrize(
    ("user_s", "system_s", "is_used"),
    [(8.9, 0.0, False), (4.5, 4.4, False), (4.5, 4.5, True), (9.0, 0.0, True), (0.0, 12.0, True)],
)
def test_nine_tenths_of_the_processor_time_are_the_whole(
    user_s: float, system_s: float, is_used: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    usage = SimpleNamespace(ru_utime=user_s, ru_stime=system_s)
    monkeypatch.setattr(resource, "getrusage", lambda _: usage)
    assert child._did_children_use_time(10.0) is is_used


def test_an_engine_with_other_effects_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for status in UNIFIED.__members__:
        as_proof = unified(monkeypatch, status)
        answer = unified(monkeypatch, status, is_proof=False)
        if status == "UNSOLVABLE_PROVEN":
            assert answer.outcome is Outcome.INCOMPLETE
        else:
            assert answer == as_proof
    plan = SimpleNamespace(actions=[])
    assert not unified(monkeypatch, "SOLVED_OPTIMALLY", plan=plan, is_proof=False).is_optimal


@pytest.mark.skipif(os.name != "posix", reason="limits of processes are those of POSIX")
@pytest.mark.parametrize(
    ("size", "time_limit", "options"),
    [
        (2000 << 20, None, "-Xmx1500m"),
        (2000 << 20, 3.0, "-Xmx1500m -XX:+UseSerialGC"),
        (None, 3.0, "-XX:+UseSerialGC"),
        (None, None, None),
    ],
)
def test_java_is_told_of_three_quarters_of_the_memory(
    size: int | None,
    time_limit: float | None,
    options: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import resource

    limit = resource.RLIM_INFINITY if size is None else size
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))
    name = "JAVA_TOOL_OPTIONS"
    monkeypatch.setenv(name, "-Xss1m")
    child._tell_java_its_limits(time_limit)
    assert os.environ[name] == "-Xss1m"  # what the user has set stays
    monkeypatch.delenv(name)
    child._tell_java_its_limits(time_limit)
    assert os.environ.get(name) == options


def test_engines_of_installed_packages_are_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    registered: list[object] = []
    for name in ("up_one", "two", "up_three"):
        module(monkeypatch, name, register=registered.append)
    module(monkeypatch, "up_without")
    module(monkeypatch, "up_odd", register=3)
    names = ["up-one", "two", None, "up-without", "up-odd", "up-not-there", "UP_Three"]
    monkeypatch.setattr(
        child,
        "distributions",
        lambda: [SimpleNamespace(metadata={"Name": name}) for name in names],
    )
    child.register_engines("environment")
    assert registered == ["environment", "environment"]


def test_the_package_of_an_engine_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = {
        "enhsp": ("up_enhsp.enhsp_planner", "ENHSP"),
        "fast-downward": ("up_fast_downward", "FD"),
        "grounder": ("unified_planning.engines.compilers.grounder", "Grounder"),
    }
    module(monkeypatch, "unified_planning.engines.factory", DEFAULT_ENGINES=engines)
    assert child._package_hint("enhsp").endswith("pip install up-enhsp")
    assert child._package_hint("fast-downward").endswith("pip install up-fast-downward")
    unknown = child._package_hint("enhps")
    assert "'enhsp'" in unknown
    assert "grounder" not in child._package_hint("ground")


# ---- the process


@pytest.mark.parametrize(("limit", "given"), [("", None), ("2.5", 2.5)])
def test_the_answer_is_written_as_a_file(
    limit: str, given: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answered(*arguments: object) -> ChildAnswer:
        return ChildAnswer(Outcome.SOLVED, repr(arguments), [["go", "a"]], is_optimal=True)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(child, "call_kairos", answered)
    monkeypatch.setattr(sys, "argv", ["child", "call_kairos", limit, "x", "y"])
    child.main()
    written = json.loads((tmp_path / "answer.json").read_text("utf-8"))
    assert written == {
        "outcome": Outcome.SOLVED.value,
        "reason": repr((given, "x", "y")),
        "plan": [["go", "a"]],
        "is_optimal": True,
    }


ENGINE = PackageEngine("mine", "json", ("mine-planner",), "call_mine", ("fast",))


def solved(monkeypatch: pytest.MonkeyPatch, ended: Ended, answer: dict[str, Any] | None) -> Any:
    """What the engine makes of a process that ended, and of its answer."""
    commands: list[list[str]] = []

    def run(command: list[str], *, folder: str, **_: object) -> Ended:
        commands.append(command)
        assert Path(folder, "domain.pddl").exists()
        assert Path(folder, "problem.pddl").exists()
        if answer is not None:
            Path(folder, "answer.json").write_text(json.dumps(answer), "utf-8")
        return ended

    monkeypatch.setattr(package, "run", run)
    domain = lamps_domain()
    problem = lamps(GOAL)
    found = ENGINE.solve(domain, problem, time_limit=2.5, memory_limit=None)
    assert commands[0][1:] == ["-m", child.__name__, "call_mine", "2.5", "fast"]
    return found


@pytest.mark.parametrize(
    ("ended", "outcome", "reason"),
    [
        (Ended(1, "", "trace\nValueError: odd\n", late=False), Outcome.CRASHED, "ValueError: odd"),
        (Ended(7, "", "", late=False), Outcome.CRASHED, "exit code 7"),
        (Ended(0, "", " \n", late=True), Outcome.TIME_LIMIT, "it was stopped"),
        (Ended(1, "", "x\nMemoryError", late=False), Outcome.MEMORY_LIMIT, "MemoryError"),
        (Ended(1, "", "std::bad_alloc", late=False), Outcome.MEMORY_LIMIT, "std::bad_alloc"),
        (Ended(1, "", "MemoryError\nOther", late=False), Outcome.CRASHED, "Other"),
    ],
)
def test_a_process_without_an_answer_says_why(
    ended: Ended, outcome: Outcome, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = solved(monkeypatch, ended, None)
    assert (found.outcome, found.reason, found.plan) == (outcome, reason, None)


@pytest.mark.parametrize(
    ("signal_number", "outcome"),
    [
        (24, Outcome.TIME_LIMIT),  # SIGXCPU: the processor time is used up
        (9, Outcome.TIME_LIMIT),  # SIGKILL: what the system sends a second later
        (11, Outcome.CRASHED),  # SIGSEGV
        (15, Outcome.CRASHED),  # SIGTERM
    ],
)
def test_signals_of_the_processor_limit_are_the_limit(
    signal_number: int, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = solved(monkeypatch, Ended(-signal_number, "", "killed", late=False), None)
    assert found.outcome is outcome
    # A number that a program chose itself is no signal.
    exited = solved(monkeypatch, Ended(signal_number, "", "killed", late=False), None)
    assert exited.outcome is Outcome.CRASHED


def test_an_answer_is_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {"outcome": "unsolvable", "reason": "why", "plan": None, "is_optimal": False}
    found = solved(monkeypatch, Ended(0, "", "", late=False), answer)
    assert (found.outcome, found.reason, found.plan) == (Outcome.UNSOLVABLE, "why", None)
    steps = {**answer, "outcome": "solved", "plan": [["press", "desk"]], "is_optimal": True}
    found = solved(monkeypatch, Ended(0, "", "", late=False), steps)
    assert found.plan == (Action("press", ("desk",)),)
    assert found.optimal


def test_a_result_is_optimal_only_if_an_engine_says_so_of_a_plan() -> None:
    steps = [Action("press", ("desk",))]
    assert not PlanningResult.of(ENGINE, Outcome.SOLVED, "found", steps).optimal
    assert PlanningResult.of(ENGINE, Outcome.SOLVED, "found", steps, optimal=True).optimal
    without_plan = PlanningResult.of(ENGINE, Outcome.UNSOLVABLE, "why", optimal=True)
    assert (without_plan.plan, without_plan.optimal) == (None, False)
    assert not PlanningResult(Outcome.SOLVED, tuple(steps)).optimal


def test_a_package_that_is_not_there_is_named() -> None:
    absent = PackageEngine("mine", "no_such_package", ("mine-planner",), "call_mine")
    domain = lamps_domain()
    problem = lamps(GOAL)
    found = absent.solve(domain, problem, time_limit=None, memory_limit=None)
    assert found.outcome is Outcome.NOT_INSTALLED
    assert "mine-planner" in found.reason
    assert absent.version == ""
    assert ENGINE.version == "fast"


def test_names_are_those_of_the_task_again(tmp_path: Path) -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (p ?x)) (:action go :parameters (?x) :effect (p ?x)))"
    )
    problem = parse_problem(
        "(define (problem q) (:domain d) (:objects a b) (:init) (:goal (p a)))", domain=domain
    )
    task = format_task(domain, problem)
    write_task(task, tmp_path)
    assert (tmp_path / "domain.pddl").read_text("utf-8") == task.domain
    assert (tmp_path / "problem.pddl").read_text("utf-8") == task.problem
    written = {name: key for key, name in task.objects.items()}
    steps = [["go", written.get("a", "a")], ["fly", "moon"]]
    assert read_steps(steps, task) == [Action("go", ("a",)), Action("fly", ("moon",))]


@pytest.mark.parametrize(
    ("engine", "packages"),
    [
        ("enhsp", ("unified-planning", "up-enhsp")),
        ("enhsp-opt", ("unified-planning", "up-enhsp")),
        ("fast-downward-opt", ("unified-planning", "up-fast-downward")),
        ("enhspx", ("unified-planning",)),
        ("mine", ("unified-planning",)),
    ],
)
def test_an_engine_of_unified_planning_knows_its_packages(
    engine: str, packages: tuple[str, ...]
) -> None:
    found = unified_engine(engine)
    assert (found.name, found.distributions, found.arguments) == (
        f"unified:{engine}",
        packages,
        (engine,),
    )
