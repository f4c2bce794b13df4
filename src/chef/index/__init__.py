"""Collections of recipes that can be searched: by photo, words, recipe, and what is in them.

>>> index = chef.Index("my-collection")
>>> index.add("my-recipes/")
>>> index.search(image="dish.jpg", without=["nuts"])[0].title
"""

from chef.index.index import Index, open_cookbook
from chef.index.values import Added, Entry, Hit, Info, Point

__all__ = ["Added", "Entry", "Hit", "Index", "Info", "Point", "open_cookbook"]
