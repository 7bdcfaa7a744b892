"""Every public name is documented."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from docs_pages import ROOT, name_of

MODULES = sorted((ROOT / "src" / "eai").rglob("*.py"))


def public_names(body: list[ast.stmt]) -> set[str] | None:
    """The names in ``__all__``, or None if there is none."""
    for node in body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            assigned = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == "__all__" for target in assigned):
                return set(ast.literal_eval(node.value))
    return None


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_and_their_public_names_have_docstrings(path: Path) -> None:
    module = ast.parse(path.read_text("utf-8"))
    assert ast.get_docstring(module)
    public = public_names(module.body)
    defined = [n for n in module.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    assert public is not None or not defined
    bare = [n.name for n in defined if n.name in (public or ()) and not ast.get_docstring(n)]
    assert not bare
