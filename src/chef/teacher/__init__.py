"""Rankers that say what a cook would say: the main ingredient of a recipe and the action of a step."""
