"""Shapes of answers to goal interpretation, with the same goals in each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count

from answer_steps import dumped, element, fenced

SECTIONS = ("node goals", "edge goals", "action goals")


@dataclass(frozen=True)
class Goals:
    """States of objects, relations between two objects, and actions that have to be done."""

    nodes: tuple[tuple[str, str], ...]  # ("light", "ON")
    edges: tuple[tuple[str, str, str], ...]  # ("cup", "ON", "table")
    actions: tuple[str, ...]  # "DRINK"

    def objects(self) -> tuple[list[dict[str, str]], list[dict[str, str]], list[dict[str, str]]]:
        """Return the three sections as the prompt asks for them."""
        return (
            [{"name": name, "state": state} for name, state in self.nodes],
            [
                {"from_name": first, "relation": relation, "to_name": second}
                for first, relation, second in self.edges
            ],
            [{"action": action} for action in self.actions],
        )

    def plain(self) -> str:
        """Return the goals in the suite's own notation."""
        return dumped(dict(zip(SECTIONS, self.objects(), strict=True)))

    def node_terms(self) -> list[str]:
        """Return ``ON(light)`` and so on."""
        return [f"{state}({name})" for name, state in self.nodes]

    def edge_terms(self) -> list[str]:
        """Return ``ON(cup, table)`` and so on."""
        return [f"{relation}({first}, {second})" for first, relation, second in self.edges]


GoalShape = Callable[[Goals], str]
GOAL_SHAPES: dict[str, GoalShape] = {}


def shape(function: GoalShape) -> GoalShape:
    """Register a shape by the name of its function."""
    GOAL_SHAPES[function.__name__] = function
    return function


def _lines(lines: Iterable[str], empty: str = "- none") -> str:
    return "\n".join(lines) or empty


def _sections(title: Callable[[str], str], parts: Iterable[Iterable[str]]) -> str:
    """Return the three sections, each with its title and its lines."""
    written = (
        f"{title(name)}\n{_lines(lines)}" for name, lines in zip(SECTIONS, parts, strict=True)
    )
    return "\n\n".join(written)


# JSON


@shape
def typed_objects(goals: Goals) -> str:
    nodes, edges, actions = goals.objects()
    rows = [{"type": "node", **row} for row in nodes]
    rows += [{"type": "edge", **row} for row in edges]
    rows += [{"type": "action", **row} for row in actions]
    return dumped(rows, indent=1)


@shape
def typed_json_lines(goals: Goals) -> str:
    nodes, edges, actions = goals.objects()
    rows = [{"goal": "node", **row} for row in nodes]
    rows += [{"goal": "edge", **row} for row in edges]
    rows += [{"goal": "action", **row} for row in actions]
    return "\n".join(map(dumped, rows))


@shape
def predicate_objects(goals: Goals) -> str:
    nodes = [{"predicate": state, "args": [name]} for name, state in goals.nodes]
    edges = [{"predicate": rel, "args": [first, second]} for first, rel, second in goals.edges]
    return dumped({"node goals": nodes, "edge goals": edges, "action goals": list(goals.actions)})


@shape
def states_of_each_object(goals: Goals) -> str:
    states: dict[str, list[str]] = {}
    for name, state in goals.nodes:
        states.setdefault(name, []).append(state)
    return dumped(
        {
            "node goals": states,
            "edge goals": goals.objects()[1],
            "action goals": list(goals.actions),
        }
    )


@shape
def sentences_in_sections(goals: Goals) -> str:
    return dumped(
        {
            "node goals": [f"{name} is {state}" for name, state in goals.nodes],
            "edge goals": [" ".join(edge) for edge in goals.edges],
            "action goals": list(goals.actions),
        }
    )


@shape
def colons_in_sections(goals: Goals) -> str:
    return dumped(
        {
            "node_goals": [f"{name}: {state}" for name, state in goals.nodes],
            "edge_goals": [
                f"{first} -> {relation} -> {second}" for first, relation, second in goals.edges
            ],
            "action_goals": list(goals.actions),
        },
        indent=2,
    )


@shape
def camel_case_keys(goals: Goals) -> str:
    nodes, edges, actions = goals.objects()
    changed = [
        {"fromName": row["from_name"], "relation": row["relation"], "toName": row["to_name"]}
        for row in edges
    ]
    return dumped({"nodeGoals": nodes, "edgeGoals": changed, "actionGoals": actions}, indent=2)


@shape
def wrapped_in_goals(goals: Goals) -> str:
    parts = zip(("node_goals", "edge_goals", "action_goals"), goals.objects(), strict=True)
    return dumped({"task": "as given", "goals": dict(parts), "confidence": 0.9})


@shape
def reasons_in_objects(goals: Goals) -> str:
    numbers = count(1)
    parts = [
        [{**row, "reason": f"follows from part {next(numbers)}"} for row in rows]
        for rows in goals.objects()
    ]
    return fenced(dumped(dict(zip(SECTIONS, parts, strict=True)), indent=2), "json")


