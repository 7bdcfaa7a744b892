"""Depth is counted: no verdict depends on who calls, from how deep, or in which thread."""

from __future__ import annotations

import contextvars
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import pytest

import eai
from eai.abilities.subgoals.literals import BRACKETS, parse_subgoals
from eai.errors import ParseError
from eai.logic import Formula, format_formula, parse_formula
from eai.nesting import (
    NESTING_LIMIT,
    check_value,
    decoding,
    load_json,
    load_literal,
    load_program,
    on_own_stack,
    recursively,
)
from eai.pddl import check_problem, parse_domain, parse_problem, read_domain
from eai.planning import Outcome, plan

Value = TypeVar("Value")

DEEP = 600
"""Frames between a test and what it calls."""


def called_from(depth: int, function: Callable[[], Value]) -> Value:
    """Call a function from so many frames further down."""
    return function() if depth == 0 else called_from(depth - 1, function)


def in_a_thread(function: Callable[[], Value]) -> Value:
    values: list[Value] = []
    thread = threading.Thread(target=lambda: values.append(function()))
    thread.start()
    thread.join()
    return values[0]


WRAPS = {
    "brackets": ("(", ")"),
    "negations": ("not ", ""),
    "negated brackets": ("not (", ")"),
    "quantifiers": ("exists x. (", ")"),
    "lists": ("[", "]"),
    "objects": ('{"a":', "}"),
    "pddl": ("(and ", ")"),
}


def nested_answers(*depths: int) -> list[str]:
    """Answers that are nested so deep; some stop readers, others do not."""
    found = ["I do nothing.", '[["walk", "kitchen"]]']
    for begin, end in WRAPS.values():
        for depth in depths:
            text = begin * depth + "open(fridge)" + end * depth
            found += [text, json.dumps({"output": [text]})]
    return found


def verdicts(answers: list[str]) -> list[str]:
    suite = eai.suite("household")
    task = suite.task(suite.task_ids()[0])
    semantics = suite.semantics("strict")
    abilities = [name for name in suite.abilities if name not in ("interaction", "recorded")]
    return [
        repr(suite.evaluate(ability, task, answer, semantics))
        for ability in abilities
        for answer in answers
    ]


def test_verdicts_do_not_depend_on_the_caller() -> None:
    answers = nested_answers(200)
    expected = verdicts(answers)
    assert called_from(DEEP, lambda: verdicts(answers)) == expected


@pytest.mark.heavy
def test_verdicts_do_not_depend_on_the_thread_or_on_others() -> None:
    answers = nested_answers(100, 139, 140, 141, 200, 250, 251, 1000)
    expected = verdicts(answers)
    assert called_from(DEEP, lambda: verdicts(answers)) == expected
    assert in_a_thread(lambda: verdicts(answers)) == expected
    alone = [verdicts([answer]) for answer in answers]
    assert [verdict for ability in zip(*alone, strict=True) for verdict in ability] == expected


@pytest.mark.heavy
def test_records_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    ids = eai.suite("household").task_ids()
    answers = dict(zip(ids, nested_answers(141, 200, 251), strict=False))
    written = []
    for depth, workers in ((0, 1), (DEEP, 1), (0, 2)):
        output = tmp_path / f"{depth}-{workers}"
        called_from(
            depth,
            lambda output=output, workers=workers: eai.evaluate(  # type: ignore[misc]
                "household", answers, ability="goal_interpretation", tasks="answered",
                output=output, workers=workers,
            ),
        )  # fmt: skip
        written.append((output / "records.jsonl").read_bytes())
    assert written[0] == written[1] == written[2]


@pytest.mark.parametrize("kind", WRAPS)
def test_formulas_are_read_from_a_deep_stack(kind: str) -> None:
    begin, end = WRAPS[kind]
    for depth in (100, 250):
        text = begin * depth + "p" + end * depth

        def read(text: str = text) -> str:
            try:
                formula: Formula = parse_formula(text)
            except ParseError as error:
                return str(error)
            return format_formula(formula.substitute({}))

        assert called_from(DEEP, read) == read()


