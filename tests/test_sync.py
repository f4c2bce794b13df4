import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from chef import sync
from chef.errors import ChefError
from chef.index import Index
from chef.readers import Skipped
from chef.sync import APPS, Sync, Synced
from tests.app_server import TOKEN, Kept, Site, serving
from tests.serve.small import jpeg, write_model

VARIABLES = ("CHEF_MEALIE_TOKEN", "CHEF_TANDOOR_TOKEN", "CHEF_NEXTCLOUD_TOKEN")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("sync") / "model")


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """Tokens are set, loopback is allowed, and nobody waits."""
    asked = []
    monkeypatch.setattr(sync, "sleep", asked.append)
    monkeypatch.setenv("CHEF_ALLOW_PRIVATE", "1")
    for name in VARIABLES:
        monkeypatch.setenv(name, TOKEN)
    return asked


@pytest.fixture
def run(tmp_path, model):
    """Runs a sync into the test's own collection."""

    def call(site, url, skipped=None, **options):
        made = Sync(APPS[site.app](url, 1000), Index(tmp_path / "collection", model), **options)
        return made.run(skipped)

    return call


def kitchen(app):
    return Site(
        app,
        {
            "1": Kept("Beef with rice", ["500 g beef", "1 cup rice"], photo=jpeg(), tags=["quick"]),
            "2": Kept("Cheese toast", ["2 slices bread", "50 g cheddar cheese"]),
            "3": Kept("Apple salad", ["3 apples", "1 tbsp honey"], photo=jpeg(colour="green")),
            "4": Kept("Carrot soup", ["6 carrots", "1 l water"]),
        },
    )


def titles(tmp_path):
    return {
        entry.id.rpartition("/")[2]: entry.recipe.title for entry in Index(tmp_path / "collection").entries()
    }


@pytest.mark.parametrize("app", APPS)
def test_new_changed_and_removed_recipes(run, tmp_path, app):
    site = kitchen(app)
    with serving(site) as url:
        assert run(site, url) == Synced(added=4, updated=0, unchanged=0, removed=0, tagged=0)
        id = f"{app}/{url.removeprefix('http://')}/1"
        stored = Index(tmp_path / "collection").get(id)
        assert [item.line for item in stored.recipe.ingredients] == ["500 g beef", "1 cup rice"]
        assert [step.text for step in stored.recipe.steps] == ["Chop it all and fry.", "Serve."]
        assert (stored.recipe.tags, stored.has_image) == (("quick",), True)
        assert (stored.recipe.prep_minutes, stored.recipe.images) == (10, ())
        assert not Index(tmp_path / "collection").get(f"{id[:-1]}2").has_image
        site.log.clear()
        assert run(site, url) == Synced(0, 0, 0, 0, 0)
        assert not any("image" in path or "media" in path or path.endswith("/1") for _, path in site.log)
        site.recipes["1"] = Kept(
            "Beef with more rice", ["500 g beef", "2 cups rice"], stamp="2", photo=jpeg()
        )
        site.recipes["5"] = Kept("Tomato bread", ["4 tomatoes", "1 loaf bread"])
        del site.recipes["3"]
        assert run(site, url) == Synced(added=1, updated=1, unchanged=0, removed=1, tagged=0)
        assert titles(tmp_path) == {id: one.title for id, one in site.recipes.items()}
        # Read-only, unless tags are asked for.
        assert {method for method, _ in site.log} == {"GET"}


@pytest.mark.parametrize("app", APPS)
def test_tags_say_what_is_in_a_recipe_and_never_what_is_not(run, tmp_path, app):
    site = kitchen(app)
    with serving(site) as url:
        run(site, url)
        assert run(site, url, write_tags=True).tagged == 4
        assert site.recipes["1"].tags[0] == "quick"  # the cook's own stay
        assert "main ingredient: beef" in site.recipes["1"].tags
        assert {"contains: dairy", "contains: gluten"} <= set(site.recipes["2"].tags)
        for one in site.recipes.values():
            assert all(
                tag == "quick" or tag.startswith(("main ingredient: ", "contains: ")) for tag in one.tags
            )
        site.recipes["2"] = replace(site.recipes["2"], title="Toast", lines=["2 slices bread"], stamp="2")
        assert run(site, url, write_tags=True).tagged == 1
        assert "contains: dairy" not in site.recipes["2"].tags
        assert run(site, url, write_tags=True) == Synced(0, 0, 1, 0, 0)
        assert run(site, url, write_tags=True) == Synced(0, 0, 0, 0, 0)
        ours = Index(tmp_path / "collection").vocabulary()[2]
        assert set(ours) == {"quick"}


def test_a_run_that_was_killed_goes_on_where_it_stopped(tmp_path, model):
    site = Site("mealie", {str(n): Kept(f"Dish {n}", [f"{n + 1} apples"]) for n in range(40)}, page=50)
    reached, ended = threading.Event(), threading.Event()

    def stop_at_36(path):
        if path.endswith("/36"):
            reached.set()
            ended.wait(60)

    site.before = stop_at_36
    with serving(site) as url:
        command = [
            sys.executable,
            "-m",
            "chef",
            "sync",
            "mealie",
            url,
            "--index",
            str(tmp_path / "collection"),
        ]
        command += ["--model", str(model), "--rate", "1000", "--json"]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
            assert reached.wait(120)
            process.send_signal(signal.SIGKILL)
        ended.set()
        assert len(titles(tmp_path)) == 32
        site.log.clear()
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["added"] == 8
        assert len([path for _, path in site.log if "?" not in path]) == 8
    assert len(titles(tmp_path)) == 40


