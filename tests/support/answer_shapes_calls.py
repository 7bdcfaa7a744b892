"""Plans as calls of tools (as providers write them) and as code."""

# ruff: noqa: RUF001 - tokens of DeepSeek have wide bars

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
    identifier,
    keyed,
    numbered,
    quoted,
    reason,
    vary,
)

CALL_SHAPES: dict[str, Shape] = {}


def shape(function: Shape) -> Shape:
    """Register a shape by the name of its function."""
    CALL_SHAPES[function.__name__] = function
    return function


# Providers and chat templates


@shape
def openai_chat_message(steps: Sequence[Step]) -> str:
    calls = [
        {
            "id": f"call_{number:02d}Xk",
            "type": "function",
            "function": {"name": step.name, "arguments": dumped(keyed(step))},
        }
        for number, step in enumerate(steps, start=1)
    ]
    return dumped({"role": "assistant", "content": None, "tool_calls": calls, "refusal": None})


@shape
def openai_chat_completion(steps: Sequence[Step]) -> str:
    message = {"role": "assistant", "content": numbered(steps)}
    return dumped(
        {
            "id": "chatcmpl-9x",
            "object": "chat.completion",
            "created": 1767000000,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 812, "completion_tokens": 64, "total_tokens": 876},
        }
    )


@shape
def openai_responses(steps: Sequence[Step]) -> str:
    output: list[object] = [{"type": "reasoning", "id": "rs_1", "summary": []}]
    for number, step in enumerate(steps, start=1):
        output.append(
            {
                "type": "function_call",
                "id": f"fc_{number}",
                "call_id": f"call_{number}",
                "name": step.name,
                "arguments": dumped(keyed(step)),
                "status": "completed",
            }
        )
    return dumped({"id": "resp_1", "object": "response", "output": output}, indent=2)


@shape
def openai_responses_text(steps: Sequence[Step]) -> str:
    content = [{"type": "output_text", "text": numbered(steps), "annotations": []}]
    message = {"type": "message", "role": "assistant", "content": content}
    return dumped({"id": "resp_2", "object": "response", "output": [message]})


@shape
def anthropic_blocks(steps: Sequence[Step]) -> str:
    said = vary(steps, "I'll do this one step at a time.", "Let me carry out the task.")
    blocks: list[object] = [{"type": "text", "text": said}]
    for number, step in enumerate(steps, start=1):
        blocks.append(
            {"type": "tool_use", "id": f"toolu_0{number}", "name": step.name, "input": keyed(step)}
        )
    return dumped({"role": "assistant", "content": blocks, "stop_reason": "tool_use"})


def _invocation(step: Step) -> str:
    parameters = "".join(
        element("parameter", value, name=key) + "\n" for key, value in keyed(step).items()
    )
    return element("invoke", "\n" + parameters, name=step.name)


@shape
def anthropic_invoke(steps: Sequence[Step]) -> str:
    calls = "\n".join(_invocation(step) for step in steps)
    return element("function_calls", f"\n{calls}\n")


@shape
def minimax_invoke(steps: Sequence[Step]) -> str:
    calls = "\n".join(_invocation(step) for step in steps)
    return element("minimax:tool_call", f"\n{calls}\n")


@shape
def gemini_parts(steps: Sequence[Step]) -> str:
    parts = [{"functionCall": {"name": step.name, "args": keyed(step)}} for step in steps]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    return dumped({"candidates": [candidate], "modelVersion": "m"}, indent=1)


@shape
def llama_python_tag(steps: Sequence[Step]) -> str:
    calls = [
        dumped({"type": "function", "name": step.name, "parameters": keyed(step)}) for step in steps
    ]
    return "<|python_tag|>" + "; ".join(calls) + "<|eom_id|>"


@shape
def llama_pythonic(steps: Sequence[Step]) -> str:
    calls = []
    for step in steps:
        arguments = ", ".join(f'{key}="{value}"' for key, value in keyed(step).items())
        calls.append(f"{identifier(step)}({arguments})")
    return f"[{', '.join(calls)}]<|eot_id|>"


@shape
def llama_function_tag(steps: Sequence[Step]) -> str:
    return each_line(
        steps, lambda _, step: f"<function={step.name}>{dumped(keyed(step))}</function>"
    )


@shape
def qwen_tool_call(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda _, step: element(
            "tool_call", f"\n{dumped({'name': step.name, 'arguments': keyed(step)})}\n"
        ),
    )


