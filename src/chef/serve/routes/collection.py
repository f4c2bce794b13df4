"""The collection as a whole: its map, the words to filter by; health and metrics of the service."""

from dataclasses import dataclass

from fastapi import APIRouter, Response

from chef.errors import ChefError
from chef.index import Point
from chef.serve.access import COOKIE, Reader, Writer
from chef.serve.errors import Refusal, unusable
from chef.serve.openapi import WRITES, failures
from chef.serve.service import CurrentService

router, status = APIRouter(tags=["collection"]), APIRouter(tags=["status"])


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

    return await service.aside(project)


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


@dataclass(frozen=True, slots=True)
class HealthAnswer:
    status: str


@status.get("/api/health")
async def health() -> HealthAnswer:
    """Whether the process is alive; open to all, and says nothing else."""
    return HealthAnswer("ok")


@status.get(
    "/api/ready",
    responses={status: response for status, response in failures().items() if status in (429, 503)},
)
async def ready(service: CurrentService) -> HealthAnswer:
    """Whether requests would be served: the collection and its model are readable. Open to all."""
    try:
        await service.probe(service.index.ready)
    except ChefError as error:
        raise unusable(error) from error
    return HealthAnswer("ready")


@status.post(
    "/api/token", status_code=204, dependencies=[Writer], responses=failures(404), openapi_extra=WRITES
)
async def keep_token(service: CurrentService, response: Response) -> None:
    """Keep the token of this request in a cookie that scripts cannot read; for the page."""
    if service.settings.token is None:
        raise Refusal(404, "this service has no token")
    response.set_cookie(COOKIE, service.settings.token, httponly=True, samesite="strict")


@status.get(
    "/api/metrics",
    dependencies=[Reader],
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **failures()},
)
async def metrics(service: CurrentService) -> Response:
    """Counts and times in Prometheus' text format."""
    info = await service.probe(service.index.info)
    service.metrics.recipes.set(info.recipes)
    service.metrics.version.set(info.version)
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4")
