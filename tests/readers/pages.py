# ruff: noqa: E501 -- HTML on one line each
"""Web pages of our own writing: one recipe in the markup that sites use, and what is to be read from each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

TITLE = "Pea soup with mint"
LINES = ["400 g peas", "1 onion, chopped", "2 tbsp butter"]
STEPS = ["Soften the onion in the butter.", "Add the peas and simmer for 10 minutes.", "Blend until smooth."]
PHOTO = "https://example.org/soup.jpg"
CORE: dict[str, Any] = {"title": TITLE, "lines": LINES, "steps": STEPS}
FULL: dict[str, Any] = {
    **CORE, "servings": "4 servings", "prep_minutes": 10, "cook_minutes": 20, "total_minutes": 30,
    "images": (PHOTO,), "tags": ("green", "quick", "Soup", "British"), "rating": 4.5, "language": "en",
    "description": "Green and quick.", "nutrition": {"calories": "180 kcal"},
}  # fmt: skip
LD: dict[str, Any] = {
    "@context": "https://schema.org", "@type": "Recipe", "name": TITLE, "recipeIngredient": LINES,
    "recipeInstructions": [{"@type": "HowToStep", "text": step} for step in STEPS],
    "recipeYield": "4 servings", "prepTime": "PT10M", "cookTime": "PT20M", "totalTime": "PT30M",
    "image": PHOTO, "keywords": "green, quick", "recipeCategory": "Soup", "recipeCuisine": "British",
    "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.5", "reviewCount": 12},
    "inLanguage": "en", "description": "Green and quick.",
    "nutrition": {"@type": "NutritionInformation", "calories": "180 kcal"},
}  # fmt: skip

Page = tuple[str, str, dict[str, Any]]  # name, HTML, expected


def _page(body: str, head: str = "", lang: str = "en") -> str:
    return f'<!doctype html><html lang="{lang}"><head><title>Soup | A site</title>{head}</head><body>{body}</body></html>'


def _script(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return f'<script type="application/ld+json">{text}</script>'


def _items(tag: str, texts: list[str], attributes: str = "") -> str:
    return "".join(f"<{tag} {attributes}>{text}</{tag}>" for text in texts)


def _section(steps: list[str], key: str = "itemListElement") -> dict[str, Any]:
    return {"@type": "HowToSection", "name": "Soup", key: [{"@type": "HowToStep", "text": s} for s in steps]}


def json_ld() -> Iterator[Page]:
    """JSON-LD in the shapes in which sites write it."""

    def steps(value: Any) -> dict[str, Any]:
        return {**LD, "recipeInstructions": value}

    quoted = json.dumps(LD)
    shapes: dict[str, Any] = {
        "plain": LD,
        "list": [LD],
        "graph": {"@context": "https://schema.org", "@graph": [{"@type": "WebSite", "name": "A site"}, LD]},
        "graph of lists": {"@graph": [[{"@type": "Person", "name": "Ann"}], [LD]]},
        "main entity": {"@type": "WebPage", "mainEntity": LD},
        "main entity of page": {"@type": "Article", "mainEntityOfPage": {"@type": "WebPage"}, "about": LD},
        "several types": {**LD, "@type": ["Recipe", "NewsArticle"]},
        "type with address": {**LD, "@type": "http://schema.org/Recipe"},
        "type with prefix": {**LD, "@type": "schema:Recipe"},
        "item list": {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": LD}]},
        "hidden": f"<!--\n{quoted}\n-->",
        "cdata": f"//<![CDATA[\n{quoted}\n//]]>",
        "escaped": quoted.replace('"', "&quot;"),
        "last comma": quoted[:-1] + ",}",
        "semicolon": quoted + ";",
        "raw line breaks": quoted.replace("Green and quick.", "Green\nand quick."),
        "two objects": json.dumps({"@type": "WebSite", "name": "A site"}) + "\n" + quoted,
        "steps as strings": steps(STEPS),
        "steps as lines": steps("\n".join(STEPS)),
        "steps as paragraphs": steps("".join(f"<p>{step}</p>" for step in STEPS)),
        "steps as a list in HTML": steps("<ol>" + "".join(f"<li>{step}</li>" for step in STEPS) + "</ol>"),
        "steps numbered in one": steps(" ".join(f"{n}. {step}" for n, step in enumerate(STEPS, 1))),
        "steps named in one": steps(
            [{"@type": "HowToStep", "text": "".join(f"Step {n}: {s}" for n, s in enumerate(STEPS, 1))}]
        ),
        "steps glued": steps("".join(STEPS)),
        "steps in a list of one": steps(["\n".join(STEPS)]),
        "steps in lists": steps([[{"@type": "HowToStep", "text": step}] for step in STEPS]),
        "steps of an item list": steps({"@type": "ItemList", "itemListElement": STEPS}),
        "steps in a capital list": steps(
            {"@type": "ItemList", "ItemListElement": [{"@type": "HowToStep", "text": s} for s in STEPS]}
        ),
        "steps with directions": steps(
            [
                {"@type": "HowToStep", "itemListElement": [{"@type": "HowToDirection", "text": s}]}
                for s in STEPS
            ]
        ),
        "steps with names": steps([{"@type": "HowToStep", "name": s[:9], "text": s} for s in STEPS]),
        "steps by name alone": steps([{"@type": "HowToStep", "name": s} for s in STEPS]),
        "old ingredients": {**{k: v for k, v in LD.items() if k != "recipeIngredient"}, "ingredients": LINES},
        "ingredients in a text": {**LD, "recipeIngredient": "\n".join(LINES)},
        "ingredients with entities": {
            **LD,
            "recipeIngredient": ["400&nbsp;g peas", "<b>1</b> onion, chopped", " 2 tbsp\tbutter "],
        },
        "ingredients with headings": {**LD, "recipeIngredient": ["Soup:", *LINES]},
        "yield as list": {**LD, "recipeYield": ["4", "4 servings"]},
        "yield as value": {
            **LD,
            "recipeYield": {"@type": "QuantitativeValue", "value": 4, "unitText": "servings"},
        },
        "times in words": {**LD, "prepTime": "10 mins", "cookTime": "20 minutes", "totalTime": "0.5 h"},
        "times with days": {
            **LD,
            "prepTime": "P0DT0H10M",
            "cookTime": "P0Y0M0DT0H20M0.000S"[:2] + "DT20M",
            "totalTime": "PT0.5H",
        },
        "image objects": {**LD, "image": [{"@type": "ImageObject", "url": PHOTO}]},
        "image by content": {**LD, "image": {"@type": "ImageObject", "contentUrl": PHOTO}},
        "keywords as list": {
            **LD,
            "keywords": ["green", "quick"],
            "recipeCategory": ["Soup"],
            "recipeCuisine": ["British"],
        },
        "rating of ten": {**LD, "aggregateRating": {"ratingValue": 9, "bestRating": "10"}},
        "values with language": {**LD, "name": {"@language": "en", "@value": TITLE}},
    }
    for name, value in shapes.items():
        yield f"JSON-LD, {name}", _page("<p>Soup</p>", _script(value)), FULL
    sections = {**FULL, "sections": ["Soup"] * 3}
    for key in ("itemListElement", "ItemListElement", "steps"):
        yield f"JSON-LD, section of {key}", _page("", _script(steps([_section(STEPS, key)]))), sections
    two = {**FULL, "images": (PHOTO, "https://example.org/2.jpg")}
    yield "JSON-LD, photos", _page("", _script({**LD, "image": list(two["images"])})), two
    yield "JSON-LD after a broken script", _page("", _script("{oops") + _script(LD)), FULL
    yield (
        "JSON-LD, single quotes",
        _page(f"<script data-x='1' type='application/ld+json'>{quoted}</script>"),
        FULL,
    )
    without = {key: value for key, value in LD.items() if key != "inLanguage"}
    yield "language of the page", _page("", _script(without), "de-AT"), {**FULL, "language": "de-AT"}


def markup() -> Iterator[Page]:
    """Microdata, RDFa, h-recipe and hRecipe."""
    some = {**CORE, "servings": "4 servings", "total_minutes": 30, "images": (PHOTO,)}

    def marked(attribute: str, root: str, prefix: str = "", old: bool = False, steps: str = "each") -> str:
        def named(name: str) -> str:
            return f'{attribute}="{prefix}{name}"'

        how = named("instructions" if old else "recipeInstructions")
        made = {
            "each": f"<ol>{_items('li', STEPS, how)}</ol>",
            "block": f"<ol {how}>{_items('li', STEPS)}</ol>",
            "paragraphs": f"<div {how}>{_items('p', STEPS)}</div>",
            "breaks": f"<div {how}>{'<br>'.join(STEPS)}</div>",
            "items": "".join(
                f'<div {how} itemscope itemtype="https://schema.org/HowToStep"><b itemprop="name">Do</b>'
                f'<p itemprop="text">{step}</p></div>'
                for step in STEPS
            ),
        }[steps]
        nested = (
            f'<div {named("author")} itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ann</b></div>'
            if attribute == "itemprop"
            else f'<div {named("author")} typeof="{prefix}Person"><b {named("name")}>Ann</b></div>'
        )
        return _page(
            f"<div {root}>{nested}<h1 {named('name')}>{TITLE}</h1><img {named('image')} src='{PHOTO}'>"
            f"<span {named('recipeYield')}>4 servings</span><meta {named('totalTime')} content='PT30M'>"
            f"<ul>{_items('li', LINES, named('ingredients' if old else 'recipeIngredient'))}</ul>{made}</div>"
        )

    item = 'itemscope itemtype="https://schema.org/Recipe"'
    for steps in ("each", "block", "paragraphs", "breaks", "items"):
        yield f"microdata, steps {steps}", marked("itemprop", item, steps=steps), some
    old = 'itemscope itemtype="http://data-vocabulary.org/Recipe"'
    yield "microdata, old names", marked("itemprop", old, old=True), some
    upper = 'itemscope itemtype="HTTPS://SCHEMA.ORG/Recipe"'
    yield "microdata, capitals", marked("itemprop", upper), some
    spans = [
        f"<li itemprop='recipeIngredient'><span>{line.split(' ', 1)[0]}</span>\n <span>{line.split(' ', 1)[1]}</span></li>"
        for line in LINES
    ]
    page = marked("itemprop", item).replace(
        _items("li", LINES, 'itemprop="recipeIngredient"'), "".join(spans)
    )
    yield "microdata, parts of lines", page, some
    yield (
        "microdata, time element",
        marked("itemprop", item).replace(
            "<meta itemprop=\"totalTime\" content='PT30M'>",
            '<time itemprop="totalTime" datetime="PT30M">half an hour</time>',
        ),
        some,
    )
    apart = marked("itemprop", f'{item} itemref="a b"').replace("</div></body>", "</div></body>")
    head, _, rest = apart.partition("<ul>")
    lines, _, tail = rest.partition("</ul>")
    yield (
        "microdata, parts elsewhere",
        f"{head}{tail.replace('</body>', f'<ul id=a>{lines}</ul></body>')}",
        some,
    )
    yield (
        "microdata with another item around",
        marked("itemprop", item).replace(
            "<body>",
            '<body itemscope itemtype="https://schema.org/WebPage"><meta itemprop="name" content="A site">',
        ),
        some,
    )
    for root, prefix in (
        ('vocab="https://schema.org/" typeof="Recipe"', ""),
        ('prefix="schema: http://schema.org/" typeof="schema:Recipe"', "schema:"),
        ('typeof="http://schema.org/Recipe"', "http://schema.org/"),
    ):
        for steps in ("each", "block"):
            yield f"RDFa, {prefix or 'vocab'} {steps}", marked("property", root, prefix, steps=steps), some
    for root, name, line, how, count, time, photo in (
        ("h-recipe", "p-name", "p-ingredient", "e-instructions", "p-yield", "dt-duration", "u-photo"),
        ("hrecipe", "fn", "ingredient", "instructions", "yield", "duration", "photo"),
    ):
        for steps in (
            f"<ol class='{how}'>{_items('li', STEPS)}</ol>",
            f"<div class='{how}'>{'<br/>'.join(STEPS)}</div>",
        ):
            body = (
                f"<article class='post {root}'><h1 class='{name}'>{TITLE}</h1><img class='{photo}' src='{PHOTO}'>"
                f"<div class='h-card vcard'><b class='p-name fn'>Ann</b></div><data class='{count}'>4 servings</data>"
                f"<time class='{time}' datetime='PT30M'>30 min</time><ul>{_items('li', LINES, f'class={line!r}')}</ul>"
                f"{steps}</article>"
            )
            yield f"{root}, {steps[1:4]}", _page(body), some
    none = {**LD, "recipeInstructions": []}
    yield (
        "JSON-LD without steps, microdata with",
        marked("itemprop", item).replace("</head>", _script(none) + "</head>"),
        FULL,
    )
    groups = {**LD, "recipeIngredient": ["Vegetables", "Dairy"]}
    yield (
        "JSON-LD with categories, microdata with lines",
        marked("itemprop", item).replace("</head>", _script(groups) + "</head>"),
        FULL,
    )


def sites() -> Iterator[Page]:
    """Pages without any data of their own, in the markup that recipe-scrapers' rules expect of a site."""
    ul, ol = f"<ul>{_items('li', LINES)}</ul>", f"<ol>{_items('li', STEPS)}</ol>"
    paragraphs, og = _items("p", STEPS), f'<meta property="og:title" content="{TITLE}">'
    h1 = f"<h1>{TITLE}</h1>"
    bodies: dict[str, tuple[str, str]] = {
        "owen-han.com": (f'<h1 class="entry-title">{TITLE}</h1>{ul}{ol}', ""),
        "amazingoriental.com": (
            f'{h1}<div class="sidebar"><div class="ingredients-wrap">{ul}</div></div>'
            f'<div class="main-wrap"><ul>{_items("li", STEPS)}</ul></div>', ""),
        "tastykitchen.com": (
            f'<h1 itemprop="name">{TITLE}</h1><ul class="ingredients">{_items("li", LINES)}</ul>'
            f'<span itemprop="instructions">{paragraphs}</span>', ""),
        "lidiasitaly.com": (
            f'<a class="print" data-name="{TITLE}">Print</a><div class="box-ingredients">{ul}</div>'
            f'<div class="box-directions"><div class="recipe-text">{paragraphs}</div></div>', ""),
        "paninihappy.com": (
            f'<h1 class="entry-title">{TITLE}</h1><ul>{_items("li", LINES, "class=ingredient")}</ul>'
            f'<ol>{_items("li", STEPS, "class=instruction")}</ol>', ""),
        "nutritionbynathalie.com": (
            f'{h1}<div><p>Ingredients:</p>{_items("p", [f"• {line}" for line in LINES])}</div>'
            f'<div><p>Directions:</p>{ol}</div>', ""),
        "woop.co.nz": (
            f'<div class="ingredients">{ul}</div><div class="cooking-instructions">{ol}</div>', og),
        "costco.com": (
            f'<h1 style="font-size: 2.5em;">{TITLE}</h1><div class="col-xs-12 col-md-5">{ul}{paragraphs}</div>', ""),
        "rickbayless.com": (
            f'<div class="page-header">{h1}</div><div class="recipe-ingredients">'
            f'<ul>{_items("li", LINES, "itemprop=ingredients")}</ul></div>'
            f'<div class="recipe-instructions">{paragraphs}</div>', ""),
        "www1.wdr.de": (f"<h2>Zutaten</h2><div>{ul}</div><h2>Zubereitung</h2><div>{ol}</div>", og),
        "heb.com": (
            f'<h1 data-qe-id="recipeTitle">{TITLE}</h1><div data-qe-id="recipeIngredientsContainer">{ul}</div>'
            f'<div data-qe-id="recipeInstructionsContainer">{ol}</div>', ""),
        "meatchurch.com": (f'<div class="article__content">{ul}{paragraphs}</div>', og),
        "rosannapansino.com": (
            f'<div class="recipe-left"><em>Ingredients</em>{ul}</div><div class="recipe-right">{ol}</div>', og),
        "popsugar.com": (
            f'<div class="recipe-card"><h2 class="recipe-title">{TITLE}</h2><div><h3>Ingredients</h3>{ul}</div>'
            f"<div><h3>Directions</h3>{ol}</div></div>", ""),
        "justbento.com": (
            f'<div class="field-name-body"><h3>Recipe: {TITLE}</h3>{ul}{paragraphs}</div>',
            f'<meta property="og:title" content="Recipe: {TITLE}">'),
        "madamecuisine.de": (
            f'<h2 class="wprm-recipe-name">{TITLE}</h2><ul>{_items("li", LINES, "class=wprm-recipe-ingredient")}</ul>'
            f'{_items("div", STEPS, "class=wprm-recipe-instruction-text")}', ""),
        "mykitchen101.com": (
            f'<h1 class="entry-title">{TITLE}</h1><p>材料：</p>{ul}<p>做法：</p>'
            f'{_items("p", [f"{number}. {step}" for number, step in enumerate(STEPS, 1)])}', ""),
        "mindmegette.hu": (
            f'<h1 class="title">{TITLE}</h1><ul class="shopingCart">'
            + "".join(
                f'<li><span class="ingredient-measure" title="{line.split(" ", 1)[0]}"></span>'
                f'<span class="ingredient-name">{line.split(" ", 1)[1]}</span></li>' for line in LINES)
            + f'</ul><div class="instructions">{ol}</div>', ""),
        "dr.dk": (
            f'<span class="dre-title-text">{TITLE}</span><div class="dre-list dre-variables"><ul class="dre-list__list">'
            + "".join(
                f'<li class="dre-list-item"><span class="dre-list-item__content"><p>{line}</p></span></li>' for line in LINES)
            + "</ul></div><section><div>Fremgangsmåde</div>"
            + "".join(f'<div class="dre-speech"><p class="dre-article-body-paragraph">{step}</p></div>' for step in STEPS)
            + "</section>", ""),
        "grouprecipes.com": (
            '<div class="ingredients"><ul>' + "".join(f'<li><a class="to_list" rel="{line}">+</a></li>' for line in LINES)
            + f'</ul></div><ul class="instructions">{_items("li", STEPS)}</ul>', ""),
    }  # fmt: skip
    for number, (host, (body, head)) in enumerate(bodies.items()):
        address = f"https://{host}/soup"
        names = (
            f'<link rel="canonical" href="{address}">',
            f'<meta property="og:url" content="{address}">',
            f"<!-- saved from url=(0030){address} -->",
        )
        page = _page(body, names[number % 3] + head)
        if host == "grouprecipes.com":
            page = page.replace("Soup | A site", TITLE)
        yield host, page, {**CORE, "url": address, "language": "en"}


PAGES = [*json_ld(), *markup(), *sites()]
