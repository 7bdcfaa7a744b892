"""Prompts built from tasks, so that any runner can ask any model."""

from eai.prompts.prompt import Prompt, prompt_for, prompts, write_prompts

__all__ = ["Prompt", "prompt_for", "prompts", "write_prompts"]
