"""Breakfasts, fruit and drinks."""

from chef.data.kitchen.grammar import family

FAMILIES = (
    family(
        "pancakes",
        "pancakes",
        """
        flour    flour_any   1    160-260  crust   fried
        milk     cake_milk   1    160-260  hidden  raw
        eggs     eggs        1    50-150   hidden  raw
        main     bowl_fruit  1    200-420  body    raw
        raise    baking_powder 0-1  .        hidden  raw
        sugar    sugar_any   0-1  15-40    hidden  raw
        fat      butter      1    20-50    hidden  raw
        syrup    syrup_any   0-1  30-80    syrup   raw
        cream    greek_yogurt 0-1  60-140   dollop  raw
        """,
        """
        whisk/mix flour+raise+sugar+season in bowl
        beat/pour milk+eggs in bowl
        rest/stir =batter
        slice/wash main
        melt/heat fat in pan
        ladle/pour =batter in pan
        cook/fry =pancakes
        flip =pancakes
        stack/pile =pancakes
        top =pancakes with main+cream
        drizzle syrup
        """,
        titles="""
        {main} pancakes[{with}|]
        [{adj} |fluffy |buttermilk |]pancakes with {mains}
        {cuisine} pancakes[{with}|]
        [brunch|slow-morning] pancakes with {mains}
        """,
        cuisines="american, french, german",
        weight=1.3,
        hero=0.6,
        sweet=True,
    ),
    family(
        "porridge",
        "porridge",
        """
        oats     rolled_oats 1    120-220  base    boiled
        milk     cake_milk   1    120-210  hidden  raw
        water    water       0-1  200-400  hidden  raw
        main     bowl_fruit  1    180-350  body    raw
        fruit    bowl_fruit  0-1  50-120   body    raw
        nut      nut_any     0-1  20-50    top     raw
        seed     seed_any    0-1  8-20     top     raw
        spice    cinnamon    0-1  .        dust    raw
        syrup    syrup_any   1    20-50    syrup   raw
        """,
        """
        stir/mix oats with milk+water in pot
        ? soak oats
        bring/simmer =porridge
        cook/stir =porridge
        slice/chop/wash main+fruit
        ? toast nut
        spoon/divide =porridge
        top/arrange main+fruit
        sprinkle nut+seed+spice
        drizzle syrup
        season =porridge with season
        """,
        titles="""
        {main} porridge[{with}|]
        [{adj} |creamy |overnight |]oats with {mains}
        {spice1} {main} oatmeal
        [winter|five-minute|warming] porridge[{with}|]
        """,
        vessels="bowl",
        cuisines="british, american",
        weight=1.4,
        hero=0.75,
        sweet=True,
    ),
    family(
        "yogurt bowl",
        "porridge",
        """
        base     greek_yogurt 1    200-350  base    raw
        main     bowl_fruit  1    220-450  body    raw
        fruit    bowl_fruit  1-2  60-150   body    raw
        crunch   granola     0-1  50-100   body    raw
        nut      nut_any     0-1  20-50    top     raw
        seed     seed_any    0-1  8-20     top     raw
        syrup    syrup_any   1    20-45    syrup   raw
        """,
        """
        wash/slice/chop main+fruit
        ? blend main with base in blender
        spoon/divide base
        arrange/top main+fruit
        scatter/sprinkle crunch+nut+seed
        drizzle syrup
        serve =bowls
        """,
        titles="""
        {main} yogurt bowl[{with}|]
        [{adj} |breakfast |]bowl with {mains} and {fruit}
        {base} with {mains}[ and {syrup}|]
        """,
        vessels="bowl",
        cuisines="greek, american",
        weight=0.9,
        hero=0.8,
        sweet=True,
    ),
    family(
        "smoothie",
        "glass",
        """
        main     smoothie_fruit 1    300-500  sauce   raw
        fruit    smoothie_fruit 1-2  80-200   sauce   raw
        milk     smoothie_milk 1    150-260  sauce   raw
        yogurt   greek_yogurt 0-1  60-150   sauce   raw
        oats     rolled_oats 0-1  20-45    hidden  raw
        seed     seed_any    0-1  8-20     top     raw
        syrup    syrup_any   0-1  15-30    hidden  raw
        herb     mint        0-1  .        top     raw
        spice    cinnamon    0-1  .        dust    raw
        """,
        """
        peel/chop/wash main+fruit
        ? freeze main
        add/put main+fruit in blender
        pour milk+yogurt in blender
        add oats+syrup in blender
        blend =smoothie
        taste/season =smoothie with season
        pour =smoothie
        sprinkle/top seed+herb+spice
        """,
        titles="""
        {main} smoothie
        {main} and {fruit1} smoothie
        [{adj} |breakfast |thick |]{main} {fruit1} smoothie
        [green|sunrise|post-run|purple] smoothie[{with}|]
        """,
        vessels="glass",
        cuisines="american",
        weight=1.0,
        sweet=True,
    ),
    family(
        "fruit salad",
        "mound",
        """
        main     fruit_any   1    320-500  body    raw
        fruit    fruit_any   2-4  80-260   body    raw
        acid     sweet_acid  1    .        hidden  raw
        syrup    syrup_any   0-1  20-45    hidden  raw
        nut      nut_any     0-1  20-50    top     raw
        herb     mint        0-1  .        top     raw
        """,
        """
        wash/peel main+fruit
        slice/cut/chop main+fruit
        whisk/mix acid+syrup in bowl
        toss main with fruit in bowl
        chill =salad
        season =salad with season
        scatter/sprinkle nut+herb
        serve =salad
        """,
        titles="""
        {main} fruit salad
        [{adj} |tropical |summer |]fruit salad with {mains}
        {main}, {x} and {fruit1} salad
        """,
        vessels="bowl",
        cuisines="american, caribbean, british",
        weight=0.9,
        sweet=True,
    ),
    family(
        "baked fruit",
        "sections",
        """
        main     baked_fruit 1    600-950  hero    baked
        nut      nut_any     0-1  40-80    top     baked
        dried    raisins     0-1  40-80    top     baked
        sugar    sugar_any   1    40-90    hidden  raw
        fat      butter      1    30-60    hidden  raw
        spice    sweet_spice 1-2  .        hidden  raw
        juice    sweet_juice 0-1  80-160   sauce   raw
        serve    pie_serve   1    100-200  dollop  raw
        """,
        """
        preheat oven
        core/halve/peel main
        mix/mash fat+sugar+spice in bowl
        stir nut+dried in bowl
        stuff/fill main with nut+dried
        pour juice in dish
        bake main in dish
        baste main
        serve main with serve
        """,
        titles="""
        baked {mains}[{with}|]
        {spice1} baked {mains}
        [{adj} |stuffed |warm |]{mains} with {serve}
        """,
        vessels="plate bowl",
        cuisines="british, french, german, american",
        weight=1.5,
        sweet=True,
    ),
)
