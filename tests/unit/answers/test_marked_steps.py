"""Steps in inline code amid words, and objects whose ids stand behind a sign."""

from __future__ import annotations

import pytest
from studio_answers import PLAN, actions

import eai
from eai.answers import PlanReading, bind, read_answer
from eai.diagnosis import ErrorKind

NAMES = eai.suite("household").task("studio-02").readable


def reading(text: str) -> PlanReading:
    return read_answer(text, NAMES)


def steps(text: str) -> list[str]:
    return [str(step) for step in reading(text).steps]


@pytest.mark.parametrize("verb", ["Run", "Type", "Execute", "Now touch"])
def test_a_verb_before_a_step_in_inline_code_is_no_step(verb: str) -> None:
    text = f"{verb} `WALK(fridge.40)` and after that `OPEN(fridge.40)`."
    assert steps(text) == ["WALK(fridge.40)", "OPEN(fridge.40)"]


def test_a_verb_before_each_step_in_inline_code_is_no_step() -> None:
    text = "Run `WALK(fridge.40)`, then run `OPEN(fridge.40)`."
    assert steps(text) == ["WALK(fridge.40)", "OPEN(fridge.40)"]


def test_a_verb_before_an_object_in_inline_code_is_a_step() -> None:
    assert steps("Touch `fridge.40`.") == ["Touch(fridge.40)"]


@pytest.mark.parametrize(
    "text", ["Run `FLY(fridge.40)`.", "Run `WALK(fridge.40)`, then run `FLY(fridge.40)`."]
)
def test_an_unknown_step_in_inline_code_is_a_problem(text: str) -> None:
    assert bind(reading(text), NAMES).findings


@pytest.mark.parametrize(
    "text",
    [
        "GRAB juice #44\nPUTIN juice #44 fridge #40",
        "- Grab the juice #44\n- Put the juice #44 in the fridge #40  # it is open",
        "grab(juice #44)\nputin(juice #44, fridge #40)",
        "1. GRAB juice#44 # first\n2. PUTIN juice#44 fridge#40 # then",
    ],
)
def test_ids_behind_a_sign_belong_to_their_objects(text: str) -> None:
    actions = [str(action) for action in bind(reading(text), NAMES).actions]
    assert actions == ["grab(juice.44)", "putin(juice.44, fridge.40)"]


def test_an_id_behind_a_sign_that_no_object_has_is_a_hallucination() -> None:
    [finding] = bind(reading("WALK fridge #999"), NAMES).findings
    assert finding.kind == ErrorKind.OBJECT_HALLUCINATION


@pytest.mark.parametrize(
    ("line", "step"),
    [("find a Mug[^%d]", "find(Mug)"), ("- pick up the Mug [^%d]", "pick(Mug)")],
)
def test_the_number_of_a_footnote_is_no_id(line: str, step: str) -> None:
    names = eai.suite("eb-alfred").task("base/0").readable
    text = f"{line % 2}\n\n[^2]: find a Mug_2 is another one."
    assert [str(each) for each in read_answer(text, names).steps] == [step]


def test_what_a_footnote_says_is_no_step() -> None:
    text = "1. walk(fridge.40)[^1]\n2. open(fridge.40)\n\n[^1]: close(fridge.40)"
    assert steps(text) == ["walk(fridge.40)", "open(fridge.40)"]


def test_calls_of_skills_in_words_under_one_key_are_read() -> None:
    names = eai.suite("eb-alfred").task("base/0").readable
    read = read_answer('[{"run": "find(Mug)"}, {"run": "pick_up(Mug)"}]', names)
    assert [str(each) for each in read.steps] == ["find(Mug)", "pick(Mug)"]
    other = read_answer('[{"run": "find(Mug)"}, {"run": "fly(Mug)"}]', names)
    assert [str(each) for each in other.steps] == ["find(Mug)", "fly(Mug)"]


def test_the_address_of_a_link_names_no_object() -> None:
    linked = read_answer("[walk](https://x.y/light)\n[switchon](https://x.y/light)", NAMES)
    assert not bind(linked, NAMES).actions
    assert actions("[WALK](light)\n[SWITCHON](light)") == PLAN


@pytest.mark.parametrize(
    "mark",
    [
        "[OMITTED] {}",
        "**Omitted** {}",
        "OBSOLETE: {}",
        "{} \u2013 removed from the plan",
        "\u274c {} \u2013 removed from the plan",
        "{} // skip",
        "{} -> removed",
        "\u4e0d\u8981\u6267\u884c {}",
        "{} (gestrichen)",
        "Omitido: {}",
        "~~{}~~",
        "~{}~",
    ],
)
@pytest.mark.parametrize("bullet", ["{}. ", "- "])
@pytest.mark.parametrize("step", ["open(fridge.40)", "teleport(fridge.40)"])
def test_a_line_may_take_its_step_out(mark: str, bullet: str, step: str) -> None:
    lines = ["walk(fridge.40)", mark.format(step), "grab(juice.44)"]
    text = "\n".join(bullet.format(number) + line for number, line in enumerate(lines, 1))
    taken_out = reading(text)
    assert [str(each) for each in taken_out.steps] == ["walk(fridge.40)", "grab(juice.44)"]
    assert not taken_out.problems


@pytest.mark.parametrize("step", ["find a Mug", "levitate the Mug"])
@pytest.mark.parametrize("mark", ["~~{}~~", "[OMITTED] {}", "{} (void)", "Entf\u00e4llt: {}"])
def test_a_line_may_take_out_a_step_in_words(mark: str, step: str) -> None:
    names = eai.suite("eb-alfred").task("base/0").readable
    text = f"- find a Sink\n- {mark.format(step)}\n- pick up the Mug"
    taken_out = read_answer(text, names)
    assert len(taken_out.steps) == 2
    assert not taken_out.problems


@pytest.mark.parametrize("line", ["\u274c {}", "{} \u274c", "\U0001f6ab {}"])
def test_a_crossed_step_is_a_problem(line: str) -> None:
    text = f"1. walk(fridge.40)\n2. {line.format('open(fridge.40)')}\n3. grab(juice.44)"
    assert reading(text).status == "partial"


@pytest.mark.parametrize(
    "mark", ["\u2705 {}", "{} (never skip this)", "[REQUIRED] {}", "[TODO] {}"]
)
def test_a_mark_of_approval_leaves_its_step(mark: str) -> None:
    text = f"1. walk(fridge.40)\n2. {mark.format('open(fridge.40)')}\n3. grab(juice.44)"
    assert len(steps(text)) == 3
    assert not reading(text).problems


@pytest.mark.parametrize("line", ["{} (~5 s)", "{} ~ 5 s", "~{}, then on"])
def test_a_tilde_without_its_twin_strikes_nothing(line: str) -> None:
    text = f"1. walk(fridge.40)\n2. {line.format('open(fridge.40)')}\n3. grab(juice.44) (~2 s)"
    assert "open(fridge.40)" in steps(text)
