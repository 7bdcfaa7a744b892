"""What is said of items that are there twice, and of many problems."""

from collections.abc import Iterable

from eai.contract import Raw
from eai.predictions import Predictions
from eai.predictions.collecting import MAX_PROBLEMS, collect


def collected(*values: object) -> list[Predictions]:
    raws: Iterable[Raw] = ((f"line {n}", value) for n, value in enumerate(values, 1))
    return collect(raws, "unnamed", dict)


def answer(text: str, **more: str) -> dict[str, object]:
    return {"id": "t", "output": text, **more}


def sample(text: str, chosen: str) -> dict[str, object]:
    """A sample of lm-evaluation-harness, as one of its filters writes it."""
    return {"doc": {"id": "t"}, "resps": [[text]], "filter": chosen}


def test_a_second_answer_is_a_problem_though_it_says_the_same() -> None:
    for second in ("OPEN(door)", "CLOSE(door)"):
        [found] = collected(answer("OPEN(door)"), answer(second))
        assert found.items == {"t": "OPEN(door)"}
        assert [str(problem) for problem in found.problems] == [
            "line 2: duplicate id 't', keeping the first"
        ]


def test_many_second_answers_are_counted_and_the_way_to_give_samples_is_named() -> None:
    [found] = collected(*[answer("OPEN(door)")] * 25)
    *named, counted = map(str, found.problems)
    assert [each.partition(":")[0] for each in named] == ["line 2", "line 3", "line 4"]
    assert counted == (
        "line 5: 21 more duplicate ids; several answers to a task are told apart by "
        '"epoch": 1, 2, ..., or listed under "outputs"'
    )


def test_a_sample_stands_there_once_for_each_filter_and_again_for_a_second_run() -> None:
    [found] = collected(sample("OPEN(door)", "none"), sample("OPEN(door)", "strict"))
    assert (found.items, found.problems) == ({"t": "OPEN(door)"}, [])
    [found] = collected(sample("OPEN(door)", "none"), sample("CLOSE(door)", "none"))
    assert found.items == {"t": "OPEN(door)"}
    assert [problem.where for problem in found.problems] == ["line 2"]


def test_a_second_answer_is_the_problem_of_the_model_that_it_names() -> None:
    one, other = collected(
        answer("OPEN(door)", model="one"),
        answer("OPEN(door)", model="other"),
        answer("CLOSE(door)", model="other"),
    )
    assert (one.model, one.problems) == ("one", [])
    assert (other.model, [problem.where for problem in other.problems]) == ("other", ["line 3"])
    assert other.items == {"t": "OPEN(door)"}


def test_the_problems_beyond_a_thousand_are_counted() -> None:
    given = answer("OPEN(door)"), *[{"id": "t"}] * MAX_PROBLEMS
    [found] = collected(*given)
    assert len(found.problems) == MAX_PROBLEMS
    [found] = collected(*given, *[{"id": "t"}] * 12)
    *kept, last = found.problems
    assert len(kept) == MAX_PROBLEMS
    assert str(last) == f"line {MAX_PROBLEMS + 1}: 12 more problems after this line"
