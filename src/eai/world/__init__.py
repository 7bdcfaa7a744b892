"""The engine: states, actions, trajectories, and the operators that change them."""
