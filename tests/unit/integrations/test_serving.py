"""The command line of the adapters that serve a suite."""

from __future__ import annotations

import sys

import pytest

from eai.integrations.serving import server_options


def test_a_server_is_only_reached_from_this_machine_unless_a_host_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["openenv", "household"])
    options = server_options("OpenEnv", port=8000)
    assert (options.suite, options.host, options.port) == ("household", "127.0.0.1", 8000)
    monkeypatch.setattr(sys, "argv", ["openenv", "household", "--host", "0.0.0.0", "--port", "9"])
    options = server_options("OpenEnv", port=8000)
    assert (options.host, options.port) == ("0.0.0.0", 9)
