"""Candidates as they are put together, the same for plans, goals, subgoals and operators.

What an item is, and when it carries on a candidate, each reader says. What frames a candidate, what
is a remark on it, and which of several an answer means, is here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any, Generic

from eai.answers.choice import Chosen, choose, is_final, is_remark
from eai.answers.continuation import Between, goes_on
from eai.answers.document import Block, Document
from eai.answers.retelling import Seam, offsets_told_again
from eai.answers.retractions import sentences_of, takes_back
from eai.text import has_words


def candidate_at(kind: Callable[..., Chosen], block: Block, words: Iterable[str]) -> Chosen:
    """Return a candidate without items that begins at a block.

    Args:
        kind: The class of the candidate.
        block: The block of its first item.
        words: The words that frame it: sentences before it, keys, names of elements.
    """
    return kind(
        [],
        "\n".join(filter(None, words)),
        block.at,
        block.at,
        is_marked=block.is_marked,
        is_struck=block.is_struck,
        is_formal=block.is_formal,
    )


def choose_in_document(
    document: Document, candidates: Sequence[Chosen]
) -> tuple[Chosen | None, str]:
    """Return the candidate that a document means, and the rule that chose it.

    Words before the first candidate and behind the last one may decide. None if they reject all
    candidates, or take back one that is not presented as final.
    """
    text_behind = document.text[max(candidate.end for candidate in candidates) :]
    text_before = document.text[: min(candidate.at for candidate in candidates)]
    # Words that decide between candidates stand before or behind all of them.
    chosen, rule = choose(candidates, text_behind, text_before)
    if chosen is not None and takes_back(text_behind) and not is_final(chosen.frame):
        return None, "not rejected"
    return chosen, rule


class CandidateCollector(Generic[Chosen]):
    """Puts the items of a document together to candidates.

    Args:
        make: The class of the candidates.
        document: The answer.
        starts: Offsets of blocks that begin a candidate, whatever stands before them.

    Attributes:
        candidates: The candidates so far.
        current: The candidate to which the next item may belong.
        between: What stands between its last item and the next one.
        regions: The fences and elements around the block that was read last.
        seams: Places at which a candidate went on behind words.
    """

    sentences_of_frame = 4
    """Number of sentences before a candidate that frame it."""

    def __init__(
        self, make: Callable[..., Chosen], document: Document, starts: frozenset[int] = frozenset()
    ) -> None:
        """Begin without candidates, before the first block of the document."""
        self.make = make
        self.document = document
        self.starts = starts
        self.seams: list[Seam] = []
        self.candidates: list[Chosen] = []
        self.current: Chosen | None = None
        self.between = Between()
        self.regions: tuple[tuple[str, int], ...] = ()

    def enter_regions(self, block: Block) -> bool:
        """Note that a fence or a framing element begins or ends; return False if none does."""
        if block.framing == self.regions:
            return False
        self.regions = block.framing
        self.between.is_parted = True
        return True

    @contextmanager
    def add_struck_item(self) -> Iterator[None]:
        """Set the current candidate aside while an item that is struck out is read.

        Behind the item, the candidate before it goes on.
        """
        state_before = self.current, self.between, self.regions
        # What is struck out may have steps of its own, which must not join those around it.
        self.current = None
        self.between = Between()
        yield
        self.current, self.between, self.regions = state_before

    def begin_candidate(self, block: Block, *framing: str) -> Chosen:
        """Begin a candidate at a block, and make it the current one.

        Args:
            block: The block of its first item.
            framing: Words of the block that frame the candidate, beside the sentences before it.
        """
        sentences = self.between.words[-self.sentences_of_frame :]
        candidate = candidate_at(self.make, block, [*sentences, *framing])
        self.candidates.append(candidate)
        self.current = candidate
        self.between = Between()
        return candidate

    def add_seam(self, block: Block) -> None:
        """Remember that the current candidate goes on at a block, if a lead-in stands before it.

        That is a paragraph of its own, or a line with a colon at its end. Any other line amid items
        is more likely an item that was not understood.
        """
        current = self.current
        if current is None or not current.items or block.at <= current.end + 1:
            return
        text_between = self.document.text[current.end : block.at]
        is_lead_in = "\n\n" in text_between or text_between.rstrip("*_ \n").endswith(":")
        last_words = self.between.last_words
        if is_lead_in and (last_words or has_words(text_between)) and not goes_on(last_words):
            self.seams.append(Seam(current, len(current.items), block.at))

    def offsets_told_again(
        self, key: Callable[[Any], Hashable | None], *, min_items: int = 2
    ) -> frozenset[int]:
        """Return the offsets of blocks that tell the candidate again to which they were added.

        The document is then read once more, with candidates of their own for them.

        Args:
            key: Returns what an item says; None if that is too little to be compared.
            min_items: Fewest items of the second telling. A single step may be taken twice.
        """
        offsets: set[int] = set()
        for _, seams in groupby(self.seams, key=lambda seam: id(seam.candidate)):
            seams_of_candidate = list(seams)
            keys = [key(item) for item in seams_of_candidate[0].candidate.items]
            offsets.update(offsets_told_again(seams_of_candidate, keys, min_items))
        return frozenset(offsets)

    def add_words(self, text: str) -> None:
        """Add sentences: remarks on the candidate before them, or the frame of the next one."""
        for sentence in sentences_of(text):
            if self.candidates and not self.between.words and is_remark(sentence):
                self.candidates[-1].remark += f"{sentence}\n"
            else:
                self.between.words.append(sentence)
