"""Sentences behind an answer: those that take it back, and those that only sound so."""

# ruff: noqa: RUF001 - sentences in other languages have letters that look like Latin ones

from __future__ import annotations

import pytest

import eai
from eai.answers import read_answer, takes_back

NAMES = eai.suite("household").task("studio-02").readable
PLAN = "1. WALK(fridge.40)\n2. OPEN(fridge.40)"

HARMLESS = """
We throw it away because it is broken.
The rest is simply an example of good manners.
The old vase is broken, so the robot leaves it alone.
The bottle goes into the bin because it is useless now.
I left the radio off; it does not work.
The lamp in the hall does not work, so we use the other one.
The fridge door is a bit broken but still closes.
The remote must not be used near water.
Do not use the broken chair.
The milk is spoiled. Discard it later.
Do not forget that the stove is hot.
The user said the clock is wrong; that does not matter here.
The first door is locked. It cannot be opened from this side.
The garbage is in the bin afterwards.
We drop the book on the table at the end.
The robot cancels the alarm in the end, so it is quiet.
I ignore the noise in the background since it is harmless.
This takes about five minutes.
Everything is where it should be.
None of the other objects is touched.
Your suggestion to open the window was good.
The cup is a mistake by the previous tenant, we leave it.
It is wrong to leave the fridge open, so the last step closes it.
It would be useless to walk twice.
Nothing else has to be moved.
It is impossible to carry three things at once, which is why there are two trips.
It is impossible to grab the cup while both hands are full.
Because it is impossible to open a locked door, the key comes first.
The household is just an example of a typical home.
The letter is a sample and can stay on the desk.
These are placeholders in the picture frame, not real photos.
There are dummy books on the shelf.
The template for the letter is on the desk.
Such a chore is only an example of what robots can do.
That door will fail one day.
The light bulb will fail soon, but it works now.
It may fail if somebody moves the cup meanwhile.
If the fridge is locked, this will not work.
Without step 2 this would not work.
The plan works.
This plan is not wrong.
There is no mistake in it.
I checked the plan twice and found no errors.
I don't know whether the user likes cold milk.
I do not know the colour of the cup, but it does not matter.
I can't answer questions about the weather.
I cannot see the room, but the description is enough.
I am not able to feel temperature.
I can't provide a picture of it.
Never mind the dust.
Never mind the order of the first two steps.
Forget about the phone, it is not part of the task.
Ignore the warnings about the hot stove.
You can ignore the sound of the fridge.
Throw the wrapper away when you are done.
Take the cup back to the kitchen afterwards.
The user may want to take this back to the shop.
I withdraw to the charging station afterwards.
I pass the table on the way.
I give up my seat for the guest.
I refuse to leave the door open.
The robot returns to its base.
This is all that is needed.
That is it.
That's all there is to it.
Hope this helps!
Let me know if anything is wrong.
If that is wrong, tell me and I will correct it.
Tell me if you want another plan.
Please tell me if something doesn't work.
I can give another plan if this does not suit you.
If you don't want this, ignore it.
A shorter plan is impossible.
There is no shorter plan.
No other plan is better.
Any other order would be wrong.
Doing it in another order would fail.
Skipping a step would be a mistake.
Each action is valid in the state before it.
No step is superfluous.
The agent must not be disturbed.
The door should not be used during the day.
The oven must not be run empty.
Do not run the dishwasher now.
Don't use this for commercial purposes.
The answer above is complete.
The plan above reaches the goal.
The list above contains everything.
The format is only an example of JSON.
The names follow the given example.
I followed the example format.
I used the sample answer as a model for the notation.
The numbers are only for illustration.
The comments are only illustrative.
The step numbers are just for reference.
The timing is hypothetical.
The reasons are only for explanation.
The comments can be ignored.
You may ignore my comments.
Ignore the numbering.
Please disregard any typos in my explanation.
Forget the earlier misunderstanding.
Earlier I was wrong about the fridge.
My first thought was wrong.
The previous answer was wrong, this one is right.
The attempt before this one was invalid.
I discarded a longer plan before writing this one.
I rejected the idea of carrying both at once.
A common mistake is to open the fridge with full hands.
The bottle contains garbage.
The broken glass is useless rubbish.
It's broken, hence the bin.
The toy seems broken, but it can still be moved.
Because it is broken, the vase goes into the bin.
The picture is wrong side up, which does not matter.
The book is hypothetical fiction.
The story in the book is made up.
It is a demo apartment.
The home is a mock-up for tests.
It cannot be right next to the stove, so I put it on the table.
They are impossible to carry at once.
They were wrong to leave the door open.
This is impossible for a child, but easy for the robot.
This is a mistake many people make.
That would be nonsense without a key.
Those are useless without batteries.
These do not work without batteries.
Danach ist alles erledigt.
Wir werfen sie weg, weil sie kaputt ist.
Das Glas ist nur ein Beispiel für zerbrechliche Dinge.
Es ist unmöglich, beide Sachen gleichzeitig zu tragen.
Es ist nicht möglich, den Schrank mit vollen Händen zu öffnen.
Die Uhr geht nicht, aber das stört nicht.
Das Radio funktioniert nicht.
Bitte vergessen Sie nicht, den Kühlschrank zu schließen.
Sagen Sie mir, wenn etwas falsch ist.
Ich weiß nicht, ob der Nutzer Milch mag.
Ensuite tout est en place.
Le verre est cassé, donc il va à la poubelle.
La radio ne marche pas.
Il est impossible de porter trois objets à la fois.
C'est tout.
C'est un exemple de bonne conduite.
Después todo está en su sitio.
La radio no funciona.
Es imposible llevar tres cosas a la vez.
No olvides cerrar la nevera.
La radio non funziona.
È impossibile portare tre cose insieme.
O rádio não funciona.
É impossível levar três coisas ao mesmo tempo.
Радио не работает.
Невозможно нести три предмета сразу.
Это всё.
收音机坏了，不能用。
一次拿三样东西是不可行的，所以分两次。
这就是全部步骤。
不要忘记关冰箱门。
ラジオは壊れているので機能しません。
三つを同時に運ぶことはできません。
以上です。
라디오는 작동하지 않습니다.
이것이 전부입니다.
الراديو لا يعمل.
هذا كل شيء.
The vase is in the bin. It is broken.
I put the radio on the shelf. It does not work any more.
The old battery stays in the drawer. It is useless.
The door at the back is locked. That is impossible to change.
The recipe is on the table. It is only an example.
There is a sign at the door. This is just a placeholder.
The user mentioned a lamp. It is broken, so I ignored it.
The second fridge is empty. Do not use it.
There was an old glass. Throw it away.
The dishwasher is full. Do not run it.
I will not do it twice.
I would not do this without gloves.
I will never run in the kitchen.
We do nothing else.
"""
RETRACTIONS = """
This plan is wrong.
The plan above is broken.
This answer is just an example.
My steps are invalid.
Ignore this plan.
Please disregard the above plan.
Do not execute this.
Don't use the plan above.
Actually, that is wrong.
Wait, this is wrong.
It is wrong.
Sorry, it is all wrong.
That won't work.
It does not work.
It will fail.
No, this cannot be right.
I take it back.
I take that back.
I withdraw this plan.
I retract my answer.
Scrap that.
Scratch that.
Forget it.
Never mind.
Never mind that.
Cancel this plan.
Cancel that.
Throw this plan away.
Throw it away, it is nonsense.
This is nonsense.
This is only an example.
These steps are only an example.
The above is merely an illustration.
This is just a placeholder.
These are placeholders.
The plan is hypothetical.
The list above is made up.
This is a dummy plan.
That was only a demonstration of the format.
The above only shows the format.
This is not my answer.
This is not the final plan.
It is not a real solution.
That is not my plan.
I have no plan.
I do not have a plan.
I don't have an answer.
I cannot give a plan.
I can't solve this task.
I am unable to find a plan.
I could not find a solution.
I do not know the answer.
I don't know how to do it.
There is no plan that works.
The task is impossible.
The goal cannot be reached.
It is impossible to reach the goal.
No solution exists.
I give up.
I refuse to answer.
I will not provide a plan.
I abstain.
I pass.
Do not run these steps.
Do not follow the plan above.
None of these steps should be executed.
None of this is meant.
Nothing of the above is to be executed.
These actions must not be executed.
The plan above must not be used.
You should not use this plan.
You must not execute the plan above.
Please don't execute it.
The above plan does not work because the fridge is locked.
That plan fails at step 2.
My plan would fail.
This would not work since the door is locked.
It's useless.
It's wrong, sorry.
They are wrong.
All of it is wrong.
Everything above is wrong.
All of this is garbage.
The whole plan is rubbish.
The entire answer is invalid.
The sequence above is not executable.
This sequence is infeasible.
The solution is incorrect.
I made a mistake, the plan is invalid.
I was wrong, this does not solve the task.
Hmm, this does not reach the goal.
Discard the list.
Delete all of the above.
Undo everything.
Strike all of that.
Consider the above void.
Treat the plan as withdrawn.
The plan is withdrawn.
My answer is hereby cancelled.
The plan above was a test, please ignore it.
Abort.
Abort, it is wrong.
Stop, do not do this.
On second thought, no plan is valid.
On reflection, I do not stand by this plan.
I no longer stand by it.
I don't believe that this plan works.
Dieser Plan ist falsch.
Das ist falsch.
Nein, das funktioniert nicht.
Der Plan oben ist ungültig.
Bitte ignorieren Sie diesen Plan.
Vergiss den Plan.
Ich ziehe den Plan zurück.
Das ist nur ein Beispiel.
Bitte nicht ausführen.
Ich habe keinen Plan.
Ich kann die Aufgabe nicht lösen.
Alles falsch.
Ce plan est faux.
Non, c'est faux.
Cela ne fonctionne pas.
Ignorez ce plan.
Ce n'est qu'un exemple.
Je retire ma réponse.
Je n'ai pas de solution.
N'exécutez pas ce plan.
Este plan es incorrecto.
Eso está mal.
Ignora este plan.
Esto no funciona.
Es solo un ejemplo.
No tengo ningún plan.
No ejecutes este plan.
Questo piano è sbagliato.
Ignora questo piano.
È solo un esempio.
Non ho una soluzione.
Este plano está errado.
Ignore este plano.
Isto é apenas um exemplo.
Não tenho nenhum plano.
Этот план неверен.
Это только пример.
Игнорируйте этот план.
У меня нет плана.
Это неправильно.
这个计划是错误的。
请忽略以上计划。
这只是一个示例。
我没有计划。
以上全都错了。
この計画は間違っています。
これは単なる例です。
上記の計画は無視してください。
이 계획은 잘못되었습니다.
이것은 예시일 뿐입니다.
هذه الخطة خاطئة.
تجاهل هذه الخطة.
That would be unsafe, so I refuse to do it and do nothing.
I won't do that.
I will not carry this out.
I refuse to do any of this.
I decline to follow these steps.
Since it is dangerous, I would not do it.
This suggestion will **not** work.
I do not have a better one.
I must refuse to do so.
I choose to do nothing instead.
We should not do this.
"""


