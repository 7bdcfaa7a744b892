"""Tables of any texts in any width."""

from __future__ import annotations

from io import StringIO

from hypothesis import example, given, settings, strategies as st
from rich.cells import cell_len
from rich.console import Console

from eai.table.folding import fold_text, longest_piece
from eai.table.terminal import TextColumn, fit_to_width

TEXT = st.text(st.sampled_from("ab1 _-/.,:%名"), max_size=20).map(
    lambda text: " ".join(text.split())
)


@settings(max_examples=200)
@given(TEXT, st.integers(1, 25))
def test_a_folded_text_keeps_its_letters_and_its_pieces(text: str, width: int) -> None:
    lines = fold_text(text, width).split("\n")
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert max(map(cell_len, lines)) <= max(width, longest_piece(text))


@settings(max_examples=100)
@given(
    st.integers(1, 4).flatmap(
        lambda rows: st.lists(
            st.builds(
                TextColumn,
                TEXT,
                st.lists(st.integers(-999, 10**6).map(str) | TEXT, min_size=rows, max_size=rows),
                st.booleans(),
            ),
            min_size=1,
            max_size=6,
        )
    ),
    st.integers(20, 100),
)
@example(
    [
        TextColumn("", [""], numbers=False),
        TextColumn("111111111111", ["0"], numbers=False),
        TextColumn("", ["100000"], numbers=False),
    ],
    20,
)
def test_no_table_is_wider_than_there_is_room_or_loses_a_number(
    columns: list[TextColumn], width: int
) -> None:
    stream = StringIO()
    console = Console(file=stream, width=width, color_system=None)
    for part in fit_to_width("Title", columns, width):
        console.print(part)
    told = stream.getvalue()
    assert all(cell_len(line) <= width for line in told.split("\n"))
    for column in columns:
        for cell in column.cells:
            assert not cell.isdigit() or cell in told
