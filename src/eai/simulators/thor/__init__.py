"""A symbolic AI2-THOR 5.0.0 at the level of object interaction."""
