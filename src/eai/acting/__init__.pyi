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
from .replies import (
    Agent as Agent,
    Message as Message,
    Reply as Reply,
    checked_answer as checked_answer,
    format_action as format_action,
    read_reply as read_reply,
    reply_reader as reply_reader,
)
from .tasks import carried_over as carried_over, task_rules as task_rules
from .turns import (
    EpisodeRules as EpisodeRules,
    Situation as Situation,
    evaluate_answers as evaluate_answers,
    evaluate_episode as evaluate_episode,
    read_answers as read_answers,
    replay as replay,
    run_episode as run_episode,
    write_answers as write_answers,
)
from .views import (
    ClosedHidden as ClosedHidden,
    HiddenUntilLooked as HiddenUntilLooked,
    Memory as Memory,
    Nearby as Nearby,
    SameRoom as SameRoom,
    View as View,
)
