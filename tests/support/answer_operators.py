"""Shapes of answers to transition modeling, with the same operators in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from answer_steps import dumped, element, fenced


@dataclass(frozen=True)
class OperatorText:
    """An action of PDDL in its four parts."""

    name: str
    parameters: str  # "(?a - robot ?l - location)"
    precondition: str
    effect: str

    def action(self) -> str:
        """Return the action in PDDL."""
        return (
            f"(:action {self.name}\n"
            f"  :parameters {self.parameters}\n"
            f"  :precondition {self.precondition}\n"
            f"  :effect {self.effect}\n)"
        )


OperatorShape = Callable[[Sequence[OperatorText]], str]
OPERATOR_SHAPES: dict[str, OperatorShape] = {}


def actions(operators: Sequence[OperatorText]) -> str:
    """Return operators as PDDL, with an empty line between them."""
    return "\n\n".join(operator.action() for operator in operators)


def plain(operators: Sequence[OperatorText]) -> str:
    """Return operators in the suite's own notation."""
    return dumped({"output": actions(operators)})


def shape(function: OperatorShape) -> OperatorShape:
    """Register a shape by the name of its function."""
    OPERATOR_SHAPES[function.__name__] = function
    return function


def _parts(operator: OperatorText) -> dict[str, str]:
    return {
        "parameters": operator.parameters,
        "precondition": operator.precondition,
        "effect": operator.effect,
    }


# JSON


@shape
def json_list_of_texts(operators: Sequence[OperatorText]) -> str:
    return dumped([operator.action() for operator in operators])


@shape
def json_output_list(operators: Sequence[OperatorText]) -> str:
    return fenced(dumped({"output": [each.action() for each in operators]}, indent=2), "json")


@shape
def json_part_objects(operators: Sequence[OperatorText]) -> str:
    rows = [{"name": operator.name, **_parts(operator)} for operator in operators]
    return dumped({"actions": rows}, indent=1)


@shape
def json_action_key(operators: Sequence[OperatorText]) -> str:
    rows = [{"action": operator.name, **_parts(operator)} for operator in operators]
    return fenced(dumped(rows, indent=2), "json")


@shape
def json_by_name(operators: Sequence[OperatorText]) -> str:
    return dumped({operator.name: _parts(operator) for operator in operators})


@shape
def json_text_by_name(operators: Sequence[OperatorText]) -> str:
    return dumped({operator.name: operator.action() for operator in operators})


@shape
def json_lines(operators: Sequence[OperatorText]) -> str:
    return "\n".join(dumped({"name": operator.name, **_parts(operator)}) for operator in operators)


@shape
def json_with_raw_newlines(operators: Sequence[OperatorText]) -> str:
    return f'{{"output": "{actions(operators)}"}}'


@shape
def json_plural_keys(operators: Sequence[OperatorText]) -> str:
    rows = [
        {
            "action_name": operator.name,
            "action_parameters": operator.parameters,
            "action_preconditions": operator.precondition,
            "action_effects": operator.effect,
        }
        for operator in operators
    ]
    return dumped(rows)


@shape
def openai_tool_call(operators: Sequence[OperatorText]) -> str:
    function = {"name": "submit", "arguments": dumped({"pddl": actions(operators)})}
    call = {"id": "call_1", "type": "function", "function": function}
    return dumped({"role": "assistant", "content": None, "tool_calls": [call]})


@shape
def anthropic_text_block(operators: Sequence[OperatorText]) -> str:
    return dumped([{"type": "text", "text": fenced(actions(operators), "pddl")}])


# Fences, tags and code


@shape
def one_fence_with_words(operators: Sequence[OperatorText]) -> str:
    return f"Here are the actions:\n\n{fenced(actions(operators), 'lisp')}\n\nI hope this helps!"


@shape
def whole_domain(operators: Sequence[OperatorText]) -> str:
    return fenced(f"(define (domain d)\n{actions(operators)}\n)", "pddl")


@shape
def xml_elements(operators: Sequence[OperatorText]) -> str:
    rows = []
    for operator in operators:
        inner = "".join(element(key, value) for key, value in _parts(operator).items())
        rows.append(element("action", inner, name=operator.name))
    return element("actions", "\n".join(rows))


@shape
def pre_tag(operators: Sequence[OperatorText]) -> str:
    return element("pre", element("code", actions(operators)))


@shape
def answer_tag(operators: Sequence[OperatorText]) -> str:
    return f"Let me complete them.\n<answer>\n{actions(operators)}\n</answer>"


@shape
def latex_verbatim(operators: Sequence[OperatorText]) -> str:
    return f"\\begin{{verbatim}}\n{actions(operators)}\n\\end{{verbatim}}"


@shape
def python_variable(operators: Sequence[OperatorText]) -> str:
    return fenced(f'ACTIONS = """\n{actions(operators)}\n"""', "python")


