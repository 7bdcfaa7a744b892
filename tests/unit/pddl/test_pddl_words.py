"""Words of PDDL are those of its grammar."""

from __future__ import annotations

from importlib.resources import files

from lark import Lark

from eai.pddl import text as sources


def test_terminals_are_read_as_lark_reads_them() -> None:
    grammar = files("eai.data.grammars").joinpath("pddl.lark").read_text(encoding="utf-8")
    terminals = Lark(grammar, parser=None, lexer="basic").terminals
    ranked = sorted(terminals, key=lambda terminal: -terminal.priority)
    kinds = [f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in ranked if t.name != "BLANK"]
    assert sources._word_pattern().pattern == "|".join(kinds).replace("\n", r"\n")