@shape
def json_with_comments(goals: Goals) -> str:
    lines = []
    for name, rows in zip(SECTIONS, goals.objects(), strict=True):
        inner = "\n".join(f"    {dumped(row)}, // wanted at the end" for row in rows)
        lines.append(f'  "{name}": [\n{inner}\n  ],' if rows else f'  "{name}": [], // none')
    return fenced("{\n" + "\n".join(lines) + "\n}", "json")


@shape
def json_in_a_string(goals: Goals) -> str:
    return dumped({"output": goals.plain()})


@shape
def chinese_keys(goals: Goals) -> str:
    names = ("节点目标", "边目标", "动作目标")
    return dumped(dict(zip(names, goals.objects(), strict=True)), indent=1)


@shape
def openai_tool_call(goals: Goals) -> str:
    function = {"name": "submit_goals", "arguments": goals.plain()}
    call = {"id": "call_1", "type": "function", "function": function}
    return dumped({"role": "assistant", "content": None, "tool_calls": [call]})


@shape
def anthropic_tool_use(goals: Goals) -> str:
    parts = zip(("node_goals", "edge_goals", "action_goals"), goals.objects(), strict=True)
    block = {"type": "tool_use", "id": "toolu_1", "name": "submit", "input": dict(parts)}
    return dumped([{"type": "text", "text": "These are the goals."}, block])


# Other notations of data


@shape
def xml_elements(goals: Goals) -> str:
    nodes, edges, actions = goals.objects()
    written = []
    for name, rows in zip(("node_goals", "edge_goals"), (nodes, edges), strict=True):
        inner = "".join(
            element("goal", "".join(element(key, value) for key, value in row.items()))
            for row in rows
        )
        written.append(element(name, inner))
    written.append(
        element("action_goals", "".join(element("action", row["action"]) for row in actions))
    )
    return element("goals", "\n".join(written))


@shape
def yaml_flow(goals: Goals) -> str:
    nodes = "\n".join(f"  - {{name: {name}, state: {state}}}" for name, state in goals.nodes)
    edges = "\n".join(
        f"  - {{from_name: {first}, relation: {relation}, to_name: {second}}}"
        for first, relation, second in goals.edges
    )
    actions = f"action_goals: [{', '.join(goals.actions)}]"
    node_lines = f"node_goals:\n{nodes}" if nodes else "node_goals: []"
    edge_lines = f"edge_goals:\n{edges}" if edges else "edge_goals: []"
    return fenced(f"{node_lines}\n{edge_lines}\n{actions}", "yaml")


@shape
def toml_tables(goals: Goals) -> str:
    lines = []
    for name, rows in zip(
        ("node_goals", "edge_goals", "action_goals"), goals.objects(), strict=True
    ):
        for row in rows:
            lines.append(f"[[{name}]]")
            lines += [f'{key} = "{value}"' for key, value in row.items()]
            lines.append("")
    return fenced("\n".join(lines), "toml")


@shape
def csv_rows(goals: Goals) -> str:
    rows = ["type,name,state_or_relation,to_name"]
    rows += [f"node,{name},{state}," for name, state in goals.nodes]
    rows += [f"edge,{first},{relation},{second}" for first, relation, second in goals.edges]
    rows += [f"action,,{action}," for action in goals.actions]
    return fenced("\n".join(rows), "csv")


@shape
def pddl_goal(goals: Goals) -> str:
    atoms = [f"({state.lower()} {name})" for name, state in goals.nodes]
    atoms += [f"({relation.lower()} {first} {second})" for first, relation, second in goals.edges]
    goal = f"(:goal (and {' '.join(atoms)}))"
    return f"{goal}\n\nActions: {', '.join(goals.actions) or 'none'}"


@shape
def logic_formula(goals: Goals) -> str:
    formula = " ∧ ".join([*goals.node_terms(), *goals.edge_terms()])
    return f"Goal: {formula}\nAction goals: {', '.join(goals.actions) or 'none'}"


# Code


@shape
def constructors(goals: Goals) -> str:
    lines = [f'    NodeGoal(name="{name}", state="{state}"),' for name, state in goals.nodes]
    lines += [
        f'    EdgeGoal(from_name="{first}", relation="{relation}", to_name="{second}"),'
        for first, relation, second in goals.edges
    ]
    lines += [f'    ActionGoal(action="{action}"),' for action in goals.actions]
    return fenced("goals = [\n" + "\n".join(lines) + "\n]", "python")


@shape
def adding_calls(goals: Goals) -> str:
    lines = [f'goals.add_node("{name}", "{state}")' for name, state in goals.nodes]
    for first, relation, second in goals.edges:
        lines.append(f'goals.add_edge("{first}", "{relation}", "{second}")')
    lines += [f'goals.add_action("{action}")' for action in goals.actions]
    return fenced("\n".join(lines), "python")


@shape
def tuples_in_variables(goals: Goals) -> str:
    return fenced(
        f"node_goals = {list(goals.nodes)!r}\n"
        f"edge_goals = {list(goals.edges)!r}\n"
        f"action_goals = {list(goals.actions)!r}",
        "python",
    )


# Markdown and text


