"""Prompts as they are written: Jinja templates beside the tasks of a suite."""

from __future__ import annotations

from functools import cache
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template


def filled(name: str, **values: object) -> str:
    """Return a template of the folder ``tasks`` with values in it."""
    return _template(name).render(values).rstrip("\n")


@cache
def _template(name: str) -> Template:
    def source(name: str) -> str:
        return resources.files("eai.data.tasks").joinpath(f"{name}.jinja").read_text("utf-8")

    environment = Environment(  # noqa: S701 - plain text, in which nothing is escaped
        loader=FunctionLoader(source),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)
