"""Finding things by name: built in, from other packages, or as ``module:attribute``.

Other packages announce theirs as entry points (``eai.suites``). Nothing is imported until it is
asked for; an announcement that cannot be loaded spoils nothing but itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, partial
from typing import Any, NamedTuple

from eai.contract import Suite
from eai.errors import EaiError, InputError, look_up, reported
from eai.plugins import find_object, place_of, said_by


class Origin(NamedTuple):
    """Where something with a name comes from.

    Args:
        target: ``module:attribute``.
        package: The distribution that announced it.
    """

    name: str
    target: str
    package: str


class Registry:
    """Things of one kind by name.

    Args:
        kind: What they are, for messages (``"suite"``).
        group: Entry-point group in which packages announce theirs.
        builtin: ``module:attribute`` of the table of those that come with ``eai`` (name to
            ``module:attribute``), or the table; they cannot be replaced.
        schemes: A table of the same kind of what is made from data: ``scheme:PATH``.
    """

    def __init__(
        self, kind: str, group: str, builtin: str | Mapping[str, str], schemes: str = ""
    ) -> None:
        self.kind = kind
        self.group = group
        self._table = builtin
        self._schemes_at = schemes

    @cached_property
    def _builtin(self) -> Mapping[str, Origin]:
        table: Any = self._table
        if isinstance(table, str):
            table = find_object(table, what=f"the list of what is a {self.kind}")
        return {name: Origin(name, target, "eai") for name, target in table.items()}

    @cached_property
    def _schemes(self) -> Mapping[str, str]:
        what = f"the list of schemes of a {self.kind}"
        found: Any = find_object(self._schemes_at, what=what) if self._schemes_at else {}
        return dict(found)

    def origins(self) -> list[Origin]:
        """Everything that is announced, built-in things first; the first of a name counts."""
        from importlib.metadata import entry_points

        found = dict(self._builtin)
        for point in sorted(entry_points(group=self.group), key=lambda p: (p.name, p.value)):
            package = point.dist.name if point.dist is not None else "unknown"
            found.setdefault(point.name, Origin(point.name, point.value, package))
        return list(found.values())

    def announces(self, name: str) -> bool:
        """Whether something with this name is announced.

        Names out of data, such as a record's, have to be: data must not choose what is imported.
        """
        scheme = name.partition(":")[0] if ":" in name else None
        return scheme in self._schemes or any(origin.name == name for origin in self.origins())

    def load(self, name: str) -> Any:  # noqa: ANN401
        """Return what a name (or ``module:attribute``) stands for.

        Raises:
            UnknownNameError: If nothing has this name.
            InputError: If it is no name, or if it cannot be imported.
        """
        if not isinstance(name, str):
            raise InputError(
                f"{reported(name)} is not a name of a {self.kind}",
                expected=f"a string: the name of a {self.kind}, or module:attribute",
            )
        if name in self._builtin:
            return self._import(self._builtin[name])
        scheme, colon, rest = name.partition(":")
        if colon and scheme in self._schemes:
            made: Any = self._import(Origin(scheme, self._schemes[scheme], "eai"))
            return partial(made, rest)
        if ":" in name:
            return self._import(Origin(name, name, "you"))
        known = {origin.name: origin for origin in self.origins()}
        return self._import(look_up(self.kind, name, known))

    def _import(self, origin: Origin) -> Any:  # noqa: ANN401
        announced = "" if origin.name == origin.target else f" from {origin.package}"
        return find_object(origin.target, what=f"the {self.kind} {origin.name!r}{announced}")


@contextmanager
def blaming(kind: str, name: str, *, where: str | None = None) -> Iterator[None]:
    """Turn whatever a plug-in raises in the block into an error that names the plug-in.

    Args:
        kind: What it is (``"suite"``).
        name: Its name.
        where: What is said to have failed where no place in its own code can be named.

    Raises:
        InputError: For everything that is no error of ``eai`` already.
    """
    try:
        yield
    except EaiError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(
            f"the {kind} {name!r} cannot be used: {said_by(error)}",
            where=place_of(error) or where,
            expected="module:attribute of a class or function that can be called without arguments",
        ) from error


_SUITES = Registry("suite", "eai.suites", "eai.suites:SUITES", "eai.suites:SCHEMES")


def suites() -> Registry:
    """The registry of suites."""
    return _SUITES


def suite(name: str) -> Suite:
    """Return a suite by name.

    Raises:
        UnknownNameError: If there is no such suite.
        InputError: If it cannot be loaded, or if it is no suite.
    """
    made = _SUITES.load(name)
    with blaming("suite", name, where="while it was made"):
        made = made() if callable(made) else made
    return checked_suite(made, where=name)


def given_suite(given: str | Suite) -> Suite:
    """Return the suite that a caller gave: by its name, or the suite itself.

    Raises:
        UnknownNameError: If there is no suite of this name.
        InputError: If it cannot be loaded, or if it is no suite.
    """
    return suite(given) if isinstance(given, str) else checked_suite(given)


def checked_suite(value: object, *, where: str | None = None) -> Suite:
    """Return a value that is a suite.

    Args:
        value: The value.
        where: Where it comes from, for messages.

    Raises:
        InputError: If it is none.
    """
    if isinstance(value, Suite):
        return value
    expected = "the name of a suite, or an object of a class derived from eai.Suite"
    if isinstance(value, type):
        what, mend = f"{value.__name__} is a class, not a suite", f"call it: {value.__name__}()"
        raise InputError(what, expected=expected, mend=mend)
    what = f"a value of type {type(value).__name__} is not a suite"
    raise InputError(what, where=where, expected=expected)
