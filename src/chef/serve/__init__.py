"""The HTTP service: one collection and one model behind typed routes, and the page that uses them.

>>> from chef.serve import ServeSettings, create_app
>>> app = create_app(chef.Index("my-collection"), ServeSettings())
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chef.serve.app import create_app as create_app
    from chef.serve.settings import ServeSettings as ServeSettings

# Loaded on first use: settings are checked before torch is imported.
_PUBLIC = {"create_app": "chef.serve.app", "ServeSettings": "chef.serve.settings"}

__all__ = ["ServeSettings", "create_app"]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'chef.serve' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)
