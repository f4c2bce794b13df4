"""The page in a real browser, against a real server process on a small collection."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chef.bundled import cookbook
from chef.food.groups import ALLERGY_NOTICE
from chef.readers import read
from chef.serve import app
from tests.serve.page_collection import DISHES, HOSTILE, chromium, write_collection
from tests.serve.small import running

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
PATIENCE = 45_000  # milliseconds: the browser may share its cores
expect.set_options(timeout=PATIENCE)

PAGE = app.PAGE
DESKTOP = {"viewport": {"width": 1360, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
TRAY_BAKE = "Italian Chicken Breast Tray Bake"
Open = Callable[..., Any]

JSONLD = """<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Recipe",
"name": "Lentil soup of the test", "recipeIngredient": ["200 g red lentils", "1 onion", "1 l water"],
"recipeInstructions": ["Chop the onion.", "Simmer the lentils with the onion for 20 minutes."]}</script>"""


def test_nothing_from_outside_no_markup_from_text_and_imports_exist() -> None:
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\("
    for file in PAGE.rglob("*.*"):
        text = file.read_text(encoding="utf-8")
        assert set(re.findall(r"https?://[\w.]+", text)) <= {"http://www.w3.org"}, file.name
        assert not re.search(markup, text), file.name
        for name in re.findall(r'from "(\.[^"]+)"', text) if file.suffix == ".js" else []:
            assert (file.parent / name).resolve().is_file(), (file.name, name)


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_collection(tmp_path_factory.mktemp("collection"))


@pytest.fixture(scope="module")
def address(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    review = tmp_path_factory.mktemp("review")
    with running("serve", "--index", collection, "--port", "0", "--review", review) as (lines, _):
        yield lines[-1]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as launched:
        yield launched


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Open]:
    """Open the page at an address; afterwards the console must have no errors or warnings."""
    complaints: list[str] = []
    contexts = []

    def note(entry: Any) -> None:
        if entry.type in ("error", "warning"):
            complaints.append(entry.text)

    def opened(hash_: str = "", **settings: Any) -> Any:
        contexts.append(browser.new_context(**(settings or DESKTOP)))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{address}/{hash_}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def photo_of(collection: Path, title: str) -> Path:
    """The photo of the dish of this title."""
    recipes = (collection.parent / "kitchen" / "recipes.jsonl").read_text()
    lines = map(json.loads, recipes.splitlines())
    return collection.parent / "kitchen" / next(line["image"] for line in lines if title in line["title"])


def recipe_at(page: Any, title: str) -> None:
    """Find a recipe by its words and open it."""
    page.fill("#words", title)
    page.locator(".card-link", has_text=title).first.click()
    expect(page.locator(".recipe h1")).to_have_text(title)


def near(page: Any) -> list[str]:
    """The titles of the neighbours, once they have come."""
    page.wait_for_selector(".near-list:not([aria-busy]) a")
    return page.locator(".near-list b").all_text_contents()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_main_job(open_page: Open, collection: Path, size: dict[str, Any]) -> None:
    page = open_page(**size)
    expect(page.locator(".card")).to_have_count(DISHES + 1)

    page.set_input_files("#photo-file", photo_of(collection, "chicken breast and corn soup"))
    expect(page.get_by_label("Your photo")).to_be_visible()
    expect(page.locator(".why").first).to_contain_text("looks like your photo")

    page.get_by_role("button", name="with", exact=True).click()
    page.keyboard.type("chicken br")
    page.get_by_role("option", name="chicken breasts").click()
    expect(page.get_by_role("button", name="Remove filter: with chicken breasts")).to_be_visible()
    expect(page.locator(".card")).to_have_count(2)
    for why in page.locator(".why").all_text_contents():
        assert "has chicken breasts" in why
    fits(page)

    page.locator(".card-link", has_text="Soup").click()
    title = page.locator(".recipe h1")
    expect(title).to_contain_text("chicken breast and corn soup")
    both_trees(page)
    before = near(page)
    fits(page)

    page.select_option("#swap-from", "chicken_breasts")
    page.fill("#swap-to", "beef")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Swap", exact=True).click()
    expect(page.locator(".changed-bar")).to_contain_text("beef instead of chicken breasts")
    expect(page.locator(".line ins").first).to_contain_text("beef")
    expect(page.locator(".step ins").first).to_contain_text("beef")
    expect(page.locator(".tree.of-ingredients")).to_contain_text("beef")
    expect(page.locator("#near-title")).to_have_text("Similar recipes now")
    assert near(page) != before
    fits(page)

    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".recipe ins")).to_have_count(0)
    assert near(page) == before


def both_trees(page: Any) -> None:
    """The ingredients' tree and a sentence's tree are there, fit, and say depth and merge order."""
    if not page.locator(".tree.of-words").count():
        page.get_by_role("button", name="Show all trees").click()
    wide = "trees => trees.filter(tree => tree.scrollWidth > tree.clientWidth).length"
    assert page.locator(".tree").evaluate_all(wide) == 0
    for kind in ("ingredients", "words"):
        tree = page.locator(f".tree.of-{kind}").first
        leaves = tree.locator(".leaf").count()
        assert leaves > 1
        expect(tree.locator(".knot")).to_have_count(leaves - 1)
        expect(tree.locator(".leaf.top")).to_have_count(1)
        tree.locator(".knot").first.hover()
        expect(tree.locator(".tree-note")).to_contain_text("depth 0")
        expect(tree.locator(".tree-note")).to_contain_text(f"of {leaves - 1}")
        tree.locator(".leaf").first.hover()
        expect(tree.locator(".tree-note")).to_contain_text(re.compile(r"depth \d+, merge \d+ of"))
    page.locator("h1").hover()
    top = page.locator(".of-ingredients .leaf.top").text_content()
    expect(page.locator(".of-ingredients .tree-note")).to_contain_text(f"{top} is closest to the root")
    expect(page.locator(".recipe-name .main-word")).to_have_text("mainly chicken breasts")
    expect(page.locator(".line.main")).to_contain_text("chicken breast")
    assert page.locator(".step .action").count() >= 1


def fits(page: Any) -> None:
    """The page never scrolls sideways."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_simpler_and_suggestions_at_a_click(open_page: Open) -> None:
    page = open_page()
    recipe_at(page, TRAY_BAKE)
    lines = page.locator(".line").count()
    page.locator(".simpler button").nth(1).click()
    expect(page.locator(".changed-bar")).to_contain_text("without")
    expect(page.locator(".line.gone")).to_have_count(2)
    expect(page.locator(".line:not(.gone)")).to_have_count(lines - 2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".line.gone")).to_have_count(0)
    page.get_by_role("button", name="Swap chicken breasts").click()
    expect(page.locator("#swap-from")).to_have_value("chicken_breasts")
    idea = page.locator(".idea").first
    word = idea.text_content()
    page.locator(".ideas summary").click()
    expect(page.locator(".ideas dd").first).to_be_visible()
    idea.click()
    expect(page.locator(".changed-bar")).to_contain_text(f"{word} instead of chicken breasts")