@shape
def qwen_coder(steps: Sequence[Step]) -> str:
    def call(_: int, step: Step) -> str:
        parameters = "".join(
            f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in keyed(step).items()
        )
        return element("tool_call", f"\n<function={step.name}>\n{parameters}</function>\n")

    return each_line(steps, call)


@shape
def hermes_scratch_pad(steps: Sequence[Step]) -> str:
    thought = element("scratch_pad", f"\nGoal: as asked\nActions: {len(steps)}\n")
    calls = each_line(
        steps,
        lambda _, step: element(
            "tool_call", f"\n{dumped({'arguments': keyed(step), 'name': step.name})}\n"
        ),
    )
    return f"{thought}\n{calls}<|im_end|>"


@shape
def deepseek_r1_tokens(steps: Sequence[Step]) -> str:
    calls = "\n".join(
        f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>{step.name}\n"
        f"{fenced(dumped(keyed(step)), 'json')}<｜tool▁call▁end｜>"
        for step in steps
    )
    return f"<｜tool▁calls▁begin｜>{calls}<｜tool▁calls▁end｜><｜end▁of▁sentence｜>"


@shape
def deepseek_v31_tokens(steps: Sequence[Step]) -> str:
    calls = "".join(
        f"<｜tool▁call▁begin｜>{step.name}<｜tool▁sep｜>{dumped(keyed(step))}<｜tool▁call▁end｜>"
        for step in steps
    )
    return f"<｜tool▁calls▁begin｜>{calls}<｜tool▁calls▁end｜>"


@shape
def mistral_tool_calls(steps: Sequence[Step]) -> str:
    calls = [{"name": step.name, "arguments": keyed(step)} for step in steps]
    return f"[TOOL_CALLS] {dumped(calls)}</s>"


@shape
def mistral_args(steps: Sequence[Step]) -> str:
    return "".join(f"[TOOL_CALLS]{step.name}[ARGS]{dumped(keyed(step))}" for step in steps)


@shape
def harmony_calls(steps: Sequence[Step]) -> str:
    thought = "<|channel|>analysis<|message|>We need a few calls.<|end|>"
    calls = "".join(
        f"<|start|>assistant<|channel|>commentary to=functions.{step.name} <|constrain|>json"
        f"<|message|>{dumped(keyed(step))}<|call|>"
        for step in steps
    )
    return thought + calls


@shape
def harmony_final(steps: Sequence[Step]) -> str:
    thought = f"The user wants a plan. Maybe {steps[-1].call} alone? No."
    return (
        f"<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant"
        f"<|channel|>final<|message|>{numbered(steps)}<|return|>"
    )


@shape
def cohere_actions(steps: Sequence[Step]) -> str:
    calls = [{"tool_name": step.name, "parameters": keyed(step)} for step in steps]
    return "Action: " + fenced(dumped(calls, indent=4), "json")


@shape
def cohere_tokens(steps: Sequence[Step]) -> str:
    calls = [
        {"tool_call_id": str(number), "tool_name": step.name, "parameters": keyed(step)}
        for number, step in enumerate(steps)
    ]
    thought = "<|START_THINKING|>I will use the tools.<|END_THINKING|>"
    return f"{thought}<|START_ACTION|>{dumped(calls, indent=1)}<|END_ACTION|>"


@shape
def granite_tool_call(steps: Sequence[Step]) -> str:
    calls = [{"name": step.name, "arguments": keyed(step)} for step in steps]
    return f"<|tool_call|>{dumped(calls)}<|end_of_text|>"


@shape
def phi_functools(steps: Sequence[Step]) -> str:
    calls = [{"name": step.name, "arguments": keyed(step)} for step in steps]
    return f"functools{dumped(calls)}"


@shape
def glm_tool_call(steps: Sequence[Step]) -> str:
    def call(_: int, step: Step) -> str:
        pairs = "".join(
            element("arg_key", key) + "\n" + element("arg_value", value) + "\n"
            for key, value in keyed(step).items()
        )
        return element("tool_call", f"{step.name}\n{pairs}")

    return each_line(steps, call)


@shape
def kimi_tokens(steps: Sequence[Step]) -> str:
    calls = "".join(
        f"<|tool_call_begin|>functions.{step.name}:{number}<|tool_call_argument_begin|>"
        f"{dumped(keyed(step))}<|tool_call_end|>"
        for number, step in enumerate(steps)
    )
    return f"<|tool_calls_section_begin|>{calls}<|tool_calls_section_end|>"