@pytest.mark.parametrize("begin", ["(", "not (", "not "])
def test_published_subgoals_are_read_as_deep_from_anywhere(begin: str) -> None:
    end = ")" * begin.count("(")

    def lengths() -> list[int]:
        read = []
        for depth in (BRACKETS, BRACKETS + 1, NESTING_LIMIT, NESTING_LIMIT + 1, 1000):
            with suppress(ParseError):
                parse_subgoals(begin * depth + "open(fridge.1)" + end * depth)
                read.append(depth)
        return read

    deepest = BRACKETS if end else NESTING_LIMIT
    assert lengths()[-1] == deepest
    assert called_from(DEEP, lengths) == lengths()


def test_as_deep_as_the_limit_json_is_read_from_anywhere() -> None:
    text = "[" * NESTING_LIMIT + "]" * NESTING_LIMIT
    assert called_from(DEEP, lambda: load_json(text)) == load_json(text.encode())
    with pytest.raises(json.JSONDecodeError) as caught:
        load_json("[" + text + "]")
    assert caught.value.pos == NESTING_LIMIT


def test_brackets_in_strings_do_not_nest() -> None:
    value = ["[{" * 1000, {"a": ['"[' * 1000]}, [[]] * 1000]
    assert load_json(json.dumps(value)) == value


def test_values_that_follow_one_another_are_counted_one_by_one() -> None:
    part = "[" * 200 + "]" * 200
    text = f"{part} {part} [{part * 2}"
    decode = decoding(json.JSONDecoder(), text)
    value, end = decode(0)
    assert end == len(part)
    assert decode(end + 1) == (value, 2 * len(part) + 1)


def test_values_are_counted_before_they_are_written() -> None:
    value: object = "x"
    for _ in range(NESTING_LIMIT):
        value = [value]
    check_value(value)
    shared: list[object] = []
    for _ in range(100):
        shared = [shared, shared]
    check_value(shared)
    with pytest.raises(ValueError, match="levels"):
        check_value({"a": value})
    cyclic: list[object] = []
    cyclic.append(cyclic)
    with pytest.raises(ValueError, match="levels"):
        check_value(cyclic)


@pytest.mark.parametrize("text", ["f(x)", "[" * 300 + "]" * 300, "1+" * 5000 + "1", "(", "{[]: 1}"])
def test_what_is_no_literal_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="literal"):
        called_from(DEEP, lambda: load_literal(text))


def test_literals_are_read_from_a_deep_stack() -> None:
    text = "[" * 90 + "]" * 90
    assert called_from(DEEP, lambda: load_literal(text)) == load_literal(text)


def test_a_call_from_a_deep_stack_keeps_context_and_errors() -> None:
    setting = contextvars.ContextVar("setting", default=0)

    @on_own_stack
    def asked(number: int) -> int:
        if number < 0:
            raise KeyError(number)
        return setting.get() + number

    setting.set(40)
    assert called_from(DEEP, lambda: asked(2)) == asked(2) == 42
    with pytest.raises(KeyError):
        called_from(DEEP, lambda: asked(-1))


def test_a_recursion_without_frames_goes_any_depth() -> None:
    @recursively
    def total(number: int):  # type: ignore[no-untyped-def]
        rest = 0 if number == 0 else (yield (number - 1,))
        return number + rest

    assert total(10_000) == 50_005_000


@pytest.mark.parametrize("length", [20, 21, 300])
def test_predicates_that_are_defined_one_by_the_other_may_be_a_long_chain(length: int) -> None:
    rules = " ".join(
        f"(:derived (d{number} ?x) (and (p ?x) (not (d{number - 1} ?x))))"
        for number in range(1, length + 1)
    )
    domain = (
        f"(define (domain d) (:requirements :adl :derived-predicates) (:predicates (p ?x) (done) "
        f"{' '.join(f'(d{number} ?x)' for number in range(length + 1))}) {rules} "
        f"(:action reveal :parameters (?x) :effect (p ?x)) "
        f"(:action end :parameters (?x) :precondition (d{length} ?x) :effect (done)))"
    )
    problem = "(define (problem q) (:domain d) (:objects o) (:init) (:goal (done)))"
    found = plan(domain, problem)
    # d1 holds where p does, d2 where p holds and d1 does not, and so on: every second one can be.
    assert found.outcome is (Outcome.UNSOLVABLE if length % 2 == 0 else Outcome.SOLVED)


