"""The third stage of reading: which of several candidates an answer means.

A candidate is a plan, a goal or a list of subgoals that stands in one piece in an answer.
Candidates are never joined unless they visibly go on. ``docs/answers.md`` prints :data:`RULES` with
an example of each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Generic, TypeVar

from eai.answers.decisions import OPTIONS, index_decided_for
from eai.answers.languages import LANGUAGES
from eai.answers.plan import REJECTING_SIGNS, word_sets
from eai.answers.retractions import (
    follows_example,
    frames_as_not_meant,
    sentences_of,
    without_emphasis,
)
from eai.text import lazy_pattern, remembers_short_texts

Item = TypeVar("Item")

RULES = {
    "marked": "an answer tag, or a call of a tool that hands the answer in",
    "decided": "a sentence that decides for one of several options",
    "final": "what stands under words such as final, answer, corrected",
    "not rejected": "what is not framed as draft, rejected, alternative, example, denied,"
    " commented out or struck through",
    "formal": "values and code fences before lines of text around them",
    "longer": 'several items before a single one, if no words lead to that ("Rewritten:")',
    "last": "the last complete one",
    "amid words": "if no plan is read otherwise, whole steps amid words that deny none of them",
}
"""Rules in their order; the first that leaves fewer candidates than there were names the choice."""


def _any_of(name: str) -> str:
    """Return the pattern of one of the words of a list of ``[choice]`` in ``answers.ini``."""
    return rf"\b(?:{'|'.join(sorted(_WORDS[name]))})\b"


_WORDS = word_sets("choice")
_APPROVES = "\u2705\u2714\u2713\u2611\U0001f44d\U0001f7e2"
_REJECTS = f"{REJECTING_SIGNS}\U0001f534"
"""Signs at the heading of a plan that is meant, and of one that is not."""
_PAST = (
    r"\b(?:yesterday|last (?:week|time|night|month|year)|earlier today|in the (?:past|last run)"
    r"|(?:an?|two|three|some|few|\d+) (?:\w+ )?(?:days?|weeks?|months?|years?) ago"
    r"|(?:previous|last|earlier) (?:run|episode|trial))\b"
)
_WAS_DONE = (
    r"\b(?:did|do|done|took|taken|made|executed|performed|carried out|happened|went|was)\b"
    r"(?![^.:]*\b(?:asked|told|plan|promised|wanted)\b)"
)
_REJECTED = lazy_pattern(
    _any_of("rejected") + r"|(?<!ll )(?<!will )(?<!should )(?<!must )(?<!to )"
    r"\b(?:first|initial|earlier|previous|old|naive|rough|original|tentative)"
    r" (?:idea|attempt|thought|try|version|pass|plan|guess|answer|sketch|approach|solution)\b"
    r"|\b(?:do|does|did|must|should|would|will|can|could|may) ?n[o']t\b"
    # A refusal: "I'm sorry, but I can't recommend doing this".
    r"|\b(?:ca(?:n't|n not)|won't|refuse to|unwilling to|unable to) (?:recommend|advise|endorse"
    r"|support|approve|condone|encourage|do|execute|perform|carry out|follow)\b"
    r"(?=[^.:,]{0,100}\b(?:this|these|following|below)\b)"
    r"|\bnot (?:solve|work|execute|possible|run|follow|correct|valid|do|be|use|used"
    r"|the (?:final|answer)|good|enough|sufficient|chosen|taken|selected|accepted|recommended)\b"
    r"|\bmistak\w*|\be\.g\b|(?<!from )\bscratch\b|\boption(?:al)? extra\b"
    r"|(?<!in )(?<!in the )(?<!in a )\b(?:required|expected|answer|output|requested) format\b"
    r"|(?<!in )\b(?:the|this) format\b|\bformat (?:is|of|example|asked)\b|^\W*format\b"
    r"|\b(?:instead of|rather than|ruled out|crossed out|under consideration)\b"
    r"|\b(?:decided?|advised?|argued?|warned?|speaks?) against\b|\bg[ai]ven? up on\b"
    r"|\b(?:all|every one|each) (?:\w+ ){0,4}(?:is|are|was|were) (?:all )?cancell?ed\b"
    r"|\b(?:logs?|records?|transcripts?|history) of (?:the|an?|my|your) (?:previous|last|earlier"
    r"|failed|unsuccessful)\b|\basked (?:me )?(?:for|about) (?:an?|the|this) format\b"
    r"|\bwould be\b|\bothers? (?:would|might|may|say|could)\b"
    r"|\bbefore (?:correction|revision|the fix)\b|\bbefore\W*$|\bfor (?:reference|comparison)\b"
    r"|^\W*(?:\w+ )?(?:explanations?|rationale|reasoning|analysis|notes?|(?:self-?)?check"
    r"|verification|preconditions?|effects?)\b(?: (?:of|for|about|why)\b.*)?\W*$"
    r"|\b(?:nobody|no one) (?:should|must|may|ought)\b|\bunder no circumstances\b|\bby no means\b"
    r"|\b(?:usually|typically|often|generally|normally) looks? like\b"
    r"|\bnicht\b.{0,30}\bausf\u00fchren\b|\b(?:falsch|verworfen)\w*\b|\bne (?:pas|jamais)\b"
    r"|\bno (?:ejecut|sig|us)\w+\b|\bincorrect[aeo]s?\b"
    r"|\u9519\u8bef|\u8349\u7a3f|\u4e0d\u6b63\u786e|\u9593\u9055|\u4e0b\u66f8\u304d"
    # The mood of what is only thought of.
    r"|\b(?:might|could|would) have\b|\bif (?:i|we|you) (?:were|had)\b"
    r"|\bone (?:might|may|could) (?:think|say|try|propose|suggest)\b"
    # What is done already, and what could be done.
    r"|\balready (?:been )?(?:executed|done|carried out|performed|taken)"
    r"(?: (?:(?:these|those|the following|the) (?:steps|actions|moves)|the following|this))?\W*$"
    # What was done in the past, not what shall be done.
    rf"|^(?=[^.:]*{_PAST})(?=[^.:]*{_WAS_DONE})[^.:]*:\W*$|^\W*logs? of {_PAST}"
    r"|^\W*(?:the )?(?:available|allowed|possible|permitted|supported|legal)"
    r" (?:actions?|skills?|tools?|commands?|operators?|functions?|steps?)\b"
    r"|\b(?:what|how) not to\b|\banti-?patterns?\b|\b(?:avoided|cancell?ed)\b|\bin (?:my|a) dream\b"
    r"|^\W*(?:imagine|suppose|pretend)\b|\b(?:annul\u00e9|storniert)\w*"
    r"|\bnone of (?:these|those|the following)\b|\bthrow(?:n|ing)? (?:\w+ )?away\b"
    r"|\((?:the )?(?:old|previous|outdated)(?: one)?\)",
    re.IGNORECASE,
)
_NOT_A_SEQUENCE = lazy_pattern(
    # One of several steps, which are no sequence then.
    r"(?:^|[,;:.]\s|\b(?:do|does|take|choose|pick|perform|execute|try|use|select|run|make|need)\s)\W*"
    r"(?:(?:only|just|exactly|at most|at least|no more than)\s)?(?:one|any|either)(?: single| one)?"
    r" of (?:the following|these|those|the (?:steps|actions|moves|commands|items) below)\b"
    r"(?! (?:\w+ )?(?:plans|options|sequences|lists|answers|solutions|versions|ways))[^.]*:\W*$"
    # Steps that are listed, but not as a sequence.
    r"|^\W*depending on\b[^.]*:\W*$"
    r"|\bin (?:no particular|any|arbitrary|whatever) order\b"
    r"|^\W*(?:the )?most (?:important|critical|crucial) (?:steps|actions)\b"
    # What would be done if things were otherwise than they are.
    r"|\bif\b[^,.:]{1,80}\b(?:had|were)\b[^.:]{0,60}\b(?:could|would|might)\b[^.]*:\W*$",
    re.IGNORECASE,
)
"""A sentence above steps of which one is to be taken, or none: "Do one of these:"."""
_FINAL = lazy_pattern(
    _any_of("final") + r"|^\W*results?\b|\binstead\b(?! of)|\bsubmit(?:ting)?\b"
    r"|\b(?:supersedes|replaces|overrides) (?:the|my|all|any|version|draft|plan|v\d)\b"
    r"|\bbest (?:plan|option|version|sequence|choice|list|one)\b|\b(?:first|top) (?:choice|pick)\b"
    r"|\b(?:simpler|shorter|refined|optimi[sz]ed|optimal|efficient) (?:\w+ )?(?:plan|version"
    r"|solution|sequence|one|way)\b|\b(?:shortened|simplified|condensed) (?:to|into|as follows)\b"
    r"|\bright (?:plan|answer|solution|sequence|one|list|steps)\b|\u6700\u7ec8|\u6700\u7d42"
    r"|\b(?:execute|use) (?:this|these|the following)\b"
    rf"|[{_APPROVES}]\W*[^\W\d]|[^\W\d][\W\d]*[{_APPROVES}]|\u63a8\u8350",
    re.IGNORECASE,
)
_SET_BACK = (
    # A heading that denies what stands below it: "Not this:", "Never like that:".
    r"^\W*(?:(?:but|and|please) )?(?:not|never)\b(?! (?:only|just|merely))[^,.;]{0,30}"
    r"\b(?:this|these|that|those|below|following)\b[^,.;]{0,30}:\W*$"
    # A rank behind the first.
    r"|\b(?:second|third|next)[- ](?:best|choice|preference|favou?rite)\b|\brunners?[- ]?up\b"
    r"|\b(?:less|least) (?:preferred|favou?red|good|suitable|recommended|attractive)\b"
    r"|\b(?:worse|worst|weaker|poorer) (?:plan|answer|version|option|solution|choice|sequence)\b"
)
"""Headings of candidates that are set back behind another one."""
_SET_BACK_HEADING = lazy_pattern(_SET_BACK, re.IGNORECASE)
_WRONG_ANSWER = lazy_pattern(
    # Signs of rejection at words, and "not recommended" in Chinese.
    rf"[{_REJECTS}]\W*[^\W\d]|[^\W\d][\W\d]*[{_REJECTS}]|\u4e0d(?:\u63a8\u8350|\u5efa\u8bae|\u9009)|"
    # "What follows is merely a sample of the notation"
    r"\b(?:merely|only|just|simply|purely|nothing but) (?:an? |the |some )?(?:\w+ )?(?:sample"
    r"|example|illustration|placeholder|template|demonstration)s?\b"
    r"|\b(?:sample|illustration|demonstration)s? of (?:the |an? |your )?(?:\w+ )?(?:notation|format"
    r"|syntax|style|layout)\b|"
    # "It would be wrong to answer"
    r"\b(?:wrong|incorrect|mistake|error|unwise|foolish|dangerous|harmful|bad|unsafe)(?: idea)?"
    r"(?: for \w+)? to (?:answer|do|execute|say|reply|respond|use|run|follow|submit|give|propose"
    r"|suggest|perform|take|write|choose|pick|try)\b|"
    r"\b(?:others?|another|some(?:one|body)?|naive)(?: \w+){0,2} (?:would|might|may|could)"
    r" (?:\w+ )?(?:answer|submit|decide|solve)\b"
    r"|\b(?:wrong|incorrect|bad|rejected|draft|first|initial|alternative|example|invalid|previous|old|not"
    r"|no)\s+(?:the |a |an |my )?(?:final |sample )?(?:answer(?!s)|solution|result|correct\w*"
    r"|decision|final)\b"
    r"|\b(?:look|looks|be|being|formatted|written) (?:something )?like (?:this|the following"
    r"|an?) (?:example|format|sample)\b"
    r"|\b(?:answer|plan|solution|output)\b[^.:]{0,30}\b(?:would|could|might"
    r"|should) (?:have to )?look\b"
    r"|\b(?:answer|plan|solution|output)s?\b[^.:]{0,20}\b(?:must|should|would|has to|have to"
    r"|needs? to|could)"
    r" (?:have|be|look|follow|use|take|match)\b[^.]{0,40}\b(?:forms?|formats?|formatted"
    r"|structure|shape|pattern|schema|like)\b"
    r"|\b(?:for (?:example|instance)|e\.g|such as)\b[.:]?\W*$"
    r"|\b(?:different|another|other) (?:task|problem|instruction)\b(?!s)"
    r"|\b(?:not|n['\u2019]t) (?:mine|my (?:own )?(?:answer|plan|solution))\b"
    r"|\b(?:answer|format|solution|output)s? format\b"
    r"|\b(?:template|draft|sample|sketch)s? (?:of|for) (?:(?:an?|the|my|your) )?(?:\w+ )?"
    r"(?:answer|output|solution|plan)\b|\bexample (?:of )?(?:an? "
    r"|the )?\w*\s?(?:answer|output|solution)\b"
    r"|\bfinal (?:state|arrangement|configuration|position|situation|conditions?|stack|layout)\b"
    r"|\b(?:mostly|largely|partly|partially|nearly|almost) correct\b"
    r"|\bcorrection of\b|\bnot (?:a |the )?(?:final|correct|solution|answer)"
    rf"|{_SET_BACK}",
    re.IGNORECASE,
)
_NEGATION = lazy_pattern(
    r"\b(?:not|never|no|nicht|kein\w*)\b(?!.*\b(?:but|so)\b)[^,;]{0,25}$|n['\u2019]t\b[^,;]{0,25}$",
    re.IGNORECASE,
)
_CLAUSE = lazy_pattern(
    r"(.*)\b(?:answer|solution|result|version|plan)s? (?:that|which)\b(.*)", re.IGNORECASE
)
_REMARK = lazy_pattern(
    r"^\W*(?:(?:but|and|however|so|yet|though),? )?(?:this|that|it|these|those|which"
    r"|goal)\b(?!.*:\W*$)"
    r"|^\W*(?:hmm|wait|oops|actually|no|scratch that|on second thought|let me)\b(?!.*:\W*$)"
    r"|^\W*(?:[A-Z]\w{1,20}: )?(?:rejected|disapproved|refused|approved|accepted)\b(?!.*:\W*$)",
    re.IGNORECASE,
)
_FAILURE = lazy_pattern(
    r"\bfail(?:s|ed)?\b|^\W*(?:\w+: )?(?:rejected|disapproved|refused)\b"
    rf"|{LANGUAGES['English'].wrong}|(?:\bnot|n['\u2019]t) (?:reached|solved)\b"
    r"|\b(?:misses|forgets|breaks|violates)\b|\b(?:scratch|scrap) that\b|^\W*(?:oops|nope?)\b"
    r"|\b(?:start|begin)(?:ing)? (?:over|again|anew|afresh|from scratch)\b"
    r"|\bwould(?: not|n['\u2019]t)\b|\b(?:still|never) (?:off|on|open|closed|missing|there|not)\b"
    r"|\b(?:leaves?|left|stays?|remains?)\b[^.,;]{1,40}\b(?:broken|undone|off|unsolved|behind|out"
    r"|dirty|untouched|unfinished|missing)\b|\b(?:mis(?:read|understood)|sorry|apolog\w+"
    r"|my (?:bad|mistake))\b",
    re.IGNORECASE,
)
_PLAN_HEADING = lazy_pattern(
    r"^\W*here(?:['\u2019]s| is| are)\b.*\b(?:plan|steps|actions|sequence)\b|\b(?:plan|steps"
    r"|actions|sequence|commands|subgoals|goals)(?: (?:v|version )?\d{1,2})?\W*:?\W*$"
    r"|^#+ (?:output|response|solution)\W*$"
    r"|\b(?:plan|sequence)\b[^.,:]{0,30}\b(?:is|reads)\W*:\W*$"
    r"|^(?!.*\b(?:nobody|no one|not|never)\b).*\b(?:agreed|settled) (?:up)?on\b.*:\W*$",
    re.IGNORECASE,
)
_IN_FORMAT = lazy_pattern(r"\bin (?:\w+ ){0,4}formats?\b", re.IGNORECASE)
"""How something is written, which does not make it an example of the format."""
_ASSIGNS = lazy_pattern(r"\W*\w+(?: ?: ?[\w\[\], ]{1,30})? ?=\W*")
"""The begin of an assignment: ``plan =``, ``plan: list[str] =``."""
_SHOULD_BE = r"(?:it|this|that|they) should (?:be|read|have been)"
_HERE = lazy_pattern(
    r"\W*(?:here (?:it is|they are)(?: \w+)?"
    r"|(?:the )?(?:right|proper)(?: (?:order|plan|sequence|version|steps|way))?"
    rf"|{_SHOULD_BE})\W*:\W*$",
    re.IGNORECASE,
)
"""A lead-in that leaves what was said of another list behind: "Here it is right:"."""
_BREAK = lazy_pattern(
    rf"^\W*(?:{OPTIONS}|try)\s+#?(?:[A-Z]|\d|one|two)\b"
    rf"|\b{OPTIONS}\s+(?:#|v\.?|version\s)?\d{{1,2}}\W*:\W*$"
    r"|^\W*(?:1st|2nd|3rd|first|second|third) (?:option|plan|answer|version|approach|attempt"
    r"|try|list)\b"
    r"|^\W*no(?:pe)?[,:.!](?=\s|$)"
    r"|^\W*take (?:one|two|three|\d)\W*$|\b(?:next|another|second|new) (?:try|attempt)\b"
    r"|^\W*v\d{1,2}(?![\w.])"
    r"|\b(?:(?<!will )(?<!to )wait(?! (?:un)?til+\b)|actually|however|let me|hmm|oops|scratch that"
    r"|scrap that|on second thought|rather(?! than\b)|better)\b",
    re.IGNORECASE,
)
_BETTER = r"(?:right|final|correct(?:ed)?|revised|better|fixed|new|improved|real|proper)"
_ANNOUNCES = lazy_pattern(
    rf"\b(?:{_BETTER}|actual|wrong|naive|alternative|other|second|first|draft) (?:\w+ )?"
    r"(?:plan|answer|version|list|sequence|solution|attempt|steps|try|one|option|approach)\b"
    rf"|\b(?:here|this|that|below|following|use|so)\b[^.]{{0,40}}?\b{_BETTER}\b",
    re.IGNORECASE,
)
MARKING_TAGS = frozenset(["answer", "final_answer", "final", "final_plan", "solution"])
"""Elements whose content is marked as the answer."""
ANSWER_TAGS = MARKING_TAGS | frozenset(["plan", "output", "response", "result", "draft", "option"])


@dataclass(slots=True)
class Candidate(Generic[Item]):
    """One of the things an answer may mean.

    Args:
        items: What it consists of.
        frame: The words that frame it: headings and sentences before it, keys, names of tags.
        at: Offset of its begin.
        end: Offset behind it.
        remark: Sentences behind it that speak of it.
        is_marked: Whether it stands in a tag for answers or the call of a final tool.
        is_struck: Whether it is struck through or commented out.
        is_formal: Whether it is a value or stands in a code fence.
        is_cut: Whether the answer ends inside it.
        is_partial: Whether something that belongs to it could not be read.
        is_loose: Whether it is only mentioned in a sentence.
        is_whole: Whether it says itself that it is an answer, however few items it has.
    """

    items: list[Item] = field(default_factory=list)
    frame: str = ""
    at: int = 0
    end: int = 0
    remark: str = ""
    is_marked: bool = False
    is_struck: bool = False
    is_formal: bool = False
    is_cut: bool = False
    is_partial: bool = False
    is_loose: bool = False
    is_whole: bool = False


Chosen = TypeVar("Chosen", bound=Candidate)  # type: ignore[type-arg]


class _Standing(Enum):
    """Whether words present a candidate as the answer, as no answer, or as neither."""

    FINAL = "final"
    REJECTED = "rejected"
    NEUTRAL = "neutral"


def is_rejected(frame: str, *, is_alone: bool = False) -> bool:
    """Whether the words before a candidate say that it is not the answer.

    Args:
        frame: Headings, sentences, keys and names of elements before the candidate.
        is_alone: Whether the answer has no other candidate. Then a sentence that is complete, such
            as "I considered the moon, but it is not possible.", counts only if it points ahead.
    """
    return _standing_of_words(frame[-_MAX_FRAME:], is_alone) is _Standing.REJECTED


def is_final(frame: str) -> bool:
    """Whether the words before a candidate present it as the answer."""
    return _standing_of_words(frame[-_MAX_FRAME:], False) is _Standing.FINAL


_MAX_FRAME = 400
"""Number of characters before a candidate that may frame it."""


_ANNOUNCEMENT = lazy_pattern(
    r"(?:(?<=[,:\u2014]\s)|\bso |^\W*)(?:(?:please )?(?:do|use|follow|execute|run|take|try) (?:this"
    r"|these|the following)(?: \w+)?|here(?:['\u2019]s| is| are)\b[^,:]*|(?:(?:this|the following)"
    r" (?:plan|sequence|one|list|version)|these steps|the (?:one|list|plan|steps) below|this)"
    r" (?:works?|solves?|succeeds?|reach(?:es)?|achieves?)\b"
    r"[^,:]*"
    rf"|{_SHOULD_BE}|now|the plan(?: is)?)[.:]?\W*$"
    r"|(?:(?<=[,;]\s)|^\W*)(?:and )?(?:so|therefore|thus|hence):\W*$",
    re.IGNORECASE,
)
"""The last clause of a sentence, if it announces what follows: "Don't worry, here is the plan:"."""
_HARMLESS = lazy_pattern(
    r"\bavoid(?:s|ed|ing)? (?:the |any |all |this |that |such )?(?:\w+ )?(?:mistake|error|failure"
    r"|problem|issue|collision)s?\b[^,:]*"
    r"|\bavoid(?:s|ed|ing)? (?:all |any )?(?:unnecessary|needless|extra|superfluous|pointless"
    r"|useless|redundant|additional|repeated|double)\b[^,:]*"
    r"|\bavoid(?:s|ed|ing)? (?!doing|using|execut|follow|running|taking|perform|trying|repeating)"
    r"\w+ing\b(?! (?:this|these|that|the following)\b)[^,:]*"
    r"|(?:\b(?:never|cannot|not)|n['\u2019]t) fail\b"
    r"|\b(?:the|your) (?:robot['\u2019]s )?(?:plan|sequence|steps|actions)\b[^.,:]{0,60}"
    r"\bwould be:\W*$"
    r"|(?:\bnot|n['\u2019]t) need an?\b[^,:]*"
    r"|\b(?:unless i(?: a|['\u2019])m|if i(?: a|['\u2019])m not) mistaken\b"
    # "I could not find anything wrong with this", "there is no shorter plan than this"
    r"|(?:\b(?:could |can |did |do )?(?:never|not|no|nothing|hardly any|cannot)"
    r"|(?:could|can|ca|did|do)n['\u2019]t)(?: (?:find|see|spot|detect|notice|identify|is|are|be|has"
    r"|have|contains?|any|anything|thing|a|an|single|further|at all|to be))* (?:wrong|incorrect"
    r"|invalid|flawed|faulty|infeasible|mistakes?|errors?|flaws?|faults?)\b"
    r"(?! (?:plan|answer|step|list))"
    r"|\bno (?:\w+er|better|other|more \w+) (?:plan|answer|solution|sequence|list|way|one|option)\b"
    # "The hall, e.g. the door, is near" gives an example of something else.
    r"|[,(;]\s?(?:e\.\s?g\.?|for (?:example|instance)|such as),? [^:;()]{1,80}?[,)](?=.*\w)"
    r"|(?<!these )(?<!the )(?<!following )\b(?:wrong|incorrect) answers\b(?! (?:below|follow))"
    r"|(?:\b(?:do not|must not|should not|never|not to)|\b(?:do|must|should)n['\u2019]t)"
    r" (?:skip|omit"
    r"|forget|miss|leave out|change|worry|panic)\b[^,:]*",
    re.IGNORECASE,
)
"""Negative words that deny nothing of what follows: "avoid the mistake", "do not skip any step"."""
_EXAMPLE = lazy_pattern(
    r"(?:\be\.\s?g\b\.?|\bfor (?:example|instance)\b|\bsuch as\b)(?=.*\w)"
    r"|\b(?:examples?|templates?|drafts?|beispiele?|exemples?|ejemplos?|esempi[o]?|exemplos?)\b",
    re.IGNORECASE,
)
"""Words for examples and drafts, which may be examples of anything in a sentence of its own."""
_SET_APART = lazy_pattern(
    r"\b(?:in|of|from|follow(?:s|ing)?|keeps?|like|as in|match(?:es)?|to|with|than) (?:the|my|your)"
    r" (?:original|previous|initial|old|first|earlier) (?:plan|list|answer|version|order"
    r"|sequence)\b"
    r"(?!.*:\W*$)|\bsteps?\s+#?\d{1,4}\b(?!.*:\W*$)",
    re.IGNORECASE,
)
"""Another plan with which one is only compared: "in the order of the original plan"."""
_OPTION_HEADING = lazy_pattern(rf"^[\W_]*{OPTIONS} #?(?:[a-z]|\d|one|two)\b[\W_]*$", re.IGNORECASE)
_POINTS_AHEAD = lazy_pattern(
    r"\b(?:(?<!\bfor )(?<!\bof )this(?=\W*$)|this(?!\W*$)|these|following|below|here|plans?"
    r"|(?<!\ba )(?<!\bany )(?<!\bone )(?<!\beach )(?<!\bevery )(?<!\bsingle )steps?"
    r"|actions?|sequences?|lists?|answers?|above)\b"
    # "An example of the format." heads what follows; "our draft impressed her" is about a draft.
    r"|^\W*(?:(?:an?|the|my|your|some|one|our|just|only) )*(?:\w+ )?"
    r"(?:examples?|templates?|formats?|drafts?|attempts?|versions?)(?=\W*$| (?:of|for|only)\b)",
    re.IGNORECASE,
)
_SPEAKS_OF_EARLIER = lazy_pattern(
    r"^(?!.*\b(?:this|these|following|below|here)\b).*"
    r"(?:\byou (?:have |had |just )?(?:reported|sent|made|tried|ran|described|mentioned|saw|got)\b"
    r"|\b(?:your|the|our) (?:last|previous|earlier) (?:run|trial|try|attempt|execution)\b"
    r"|\blast time\b)",
    re.IGNORECASE,
)
"""Words of a sentence about what was done before this answer: "the attempt you reported failed"."""
_REQUEST = lazy_pattern(
    r"\W*(?:\w+,? ){0,3}(?:can|could|would|will) you (?:please|kindly|help|assist)\b", re.IGNORECASE
)
"""A question that asks somebody to do what follows: "Could you please do this?"."""
_ASKS_WHAT = lazy_pattern(r"\b(?:what|which|how|where)\b[^,.;:]*\?[*_ ]*$", re.IGNORECASE)
"""A question that what follows answers: "What is the first step?"."""


@lru_cache(maxsize=512)
def _standing_of_words(frame: str, is_alone: bool) -> _Standing:
    """Return whether words present the candidate behind them as final, rejected, or neither.

    The last sentence that speaks of the candidate decides.

    Args:
        frame: The words before the candidate.
        is_alone: Whether the answer has no other candidate.
    """
    if not frame.strip():
        return _Standing.NEUTRAL  # most answers are a value with no words before it
    words = _IN_FORMAT.sub("", without_emphasis(frame).replace("_", " "))
    sentence_behind = ""
    for sentence in reversed(sentences_of(words)):
        judged = sentence
        if _is_only_considering(sentence, sentence_behind, is_alone):
            judged = _CONSIDERED.sub(" ", sentence)
        standing = _standing_in_sentence(judged, is_alone)
        if standing is not None:
            return standing
        if _OPTION_HEADING.match(sentence):
            break  # the sentences before this heading speak of other options
        sentence_behind = sentence
    return _Standing.NEUTRAL


_CONSIDERED = lazy_pattern(r"\bconsidered\b", re.IGNORECASE)
_CONTRAST = (
    r"(?:but|however|though|although|yet|still|instead|rather|nevertheless|nonetheless|except"
    r"|unfortunately|sadly|alas)\b"
)
_CONSIDERED_AND_LEFT = lazy_pattern(
    rf"\b{_CONTRAST}"
    # "I first considered this plan", "I considered this plan too long"
    r"|\b(?:also|at first|briefly|earlier|first|initially|once|only|originally|previously|too"
    r"|until)\b",
    re.IGNORECASE,
)
"""Words by which what was considered is not what was decided."""
_BEGINS_WITH_CONTRAST = lazy_pattern(rf"\W*{_CONTRAST}", re.IGNORECASE)


def _is_only_considering(sentence: str, sentence_behind: str, is_alone: bool) -> bool:
    """Whether a sentence says that something was considered, and nothing against it.

    "I considered it." rejects nothing; "I considered it, but it is long" does, and so does a
    heading: "Plans considered:".

    Args:
        sentence: The sentence.
        sentence_behind: The sentence behind it, which may begin with a "but".
        is_alone: Whether the answer has no other candidate.
    """
    if not _CONSIDERED.search(sentence) or not _is_closed(sentence):
        return False
    if _CONSIDERED_AND_LEFT.search(sentence) or _BEGINS_WITH_CONTRAST.match(sentence_behind):
        return False
    # Beside another candidate, "I considered these steps" sets these back behind that one.
    return is_alone or not _POINTS_AHEAD.search(sentence)


def _standing_in_sentence(sentence: str, is_alone: bool) -> _Standing | None:
    """Return whether a sentence presents the candidate behind it as final, rejected, or neither.

    None if the sentence does not speak of the candidate.

    Args:
        sentence: The sentence.
        is_alone: Whether the answer has no other candidate.
    """
    if _NOT_A_SEQUENCE.search(sentence):
        return _Standing.REJECTED
    if _HERE.match(sentence) or _ASKS_WHAT.search(sentence) or follows_example(sentence):
        return _Standing.NEUTRAL
    is_question = sentence.rstrip("* ").endswith("?") and _REQUEST.match(sentence) is None
    if is_question and _POINTS_AHEAD.search(sentence):
        return _Standing.REJECTED  # "Did you mean the following?"
    # The clause that announces decides: "This one won't fail, so here is the final plan:".
    announcement = _ANNOUNCEMENT.search(sentence)
    clause = announcement[0] if announcement is not None else _last_clause(sentence)
    clause = _HARMLESS.sub(" ", _SET_APART.sub(" ", clause))
    if _is_complete(clause) and not _POINTS_AHEAD.search(clause):
        clause = _EXAMPLE.sub(" ", clause)
    standing = _standing_in_clause(clause, is_alone)
    if standing is _Standing.NEUTRAL and _ASSIGNS.fullmatch(sentence):
        return None  # "plan =" says no more than the list itself
    if standing is _Standing.NEUTRAL and announcement is None:
        # Only a heading or an announcement is sure to speak of the candidate.
        return _Standing.NEUTRAL if _PLAN_HEADING.search(clause) else None
    return standing


def _standing_in_clause(clause: str, is_alone: bool) -> _Standing | None:
    """Return whether a clause presents the candidate behind it as final, rejected, or neither.

    None if the clause speaks of something else.

    Args:
        clause: The clause of a sentence that decides.
        is_alone: Whether the answer has no other candidate.
    """
    if _WRONG_ANSWER.search(clause) or _is_denied_by_clause(clause):
        return _Standing.REJECTED
    # In a long sentence, "final" may be said of anything.
    is_short = len(clause.split()) <= 12 or clause.rstrip("*_ ").endswith(":")
    final = _FINAL.search(clause) if is_short else None
    if final is not None:
        is_negated = _NEGATION.search(clause[: final.start()]) is not None
        return _Standing.REJECTED if is_negated else _Standing.FINAL
    if is_alone and _is_about_something_else(clause):
        return None
    if _REJECTED.search(clause) or (is_short and frames_as_not_meant(clause)):
        return _Standing.REJECTED
    return _Standing.NEUTRAL


def _last_clause(sentence: str) -> str:
    """Return the words behind ", but" if a sentence ends with a colon, else the whole sentence."""
    if not sentence.rstrip("*_ ").endswith(":"):
        return sentence
    return sentence.rpartition(", but ")[2]


def _is_about_something_else(sentence: str) -> bool:
    """Whether a complete sentence speaks of an earlier try, or points to nothing behind it."""
    if not _is_complete(sentence):
        return False
    return _SPEAKS_OF_EARLIER.search(sentence) is not None or not _POINTS_AHEAD.search(sentence)


def _is_complete(sentence: str) -> bool:
    """Whether words are a sentence of its own, not a heading or an announcement."""
    return _is_closed(sentence) and len(sentence.split()) > 3


def _is_closed(sentence: str) -> bool:
    """Whether words end with the sign of a sentence that states something."""
    return sentence.rstrip(" *_`\"')>").endswith((".", "!"))


def _is_denied_by_clause(sentence: str) -> bool:
    """Whether a relative clause rejects the answer it belongs to: "the answer that I ruled out"."""
    if " that" not in sentence and " which" not in sentence:
        return False
    clause = _CLAUSE.match(sentence)
    if clause is None or not _REJECTED.search(clause[2]):
        return False
    return not (_FINAL.search(clause[1]) or _FINAL.search(clause[2]))


def marks_answer(kind: str, name: str) -> bool:
    """Whether a region with this kind and name marks its content as the answer."""
    return kind == "block" or (kind == "tag" and name in MARKING_TAGS)


def frames_blocks(kind: str, name: str) -> bool:
    """Whether a region with this kind and name separates its content from the text around it."""
    if kind != "tag" or name in ANSWER_TAGS:
        return True
    words = name.replace("_", " ")
    return is_rejected(words) or is_final(words)


_TURN_OF_USER = lazy_pattern(
    r"[\W_]*(?:user|human|customer|critic|reviewer|judge|verifier|feedback|environment|simulator"
    r"|executor)[\W_]*:",
    re.IGNORECASE,
)
"""The begin of what somebody else says of an answer, in a chat."""


def is_remark(sentence: str) -> bool:
    """Whether a sentence between two candidates speaks of the first one, not of the second."""
    return _REMARK.search(sentence) is not None or _TURN_OF_USER.match(sentence) is not None


def says_failure(remark: str) -> bool:
    """Whether a remark on a candidate says that it does not work."""
    return _FAILURE.search(remark) is not None


def rejects_list_above(line: str) -> bool:
    """Whether a paragraph between two lists says that the first one fails, not the second."""
    if not says_failure(line) or line.rstrip("*_ ").endswith((":", "?")):
        return False
    return is_remark(line) or not _POINTS_AHEAD.search(line)


_REVERSED = lazy_pattern(
    # What is put down "in the reverse order needed" is no list.
    r"\b(?:in|the) reverse(?:d)? order\b(?! (?:needed|they|that)\b)"
    r"|\b(?:listed|written|given|read) backwards?\b"
    r"|\blast (?:line|step|one) (?:is |comes )?(?:done |executed |run )?first\b"
    r"|\bfrom right to left\b"
    r"|\b(?:read|list|steps|plan|lines|follow|execute)\b"
    r"(?: (?:it|them|this|these|those|the|list|steps|plan|lines|is|are|be|to|listed|written|given"
    r"|read|executed|numbered)){0,5} from (?:the )?"
    r"(?:bottom|end|last)\b[^.\n]{0,20} to (?:the )?"
    r"(?:top|begin\w*|start|first)\b",
    re.IGNORECASE,
)


def is_reversed(frame: str) -> bool:
    """Whether words say that the last step of the list behind them comes first."""
    return _REVERSED.search(frame) is not None


_UNORDERED = lazy_pattern(
    r"\bin no (?:particular|special|specific|fixed|given|meaningful) order\b"
    r"|\bin (?:a )?(?:random|arbitrary) order\b|\b(?:un|not )ordered\b"
    r"|\border (?:of (?:the|these|those|all) (?:steps|actions|items|lines) )?(?:(?:is|was)"
    r" (?:random|arbitrary|unimportant|irrelevant|not (?:important|relevant|fixed|known))"
    r"|(?:does|do|did)(?: not|n['\u2019]t) matter)\b"
    r"|(?:\bnot|n['\u2019]t) (?:yet )?(?:tell|say|know|determine|decide)\b[^.\n]{0,30}\border\b",
    re.IGNORECASE,
)


def is_unordered(words: str) -> bool:
    """Whether words around a list say that the order of its items means nothing."""
    return _UNORDERED.search(words) is not None


_REMARK_ON_TRY = re.compile(r"([^()]{1,40}) \([^()]*\)\W*")


def remarks_on_try(line: str) -> bool:
    """Whether a line is the name of a try, and a remark in brackets: ``v2 (supersedes v1)``."""
    remark = _REMARK_ON_TRY.fullmatch(line.strip())
    return remark is not None and begins_new_try(remark[1])


@remembers_short_texts
def begins_new_try(line: str) -> bool:
    """Whether a line between two lists of items says that the second list is another try.

    A heading does so if it presents a list as final or rejected, any line if it begins or
    announces another try: "Wait, ...", "Option B".
    """
    stripped_line = line.strip().replace("_", " ")
    if _TURN_OF_USER.match(stripped_line) and says_failure(stripped_line):
        return True
    # Items of a list and indented comments belong to the list above them.
    is_comment_or_item = stripped_line.startswith(("//", ";", "- ", "* "))
    if is_comment_or_item or (stripped_line.startswith("#") and line[:1].isspace()):
        return False
    is_bold = stripped_line.startswith("**") and stripped_line.endswith("**")
    is_heading = (
        is_bold or stripped_line.startswith("#") or stripped_line.rstrip("*_ )]").endswith(":")
    )
    if is_heading and any(
        words.search(stripped_line) for words in (_FINAL, _REJECTED, _SET_BACK_HEADING)
    ):
        return True
    return _BREAK.search(stripped_line) is not None or _ANNOUNCES.search(stripped_line) is not None


_PROPOSES = lazy_pattern(
    r"\b(?:i|we|you)(?:['\u2019](?:d|ll|m|ve|re))?\b[^.:;]{0,40}\b(?:propose|suggest|recommend"
    r"|answer|submit|offer)\b[^.:]{0,40}:\W*$",
    re.IGNORECASE,
)
_PROPOSED_BEFORE = lazy_pattern(
    r"\b(?:i|we|you|he|she|they)(?:['\u2019](?:d|ve))?\b[^.:;]{0,40}\b(?:proposed|suggested"
    r"|recommended|answered|submitted|offered|wrote|written|said|sent|came up|thought of)\b"
    r"[^.:]{0,40}:\W*$",
    re.IGNORECASE,
)


def proposes(line: str) -> bool:
    """Whether a line says that somebody gives what stands below it: "So I answer:"."""
    return _PROPOSES.search(line) is not None


def was_proposed_before(line: str) -> bool:
    """Whether a line says that somebody gave what stands below it: "Earlier I wrote:".

    That is a whole plan, which the answer may not mean, and no part of another one.
    """
    return _PROPOSED_BEFORE.search(line) is not None


@dataclass(slots=True)
class _Narrowing(Generic[Chosen]):
    """The candidates that may still be meant.

    Args:
        rest: The candidates, in the order of the answer.
        rule: The first rule that left some of them out; empty if none did.
    """

    rest: list[Chosen]
    rule: str = ""

    def keep(self, kept: list[Chosen], rule: str) -> None:
        """Leave out all but some candidates, and remember the rule if that are fewer."""
        if len(kept) < len(self.rest):
            self.rest = kept
            self.rule = self.rule or rule


def choose(
    candidates: Sequence[Chosen], text_behind: str, text_before: str = ""
) -> tuple[Chosen | None, str]:
    """Choose the candidate that an answer means.

    Args:
        candidates: All candidates in the answer, in its order.
        text_behind: The text behind the last of them, which may decide for one.
        text_before: The text before the first of them, which may decide as well.

    Returns:
        The candidate, None if all of them are rejected; and the rule that chose it, empty if there
        was nothing to choose.
    """
    narrowing = _Narrowing(list(candidates))
    narrowing.keep(
        [candidate for candidate in narrowing.rest if not candidate.is_struck], "not rejected"
    )
    # A tag for answers says more than any words around the plans.
    marked_candidates = [candidate for candidate in narrowing.rest if candidate.is_marked]
    if marked_candidates and len(marked_candidates) < len(narrowing.rest):
        narrowing = _Narrowing(marked_candidates, "marked")
    # A plan that is only mentioned in a sentence counts if there is no other.
    narrowing.rest = [
        candidate for candidate in narrowing.rest if not candidate.is_loose
    ] or narrowing.rest
    frames = [candidate.frame for candidate in narrowing.rest]
    decided_index = index_decided_for(frames, text_before, text_behind)
    if decided_index is not None:
        return narrowing.rest[decided_index], "decided"
    _keep_by_frames(narrowing, is_alone=len(candidates) == 1)
    if not narrowing.rest:
        return None, "not rejected"
    # Values and code are written for a program to read, lines around them for a person.
    formal_candidates = [candidate for candidate in narrowing.rest if candidate.is_formal]
    if formal_candidates:
        narrowing.keep(formal_candidates, "formal")
    last_complete = _last_complete(narrowing)
    if len(narrowing.rest) > 1 and not narrowing.rule:
        narrowing.rule = "last"
    return last_complete, narrowing.rule


def _last_complete(narrowing: _Narrowing[Chosen]) -> Chosen:
    """Return the last candidate that is complete, if there is one.

    A single item counts only if words lead to it: "Scrap that. New plan:". Else it may be named
    only, and those with several items are kept.

    Args:
        narrowing: The candidates that may still be meant, which are changed.
    """
    complete_candidates = [
        candidate
        for candidate in narrowing.rest
        if not candidate.is_cut and not candidate.is_partial
    ]
    complete_candidates = complete_candidates or narrowing.rest
    longer_candidates = [
        candidate
        for candidate in complete_candidates
        if len(candidate.items) > 1 or candidate.is_whole or leads_to_plan(candidate.frame)
    ]
    if longer_candidates and longer_candidates[-1] is not complete_candidates[-1]:
        narrowing.keep(longer_candidates, "longer")
    return (longer_candidates or complete_candidates)[-1]


_LEADS_TO_PLAN = lazy_pattern(
    _any_of("leads") + r"|\b(?:re|up)(?:\w+ed|written|done|made|date)\b|\btake \w+\W*$",
    re.IGNORECASE,
)
OF_SINGLE_ITEM = lazy_pattern(
    r"\b(?:step|action|move|command|call|goal|subgoal|number|because|since|before|after|expected"
    r"|required|remember|begin with|start (?:with|by))\b",
    re.IGNORECASE,
)
"""Words of a lead-in to a single item of a plan: "The first step is:"."""


def leads_to_plan(words: str) -> bool:
    """Whether the last line of some words leads to a plan, however short: "Rewritten:"."""
    lead_in = words.strip().rpartition("\n")[2]
    if not lead_in.rstrip("*_ ").endswith(":") or OF_SINGLE_ITEM.search(lead_in):
        return False
    return _LEADS_TO_PLAN.search(lead_in) is not None


def _keep_by_frames(narrowing: _Narrowing[Chosen], *, is_alone: bool) -> None:
    """Keep the candidates that are presented as final, else those not rejected, by their frames.

    If all of them stand in tags for answers, none is more final than the others, and not all of
    them can be rejected.

    Args:
        narrowing: The candidates that may still be meant, which are changed.
        is_alone: Whether the answer has a single candidate.
    """
    are_marked = all(candidate.is_marked for candidate in narrowing.rest)
    final = [candidate for candidate in narrowing.rest if is_final(candidate.frame)]
    if final and not are_marked:
        narrowing.keep(final, "final")
        return
    not_rejected: list[Chosen] = []
    for candidate in narrowing.rest:
        if not is_rejected(candidate.frame, is_alone=is_alone):
            not_rejected.append(candidate)
    working = [candidate for candidate in not_rejected if not says_failure(candidate.remark)]
    # If all plans failed, the answer may still mean the last of them.
    not_failed = working or not_rejected
    if not_failed or not are_marked:
        narrowing.keep(not_failed, "not rejected")
