"""Print every message of the program, to be read from top to bottom by somebody who writes well.

    python tools/messages.py [--only WORD] > messages.txt

Messages are found in the source: what errors, warnings, hints, notes and findings say, the help of
commands and options, and other texts of several words. A part that is put in when the program runs
is shown in braces. Docstrings of functions that are no commands are left out.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "eai"


def text_of(node: ast.expr) -> str | None:
    """Return a text, with what is put into it in braces; None if it is something else."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value)
            if isinstance(part, ast.Constant)
            else f"{{{ast.unparse(getattr(part, 'value', part))}}}"
            for part in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = text_of(node.left), text_of(node.right)
        return None if None in parts else "".join(map(str, parts))
    return None


def is_command(node: ast.AST) -> bool:
    """Whether a function is a command, whose docstring is its help."""
    if not isinstance(node, ast.FunctionDef):
        return False
    return any("command(" in ast.unparse(each) for each in node.decorator_list)


def messages(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every text of several words with its line; docstrings only of commands."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            body = (each for each in node.body if isinstance(each, ast.Expr))
            skipped |= {each.value for each in body if not is_command(node)}
        if isinstance(node, (ast.Module, ast.ClassDef)):
            # What stands below a constant describes it.
            skipped |= {each.value for each in node.body if isinstance(each, ast.Expr)}
        if not isinstance(node, ast.expr) or node in skipped:
            continue
        found = text_of(node)
        if found is not None:
            skipped |= set(ast.walk(node))
            if len(found.split()) > 1:
                yield node.lineno, " ".join(found.split())


def main() -> None:
    """Print the messages, module by module."""
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only messages with this text")
    given, count = parser.parse_args(), 0
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE)
        for line, message in sorted(messages(ast.parse(path.read_text("utf-8")))):
            if given.only in message:
                count += 1
                print(f"{name}:{line}: {message}")
    print(f"{count} messages")


if __name__ == "__main__":
    main()
