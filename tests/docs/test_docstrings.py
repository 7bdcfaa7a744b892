"""Every public name, which is one without an underscore, is documented."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from docs_pages import ROOT, name_of

PACKAGE = ROOT / "src" / "eai"
ROOMS = [PACKAGE, *sorted(path.parent for path in PACKAGE.glob("*/__init__.py"))]


@pytest.mark.heavy
@pytest.mark.parametrize("room", ROOMS, ids=name_of)
def test_modules_and_their_public_names_have_docstrings(room: Path) -> None:
    bare = []
    for path in room.glob("*.py") if room == PACKAGE else room.rglob("*.py"):
        module = ast.parse(path.read_text("utf-8"))
        defined = [n for n in module.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
        defined = [n for n in defined if "overload" not in map(ast.unparse, n.decorator_list)]
        public = [module, *(n for n in defined if n.name[0] != "_")]
        bare += [(name_of(path), n) for n in public if not ast.get_docstring(n)]
    assert not bare
