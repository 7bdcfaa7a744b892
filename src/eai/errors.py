"""Every exception that a user of ``eai`` can meet.

    EaiError
     ├─ InputError              what you gave cannot be used
     │   ├─ ParseError          a text breaks its grammar (carries line, column and caret)
     │   ├─ SchemaError         a file or value has the wrong shape
     │   ├─ UnknownNameError    a name is not known here (carries the nearest known ones)
     │   └─ SameNameError       two sources of predictions have a model of the same name
     ├─ DataError               benchmark data is absent, damaged or cannot be stored
     │   ├─ DataMissingError    it has not been fetched yet
     │   └─ ChecksumError       it is not the pinned release
     ├─ OutputExistsError       writing would overwrite something
     ├─ MissingExtraError       an optional dependency is not installed
     ├─ ModelError              a live model could not be asked, or gave no answer
     │   └─ CallLimitError      an agent may not ask its model more often in one episode
     └─ SimulationError         a world was asked for something that it cannot do

A wrong answer of a model is never an exception: it becomes a scored failure in a record.
Catch ``EaiError`` to catch them all.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import ParamSpec, TypeVar

Value = TypeVar("Value")
_Arguments = ParamSpec("_Arguments")


def reported(value: object) -> str:
    """Say what was given, where something else is expected: a short text, or its type."""
    if value is None or (isinstance(value, str) and len(value) <= 40):
        return repr(value)
    return f"something of type {type(value).__name__}"


def nearest(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """Return up to ``most`` known names that are similar to ``name``, the best first.

    Names that differ only in letter case, separators and leading zeros of numbers (``studio-1`` for
    ``studio-01``) are certain, so only they are returned. Letter case is ignored in all
    comparisons, but names are returned as they are spelled.
    """
    return list(_nearest(name, tuple(known), most))


def did_you_mean(names: Iterable[str]) -> str:
    """Return a hint with the names that were probably meant.

    >>> did_you_mean(["open", "close"])
    "did you mean 'open' or 'close'?"
    """
    quoted = [repr(name) for name in names]
    return f"did you mean {' or '.join(quoted)}?"


@functools.lru_cache(maxsize=256)  # a text may have the same wrong name very many times
def _nearest(name: str, known: tuple[str, ...], most: int) -> Sequence[str]:
    """Return what :func:`nearest` does, with the known names hashable for a cache."""
    import difflib

    # First those that differ in spelling only, which leave no doubt; else those that look alike.
    wanted = _bare(name)
    same = [candidate for candidate in known if _bare(candidate) == wanted] if wanted else []
    if same:
        return sorted(same, key=lambda candidate: candidate.lower() != name.lower())[:most]
    spelled: dict[str, str] = {}
    for candidate in known:
        spelled.setdefault(candidate.lower(), candidate)
    close = difflib.get_close_matches(name.lower(), list(spelled), n=most, cutoff=0.6)
    return [spelled[match] for match in close]


@functools.lru_cache(maxsize=4096)  # each wrong name is compared with the same known ones
def _bare(name: str) -> str:
    """Return the letters and digits of a name, without common separators and suffixes.

    ``studio-01`` and ``Studio1`` are both ``studio|1|``; the bars keep ``a1 2`` from ``a12``.
    """
    parts = re.findall(r"\d+|[^\W\d_]+", name.lower())
    return "".join(f"|{part.lstrip('0')}|" if part.isdecimal() else part for part in parts)


class EaiError(Exception):
    """Base class of all errors raised by ``eai``.

    Args:
        what: What went wrong, one sentence without a full stop.
        where: The place: a file, a line, an item, an object.
        expected: What would have been accepted there.
        mend: How to repair it: a command to run, a spelling to use.
    """

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        expected: str | None = None,
        mend: str | None = None,
    ) -> None:
        self.what = what
        self.where = where
        self.expected = expected
        self.mend = mend
        super().__init__(what)

    def __reduce__(self) -> tuple[object, ...]:
        """Errors cross process borders: rebuild without calling a subclass' ``__init__``."""
        return _rebuild, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        lines = [self.what if self.where is None else f"{self.where}: {self.what}"]
        if self.expected is not None:
            lines.append(f"  expected: {self.expected}")
        if self.mend is not None:
            lines.append(f"  hint: {self.mend}")
        return "\n".join(lines)


