"""Registries of plug-ins by name: of ``eai``, of other packages, or ``module:attribute``.

All are announced as entry points (``eai.suites``, ``eai.agents``). Nothing is imported until it is
asked for; an announcement that cannot be loaded spoils nothing but itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from eai.contract import Suite
from eai.errors import EaiError, InputError, look_up, reported
from eai.plugins import Origin, announced, find_object, place_of, said_by, shipped


class Registry:
    """A registry of plug-ins of one kind.

    Args:
        kind: Word for them in messages (``"suite"``).
        group: Entry-point group in which packages announce theirs; plug-ins that come with ``eai``
            cannot be replaced.
        schemes: Group of plug-ins that are made from data: ``scheme:PATH``.
    """

    def __init__(self, kind: str, group: str, schemes: str = "") -> None:
        self.kind = kind
        self.group = group
        self.schemes = schemes

    def origins(self) -> list[Origin]:
        """Return all announced plug-ins, those of ``eai`` first."""
        return list(announced(self.group).values())

    def announces(self, name: str) -> bool:
        """Return whether a plug-in of this name is registered.

        Names in data, such as those in a record, must be registered, because data must not decide
        what is imported.
        """
        scheme, colon, _ = name.partition(":")
        if colon and scheme in self._schemes():
            return True
        return name in shipped(self.group) or name in announced(self.group)

    def load(self, name: str) -> Any:  # noqa: ANN401
        """Return the plug-in with a name, or the object at ``module:attribute``.

        Raises:
            UnknownNameError: If no plug-in has this name.
            InputError: If the name is not text, or the plug-in cannot be imported.
        """
        if not isinstance(name, str):
            raise InputError(
                f"{reported(name)} is not a name of a {self.kind}",
                expected=f"a string: the name of a {self.kind}, or module:attribute",
            )
        # Other packages are looked through only if it does not come with eai: that takes longer.
        shipped_plugin = shipped(self.group).get(name)
        if shipped_plugin is not None:
            return self._import(shipped_plugin)
        scheme, colon, argument = name.partition(":")
        if colon:
            schemes = self._schemes()
            if scheme in schemes:
                # "pddl:folder" -> Pddl("folder"), made when it is called
                return partial(self._import(schemes[scheme]), argument)
            return self._import(Origin(name, name, "you"))
        return self._import(look_up(self.kind, name, announced(self.group)))

    def _schemes(self) -> Mapping[str, Origin]:
        """Return the factory for names with a scheme, such as ``pddl:DIR``, by scheme."""
        if not self.schemes:
            return {}
        return announced(self.schemes)

    def _import(self, origin: Origin) -> Any:  # noqa: ANN401
        """Return the object of a registered name."""
        what = f"the {self.kind} {origin.name!r}"
        is_announced = origin.name != origin.target  # else it was named as module:attribute
        if is_announced:
            what += f" from {origin.package}"
        return find_object(origin.target, what=what)


@contextmanager
def blaming(kind: str, name: str, *, where: str | None = None) -> Iterator[None]:
    """Turn any error of a plug-in in the block into one that names the plug-in.

    Args:
        kind: Kind of the plug-in (``"suite"``).
        name: Its name.
        where: Place that is named if none in the plug-in's own code can be.

    Raises:
        InputError: For everything that is not an error of ``eai`` already.
    """
    try:
        yield
    except EaiError:
        raise
    # A module may call sys.exit() when it is imported, which would end the whole program.
    except (Exception, SystemExit) as error:
        place = place_of(error)
        # A file that a name leads to, and not the code of a plug-in.
        if place is None and isinstance(error, OSError) and error.filename is not None:
            raise InputError(
                f"the {kind} {name!r} cannot be read: {error.strerror}",
                where=str(error.filename),
                mend="check that you may read it",
            ) from error
        raise InputError(
            f"the {kind} {name!r} cannot be used: {said_by(error)}",
            where=place or where,
            expected="module:attribute of a class or function that can be called without arguments",
        ) from error


_SUITES = Registry("suite", "eai.suites", schemes="eai.schemes")


def suites() -> Registry:
    """Return the registry of suites."""
    return _SUITES


def suite(name: str) -> Suite:
    """Return a suite by name.

    Raises:
        UnknownNameError: If there is no such suite.
        InputError: If it cannot be loaded, or if it is not a suite.
    """
    loaded = _SUITES.load(name)
    if callable(loaded):  # a class or a factory
        with blaming("suite", name, where="while it was made"):
            loaded = loaded()
    return checked_suite(loaded, where=name)


def given_suite(given: str | Suite) -> Suite:
    """Return a suite that is given by name or as an object.

    Raises:
        UnknownNameError: If there is no suite of this name.
        InputError: If it cannot be loaded, or if it is not a suite.
    """
    if isinstance(given, str):
        return suite(given)
    return checked_suite(given)


def checked_suite(value: object, *, where: str | None = None) -> Suite:
    """Return a value after checking that it is a suite.

    Args:
        value: The value.
        where: Where it comes from, for messages.

    Raises:
        InputError: If the value is not a suite.
    """
    if isinstance(value, Suite):
        return value
    expected = "the name of a suite, or an object of a class derived from eai.Suite"
    if isinstance(value, type):
        raise InputError(
            f"{value.__name__} is a class, not a suite",
            expected=expected,
            mend=f"call it: {value.__name__}()",
        )
    raise InputError(
        f"a value of type {type(value).__name__} is not a suite", where=where, expected=expected
    )
