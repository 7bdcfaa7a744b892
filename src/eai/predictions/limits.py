"""Limits on the size of files that are read. Larger files are refused, or read up to the limit."""

MAX_BYTES = 1 << 28
"""A line is read up to this length; a file of another kind may have no line ends at all."""
MAX_MEMBER_BYTES = 1 << 26
"""Longest sample of a log, and longest workbook, unpacked."""
MAX_MEMBERS = 20_000
"""A zip with more files is refused."""
MAX_FILES = 100_000
"""A folder with more files is refused."""
MAX_RATIO = 200
"""A long file is unpacked to so many times its size: text comes to ten or twenty times."""
MIN_BYTES = 1 << 24
"""Size below which anything unpacked is read, whatever the ratio."""
MAX_CELL = 1 << 23
"""Characters of a cell of a table of text: a quote that is never closed runs to the end."""
MAX_ROW = 1 << 24
"""Bytes of a line of a table of text: memory holds it several times while cells are read."""
MAX_YAML_BYTES = 1 << 24
"""A file of YAML is read whole, and slowly."""
MAX_ANSWER_BYTES = 1 << 24
"""Longest file with nothing but an answer."""
