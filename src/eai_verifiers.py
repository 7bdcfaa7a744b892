"""What verifiers loads by the name ``eai-verifiers``: it looks for modules without a dot."""

from eai.integrations.verifiers import OneRequest, SuiteEnv, SuiteTaskset, load_environment

__all__ = ["OneRequest", "SuiteEnv", "SuiteTaskset", "load_environment"]
