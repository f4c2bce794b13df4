"""The collection as a whole: its map, and the words to filter by."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter

from chef.index import Point
from chef.serve.access import Reader
from chef.serve.openapi import failures
from chef.serve.service import CurrentService

router = APIRouter(tags=["collection"])


@dataclass(frozen=True, slots=True)
class MapAnswer:
    points: list[Point]
    version: int


@dataclass(frozen=True, slots=True)
class Counted:
    token: str
    count: int


@dataclass(frozen=True, slots=True)
class Tag:
    tag: str
    count: int


@dataclass(frozen=True, slots=True)
class VocabularyAnswer:
    ingredients: list[Counted]
    groups: list[str]
    tags: list[Tag]
    version: int


@router.get("/api/map", dependencies=[Reader], responses=failures())
async def points(service: CurrentService) -> MapAnswer:
    """A point for every recipe; similar recipes are close together (t-SNE of the recipes' vectors)."""

    def project() -> MapAnswer:
        version = service.index.version
        return MapAnswer(service.index.map(), version)

    return await service.read(project)


@router.get("/api/vocabulary", dependencies=[Reader], responses=failures())
async def vocabulary(service: CurrentService) -> VocabularyAnswer:
    """Canonical ingredients and tags with their numbers of recipes, and the groups that filters know."""

    def count() -> VocabularyAnswer:
        ingredients, groups, tags = service.index.vocabulary()
        return VocabularyAnswer(
            [Counted(*item) for item in _by_count(ingredients)],
            sorted(groups),
            [Tag(*item) for item in _by_count(tags)],
            service.index.version,
        )

    return await service.read(count)


def _by_count(counts: dict[str, int]) -> list[tuple[str, int]]:
    """The most frequent first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
