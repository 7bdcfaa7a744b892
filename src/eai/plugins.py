"""Entry points of this and of other packages, and objects that are named ``module:attribute``.

Errors of a module that a user named, or that a package announces, are errors of that module. They
are told with its file and line, so that nobody looks for them here.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from enum import Enum
from functools import cache, lru_cache
from importlib.machinery import PathFinder
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from eai.data import sections
from eai.errors import EaiError, InputError, did_you_mean, nearest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

_OWN_METADATA = ("eai_symbolic-", "eai_symbolic.")
"""Beginnings of the names of this package's own such folders."""


class Origin(NamedTuple):
    """The origin of a registered name.

    Args:
        name: Its name.
        target: ``module:attribute``, or a module.
        package: The distribution that announces it.
    """

    name: str
    target: str
    package: str


@cache
def _own_entry_points() -> dict[str, dict[str, str]]:
    """Return the entry points of this package by group: name to target."""
    return sections((Path(__file__).parent / "entry_points.ini").read_text("utf-8"))


@cache
def shipped(group: str) -> dict[str, Origin]:
    """Return the entry points of a group that ``eai`` itself registers, in order."""
    targets = _own_entry_points().get(group, {})
    return {name: Origin(name, target, "eai") for name, target in targets.items()}


def announced(group: str) -> dict[str, Origin]:
    """Return the entry points of a group that all packages register.

    The entry points of ``eai`` come first and cannot be overridden. Of other equal names, the first
    counts. The packages are searched once for each state of ``sys.path``.
    """
    return dict(_announced(group, tuple(sys.path)))


@lru_cache(maxsize=1 << 5)
def _announced(group: str, path: tuple[str, ...]) -> dict[str, Origin]:
    """Return the registered entry points on a path (see :func:`announced`)."""
    origins = dict(shipped(group))
    if not _others_may_announce(path):
        return origins
    points = _entry_points(path).select(group=group)
    for point in sorted(points, key=lambda point: (point.name, point.value)):
        if point.name in origins:
            continue
        # The name of a distribution is read from its metadata, which takes a millisecond.
        package = point.dist.name if point.dist is not None else "unknown"
        origins[point.name] = Origin(point.name, point.value, package)
    return origins


@lru_cache(maxsize=1)
def _others_may_announce(path: tuple[str, ...]) -> bool:
    """Return whether a package on a path, other than this one, may announce something to ``eai``.

    Hardly any does, and reading the entry points of all packages takes as long as evaluating a
    file of answers. So the texts are searched for our groups first.
    """
    for finder in sys.meta_path:
        # A finder of its own may know packages that are in no folder.
        if finder is not PathFinder and hasattr(finder, "find_distributions"):
            return True
    return any(map(_may_announce, path))


def _may_announce(folder: str) -> bool:
    """Return whether a package in a folder on the path, other than this one, may announce to us."""
    # The functions of os are used here: there are hundreds of files, and a Path for each takes
    # longer than to read it.
    try:
        names = os.listdir(folder or ".")  # noqa: PTH208
    except NotADirectoryError:  # a zip, which may hold packages
        return True
    except OSError:
        return False
    for name in names:
        # The folders of packages are called ".dist-info", ".egg-info" or "EGG-INFO".
        if not name.lower().endswith("-info") or name.startswith(_OWN_METADATA):
            continue
        try:
            with open(os.path.join(folder, name, "entry_points.txt"), "rb") as stream:  # noqa: PTH118, PTH123
                if b"[eai." in stream.read():
                    return True
        except OSError:  # most packages announce nothing
            continue
    return False


@lru_cache(maxsize=1)
def _entry_points(_path: tuple[str, ...]) -> EntryPoints:
    """Return all entry points of the packages that are installed."""
    from importlib.metadata import entry_points

    return entry_points()  # type: ignore[return-value]  # another class in Python 3.10


def find_object(target: str, *, what: str) -> object:
    """Import the object at ``module:attribute``.

    Args:
        target: The module, a colon, and the attribute (of an attribute, with dots).
        what: Description for messages: ``"the suite 'mine'"``.

    Raises:
        InputError: If there is no such module or attribute, or the module cannot be imported.
    """
    module, _, attribute = target.partition(":")
    if not module or not attribute:
        raise InputError(
            f"{target!r} does not name an attribute of a module",
            where=what,
            expected="module:attribute",
        )
    value: object = _module(module, attribute, what)
    # "mine:Suites.small" names an attribute of an attribute.
    for name in attribute.split("."):
        if not hasattr(value, name):
            raise _absent(value, name, what)
        value = getattr(value, name)
    return value


def _module(name: str, attribute: str, what: str) -> ModuleType:
    """Import a module; see :func:`find_object` for the errors."""
    if "/" in name or "\\" in name or name.endswith(".py"):
        raise InputError(
            f"{name!r} is a file, not a module",
            where=what,
            expected="module:attribute",
            mend=f"name {Path(name).stem}:{attribute}, in the folder of the file",
        )
    try:
        return importlib.import_module(name)
    except EaiError:
        raise
    except (Exception, SystemExit) as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        # The missing module is this one or its package. A failing import inside of it is its own
        # fault.
        if missing is not None and f"{name}.".startswith(f"{missing}."):
            raise _no_module(missing, what) from None
        raise InputError(
            f"the module {name!r} cannot be imported: {said_by(error)}",
            where=place_of(error) or what,
            expected=f"a module that can be imported, for {what}",
        ) from error


