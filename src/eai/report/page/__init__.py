"""The page of a report: an overview, what differs, and every item, in one HTML file."""

from eai.report.page.details import (
    Details,
    Reader,
    TruthRow,
    details_reader,
    reader_at_hand,
    reader_of,
)
from eai.report.page.writer import write_html

__all__ = [
    "Details",
    "Reader",
    "TruthRow",
    "details_reader",
    "reader_at_hand",
    "reader_of",
    "write_html",
]
