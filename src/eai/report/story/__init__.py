"""The story of one item: what every step did, what went wrong, and why."""

from eai.report.story.chapters import Chapter, chapters_of
from eai.report.story.story import Story
from eai.report.story.telling import execution_of, suite_of, tell

__all__ = ["Chapter", "Story", "chapters_of", "execution_of", "suite_of", "tell"]
