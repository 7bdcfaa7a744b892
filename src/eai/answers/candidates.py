"""Candidates as they are put together, the same for plans, goals, subgoals and operators.

What an item is, and when it carries on a candidate, each reader says. What frames a candidate, what
is a remark on it, and which of several an answer means, is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic

from eai.answers.choice import Chosen, choose, is_final, is_remark
from eai.answers.continuation import Between
from eai.answers.document import Block, Document
from eai.answers.retractions import sentences_of, takes_back


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
    chosen, rule = choose(candidates, text_behind, text_before)
    if chosen is not None and takes_back(text_behind) and not is_final(chosen.frame):
        return None, "not rejected"
    return chosen, rule


class CandidateCollector(Generic[Chosen]):
    """Puts the items of a document together to candidates.

    Args:
        make: The class of the candidates.
        document: The answer.

    Attributes:
        candidates: The candidates so far.
        current: The candidate to which the next item may belong.
        between: What stands between its last item and the next one.
        regions: The fences and elements around the block that was read last.
    """

    sentences_of_frame = 4
    """Number of sentences before a candidate that frame it."""

    def __init__(self, make: Callable[..., Chosen], document: Document) -> None:
        """Begin without candidates, before the first block of the document."""
        self.make = make
        self.document = document
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

    def add_words(self, text: str) -> None:
        """Add sentences: remarks on the candidate before them, or the frame of the next one."""
        for sentence in sentences_of(text):
            if self.candidates and not self.between.words and is_remark(sentence):
                self.candidates[-1].remark += f"{sentence}\n"
            else:
                self.between.words.append(sentence)