def test_an_unsure_main_ingredient_is_not_named(open_page: Open, address: str) -> None:
    sure, unsure = ({"main_ingredient": "beef", "main_confidence": sure} for sure in (0.9, 0.3))
    for told, wanted in ((sure, 1), (unsure, 0)):
        page = open_page("#/map")

        def answer(route: Any, *, told: dict[str, Any] = told) -> None:
            content = route.fetch().json()
            for part in (content, *content.get("points", []), *content.get("recipes", [])):
                part.update(told if "main_ingredient" in part else {})
            route.fulfill(json=content)

        page.route(re.compile(r"/api/(map|recipes([/?][^/]*)?)$"), answer)
        page.reload()
        expect(page.locator(".map-head .status")).to_contain_text("Similar dishes")  # all points are there
        page.locator("canvas").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".map-here b")).to_be_visible()
        expect(page.locator(".map-here .main-word")).to_have_count(wanted)
        expect(page.locator(".map-legend button")).to_have_count(wanted)
        page.keyboard.press("Enter")
        expect(page.locator(".recipe-name h1")).to_be_visible()
        expect(page.locator(".recipe-name .main-word")).to_have_count(wanted)
        expect(page.locator(".tree-note", has_text="A cook would say")).to_have_count(wanted)
        page.goto(address)
        expect(page.locator(".card").first).to_be_visible()
        expect(page.locator(".card .main-word").first).to_be_visible(visible=bool(wanted))


def test_cook_with_what_i_have(open_page: Open) -> None:
    page = open_page()
    page.get_by_role("button", name="cook with what I have").click()
    page.keyboard.type("bread, butter and two tomatoes\n")
    expect(page.locator(".cupboard span.chip")).to_have_count(3)
    expect(page.locator(".why").first).to_contain_text("missing")
    expect(page.locator(".card h3").first).to_have_text(HOSTILE)  # which uses all three
    assert "have=bread&have=butter&have=two+tomatoes" in page.url
    page.keyboard.type("chicken\n")  # the input has kept the focus
    expect(page.locator(".cupboard span.chip")).to_have_count(4)


