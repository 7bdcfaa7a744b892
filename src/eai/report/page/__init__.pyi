from .details import (
    Details as Details,
    PartTruth as PartTruth,
    Reader as Reader,
    details_reader as details_reader,
    reader_at_hand as reader_at_hand,
    reader_of as reader_of,
)
from .writer import write_html as write_html, write_index as write_index