def _rebuild(kind: type[EaiError], args: tuple[object, ...], state: dict[str, object]) -> EaiError:
    """Return an error as it was before it was pickled."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class InputError(EaiError):
    """Raised for an argument that cannot be used."""


class LimitError(InputError):
    """Raised if a formula exceeds a limit on work, so that the answer is unknown."""


class SchemaError(InputError):
    """Raised for a file or value of the wrong form."""


class ParseError(InputError):
    """Raised for a text that does not follow its grammar.

    Args:
        position: 0-based offset of the offending character in ``text``.
        source: Name of the text for messages (a path, ``"goal"``).
        expected: What could have stood there.
        place: The line and column of the position, both from 1, where they are known: finding
            them takes as long as the text is.
    """

    def __init__(
        self,
        what: str,
        *,
        text: str,
        position: int,
        source: str = "text",
        expected: str | None = None,
        mend: str | None = None,
        place: tuple[int, int] | None = None,
    ) -> None:
        position = max(0, min(position, len(text)))
        if place is None:
            before = text.rfind("\n", 0, position)
            place = text.count("\n", 0, position) + 1, position - before
        self.text = text
        self.position = position
        self.source = source
        self.line, self.column = place
        super().__init__(
            what, where=f"{source}:{self.line}:{self.column}", expected=expected, mend=mend
        )

    @property
    def caret(self) -> str:
        """The offending line, at most 79 characters of it, above a caret."""
        # The place is in the middle of long lines, so that both sides of it are seen.
        before = min(self.column - 1, 39)
        first = self.position - before
        shown = self.text[first : first + 79].split("\n", 1)[0].replace("\t", " ")
        return f"{shown}\n{' ' * before}^"

    def __str__(self) -> str:
        head, *rest = super().__str__().split("\n")
        picture = ["    " + line for line in self.caret.split("\n")]
        return "\n".join([head, *picture, *rest])


_LISTED = 600
"""Known names are all listed if that takes no more characters."""


class UnknownNameError(InputError):
    """Raised for an unknown name. The message suggests similar names.

    Args:
        kind: What was looked up (``"suite"``, ``"predicate"``).
        known: The names that would have been accepted.
        where: The place of the look-up.
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, where: str | None = None
    ) -> None:
        self.kind = kind
        self.name = name
        self.known: Sequence[str] = sorted(known)
        self.suggestions: list[str] = []
        if isinstance(name, str):  # whoever calls may have any value
            self.suggestions = nearest(name, self.known) or _containing(name, self.known)
        expected = f"no {kind} is known here"
        mend = None
        if self.known:
            expected = _listing(self.known)
            mend = "name one of them"
        if self.suggestions:
            mend = did_you_mean(self.suggestions)
        super().__init__(
            f"there is no {kind} named {name!r}", where=where, expected=expected, mend=mend
        )


