"""Shapes of answers to subgoal decomposition, with the same subgoals in each."""

# ruff: noqa: RUF001 - letters of other scripts are what is written here

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from answer_steps import dumped, element, fenced


@dataclass(frozen=True)
class Literal:
    """A predicate and its objects."""

    predicate: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(self.arguments)})"


@dataclass(frozen=True)
class Subgoal:
    """Literals that have to be true at the same time."""

    literals: tuple[Literal, ...]

    def __str__(self) -> str:
        return " and ".join(map(str, self.literals))


SubgoalShape = Callable[[Sequence[Subgoal]], str]
SUBGOAL_SHAPES: dict[str, SubgoalShape] = {}


def plain(subgoals: Sequence[Subgoal]) -> str:
    """Return subgoals in the suite's own notation."""
    return dumped({"output": [str(subgoal) for subgoal in subgoals]})


def shape(function: SubgoalShape) -> SubgoalShape:
    """Register a shape by the name of its function."""
    SUBGOAL_SHAPES[function.__name__] = function
    return function


def _each(subgoals: Sequence[Subgoal], write: Callable[[int, Subgoal], str]) -> str:
    return "\n".join(write(number, subgoal) for number, subgoal in enumerate(subgoals, start=1))


def numbered(subgoals: Sequence[Subgoal]) -> str:
    """Return subgoals as numbered lines."""
    return _each(subgoals, lambda number, subgoal: f"{number}. {subgoal}")


# JSON


@shape
def subgoal_objects(subgoals: Sequence[Subgoal]) -> str:
    return dumped([{"subgoal": str(subgoal)} for subgoal in subgoals])


@shape
def numbered_objects(subgoals: Sequence[Subgoal]) -> str:
    rows = [
        {"step": number, "condition": str(subgoal), "why": f"milestone {number}"}
        for number, subgoal in enumerate(subgoals, start=1)
    ]
    return fenced(dumped({"subgoals": rows}, indent=2), "json")


@shape
def literal_objects(subgoals: Sequence[Subgoal]) -> str:
    rows = [
        [
            {"predicate": literal.predicate, "arguments": list(literal.arguments)}
            for literal in subgoal.literals
        ]
        for subgoal in subgoals
    ]
    return dumped({"output": rows})


@shape
def literal_lists(subgoals: Sequence[Subgoal]) -> str:
    rows = [
        [[literal.predicate, *literal.arguments] for literal in subgoal.literals]
        for subgoal in subgoals
    ]
    return dumped({"output": rows})


@shape
def json_lines(subgoals: Sequence[Subgoal]) -> str:
    return _each(subgoals, lambda number, subgoal: dumped({"id": number, "state": str(subgoal)}))


@shape
def number_keys(subgoals: Sequence[Subgoal]) -> str:
    return dumped({str(number): str(each) for number, each in enumerate(subgoals, start=1)})


@shape
def json_in_a_string(subgoals: Sequence[Subgoal]) -> str:
    return dumped(plain(subgoals))


@shape
def json_with_comments(subgoals: Sequence[Subgoal]) -> str:
    rows = _each(subgoals, lambda number, subgoal: f'  "{subgoal}", // milestone {number}')
    return fenced(f"[\n{rows}\n]", "json")


@shape
def openai_tool_call(subgoals: Sequence[Subgoal]) -> str:
    function = {"name": "submit_subgoals", "arguments": plain(subgoals)}
    call = {"id": "call_1", "type": "function", "function": function}
    return dumped({"role": "assistant", "content": None, "tool_calls": [call]})


@shape
def anthropic_tool_use(subgoals: Sequence[Subgoal]) -> str:
    given = {"subgoals": [str(subgoal) for subgoal in subgoals]}
    block = {"type": "tool_use", "id": "toolu_1", "name": "submit", "input": given}
    return dumped([{"type": "text", "text": "Here are the subgoals."}, block])


@shape
def plain_then_explanation(subgoals: Sequence[Subgoal]) -> str:
    notes = _each(subgoals, lambda number, _: f"{number}. This is milestone {number} [see above].")
    return f"{fenced(plain(subgoals), 'json')}\n\nExplanation:\n{notes}"


@shape
def plain_then_missing(subgoals: Sequence[Subgoal]) -> str:
    return f"{plain(subgoals)}\n\nMissing information: []"


# Other notations of data


@shape
def xml_subgoals(subgoals: Sequence[Subgoal]) -> str:
    rows = _each(subgoals, lambda number, each: element("subgoal", str(each), id=number))
    return f"<subgoals>\n{rows}\n</subgoals>"


@shape
def xml_literals(subgoals: Sequence[Subgoal]) -> str:
    def row(_: int, subgoal: Subgoal) -> str:
        literals = "".join(
            element("literal", predicate=literal.predicate, args=", ".join(literal.arguments))
            for literal in subgoal.literals
        )
        return element("state", literals)

    return f"<plan>\n{_each(subgoals, row)}\n</plan>"


@shape
def toml_array(subgoals: Sequence[Subgoal]) -> str:
    rows = _each(subgoals, lambda _, subgoal: f'  "{subgoal}",')
    return fenced(f"subgoals = [\n{rows}\n]", "toml")


@shape
def csv_rows(subgoals: Sequence[Subgoal]) -> str:
    rows = _each(subgoals, lambda number, subgoal: f'{number},"{subgoal}"')
    return f"step,subgoal\n{rows}"


@shape
def yaml_conjunctions(subgoals: Sequence[Subgoal]) -> str:
    lines = ["subgoals:"]
    for subgoal in subgoals:
        lines.append("  - all_of:")
        lines += [f"      - {literal}" for literal in subgoal.literals]
    return fenced("\n".join(lines), "yaml")


