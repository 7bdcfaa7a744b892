"""Valid answers that the published evaluator broke while it mended them.

The evaluator replaces every single quote by a double one, puts some contractions back, and logs the
mended text. Where that text is no JSON, this module looks for the answer that was: quotes inside of
a string are made single again, and the result counts only if it is a valid plan that the
published mending makes the logged text of.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from eai.nesting import decoding, load_json
from eai.suites.embodiedbench.skills import REPAIRS, read_output

_IN_WORD = re.compile(r'\w"\w|s" ')
"""A double quote where only an apostrophe can have been: ``doesn"t``, ``robots" ``."""
_BEFORE_STRING, _BEHIND_STRING = "{[:,", "}]:,"


def broken_by_mending(text: str) -> list[str]:
    """Return the versions of EmbodiedBench whose repair turned a valid answer into this text.

    Before it parses an answer, the benchmark replaces quotes in it, by rules that changed with its
    versions; an apostrophe in a word can so become a quote that ends the string. The answer is put
    together again, and each version that makes the logged text of it is named.

    Example:
        >>> broken_by_mending('{"language_plan": "robots" cup", "executable_plan": [[1]]}')
        ['repair_2025_02', 'repair_2025_03']
    """
    if is_json(text) or not _IN_WORD.search(text):
        return []
    original = _with_apostrophes(text)
    if not is_json(original) or read_output(original).status not in ("ok", "empty_plan"):
        return []
    return [name for name, mend in REPAIRS.items() if mend(original) == text]


def broken_as_logged(text: str) -> list[str]:
    """Return the versions whose repair would break a valid text that is logged unchanged."""
    read = read_output(text)
    if read.status != "ok" or read.repaired:
        return []
    return [name for name, mend in REPAIRS.items() if read_output(text, mend).status != "ok"]


def unread_texts(outputs: str) -> list[str]:
    """Return the parts of concatenated planner outputs that are not JSON objects.

    EB-Manipulation writes all outputs of an episode into one file, one behind the other.
    """
    return [text for text, is_read in _outputs(outputs) if not is_read]


def count_outputs(outputs: str) -> int:
    """Return the number of JSON objects in concatenated planner outputs."""
    return sum(is_read for _, is_read in _outputs(outputs))


def _outputs(outputs: str) -> Iterator[tuple[str, bool]]:
    """Yield each planner output, and whether it is a JSON object."""
    decode = decoding(json.JSONDecoder(), outputs)
    position = 0
    while position < len(outputs):
        if outputs[position].isspace():
            position += 1
            continue
        start = position
        try:
            _, position = decode(start)
        except ValueError:
            # The end of a text that is not JSON is unknown. The next object is taken to begin on
            # a new line.
            end = outputs.find("\n{", start + 1)
            position = len(outputs) if end < 0 else end
            yield outputs[start:position].strip(), False
        else:
            yield outputs[start:position], True


def _with_apostrophes(text: str) -> str:
    """Return a JSON text in which double quotes inside of strings are single ones."""
    characters = list(text)
    in_string = False
    for position, character in enumerate(text):
        is_escaped = position > 0 and text[position - 1] == "\\"
        if character != '"' or is_escaped:
            continue
        if in_string and _ends_string(text, position):
            in_string = False
        elif not in_string and text[:position].rstrip()[-1:] in _BEFORE_STRING:
            # A quote begins a string where JSON may have a key or a value.
            in_string = True
        else:
            characters[position] = "'"
    return "".join(characters)


def _ends_string(text: str, quote: int) -> bool:
    """Return whether a quote ends a string, because the JSON object continues after it."""
    rest = text[quote + 1 : quote + 200].lstrip()
    if not rest:
        return True
    if rest[0] == ",":
        # A comma may be part of a sentence: then no key, object or list follows.
        return rest[1:].lstrip()[:1] in ('"', "{", "[")
    return rest[0] in _BEHIND_STRING


def is_json(text: str) -> bool:
    """Whether a text is JSON."""
    try:
        load_json(text)
    except ValueError:
        return False
    return True
