"""Files of records: one judged prediction a line, as JSON Lines."""

from eai.report.records.files import RecordFile, RecordWriter, read_records, write_records
from eai.report.records.line import record_from_json, record_to_json

__all__ = [
    "RecordFile",
    "RecordWriter",
    "read_records",
    "record_from_json",
    "record_to_json",
    "write_records",
]
