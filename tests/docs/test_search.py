"""The search of the documentation's site shows the guide that answers a question first.

The site has to be built afresh into ``build/docs`` (see ``docs/conf.py``); without it these tests
are skipped.
"""

from __future__ import annotations

import functools
import shutil
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import pytest
from docs_pages import ROOT
from needs import BUILT_SITE, CHROMIUM, package

selenium = package("selenium.webdriver", extra="dev")
from selenium.webdriver.chrome.webdriver import WebDriver  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

SITE = ROOT / "build" / "docs"
pytestmark = [
    CHROMIUM,
    pytest.mark.skipif(not (SITE / "search.html").exists(), reason=BUILT_SITE),
]
FIRST = {
    "custom simulator": "how-to/extend",
    "LTL": "ltl",
    "temporal logic": "ltl",
    "PDDL validate": "pddl-benchmarks",
    "pass@k": "predictions",
    "cite": "about",
    "BibTeX": "about",
    "install": "install",
    "p-value": "reports",
    "significance": "reports",
    "leaderboard": "reports",
    "token cost": "faq",
    "reward": "reward",
    "changelog": "about",
    "quirk": "differences",
    "planner": "planners",
    "repair": "repair",
    "MCP": "pddl-benchmarks",
    "simulator custom": "how-to/extend",
    "Report.to_latex": "reference",
}
"""What is typed, and the page that comes first."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without writing a line for each."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of the site, served on this machine."""
    handler = functools.partial(Quiet, directory=str(SITE))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[WebDriver]:
    """A browser without a window."""
    options = selenium.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    service = selenium.ChromeService(shutil.which("chromedriver"))
    driver = selenium.Chrome(options=options, service=service)
    yield driver
    driver.quit()


def first_hit(browser: WebDriver, address: str, query: str) -> str:
    """Return the page that the search lists first."""
    browser.get(f"{address}/search.html?q={quote(query)}")
    links = "return [...document.querySelectorAll('ul.search li a')].map(a => a.href)"
    found = WebDriverWait(browser, 30).until(lambda it: it.execute_script(links))
    return str(found[0]).removeprefix(f"{address}/").split(".html")[0]


@pytest.mark.parametrize(("query", "page"), FIRST.items())
def test_the_right_page_is_found_first(
    browser: WebDriver, address: str, query: str, page: str
) -> None:
    assert first_hit(browser, address, query) == page
