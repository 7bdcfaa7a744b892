"""`benchmarks/agreement/paper_tables.py`: printed numbers come out, or it is known why not."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pytest
from needs import facts, recordings

from eai.analyses import dataset_statistics
from eai.contract.registry import suite

BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "agreement"
FACTS = facts("eai")
answers = recordings("eai", "model_outputs")
# Planning in BEHAVIOR takes a minute for each model, and its answers are not the paper's.
QUICK = (
    ("virtualhome", "goal_interpretation"),
    ("behavior", "goal_interpretation"),
    ("virtualhome", "transition_modeling"),
    ("behavior", "subgoal_decomposition"),
)
MODELS = ("GPT-4o", "Claude-3 Opus", "Llama 3 8B")


@pytest.fixture(scope="module")
def values() -> Iterator[ModuleType]:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import paper_tables_values

        yield paper_tables_values
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.mark.parametrize(
    ("value", "printed", "reason"),
    [
        (36.55, 36.6, ""),
        (36.548, 36.5, ""),
        (36.548, 36.6, "rounded twice"),
        (36.58, 36.5, "cut"),
        (47.5, 48.0, "whole"),
        (38.497, 38.0, "whole"),
    ],
)
def test_digits_can_be_printed_in_several_ways(
    value: float, printed: float, reason: str, values: ModuleType
) -> None:
    found = values.explain_digit(value, printed)
    assert found is not None
    assert bool(found) == bool(reason)
    assert reason in found


def test_another_number_is_no_matter_of_digits(values: ModuleType) -> None:
    assert values.explain_digit(36.55, 36.7) is None
    assert values.explain_digit(36.55, 36.4) is None


def test_files_are_of_the_model_with_the_longest_fitting_name(values: ModuleType) -> None:
    models = {"R": ["command-r"], "R+": ["command-r-plus"], "4o": ["gpt-4o"]}
    named = {
        "cohere-command-r_outputs.json": None,
        "command-r-plus_outputs.json": "R+",
        "command-r.json.gz": "R",
        "gpt-4o-2024-05-13.json.gz": "4o",
        "gpt-4omega.json": None,
    }
    assert {name: values._named(Path(name), models) for name in named} == named


def test_stored_results_are_not_counted_as_equal(values: ModuleType) -> None:
    import paper_tables

    row = (values.Cell(50.0, 50.0), values.Cell(10.0, 20.0, "another run"))
    blocks = [
        values.Block(10, "virtualhome", "subgoal_decomposition", ("a", "b"), {"m": row}, "", stored)
        for stored in (False, True)
    ]
    lines = list(paper_tables.markdown(blocks))
    about = "| 10 | VirtualHome | subgoal decomposition |"
    assert [line for line in lines if line.startswith(about)] == [
        f"{about} 1 | 2 | 1 | 0 | 0 | 1 | 0 |",
        f"{about} 1 | 2 | 1 |",
    ]


def test_every_check_that_a_reason_names_is_there(values: ModuleType) -> None:
    import paper_tables_checks

    printed = json.loads(values.PRINTED.read_text(encoding="utf-8"))
    named = {each["check"] for each in printed["reasons"] if "check" in each}
    assert named == set(vars(paper_tables_checks.Checks)) - {
        name for name in vars(paper_tables_checks.Checks) if name.startswith("_")
    } - {"passes", "missing"}


@pytest.mark.usefixtures("values")
def test_what_is_not_explained_names_the_verdicts_that_are_missing(tmp_path: Path) -> None:
    import paper_tables_checks

    table = {"table": 13, "suite": "virtualhome", "ability": "transition_modeling"}
    checks = paper_tables_checks.Checks(
        tmp_path, [table], lambda _: {}, lambda _: {"m": tmp_path / "model-1.json.gz"}
    )
    assert "real_vh_tm_logic.jsonl.gz has none of model-1" in checks.missing(table, "m")
    assert checks.missing({**table, "ability": "subgoal_decomposition"}, "m") == ""


@pytest.fixture(scope="module")
def found(values: ModuleType) -> Sequence[object]:
    return list(values.blocks(FACTS, MODELS, only=QUICK))


@pytest.mark.official
@answers
def test_every_difference_has_its_reason(found: Sequence[object], values: ModuleType) -> None:
    blocks = [block for block in found if isinstance(block, values.Block)]
    assert {block.table for block in blocks} >= {3, 9, 10, 13, 15}
    for block in blocks:
        for model, row in block.rows.items():
            for column, cell in zip(block.columns, row, strict=True):
                assert cell.known, (block.table, model, column, cell)


@pytest.mark.official
@answers
def test_rows_that_come_out_to_the_digit(found: Sequence[object], values: ModuleType) -> None:
    blocks = [block for block in found if isinstance(block, values.Block)]
    exact = {
        (13, "virtualhome"),
        (15, "virtualhome"),
        (9, "behavior"),
        (9, "virtualhome"),
    }
    compared = 0
    for block in blocks:
        if (block.table, block.suite) not in exact:
            continue
        for model, row in block.rows.items():
            for column, cell in zip(block.columns, row, strict=True):
                seeded = block.suite == "virtualhome" and column.startswith("relation_")
                digits = values.explain_digit(cell.computed, cell.printed)
                assert seeded or digits is not None, (block.table, model, column, cell)
                compared += not seeded
    assert compared == len(MODELS) * (15 + 5 + 6 + 6)


@pytest.mark.official
@answers
@pytest.mark.parametrize(
    ("name", "operators", "conditions", "effects"),
    [("virtualhome", 33, (98, 1), (44, 13)), ("behavior", 30, (84, 0), (51, 0))],
)
def test_table_2_counts_predicates_of_operators(
    found: Sequence[object],
    name: str,
    operators: int,
    conditions: tuple[int, int],
    effects: tuple[int, int],
) -> None:
    del found
    counts = {str(row["what"]): row["number"] for row in dataset_statistics(suite(name)).rows}
    assert counts["- operators"] == operators
    parts = {"precondition": conditions, "effect": effects}
    for part, numbers in parts.items():
        of_part = (counts[f"- predicates of their {part}s"], counts[f"- operators without {part}"])
        assert of_part == numbers


@pytest.mark.official
@answers
def test_a_reason_does_not_hold_for_another_number(
    found: Sequence[object], values: ModuleType
) -> None:
    assert found  # the answers are there
    printed = json.loads(values.PRINTED.read_text(encoding="utf-8"))
    for number, suite_name, column in (
        (9, "virtualhome", "relation_f1"),
        (10, "behavior", "missing_step"),
    ):
        table = next(
            t for t in printed["tables"] if (t["table"], t["suite"]) == (number, suite_name)
        )
        place = table["columns"].index(column)
        table["rows"]["Llama 3 8B"][place] += 5
        source = values._Source(FACTS, printed, ["Llama 3 8B"])
        row = table["rows"]["Llama 3 8B"]
        computed = source.computed(table)["Llama 3 8B"]
        cells = list(source.cells(table, "Llama 3 8B", row, computed, stored=False))
        assert [cell.known for cell in cells] == [i != place for i in range(len(row))]
