"""Hash functions: whichever module has them, they give what ``hashlib`` gives."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from eai import digests


@given(st.binary())
def test_digests_are_those_of_hashlib(content: bytes) -> None:
    expected = hashlib.blake2b(content, digest_size=16).digest()
    assert digests.blake2b(content, digest_size=16).digest() == expected
    assert digests.sha256_digest(content) == hashlib.sha256(content).digest()


def test_without_modules_of_python_hashlib_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "_MODULES_OF_SHA256", ("no_such_module",))
    assert digests.sha256_digest(b"a") == hashlib.sha256(b"a").digest()


def test_evaluating_loads_no_openssl() -> None:
    check = "import eai.cli.evaluate, eai.runs.run, sys; sys.exit('_hashlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
