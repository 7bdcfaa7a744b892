"""The suite household."""