@shape
def html_list(subgoals: Sequence[Subgoal]) -> str:
    return element("ol", "".join(element("li", str(subgoal)) for subgoal in subgoals))


@shape
def html_entities(subgoals: Sequence[Subgoal]) -> str:
    rows = ", ".join(f"&quot;{subgoal}&quot;" for subgoal in subgoals)
    return f"{{&quot;output&quot;: [{rows}]}}"


@shape
def latex_items(subgoals: Sequence[Subgoal]) -> str:
    rows = _each(subgoals, lambda _, each: r"\item " + str(each).replace("_", r"\_"))
    return f"\\begin{{enumerate}}\n{rows}\n\\end{{enumerate}}"


# Code


@shape
def append_calls(subgoals: Sequence[Subgoal]) -> str:
    rows = _each(subgoals, lambda _, subgoal: f'subgoals.append("{subgoal}")')
    return fenced(f"subgoals = []\n{rows}", "python")


@shape
def achieve_calls(subgoals: Sequence[Subgoal]) -> str:
    return fenced(_each(subgoals, lambda _, subgoal: f'achieve("{subgoal}")'), "python")


@shape
def constructors(subgoals: Sequence[Subgoal]) -> str:
    rows = _each(subgoals, lambda number, each: f'    Subgoal(id={number}, state="{each}"),')
    return fenced(f"plan = [\n{rows}\n]", "python")


# Markdown and text


@shape
def table(subgoals: Sequence[Subgoal]) -> str:
    rows = _each(
        subgoals, lambda number, each: f"| {number} | `{each}` | milestone {number} is reached |"
    )
    return f"| # | Subgoal | Meaning |\n| --- | --- | --- |\n{rows}"


@shape
def headings(subgoals: Sequence[Subgoal]) -> str:
    return _each(
        subgoals,
        lambda number, each: f"### Subgoal {number}\n- State: {each}\n- Reason: it comes next\n",
    )


@shape
def ticked_checklist(subgoals: Sequence[Subgoal]) -> str:
    return _each(subgoals, lambda _, subgoal: f"- [x] {subgoal}")


@shape
def numbered_with_reasons(subgoals: Sequence[Subgoal]) -> str:
    return _each(subgoals, lambda number, each: f"{number}) {each} – this is milestone {number}.")


@shape
def reasons_below(subgoals: Sequence[Subgoal]) -> str:
    return _each(subgoals, lambda number, each: f"{number}. {each}\n   Reason: milestone {number}")


@shape
def literals_as_sub_bullets(subgoals: Sequence[Subgoal]) -> str:
    lines = []
    for number, subgoal in enumerate(subgoals, start=1):
        lines.append(f"{number}. All of these hold:")
        lines += [f"   - {literal}" for literal in subgoal.literals]
    return "\n".join(lines)


@shape
def logical_and(subgoals: Sequence[Subgoal]) -> str:
    return _each(subgoals, lambda number, each: f"{number}. {' ∧ '.join(map(str, each.literals))}")


@shape
def commas_for_and(subgoals: Sequence[Subgoal]) -> str:
    return _each(subgoals, lambda number, each: f"{number}. {', '.join(map(str, each.literals))}")


@shape
def sets_of_literals(subgoals: Sequence[Subgoal]) -> str:
    return _each(
        subgoals, lambda number, each: f"S{number} = {{{', '.join(map(str, each.literals))}}}"
    )


@shape
def then_formula(subgoals: Sequence[Subgoal]) -> str:
    written = [
        f"({subgoal})" if len(subgoal.literals) > 1 else str(subgoal) for subgoal in subgoals
    ]
    return " then ".join(written)


@shape
def semicolons(subgoals: Sequence[Subgoal]) -> str:
    return f"Subgoals: {'; '.join(map(str, subgoals))}."


@shape
def emoji_digits(subgoals: Sequence[Subgoal]) -> str:
    return _each(
        subgoals,
        lambda number, each: "".join(f"{d}\ufe0f\u20e3" for d in str(number)) + f" {each}",
    )


@shape
def guillemets(subgoals: Sequence[Subgoal]) -> str:
    return _each(subgoals, lambda number, subgoal: f"{number}. «{subgoal}»")


@shape
def ideographic_commas(subgoals: Sequence[Subgoal]) -> str:
    return f"子目标如下：\n{_each(subgoals, lambda number, subgoal: f'{number}、{subgoal}')}"


@shape
def escaped_underscores(subgoals: Sequence[Subgoal]) -> str:
    return numbered(subgoals).replace("_", "\\_")


@shape
def lower_case_lines(subgoals: Sequence[Subgoal]) -> str:
    return numbered(subgoals).lower()


@shape
def first_then_finally(subgoals: Sequence[Subgoal]) -> str:
    lines = []
    for number, subgoal in enumerate(subgoals):
        word = "First" if number == 0 else "Then"
        if number and number == len(subgoals) - 1:
            word = "Finally"
        lines.append(f"{word}, reach `{subgoal}`.")
    return " ".join(lines)


@shape
def answer_tag(subgoals: Sequence[Subgoal]) -> str:
    return f"Some thoughts first.\n<answer>\n{numbered(subgoals)}\n</answer>"


@shape
def two_fences_draft_final(subgoals: Sequence[Subgoal]) -> str:
    draft = fenced(numbered(subgoals[:1]))
    return f"Draft:\n{draft}\n\nThat is too short. Final:\n{fenced(numbered(subgoals))}"