@pytest.mark.parametrize("app", APPS)
def test_a_wrong_token_and_none_at_all(run, monkeypatch, app):
    site = kitchen(app)
    variable = f"CHEF_{app.upper()}_TOKEN"
    with serving(site) as url:
        monkeypatch.setenv(variable, "wrong")
        with pytest.raises(ChefError, match=f"does not accept the token.*{variable}") as error:
            run(site, url)
        assert "wrong" not in str(error.value)
        monkeypatch.delenv(variable)
        with pytest.raises(ChefError, match=f"no token.*{variable}"):
            run(site, url)


def test_it_waits_as_long_as_it_is_told_and_gives_up_in_the_end(run, waits):
    site = kitchen("mealie")
    with serving(site) as url:
        site.refusals = [(429, {"Retry-After": "7"}), (503, {}), (429, {"Retry-After": "9999"})]
        assert run(site, url).added == 4
        assert [wait for wait in waits if wait >= 1] == [7, 2, 300]
        site.refusals = [(429, {"Retry-After": "1"})] * 5
        with pytest.raises(ChefError, match="429"):
            run(site, url)


def test_requests_keep_to_the_rate(waits):
    site = kitchen("nextcloud")
    with serving(site) as url:
        app = APPS["nextcloud"](url, 0.1)
        for _ in range(3):
            app.listing()
    assert [round(wait / 10) for wait in waits] == [0, 1, 2]  # the clock stands, as nobody really waits


def test_private_addresses_only_where_they_are_allowed(run, monkeypatch):
    monkeypatch.delenv("CHEF_ALLOW_PRIVATE")
    site = kitchen("tandoor")
    with serving(site) as url, pytest.raises(ChefError, match="--allow-private"):
        run(site, url)
    assert not site.log


def test_faults_of_the_app_remove_nothing(run, tmp_path):
    site = kitchen("mealie")
    with serving(site) as url:
        run(site, url)
        # One recipe cannot be read: the others are, and it is asked for again the next time.
        site.recipes["1"].stamp = site.recipes["2"].stamp = "2"
        site.recipes["2"].title = "Toast"
        site.before = lambda path: path.endswith("/1") and site.refusals.append((500, {}))
        skipped = Skipped()
        assert run(site, url, skipped).updated == 1
        assert skipped.counts == {"cannot be read": 1}
        site.before = lambda path: None
        assert run(site, url).unchanged == 1
        # A photo fails: the recipe is stored without it, and with it the next time.
        site.recipes["3"].stamp = "2"
        site.before = lambda path: "/media/" in path and site.refusals.append((500, {}))
        skipped = Skipped()
        run(site, url, skipped)
        assert skipped.notes.counts == {"unreadable image file": 1}
        site.before = lambda path: None
        run(site, url)
        assert Index(tmp_path / "collection").get(f"mealie/{url[7:]}/3").has_image
        # A recipe moves to a page that was read already: not all were seen.
        fourth = site.recipes.pop("4")
        site.before = lambda path: "page=2" in path and site.recipes.update({"4": fourth, "9": fourth})
        site.page = 2
        assert run(site, url).removed == 0
        site.before = lambda path: None
        site.recipes.clear()
        with pytest.raises(ChefError, match="nothing was removed"):
            run(site, url)
    assert "1" in titles(tmp_path)


def test_what_is_missing_in_the_collection_comes_back_and_what_cannot_be_read_goes(run, tmp_path):
    site = kitchen("nextcloud")
    with serving(site) as url:
        run(site, url)
        Index(tmp_path / "collection").remove(f"nextcloud/{url[7:]}/2")
        assert run(site, url).added == 1
        site.recipes["2"] = replace(site.recipes["2"], lines=[], stamp="2")
        skipped = Skipped()
        assert run(site, url, skipped).removed == 1
        assert skipped.counts == {"no ingredients": 1}
        site.log.clear()
        assert run(site, url) == Synced(0, 0, 0, 0, 0)
        assert len(site.log) == 1  # the list alone


def test_the_token_goes_to_no_other_server(run, tmp_path):
    site, other = kitchen("tandoor"), kitchen("tandoor")
    with serving(site) as url, serving(other) as elsewhere:
        site.recipes["2"].elsewhere = f"{elsewhere}/media/1.jpg"
        run(site, url)
        assert Index(tmp_path / "collection").get(f"tandoor/{url[7:]}/2").has_image
        moved = (302, {"Location": f"{elsewhere}/api/recipe/1/"})
        site.before = lambda path: path == "/api/recipe/1/" and site.refusals.append(moved)
        site.recipes["1"].stamp = "2"
        with pytest.raises(ChefError, match="does not accept the token"):
            run(site, url)
        assert other.asked("/api/recipe/1/")
        assert other.tokens == {None}
