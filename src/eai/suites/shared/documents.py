"""The written form of the ``household`` suite: homes, tasks, and what is said about them.

``homes.json`` describes classes of objects and homes; ``tasks.jsonl`` has one task a line;
``manifest.json`` says what there is. The models below are the definition of the format; the
JSON Schemas beside the data are made from them. Whoever writes such a file by hand gets a
:class:`~eai.errors.SchemaError` with file, line and field for every mistake of form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eai.errors import InputError, SchemaError, did_you_mean, nearest
from eai.nesting import RepeatedKeyError, load_unambiguous_json

Name = Annotated[str, Field(pattern=r"^[a-z][a-z_]*\.[1-9][0-9]{0,8}$")]
"""Name of an object: its class, a dot, and an id that is unique in the home."""
Word = Annotated[str, Field(pattern=r"^[a-z][a-z_]*$")]
"""Name of a class, a property or a state."""
Text = Annotated[str, Field(min_length=1)]
"""Any text that says something."""


class SuiteDocument(BaseModel):
    """Base of documents, which refuse unknown fields and values of a wrong type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ClassDocument(SuiteDocument):
    """The properties and states that all objects of a class have."""

    properties: list[Word] = Field(default=[], description="What can be done with such an object.")
    states: list[Word] = Field(
        default=[], description="The states of its objects, unless a home gives others."
    )


class PlaceDocument(SuiteDocument):
    """The location of an object."""

    room: Name | None = Field(
        default=None, description="Its room; by default the room that lists it."
    )
    on: Name | None = Field(default=None, description="The object that supports it.")
    inside: Name | None = Field(default=None, alias="in", description="What it is in.")


class ThingDocument(SuiteDocument):
    """One object in the list of its room."""

    on: Name | None = Field(default=None, description="The object that supports it.")
    inside: Name | None = Field(default=None, alias="in", description="What it is in.")
    states: list[Word] = Field(
        default=[], description="States; each replaces its opposite in the class."
    )
    properties: list[Word] = Field(default=[], description="Properties beside those of the class.")
    close: list[Name] = Field(default=[], description="Other objects that it is next to.")
    facing: list[Name] = Field(default=[], description="What one looks at from it.")
    between: list[Name] = Field(default=[], description="The rooms that it connects (doors).")


class AgentDocument(SuiteDocument):
    """The character who acts."""

    id: Name
    room: Name = Field(description="The room where it is at the start.")
    on: Name | None = Field(default=None, description="What it sits or lies on.")
    states: list[Word] = Field(default=[], description="Its states (sitting, lying).")
    body: list[Name] = Field(
        default=[], description="Its body parts that can be washed and the like."
    )


class HomeDocument(SuiteDocument):
    """One home: rooms and what is in them."""

    title: Text
    agent: AgentDocument
    rooms: dict[Name, dict[Name, ThingDocument]] = Field(min_length=1)


class HomesDocument(SuiteDocument):
    """The file ``homes.json``."""

    classes: dict[Word, ClassDocument]
    homes: dict[Word, HomeDocument]


class ChangesDocument(SuiteDocument):
    """The differences of a home at the start of a task."""

    add: dict[Name, dict[Name, ThingDocument]] = Field(
        default={}, description="More objects, by room."
    )
    states: dict[Name, list[Word]] = Field(default={}, description="Other states, by object.")
    places: dict[Name, PlaceDocument] = Field(default={}, description="Other places, by object.")


class TaskDocument(SuiteDocument):
    """One line of ``tasks.jsonl``."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]
    home: Word
    name: Text = Field(description="Category.")
    instruction: Text = Field(description="What the agent is told.")
    changes: ChangesDocument = ChangesDocument()
    goal: Text = Field(description="The goal in the notation of the Embodied Agent Interface.")
    plans: list[Annotated[list[Text], Field(min_length=1)]] = Field(
        min_length=1, description="Reference plans; a step is written as ACTION(object, ...)."
    )


class ManifestDocument(SuiteDocument):
    """The file ``manifest.json``."""

    name: Word
    title: Text
    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")]
    homes: int = Field(description="Number of homes.")
    tasks: int = Field(description="Number of tasks.")
    plans: int = Field(description="Number of reference plans.")
    semantics: list[Text] = Field(description="What the semantics mean for this suite.")
    samples: dict[str, Text] = Field(description="Files of sample predictions.")


Model = TypeVar("Model", bound=BaseModel)


def json_schema(model: type[BaseModel]) -> str:
    """Return the JSON Schema of a document, as the text that is shipped beside the data."""
    return json.dumps(model.model_json_schema(by_alias=True), indent=2, sort_keys=True) + "\n"


def read_document(model: type[Model], path: Path) -> Model:
    """Read a file that holds one document, or say where it does not."""
    text, where = _text(path), str(path)
    return parse_document(model, _json(text, where=where), text=text, where=where)


def read_lines(path: Path) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the 1-based number, the text and the JSON object of every line that is not blank."""
    # Not splitlines(): it also splits at characters that may stand inside of a JSON string.
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        value = _json(line, where=f"{path}:{number}", is_line=True)
        if not isinstance(value, dict):
            raise SchemaError("the line is not a JSON object", where=f"{path}:{number}")
        yield number, line, value


