"""The collection as a whole: its map, and the words to filter by."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from chef.serve import answers
from chef.serve.access import Reader
from chef.serve.routes.common import Served, failures

router = APIRouter(tags=["collection"])


@router.get("/api/map", dependencies=[Reader], response_model=answers.MapAnswer, responses=failures())
async def points(service: Served) -> dict[str, Any]:
    """A place for every recipe; near ones are alike (t-SNE of the recipes' vectors)."""

    def find() -> dict[str, Any]:
        version = service.index.version
        return {"points": [point.to_json() for point in service.index.map()], "version": version}

    return await service.work(find)


@router.get(
    "/api/vocabulary", dependencies=[Reader], response_model=answers.VocabularyAnswer, responses=failures()
)
async def vocabulary(service: Served) -> dict[str, Any]:
    """Canonical ingredients and tags with their numbers of recipes, and the groups that filters know."""

    def find() -> dict[str, Any]:
        ingredients, groups, tags = service.index.vocabulary()
        return {
            "ingredients": [{"token": token, "count": count} for token, count in _by_count(ingredients)],
            "groups": sorted(groups),
            "tags": [{"tag": tag, "count": count} for tag, count in _by_count(tags)],
            "version": service.index.version,
        }

    return await service.work(find)


def _by_count(counts: dict[str, int]) -> list[tuple[str, int]]:
    """The most frequent first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