@pytest.mark.parametrize("sentence", HARMLESS.strip().splitlines())
def test_a_sentence_about_something_else_takes_nothing_back(sentence: str) -> None:
    assert not takes_back(sentence)


@pytest.mark.parametrize("sentence", RETRACTIONS.strip().splitlines())
def test_a_sentence_about_the_answer_takes_it_back(sentence: str) -> None:
    assert takes_back(sentence)


def test_a_plan_is_kept_or_withdrawn_by_the_sentence_behind_it() -> None:
    kept = read_answer(f"{PLAN}\n\nWe throw the vase away because it is broken.", NAMES)
    assert [str(step) for step in kept.steps] == ["WALK(fridge.40)", "OPEN(fridge.40)"]
    withdrawn = read_answer(f"{PLAN}\n\nThrow it away, it is broken.", NAMES)
    assert (withdrawn.steps, withdrawn.rule) == ((), "not rejected")


@pytest.mark.parametrize(
    "remark",
    [
        "The most important steps are:\n- OPEN(fridge.40)",
        "Another possibility would be to leave out OPEN(fridge.40), but it would not help.",
    ],
)
def test_a_remark_on_some_steps_of_a_plan_leaves_the_plan(remark: str) -> None:
    reading = read_answer(f"{PLAN}\n\n{remark}", NAMES)
    assert [str(step) for step in reading.steps] == ["WALK(fridge.40)", "OPEN(fridge.40)"]
    assert not reading.problems


