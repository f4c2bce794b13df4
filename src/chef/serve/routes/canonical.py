"""The canonical review: which ingredient names mean the same ingredient."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from chef.food.canonical.propose import Proposal
from chef.serve.access import Reader, Writer
from chef.serve.openapi import BODY, WRITES, failures
from chef.serve.requests import Body, Name
from chef.serve.service import CurrentService

router = APIRouter(tags=["canonical"])


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


@router.get("/api/canonical/proposals", dependencies=[Reader], responses=failures(404, 422))
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


@router.post(
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