def test_leaving_out_is_no_allergy_advice(open_page: Open) -> None:
    page = open_page("#/?q=soup&without=nuts")
    notice = page.locator(".allergy-notice")
    expect(notice).to_contain_text(ALLERGY_NOTICE)
    expect(page.locator(".why").first).to_be_visible()
    assert not any("nuts" in why for why in page.locator(".why").all_text_contents())
    page.get_by_role("button", name="Remove filter: without nuts").click()
    expect(notice).to_be_hidden()


def test_filters_in_words_are_chips_that_can_be_removed(open_page: Open) -> None:
    page = open_page("#/?q=vegetarian+soup+without+nuts")
    chips = page.locator(".understood .chip")
    expect(chips).to_have_text(["vegetarian ×", "without nuts ×"])
    expect(page.locator(".allergy-notice")).to_be_visible()
    page.get_by_role("button", name="Remove the filter without nuts").click()
    expect(chips).to_have_text(["vegetarian ×"])
    expect(page.locator("#words")).to_have_value("soup vegetarian")


def test_by_keyboard_alone(open_page: Open) -> None:
    page = open_page()
    expect(page.locator(".card").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(TRAY_BAKE)
    expect(page.locator(".card h3").first).to_have_text(TRAY_BAKE)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    chosen = page.evaluate("document.activeElement.querySelector('h3').textContent")
    assert chosen != TRAY_BAKE
    page.keyboard.press("Enter")
    expect(page.locator(".recipe h1")).to_have_text(chosen)
    page.locator(".tree.of-ingredients [tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tree.of-ingredients .tree-note")).to_contain_text("depth 1")
    page.keyboard.press("Escape")
    expect(page.locator("#words")).to_have_value(TRAY_BAKE)
    assert page.evaluate("document.activeElement.querySelector('h3').textContent") == chosen


def test_a_dropped_photo_searches(open_page: Open, collection: Path) -> None:
    page = open_page("#/map")
    drop(page, "dish.jpg", "image/jpeg", photo_of(collection, "Apple Cake").read_bytes())
    expect(page.get_by_label("Your photo")).to_be_visible()
    expect(page.locator(".why").first).to_contain_text("looks like your photo")
    page.get_by_role("button", name="Remove photo").click()
    expect(page.locator("#status")).to_contain_text("in this collection")


def drop(page: Any, name: str, kind: str, content: bytes) -> None:
    page.evaluate(
        """([name, type, bytes]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(bytes)], name, {type}));
          dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, cancelable: true}));
        }""",
        [name, kind, list(content)],
    )


def test_add_pasted_and_dropped_then_remove(open_page: Open) -> None:
    page = open_page("#/add")
    page.fill("#pasted", JSONLD)
    page.get_by_role("button", name="Read it").click()
    page.get_by_role("button", name="Save recipe").click()
    expect(page.locator(".recipe h1")).to_have_text("Lentil soup of the test")
    page.goto(f"{page.url.split('#')[0]}#/add")
    content = b'[{"title": "Plain rice", "ingredients": ["1 cup rice"], "instructions": ["Boil the rice."]}]'
    drop(page, "mine.json", "application/json", content)
    expect(page.locator(".waiting")).to_contain_text("mine.json")
    page.get_by_role("button", name="Add to collection").click()
    expect(page.locator(".outcome")).to_contain_text("1 recipe added")
    for title in ("Lentil soup of the test", "Plain rice"):
        page.goto(f"{page.url.split('#')[0]}#/")
        recipe_at(page, title)
        page.get_by_role("button", name="Remove", exact=True).click()
        page.locator("dialog").get_by_role("button", name="Remove", exact=True).click()
        expect(page.locator("#note")).to_contain_text("was removed")
    page.fill("#words", "")
    expect(page.locator("#status")).to_contain_text(f"{DISHES + 1} recipes")


PASTED = """Plum and oat crumble
Serves 4
Prep time: 15 min

Ingredients
500 g plums
1 cup rolled oats
1 egg

Method
1. Heat the oven to 180 C.
2. Lay the plums in a dish, and scatter the oats over them.
"""


