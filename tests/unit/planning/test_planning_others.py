"""Other planners: as processes, within limits, every end with a name of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from needs import extra
from planning_examples import DOMAIN, PROBLEM, lamps, lamps_domain

from eai.budget import Budget
from eai.errors import InputError, MissingExtraError
from eai.pddl import parse_domain, parse_problem, read_domain
from eai.planning import Engine, Limits, Outcome, PlanningResult, find_engine, plan
from eai.planning.engines.fast_downward import FastDownward
from eai.planning.engines.package import PackageEngine
from eai.planning.limits import run
from eai.planning.unified import from_unified, register, to_unified
from eai.world import Action

GOAL = "(and (lit desk) (lit floor))"
needs_wheel = extra("planners", "up_fast_downward")
needs_unified = extra("planners", "unified_planning")
needs_pyperplan = extra("planners", "pyperplan")
needs_kairos = extra("planners", "kairos")


def _driver(folder: Path, body: str) -> FastDownward:
    """A program that stands in for Fast Downward's driver."""
    file = folder / "driver.py"
    file.write_text(f"import os, sys, time, pathlib\n{body}\n", encoding="utf-8")
    return FastDownward(driver=file)


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        (10, Outcome.UNSOLVABLE),
        (11, Outcome.UNSOLVABLE),
        (12, Outcome.INCOMPLETE),
        (20, Outcome.MEMORY_LIMIT),
        (21, Outcome.TIME_LIMIT),
        (22, Outcome.MEMORY_LIMIT),
        (23, Outcome.TIME_LIMIT),
        (31, Outcome.REJECTED),
        (34, Outcome.REJECTED),
        (232, Outcome.TIME_LIMIT),
        (32, Outcome.CRASHED),
        (35, Outcome.CRASHED),
        (0, Outcome.CRASHED),
    ],
)
def test_every_exit_code_is_an_outcome(tmp_path: Path, code: int, outcome: Outcome) -> None:
    engine = _driver(tmp_path, f"print('why it ended'); sys.exit({code})")
    found = plan(lamps_domain(), lamps(GOAL), engine=engine)
    assert found.outcome is outcome
    is_explained = outcome in (Outcome.REJECTED, Outcome.CRASHED)
    assert ("why it ended" in found.reason) is is_explained


def test_a_signal_is_a_crash(tmp_path: Path) -> None:
    found = plan(lamps_domain(), lamps(GOAL), engine=_driver(tmp_path, "os.kill(os.getpid(), 11)"))
    assert found.outcome is Outcome.CRASHED


def test_the_plan_file_is_read_and_checked(tmp_path: Path) -> None:
    body = "pathlib.Path('plan').write_text('({})\\n; cost = 10 (general cost)\\n')"
    found = plan(lamps_domain(), lamps(GOAL), engine=_driver(tmp_path, body.format("flash")))
    assert found.plan == (Action("flash"),)
    assert found.solved
    assert found.cost == 10
    found = plan(lamps_domain(), lamps(GOAL), engine=_driver(tmp_path, body.format("press desk")))
    assert found.outcome is Outcome.INVALID_PLAN


@pytest.mark.parametrize(
    ("code", "outcome"),
    [(1, Outcome.SOLVED), (3, Outcome.SOLVED), (4, Outcome.CRASHED), (12, Outcome.INCOMPLETE)],
)
def test_a_plan_counts_if_the_exit_code_says_so(
    code: int, outcome: Outcome, tmp_path: Path
) -> None:
    body = f"pathlib.Path('plan').write_text('(flash)'); sys.exit({code})"
    found = plan(lamps_domain(), lamps(GOAL), engine=_driver(tmp_path, body))
    assert found.outcome is outcome
    assert (found.plan is not None) is (outcome is Outcome.SOLVED)


def test_of_many_plans_the_last_one_is_read(tmp_path: Path) -> None:
    body = "for i in range(1, 11): pathlib.Path(f'plan.{i}').write_text('(flash)' * (i == 10))"
    found = plan(lamps_domain(), lamps(GOAL), engine=_driver(tmp_path, body))
    assert found.plan == (Action("flash"),)


