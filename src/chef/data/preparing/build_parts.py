"""What the worker processes do first: a chunk of recipes becomes a part."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from chef.data.images import BadImage, small_jpeg
from chef.data.preparing.names import CANONICAL, part
from chef.data.preparing.parts import Part, Record, Summary
from chef.data.preparing.source import Chunk
from chef.data.settings import PrepareSettings
from chef.data.splits import TRAIN, split_of
from chef.data.texts import TextMaker, Words
from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.readers.fields import is_web
from chef.readers.images import image_bytes
from chef.recipe import Recipe
from chef.storage import Store, Unreachable
from chef.text.vocabulary import SPECIAL


def make_part(store: Store, chunk: Chunk, settings: PrepareSettings) -> None:
    """Make the chunk's recipes ready and write them as a part."""
    build_part(chunk, settings, _text_maker(store, settings)).save(store, part(chunk.name))


@lru_cache(maxsize=1)
def _text_maker(store: Store, settings: PrepareSettings) -> TextMaker:
    with store.local(CANONICAL) as path:
        return TextMaker(CanonicalMap.load(path), settings)


def build_part(chunk: Chunk, settings: PrepareSettings, make_text: TextMaker) -> Part:
    """The part that a chunk becomes."""
    summary, records = Summary(), []
    raw: list[Words] = []
    canonical: list[Words] = []
    for number, recipe in enumerate(chunk.recipes, start=chunk.first):
        text = make_text(recipe)
        split = TRAIN if chunk.texts else split_of(recipe, settings)
        images = _images(recipe, settings, summary.image_problems)
        tokens = {"title": text.title, "ingredients": text.ingredients, "sentences": text.sentences}
        # The images' own names come with the shard; where they lay before is of no use there.
        data = {**text.recipe.to_json(), "images": [], "split": split, "tokens": tokens}
        records.append(Record(f"{number:08d}", split, data, images))
        summary.splits[split] += 1
        summary.with_image[split] += bool(images)
        summary.hashed[split] += recipe.split is None
        summary.texts[split] += chunk.texts
        summary.truncated.update(text.truncated)
        summary.tokens.update(item.token for item in text.recipe.ingredients if item.token)
        if split == TRAIN:
            raw += text.raw_text
            canonical += text.canonical_text
    summary.raw_words.update(word for words in raw for word in words)
    summary.words.update(word for words in canonical for word in words if word not in SPECIAL)
    return Part(summary, _lines(raw), _lines(canonical), tuple(records))


def _images(recipe: Recipe, settings: PrepareSettings, problems: Counter[str]) -> tuple[bytes, ...]:
    """The first images that can be read; each of the others is counted as a problem."""
    images: list[bytes] = []
    for reference in recipe.images:
        if len(images) == settings.images:
            break
        if is_web(reference):
            problems["web address, not fetched"] += 1
            continue
        try:
            images.append(small_jpeg(image_bytes(reference), settings.image_size, settings.quality))
        except BadImage as error:
            problems[error.reason] += 1
        except Unreachable:
            raise  # no fault of the image: it would be lost because of a bad connection
        except ChefError:
            problems["unreadable image file"] += 1
    return tuple(images)


def _lines(texts: list[Words]) -> str:
    return "".join(" ".join(words) + "\n" for words in texts)
