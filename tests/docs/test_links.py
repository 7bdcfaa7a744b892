"""Links between the pages of the documentation."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from docs_pages import PAGES, ROOT, prose

TEXTS = (*PAGES, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md")
INDEX = ROOT / "docs" / "index.md"


def targets(page: Path) -> list[str]:
    """Targets of the links that lead to this repository."""
    found = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    return [target for target in found if not re.match(r"[a-z]+:", target)]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are spelled in links."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_relative_links_lead_somewhere() -> None:
    anchors_of = cache(anchors)
    for page in TEXTS:
        for target in targets(page):
            path, _, anchor = target.partition("#")
            there = (page.parent / path).resolve() if path else page
            assert there.exists(), (page, target)
            assert not anchor or anchor in anchors_of(there), (page, target)


def test_every_page_is_in_the_overview() -> None:
    overviews = (INDEX, ROOT / "docs" / "training" / "index.md")
    listed = {(page.parent / to).resolve() for page in overviews for to in targets(page)}
    pages = set((ROOT / "docs").rglob("*.md")) - {INDEX}
    assert pages <= listed


REGISTRIES = re.compile(r"https?://(?:www\.)?(?:pypi\.org|anaconda\.org|npmjs\.com)")


def test_no_link_leads_to_a_package_registry() -> None:
    """A project has a page of its own; a registry is asked through its client."""
    texts = [*TEXTS, *(ROOT / "src").rglob("*.py")]
    assert [path.name for path in texts if REGISTRIES.search(path.read_text("utf-8"))] == []
