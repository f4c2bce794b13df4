"""Preparing: any source of recipes becomes shards, splits, a vocabulary and word vectors."""

from chef.data.preparing.run import prepare

__all__ = ["prepare"]