@shape
def langchain_tool_calls(steps: Sequence[Step]) -> str:
    calls = [
        {"name": step.name, "args": keyed(step), "id": f"run-{number}", "type": "tool_call"}
        for number, step in enumerate(steps, start=1)
    ]
    return repr(calls)


@shape
def mcp_requests(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: dumped(
            {
                "jsonrpc": "2.0",
                "id": number,
                "method": "tools/call",
                "params": {"name": step.name, "arguments": keyed(step)},
            }
        ),
    )


# Agents that think aloud


@shape
def react_json_input(steps: Sequence[Step]) -> str:
    said = each_line(
        steps,
        lambda number, step: (
            f"Thought: {reason(number, steps)}\n"
            f"Action: {step.name}\n"
            f"Action Input: {dumped(keyed(step))}\n"
            "Observation: ok\n"
        ),
    )
    return f"{said}\nThought: I now know the final answer\nFinal Answer: the task is complete."


@shape
def react_text_input(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: (
            f"Thought: {reason(number, steps)}\n"
            f"Action: {step.name}\n"
            f"Action Input: {', '.join(step.arguments) or 'none'}\n"
        ),
    )


@shape
def react_brackets(steps: Sequence[Step]) -> str:
    return each_line(
        steps,
        lambda number, step: (
            f"Thought {number}: {reason(number, steps)}.\n"
            f"Action {number}: {step.name}[{', '.join(step.arguments)}]\n"
            f"Observation {number}: done"
        ),
    )


@shape
def smolagents(steps: Sequence[Step]) -> str:
    code = "\n".join(code_call(step) for step in steps)
    body = fenced(f'{code}\nfinal_answer("done")', "py")
    thought = vary(steps, "I will call the tools in order.", "The tools can do all of this.")
    return f"Thought: {thought}\nCode:\n{body}<end_code>"


@shape
def inner_monologue(steps: Sequence[Step]) -> str:
    said = each_line(steps, lambda _, step: f"Robot: {step.call}\nSuccess: True")
    return f"{said}\nRobot: done()."


@shape
def saycan(steps: Sequence[Step]) -> str:
    listed = ", ".join(f"{number}. {step.call}" for number, step in enumerate(steps, start=1))
    return f"Robot: I would: {listed}, {len(steps) + 1}. done."


# Code


@shape
def robot_methods(steps: Sequence[Step]) -> str:
    code = "\n".join(code_call(step, "robot.", "'") for step in steps)
    return fenced(f"robot = Robot()\n{code}", "python")


@shape
def code_with_prints(steps: Sequence[Step]) -> str:
    code = each_line(
        steps, lambda number, step: f'print("Step {number} of {len(steps)}")\n{code_call(step)}'
    )
    return fenced(f'{code}\nprint("Done!")', "python")


@shape
def code_with_comments(steps: Sequence[Step]) -> str:
    code = each_line(
        steps, lambda number, step: f"# {number}) {reason(number, steps)}\n{code_call(step)}"
    )
    return f"Here is the program.\n\n{fenced(code, 'python')}\n\nIt needs no imports."


@shape
def code_async(steps: Sequence[Step]) -> str:
    body = "\n".join(f"    await {code_call(step, 'agent.')}" for step in steps)
    code = f"import asyncio\n\nasync def main(agent):\n{body}\n\nasyncio.run(main(Agent()))"
    return fenced(code, "python")


@shape
def code_class(steps: Sequence[Step]) -> str:
    body = "\n".join(f"        {code_call(step, 'self.')}" for step in steps)
    code = f'class Task(Robot):\n    """The plan."""\n\n    def run(self):\n{body}\n'
    return fenced(f"{code}\n\nTask().run()", "python")


@shape
def code_docstring_return(steps: Sequence[Step]) -> str:
    body = "\n".join(f"    {code_call(step)}" for step in steps)
    name = vary(steps, "do_task", "execute_plan", "main")
    code = f'def {name}() -> bool:\n    """Carry out the plan."""\n{body}\n    return True'
    return fenced(f'{code}\n\nif __name__ == "__main__":\n    {name}()', "python")


@shape
def code_try_except(steps: Sequence[Step]) -> str:
    body = "\n".join(f"    {code_call(step)}" for step in steps)
    return fenced(f"try:\n{body}\nexcept RobotError as error:\n    print(error)", "python")


