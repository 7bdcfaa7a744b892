from .agents import (
    FORMS as FORMS,
    Agent as Agent,
    Form as Form,
    Message as Message,
    PolicyAgent as PolicyAgent,
    RandomAgent as RandomAgent,
    ScriptedAgent as ScriptedAgent,
)
from .interaction import (
    AgentChoice as AgentChoice,
    Interaction as Interaction,
    InteractionOptions as InteractionOptions,
    interact as interact,
)
from .many import (
    TRANSCRIPTS as TRANSCRIPTS,
    Asked as Asked,
    Collection as Collection,
    collect_answers as collect_answers,
    interact_all as interact_all,
    replan_all as replan_all,
)
from .oracle import (
    ABILITY as ABILITY,
    Assignment as Assignment,
    OracleAgent as OracleAgent,
    format_plan as format_plan,
)
from .reference import (
    REFERENCE_AGENTS as REFERENCE_AGENTS,
    WHOLE_PLAN as WHOLE_PLAN,
    GoalPlanner as GoalPlanner,
    HumanAgent as HumanAgent,
    ThinkingAgent as ThinkingAgent,
    reference_agent as reference_agent,
)
from .registry import (
    AgentOptions as AgentOptions,
    EpisodeSetting as EpisodeSetting,
    EpisodicAgent as EpisodicAgent,
    NamedAgent as NamedAgent,
    RegisteredAgent as RegisteredAgent,
    agent_names as agent_names,
    named_agent as named_agent,
    registered_agent as registered_agent,
)
from .replanning import (
    LEVELS as LEVELS,
    Attempt as Attempt,
    Dialogue as Dialogue,
    Level as Level,
    Replanning as Replanning,
    ReplanningOptions as ReplanningOptions,
    give_feedback as give_feedback,
    replan as replan,
)
