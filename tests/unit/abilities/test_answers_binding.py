"""Looking names up: exact names, loose names, names without ids, and what is wrong."""

from __future__ import annotations

import pytest

from eai.answers import Binder, BoundPlan, bind, read_answer
from eai.diagnosis import ErrorKind
from eai.task import Vocabulary

CLASSES = {
    "light": ("light.411", "light.245"),
    "washing_machine": ("washing_machine.1001",),
    "plate": ("plate.10", "plate.11"),
    "bedroom": ("bedroom.67",),
}
HOME = Vocabulary(
    actions={"walk": 1, "switchon": 1, "putin": 2, "standup": 0, "grab": 1},
    predicates={},
    objects=frozenset(name for members in CLASSES.values() for name in members),
    classes=CLASSES,
)


def bound(text: str) -> BoundPlan:
    return bind(read_answer(text, HOME), HOME)


def actions(text: str) -> list[str]:
    plan = bound(text)
    assert plan.findings == ()
    return [str(action) for action in plan.actions]


@pytest.mark.parametrize(
    "argument",
    [
        '["light", "245"]',
        '["light", 245]',
        '["light.245"]',
        '["light_245"]',
        '"light.245"',
        '"light (245)"',
        '"light #245"',
        '"light-245"',
        '"<light> (245)"',
        '["<light>", "(245)"]',
        '["light", "1.245"]',
        '["light", "245.0"]',
        '["light.245", 245]',
        '{"name": "light", "id": 245}',
    ],
)
def test_ways_to_write_an_object(argument: str) -> None:
    assert actions(f'[{{"WALK": {argument}}}]') == ["walk(light.245)"]


@pytest.mark.parametrize(
    "argument",
    ['["Light", "245"]', '["LIGHT_245"]', "[245]"],
)
def test_loose_objects_are_noted(argument: str) -> None:
    plan = bound(f'[{{"WALK": {argument}}}]')
    assert [str(action) for action in plan.actions] == ["walk(light.245)"]
    assert any("was read as light.245" in note for note in plan.notes)


def test_a_name_of_several_words() -> None:
    for text in (
        '[{"WALK": ["washing machine", "1001"]}]',
        '[{"WALK": ["Washing-Machine"]}]',
        "WALK washing machine 1001",
        "[WALK] <washing machine> (1001)",
    ):
        assert actions(text) == ["walk(washing_machine.1001)"]


@pytest.mark.parametrize("name", ["SWITCHON", "switchon", "SwitchOn"])
def test_the_case_of_an_action_does_not_matter(name: str) -> None:
    plan = bound(f'[{{"{name}": ["light", "245"]}}]')
    assert [str(action) for action in plan.actions] == ["switchon(light.245)"]
    assert plan.notes == ()


@pytest.mark.parametrize("name", ["SWITCH_ON", "switch on", "Switch-On"])
def test_loose_actions_are_noted(name: str) -> None:
    plan = bound(f'[{{"{name}": ["light", "245"]}}]')
    assert [str(action) for action in plan.actions] == ["switchon(light.245)"]
    assert plan.notes == (f"{name!r} was read as switchon",)


def test_a_name_without_id_means_the_first_of_its_class_and_keeps_its_meaning() -> None:
    plan = bound('{"WALK": ["light"], "SWITCHON": ["light"]}')
    assert [str(action) for action in plan.actions] == ["walk(light.411)", "switchon(light.411)"]
    assert plan.notes == ("names without id: light is light.411",)


def test_a_name_without_id_means_the_object_used_last() -> None:
    assert actions('[{"WALK": ["light", "245"]}, {"SWITCHON": ["light"]}]') == [
        "walk(light.245)",
        "switchon(light.245)",
    ]


def test_a_name_twice_in_one_step_means_two_objects() -> None:
    assert actions('{"GRAB": ["plate"], "PUTIN": ["plate", "plate"]}') == [
        "grab(plate.10)",
        "putin(plate.10, plate.11)",
    ]


def test_exact_names_come_before_loose_ones() -> None:
    words = Vocabulary(
        actions={"puton": 1, "put_on": 1},
        predicates={},
        objects=frozenset({"Cup.1", "cup.1"}),
        classes={"Cup": ("Cup.1",), "cup": ("cup.1",)},
    )
    text = '[{"put_on": ["Cup", 1]}, {"puton": ["cup"]}, {"Put On": ["CUP"]}]'
    plan = bind(read_answer(text, words), words)
    assert [str(action) for action in plan.actions] == [
        "put_on(Cup.1)",
        "puton(cup.1)",
        "puton(Cup.1)",
    ]


