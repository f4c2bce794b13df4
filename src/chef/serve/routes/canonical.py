"""The canonical review: which names of ingredients are one ingredient."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query

from chef.serve import answers
from chef.serve.access import Reader, Writer
from chef.serve.bodies import DecisionBody
from chef.serve.openapi import WRITES
from chef.serve.routes.common import BODY, Served, failures

router = APIRouter(tags=["canonical"])


@router.get(
    "/api/canonical/proposals",
    dependencies=[Reader],
    response_model=answers.ProposalsAnswer,
    responses=failures(404, 422),
)
async def proposals(
    service: Served,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 20,
) -> dict[str, Any]:
    """Pairs of names that may be one ingredient and that nobody has decided on yet."""

    def find() -> dict[str, Any]:
        review = service.review
        left = review.open()
        return {
            "proposals": [asdict(item) for item in left[offset : offset + limit]],
            "done": review.total - len(left),
            "total": review.total,
        }

    return await service.work(find)


@router.post(
    "/api/canonical/decisions",
    dependencies=[Writer],
    response_model=answers.DecisionAnswer,
    responses=failures(*BODY, 404, 409),
    openapi_extra=WRITES,
)
async def decide(body: DecisionBody, service: Served) -> dict[str, int]:
    """Write down what a person says of a proposal; `chef canonical build` makes the map of it."""

    def write() -> dict[str, int]:
        review = service.review
        review.decide(body.a, body.b, body.verdict)
        return {"done": review.total - len(review.open()), "total": review.total}

    return await service.write(write)
