"""Judges of a suite by ability: each is imported when its ability is first judged."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import cache

from eai.diagnosis.judgement import Judgement
from eai.errors import InputError, UnknownNameError
from eai.semantics import Semantics
from eai.task import Task

__all__ = ["Judge", "Judges"]

Judge = Callable[[Task, "str | None", Semantics], Judgement]
"""Judges one answer to a task (None: there is none) under a semantics."""


class Judges:
    """The judges of a suite.

    Args:
        targets: Ability to a :data:`Judge`, or to ``module:function``.
    """

    def __init__(self, targets: Mapping[str, str | Judge]) -> None:
        self.abilities = tuple(targets)
        self._targets = dict(targets)

    def __call__(
        self, ability: str, task: Task, answer: str | None, semantics: Semantics
    ) -> Judgement:
        """Judge one answer; None stands for a missing one.

        Raises:
            UnknownNameError: If the ability is not one of the suite's.
            InputError: If the answer is not text.
        """
        if ability not in self._targets:
            raise UnknownNameError("ability", ability, self.abilities)
        if answer is not None and not isinstance(answer, str):
            raise InputError(
                f"an answer is {type(answer).__name__}, not text",
                expected="what the model wrote, as str",
            )
        judge = self._targets[ability]
        if isinstance(judge, str):
            judge = _imported(judge)
        return judge(task, answer, semantics)


@cache
def _imported(target: str) -> Judge:
    module, _, name = target.partition(":")
    judge: Judge = getattr(importlib.import_module(module), name)
    return judge
