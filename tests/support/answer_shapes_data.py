"""Plans as data: JSON in many forms, YAML, TOML, CSV, XML, HTML, LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

from answer_steps import (
    Shape,
    Step,
    dumped,
    each_line,
    element,
    fenced,
    keyed,
    keys_for,
    numbered,
    reason,
    vary,
)

DATA_SHAPES: dict[str, Shape] = {}


def shape(function: Shape) -> Shape:
    """Register a shape by the name of its function."""
    DATA_SHAPES[function.__name__] = function
    return function


# JSON


@shape
def json_text_value(steps: Sequence[Step]) -> str:
    key = vary(steps, "plan", "answer", "response")
    return dumped({key: numbered(steps)})


@shape
def json_dumped_twice(steps: Sequence[Step]) -> str:
    return dumped(dumped([step.call for step in steps]))


@shape
def json_step_keys(steps: Sequence[Step]) -> str:
    return dumped({f"step_{number}": step.call for number, step in enumerate(steps, start=1)})


@shape
def json_number_keys(steps: Sequence[Step]) -> str:
    return dumped({str(number): step.call for number, step in enumerate(steps, start=1)}, indent=2)


@shape
def json_step_key_objects(steps: Sequence[Step]) -> str:
    rows = {
        f"Step {number}": {"action": step.name, **keyed(step)}
        for number, step in enumerate(steps, start=1)
    }
    return fenced(dumped(rows, indent=2), "json")


@shape
def json_final_answer_key(steps: Sequence[Step]) -> str:
    thought = vary(steps, "The goal is clear.", "I looked at the state first.")
    return dumped({"reasoning": thought, "final_answer": [step.call for step in steps]})


@shape
def json_costs(steps: Sequence[Step]) -> str:
    rows = [
        {"id": number, "action": step.call, "cost": 1.0, "confidence": 0.9, "duration_s": 2}
        for number, step in enumerate(steps, start=1)
    ]
    total = {"total_cost": float(len(steps)), "total_duration_s": 2 * len(steps)}
    return dumped({"plan": rows, **total}, indent=1)


@shape
def json_with_comments(steps: Sequence[Step]) -> str:
    rows = "\n".join(
        f'  "{step.call}", // {reason(number, steps)}' for number, step in enumerate(steps, start=1)
    )
    return fenced(f"[\n{rows}\n]", "jsonc")


@shape
def json5_objects(steps: Sequence[Step]) -> str:
    rows = []
    for step in steps:
        arguments = ", ".join(f"'{each}'" for each in step.arguments)
        rows.append(f"    {{action: '{step.name}', args: [{arguments}],}},")
    return "{\n  steps: [\n" + "\n".join(rows) + "\n  ],\n}"


@shape
def json_phases(steps: Sequence[Step]) -> str:
    half = max(1, len(steps) // 2)
    phases = [
        {"name": "Phase 1", "steps": [step.call for step in steps[:half]]},
        {"name": "Phase 2", "steps": [step.call for step in steps[half:]]},
    ]
    return dumped({"phases": [phase for phase in phases if phase["steps"]]}, indent=2)


@shape
def json_preconditions_effects(steps: Sequence[Step]) -> str:
    rows = [
        {"action": step.call, "preconditions": ["hands are ready"], "effects": ["progress is made"]}
        for step in steps
    ]
    return fenced(dumped(rows, indent=2), "json")


@shape
def json_ids_and_next(steps: Sequence[Step]) -> str:
    rows = []
    for number, step in enumerate(steps, start=1):
        following = f"s{number + 1}" if number < len(steps) else None
        rows.append(
            {"id": f"s{number}", "action": step.name, "args": keyed(step), "next": following}
        )
    return dumped({"nodes": rows})


@shape
def json_thought_action(steps: Sequence[Step]) -> str:
    rows = [
        {"thought": reason(number, steps), "action": step.call}
        for number, step in enumerate(steps, start=1)
    ]
    return dumped(rows, indent=1)


@shape
def json_chinese_keys(steps: Sequence[Step]) -> str:
    rows = [
        {"步骤": number, "动作": step.name, "参数": list(step.arguments)}
        for number, step in enumerate(steps, start=1)
    ]
    return fenced(dumped({"计划": rows}, indent=2), "json")


@shape
def json_action_type(steps: Sequence[Step]) -> str:
    rows = [{"action": {"type": step.name, "args": list(step.arguments)}} for step in steps]
    return dumped({"actions": rows})


@shape
def json_skill_parameters(steps: Sequence[Step]) -> str:
    rows = [
        {"step": number, "skill": step.name, "parameters": list(step.arguments)}
        for number, step in enumerate(steps, start=1)
    ]
    return fenced(dumped({"task_plan": rows, "num_steps": len(rows)}, indent=2), "json")


@shape
def json_name_to_object(steps: Sequence[Step]) -> str:
    return dumped([{step.name: keyed(step)} for step in steps])


@shape
def json_action_string_arguments(steps: Sequence[Step]) -> str:
    rows = [{"action": step.name, "arguments": ", ".join(step.arguments)} for step in steps]
    return dumped(rows)


@shape
def json_lines_with_reasons(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: dumped(
            {"step": number, "action": step.call, "reason": reason(number, steps)}
        ),
    )


@shape
def json_log_entries(steps: Sequence[Step]) -> str:
    rows = [
        {"time": f"00:{number:02d}", "event": "action", "call": step.call, "status": "planned"}
        for number, step in enumerate(steps)
    ]
    return dumped(rows)


@shape
def json_then_explanation(steps: Sequence[Step]) -> str:
    rows = dumped([{"action": step.name, "args": list(step.arguments)} for step in steps])
    notes = "\n".join(
        f"- Step {number}: {reason(number, steps)}." for number in range(1, len(steps) + 1)
    )
    return f"{fenced(rows, 'json')}\n\n### Explanation\n{notes}"


@shape
def json_then_metadata(steps: Sequence[Step]) -> str:
    plan = dumped({"plan": [step.call for step in steps]})
    usage = dumped({"usage": {"prompt_tokens": 100, "completion_tokens": 20}})
    return f"{plan}\n{usage}"


@shape
def json_trailing_commas(steps: Sequence[Step]) -> str:
    rows = "\n".join(f'    "{step.call}",' for step in steps)
    return f'{{\n  "plan": [\n{rows}\n  ],\n}}'


@shape
def python_dicts(steps: Sequence[Step]) -> str:
    rows = [{"action": step.name, "args": tuple(step.arguments), "done": False} for step in steps]
    return repr({"plan": rows, "note": None})


# YAML, TOML, tables of values


@shape
def yaml_mappings(steps: Sequence[Step]) -> str:
    rows = []
    for step in steps:
        rows.append(f"  - action: {step.name}")
        rows += [f"    {key}: {value}" for key, value in keyed(step).items()]
    return fenced("plan:\n" + "\n".join(rows), "yaml")


@shape
def yaml_document(steps: Sequence[Step]) -> str:
    rows = "\n".join(
        f'  - "{step.call}"  # {reason(number, steps)}'
        for number, step in enumerate(steps, start=1)
    )
    return f"---\nstatus: ok\nsteps:\n{rows}\nnotes: none\n..."


@shape
def yaml_flow_arguments(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: (
            f"- step: {number}\n  action: {step.name}\n  args: [{', '.join(step.arguments)}]"
        ),
    )


@shape
def yaml_numbers(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"  {number}: {step.call}")
    return f"steps:\n{rows}"


@shape
def toml_tables(steps: Sequence[Step]) -> str:
    tables = each_line(
        steps,
        lambda _, step: (
            f'[[steps]]\naction = "{step.name}"\nargs = {dumped(list(step.arguments))}\n'
        ),
    )
    return fenced(f'title = "plan"\n\n{tables}', "toml")


@shape
def toml_array(steps: Sequence[Step]) -> str:
    rows = "\n".join(f'  "{step.call}",' for step in steps)
    return f"[plan]\nsteps = [\n{rows}\n]"


@shape
def csv_parts(steps: Sequence[Step]) -> str:
    width = max(len(step.arguments) for step in steps)
    rows = [["step", "action", *keys_for(width)]]
    for number, step in enumerate(steps, start=1):
        empty = [""] * (width - len(step.arguments))
        rows.append([str(number), step.name, *step.arguments, *empty])
    return fenced("\n".join(",".join(row) for row in rows), "csv")


@shape
def csv_calls(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f'{number},"{step.call}",planned')
    return f"step,action,status\n{rows}"


@shape
def tab_separated(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: f"{number}\t{step.call}")
    return f"No.\tAction\n{rows}"


@shape
def pipe_separated(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda _, step: " | ".join((step.name, *step.arguments)))


# XML, HTML, LaTeX


@shape
def xml_attributes(steps: Sequence[Step]) -> str:
    rows = "\n".join(
        "  " + element("step", id=number, action=step.name, **keyed(step))
        for number, step in enumerate(steps, start=1)
    )
    return f"<plan>\n{rows}\n</plan>"


@shape
def xml_elements(steps: Sequence[Step]) -> str:
    rows = []
    for number, step in enumerate(steps, start=1):
        inner = element("action", step.name)
        inner += "".join(element(key, value) for key, value in keyed(step).items())
        rows.append(element("step", inner, number=number))
    return '<?xml version="1.0"?>\n<plan>\n' + "\n".join(rows) + "\n</plan>"


@shape
def xml_calls(steps: Sequence[Step]) -> str:
    rows = "\n".join(f"    {element('action', step.call)}" for step in steps)
    return f"<response>\n  <status>ok</status>\n  <plan>\n{rows}\n  </plan>\n</response>"


@shape
def xml_numbered_tags(steps: Sequence[Step]) -> str:
    return each_line(steps, lambda number, step: element(f"step{number}", step.call))


@shape
def xml_reason_elements(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: element(
            "step", element("why", reason(number, steps)) + element("do", step.call)
        ),
    )


@shape
def html_table(steps: Sequence[Step]) -> str:
    head = element("tr", element("th", "#") + element("th", "Action"))
    rows = "".join(
        element("tr", element("td", str(number)) + element("td", step.call))
        for number, step in enumerate(steps, start=1)
    )
    return element("table", head + rows)


@shape
def html_page(steps: Sequence[Step]) -> str:
    rows = "".join(element("li", element("code", step.call)) for step in steps)
    body = element("h2", "Plan") + element("ol", rows) + element("p", "That is all.")
    return fenced("<!DOCTYPE html>\n" + element("html", element("body", body)), "html")


@shape
def html_entities(steps: Sequence[Step]) -> str:
    rows = ", ".join(f"&quot;{step.call}&quot;" for step in steps)
    return f"[{rows}]"


@shape
def html_breaks(steps: Sequence[Step]) -> str:
    return "<br>".join(f"{number}. {step.call}" for number, step in enumerate(steps, start=1))


@shape
def html_details(steps: Sequence[Step]) -> str:
    return f"<details open>\n<summary>Plan</summary>\n\n{numbered(steps)}\n\n</details>"


def _latex(text: str) -> str:
    return text.replace("_", r"\_")


@shape
def latex_enumerate(steps: Sequence[Step]) -> str:
    items = "\n".join(rf"  \item \texttt{{{_latex(step.call)}}}" for step in steps)
    return f"\\begin{{enumerate}}\n{items}\n\\end{{enumerate}}"


@shape
def latex_boxed_arrows(steps: Sequence[Step]) -> str:
    chain = r" \rightarrow ".join(rf"\text{{{_latex(step.call)}}}" for step in steps)
    return f"The answer is\n$$\\boxed{{{chain}}}$$"


@shape
def latex_tabular(steps: Sequence[Step]) -> str:
    rows = each_line(steps, lambda number, step: rf"{number} & {_latex(step.call)} \\")
    head = "\\begin{tabular}{rl}\n\\hline\nStep & Action \\\\\n\\hline\n"
    return f"{head}{rows}\n\\hline\n\\end{{tabular}}"