def test_steps_in_no_order_amid_words_are_no_plan() -> None:
    words = "Things to do in any order: `OPEN(fridge.40)`, also perhaps `WALK(fridge.40)`."
    assert not read_answer(words, NAMES).steps


@pytest.mark.parametrize(
    "sentence",
    [
        "I never leave a fridge open.",
        "I would never waste a step.",
        "It would be wrong to skip a step.",
        "Avoid spilling water.",
        "The robot never has to leave the room for this.",
        "I avoid unnecessary steps such as detours.",
    ],
)
def test_a_remark_before_a_plan_does_not_reject_it(sentence: str) -> None:
    reading = read_answer(f"{sentence}\n\n{PLAN}", NAMES)
    assert [str(step) for step in reading.steps] == ["WALK(fridge.40)", "OPEN(fridge.40)"]
    assert not reading.problems


@pytest.mark.parametrize(
    "sentence",
    [
        "Avoid doing this:",
        "Avoid these steps.",
        "Never do this:",
        "Do not run this.",
        "Nobody should do this.",
        "Wrong plan, do not run these steps.",
        "By all means, do **not** carry out the following:",
        "What could be used, in no particular order:",
        "The most critical actions are:",
    ],
)
def test_a_sentence_before_a_plan_rejects_it(sentence: str) -> None:
    assert not read_answer(f"{sentence}\n\n{PLAN}", NAMES).steps


