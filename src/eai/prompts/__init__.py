"""Prompts built from tasks, so that any runner can ask any model."""

from eai.prompts.prompt import Prompt, prompts, write_prompts

__all__ = ["Prompt", "prompts", "write_prompts"]
