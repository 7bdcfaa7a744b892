"""Files as other programs write them, from their documentation and source, are read as they are."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest
from needs import package

from eai.acting import Ending
from eai.errors import InputError
from eai.predictions import Predictions, load_all, load_predictions
from eai.predictions.layouts import LAYOUTS

WALK = "FIND(light.34)\nSWITCHON(light.34)"
GRAB = '[{"GRAB": ["letter", "509"]}]'
ANSWERS = {"studio-01": WALK, "flat-17": GRAB}


def is_task(name: str) -> bool:
    return name in ANSWERS


def chat(text: str, model: str = "m") -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": None}
    choices = [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}]
    about = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model}
    return {**about, "choices": choices, "usage": {"total_tokens": 9}}


def rows(make: Any) -> list[Any]:
    return [make(task, text) for task, text in ANSWERS.items()]


BEDROCK = rows(
    lambda task, text: {
        "recordId": task,
        "modelInput": {"inputText": "p"},
        "modelOutput": {
            "inputTextTokenCount": 8,
            "results": [{"tokenCount": 3, "outputText": text, "completionReason": "FINISH"}],
        },
    }
)
BEDROCK_CLAUDE = rows(
    lambda task, text: {
        "recordId": task,
        "modelInput": {"messages": []},
        "modelOutput": {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
        },
    }
)
CONVERSE = rows(
    lambda task, text: {
        "recordId": task,
        "modelInput": {"messages": []},
        "modelOutput": {
            "output": {"message": {"role": "assistant", "content": [{"text": text}]}},
            "stopReason": "end_turn",
        },
    }
)


def gemini(text: str) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text}]}
    candidates = [{"content": content, "finishReason": "STOP", "avgLogprobs": -0.1}]
    return {"candidates": candidates, "modelVersion": "m", "usageMetadata": {}}


VERTEX = rows(
    lambda task, text: {
        "status": "",
        "processed_time": "2024-11-13T14:04:28.376+00:00",
        "request": {"contents": [{"parts": [{"text": "p"}]}], "labels": {"task_id": task}},
        "response": gemini(text),
    }
)
GEMINI = rows(lambda task, text: {"key": task, "response": gemini(text)})
MISTRAL = rows(
    lambda task, text: {
        "id": "batch-1",
        "custom_id": task,
        "response": {"status_code": 200, "body": chat(text)},
        "error": None,
    }
)
TGI = rows(
    lambda task, text: {
        "task_id": task,
        "generated_text": text,
        "details": {"finish_reason": "length", "generated_tokens": 20, "seed": None},
    }
)
SGLANG = rows(
    lambda task, text: {
        "task_id": task,
        "text": text,
        "meta_info": {"id": "5b", "finish_reason": {"type": "stop", "matched": 2}},
    }
)
OPENCOMPASS = {
    task: {"origin_prompt": [{"role": "HUMAN", "prompt": "p"}], "prediction": text, "gold": "g"}
    for task, text in ANSWERS.items()
}
OPENCOMPASS_GOLD = {
    str(number): {"origin_prompt": "p", "prediction": text, "gold": task}
    for number, (task, text) in enumerate(ANSWERS.items())
}
PROMPTFOO = {
    "evalId": "eval-1",
    "results": {
        "version": 3,
        "timestamp": "2025-01-01T00:00:00.000Z",
        "prompts": [{"raw": "p", "label": "p", "provider": "openai:m"}],
        "results": rows(
            lambda task, text: {
                "promptIdx": 0,
                "testIdx": 0,
                "id": "9e3b",
                "testCase": {"vars": {"task_id": task}, "assert": []},
                "promptId": "a",
                "provider": {"id": "openai:m", "label": ""},
                "prompt": {"raw": "p", "label": "p"},
                "vars": {"task_id": task},
                "response": {"output": text, "tokenUsage": {"total": 9}, "cached": False},
                "success": True,
                "score": 1,
            }
        ),
        "stats": {"successes": 2},
    },
    "config": {},
}
LANGSMITH = rows(
    lambda task, text: {
        "id": "0b6c7c7e-0000-4000-8000-000000000000",
        "name": "ChatOpenAI",
        "run_type": "llm",
        "start_time": "2025-01-01T00:00:00",
        "inputs": {"messages": [[{"lc": 1, "kwargs": {"content": "p"}}]]},
        "outputs": {
            "generations": [
                [
                    {
                        "text": text,
                        "generation_info": {"finish_reason": "stop"},
                        "type": "ChatGeneration",
                        "message": {"lc": 1, "type": "constructor", "kwargs": {"content": text}},
                    }
                ]
            ],
            "llm_output": {"model_name": "m"},
        },
        "error": None,
        "extra": {"metadata": {"task_id": task, "ls_model_name": "m"}},
        "reference_example_id": None,
    }
)
LANGSMITH_CHAIN = rows(
    lambda task, text: {
        "id": "0b6c7c7e-0000-4000-8000-000000000000",
        "name": "agent",
        "run_type": "chain",
        "inputs": {"task_id": task, "question": "p"},
        "outputs": {"output": text},
        "extra": {"metadata": {"ls_model_name": "m"}},
    }
)
LANGSMITH_DATASET = rows(
    lambda task, text: {
        "id": "0b6c7c7e-0000-4000-8000-000000000000",
        "inputs": {"task_id": task},
        "outputs": {"answer": text},
        "metadata": {},
    }
)
OPENAI_EVALS = [
    {"spec": {"completion_fns": ["m"], "eval_name": "e"}},
    *rows(
        lambda task, text: {
            "run_id": "230101",
            "event_id": 0,
            "sample_id": task,
            "type": "sampling",
            "data": {"prompt": "p", "sampled": [text]},
            "created_by": "",
        }
    ),
    {"final_report": {"accuracy": 1.0}},
]
MT_BENCH = rows(
    lambda task, text: {
        "question_id": task,
        "answer_id": "x",
        "model_id": "m",
        "choices": [{"index": 0, "turns": [text]}],
        "tstamp": 1.0,
    }
)
LIGHTEVAL = rows(
    lambda task, text: {
        "doc": {"query": "p", "choices": [], "id": task, "task_name": "t"},
        "metric": {"em": 0},
        "model_response": {
            "text": [text],
            "text_post_processed": None,
            "input_tokens": [1],
            "output_tokens": [[1]],
        },
    }
)
VERIFIERS = rows(
    lambda task, text: {
        "example_id": 0,
        "prompt": [{"role": "user", "content": "p"}],
        "completion": [{"role": "assistant", "content": text}],
        "task": "default",
        "reward": 1.0,
        "answer": "gold",
        "info": {"task_id": task},
    }
)
TRL = rows(
    lambda task, text: {
        "step": 10,
        "prompt": [{"role": "user", "content": "p"}],
        "completion": [{"role": "assistant", "content": text}],
        "task_id": task,
        "reward": 0.5,
        "advantage": 0.0,
    }
)
HUMAN_EVAL = rows(lambda task, text: {"task_id": task, "completion": text})
ALPACA_EVAL = rows(
    lambda task, text: {
        "instruction": "p",
        "output": text,
        "generator": "m",
        "dataset": "d",
        "metadata": {"task_id": task},
    }
)
CHAT_COMPLETIONS = rows(lambda task, text: {**chat(text), "metadata": {"task_id": task}})
RESPONSES = rows(
    lambda task, text: {
        "id": "resp_1",
        "object": "response",
        "model": "m",
        "status": "completed",
        "metadata": {"task_id": task},
        "output": [
            {"id": "rs_1", "type": "reasoning", "summary": []},
            {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": text, "annotations": []}],
            },
        ],
    }
)
OLLAMA = rows(
    lambda task, text: {
        "task_id": task,
        "model": "m",
        "created_at": "2025-01-01T00:00:00Z",
        "response": text,
        "done": True,
        "done_reason": "stop",
    }
)
PLANBENCH = {
    "task": "task_1_plan_generation",
    "engine": "m",
    "instances": rows(
        lambda task, text: {
            "instance_id": task,
            "query": "p",
            "ground_truth_plan": "x",
            "llm_raw_response": text,
            "extracted_llm_plan": "y",
        }
    ),
}
ZIPPED = list(zip(*ANSWERS.items(), strict=True))
DOCUMENTS = {
    "OpenCompass": OPENCOMPASS,
    "OpenCompass, task as gold": OPENCOMPASS_GOLD,
    "promptfoo": PROMPTFOO,
    "PlanBench": PLANBENCH,
    "OpenAI list": {"object": "list", "data": CHAT_COMPLETIONS},
    "frame by column": {
        "task_id": dict(enumerate(ANSWERS)),
        "response": dict(enumerate(ANSWERS.values())),
    },
    "frame by row": {
        str(number): {"task_id": task, "response": text}
        for number, (task, text) in enumerate(ANSWERS.items())
    },
    "frame as lists": {"task_id": ZIPPED[0], "response": ZIPPED[1]},
    "frame split": {
        "columns": ["task_id", "response"],
        "index": [0, 1],
        "data": [list(item) for item in ANSWERS.items()],
    },
    "frame as table": {
        "schema": {"fields": [], "pandas_version": "1.4.0"},
        "data": rows(lambda task, text: {"index": 0, "task_id": task, "response": text}),
    },
    "data sets server": {
        "features": [{"feature_idx": 0, "name": "task_id"}],
        "rows": rows(
            lambda task, text: {"row_idx": 0, "row": {"task_id": task, "generation": text}}
        ),
    },
    "rows by task": {task: {"response": text, "seconds": 1} for task, text in ANSWERS.items()},
}
LINES = {
    "Bedrock": BEDROCK,
    "Bedrock with Claude": BEDROCK_CLAUDE,
    "Bedrock Converse": CONVERSE,
    "Vertex": VERTEX,
    "Gemini": GEMINI,
    "Mistral": MISTRAL,
    "TGI": TGI,
    "SGLang": SGLANG,
    "LangSmith": LANGSMITH,
    "LangSmith chain": LANGSMITH_CHAIN,
    "LangSmith dataset": LANGSMITH_DATASET,
    "OpenAI Evals": OPENAI_EVALS,
    "MT-Bench": MT_BENCH,
    "lighteval": LIGHTEVAL,
    "verifiers": VERIFIERS,
    "TRL": TRL,
    "HumanEval": HUMAN_EVAL,
    "AlpacaEval": ALPACA_EVAL,
    "chat completions": CHAT_COMPLETIONS,
    "responses": RESPONSES,
    "Ollama": OLLAMA,
}


def saved(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("name", LINES)
def test_lines_of_other_programs_are_read(name: str, tmp_path: Path) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in LINES[name])
    [found] = load_all(saved(tmp_path, "m.jsonl", lines), is_task=is_task)
    assert found.items == ANSWERS
    assert found.model.removeprefix("openai:") == "m"


@pytest.mark.parametrize("name", LINES)
def test_lists_of_other_programs_are_read(name: str, tmp_path: Path) -> None:
    path = saved(tmp_path, "m.json", json.dumps(LINES[name], indent=2))
    [found] = load_all(path, is_task=is_task)
    assert found.items == ANSWERS


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("indent", [None, 2])
def test_documents_of_other_programs_are_read(
    name: str, indent: int | None, tmp_path: Path
) -> None:
    path = saved(tmp_path, "m.json", json.dumps(DOCUMENTS[name], indent=indent))
    [found] = load_all(path, is_task=is_task)
    assert found.items == ANSWERS


def test_each_layout_has_a_name_and_marks_of_its_own() -> None:
    assert all(layout.name and layout.marks for layout in LAYOUTS)
    assert len({layout.marks for layout in LAYOUTS}) == len(LAYOUTS)


def test_the_layout_is_named(tmp_path: Path) -> None:
    path = saved(tmp_path, "m.jsonl", "".join(json.dumps(row) + "\n" for row in BEDROCK))
    reading = load_predictions(path).reading
    assert reading is not None
    assert reading.read_as == "Amazon Bedrock batch"


# ------------------------------------------------------------------ failures that producers note


@pytest.mark.parametrize(
    "row",
    [
        {"id": "b", "custom_id": "t", "response": None, "error": {"message": "expired"}},
        {
            "id": "b",
            "custom_id": "t",
            "response": {"status_code": 400, "body": {"error": {"message": "expired"}}},
        },
        {"custom_id": "t", "result": {"type": "expired"}},
        {"custom_id": "t", "result": {"type": "errored", "error": {"message": "expired"}}},
        {"recordId": "t", "modelInput": {}, "error": {"errorMessage": "expired"}},
        {"key": "t", "request": {"contents": []}, "error": {"message": "expired"}},
        {"id": "t", "messages": [{"role": "user", "content": "p"}]},
        {"id": "t", "choices": [{"message": {"role": "assistant", "content": None}}]},
    ],
)
def test_a_request_that_failed_is_left_out_with_its_reason(row: object) -> None:
    found = load_predictions([row, {"id": "u", "output": "x"}])
    assert found.items == {"u": "x"}
    [problem] = found.problems
    assert problem.reason == "without an answer"
    assert found.reading is not None
    assert found.reading.left_out == {"without an answer": 1}


def test_an_answer_without_tokens_left_is_noted() -> None:
    assert load_predictions(TGI).endings == {Ending.CUT_OFF: list(ANSWERS)}


REFUSED = {"role": "assistant", "content": None, "refusal": "I cannot."}
IN_PARTS = {"role": "assistant", "content": [{"type": "refusal", "refusal": "I cannot."}]}


@pytest.mark.parametrize(
    "row",
    [
        {"id": "t", "output": REFUSED},
        {"id": "t", "output": IN_PARTS},
        {"id": "t", "output": [{**REFUSED, "content": "an earlier text"}, REFUSED]},
        {"id": "t", "choices": [{"message": REFUSED, "finish_reason": "stop"}]},
        {"id": "t", "messages": [{"role": "user", "content": "p"}, REFUSED]},
        {"id": "t", "object": "response", "output": [{"type": "message", **IN_PARTS}]},
    ],
)
def test_a_refusal_without_content_is_the_answer(row: object) -> None:
    found = load_predictions([row])
    assert found.items == {"t": "I cannot."}
    assert found.endings == {Ending.REFUSED: ["t"]}


def test_content_beside_a_refusal_and_answers_with_this_key_stay_as_they_are() -> None:
    parts = [{"type": "text", "text": "walk"}, *IN_PARTS["content"]]
    rows = [
        {"id": "a", "output": {**REFUSED, "content": "walk"}},
        {"id": "b", "output": {"role": "assistant", "content": parts}},
        {"id": "c", "output": {"refusal": "walk", "steps": []}},
        {"id": "d", "output": {**REFUSED, "content": "walk", "refusal": None}},
    ]
    found = load_predictions(rows)
    assert dict(found.items) == {
        "a": "walk",
        "b": "walk",
        "c": '{"refusal": "walk", "steps": []}',
        "d": "walk",
    }
    assert found.endings == {}


# ------------------------------------------------------------------ names of keys


@pytest.mark.parametrize("key", ["task_id", "custom_id", "sample_id", "key", "name", "Task ID"])
@pytest.mark.parametrize("text", ["response", "completion", "generated_text", "prediction"])
def test_common_names_of_keys(key: str, text: str) -> None:
    assert load_predictions([{key: "t", text: "x"}]).items == {"t": "x"}


@pytest.mark.parametrize("text", ["text", "answer", "content"])
def test_vague_names_count_where_there_is_no_other(text: str) -> None:
    assert load_predictions([{"id": "t", text: "x"}]).items == {"t": "x"}
    assert load_predictions([{"id": "t", text: "x", "response": "y"}]).items == {"t": "y"}


def test_the_key_that_names_a_task_counts() -> None:
    row = {"id": "chatcmpl-7", "index": 3, "metadata": {"task_id": "studio-01"}, "output": "x"}
    [found] = load_all([row, row | {"metadata": {"task_id": "flat-17"}}], is_task=is_task)
    assert list(found.items) == ["studio-01", "flat-17"]


def test_two_keys_that_name_different_tasks_are_a_question() -> None:
    row = {"task_id": "studio-01", "key": "flat-17", "response": "x"}
    with pytest.raises(InputError, match="--id-field"):
        load_all([row], is_task=is_task)
    [found] = load_all([row], is_task=is_task, id="key")
    assert list(found.items) == ["flat-17"]


def test_two_keys_with_different_answers_are_a_question() -> None:
    row = {"id": "t", "completion": "x", "prediction": "y"}
    with pytest.raises(InputError, match="--field"):
        load_predictions([row])
    assert load_predictions([row], output="prediction").items == {"t": "y"}
    assert load_predictions([row | {"prediction": "x"}]).items == {"t": "x"}


@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_what_the_caller_names_comes_first(ending: str, tmp_path: Path) -> None:
    row = {"id": "no", "output": "no", "a": {"b": [{"c": "yes"}]}, "who": {"x.y": "t"}, "by": "g"}
    path = saved(tmp_path, f"m.{ending}", json.dumps(row))
    found = load_predictions(path, id="who.x.y", output="a.b.0.c", model_field="by")
    assert (found.model, found.items) == ("g", {"t": "yes"})
    assert load_predictions([row], id="who.x.y", output="a.b.*.c").items == {"t": "yes"}


def test_a_path_that_leads_nowhere_is_a_problem_with_the_keys_that_are_there() -> None:
    with pytest.raises(InputError, match="'first', 'second'"):
        load_predictions([{"first": "a", "second": "b"}], id="third", output="second")


def test_a_refusal_names_what_would_read_the_file(tmp_path: Path) -> None:
    row = {"room": "studio-01", "meta": {"plan": WALK}, "model": "m"}
    path = saved(tmp_path, "m.jsonl", f"{json.dumps(row)}\n" * 2)
    with pytest.raises(InputError) as raised:
        load_all(path, is_task=is_task)
    assert "--id-field room --field meta.plan" in str(raised.value.mend)
    [found] = load_all(path, is_task=is_task, id="room", output="meta.plan")
    assert found.items == {"studio-01": WALK}


# ------------------------------------------------------------------ samples


@pytest.mark.parametrize("key", ["seed", "sample_idx", "n", "trial"])
def test_what_tells_answers_apart_makes_samples(key: str) -> None:
    values = [("t", 7), ("u", 7), ("t", 9), ("u", 9)]
    given = [{"id": task, "output": f"{task}{value}", key: value} for task, value in values]
    assert [(of.epoch, of.items) for of in load_all(given)] == [
        (1, {"t": "t7", "u": "u7"}),
        (2, {"t": "t9", "u": "u9"}),
    ]


def test_a_file_for_each_seed_makes_samples(tmp_path: Path) -> None:
    for seed in (7, 9):
        row = {"id": "t", "output": str(seed), "seed": seed, "model": "m"}
        saved(tmp_path, f"{seed}.jsonl", json.dumps(row))
    found = load_all(tmp_path)
    assert [(of.label, of.items["t"]) for of in found] == [("m #1", "7"), ("m #2", "9")]


def test_a_seed_for_each_task_makes_no_samples() -> None:
    given = [{"id": str(number), "output": "x", "seed": number} for number in range(50)]
    [found] = load_all(given)
    assert (found.epoch, len(found), found.problems) == (0, 50, [])


def test_the_same_seed_twice_is_a_duplicate() -> None:
    given = [{"id": "t", "output": "x", "seed": 1}, {"id": "t", "output": "y", "seed": 1}]
    [found] = load_all(given)
    assert (found.items, len(found.problems)) == ({"t": "x"}, 1)


def test_choices_of_one_response_are_samples() -> None:
    response = chat("one")
    response["choices"] += [{"index": 1, "message": {"role": "assistant", "content": "two"}}]
    found = load_all([{"custom_id": "t", "response": {"status_code": 200, "body": response}}])
    assert [(of.epoch, of.items) for of in found] == [(1, {"t": "one"}), (2, {"t": "two"})]


def test_rollouts_of_a_trainer_are_samples() -> None:
    found = load_all(TRL * 3)
    assert [of.epoch for of in found] == [1, 2, 3]
    assert all(of.items == ANSWERS for of in found)


# ------------------------------------------------------------------ containers


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_tables_of_text(ending: str, tmp_path: Path) -> None:
    pandas = package("pandas", extra="pandas")
    frame = pandas.DataFrame({"Task ID": ZIPPED[0], "Response": ZIPPED[1]})
    path = tmp_path / f"m.{ending}"
    frame.to_csv(path, index=False, sep="\t" if ending == "tsv" else ",")
    assert load_predictions(path) == Predictions("m", ANSWERS)


def test_conversations_in_cells_are_unwrapped(tmp_path: Path) -> None:
    pandas = package("pandas", extra="pandas")
    cells = [json.dumps([{"role": "assistant", "content": text}]) for text in ZIPPED[1]]
    path = tmp_path / "m.csv"
    pandas.DataFrame({"id": ZIPPED[0], "completion": cells}).to_csv(path, index=False)
    assert load_predictions(path).items == ANSWERS


def test_yaml_keeps_the_spelling_of_identifiers(tmp_path: Path) -> None:
    package("yaml", extra="tables")
    path = saved(tmp_path, "m.yaml", "27_2: walk\n1e3: |\n  run\n  home\n")
    assert load_predictions(path).items == {"27_2": "walk", "1e3": "run\nhome\n"}
    path = saved(tmp_path, "m.yml", "- id: 27_2\n  output: [walk, run]\n")
    assert load_predictions(path).items == {"27_2": '["walk", "run"]'}


@pytest.mark.parametrize("kind", ["parquet", "feather", "xlsx"])
def test_tables_of_other_libraries(kind: str, tmp_path: Path) -> None:
    pandas = package("pandas", extra="pandas")
    package("openpyxl" if kind == "xlsx" else "pyarrow", extra="tables")
    frame = pandas.DataFrame({"task_id": ZIPPED[0], "response": ZIPPED[1]})
    path = tmp_path / f"m.{kind}"
    if kind == "xlsx":
        frame.to_excel(path, index=False)
    else:
        getattr(frame, f"to_{kind}")(path)
    assert load_predictions(path) == Predictions("m", ANSWERS)


def test_all_sheets_of_a_workbook_are_read(tmp_path: Path) -> None:
    pandas = package("pandas", extra="pandas")
    package("openpyxl", extra="tables")
    path = tmp_path / "m.xlsx"
    with pandas.ExcelWriter(path) as writer:
        for number, (task, text) in enumerate(ANSWERS.items()):
            frame = pandas.DataFrame({"task_id": [task], "response": [text]})
            frame.to_excel(writer, sheet_name=f"part {number}", index=False)
    assert load_predictions(path) == Predictions("m", ANSWERS)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_cells_keep_their_line_ends(ends: str, tmp_path: Path) -> None:
    text = f'\ufeffid;output{ends}a;"one{ends}{ends}two; ""three"""{ends}b;four{ends}'
    (tmp_path / "m.csv").write_bytes(text.encode())
    found = load_predictions(tmp_path / "m.csv")
    assert found.items == {"a": f'one{ends}{ends}two; "three"', "b": "four"}


