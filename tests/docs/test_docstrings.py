"""Every public name, which is one without an underscore, is documented."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from docs_pages import ROOT, name_of

MODULES = sorted((ROOT / "src" / "eai").rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_and_their_public_names_have_docstrings(path: Path) -> None:
    module = ast.parse(path.read_text("utf-8"))
    assert ast.get_docstring(module)
    defined = [n for n in module.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    defined = [n for n in defined if "overload" not in map(ast.unparse, n.decorator_list)]
    bare = [n.name for n in defined if n.name[0] != "_" and not ast.get_docstring(n)]
    assert not bare
