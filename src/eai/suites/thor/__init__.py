"""The suite ``thor:FILE``: tasks of one's own in the rooms of AI2-THOR."""

from eai.suites.thor.document import ThorTasksDocument, room
from eai.suites.thor.suite import ThorTasks
from eai.suites.thor.tasks import KINDS, generate_tasks

__all__ = ["KINDS", "ThorTasks", "ThorTasksDocument", "generate_tasks", "room"]
