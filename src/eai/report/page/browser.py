"""The item browser as parts of a page: markup, style, script, data, and what they may do."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from eai.report.page.data import index, packed, portions
from eai.report.page.details import Reader
from eai.report.record import Record

__all__ = ["browser_parts", "browser_style", "policy"]


def policy() -> str:
    """Return the content security policy of a page with the browser.

    Nothing may be loaded, and no script may run but the one that is written here: the policy
    names it by its hash. Items are data blocks, which no browser runs.
    """
    digest = hashlib.sha256(_file("browser.js").encode("utf-8")).digest()
    script = f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
    return (
        f"default-src 'none'; script-src {script}; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )


def browser_style() -> str:
    """Return the style that the browser needs."""
    return _file("browser.css")


def browser_parts(records: Sequence[Record], reader: Reader | None = None) -> Iterator[str]:
    """Yield the browser, part by part, so that no more than one portion is held in memory.

    Args:
        records: The records, in the order in which they are listed.
        reader: Finds what is told beyond a record, for every item; None if nothing is.
    """
    yield _file("browser.html")
    yield f'<script type="text/plain" id="items-index">{packed(index(records))}</script>\n'
    for number, text in enumerate(portions(records, reader)):
        yield f'<script type="text/plain" id="items-{number}">{text}</script>\n'
    yield f"<script>{_file('browser.js')}</script>\n"


@cache
def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")
