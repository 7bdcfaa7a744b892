"""How the documentation is built: ``sphinx-build -E -W --keep-going -b html docs build/docs``."""

from __future__ import annotations

import configparser
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from docutils import nodes
from sphinx.util.nodes import make_refnode
from typer.cli import get_docs_for_click

from eai import __version__
from eai.cli import program
from eai.suites.shared.quirks import shipped_quirks

if TYPE_CHECKING:
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

project = "eai"
copyright = "the eai authors"  # noqa: A001
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]

html_theme = "furo"
html_title = "eai"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).with_name("_static") / "scorer.js")
html_copy_source = False
html_show_sourcelink = False

myst_heading_anchors = 4
nb_execution_mode = "off"

# Names that are imported for annotations only are links, too.
os.environ["SPHINX_AUTODOC_RELOAD_MODULES"] = "1"
autodoc_default_options = {"members": True}
suppress_warnings = ["ref.python"]  # a face shows what a chapter defines: both are targets
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_typehints_format = "short"
napoleon_numpy_docstring = False
napoleon_preprocess_types = False

_COLON = "\ue000"
_TOPICS = configparser.ConfigParser(interpolation=None, delimiters=("=",))
_TOPICS.read(Path(__file__).with_name("topics.ini"), "utf-8")


def take_notebooks(app: Sphinx) -> None:
    """Copy the notebooks, which lie beside the documentation, to where pages are looked for.

    Args:
        app: The application that builds.
    """
    docs = Path(app.srcdir)
    (docs / "notebooks").mkdir(exist_ok=True)
    for notebook in (docs.parent / "notebooks").glob("*.ipynb"):
        shutil.copy2(notebook, docs / "notebooks")


def follow_to_the_site(_app: Sphinx, name: str, source: list[str]) -> None:
    """Let links between ``docs`` and ``notebooks`` lead to the same places on the site.

    Args:
        name: The page, without its suffix.
        source: Its text, which is changed.
    """
    inside = name.startswith("notebooks/")
    old, new = ("../docs/", "../") if inside else ("../notebooks/", "notebooks/")
    source[0] = source[0].replace(f"]({old}", f"]({new}")


def add_topics(_app: Sphinx, name: str, source: list[str]) -> None:
    """Make a page known to the search and to the index under the topics that readers type.

    The search shows an index entry that is the whole query first; the keywords let it find the
    words of a topic in any order. Sphinx forgets the entries of pages that it does not read again:
    option -E reads all.

    Args:
        name: The page, without its suffix.
        source: Its text, which is changed.
    """
    topics = [topic.strip() for topic in _TOPICS.get("topics", name, fallback="").split(",")]
    if topics == [""]:
        return
    words = sorted({word for topic in topics for word in topic.split()})
    entries = ", ".join(f"!{topic}" for topic in topics)
    source[0] = (
        f'---\nmyst:\n  html_meta:\n    keywords: "{", ".join(words)}"\n---\n\n'
        f"```{{index}} {entries}\n```\n\n{source[0]}"
    )


def list_commands(_app: Sphinx, _name: str, source: list[str]) -> None:
    """Write what ``--help`` says of every command where a page asks for it.

    Args:
        source: Its text, which is changed.
    """
    mark = "<!-- all commands -->"
    if mark not in source[0]:
        return
    group = typer.main.get_group(program.app)
    for name, command in group.commands.items():
        if isinstance(command, program.Named):  # its options are known only when it is built
            group.commands[name] = command.built()
    text = get_docs_for_click(obj=group, ctx=typer.Context(group), name="eai")
    _, _, commands = text.partition("\n## ")
    source[0] = source[0].replace(mark, f"\n## {commands}".replace("\n#", "\n##"))


def list_quirks(_app: Sphinx, _name: str, source: list[str]) -> None:
    """Print the quirks of a suite as a table where a page asks for a group of them.

    Args:
        source: Its text, which is changed.
    """
    source[0] = re.sub(r"<!-- quirks: (\w+) (\w+) -->", _table_of_quirks, source[0])


def _table_of_quirks(match: re.Match[str]) -> str:
    rows = ["| quirk | published evaluator | `strict` |", "| --- | --- | --- |"]
    for quirk in shipped_quirks(match[1])[match[2]].values():
        cells = (f"`{quirk.name}`", quirk.official, quirk.strict)
        rows.append(" | ".join(["", *(cell.replace("|", r"\|") for cell in cells), ""]).strip())
    return "\n".join(rows) + "\n"


def hide_colons(*event: Any) -> None:  # noqa: ANN401
    """Keep what reads Google style from taking the first words of an attribute for its type.

    Args:
        event: The application, what is documented, its name, it, options, lines.
    """
    _, what, _, _, _, lines = event
    if what in {"attribute", "data", "property"} and lines:
        lines[0] = lines[0].replace(": ", _COLON)


def show_colons(*event: Any) -> None:  # noqa: ANN401
    """Undo :func:`hide_colons`.

    Args:
        event: As there.
    """
    lines = event[-1]
    lines[:] = [line.replace(_COLON, ": ") for line in lines]


def find_elsewhere(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.Node | None:
    """Let names lead to the place from where they are imported, not only where they are defined.

    Args:
        app: The application that builds.
        env: All that was read.
        node: The reference.
        content: Its text.
    """
    if node.get("refdomain") != "py":
        return None
    *modules, name = node["reftarget"].split(".")
    places = [".".join([*modules[:end], name]) for end in range(len(modules) - 1, 0, -1)]
    known = env.domains["py"].data["objects"]
    found = next((place for place in places if place in known), None)
    if found is None:
        return None
    page, anchor = known[found].docname, known[found].node_id
    return make_refnode(app.builder, node["refdoc"], page, anchor, content, found)


def setup(app: Sphinx) -> None:
    """Take part in the build.

    Args:
        app: The application that builds.
    """
    app.connect("builder-inited", take_notebooks)
    app.connect("missing-reference", find_elsewhere)
    app.connect("autodoc-process-docstring", hide_colons, priority=400)
    app.connect("autodoc-process-docstring", show_colons, priority=600)
    app.connect("source-read", follow_to_the_site)
    app.connect("source-read", list_commands)
    app.connect("source-read", list_quirks)
    app.connect("source-read", add_topics)
