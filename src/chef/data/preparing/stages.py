"""The stages of a run, one after the other, to the manifest."""

from __future__ import annotations

from chef.data.describe import describe
from chef.data.manifest import NAME, WORK, Files, Manifest, bytes_facts
from chef.data.preparing.context import Context
from chef.data.preparing.names import PLAN, TABLES, part_name
from chef.data.preparing.parts_stage import Parts
from chef.data.preparing.plan import Plan, make_plan
from chef.data.preparing.results_stage import Results
from chef.readers import Skipped


def run_stages(context: Context) -> Manifest:
    """All that is left to do, to the manifest of the whole."""
    plan, skipped = _earlier_plan(context) or _new_plan(context)
    for name in context.recipes.unused(skipped):
        context.progress.say(f"no recipe names {name!r} as its source: nothing left out")
    if plan is not None:  # else others have finished while we were reading
        results = Results(context, plan)
        results.make()
        finish = lambda: _finish(context, plan, skipped, results.files())  # noqa: E731
        context.by_one("manifest", finish, context.is_finished)
    return Manifest.load(context.store)


def _earlier_plan(context: Context) -> tuple[Plan, Skipped] | None:
    """The plan that is there, if it is of the same source."""
    plan = Plan.load(context.store)
    if plan is None:
        return None
    context.progress.stage("looking at the source")
    if plan.digests == [chunk.digest for chunk in context.recipes.chunks()]:
        return plan, context.recipes.skipped
    if context.team is not None:
        raise context.other_source()
    return None


def _new_plan(context: Context) -> tuple[Plan | None, Skipped]:
    """Stages 1 and 2."""
    if context.team is None:
        context.place.discard_results()
    parts = Parts(context)
    parts.make()
    if context.team is None:
        names = {part_name(number, digest) for number, digest in enumerate(parts.digests)}
        context.place.discard_parts(names, context.progress)
    context.progress.stage("vocabulary")
    make = lambda: make_plan(context.store, parts.digests, context.settings)  # noqa: E731
    context.by_one("plan", make, lambda: context.has(PLAN))
    plan = Plan.load(context.store)
    if plan is not None and plan.digests != parts.digests:
        raise context.other_source()
    return plan, parts.skipped


def _finish(context: Context, plan: Plan, skipped: Skipped, files: Files) -> None:
    """The tables, and the manifest, which says that all is there."""
    store = context.store
    for name in TABLES:
        data = store.read(f"{WORK}/{name}")
        store.write(name, data)
        files[name] = bytes_facts(data)
    manifest = describe(store, plan, skipped, context.chosen, files)
    store.write(NAME, manifest.to_bytes())
