"""The item browser of the HTML report: every judged item, read step by step, in one file."""

from eai.report.browser.details import Details, Moment, Reader, TruthRow
from eai.report.browser.page import browser_parts, browser_style, policy

__all__ = ["Details", "Moment", "Reader", "TruthRow", "browser_parts", "browser_style", "policy"]