def test_the_driver_gets_the_task_and_the_limits(tmp_path: Path) -> None:
    body = "print(' '.join(sys.argv[1:]), pathlib.Path('problem.pddl').exists()); sys.exit(31)"
    engine = _driver(tmp_path, body)
    found = plan(lamps_domain(), lamps(GOAL), engine=engine, time_limit=2.5, memory_limit=100)
    for part in ("--overall-time-limit 3s", "--overall-memory-limit 100M", "lama-first", "True"):
        assert part in found.reason
    optimal = FastDownward(("--search", "astar(hmax())"), optimal=True, driver=engine.driver)
    assert "problem.pddl --search" in plan(lamps_domain(), lamps(GOAL), engine=optimal).reason


def test_a_version_names_the_build_and_its_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = _driver(tmp_path, "")
    assert engine.version == f"{engine.driver} --alias lama-first"
    builds = {"up-fast-downward": "1.2"}
    monkeypatch.setattr("eai.planning.engines.fast_downward.version_of", builds.__getitem__)
    assert FastDownward().version == "1.2 --alias lama-first"
    assert FastDownward(("--search", "astar(blind())")).version == "1.2 --search astar(blind())"
    builds["up-fast-downward"] = ""
    assert FastDownward().version == ""
    assert engine.version == f"{engine.driver} --alias lama-first"


def test_a_process_that_does_not_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eai.planning.limits._GRACE_S", 0.2)
    engine = _driver(tmp_path, "time.sleep(60)")
    found = plan(lamps_domain(), lamps(GOAL), engine=engine, time_limit=0.01)
    assert found.outcome is Outcome.TIME_LIMIT


def test_a_process_writes() -> None:
    ended = run([sys.executable, "-c", "print('abab')"], folder=".")
    assert (ended.code, ended.output, ended.late) == (0, "abab\n", False)


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, MemoryError, InputError("no")])
def test_a_process_does_not_outlive_whoever_waits_for_it(
    interruption: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited_for: list[subprocess.Popen[str]] = []

    def interrupted(process: subprocess.Popen[str], **_: object) -> None:
        waited_for.append(process)
        raise interruption

    monkeypatch.setattr(subprocess.Popen, "communicate", interrupted)
    with pytest.raises((KeyboardInterrupt, MemoryError, InputError)):
        run([sys.executable, "-c", "import time; time.sleep(3)"], folder=".")
    [process] = waited_for
    assert process.wait(timeout=1) not in (None, 0)


def test_what_is_not_installed_is_no_failure_of_the_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eai.planning.engines.fast_downward._MODULE", "no_such_package")
    from eai.planning.engines import fast_downward

    fast_downward.driver_of_wheel.cache_clear()
    found = plan(lamps_domain(), lamps(GOAL), engine="fast-downward")
    fast_downward.driver_of_wheel.cache_clear()
    assert found.outcome is Outcome.NOT_INSTALLED
    assert "up-fast-downward" in found.reason


def test_interchange_without_the_extra_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "unified_planning", None)
    monkeypatch.delitem(sys.modules, "unified_planning.shortcuts", raising=False)
    with pytest.raises(MissingExtraError, match="unified-planning"):
        to_unified(lamps_domain(), lamps(GOAL))


@needs_wheel
def test_fast_downward_solves_and_proves() -> None:
    found = plan(DOMAIN, PROBLEM.format(goal=GOAL), engine="fast-downward", time_limit=30)
    assert found.solved
    found = plan(DOMAIN, PROBLEM.format(goal="(lit wall)"), engine="fast-downward", time_limit=30)
    assert found.outcome is Outcome.UNSOLVABLE


