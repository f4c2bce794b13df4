"""Collections of recipes that can be searched: by photo, words, recipe, and what is in them.

>>> index = chef.Index("my-collection")
>>> index.add("my-recipes/")
>>> index.search(image="dish.jpg", without=["nuts"])[0].title
"""

from chef.index.cookbook import open_cookbook
from chef.index.index import Index
from chef.index.values import Added, Entry, Hit, Hits, Info, Point

__all__ = ["Added", "Entry", "Hit", "Hits", "Index", "Info", "Point", "open_cookbook"]
