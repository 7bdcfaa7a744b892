"""Reading and running the pages of the documentation.

The blocks of a page run in the order of the page, in an empty working directory, and share their
names:

* ``python`` is executed;
* ``sh`` has its commands ``eai ...`` run by the command's own code; other commands are set-up;
* ``text`` right behind one of these is what it prints: every line of it must be printed, in this
  order; ``...`` stands for lines that are left out, and at the end of a line for its rest.

A comment on the line above a block says what else is to be done with it: ``<!-- skip: why -->``
leaves it out, ``<!-- file: name -->`` writes it to that file.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from eai.cli import main

__all__ = ["PAGES", "ROOT", "Block", "Reader", "blocks", "name_of", "prose"]

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
"""The pages whose code is run."""

_DIRECTIVE = re.compile(r"<!-- (skip|file): (\S.*) -->")
_COMMAND = re.compile(r"(PYTHONPATH=\. )?eai (.*)")


@dataclass(frozen=True)
class Block:
    """A fenced block: where it stands, in which language, and what is to be done with it."""

    page: Path
    line: int
    language: str
    text: str
    order: str = ""
    detail: str = ""


def name_of(path: Path) -> str:
    """A file's place in this repository."""
    return path.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page; a fence is closed by a line of three backquotes."""
    before, opened, language, kept = "", 0, "", list[str]()
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        if opened and line == "```":
            match = _DIRECTIVE.fullmatch(before)
            text = "\n".join(kept) + "\n"
            yield Block(page, opened, language, text, *(match.groups() if match else ()))
            opened, before = 0, ""
        elif opened:
            kept.append(line)
        elif line.startswith("```"):
            opened, language, kept = number, line[3:], []
        else:
            before = line
    assert not opened, f"{page}:{opened}: this block is not closed"


def prose(page: Path) -> str:
    """The text of a page without its fenced blocks."""
    text = page.read_text("utf-8")
    for block in blocks(page):
        text = text.replace(f"```{block.language}\n{block.text}```\n", "")
    return text


class Reader:
    """Does what a reader of one page would do."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        self.folder = folder
        self.names: dict[str, object] = {"__name__": "page"}
        self.printed: str | None = None
        monkeypatch.chdir(folder)
        monkeypatch.syspath_prepend(folder)  # as where Python is started
        monkeypatch.setenv("COLUMNS", "80")

    def follow(self, page: Path) -> None:
        """Run the blocks of a page."""
        for block in blocks(page):
            printed, self.printed = self.printed, None
            if block.order == "file":
                path = self.folder / block.detail
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, "utf-8")
            elif block.order == "skip":
                continue
            elif block.language == "python":
                self._python(block)
            elif block.language == "sh":
                self._shell(block)
            elif block.language == "text" and printed is not None:
                _compare(block, printed)

    def _python(self, block: Block) -> None:
        # As many lines in front as there are on the page: tracebacks name the line of the page.
        text = "\n" * block.line + block.text
        exec(compile(text, str(block.page), "exec", dont_inherit=True), self.names)
        self.printed = self.capsys.readouterr().out

    def _shell(self, block: Block) -> None:
        lines = block.text.replace("\\\n", " ").splitlines()
        commands = [part.strip() for line in lines for part in line.split("&&")]
        for match in filter(None, map(_COMMAND.fullmatch, commands)):
            if match[1]:
                self.monkeypatch.syspath_prepend(self.folder)
            self._command(block, shlex.split(match[2], comments=True))

    def _command(self, block: Block, arguments: list[str]) -> None:
        self.monkeypatch.setattr(sys, "argv", ["eai", *arguments])
        code: object = None
        try:
            main()
        except SystemExit as ended:
            code = ended.code
        captured = self.capsys.readouterr()
        where = f"{block.page}:{block.line}: eai {' '.join(arguments)}"
        assert not code, f"{where}\n{captured.err}"
        self.printed = (self.printed or "") + captured.out + captured.err


def _compare(block: Block, printed: str) -> None:
    """The lines of a block are printed, in their order."""
    lines = iter([line.rstrip() for line in printed.splitlines()])
    for number, line in enumerate(block.text.splitlines(), block.line + 1):
        if line.strip() not in ("", "..."):
            found = any(_matches(line.rstrip(), other) for other in lines)
            assert found, f"{block.page}:{number}: {line!r} is not printed there:\n{printed}"


def _matches(line: str, printed: str) -> bool:
    return printed.startswith(line[:-3]) if line.endswith(" ...") else line == printed