@needs_wheel
@pytest.mark.parametrize(
    "effect",
    [
        "(when (exists (?r - room) (at ?r)) (forall (?l - lamp) (lit ?l)))",
        "(when (and) (and (forall (?l - lamp) (when (not (lit ?l)) (lit ?l)))))",
        "(forall (?r - room) (when (at ?r) (and (forall (?l - lamp) (lit ?l)))))",
    ],
)
def test_fast_downward_takes_quantified_effects_under_conditions(effect: str) -> None:
    text = DOMAIN.replace("(:action flash", f"(:action spark :effect {effect}) (:action flash")
    goal = "(forall (?l - lamp) (lit ?l))"
    optimal = FastDownward(("--search", "astar(blind())"))
    found = plan(text, PROBLEM.format(goal=goal), engine=optimal, time_limit=30)
    assert found.solved
    assert "spark()" in list(map(str, found.plan or ()))


@needs_wheel
def test_fast_downward_takes_actions_whose_costs_have_no_values() -> None:
    # Its translator leaves such actions out, but not where a term has a variable twice.
    domain = """(define (domain d) (:requirements :action-costs) (:predicates (done ?x))
      (:functions (total-cost) - number (w ?x ?y) - number)
      (:action a :parameters (?x) :effect (and (done ?x) (increase (total-cost) (w ?x ?x)))))"""
    problem = """(define (problem p) (:domain d) (:objects u v)
      (:init (= (w u u) 2) (= (w u v) 1) (= (w v u) 1))
      (:goal (done {})) (:metric minimize (total-cost)))"""
    assert plan(domain, problem.format("u"), engine="fast-downward").solved
    found = plan(domain, problem.format("v"), engine="fast-downward")
    assert found.outcome is Outcome.UNSOLVABLE


@needs_unified
def test_a_task_survives_unified_planning() -> None:
    for goal in (GOAL, "(lit wall)", "(forall (?l - lamp) (not (lit ?l)))"):
        domain, problem = from_unified(to_unified(lamps_domain(), lamps(goal)))
        before = plan(lamps_domain(), lamps(goal), engine="eai-optimal")
        after = plan(domain, problem, engine="eai-optimal")
        assert (after.outcome, after.cost) == (before.outcome, before.cost)
        assert set(domain.operators) == {"go", "press", "flash"}
        assert problem.objects == lamps(goal).objects


@needs_unified
@pytest.mark.parametrize(
    "effect",
    [
        "(when (broken ?l) (forall (?l - lamp) (lit ?l)))",  # of the other lamp
    ],
)
def test_quantified_effects_survive_unified_planning(effect: str) -> None:
    text = DOMAIN.replace("(:types", "(:types ghost").replace(
        "(:action flash", f"(:action spook :parameters (?l - lamp) :effect {effect}) (:action flash"
    )
    for goal in ("(lit wall)", "(and (lit desk) (lit floor))"):
        before = plan(parse_domain(text), lamps(goal), engine="eai-optimal")
        after = plan(
            *from_unified(to_unified(parse_domain(text), lamps(goal))), engine="eai-optimal"
        )
        assert (after.outcome, after.cost) == (before.outcome, before.cost)


@needs_unified
def test_what_unified_planning_cannot_say_is_refused() -> None:
    domain = DOMAIN.replace("(:functions", "(:derived (at ?r - room) (and)) (:functions")
    with pytest.raises(InputError):
        to_unified(read_domain(domain)[0], lamps(GOAL))


@needs_unified
def test_an_engine_that_unified_planning_does_not_know_is_not_installed() -> None:
    found = plan(lamps_domain(), lamps(GOAL), engine="unified:none", time_limit=60)
    assert found.outcome is Outcome.NOT_INSTALLED
    assert "enhsp" in found.reason  # one of those that it knows


@needs_unified
def test_an_engine_of_unified_planning_that_is_not_installed_names_its_package() -> None:
    found = plan(lamps_domain(), lamps(GOAL), engine="unified:tamer", time_limit=60)
    assert found.outcome is Outcome.NOT_INSTALLED
    assert "pip install up-tamer" in found.reason


