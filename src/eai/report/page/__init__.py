"""The page of a report: an overview, what differs, and every judged item, in one HTML file."""

from eai.report.page.details import Details, Moment, Reader, TruthRow
from eai.report.page.writer import fragment, write_html

__all__ = ["Details", "Moment", "Reader", "TruthRow", "fragment", "write_html"]
