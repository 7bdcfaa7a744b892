"""What verifiers loads by the name ``eai-verifiers``: it looks for modules without a dot."""

from eai.integrations.verifiers import SuiteEnv, load_environment
from eai.integrations.verifiers_harness import OneRequest
from eai.integrations.verifiers_tasks import SuiteTaskset

__all__ = ["OneRequest", "SuiteEnv", "SuiteTaskset", "load_environment"]
