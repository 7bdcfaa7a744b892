from .paths import (
    Stem as Stem,
    advice as advice,
    similar_paths as similar_paths,
)
from .writing import (
    FILES as FILES,
    FREE_SPACE as FREE_SPACE,
    RECORD_COLUMNS as RECORD_COLUMNS,
    RECORD_FILES as RECORD_FILES,
    RECORD_LINES as RECORD_LINES,
    content_hash as content_hash,
    folder_of as folder_of,
    given_path as given_path,
    holds_run as holds_run,
    is_full as is_full,
    records_in as records_in,
    refuse_existing as refuse_existing,
    replacing as replacing,
    replacing_file as replacing_file,
    runs_in as runs_in,
    writing_to as writing_to,
)
