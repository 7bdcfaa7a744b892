"""The real AI2-THOR behind the protocol of environments."""