@shape
def progprompt(steps: Sequence[Step]) -> str:
    body = each_line(
        steps,
        lambda number, step: (
            f"    # {number}: {reason(number, steps)}\n"
            f"    {code_call(step, quote=chr(39))}\n"
            f'    assert last_ok(), "failed at {number}"'
        ),
    )
    return f"def do_the_task():\n{body}\n    # {len(steps) + 1}: Done"


@shape
def append_strings(steps: Sequence[Step]) -> str:
    code = "\n".join(f'plan.append("{step.call}")' for step in steps)
    return fenced(f"plan = []\n{code}\nprint(plan)", "python")


@shape
def append_tuples(steps: Sequence[Step]) -> str:
    code = "\n".join(f"plan.append({(step.name, *step.arguments)!r})" for step in steps)
    return f"plan = []\n{code}\nreturn plan"


@shape
def extend_lists(steps: Sequence[Step]) -> str:
    half = max(1, len(steps) // 2)
    first = [step.call for step in steps[:half]]
    second = [step.call for step in steps[half:]]
    return fenced(f"steps = {first!r}\nsteps.extend({second!r})\nexecute(steps)", "python")


@shape
def loop_over_tuples(steps: Sequence[Step]) -> str:
    rows = "\n".join(f"    {(step.name, list(step.arguments))!r}," for step in steps)
    code = f"for name, args in [\n{rows}\n]:\n    robot.execute(name, *args)"
    return fenced(code, "python")


@shape
def generic_execute(steps: Sequence[Step]) -> str:
    function = vary(steps, "execute_action", "robot.do", "perform")
    lines = []
    for step in steps:
        arguments = ", ".join([f'"{step.name}"', *(f'"{each}"' for each in step.arguments)])
        lines.append(f"{function}({arguments})")
    return fenced("\n".join(lines), "python")


@shape
def environment_steps(steps: Sequence[Step]) -> str:
    code = "\n".join(f'obs, reward, done, info = env.step("{step.call}")' for step in steps)
    return fenced(f"env.reset()\n{code}\nassert done", "python")


@shape
def chained_methods(steps: Sequence[Step]) -> str:
    chain = "\n".join(f"    .{identifier(step)}({quoted(step)})" for step in steps)
    return fenced(f"(\n    Plan()\n{chain}\n)", "python")


@shape
def action_constructors(steps: Sequence[Step]) -> str:
    rows = "\n".join(
        f'    Action(name="{step.name}", args={list(step.arguments)!r}),' for step in steps
    )
    return fenced(f"plan = [\n{rows}\n]", "python")


@shape
def plan_constructor(steps: Sequence[Step]) -> str:
    rows = []
    for number, step in enumerate(steps, start=1):
        arguments = "".join(f", {key}='{value}'" for key, value in keyed(step).items())
        rows.append(f"Step(id={number}, action='{step.name}'{arguments})")
    return f"Plan(steps=[{', '.join(rows)}], success=None)"


@shape
def javascript_await(steps: Sequence[Step]) -> str:
    body = "\n".join(
        f"  await {code_call(step, 'robot.')}; // {reason(number, steps)}"
        for number, step in enumerate(steps, start=1)
    )
    return fenced(f"async function run(robot) {{\n{body}\n}}\n\nrun(robot);", "javascript")


@shape
def typescript_objects(steps: Sequence[Step]) -> str:
    rows = []
    for step in steps:
        arguments = ", ".join(f'"{each}"' for each in step.arguments)
        rows.append(f'  {{ action: "{step.name}", args: [{arguments}] }},')
    return fenced("const plan: Step[] = [\n" + "\n".join(rows) + "\n];", "ts")


@shape
def shell_prompt(steps: Sequence[Step]) -> str:
    return fenced(
        "\n".join(f"$ {' '.join((step.name.lower(), *step.arguments))}" for step in steps), "sh"
    )


@shape
def behavior_tree(steps: Sequence[Step]) -> str:
    nodes = "\n".join("    " + element("Action", ID=step.name, **keyed(step)) for step in steps)
    tree = f'<BehaviorTree ID="MainTree">\n  <Sequence>\n{nodes}\n  </Sequence>\n</BehaviorTree>'
    return fenced(f'<root BTCPP_format="4">\n{tree}\n</root>', "xml")