def axe(page: Any) -> None:
    """axe-core finds nothing wrong; its script is where AXE says, and the check is left out without it."""
    if "AXE" in os.environ:
        page.evaluate(Path(os.environ["AXE"]).read_text(encoding="utf-8"))
        page.wait_for_timeout(400)  # colours that fade in
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [{"viewport": {"width": 1280, "height": 900}}, PHONE], ids=["1280", "390"])
def test_a_cooks_way(open_page: Open, size: dict[str, Any], scheme: str, tmp_path: Path) -> None:
    """Paste, correct, scale, cook, print, note, swap and save, edit, export."""
    page = open_page("#/add", **size, color_scheme=scheme, bypass_csp=True)
    axe(page)
    page.fill("#pasted", PASTED)
    page.get_by_role("button", name="Read it").click()
    expect(page.get_by_label("Servings")).to_have_value("4")
    expect(page.get_by_label("Preparation")).to_have_value("15")
    expect(page.get_by_label("Ingredients")).to_have_value("500 g plums\n1 cup rolled oats\n1 egg")
    axe(page)
    title = f"Plum crumble {scheme} {size['viewport']['width']}"
    page.get_by_label("Title").fill(title)
    page.get_by_label("Tags").fill("sweet, test")
    page.get_by_role("button", name="Save recipe").click()
    expect(page.locator(".recipe h1")).to_have_text(title)
    assert page.title() == f"{title} · Chef"
    expect(page.locator(".times")).to_have_text("15 min prep")
    where = page.url

    lines = page.locator(".line-words")
    for _ in range(4):
        page.get_by_role("button", name="More servings").click()
    expect(lines).to_contain_text(["1000 g plums", "2 cups rolled oats", "2 eggs"])
    assert page.url == f"{where}?times=2"
    fits(page)
    axe(page)
    print_ = tmp_path / "recipe.pdf"
    page.pdf(path=print_)
    assert print_.read_bytes().count(b"/Type /Page\n") == 1
    page.emulate_media(media="print")
    expect(page.locator(".what-if")).to_be_hidden()
    expect(page.locator(".step").first).to_be_visible()
    page.emulate_media(media="screen")

    page.get_by_role("button", name="Cook", exact=True).click()
    cooking = page.locator("dialog.cook")
    expect(cooking).to_contain_text("1000 g plums")
    page.keyboard.press("ArrowRight")
    expect(cooking).to_contain_text("Step 1 of 2")
    expect(cooking).to_contain_text("Heat the oven")
    axe(page)
    page.reload()  # the address follows
    expect(cooking).to_contain_text("Get ready")
    page.evaluate(
        """() => {
          const at = (type, x) => {
            const target = document.querySelector(".cook");
            const finger = new Touch({ identifier: 1, target, clientX: x, clientY: 300 });
            const touches = { touches: [finger], changedTouches: [finger] };
            target.dispatchEvent(new TouchEvent(type, touches));
          };
          at("touchstart", 300);
          at("touchend", 100);
        }"""
    )
    expect(cooking).to_contain_text("Step 1 of 2")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Done").click()
    expect(cooking).to_have_count(0)

    page.get_by_role("button", name="Favourite").click()
    expect(page.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", "true")
    page.get_by_label("My notes").fill("Less sugar.")
    page.get_by_label("My notes").blur()
    expect(page.locator(".own-note small")).to_have_text("Saved.")

    page.select_option("#swap-from", "plums")
    page.fill("#swap-to", "beef")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Swap", exact=True).click()
    page.get_by_role("button", name="Save as my recipe").click()
    expect(page.get_by_label("My notes")).to_have_value(f"{title}: beef instead of plums.")
    page.get_by_label("Title").fill(f"Own {title}")
    page.get_by_role("button", name="Save recipe").click()
    expect(page.locator(".recipe h1")).to_have_text(f"Own {title}")
    expect(lines.first).to_contain_text("beef")
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Steps").fill("Heat the oven.\nBake.")
    page.get_by_role("button", name="Save recipe").click()
    expect(page.locator(".step")).to_have_count(2)
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Export").click()
    exported = json.loads(Path(downloaded.value.path()).read_text())
    assert exported["instructions"] == ["Heat the oven.", "Bake."]

    page.goto(f"{page.url.split('#')[0]}#/add")
    with page.expect_download() as downloaded:
        page.get_by_role("link", name="Export all recipes").click()
    archive = shutil.copy(downloaded.value.path(), tmp_path / "all.zip")
    stored = {recipe.title: recipe for recipe in read(archive)}
    assert (stored[title].favourite, stored[title].own_note) == (True, "Less sugar.")
    assert stored[f"Own {title}"].tags == ("sweet", "test")

    page.goto(f"{page.url.split('#')[0]}#/")
    expect(page.locator(".card").first.get_by_label("Favourite")).to_be_visible()
    axe(page)
    for name in (f"Own {title}", title):
        recipe_at(page, name)
        page.get_by_role("button", name="Remove", exact=True).click()
        page.locator("dialog").get_by_role("button", name="Remove", exact=True).click()
        expect(page.locator("#note")).to_contain_text("was removed")
        expect(page.locator(".card h3", has_text=name)).to_have_count(0)


def test_a_title_is_a_text(open_page: Open) -> None:
    page = open_page()
    page.fill("#words", "Toast")
    link = page.locator(".card-link", has_text="Toast").first
    expect(link.locator("h3")).to_have_text(HOSTILE)
    expect(link.locator("svg.plate")).to_be_visible()
    link.click()
    expect(page.locator(".recipe h1")).to_have_text(HOSTILE)
    assert page.locator("img[src='x']").count() == 0
    assert "broken in" not in page.title().removeprefix(HOSTILE)


DRAWN = """async (titles) => {
  const { kindOfDish } = await import("/page/plate/kinds.js");
  const { plate } = await import("/page/plate/plate.js");
  const { DISHES } = await import("/page/plate/dishes.js");
  const foods = ["chicken", "rice", "tomatoes", "lemon", "basil", "eggs", "cream"];
  const random = () => 0.5;
  const colour = "#c98f52";
  const bare = { looks: [], random, has: () => false, tint: null };
  for (const name of ["sauce", "crust", "wrap", "mash", "cream", "drink"]) bare[name] = colour;
  return {
    kinds: titles.map(kindOfDish),
    parts: titles.map((title) => plate({ title, ingredients: foods }).querySelectorAll("path").length),
    bare: Object.values(DISHES).map((draw) => draw(bare).length), // a dish without ingredients
  };
}"""


def test_the_kind_of_dish_decides_how_its_plate_looks(open_page: Open) -> None:
    kinds = {
        "Macaroni and Cheese": "noodles", "Shepherd's Pie": "bake", "Pão de Queijo": "balls",
        "Chicken Noodle Soup": "soup", "Lamb Tagine with Prunes": "stew", "Kartoffelsalat": "salad",
        "Cheesecake": "cake", "Grilled Fish": "meat", "Grandma's Surprise": "plain",
    }  # fmt: skip
    titles = [*kinds, *(recipe.title for recipe in cookbook())]
    drawn = open_page().evaluate(DRAWN, titles)
    assert dict(zip(kinds, drawn["kinds"], strict=False)) == kinds
    assert min(drawn["parts"][: len(kinds)]) > 5
    assert min(drawn["bare"]) > 0
    assert drawn["kinds"].count("plain") <= len(titles) // 50


def test_a_card_opens_though_a_search_was_about_to_begin(open_page: Open) -> None:
    page = open_page()
    page.wait_for_selector(".card-link")
    # The pause after a key ends between the change of the address and that of the view.
    page.evaluate(
        """() => {
            const words = document.getElementById("words"), timer = window.setTimeout;
            let search;
            window.setTimeout = (begin) => ((search = begin), 0);
            words.value = "soup";
            words.dispatchEvent(new Event("input"));
            window.setTimeout = timer;
            location.hash = document.querySelector(".card-link").hash;
            search();
        }"""
    )
    expect(page.locator(".recipe h1")).to_be_visible()


def test_the_map(open_page: Open) -> None:
    page = open_page("#/map")
    expect(page.locator(".map-legend button").first).to_be_visible()
    page.locator("canvas").focus()
    page.keyboard.press("ArrowRight")
    title = page.locator(".map-here b").text_content()
    expect(page.locator(".map-picture > *")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".recipe h1")).to_have_text(title)


def test_decisions_on_names_can_be_undone(open_page: Open) -> None:
    page = open_page("#/names")
    status = page.locator(".names-progress .status")
    first = page.locator(".pair").text_content()
    expect(status).to_contain_text("0 of")
    page.keyboard.press("y")
    expect(status).not_to_contain_text(re.compile(r"^0 of"))
    page.keyboard.press("u")
    expect(status).to_contain_text(re.compile(r"^0 of"))
    expect(page.locator(".pair")).to_have_text(first)


def test_dark(open_page: Open) -> None:
    def paper(scheme: str) -> int:
        page = open_page(color_scheme=scheme)
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3]))

    assert paper("dark") < 200 < 600 < paper("light")
