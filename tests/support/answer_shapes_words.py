"""Plans in one line, in prose, with words around them, and within other languages."""

# ruff: noqa: RUF001 - letters of other scripts are what is written here

from __future__ import annotations

from collections.abc import Sequence

from answer_steps import (
    Shape,
    Step,
    code_call,
    dumped,
    each_line,
    element,
    fenced,
    formal,
    numbered,
    reason,
    vary,
)

ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")

WORD_SHAPES: dict[str, Shape] = {}


def shape(function: Shape) -> Shape:
    """Register a shape by the name of its function."""
    WORD_SHAPES[function.__name__] = function
    return function


# One line


@shape
def semicolons(steps: Sequence[Step]) -> str:
    return "; ".join(step.call for step in steps) + "."


@shape
def ascii_arrows(steps: Sequence[Step]) -> str:
    return "Plan: " + " -> ".join(step.call for step in steps)


@shape
def unicode_arrows(steps: Sequence[Step]) -> str:
    return " → ".join(f"`{step.call}`" for step in steps)


@shape
def numbers_in_one_line(steps: Sequence[Step]) -> str:
    return " ".join(f"{number}. {step.call}" for number, step in enumerate(steps, start=1))


@shape
def numbers_and_commas(steps: Sequence[Step]) -> str:
    listed = ", ".join(f"({number}) {step.call}" for number, step in enumerate(steps, start=1))
    return f"{vary(steps, 'The steps are', 'My plan is', 'I propose')}: {listed}."


@shape
def words_then(steps: Sequence[Step]) -> str:
    return ", then ".join(step.call for step in steps) + "."


@shape
def bare_brackets(steps: Sequence[Step]) -> str:
    return f"[{', '.join(step.call for step in steps)}]"


# Prose


@shape
def ordinal_words(steps: Sequence[Step]) -> str:
    lines = []
    for number, step in enumerate(steps):
        word = ORDINALS[number] if number < len(ORDINALS) else "Next"
        if number and number == len(steps) - 1:
            word = "Finally"
        lines.append(f"{word}, `{step.call}`.")
    return " ".join(lines)


@shape
def prose_sentences(steps: Sequence[Step]) -> str:
    starts = ("First, I ", "Then I ", "After that I ", "Next, I ")
    lines = []
    for number, step in enumerate(steps):
        start = starts[0] if number == 0 else starts[1 + number % 3]
        lines.append(f"{start}{step.words}.")
    return " ".join(lines)


