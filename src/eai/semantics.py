"""Named semantics: how a benchmark's published evaluator and its definitions differ.

A *quirk* is one place where the published evaluator does something else than its paper (or
good sense) says. Each has a name, a reason and a test. A *semantics* is a named set of quirks:
``official`` has all that the suite knows, ``strict`` has none, and any single one can be
switched for an experiment. The budget for the evaluation of one answer belongs to a semantics too
(:class:`~eai.budget.Budget`): a smaller one leaves other answers undecided. Every report prints
which semantics it used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from eai.budget import Budget
from eai.errors import InputError, check_name


class Quirk(NamedTuple):
    """One deviation of a published evaluator.

    Args:
        strict: The behaviour by the definitions, with the section of the paper.
        hook: The part that it changes: ``"reading"`` of answers, meaning of ``"names"``, the
            ``"world"``, kinds of ``"errors"``, ``"scoring"`` and the like.
        is_optional: Whether ``official`` leaves it off: it depends on the model or the version.
    """

    name: str
    official: str
    strict: str
    hook: str = ""
    is_optional: bool = False


def worded(semantics: str) -> str:
    """Return the text of a semantics with its changes in words (``without the quirk ...``)."""
    words = {"-": "without", "+": "with"}
    # ``official -gold_shortcut`` becomes ``official without the quirk gold_shortcut``.
    return re.sub(r" ([-+])(?=\w)", lambda sign: f" {words[sign[1]]} the quirk ", semantics)


class Semantics(NamedTuple):
    """A named set of quirks.

    Args:
        name: ``"official"``, ``"strict"``, or one of them with the changes spelled out.
        version: Which evaluator is reproduced; empty for ``strict``.
        budget: Limits of the evaluation of one answer.
    """

    name: str
    quirks: frozenset[str] = frozenset()
    version: str = ""
    budget: Budget = Budget()

    def __contains__(self, quirk: object) -> bool:
        return quirk in self.quirks

    def less(self, *quirks: str) -> Semantics:
        """Return the same semantics without some quirks; its name stays as it is."""
        return self._replace(quirks=self.quirks.difference(quirks))

    @property
    def is_strict(self) -> bool:
        """Whether it is based on the definitions, perhaps with some quirks added."""
        return self.name.partition(" ")[0] == "strict"

    def __str__(self) -> str:
        limits = f"budget {self.budget}" if self.budget != Budget() else ""
        reported = ", ".join(filter(None, (self.version, limits)))
        return f"{self.name} ({reported})" if reported else self.name

    @classmethod
    def of(
        cls,
        choice: str | Semantics,
        known: Mapping[str, Quirk],
        *,
        version: str = "",
        without: Iterable[str] = (),
        only: Iterable[str] = (),
    ) -> Semantics:
        """Return the semantics that a user asks for.

        Args:
            choice: ``"official"`` or ``"strict"``; a ready semantics is returned as it is.
            known: The suite's quirks by name.
            version: The evaluator that ``official`` reproduces.
            without: Quirks to switch off (from ``official``).
            only: Quirks to switch on (over ``strict``).

        Raises:
            UnknownNameError: If the choice or a quirk is unknown.
            InputError: If a quirk is already what it shall be, or the semantics is ready.
        """
        if isinstance(choice, Semantics):
            if list(without) or list(only):
                raise InputError(
                    f"the semantics {str(choice)!r} is fixed; its quirks cannot be switched",
                    expected="'official' or 'strict' where quirks are switched",
                )
            return choice
        check_name("semantics", str(choice), ("official", "strict"))
        off = sorted(set(without))
        on = sorted(set(only))
        for name in (*off, *on):
            check_name("quirk", name, known)
        base = frozenset[str]()
        if choice == "official":
            base = frozenset(name for name, quirk in known.items() if not quirk.is_optional)
        else:
            version = ""
        words = [choice]
        for name in off:
            _check_switch(name, choice, is_on=name in base, to="off")
            words.append(f"-{name}")
        for name in on:
            _check_switch(name, choice, is_on=name in base, to="on")
            words.append(f"+{name}")
        return cls(" ".join(words), base.difference(off).union(on), version)

    @classmethod
    def spelled(cls, text: str, known: Mapping[str, Quirk], *, version: str = "") -> Semantics:
        """Return the semantics that a report names (the inverse of ``str``).

        Raises:
            UnknownNameError: If the text names no semantics or an unknown quirk.
            InputError: If the budget in it is none.
        """
        # "official -some_quirk (1.0.5, budget 10s)": the text in brackets is not a quirk.
        choice, *changes = text.partition(" (")[0].split(" ")
        off = [change[1:] for change in changes if change.startswith("-")]
        on = [change[1:] for change in changes if change.startswith("+")]
        meaning = cls.of(choice, known, version=version, without=off, only=on)
        limits = re.search(r"[(,] ?budget ([^,)]*)", text)
        if limits is None:
            return meaning
        return meaning._replace(budget=Budget.parse(limits[1]))


def _check_switch(quirk: str, choice: str, *, is_on: bool, to: str) -> None:
    """Refuse to switch a quirk to its present value, which would report a change that is none.

    Args:
        quirk: Name of the quirk.
        choice: The semantics that it is switched in.
        is_on: Whether this semantics has the quirk.
        to: ``"on"`` or ``"off"``.
    """
    if is_on == (to == "off"):
        return
    other = "official" if choice == "strict" else "strict"
    raise InputError(
        f"the quirk {quirk!r} is {to} already under {choice!r}",
        expected="quirks to switch off from 'official', or to switch on over 'strict'",
        mend=f"choose {other!r}, or leave it out",
    )