def module_names() -> frozenset[str]:
    """Names of all modules and packages that can be imported, without the dots in them."""
    from pkgutil import iter_modules

    return sys.stdlib_module_names.union(module.name for module in iter_modules())


def _no_module(missing: str, what: str) -> InputError:
    """Return the error for a missing module, with similar names."""
    mend = ""
    close = nearest(missing, module_names())
    if close:
        mend = f"{did_you_mean(close)} "
    if "." not in missing:
        mend += f"go to the folder of {missing}.py, or "
    return InputError(
        f"there is no module {missing!r}",
        where=what,
        expected="module:attribute, the module in this folder or installed in this environment",
        mend=f"{mend}install its package",
    )


def _absent(module_or_class: object, name: str, what: str) -> InputError:
    """Return the error for a missing attribute, with the existing ones."""
    place = f"a {type(module_or_class).__name__}"
    module = None
    if isinstance(module_or_class, ModuleType):
        module = module_or_class.__name__
        place = f"the module {module!r}"
    public = [attribute for attribute in dir(module_or_class) if not attribute.startswith("_")]
    # Names that the module defines are more likely than those that it imports.
    own_names = []
    for attribute in public:
        defined_in = getattr(getattr(module_or_class, attribute), "__module__", None)
        if defined_in == module:
            own_names.append(attribute)
    choices = own_names or public
    expected = ", ".join(choices[:12])
    if len(choices) > 12:
        expected += ", ..."
    close = nearest(name, choices)
    return InputError(
        f"{place} has no attribute {name!r}",
        where=what,
        expected=expected or None,
        mend=did_you_mean(close) if close else None,
    )


def said_by(error: BaseException) -> str:
    """Return the kind and the message of an exception in one line."""
    text = error.what if isinstance(error, EaiError) else str(error)
    return ": ".join(filter(None, (type(error).__name__, " ".join(text.split()))))


def place_of(error: BaseException) -> str | None:
    """Return ``file:line`` where an exception was raised in a user's code, or None.

    Their own calls of the standard library and of installed packages are left out; a package
    that announces something to ``eai`` counts as theirs.

    Returns:
        The place; None if the exception was raised in ``eai``, or by what it builds on.
    """
    if isinstance(error, SyntaxError) and _owner_of(error.filename or "") is _Owner.USER:
        return f"{error.filename}:{error.lineno}"
    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    # Of an exception in another process there is only the text of its traceback.
    if type(error.__cause__).__name__ == "_RemoteTraceback":
        places = re.findall(r'File "(.+?)", line (\d+)', str(error.__cause__))
        lines += [(file, int(number)) for file, number in places]
    for file, line in reversed(lines):
        owner = _owner_of(file)
        if owner is _Owner.USER:
            return f"{file}:{line}"
        if owner is _Owner.EAI:
            return None
    return None


class _Owner(Enum):
    """Who maintains a file of code."""

    EAI = "eai"
    USER = "user"
    LIBRARY = "library"


def _owner_of(file: str) -> _Owner:
    """Return the owner of a file that stands in a traceback.

    An error inside a library is the fault of the code that calls the library. So a package that
    extends ``eai`` counts as the user's own code, even if it is installed.

    Returns:
        The owner; ``LIBRARY`` also if the code is not in a file of this computer.
    """
    import sysconfig  # needed only after an error

    path = Path(file)
    if not path.is_absolute():  # such as "<string>"
        return _Owner.LIBRARY
    if path.is_relative_to(Path(__file__).parent):
        return _Owner.EAI
    package = _installed_package(path)
    if package is not None:
        return _Owner.USER if package in _announcing_packages() else _Owner.LIBRARY
    if path.is_relative_to(sysconfig.get_path("stdlib")):
        return _Owner.LIBRARY
    return _Owner.USER


def _installed_package(path: Path) -> str | None:
    """Return the installed package or module that a file belongs to; None if it is not installed.

    ``"/env/lib/site-packages/numpy/core/shape.py"`` belongs to ``"numpy"``.
    """
    for folder in ("site-packages", "dist-packages"):
        if folder in path.parts:
            # The next part is a package's folder or a module's file.
            next_part = path.parts[path.parts.index(folder) + 1]
            return next_part.removesuffix(".py")
    return None


def _announcing_packages() -> set[str]:
    """Return the modules and packages that register entry points for ``eai``."""
    from importlib.metadata import entry_points

    packages = set()
    for group in _own_entry_points():
        if not group.startswith("eai."):
            continue
        for point in entry_points(group=group):
            # "package.module:attribute" -> "package"
            packages.add(re.split(r"[.:]", point.value)[0])
    return packages
