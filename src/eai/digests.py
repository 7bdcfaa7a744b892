"""Hash functions of Python's own modules, or of ``hashlib`` where these are missing.

``hashlib`` loads OpenSSL for them, which takes 2 % of the evaluation of a few hundred answers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b
else:
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b

__all__ = ["blake2b", "sha256_digest"]

_MODULES_OF_SHA256 = ("_sha2", "_sha256")
"""Modules of Python with SHA-256, since 3.12 and before."""


def sha256_digest(content: bytes) -> bytes:
    """Return the SHA-256 of some bytes. For large files that of ``hashlib`` is faster."""
    for name in _MODULES_OF_SHA256:
        try:
            module = import_module(name)
        except ImportError:
            continue
        digest: bytes = module.sha256(content).digest()
        return digest
    import hashlib

    return hashlib.sha256(content).digest()
