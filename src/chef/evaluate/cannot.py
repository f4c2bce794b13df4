"""CannotDo: a task that makes no sense for this model or these recipes. The others go on."""

from __future__ import annotations

from chef.errors import ChefError


class CannotDo(ChefError):
    """Why a task is left out; an evaluation writes it under `skipped` instead of stopping."""
