"""Properties of reading and writing PDDL."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import partial

from hypothesis import HealthCheck, example, given, settings, strategies as st

from eai.errors import ParseError
from eai.pddl import (
    Domain,
    Problem,
    check_domain,
    check_problem,
    format_domain,
    format_problem,
    parse_condition,
    parse_domain,
    parse_problem,
    read_domain,
    read_problem,
)
from fixtures_pddl import DOMAINS, FOLDER
from strategies_pddl import domains, worlds

slow = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
FILES = sorted(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.pddl"))
BRACKETS = {"unclosed-bracket", "extra-bracket", "missing-bracket", "surrounding-text"}
GRIPPER = DOMAINS["gripper"]


@slow
@given(domains())
def test_reading_what_was_written_gives_the_same_domain(domain: Domain) -> None:
    assert [issue for issue in check_domain(domain) if issue.severity == "error"] == []
    assert parse_domain(format_domain(domain)) == domain


@slow
@given(worlds())
def test_reading_what_was_written_gives_the_same_problem(world: tuple[Domain, Problem]) -> None:
    domain, problem = world
    assert [i for i in check_problem(problem, domain) if i.severity == "error"] == []
    assert parse_problem(format_problem(problem, domain=domain), domain=domain) == problem
    assert parse_problem(format_problem(problem)) == problem


@slow
@given(st.sampled_from(FILES), st.randoms(use_true_random=False))
def test_case_blanks_and_remarks_mean_nothing(text: str, chance: random.Random) -> None:
    words = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text))
    blanks = (" ", "\n", "\t ", " ; (remark) 'and' more\n")
    noisy = "".join(chance.choice((str.upper, str.lower))(w) + chance.choice(blanks) for w in words)
    parse = parse_domain if "(domain " in text.split("(:", maxsplit=1)[0] else parse_problem
    assert parse(noisy) == parse(text)


def refusal(parse: Callable[[str], object], text: str) -> ParseError | None:
    try:
        parse(text)
    except ParseError as error:
        return error
    return None


@slow
@given(
    st.sampled_from([parse_domain, parse_problem, parse_condition]),
    st.text(alphabet="()abz?:-=;. \n019", max_size=60),
)
@example(parse_domain, "(define (domain d) (:action")
def test_any_text_is_read_or_refused_at_a_place_inside_of_it(
    parse: Callable[[str], object], text: str
) -> None:
    error = refusal(parse, text)
    assert error is None or 0 <= error.position <= len(text)


@slow
@given(st.sampled_from(FILES), st.data())
def test_a_missing_bracket_is_always_noticed(text: str, data: st.DataObject) -> None:
    brackets = [found.start() for found in re.finditer(r"[()]", re.sub(r";[^\n]*", _blank, text))]
    at = data.draw(st.sampled_from(brackets))
    read = read_domain if "(domain " in text.split("(:", maxsplit=1)[0] else read_problem
    _, issues = read(text[:at] + text[at + 1 :])
    assert BRACKETS & {issue.kind for issue in issues}


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


@slow
@given(
    st.sampled_from([parse_domain, parse_problem, partial(parse_problem, domain=GRIPPER)]),
    st.sampled_from(FILES),
    st.data(),
)
def test_a_damaged_file_is_read_or_refused(
    parse: Callable[[str], object], text: str, data: st.DataObject
) -> None:
    words = list(re.finditer(r"[()]|[^\s()]+", text))
    one, other = data.draw(st.sampled_from(words)), data.draw(st.sampled_from(words))
    damaged = text[: one.start()] + other.group() + text[one.end() :]
    error = refusal(parse, damaged)
    assert error is None or 0 <= error.position <= len(damaged)
