from .answer_plans import (
    read_answer as read_answer,
    read_plan as read_plan,
    read_with as read_with,
)
from .binding import Binder as Binder, bind as bind
from .candidates import (
    CandidateCollector as CandidateCollector,
    candidate_at as candidate_at,
    choose_in_document as choose_in_document,
)
from .choice import (
    ANSWER_TAGS as ANSWER_TAGS,
    Candidate as Candidate,
    begins_new_try as begins_new_try,
    choose as choose,
    frames_blocks as frames_blocks,
    is_final as is_final,
    is_rejected as is_rejected,
    is_remark as is_remark,
    marks_answer as marks_answer,
    says_failure as says_failure,
)
from .cleaning import (
    LONGEST as LONGEST,
    UNSEEN as UNSEEN,
    Cleaned as Cleaned,
    clean as clean,
    offset_in_original as offset_in_original,
    remove_invisible as remove_invisible,
)
from .definitions import (
    DefinitionReading as DefinitionReading,
    read_definition as read_definition,
)
from .document import (
    MAX_NESTING as MAX_NESTING,
    Block as Block,
    Document as Document,
    Nesting as Nesting,
    Region as Region,
    open_document as open_document,
    parse_document as parse_document,
)
from .given import GivenParts as GivenParts, is_given_key as is_given_key
from .grammar import (
    StepGrammar as StepGrammar,
    may_precede_step as may_precede_step,
)
from .items import (
    SIGNALS as SIGNALS,
    LineReading as LineReading,
    Step as Step,
    ValueReading as ValueReading,
)
from .keys import (
    decode_if_encoded as decode_if_encoded,
    in_order_of_roles as in_order_of_roles,
    is_aside_key as is_aside_key,
    is_framing_key as is_framing_key,
    is_numbering as is_numbering,
    is_object_key as is_object_key,
    texts_of as texts_of,
)
from .known_lines import KnownLines as KnownLines
from .names import (
    LONGEST_NAME as LONGEST_NAME,
    NameIndex as NameIndex,
    clip_text as clip_text,
    likely_actions as likely_actions,
    loose as loose,
    near_hint as near_hint,
    no_action as no_action,
    no_object as no_object,
    split_id as split_id,
)
from .object_grammar import Brackets as Brackets
from .parts import are_parts as are_parts
from .pddl_plans import read_steps as read_steps, surfaces_of_names as surfaces_of_names
from .phrases import Names as Names, Phrases as Phrases
from .plan import (
    ACTION_KEYS as ACTION_KEYS,
    CALLING as CALLING,
    EXPLAINING as EXPLAINING,
    HEADINGS as HEADINGS,
    NO_PLAN as NO_PLAN,
    NOTHING as NOTHING,
    STATES as STATES,
    VERBS as VERBS,
    AnswerProblem as AnswerProblem,
    BoundPlan as BoundPlan,
    PlanReading as PlanReading,
    ReadStep as ReadStep,
    shorten as shorten,
    tokens_of as tokens_of,
    word_sets as word_sets,
    words_of as words_of,
)
from .reading import AROUND as AROUND, MAX_STEPS as MAX_STEPS
from .retractions import (
    says_no_plan as says_no_plan,
    sentences_of as sentences_of,
    takes_back as takes_back,
)
from .step_rows import CONNECTING as CONNECTING, RESTATES as RESTATES
from .surfaces import (
    ActionForm as ActionForm,
    Mention as Mention,
    Surfaces as Surfaces,
    squeezed as squeezed,
)
from .truth import with_negation as with_negation
from .values import (
    Group as Group,
    Item as Item,
    Node as Node,
    Pair as Pair,
    Text as Text,
    decode_value as decode_value,
    is_list as is_list,
    is_object as is_object,
    key_words as key_words,
    plain_key as plain_key,
    scan_block as scan_block,
)
