from .behaviours import behaviours as behaviours
from .endings import Ending as Ending, endings_of as endings_of
from .episode import (
    ConsecutiveFailures as ConsecutiveFailures,
    End as End,
    Episode as Episode,
    Feedback as Feedback,
    HardLimit as HardLimit,
    Limit as Limit,
    Milestones as Milestones,
    NewObjects as NewObjects,
    Repeats as Repeats,
    SoftLimit as SoftLimit,
    Turn as Turn,
    check_feedback as check_feedback,
    history as history,
)
from .guarded import GuardedEnvironment as GuardedEnvironment
from .recorded import (
    RecordedEpisode as RecordedEpisode,
    RecordedStep as RecordedStep,
    evaluate_recorded as evaluate_recorded,
    read_fact as read_fact,
    read_states as read_states,
    record_schema as record_schema,
    recorded_episode as recorded_episode,
)
from .replies import (
    Agent as Agent,
    Message as Message,
    Reply as Reply,
    action_tools as action_tools,
    ask_agent as ask_agent,
    called_actions as called_actions,
    checked_answer as checked_answer,
    format_action as format_action,
    read_reply as read_reply,
    reply_reader as reply_reader,
)
from .tasks import (
    answer_form as answer_form,
    carried_over as carried_over,
    episode_trajectory as episode_trajectory,
    task_rules as task_rules,
)
from .turns import (
    Acting as Acting,
    EpisodeRules as EpisodeRules,
    Situation as Situation,
    TurnOptions as TurnOptions,
    evaluate_answers as evaluate_answers,
    evaluate_episode as evaluate_episode,
    read_actions as read_actions,
    read_answers as read_answers,
    replay as replay,
    run_episode as run_episode,
    unobserved as unobserved,
    write_answers as write_answers,
)
from .usage import (
    Answer as Answer,
    add_usage as add_usage,
    usage_amounts as usage_amounts,
    usage_of as usage_of,
)
from .views import (
    Blind as Blind,
    ClosedHidden as ClosedHidden,
    HiddenUntilLooked as HiddenUntilLooked,
    Memory as Memory,
    Nearby as Nearby,
    SameRoom as SameRoom,
    View as View,
    describe as describe,
)