# An engine as packages bring them: its program stands in for Java's.
FAKE_ENGINE = """
import sys
from unified_planning.engines import PDDLPlanner, PlanGenerationResultStatus as Status
from unified_planning.model import ProblemKind
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION


class FakeEngine(PDDLPlanner):
    name = "fake"

    def _get_cmd(self, domain, problem, plan):
        return [sys.executable, "-c", {program!r}, plan]

    def _result_status(self, problem, plan, retval=0, log_messages=None):
        if retval:
            return Status.INTERNAL_ERROR
        return Status.UNSOLVABLE_PROVEN if plan is None else Status.SOLVED_SATISFICING

    @staticmethod
    def supported_kind():
        return ProblemKind(version=LATEST_PROBLEM_KIND_VERSION)

    @staticmethod
    def supports(kind):
        return True


def register(environment):
    for name in ("fake", "enhsp-fake"):
        environment.factory.add_engine(name, "up_fake", "FakeEngine")
"""


def _plan_by_program(
    program: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    engine: str = "fake",
    time_limit: float = 30,
    memory_limit: float | None = None,
) -> PlanningResult:
    """Plan with an engine of unified-planning that runs a program in Python."""
    (folder / "up_fake.py").write_text(FAKE_ENGINE.format(program=program), encoding="utf-8")
    about = folder / "up_fake-1.0.dist-info" / "METADATA"
    about.parent.mkdir()
    about.write_text("Metadata-Version: 2.1\nName: up-fake\nVersion: 1.0\n", encoding="utf-8")
    paths = [str(folder), *filter(None, sys.path)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.delenv("JAVA_TOOL_OPTIONS", raising=False)
    return plan(
        lamps_domain(),
        lamps(GOAL),
        engine=f"unified:{engine}",
        time_limit=time_limit,
        memory_limit=memory_limit,
    )


@needs_unified
@pytest.mark.parametrize(
    ("failure", "outcome"),
    [
        ("java.lang.NullPointerException: no goal", Outcome.CRASHED),
        ("java.lang.OutOfMemoryError: Java heap space", Outcome.MEMORY_LIMIT),
        ("warning: os::commit_memory(0x00, 16, 0) failed", Outcome.MEMORY_LIMIT),
    ],
)
def test_an_engine_in_java_that_fails_has_proved_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: str, outcome: Outcome
) -> None:
    program = (
        f"import sys; print({failure!r}, '\\tat main.main(main.java:30)', sep='\\n', "
        "file=sys.stderr); print('Unsolvable Problem')"
    )
    found = _plan_by_program(program, tmp_path, monkeypatch)
    assert found.outcome is outcome
    assert failure in found.reason


@needs_unified
@pytest.mark.parametrize(
    ("engine", "outcome"), [("fake", Outcome.UNSOLVABLE), ("enhsp-fake", Outcome.INCOMPLETE)]
)
def test_an_engine_with_other_effects_has_proved_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, outcome: Outcome
) -> None:
    found = _plan_by_program("print('unsolvable')", tmp_path, monkeypatch, engine=engine)
    assert found.outcome is outcome


@needs_unified
def test_an_engine_in_java_knows_its_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = "import os, sys; sys.exit(os.environ['JAVA_TOOL_OPTIONS'])"
    found = _plan_by_program(program, tmp_path, monkeypatch, memory_limit=2000)
    (heap,) = [option for option in found.reason.split() if option.startswith("-Xmx")]
    assert 1000 < int(heap.removeprefix("-Xmx").removesuffix("m")) < 2000


@needs_unified
def test_an_engine_may_wait_longer_than_it_computes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = (
        "import pathlib, sys, time; time.sleep(4); "
        "pathlib.Path(sys.argv[1]).write_text('(flash)\\n')"
    )
    found = _plan_by_program(program, tmp_path, monkeypatch, time_limit=3)
    assert found.solved