def parse_document(
    model: type[Model], value: object, *, text: str | None = None, where: str
) -> Model:
    """Check a JSON value and return it as a document.

    Args:
        model: The class of the document.
        value: The value.
        text: The JSON text that the value was read from, to find the line of a mistake.
        where: The place of the value, for messages.

    Raises:
        SchemaError: If the value has another form; the error names the first field that does.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        mistakes = error.errors(include_url=False, include_context=False)
    # Raised outside of the handler, so that pydantic's own error is not shown above it.
    raise _schema_error(model, mistakes, text, where)


def _schema_error(
    model: type[BaseModel], mistakes: Sequence[Any], text: str | None, where: str
) -> SchemaError:
    """Return the error for the first mistake of a value (see :func:`parse_document`).

    Args:
        model: The class of the document.
        mistakes: The mistakes that pydantic found.
        text: The JSON text of the value, to find the line of the mistake.
        where: The place of the value.
    """
    first = mistakes[0]
    # The mark of a wrong key is not a part of the path.
    path = [key for key in first["loc"] if key != "[key]"]
    message = f"{_field_path(path)}: {first['msg']}"
    if len(mistakes) > 1:
        message += f" (and {len(mistakes) - 1} more mistakes)"
    if text is not None:
        where = f"{where}:{_line_of(text, path)}"
    expected = hint = None
    if first["type"] in ("missing", "extra_forbidden"):
        kind = model.__name__.removesuffix("Document").lower()
        expected = f"the fields of {kind} in the JSON Schema"
    if first["type"] == "extra_forbidden":
        similar = nearest(str(path[-1]), _field_names(model))
        if similar:
            hint = did_you_mean(similar)
    return SchemaError(message, where=where, expected=expected, mend=hint)


def _field_path(path: Iterable[str | int]) -> str:
    """Return keys and indices in the form of messages: ``homes > flat > rooms[0]``."""
    shown = ""
    for key in path:
        shown += f"[{key}]" if isinstance(key, int) else f" > {key}"
    return shown.removeprefix(" > ") or "the whole document"


def _field_names(model: type[BaseModel]) -> set[str]:
    """Return the names of all fields of a document and of the documents inside it."""
    schema = model.model_json_schema()
    names: set[str] = set()
    for definition in (schema, *schema.get("$defs", {}).values()):
        names.update(definition.get("properties", ()))
    return names


def _text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        InputError: If it cannot be read.
        SchemaError: If it is not UTF-8.
    """
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise SchemaError(f"is not UTF-8 text ({error.reason})", where=str(path)) from error


def _json(text: str, *, where: str, is_line: bool = False) -> object:
    """Return the value of a JSON text, in which keys must be unique.

    Args:
        text: The text.
        where: Its file, for messages; with ``is_line`` its line, too.
        is_line: Whether the text is one line of a file.

    Raises:
        SchemaError: If it is not JSON, or a key is there twice.
    """
    try:
        return load_unambiguous_json(text)
    except RepeatedKeyError as error:
        place = where
        if not is_line:
            # The path has the key twice so that the line of the second one is named.
            place = f"{where}:{_line_of(text, [error.key, error.key])}"
        raise SchemaError(f"{error.key!r} is given twice", where=place) from None
    except json.JSONDecodeError as error:
        line = where if is_line else f"{where}:{error.lineno}"
        raise SchemaError(f"is not JSON: {error.msg} (column {error.colno})", where=line) from None


def _line_of(text: str, path: Iterable[str | int]) -> int:
    """Return the line (from 1) of the innermost key of a path that occurs in the text."""
    # Each key is looked for behind the key around it; indices of lists cannot be looked for.
    position = 0
    for key in path:
        if not isinstance(key, str):
            continue
        match = re.compile(rf"{re.escape(json.dumps(key))}\s*:").search(text, position)
        if match:
            position = match.end()
    return text.count("\n", 0, position) + 1
