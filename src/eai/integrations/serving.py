"""Command lines of the adapters that serve a suite to a trainer."""

from __future__ import annotations

import argparse


def server_options(trainer: str, port: int) -> argparse.Namespace:
    """Return the options of a server from the command line: ``suite``, ``port`` and ``host``.

    Args:
        trainer: The trainer, for the help text.
        port: The port if none is named.
    """
    parser = argparse.ArgumentParser(description=f"Serve a suite to {trainer}.")
    parser.add_argument("suite")
    parser.add_argument("--port", type=int, default=port)
    parser.add_argument("--host", default="127.0.0.1")
    return parser.parse_args()