STRIPS = """
(define (domain ferry) (:requirements :strips :typing)
  (:types port car)
  (:predicates (at ?p - port) (on ?c - car) (parked ?c - car ?p - port) (empty))
  (:action sail :parameters (?from ?to - port) :precondition (at ?from)
    :effect (and (at ?to) (not (at ?from))))
  (:action board :parameters (?c - car ?p - port)
    :precondition (and (parked ?c ?p) (at ?p) (empty))
    :effect (and (on ?c) (not (parked ?c ?p)) (not (empty))))
  (:action debark :parameters (?c - car ?p - port) :precondition (and (on ?c) (at ?p))
    :effect (and (parked ?c ?p) (empty) (not (on ?c)))))
"""
CROSSING = """
(define (problem crossing) (:domain ferry) (:objects north.1 north_1 - port red - car)
  (:init (at north_1) (parked red north.1) (empty)) (:goal {}))
"""
"""Two ports whose names other planners cannot tell apart unless one of them is renamed."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("pyperplan", marks=needs_pyperplan),
        pytest.param("kairos", marks=needs_kairos),
        pytest.param("fast-downward", marks=needs_wheel),
        pytest.param("unified:fast-downward", marks=[needs_unified, needs_wheel]),
    ],
)
def test_every_engine_solves_proves_and_keeps_names(name: str) -> None:
    found = plan(STRIPS, CROSSING.format("(parked red north_1)"), engine=name, time_limit=60)
    assert found.solved, found
    assert {name for step in found.plan or () for name in step.arguments} <= {
        "north.1",
        "north_1",
        "red",
    }
    assert found.cost == len(found.plan or ())
    found = plan(STRIPS, CROSSING.format("(and (on red) (empty))"), engine=name, time_limit=60)
    assert found.outcome in (Outcome.UNSOLVABLE, Outcome.INCOMPLETE)


@pytest.mark.parametrize("name", ["pyperplan", "kairos"])
def test_a_package_that_is_not_installed_is_named(name: str) -> None:
    known = find_engine(name)
    assert isinstance(known, PackageEngine)
    engine = replace(known, module="no_such_package")
    assert not engine.version
    found = plan(STRIPS, CROSSING.format("(on red)"), engine=engine)
    assert found.outcome is Outcome.NOT_INSTALLED
    assert engine.distributions[0] in found.reason


@needs_pyperplan
def test_pyperplan_refuses_what_is_not_strips() -> None:
    found = plan(lamps_domain(), lamps(GOAL), engine="pyperplan", time_limit=60)
    assert found.outcome is Outcome.REJECTED


@needs_kairos
def test_kairos_takes_adl_with_costs() -> None:
    found = plan(lamps_domain(), lamps(GOAL), engine="kairos", time_limit=60)
    assert found.solved
    assert found.cost in {3, 10}  # press both, or flash


@needs_pyperplan
def test_an_engine_that_takes_too_long_is_ended() -> None:
    cars = " ".join(f"car{number}" for number in range(200))
    parked = " ".join(f"(parked car{number} a)" for number in range(200))
    goal = parked.replace(" a)", " b)")
    problem = (
        f"(define (problem many) (:domain ferry) (:objects a b c d - port {cars} - car) "
        f"(:init (at a) {parked} (empty)) (:goal (and {goal})))"
    )
    found = plan(STRIPS, problem, engine="pyperplan", time_limit=1)
    assert found.outcome is Outcome.TIME_LIMIT


@needs_unified
def test_a_declaration_may_name_a_variable_twice() -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (near ?x ?x)) (:action go :parameters (?a ?b) "
        ":precondition (near ?b ?a) :effect (near ?a ?b)))"
    )
    text = "(define (problem p) (:domain d) (:objects a b) (:init (near b a)) (:goal (near a b)))"
    unified = to_unified(domain, parse_problem(text, domain=domain))
    assert unified.fluent("near").arity == 2


@needs_unified
def test_their_validator_accepts_our_plans_of_what_they_are_given() -> None:
    from unified_planning.plans import ActionInstance, SequentialPlan

    # What is switched off for all lamps is switched on for one of them: adding wins.
    text = DOMAIN.replace(
        "(:action flash",
        "(:action choose :parameters (?l - lamp) :effect (and (lit ?l) "
        "(forall (?x - lamp) (not (lit ?x))))) (:action flash",
    )
    domain, problem = parse_domain(text), lamps("(and (lit desk) (not (lit floor)))")
    unified = to_unified(domain, problem)
    build = unified.environment.expression_manager
    steps = [
        ActionInstance(
            unified.action(step.name), [build.ObjectExp(unified.object(n)) for n in step.arguments]
        )
        for step in plan(domain, problem).plan or ()
    ]
    unified.environment.credits_stream = None
    with unified.environment.factory.PlanValidator(problem_kind=unified.kind) as validator:
        assert validator.validate(unified, SequentialPlan(steps))
    assert not unified.kind.has_real_numbers_in_actions_cost()


@needs_unified
def test_a_task_is_made_in_the_environment_of_the_caller() -> None:
    from unified_planning.environment import Environment

    environment = Environment()
    ferry = parse_domain(STRIPS)
    problem = parse_problem(CROSSING.format("(on red)"), domain=ferry)
    made = to_unified(ferry, problem, environment=environment)
    assert made.environment is environment
    assert environment.error_used_name


@needs_unified
def test_we_are_an_engine_of_unified_planning() -> None:
    from unified_planning.plans import SequentialPlan
    from unified_planning.shortcuts import OneshotPlanner, PlanValidator

    register()
    register()
    unified = to_unified(lamps_domain(), lamps(GOAL))
    unified.environment.credits_stream = None
    with OneshotPlanner(name="eai") as planner:
        found = planner.solve(unified)
    assert found.plan is not None
    with PlanValidator(name="eai") as validator:
        assert validator.validate(unified, found.plan)
        assert not validator.validate(unified, SequentialPlan([]))


@needs_unified
def test_a_plan_about_something_else_is_not_validated() -> None:
    from unified_planning.engines import ValidationResultStatus
    from unified_planning.plans import ActionInstance, SequentialPlan
    from unified_planning.shortcuts import (
        BoolType,
        Fluent,
        InstantaneousAction,
        Object,
        PlanValidator,
        Problem,
        UserType,
    )

    register()
    kind = UserType("kind")
    lit, press = Fluent("lit", BoolType(), x=kind), InstantaneousAction("press", x=kind)
    press.add_effect(lit(press.parameter("x")), True)
    known, unknown = Object("known", kind), Object("unknown", kind)
    problem = Problem("p")
    problem.add_fluent(lit, default_initial_value=False)
    problem.add_action(press)
    problem.add_object(known)
    problem.add_goal(lit(known))
    problem.environment.credits_stream = None
    with PlanValidator(name="eai") as validator:
        for thing, status in (
            (known, ValidationResultStatus.VALID),
            (unknown, ValidationResultStatus.UNKNOWN),
        ):
            found = validator.validate(problem, SequentialPlan([ActionInstance(press, [thing])]))
            assert found.status is status


@needs_unified
def test_what_cannot_be_taken_over_is_an_input_error() -> None:
    from unified_planning.shortcuts import (
        BoolType,
        Fluent,
        MinimizeSequentialPlanLength,
        Problem,
    )

    with pytest.raises(InputError, match="NoneType"):
        from_unified(None)
    problem = Problem("p")
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    assert from_unified(problem)[1].initial == ()
    problem.add_fluent(Fluent("on", BoolType()))
    with pytest.raises(InputError, match="no value at the start"):
        from_unified(problem)
    problem.set_initial_value(problem.fluent("on"), True)
    assert [str(atom) for atom in from_unified(problem)[1].initial] == ["on()"]


def _own(share: Budget | None) -> Engine:
    """Our default engine, which takes this much before it hands over."""
    return replace(find_engine("eai"), share=share)  # type: ignore[type-var]


@needs_wheel
def test_what_takes_more_than_our_share_is_handed_over_and_said_so() -> None:
    found = plan(lamps_domain(), lamps(GOAL), engine=_own(Budget(states=1)))
    assert found.solved
    assert found.engine == "fast-downward"
    assert "took over, because it takes more than 1 expanded states" in found.reason
    alone = plan(lamps_domain(), lamps(GOAL), engine=_own(Budget(states=1)), budget=Budget())
    assert (alone.outcome, alone.engine) == (Outcome.SOLVED, "eai")
    assert plan(lamps_domain(), lamps(GOAL)).engine == "eai"


def _limits_after_fast_downward(
    helper_s: float, monkeypatch: pytest.MonkeyPatch
) -> list[float | None]:
    """Return the list that receives the time limits of our searches.

    Fast Downward gives up after some seconds, behind a search of ours that took 2 s.
    """
    times: list[float | None] = []

    def limits(*, time: float | None, memory: float | None, budget: Budget | None = None) -> Limits:
        times.append(time)
        return Limits(time=time, memory=memory, budget=budget)

    monkeypatch.setattr(FastDownward, "version", "1")
    monkeypatch.setattr(FastDownward, "solve", lambda *_, **__: PlanningResult(Outcome.REJECTED))
    monkeypatch.setattr("eai.planning.own.Limits", limits)
    monkeypatch.setattr("eai.planning.own.thread_time", iter([0.0, 2.0]).__next__)
    monkeypatch.setattr("eai.planning.own.monotonic", iter([7.0, 7.0 + helper_s]).__next__)
    return times


def test_a_search_after_fast_downward_gave_up_gets_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = _limits_after_fast_downward(3.0, monkeypatch)
    assert plan(lamps_domain(), lamps(GOAL), engine=_own(Budget(states=1)), time_limit=20).solved
    assert times == [20, 15]


@pytest.mark.parametrize("helper_s", [17.9, 18.0, 60.0])
def test_a_search_after_fast_downward_used_all_time_ends_at_once(
    helper_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = _limits_after_fast_downward(helper_s, monkeypatch)
    plan(lamps_domain(), lamps(GOAL), engine=_own(Budget(states=1)), time_limit=20)
    assert times[0] == 20
    assert times[1] is not None
    assert 0 < times[1] < 0.2


@pytest.mark.parametrize(
    ("own_s", "helper_s"), [(2.0, 18.0), (19.0, 1.0), (19.9, 1.0), (25.0, 1.0)]
)
def test_fast_downward_gets_what_is_left_and_a_second_at_least(
    own_s: float, helper_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    times: list[float | None] = []

    def solve(*_: object, time_limit: float | None, **__: object) -> PlanningResult:
        times.append(time_limit)
        return PlanningResult(Outcome.TIME_LIMIT)

    monkeypatch.setattr(FastDownward, "version", "1")
    monkeypatch.setattr(FastDownward, "solve", solve)
    monkeypatch.setattr("eai.planning.own.thread_time", iter([0.0, own_s]).__next__)
    engine = _own(Budget(states=1))
    found = plan(lamps_domain(), lamps(GOAL), engine=engine, time_limit=20)
    assert found.outcome is Outcome.TIME_LIMIT
    assert times == [helper_s]


def test_without_fast_downward_the_search_goes_on_and_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("eai.planning.own._first_helper", lambda: None)
    found = plan(lamps_domain(), lamps(GOAL), engine=_own(Budget(states=1)))
    assert (found.outcome, found.engine) == (Outcome.SOLVED, "eai")
    late = plan(lamps_domain(), lamps(GOAL), engine="eai", memory_limit=1e-6)
    assert late.outcome is Outcome.MEMORY_LIMIT
    assert "pip install up-fast-downward" in late.reason


@needs_kairos
def test_kairos_takes_over_where_fast_downward_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(FastDownward, "version", "")
    found = plan(lamps_domain(), lamps(GOAL), engine=_own(Budget(states=1)))
    assert (found.outcome, found.engine) == (Outcome.SOLVED, "kairos")
