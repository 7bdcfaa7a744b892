"""Properties of the answer reader: it never raises, and it reads back what was written."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from eai.answers import PlanReading, bind, read_answer, read_plan
from eai.answers.answer_plans import read_with
from eai.answers.grammar import StepGrammar
from eai.answers.surfaces import Surfaces
from eai.task import Vocabulary
from eai.world import Action

Plan = list[tuple[str, list[tuple[str, int]]]]

NAMES = ("walk", "grab", "putin", "standup", "switchon", "plugout")
CLASSES = ("light", "washing_machine", "cup", "home_office", "food_peanut_butter", "cd")
ARITIES = {"walk": 1, "grab": 1, "putin": 2, "standup": 0, "switchon": 1, "plugout": 1}
IDS = (0, 7, 34, 411, 2000)
HOME = Vocabulary(
    actions=ARITIES,
    predicates={},
    objects=frozenset(f"{name}.{number}" for name in CLASSES for number in IDS),
    classes={name: tuple(f"{name}.{number}" for number in IDS) for name in CLASSES},
)
OBJECTS = st.tuples(st.sampled_from(CLASSES), st.sampled_from(IDS))
STEPS = st.sampled_from(NAMES).flatmap(
    lambda name: st.tuples(
        st.just(name.upper()), st.lists(OBJECTS, min_size=ARITIES[name], max_size=ARITIES[name])
    )
)
PLANS = st.lists(STEPS, min_size=1, max_size=8)


def read(text: str) -> PlanReading:
    return read_answer(text, HOME)


def actions(plan: Plan) -> list[Action]:
    return [
        Action(name.lower(), tuple(f"{kind}.{number}" for kind, number in objects))
        for name, objects in plan
    ]


def verdict(text: str) -> tuple[tuple[Action, ...], set[object]]:
    """Return the actions of an answer and the kinds of its mistakes."""
    bound = bind(read(text), HOME)
    return bound.actions, {finding.kind for finding in bound.findings}


def flat(objects: list[tuple[str, int]]) -> list[str]:
    return [part for name, number in objects for part in (name, str(number))]


def pairs_list(plan: Plan) -> str:
    return json.dumps([{name: flat(objects)} for name, objects in plan])


def numbers_list(plan: Plan) -> str:
    steps = [{name: [x for pair in objects for x in pair]} for name, objects in plan]
    return json.dumps(steps, indent=1)


def one_object(plan: Plan) -> str:
    return "{" + ", ".join(f'"{name}": {json.dumps(flat(o))}' for name, o in plan) + "}"


def python_literal(plan: Plan) -> str:
    return repr([{name: tuple(flat(objects))} for name, objects in plan])


def comments_and_commas(plan: Plan) -> str:
    lines = [f'  {{"{name}": {json.dumps(flat(o))},}}, // do it' for name, o in plan]
    return "[\n" + "\n".join(lines) + "\n]"


def named_parts(plan: Plan) -> str:
    return json.dumps([{"action": name, "objects": flat(objects)} for name, objects in plan])


def wrapped_string(plan: Plan) -> str:
    return json.dumps({"output": pairs_list(plan)})


def fenced_with_prose(plan: Plan) -> str:
    return f"Sure, here is the plan:\n```json\n{one_object(plan)}\n```\nI hope it helps.<|eot_id|>"


def behind_reasoning(plan: Plan) -> str:
    return f'<think>Perhaps [{{"RUN": ["cup", "1"]}}]?</think>\n{pairs_list(plan)}'


def bare_words(plan: Plan) -> str:
    return "[" + ", ".join(f"{{{name}: [{', '.join(flat(o))}]}}" for name, o in plan) + "]"


def curly_quotes(plan: Plan) -> str:
    return one_object(plan).replace('"', "\u201c")


def script(plan: Plan) -> str:
    lines = (
        " ".join([f"{i}. [{name}]", *(f"<{c}> ({number})" for c, number in objects)])
        for i, (name, objects) in enumerate(plan, 1)
    )
    return "\n".join(lines)


def calls(plan: Plan) -> str:
    return "\n".join(f"{name}({', '.join(flat(objects))})" for name, objects in plan)


def strings(plan: Plan) -> str:
    return json.dumps(calls(plan).split("\n"))


def one_a_line(plan: Plan) -> str:
    return "\n".join(json.dumps({name: flat(objects)}) for name, objects in plan)


FORMS = [
    pairs_list,
    numbers_list,
    one_object,
    python_literal,
    comments_and_commas,
    named_parts,
    wrapped_string,
    fenced_with_prose,
    behind_reasoning,
    bare_words,
    curly_quotes,
    script,
    calls,
    strings,
    one_a_line,
]


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25)
@given(plan=PLANS)
def test_a_written_plan_is_read_back(form: Callable[[Plan], str], plan: Plan) -> None:
    bound = bind(read(form(plan)), HOME)
    assert list(bound.actions) == actions(plan)
    assert bound.findings == ()


SPOKEN = st.tuples(
    st.sampled_from(["walk", "switch on", "turn off", "go to", "pick up", "fly quickly"]),
    st.lists(OBJECTS, min_size=1, max_size=1),
)


def numbered(plan: Plan) -> str:
    return "\n".join(f"{i}. {line}" for i, line in enumerate(calls(plan).split("\n"), 1))


def apart(plan: Plan) -> str:
    return calls(plan).replace("\n", ".\n\n")


@settings(max_examples=60)
@given(plan=st.lists(SPOKEN, min_size=1, max_size=6), form=st.sampled_from([numbered, apart]))
def test_no_step_whose_name_is_several_words_vanishes(
    form: Callable[[Plan], str], plan: Plan
) -> None:
    reading = read(form(plan))
    assert reading.problems or len(reading.steps) == len(plan)
    known = {"walk", "switch on"}
    assert bool(bind(reading, HOME).findings) == any(name not in known for name, _ in plan)


@settings(max_examples=60)
@given(plan=PLANS, form=st.sampled_from([pairs_list, one_object, named_parts]), data=st.data())
def test_a_cut_plan_is_a_beginning_and_a_problem(
    form: Callable[[Plan], str], plan: Plan, data: st.DataObject
) -> None:
    text = form(plan)
    cut = bind(read(text[: data.draw(st.integers(1, len(text) - 1))]), HOME)
    assert cut.findings or "missing bracket" in cut.notes
    assert list(cut.actions) == actions(plan)[: len(cut.actions)]


HIDDEN = st.sampled_from(
    [
        {"FLY": ["moon"]},
        {"action": "FLY", "object": "moon"},
        {"name": "FLY", "arguments": {"object": "moon"}},
        ["FLY(moon)"],
        [["FLY", "moon"]],
        "FLY(moon)",
        "[FLY] <moon> (3)",
    ]
)
KEYS = st.sampled_from(["then", "next", "extra", "later", "if_dark", "x", "Else"])


def deeper(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    text = inner.map(json.dumps)
    lists = inner.map(lambda value: [value])
    return lists | text | st.dictionaries(KEYS, inner, min_size=1, max_size=1)


@settings(max_examples=80)
@given(plan=PLANS, value=st.recursive(HIDDEN, deeper, max_leaves=3), key=KEYS, data=st.data())
def test_no_step_below_another_key_vanishes(
    plan: Plan, value: object, key: str, data: st.DataObject
) -> None:
    steps: list[dict[str, object]] = [
        {"action": name, "objects": flat(objects)} for name, objects in plan
    ]
    if data.draw(st.booleans()):
        steps[data.draw(st.integers(0, len(steps) - 1))][key] = value
        answer: object = steps
    else:
        answer = {"plan": steps, key: value}
    assert bind(read(json.dumps(answer)), HOME).findings


ALPHABET = "[]{}()<>\"'`\\,:;=#/*|. \n\t019aAWALKlight_-\0\ud800\u201c\u3010\uff5b"
VOCABULARY = Vocabulary({"a": 1, "WALK": 2}, {}, frozenset({"light.1"}), {"light": ("light.1",)})


@settings(max_examples=120)
@given(st.one_of(st.text(st.sampled_from(ALPHABET), max_size=200), st.text(max_size=100)))
def test_any_text_is_read_and_bound_without_an_error(text: str) -> None:
    for reading in (read_answer(text, VOCABULARY), read_plan(text)):
        plan = bind(reading, VOCABULARY)
        assert len(plan.actions) <= len(reading.steps)
        assert bool(reading.problems) or reading.status in ("clean", "chosen")
        places = [step.position for step in reading.steps]
        places += [problem.position for problem in reading.problems]
        assert all(0 <= place <= len(text) for place in places)
        "".join(str(step) for step in reading.steps).encode()


FRAGMENTS = st.sampled_from(
    [
        *"[](){}<>,:;=|-*#.\"'`\\/",
        *("\n", "\n\n", "  ", "```", "```json\n", "```python\n", "~~", "<!--", "-->", "/*", "*/"),
        *("<answer>", "</answer>", "<think>", "</think>", "<step>", "</step>", "<tool_call>"),
        *("WALK", "walk", "switch on", "Putin", "standup", "FLY", "light", "cup", "light.34"),
        *("cup (7)", "<cup>", "(411)", "34", "7", "1.", "2)", "- ", "* ", "| ", "|---|", "..."),
        *("plan", "action", "object", "steps", "thought", "final", "draft", "Do not", "then", "it"),
        *('"plan": ', '"action": ', '"object": ', '"name": ', '"WALK": ', "null", "true", "\\n"),
        *("\\boxed{", "\\item", "&quot;", "\u201c", "\uff08", "\u2705", "\0", "\ud800", "\u200b"),
        *("def plan():", "return", "print(", "if False:", "Step 1:", "Remove step 2.", "etc."),
    ]
)


@settings(max_examples=300)
@given(st.lists(FRAGMENTS, max_size=60))
def test_fragments_of_answers_are_read_the_same_way_twice(fragments: list[str]) -> None:
    text = "".join(fragments)
    first, second = read(text), read_with(text, Surfaces.from_vocabulary(HOME))
    assert first == second
    assert first.problems or first.status in ("clean", "chosen")
    bind(first, HOME)
    read_plan(text)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(FRAGMENTS, min_size=1, max_size=4), min_size=1, max_size=4),
    st.lists(st.integers(0, 3), max_size=12),
)
@example(lines=[["WALK", "(", "light.34", ")"], ["then ", "switch on", " it"]], order=[0, 1, 0, 1])
def test_a_line_is_read_the_same_wherever_it_is_repeated(
    monkeypatch: pytest.MonkeyPatch, lines: list[list[str]], order: list[int]
) -> None:
    text = "\n".join("".join(lines[index % len(lines)]) for index in order)
    surfaces = Surfaces.from_vocabulary(HOME)
    remembered = read_with(text, surfaces)
    with monkeypatch.context() as patch:
        patch.setattr(StepGrammar, "remembers_lines", False)
        assert read_with(text, surfaces) == remembered


WORDS = st.sampled_from(
    [
        "so",
        "today",
        "we",
        "have",
        "thought",
        "about",
        "it",
        "and",
        "everything",
        "seems",
        "fine",
        "because",
        "nobody",
        "waits",
        "any",
        "longer",
        "for",
        "rain",
        "Hello",
        "Sure",
        "thanks",
        "regards",
        "enjoy",
        "weather",
        "people",
        "often",
        "wonder",
        "why",
        "such",
        "things",
        "matter",
        "12",
        "3.5",
        "42",
        "%",
        "ok",
    ]
)
TALK = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
MARKS = st.sampled_from(
    ["{}", "{}.", "{}!", "**{}**", "## {}", "> {}", "{}:", "_{}_", "# {}", "`{}`"]
)
PARAGRAPH = st.tuples(MARKS, TALK).map(lambda pair: pair[0].format(pair[1]))
PROSE = st.lists(PARAGRAPH, max_size=4).map("\n".join)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=40)
@given(plan=PLANS, before=PROSE, behind=PROSE)
@example(plan=[("WALK", [("light", 0)])] * 2, before="", behind="so 3.5 so")
@example(plan=[("WALK", [("light", 0)])] * 4, before="", behind="3.5 so")
def test_text_around_an_answer_does_not_change_the_verdict(
    form: Callable[[Plan], str], plan: Plan, before: str, behind: str
) -> None:
    answer = form(plan)
    assert verdict(f"{before}\n\n{answer}\n\n{behind}") == verdict(answer)


@settings(max_examples=60)
@given(plan=PLANS, before=PROSE, behind=PROSE, form=st.sampled_from([pairs_list, calls, script]))
def test_text_around_a_wrong_answer_does_not_change_the_verdict(
    plan: Plan, before: str, behind: str, form: Callable[[Plan], str]
) -> None:
    answer = form([*plan, ("FLY", [("light", 34)])])
    assert verdict(f"{before}\n\n{answer}\n\n{behind}") == verdict(answer)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["plan", "action", "object", "name", "WALK", "thought", "1", ""]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=100)
@given(value=JSON)
def test_any_json_is_read_without_an_error(value: object) -> None:
    text = json.dumps(value)
    assert read_answer(text, VOCABULARY) == read_answer(text, VOCABULARY)
    read_plan(text)
