"""Prompts as they are written: Jinja templates beside the tasks of a suite."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from eai.data import read_text

if TYPE_CHECKING:
    from jinja2 import Template


def filled(name: str, **values: object) -> str:
    """Return a template of the folder ``tasks`` with values in it."""
    return _template(name).render(values).rstrip("\n")


@cache
def _template(name: str) -> Template:
    """Return a template of prompts by its name, without the ending."""
    # Imported here, because to evaluate answers needs no prompts and this import takes long.
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    def source(name: str) -> str:
        """Return the text of a template."""
        return read_text(f"tasks/{name}.jinja")

    environment = Environment(  # noqa: S701 - plain text, in which nothing is escaped
        loader=FunctionLoader(source),
        undefined=StrictUndefined,  # a missing value raises an error
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)
