"""Pasta and noodles."""

from chef.data.kitchen.grammar import family

FAMILIES = (
    family(
        "pasta",
        "mound",
        """
        main     chunks      1    350-650  body    fried
        base     pasta_any   1    300-450  base    boiled
        veg      pasta_veg   1-3  60-200   body    fried
        aromatic @aromatic   1-2  .        hidden  fried
        creamy   cream       0-1  60-150   sauce   raw
        sauce    @sauce      0-1  .        sauce   raw
        fat      @fat        1    .        hidden  raw
        cheese   pasta_cheese 0-1  30-80    top     raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        boil/cook base in pot
        cut/slice main
        heat fat in pan
        fry/sear/brown main in pan
        add/saute aromatic+veg in pan
        pour/stir creamy+sauce in pan
        simmer =sauce
        drain base
        toss base with main in pan
        season =pasta with season
        grate/sprinkle cheese
        ? scatter herb
        """,
        titles="""
        {base} with {mains}[ and {x}|]
        {main} {base1}[{with}|]
        [{adj} |creamy |]{main} pasta
        {cuisine} {base1} with {veg}
        [{adj}|weeknight|20-minute|one-pan] pasta[{with}|]
        """,
        vessels="plate bowl",
        cuisines="italian, italian, italian, french, american",
        weight=3.0,
        hero=0.65,
    ),
    family(
        "bolognese",
        "mound",
        """
        main     minced_or_fish 1    450-700  body    simmered
        base     pasta_any   1    320-450  base    boiled
        tomato   canned_tomatoes 1    300-420  sauce   simmered
        aromatic onion       1    .        hidden  fried
        garlic   garlic      1    .        hidden  fried
        veg      soup_veg    0-2  60-150   hidden  simmered
        thick    tomato_paste 0-1  .        hidden  raw
        fat      @fat        1    .        hidden  raw
        cheese   parmesan    0-1  30-60    top     raw
        herb     @herb       1    .        top     raw
        """,
        """
        chop/dice aromatic+garlic+veg
        heat fat in pan
        cook/soften aromatic+garlic+veg in pan
        add/brown main in pan
        stir thick in pan
        pour/add tomato in pan
        simmer =sauce
        boil/cook base in pot
        drain base
        season =sauce with season
        spoon/ladle =sauce
        top/sprinkle =pasta with cheese+herb
        """,
        titles="""
        {base} [bolognese|al ragù] [with {mains}|]
        {main} ragù with {base}
        [{adj} |]{base} with {main} sauce
        [slow|Sunday|classic] meat sauce with {base}
        """,
        vessels="plate bowl",
        cuisines="italian",
        weight=1.4,
        hero=0.8,
    ),
    family(
        "vegetable pasta",
        "mound",
        """
        base     pasta_any   1    350-500  base    boiled
        main     pasta_veg   1    200-450  body    fried
        veg      pasta_veg   1-2  60-160   body    fried
        aromatic @aromatic   1    .        hidden  fried
        sauce    pesto       0-1  40-90    sauce   raw
        fat      olive_oil   1    .        hidden  raw
        nut      pine_nuts   0-1  20-40    top     raw
        cheese   pasta_cheese 1    30-100   top     raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        cook/boil base in pot
        slice/chop main+veg
        warm/heat fat in pan
        fry/saute aromatic in pan
        add/cook main+veg in pan
        drain base
        toss/stir base with sauce in pan
        season =pasta with season
        toast nut
        scatter/sprinkle cheese+nut+herb
        """,
        titles="""
        {base} with {mains}[ and {cheese}|]
        {base} [alla primavera|from the garden|with summer vegetables]
        [{adj} |]{main} {base1}
        """,
        vessels="plate bowl",
        cuisines="italian",
        weight=1.0,
        hero=0.3,
    ),
    family(
        "noodles",
        "mound",
        """
        base     noodles     1    250-400  base    boiled
        main     chunks      1    300-600  body    fried
        veg      wok_veg     1-3  60-180   body    fried
        aromatic @aromatic   1-2  .        hidden  fried
        sauce    @sauce      1-2  .        sauce   raw
        nut      peanuts     0-1  25-50    top     raw
        fat      @fat        1    .        hidden  raw
        acid     @acid       0-1  .        top     raw
        herb     @herb       1    .        top     raw
        """,
        """
        boil/soak/cook base in pot
        drain/rinse base
        slice/cut main+veg
        heat fat in wok
        fry main in wok
        add/fry aromatic+veg in wok
        stir/whisk sauce in bowl
        toss base with sauce in wok
        season =noodles with season
        serve =noodles with acid
        scatter herb+nut
        """,
        titles="""
        {cuisine} {main} noodles
        {base} with {mains} and {veg}
        [{adj} |spicy |saucy |]{main} noodles
        {main} [lo mein|chow mein|pad thai]
        """,
        vessels="plate bowl",
        cuisines="chinese, thai, japanese, korean, vietnamese",
        weight=1.6,
        hero=0.7,
    ),
)