def test_everything_that_is_wrong_is_found() -> None:
    text = '[{"FLY": ["light", "245"]}, {"WALK": ["ligth"]}, {"PUTIN": ["plate", "10"]}, {"GRAB": ['
    plan = bound(text)
    assert [(f.kind, f.step) for f in plan.findings] == [
        (ErrorKind.PARSING, None),
        (ErrorKind.ACTION_HALLUCINATION, 1),
        (ErrorKind.OBJECT_HALLUCINATION, 2),
        (ErrorKind.ARGUMENT_NUMBER, 3),
    ]
    assert plan.actions == ()
    assert [text[f.position or 0 :][:6] for f in plan.findings[1:]] == [
        '"FLY":',
        '"WALK"',
        '"PUTIN',
    ]


@pytest.mark.parametrize(
    ("text", "kind", "message", "action"),
    [
        (
            '[{"SWITCHIN": ["light", "245"]}]',
            ErrorKind.ACTION_HALLUCINATION,
            "there is no action 'SWITCHIN'; did you mean switchon?",
            "SWITCHIN(light, 245)",
        ),
        (
            '[{"WALK": ["light", "9"]}]',
            ErrorKind.OBJECT_HALLUCINATION,
            "there is no object 'light 9' in the task; did you mean light.411 or light.245?",
            "WALK(light, 9)",
        ),
        (
            '[{"WALK": ["bed_room", "9"]}]',
            ErrorKind.OBJECT_HALLUCINATION,
            "there is no object 'bed_room 9' in the task; did you mean bedroom.67?",
            "WALK(bed_room, 9)",
        ),
        (
            '[{"WALK": ["bathroom"]}]',
            ErrorKind.OBJECT_HALLUCINATION,
            "there is no object 'bathroom' in the task; did you mean bedroom?",
            "WALK(bathroom)",
        ),
        (
            '[{"WALK": []}]',
            ErrorKind.ARGUMENT_NUMBER,
            "walk takes 1 object, but none was given; write walk(object)",
            "WALK()",
        ),
        (
            '[{"STANDUP": ["light", "245", "plate", "10"]}]',
            ErrorKind.ARGUMENT_NUMBER,
            "standup takes no object, but 2 were given; write standup()",
            "STANDUP(light, 245, plate, 10)",
        ),
        (
            '[{"PUTIN": ["plate", "10"]}]',
            ErrorKind.ARGUMENT_NUMBER,
            "putin takes 2 objects, but 1 was given; write putin(object, object)",
            "PUTIN(plate, 10)",
        ),
    ],
)
def test_messages(text: str, kind: ErrorKind, message: str, action: str) -> None:
    (finding,) = bound(text).findings
    assert (finding.kind, finding.message, finding.action) == (kind, message, action)


def test_one_step_can_have_several_findings() -> None:
    kinds = [finding.kind for finding in bound('[{"PUTIN": ["cup", "1"]}]').findings]
    assert kinds == [ErrorKind.OBJECT_HALLUCINATION, ErrorKind.ARGUMENT_NUMBER]


def test_reading_notes_are_kept() -> None:
    text = "```json\n{'STANDUP': []}\n```"
    assert read_answer(text, HOME).notes
    assert bound(text).notes == read_answer(text, HOME).notes


def test_a_binder_forgets_between_plans() -> None:
    binder = Binder(HOME)
    binder.bind(read_answer('[{"WALK": ["light", "245"]}]', HOME))
    plan = binder.bind(read_answer('[{"WALK": ["light"]}]', HOME))
    assert [str(action) for action in plan.actions] == ["walk(light.411)"]


def test_enormous_names_are_shortened_and_counted() -> None:
    name = "x" * 100_000
    plan = bind(read_answer(f'[{{"{name}": ["{name}"]}}]', HOME), HOME)
    assert all(len(f.message) < 200 and len(f.action) < 300 for f in plan.findings)
    many = bind(read_answer("[" + '{"FLY": []},' * 500 + "]", HOME), HOME)
    assert len(many.findings) == 101
    assert many.findings[-1].message == "400 more findings not listed"
