"""What is said around a plan with the verbs of actions is no step of it."""

from __future__ import annotations

import pytest

from eai.answers import bind, read_answer
from eai.task import Vocabulary

ACTIONS = (
    "walk run find turnto sit lie grab drop pour open close switchon switchoff plugin wash rinse"
    " wipe drink eat cut read lookat pointat watch greet touch type push pull move squeeze release"
    " pick put turn_on turn_off slice nav place navigate_to clean cook freeze dry soak toggle_on"
)
NAMES = Vocabulary(
    {**dict.fromkeys(ACTIONS.split(), 1), "sleep": 0, "wakeup": 0, "standup": 0},
    {},
    frozenset(["lamp.1", "fridge.2"]),
    {"lamp": ("lamp.1",), "fridge": ("fridge.2",)},
)
STEPS = ["walk(lamp.1)", "touch(lamp.1)", "walk(fridge.2)", "open(fridge.2)"]
FORMS = {
    "numbers": "\n".join(f"{number}. {step}" for number, step in enumerate(STEPS, start=1)),
    "bullets": "\n".join(f"- {step}" for step in STEPS),
    "sentences": "Walk to the lamp. Touch the lamp. Walk to the fridge. Open the fridge.",
}
BEFORE = """\
Let's walk through the plan.
I'll run through the steps.
Look at it this way:
To put it simply:
I'll cut to the chase.
I'll close the gap step by step.
Let's get to the point and move on.
I find that four steps are enough.
Having slept on it, I suggest:
Turning to the plan now.
I pulled the following together:
I had to push myself, but here it is:
Grab a seat, it is short.
Let's touch base on the goal first.
It opens the way for more.
That is an open question, but here goes.
I'll pick up where we left off.
Let me drop a hint first.
Cooking up a plan:
To slice it another way:
Toggling between two ideas, I settled on this.
Putting it all together:
Watch this space.
Sit tight, here it comes:
Let me switch gears.""".splitlines()
BEHIND = """\
Keep in mind that time is short.
Watch out for surprises.
Hold on to that.
Open question: is anybody at home?
It opens the way for the next task.
Drop me a line if anything is unclear.
Feel free to drop by.
I look forward to your feedback.
Find out more in the manual.
Stand by for more.
Sleep tight.
Wake up call: the battery is low.
That should put your mind at ease.
This puts an end to it.
Turn to me for more.
Sit back and enjoy.
Eat your heart out!
Read between the lines.
Don't push your luck.
I'd cut some slack here.
That pulls it off.
Wipe the slate clean.
Move over, humans.
Let me type up a summary later.
Grab me any time.
Slice and dice as you like.
Dry run: passed.
Freeze frame: done.
Place your trust in me.
Pick and choose as you like.
Release the hounds!
Plug in the numbers yourself.
Switch off and relax.
Lie low until then.
Touch wood.
Squeeze in a break.
Rinse and repeat tomorrow.
Run this by your colleagues.""".splitlines()


def actions(text: str) -> list[str]:
    plan = bind(read_answer(text, NAMES), NAMES)
    assert not plan.findings
    return [str(action) for action in plan.actions]


@pytest.mark.parametrize("idiom", BEFORE)
@pytest.mark.parametrize("form", FORMS)
def test_an_idiom_above_a_plan_is_no_step(idiom: str, form: str) -> None:
    assert actions(f"{idiom}\n{FORMS[form]}") == STEPS


@pytest.mark.parametrize("idiom", BEHIND)
@pytest.mark.parametrize("form", FORMS)
def test_an_idiom_below_a_plan_is_no_step(idiom: str, form: str) -> None:
    assert actions(f"{FORMS[form]}\n\n{idiom}") == STEPS


@pytest.mark.parametrize("sentence", ["Grab lunch afterwards.", "Move fast, break things.", "Cut!"])
def test_a_sentence_outside_of_a_list_that_names_no_object_is_no_step(sentence: str) -> None:
    text = f"{sentence}\n\n{FORMS['numbers']}\n\n{sentence}"
    assert actions(text) == STEPS
    assert any(sentence in note for note in read_answer(text, NAMES).notes)


@pytest.mark.parametrize(
    ("sentence", "action"),
    [
        ("Look at the lamp.", "lookat(lamp.1)"),
        ("Move on to the next step: push the lamp.", "push(lamp.1)"),
        ("Switch off the lamp.", "switchoff(lamp.1)"),
    ],
)
def test_a_verb_with_an_object_is_a_step(sentence: str, action: str) -> None:
    text = f"Walk to the lamp. {sentence}"
    assert actions(text) == ["walk(lamp.1)", action]
