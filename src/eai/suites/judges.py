"""Judges of a suite by ability, and what suites have in common that are judged by them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from eai.diagnosis.judgement import Judgement
from eai.errors import InputError, UnknownNameError
from eai.semantics import Quirk, Semantics

if TYPE_CHECKING:
    from eai.suites.base import Suite
    from eai.task import Task

__all__ = ["Judge", "JudgedSuite", "Judges"]

Judge = Callable[["Task", "str | None", Semantics], Judgement]
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


class JudgedSuite:
    """The judging half of a suite; subclasses bring the tasks, the judges and the quirks."""

    judges: Judges
    """Its abilities and who judges them."""
    quirks: Mapping[str, Quirk] = {}
    """The quirks that ``official`` switches on."""
    official_version = ""
    """The evaluator that ``official`` reproduces."""
    default_semantics = "official"
    """The semantics that is used when none is asked for."""

    @property
    def abilities(self) -> Sequence[str]:
        """Names of the abilities that can be judged."""
        return self.judges.abilities

    def _repr_html_(self) -> str:
        from eai.suites.display import suite_html

        return suite_html(cast("Suite", self))

    def semantics(
        self, choice: str | Semantics, *, without: Iterable[str] = (), only: Iterable[str] = ()
    ) -> Semantics:
        """See :meth:`eai.suites.base.Suite.semantics`."""
        version = self.official_version
        return Semantics.of(choice, self.quirks, version=version, without=without, only=only)

    def judge(
        self, ability: str, task: Task, answer: str | None, semantics: Semantics
    ) -> Judgement:
        """Judge one answer; None stands for a missing one.

        Raises:
            UnknownNameError: If the ability is not one of the suite's.
            InputError: If the answer is not text.
        """
        return self.judges(ability, task, answer, semantics)


@cache
def _imported(target: str) -> Judge:
    module, _, name = target.partition(":")
    judge: Judge = getattr(importlib.import_module(module), name)
    return judge
