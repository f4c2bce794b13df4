"""Found -> Recipe: cleaning, the id, the images, and the rules for what counts as a recipe."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from chef.readers import fields
from chef.readers.found import Found, Scope
from chef.readers.ingredient_lines import ingredients
from chef.readers.places import references
from chef.readers.step_lines import steps
from chef.recipe import Ingredient, Recipe


class Builder:
    """Makes the recipes of one source, and remembers their ids.

    A recipe without a title or without ingredients is skipped, and so is a second one of the same id;
    a recipe without steps is read.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        # Eight bytes of a hash, not the id itself: a million recipes then take some 60 MB.
        self._seen: set[int] = set()

    def recipe(self, found: Found) -> Recipe | None:
        """The recipe, or None after counting why there is none."""
        data, skipped = found.data, self._scope.skipped
        title = fields.text(data, "title")
        if not title:
            skipped.add("no title", found.where)
            return None
        items = ingredients(fields.first(data, "ingredients"))
        if not items:
            skipped.add("no ingredients", found.where, title[:80])
            return None
        name = self._id(found, title, items)
        if name is None:
            return None
        return Recipe(
            id=name,
            title=title,
            ingredients=items,
            steps=steps(fields.first(data, "steps")),
            images=self._images(found),
            tags=fields.tags(data),
            source=fields.text(data, "source") or None,
            licence=fields.text(data, "licence") or None,
            url=fields.url(data) or found.url,
            split=fields.text(data, "split") or found.split,
        )

    def _images(self, found: Found) -> tuple[str, ...]:
        images = found.images
        if images is None:
            images = references(fields.image_names(fields.first(found.data, "images")), found, self._scope)
        return tuple(image for image in images if self._is_text(image, found))

    def _is_text(self, image: str, found: Found) -> bool:
        """File names are bytes: one that is no text cannot be stored and found again."""
        try:
            image.encode()
        except UnicodeEncodeError:
            self._scope.skipped.notes.add("image name is no text", found.where)
            return False
        return True

    def _id(self, found: Found, title: str, items: Iterable[Ingredient]) -> str | None:
        """The given id, else the one of the file, else one of the content; None for a second of the same."""
        given = fields.text(found.data, "id")
        if given:
            choices = [given]
        else:
            content = content_id(title, items)
            # pie.md and pie.html in one folder would share "pie": the second also gets its content's id.
            choices = [found.id, f"{found.id}-{content}"] if found.id else [content]
        for choice in choices:
            short = int.from_bytes(hashlib.blake2b(choice.encode(), digest_size=8).digest(), "big")
            if short not in self._seen:
                self._seen.add(short)
                return choice
        self._scope.skipped.add("duplicate id", found.where, choices[-1][:200])
        return None


def content_id(title: str, items: Iterable[Ingredient]) -> str:
    """The id of a recipe that has no other: 16 hexadecimal digits of its title and ingredient lines."""
    content = "\n".join([title, *(item.line for item in items)])
    return hashlib.sha256(content.encode()).hexdigest()[:16]