def test_data_sets_as_streams_of_arrow(tmp_path: Path) -> None:
    arrow = package("pyarrow", extra="tables")
    table = arrow.table({"task_id": ZIPPED[0], "messages": [r["completion"] for r in TRL]})
    path = str(tmp_path / "m.arrow")
    with arrow.OSFile(path, "wb") as file, arrow.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
    assert load_predictions(tmp_path / "m.arrow").items == ANSWERS


def test_a_zip_is_read_like_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("out/a_outputs.json", json.dumps(HUMAN_EVAL))
        archive.writestr("out/b_outputs.json", json.dumps(HUMAN_EVAL))
        archive.writestr("out/readme.md", "x")
        archive.writestr("__MACOSX/out/._a_outputs.json", "x")
    found = load_all(path)
    assert [(of.model, of.items) for of in found] == [("a", ANSWERS), ("b", ANSWERS)]
    left_out = {Path(problem.where).name for problem in found[0].problems}
    assert left_out == {"readme.md", "._a_outputs.json"}


def test_a_folder_of_texts_named_after_tasks(tmp_path: Path) -> None:
    folder = tmp_path / "gpt"
    folder.mkdir()
    for task, text in ANSWERS.items():
        saved(folder, f"{task}.txt", text)
    assert load_predictions(folder) == Predictions("gpt", ANSWERS)
    saved(folder, "notes.txt", "a note")
    [found] = load_all(folder, is_task=is_task)
    assert found.items == ANSWERS
    assert [Path(problem.where).name for problem in found.problems] == ["notes.txt"]