@shape
def one_table(goals: Goals) -> str:
    rows = [f"| Node | {name} | {state} | - |" for name, state in goals.nodes]
    rows += [
        f"| Edge | {first} | {relation} | {second} |" for first, relation, second in goals.edges
    ]
    rows += [f"| Action | - | {action} | - |" for action in goals.actions]
    head = "| Goal type | Object | State / relation / action | Target |\n| --- | --- | --- | --- |"
    return f"{head}\n" + "\n".join(rows)


@shape
def headings_with_json_lines(goals: Goals) -> str:
    return _sections(
        lambda name: f"### {name.title()}",
        ([f"- `{dumped(row)}`" for row in rows] for rows in goals.objects()),
    )


@shape
def headings_with_terms(goals: Goals) -> str:
    return _sections(
        lambda name: f"**{name.capitalize()}**",
        (
            [f"* `{term}`" for term in goals.node_terms()],
            [f"* `{term}`" for term in goals.edge_terms()],
            [f"* `{action}`" for action in goals.actions],
        ),
    )


@shape
def nested_bullets(goals: Goals) -> str:
    return _sections(
        lambda name: f"{name.title()}:",
        (
            [f"- {name}\n  - state: {state}" for name, state in goals.nodes],
            [f"- {first}\n  - {relation}: {second}" for first, relation, second in goals.edges],
            [f"- {action}" for action in goals.actions],
        ),
    )


@shape
def numbered_sentences(goals: Goals) -> str:
    return _sections(
        lambda name: f"## {name.title()}",
        (
            [f"{i}. The {name} must be {state}." for i, (name, state) in enumerate(goals.nodes, 1)],
            [
                f"{i}. The {first} must be {relation} the {second}."
                for i, (first, relation, second) in enumerate(goals.edges, 1)
            ],
            [
                f"{i}. The action {action} must be done."
                for i, action in enumerate(goals.actions, 1)
            ],
        ),
    )


@shape
def sections_in_one_line(goals: Goals) -> str:
    nodes = "; ".join(f"{name} is {state}" for name, state in goals.nodes) or "none"
    edges = "; ".join(" ".join(edge) for edge in goals.edges) or "none"
    actions = "; ".join(goals.actions) or "none"
    return f"**Node goals:** {nodes}\n**Edge goals:** {edges}\n**Action goals:** {actions}"


@shape
def terms_with_kinds(goals: Goals) -> str:
    terms = [f"{term} (node goal)" for term in goals.node_terms()]
    terms += [f"{term} (edge goal)" for term in goals.edge_terms()]
    terms += [f"{action} (action goal)" for action in goals.actions]
    return "\n".join(f"{number}. {term}" for number, term in enumerate(terms, start=1))


@shape
def checklist(goals: Goals) -> str:
    return _sections(
        lambda name: f"**{name.title()}**",
        (
            [f"- [ ] {name} → {state}" for name, state in goals.nodes],
            [f"- [ ] {first} → {relation} → {second}" for first, relation, second in goals.edges],
            [f"- [ ] {action}" for action in goals.actions],
        ),
    )


@shape
def latex_items(goals: Goals) -> str:
    parts = []
    for name, terms in zip(
        SECTIONS, (goals.node_terms(), goals.edge_terms(), goals.actions), strict=True
    ):
        items = "\n".join(r"\item " + term.replace("_", r"\_") for term in terms)
        body = f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}" if terms else "None."
        parts.append(f"\\textbf{{{name.title()}}}\n{body}")
    return "\n\n".join(parts)


@shape
def html_lists(goals: Goals) -> str:
    parts = []
    for name, terms in zip(
        SECTIONS, (goals.node_terms(), goals.edge_terms(), goals.actions), strict=True
    ):
        items = "".join(element("li", term) for term in terms)
        parts.append(element("h3", name.title()) + element("ul", items or element("li", "none")))
    return "\n".join(parts)


@shape
def german_headings(goals: Goals) -> str:
    body = _sections(
        lambda name: f"{name.title()}:",
        (
            [f"- {name}: {state}" for name, state in goals.nodes],
            [f"- {first} {relation} {second}" for first, relation, second in goals.edges],
            [f"- {action}" for action in goals.actions],
        ),
    )
    return f"Gerne! Das sind die Ziele der Aufgabe.\n\n{body}\n\nDas ist alles."


@shape
def thinking_then_tag(goals: Goals) -> str:
    thought = element("thinking", 'Perhaps {"node goals": []} would do? No.')
    return f"{thought}\n{element('answer', goals.plain())}"


@shape
def harmony(goals: Goals) -> str:
    return (
        "<|channel|>analysis<|message|>Three kinds of goals are asked for.<|end|>"
        f"<|start|>assistant<|channel|>final<|message|>{goals.plain()}<|return|>"
    )


@shape
def explained_below(goals: Goals) -> str:
    return (
        f"{fenced(goals.plain(), 'json')}\n\n### Explanation\n"
        "- The node goals are states, the edge goals are relations.\n"
        f"- Number of action goals: {len(goals.actions)} [see the instruction]."
    )
