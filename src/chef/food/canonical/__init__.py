"""Canonical ingredients (paper, Sec. 4.1): many names, one token; how the map is made, reviewed and used."""

from chef.food.canonical.map import SHIPPED, CanonicalMap, Entry, Replacer, shipped_map, token_of

__all__ = ["SHIPPED", "CanonicalMap", "Entry", "Replacer", "shipped_map", "token_of"]
