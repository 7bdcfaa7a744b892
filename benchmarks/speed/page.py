"""How long the page of a report takes to be written and to be shown by headless Chromium.

    python benchmarks/speed/page.py [ITEMS]

Needs Chromium, its driver and selenium.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By

import eai
from eai.report import Report, details_reader
from eai.suites.household import samples


def main(items: int) -> None:
    """Write a page of so many items and load it."""
    suite = eai.suite("household")
    records = eai.evaluate("household", samples()).records
    rows = ((records[number % len(records)], number // len(records)) for number in range(items))
    many = [replace(record, model=f"{record.model} {run}") for record, run in rows]
    path = Path(tempfile.mkdtemp()) / "report.html"
    started = time.process_time()
    Report(many).to_html(path, reader=details_reader(suite, suite.semantics("strict")))
    print(f"{items} items: written in {time.process_time() - started:.1f} s of CPU time")
    print(f"{path.stat().st_size / 1e6:.1f} MB")
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    for _ in range(5):
        driver.get("about:blank")
        begun = time.perf_counter()
        driver.get(path.as_uri())
        while not driver.find_element(By.ID, "count").text:
            time.sleep(0.005)
        print(f"loaded and listed in {time.perf_counter() - begun:.2f} s")
    driver.quit()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
