"""How the documentation is built: ``sphinx-build -W --keep-going -b html docs build/docs``."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import Directive

from eai import __version__
from eai.cli.app import COMMANDS
from eai.cli.commands import Function, Group
from eai.cli.parsers import parser

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "eai"
copyright = "the eai authors"  # noqa: A001
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]

html_theme = "furo"
html_title = "eai"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False

myst_heading_anchors = 4
nb_execution_mode = "off"

# Names that are imported for annotations only are links, too.
os.environ["COLUMNS"] = "88"  # as wide as help is printed
os.environ["SPHINX_AUTODOC_RELOAD_MODULES"] = "1"
autodoc_default_options = {"members": True, "imported-members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_typehints_format = "short"
autosummary_generate = False
napoleon_numpy_docstring = False
napoleon_preprocess_types = False


class CommandHelp(Directive):
    """What ``--help`` prints, in a section for each command."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        return [
            self.section(path, command)
            for name in COMMANDS
            for path, command in members(f"eai {name}", import_module(f"eai.cli.{name}").COMMAND)
        ]

    def section(self, path: str, command: Function | Group) -> nodes.Node:
        """Return the section of one command.

        Args:
            path: How it is called.
            command: What is called.
        """
        text = parser(path, command).format_help().rstrip()
        section = nodes.section(ids=[nodes.make_id(path)], names=[path])
        self.state.document.note_explicit_target(section)
        section += nodes.title(path, path)
        section += nodes.literal_block(text, text, language="none")
        return section


def members(path: str, command: Function | Group) -> Iterator[tuple[str, Function | Group]]:
    """Yield a command, or the commands of a group, each with how it is called.

    Args:
        path: How it is called.
        command: The command.
    """
    if isinstance(command, Group):
        for name, member in command.members.items():
            yield from members(f"{path} {name}", member)
    else:
        yield path, command


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


def setup(app: Sphinx) -> None:
    """Take part in the build.

    Args:
        app: The application that builds.
    """
    app.add_directive("command-help", CommandHelp)
    app.connect("builder-inited", take_notebooks)
    app.connect("source-read", follow_to_the_site)