def test_objects_of_client_libraries() -> None:
    outputs = [SimpleNamespace(text=WALK, index=0, token_ids=[1], finish_reason="stop")]
    request = SimpleNamespace(request_id="studio-01", prompt="p", outputs=outputs, finished=True)
    assert load_predictions([request]).items == {"studio-01": WALK}


def test_frames_with_lists_in_their_cells() -> None:
    pandas = package("pandas", extra="pandas")
    frame = pandas.DataFrame(TRL)
    assert load_predictions(frame).items == ANSWERS


# ------------------------------------------------------------------ nothing is dropped


def test_every_file_of_a_folder_is_accounted_for(tmp_path: Path) -> None:
    for number in range(100):
        saved(tmp_path, f"good{number:03}.jsonl", json.dumps({"id": "t", "output": "x"}))
        saved(tmp_path, f"bad{number:03}.json", '{"id": [')
        saved(tmp_path, f"foreign{number:03}.md", "# x")
        saved(tmp_path, f"rows{number:03}.csv", "a,b\n1,2\n")
    (tmp_path / "below").mkdir()
    saved(tmp_path / "below", "deep.json", "{}")
    saved(tmp_path, ".hidden", "x")
    found = load_all(tmp_path)
    left_out = {problem.where.partition(":")[0] for problem in found[0].problems}
    used = {of.reading.name for of in found if of.reading is not None}
    files = {str(path) for path in tmp_path.rglob("*") if path.is_file()}
    assert len(used) == 100
    assert used | left_out == files
    assert all(problem.reason == "file" for problem in found[0].problems)


