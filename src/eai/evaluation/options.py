"""The options of evaluation: one value, which functions and the command line share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from eai.budget import Budget
    from eai.logic import Rule
    from eai.semantics import Semantics


class EvaluationOptions(TypedDict, total=False):
    """Options of an evaluation and of its run, all of them optional.

    They are keyword arguments of :func:`eai.evaluate` and :func:`eai.evaluate_outputs`::

        eai.evaluate("household", "answers.jsonl", semantics="strict", output="run")
    """

    semantics: str | Semantics | None
    """``"official"`` (the published evaluator, with its quirks) or ``"strict"`` (the definitions);
    by default the one that the suite prefers."""
    without: Iterable[str]
    """Quirks to switch off, or the name of one."""
    only: Iterable[str]
    """Quirks to switch on, over ``"strict"``, or the name of one."""
    answers: str | None
    """The format of published answers (``"2024"``; :func:`eai.contract.answer_formats`): switches
    off the quirks of ``"official"`` that keep them from being read."""
    budget: str | Budget | None
    """Budget of the evaluation of one answer (:class:`eai.budget.Budget`, or its text:
    ``"states=1000"``); by default that of the semantics."""
    corrected: bool
    """Whether tasks whose own annotation is faulty are left out (:mod:`eai.contract.lint`); by
    default all count, as published."""
    rules: str | os.PathLike[str] | Iterable[Rule | Mapping[str, object]] | None
    """Rules that plans have to keep on the way, beside the goals of their tasks: a file
    (:mod:`eai.logic.rules`), or a list of what stands in one. They are no part of success."""
    output: str | os.PathLike[str] | None
    """A folder for the records, the tables and the page. A run that was interrupted there resumes
    where it stopped."""
    force: bool
    """Whether the files of another run there may be replaced."""
    workers: int | Executor | None
    """How many processes evaluate (by default this one), or a
    :class:`concurrent.futures.Executor` (Dask's: ``client.get_executor()``). Memory does not grow
    with the number of answers, whoever evaluates them (see ``docs/speed.md``)."""
