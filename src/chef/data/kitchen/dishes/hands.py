"""What is eaten with the fingers or sticks."""

from chef.data.kitchen.grammar import family

FAMILIES = (
    family(
        "skewers",
        "skewers",
        """
        main     chunks      1    500-900  body    grilled
        veg      stuffable   1-2  120-220  body    grilled
        onion    red_onion   0-1  120-180  body    grilled
        veg2     courgettes  0-1  120-220  body    grilled
        base     grain_any   0-1  180-300  side    boiled
        fat      @fat        1    .        hidden  raw
        acid     @acid       1    .        top     raw
        spice    @spice      1-3  .        tint    raw
        sauce    @sauce      0-1  .        glaze   raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        cut/dice main
        mix/whisk fat+acid+spice+sauce in bowl
        marinate/coat main
        soak =skewers
        chop/cut veg+onion+veg2
        thread main+veg+onion+veg2
        season =skewers with season
        grill/broil =skewers
        turn =skewers
        cook/simmer base
        serve =skewers with base+herb
        """,
        titles="""
        {main} [skewers|kebabs][{with}|]
        {cuisine} {main} [skewers|kebabs]
        grilled {main} and {veg1} skewers
        [{adj}|barbecue|backyard] skewers[{with}|]
        """,
        vessels="board plate",
        cuisines="greek, middle eastern, moroccan, thai, caribbean, american",
        weight=2.0,
    ),
    family(
        "tacos",
        "tacos",
        """
        main     chunks      1    450-750  body    METHOD
        wrap     corn_tortillas 1    200-320  crust   baked
        veg      taco_veg    2-4  50-180   body    raw
        aromatic @aromatic   0-2  .        hidden  fried
        spice    @spice      2-3  .        tint    raw
        fat      @fat        1    .        hidden  raw
        acid     citrus_any  1    .        top     raw
        cool     cool        0-1  50-100   dollop  raw
        cheese   cheddar     0-1  40-80    top     raw
        herb     coriander   0-1  .        top     raw
        """,
        """
        cut/slice main
        toss/rub/coat main with spice+season
        heat fat in pan
        METHOD main
        ? cook aromatic in pan
        shred/chop/slice veg
        warm/toast wrap
        fill wrap with main+veg
        top/spoon =tacos with cool+cheese
        squeeze acid
        scatter herb
        """,
        titles="""
        {main} tacos[{with}|]
        {done} {main} tacos
        [{adj} |Tuesday |street-style |]{main} tacos with {veg}
        [{adj}|crispy|loaded] tacos[{with}|]
        """,
        vessels="board plate",
        cuisines="mexican",
        methods="grill fry roast",
        weight=2.0,
    ),
    family(
        "rolls",
        "sushi",
        """
        base     sushi_rice  1    280-400  base    boiled
        main     sushi_fish  1    300-480  body    raw
        veg      sushi_veg   1-2  60-150   body    raw
        nori     nori        1    12-18    hidden  raw
        acid     rice_vinegar 1    .        hidden  raw
        sweet    sugar       1    8-16     hidden  raw
        sauce    soy_sauce   1    .        dip     raw
        seed     sesame_seeds 0-1  8-16     top     raw
        ginger   ginger      0-1  .        hidden  raw
        """,
        """
        rinse base
        cook/simmer base in pot
        warm/stir acid+sweet
        season base with acid
        cool/fan base
        slice/cut main+veg
        spread/press base
        arrange/lay main+veg
        roll =sushi
        slice =roll
        sprinkle seed
        serve =sushi with sauce+ginger
        """,
        titles="""
        {main} sushi rolls
        {main} and {veg1} maki
        [{adj} |homemade |]sushi with {mains}[ and {veg}|]
        """,
        vessels="board plate",
        cuisines="japanese",
        weight=1.0,
        hero=0.7,
    ),
    family(
        "dumplings",
        "dumplings",
        """
        main     dumpling_main 1    350-600  body    boiled
        wrap     dumpling_wrappers 1    180-300  crust   METHOD
        veg      dumpling_veg 1-2  60-180   body    boiled
        aromatic @aromatic   2    .        hidden  raw
        sauce    @sauce      1-2  .        dip     raw
        fat      sesame_oil  1    .        hidden  raw
        seed     sesame_seeds 0-1  8-16     top     raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        chop/shred veg
        mince/grate aromatic
        mix/combine main with veg+aromatic+fat in bowl
        season =filling with season
        spoon =filling
        fold/pleat/seal wrap
        METHOD =dumplings
        whisk/mix sauce in bowl
        serve =dumplings with sauce
        sprinkle seed+herb
        """,
        titles="""
        {main} [dumplings|potstickers|gyoza]
        {done} {main} and {veg1} dumplings
        {cuisine} dumplings[{with}|]
        """,
        vessels="plate board",
        cuisines="chinese, japanese, korean",
        methods="steam fry boil",
        weight=1.3,
    ),
    family(
        "wraps",
        "wraps",
        """
        main     chunks      1    400-700  body    METHOD
        wrap     wraps       1    180-300  crust   baked
        veg      sandwich_veg 2-3  50-140   body    raw
        bean     bean        0-1  120-240  body    boiled
        sauce    cool        1    60-120   body    raw
        spice    @spice      1-2  .        tint    raw
        fat      @fat        1    .        hidden  raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        slice/cut main
        toss/coat main with spice+season
        heat fat in pan
        METHOD main
        chop/shred veg
        rinse/warm bean
        warm wrap
        spread wrap with sauce
        fill/top wrap with main+veg+bean
        roll/wrap/fold wrap
        halve/serve =wraps
        """,
        titles="""
        {main} [wraps|burritos|gyros][{with}|]
        {cuisine} {main} wraps
        {done} {main} and {veg1} wraps
        [{adj}|lunchbox|rainbow] wraps with {x}
        """,
        vessels="board plate",
        cuisines="mexican, greek, middle eastern, caribbean",
        methods="grill fry roast",
        weight=1.6,
    ),
    family(
        "toasts",
        "toasts",
        """
        bread    toast_bread 1    140-260  crust   baked
        main     toast_main  1    280-450  body    raw
        spread   toast_spread 1    60-140   sauce   raw
        veg      salad_veg   0-1  40-100   body    raw
        aromatic garlic      0-1  .        hidden  raw
        fat      olive_oil   1    .        hidden  raw
        herb     @herb       1    .        top     raw
        seed     seed_any    0-1  6-14     top     raw
        """,
        """
        slice/toast bread
        rub bread with aromatic
        chop/slice/halve main+veg
        mix/toss main with fat+season in bowl
        spread bread with spread
        arrange/pile main+veg
        drizzle =toasts with fat
        scatter/sprinkle herb+seed
        serve =toasts
        """,
        titles="""
        {main} [toasts|bruschetta|crostini][{with}|]
        {main} and {spread} on toast
        [{adj}|party|brunch] toasts with {mains}
        """,
        vessels="board plate",
        cuisines="italian, french, american",
        weight=1.1,
        hero=0.7,
    ),
    family(
        "omelette",
        "omelette",
        """
        eggs     eggs        1    250-400  base    fried
        main     egg_veg     1    60-180   body    fried
        veg      egg_veg     0-2  40-100   body    fried
        meat     cured       0-1  50-120   body    fried
        milk     milk        0-1  30-60    hidden  raw
        cheese   melting     0-1  40-90    body    baked
        fat      butter      1    10-25    hidden  raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        beat/whisk eggs+milk in bowl
        season eggs with season
        chop/slice main+veg
        melt fat in pan
        fry/cook main+veg+meat in pan
        pour eggs in pan
        cook =omelette
        sprinkle cheese
        fold =omelette
        serve =omelette with herb
        """,
        titles="""
        {main} omelette[{with}|]
        [{adj} |fluffy |French |]omelette with {mains}
        [breakfast|brunch|folded] omelette[{with}|]
        """,
        vessels="plate pan",
        cuisines="french, spanish, american",
        weight=0.9,
        hero=0.0,
    ),
)
