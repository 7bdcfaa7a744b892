"""The symbolic AI2-THOR world: dynamics, object types, placement rules, scenes."""