def wide(kind: str, variables: int) -> str:
    """A quantifier over so many variables, in a domain."""
    bound = " ".join(f"?v{number}" for number in range(variables))
    condition, effect = "(and)", "(done)"
    if kind == "condition":
        condition = f"(exists ({bound}) (p ?v0))"
    else:
        effect = f"(and (done) (forall ({bound}) (p ?v0)))"
    return (
        f"(define (domain d) (:requirements :adl) (:predicates (p ?x) (done)) "
        f"(:action end :parameters () :precondition {condition} :effect {effect}))"
    )


WIDE = "(define (problem q) (:domain d) (:objects o) (:init (p o)) (:goal (done)))"


@pytest.mark.parametrize("kind", ["condition", "effect"])
def test_every_variable_of_a_quantifier_is_a_level(kind: str) -> None:
    for depth in (0, DEEP):
        found = called_from(depth, lambda: plan(wide(kind, 100), WIDE))
        assert found.outcome is Outcome.SOLVED
        for variables in (NESTING_LIMIT + 1, 1200):
            text = wide(kind, variables)
            _, issues = called_from(depth, lambda text=text: read_domain(text))  # type: ignore[misc]
            assert [issue.kind for issue in issues] == ["deep-nesting"]


def test_variables_of_quantifiers_inside_each_other_are_summed_up() -> None:
    for count in (80, 84):
        heads = (f"exists x{number}, y{number}, z{number}. (" for number in range(count))
        text = "".join(heads) + "p(x0)" + ")" * count
        if count * 3 <= NESTING_LIMIT:
            assert parse_formula(text).depth == count * 3
            continue
        with pytest.raises(ParseError):
            parse_formula(text)


@pytest.mark.official
@pytest.mark.parametrize("semantics", ["official", "strict"])
@pytest.mark.parametrize("variables", [240, 1200])
def test_operators_with_wide_quantifiers_are_a_failure_of_the_answer(
    semantics: str, variables: int
) -> None:
    suite = eai.suite("virtualhome")
    task = suite.task(suite.task_ids()[0])
    bound = " ".join(f"?v{number}" for number in range(variables))
    answer = (
        "(:action walk_towards :parameters (?char - character ?obj - object) "
        f":precondition (exists ({bound}) (inside ?v0 ?v1)) "
        f":effect (forall ({bound}) (next_to ?char ?v1)))"
    )

    def judged() -> str:
        found = suite.evaluate("transition_modeling", task, answer, suite.semantics(semantics))
        assert found.status == "evaluated"
        return repr(found)

    assert called_from(DEEP, judged) == judged()


def test_an_action_may_have_any_number_of_parameters() -> None:
    count = 1200
    parameters = " ".join(f"?a{number}" for number in range(count))
    domain = (
        f"(define (domain d) (:predicates (p ?x) (done)) "
        f"(:action a :parameters ({parameters}) :precondition (p ?a0) :effect (done)))"
    )

    def found() -> str:
        checked = check_problem(parse_problem(WIDE), parse_domain(domain))
        return repr((plan(domain, WIDE).plan, checked))

    assert found().count("'o'") >= count
    assert called_from(DEEP, found) == found()


def test_depth_is_counted_and_no_verdict_waits_for_the_stack() -> None:
    """Two calls of Python's parser may meet its limit, and say there why it decides nothing."""
    package = Path(eai.__file__).parent
    places: list[str] = []
    for path in sorted(package.rglob("*.py")):
        text = path.read_text("utf-8")
        lines = text.splitlines()
        for line_number, line in enumerate(lines, start=1):
            if "RecursionError" not in line:
                continue
            places.append(path.relative_to(package).as_posix())
            assert lines[line_number - 2].lstrip().startswith("#"), f"{path}:{line_number}"
    assert places == ["nesting.py"] * 2


@pytest.mark.parametrize("begin", ["-", "lambda: "])
def test_a_program_is_refused_for_its_depth_alike_above_and_below_the_limit_of_python(
    begin: str,
) -> None:
    load_program(f"{begin * (NESTING_LIMIT - 10)}1")
    for depth in (NESTING_LIMIT + 10, 10_000):
        text = f"{begin * depth}1"
        for frames in (0, DEEP):
            with pytest.raises(ValueError, match=r"no program|nested"):
                called_from(frames, lambda text=text: load_program(text))  # type: ignore[misc]
