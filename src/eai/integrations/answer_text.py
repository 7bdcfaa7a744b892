"""The answer within the text that a trainer passes: without the prompt, special tokens, old turns.

A prompt may hold an example plan, and a trainer may pass it in front of the answer. So an answer is
cut out by what separates it for certain, the given prompt or the marks of a chat template; where
neither is there, the text is refused.
"""

from __future__ import annotations

import re

from eai.errors import InputError

_ASSISTANT = re.compile(
    r"""
    <\|im_start\|>assistant\b            # ChatML: Qwen and many others
    | <\|start_header_id\|>assistant<\|end_header_id\|>  # Llama 3
    | <\|header_start\|>assistant<\|header_end\|>        # Llama 4
    | <start_of_turn>model\b             # Gemma
    | <\|assistant\|>                    # Phi, GLM
    | <\uff5cAssistant\uff5c>            # DeepSeek, with its full-width bars
    | <\|channel\|>final(?:<\|constrain\|>\w*)?<\|message\|>  # gpt-oss, behind its reasoning
    """,
    re.VERBOSE,
)
"""Marks behind which an answer of the model begins."""
_END = re.compile(
    r"""
    <\|(?:im_end|im_start|eot_id|eom_id|eot|endoftext|end_of_text|end|return|start|user
        |system|observation|start_header_id|begin_of_text)\|>
    | </s> | <eos> | <pad> | <end_of_turn> | <start_of_turn>
    | <\uff5c(?:end\u2581of\u2581sentence|User|begin\u2581of\u2581sentence)\uff5c>
    """,
    re.VERBOSE,
)
"""Marks at which an answer of the model is over."""
_LEADING = re.compile(
    r"(?:<s>|<bos>|<\|begin_of_text\|>|<\uff5cbegin\u2581of\u2581sentence\uff5c>)+"
)
"""Tokens that a tokenizer puts before a text."""
_ROLE_LINE = re.compile(r"^(?:assistant|model)[ \t]*$", re.MULTILINE)
"""Line that is left of a template's mark when special tokens are removed."""
_CERTAIN = 32
"""Number of characters of a prompt's end that tell it for certain in a text whose start was cut."""


def last_answer(text: str) -> str:
    r"""Return the model's last answer in a chat text, without template marks.

    Example:
        >>> last_answer("plan A<|im_end|><|im_start|>assistant\nplan B<|im_end|>")
        'plan B'
    """
    if "<" not in text:
        return text  # every mark has this sign
    # The text from the last mark of the model on, up to the next mark of any kind.
    begin = 0
    for mark in _ASSISTANT.finditer(text):
        begin = mark.end()
    if "<|channel|>" in text[begin:]:
        return ""  # a channel other than the final one: reasoning, or a call
    end = _END.search(text, begin)
    if end is None:
        return text[begin:].strip()
    return text[begin : end.start()].strip()


def answer_after(prompt: object, text: str) -> str:
    """Return the answer in a text that begins with its prompt.

    A trainer may have truncated the start of a long prompt. So the longest suffix of the prompt
    with which the text begins is removed, and no part of the prompt remains.

    Raises:
        InputError: If the text does not begin with the prompt or an end of it.
    """
    if not isinstance(prompt, str) or not prompt:
        raise InputError("the prompt is missing", expected="the text of the prompt")
    # A tokenizer may have put a token before the text, before the prompt, before both or none.
    for full_text in (text, _LEADING.sub("", text, count=1)):
        for full_prompt in (prompt, _LEADING.sub("", prompt, count=1)):
            if full_text.startswith(full_prompt):
                return last_answer(full_text[len(full_prompt) :])
    # The start of the prompt was cut off. The text up to the prompt's last characters has to be an
    # end of the prompt. The search goes backwards, so that the longest such end is found.
    prompt_tail = prompt[-_CERTAIN:]
    tail_begin = text.rfind(prompt_tail)
    while tail_begin >= 0 and len(prompt) > _CERTAIN:
        tail_end = tail_begin + len(prompt_tail)
        if prompt.endswith(text[:tail_end]):
            return last_answer(text[tail_end:])
        tail_begin = text.rfind(prompt_tail, 0, tail_end - 1)
    raise InputError(
        "the text does not begin with the prompt, so the answer cannot be told from it",
        expected="prompt and answer in one text, or the answer alone",
    )


def answer_behind_turns(text: str) -> str:
    """Return the last answer in a conversation that only has role names as marks.

    Raises:
        InputError: If no line says that the model speaks.
    """
    marks = list(_ROLE_LINE.finditer(text))
    if not marks:
        raise InputError(
            "several turns stand in one text, and nothing says which are the model's",
            expected="a line 'assistant' or 'model' before each of its turns",
        )
    return last_answer(text[marks[-1].end() :].strip())
