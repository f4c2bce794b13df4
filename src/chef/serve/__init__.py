"""The HTTP service: one collection and one model behind typed routes, and the page that uses them.

>>> from chef.serve import ServeSettings, create_app
>>> app = create_app(chef.Index("my-collection"), ServeSettings())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chef.serve.settings import ServeSettings

if TYPE_CHECKING:
    from chef.serve.app import create_app

__all__ = ["ServeSettings", "create_app"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: settings are checked before torch is imported.
    if name != "create_app":
        raise AttributeError(f"module 'chef.serve' has no attribute {name!r}")
    from chef.serve.app import create_app

    return create_app