def _containing(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """Return the first known names that contain a name (``3`` in ``flat-03``)."""
    part = name.strip().lower()
    if not part:
        return []
    containing = (candidate for candidate in known if part in candidate.lower())
    return list(islice(containing, most))


def _listing(known: Sequence[str]) -> str:
    """Return known names as text, abbreviated if there are many."""
    # The user knows best what is meant, so everything is listed that can be overlooked.
    everything = ", ".join(known)
    if len(everything) <= _LISTED:
        return everything
    listed = ", ".join(known[:12])
    more = len(known) - 12
    if more <= 0:
        return listed
    return f"{listed} and {more} more"


class SameNameError(InputError):
    """Raised if two sources of predictions have a model of the same name.

    Args:
        name: The name.
        names: Other names for the files among the sources: name to path.
    """

    def __init__(self, name: str, names: Mapping[str, str]) -> None:
        self.name = name
        self.names = names
        listed = ", ".join(f"{other!r}: Path({path!r})" for other, path in names.items())
        super().__init__(
            f"two sources have a model named {name!r}",
            where=" and ".join(names.values()) or None,
            expected="one source for each model",
            mend=f"name each source: {{{listed or '...'}}}",
        )


def check_name(kind: str, name: str, known: Collection[str], *, where: str | None = None) -> None:
    """Raise :class:`UnknownNameError` unless a name is known.

    Raises:
        UnknownNameError: If it is not.
    """
    if name not in known:
        raise UnknownNameError(kind, name, known, where=where)


def check_keys(
    given: Iterable[object],
    known: Collection[str],
    *,
    where: str,
    synonyms: Mapping[str, str] | None = None,
) -> None:
    """Raise an error for unknown keys, which may be misspelled.

    Args:
        given: The keys.
        known: The keys that there are.
        where: The place of the keys, for messages.
        synonyms: What others call a key: their word to the key that is meant.

    Raises:
        UnknownNameError: If there is one; it names the nearest known ones.
    """
    for key in given:
        if key in known:
            continue
        error = UnknownNameError("key", str(key), known, where=where)
        meant = (synonyms or {}).get(str(key).lower())
        if meant is not None:
            error.suggestions = [meant]
            error.mend = did_you_mean(error.suggestions)
        raise error


def look_up(kind: str, name: str, known: Mapping[str, Value], *, where: str | None = None) -> Value:
    """Return the value of a name, or raise :class:`UnknownNameError`.

    Raises:
        UnknownNameError: If nothing is.
    """
    check_name(kind, name, known, where=where)
    return known[name]


_UNPACKED = re.compile(r"Unpack\[(\w+)\]")
"""Annotation of keyword arguments that a TypedDict lists."""


def names_checked(function: Callable[_Arguments, Value]) -> Callable[_Arguments, Value]:
    """Return a function that reports unknown keyword arguments with similar names.

    Python's own TypeError does not say which arguments a function takes, and whoever writes
    ``task=`` for ``tasks=`` needs just that. The names of ``**options: Unpack[TYPE]`` are the keys
    of that TypedDict.
    """
    accepted: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        # Annotations are texts in modules of ours (from __future__ import annotations).
        options = _UNPACKED.fullmatch(str(parameter.annotation))
        if options is not None:
            accepted += function.__globals__[options[1]].__annotations__
        elif parameter.name != "self":
            accepted.append(parameter.name)
    where = f"{function.__qualname__}()"

    @functools.wraps(function)
    def checked(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> Value:
        for name in named:
            if name not in accepted:
                raise UnknownNameError("argument", name, accepted, where=where)
        return function(*arguments, **named)

    return checked


class DataError(EaiError):
    """Raised if benchmark data is absent, damaged, or cannot be stored."""


class DataMissingError(DataError):
    """Raised if benchmark data has not been fetched."""


class ChecksumError(DataError):
    """Raised for a file that is not the release pinned by its SHA-256."""


class OutputExistsError(EaiError):
    """Raised if an output file exists and overwriting was not requested."""


class MissingExtraError(EaiError):
    """Raised if an optional dependency is not installed.

    Args:
        package: The package that could not be imported, as pip names it.
        extra: The extra of ``eai-symbolic`` that brings it.
        purpose: The feature that needs it, as the subject of a sentence.
    """

    def __init__(self, package: str, *, extra: str, purpose: str) -> None:
        self.package = package
        self.extra = extra
        super().__init__(
            f"{purpose} needs the package {package!r}, which is not installed",
            mend=install_hint(extra, package),
        )


def install_hint(extra: str, *packages: str) -> str:
    """Return the command that installs an extra, or some of its packages.

    Packages are named, and not ``eai-symbolic[extra]``, because pip may not find that where this
    package was installed from a clone. The metadata of the installed package says which they are.

    Args:
        extra: An extra of ``eai-symbolic``.
        packages: Some of its packages, as pip names them.

    Examples:
        >>> install_hint("plot")  # doctest: +SKIP
        'pip install matplotlib'
        >>> install_hint("verifiers", "verifiers")  # doctest: +SKIP
        'pip install "verifiers<0.5,>=0.4"'
    """
    requirements = _requirements(extra)
    if packages:
        # An older installation need not know the package.
        requirements = {name: requirements.get(name, name) for name in packages}
    if not requirements:  # not installed at all, so this runs in a clone
        return f'pip install ".[{extra}]"'
    return f"pip install {' '.join(requirements.values())}"


def _requirements(extra: str) -> dict[str, str]:
    """Return the packages of an extra with their requirement specifiers.

    Versions are written only where the newest one would not do: pip takes that one by itself.
    """
    from importlib import metadata

    try:
        lines = metadata.requires("eai-symbolic") or []
    except metadata.PackageNotFoundError:
        return {}
    requirements: dict[str, str] = {}
    for line in lines:
        # 'pandas>=2.0; extra == "pandas"' -> the requirement, and when it counts
        requirement, _, marker = line.partition(";")
        if re.search(rf"""extra == ["']{re.escape(extra)}["']""", marker) is None:
            continue
        name = re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0]
        is_bounded = "<" in requirement or "==" in requirement
        requirements[name] = f'"{requirement.strip()}"' if is_bounded else name
    return requirements


class ModelError(EaiError):
    """Raised if a live model cannot be asked or gives no answer. A later attempt may succeed."""


class CallLimitError(ModelError):
    """Raised if an agent calls its model too often in one episode."""


class SimulationError(EaiError):
    """Raised for a request that a simulator cannot fulfil."""
