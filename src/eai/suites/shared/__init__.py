"""Helpers that several suites share: data that was fetched, stores, documents and prompts."""
