"""The collection as a whole: its map, the words to filter by, the canonical review (which names mean the
same ingredient); health and metrics of the service."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from chef.errors import ChefError
from chef.food.canonical.propose import Proposal
from chef.index import Point
from chef.serve.access import COOKIE, Reader, Writer
from chef.serve.errors import Refusal, refusal
from chef.serve.openapi import BODY, WRITES, failures
from chef.serve.requests import Body, Name
from chef.serve.service import CurrentService

router, canonical, status = (APIRouter(tags=[name]) for name in ("collection", "canonical", "status"))


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
class ProposalsAnswer:
    proposals: Annotated[list[Proposal], Field(description="Not decided yet, the strongest first.")]
    done: int
    total: int


class DecisionBody(Body):
    """A person's decision on a proposal."""

    a: Name
    b: Name
    verdict: Literal["accept", "reject", "undo"]


@dataclass(frozen=True, slots=True)
class DecisionAnswer:
    done: int
    total: int


@canonical.get("/api/canonical/proposals", dependencies=[Reader], responses=failures(404, 422))
async def proposals(
    service: CurrentService,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 20,
) -> ProposalsAnswer:
    """Pairs of names that may be one ingredient and that nobody has decided on yet."""

    def select() -> ProposalsAnswer:
        review = service.review
        undecided = review.undecided()
        return ProposalsAnswer(
            undecided[offset : offset + limit], review.total - len(undecided), review.total
        )

    return await service.read(select)


@canonical.post(
    "/api/canonical/decisions",
    dependencies=[Writer],
    responses=failures(*BODY, 404, 409, 507),
    openapi_extra=WRITES,
)
async def decide(body: DecisionBody, service: CurrentService) -> DecisionAnswer:
    """Store a person's decision on a proposal; `chef canonical build` turns decisions into a map."""

    def write() -> DecisionAnswer:
        review = service.review
        review.decide(body.a, body.b, body.verdict)
        return DecisionAnswer(review.total - len(review.undecided()), review.total)

    return await service.write(write)


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
        raise refusal(error, 503) from error
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
