"""Faces of rooms: names are imported from the modules of a room when they are first used.

The stub ``__init__.pyi`` says which module has which name, for type checkers and for this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lazy_loader

_IMPORT = re.compile(
    r"""
    ^from[ ]\.(?P<module>[\w.]+)[ ]import[ ]
    (?:
        \((?P<lines>[^)]*)\)    # a name a line
        | (?P<line>.*)          # all names in this line
    )$
    """,
    re.MULTILINE | re.VERBOSE,
)


_Face = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]


def attach(package: str, file: str) -> _Face:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package with a stub.

    ``lazy_loader.attach_stub`` does the same, but parses each stub as Python, which adds up to more
    time than many commands need.

    Args:
        package: The name of the package.
        file: Its file ``__init__.py``; the stub is beside it.
    """
    names_by_module: dict[str, list[str]] = {}
    stub = Path(file).with_suffix(".pyi").read_text("utf-8")
    for statement in _IMPORT.finditer(stub):
        names = names_by_module.setdefault(statement["module"], [])
        for clause in (statement["lines"] or statement["line"]).split(","):
            name, _, _ = clause.strip().partition(" as ")
            if name:
                names.append(name)
    face: _Face = lazy_loader.attach(package, submod_attrs=names_by_module)
    return face
