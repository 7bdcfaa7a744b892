from .binding import Binder as Binder, bind as bind
from .cleaning import (
    LONGEST as LONGEST,
    UNSEEN as UNSEEN,
    Cleaned as Cleaned,
    clean as clean,
    original as original,
    visible as visible,
)
from .forms import encoded as encoded
from .lines import (
    lines_around as lines_around,
    may_be_step as may_be_step,
    resembles_step as resembles_step,
    shown_again as shown_again,
)
from .names import (
    LONGEST_NAME as LONGEST_NAME,
    NameIndex as NameIndex,
    clipped as clipped,
    likely_actions as likely_actions,
    loose as loose,
    near_hint as near_hint,
    no_action as no_action,
    no_object as no_object,
    split_id as split_id,
)
from .phrases import Names as Names, Phrases as Phrases
from .plan import (
    EXPLAINING as EXPLAINING,
    STATES as STATES,
    AnswerProblem as AnswerProblem,
    BoundPlan as BoundPlan,
    PlanReading as PlanReading,
    ReadStep as ReadStep,
    shorten as shorten,
    tokens_of as tokens_of,
    words_of as words_of,
)
from .reading import read_answer as read_answer, read_plan as read_plan, read_with as read_with
from .choice import says_no_plan as says_no_plan
from .pddl_plans import read_steps as read_steps, surfaces_of_names as surfaces_of_names
from .surfaces import ActionForm as ActionForm, Surfaces as Surfaces
from .values import (
    Block as Block,
    Group as Group,
    Item as Item,
    Node as Node,
    Pair as Pair,
    Text as Text,
    scan_block as scan_block,
)