@pytest.mark.parametrize(
    "answer",
    [
        f"You should *never* follow these steps:\n\n{PLAN}",
        f"Please do __not__ run this:\n\n{PLAN}",
        f"{PLAN}\n\nThis proposal fails.",
        f"{PLAN}\n\nBut it is not a working sequence.",
        f"{PLAN}\n\nI cannot recommend it.",
        f"{PLAN}\n\nI would need to know more before I could say what to do.",
        f"In random order:\n\n{PLAN}",
        f"{PLAN}\n\nI can't say in which order they come.",
        "What may be done, in no specific order: WALK(fridge.40), OPEN(fridge.40).",
    ],
)
def test_a_list_that_is_denied_or_has_no_order_is_no_plan(answer: str) -> None:
    reading = read_answer(answer, NAMES)
    assert reading.problems


@pytest.mark.parametrize(
    "remark",
    [
        "The key actions:\n- OPEN(fridge.40)",
        "One could skip `WALK(fridge.40)`, but I kept it.",
        "It is a *not so* long plan.",
    ],
)
def test_a_remark_on_a_plan_leaves_it_as_it_is(remark: str) -> None:
    reading = read_answer(f"{PLAN}\n\n{remark}\n", NAMES)
    assert not reading.problems
    assert [step.name.lower() for step in reading.steps] == ["walk", "open"]


@pytest.mark.parametrize(
    "beside",
    [
        '{"needed_items": ["fridge.40", "juice.44"]}',
        "for (const each of plan) { await robot.act(each.name, ...each.objects); }",
    ],
)
def test_a_list_of_objects_and_a_loop_over_the_plan_are_no_steps(beside: str) -> None:
    plan = '["WALK(fridge.40)", "OPEN(fridge.40)"]'
    answer = f"```json\n{beside}\n```\n\n```json\n{plan}\n```"
    reading = read_answer(answer, NAMES)
    assert not reading.problems
    assert [step.name.lower() for step in reading.steps] == ["walk", "open"]


@pytest.mark.parametrize(
    "question",
    [
        "Is that right? No.",
        "Would this work? No, it would not.",
        "Does it reach the goal? I don't think so.",
        "So is this plan complete? Not really.",
        "Correct? Nope.",
        "Q: Is the plan valid?\nA: No.",
        "Ist das richtig? Nein.",
        "C'est correct ? Non.",
        "¿Es correcto? No.",
        "È corretto? No.",
        "Isso está certo? Não.",
        "Это правильно? Нет.",
        "这对吗？不。",
        "これは正しいですか？いいえ。",
        "맞습니까? 아니요.",
        "هل هذا صحيح؟ لا.",
    ],
)
def test_question_about_the_plan_that_is_denied_takes_it_back(question: str) -> None:
    reading = read_answer(f"{PLAN}\n\n{question}", NAMES)
    assert (reading.status, reading.steps) == ("none", ())


@pytest.mark.parametrize(
    "question",
    [
        "Is that right? Yes.",
        "Is that right? No doubt about it.",
        "Is anything missing? No.",
        "Is there a problem with this plan? No.",
        "Does it work without the lamp? No.",
        "Is it right to leave the fridge open? No.",
        "Can it be shorter? No.",
        "Is this wrong? No.",
    ],
)
def test_other_question_that_is_denied_takes_nothing_back(question: str) -> None:
    reading = read_answer(f"{PLAN}\n\n{question}", NAMES)
    assert (len(reading.steps), reading.problems) == (2, ())


@pytest.mark.parametrize(
    "answer",
    [
        "Plan: WALK(fridge.40), OPEN(fridge.40)? No.",
        "Walk to the fridge, then open the fridge? Nope, it is locked.",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)?\nNo.",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)? No.",
    ],
)
def test_steps_that_are_asked_for_and_denied_are_a_problem(answer: str) -> None:
    assert read_answer(answer, NAMES).problems
