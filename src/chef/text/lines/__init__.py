"""Ingredient lines: "2 cups green beans, trimmed" -> name, amount, unit and grams."""

from chef.text.lines.parse import parse_line, with_names

__all__ = ["parse_line", "with_names"]