@shape
def prose_numbered(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{number}. {_capital(step.words)}.")


@shape
def prose_bold_labels(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: f"**Step {number}:** The robot should {step.words}.",
    )


@shape
def prose_imperative_chain(steps: Sequence[Step]) -> str:
    chain = [step.words for step in steps]
    if len(chain) > 1:
        chain[-1] = f"and finally {chain[-1]}"
    text = ", ".join(chain)
    return f"{_capital(text)}."


@shape
def prose_with_reasons(steps: Sequence[Step]) -> str:
    return each_line(
        steps, lambda number, step: f"{number}) {step.words} ({reason(number, steps)})"
    )


# Steps that are said in words and written as calls, and remarks that name objects


def _last_object(step: Step) -> str:
    return step.arguments[-1] if step.arguments else "the body"


@shape
def words_then_call(steps: Sequence[Step]) -> str:
    return each_line(
        steps, lambda number, step: f"{number}. {_capital(step.words)}: `{formal(step)}`"
    )


@shape
def call_then_words(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{number}. {formal(step)} – {step.words}")


@shape
def heading_in_words_then_call(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: (
            f"### Step {number}: {_capital(step.words)}\n\n{fenced(formal(step))}\n"
        ),
    )


@shape
def table_of_words_and_calls(steps: Sequence[Step]) -> str:
    rows = each_line(
        steps, lambda number, step: f"| {number} | {_capital(step.words)} | `{formal(step)}` |"
    )
    return f"| Step | Description | Action |\n| --- | --- | --- |\n{rows}"


@shape
def json_words_and_calls(steps: Sequence[Step]) -> str:
    rows = [{"description": _capital(step.words), "action": formal(step)} for step in steps]
    return fenced(dumped({"plan": rows}, indent=2), "json")


@shape
def code_below_comments_in_words(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda _, step: f"# {_capital(step.words)}\n{code_call(step)}")
    return fenced(rows, "python")


@shape
def reasons_name_objects(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: f"{number}. {step.call}\n   - Why: {_last_object(step)} is needed.",
    )


@shape
def effects_name_objects(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: (
            f"**Step {number}**\n"
            f"- Preconditions: {_last_object(step)} can be used\n"
            f"- Action: {step.call}\n"
            f"- Effects: {_last_object(step)} is as wanted\n"
        ),
    )


@shape
def closing_names_objects(steps: Sequence[Step]) -> str:
    objects = ", ".join(dict.fromkeys(map(_last_object, steps)))
    return f"{numbered(steps)}\n\nIn the end these are as the task wants them: {objects}."


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


@shape
def email(steps: Sequence[Step]) -> str:
    return (
        "Subject: the plan\n\nDear user,\n\nthank you for your request. Please carry out:\n\n"
        f"{numbered(steps)}\n\nKind regards,\nYour assistant"
    )


# Around the steps


@shape
def answer_tag(steps: Sequence[Step]) -> str:
    return f"I compared a few orders.\n<answer>\n{numbered(steps)}\n</answer>"


@shape
def answer_tag_json(steps: Sequence[Step]) -> str:
    return element("answer", dumped([step.call for step in steps]))


@shape
def plan_brackets(steps: Sequence[Step]) -> str:
    calls = "\n".join(step.call for step in steps)
    return f"[PLAN]\n{calls}\n[PLAN END]"


@shape
def double_brackets(steps: Sequence[Step]) -> str:
    calls = "\n".join(step.call for step in steps)
    return f"<<<PLAN>>>\n{calls}\n<<<END>>>"


@shape
def final_answer_marker(steps: Sequence[Step]) -> str:
    return f"The state is clear, so I can decide.\n\n#### Final answer\n\n{numbered(steps)}"


@shape
def counted_summary(steps: Sequence[Step]) -> str:
    return (
        f"{numbered(steps)}\n\n**Summary:** {len(steps)} steps, total cost {len(steps)}, "
        "estimated time 2 minutes."
    )


@shape
def offer_at_the_end(steps: Sequence[Step]) -> str:
    offer = vary(
        steps,
        "Would you like me to explain any of these?",
        "If something is unclear, just ask.",
        "Shall I look for a shorter one?",
    )
    return f"Certainly! Here's a plan:\n\n{numbered(steps)}\n\n{offer}"


@shape
def said_twice_as_json(steps: Sequence[Step]) -> str:
    calls = dumped([step.call for step in steps])
    return f"{numbered(steps)}\n\nThe same plan as JSON:\n{fenced(calls, 'json')}"


@shape
def repeated_as_a_chain(steps: Sequence[Step]) -> str:
    chain = " → ".join(step.call for step in steps)
    return f"{numbered(steps)}\n\nIn short: {chain}"


def _thought(steps: Sequence[Step]) -> str:
    """Return a thought that mentions a step and ends in no plan."""
    return f"Perhaps {steps[-1].call} comes first? No, it has to wait."


@shape
def thinking_tag(steps: Sequence[Step]) -> str:
    name = vary(steps, "thinking", "reasoning", "thought", "reflection", "scratchpad", "analysis")
    return f"{element(name, _thought(steps))}\n{numbered(steps)}"


@shape
def thinking_lone_close(steps: Sequence[Step]) -> str:
    return f"Okay, so. {_thought(steps)}\n</think>\n\n{numbered(steps)}"


@shape
def thinking_of_kimi(steps: Sequence[Step]) -> str:
    return f"◁think▷{_thought(steps)}◁/think▷{numbered(steps)}"


@shape
def thinking_of_magistral(steps: Sequence[Step]) -> str:
    return f"[THINK]{_thought(steps)}[/THINK]{numbered(steps)}</s>"


@shape
def thinking_of_openthinker(steps: Sequence[Step]) -> str:
    return (
        f"<|begin_of_thought|>\n\n{_thought(steps)}\n\n<|end_of_thought|>\n\n"
        f"<|begin_of_solution|>\n\n{numbered(steps)}\n\n<|end_of_solution|>"
    )


@shape
def thinking_of_seed(steps: Sequence[Step]) -> str:
    return f"<seed:think>{_thought(steps)}</seed:think>{numbered(steps)}"


@shape
def thinking_in_a_quote(steps: Sequence[Step]) -> str:
    return f"> **Thinking:** {_thought(steps)}\n\n**Answer**\n\n{numbered(steps)}"


@shape
def end_tokens(steps: Sequence[Step]) -> str:
    token = vary(
        steps, "<end_of_turn>", "<|eot_id|>", "</s>", "<|im_end|>", "<|endoftext|>", "<eos>"
    )
    return f"{numbered(steps)}{token}"


@shape
def role_header(steps: Sequence[Step]) -> str:
    header = vary(
        steps,
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<|im_start|>assistant\n",
        "<start_of_turn>model\n",
        "ASSISTANT: ",
    )
    return f"{header}{numbered(steps)}"


# Other languages and scripts


@shape
def in_chinese(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"第{number}步：执行动作 {step.call}。")
    return f"好的，以下是完成任务的计划：\n{rows}\n这样任务就完成了。"


@shape
def in_japanese(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"ステップ{number}：「{step.call}」を実行します。")
    return f"計画は次のとおりです。\n{rows}\n以上です。"


@shape
def in_korean(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"{number}단계: {step.call}")
    return f"다음은 계획입니다.\n{rows}"


@shape
def in_spanish(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"Paso {number}: {step.call}")
    return f"Claro, aquí está el plan:\n\n{rows}\n\nCon esto se alcanza el objetivo."


@shape
def in_german(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"Schritt {number}: {step.call}")
    return f"Gerne, hier ist der Plan:\n{rows}\nDamit ist das Ziel erreicht."


@shape
def in_arabic(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"الخطوة {number}: {step.call}")
    return f"إليك الخطة:\n{rows}"


@shape
def in_russian(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"Шаг {number}. {step.call}")
    return f"Вот план:\n\n{rows}\n\nГотово."


@shape
def ideographic_commas(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{number}、{step.call}")


@shape
def full_width_signs(steps: Sequence[Step]) -> str:
    wide = str.maketrans("(),0123456789.", "（），０１２３４５６７８９．")

    def line(number: int, step: Step) -> str:
        call = step.call.translate(str.maketrans("(),", "（），"))
        return f"{number}.".translate(wide) + call + "；"

    return each_line(steps, line)


@shape
def guillemets(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: f"{number}. «{step.call}»")


@shape
def typographic_quotes(steps: Sequence[Step]) -> str:
    return "plan = [" + ", ".join(f"‘{step.call}’" for step in steps) + "]"
