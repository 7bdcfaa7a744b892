"""Notations that are known and are not read: an answer in one of them has a problem that says so.

Interfaces and frameworks write logs around what a model said. Whoever keeps such a log instead of
the answer is told, as a part of the log that looks like a step is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from eai.answers.plan import AnswerProblem
from eai.text import lazy_pattern

_NOTATIONS = (
    (
        "data:",
        "a stream of events",
        lazy_pattern(r"(?m)^data:[ ]?\{[^\n]{0,400}?\"(?:choices|delta|content_block)\""),
    ),
    (
        '"done"',
        "a message in parts",
        lazy_pattern(
            r"\A\s{0,99}\{[^\n]{0,500}?\"(?:message\": ?\{|response\": ?\")"
            r"[^\n]{0,500}?\"done\": ?false"
        ),
    ),
    (
        "tool_call(",
        "a call of ChatGLM3",
        lazy_pattern(r"(?m)^(?:<\|assistant\|>)?\w{1,60}\n```(?:python)?\n[ \t]*tool_call\("),
    ),
    ("function_call", "a message of protobuf", lazy_pattern(r"\bfunction_call\s{0,9}\{")),
    ("***", "a log of AutoGen", lazy_pattern(r"(?m)^\*{3,}[ ]?Suggested (?:tool|function) call")),
    ("====", "a log of LangChain", lazy_pattern(r"(?m)^={5,99} ?Ai Message ?={5}")),
    ("<|sep|>", "a call between special tokens", lazy_pattern(r"<\|open\|>")),
    ("{|", "a table of MediaWiki", lazy_pattern(r"(?m)^[ \t]*\{\|[^\n]{0,200}\n[ \t]*[|!]")),
    ("VALUES", "a statement of SQL", lazy_pattern(r"\bINSERT\s{1,9}INTO\b")),
    (
        "=",
        "a message as Python prints it",
        lazy_pattern(
            r"\b(?:[A-Z]\w{0,60})?(?:Message|Completion|Response|Choice|Chat|(?:Tool|Function)Call)\((?=[a-z_]+=)"
            r"|\bCall\(id="
        ),
    ),
    ("Out[", "a transcript of a notebook", lazy_pattern(r"(?m)^[ \t]*Out\[\d")),
    ("[:", "a vector of keywords", lazy_pattern(r"\[\s{0,9}:[A-Za-z]\w{0,40}[\s\]]")),
    (
        "def ",
        "a function behind a sign of equality",
        lazy_pattern(
            r"(?m)^[ \t]*(?:\w{1,9} )?def \w{1,60}\([^()\n]{0,80}\)(?: ?: ?[A-Z]\w{0,20})? ?=(?!=)"
        ),
    ),
)
"""A text that each notation has, its name, and the pattern of its begin."""


def problems_of_notations(text: str, begin: int) -> Iterator[AnswerProblem]:
    """Yield a problem for each notation in an answer that is not read.

    Args:
        text: What the model wrote.
        begin: Where the answer begins behind its reasoning.
    """
    for sign, name, pattern in _NOTATIONS:
        found = pattern.search(text, begin) if sign in text else None
        if found is not None:
            yield AnswerProblem(f"{name}, which is not read, stands here", found.start())
