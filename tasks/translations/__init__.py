"""The suite ltl-examples."""
