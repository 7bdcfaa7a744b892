"""Plans told in sentences: however they are put together, each step is read or a problem."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import example, given, settings, strategies as st

import eai
from eai.answers import bind, read_answer

NAMES = eai.suite("household").task("studio-12").readable
VERBS = {
    "walk": ("walk to", "walks to", "walked to"),
    "grab": ("grab", "grabs", "grabbed"),
    "open": ("open", "opens", "opened"),
    "plugin": ("plug in", "plugs in", "plugged in"),
    "switchon": ("turn on", "turns on", "turned on"),
    "sit": ("sit on", "sits on", "sat on"),
    "touch": ("touch", "touches", "touched"),
}
OBJECTS = ["desk.17", "couch.22", "fridge.40", "cup.56", "laptop.19", "light.34", "guitar.36"]
LEADS = ["", "first, ", "then ", "after that, ", "finally, ", "subsequently, ", "at this point, "]
LEADS += ["in the kitchen, ", "with a smile, ", "without delay, ", "later, ", "to begin, "]
ADVERBS = ["", "carefully ", "then ", "also ", "just "]
BEHIND = ["", " at once", " in the room", " with the left hand", ", which is close"]
LINKS = [" and ", ", then ", ", and then "]
ASIDES = ["", " That is easy.", " The room is quiet."]


class Sentence(NamedTuple):
    """A sentence about some steps, and the words between and around them."""

    steps: list[tuple[str, str]]
    lead: str
    adverb: str
    behind: str
    link: str
    aside: str

    def told(self, subject: str, tense: int) -> str:
        clauses = [
            f"{self.adverb}{VERBS[action][tense]} {name}{self.behind}"
            for action, name in self.steps
        ]
        text = f"{self.lead}{subject}{self.link.join(clauses)}.{self.aside}"
        return text[0].upper() + text[1:]


SENTENCES = st.builds(
    Sentence,
    st.lists(
        st.tuples(st.sampled_from(list(VERBS)), st.sampled_from(OBJECTS)), min_size=1, max_size=3
    ),
    *map(st.sampled_from, (LEADS, ADVERBS, BEHIND, LINKS, ASIDES)),
)


@settings(max_examples=80)
@given(
    sentences=st.lists(SENTENCES, min_size=1, max_size=4),
    teller=st.sampled_from([("", 0), ("the robot ", 1), ("I ", 2)]),
)
@example(
    sentences=[
        Sentence([("walk", "desk.17")] * 3, "in the kitchen, ", "", "", " and ", ""),
        Sentence([("walk", "desk.17")], "", "", "", " and ", ""),
    ],
    teller=("", 0),
)
@example(
    sentences=[
        Sentence([("grab", "desk.17"), ("walk", "couch.22")], lead, "", "", " and ", "")
        for lead in ("in the kitchen, ", "")
    ],
    teller=("", 0),
)
def test_no_step_of_a_told_plan_is_lost_in_silence(
    sentences: list[Sentence], teller: tuple[str, int]
) -> None:
    text = " ".join(sentence.told(*teller) for sentence in sentences)
    steps = [f"{action}({name})" for sentence in sentences for action, name in sentence.steps]
    reading = read_answer(text, NAMES)
    read_steps = [str(action) for action in bind(reading, NAMES).actions]
    assert reading.problems or read_steps == steps