@shape
def python_dict(operators: Sequence[OperatorText]) -> str:
    rows = {operator.name: _parts(operator) for operator in operators}
    return f"actions = {rows!r}"


@shape
def yaml_blocks(operators: Sequence[OperatorText]) -> str:
    rows = []
    for operator in operators:
        rows.append(f"- name: {operator.name}")
        rows += [f"  {key}: |\n    {value}" for key, value in _parts(operator).items()]
    return fenced("\n".join(rows), "yaml")


@shape
def toml_tables(operators: Sequence[OperatorText]) -> str:
    rows = []
    for operator in operators:
        rows.append(f'[[actions]]\nname = "{operator.name}"')
        rows += [f'{key} = "{value}"' for key, value in _parts(operator).items()]
        rows.append("")
    return fenced("\n".join(rows), "toml")


# Markdown and text


@shape
def headings_with_bullets(operators: Sequence[OperatorText]) -> str:
    return "\n\n".join(
        f"### {operator.name}\n"
        f"- **Parameters:** `{operator.parameters}`\n"
        f"- **Precondition:** `{operator.precondition}`\n"
        f"- **Effect:** `{operator.effect}`"
        for operator in operators
    )


@shape
def labelled_lines(operators: Sequence[OperatorText]) -> str:
    return "\n\n".join(
        f"Action: {operator.name}\n"
        f"Parameters: {operator.parameters}\n"
        f"Preconditions: {operator.precondition}\n"
        f"Effects: {operator.effect}"
        for operator in operators
    )


@shape
def table(operators: Sequence[OperatorText]) -> str:
    rows = "\n".join(
        f"| {each.name} | `{each.parameters}` | `{each.precondition}` | `{each.effect}` |"
        for each in operators
    )
    return f"| Action | Parameters | Precondition | Effect |\n| --- | --- | --- | --- |\n{rows}"


@shape
def numbered_actions(operators: Sequence[OperatorText]) -> str:
    return "\n\n".join(f"{i}. {each.action()}" for i, each in enumerate(operators, start=1))


@shape
def one_line_each(operators: Sequence[OperatorText]) -> str:
    return "\n".join(" ".join(operator.action().split()) for operator in operators)


@shape
def bullets_in_backticks(operators: Sequence[OperatorText]) -> str:
    return "\n".join(f"- `{' '.join(operator.action().split())}`" for operator in operators)


@shape
def explained_below(operators: Sequence[OperatorText]) -> str:
    return "\n\n".join(
        f"{fenced(operator.action(), 'pddl')}\n"
        f"*Explanation:* what {operator.name} needs (see above) and what it changes."
        for operator in operators
    )


@shape
def block_quote(operators: Sequence[OperatorText]) -> str:
    return "\n".join(f"> {line}" for line in actions(operators).splitlines())


@shape
def escaped_markdown(operators: Sequence[OperatorText]) -> str:
    return actions(operators).replace("_", "\\_").replace("?", "\\?")


@shape
def entities(operators: Sequence[OperatorText]) -> str:
    return actions(operators).replace("?", "&#63;").replace("-", "&#45;")


# PDDL written in other ways


@shape
def comments_inside(operators: Sequence[OperatorText]) -> str:
    return "\n\n".join(
        operator.action()
        .replace("\n  :precondition", "  ; what it is done with\n  :precondition")
        .replace("\n  :effect", "  ; what is required (and)\n  :effect")
        for operator in operators
    )


@shape
def effect_first(operators: Sequence[OperatorText]) -> str:
    return "\n\n".join(
        f"(:action {each.name}\n  :effect {each.effect}\n  :precondition {each.precondition}\n"
        f"  :parameters {each.parameters}\n)"
        for each in operators
    )


@shape
def upper_case_keywords(operators: Sequence[OperatorText]) -> str:
    text = actions(operators)
    for keyword in (":action", ":parameters", ":precondition", ":effect"):
        text = text.replace(keyword, keyword.upper())
    return text


@shape
def other_order_of_actions(operators: Sequence[OperatorText]) -> str:
    return actions(operators[::-1])


@shape
def thinking_with_a_stub(operators: Sequence[OperatorText]) -> str:
    stub = f"(:action {operators[0].name} :parameters () :precondition () :effect ())"
    return f"<think>\nThe stub is {stub}.\n</think>\n{actions(operators)}"


@shape
def stub_then_final(operators: Sequence[OperatorText]) -> str:
    stub = f"(:action {operators[0].name} :parameters () :precondition () :effect ())"
    given = fenced(stub, "pddl")
    return f"Given:\n{given}\n\nCompleted actions:\n{fenced(actions(operators), 'pddl')}"


@shape
def end_token(operators: Sequence[OperatorText]) -> str:
    return f"{actions(operators)}<|eot_id|>"
