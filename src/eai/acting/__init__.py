"""Acting step by step: environments, what is observed of them, and when an episode ends."""