def test_parts_of_a_batch_are_one_model(tmp_path: Path) -> None:
    for number, (task, text) in enumerate(ANSWERS.items()):
        response = {"status_code": 200, "body": chat(text, model="gpt")}
        saved(tmp_path, f"{number}.jsonl", json.dumps({"custom_id": task, "response": response}))
    [found] = load_all(tmp_path)
    assert (found.model, found.items) == ("gpt", ANSWERS)
    assert found.reading is not None
    assert [Path(name).name for name in found.reading.files] == ["0.jsonl", "1.jsonl"]


def test_files_of_a_folder_that_answer_no_task_are_left_out(tmp_path: Path) -> None:
    saved(tmp_path, "good.json", json.dumps(ANSWERS))
    saved(tmp_path, "settings.json", json.dumps({"prompt": "p", "model": {"name": "m"}}))
    [found] = load_all(tmp_path, is_task=is_task)
    assert [Path(problem.where).name for problem in found.problems] == ["settings.json"]
    (tmp_path / "good.json").unlink()
    assert load_all(tmp_path, is_task=is_task)[0].items.keys() == {"prompt", "model"}


def test_every_row_is_accounted_for(tmp_path: Path) -> None:
    good = [{"id": str(number), "output": "x"} for number in range(2_000)]
    bad: list[object] = [5, {"id": "a"}, {"output": "b"}, {"id": None, "output": "c"}, good[0]]
    lines = [*map(json.dumps, good + bad * 400), "{", "oops"]
    found = load_predictions(saved(tmp_path, "m.jsonl", "\n".join(lines)))
    assert found.reading is not None
    assert found.reading.rows == len(lines)
    assert len(found) + sum(found.reading.left_out.values()) == len(lines)
