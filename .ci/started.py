"""Look at the table that the README's first command printed and at the page that it wrote.

Run as ``started.py OUTPUT FOLDER``: the file with what was printed, and the folder of the run.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

MODELS = ("samples_careful", "samples_chatty", "samples_hasty")
LOADED = {"src", "href", "data", "poster", "action", "srcset"}
"""Attributes by which a page asks for another file."""


class Page(HTMLParser):
    """What a page consists of, and which files it asks for."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.asked: list[str] = []
        self.doctype = ""

    def handle_decl(self, decl: str) -> None:
        """Keep the first declaration."""
        self.doctype = self.doctype or decl.lower()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag, and what it asks for."""
        self.tags.add(tag)
        for name, value in attrs:
            is_link_to_read = tag == "a" and name == "href"
            if name in LOADED and value and not is_link_to_read:
                self.asked.append(value)


def faults_of_table(printed: str) -> list[str]:
    """Return the sample models that have no row with numbers."""
    return [
        f"the table has no row of {model}"
        for model in MODELS
        if not re.search(rf"^{model} +\d+\.\d", printed, re.MULTILINE)
    ]


def faults_of_page(path: Path) -> list[str]:
    """Return what is wrong with a page that should need no other file."""
    if not path.is_file():
        return [f"there is no page {path}"]
    text = path.read_text("utf-8")
    page = Page()
    page.feed(text)
    page.close()
    faults = []
    if (
        page.doctype != "doctype html"
        or not {"html", "head", "title", "body", "table"} <= page.tags
    ):
        faults.append("the page is not an HTML page with a table")
    faults += [f"the page has no {model}" for model in MODELS if model not in text]
    outside = [asked for asked in page.asked if not asked.startswith(("#", "data:"))]
    outside += re.findall(r"@import\b[^;]*|url\(\s*['\"]?(?!data:|#)[^)]+\)", text)
    faults += [f"the page is not self-contained: it asks for {asked[:80]}" for asked in outside]
    return faults


def main(output: str, folder: str) -> int:
    """Print the faults and return the exit status."""
    run = Path(folder)
    pages = sorted(run.glob("*.html"))
    faults = faults_of_table(Path(output).read_text("utf-8"))
    faults += [fault for page in pages or [run / "report.html"] for fault in faults_of_page(page)]
    print("\n".join(faults) or f"the table and {', '.join(page.name for page in pages)} are whole")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
